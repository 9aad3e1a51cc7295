"""A disk that fails once while a project, its copy or letters are written: the work and the old files are there."""

import errno
from collections.abc import Callable
from pathlib import Path

import pytest

from tapdesk.answers.side_results import SideResults
from tapdesk.errors import TapdeskError
from tapdesk.progress import finish
from tapdesk.project.files import file as files
from tapdesk.project.files.autosave import Autosave, recoveries
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now
from tapdesk.report import letters
from tests.faults import CODES, FailingDisk, tree

BEFORE = Project(title="Before").with_reading(read_now("sample:wine-cut1"))
AFTER = Project(title="After").with_reading(read_now("sample:wine-cut1"))


def each_fault(disk: FailingDisk, folder: Path, fresh: Callable[[], None], act: Callable[[], object], codes) -> int:
    """Refuse every call in turn; what was there before, or all that is new, is there. How many were refused."""

    def begun() -> dict[str, bytes]:
        disk.arm(0, 0)
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if not path.is_dir() else path.rmdir()
        fresh()
        disk.arm(0, 0)
        return tree(folder)

    begun()
    act()
    calls, whole, refused = list(disk.seen), set(tree(folder)), 0
    assert {"open", "write", "fsync", "replace"} <= set(calls)
    for at in range(1, len(calls) + 1):
        for code in codes:
            before = begun()
            disk.arm(at, code)
            try:
                act()
            except TapdeskError:
                disk.arm(0, 0)
                kept = tree(folder)
                assert {k: v for k, v in kept.items() if "~" not in k} == {
                    k: v for k, v in before.items() if "~" not in k
                }, (at, calls[at - 1])
                # Earlier versions move on before the new file takes its place; none of them is lost.
                assert set(before.values()) <= set(kept.values()), (at, calls[at - 1])
            else:
                disk.arm(0, 0)
                assert set(tree(folder)) == whole, (at, calls[at - 1])
            refused += 1
    return refused


@pytest.mark.parametrize("codes", [(errno.ENOSPC,), pytest.param(CODES, marks=pytest.mark.slow)])
def test_a_project_is_whole_whatever_fails_while_it_is_saved(monkeypatch, tmp_path, codes):
    place = tmp_path / "show.tapdesk"

    def fresh():
        for title in ("Long ago", "Lately", "Before"):
            files.save(Project(title=title).with_reading(BEFORE.reading), place)

    disk = FailingDisk(monkeypatch, tmp_path)
    assert each_fault(disk, tmp_path, fresh, lambda: files.save(AFTER, place), codes) > 5
    assert files.load(place).title in {"Before", "After"}


@pytest.mark.parametrize("codes", [(errno.ENOSPC,), pytest.param(CODES, marks=pytest.mark.slow)])
def test_the_copy_of_unsaved_work_is_whole_whatever_fails_while_it_is_kept(monkeypatch, tmp_path, codes):
    disk, held = FailingDisk(monkeypatch, tmp_path), []

    def begin():
        for copy in held:
            copy.close()
        held[:] = [Autosave(folder=tmp_path)]
        held[0].write(BEFORE)

    def keep():
        try:
            held[0].write(AFTER)
        except TapdeskError:
            # The copy is there, of now or of before; words about it are only words.
            assert files.load(held[0].path).title in {"Before", "After"}

    begin()
    keep()
    disk.arm(0, 0)
    keep()
    calls = list(disk.seen)
    for at in range(1, len(calls) + 1):
        for code in codes:
            disk.arm(at, code)
            keep()
            assert not [p for p in tmp_path.iterdir() if p.suffix == ".part"], calls[at - 1]
    disk.arm(0, 0)
    held[0].close()
    assert recoveries(tmp_path) == ()


NAMES = ("Ann", "Ben", "Cy")


@pytest.mark.parametrize("codes", [(errno.ENOSPC,), pytest.param(CODES, marks=pytest.mark.slow)])
def test_letters_are_all_there_or_none_whatever_fails(monkeypatch, tmp_path, codes):
    old = b"%PDF-1.7\n<pdf:Keywords>tapdesk mark: letter</pdf:Keywords>\n%%EOF"
    monkeypatch.setattr("tapdesk.report.forms.pdf.pdf", lambda page: old + page)
    monkeypatch.setattr(
        letters, "_each", lambda *_given: (letters.Letter(n, f"R{i}", None, n.encode()) for i, n in enumerate(NAMES))
    )

    def fresh():
        for name in ("01 Ann.pdf", "03 Cy.pdf"):
            (tmp_path / name).write_bytes(old)

    disk = FailingDisk(monkeypatch, tmp_path)

    def write():
        finish(letters.write_letters(BEFORE, SideResults(), tmp_path, named=True))

    assert each_fault(disk, tmp_path, fresh, write, codes) > 10
