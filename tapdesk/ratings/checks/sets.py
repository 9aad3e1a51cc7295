"""Cells that hold several labels: noticed, and offered as one yes/no question for each label.

Stands alone, for it looks at what classes are called and at nothing else.
"""

from collections.abc import Iterator

from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.checks.values import MOST_WORDS
from tapdesk.ratings.findings import Finding, ask, block, name_list, quoted_list
from tapdesk.ratings.label_sets import label_sets
from tapdesk.ratings.options import ReadingOptions


def set_findings(made: Assembly, options: ReadingOptions) -> Iterator[Finding]:
    """A question where classes are sets of labels, such as ``trust; fear``; one that blocks where they are many.

    Parameters
    ----------
    made
        The ratings.
    options
        What the user said: what a blank cell says is no label, where it means that no label applies.
    """
    sets = None if made.cells.classes is not None else label_sets(made.ratings.classes)
    if sets is None:
        return
    blank = made.missing.get("", 0)
    several = [c for c, labels in zip(made.ratings.classes, sets.sets, strict=True) if len(labels) > 1]
    known = tuple(label for label in sets.labels if label != options.blank)
    sentences = [_("“{label}”").format(label=Label(label)) for label in known]
    message = _(
        "Cells hold several labels, such as {sets}: {n} labels in all, {labels}. Each set is read as a class of its "
        "own."
    ).format(sets=quoted_list(several, 2), n=len(known), labels=name_list(sentences, 6))
    default = _("How far sets overlap is told beside the coefficients (MASI, Jaccard), and each label by itself.")
    if blank:
        default = ngettext(
            "{default} {n:,} blank cell counts as no rating, not as a set without labels.",
            "{default} {n:,} blank cells count as no rating, not as sets without labels.",
            blank,
        ).format(default=default, n=blank)
    answered = options.label is not None or options.class1 is not None or options.order is not None
    kind = ask if answered or len(made.ratings.classes) <= MOST_WORDS else block
    yield kind(
        "sets_of_labels",
        "",
        message,
        _(
            "Ask about one label, yes or no: --label '{label}'. If a blank cell means that none applies, say --blank "
            "none."
        ).format(label=Label(known[0])),
        default,
        (known,),
    )
