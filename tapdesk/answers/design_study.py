"""Studies of the size at hand: why they are worth a look, and what they have found."""

import numpy as np

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Number, Paragraph, Picture, Table
from tapdesk.answers.demands import demand
from tapdesk.answers.figures import design_study as figures
from tapdesk.answers.figures.design_study import sized
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.part import About, Answer, Content, Missing, Part, not_found
from tapdesk.answers.side_results import Basis
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray
from tapdesk.progress import Run
from tapdesk.studies.design_study import DesignStudy, kappa_squares, processes, recovery_grid


def why_grid() -> str:
    """What the study of other numbers is for."""
    return _(
        "Data of the size at hand are drawn from many numbers, not only from those of the answer, and fitted again. "
        "Where dots and lines leave the dashed diagonal, a study with so many {subjects} and {ratings} does not find "
        "what is there: t in particular, where a is small."
    )


def why_square() -> str:
    """What the study of kappa is for."""
    return _(
        "The root of kappa is often taken for the accuracy. That is right where guesses come out like the truth, "
        "t = p, and wrong elsewhere, however large the study."
    )


RIGHT = Align.RIGHT
_MIDDLE = (0.05, 0.95)


def grid(study: DesignStudy, style: Style = SCREEN) -> Table:
    """By the accuracy put in, where it is found and how far off t, a, p and the root of kappa are."""
    table, rows = study.table, []
    a, at_edge = table.numbers("true a"), table.numbers("near_bound")
    for true in np.unique(a):
        here = a == true
        back = table.numbers("a")[here]
        low, high = (float(q) for q in np.quantile(back, _MIDDLE))
        missed = (
            _missed(table.numbers(f"true {name}")[here], table.numbers(column)[here], style)
            for name, column in (("a", "a"), ("t", "t"), ("p", "p"), ("a", "root_kappa"))
        )
        rows.append(
            (
                cells.decimal(float(true), style, 1),
                cells.count(int(here.sum())),
                cells.interval(Estimate(float(back.mean()), low=low, high=high), style),
                *missed,
                cells.percent(float(at_edge[here].mean())),
            )
        )
    return Table(
        _("How well numbers are found by a study of this size"),
        (
            Column(_("True a"), wide=True),
            Column(_("Sets"), RIGHT),
            Column(_("a found, 90 %"), RIGHT),
            Column(_("a off by"), RIGHT),
            Column(_("t off by"), RIGHT),
            Column(_("p off by"), RIGHT),
            Column(_("√κ off by"), RIGHT),
            Column(_("At an edge"), RIGHT),
        ),
        tuple(rows),
        _(
            "Each line is over t and p from {low} to {high}, in data sets of {size}; t-a-p model. Off by: the mean "
            "distance "
            "from what was put in; √κ: from a, where kappa is not negative. At an edge: a number is found within 0.001 "
            "of 0 or 1."
        ).format(size=sized(study.size), low=numbers.decimal(0.1, places=1), high=numbers.decimal(0.9, places=1)),
    )


def _missed(true: FloatArray, array: FloatArray, style: Style) -> Number:
    off = np.abs(array - true)
    known = np.isfinite(off)
    return cells.decimal(float(off[known].mean()) if known.any() else None, style)


def squares(study: DesignStudy, style: Style = SCREEN) -> Table:
    """For each t and p how far kappa is from the square of the accuracy, on average and at most."""
    rows = []
    table = study.table
    for t in np.unique(table.numbers("t")):
        for p in np.unique(table.numbers("p")):
            here = table.only(t=float(t), p=float(p))
            apart = here.numbers("kappa_mean") - here.numbers("a_squared")
            expected = here.numbers("kappa_expected") - here.numbers("a_squared")
            known = apart[np.isfinite(apart)]
            sentences = (cells.decimal(None, style), cells.decimal(None, style))
            if known.size:
                reach = Estimate(float(known.mean()), low=float(known.min()), high=float(known.max()))
                sentences = (cells.value(reach, style), cells.interval(reach, style))
            rows.append(
                (
                    cells.decimal(float(t), style, 1),
                    cells.decimal(float(p), style, 1),
                    cells.count(float(here.numbers("data_sets").sum() - here.numbers("undefined").sum())),
                    *sentences,
                    cells.decimal(float(np.nanmean(expected)) if np.isfinite(expected).any() else None, style),
                )
            )
    return Table(
        _("How far kappa is from the square of the accuracy"),
        (
            Column("t", symbol=True, wide=True),
            Column("p", RIGHT, symbol=True),
            Column(_("Sets"), RIGHT),
            Column(_("κ − a²"), RIGHT),
            Column(_("Lowest to highest"), RIGHT),
            Column(_("Expected"), RIGHT),
        ),
        tuple(rows),
        _(
            "Each line is over {n} accuracies from 0.02 to 0.98, in data sets of {size}. κ − a²: the mean difference; "
            "lowest to highest: among the accuracies. Expected: the mean difference by the model, without luck."
        ).format(n=numbers.count(np.unique(table.numbers("a")).size), size=sized(study.size)),
    )


_HIGH = 165.0


def grid_content(answer: Answer) -> Content | Missing | None:
    """Whether numbers other than those of the answer would be found again."""
    study: DesignStudy | None = answer.side.on_demand.get("grid")
    if study is None:
        return not_found(answer, "grid")
    drawn, table = figures.grid(study), grid(study, answer.style)
    return _content(GRID, why_grid(), drawn, table, columns=3)


def square_content(answer: Answer) -> Content | Missing | None:
    """Whether kappa is the square of the accuracy."""
    study: DesignStudy | None = answer.side.on_demand.get("square")
    if study is None:
        return not_found(answer, "square")
    drawn, table = figures.squares(study), squares(study, answer.style)
    return _content(SQUARE, why_square(), drawn, table, columns=2)


def _content(part: Part, why: str, drawn: figures.Drawn, table: Table, columns: int) -> Content:
    picture = Picture(part.title, drawn.panels, drawn.note, height=_HIGH, columns=columns)
    return Content((Paragraph(_("{said}.").format(said=drawn.finding)), Paragraph(why), picture, table))


def _grid_study(basis: Basis) -> Run[DesignStudy]:
    wanted = basis.wanted
    return recovery_grid(basis.ratings, wanted.selection.sets("grid"), wanted.seed, processes())


def _square_study(basis: Basis) -> Run[DesignStudy]:
    wanted = basis.wanted
    return kappa_squares(basis.ratings, wanted.selection.sets("square"), wanted.seed, processes())


GRID = Part(
    "grid",
    "grid",
    _("Which numbers could such a study find?"),
    why_grid(),
    grid_content,
    uses=("grid",),
    about=About.RATINGS,
    headed=False,
    demand=demand("grid"),
    study=_grid_study,
    block="of_size",
)
SQUARE = Part(
    "square",
    "square",
    _("Is kappa the square of the accuracy?"),
    why_square(),
    square_content,
    uses=("square",),
    about=About.RATINGS,
    headed=False,
    demand=demand("square"),
    study=_square_study,
    block="of_size",
)
