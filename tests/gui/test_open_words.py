"""What the window says of a file does not promise more than holds: open checks elsewhere, numbers that stay open."""

import json
import random
import re

import pytest

from tapdesk.answers.question import QUESTIONS
from tapdesk.cli.main import main
from tapdesk.gui.shell import status_texts
from tapdesk.gui.theme.icons import State
from tapdesk.ratings.options import ReadingOptions
from tests.gui.conftest import LONG, worked_out
from tests.studies.test_wrong_together import panel


def sheet(seed, accuracy, gaps):
    """Two questions of a form; of the second some answers are not given."""
    draw = random.Random(seed)
    lines = ["Patient,Nurse,Pulse taken,Watched"]
    for i in range(24):
        true = [draw.random() < 0.6 for _question in range(2)]
        for nurse in ("Ana", "Ben", "Cy"):
            first, second = ("yes" if t == (draw.random() < accuracy) else "no" for t in true)
            lines.append(f"P{i:02d},{nurse},{first},{'n/a' if draw.random() < gaps else second}")
    return "\n".join(lines) + "\n"


def test_a_question_without_open_checks_is_not_called_ready_alone_where_others_have_some(opened):
    window = opened(sheet(5, 0.8, 0.15))
    session = window.session
    assert session.document.project.question == "Pulse taken"
    line = "No check is open in this question; 1 other question has open checks, 1 in all questions together"
    assert window.dataset.checks.words.text() == line
    assert window.steps[0].word == "Checks in other questions"
    session.choose_question("Watched")
    assert window.dataset.checks.words.text() == "1 check is open"
    assert window.steps[0].word == "1 check is open"
    # Where none is open anywhere, it is ready.
    window = opened(sheet(5, 0.8, 0.0))
    assert not status_texts.checks(window.session.document.project).startswith("No check")


def test_what_a_run_left_open_is_not_called_answered(opened, qtbot):
    # Of every article some say yes and some no, less alike than by luck.
    sets = ("yes,no,no", "no,yes,no", "no,no,yes", "yes,yes,no", "yes,no,yes", "no,yes,yes")
    lines = ["Article,Ana,Ben,Cleo", *(f"A{i},{sets[i % 6]}" for i in range(60))]
    window = opened("\n".join(lines) + "\n")
    session, light = window.session, window.model.light
    qtbot.waitUntil(lambda: light.title.text() == "Your design can answer this.", timeout=LONG)
    assert light.words.text().endswith("Whether your ratings do, the run will show.")
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        session.run()
    fit = session.document.analysis.fit
    assert not fit.identification.here
    qtbot.waitUntil(lambda: light.title.text() == "Your data leave some numbers open.", timeout=LONG)
    assert light.words.text() == fit.identification.words


def written(place, consensus):
    """A file of a panel that follows a consensus, which follows the truth with a probability."""
    ratings = panel(1, consensus, cases=200, known=80)
    key, lines = ratings.known_classes(), ["Photo,Nurse,Call,key"]
    for photo, nurse, call in zip(ratings.subject, ratings.rater, ratings.category, strict=True):
        known = ratings.classes[key[photo]] if key[photo] >= 0 else ""
        lines.append(f"P{photo},{ratings.raters[nurse]},{ratings.classes[call]},{known}")
    place.write_text("\n".join(lines) + "\n")
    return place


@pytest.mark.parametrize(("consensus", "word"), [(0.6, "Wrong together"), (1.0, "Up to date")])
def test_the_step_of_the_results_says_that_a_panel_is_wrong_together(window, qtbot, tmp_path, consensus, word):
    session, step = window.session, window.steps[2]
    with qtbot.waitSignal(session.reading.done, timeout=LONG):
        session.open(str(written(tmp_path / "photos.csv", consensus)), ReadingOptions(known="key"))
    asked = next(question for question in QUESTIONS if question.key == "known")
    session.choose(question=asked)
    qtbot.waitUntil(lambda: session.ready and session.judgement is not None, timeout=LONG)
    with qtbot.waitSignal(session.fitting.done, timeout=LONG):
        session.run()
    qtbot.waitUntil(lambda: worked_out(window), timeout=LONG)
    assert step.word == word
    state = State.KNOW if word == "Wrong together" else State.DONE
    assert status_texts.rail(session, 0)[2] == (state, word)


def form_with_checks(place):
    """Three questions, a code in all of them, capitals in two, and one that has no check but the code."""
    draw = random.Random(3)
    lines = ["Record,Coder,Pain,Plan,Skin"]
    for i in range(24):
        for coder in ("Ana", "Ben", "Cy"):
            given = [draw.choice(("Yes", "No")) if draw.random() > 0.08 else "n/a" for _question in range(3)]
            given[:2] = [word.lower() if draw.random() < 0.1 and word != "n/a" else word for word in given[:2]]
            lines.append(f"R{i:02d},{coder},{','.join(given)}")
    place.write_text("\n".join(lines) + "\n")
    return place


def test_window_paper_terminal_and_json_count_the_open_checks_of_a_form_alike(window, qtbot, tmp_path, capsys):
    place = form_with_checks(tmp_path / "form.csv")
    assert main(["questions", str(place)]) == 0
    terminal = " ".join(capsys.readouterr().out.split())
    (count,) = {int(n) for n in re.findall(r"(\d+) checks? (?:is|are) open", terminal)}
    # The code of all three is one check; no and yes in small letters, in two questions each, are two.
    assert count == 3
    for command in ("questions", "check"):
        assert main([command, str(place), "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["data"]["checks_open"] == count
    for shape in ("full", "brief"):
        page = tmp_path / f"{shape}.html"
        assert main(["report", str(place), "--question", "*", "--form", shape, "-o", str(page)]) == 0
        capsys.readouterr()
        assert set(re.findall(r"(\d+) checks? (?:is|are) open", page.read_text())) == {str(count)}
    with qtbot.waitSignal(window.session.reading.done, timeout=LONG):
        window.open_file(str(place))
    assert window.dataset.checks.words.text().endswith(f"{count} in all questions together")
