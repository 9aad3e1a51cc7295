"""Checks of labelled values: one answer that some columns write as a label and others as the value behind it."""

from collections.abc import Iterator, Mapping

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import Finding, ask, listed, shortened


def label_findings(labels: Mapping[str, str], made: Assembled) -> Iterator[Finding]:
    """Classes that are the label of a value which is a class as well.

    Parameters
    ----------
    labels
        By label the value behind it, as the file says.
    made
        The ratings.
    """
    classes = frozenset(made.ratings.classes)
    pairs = tuple((label, value) for label, value in labels.items() if label in classes and value in classes)
    if not pairs:
        return
    told = listed(
        [_("{value} = '{label}'").format(value=Label(value), label=shortened(label)) for label, value in pairs]
    )
    yield ask(
        "label_and_value",
        "",
        _("Some columns give a value its label and others do not: {told}.").format(told=told),
        _("If a value and its label are one answer, merge them."),
        _("They are kept as different classes."),
        pairs,
    )
