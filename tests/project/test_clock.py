"""A clock that is set back or forward while the program runs: nothing is lost, kept for ever or taken for another."""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from datetime import datetime, timedelta

import pytest

from tapdesk.progress import finish
from tapdesk.project.external_change import check_source
from tapdesk.project.files import autosave as autosaves
from tapdesk.project.files import locks, saving
from tapdesk.project.files.autosave import Autosave, recoveries
from tapdesk.project.files.file import load, save
from tapdesk.project.files.locks import Holder, OpenElsewhereError, Presence, lock_of
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now

DAY = 86400
JUMPS = (-20 * 365 * DAY, -DAY // 2, -1, 0, DAY + 1, 70 * 365 * DAY)


class Clock:
    """The clock of the machine and of its files, for what the program asks it."""

    def __init__(self, monkeypatch):
        self.off = 0
        there = datetime.now

        class Moved(datetime):
            @classmethod
            def now(cls, tz=None):
                return there(tz) + timedelta(seconds=self.off)

        real, replacing = saving.time.time, os.replace
        for module in (autosaves, locks):
            monkeypatch.setattr(module, "datetime", Moved)
        monkeypatch.setattr(saving.time, "time", lambda: real() + self.off)

        def replaced(one, other, **more):
            replacing(one, other, **more)
            os.utime(other, (real() + self.off, real() + self.off))

        monkeypatch.setattr(os, "replace", replaced)


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


@pytest.mark.parametrize("jump", JUMPS)
def test_the_copy_that_is_found_is_the_last_one_whenever_it_was_written(tmp_path, clock, jump):
    copy = Autosave(None, tmp_path)
    copy.write(Project(title="before"))
    clock.off = jump
    copy.write(Project(title="after"))
    assert recoveries(tmp_path) == ()
    # Its process is gone.
    copy._lock.release()
    (found,) = recoveries(tmp_path)
    assert found.load().title == found.title == "after"
    clock.off = -jump
    (found,) = recoveries(tmp_path)
    found.discard()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jump", JUMPS)
def test_saving_goes_on_over_what_was_written_at_another_time(tmp_path, clock, jump):
    place = tmp_path / "wine.tapdesk"
    clock.off = jump
    save(Project(title="0"), place)
    left = place.with_name(f".{place.name}.99999.part")
    left.write_bytes(b"half")
    os.utime(left, (place.stat().st_mtime, place.stat().st_mtime))
    clock.off = 0
    for number in "123":
        save(Project(title=number), place)
    assert load(place).title == "3"
    assert [load(one).title for one in saving.versions(place)] == ["2", "1", "0"][: len(saving.versions(place))]
    assert len(saving.versions(place)) > 1
    # What a writer left that was stopped goes, unless it may still be at work.
    assert left.exists() == (abs(jump) <= DAY)


@pytest.mark.parametrize("jump", JUMPS)
def test_who_has_a_project_open_is_no_matter_of_the_clock(tmp_path, clock, jump):
    place = tmp_path / "wine.tapdesk"
    save(Project(title="Wine"), place)
    clock.off = jump
    holding = "import sys; from pathlib import Path; from tapdesk.project.files.locks import Presence\n"
    holding += "Presence.claim(Path(sys.argv[1])); print(flush=True); sys.stdin.readline()"
    words = [sys.executable, "-c", holding, str(place)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        other.stdout.readline()
        with pytest.raises(OpenElsewhereError) as caught:
            Presence.claim(place)
        assert caught.value.certain
        other.kill()
    # It said that it opened the project tomorrow, or long ago; it does not run any more.
    told = replace(Holder.this(), pid=other.pid, started="1")
    lock_of(place).write_text(json.dumps(asdict(told)), "utf-8")
    Presence.claim(place).release()
    assert [p.name for p in tmp_path.iterdir()] == [place.name]


@pytest.mark.parametrize("jump", [jump for jump in JUMPS if jump])
def test_ratings_that_changed_are_seen_whatever_time_their_file_has(tmp_path, jump):
    place = tmp_path / "t.csv"
    place.write_text("case,Ana,Ben\n1,y,n\n2,n,n\n3,y,y\n")
    project = Project(title="t").with_reading(read_now(place))
    files = finish(check_source(project)).files
    before = place.stat().st_mtime
    place.write_text("case,Ana,Ben\n1,n,n\n2,n,n\n3,y,y\n")
    os.utime(place, (before + jump, before + jump))
    found = finish(check_source(project, files)).found
    assert found is not None
    assert found.changed == 1
    # Only touched: looked at, and nothing said.
    place.write_text("case,Ana,Ben\n1,y,n\n2,n,n\n3,y,y\n")
    assert finish(check_source(project, files)).found is None
