"""Whether the model holds: sentences and tables of the checks."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import cells, differences, numbers
from tapdesk.answers.content import Align, Column, Number, Table
from tapdesk.answers.fit_words import size
from tapdesk.answers.numbers import REPORT, SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.design_study import Votes
from tapdesk.studies.differences import Difference, Differences
from tapdesk.studies.distribution import Shares
from tapdesk.studies.rater_diagnostics import Calibration
from tapdesk.studies.rater_pairs import Independence

_RARE = 0.05


def calibrated(calibrations: Sequence[Calibration], *, raters: bool, style: Style = REPORT) -> str:
    """How far what the model says is from what was seen, and how often further than luck explains."""
    outside = sum(int(beyond(one).sum()) for one in calibrations)
    every = sum(len(one.names) for one in calibrations)
    weight = np.array([float(one.count.sum()) for one in calibrations])
    apart = float(np.average([one.mean_absolute_error for one in calibrations], weights=weight))
    sentence = _("On average the share of a class by the model and the one seen are {apart} apart.").format(
        apart=numbers.decimal(apart, style, 3)
    )
    what = _("{raters}") if raters else _("groups of {ratings}")
    if raters and len(calibrations) > 1:
        what = _("pairs of {rater} and class")
    if every == 1:
        more = _("That is no further than two standard errors.")
        more = _("That is further than two standard errors.") if outside else more
    elif not outside:
        more = _("Of {every} {what} none is further off than two standard errors.")
    else:
        more = ngettext(
            "Of {every} {what} {outside} is further off than two standard errors; about {luck} would be by luck alone.",
            "Of {every} {what} {outside} are further off than two standard errors; about {luck} would be by luck "
            "alone.",
            outside,
        )
    more = more.format(every=numbers.count(every), what=what, outside=numbers.count(outside), luck=_by_luck(every))
    note = next((one.note for one in calibrations if one.note), "")
    return joined(sentence, more, note)


def dots(fit: Fit, *, raters: bool) -> str:
    """What a picture of a calibration shows."""
    kind = _("Each dot is one {rater}.")
    if not raters:
        kind = _(
            "Each dot is a group of {ratings} for which the model, given the other {ratings} of {a_subject}, says much "
            "the same."
        )
    return _("N = {size}; {model} model. {kind} Lines: two standard errors.").format(
        size=size(fit),
        model=fit.model.name,
        kind=kind.format(),
    )


def beyond(calibration: Calibration) -> NDArray[np.bool_]:
    """Shape (n,): which are further off than luck explains: two standard errors, or one time in twenty.

    Where all ratings or none are in the class there is no standard error; it is asked how often the model would make
    that.
    """
    away = (calibration.modelled < calibration.low) | (calibration.modelled > calibration.high)
    alike = np.where(calibration.observed > 0.5, calibration.modelled, 1 - calibration.modelled)
    edge = (calibration.observed <= 0) | (calibration.observed >= 1)
    return np.asarray(np.where(edge, np.clip(alike, 0.0, 1.0) ** calibration.count < _RARE, away), dtype=np.bool_)


def _by_luck(every: int) -> str:
    """How many of so many lie beyond two standard errors by luck."""
    expected = round(0.05 * every)
    return numbers.count(expected) if expected else _("one at most")


def most_telling_first(estimates: Sequence[Estimate]) -> list[int]:
    """Which raters have an information, the one whose ratings tell most first."""
    known = [(-e.value, i) for i, e in enumerate(estimates) if e.value is not None]
    return [i for _value, i in sorted(known)]


def too_few_informations() -> str:
    """Why it is not said whose ratings say most, where hardly anybody gave more than one."""
    return _("Fewer than two {raters} gave more than one {rating}, so they cannot be compared.")


def telling_apart(compared: Differences) -> Difference:
    """Of raters the two whose informations are furthest apart, or else the two that most clearly differ."""
    extremes = compared.extremes
    return extremes if extremes.clear else compared.clearest or extremes


def informations(
    fit: Fit, estimates: Sequence[Estimate], names: Sequence[str], compared: Differences | None, style: Style = REPORT
) -> str:
    """Whose ratings say more than another's, by the difference of the two.

    Parameters
    ----------
    fit, estimates
        The fit, and the information of each of its raters.
    names, compared
        The raters set against each other and how they differ; None where that was not worked out.
    style
        How numbers are written.
    """
    of = dict(zip(fit.raters, estimates, strict=True))
    called = dict(zip(fit.raters, numbers.shorts(fit.raters, 40), strict=True))
    order = most_telling_first(estimates)
    first, last, rests = fit.raters[order[0]], fit.raters[order[-1]], ""
    words = _(
        "{A_rating} of {last} settles {least} of what is open about {a_subject}, one of {first} {most}; whether that "
        "is more than luck was not worked out."
    )
    if compared is not None:
        one = telling_apart(compared)
        first, last, rests = names[one.higher], names[one.lower], differences.words(one, compared.level, style)
        words = _("No {rater}’s {ratings} clearly tell more: {least} of {last} to {most} of {first}.")
        if one.clear:
            words = _(
                "{A_rating} of {first} settles more of what is open about {a_subject} ({most}) than one of {last} "
                "({least})."
            )
    sentence = words.format(
        first=called[first],
        last=called[last],
        least=_reaching(of[last], style),
        most=_reaching(of[first], style),
    )
    scale = _("1 would be {a_rater} who is always right, 0 one whose {ratings} say nothing.").format()
    return joined(sentence, rests, scale)


def _reaching(estimate: Estimate, style: Style) -> str:
    """A number with its interval, where it has one."""
    value = numbers.decimal(estimate.value, style)
    if estimate.low is None or estimate.high is None:
        return value
    return _("{value}, {low} to {high}").format(
        value=value, low=numbers.decimal(estimate.low, style), high=numbers.decimal(estimate.high, style)
    )


def no_informations() -> str:
    """Why it is not told whose ratings say most."""
    return _(
        "Whose {ratings} say most is not reported: how often {a_rating} follows its {subject} is known too roughly, or "
        "cannot be told from chance."
    )


def no_votes() -> str:
    """Why it is not told how often a vote is right."""
    return _(
        "How often a vote is right is not reported: how often {a_rating} follows its {subject} is known too roughly, "
        "or cannot be told from chance."
    )


def no_votes_of_one_accuracy() -> str:
    """Why it is not told how often a vote is right where raters or cases are not alike."""
    return _(
        "How often a vote is right is not reported: it would be worked out from one accuracy, and one does not "
        "describe these {ratings}."
    )


RIGHT = Align.RIGHT
# So many rows are printed; a workbook holds all.
MOST_ROWS = 12
_PLACES = 3
_FEW = 0.01


def calibration_table(items: Sequence[tuple[str, Calibration]], *, raters: bool, style: Style = SCREEN) -> Table:
    """What the model says of raters or of groups of ratings against what was seen.

    Groups of one class are ordered by what the model says, all else by how far the two are apart.

    Parameters
    ----------
    items
        Class and what was found of it.
    raters
        Whether each row is a rater; a group of ratings otherwise.
    style
        How numbers are written.
    """
    by_distance = raters or len(items) > 1
    rows = []
    for label, one in items:
        for at in range(len(one.names)):
            seen = Estimate(float(one.observed[at]))
            # None or all: two times nothing would claim that the share is known for certain.
            if 0 < one.observed[at] < 1:
                seen = Estimate(float(one.observed[at]), low=float(one.low[at]), high=float(one.high[at]))
            row = (
                one.names[at],
                cells.count(float(one.count[at])),
                cells.decimal(float(one.modelled[at]), style),
                cells.value(seen, style),
                cells.interval(seen, style),
            )
            shown = row if len(items) == 1 else (row[0], numbers.short(label, 30), *row[1:])
            rows.append((abs(float(one.observed[at] - one.modelled[at])), shown))
    if by_distance:
        rows.sort(key=lambda row: -row[0])
    first = Column(_("{Rater}"), wide=True) if raters else Column(_("Group"), wide=True)
    heads = [
        first,
        Column(_("{Ratings}"), RIGHT),
        Column(_("By the model"), RIGHT),
        Column(_("Seen"), RIGHT),
        Column(_("Two SE"), RIGHT),
    ]
    if len(items) > 1:
        heads.insert(1, Column(_("Class"), wide=True))
    title = _("Share of each class, by the model and as seen")
    if len(items) == 1:
        title = _("Share of “{label}”, by the model and as seen").format(label=numbers.short(items[0][0], 40))
    note = _("Two SE: seen, plus and minus two standard errors; a dash where all or none are in the class.")
    ordered = _("What is furthest from the model comes first.")
    if not by_distance:
        ordered = _("Groups of {ratings} by what the model says of them, the least probable first.")
    return Table(title, tuple(heads), tuple(row for _apart, row in rows), joined(ordered, note), most=MOST_ROWS)


def voted(votes: Votes) -> Table:
    """How often a vote of so many ratings is right, and the best that any rule can do."""
    rows = tuple(
        (cells.count(float(r)), cells.percent(float(v)), cells.percent(float(m)), cells.percent(float(c)))
        for r, v, m, c in zip(votes.ratings, votes.plurality, votes.model, votes.certain, strict=True)
    )
    return Table(
        _("How often a vote would be right"),
        (
            Column(_("{Ratings} of {a_subject}"), wide=True),
            Column(_("Vote right"), RIGHT),
            Column(_("Best rule right"), RIGHT),
            Column(_("{Subjects} at least 95 % sure"), RIGHT),
        ),
        rows,
        _(
            "Vote: the class with most {ratings}, ties broken by lot. Best rule: the class that is likeliest by the "
            "model. The estimates are taken as known."
        ),
    )


def information_table(names: Sequence[str], estimates: Sequence[Estimate], style: Style = SCREEN) -> Table:
    """How much a rating of each rater tells, the most telling first."""
    silent = [i for i, e in enumerate(estimates) if e.value is None]
    rows = tuple(
        (names[i], cells.decimal(estimates[i].value, style, _PLACES), cells.interval(estimates[i], style))
        for i in (*most_telling_first(estimates), *silent)
    )
    note = _(
        "The share of what is open about {a_subject} that one {rating} settles, I(T; C) / "
        "H(T). 1: always right; 0: the {ratings} say nothing. Intervals: over the interval "
        "of the accuracy of the {rater}, truth and guesses as estimated; a dash where it has "
        "none."
    )
    if silent:
        why = _("Without a number: who gave one {rating} only.")
        note = joined(note, why)
    level = next((e.level for e in estimates if e.level is not None), None)
    reach = _("Interval") if level is None else _("{level} interval").format(level=numbers.level(level))
    return Table(
        _("How much {a_rating} of each {rater} tells"),
        (Column(_("{Rater}"), wide=True), Column(_("Information"), RIGHT), Column(reach, RIGHT)),
        rows,
        note,
        most=MOST_ROWS,
    )


def independent(independence: Independence, style: Style = SCREEN) -> Table:
    """Every pair of raters against what the model makes of it: `Independence.words` says who stands out."""
    rows, called = [], numbers.shorts(independence.raters, 30)
    for i in range(independence.observed.size):
        # The mean of simulated panels can lie outside their middle 95 %.
        middle = (float(independence.low[i]) + float(independence.high[i])) / 2
        reach = Estimate(middle, low=float(independence.low[i]), high=float(independence.high[i]))
        one, other = called[independence.first[i]], called[independence.second[i]]
        rows.append(
            (
                _("{one} and {other}").format(one=one, other=other),
                cells.count(float(independence.shared[i])),
                cells.decimal(float(independence.observed[i]), style, _PLACES),
                cells.decimal(float(independence.expected[i]), style, _PLACES),
                cells.interval(reach, style),
            )
        )
    what = _("Seen: covariance of the two {raters}’ {ratings}.") if independence.measure == "covariance" else ""
    what = what or _("Seen: share of shared {subjects} on which both give the same class.")
    sentence = what.format()
    return Table(
        _("Every pair of {raters}"),
        (
            Column(_("Pair"), wide=True),
            Column(_("{Subjects}"), RIGHT),
            Column(_("Seen"), RIGHT),
            Column(_("By the model"), RIGHT),
            Column(_("Middle 95 %"), RIGHT),
        ),
        tuple(rows),
        _(
            "{told} Middle 95 %: around the number by the model, how far {sets} panels made by it lie from the model "
            "once it is fitted to them as well; one pair in twenty lies outside by luck. No more panels are made once "
            "it is settled that no pair stands out, which is wrong at most once in 1,000 reports."
        ).format(told=sentence, sets=numbers.count(independence.replicates)),
        most=MOST_ROWS,
    )


def surprising(items: Sequence[tuple[int, float]], ratings: Ratings) -> Table:
    """The ratings that the model finds least probable given all others of their cases.

    Parameters
    ----------
    items
        Index and probability of each, the least probable first.
    ratings
        The data, and what cases, raters and ratings are called.
    """
    rows = []
    for at, probability in items:
        row = (
            ratings.subjects[ratings.subject[at]],
            ratings.raters[ratings.rater[at]],
            ratings.classes[ratings.category[at]],
            cells.percent(probability),
        )
        rows.append(row if ratings.raters_known else (row[0], *row[2:]))
    heads = [
        Column(_("{Subject}"), wide=True),
        Column(_("{Rater}"), wide=True),
        Column(_("{Rating}"), wide=True),
        Column(_("Expected"), RIGHT),
    ]
    return Table(
        _("The least expected {ratings}"),
        tuple(heads) if ratings.raters_known else (heads[0], *heads[2:]),
        tuple(rows),
        _("Expected: how probable it is by the model, given all other {ratings} of the {subject}."),
    )


def distributed(items: Sequence[tuple[str, Shares]], model: str) -> Table:
    """How many of all cases have so many of their ratings in a class: as seen, by the model, by luck, by experts.

    Parameters
    ----------
    items
        Class and its shares.
    model
        Name of the model.
    """
    every = np.concatenate([one.observed for _label, one in items])
    # Shares below one in a hundred would all read alike.
    places = 1 if ((every > 0) & (np.minimum(every, 1 - every) < _FEW)).any() else 0
    rows = []
    for label, one in items:
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
            rows.append(row if len(items) == 1 else (numbers.short(label, 30), *row))
    heads = [
        Column(_("{Ratings} in it")),
        Column(_("Seen"), RIGHT),
        Column(_("Resamples"), RIGHT),
        Column(model, RIGHT),
        Column(_("Random"), RIGHT),
        Column(_("Experts"), RIGHT),
    ]
    title = _("Share of {subjects} by how many {ratings} are in a class")
    if len(items) == 1:
        title = _("Share of {subjects} by how many {ratings} say “{label}”")
    else:
        heads.insert(0, Column(_("Class"), wide=True))
    return Table(
        title.format(label=numbers.short(items[0][0], 40)),
        tuple(heads),
        tuple(rows),
        _("N = {part}. Resamples: where 95 of 100 resamples of these put the share seen.").format(
            part=numbers.of_all(items[0][1].subjects, items[0][1].of, "subjects")
        ),
        most=MOST_ROWS,
    )


def _between(low: float, high: float, places: int = 0) -> Number:
    """Two shares in per cent, the ends of a range."""
    ends = (cells.percent(low, places), cells.percent(high, places))
    return Number(_("{low} to {high}").format(low=ends[0], high=ends[1]), low, high)
