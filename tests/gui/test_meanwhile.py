"""A project that somebody else has saved in the meantime: another window, or another person on a shared drive."""

import os

import pytest

from tapdesk.gui.shell.dialogs import Instead
from tapdesk.project.external_change import ExternalChangeError, file_stamp, refuse_if_changed
from tapdesk.project.files.file import load, save
from tapdesk.project.files.saving import versions
from tests.gui.test_filing import LONG, place, saved

__all__ = ["place"]


@pytest.mark.parametrize("answer", list(Instead))
def test_what_somebody_else_saved_is_never_replaced_without_a_question(answer, opened, qtbot, place, monkeypatch):
    window = opened("case,Ana,Ben\n" + "".join(f"c{i},{i % 2},{i % 3 % 2}\n" for i in range(9)))
    asked = []
    monkeypatch.setattr(
        "tapdesk.gui.shell.dialogs.about_other_work", lambda _parent, error: asked.append(error) or answer
    )
    saved(window, qtbot)
    # Saved again without anybody else at work: no question.
    window.dataset.categories_card._set_ordered(ordered=False)
    saved(window, qtbot)
    assert asked == []
    other = load(place).undo()
    save(other, place)
    theirs = place.read_bytes()
    window.dataset.categories_card._set_ordered(ordered=True)
    mine = window.session.document.project
    elsewhere = place.with_name("Mine.tapdesk")
    monkeypatch.setattr("tapdesk.gui.shell.dialogs.where_to_save", lambda _parent, _name: elsewhere)
    with qtbot.waitSignal(window.project_file.saving.failed, timeout=LONG):
        window.actions_["save"].trigger()
    qtbot.waitUntil(lambda: not window.project_file.saving.running, timeout=LONG)
    assert asked[0].what == "“Spring show.tapdesk” was changed by another window or program since it was opened here."
    if answer is Instead.REPLACE:
        qtbot.waitUntil(lambda: not window.project_file.unsaved, timeout=LONG)
        assert load(place).in_force == mine.in_force
        assert versions(place)[0].read_bytes() == theirs
    else:
        assert place.read_bytes() == theirs
        qtbot.waitUntil(lambda: window.project_file.unsaved is (answer is Instead.STAY), timeout=LONG)
        assert elsewhere.exists() is (answer is Instead.OTHER_NAME)


@pytest.mark.parametrize("seconds", [-400 * 86400, -1, 1, 400 * 86400])
def test_a_file_is_another_whatever_the_clock_said_when_it_was_written_and_what_is_gone_is_no_work(tmp_path, seconds):
    path = tmp_path / "a.tapdesk"
    path.write_bytes(b"one")
    known = file_stamp(path)
    refuse_if_changed(path, known)
    moment = known.changed_at + seconds * 10**9
    for content, when in ((b"two", moment), (b"another", known.changed_at)):
        path.write_bytes(content)
        os.utime(path, ns=(when, when))
        with pytest.raises(ExternalChangeError):
            refuse_if_changed(path, known)
    path.unlink()
    refuse_if_changed(path, known)
    assert file_stamp(path) is None
