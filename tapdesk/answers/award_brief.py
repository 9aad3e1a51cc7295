"""What the two pages of a brief say of awards: the committee's rule and result first, ours beside, whom to discuss."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import awards as words
from tapdesk.answers import cells, numbers
from tapdesk.answers.award_part import scores_figure
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.literature import citation, reference
from tapdesk.answers.part import Answer
from tapdesk.answers.question import awarded
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.studies.award_answer import SAFE, Awards, ScoreKind
from tapdesk.studies.case_beliefs import DOUBTFUL
from tapdesk.studies.panel_sampler import IndexArray

_RIGHT = Align.RIGHT
_MOST_LISTED, _MOST_DRAWN = 10, 10
_MOST_NAMED = 3
_ROW, _EDGE = 18.0, 50.0
SURE_ROWS = 14
"""So many rows surely have room on the second page, whatever else stands there."""


def why_no_awards(answer: Answer) -> str:
    """Why who wins was asked and is not answered; empty where it is, or was not asked."""
    return "" if awarded(answer) is not None else answer.side.reasons.get("awards", "")


# How it was worked out ------------------------------------------------------------------------------------------------


def works(result: Awards) -> tuple[str, ...]:
    """Keys of the works that `method_words` rests on."""
    by_kind = {ScoreKind.POINTS: ("linacre",), ScoreKind.GRADES: ("linacre", "samejima"), ScoreKind.CLASSES: ()}
    return by_kind[result.kind]


def method_words(result: Awards) -> str:
    """How the awards were worked out, in a few sentences for who checks it."""
    if result.kind is ScoreKind.CLASSES:
        return _(
            "How sure each {subject} is was worked out with accuracy, guesses and shares of the classes drawn from "
            "what is believed of them; places were counted again on {subjects} drawn again."
        ).format()
    sentence = _(
        "Each {rater} was given a severity, a spread and a slope: 1 follows the {subjects} as the panel does, 0 not at "
        "all, and below 0 the scale is turned round. These numbers are drawn towards each other, the less is known of "
        "a {rater} the more {works}. All of them were drawn together from what is believed of them, and every interval "
        "and probability holds the uncertainty of all. A fair score is what the panel would give on average if every "
        "{rater} had judged the {subject}."
    ).format(works=citation(reference(key) for key in works(result)))
    classes = _("Ordered classes are taken as ranges of such a score, whose lines were drawn as well.")
    again = _("What changes without a {rater} or by another rule was worked out by that rule again.").format()
    return joined(sentence, classes if result.kind is ScoreKind.GRADES else "", again)


# The first page ------------------------------------------------------------------------------------------------------


def first_page(result: Awards, answer: Answer) -> tuple[tuple[str, str, tuple[Block, ...]], ...]:
    """What stands below the answer: key, title and blocks of each section."""
    listed = (Paragraph(committee_words(result)), *((table,) if (table := committee_table(result, answer)) else ()))
    rows: list[tuple[str, str, tuple[Block, ...]]] = [("brief-awards", _("What the committee gave"), listed)]
    if result.kind is not ScoreKind.CLASSES:
        figure = restyled(scores_figure(result, answer.style, _MOST_DRAWN), answer.style)
        height = _EDGE + _ROW * max(len(figure.y.ticks), 2)
        rows.append(("brief-top", _("What speaks for it"), (Picture(figure.note, (figure,), height=height),)))
    rows.append(("brief-numbers", _("The numbers"), (numbers_table(result),)))
    return tuple(rows)


def committee_words(result: Awards) -> str:
    """The committee's rule, and what it gives in all."""
    rule = words.rule_of(result)
    given = Counter(int(k) for k in result.result.given if k >= 0)
    if not given or not result.probability.shape[1]:
        names = joined(*(CaseName(result.subjects[i]) for i in _by_place(result)[:_MOST_NAMED]), sep=", ")
        return _("By the committee’s rule, “{rule}”, the first are {names}.").format(rule=rule, names=names)
    each = [
        (_("{n} {label}") if result.classes[k][:1].isalpha() else _("{n} “{label}”")).format(
            n=given[k], label=Label(result.classes[k])
        )
        for k in _best_first(result)
        if given[k]
    ]
    none = len(result.subjects) - sum(given.values())
    left = ngettext("{n} without a class", "{n} without a class", none).format(n=none) if none else ""
    return _("By the committee’s rule, “{rule}”: {each}.").format(rule=rule, each=joined(*each, left, sep=", "))


def _best_first(result: Awards) -> list[int]:
    """The classes from the best to the lowest; without an order the one that is wanted and then the others."""
    if result.kind is ScoreKind.CLASSES:
        return sorted(range(len(result.classes)), key=lambda k: k != result.wanted)
    return list(reversed(range(len(result.classes))))


def _by_place(result: Awards) -> list[int]:
    """Entries by the place the committee's rule gives them; of the same place those of the higher fair score first."""
    return [int(i) for i in np.lexsort((-result.fair, result.result.place))]


def committee_table(result: Awards, answer: Answer) -> Table | None:
    """The committee's first ten, its result before ours."""
    whole = words.page_table(result, answer.style)
    at = {column.title: i for i, column in enumerate(whole.columns)}
    titles = [_("Place"), _("{Subject}").format(), _("Committee"), _("Given"), words.fair_head(result), _("Places")]
    kept = [at[title] for title in (*titles, _("Deserved"), _("Likeliest")) if title in at]
    position = {int(i): row for row, i in enumerate(result.order)}
    rows = [whole.rows[position[i]] for i in _by_place(result)[:_MOST_LISTED]]
    columns = [
        replace(whole.columns[i], title=_("Model’s places"), wide=False) if i == at[_("Places")] else whole.columns[i]
        for i in kept
    ]
    return Table(
        _("What the committee gave"),
        (*columns[:-1], replace(columns[-1], wide=True)),
        tuple(tuple(row[i] for i in kept) for row in rows),
        joined(
            _("Place, committee and given are the committee’s own; what stands behind them is of the model."),
            scale_words(result),
        ),
    )


def scale_words(result: Awards) -> str:
    """What the numbers of ordered classes stand for; empty for points."""
    if result.kind is not ScoreKind.GRADES:
        return ""
    steps = [_("{n} is {label}").format(n=k + 1, label=Label(label)) for k, label in enumerate(result.classes)]
    return _("Scores count the classes: {steps}.").format(steps=joined(*steps, sep=", "))


def numbers_table(result: Awards) -> Table:
    """The few numbers of the answer."""
    first = CaseName(result.subjects[int(result.order[0])])
    rows: list[tuple[str, str]] = []
    given = result.result.given >= 0
    if result.kind is not ScoreKind.CLASSES and result.probability.shape[1] and given.any():
        rows += _award_rows(result)
    if result.kind is ScoreKind.CLASSES:
        share, label = float(result.fair[result.order[0]]), Label(result.classes[result.wanted])
        rows.append(
            (_("How sure it is that {name} is “{label}”").format(name=first, label=label), cells.percent(share))
        )
    elif 1 in result.first:
        share = float(result.among[result.order[0], result.first.index(1)])
        rows.append((_("How sure it is that {name} is the best").format(name=first), cells.percent(share)))
    level = next((b for a, b in result.groups if a == 0), 0) + 1
    rows.append((_("{Subjects} that cannot be told apart at the top").format(), cells.count(level)))
    if result.without:
        rows.append(_left_out_row(result))
    return Table(_("The numbers"), (Column("", wide=True), Column(_("Value"), _RIGHT)), tuple(rows))


def _award_rows(result: Awards) -> list[tuple[str, str]]:
    """How many awards are safe, and how many the model would give as well."""
    given = result.result.given >= 0
    safe = int(result.safe.sum())
    same = int((result.likeliest == result.result.given)[given].sum())
    names = (
        _("Awards that are deserved with {share} or more").format(share=numbers.percent(SAFE)),
        _("Awards the model would put where the committee put them"),
    )
    shown = [_("{n} of {all}").format(n=n, all=int(given.sum())) for n in (safe, same)]
    return list(zip(names, shown, strict=True))


def _left_out_row(result: Awards) -> tuple[str, str]:
    """How many awards change if one judge is left out, from the judge without whom fewest do."""
    counts = [len(one.changes) for one in result.without]
    most = result.without[int(np.argmax(counts))]
    shown: str = cells.count(max(counts))
    if min(counts) < max(counts):
        shown = _("{low} to {high}").format(low=min(counts), high=max(counts))
    name = RaterName(result.raters[most.judge])
    what = _("Awards that change if one {rater} is left out (most: {name})")
    if not result.probability.shape[1]:
        what = _("{Subjects} that enter or leave the first three if one {rater} is left out (most: {name})")
    return (what if max(counts) else _("Awards that change if one {rater} is left out")).format(name=name), shown


def judges_blocks(result: Awards) -> tuple[Block, ...]:
    """Who is strict and who generous, and whose scores do not follow the others."""
    if result.kind is ScoreKind.CLASSES:
        return ()
    odd = [
        _("{name}: {words}.").format(name=RaterName(one.judge), words=follows)
        for one in result.judges
        if (follows := words.follow_words(one))
    ]
    return (Paragraph(joined(words.strict_words(result), *odd)),)


# The second page ------------------------------------------------------------------------------------------------------


def to_discuss(result: Awards) -> IndexArray:
    """The entries worth a discussion, those of whose award least is sure first.

    Where awards are given those that are not safe; where a class is wanted those of which it is doubtful; where only
    places are told those that cannot be told apart from the first.
    """
    if result.kind is ScoreKind.CLASSES:
        doubt = np.abs(result.fair - 0.5)
        open_ = np.maximum(result.fair, 1 - result.fair) < DOUBTFUL
        order = np.argsort(doubt, kind="stable")
        return np.asarray(order[open_[order]])
    given = result.result.given >= 0
    if result.probability.shape[1] and given.any():
        open_ = given & ~result.safe
        order = np.argsort(np.where(given, result.deserved, np.inf), kind="stable")
        return np.asarray(order[open_[order]])
    last = next((b for a, b in result.groups if a == 0), 0)
    return np.asarray(result.order[: last + 1]) if last else np.zeros(0, dtype=np.int64)


def discuss_blocks(result: Awards, answer: Answer) -> tuple[Block, ...]:
    """Every entry worth a discussion, with what the committee gave and room for what it decides."""
    which = to_discuss(result)
    if not which.size:
        return (Paragraph(_nothing_to_discuss(result)),)
    return (Paragraph(_why_these(result, which.size)), _discussed(result, which, answer))


def further_blocks(result: Awards, answer: Answer) -> tuple[Block, ...]:
    """Those of them that the second page may have no room for."""
    table = _discussed(result, to_discuss(result)[SURE_ROWS:], answer)
    title = _("{Subjects} to discuss, continued from page 2").format()
    return (replace(table, title=title),) if table.rows else ()


def _nothing_to_discuss(result: Awards) -> str:
    if result.kind is ScoreKind.CLASSES:
        return _("Of no {subject} it is doubtful whether it is “{label}”.").format(
            label=Label(result.classes[result.wanted])
        )
    if result.probability.shape[1]:
        return _("Every award is deserved with {share} or more.").format(share=numbers.percent(SAFE))
    return _("The first is told from all others.")


def _why_these(result: Awards, n: int) -> str:
    if result.kind is ScoreKind.CLASSES:
        sentence = ngettext(
            "Of {n} {subject} it is doubtful whether it is “{label}”; the most doubtful first.",
            "Of {n} {subjects} it is doubtful whether they are “{label}”; the most doubtful first.",
            n,
        )
        return sentence.format(n=n, label=Label(result.classes[result.wanted]))
    if result.probability.shape[1]:
        sentence = ngettext(
            "{n} award is deserved with less than {share}. The committee decides.",
            "{n} awards are deserved with less than {share}; those with the least stand first. The committee decides.",
            n,
        )
        return sentence.format(n=n, share=numbers.percent(SAFE))
    return _("These cannot be told apart from the first.")


def _discussed(result: Awards, which: Sequence[int] | IndexArray, answer: Answer) -> Table:
    whole = words.page_table(result, answer.style)
    at = {column.title: i for i, column in enumerate(whole.columns)}
    titles = [_("{Subject}").format(), _("Committee"), _("Given"), words.fair_head(result), _("Places")]
    kept = [at[title] for title in (*titles, _("Deserved"), _("Likeliest")) if title in at]
    position = {int(i): row for row, i in enumerate(result.order)}
    rows = tuple(tuple(whole.rows[position[int(i)]][k] for k in kept) for i in which)
    columns = [whole.columns[k] for k in kept]
    return Table(
        _("{Subjects} to discuss").format(),
        (*columns, Column(_("What we decided"), wide=True)),
        tuple((*row, "") for row in rows),
    )
