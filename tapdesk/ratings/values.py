"""Texts in rating cells: which mean "no rating", and in which order the others stand."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tapdesk.ratings.numbers import number
from tapdesk.ratings.scales import largest_part, recognised

# Texts that mean "nothing here" in every program that writes tables.
USUAL_MISSING = frozenset(
    {"na", "n/a", "n.a.", "n.a", "#n/a", "nan", "null", "#null!", ".", "-", "–", "—", "--", "<na>"}
    | {"#div/0!", "#ref!", "#name?", "#value!", "#num!", "#calc!", "#spill!", "#getting_data"}
)
ERRORS = frozenset(m for m in USUAL_MISSING if m.startswith("#"))
# Words for "no rating" that may also be an answer: they are kept as classes until the user decides.
PERHAPS_MISSING = frozenset(
    word.casefold()
    for word in (
        "?", "missing", "not seen", "not rated", "not done", "not assessed", "not applicable", "not available",
        "could not judge", "cannot judge", "can't judge", "unable to assess", "unable to judge", "unrated", "skip",
        "skipped", "don't know", "do not know", "dk", "unknown", "no answer", "refused", "abstain", "abstained",
        "blank", "empty", "missing value", "missing data", "..", "...", "---", "*", "not scored", "n.d.", "nd", "nr",
        "not recorded", "withheld", "not assessable", "unassessable", "not evaluable", "not gradable", "ungradable",
        "ungradeable", "unratable", "cannot assess", "cannot say", "can't say", "no opinion", "no rating",
        "not graded", "not answered", "nicht beurteilbar", "nicht bewertet", "keine angabe", "k.a.", "weiß nicht",
        "keine daten", "entfällt", "unbekannt", "non évaluable", "non évalué", "non renseigné", "ne sait pas", "nsp",
        "sans réponse", "inconnu", "no sabe", "no evaluado", "no aplica", "sin respuesta", "sin datos", "s/d", "n/d",
        "n/c", "ns/nc", "desconocido", "non valutabile", "non valutato", "non so", "non applicabile", "sconosciuto",
        "não avaliado", "não sei", "não se aplica", "sem resposta", "desconhecido", "niet beoordeeld", "weet niet",
        "onbekend", "ikke vurderet", "ved ikke", "vet ej", "ej bedömd", "brak danych", "nie wiem", "nie dotyczy",
    )
)  # fmt: skip
# How a code that its file declares as missing is written in a cell, its meaning kept.
REASON = "missing: "
NUMBER_CODES = (
    *("-1", "-7", "-8", "-9", "-77", "-88", "-98", "-99", "-777", "-888", "-998", "-999", "-9999"),
    *("9", "77", "88", "97", "98", "99", "777", "888", "997", "998", "999", "7777", "8888", "9997", "9998", "9999"),
)


def as_reason(text: str) -> str:
    """The cell text of a missing rating whose reason is known: ``missing: not seen``."""
    return f"{REASON}{text}"


@dataclass(frozen=True)
class Order:
    """The classes in their order.

    Attributes
    ----------
    classes
        Lowest first.
    ordered
        Whether the order means something.
    how
        ``said``, ``numbers``, ``scale``, ``part`` (some have a known order, the others stand behind them),
        ``columns`` or ``appearance``.
    """

    classes: tuple[str, ...]
    ordered: bool
    how: str


def missing_codes(
    values: Sequence[str], said: Sequence[str] | None, classes: Collection[str] = (), decimal: str = "."
) -> list[bool]:
    """For each distinct text whether it means "no rating": blanks always, else what was said or is usual.

    Parameters
    ----------
    values
        The texts.
    said
        The codes the user named, or None for the usual ones. A number stands for all ways to write it: ``99`` for
        ``99.0`` and ``99,0``.
    classes
        Texts the user named as classes; they are ratings.
    decimal
        The decimal mark of the ratings.
    """
    if said is not None:
        codes = {s.strip() for s in said}
        sizes = {n for s in codes if (n := _size(s, decimal)) is not None}
        return [
            not (plain := v.strip()) or plain in codes or v.startswith(REASON) or (_size(plain, decimal) in sizes)
            for v in values
        ]
    named = {c.strip().casefold() for c in classes}
    # Where "+" is an answer, "-" is one too.
    usual = USUAL_MISSING - {"-", "–", "—"} if any(v.strip() in {"+", "++"} for v in values) else USUAL_MISSING
    usual -= named
    return [not v.strip() or v.strip().casefold() in usual or v.startswith(REASON) for v in values]


def _size(text: str, decimal: str) -> float | None:
    """The number a text stands for under one mark, else under the other."""
    found = number(text, decimal)
    return number(text, "," if decimal == "." else ".") if found is None else found


def _numbers_first(values: Sequence[str], numbers: Sequence[float | None]) -> tuple[str, ...]:
    """The numbers among some texts in their order, where they are a scale of their own and not a few codes."""
    found = sorted((n, i) for i, n in enumerate(numbers) if n is not None)
    scale = [i for _n, i in found if values[i] not in NUMBER_CODES]
    return tuple(values[i] for _n, i in found) if len(scale) >= 3 else ()


def ordered(
    values: Sequence[str], decimal: str, columns: Sequence[str] | None, counts: Sequence[int] | None = None
) -> Order:
    """The order of the distinct texts: numeric, else a recognised scale, else columns, else first appearance.

    Where many of them are numbers or steps of one scale, these come first, in their order: first those that occur more
    often by ``counts``, as a sum below the ratings does not.
    """
    numbers = [number(v, decimal) for v in values]
    if values and all(n is not None for n in numbers):
        place = sorted(range(len(values)), key=lambda i: (numbers[i] or 0.0, i))
        return Order(tuple(values[i] for i in place), ordered=True, how="numbers")
    scale = recognised(values)
    if scale is not None:
        return Order(scale, ordered=True, how="scale")
    if columns is None:
        often = dict(zip(values, counts or [1] * len(values), strict=True))
        parts = [p for p in (_numbers_first(values, numbers), largest_part(values)) if p]
        parts.sort(key=lambda part: -sum(often[v] for v in part))
        known = [v for part in parts for v in part]
        if known and sum(often[v] for v in known) * 2 >= sum(often.values()):
            return Order((*known, *(v for v in values if v not in set(known))), ordered=False, how="part")
    return Order(tuple(values), ordered=False, how="appearance" if columns is None else "columns")
