"""Every pair of classes in a sentence: which is hardest to tell apart, if the differences let one say so."""

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.parameters import interval_note, kinds_of_intervals
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.differences import separate_differences
from tapdesk.studies.scan import Pair, Pairs

RIGHT = Align.RIGHT
_NAME = 30


def name(pair: Pair, longest: int = _NAME) -> str:
    """The two classes."""
    return _("{first} or {second}").format(
        first=numbers.short(pair.first, longest), second=numbers.short(pair.second, longest)
    )


def hardest(pairs: Pairs, style: Style = SCREEN, longest: int = _NAME) -> str:
    """Which pair is hardest, without a full stop; pairs are set against each other by their difference."""
    sentences = sorted((p for p in pairs.pairs if p.accuracy.value is not None), key=lambda p: p.accuracy.value or 0.0)
    if not sentences:
        return _("No pair of classes can be told apart by these {ratings}")
    if len(sentences) == 1:
        return _("{pair}: accuracy {value}, the only pair it is told of").format(
            **_fields(sentences[0], style, longest)
        )
    compared, rows = pairs.differences, list(pairs.compared)
    if compared is None:
        # Pairs of pairs may share cases; by their intervals they are set apart too rarely rather than too often.
        rows = [p for p in sentences if p.accuracy.low is not None]
        level = next((p.accuracy.level for p in rows if p.accuracy.level is not None), 0.95)
        compared = separate_differences([p.accuracy for p in rows], level)
    if compared is not None:
        lowest, apart = compared.lowest_of_all, compared.clearest
        if lowest is not None and len(rows) == len(sentences):
            return _("Hardest to tell apart are {pair}, with accuracy {value}").format(
                **_fields(rows[lowest], style, longest)
            )
        if apart is not None:
            others = {f"other_{key}": text for key, text in _fields(rows[apart.higher], style, longest).items()}
            return _(
                "It is harder to tell {one} from {two}, with accuracy {value}, than {other_one} from {other_two}, with "
                "{other_value}"
            ).format(**_fields(rows[apart.lower], style, longest), **others)
    others = {f"other_{key}": text for key, text in _fields(sentences[-1], style, longest).items()}
    return _(
        "No two classes are clearly harder to tell apart than others: accuracy runs from {value} for {pair} to "
        "{other_value} for {other_pair}"
    ).format(**_fields(sentences[0], style, longest), **others)


def _fields(pair: Pair, style: Style, longest: int) -> dict[str, str]:
    """The two classes, and the accuracy with its interval."""
    one, two = (_("“{label}”").format(label=numbers.short(label, longest)) for label in (pair.first, pair.second))
    value = numbers.decimal(pair.accuracy.value, style)
    if pair.accuracy.low is not None:
        reach = numbers.interval(pair.accuracy, style)
        value = f"{value} {reach}" if style.brackets else f"{value} ({reach})"
    return {"one": one, "two": two, "pair": _("{one} and {two}").format(one=one, two=two), "value": value}


def no_roots(pairs: Pairs) -> str:
    """Of which pairs there is an accuracy and yet no root of kappa, and why; empty where there are none."""
    without = [name(p) for p in pairs.pairs if p.root_kappa.value is None and p.accuracy.value is not None]
    if not without:
        return ""
    return _("There is no root of kappa where kappa is below 0: {pairs}.").format(pairs="; ".join(without))


def class_pairs_table(pairs: Pairs, style: Style) -> Table:
    """Every pair of classes alone, the hardest to tell apart first."""
    ordered = sorted(pairs.pairs, key=lambda p: 2.0 if p.kappa.value is None else p.kappa.value)
    rows = tuple(
        (
            name(p),
            cells.value(p.root_kappa, style),
            cells.interval(p.root_kappa, style),
            cells.value(p.accuracy, style),
            cells.interval(p.accuracy, style),
            cells.count(p.compared),
            cells.count(p.ratings),
        )
        for p in ordered
    )
    roots = kinds_of_intervals([p.root_kappa for p in ordered])
    note = joined(
        _(
            "Only {ratings} of the two classes count, and only {subjects} with at least two of them. Accuracy by the "
            "t-a-t model."
        ),
        interval_note([p.accuracy for p in ordered]),
        _("Intervals of root kappa: {kinds}.").format(kinds=roots) if roots else "",
        _("A dash: it cannot be told."),
        no_roots(pairs),
        pairs.about,
        *(
            _("{pair}: {why}").format(pair=f"{p.first} | {p.second}", why=p.accuracy.undefined)
            for p in ordered
            if p.accuracy.undefined
        ),
    )
    return Table(
        _("Classes confused with each other, the hardest pair first"),
        (
            Column(_("Pair"), wide=True),
            Column(_("Root kappa"), RIGHT),
            Column(_("Interval"), RIGHT),
            Column(_("Accuracy"), RIGHT),
            Column(_("Interval"), RIGHT),
            Column(_("{Subjects}"), RIGHT),
            Column(_("{Ratings}"), RIGHT),
        ),
        rows,
        note,
    )
