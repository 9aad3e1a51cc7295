"""A file is whole or not there."""

import errno
import os

import pytest

from tapdesk.errors import TapdeskError
from tapdesk.project.files.saving import save


def left_in(folder):
    return [path.name for path in folder.iterdir()]


def test_a_file_is_written_and_replaced(tmp_path):
    target = tmp_path / "report.pdf"
    save(target, b"one")
    save(target, b"two")
    assert target.read_bytes() == b"two"
    assert left_in(tmp_path) == ["report.pdf"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EDQUOT, "Your share of the disk is full"),
        (errno.EACCES, "another program has it open"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "could not be saved"),
    ],
)
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, code, told):
    target = tmp_path / "report.pdf"
    save(target, b"old")

    def fail(_handle):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(TapdeskError, match=told) as caught:
        save(target, b"new")
    assert caught.value.where == str(target)
    assert caught.value.fix
    assert target.read_bytes() == b"old"
    assert left_in(tmp_path) == ["report.pdf"]


def test_stopping_half_way_leaves_nothing(tmp_path, monkeypatch):
    def stop(_handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stop)
    with pytest.raises(KeyboardInterrupt):
        save(tmp_path / "report.pdf", b"new")
    assert left_in(tmp_path) == []


def test_a_missing_folder_and_a_folder_as_target_are_told_apart(tmp_path):
    with pytest.raises(TapdeskError, match="folder does not exist"):
        save(tmp_path / "gone" / "report.pdf", b"")
    with pytest.raises(TapdeskError, match="is a folder, not a file"):
        save(tmp_path, b"")


def test_a_name_that_is_too_long_is_told(tmp_path):
    with pytest.raises(TapdeskError, match="too long"):
        save(tmp_path / ("x" * 400 + ".pdf"), b"")
    assert left_in(tmp_path) == []


def test_a_file_that_was_made_read_only_is_not_replaced(tmp_path, monkeypatch):
    target = tmp_path / "report.pdf"
    save(target, b"old")
    # The administrator may write anything, so the answer of the system is given here.
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(TapdeskError, match="may not be written"):
        save(target, b"new")
    assert target.read_bytes() == b"old"
    assert left_in(tmp_path) == ["report.pdf"]
