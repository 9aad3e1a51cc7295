"""The catalog of pictures: each a function from a fit and its ratings to figures."""

from collections.abc import Callable
from dataclasses import dataclass
from gettext import gettext as _

from tapdesk.errors import CannotAnswerError, UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import figures_data, figures_pairs, figures_profile, figures_search
from tapdesk.report.figure import Figure


@dataclass(frozen=True, slots=True)
class Picture:
    """One row of the catalog.

    Attributes
    ----------
    kind
        Its name on the command line and in project files.
    title
        What it answers, a short question.
    needs
        None when the picture can be drawn, else the sentence why not.
    draw
        The figures, one for each panel.
    """

    kind: str
    title: str
    needs: Callable[[Fit, Ratings], str | None]
    draw: Callable[[Fit, Ratings], tuple[Figure, ...]]


FIGURES: tuple[Picture, ...] = (
    Picture("estimates", _("What are the numbers?"), figures_search.estimates_needs, figures_search.estimates),
    Picture(
        "distribution",
        _("Does the model look like the data?"),
        figures_data.distribution_needs,
        figures_data.distribution,
    ),
    Picture(
        "class_rates", _("How often was each class given?"), figures_data.class_rates_needs, figures_data.class_rates
    ),
    Picture(
        "parameters",
        _("How far would the numbers move?"),
        figures_search.parameters_needs,
        figures_search.parameters,
    ),
    Picture("profile", _("Which values fit almost as well?"), figures_profile.profile_needs, figures_profile.profile),
    Picture("pairs", _("Which raters agree with each other?"), figures_pairs.pairs_needs, figures_pairs.pairs),
    Picture("convergence", _("Did the search settle?"), figures_search.convergence_needs, figures_search.convergence),
)


def picture(kind: str) -> Picture:
    """The row of the catalog with this name.

    Raises
    ------
    UsageError
        When there is none; the names are listed.
    """
    for row in FIGURES:
        if row.kind == kind:
            return row
    known = ", ".join(row.kind for row in FIGURES)
    raise UsageError(
        _("There is no figure “{kind}”.").format(kind=kind), fix=_("The figures are: {known}.").format(known=known)
    )


def figures(kind: str, fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The figures of one kind, one for each panel.

    Raises
    ------
    UsageError
        When there is no such kind.
    CannotAnswerError
        When these data or this fit do not support it; says why.
    """
    row = picture(kind)
    reason = row.needs(fit, ratings)
    if reason is not None:
        raise CannotAnswerError(reason)
    return row.draw(fit, ratings)
