"""Could this be chance, and does the model look like the data: the sentences."""

from typing import TYPE_CHECKING

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.fitting.fit import BootstrapTest
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.likelihood_ratio import follows_anything

if TYPE_CHECKING:
    from tapdesk.studies.chance import Chance, Horizon

_NOTHING = 0.005  # reads 0.00


def verdict(chance: "Chance") -> str:
    """The verdict of the likelihood ratio against accuracy 0."""
    test = chance.test
    reached = round(test.p_bootstrap * (1 + test.replicates)) - 1
    fields = {
        "n": numbers.count(reached),
        "all": numbers.count(test.replicates),
    }
    if chance.more_than_chance:
        if not reached:
            return _(
                "More than chance: of {all} simulated panels whose {ratings} carry no information at all, none "
                "looked as informed as this one."
            ).format(**fields)
        return _(
            "More than chance: of {all} simulated panels whose {ratings} carry no information at all, only {n} "
            "looked as informed as this one."
        ).format(**fields)
    within = _(
        "Within chance: of {all} simulated panels whose {ratings} carry no information at all, {n} looked as "
        "informed as this one. These {ratings} cannot be told from chance."
    ).format(**fields)
    shared = _(
        "All {raters} share one accuracy in this test: {raters} who contradict each other look like chance as well."
    )
    return joined(within, "" if chance.by_rater else shared.format(), noticed(chance))


def noticed(chance: "Chance") -> str:
    """How often a panel of this size would be told from chance if its raters knew something; empty if not looked at."""
    if chance.power is None:
        return ""
    from tapdesk.studies.chance import NOTICED  # late: few answers ask it

    return _(
        "If the classes are truly as common as in these {ratings}, a panel of this size would notice an accuracy of "
        "{accuracy} {often}; if one of them is rarer, less often. What was not noticed may be there."
    ).format(accuracy=numbers.decimal(NOTICED), often=numbers.often(chance.power))


def statistic_name(chance: "Chance") -> str:
    """What the test compares."""
    shared = _("Strength of the pattern that {raters} share")
    return (shared if chance.by_rater else _("Likelihood ratio against accuracy 0")).format()


def horizon(result: "Horizon", style: Style) -> str:
    """How far luck alone reaches on the scale of the root of Fleiss' kappa."""
    limit = result.quantiles.get("0.95")
    if limit is not None and limit < _NOTHING:
        return _("By luck alone a panel of this size gives a Fleiss’ kappa of 0 or below in 95 of 100 trials.")
    text = _(
        "By luck alone a panel of this size keeps the square root of Fleiss’ kappa below {limit} in 95 of 100 trials."
    ).format(limit=numbers.decimal(limit, style))
    if result.root_kappa is None:
        return _("{told} Here kappa is negative or undefined, so it has no root.").format(told=text)
    sentence = _("{told} Here it is {value}.").format(told=text, value=numbers.decimal(result.root_kappa, style))
    return joined(sentence, repeated()) if result.repeated else sentence


def repeated() -> str:
    """Why the root of kappa beside its horizon is another one than that of the coefficient."""
    return _(
        "{A_rater} repeats {subjects} here: each of these {ratings} counts by itself, and not as one vote as in the "
        "coefficient, so its root is another number."
    )


# Not rare enough to reject, too rare to call a fit.
_HINT = 0.1


def misfit(test: BootstrapTest, level: float = 0.05, *, unlike: bool = False, paired: bool = False) -> str:
    """How large the misfit is, how many data sets made by the model fit as badly or worse, and what follows.

    Parameters
    ----------
    test
        The test of fit.
    level
        Below which p-value it rejects.
    unlike
        Whether raters differ, which the counts of the classes do not show.
    paired
        Whether some pairs of raters agree too often, which they do not show either.
    """
    sentence = _("Fit: G² = {value}; {part} data sets made by the model fit as badly or worse.").format(
        value=numbers.large(test.statistic, 2), part=numbers.of_all(test.reached, test.replicates)
    )
    if test.p_bootstrap < level:
        return _(
            "{told} So the model misses something about these {ratings}. If some {subjects} are harder than others, "
            "the accuracy is probably too high."
        ).format(told=sentence)
    if follows_anything(test):
        return _(
            "{told} With so few {ratings} of each {subject} it can follow almost any data, so this proves nothing."
        ).format(told=sentence)
    if unlike:
        return _(
            "{told} The counts of the classes look like what the model makes, but who gave which {rating} is not in "
            "them, and the {raters} differ."
        ).format(told=sentence)
    if paired:
        return _(
            "{told} The counts of the classes look like what the model makes, but who gave which {rating} is not in "
            "them, and some {raters} agree more often than it explains."
        ).format(told=sentence)
    if test.p_bootstrap < _HINT:
        return _("{told} So large a misfit is not frequent, but luck makes it at times.").format(told=sentence)
    return _("{told} The {ratings} look like what the model makes.").format(told=sentence)


def luck_table(test: "Chance | None", horizon: "Horizon | None", style: Style = SCREEN) -> Table:
    """What the words on chance rest on: the likelihood ratio and root kappa, of these ratings and of simulated ones."""
    rows: list[tuple[str, ...]] = []
    if test is not None:
        words = test.test
        most = cells.large(words.quantiles.get("0.95"), 2)
        rows.append((statistic_name(test), cells.large(words.statistic, 2), most))
    if horizon is not None:
        most = cells.decimal(horizon.quantiles.get("0.95"), style)
        rows.append((_("Root of Fleiss’ kappa"), cells.decimal(horizon.root_kappa, style), most))
    sets = {test.test.replicates if test is not None else 0, horizon.replicates if horizon is not None else 0} - {0}
    return Table(
        _("These {ratings}, and simulated panels without information"),
        (
            Column("", wide=True),
            Column(_("These {ratings}"), Align.RIGHT),
            Column(_("95 of 100 panels below"), Align.RIGHT),
        ),
        tuple(rows),
        _("Of {sets} simulated panels each. A dash: kappa is negative or undefined.").format(
            sets=_(" and ").join(numbers.count(n) for n in sorted(sets))
        ),
    )
