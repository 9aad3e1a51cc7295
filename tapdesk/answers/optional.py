"""Two numbers at once, and studies of other sizes: what is said of them where they are asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Block, Column, Number, Paragraph, Picture, Table, Tone
from tapdesk.answers.demands import demand
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.figures import designs as figures_designs
from tapdesk.answers.figures.estimates import symbol
from tapdesk.answers.figures.likelihood import contour_needs, estimate_of, panel, reach_of, root_kappa
from tapdesk.answers.fit_words import size, warns
from tapdesk.answers.numbers import DASH, REPORT, SCREEN, Style
from tapdesk.answers.part import About, Answer, Content, Missing, Part, not_found
from tapdesk.answers.side_results import Basis, apart
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Key, model
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.contour import LikelihoodSurface, surface, two_numbers
from tapdesk.studies.design_study import plan, plan_point
from tapdesk.studies.table import Cell, StudyTable

_REPLICATES = 200
# The picture calls its intervals so.
_LEVEL = 0.95
_NO_ANSWER = _("This is worked out from the answer of a model, and there is none for these {ratings}.")


@dataclass(frozen=True, eq=False)
class Together:
    """The likelihood over every two of t, a and p of a class, and of a rater where raters differ.

    Attributes
    ----------
    fit
        Whose numbers they are: the answer of the project, or `t-a-p` where that one has not two numbers to hold.
    surfaces
        One for each two numbers.
    root
        Of Fleiss' kappa; None where it has none.
    """

    fit: Fit
    surfaces: tuple[LikelihoodSurface, ...]
    root: float | None


@dataclass(frozen=True, eq=False)
class Planned:
    """What studies of other sizes would tell.

    Attributes
    ----------
    fit
        Whose numbers are taken as the true ones.
    table
        As `tapdesk.studies.design_study.plan` makes it.
    replicates
        Simulated studies of each size.
    """

    fit: Fit
    table: StudyTable
    replicates: int


def likelihoods(ratings: Ratings, fit: Fit | None, level: float, seed: int) -> Run[Together]:
    """The likelihood over two numbers at once.

    Yields
    ------
    Step
        The phases of a fit, where another one is needed, and ``surface``.

    Raises
    ------
    CannotAnswerError
        When these ratings have no such picture.
    """
    result = yield from _suited(contour_needs, ratings, fit, level, seed)
    surfaces = []
    for pair in two_numbers(result).pairs:
        made = yield from surface(ratings, result, pair)
        surfaces.append(made)
    return Together(result, tuple(surfaces), root_kappa(ratings))


def planned(ratings: Ratings, fit: Fit | None, level: float, seed: int, replicates: int = _REPLICATES) -> Run[Planned]:
    """How much studies of other sizes would tell, if the numbers were as estimated.

    Yields
    ------
    Step
        The phases of a fit, where another one is needed, and ``study``.

    Raises
    ------
    CannotAnswerError
        When there is nothing to plan from.
    """
    result = yield from _suited(figures_designs.plan_needs, ratings, fit, level, seed)
    sets = min(replicates, _REPLICATES)
    table = yield from plan(
        plan_point(result, ratings),
        figures_designs.SUBJECTS,
        figures_designs.RATERS,
        level=_LEVEL,
        replicates=sets,
        seed=seed,
    )
    return Planned(result, table, sets)


def _suited(
    needs: Callable[[Fit, Ratings], str | None], ratings: Ratings, fit: Fit | None, level: float, seed: int
) -> Run[Fit]:
    """The answer itself where a study can be made of it, else one accuracy for all raters."""
    reason = _NO_ANSWER if fit is None else needs(fit, ratings)
    if fit is not None and reason is None:
        return fit
    key = Key.UNUSED if fit is None else fit.model.key
    request = Request(replace(model("t-a-p"), key=key), level=level, seed=seed)
    if fit is None or fit.model.name == "t-a-p" or refusal(ratings, request):
        raise CannotAnswerError(reason or "")
    result = yield from analyse(ratings, replace(request, subjects=False))
    again = needs(result, ratings)
    if again:
        raise CannotAnswerError(again)
    return result


def together() -> str:
    """What lines over two numbers say that two intervals do not."""
    return _(
        "Two numbers can lean on each other: where one is a little higher, the other may be lower, and the {ratings} "
        "fit as well. An interval of each by itself does not show that; the lines below do. A round shape means that "
        "they are told apart, a long thin one that they are not."
    )


def other_model(fit: Fit) -> str:
    """That these numbers are those of another model than the answer's."""
    return _("{Raters} are not told apart here: the numbers are those of the {model} model.").format(
        model=fit.model.name
    )


def width_now(fit: Fit, style: Style = REPORT) -> str:
    """How closely the ratings at hand pin down the accuracy."""
    a = fit.estimate("a")
    if a.value is None or a.low is None or a.high is None:
        return _("The {ratings} at hand ({size}) do not say how sure the accuracy is.").format(size=size(fit))
    return _(
        "The {ratings} at hand ({size}) put the accuracy between {low} and {high}, which is {width} wide ({level} "
        "interval)."
    ).format(
        size=size(fit),
        low=numbers.decimal(a.low, style),
        high=numbers.decimal(a.high, style),
        width=numbers.decimal(a.high - a.low, style),
        level=numbers.level(a.level or fit.interval[1]),
    )


def example() -> str:
    """That a plan stands on numbers that are unsure themselves."""
    return _(
        "The numbers the plan stands on are unsure themselves, so the plan is an example, not advice: see what is said "
        "of them under Truth, accuracy and chance."
    )


def supposing() -> str:
    """What a plan rests on."""
    return _(
        "The plan asks what studies of other sizes would tell if the numbers were as estimated and the {raters} judged "
        "as they did here. It says nothing about other {raters} or about {subjects} of another kind."
    )


RIGHT = Align.RIGHT
_LEVELS = (0.5, 0.95)


def contour_table(result: Together, style: Style = SCREEN) -> Table:
    """Of every two numbers how far each runs among what fits almost as well as the best."""
    rows = []
    for made in result.surfaces:
        names = symbol(made.x_name), symbol(made.y_name)
        reaches = [reach_of(made, level) for level in _LEVELS]
        for at, name in enumerate(names):
            value = estimate_of(result.fit, (made.x_name, made.y_name)[at])
            ends = [_ends(*reach[at], style) for reach in reaches]
            rows.append(
                (
                    _("{one} and {other}").format(one=names[0], other=names[1]),
                    name,
                    cells.value(value, style),
                    *ends,
                )
            )
    return Table(
        _("How far two numbers run together"),
        (
            Column(_("The two"), wide=True),
            Column(_("Number"), symbol=True),
            Column(_("Est."), RIGHT),
            Column(_("Within 50 %"), RIGHT),
            Column(_("Within 95 %"), RIGHT),
        ),
        tuple(rows),
        _(
            "N = {size}; {model} model. The range of a number over the lines of the picture, to the step of its grid. "
            "It is wider than the interval of the number alone, for both hold at once. A dash: not determined."
        ).format(size=size(result.fit), model=result.fit.model.name),
    )


def _ends(low: float, high: float, style: Style) -> Number:
    """The two ends of a range."""
    return cells.interval(Estimate((low + high) / 2, low=low, high=high), style)


def widths(result: Planned, style: Style = SCREEN) -> Table:
    """How wide the middle 95 % of the estimates of the accuracy would be, by cases and ratings of each."""
    table = result.table
    raters = [int(r) for r in np.unique(table.numbers("raters"))]
    rows = []
    for n in np.unique(table.numbers("subjects")):
        of_size = {int(float(str(r["raters"]))): r for r in table.records() if float(str(r["subjects"])) == n}
        rows.append((cells.count(float(n)), *(cells.decimal(_width(of_size.get(r, {})), style) for r in raters)))
    untold = joined(*dict.fromkeys(why for why in table.values("why_not") if isinstance(why, str)))
    return Table(
        _("How wide the accuracy would be known, by the size of the study"),
        (
            Column(_("{Subjects}"), wide=True),
            *(Column(_("{r} {ratings} each").format(r=r), RIGHT) for r in raters),
        ),
        tuple(rows),
        _(
            "Width of the range that holds the middle 95 % of the accuracies found in {sets} simulated studies of each "
            "size, by the t-a-p model. A dash: such a study does not determine the accuracy, unless it is taken for "
            "granted how guesses come out. {untold}"
        )
        .format(sets=cells.count(result.replicates), untold=untold)
        .strip(),
    )


def sure(result: Planned) -> Table:
    """How many cases would be classed for sure, and how many rightly, by ratings of each."""
    rows, seen = [], set[str]()
    sized = [r for r in result.table.records() if r["classified"] is not None and r["right"] is not None]
    small = min((float(str(r["subjects"])) for r in sized), default=0.0)
    for record in sized:
        raters = str(record["raters"])
        if raters in seen:
            continue
        seen.add(raters)
        sentences = [cells.percent(float(str(record[name]))) for name in ("classified", "right")]
        estimated = next(
            (r["right_estimated"] for r in sized if r["raters"] == record["raters"] and r["subjects"] == small), None
        )
        few = cells.percent(float(str(estimated))) if estimated is not None else DASH
        rows.append((cells.count(float(raters)), *sentences, few))
    return Table(
        _("How sure single {subjects} would be, by {ratings} of each"),
        (
            Column(_("{Ratings} of {a_subject}"), wide=True),
            Column(_("At least 95 % sure"), RIGHT),
            Column(_("Likeliest class right"), RIGHT),
            Column(_("… of {small} {subjects}").format(small=numbers.count(small)), RIGHT),
        ),
        tuple(rows),
        _(
            "If the numbers were as estimated and known, whatever the number of {subjects}; last column: the class "
            "that is likeliest by what a study of so few would itself estimate. More {ratings} can make a smaller "
            "share sure, for these shares move in jumps."
        ),
    )


def _width(record: Mapping[str, Cell]) -> float | None:
    """The width by simulation, or by the large-sample interval where none was simulated."""
    words = record.get("spread") if record.get("spread") is not None else record.get("width")
    return None if words is None else float(str(words))


_SQUARE, _HIGH = 205.0, 230.0


def contour_content(answer: Answer) -> Content | Missing | None:
    """How every two of t, a and p hang together, as lines of equal likelihood."""
    result: Together | None = answer.side.on_demand.get("contour")
    if result is None:
        return not_found(answer, "contour")
    panels = tuple(restyled(panel(result.fit, made, result.root), answer.style) for made in result.surfaces)
    blocks: list[Block] = [Paragraph(together()), *_of_another(result.fit, answer)]
    blocks += [Paragraph(_("{said}.").format(said=shown.title)) for shown in panels]
    shown = tuple(replace(one, title=_short_title(one)) for one in panels) if len(panels) > 1 else panels
    blocks += [
        Picture(CONTOUR.title, shown, panels[-1].note, height=_SQUARE, columns=min(len(panels), 2)),
        contour_table(result, answer.style),
    ]
    return Content(tuple(blocks))


def _short_title(shown: Figure) -> str:
    """The two numbers: the whole sentence stands above the picture."""
    return _("{one} and {other}").format(one=shown.x.title, other=shown.y.title)


def plan_content(answer: Answer) -> Content | Missing | None:
    """How much studies of other sizes would tell."""
    result: Planned | None = answer.side.on_demand.get("plan")
    if result is None:
        return not_found(answer, "plan")
    width, certain = (restyled(figure, answer.style) for figure in figures_designs.plan(result.table))
    unsure = figures_designs.unsure(result.fit)
    if not unsure and warns(result.fit, answer.ratings):
        unsure = example()
    note = _("{size} gave the numbers, by the {model} model. Each point: {sets} simulated studies.").format(
        size=size(result.fit), model=result.fit.model.name, sets=numbers.count(result.replicates)
    )
    now = _("{now} {said}.").format(now=width_now(result.fit, answer.style), said=width.title)
    return Content(
        (
            Paragraph(now),
            *_of_another(result.fit, answer),
            Paragraph(supposing()),
            *([Paragraph(unsure, Tone.WARNING)] if unsure else []),
            Picture(_("How wide the accuracy would be known"), (width,), joined(note, width.note), height=_HIGH),
            widths(result, answer.style),
            Picture(certain.title, (certain,), certain.note, height=_HIGH),
            sure(result),
        )
    )


def _of_another(fit: Fit, answer: Answer) -> list[Block]:
    """That the numbers are not those of the answer, where they are not."""
    if answer.result is None or answer.result.model.name == fit.model.name:
        return []
    return [Paragraph(other_model(fit))]


def _contour_study(basis: Basis) -> Run[Together]:
    wanted, fit = basis.wanted, basis.fit
    run = partial(likelihoods, basis.ratings, fit, wanted.level, wanted.seed)
    return apart(basis.ratings, run, by_rater=basis.by_rater)


def _plan_study(basis: Basis) -> Run[Planned]:
    wanted = basis.wanted
    return planned(basis.ratings, basis.fit, wanted.level, wanted.seed, wanted.replicates)


CONTOUR = Part(
    "contour",
    "contour",
    _("Which two numbers fit together?"),
    _(
        "Every two of truth, accuracy and guessing at once. The lines hold the pairs of values that fit "
        "these {ratings} nearly as well as the best; a long thin shape is two numbers that cannot be told "
        "apart."
    ),
    contour_content,
    uses=("contour",),
    about=About.RATINGS,
    headed=False,
    demand=demand("contour"),
    study=_contour_study,
    block="more",
)
PLAN = Part(
    "plan",
    "plan",
    _("Would more {ratings} tell more?"),
    _(
        "Studies of other sizes, made up with the numbers found here: how closely each would know the "
        "accuracy, and of how many {subjects} one could be sure. It says nothing about other {raters}."
    ),
    plan_content,
    uses=("plan",),
    about=About.RATINGS,
    headed=False,
    demand=demand("plan"),
    study=_plan_study,
    block="more",
)
