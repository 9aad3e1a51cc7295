"""Sheets as strangers bring them are read rightly or asked about, and none is read wrongly in silence."""

from collections import Counter

import pytest

from tapdesk.cli.main import main
from tapdesk.errors import SeveralQuestionsError, TapdeskError
from tapdesk.progress import finish
from tapdesk.project.fixes.catalog import fixes
from tapdesk.ratings.form import form
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.strangers import FAMILIES, Maker
from tests.ratings.telling import asks, blocks, told
from tests.ratings.test_corpus import meant, said

# Of these a question is the best answer: nothing, or hardly anything, tells what they are.
ASKED = {
    "sums_in_forms",
    "jury_with_summary",
    "screening",
    "rounds",
    "codes",
    "question_rows",
    "turned_with_mean",
    "three_names",
    "annotations",
}
SEEDS = ("first", pytest.param("second", marks=pytest.mark.slow), pytest.param("third", marks=pytest.mark.slow))


def verdict(sheet, path):
    """``right``, ``asked`` or what was understood wrongly; a form is asked about where one of its questions is."""
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
    if set(sheet.answers) == {""} and (meant(sheet, reading) or same_but_for_names(sheet, reading)):
        return "right"
    # Rounds that are read together are told and asked about.
    return "asked" if "rounds" in asks(reading) else reading.source.sentence


def same_but_for_names(sheet, reading):
    """Whether a case has the ratings that it should have, called by its number or by its text."""
    by_case, wanted = {}, {}
    for case, who, label in said(reading):
        by_case.setdefault(case, []).append((who, label))
    for (case, who), label in sheet.answers[""].items():
        wanted.setdefault(case, []).append((who, label))
    return Counter(tuple(sorted(x)) for x in by_case.values()) == Counter(tuple(sorted(x)) for x in wanted.values())


def of_form(sheet, path):
    try:
        made = finish(form(path))
    except TapdeskError:
        return "asked"
    if any(one.reading is None or blocks(one.reading) for one in made.questions):
        return "asked"
    names = [one.name for one in made.questions]
    if set(names) != set(sheet.answers):
        return f"questions {names}"
    for one in made.questions:
        wanted = Counter((case, who, label) for (case, who), label in sheet.answers[one.name].items() if label)
        if said(one.reading) != wanted:
            return one.reading.source.sentence
    return "right"


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.__name__)
def test_no_sheet_of_a_stranger_is_read_wrongly_in_silence(tmp_path, family, seed):
    sheets = list(family(Maker(f"{seed} {family.__name__}")))
    verdicts = {sheet.key: verdict(sheet, tmp_path / "sheet.csv") for sheet in sheets}
    assert len(verdicts) == len(sheets) >= 4
    assert {key: v for key, v in verdicts.items() if v not in {"right", "asked"}} == {}
    if family.__name__ not in ASKED:
        assert sum(v == "asked" for v in verdicts.values()) <= 0.35 * len(sheets)


def test_a_sum_among_the_questions_is_left_out_or_kept_by_one_answer(tmp_path, capsys):
    sheet = next(iter(FAMILIES[1](Maker("first sums_in_forms"))))
    place = tmp_path / "form.csv"
    place.write_text(sheet.text, encoding="utf-8")
    made = finish(form(place))
    (total,) = [one for one in made.questions if blocks(one.reading)]
    assert total.name == "Total"
    offered = fixes(told(total.reading, "computed_question"), total.reading, total.reading.as_read)
    assert [fix.words for fix in offered] == ["Leave out “Total”", "It is a question"]
    assert dict(offered[0].options) == {"without": ("Total",)}
    rest = finish(form(place, ReadingOptions(without=("Total",))))
    assert [one.name for one in rest.questions] == ["Opening", "Content", "Pace"]
    kept = finish(form(place, ReadingOptions(keep_summaries=True)))
    assert not any(blocks(one.reading) for one in kept.questions)
    assert main(["questions", str(place), "--seed", "1"]) == 3
    assert "--without 'Total'" in capsys.readouterr().err
