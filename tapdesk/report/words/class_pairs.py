"""Every pair of classes in a sentence: which is hardest to tell apart, if the intervals let one say so."""

from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.numbers import SCREEN, Style
from tapdesk.studies.class_pairs import Pair, Pairs

_NAME = 30


def name(pair: Pair, longest: int = _NAME) -> str:
    """The two classes."""
    return _("{first} or {second}").format(
        first=numbers.short(pair.first, longest), second=numbers.short(pair.second, longest)
    )


def hardest(found: Pairs, style: Style = SCREEN, longest: int = _NAME) -> str:
    """Which pair is hardest, without a full stop; only pairs whose intervals do not meet are set against each other."""
    told = sorted((p for p in found.pairs if p.accuracy.value is not None), key=lambda p: p.accuracy.value or 0.0)
    if not told:
        return _("No pair of classes can be told apart by these ratings")
    if len(told) == 1:
        return _("{pair}: accuracy {value}, the only pair it is told of").format(**_fields(told[0], style, longest))
    ends = [(p, p.accuracy.low, p.accuracy.high) for p in told]
    known = [(p, low, high) for p, low, high in ends if low is not None and high is not None]
    if known:
        worst, best = min(known, key=lambda row: row[2]), max(known, key=lambda row: row[1])
        others = {f"other_{key}": text for key, text in _fields(best[0], style, longest).items()}
        if len(known) == len(told) and all(low > worst[2] for p, low, _high in known if p is not worst[0]):
            return _("Hardest to tell apart are {pair}, with accuracy {value}").format(
                **_fields(worst[0], style, longest)
            )
        if worst[2] < best[1]:
            return _(
                "It is harder to tell {one} from {two}, with accuracy {value}, than {other_one} from {other_two}, with "
                "{other_value}"
            ).format(**_fields(worst[0], style, longest), **others)
    others = {f"other_{key}": text for key, text in _fields(told[-1], style, longest).items()}
    return _(
        "No two classes are clearly harder to tell apart than others: accuracy runs from {value} for {pair} to "
        "{other_value} for {other_pair}"
    ).format(**_fields(told[0], style, longest), **others)


def _fields(pair: Pair, style: Style, longest: int) -> dict[str, str]:
    """The two classes, and the accuracy with its interval."""
    one, two = (_("“{label}”").format(label=numbers.short(label, longest)) for label in (pair.first, pair.second))
    value = numbers.decimal(pair.accuracy.value, style)
    if pair.accuracy.low is not None:
        reach = numbers.interval(pair.accuracy, style)
        value = f"{value} {reach}" if style.brackets else f"{value} ({reach})"
    return {"one": one, "two": two, "pair": _("{one} and {two}").format(one=one, two=two), "value": value}


def no_roots(found: Pairs) -> str:
    """Of which pairs there is an accuracy and yet no root of kappa, and why; empty where there are none."""
    without = [name(p) for p in found.pairs if p.root_kappa.value is None and p.accuracy.value is not None]
    if not without:
        return ""
    return _("There is no root of kappa where kappa is below 0: {pairs}.").format(pairs="; ".join(without))
