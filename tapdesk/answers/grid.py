"""Tables of the tests between models, and of the same model in every group."""

from tapdesk.answers import cells, numbers
from tapdesk.answers import model_comparison as words
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.figures.models import accuracies, estimate_of
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.language import gettext as _
from tapdesk.studies.model_comparison import GridComparison
from tapdesk.studies.table import StudyTable as Studied

RIGHT = Align.RIGHT
# So many numbers of a model fit beside each other with their intervals.
_MOST_NUMBERS = 3


def tests(found: GridComparison) -> Table:
    """A question for every test between two models, how the ratings answer it, and the figures behind the answer."""
    rows = [
        (
            words.question(test.name),
            cells.large(test.statistic, 1),
            cells.count(round(test.p_bootstrap * (1 + test.replicates)) - 1),
            cells.count(test.replicates),
            _("Hardly") if test.rejects else _("It could"),
        )
        for test in found.tests
    ]
    rows += [
        (words.question(name), cells.large(None), cells.large(None), cells.large(None), why)
        for name, why in found.untested.items()
    ]
    return Table(
        _("What each model leaves out, tested on simulated panels"),
        (
            Column(_("Question"), wide=True),
            Column(_("Ratio"), RIGHT),
            Column(_("Reached by"), RIGHT),
            Column(_("Panels"), RIGHT),
            Column(_("Answer"), wide=True),
        ),
        tuple(rows),
        _(
            "Ratio: twice the gain in log-likelihood of the model that does without what is asked about. Reached by: "
            "how many simulated panels of which it is true have as large a ratio. A dash: not tested."
        ),
    )


def groups(table: Studied, interval: str, style: Style = SCREEN) -> Table:
    """Every group with its size and its numbers: all of a small model, else the accuracies.

    Parameters
    ----------
    table
        As `studies.groups.group_table` makes it.
    interval
        The kind of the intervals, in words.
    style
        How numbers are written.
    """
    by = table.columns[0]
    every = [c for c in table.columns if f"{c} low" in table.columns]
    names = every if len(every) <= _MOST_NUMBERS else accuracies(table)
    columns = [Column(by, wide=True), Column(_("{Subjects}"), RIGHT), Column(_("{Ratings}"), RIGHT)]
    for name in names:
        columns += [Column(name, RIGHT), Column(_("CI"), RIGHT)]
    rows, reasons = [], []
    for record in table.records():
        row = [str(record[by]), cells.count(float(str(record["cases"]))), cells.count(float(str(record["ratings"])))]
        for name in names:
            found = estimate_of(record, name)
            row += [cells.value(found, style), cells.interval(found, style)]
        rows.append(tuple(row))
        if record["why_not"]:
            reasons.append(f"{numbers.short(str(record[by]), 30)}: {record['why_not']}")
    note = _("Each group was fitted by itself. CI: {interval}. A dash: there is no such number.").format(
        interval=interval
    )
    if len(names) < len(every):
        note = _("{note} Only the accuracies are printed.").format(note=note)
    return Table(
        _("The answer in every group of “{column}”").format(column=numbers.short(by, 40)),
        tuple(columns),
        tuple(rows),
        " ".join((note, *reasons)),
    )
