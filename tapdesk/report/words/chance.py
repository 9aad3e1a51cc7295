"""Whether luck could look like these ratings, in sentences (models.md §8)."""

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.numbers import Style
from tapdesk.report.words.nouns import PLAIN, Nouns
from tapdesk.studies.chance import Chance, Horizon

_NOTHING = 0.005  # reads 0.00


def verdict(found: Chance, nouns: Nouns = PLAIN) -> str:
    """The verdict of the likelihood ratio against accuracy 0."""
    test = found.test
    reached = round(test.p_bootstrap * (1 + test.replicates)) - 1
    fields = {
        "ratings": nouns.ratings,
        "raters": nouns.raters,
        "n": numbers.count(reached),
        "all": numbers.count(test.replicates),
    }
    if found.more_than_chance:
        if not reached:
            return _(
                "More than chance: of {all} simulated panels whose {ratings} carry no information at all, none "
                "looked as informed as this one."
            ).format(**fields)
        return _(
            "More than chance: of {all} simulated panels whose {ratings} carry no information at all, only {n} "
            "looked as informed as this one."
        ).format(**fields)
    return _(
        "Within chance: of {all} simulated panels whose {ratings} carry no information at all, {n} looked as "
        "informed as this one. These {ratings} cannot be told from chance. All {raters} share one accuracy in this "
        "test: {raters} who contradict each other look like chance as well."
    ).format(**fields)


def horizon(found: Horizon, style: Style, nouns: Nouns = PLAIN) -> str:
    """How far luck alone reaches on the scale of the root of Fleiss' kappa."""
    limit = found.quantiles.get("0.95")
    if limit is not None and limit < _NOTHING:
        return _(
            "Noise horizon: with this many {subjects} and {ratings}, 95 times in 100 luck alone gives a Fleiss’ kappa "
            "of 0 or below."
        ).format(subjects=nouns.subjects, ratings=nouns.ratings)
    told = _(
        "Noise horizon: with this many {subjects} and {ratings}, 95 times in 100 luck alone keeps the square root of "
        "Fleiss’ kappa below {limit}."
    ).format(subjects=nouns.subjects, ratings=nouns.ratings, limit=numbers.decimal(limit, style))
    if found.root_kappa is None:
        return _("{told} Here kappa is negative or undefined, so it has no root.").format(told=told)
    said = _("{told} Here it is {value}.").format(told=told, value=numbers.decimal(found.root_kappa, style))
    return f"{said} {repeated(nouns)}" if found.repeated else said


def repeated(nouns: Nouns = PLAIN) -> str:
    """Why the root of kappa beside its horizon is another one than that of the coefficient."""
    return _(
        "A {rater} repeats {subjects} here: each of these {ratings} counts by itself, and not as one vote as in the "
        "coefficient, so its root is another number."
    ).format(rater=nouns.rater, subjects=nouns.subjects, ratings=nouns.ratings)
