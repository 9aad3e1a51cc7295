"""Projects to keep and to change, and whether two of them say the same."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache

import numpy as np

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse

WHEN = "2025-05-14T10:44:00+02:00"
MEDALS = "wine,judge,medal,year\n" + "\n".join(
    f"W{i},{judge},{medal},{2023 + i % 2}"
    for i in range(12)
    for judge, medal in zip(
        ("Ana", "Ben", "Cem"), np.roll(("no medal", "bronze", "silver", "gold"), i * i)[:3], strict=True
    )
)


def spelled(value):
    """A value as plain nested tuples and texts, so that two of them can be compared whatever they are made of."""
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.shape, [repr(v) for v in value.ravel().tolist()])
    if is_dataclass(value):
        return (type(value).__name__, [(f.name, spelled(getattr(value, f.name))) for f in fields(value)])
    if isinstance(value, Mapping):
        return ("mapping", sorted((repr(k), spelled(v)) for k, v in value.items()))
    if isinstance(value, tuple | list):
        return [spelled(v) for v in value]
    # A float of numpy and one of Python say the same.
    return repr(float(value)) if isinstance(value, float) else repr(value)


def same(one, other):
    """Whether two values say the same, types and shapes of arrays included."""
    return spelled(one) == spelled(other)


def medals(tmp_path, text=MEDALS, **options):
    """A project of twelve wines, three judges and four medals."""
    path = tmp_path / "medals.csv"
    path.write_text(text, "utf-8")
    return Project(title="Spring show").with_reading(read_now(path, ReadingOptions(**options)))


@cache
def fitted(name="t-a-p", **options):
    """A project about a sample of the program with one answer."""
    asked = Request(model(name), **options)
    project = Project(title="Wine").with_reading(read_now("sample:wine-cut2"))
    fit = finish(analyse(project.ratings, asked))
    return project.with_note("summary", "Good enough.").with_analysis(Analysis("first", asked, fit, run_at=WHEN))


def ratings_of(rows, classes, *, raters=("Ana", "Ben", "Cem"), **more):
    """Ratings from rows of (subject, rater, class), each told by its index."""
    codes = np.array(rows, dtype=np.int64).reshape(-1, 3)
    subjects = [f"W{i}" for i in range(int(codes[:, 0].max(initial=-1)) + 1)]
    return Ratings.of(codes[:, 0], codes[:, 1], codes[:, 2], subjects, raters, classes, **more)
