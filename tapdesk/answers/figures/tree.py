"""The tree of the model: from the truth by way of knowing or guessing to the class that is given."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import fonts, numbers
from tapdesk.answers.figure import Axis, DataColumn, DataTable, Figure, Line, Role, Unit, Words
from tapdesk.answers.figures.shares import no_one_rating
from tapdesk.answers.numbers import counted
from tapdesk.fitting.fit import NO_GUESS, Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, same_sentence
from tapdesk.models.parameters import Parameters
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.table import Cell, StudyTable

MOST_CLASSES = 4
# Height in pixels of a row with words, and of what is not rows.
_ROW, _EDGE = 42.0, 70.0
# How wide the words of a class may be, in pixels, so that they hide neither a branch's words nor run off the sheet.
_ROOM = 104.0
_SIZE = 13.0
# From here on all ratings follow the case.
_ALL = 1 - 1e-6
# Where the columns stand: start, true class, follows or guesses, class given.
_X = (0.0, 1.0, 2.2, 3.2)
_LEAF = 3.62
# Where the words of a branch stand on it: clear of the words at both of its ends.
_ALONG_TRUTH, _ALONG_A, _ALONG_P = 0.36, 0.56, 0.56


def tree_needs(fit: Fit, ratings: Ratings) -> str | None:
    """Why the tree cannot be drawn, or None."""
    del ratings
    p = fit.parameters
    if (reason := no_one_rating(fit)) is not None:
        return reason
    if p.accuracy.shape[0] != 1 or p.guessing.shape[0] != 1 or fit.model.name == "dawid-skene":
        return _("{Raters} differ in this model, so no single tree describes all of them: choose t-a-p.")
    if len(fit.classes) > MOST_CLASSES:
        return _("With more than {most} classes the tree has too many branches to be read.").format(most=MOST_CLASSES)
    if not fit.rates_known:
        return _("These {ratings} do not determine the numbers, so the tree would have none: {why}").format(
            why=fit.identification.words
        )
    if any(e.estimate.value is None and not same_sentence(e.estimate.undefined, NO_GUESS) for e in fit.estimates):
        return _("A number of this fit has no value, so the tree cannot be drawn.")
    return None


def tree(fit: Fit, ratings: Ratings) -> tuple[Figure, ...]:
    """The tree with the numbers of a fit."""
    note = _("N = {size}; {model} model. {A_rating} follows the {subject} with probability a.").format(
        size=counted(ratings.subject_count, ratings.rating_count), model=fit.model.name
    )
    if any(same_sentence(e.estimate.undefined, NO_GUESS) for e in fit.estimates):
        note = joined(note, NO_GUESS)
    table = _without_guesses(fit, branches(fit.parameters, fit.classes))
    a = fit.estimate("a") if any(e.name.name == "a" and e.name.category is None for e in fit.estimates) else None
    if a is None or a.value is None or a.low is None or a.high is None:
        return (tree_figure(table, _("{note} How sure the numbers are is not shown.").format(note=note)),)
    sentence = _("{a} of 100 {ratings} follow the {subject} ({low} to {high}); the others are guesses")
    if a.value > _ALL:
        sentence = _("All {ratings} follow the {subject} ({low} to {high} of 100), so none is a guess")
    title = sentence.format(a=f"{100 * a.value:.0f}", low=f"{100 * a.low:.0f}", high=f"{100 * a.high:.0f}")
    return (tree_figure(table, note, title),)


def _without_guesses(fit: Fit, table: StudyTable) -> StudyTable:
    """The branches, with no rate of a guess where nobody guesses and nothing shows what a guess would be."""
    if not any(same_sentence(e.estimate.undefined, NO_GUESS) for e in fit.estimates):
        return table
    at = table.columns.index("rated_rate")
    rows = (
        (
            *row[:at],
            row[at] if sentence["follows"] or _number(sentence["follows_rate"]) > 1 - _ALL else None,
            *row[at + 1 :],
        )
        for row, sentence in zip(table.rows, table.records(), strict=True)
    )
    return replace(table, rows=tuple(rows))


def tree_figure(table: StudyTable, note: str = "", title: str = "") -> Figure:
    """The tree of a table of branches (`branches`); its title says how many follow the case.

    ``title`` is printed instead, where it is not empty.
    """
    rows = table.records()
    marks: list[Line | Words] = []
    leaves = [float(len(rows) - 1 - i) for i in range(len(rows))]
    root = (leaves[0] + leaves[-1]) / 2
    for true in dict.fromkeys(table.values("truth")):
        own = [(y, row) for y, row in zip(leaves, rows, strict=True) if row["truth"] == true]
        marks += _from_truth(true, own, root, rows)
    # Words lie on the lines, not under them.
    marks.sort(key=lambda mark: isinstance(mark, Words))
    a = _number(rows[0]["follows_rate"])
    sentence = _("{a} of 100 {ratings} follow the {subject}; the others are guesses").format(a=f"{100 * a:.0f}")
    if len({row["follows_rate"] for row in rows if row["follows"]}) > 1:
        sentence = _("How {a_rating} comes about")
    title = title or sentence
    ends = (
        _("true {truth}, {how}, rated {rated}: {share}").format(
            truth=row["truth"],
            how=_("follows the {subject}") if row["follows"] else _("guesses"),
            rated=row["rated"],
            share=numbers.percent(_number(row["share"])),
        )
        for row in rows
    )
    text = joined(*ends, sep="; ")
    heads = ((_X[0], _("{subject}")), (_X[1], _("truth")), (_X[2], _("{rating}")), (_LEAF, _("class given")))
    return Figure(
        kind="tree",
        title=title,
        alt=_("Tree. {title}. Shares of all {ratings}: {told}.").format(title=title, told=text),
        x=Axis("", -0.15, _LEAF + 0.44, heads),
        y=Axis("", -0.6, len(rows) - 0.4, ticks=((-0.6, ""),)),
        marks=tuple(marks),
        note=note,
        table=_branches(rows),
        height=_EDGE + _ROW * len(rows) + 0.2 * _ROW,
    )


def _branches(rows: Sequence[dict[str, Cell]]) -> DataTable:
    """Every way to a rating, with the probabilities along it and how many go it."""
    columns = (
        DataColumn("truth", _("True class"), Unit.NAME),
        DataColumn("how", _("What the {rating} does"), Unit.NAME),
        DataColumn("rated", _("Class given"), Unit.NAME),
        DataColumn("truth_rate", _("Share of the true class")),
        DataColumn("how_rate", _("Probability of that")),
        DataColumn("rated_rate", _("Probability of the class")),
        DataColumn("share", _("Share of all {ratings}"), Unit.SHARE),
    )
    sentences = []
    for row in rows:
        names = str(row["truth"]), _("follows the {subject}") if row["follows"] else _("guesses"), str(row["rated"])
        rates = (
            None if row[key] is None else _number(row[key]) for key in ("truth_rate", "follows_rate", "rated_rate")
        )
        sentences.append((*names, *rates, _number(row["share"])))
    return DataTable(columns, tuple(sentences))


def _from_truth(
    true: Cell, own: Sequence[tuple[float, dict[str, Cell]]], root: float, rows: Sequence[dict[str, Cell]]
) -> list[Line | Words]:
    """Everything from the start by way of one true class."""
    here = float(np.mean([y for y, _row in own]))
    marks = _branch(
        (_X[0], root), (_X[1], here), _symbol("t", _number(own[0][1]["truth_rate"]), true, rows), _ALONG_TRUTH
    )
    marks.append(_words(_fitted(_("true {name}"), str(true)), _X[1], here))
    for follows in (True, False):
        side = [(y, row) for y, row in own if row["follows"] is follows]
        there = float(np.mean([y for y, _row in side]))
        rate = numbers.decimal(_number(side[0][1]["follows_rate"]))
        sentence = _("a = {x}").format(x=rate) if follows else _("1 − a = {x}").format(x=rate)
        marks += _branch((_X[1], here), (_X[2], there), sentence, _ALONG_A)
        marks.append(_words(_("follows the {subject}") if follows else _("guesses"), _X[2], there))
        for y, row in side:
            p = "" if follows else _guess(row, rows)
            marks += _branch((_X[2], there), (_X[3], y), p, _ALONG_P)
            share = _("{name}: {share}").format(name="{name}", share=numbers.percent(_number(row["share"])))
            marks.append(_words(_fitted(share, str(row["rated"])), _LEAF, y))
    return marks


def _fitted(words: str, name: str) -> str:
    """Words about a class, its name so short that they fit."""
    room = _ROOM - fonts.width(words.format(name=""), _SIZE, bold=True)
    return words.format(name=fonts.fitted(fonts.shown(name), _SIZE, room, bold=True))


def _number(x: Cell) -> float:
    return float(x or 0)


def _guess(row: dict[str, Cell], rows: Sequence[dict[str, Cell]]) -> str:
    """What stands on the branch of a guess; a dash where nobody guesses."""
    if row["rated_rate"] is None:
        return _("{name} = {x}").format(name="p", x="–")
    return _symbol("p", _number(row["rated_rate"]), row["rated"], rows)


def _symbol(name: str, value: float, label: Cell, rows: Sequence[dict[str, Cell]]) -> str:
    """What stands on a branch: t or 1 - t for two classes, t alone for more."""
    classes = list(dict.fromkeys(row["truth"] for row in rows))
    x = numbers.decimal(value)
    if len(classes) > 2 or label == classes[-1]:
        return _("{name} = {x}").format(name=name, x=x)
    return _("1 − {name} = {x}").format(name=name, x=x)


def _branch(start: tuple[float, float], end: tuple[float, float], text: str, along: float) -> list[Line | Words]:
    items: list[Line | Words] = [Line("", np.array([start[0], end[0]]), np.array([start[1], end[1]]), Role.OTHER_START)]
    if text:
        at = [a + along * (b - a) for a, b in zip(start, end, strict=True)]
        items.append(_words(text, at[0], at[1], Role.MODEL))
    return items


def _words(text: str, x: float, y: float, role: Role = Role.OBSERVED) -> Words:
    return Words(text, np.array([x]), np.array([y]), role)


def branches(point: Parameters, classes: tuple[str, ...]) -> StudyTable:
    """Every way to a rating: true class, whether the rating follows it, the class given, and how often.

    Parameters
    ----------
    point
        Parameters that all raters share.
    classes
        The labels.

    Returns
    -------
    StudyTable
        ``truth``, ``truth_rate``, ``follows``, ``follows_rate``, ``rated``, ``rated_rate`` (each given what stands
        before it), and ``share`` of all ratings, their product.
    """
    rows: list[tuple[Cell, ...]] = []
    for k, true in enumerate(classes):
        t, a = float(point.truth[k]), float(point.accuracy[0, min(k, point.accuracy.shape[1] - 1)])
        guesses = point.guessing[0, min(k, point.guessing.shape[1] - 1)]
        rows.append((true, t, True, a, true, 1.0, t * a))
        for rated, g in zip(classes, guesses, strict=True):
            rows.append((true, t, False, 1 - a, rated, float(g), t * (1 - a) * float(g)))
    columns = ("truth", "truth_rate", "follows", "follows_rate", "rated", "rated_rate", "share")
    return StudyTable("tree", columns, tuple(rows))
