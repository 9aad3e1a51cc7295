"""What Undo can reach is in the file: whole, bounded, its own, and never further back than names were hidden."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.errors import TapdeskError
from tapdesk.project.decisions.classes import RenameClass, SetClass1
from tapdesk.project.decisions.names import NumberCases, letter_codes
from tapdesk.project.decisions.ratings import LeaveOutRaters
from tapdesk.project.files import contents as kept
from tapdesk.project.files.contents import current_history, undoable_part
from tapdesk.project.files.file import decode, encode
from tapdesk.project.project import History, Project
from tapdesk.ratings.reading import read_now
from tests.project.examples import medals, same
from tests.project.test_hostile import JSON, packed, parts_of, refusal, with_project


def walked(states, at):
    """The last project of a walk, which stands at one of the states."""
    told = tuple(undoable_part(state) for state in states)
    texts = tuple(f"Step {i}" for i in range(len(told) - 1))
    return replace(states[at], history=History(told, texts, at))


def again(project):
    return decode(encode(project), "x")


def walk(project, steps):
    states = [project]
    for step in steps:
        now = states[-1]
        states.append(
            {
                "leave": lambda p: p.decide(LeaveOutRaters(p.ratings.raters[:1])),
                "class": lambda p: p.with_class1(("gold",) if p.class1 != ("gold",) else None),
                "undo": lambda p: p.undo(),
                "note": lambda p: p.with_note("summary", f"Said {len(states)} times."),
                "hush": lambda p: p.with_note("summary", ""),
                "title": lambda p: replace(p, title=p.title + "!"),
            }[step](now)
        )
    return states


@pytest.fixture(scope="module")
def wines(tmp_path_factory):
    return medals(tmp_path_factory.mktemp("wines"))


STEPS = st.lists(st.sampled_from(["class", "undo", "note", "hush", "title"]), min_size=1, max_size=12)


@settings(max_examples=40, deadline=None)
@given(steps=STEPS, data=st.data())
def test_every_state_comes_back_with_its_text_and_the_place(wines, steps, data):
    states = walk(wines, steps)
    at = data.draw(st.integers(0, len(steps)))
    project = walked(states, at)
    read = again(project)
    assert same(read.history, project.history)
    # Writing again changes nothing, and nothing of it costs the project itself anything.
    assert encode(read) == encode(project)
    assert same(replace(read, history=None), replace(project, history=None))


def test_states_share_the_ratings_and_the_decisions_of_the_project(wines):
    project = walked(walk(wines, ["leave", "class", "class"]), 2)
    read = again(project)
    assert all(state.reading is read.reading for state in read.history.states)
    assert read.history.states[2].decisions[0] is read.decisions[0]
    lone = len(encode(replace(project, history=None)))
    assert len(encode(project)) - lone < 2000


def test_what_was_undone_for_good_is_not_in_the_file(wines):
    states = walk(wines, ["note", "class"])
    project = walked([states[0], states[0].with_note("summary", "Zebulon")], 1)
    assert b"Zebulon" in encode(project)
    assert b"Zebulon" not in encode(replace(states[0], history=History((undoable_part(states[0]),), (), 0)))


@pytest.mark.parametrize("hide", [lambda p: letter_codes(p.ratings.raters), lambda _p: NumberCases()])
def test_undo_does_not_reach_behind_names_that_were_replaced(wines, hide):
    named = wines.with_note("summary", "Zebulon is late.")
    hidden = named.with_note("summary", "").decide(hide(named))
    after = replace(hidden, title="Shared")
    project = walked([wines, named, hidden, after], 3)
    read = again(project)
    assert read.history.texts == ("Step 2",)
    assert b"Zebulon is late" not in encode(project)
    # Undone, the names are shown: then all of it is in reach, and can be done again.
    assert again(walked([wines, named, hidden, after], 1)).history.texts == ("Step 0", "Step 1", "Step 2")
    # Taken back, too.
    back = hidden.take_back(1)
    assert len(again(walked([wines, named, hidden, back], 3)).history.texts) == 3


def test_undo_does_not_reach_behind_another_file(wines):
    other = replace(wines, reading=read_now("sample:jury"))
    project = walked([wines, other, other.with_class1(("gold",))], 2)
    read = again(project)
    assert read.history.texts == ("Step 1",)
    assert b"Cem" not in encode(project)
    assert again(walked([wines, other], 1)).history is None


def test_a_long_history_is_kept_as_far_as_it_may_be_and_nearest_first(wines):
    titles = [replace(wines, title=f"T{i}") for i in range(kept.MOST_STEPS + 40)]
    at = len(titles) - 11
    read = again(walked(titles, at))
    assert len(read.history.texts) == kept.MOST_STEPS
    # What can be undone first, and nothing of what can be redone beyond that.
    assert read.history.states[0].title == f"T{at - kept.MOST_STEPS}"
    assert read.history.at == kept.MOST_STEPS
    large = [wines.with_note("report.logo", c * (kept.MOST_SIGNS // 2 - 9)) for c in "abcdef"]
    assert len(again(walked(large, 5)).history.texts) < 5


def test_a_project_changed_outside_the_window_has_that_as_a_step(wines):
    project = again(walked(walk(wines, ["title", "note"]), 1))
    decided = project.decide(SetClass1(("gold",)))
    told = current_history(decided)
    assert told.texts == ("Step 0", "Changes made outside the window")
    assert told.at == 2
    assert again(decided).history.states[1].decisions == ()
    assert current_history(replace(project, reading=read_now("sample:jury"))) is None
    assert current_history(Project()) is None


@pytest.fixture(scope="module")
def good(wines):
    states = walk(wines, ["class", "note", "title", "undo"])
    renamed = wines.decide(RenameClass("gold", "top"))
    return encode(walked([*states, renamed, states[0]], 5))


def step(**changes):
    return lambda p: p["history"]["steps"][2].update(changes)


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p["history"].update(at=-1),
        lambda p: p["history"].update(at=10**9),
        lambda p: p["history"].update(at=True),
        lambda p: p["history"].update(at=0),
        lambda p: p["history"].update(at=1.0),
        lambda p: p["history"].update(steps=[]),
        lambda p: p["history"].update(steps=p["history"]["steps"][:1], at=0),
        lambda p: p["history"].update(steps=p["history"]["steps"] * 1000),
        lambda p: p["history"].update(steps=p["history"].copy()),
        lambda p: p["history"].update(decisions=[p["history"].copy()]),
        lambda p: p["history"].update(decisions=p["history"]["decisions"] * 2 + ["x"]),
        lambda p: p["history"].update(history=p["history"].copy()),
        lambda p: p.update(history=[]),
        lambda p: p.update(history=5),
        lambda p: p.update(history={"~": "Popen"}),
        step(keeps=-1),
        step(keeps=10**9),
        step(keeps="0"),
        step(adds=[10**9]),
        step(adds=[-1]),
        step(adds=[0, 0]),
        step(adds=[0] * 100_000),
        step(adds=[[0]]),
        step(undone=10**9),
        step(undone=-1),
        step(title=None),
        step(text=7),
        step(notes=[["summary", 5]]),
        step(notes=[["summary", "a"], ["summary", "b"]]),
        step(states=3),
        lambda p: p["history"]["steps"][5].update(title="Another project"),
        lambda p: p.update(title="Not the one that can be undone"),
        lambda p: p.update(records=[["a", 1]]),
        lambda p: p.update(records={"a": "b"}),
    ],
)
def test_a_hostile_history_is_refused(good, change):
    assert refusal(with_project(good, change)).startswith("The project file is damaged: ")


def test_histories_that_would_not_fit_into_memory_are_refused(good, monkeypatch):
    assert decode(good, "x").history.at == 5
    monkeypatch.setattr(kept, "MOST_DECISIONS", 1)
    with pytest.raises(TapdeskError, match="more can be undone than this program keeps"):
        decode(good, "x")


def test_a_later_version_of_this_format_is_named_and_its_records_are_kept(good):
    parts = parts_of(good)
    document = json.loads(parts[JSON])
    document["project"]["records"] = [["seals", "of a later version"]]
    document["program"] = "9.1.0"
    project = decode(packed(parts | {JSON: json.dumps(document).encode()}), "x")
    assert again(project.with_record("issued", "x")).records == {"seals": "of a later version", "issued": "x"}
    document["project"]["analyses"] = []
    document["project"]["later"] = 1
    assert "saved by tapdesk 9.1.0" in refusal(packed(parts | {JSON: json.dumps(document).encode()}))
