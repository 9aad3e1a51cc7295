"""Two windows on one project know of each other, whatever became of the first one."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from errno import ENOLCK

import pytest

from tapdesk.project.external_change import file_stamp
from tapdesk.project.files import locks
from tapdesk.project.files.file import load, save
from tapdesk.project.files.locks import Holder, Lock, OpenElsewhereError, Presence, lock_of
from tapdesk.project.project import Project

# Says a line when it holds the project, and ends when it hears one.
HOLDING = """
import sys
from pathlib import Path
from tapdesk.project.files.locks import Presence
here = Presence.claim(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.readline()
here.release()
print("closed", flush=True)
"""


@pytest.fixture
def project(tmp_path):
    place = tmp_path / "wine.tapdesk"
    save(Project(title="Wine"), place)
    return place


@pytest.fixture
def other(project):
    """Another process that has the project open."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(project)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "open\n"
        yield process
        process.kill()


def refusal(path, **more):
    with pytest.raises(OpenElsewhereError) as caught:
        Presence.claim(path, **more)
    return caught.value


def test_what_another_process_has_open_is_refused_with_who_and_since_when(project, other):
    error = refusal(project)
    assert error.certain
    assert "“wine.tapdesk” is open in another tapdesk window (" in error.what
    assert f"on {Holder.this().machine}, since 20" in error.what
    assert "copy" in error.fix
    assert str(other.pid) in lock_of(project).read_text("utf-8")
    # It is sure, so that no word of the user's makes it otherwise.
    assert refusal(project, anyway=True).certain


def test_what_was_closed_is_free_and_nothing_is_left_beside_it(project, other):
    assert other.communicate("\n")[0] == "closed\n"
    here = Presence.claim(project)
    here.release()
    here.release()
    assert [p.name for p in project.parent.iterdir()] == [project.name]


def test_what_a_killed_process_had_open_is_free(project, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    assert lock_of(project).exists()
    here = Presence.claim(project)
    assert json.loads(lock_of(project).read_text("utf-8"))["pid"] == os.getpid()
    here.release()


def test_one_process_may_open_a_project_twice_and_it_is_free_after_the_last(project):
    first, second = Presence.claim(project), Presence.claim(project)
    first.release()
    first.release()
    assert lock_of(project).exists()
    second.release()
    assert not lock_of(project).exists()


def elsewhere(project, **changes):
    holder = replace(Holder.this(), **changes)
    lock_of(project).write_text(json.dumps(asdict(holder)), "utf-8")
    return holder


def test_of_another_machine_nobody_knows_so_it_is_asked(project):
    elsewhere(project, identity="another", machine="ward-7", user="ana")
    error = refusal(project)
    assert not error.certain
    assert "opened on another computer (ana on ward-7, since 20" in error.what
    here = Presence.claim(project, anyway=True)
    assert json.loads(lock_of(project).read_text("utf-8"))["pid"] == os.getpid()
    here.release()


@pytest.mark.parametrize(
    "told",
    [b"", b"[]", b"{", b"\xff", b'{"pid": 1}', b'{"user":1,"machine":2,"identity":3,"pid":"x","started":4,"since":5}',
     b"[" * 9999, b'{"user":"","machine":"","identity":"","pid":1e400,"started":"","since":""}'],
)  # fmt: skip
def test_a_lock_file_that_nobody_wrote_holds_nobody_up(project, told):
    lock_of(project).write_bytes(told)
    Presence.claim(project).release()


def without_locks(monkeypatch):
    def fails(_file):
        raise OSError(ENOLCK, "no locks")

    monkeypatch.setattr("tapdesk.project.files.locks._take", fails)


def test_without_locks_of_the_system_the_process_is_looked_for(project, other, monkeypatch):
    without_locks(monkeypatch)
    assert refusal(project).certain
    # Its number belongs to another process by now.
    elsewhere(project, pid=other.pid, started="1")
    here = Presence.claim(project)
    assert lock_of(project).exists()
    here.release()
    assert not lock_of(project).exists()


def test_a_folder_that_may_not_be_written_is_no_hindrance(project, monkeypatch):
    def fails(_path):
        raise PermissionError(13, "no")

    monkeypatch.setattr(locks, "Lock", fails)
    here = Presence.claim(project)
    here.release()
    # The lock file of another user can be read, though: who holds it is told.
    elsewhere(project, user="ana")
    held = Lock(lock_of(project))
    assert "ana on " in refusal(project).what
    held.release()
    elsewhere(project, identity="another")
    assert not refusal(project).certain


def test_the_lock_file_has_the_rights_of_the_project(project):
    project.chmod(0o600)
    here = Presence.claim(project)
    assert lock_of(project).stat().st_mode & 0o777 == 0o600
    here.release()
    project.chmod(0o644)
    here = Presence.claim(project)
    assert lock_of(project).stat().st_mode & 0o777 == 0o644
    here.release()


# Waits at a gate, then saves what it knows over the file it saw; says what became of that.
SAVING = """
import sys
from pathlib import Path
from tapdesk.project.files.file import load
from tapdesk.project.external_change import ExternalChangeError, file_stamp, save_if_unchanged
place = Path(sys.argv[1])
known, project = file_stamp(place), load(place)
print("ready", flush=True)
sys.stdin.readline()
try:
    save_if_unchanged(project.with_note("by", sys.argv[2]), place, known)
    print("saved")
except ExternalChangeError:
    print("changed")
"""


def test_of_windows_that_save_at_one_time_one_saves_and_the_others_are_told(project):
    before = file_stamp(project)
    ready = [
        subprocess.Popen(
            [sys.executable, "-c", SAVING, str(project), str(i)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for i in range(4)
    ]
    for one in ready:
        assert one.stdout.readline() == "ready\n"
    for one in ready:
        one.stdin.write("\n")
        one.stdin.flush()
    said = [one.communicate()[0].strip() for one in ready]
    assert sorted(said) == ["changed", "changed", "changed", "saved"]
    assert load(project).notes["by"] == str(said.index("saved"))
    assert file_stamp(project) != before
    assert sorted(p.name for p in project.parent.iterdir()) == [project.name, f"{project.name}~1"]
