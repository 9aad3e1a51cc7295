"""Class by class: the strip has room for six numbers, what every class has one of stands in a table, said once."""

import numpy as np
import pytest

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import number_cells
from tapdesk.answers.class_rows import CLASSES, class_kinds, class_table
from tapdesk.answers.content import Number, Table
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import parts_of
from tapdesk.answers.side_results import SideResults, Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.models.model import ORDERED_MODELS, model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read
from tapdesk.report.build import build
from tapdesk.studies.analysis import Request, analyse
from tests.studies.examples import tallied
from tests.tables import drawn

# Feinstein and Cicchetti: 85 of 100 agree twice, with kappa 0.70 and 0.32.
PARADOX, BALANCED, UNBALANCED = tallied((998, 2, 0)), tallied((45, 15, 40)), tallied((5, 15, 80))
MODELS = ("t-a-p", "t-a-t", "t-ak-p", "t-a0a1-p0p1", "t-a-pj", "t-aj-p", "dawid-skene", "sdt")


def answer_of(ratings, name, interval="wald"):
    fit = finish(analyse(ratings, Request(model(name, ORDERED_MODELS), interval=interval)))
    weights = ("identity", "quadratic") if ratings.ordered and len(ratings.classes) > 2 else ("identity",)
    return Answer(fit, ratings, ratings, SideResults(coefficients=finish(agree(ratings, weights=weights))))


@pytest.fixture(scope="module")
def panel():
    return finish(read("sample:jury-panel")).ratings


@pytest.fixture(scope="module", params=MODELS)
def of_model(request, panel):
    return answer_of(panel, request.param, "none" if request.param in {"dawid-skene", "sdt"} else "wald")


def test_the_strip_has_at_most_six_cells_and_no_number_of_a_single_class(of_model):
    cells = number_cells.strip_cells(of_model)
    assert len(cells) <= number_cells.MOST
    single = {e.name.category for e in of_model.fit.estimates} - {None}
    assert single
    assert not any(f"“{one}”" in cell.words for cell in cells for one in single)
    # Ordered classes have the weighted kappa beside the others.
    assert [c.words for c in cells if not c.ours] == ["agreement", "weighted, squares", "Fleiss", "Gwet"]


def test_every_number_of_a_class_that_left_the_strip_stands_in_the_table(of_model):
    table = class_table(of_model)
    assert table is not None
    fit, ratings = of_model.fit, of_model.ratings
    shown = {cell.values for row in table.rows for cell in row if isinstance(cell, Number)}
    own = [e for e in fit.estimates if e.name.category is not None and e.name.rater is None and e.name.rated is None]
    assert own
    for e in own:
        assert (e.estimate.value,) in shown
        assert (e.estimate.low, e.estimate.high) in shown
    assert [row[0] for row in table.rows] == list(ratings.classes)
    assert [row[1].values[0] for row in table.rows] == list(ratings.class_rates())
    specific = {c.category: c.estimate for c in of_model.side.coefficients if c.name == "specific_agreement"}
    assert [row[-2].values[0] for row in table.rows] == [specific[c].value for c in ratings.classes]


def test_paper_prints_these_numbers_in_its_own_tables_and_not_twice(panel):
    project = Project(title="x").with_reading(finish(read("sample:jury-panel")), when="")
    asked = Request(model("t-a-p"), interval="wald")
    fit = finish(analyse(panel, asked))
    project = project.with_analysis(Analysis("", asked, fit, question="knowledge"))
    side = finish(work_out(project, Wanted(), only=("coefficients", "every_class", "all_classes")))
    tables = [block for s in build(project, extras=side).sections for block in s.blocks if isinstance(block, Table)]
    printed = {cell.values for table in tables for row in table.rows for cell in row if isinstance(cell, Number)}
    shown = class_table(Answer(fit, panel, panel, side))
    assert shown is not None
    assert all(cell.values in printed for row in shown.rows for cell in row[2:] if isinstance(cell, Number))
    assert not CLASSES.printed
    assert CLASSES.title not in [table.title for table in tables]
    assert CLASSES.key in parts_of(Answer(fit, panel, panel, side, project.analyses[0]))


def test_of_two_classes_the_strip_tells_the_model_and_the_table_stands_where_agreement_and_kappa_part():
    usual, *traps = (answer_of(one, "t-a-p") for one in (BALANCED, UNBALANCED, PARADOX))
    for answer in (usual, *traps):
        assert [c.symbol for c in number_cells.strip_cells(answer)] == ["t", "a", "p", "Raw", "Kappa", "AC1"]
    assert class_table(usual) is None
    assert CLASSES.key not in parts_of(usual)
    for trap in traps:
        assert [kind.title for kind in class_kinds(trap)] == ["Agreement on it"]
        assert CLASSES.key in parts_of(trap)


def test_a_class_too_rare_for_agreement_on_it_has_a_dash_and_the_reason():
    table = class_table(answer_of(PARADOX, "t-a-p"))
    assert table is not None
    assert table.rows[-1][2:] == ("–", "–")
    assert "too few to speak of" in table.note
    # Here no number of the fit stands in it, so its kind of interval is not named.
    assert "likelihood" not in table.note


def test_while_coefficients_are_worked_out_their_cells_wait(panel):
    fit = finish(analyse(panel, Request(model("t-a-p"), interval="none")))
    answer = Answer(fit, panel, panel, SideResults())
    cells = number_cells.strip_cells(answer, "working")
    assert [c.value for c in cells if not c.ours] == ["…"] * 4
    assert [kind.title for kind in class_kinds(answer)] == ["t, truly so", "p, as a guess"]


def test_two_raters_have_the_kappa_that_everybody_knows():
    ratings = drawn(np.random.default_rng(3), [0.5, 0.3, 0.2], 0.7, [0.4, 0.3, 0.3], 60, 2)
    answer = answer_of(ratings, "t-a-p")
    cells = [c for c in number_cells.strip_cells(answer) if not c.ours]
    assert [c.words for c in cells] == ["agreement", "Cohen", "Fleiss", "Gwet"]
    cohen = next(c for c in answer.side.coefficients if c.name == "cohen_kappa" and c.weights == "identity")
    assert cells[1].value == number_cells.numbers.value(cohen.estimate)
