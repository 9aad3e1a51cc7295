"""A study that was ended goes on from what is finished, and its table is that of a study never ended."""

import json
import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from tapdesk.errors import TapdeskError, UsageError
from tapdesk.models.model import model
from tapdesk.papers.open_questions import majority
from tapdesk.papers.reproduction import FigureRequest
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Covariate, CovariateOf
from tapdesk.studies.analysis import Request
from tapdesk.studies.chance import horizon
from tapdesk.studies.coverage import CoveragePart, covered, named_cells
from tapdesk.studies.design_study import plan
from tapdesk.studies.kappa_study import kappa_study
from tapdesk.studies.likelihood_ratio import hypothesis, likelihood_ratio, portions, simulated
from tapdesk.studies.model_comparison import compare_grid, models_study
from tapdesk.studies.parallel import Checkpoint, in_parallel
from tapdesk.studies.recovery import RecoveryPlan, Setting, recover, shared_point
from tapdesk.studies.share_coverage import ShareCells, share_coverage
from tapdesk.studies.subsets import group_table, influence
from tapdesk.studies.table import StudyTable
from tests.studies.examples import panel
from tests.studies.works import root

POINT = shared_point([0.6, 0.4], 0.6, [0.5, 0.5])
SMALL = RecoveryPlan(model("t-aj-p"), (Setting(POINT, 60, 3),), 10)
PARTS = [CoveragePart(named_cells()[0], kind, 2, 1, 0.95) for kind in ("profile", "wald")]
SHARES = [ShareCells(8, 3, (0.4,), a, (0.5,)) for a in (0.5, 0.8)]
PANEL = panel(["t=.4", "a=.5,.6,.7,.9", "p=.5"], 60, 4, name="t-aj-p")
WARDS = Covariate("ward", CovariateOf.SUBJECT, np.array(["north", "south", "west"] * 20, dtype=object))
GROUPED = replace(PANEL, covariates=MappingProxyType({"ward": WARDS}))
WALD = Request(model("t-a-p"), interval="wald")
STUDIES = {
    "kappa": lambda kept: kappa_study(40, 3, rates=(0.3, 0.6), accuracies=(0.2, 0.5), replicates=9, kept=kept),
    "horizon": lambda kept: horizon_rows(kept=kept),
    "groups": lambda kept: group_table(GROUPED, "ward", WALD, kept=kept),
    "influence": lambda kept: influence(PANEL, kept=kept),
    "models": lambda kept: models_study(PANEL, 12, kept=kept),
    "recovery": lambda kept: recover(SMALL, kept=kept),
    "coverage": lambda kept: covered(PARTS, kept=kept),
    "shares": lambda kept: share_coverage(SHARES, kept=kept),
    "plan": lambda kept: plan(POINT, (50, 80), (2, 3), replicates=20, kept=kept),
    "majority": lambda kept: majority(FigureRequest(replicates=4, kept=kept)),
}


def horizon_rows(**more):
    """The horizon of the panel as a table."""
    found = yield from horizon(PANEL, 600, **more)
    return StudyTable("horizon", ("kappa",), tuple((kappa,) for kappa in found.draws.tolist()))


@pytest.fixture(autouse=True)
def few_tests(monkeypatch):
    """One test of each kind: quick as weights, in pieces as copies of the design, and one that cannot be made."""
    monkeypatch.setattr(
        "tapdesk.studies.model_comparison.TESTS", ("t=p", "equal guessing", "equal accuracies by class")
    )


class EndedError(Exception):
    """The user has seen enough."""


def end_after(pieces):
    """What ends a study when so many pieces are finished."""

    def watch(step):
        if step.done >= pieces:
            raise EndedError

    return watch


@pytest.mark.costly(5)
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_ended_after_a_piece_and_gone_on_with_has_the_table_of_one_never_ended(name, tmp_path: Path):
    place = tmp_path / "table.csv.unfinished"
    with pytest.raises(EndedError), Checkpoint(place, {"study": name}) as kept:
        finish(STUDIES[name](kept), end_after(1))
    with Checkpoint(place, {"study": name}) as kept:
        assert kept.known == 1
        table = finish(STUDIES[name](kept))
    whole = finish(STUDIES[name]({}))
    assert table.columns == whole.columns
    assert table.rows == whole.rows


@pytest.mark.costly(2)
@pytest.mark.parametrize(
    "study",
    [
        lambda **more: kappa_study(40, 3, rates=(0.3, 0.6), accuracies=(0.2, 0.5), replicates=9, **more),
        horizon_rows,
        lambda **more: group_table(GROUPED, "ward", WALD, **more),
        lambda **more: models_study(PANEL, 12, **more),
    ],
    ids=["kappa", "horizon", "groups", "models"],
)
def test_the_table_is_the_same_whatever_the_number_of_processes(study):
    assert finish(study(workers=2)).rows == finish(study()).rows


def test_models_in_pieces_say_what_the_window_says():
    table = finish(models_study(PANEL, 12))
    assert table.rows == finish(compare_grid(PANEL, 12)).table().rows
    assert [row[-1] for row in table.rows if row[0] == "test"][2].startswith("With two classes")


def test_the_parts_of_a_test_put_together_are_the_test(monkeypatch):
    monkeypatch.setattr("tapdesk.studies.simulated_data._CHUNK", 2000)
    monkeypatch.setattr("tapdesk.studies.likelihood_ratio._PART", 4)
    nested = hypothesis("equal guessing", PANEL)
    parts = portions(PANEL, nested, 10)
    assert parts == ((0, 4), (4, 8), (8, 10))
    pieces = [finish(simulated(PANEL, nested, part, 1)) for part in parts]
    whole = finish(likelihood_ratio(PANEL, nested, 10, 1)).draws
    np.testing.assert_array_equal(np.concatenate(pieces), whole)
    assert len(set(whole.tolist())) == 10


def test_pieces_that_are_finished_are_not_worked_on_again():
    kept, steps = {0: "known", 2: "known as well"}, []
    found = finish(in_parallel(root, [-1.0, 9.0, -1.0], 1, kept=kept), steps.append)
    assert found == ("known", 3.0, "known as well")
    assert kept[1] == 3.0
    assert steps[0].done == 2


def test_several_processes_go_on_where_one_left_off():
    kept = {i: math.sqrt(i) for i in range(0, 12, 2)}
    assert finish(in_parallel(root, list(range(12)), 2, kept=kept)) == tuple(math.sqrt(i) for i in range(12))
    assert sorted(kept) == list(range(12))
    # All is known: no process is needed.
    assert finish(in_parallel(root, list(range(12)), 2, kept=kept)) == tuple(math.sqrt(i) for i in range(12))


def test_a_line_cut_off_by_the_end_of_the_program_is_made_anew(tmp_path: Path):
    place = tmp_path / "table.csv.unfinished"
    with Checkpoint(place, {"seed": 1}) as kept:
        kept[0], kept[3] = (1, 0.1, None, (True, "á")), ((math.inf, -2.5),)
    whole = place.read_bytes()
    for cut in range(len(whole.splitlines()[0]) + 1, len(whole)):
        place.write_bytes(whole[:cut])
        with Checkpoint(place, {"seed": 1}) as kept:
            assert kept.known == whole[:cut].count(b"\n") - 1
            kept[3] = ((math.inf, -2.5),)
        with Checkpoint(place, {"seed": 1}) as kept:
            assert kept[3] == ((math.inf, -2.5),)
            assert (0 in kept) == (whole[:cut].count(b"\n") > 1)
            if 0 in kept:
                assert kept[0] == (1, 0.1, None, (True, "á"))


@pytest.mark.parametrize(
    "text", ["x", "case,rater\n1,2\n", '{"asked": {"seed": 2}}\n', "[1]\n", '{"asked": {"seed": 1}}\nx\n']
)
def test_a_file_of_something_else_is_never_written_over(tmp_path: Path, text):
    place = tmp_path / "table.csv.unfinished"
    place.write_text(text)
    with pytest.raises(UsageError, match="asked otherwise"):
        Checkpoint(place, {"seed": 1})
    assert place.read_text() == text


@pytest.mark.parametrize("text", ["", '{"asked": {"se', '{"asked": {"seed": 1}}'])
def test_a_file_that_was_only_begun_is_begun_anew(tmp_path: Path, text):
    place = tmp_path / "table.csv.unfinished"
    place.write_text(text)
    with Checkpoint(place, {"seed": 1}) as kept:
        assert kept.known == 0
    assert json.loads(place.read_text()) == {"asked": {"seed": 1}}


def test_a_place_that_cannot_be_written_is_said_before_the_study_begins(tmp_path: Path):
    with pytest.raises(TapdeskError, match="cannot be kept in"):
        Checkpoint(tmp_path / "no folder" / "table.csv.unfinished", {})
