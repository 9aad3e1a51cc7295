"""Cells that hold several labels: noticed, and offered as one yes/no question for each label.

Stands alone, for it looks at what classes are called and at nothing else.
"""

from collections.abc import Iterator

from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.findings import Finding, ask, name_list, quoted_list
from tapdesk.ratings.label_sets import label_sets


def set_findings(made: Assembly, none: str | None = None) -> Iterator[Finding]:
    """A question where classes are sets of labels, such as ``trust; fear``.

    Parameters
    ----------
    made
        The ratings.
    none
        What a blank cell says, where it means that no label applies: no label itself.
    """
    sets = None if made.cells.classes is not None else label_sets(made.ratings.classes)
    if sets is None:
        return
    blank = made.missing.get("", 0)
    several = [c for c, labels in zip(made.ratings.classes, sets.sets, strict=True) if len(labels) > 1]
    known = tuple(label for label in sets.labels if label != none)
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
    yield ask(
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
