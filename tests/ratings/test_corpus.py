"""Every sheet of the corpus is read as it is meant or asked about, and none is read wrongly in silence."""

from collections import Counter
from itertools import combinations

import pytest

from tapdesk.errors import SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.progress import finish
from tapdesk.ratings.form import form
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.reading import Reading, read_now
from tests.ratings.corpus import Sheet, sheets
from tests.ratings.corpus_panels import SURNAMES, lists, panels
from tests.ratings.strangers import strangers
from tests.ratings.telling import blocks

ALL = tuple(sheets())
# Sheets of the same kinds that nothing was tried on while the reading was written.
# The fast suite takes one in five of them.
UNSEEN = (
    ("spring", 5),
    pytest.param("spring", 1, marks=pytest.mark.slow),
    pytest.param("autumn", 1, marks=pytest.mark.slow),
)
KINDS = tuple(dict.fromkeys(s.key.split(";")[0] for s in ALL))
# What may mean counts or scores where no known word stands above them.
OPEN = {"uneven counts"}
# One analysis answers one of their questions.
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
    """``right``, ``asked`` or what was understood wrongly.

    A sheet of several questions is right where all of them are read and nobody has to say how; one that says nothing
    about itself is asked about.
    """
    path.write_text(sheet.text, encoding="utf-8")
    try:
        reading = read_now(path, ReadingOptions())
    except SeveralQuestionsError:
        return of_form(sheet, path)
    except TapdeskError:
        return "asked"
    found = blocks(reading)
    if "two_readings" not in found and found & {"several_questions", "rows_of_questions"}:
        return of_form(sheet, path)
    if found:
        return "asked"
    kind = sheet.key.split(";")[0]
    return "right" if kind not in SEVERAL and not sheet.riddle and meant(sheet, reading) else reading.source.sentence


def of_form(sheet: Sheet, path) -> str:
    """The same for a sheet of several questions, each read alone."""
    try:
        made = finish(form(path))
    except TapdeskError:
        return "asked"
    names = [one.name for one in made.questions]
    if set(names) != set(sheet.answers):
        return f"questions {names}"
    for one in made.questions:
        if one.reading is None or blocks(one.reading):
            return "asked"
        wanted = Counter((case, who, label) for (case, who), label in sheet.answers[one.name].items())
        if said(one.reading) != wanted:
            return one.reading.source.sentence
    return "right"


@pytest.mark.parametrize("kind", ["form", "long questions", "question rows"])
def test_a_question_that_is_named_is_read_as_it_is_in_the_form(tmp_path, kind):
    # What the program itself recommends where several questions are in a file.
    of_kind = [s for s in (*sheets(), *strangers("named")) if s.key.split(";")[0] == kind]
    place, forms = tmp_path / "sheet.csv", 0
    for sheet in of_kind[::2]:
        place.write_text(sheet.text, encoding="utf-8")
        try:
            made = finish(form(place))
        except TapdeskError:
            continue
        forms += 1
        for one in made.questions[:2]:
            alone = read_now(place, ReadingOptions(question=one.options.question, only=one.name))
            assert said(alone) == said(one.reading), (sheet.key, one.name)
    assert forms > 10


def test_a_question_is_not_taken_for_the_column_that_names_them(tmp_path):
    sheet = next(s for s in sheets() if s.key.split(";")[0] == "form")
    place = tmp_path / "sheet.csv"
    place.write_text(sheet.text, encoding="utf-8")
    name = finish(form(place)).questions[0].name
    with pytest.raises(UsageError, match="is a question itself"):
        read_now(place, ReadingOptions(question=name))
    # With one of its answers it would choose rows, and some other question would be read of these unnamed.
    answer = next(iter(finish(form(place)).questions[0].reading.ratings.classes))
    with pytest.raises(UsageError, match="is a question itself"):
        read_now(place, ReadingOptions(question=name, only=answer))


def test_a_rater_is_not_taken_for_the_column_that_names_the_questions(tmp_path):
    place = tmp_path / "medals.csv"
    lines = (
        f"W{i},{'gold' if i % 2 else 'none'},{'gold' if i % 3 else 'none'},{'gold' if i % 5 else 'none'}"
        for i in range(20)
    )
    place.write_text("\n".join(["Wine,Ana,Ben,Carla", *lines]), encoding="utf-8")
    with pytest.raises(UsageError, match="'Ana' is a rater as the others"):
        read_now(place, ReadingOptions(question="Ana", only="gold"))
    # Who says what the columns are means it.
    stated = read_now(place, ReadingOptions(question="Ana", only="gold", layout=Layout.RATERS))
    assert stated.ratings.raters == ("Ben", "Carla")


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
    if all(s.riddle for s in of_kind):
        assert set(told.values()) == {"asked"}
    elif kind not in OPEN:
        assert sum(v == "asked" for v in told.values()) <= 0.1 * len(of_kind)


@pytest.mark.parametrize(("seed", "every"), UNSEEN)
def test_sheets_that_were_never_tried_before_are_not_read_wrongly_in_silence_either(tmp_path, seed, every):
    told = {s.key: verdict(s, tmp_path / "sheet.csv") for s in tuple(sheets(seed))[::every]}
    assert {key: v for key, v in told.items() if v not in {"right", "asked"}} == {}
    alone = [v for key, v in told.items() if key.split(";")[0] not in OPEN | {"bare square"}]
    assert alone.count("asked") <= 0.03 * len(alone)


def test_another_seed_makes_other_sheets_of_other_words_sizes_and_orders():
    one, two = (list(sheets(seed)) for seed in ("spring", "harvest"))
    assert len(one) == len(two) == len(ALL)
    assert not {s.text for s in one} & {s.text for s in two}
    heads = [{s.text.split("\n")[0] for s in made} for made in (one, two, ALL)]
    assert all(len(a & b) < 0.15 * len(a) for a, b in combinations(heads, 2))
    assert all(len({s.text.count("\n") for s in made}) > 60 for made in (one, two))


PANEL_SEEDS = ("spring", *(pytest.param(seed, marks=pytest.mark.slow) for seed in ("summer", "autumn", "winter")))


@pytest.mark.parametrize("seed", PANEL_SEEDS)
def test_things_to_tick_are_never_read_as_a_panel_before_it_was_asked(tmp_path, seed):
    told = {s.key: verdict(s, tmp_path / "sheet.csv") for s in lists(seed)}
    assert len(told) >= 40
    assert {key: v for key, v in told.items() if v != "asked"} == {}


@pytest.mark.parametrize("seed", PANEL_SEEDS)
def test_panels_good_and_bad_are_not_asked_whether_they_are_people_where_their_names_say_so(tmp_path, seed):
    told = {s.key: verdict(s, tmp_path / "sheet.csv") for s in panels(seed)}
    assert len(told) >= 130
    assert {key: v for key, v in told.items() if v not in {"right", "asked"}} == {}
    assert sum(v == "asked" for v in told.values()) <= 0.02 * len(told)


@pytest.mark.parametrize("seed", PANEL_SEEDS)
def test_rare_surnames_above_answers_that_agree_are_people(tmp_path, seed):
    told = {s.key: verdict(s, tmp_path / "sheet.csv") for s in panels(seed, SURNAMES)}
    assert set(told.values()) <= {"right", "asked"}
    # Two raters of twenty cases may agree no more than questions do.
    good = [v for key, v in told.items() if "; good;" in key]
    assert good.count("right") >= len(SURNAMES) - 1
