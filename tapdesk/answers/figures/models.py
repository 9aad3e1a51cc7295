"""Pictures of the models of the sharing grid on the same ratings."""

from types import MappingProxyType

from tapdesk.answers import model_comparison as words
from tapdesk.answers import numbers
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.figures.agreement import dots
from tapdesk.answers.nouns import counted
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.model_comparison import GridComparison, compare_fits, grid_fits, mean_accuracy, nothing_to_compare


def models_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why there is nothing to fit other models to, or None."""
    del fit
    return nothing_to_compare(ratings)


def fitted(fit: Fit, ratings: Ratings) -> Run[tuple[Figure, ...]]:
    """The fits without the tests between them, and their picture."""
    found = yield from grid_fits(ratings, fit.seed)
    return (models(GridComparison(compare_fits(found), (), MappingProxyType({}))),)


def models(found: GridComparison, style: Style = SCREEN) -> Figure:
    """The accuracy under every model; filled is the one that follows the ratings best."""
    compared = found.comparison
    rows = []
    for i, row in enumerate(compared.rows):
        a = mean_accuracy(row.fit)
        if a is not None:
            rows.append((words.called(row.fit.model.name), a, Role.MODEL if i == compared.by_bic else Role.CLASSICAL))
    values = [e.value for _name, e, _role in rows if e.value is not None]
    title = _("No model determines the accuracy")
    if values:
        low, high = numbers.decimal(min(values), style), numbers.decimal(max(values), style)
        title = _("The accuracy is {low} to {high} under these models").format(low=low, high=high)
        if low == high:
            title = _("The accuracy is {value} under each of these models").format(value=low)
    if values and all(e.low is None for _name, e, _role in rows):
        title = _("{title}, told without intervals").format(title=title)
    fit = compared.rows[0].fit
    note = _(
        "N = {size}. {intervals} The mean where a model has several accuracies; a model that does not "
        "determine it is not drawn. {best}"
    ).format(
        size=counted(fit.subjects, fit.ratings),
        intervals=words.intervals([row.fit for row in compared.rows]),
        best=words.best(found),
    )
    return dots(rows, style, kind="models", title=title, note=note)
