"""What is kept is asked again: it agrees today, and what is otherwise is seen."""

import json

import pytest

from tapdesk.cli.main import main
from tapdesk.dossier import reference
from tapdesk.dossier.peers import PROGRAMS, compare_peers
from tapdesk.dossier.reference import ask_again, kept_questions
from tapdesk.errors import CannotAnswerError
from tapdesk.progress import finish


@pytest.fixture
def answer(capsys):
    def call(words):
        assert main([*words, "--json"]) == 0
        return json.loads(capsys.readouterr().out)

    return call


def quick():
    """The coefficients, and the plain model."""
    return [row for row in kept_questions() if row["command"] == "agree" or row["options"][-3] == "t-a-p"][:12]


def test_kept_values_are_those_of_the_command_line(answer, monkeypatch):
    rows = quick()
    assert {row["command"] for row in rows} == {"agree", "fit"}
    monkeypatch.setattr(reference, "kept_questions", lambda: rows)
    told = finish(ask_again(answer))
    assert [one.values for one in told if not one.agrees] == []
    assert sum(len(one.values) for one in told) == sum(len(row["values"]) for row in rows)


@pytest.mark.slow
def test_every_kept_value_is_that_of_the_command_line(answer):
    told = finish(ask_again(answer))
    assert sum(len(one.values) for one in told) == 466
    assert [(one.file, value) for one in told for value in one.values if not value.agrees] == []


@pytest.mark.parametrize("place", range(3))
def test_a_kept_value_that_is_otherwise_is_seen(answer, monkeypatch, place):
    row = next(row for row in quick() if row["command"] == "fit" and len(row["values"]) > 4)
    was = row["values"][place]
    row["values"][place] = was | {"kept": not was["kept"] if "within" not in was else was["kept"] + 2 * was["within"]}
    monkeypatch.setattr(reference, "kept_questions", lambda: [row])
    (told,) = finish(ask_again(answer))
    assert [value.agrees for value in told.values] == [i != place for i in range(len(told.values))]


def test_what_the_answer_does_not_tell_agrees_with_nothing_not_even_with_none(answer, monkeypatch):
    row = next(row for row in quick() if row["command"] == "fit")
    row["values"] = [{"of": "nonsense", "kept": None}, {"of": "nonsense", "kept": 1.0, "within": 9.0}]
    monkeypatch.setattr(reference, "kept_questions", lambda: [row])
    (told,) = finish(ask_again(answer))
    assert [value.agrees for value in told.values] == [False, False]


def test_a_question_that_is_refused_does_not_hide_the_others(answer, monkeypatch):
    rows = [row for row in quick() if row["command"] == "agree"][:2]
    monkeypatch.setattr(reference, "kept_questions", lambda: rows)

    def refuse_first(words):
        if rows[0]["file"] in words[1]:
            raise CannotAnswerError("No.")
        return answer(words)

    told = finish(ask_again(refuse_first))
    assert [one.agrees for one in told] == [False, True]
    assert told[0].failure == "No."


def test_the_coefficients_of_other_programs_are_ours():
    told = finish(compare_peers())
    assert len(told) == len(PROGRAMS)
    for one in told:
        assert len(one.values) > 10
        assert [value for value in one.values if not value.agrees] == []
