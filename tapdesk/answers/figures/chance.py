"""Pictures of luck: panels without information, how far root kappa reaches in them, and what kappa leaves open."""

import numpy as np

from tapdesk.answers import chance as words_chance
from tapdesk.answers import numbers
from tapdesk.answers import paradox as words_paradox
from tapdesk.answers.charts import FIFTHS, histogram
from tapdesk.answers.figure import Axis, Bars, DataColumn, Figure, Mark, Role, Unit, Words
from tapdesk.answers.grids import heat
from tapdesk.answers.numbers import SCREEN, counted
from tapdesk.fitting.fit import Curve, Fit, JointDensity
from tapdesk.language import Number, joined
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray as Floats
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies import chance as luck
from tapdesk.studies.chance import Chance, Horizon
from tapdesk.studies.paradox import Paradox, between, masses, paradox, refusal

# As many as the report simulates, from the same random start: both tell one answer.
_REPLICATES = 300
_HORIZON = 2000
_BINS = 40
# A root that reads 0.00.
_NO_ROOT = 0.005
_CELLS, _TWO = 20, 2
# Cells in the last tenth of the scale.
_TENTH = 2
BLOCKS = 10
# The least share that reads as a hundredth.
_SEEN = 0.005
# How far to both sides p - t is drawn: the narrowest of these that holds most of it.
_REACHES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_HELD = 0.7
_TOPS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)


# Beliefs this close to one half lean to no side.
_OPEN = 0.1


def chance_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why luck cannot be simulated, or None."""
    del fit
    weight = ratings.subject_weights()
    if not (weight[ratings.ratings_per_subject() > 1] > 0).any():
        return _("No {subject} has two {ratings}, so there is no agreement that luck could have made.")
    if (ratings.class_rates() > 0).sum() < 2:
        return _("All {ratings} are in one class, so there is nothing that luck could have made.")
    return None


def simulated(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture: how informed panels without information look."""
    result = yield from luck.chance_of(ratings, _REPLICATES, fit.seed)
    return (chance(result),)


def chance(result: Chance) -> Figure:
    """The likelihood ratios of panels without information, and where the real one stands."""
    draws, seen = result.test.draws, result.test.statistic
    top = 1.08 * max(float(draws.max(initial=1.0)), seen, 1.0)
    heights, edges = np.histogram(draws, _BINS, (0.0, max(float(draws.max(initial=1.0)), 1e-6)))
    share = heights / max(draws.size, 1)
    # As the test counts them: a tie is no difference in the last digit.
    reached = round(result.test.p_bootstrap * (1 + result.test.replicates)) - 1
    title = _("{part} simulated panels without information look as informed as these {ratings}").format(
        part=numbers.of_all(reached, draws.size, first=True)
    )
    alt = _(
        "{what}. The real {ratings} reach {seen}. Of {all} simulated panels without "
        "information half stay below {half}, 95 of 100 below {most}; {n} reach the real one."
    ).format(
        what=words_chance.statistic_name(result),
        seen=numbers.large(seen, 1),
        all=numbers.count(draws.size),
        half=numbers.large(result.test.quantiles.get("0.5"), 1),
        most=numbers.large(result.test.quantiles.get("0.95"), 1),
        n=numbers.count(reached),
    )
    return histogram(
        "chance",
        title,
        Axis(words_chance.statistic_name(result), 0.0, top),
        Axis(_("Share of simulated panels"), 0.0, max(float(share.max(initial=0.0)), 0.02) * 1.15, percent=True),
        edges,
        share,
        role=Role.REFERENCE,
        alt=alt,
        note=_note(result),
        marks=[Mark(_("these {ratings}"), seen, role=Role.MODEL)],
    )


def _note(result: Chance) -> str:
    """How the simulated panels came about."""
    size = counted(result.subjects, result.ratings)
    if result.by_rater:
        return _("N = {size}. Bars: panels in which each {rater}’s {ratings} fell on {subjects} at random.").format(
            size=size
        )
    return _("N = {size}; {model} model. Bars: panels simulated at the observed rates.").format(
        size=size, model=result.model
    )


def horizon(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its picture: how large root kappa gets without any information."""
    result = yield from luck.horizon(ratings, _HORIZON, fit.seed)
    return (horizon_figure(result, ratings),)


def horizon_figure(result: Horizon, ratings: Ratings) -> Figure:
    """Simulated root kappas where there is one, the 95 % horizon, and where the real one stands."""
    roots = np.sqrt(result.draws[result.draws > 0])
    limit = result.quantiles["0.95"]
    seen = result.root_kappa
    # Where luck makes no root at all there is still an axis.
    reach = max(float(roots.max(initial=0.0)), limit, seen or 0.0, _NO_ROOT)
    high = min(1.0, float(np.ceil(10 * reach * 1.05)) / 10)
    heights, edges = np.histogram(roots, _BINS, (0.0, high))
    share = heights / result.draws.size
    words = words_chance.horizon(result, SCREEN)
    note = _(
        "N = {size}. Bars: {k} panels simulated at the observed rates without any information; {negative} of them have "
        "no root, for their kappa is not above 0."
    ).format(
        size=counted(ratings.subject_count, ratings.rating_count),
        k=numbers.count(result.draws.size),
        negative=numbers.percent(float((result.draws <= 0).mean())),
    )
    here = [] if seen is None else [Mark(_("these {ratings}"), seen, role=Role.CLASSICAL)]
    return histogram(
        "horizon",
        _horizon_title(limit, seen),
        Axis(_("root of Fleiss’ kappa"), 0.0, high),
        Axis(_("share of simulated panels"), 0.0, max(1.15 * float(share.max()), 0.02), percent=True),
        edges,
        share,
        role=Role.REFERENCE,
        alt=_("Root of Fleiss’ kappa in {n} simulated panels. {words}").format(
            n=numbers.count(result.draws.size), words=words
        ),
        note=joined(note, words_chance.repeated() if result.repeated else ""),
        marks=[Mark(_("95 % horizon"), limit), *here],
    )


def _horizon_title(limit: float, seen: float | None) -> str:
    """How far luck reaches, and where these ratings stand; a root of 0 is none at all."""
    here = numbers.decimal(seen)
    if limit <= _NO_ROOT:
        if seen is None:
            return _("In 95 of 100 panels made by luck kappa is not above 0, and here it is not either")
        return _("In 95 of 100 panels made by luck kappa is not above 0; here its root is {value}").format(value=here)
    reach = numbers.decimal(limit)
    if seen is None:
        return _("In 95 of 100 panels made by luck √κ stays below {limit}; here kappa has no root").format(limit=reach)
    return _("In 95 of 100 panels made by luck √κ stays below {limit}; here it is {value}").format(
        limit=reach, value=here
    )


def paradox_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the panel cannot be drawn, or None."""
    del fit
    if ratings.subject.size and len(ratings.classes) > _TWO:
        return _("This picture is for two classes, and there are {n}: choose the counted class first.").format(
            n=len(ratings.classes)
        )
    return refusal(ratings)


def panel(_fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    result = yield from paradox(ratings)
    return pictures(result)


def pictures(result: Paradox) -> tuple[Figure, ...]:
    """Density of a with its modes, density of p - t, and the joint density of (a1, a0)."""
    size = _("N = {size}.").format(size=counted(result.subjects, result.ratings))
    panels = [_accuracy(result, size)]
    if result.one.guess_minus_truth is not None:
        panels.append(_difference(result.one.guess_minus_truth, size))
    if result.two.joint is not None:
        panels.append(_joint(result.two.joint, size))
    return tuple(panels)


def top(share: float) -> float:
    """The upper end of an axis of shares: the next round one above."""
    return next(end for end in _TOPS if end >= share or end == _TOPS[-1])


def _accuracy(result: Paradox, size: str) -> Figure:
    """The density of a: of two readings the ends stand out, and the mean is not told as an answer."""
    curve = next(curve for name, curve in result.one.marginals.items() if name.name == "a")
    edges = np.linspace(0.0, 1.0, _CELLS + 1)
    share = masses(curve, edges)
    stories = words_paradox.stories(result)
    high = top(1.15 * float(share.max()))
    over = [
        mark for letter, story in zip("AB", stories, strict=False) for mark in _side(letter, story, edges, share, high)
    ]
    belief = result.one.summary("a")
    title = _("The accuracy is near {at} ({low} to {high})").format(
        at=numbers.decimal(belief.modes[0].at),
        low=numbers.decimal(belief.hdi_low),
        high=numbers.decimal(belief.hdi_high),
    )
    marks = []
    if len(belief.modes) > 1:
        near = _("near {at} ({mass})")
        modes = (near.format(at=numbers.decimal(m.at), mass=numbers.percent(m.mass)) for m in belief.modes)
        peaks = joined(*modes, sep=_(" and "))
        title = _("The accuracy has peaks {peaks}: no single one is reported").format(peaks=peaks)
        marks = [Mark(_("mean {mean}: not reported").format(mean=numbers.decimal(belief.mean)), belief.mean)]
    return histogram(
        "paradox",
        title,
        Axis(_("accuracy a"), 0.0, 1.0, FIFTHS),
        Axis(_("share of the belief in each 0.05"), 0.0, high, percent=True),
        edges,
        share,
        role=Role.REFERENCE if stories else Role.MODEL,
        alt=_("Density of the accuracy. {title}. {words}").format(title=title, words=words_paradox.explained(result)),
        note=_("{size} Exact beliefs of t-a-p, flat priors. {words}").format(
            size=size, words=words_paradox.open_readings(result)
        ),
        over=over,
        marks=marks,
    )


def _side(letter: str, story: words_paradox.Story, edges: Floats, share: Floats, high: float) -> list[Bars | Words]:
    """The last tenth on the side of a reading, with its name and how much lies there."""
    at = slice(-_TENTH, None) if story.knows else slice(0, _TENTH)
    ends = edges[-_TENTH - 1 :] if story.knows else edges[: _TENTH + 1]
    role = Role.SECOND if story.knows else Role.MODEL
    x, tall = (0.78, 0.6) if story.knows else (0.2, 0.84)
    place = _("{share} above 0.9") if story.knows else _("{share} below 0.1")
    return [
        Bars("", ends, share[at], role),
        Words(_("Reading {letter}").format(letter=letter), np.array([x]), np.array([tall * high]), role),
        Words(
            place.format(share=numbers.percent(story.belief)),
            np.array([x]),
            np.array([(tall - 0.16) * high]),
            Role.REFERENCE,
        ),
    ]


def _guess_words(below: float) -> str:
    """Which way guesses lean, in words; ``below``: the probability that they say the counted class too seldom."""
    if abs(below - 0.5) < _OPEN:
        return _(
            "Whether guesses say the counted class more or less often than it is true is open ({below} less)"
        ).format(below=numbers.percent(below))
    title = (
        _("Guesses probably say the counted class less often than it is true (probability {share})")
        if below > 0.5
        else _("Guesses probably say the counted class more often than it is true (probability {share})")
    )
    return title.format(share=numbers.percent(max(below, 1 - below)))


def _difference(curve: Curve, size: str) -> Figure:
    below = float(between(curve, np.array([-1.0, 0.0]))[0])
    reach = next(r for r in _REACHES if float(between(curve, np.array([-r, r]))[0]) >= _HELD or r == _REACHES[-1])
    edges = np.linspace(-reach, reach, 2 * _CELLS + 1)
    share = between(curve, edges)
    title = _guess_words(below)
    ticks = tuple((x, Number(f"{x:g}").replace("-", "−")) for x in (-reach, -reach / 2, 0.0, reach / 2, reach))
    inside = float(share.sum())
    note = _("{size} Exact beliefs of t-a-p, flat priors.").format(size=size)
    if inside < 0.995:
        note = _("{note} Drawn: the middle {inside}.").format(note=note, inside=numbers.percent(inside))
    return histogram(
        "paradox",
        title,
        Axis("p − t", -reach, reach, ticks),
        Axis(_("share of the belief"), 0.0, top(1.2 * float(share.max())), percent=True),
        edges,
        share,
        alt=_("Density of p − t. {title}; {inside} lie within {reach} of 0.").format(
            title=title, inside=numbers.percent(inside), reach=Number(f"{reach:g}")
        ),
        note=note,
        marks=[Mark("p = t", 0.0)],
    )


def blocks(surface: JointDensity) -> Floats:
    """Shape (10, 10): share of a joint density in tenths by tenths, the highest y in row 0."""
    per = surface.density.shape[0] // BLOCKS
    shares = surface.density.reshape(BLOCKS, per, BLOCKS, per).sum(axis=(1, 3))
    floats: Floats = (shares / shares.sum()).T[::-1]
    return floats


def block_figure(kind: str, title: str, shares: Floats, alt: str, note: str = "") -> Figure:
    """The cells of `blocks` with their hundredths: a1 across, a0 up."""
    ticks = tuple((i - 0.5, Number(f"{i / BLOCKS:g}")) for i in range(0, BLOCKS + 1, 2))
    tenths = [(i / BLOCKS, (i + 1) / BLOCKS) for i in range(BLOCKS)]
    return heat(
        kind,
        title,
        (tenths[::-1], tenths),
        shares,
        (Axis("a1", -0.5, BLOCKS - 0.5, ticks), Axis("a0", -0.5, BLOCKS - 0.5, ticks)),
        lambda share: f"{100 * share:.0f}" if share >= _SEEN else "",
        note=note,
        alt=alt,
        ends=(0.0, float(shares.max())),
        role=Role.MODEL,
        value=DataColumn("value", _("Share"), Unit.SHARE),
    )


def _joint(surface: JointDensity, size: str) -> Figure:
    shares = blocks(surface)
    row, column = np.unravel_index(int(shares.argmax()), shares.shape)
    title = _("With an accuracy for each class: most often a1 in {x} and a0 in {y} ({share})").format(
        x=_tenth(int(column)), y=_tenth(BLOCKS - 1 - int(row)), share=numbers.percent(float(shares.max()))
    )
    note = _(
        "{size} Hundredths of the exact belief of t-a0a1-p, flat priors; empty: less than a "
        "half. The data never determine two accuracies: along what they leave open this is "
        "the prior’s answer."
    ).format(size=size)
    alt = _("Joint density of the accuracies in hundredths. {title}.").format(title=title)
    return block_figure("paradox", title, shares, alt, note)


def _tenth(at: int) -> str:
    return _("{low} to {high}").format(low=Number(f"{at / BLOCKS:g}"), high=Number(f"{(at + 1) / BLOCKS:g}"))
