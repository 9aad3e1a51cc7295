"""Every sheet of the corpus is read as it is meant or asked about, and none is read wrongly in silence."""

from collections import Counter

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import Reading, read_now
from tests.ratings.corpus import Sheet, sheets
from tests.ratings.telling import blocks

ALL = tuple(sheets())
# Sheets of the same kinds that nothing was tried on while the reading was written.
UNSEEN = ("spring", pytest.param("autumn", marks=pytest.mark.slow))
KINDS = tuple(dict.fromkeys(s.key.split(";")[0] for s in ALL))
# What one analysis cannot answer as it is: several questions, of which one has to be chosen.
# What may mean counts or scores where no known word stands above them.
OPEN = {"uneven counts"}
SEVERAL = {"form", "long questions", "question rows", "crossed columns"}


def said(reading: Reading) -> Counter[tuple[str, str, str]]:
    """How often each rater put each case into each class."""
    r = reading.ratings
    return Counter(
        (r.subjects[s], r.raters[j], r.classes[c]) for s, j, c in zip(r.subject, r.rater, r.category, strict=True)
    )


def counted(reading: Reading) -> Counter[tuple[int, ...]]:
    """How many cases have each row of counts."""
    r = reading.ratings
    made: Counter[tuple[int, ...]] = Counter()
    for i, row in enumerate(r.counts().tolist()):
        made[tuple(map(int, row))] += 1 if r.weight is None else int(r.weight[i])
    return made


def meant(sheet: Sheet, reading: Reading) -> bool:
    """Whether a reading says what the sheet says, and what belongs to what beside the ratings."""
    if reading.source.layout not in sheet.layouts:
        return False
    beside = {name: column.of for name, column in reading.ratings.covariates.items() if name in sheet.beside}
    if any(of is not sheet.beside[name] for name, of in beside.items()):
        return False
    if sheet.counts:
        wanted: Counter[tuple[int, ...]] = Counter()
        for row, times in sheet.counts:
            wanted[tuple(sorted(row))] += times
        got: Counter[tuple[int, ...]] = Counter()
        for row, times in counted(reading).items():
            got[tuple(sorted(row))] += times
        return got == wanted
    return said(reading) == sum(
        (Counter((case, who, label) for (case, who), label in given.items()) for given in sheet.answers.values()),
        Counter(),
    )


def verdict(sheet: Sheet, path) -> str:
    """``right``, ``asked`` or what was understood wrongly."""
    path.write_text(sheet.text, encoding="utf-8")
    try:
        reading = read_now(path, ReadingOptions())
    except TapdeskError:
        return "asked"
    if blocks(reading):
        return "asked"
    kind = sheet.key.split(";")[0]
    return "right" if kind not in SEVERAL and not sheet.riddle and meant(sheet, reading) else reading.source.sentence


def test_the_corpus_is_large_and_speaks_six_languages():
    assert len(ALL) >= 500
    assert {s.key.split("; ")[1] for s in ALL} == {"en", "de", "fr", "es", "it", "pt"}
    assert len({s.key for s in ALL}) == len(ALL)


@pytest.mark.parametrize("kind", KINDS)
def test_no_sheet_is_read_wrongly_in_silence_and_few_are_asked_about_needlessly(tmp_path, kind):
    of_kind = [s for s in ALL if s.key.split(";")[0] == kind]
    told = {s.key: verdict(s, tmp_path / "sheet.csv") for s in of_kind}
    wrong = {key: v for key, v in told.items() if v not in {"right", "asked"}}
    assert wrong == {}
    if kind in SEVERAL or all(s.riddle for s in of_kind):
        assert set(told.values()) == {"asked"}
    elif kind not in OPEN:
        assert sum(v == "asked" for v in told.values()) <= 0.1 * len(of_kind)


@pytest.mark.parametrize("seed", UNSEEN)
def test_sheets_that_were_never_tried_before_are_not_read_wrongly_in_silence_either(tmp_path, seed):
    told = {s.key: verdict(s, tmp_path / "sheet.csv") for s in sheets(seed)}
    assert {key: v for key, v in told.items() if v not in {"right", "asked"}} == {}
    alone = [v for key, v in told.items() if key.split(";")[0] not in SEVERAL | OPEN | {"bare square"}]
    assert alone.count("asked") <= 0.03 * len(alone)
