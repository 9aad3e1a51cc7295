"""Tables of what a model foretells against what was seen, and of what its raters and votes are worth."""

from collections.abc import Sequence

import numpy as np

from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.numbers import SCREEN, Style
from tapdesk.report.report import Align, Column, Number, Table
from tapdesk.report.tables import cells
from tapdesk.report.words.checks import clearest_first
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.chance import Chance, Horizon
from tapdesk.studies.distribution import Shares
from tapdesk.studies.independence import Independence
from tapdesk.studies.planning import Votes
from tapdesk.studies.rater_diagnostics import Calibration

RIGHT = Align.RIGHT
# So many rows are printed; a workbook holds all.
MOST_ROWS = 12
_PLACES = 3
_FEW = 0.01


def calibrated(
    found: Sequence[tuple[str, Calibration]], *, raters: bool, style: Style = SCREEN, nouns: Nouns = PLAIN
) -> Table:
    """What the model says of raters or of groups of ratings against what was seen.

    Groups of one class are ordered by what the model says, all else by how far the two are apart.

    Parameters
    ----------
    found
        Class and what was found of it.
    raters
        Whether each row is a rater; a group of ratings otherwise.
    style, nouns
        How numbers are written, and what raters and ratings are called.
    """
    by_distance = raters or len(found) > 1
    rows = []
    for label, one in found:
        for at in range(len(one.names)):
            seen = Estimate(float(one.observed[at]))
            # None or all: two times nothing would claim that the share is known for certain.
            if 0 < one.observed[at] < 1:
                seen = Estimate(float(one.observed[at]), low=float(one.low[at]), high=float(one.high[at]))
            row = (
                one.names[at],
                cells.count(float(one.count[at])),
                cells.decimal(float(one.modelled[at]), style),
                cells.decimal(seen.value, style),
                cells.interval(seen, style),
            )
            shown = row if len(found) == 1 else (row[0], numbers.short(label, 30), *row[1:])
            rows.append((abs(float(one.observed[at] - one.modelled[at])), shown))
    if by_distance:
        rows.sort(key=lambda row: -row[0])
    first = Column(_upper(nouns.rater), wide=True) if raters else Column(_("Group"), wide=True)
    heads = [
        first,
        Column(_upper(nouns.ratings), RIGHT),
        Column(_("By the model"), RIGHT),
        Column(_("Seen"), RIGHT),
        Column(_("Two SE"), RIGHT),
    ]
    if len(found) > 1:
        heads.insert(1, Column(_("Class"), wide=True))
    title = _("Share of each class, by the model and as seen")
    if len(found) == 1:
        title = _("Share of “{label}”, by the model and as seen").format(label=numbers.short(found[0][0], 40))
    note = _("Two SE: seen, plus and minus two standard errors; a dash where all or none are in the class.")
    ordered = _("What is furthest from the model comes first.")
    if not by_distance:
        ordered = _("Groups of {ratings} by what the model says of them, the least probable first.").format(
            ratings=nouns.ratings
        )
    return Table(title, tuple(heads), tuple(row for _apart, row in rows), f"{ordered} {note}", most=MOST_ROWS)


def voted(found: Votes) -> Table:
    """How often a vote of so many ratings is right, and the best that any rule can do."""
    rows = tuple(
        (cells.count(float(r)), cells.percent(float(v)), cells.percent(float(m)), cells.percent(float(c)))
        for r, v, m, c in zip(found.ratings, found.plurality, found.model, found.certain, strict=True)
    )
    return Table(
        _("How often a vote would be right"),
        (
            Column(_("Ratings of a case"), wide=True),
            Column(_("Vote right"), RIGHT),
            Column(_("Best rule right"), RIGHT),
            Column(_("Cases at least 95 % sure"), RIGHT),
        ),
        rows,
        _(
            "Vote: the class with most ratings, ties broken by lot. Best rule: the class that is likeliest by the "
            "model. The estimates are taken as known."
        ),
    )


def entropies(names: Sequence[str], found: Sequence[Estimate], style: Style = SCREEN, nouns: Nouns = PLAIN) -> Table:
    """How much a rating of each rater leaves open, the clearest first."""
    silent = [i for i, e in enumerate(found) if e.value is None]
    rows = tuple(
        (names[i], cells.decimal(found[i].value, style, _PLACES), cells.interval(found[i], style))
        for i in (*clearest_first(found), *silent)
    )
    note = _(
        "0: always right; 1: the {ratings} say nothing. All true classes are taken as equally common. CI: over the "
        "interval of the accuracy of the {rater}, guesses as estimated; a dash where it has none."
    ).format(ratings=nouns.ratings, rater=nouns.rater)
    if silent:
        why = _("Without krits: who gave one {rating} only.").format(rating=nouns.rating)
        note = f"{note} {why}"
    level = next((e.level for e in found if e.level is not None), None)
    reach = _("CI") if level is None else _("{level} CI").format(level=numbers.level(level))
    return Table(
        _("How much a {rating} of each {rater} leaves open").format(rating=nouns.rating, rater=nouns.rater),
        (Column(_upper(nouns.rater), wide=True), Column(_("Krits"), RIGHT), Column(reach, RIGHT)),
        rows,
        note,
        most=MOST_ROWS,
    )


def independent(found: Independence, style: Style = SCREEN, nouns: Nouns = PLAIN) -> Table:
    """Every pair of raters against what the model makes of it, the most unusual first."""
    rows, called = [], numbers.shorts(found.raters, 30)
    for i in np.argsort(-np.abs(found.deviation), kind="stable"):
        # The mean of simulated panels can lie outside their middle 95 %.
        middle = (float(found.low[i]) + float(found.high[i])) / 2
        reach = Estimate(middle, low=float(found.low[i]), high=float(found.high[i]))
        one, other = called[found.first[i]], called[found.second[i]]
        rows.append(
            (
                _("{one} and {other}").format(one=one, other=other),
                cells.count(float(found.shared[i])),
                cells.decimal(float(found.observed[i]), style, _PLACES),
                cells.decimal(float(found.expected[i]), style, _PLACES),
                cells.interval(reach, style, _PLACES),
                cells.decimal(float(found.p_adjusted[i]), style, _PLACES),
            )
        )
    what = _("Seen: covariance of the two {raters}’ {ratings}.") if found.measure == "covariance" else ""
    what = what or _("Seen: share of shared {subjects} on which both give the same class.")
    told = what.format(raters=nouns.raters, ratings=nouns.ratings, subjects=nouns.subjects)
    return Table(
        _("Every pair of {raters}, the most unusual first").format(raters=nouns.raters),
        (
            Column(_("Pair"), wide=True),
            Column(_upper(nouns.subjects), RIGHT),
            Column(_("Seen"), RIGHT),
            Column(_("By the model"), RIGHT),
            Column(_("Middle 95 %"), RIGHT),
            Column(_("Chance"), RIGHT),
        ),
        tuple(rows),
        _(
            "{told} By the model, and the middle 95 %: of {sets} simulated panels. Chance: how often any pair at all "
            "would stand out as much if the model were true."
        ).format(told=told, sets=numbers.count(found.replicates)),
        most=MOST_ROWS,
    )


def surprising(found: Sequence[tuple[int, float]], ratings: Ratings, nouns: Nouns = PLAIN) -> Table:
    """The ratings that the model finds least probable given all others of their cases.

    Parameters
    ----------
    found
        Index and probability of each, the least probable first.
    ratings, nouns
        The data, and what cases, raters and ratings are called.
    """
    rows = []
    for at, probability in found:
        row = (
            ratings.subjects[ratings.subject[at]],
            ratings.raters[ratings.rater[at]],
            ratings.classes[ratings.category[at]],
            cells.percent(probability),
        )
        rows.append(row if ratings.raters_known else (row[0], *row[2:]))
    heads = [
        Column(_upper(nouns.subject), wide=True),
        Column(_upper(nouns.rater), wide=True),
        Column(_upper(nouns.rating), wide=True),
        Column(_("Expected"), RIGHT),
    ]
    return Table(
        _("The least expected {ratings}").format(ratings=nouns.ratings),
        tuple(heads) if ratings.raters_known else (heads[0], *heads[2:]),
        tuple(rows),
        _("Expected: how probable it is by the model, given all other {ratings} of the {subject}.").format(
            ratings=nouns.ratings, subject=nouns.subject
        ),
    )


def distributed(found: Sequence[tuple[str, Shares]], model: str, nouns: Nouns = PLAIN) -> Table:
    """How many of all cases have so many of their ratings in a class: as seen, by the model, by luck, by experts.

    Parameters
    ----------
    found
        Class and its shares.
    model
        Name of the model.
    nouns
        What cases and ratings are called.
    """
    every = np.concatenate([one.observed for _label, one in found])
    # Shares below one in a hundred would all read alike.
    places = 1 if ((every > 0) & (np.minimum(every, 1 - every) < _FEW)).any() else 0
    rows = []
    for label, one in found:
        able = one.expected.get("expert")
        for k, seen in enumerate(one.observed):
            row = (
                cells.count(k),
                cells.percent(float(seen), places),
                _between(float(one.low[k]), float(one.high[k]), places),
                cells.percent(float(one.expected[model][k]), places),
                cells.percent(float(one.expected["random"][k]), places),
                cells.percent(float(able[k]), places) if able is not None else numbers.DASH,
            )
            rows.append(row if len(found) == 1 else (numbers.short(label, 30), *row))
    heads = [
        Column(_("{ratings} in it").format(ratings=_upper(nouns.ratings))),
        Column(_("Seen"), RIGHT),
        Column(_("Re-draws"), RIGHT),
        Column(model, RIGHT),
        Column(_("Random"), RIGHT),
        Column(_("Experts"), RIGHT),
    ]
    title = _("Share of {subjects} by how many {ratings} are in a class")
    if len(found) == 1:
        title = _("Share of {subjects} by how many {ratings} say “{label}”")
    else:
        heads.insert(0, Column(_("Class"), wide=True))
    return Table(
        title.format(subjects=nouns.subjects, ratings=nouns.ratings, label=numbers.short(found[0][0], 40)),
        tuple(heads),
        tuple(rows),
        _("N = {n} of {all} {subjects}. Re-draws: where 95 of 100 re-draws of these put the share seen.").format(
            n=numbers.count(found[0][1].subjects), all=numbers.count(found[0][1].of), subjects=nouns.subjects
        ),
        most=MOST_ROWS,
    )


def _between(low: float, high: float, places: int = 0) -> Number:
    """Two shares in per cent, the ends of a range."""
    ends = (cells.percent(low, places), cells.percent(high, places))
    return Number(_("{low} to {high}").format(low=ends[0], high=ends[1]), low, high)


def luck(test: Chance | None, horizon: Horizon | None, style: Style = SCREEN) -> Table:
    """What the words on chance rest on: the likelihood ratio and root kappa, of these ratings and of simulated ones."""
    rows: list[tuple[str, ...]] = []
    if test is not None:
        told = test.test
        most = cells.large(told.quantiles.get("0.95"), 2)
        rows.append((_("Likelihood ratio against accuracy 0"), cells.large(told.statistic, 2), most))
    if horizon is not None:
        most = cells.decimal(horizon.quantiles.get("0.95"), style)
        rows.append((_("Root of Fleiss’ kappa"), cells.decimal(horizon.root_kappa, style), most))
    sets = {test.test.replicates if test is not None else 0, horizon.replicates if horizon is not None else 0} - {0}
    return Table(
        _("These ratings, and simulated panels without information"),
        (
            Column("", wide=True),
            Column(_("These ratings"), RIGHT),
            Column(_("95 of 100 panels below"), RIGHT),
        ),
        tuple(rows),
        _("Of {sets} simulated panels each. A dash: kappa is negative or undefined.").format(
            sets=_(" and ").join(numbers.count(n) for n in sorted(sets))
        ),
    )


def _upper(word: str) -> str:
    return word[:1].upper() + word[1:]
