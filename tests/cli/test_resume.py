"""study … --resume: what is finished stays when it is stopped, and The same command goes on from there."""

import json
import multiprocessing
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from tapdesk.cli.main import main
from tapdesk.cli.terminal import progress_line
from tapdesk.papers.catalog import REPRODUCTIONS
from tapdesk.progress import Step, finish
from tapdesk.studies import parallel

STUDY = ("study", "recovery", "--model", "t-aj-p", "--param", "t=.4", "--param", "a=.6", "--param", "p=.5")
SIZE = ("--subjects", "60", "--raters", "3", "--replicates", "20")


@contextmanager
def stopped(monkeypatch):
    """The keyboard interrupts a study when one piece of it is finished."""

    def watched(run):
        def watch(step):
            if step.done:
                raise KeyboardInterrupt

        return finish(run, watch)

    with monkeypatch.context() as context:
        context.setattr("tapdesk.cli.simulations.run_watched", watched)
        yield


def study(capsys, *more: str) -> tuple[int, str, str]:
    status = main([*STUDY, *SIZE, *more])
    return (status, *capsys.readouterr())


@pytest.fixture
def begun(capsys, monkeypatch, tmp_path: Path):
    """A study that was stopped: where its table will be."""
    place = tmp_path / "table.csv"
    with stopped(monkeypatch):
        status, out, err = study(capsys, "-o", str(place), "--resume")
    assert (status, out) == (130, "")
    assert "Finished so far: 1 piece, kept in" in err
    assert "The same command goes on from there" in err
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv.unfinished"]
    return place


def test_a_stopped_study_goes_on_and_writes_the_table_of_one_never_stopped(begun, capsys, tmp_path: Path):
    whole = tmp_path / "whole.csv"
    assert study(capsys, "-o", str(whole))[0] == 0
    status, out, err = study(capsys, "-o", str(begun), "--resume", "--workers", "2")
    assert status == 0
    assert "Going on from 1 finished piece" in err
    assert "Saved 20 rows" in out
    assert begun.read_bytes() == whole.read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["table.csv", "whole.csv"]


@pytest.mark.parametrize(
    ("arguments", "pieces"),
    [
        (("kappa", "--subjects", "20", "--raters", "3"), 25),
        (("horizon", "sample:jury", "--replicates", "600"), 3),
        (("models", "sample:wine-cut1", "--replicates", "20"), 5),
    ],
)
def test_every_long_study_goes_on_from_what_is_finished(capsys, monkeypatch, tmp_path: Path, arguments, pieces):
    whole, place = tmp_path / "whole.csv", tmp_path / "table.csv"
    assert main(["study", *arguments, "-o", str(whole)]) == 0
    with stopped(monkeypatch):
        assert main(["study", *arguments, "-o", str(place), "--resume"]) == 130
    kept = Path(f"{place}.unfinished").read_text().splitlines()
    assert len(kept) == 2 < 1 + pieces
    capsys.readouterr()
    assert main(["study", *arguments, "-o", str(place), "--resume", "--workers", "2"]) == 0
    assert "Going on from 1 finished piece" in capsys.readouterr().err
    assert place.read_bytes() == whole.read_bytes()


def test_all_figures_of_the_papers_go_on_with_the_one_that_was_under_way(capsys, monkeypatch, tmp_path: Path):
    quick = [row for row in REPRODUCTIONS if row.name in {"cohen", "kappa-by-classes"}]
    monkeypatch.setattr("tapdesk.cli.simulations.REPRODUCTIONS", quick)
    every = ("study", "paper", "--figure", "all", "--replicates", "2")
    assert main([*every, "-o", str(tmp_path / "whole")]) == 0
    asked = []

    def watched(run):
        asked.append(run)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return finish(run)

    monkeypatch.setattr("tapdesk.cli.simulations.run_watched", watched)
    assert main([*every, "-o", str(tmp_path / "some"), "--resume"]) == 130
    assert "Finished so far: 1 piece" in capsys.readouterr().err
    assert main([*every, "-o", str(tmp_path / "some"), "--resume"]) == 0
    # The first figure was not worked out again.
    assert len(asked) == 3
    made = [{p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("whole", "some")]
    assert made[0] == made[1]


def test_the_pieces_of_a_figure_under_way_are_kept_too(capsys, monkeypatch, tmp_path: Path):
    some = [row for row in REPRODUCTIONS if row.name in {"cohen", "four-classes"}]
    monkeypatch.setattr("tapdesk.cli.simulations.REPRODUCTIONS", sorted(some, key=lambda row: row.pieces))
    every = ("study", "paper", "--figure", "all", "--replicates", "4")
    assert main([*every, "-o", str(tmp_path / "whole")]) == 0
    begun = []

    def watched(run):
        def watch(step):
            begun.append(step)
            if len(begun) > 1 and step.done == 2:
                raise KeyboardInterrupt

        return finish(run, watch)

    with monkeypatch.context() as context:
        context.setattr("tapdesk.cli.simulations.run_watched", watched)
        assert main([*every, "-o", str(tmp_path / "some"), "--resume"]) == 130
    # Cohen's figure, and two of the four data sets of the other.
    assert "Finished so far: 3 pieces" in capsys.readouterr().err
    assert main([*every, "-o", str(tmp_path / "some"), "--resume"]) == 0
    assert "Going on from 3 finished pieces" in capsys.readouterr().err
    made = [{p.name: p.read_bytes() for p in (tmp_path / name).iterdir()} for name in ("whole", "some")]
    assert made[0] == made[1]


def test_a_study_whose_processes_are_killed_says_so_and_goes_on_from_what_was_finished(
    begun, capsys, monkeypatch, tmp_path: Path
):
    """As the system does where memory is short: all of them, when the first has answered."""
    whole, answers = tmp_path / "whole.csv", []
    assert study(capsys, "-o", str(whole))[0] == 0
    with monkeypatch.context() as context:

        def received(line, crew):
            if not answers:
                for process in crew.values():
                    process.kill()
                    process.join()
            answers.append(line)
            return taken(line, crew)

        taken = parallel._received
        context.setattr(parallel, "_received", received)
        status, out, err = study(capsys, "-o", str(begun), "--resume", "--workers", "2")
    assert (status, out) == (3, "")
    said = [line for line in err.splitlines() if line.startswith("tapdesk: ")]
    assert len(said) == 1
    assert "was ended before it had answered (exit code -9). Start the study again" in said[0]
    assert "The same command goes on from there" in err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["table.csv.unfinished", "whole.csv"]
    assert multiprocessing.active_children() == []
    assert study(capsys, "-o", str(begun), "--resume")[0] == 0
    assert begun.read_bytes() == whole.read_bytes()


def test_pieces_of_a_study_asked_otherwise_are_refused_and_stay(begun, capsys):
    left = Path(f"{begun}.unfinished")
    before = left.read_bytes()
    status, out, err = study(capsys, "-o", str(begun), "--resume", "--seed", "2")
    assert (status, out) == (2, "")
    assert "asked otherwise" in err
    assert left.read_bytes() == before


def test_without_being_asked_a_stopped_study_leaves_nothing_behind(capsys, monkeypatch, tmp_path: Path):
    with stopped(monkeypatch):
        status, out, err = study(capsys, "-o", str(tmp_path / "table.csv"))
    assert (status, out, err) == (130, "", "tapdesk: stopped.\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*STUDY, "--resume"), "needs a file for its table"),
        (("study", "paper", "--figure", "cohen", "-o", "c.csv", "--resume"), "'cohen' takes a few seconds and is not"),
        (("study", "paper", "--figure", "list", "-o", "c.csv", "--resume"), "there at once"),
    ],
)
def test_what_cannot_be_gone_on_with_is_wrong_usage(capsys, monkeypatch, tmp_path: Path, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert said in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_the_time_left_is_counted_from_where_a_study_goes_on():
    tell = progress_line()
    assert tell(Step(60, 100, "study"), 10.0) == "study 60 of 100"
    assert tell(Step(70, 100, "study"), 20.0) == "study 70 of 100, about 30 s left"
    assert tell(Step(99, 100, "study"), 49.0) == "study 99 of 100, about 1 s left"
    assert tell(Step(0, 0, "fit"), 50.0) == "fit"
    assert tell(Step(0, 1000, "re-draws"), 60.0) == "re-draws 0 of 1,000"
    assert tell(Step(100, 1000, "re-draws"), 4060.0) == "re-draws 100 of 1,000, about 10 hours left"


@pytest.fixture
def form(tmp_path: Path):
    """A form of three questions."""
    rng = np.random.default_rng(2)
    rows = [f"r{i},{who},{','.join(rng.choice(['Yes', 'No'], 3))}" for i in range(24) for who in ("Ana", "Ben", "Cem")]
    place = tmp_path / "form.csv"
    place.write_text("\n".join(["Record,Nurse,Pain,Plan,Falls", *rows]))
    return place


def test_a_stopped_table_of_questions_goes_on_and_is_the_one_never_stopped(form, capsys, monkeypatch, tmp_path: Path):
    monkeypatch.setattr("tapdesk.studies.criteria._PERMUTATIONS", 60)
    monkeypatch.setattr("tapdesk.studies.criteria._TEST_DRAWS", 10)
    answer = tmp_path / "out.json"
    again = ("questions", str(form), f"--json={answer}", "--resume")

    def watched(run):
        def watch(step):
            if step.phase == "questions" and step.done:
                raise KeyboardInterrupt

        return finish(run, watch)

    with monkeypatch.context() as context:
        context.setattr("tapdesk.cli.questions.run_watched", watched)
        assert main(list(again)) == 130
    assert "Finished so far: 1 piece, kept in" in capsys.readouterr().err
    kept = tmp_path / "out.json.unfinished"
    assert kept.exists()
    # Another file, or another level, does not go on from there.
    assert main([*again, "--level", "0.9"]) == 2
    capsys.readouterr()
    assert main(list(again)) == 0
    assert "Going on from 1 finished piece" in capsys.readouterr().err
    assert not kept.exists()
    told = json.loads(answer.read_text())
    whole = tmp_path / "whole.json"
    assert main(["questions", str(form), f"--json={whole}"]) == 0
    assert told["rows"] == json.loads(whole.read_text())["rows"]
    # What is damaged is told, and an answer that goes nowhere cannot be gone on with.
    with monkeypatch.context() as context:
        context.setattr("tapdesk.cli.questions.run_watched", watched)
        assert main([*again, "--force"]) == 130
    head, first = kept.read_text().splitlines()
    broken = json.loads(first)
    broken["answer"]["numbers"] = {"~": "CriterionNumbers"}
    kept.write_text(f"{head}\n{json.dumps(broken)}\n")
    capsys.readouterr()
    assert main([*again, "--force"]) == 3
    assert "What is kept of a finished question cannot be read" in capsys.readouterr().err
    assert main(["questions", str(form), "--resume"]) == 2
    assert main(["questions", str(form), "--json", "--resume"]) == 2
