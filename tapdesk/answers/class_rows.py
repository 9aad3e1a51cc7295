"""Class by class: how often each class was used, is truly so and is a guess, and how often raters agree on it.

The strip of numbers above the results has room for six; what has one value for each class stands here instead.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tapdesk.agreement.interpretation import shows_paradox
from tapdesk.answers import cells, numbers
from tapdesk.answers import fit_words as words
from tapdesk.answers.content import Align, Column, Number, Table
from tapdesk.answers.parameter_names import of_one_class
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.part import About, Answer, Content, Part
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _

MOST_KINDS = 4  # kinds of numbers beside each other, each with its interval
MOST_NAMED = 3  # reasons, and numbers named with one
LONGEST = 24  # letters of a class


@dataclass(frozen=True, slots=True)
class ClassNumbers:
    """One kind of number that has a value for each class.

    Attributes
    ----------
    title
        What it is.
    estimates
        Of each class, in the order of the classes.
    """

    title: str
    estimates: tuple[Estimate, ...]


def class_numbers(fit: Fit) -> tuple[ClassNumbers, ...]:
    """The numbers of a fit that every class has one of, in the order of the fit.

    Those of single raters have a block of their own; a number for each pair of classes is none of a class.
    """
    table: dict[tuple[str, str | None], dict[str, Estimate]] = {}
    for e in fit.estimates:
        name = e.name
        if name.category is not None and name.rater is None and name.rated is None:
            table.setdefault((name.name, name.group), {})[name.category] = e.estimate
    whole = [(key, of) for key, of in table.items() if set(of) == set(fit.classes)]
    return tuple(ClassNumbers(of_one_class(*key), tuple(of[c] for c in fit.classes)) for key, of in whole)


def class_kinds(answer: Answer) -> tuple[ClassNumbers, ...]:
    """What stands class by class, beside how often each was used; nothing where the strip tells all there is.

    Of two classes the strip has room for the numbers of the model, and their agreement is told class by class where
    one is so common that agreement and kappa tell different stories.
    """
    fit, ratings, result = answer.fit, answer.ratings, answer.side.coefficients
    two = len(fit.classes) == 2
    if two and not shows_paradox(tuple(result), float(ratings.class_rates().max())):
        return ()
    own = () if two else class_numbers(fit)[:MOST_KINDS]
    agreed = {c.category: c.estimate for c in result if c.name == "specific_agreement"}
    if not agreed or set(agreed) != set(ratings.classes):
        return own
    return (*own, ClassNumbers(_("Agreement on it"), tuple(agreed[c] for c in ratings.classes)))


def class_table(answer: Answer) -> Table | None:
    """A row for each class, in the order of the classes; None where the strip says as much.

    Of each kind of number (`class_kinds`) there are two columns: value and interval.
    """
    fit, kinds = answer.fit, class_kinds(answer)
    if not kinds:
        return None
    level = _("{level} interval").format(level=numbers.level(fit.interval[1]))
    columns = [Column(_("Class"), wide=True), Column(_("Used"), Align.RIGHT)]
    for kind in kinds:
        columns += [Column(kind.title, Align.RIGHT), Column(level, Align.RIGHT)]
    rows = []
    used, called = answer.ratings.class_rates(), numbers.shorts(fit.classes, LONGEST)
    for k, label in enumerate(called):
        row: list[Number | str] = [label, cells.percent(float(used[k]))]
        for kind in kinds:
            row += [cells.value(kind.estimates[k]), cells.interval(kind.estimates[k])]
        rows.append(tuple(row))
    return Table(CLASSES.title, tuple(columns), tuple(rows), _note(fit, kinds, called))


def _note(fit: Fit, kinds: Sequence[ClassNumbers], called: Sequence[str]) -> str:
    """What the numbers rest on, and why some have no value or no interval."""
    reasons: dict[str, list[str]] = {}
    for kind in kinds:
        for label, e in zip(called, kind.estimates, strict=True):
            reason = e.undefined or (e.no_interval if e.low is None else None)
            if reason:
                names = reasons.setdefault(reason.rstrip("."), [])
                names += [_("{kind} of “{label}”").format(kind=kind.title, label=Label(label))]
    size = _("N = {size}.").format(size=words.size(fit))
    sentences = [
        _("{names}: {reason}.").format(names=joined(*names[:MOST_NAMED], sep="; "), reason=reason)
        for reason, names in reasons.items()
    ]
    return joined(size, _intervals(kinds), *sentences[:MOST_NAMED])


def _intervals(kinds: Sequence[ClassNumbers]) -> str:
    """How the intervals were made, of each kind of number where not all were made alike; empty where there are none."""
    hows: dict[str, list[str]] = {}
    for kind in kinds:
        made = (kind_of_interval(e.how, e.level) for e in kind.estimates if e.level is not None)
        for how in dict.fromkeys(made):
            hows.setdefault(how, []).append(kind.title)
    if len(hows) == 1:
        return _("Intervals: {how}.").format(how=next(iter(hows)))
    sentences = [_("{kinds}: {how}").format(kinds=joined(*titles, sep="; "), how=how) for how, titles in hows.items()]
    return _("Intervals of {each}.").format(each=joined(*sentences, sep=". ")) if sentences else ""


def class_content(answer: Answer) -> Content | None:
    """The table of the classes; None where the strip of numbers says as much."""
    table = class_table(answer)
    return None if table is None else Content((table,), caption=_("what has one value for each class"))


CLASSES = Part(
    "classes",
    "results",
    _("Class by class"),
    _(
        "For each class: how often it was used, how often {subjects} are truly of it, how often it comes out where "
        "{a_rating} does not follow the {subject}, and how often a second {rating} says it too where one has said it. "
        "The lines are the intervals, on a scale from 0 to 1."
    ),
    class_content,
    uses=("coefficients",),
    about=About.ANSWERS,
    printed=False,
)
