"""Cells that hold several labels, such as ``trust; fear``: what separates them, and which labels each class holds."""

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import quoted_list
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import is_number

EVERY_LABEL = "*"
"""In place of a label: each label is a question of a form."""
OF_SETS = frozenset({"sets_of_labels", "order_unknown", "rare_class", "different_subsets"})
"""Findings about sets as classes, which no question about one label has."""
NO_LABEL = _("none")
"""What the set without a label is called where the user has no word for it."""
BETWEEN_LABELS = "; "
"""Between the labels of one annotation that has several, as lists of annotations are read."""
_SEPARATORS = (";", "|", "\n", ",")
_MOST_LABELS, _MOST_WORDS, _LEAST_SETS = 40, 5, 2
_COMING_AGAIN = 0.95
"""Of what stands in sets so much at least stands in another one too; a label that was mistyped once does not."""


@dataclass(frozen=True)
class LabelSets:
    """The classes of some ratings as sets of labels.

    Attributes
    ----------
    separator
        What stands between two labels.
    labels
        All labels, those of most classes first.
    sets
        The labels of each class, in the order of the classes.
    """

    separator: str
    labels: tuple[str, ...]
    sets: tuple[frozenset[str], ...]

    def with_label(self, label: str) -> tuple[int, ...]:
        """Which classes hold a label."""
        return tuple(i for i, labels in enumerate(self.sets) if label in labels)


def label_sets(classes: Sequence[str]) -> LabelSets | None:
    """The classes as sets of labels; None where they are no sets.

    They are where two texts or more hold several labels, and nearly all of what these texts hold comes again in another
    one: a sentence with a semicolon does not come apart into words that are answers elsewhere.
    """
    for separator in _SEPARATORS:
        parts = _parts(classes, separator)
        several = [p for p in parts if len(p) > 1]
        if len(several) < _LEAST_SETS:
            continue
        often = Counter(label for p in parts for label in p)
        inside = Counter(label for p in several for label in p)
        if separator == "," and any(map(is_number, inside)):
            continue
        again = sum(n for label, n in inside.items() if often[label] > 1)
        if again >= _COMING_AGAIN * inside.total():
            labels = tuple(label for label, _n in often.most_common())
            return LabelSets(separator, labels, tuple(map(frozenset, parts)))
    return None


def _parts(texts: Sequence[str], separator: str) -> list[tuple[str, ...]]:
    """The labels of each text; nothing as soon as they are too many or too long for labels."""
    parts: list[tuple[str, ...]] = []
    known: set[str] = set()
    for text in texts:
        part = tuple(dict.fromkeys(p for t in text.split(separator) if (p := t.strip())))
        new = set(part) - known
        known |= new
        if len(known) > _MOST_LABELS or any(len(label.split()) > _MOST_WORDS for label in new):
            return []
        parts.append(part)
    return parts


def labels_named(options: ReadingOptions) -> tuple[str, ...]:
    """The labels that are asked about, one or a list of them; none where each is."""
    if options.label is None or options.label == EVERY_LABEL:
        return ()
    (names,) = csv.reader([options.label], skipinitialspace=True)
    return tuple(dict.fromkeys(name.strip() for name in names if name.strip()))


def of_label(ratings: Ratings, options: ReadingOptions, *, must: bool = True) -> ReadingOptions:
    """The options with the classes that hold the label asked about as class 1; the same where none is asked about.

    Parameters
    ----------
    ratings
        With a class for each set.
    options
        What the user said.
    must
        Whether there must be such a label; a question of a form may have answers of another kind.

    Raises
    ------
    UsageError
        When the classes are no sets of labels, hold no such label, or class 1 is named as well.
    """
    if options.label is None:
        return options
    label, result = options.label.strip(), label_sets(ratings.classes)
    if not must and (result is None or label not in result.labels):
        return replace(options, label=None)
    if result is None:
        raise UsageError(_("The ratings are no sets of labels."), "--label", _("Leave --label out."))
    inside = tuple(ratings.classes[i] for i in result.with_label(label))
    if not inside:
        raise UsageError(
            _("There is no label '{label}'.").format(label=Label(label)),
            "--label",
            _("The labels are {labels}.").format(labels=quoted_list(result.labels, 20)),
        )
    return replace(options, class1=inside)


def yes_or_no(ratings: Ratings, options: ReadingOptions) -> Ratings:
    """Whether the label asked about is among those given."""
    sides = of_label(ratings, options)
    if sides.class1 is None:
        return ratings
    given = ratings.dichotomised(sides.class1, sides.class0).panel()
    return replace(given, classes=(str(_("no")), str(_("yes"))))


def counted_names(ratings: Ratings, options: ReadingOptions) -> tuple[str, ...]:
    """What class 1 stands for, where there are two: its classes, or the label that is asked about."""
    return (options.label,) if len(ratings.classes) == 2 and options.label is not None else ratings.class1


def as_asked(ratings: Ratings, options: ReadingOptions) -> Ratings:
    """Class 1 against class 0, where the user named them; else the ratings as they are."""
    options = of_label(ratings, options)
    return ratings if options.class1 is None else ratings.dichotomised(options.class1, options.class0).panel()
