"""Checks of the classes: their order, and how often each is used."""

import re
from collections.abc import Iterator

import numpy as np

from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembled
from tapdesk.ratings.findings import Finding, ask, listed, note, quoted, shortened
from tapdesk.ratings.ratings import Ratings

TICK = re.compile(r"[xX✓✔☑☒✗✘1]|[yY](?:es)?|ja|oui", re.IGNORECASE)


def order_findings(made: Assembled) -> Iterator[Finding]:
    """Whether the order of the classes is only how they happen to come."""
    if made.order.how in {"appearance", "part"} and len(made.order.classes) > 1:
        last = made.order.classes[-1]
        binary = len(made.order.classes) == 2
        yield ask(
            "order_unknown",
            "",
            (
                _("Not all classes have a known order: {classes}.")
                if made.order.how == "part"
                else _("The classes have no known order: {classes}.")
            ).format(classes=quoted(made.order.classes, 8))
            + (_(" Class 1 is '{last}', the one that came last.").format(last=shortened(last)) if binary else ""),
            _("Name the class in question (--class1).")
            if binary
            else _("If the classes are ordered, give their order."),
            _("They stand in the order in which they first appear.")
            if made.order.how == "appearance"
            else _("Those with a known order come first; the others follow in the order in which they first appear."),
            (made.order.classes,),
        )


def class_findings(made: Assembled) -> Iterator[Finding]:
    """Only one class, or a class that hardly occurs."""
    ratings = made.ratings
    weights = None if ratings.weight is None else ratings.weight[ratings.subject]
    counts = np.bincount(ratings.category, weights, len(ratings.classes)).astype(np.int64)
    if (counts > 0).sum() == 1:
        only = ratings.classes[int(counts.argmax())]
        ticks = TICK.fullmatch(only.strip()) is not None and any(not text for text in made.missing)
        yield ask(
            "one_class",
            "",
            _(
                "Every rating is '{only}': there is nothing to tell apart, and most coefficients "
                "are not defined. Raters agree on all of them."
            ).format(only=shortened(only)),
            _(
                "If a blank cell says that nothing was ticked, write a word such as no there in the file: a blank cell "
                "is read as no rating."
            )
            if ticks
            else _("If other classes were possible, name them in the order (--order)."),
            _("The data are described; what is undefined says so."),
        )
        return
    yield from rare_classes(ratings)


def rare_classes(ratings: Ratings) -> Iterator[Finding]:
    """Classes that hardly occur among many ratings."""
    weights = None if ratings.weight is None else ratings.weight[ratings.subject]
    counts = np.bincount(ratings.category, weights, len(ratings.classes)).astype(np.int64)
    few = [(c, n) for c, n in zip(ratings.classes, counts, strict=True) if 0 < n < 5]
    rare = [_("'{text}' ({n:,})").format(text=shortened(c), n=n) for c, n in few]
    if rare and counts.sum() >= 100:
        yield note(
            "rare_class",
            "",
            _("Some classes hardly occur: {rare}. Agreement on them cannot be judged, and intervals are wide.").format(
                rare=listed(rare)
            ),
            about=(tuple(c for c, _n in few),),
        )
