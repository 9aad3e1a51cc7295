"""Numbers as they are read: the letter, whose it is in quotation marks, and what it is a share of in two words."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from tapdesk.answers import numbers
from tapdesk.language import gettext as _
from tapdesk.models.parameters import ParameterName

# Of a class, its letter and number: of two classes each.
_OF_TRUTH = {
    "a0": _("follows a true “{one}”"),
    "a1": _("follows a true “{one}”"),
    "p0": _("chance, where it is “{one}”"),
    "p1": _("chance, where it is “{one}”"),
}
# Of cases that differ, and of misses in the order of the classes.
_OF_CASES = {
    "h": _("of all beyond everybody"),
    "rho": _("how far {subjects} differ"),
    "sigma": _("how far {subjects} differ"),
    "n": _("of misses next to the truth"),
}
LONGEST = 24


def read_as(name: str) -> str:
    """A number as it is read: ``t “Fall”`` for ``t[Fall]``; one without brackets as it stands."""
    match = re.fullmatch(r"(?s)(\w+)\[(.*)\]", name)
    return _("{symbol} “{of}”").format(symbol=match[1], of=match[2]) if match else name


def two_words(name: ParameterName, classes: Sequence[str]) -> str:
    """What a number is a share of, in two words; empty for those of single raters, which their names tell apart."""
    # Two long names that would read alike are told apart by their places.
    shorts = numbers.shorts(classes, LONGEST)
    of_class = dict(zip(classes, shorts, strict=True))
    one = of_class.get(name.category or "") or (shorts[1] if len(shorts) == 2 else "")
    if name.rater is not None:
        return ""
    if name.rated is not None:
        rated = of_class.get(name.rated, name.rated)
        return _("chance “{rated}”, where it is “{one}”").format(rated=rated, one=one)
    if name.name in _OF_TRUTH:
        return _OF_TRUTH[name.name].format(one=shorts[int(name.name[1])])
    follows = _("follows the {subject}") if name.category is None else _("follows a true “{one}”")
    templates = {"t": _("truly “{one}”"), "a": follows, "p": _("chance “{one}”"), **_OF_CASES}
    words = templates.get(name.name, "").format(one=one)
    if name.group is None:
        return words
    return _("{words}, in “{group}”").format(words=words, group=numbers.short(name.group, LONGEST))


def of_one_class(symbol: str, group: str | None = None) -> str:
    """What a number that every class has one of is, in few words: the title of its column."""
    titles = {"t": _("t, truly so"), "a": _("a, followed where it is so"), "p": _("p, as a guess")}
    words = titles.get(symbol, symbol)
    if group is None:
        return words
    return _("{words}, in “{group}”").format(words=words, group=numbers.short(group, LONGEST))


def letter(name: ParameterName) -> str:
    """The letter of a number: which class it is of, as in ``a0``, is told by its two words."""
    return name.name[0] if name.name in _OF_TRUTH else name.name


class PictureName(NamedTuple):
    """How a number is called beside its picture: by its letter, in little room, and what it is a share of."""

    letter: str
    brief: str
    share_of: str


def picture_names(names: Iterable[ParameterName], classes: Sequence[str]) -> Mapping[str, PictureName]:
    """How every number is called that can be told in two words, by its name."""
    shorts = numbers.shorts(classes, LONGEST)
    table = {}
    for name in names:
        words, of = two_words(name, classes), name.category
        if name.name in _OF_TRUTH:
            of = shorts[int(name.name[1])]
        if words:
            of = ", ".join(text for text in (of, name.group) if text is not None) or None
            brief = read_as(f"{letter(name)}[{of}]" if of is not None else name.name)
            table[str(name)] = PictureName(letter(name), brief, words)
    return table


def in_full(name: str, called: Mapping[str, PictureName]) -> str:
    """A number by its letter and its two words, or as it is read where it has none."""
    if name not in called:
        return read_as(name)
    return _("{symbol}, {share_of}").format(symbol=called[name].letter, share_of=called[name].share_of)
