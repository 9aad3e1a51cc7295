"""Unsaved work is found again after a crash, and only then; nothing that was saved is ever lost."""

import json
import multiprocessing
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.project.files.autosave import Autosave, recoveries
from tapdesk.project.files.locks import data_folder
from tapdesk.project.project import Project

ROOT = Path(__file__).resolve().parent.parent.parent


def test_what_an_open_window_works_on_is_not_offered(tmp_path):
    autosave = Autosave(tmp_path / "wine.tapdesk", tmp_path)
    autosave.write(Project(title="Wine"))
    assert recoveries(tmp_path) == ()
    autosave.close()


def test_closing_leaves_nothing_behind(tmp_path):
    autosave = Autosave(None, tmp_path)
    autosave.write(Project(title="Wine"))
    autosave.close()
    assert list(tmp_path.iterdir()) == []


def test_after_saving_there_is_nothing_to_recover(tmp_path):
    autosave = Autosave(None, tmp_path)
    autosave.write(Project(title="Wine"))
    autosave.saved(tmp_path / "wine.tapdesk")
    assert not autosave.path.exists()
    autosave.write(Project(title="Wine again"))
    assert autosave.path.exists()
    autosave.close()


def crash(folder):
    """What a process leaves that dies with unsaved work: one document that has a file, one that has none."""
    for document, title in ((folder / "wine.tapdesk", "Wine"), (None, "")):
        autosave = Autosave(document, folder)
        autosave.write(Project(title=title))
    Autosave(None, folder)


@pytest.fixture(scope="module")
def once_crashed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("crashed")
    child = multiprocessing.get_context("spawn").Process(target=crash, args=(folder,))
    child.start()
    child.join()
    assert child.exitcode == 0
    return folder


@pytest.fixture
def crashed(once_crashed, tmp_path):
    return shutil.copytree(once_crashed, tmp_path / "autosave")


def test_a_crash_leaves_work_to_recover_with_its_name_and_time(crashed):
    found = recoveries(crashed)
    assert [r.title for r in found] == ["", "Wine"]
    assert found[1].document.name == "wine.tapdesk"
    assert found[0].document is None
    assert all(r.when.startswith("20") for r in found)
    assert found[1].load().title == "Wine"
    # Looking does no harm: it is all still there.
    assert len(recoveries(crashed)) == 2
    for one in found:
        one.discard()
    assert recoveries(crashed) == ()
    assert list(crashed.iterdir()) == []


def test_work_is_found_without_its_lock_and_without_the_words_about_it(crashed):
    for left in (*crashed.glob("*.lock"), *crashed.glob("*.json")):
        left.unlink()
    found = recoveries(crashed)
    assert len(found) == 2
    assert {r.load().title for r in found} == {"", "Wine"}


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(TapdeskError, match="cannot be kept safe"):
        Autosave(None, tmp_path / "file")
    assert recoveries(tmp_path / "nowhere") == ()


def test_the_program_keeps_its_own_data_where_each_system_wants_it():
    home = Path("/home/ana")
    assert data_folder({}, "linux", home) == home / ".local/share/tapdesk"
    assert data_folder({"XDG_DATA_HOME": "/data"}, "linux", home) == Path("/data/tapdesk")
    assert data_folder({"XDG_DATA_HOME": "relative"}, "linux", home) == home / ".local/share/tapdesk"
    assert data_folder({"XDG_DATA_HOME": "/data"}, "darwin", home) == home / "Library/Application Support/tapdesk"
    assert data_folder({}, "win32", home) == home / "AppData/Local/tapdesk"


def killed(folder, kills, seed):
    """What a number of killed saving processes left; see ``saver.py``."""
    saver = [sys.executable, str(Path(__file__).with_name("saver.py")), str(folder), str(kills), str(seed)]
    done = subprocess.run(saver, check=False, capture_output=True, text=True, cwd=ROOT, timeout=500)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


needs_kill = sys.platform != "win32"


@pytest.mark.parametrize(
    ("kills", "seed"), [pytest.param(10, 1), pytest.param(200, 2, marks=pytest.mark.slow)] if needs_kill else []
)
def test_killing_a_saving_process_at_drawn_moments_loses_nothing_that_was_saved(tmp_path, kills, seed):
    told = killed(tmp_path, kills, seed)
    assert told["lost"] == []
    assert told["left"] == []
    # The moments were such that something was saved, and some writing was cut short when there were many.
    assert told["saves"] > 0
    assert kills < 100 or (told["unfinished"] > 10 and told["recovered"] > 10)
