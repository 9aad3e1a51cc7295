"""Writing several files so that all of them are there or none, and old ones stay until all new ones are whole."""

import os
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tapdesk.project.files.saving import beside, dropped, real, save, sentence, settle, stream, write_beside


def save_all(files: Iterable[tuple[Path, bytes]]) -> None:
    """Write every file beside its target, then put all of them in place.

    A full disk, a folder that may not be written, or a file another program holds stops it before anything has
    changed; where a file cannot be put in its place after others were, those are put back as they were.

    Parameters
    ----------
    files
        Targets, no two the same, and what each shall hold.

    Raises
    ------
    TapdeskError
        When one of the places cannot be written; it names the file.
    """
    named = tuple(files)
    # Links are written through.
    plain = tuple((real(path), content) for path, content in named if not stream(path))
    # Counted, for the names of unfinished files tell only the start of long names apart.
    ready = [(target, beside(target).with_suffix(f".{i}.part"), content) for i, (target, content) in enumerate(plain)]
    placed: list[tuple[Path, Path | None]] = []
    old: list[Path] = []
    target = Path()
    done = False
    try:
        for target, temporary, content in ready:
            write_beside(temporary, target, content)
        for target, temporary, _content in ready:
            old.append(temporary.with_suffix(".old.part"))
            kept = _kept(target, old[-1])
            temporary.replace(target)
            placed.append((target, kept))
        done = True
        for folder in {target.parent for target, _temporary, _content in ready}:
            settle(folder)
    except OSError as error:
        raise sentence(error, target) from error
    finally:
        if not done:
            _put_back(placed)
        for left in (*(temporary for _target, temporary, _content in ready), *old):
            dropped(left)
    for path, content in named:
        # Pipes and devices, from which nothing can be taken back, come last.
        if stream(path):
            save(path, content)


def _kept(target: Path, kept: Path) -> Path | None:
    """The file that stands there under a second name; None where there is none."""
    if not target.exists():
        return None
    dropped(kept)
    try:
        os.link(target, kept)
    except OSError:
        # Some file systems have no second names for a file.
        shutil.copy2(target, kept)
    return kept


def _put_back(placed: list[tuple[Path, Path | None]]) -> None:
    """Undo what was put in place."""
    for target, kept in placed:
        with suppress(OSError):
            if kept is None:
                target.unlink()
            else:
                kept.replace(target)
