"""Whether the file that ratings came from has changed since: told as a difference, never acted upon."""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run, Step
from tapdesk.project.files.file import save
from tapdesk.project.files.locks import Lock
from tapdesk.project.project import Project
from tapdesk.ratings.findings import name_list
from tapdesk.ratings.formats.files import file_bytes, joint_digest, name_of, paths_of
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.ratings.reading import Reading, read

_TRIES, _PAUSE = 3000, 0.01


@dataclass(frozen=True, slots=True)
class FileStamp:
    """A file as it was when it was last read or written here.

    Attributes
    ----------
    changed_at
        When it was changed, in nanoseconds as the file system tells.
    size
        Its bytes.
    node
        What the file system calls it: a file that takes the place of another one is called otherwise.
    """

    changed_at: int
    size: int
    node: int = 0


class ExternalChangeError(TapdeskError):
    """The file is not what it was: saving would put somebody's work aside."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            _("“{name}” was changed by another window or program since it was opened here.").format(name=path.name),
            str(path),
            _("Save under another name, or replace it; the other work then stays beside it as “{name}~1”.").format(
                name=path.name
            ),
        )


def file_stamp(path: Path) -> FileStamp | None:
    """A file as it is now; None where there is none, or it cannot be looked at."""
    try:
        result = path.stat()
    except OSError:
        return None
    return FileStamp(result.st_mtime_ns, result.st_size, result.st_ino)


def refuse_if_changed(path: Path, known: FileStamp | None) -> None:
    """Refuse where a file is not what it was; one that is gone, or was never seen, is no other work.

    Raises
    ------
    ChangedMeanwhileError
        When somebody else has written it.
    """
    now = file_stamp(path)
    if now is None or known is None:
        return
    if now != known:
        raise ExternalChangeError(path)


def save_if_unchanged(project: Project, path: Path, known: FileStamp | None) -> FileStamp | None:
    """Save a project where its file is what it was; of two windows that save at one time, the second sees the first.

    Parameters
    ----------
    project, path
        What to save, and where.
    known
        The file that may be replaced, as it was seen last; None for any.

    Returns
    -------
    Seen or None
        The file as it is now.

    Raises
    ------
    ChangedMeanwhileError
        When somebody else has written it.
    TapdeskError
        When it cannot be written.
    """
    lock = _turn(path)
    try:
        refuse_if_changed(path, known)
        save(project, path)
        return file_stamp(path)
    finally:
        if lock is not None:
            lock.release(remove=True)


def _turn(path: Path) -> Lock | None:
    """The lock under which a file is looked at and replaced; None where there can be none."""
    target = path.resolve() if path.is_symlink() else path
    place = target.with_name(f".{target.name[:60]}.saving")
    for _again in range(_TRIES):
        try:
            return Lock(place)
        except BlockingIOError:
            time.sleep(_PAUSE)
        except OSError:
            # A folder that may not be written, or one without locks: saving itself says what is the matter.
            return None
    raise TapdeskError(
        _("“{name}” is just being saved by another window, which does not come to an end.").format(name=path.name),
        str(path),
        _("Save under another name, or look at the other window."),
    )


SHOWN = 200


@dataclass(frozen=True, slots=True)
class CellDifference:
    """One rating that is told differently; None where there is none."""

    subject: str
    rater: str
    was: str | None
    now: str | None


@dataclass(frozen=True, eq=False)
class SourceDifference:
    """What differs between the ratings as they were read and the file as it is now.

    Attributes
    ----------
    changed, added, removed
        Numbers of ratings.
    cells
        The first of them, at most 200, in the order of the cases.
    reading
        The file read anew, for `Project.with_reading` if the user wants it; None when it cannot be read any more.
    words
        The difference in one or two sentences.
    """

    changed: int
    added: int
    removed: int
    cells: tuple[CellDifference, ...]
    reading: Reading | None
    words: str


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What a look at the file of some ratings found.

    Attributes
    ----------
    files
        The files as they were before anything else was looked at: their times and sizes.
    compared
        Whether their content was compared; not where times and sizes are those of the last look.
    found
        What differs; None where nothing does, or nothing was compared.
    """

    files: tuple[FileStamp | None, ...]
    compared: bool
    found: SourceDifference | None


def check_source(project: Project, known: tuple[FileStamp | None, ...] | None = None) -> Run[SourceCheck]:
    """Compare the file with what was read from it, unless it is as it was when it was ``known`` last."""
    source = None if project.reading is None else project.reading.source.path
    files = () if source is None else tuple(file_stamp(one) for one in paths_of(source))
    yield Step(0, 0, "compare")
    if files == known:
        return SourceCheck(files, compared=False, found=None)
    difference = yield from source_difference(project)
    return SourceCheck(files, compared=True, found=difference)


def source_difference(project: Project) -> Run[SourceDifference | None]:
    """Compare the file with what was read from it; the project stays as it is.

    Returns None when the content of the file is the same, when there is no file any more (a project holds its data
    itself), and for samples.
    """
    reading = project.reading
    if reading is None or reading.source.path is None:
        return None
    path = reading.source.path
    files = paths_of(path)
    gone = [one.name for one in files if not one.is_file()]
    if len(gone) == len(files):
        return None
    if gone:
        return SourceDifference(0, 0, 0, (), None, _gone(files, gone))
    yield Step(0, 0, "compare")
    words = MANY if len(files) > 1 else ONE
    try:
        digests = []
        for one in files:
            digests.append(hashlib.sha256(file_bytes(one)).hexdigest())
            yield Step(0, 0, "compare")
        if joint_digest(digests) == reading.source.sha256:
            return None
        now = yield from read(path, reading.options)
    except TapdeskError as problem:
        sentence = words.unreadable.format(name=name_of(path), why=str(problem))
        return SourceDifference(0, 0, 0, (), None, sentence)
    yield Step(0, 0, "compare")
    return _difference(reading.as_read, now, name_of(path), words)


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is said about a file that changed, or about several that were read as one."""

    unreadable: str
    same: str
    one: str
    more: str


ONE = Sentences(
    unreadable=_("{name} has changed since it was read, and can no longer be read the same way: {why}"),
    same=_("{name} has been saved again since it was read; no rating differs."),
    one=_("{name} has changed since it was read: one rating differs ({changed:,} changed, {added:,} added, "
          "{removed:,} gone)."),
    more=_("{name} has changed since it was read: {total:,} ratings differ ({changed:,} changed, {added:,} added, "
           "{removed:,} gone)."),
)  # fmt: skip
MANY = Sentences(
    unreadable=_("{name} have changed since they were read, and can no longer be read the same way: {why}"),
    same=_("Of {name}, some have been saved again since they were read; no rating differs."),
    one=_("{name} have changed since they were read: one rating differs ({changed:,} changed, {added:,} added, "
          "{removed:,} gone)."),
    more=_("{name} have changed since they were read: {total:,} ratings differ ({changed:,} changed, {added:,} added, "
           "{removed:,} gone)."),
)  # fmt: skip


def _gone(files: Sequence[Path], gone: Sequence[str]) -> str:
    """That some of the files that were read as one are not there any more."""
    sentence = _("Of the {all} files that were read as one, {names} is no longer there; whether the others have "
             "changed cannot be told.")  # fmt: skip
    if len(gone) > 1:
        sentence = _("Of the {all} files that were read as one, {names} are no longer there; whether the others have "
                 "changed cannot be told.")  # fmt: skip
    return sentence.format(all=len(files), names=name_list(gone))


def _difference(before: Ratings, reading: Reading, name: str, words: Sentences) -> SourceDifference:
    after = reading.as_read
    keys_before, keys_after = _keys(before, after)
    _common, at, to = np.intersect1d(keys_before, keys_after, assume_unique=True, return_indices=True)
    classes = {label: i for i, label in enumerate(dict.fromkeys((*before.classes, *after.classes)))}
    was = np.array([classes[c] for c in before.classes], dtype=np.int64)[before.category]
    now = np.array([classes[c] for c in after.classes], dtype=np.int64)[after.category]
    differs = (was[at] != now[to]) | (_weights(before)[at] != _weights(after)[to])
    gone = np.setdiff1d(np.arange(keys_before.size), at)
    new = np.setdiff1d(np.arange(keys_after.size), to)
    cells = [
        CellDifference(*_names(before, i), _case_words(before, i), _case_words(after, j))
        for i, j in zip(at[differs][:SHOWN], to[differs][:SHOWN], strict=True)
    ]
    cells += [CellDifference(*_names(before, i), _case_words(before, i), None) for i in gone[:SHOWN]]
    cells += [CellDifference(*_names(after, j), None, _case_words(after, j)) for j in new[:SHOWN]]
    changed = int(differs.sum())
    total = changed + new.size + gone.size
    sentence = {0: words.same, 1: words.one}.get(total, words.more)
    sentence = sentence.format(name=name, total=total, changed=changed, added=new.size, removed=gone.size)
    return SourceDifference(changed, new.size, gone.size, tuple(cells[:SHOWN]), reading, sentence)


def _names(ratings: Ratings, i: int) -> tuple[str, str]:
    return ratings.subjects[ratings.subject[i]], ratings.raters[ratings.rater[i]]


def _weights(ratings: Ratings) -> NDArray[np.int64]:
    """Shape (m,): how many ratings each one stands for."""
    if ratings.weight is None:
        return np.ones(ratings.subject.size, dtype=np.int64)
    return np.asarray(ratings.weight[ratings.subject], dtype=np.int64)


def _case_words(ratings: Ratings, i: int) -> str:
    """A rating, with the number it stands for where ratings are tallied."""
    label = ratings.classes[ratings.category[i]]
    return label if ratings.weight is None else f"{label} × {int(ratings.weight[ratings.subject[i]])}"


def _keys(before: Ratings, after: Ratings) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for each rating, the same for the same case, rater and repeat in both."""
    subjects = {n: i for i, n in enumerate(dict.fromkeys((*before.subjects, *after.subjects)))}
    raters = {n: i for i, n in enumerate(dict.fromkeys((*before.raters, *after.raters)))}
    keys, most = [], 1
    for r in (before, after):
        subject = np.array([subjects[n] for n in r.subjects], dtype=np.int64)[r.subject]
        rater = np.array([raters[n] for n in r.raters], dtype=np.int64)[r.rater]
        pair = subject * max(len(raters), 1) + rater
        nth = _repeat_number(pair)
        most = max(most, int(nth.max(initial=0)) + 1)
        keys.append((pair, nth))
    return keys[0][0] * most + keys[0][1], keys[1][0] * most + keys[1][1]


def _repeat_number(pair: NDArray[np.int64]) -> IntArray:
    """Shape (m,): how many times the pair has come before."""
    order = np.argsort(pair, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(pair[order]) != 0)) if pair.size else np.zeros(0, dtype=np.int64)
    lengths = np.diff(np.append(starts, pair.size))
    number = np.empty(pair.size, dtype=np.int64)
    number[order] = np.arange(pair.size) - np.repeat(starts, lengths)
    return number
