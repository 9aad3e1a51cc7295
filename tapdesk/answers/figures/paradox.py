"""The kappa paradox in three pictures: what is known of a, of p - t, and of two accuracies together."""

import numpy as np

from tapdesk.answers import numbers
from tapdesk.answers import paradox as words_paradox
from tapdesk.answers.figure import Axis, Bars, Cells, Figure, Mark, Role, Words
from tapdesk.answers.nouns import counted
from tapdesk.fitting.fit import Curve, Fit, JointDensity
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.parameters import FloatArray as Floats
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.paradox import Paradox, between, masses, paradox, refusal

_CELLS, _TWO = 20, 2
# Cells in the last tenth of the scale.
_TENTH = 2
BLOCKS = 10
# How far to both sides p - t is drawn: the narrowest of these that holds most of it.
_REACHES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
_HELD = 0.7
_TOPS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0)


def paradox_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the panel cannot be drawn, or None."""
    del fit
    if ratings.subject.size and len(ratings.classes) > _TWO:
        return _("This picture is for two classes, and there are {n}: choose class 1 first.").format(
            n=len(ratings.classes)
        )
    return refusal(ratings)


def panel(_fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The study and its pictures."""
    found = yield from paradox(ratings)
    return pictures(found)


def pictures(found: Paradox) -> tuple[Figure, ...]:
    """Density of a with its modes, density of p - t, and the joint density of (a1, a0)."""
    size = _("N = {size}.").format(size=counted(found.subjects, found.ratings))
    panels = [_accuracy(found, size)]
    if found.one.guess_minus_truth is not None:
        panels.append(_difference(found.one.guess_minus_truth, size))
    if found.two.joint is not None:
        panels.append(_joint(found.two.joint, size))
    return tuple(panels)


def top(share: float) -> float:
    """The upper end of an axis of shares: the next round one above."""
    return next(end for end in _TOPS if end >= share or end == _TOPS[-1])


def _accuracy(found: Paradox, size: str) -> Figure:
    """The density of a: of two readings the ends stand out, and the mean is not told as an answer."""
    curve = next(curve for name, curve in found.one.marginals.items() if name.name == "a")
    edges = np.linspace(0.0, 1.0, _CELLS + 1)
    share = masses(curve, edges)
    told = words_paradox.stories(found)
    high = top(1.15 * float(share.max()))
    marks: list[Bars | Words | Mark] = [Bars("", edges, share, Role.REFERENCE if told else Role.MODEL)]
    for letter, story in zip("AB", told, strict=False):
        marks += _side(letter, story, edges, share, high)
    mean = found.one.summary("a").mean
    modes = found.one.summary("a").modes
    title = _("The accuracy is near {at}, between {low} and {high}").format(
        at=numbers.decimal(modes[0].at),
        low=numbers.decimal(found.one.summary("a").hdi_low),
        high=numbers.decimal(found.one.summary("a").hdi_high),
    )
    if len(modes) > 1:
        peaks = _(" and ").join(
            _("near {at} ({mass})").format(at=numbers.decimal(m.at), mass=numbers.percent(m.mass)) for m in modes
        )
        title = _("The accuracy has peaks {peaks}: no single one is reported").format(peaks=peaks)
        marks.append(Mark(_("mean {mean}: not reported").format(mean=numbers.decimal(mean)), mean))
    return Figure(
        kind="paradox",
        title=title,
        alt=_("Density of the accuracy. {title}. {words}").format(title=title, words=words_paradox.explained(found)),
        x=Axis(_("accuracy a"), 0.0, 1.0, tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))),
        y=Axis(_("share of the belief in each 0.05"), 0.0, high, percent=True),
        marks=tuple(marks),
        note=_("{size} Exact posterior of t-a-p, flat priors. {words}").format(
            size=size, words=words_paradox.open_readings(found)
        ),
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


def _difference(curve: Curve, size: str) -> Figure:
    below = float(between(curve, np.array([-1.0, 0.0]))[0])
    reach = next(r for r in _REACHES if float(between(curve, np.array([-r, r]))[0]) >= _HELD or r == _REACHES[-1])
    edges = np.linspace(-reach, reach, 2 * _CELLS + 1)
    share = between(curve, edges)
    title = _("Guesses say class 1 less often than the truth ({below}), or more often ({above})").format(
        below=numbers.percent(below), above=numbers.percent(1 - below)
    )
    ticks = tuple((x, f"{x:g}".replace("-", "−")) for x in (-reach, -reach / 2, 0.0, reach / 2, reach))
    inside = float(share.sum())
    note = _("{size} Exact posterior of t-a-p, flat priors.").format(size=size)
    if inside < 0.995:
        note = _("{note} Drawn: the middle {inside}.").format(note=note, inside=numbers.percent(inside))
    return Figure(
        kind="paradox",
        title=title,
        alt=_("Density of p − t. {title}; {inside} lie within {reach} of 0.").format(
            title=title, inside=numbers.percent(inside), reach=Number(f"{reach:g}")
        ),
        x=Axis("p − t", -reach, reach, ticks),
        y=Axis(_("share of the belief"), 0.0, top(1.2 * float(share.max())), percent=True),
        marks=(Bars("", edges, share, Role.MODEL), Mark("p = t", 0.0)),
        note=note,
    )


def blocks(surface: JointDensity) -> Floats:
    """Shape (10, 10): share of a joint density in tenths by tenths, the highest y in row 0."""
    per = surface.density.shape[0] // BLOCKS
    shares = surface.density.reshape(BLOCKS, per, BLOCKS, per).sum(axis=(1, 3))
    found: Floats = (shares / shares.sum()).T[::-1]
    return found


def block_cells(shares: Floats) -> tuple[Cells, Axis, Axis]:
    """The cells with their hundredths, and axes from 0 to 1 that fit them."""
    texts = tuple(tuple(f"{100 * v:.0f}" if v >= 0.005 else "" for v in row) for row in shares)
    ticks = tuple((i - 0.5, Number(f"{i / BLOCKS:g}")) for i in range(0, BLOCKS + 1, 2))
    cells = Cells("", shares, texts, 0.0, float(shares.max()), Role.MODEL)
    return cells, Axis("a1", -0.5, BLOCKS - 0.5, ticks), Axis("a0", -0.5, BLOCKS - 0.5, ticks)


def _joint(surface: JointDensity, size: str) -> Figure:
    shares = blocks(surface)
    cells, x, y = block_cells(shares)
    row, column = np.unravel_index(int(shares.argmax()), shares.shape)
    title = _("With an accuracy for each class: most often a1 in {x} and a0 in {y} ({share})").format(
        x=_tenth(int(column)), y=_tenth(BLOCKS - 1 - int(row)), share=numbers.percent(float(shares.max()))
    )
    return Figure(
        kind="paradox",
        title=title,
        alt=_("Joint density of the accuracies in hundredths. {title}.").format(title=title),
        x=x,
        y=y,
        marks=(cells,),
        note=_(
            "{size} Hundredths of the exact posterior of t-a0a1-p, flat priors; empty: less than a half. The data "
            "never determine two accuracies: along what they leave open this is the prior’s answer."
        ).format(size=size),
    )


def _tenth(at: int) -> str:
    return _("{low} to {high}").format(low=Number(f"{at / BLOCKS:g}"), high=Number(f"{(at + 1) / BLOCKS:g}"))
