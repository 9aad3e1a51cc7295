"""Agreement of raters who give sets of labels: alpha with the distances of Jaccard and of MASI, and label by label."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tapdesk.agreement.coefficients import Coefficient, agree
from tapdesk.agreement.tables import Weights
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.progress import finish
from tapdesk.ratings.label_sets import LabelSets
from tapdesk.ratings.ratings import Ratings


@dataclass(frozen=True, eq=False)
class LabelRow:
    """One label as a yes/no question.

    Attributes
    ----------
    label
        Its name.
    share
        Share of the ratings that hold it.
    raw, gwet, alpha
        Raw agreement, Gwet's AC1 and Krippendorff's alpha (nominal) on whether a rating holds it.
    """

    label: str
    share: float
    raw: Estimate
    gwet: Estimate
    alpha: Estimate


_BY_LABEL = ("percent_agreement", "gwet_ac", "krippendorff_alpha")


@dataclass(frozen=True, eq=False)
class SetAgreement:
    """Krippendorff's alpha of the sets with two distances, and each label by itself."""

    masi: Estimate
    jaccard: Estimate
    nominal: Estimate
    labels: tuple[LabelRow, ...]


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the labels of either that both have; 1 for two empty sets."""
    return len(one & other) / len(one | other) if one | other else 1.0


def masi(one: frozenset[str], other: frozenset[str]) -> float:
    """Jaccard's share times 1 for equal sets, 2/3 for a part of the other, 1/3 for an overlap, 0 for none.

    Passonneau 2006, Measuring agreement on set-valued items (MASI) for semantic and pragmatic annotation, LREC.
    """
    if one == other:
        return 1.0
    part = 2 / 3 if one <= other or other <= one else 1 / 3 if one & other else 0.0
    return jaccard(one, other) * part


def set_agreement(ratings: Ratings, sets: LabelSets) -> SetAgreement:
    """The sets as they are, and each label by itself.

    Parameters
    ----------
    ratings
        In all their classes, each of which is a set.
    sets
        The labels of each class.
    """
    # The same labels in another order are the same set.
    equal = _credits("equal", lambda one, other: float(one == other), sets)
    schemes = (_credits("MASI", masi, sets), _credits("Jaccard", jaccard, sets), equal)
    whole = finish(agree(ratings, weights=schemes, only={"krippendorff_alpha"}))
    alpha = {c.weights: c.estimate for c in whole if c.name == "krippendorff_alpha" and c.metric in {None, "nominal"}}
    return SetAgreement(
        alpha["MASI"], alpha["Jaccard"], alpha["equal"], tuple(_row(ratings, sets, label) for label in sets.labels)
    )


def _credits(name: str, of: Callable[[frozenset[str], frozenset[str]], float], sets: LabelSets) -> Weights:
    """The credit of each pair of classes."""
    return Weights(name, np.array([[of(a, b) for b in sets.sets] for a in sets.sets]))


def _row(ratings: Ratings, sets: LabelSets, label: str) -> LabelRow:
    inside = sets.with_label(label)
    share = float(ratings.class_rates()[list(inside)].sum())
    if len(inside) == len(ratings.classes):
        every = undefined(_("Every {rating} holds this label, so there is nothing to tell apart."))
        return LabelRow(label, share, every, every, every)
    coefficients = finish(agree(ratings.dichotomised([ratings.classes[i] for i in inside]), only=_BY_LABEL))
    return LabelRow(
        label,
        share,
        _of(coefficients, "percent_agreement"),
        _of(coefficients, "gwet_ac"),
        _of(coefficients, "krippendorff_alpha"),
    )


def _of(coefficients: tuple[Coefficient, ...], name: str) -> Estimate:
    """A coefficient without weights."""
    return next(c.estimate for c in coefficients if c.name == name and c.metric in {None, "nominal"})
