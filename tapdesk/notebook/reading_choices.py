"""How a notebook says how a table is read: the reading options of the command line, as arguments of Python."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, TypedDict, TypeVar

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings.options import Layout, ReadingOptions


class ReadingChoices(TypedDict, total=False):
    """How a table is read, where that is not left to the program: the reading options of the command line.

    One text stands for a list of one. `where` and `where_not` are dictionaries of column and value.
    """

    layout: str
    subject: str
    rater: str
    rating: str
    question: str
    only: str
    columns: str | Sequence[str]
    sheet: str
    encoding: str
    delimiter: str
    decimal: str
    missing: str | Sequence[str]
    order: str | Sequence[str]
    class1: str | Sequence[str]
    class0: str | Sequence[str]
    where: Mapping[str, str]
    where_not: Mapping[str, str]
    count: str
    header: int
    known: str
    label: str
    blank: str
    abstain: str | Sequence[str]


C = TypeVar("C", bound=Enum)
_LISTS = frozenset({"columns", "missing", "order", "class1", "class0", "abstain"})


def options_of(choices: Mapping[str, Any]) -> ReadingOptions:
    """The choices as the reader takes them.

    Raises
    ------
    UsageError
        When there is no such choice, or no such layout.
    """
    known = ReadingChoices.__annotations__
    given = dict[str, Any]()
    for name, value in choices.items():
        if name not in known:
            raise UsageError(
                _("There is no reading choice '{name}'.").format(name=Label(name)),
                fix=_("The choices are: {known}.").format(known=", ".join(known)),
            )
        if name in _LISTS:
            given[name] = (value,) if isinstance(value, str) else tuple(map(str, value))
        elif name in {"where", "where_not"}:
            given[name] = tuple((str(column), str(text)) for column, text in value.items())
        elif name == "layout":
            given[name] = one_of(Layout, "layout", value)
        else:
            given[name] = value
    return ReadingOptions(**given)


def one_of(known: Iterable[C], what: str, name: str) -> C:
    """The choice of that name.

    Raises
    ------
    UsageError
        When there is none.
    """
    by_name = {str(one.value): one for one in known}
    if name not in by_name:
        raise UsageError(
            _("There is no {what} '{value}'.").format(what=what, value=Label(name)),
            fix=_("Choose one of {known}.").format(known=", ".join(by_name)),
        )
    return by_name[name]
