"""A test of fit that does not speak is no proof: one accuracy has its condition and a range."""

from functools import cache

import pytest
from scipy.stats import binom

from tapdesk.answers import brief, misfit, number_cells
from tapdesk.answers.dependence_part import dependence_content
from tapdesk.answers.fit_studies import fit_studies
from tapdesk.answers.paper import paper_content
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.studies.analysis import Request, analyse
from tests.tables import counted

# A hundred cases of five ratings, which leave open how hard the cases are.
OPEN = (22, 12, 7, 8, 13, 38)
# Two thousand cases of nine ratings as often as .4, .7, .4 make them: no other accuracy goes with them.
CLOSED = tuple(round(2000 * (0.4 * binom.pmf(k, 9, 0.82) + 0.6 * binom.pmf(k, 9, 0.12))) for k in range(10))
# Of six ratings the middle is missing: cases differ, and the test of fit says so.
SPOKEN = (60, 6, 14, 25, 14, 6, 75)
THREE = (20, 12, 14, 30)


@cache
def answer(counts) -> Answer:
    ratings = counted(counts)
    request = Request(model("t-a-p"))
    fit = finish(analyse(ratings, request))
    return Answer(fit, ratings, ratings, finish(fit_studies(fit, ratings, request)))


def test_the_number_has_its_condition_and_its_range_and_silence_is_no_proof():
    this = answer(OPEN)
    one, (low, high) = this.fit.estimate("a"), this.side.dependence.varied
    first, follows = headline(this)
    assert low < one.low - misfit.MATTERS
    number = f"About {100 * one.value:.0f} of 100 ratings follow the case ({100 * one.low:.0f} to {100 * one.high:.0f})"
    reach = f"{100 * low:.0f} to {100 * max(high, one.high):.0f} if some are harder than others."
    assert first == f"{number} if all cases are equally hard; {reach}"
    assert "Nothing in these ratings speaks against equally hard cases, but not rejected is not right." in follows
    power = this.side.dependence.power
    assert power.accuracy == pytest.approx(one.value - 0.1, abs=1e-4)
    assert f"only about {100 * power.accuracy:.0f} of 100 ratings followed the case" in follows
    assert f"notice it about {100 * power.rejections:.0f} times in 100" in follows
    assert min(this.side.dependence.harder[0], this.side.dependence.misleading[0]) < low
    assert "If some are beyond everybody or mislead everybody, fewer still may follow." in follows
    assert "If all cases are equally hard: When the case is truly" in follows


def test_the_number_stands_nowhere_without_its_condition():
    this = answer(OPEN)
    assert misfit.why_set_back(this) == "Only if all cases are equally hard."
    cells = number_cells.fit_cells(this.fit, misfit.why_set_back(this))
    assert [cell.set_back for cell in cells if cell.symbol == "a"] == [True]
    table = brief.numbers_table(this)
    rows = [row[0] for row in table.rows if "follow the case" in row[0] or "truly" in row[0]]
    assert rows
    assert all(row.endswith(", if all cases are equally hard") for row in rows)
    assert brief.split_blocks(this)[0].text == "This holds if all cases are equally hard."
    assert len(brief.split_blocks(answer(CLOSED))) == len(brief.split_blocks(this)) - 1


@pytest.mark.parametrize("counts", [CLOSED, SPOKEN, THREE])
def test_it_is_not_said_where_the_ratings_show_it_or_cannot(counts):
    this = answer(counts)
    assert not misfit.unproved(this.fit, this.side)
    assert "not rejected is not right" not in " ".join(headline(this))


@pytest.mark.parametrize("counts", [OPEN, SPOKEN, THREE])
def test_the_paragraph_for_a_paper_tells_the_number_with_its_condition(counts):
    this = answer(counts)
    one, (low, high) = this.fit.estimate("a"), misfit.if_some_are_harder(this.fit, this.side)
    text = " ".join(p.text for p in paper_content(this).paragraphs)
    assert "All cases are taken to be equally hard." in text
    value = f"{one.value:.2f} (95 % CI {one.low:.2f} to {one.high:.2f})"
    assert f"if all cases are equally hard: {value}; if some are harder: {low:.2f} to {high:.2f}." in text
    assert text.count(value) == 1


def test_where_cases_are_seen_to_be_alike_the_paragraph_has_no_condition():
    this = answer(CLOSED)
    assert misfit.if_some_are_harder(this.fit, this.side) is None
    text = " ".join(p.text for p in paper_content(this).paragraphs)
    assert "Accuracy by the t-a-p model: 0.70 (95 % CI" in text
    assert "if some are harder" not in text


def test_where_little_is_open_the_part_still_says_what_could_have_been_seen():
    content = dependence_content(answer(CLOSED))
    text = " ".join(p.text for p in content.paragraphs)
    assert "the test of fit would notice it" in text


def test_the_part_tells_the_range_of_the_headline_and_no_other():
    """It said 18 to 82 below a headline of 22 to 82, and both of some that are harder."""
    this = answer(OPEN)
    content = dependence_content(this)
    first = headline(this)[0]
    assert content.paragraphs[0].text.startswith(str(first))
    assert "If some are beyond everybody or mislead everybody, fewer still may follow." in content.paragraphs[0].text
