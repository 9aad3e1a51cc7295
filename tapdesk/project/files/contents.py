"""What of a project goes into its file: nothing that follows from the rest, and nothing that cannot be kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit, Posterior
from tapdesk.project.decisions.base import Decided
from tapdesk.project.files.arrays import DamagedError
from tapdesk.project.files.history import KeptHistory, read, written
from tapdesk.project.fingerprint import fingerprint
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.account import Account
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import Reading
from tapdesk.ratings.source import Preview, Source

FORM = "tapdesk project"
_KEPT_DRAWS = 4000


@dataclass(frozen=True, eq=False)
class KeptReading:
    """A reading as it is kept: as `Reading`, ``ratings`` only where they do not follow from the options.

    Files of earlier versions do not hold ``asked``: there every guess counts as said; nor ``account``.
    """

    as_read: Ratings
    source: Source
    options: ReadingOptions
    findings: tuple[Finding, ...]
    missing: int
    missing_by: Mapping[str, int]
    left_out_subjects: int
    left_out_ratings: int
    preview: Preview
    ratings: Ratings | None = None
    asked: ReadingOptions | None = None
    account: Account | None = None


@dataclass(frozen=True, eq=False)
class Kept:
    """A project as it is kept: as `Project`. A field with a default may be missing in a file, no other one may."""

    reading: KeptReading | None
    decisions: tuple[Decided, ...]
    undone: int
    analyses: tuple[Analysis, ...]
    title: str
    notes: Mapping[str, str]
    records: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    history: KeptHistory | None = None


def told(project: Project) -> Kept:
    """What of a project is written."""
    analyses = tuple(a if a.fit is None else replace(a, fit=_keepable(a.fit)) for a in project.analyses)
    reading = None if project.reading is None else _kept_reading(project.reading)
    history = written(project)
    return Kept(
        reading, project.decisions, project.undone, analyses, project.title, project.notes, project.records, history
    )


def checked(kept: Kept) -> Project:
    """The project of what was read.

    Raises
    ------
    DamagedError
        When its parts do not fit together.
    """
    if not 0 <= kept.undone <= len(kept.decisions):
        raise DamagedError("more was undone than was done")
    numbers = [d.id for d in kept.decisions]
    if numbers != sorted(set(numbers)):
        raise DamagedError("its decisions are not in order")
    reading = None if kept.reading is None else _reading(kept.reading)
    if reading is None and (kept.decisions or any(a.fit is not None for a in kept.analyses)):
        raise DamagedError("its ratings are missing")
    project = Project(reading, kept.decisions, kept.undone, kept.analyses, kept.title, kept.notes, kept.records)
    return project if kept.history is None else replace(project, history=read(kept.history, project))


# Draws cost time, and the same fit is written again and again.
@lru_cache(maxsize=8)
def _keepable(fit: Fit) -> Fit:
    """A fit whose posterior holds draws instead of the machinery that makes them."""
    posterior = fit.posterior
    if not isinstance(posterior, Posterior) or posterior.sampler is None:
        return fit
    sample = posterior.sample or posterior.draws(_KEPT_DRAWS, fit.seed)
    return replace(fit, posterior=replace(posterior, sampler=None, sample=sample))


def _kept_reading(r: Reading) -> KeptReading:
    return KeptReading(
        r.as_read,
        r.source,
        r.options,
        r.findings,
        r.missing,
        r.missing_by,
        r.left_out_subjects,
        r.left_out_ratings,
        r.preview,
        None if _follows(r) else r.ratings,
        r.asked,
        r.account,
    )


def _follows(r: Reading) -> bool:
    """Whether the ratings are those that the options make of the ratings as read."""
    try:
        return r.ratings is r.as_read or fingerprint(_binary(r.as_read, r.options)) == fingerprint(r.ratings)
    except TapdeskError:
        return False


def _reading(k: KeptReading) -> Reading:
    try:
        ratings = _binary(k.as_read, k.options) if k.ratings is None else k.ratings
    except TapdeskError as problem:
        raise DamagedError(f"its class 1 cannot be: {problem.what}") from problem
    return Reading(
        ratings,
        k.as_read,
        k.source,
        k.options,
        k.findings,
        k.missing,
        k.missing_by,
        k.left_out_subjects,
        k.left_out_ratings,
        k.preview,
        k.options if k.asked is None else k.asked,
        k.account,
    )


def _binary(as_read: Ratings, options: ReadingOptions) -> Ratings:
    return as_read if options.class1 is None else as_read.dichotomised(options.class1, options.class0).panel()
