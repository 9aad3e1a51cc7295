"""Who may write where, and files that go by another name: what stood there stays whole, with nothing left beside it."""

import os
import stat
from pathlib import Path

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.project.files.saving import save, save_all
from tapdesk.ratings.reading import read_now

NOBODY = 65534
ROOT_ALONE = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only the administrator can become somebody else"
)


def one_by_one(place, content):
    """Save one file as one of several."""
    save_all([(place, content)])


SAVED = pytest.mark.parametrize("write", [save, one_by_one], ids=["one", "several"])


def inside(folder: Path) -> dict[str, bytes]:
    """The files of a folder, hidden ones too."""
    return {place.name: place.read_bytes() for place in folder.iterdir()}


def as_nobody(act) -> str:
    """What is said where a user without rights does something; empty where it is done."""
    ear, mouth = os.pipe()
    child = os.fork()
    if not child:
        said = "fault"
        try:
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            act()
            said = ""
        except TapdeskError as error:
            said = str(error)
        finally:
            os.write(mouth, said.encode())
            os._exit(0)
    os.close(mouth)
    os.waitpid(child, 0)
    with os.fdopen(ear, "rb") as heard:
        return heard.read().decode()


@pytest.fixture
def folder(tmp_path):
    """A folder that everybody may write."""
    place = tmp_path / "shared"
    place.mkdir()
    for one in (place, *place.parents[:5]):
        one.chmod(one.stat().st_mode | 0o755)
    place.chmod(0o777)
    return place


@SAVED
@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_written_through_and_stays(tmp_path, write, there):
    real, link = tmp_path / "real.html", tmp_path / "link.html"
    if there:
        real.write_bytes(b"old")
    link.symlink_to(real.name)
    write(link, b"new")
    assert link.is_symlink()
    assert inside(tmp_path) == {"real.html": b"new", "link.html": b"new"}


@SAVED
def test_a_link_to_a_folder_leads_into_it_and_one_in_a_circle_is_refused(tmp_path, write):
    (tmp_path / "real").mkdir()
    (tmp_path / "folder").symlink_to("real")
    write(tmp_path / "folder" / "a.html", b"new")
    assert inside(tmp_path / "real") == {"a.html": b"new"}
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    with pytest.raises(TapdeskError, match="round in a circle"):
        write(tmp_path / "one", b"new")


@ROOT_ALONE
@SAVED
@pytest.mark.parametrize(
    ("mode", "rights", "sentence"),
    [
        pytest.param(0o555, None, "may not be written", id="read-only folder"),
        pytest.param(0o555, 0o666, "may not be written", id="read-only folder, own file"),
        pytest.param(0o777, 0o644, "may not be written", id="file of somebody else"),
        pytest.param(0o777, 0o444, "may not be written", id="read-only file"),
        pytest.param(0o1777, 0o666, "may not be written", id="folder where each replaces only what is theirs"),
        pytest.param(0o777, 0o666, "", id="file that all may write"),
    ],
)
def test_what_may_not_be_written_is_a_sentence_and_nothing_is_left(folder, write, mode, rights, sentence):
    target = folder / "r.html"
    if rights is not None:
        target.write_bytes(b"old")
        target.chmod(rights)
    folder.chmod(mode)
    before = inside(folder)
    said = as_nobody(lambda: write(target, b"new"))
    assert sentence in said
    assert "fault" not in said
    assert inside(folder) == (before if sentence else {"r.html": b"new"})
    if not sentence:
        # Who could read it still can.
        assert stat.S_IMODE(target.stat().st_mode) == rights


@ROOT_ALONE
def test_the_owner_of_a_file_stays_where_the_system_lets_it(folder):
    target = folder / "r.html"
    target.write_bytes(b"old")
    os.chown(target, NOBODY, NOBODY)
    target.chmod(0o640)
    save(target, b"new")
    assert (target.stat().st_uid, target.stat().st_gid, stat.S_IMODE(target.stat().st_mode)) == (NOBODY, NOBODY, 0o640)


@ROOT_ALONE
@pytest.mark.parametrize("hidden", ["file", "folder"])
def test_a_table_that_may_not_be_read_is_a_sentence(folder, hidden):
    table = folder / "t.csv"
    table.write_text("case,Ana,Ben\nc1,y,n\nc2,n,n\n")
    read_now(table)
    (table if hidden == "file" else folder).chmod(0o600)
    assert "may not be opened" in as_nobody(lambda: read_now(table))
