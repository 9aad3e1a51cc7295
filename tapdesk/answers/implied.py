"""What the numbers imply, and where they would be found again: what is said of it where it is asked for."""

from dataclasses import dataclass
from functools import partial

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Block, Column, Heading, Paragraph, Picture, Table, Tone
from tapdesk.answers.demands import demand
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.figures import designs as figures_designs
from tapdesk.answers.figures import shares as figures_shares
from tapdesk.answers.figures.shares import MATCH, implied, intervals_from, truth_ranges
from tapdesk.answers.fit_words import size, warns
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.answers.parameters import share_of
from tapdesk.answers.part import About, Answer, Content, Missing, Part, not_found
from tapdesk.answers.side_results import Basis, apart
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import Run
from tapdesk.ratings.findings import label_text
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.distribution import given_ranges, seen_ranges
from tapdesk.studies.recovery import LEVEL, RecoveryRange, recover_fit

RIGHT = Align.RIGHT


_REPLICATES = 200
_NO_ANSWER = _("This is worked out from the answer of a model, and there is none for these {ratings}.")


@dataclass(frozen=True, eq=False)
class Recovered:
    """Where the numbers would be found in data drawn from them.

    Attributes
    ----------
    fit
        The answer of the project, whose numbers they are.
    found
        As `tapdesk.studies.recovery.found_again` makes it.
    replicates
        Data sets drawn.
    """

    fit: Fit
    found: tuple[RecoveryRange, ...]
    replicates: int


def recovered(ratings: Ratings, fit: Fit | None, seed: int, replicates: int = _REPLICATES) -> Run[Recovered]:
    """Where the numbers of the answer would be found if they were true.

    Yields
    ------
    Step
        The phase ``re-draws``.

    Raises
    ------
    CannotAnswerError
        When there is nothing to draw from.
    """
    if fit is None:
        raise CannotAnswerError(_NO_ANSWER)
    sets = min(replicates, _REPLICATES)
    ranges = yield from recover_fit(fit, ratings, sets, seed)
    return Recovered(fit, ranges, sets)


def rates(fit: Fit, ratings: Ratings) -> Table:
    """Of each class how often it was given, how often the model says, and how many cases it is true of."""
    seen, truth = ratings.class_rates(), fit.parameters.truth
    given = truth @ fit.parameters.rating_rates()[0]
    columns = (
        (seen, seen_ranges(ratings, fit.interval[1])),
        (given, given_ranges(fit) or (None,) * given.size),
        (truth, truth_ranges(fit)),
    )
    rows = tuple(
        (label_text(label, 200), *(cell for shares, ends in columns for cell in _share(float(shares[at]), ends[at])))
        for at, label in enumerate(fit.classes)
    )
    reach = Column(_("{level} interval").format(level=numbers.level(fit.interval[1])), RIGHT)
    return Table(
        _("How often each class is given, seen and implied"),
        (
            Column(_("Class"), wide=True),
            Column(_("Seen"), RIGHT),
            reach,
            Column(_("By the model"), RIGHT),
            reach,
            Column(_("True of, by the model"), RIGHT),
            reach,
        ),
        rows,
        _(
            "N = {size}. Seen and by the model: of the {ratings}; true of: of the {subjects}. Intervals of what was "
            "seen by standard errors; a dash where there is none."
        ).format(size=size(fit)),
    )


def _share(share: float, ends: tuple[float, float] | None) -> tuple[str, str]:
    """A share in per cent and its interval, a dash for none or for one that does not hold it."""
    if ends is None or not ends[0] <= share <= ends[1]:
        return cells.percent(share), DASH
    low, high = numbers.ends(*ends)
    return cells.percent(share), _("{low} to {high} %").format(low=low, high=high)


def matches(fit: Fit, ratings: Ratings, style: Style = SCREEN) -> Table:
    """Pairs of ratings that match, by cause, and kappa: by the model, and as they were seen."""
    words = implied(fit, ratings)
    seen = {MATCH: words.matching if words.seen is not None else None}
    modelled: list[tuple[str, Estimate | None, Estimate | None]] = [(name, e, seen.get(name)) for name, e in words.rows]
    modelled.append((_("Kappa"), words.model_kappa, words.kappa_seen if words.seen_kappa is not None else None))
    level = numbers.level(words.both.level or fit.interval[1])
    return Table(
        _("How much of the agreement is luck"),
        (
            Column("", wide=True),
            Column(_("By the model"), RIGHT),
            Column(_("{level} interval").format(level=level), RIGHT),
            Column(_("Seen"), RIGHT),
            Column(_("{level} interval").format(level=level), RIGHT),
        ),
        tuple((name, *_value(x, style), *_value(y, style)) for name, x, y in modelled),
        _(
            "N = {size}; {model} model. Shares of all pairs of {ratings} of {a_subject}. Kappa seen is Fleiss’ kappa. "
            "Why single pairs matched cannot be seen. {how}"
        ).format(size=size(fit), model=fit.model.name, how=intervals_from(words)),
    )


def _value(e: Estimate | None, style: Style) -> tuple[str, str]:
    """A number and its interval, dashes where there is none."""
    return (DASH, DASH) if e is None else (cells.value(e, style), cells.interval(e, style))


def again(result: Recovered, style: Style = SCREEN) -> Table:
    """Each number, and where it would be found."""
    fit = result.fit
    rows = []
    for one in result.found:
        e = fit.estimates[one.at]
        middle = None if one.median is None else Estimate(one.median, low=one.low, high=one.high)
        rows.append(
            (
                e.name.name,
                share_of(e, fit),
                cells.decimal(one.true, style),
                DASH if middle is None else cells.value(middle, style),
                DASH if middle is None else cells.interval(middle, style),
                DASH if one.on_edge is None else cells.percent(one.on_edge),
            )
        )
    reasons = dict.fromkeys(f"{fit.estimates[one.at].name}: {one.why_not}" for one in result.found if one.why_not)
    return Table(
        _("Where the numbers would be found again"),
        (
            Column("", symbol=True),
            Column(_("Share of"), wide=True),
            Column(_("Drawn with"), RIGHT),
            Column(_("Middle"), RIGHT),
            Column(_("{level} of the sets").format(level=numbers.level(LEVEL)), RIGHT),
            Column(_("At 0 or 1"), RIGHT),
        ),
        tuple(rows),
        joined(
            _("{sets} data sets with the {subjects} and {ratings} at hand, drawn from the {model} model.").format(
                sets=numbers.count(result.replicates), model=fit.model.name
            ),
            *reasons,
        ),
    )


_HIGH = 200.0
_ROW, _EDGE = 21.0, 50.0


def recovery_content(answer: Answer) -> Content | Missing | None:
    """How much of the agreement is luck by the model, and where the numbers would be found if they were true."""
    result: Recovered | None = answer.side.on_demand.get("recovery")
    if result is None:
        return not_found(answer, "recovery")
    blocks = [*_expected(result.fit, answer), *_again(result, answer)]
    if warns(result.fit, answer.ratings):
        blocks.insert(0, Paragraph(figures_shares.unsure(), Tone.WARNING))
    return Content(tuple(blocks))


def _expected(fit: Fit, answer: Answer) -> list[Block]:
    """Classes and matches by the model, beside those seen."""
    ratings = answer.ratings
    reason = figures_shares.expected_needs(fit, ratings)
    if reason is not None:
        return [Paragraph(reason)]
    matched, given = (restyled(figure, answer.style) for figure in figures_shares.expected(fit, ratings))
    height = _EDGE + _ROW * len(matched.y.ticks)
    return [
        Paragraph(_("{said}.").format(said=matched.title)),
        Picture(_("Pairs of {ratings} that match, and why"), (matched,), matched.note, height=height),
        matches(fit, ratings, answer.style),
        Paragraph(_("{said}.").format(said=given.title)),
        Picture(_("Shares of the classes, seen and implied"), (given,), given.note, height=_HIGH),
        rates(fit, ratings),
    ]


def _again(result: Recovered, answer: Answer) -> list[Block]:
    """Where the numbers would be found again."""
    figure = restyled(figures_designs.recovery(result.fit, result.found, result.replicates), answer.style)
    blocks: list[Block] = [
        Heading(_("Would such numbers be found again?")),
        Paragraph(_("{said}.").format(said=figure.title)),
    ]
    if figure.marks:
        title, height = _("Where the numbers would be found, and what they are"), _EDGE + _ROW * len(figure.y.ticks)
        blocks.append(Picture(title, (figure,), figure.note, height=height))
    return [*blocks, again(result, answer.style)]


def _recovery_study(basis: Basis) -> Run[Recovered]:
    wanted = basis.wanted
    run = partial(recovered, basis.ratings, basis.fit, wanted.seed, wanted.replicates)
    return apart(basis.ratings, run, by_rater=basis.by_rater)


RECOVERY = Part(
    "recovery",
    "recovery",
    _("What do these numbers imply?"),
    _(
        "How much of the agreement is luck if the numbers are true, and where a study of this size would find them if "
        "it were done again and again. Numbers that would be found far off are not to be relied on."
    ),
    recovery_content,
    uses=("recovery",),
    about=About.RATINGS,
    headed=False,
    demand=demand("recovery"),
    study=_recovery_study,
    block="more",
)
