"""What the two pages of a brief say of an answer: derived from the parts, so that they cannot say another thing.

A brief is read in ten seconds and signed: one sentence, one bar, at most five numbers, at most two warnings, who stands
apart, and every case worth a discussion. Names of models and words of the program's own stand in the annex.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, groupby

import numpy as np
from numpy.typing import NDArray

from tapdesk.answers import cases, cells, charts, fit_words, misfit, numbers, range_words
from tapdesk.answers.coefficients import plain, warning_of_paradox
from tapdesk.answers.content import Align, Block, Column, Number, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Role
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.figures import raters as figures_raters
from tapdesk.answers.figures import split
from tapdesk.answers.parameters import degeneracy
from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline
from tapdesk.answers.raters import apart, compared, fit_by_rater, panel_accuracy, who_differs
from tapdesk.answers.side_results import within_chance
from tapdesk.estimate import AccuracyRange, Estimate
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import MODELS, Accuracy
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.case_beliefs import DOUBTFUL

STUDIES = frozenset(
    {
        *("opposition", "differences", "slopes", "coefficients", "every_class", "chance", "goodness"),
        *("by_rater", "panel", "pooled", "rater_contrasts", "class_contrasts", "independence", "beliefs", "dependence"),
        *("group_contrasts", "consistency", "drift", "together", "severities", "scores"),
    }
)
"""The side studies whose results can change a word of a brief; all others are worked out for the annex alone."""
MOST_NUMBERS, MOST_WARNINGS = 5, 2
_RIGHT = Align.RIGHT
# More raters have no room beside their intervals on a page that holds the answer as well.
_MOST_RATERS, _MOST_CLASSES = 14, 8
_ROW, _EDGE = 20.0, 56.0
# So many letters of names fit on the second page with everything else.
_MOST_LETTERS = 1_500
# So many rows of cases fit whatever else stands there.
_SURE_LINES, _LINE = 22, 44
# Letters of the names in one row of the annex: up to six rows at the ends of a table stay together on one page.
_LETTERS_OF_ROW = 200
# Where so many of all cases, and no few, are doubtful, a list of all of them singles nobody out.
_NEARLY_ALL, _NO_FEW = 0.9, 20
_IF_ALIKE = _("{Ratings} that follow the {subject}, if all {subjects} are equally hard")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z“0-9])")
_KITCHEN = re.compile(
    r"\bkrits?\b|\bnats?\b|\bflags?\b|\bflagged\b|needs your decision|P-a-P|"
    + "|".join(rf"(?<![\w-]){re.escape(one.name)}(?![\w-])" for one in MODELS),
    re.IGNORECASE,
)


def kitchen(text: str) -> bool:
    """Whether a text holds a word that only those who make such programs know, as the name of a model."""
    return _KITCHEN.search(text) is not None


def plain_words(text: str) -> str:
    """The sentences of a text that hold no word of the kitchen."""
    return joined(*(one for one in _SENTENCES.split(text) if one and not kitchen(one))) if kitchen(text) else text


def answer_words(answer: Answer) -> tuple[str, str]:
    """The answer in one sentence, and what follows: the headline of the window in words of the committee."""
    sentence, follows = headline(answer)
    if kitchen(sentence):
        # Where the window lists numbers below, the committee is told that there is no single one.
        sentence = plain_words(sentence) or _several(answer.fit)
    return sentence, plain_words(follows)


def _several(fit: Fit) -> str:
    """That one number would not describe these ratings."""
    if fit.model.accuracy is Accuracy.PER_RATER:
        return _("Each of the {raters} has an accuracy of their own, so there is no single one to report.").format()
    return _("There is no single accuracy to report of these {ratings}; the full report tells its numbers.").format()


# The bar -------------------------------------------------------------------------------------------------------------


def why_no_split(answer: Answer) -> str:
    """Why the matches are not split into knowledge and luck; empty where they are."""
    fit, side = answer.fit, answer.side
    reasons = (
        (
            range_words.open_range(fit) is not None,
            _("How much is luck cannot be split here: these {ratings} fit every accuracy of the range equally well."),
        ),
        (within_chance(side), _("All of the agreement may be luck: these {ratings} cannot be told from chance.")),
        (
            fit.model.accuracy is Accuracy.PER_RATER,
            _("How much of the agreement is luck differs from one pair of {raters} to the next: no one bar shows it."),
        ),
        (
            fit_words.void(fit),
            _("How much of the agreement is luck cannot be told: these {ratings} leave the accuracy open."),
        ),
        (
            misfit.set_back(fit, side),
            _("How much of the agreement is luck is not shown: one accuracy does not describe these {ratings}."),
        ),
        (
            fit.degenerate,
            _("How much of the agreement is luck is not shown: a number it rests on lies at the end of its scale."),
        ),
    )
    refusal = next((words.format() for holds, words in reasons if holds), "")
    if refusal or (reason := split.split_needs(fit, answer.ratings)) is None:
        return refusal
    return plain_words(reason) or _("How much of the agreement is luck cannot be told from these numbers.")


def split_blocks(answer: Answer) -> tuple[Block, ...]:
    """The bar and its four numbers; or why there is none."""
    why = why_no_split(answer)
    if why:
        return (Paragraph(why),)
    shown = split.pieces(answer.fit, answer.ratings)
    (figure,) = split.split(answer.fit, answer.ratings)
    figure = restyled(figure, answer.style)
    rows = tuple((piece.name.format(), _in_100(piece.share), _reach(piece.share)) for piece in shown)
    alike = Paragraph(_("This holds if all {subjects} are equally hard.").format())
    return (
        *((alike,) if misfit.unproved(answer.fit, answer.side) else ()),
        Picture(figure.title, (figure,), height=split.HEIGHT),
        Table(
            _("The pieces of the bar, from left to right"),
            (Column("", wide=True), Column(_("of 100"), _RIGHT), Column(_level(answer.fit), _RIGHT)),
            rows,
        ),
    )


def _level(fit: Fit) -> str:
    return _("{level} interval").format(level=numbers.level(fit.interval[1]))


def _in_100(e: Estimate) -> Number:
    """A share out of 100; the rule that nothing that is not 0 reads 0 is kept."""
    return Number(numbers.DASH if e.value is None else numbers.hundredths(e.value), e.value)


def _reach(e: Estimate) -> Number:
    if e.low is None or e.high is None:
        return Number(numbers.DASH, None, None)
    low, high = numbers.ends(e.low, e.high)
    return Number(_("{low} to {high}").format(low=low, high=high), e.low, e.high)


# The numbers ---------------------------------------------------------------------------------------------------------


def numbers_table(answer: Answer) -> Table | None:
    """At most five numbers with their intervals; None where there is none to tell."""
    rows = [*_accuracy_rows(answer), *_agreement_rows(answer), *_class_rows(answer)][:MOST_NUMBERS]
    if not rows:
        return None
    level = _level(answer.fit) if answer.result is not None else _("Interval")
    return Table(
        _("The numbers"),
        (Column("", wide=True), Column(_("Value"), _RIGHT), Column(level, _RIGHT)),
        tuple(rows),
    )


Row = tuple[str, str, str]


def _share_row(name: str, e: Estimate) -> Row:
    text = numbers.DASH if e.value is None else _("{n} in 100").format(n=numbers.hundredths(e.value))
    return name, Number(text, e.value), _reach(e)


def _accuracy_rows(answer: Answer) -> list[Row]:
    """The accuracy of the panel, as a range where only that is known; nothing where one number would mislead."""
    if answer.result is None:
        return []
    fit = answer.fit
    reach = range_words.open_range(fit)
    if reach is not None:
        name = _("{Ratings} that follow the {subject}: every share that fits").format()
        low, high = numbers.hundredths(reach.low), numbers.hundredths(reach.high)
        if low == high:
            low, high = numbers.ends(reach.low, reach.high)
        value = Number(_("{low} to {high} in 100").format(low=low, high=high), reach.low, reach.high)
        outer = Estimate(reach.low, low=reach.outer_low, high=reach.outer_high)
        return [(name, value, _reach(outer))]
    one = fit.model.accuracy is Accuracy.ONE
    # Where the answer has one accuracy the headline tells it: raters drawn from a population have another mean.
    own = fit.estimate("a") if one and answer.side.pooled is not None else panel_accuracy(answer)
    e = None if one and fit_words.void(fit) else own
    if e is None or fit_words.void(fit) or misfit.contradicted(answer.side) or within_chance(answer.side):
        return []
    if misfit.tells_range(fit, answer.side) or misfit.unproved(fit, answer.side):
        return [_share_row(_IF_ALIKE.format(), e)]
    if misfit.set_back(fit, answer.side):
        return []
    return [_share_row(_("{Ratings} that follow the {subject} itself (accuracy)").format(), e)]


def _agreement_rows(answer: Answer) -> list[Row]:
    """Raw agreement, kappa, and what stands beside it: AC1 where kappa misleads, the weighted kappa of an order."""
    shown = {c.name: c.estimate for c in plain(answer.side.coefficients) if c.category is None}
    rows: list[Row] = []
    raw, kappa, ac = (shown.get(name) for name in ("percent_agreement", "fleiss_kappa", "gwet_ac"))
    if raw is not None and raw.value is not None:
        rows.append(_share_row(_("Two {raters} give {a_subject} the same {rating} (raw agreement)").format(), raw))
    if kappa is not None and kappa.value is not None:
        rows.append((_("The same beyond chance (Fleiss’ kappa)"), *_decimal(kappa, answer)))
    if ac is not None and ac.value is not None and warning_of_paradox(answer.side, answer.ratings, answer.style):
        rows.append((_("The same beyond chance, another way (Gwet’s AC1)"), *_decimal(ac, answer)))
    weighted = next(
        (
            c.estimate
            for c in answer.side.coefficients
            if c.name == "fleiss_kappa" and c.weights == "quadratic" and c.raters is None
        ),
        None,
    )
    if weighted is not None and weighted.value is not None:
        rows.append((_("Beyond chance, near misses counted in part (weighted kappa)"), *_decimal(weighted, answer)))
    return rows


def _decimal(e: Estimate, answer: Answer) -> tuple[str, str]:
    style = replace(answer.style, brackets=False)
    reach = Number(numbers.DASH, None, None) if e.low is None else cells.interval(e, style)
    return cells.value(e, style), reach


def _class_rows(answer: Answer) -> list[Row]:
    """Of two classes: how many cases are truly of class 1, and how often a case of the other is called so."""
    if answer.result is None or len(answer.fit.classes) != 2:
        return []
    fit = answer.fit
    if fit_words.void(fit) or misfit.set_back(fit, answer.side) or fit.model.accuracy is not Accuracy.ONE:
        return []
    if range_words.open_range(fit) is not None or fit.degenerate or not fit.identification.identified:
        return []
    name = numbers.short(fit.classes[1], 30)
    rows = []
    truth = next((e.estimate for e in fit.estimates if str(e.name) == "t"), None)
    if truth is not None and truth.value is not None:
        rows.append(_share_row(_("{Subjects} that are truly “{name}”").format(name=name), truth))
    wrong = next((share for share in fit.shares if share.truth == fit.classes[0]), None)
    if wrong is not None and fit.parameters.rating_rates().shape[0] == 1:
        e = Estimate(float(fit.parameters.rating_rates()[0][0, 1]))
        if wrong.low is not None and wrong.high is not None and wrong.low <= (e.value or 0.0) <= wrong.high:
            e = e.between(wrong.low, wrong.high, fit.interval[1], wrong.how)
        rows.append(_share_row(_("{Ratings} that say “{name}” where it is not so").format(name=name), e))
    if not misfit.unproved(fit, answer.side):
        return rows
    alike = _("{row}, if all {subjects} are equally hard")
    return [(alike.format(row=name), value, reach) for name, value, reach in rows]


# What fills a first page without a bar -------------------------------------------------------------------------------


def class_blocks(answer: Answer) -> tuple[Block, ...]:
    """Of several classes how often each is given and confirmed; where only a range of accuracies is known, that range.

    For a page without the bar and without the picture of the raters, which would be half empty.
    """
    reach = None if answer.result is None else range_words.open_range(answer.fit)
    if reach is not None:
        return _range_blocks(reach, answer)
    agreed = {c.category: c.estimate for c in plain(answer.side.coefficients) if c.name == "specific_agreement"}
    shares = answer.ratings.class_rates()
    rows = [
        (numbers.short(name, 60), _in_100(Estimate(float(share))), _in_100(agreed[name]), _reach(agreed[name]))
        for name, share in zip(answer.ratings.classes, shares, strict=True)
        if name in agreed
    ][:_MOST_CLASSES]
    if len(answer.ratings.classes) < 3 or not rows:
        return ()
    title = _("How often each {rating} is given, and confirmed by another {rater}").format()
    columns = (
        Column("", wide=True),
        Column(_("Given, of 100"), _RIGHT),
        Column(_("Confirmed, of 100"), _RIGHT),
        Column(_level(answer.fit) if answer.result is not None else _("Interval"), _RIGHT),
    )
    return (Table(title, columns, tuple(rows)),)


def _range_blocks(reach: AccuracyRange, answer: Answer) -> tuple[Block, ...]:
    """The ends of every accuracy that fits on the scale, and below them what an assumption makes of it."""
    rows = [
        (_("Lowest accuracy that fits"), Estimate(reach.low), Role.MODEL),
        (_("Highest accuracy that fits"), Estimate(reach.high), Role.MODEL),
        (_("If guesses fall as the truth"), reach.assumed, Role.SECOND),
    ]
    shown = [row for row in rows if row[1].value is not None]
    title = _("From 0, all luck, to 1, all knowledge: what these {ratings} leave open").format()
    figure = charts.forest(shown, answer.style, kind="range", title=title, note="")
    return (Picture(title, (figure,), height=_EDGE + _ROW * 1.4 * len(shown)),)


# Warnings ------------------------------------------------------------------------------------------------------------


def warnings(answer: Answer, first: Iterable[str] = ()) -> tuple[Paragraph, ...]:
    """What must not be overlooked, the gravest two; the others stand in the full report.

    Parameters
    ----------
    answer
        What is told.
    first
        Warnings about data and decisions, which go before those about the numbers.
    """
    found = [text for text in first if text]
    if answer.result is not None:
        fit, side = answer.fit, answer.side
        found.append(fit_words.caution(fit, answer.ratings))
        if side.goodness is not None and side.goodness.p_bootstrap < misfit.level(side):
            doubt = misfit.contradicted(side) or misfit.set_back(fit, side)
            found.append("" if doubt else _misses().format())
        found += [p.text for p in warning_of_paradox(side, answer.ratings, answer.style)[:1]]
        void = fit_words.void(fit) or within_chance(side) or misfit.missed(fit, side)
        found += degeneracy(fit, void=void)
    return read_with_care(found)


def read_with_care(found: Iterable[str]) -> tuple[Paragraph, ...]:
    """Warnings in plain words, the first two of them: the gravest stand first."""
    kept = [text for text in dict.fromkeys(map(plain_words, found)) if text]
    return tuple(Paragraph(text, Tone.WARNING, _("Read with care.")) for text in kept[:MOST_WARNINGS])


def _misses() -> str:
    return _(
        "The description behind these numbers misses something about the {ratings}: read them as a summary, not as "
        "the whole story."
    )


# Who stands apart ----------------------------------------------------------------------------------------------------


def apart_blocks(answer: Answer) -> tuple[Block, ...]:
    """Who stands apart from the panel, with the picture of all raters where there is room; or why nobody can."""
    ratings, side = answer.ratings, answer.side
    if not ratings.raters_known:
        return (Paragraph(_("The file does not say who gave which {rating}, so nobody can be set apart.").format()),)
    if len(ratings.raters) < 2:
        return (Paragraph(_("There is only one {rater}, so nobody can be set apart.").format()),)
    if misfit.contradicted(side):
        return (Paragraph(_("Some {raters} contradict others: see the first sentence of this page.").format()),)
    fit = None if answer.result is None else fit_by_rater(answer)
    if fit is None or figures_raters.raters_needs(fit) is not None or not fit.converged:
        few = _("Two {raters} cannot show which of them differs: that needs a third.")
        more = _("These {ratings} do not tell how far single {raters} follow the {subject}.")
        return (Paragraph((few if len(ratings.raters) == 2 else more).format()),)
    panel = panel_accuracy(answer)
    if panel is None or not compared(side):
        return (Paragraph(_("Whether single {raters} differ from the panel cannot be told here.").format()),)
    sentence, follows = who_differs(fit, panel, side)
    blocks: list[Block] = []
    if sentence != headline(answer)[0]:
        blocks.append(Paragraph(joined(sentence, plain_words(follows))))
    below, above = apart(fit, side)
    marked = {e.name.rater or "" for e in (*below, *above)}
    figure = restyled(
        figures_raters.raters(fit, answer.style, panel, marked, pooled=side.pooled is not None), answer.style
    )
    count = len(figure.y.ticks)
    if 1 < count <= _MOST_RATERS:
        blocks.append(Picture(figure.title, (figure,), height=_EDGE + _ROW * count))
    return tuple(blocks)


# Cases ---------------------------------------------------------------------------------------------------------------


def cases_blocks(answer: Answer, *, whole: bool = True) -> tuple[Block, ...]:
    """Every case worth a discussion by name, those with the same ratings in one row, the least certain first.

    Parameters
    ----------
    answer
        What is told.
    whole
        Whether it stands on one page, with as many names as there is room for; else with all.
    """
    if answer.result is None:
        return ()
    beliefs = cases.believed(answer)
    if beliefs is None:
        return (Paragraph(plain_words(fit_words.no_beliefs(answer.fit, answer.side.chance))),)
    table = _grouped_cases(answer, whole=whole, short_from=None if whole else 0)
    sure = cases.sure_of(beliefs, answer, listed=table is not None)
    text = Paragraph(plain_words(range_words.conditional(sure, answer.fit)))
    return (text,) if table is None else (text, table)


def further_cases(answer: Answer) -> tuple[Block, ...]:
    """The cases to discuss that the second page may have no room for; all of them where it does not name every one."""
    table = None if answer.result is None else _grouped_cases(answer, whole=False)
    if table is None:
        return ()
    first = _grouped_cases(answer, whole=True)
    if first is None or first.note:
        return cases_blocks(answer, whole=False)
    upto = _rows_of_page(table)
    rest = None if upto == len(table.rows) else _grouped_cases(answer, whole=False, short_from=upto)
    title = _("{Subjects} to discuss, continued from page 2").format()
    return () if rest is None else (replace(rest, title=title),)


def _rows_of_page(table: Table) -> int:
    """How many rows surely have room on the second page."""
    lines = accumulate(-(-len(row[0]) // _LINE) for row in table.rows)
    return sum(line <= _SURE_LINES for line in lines)


def unsure_cases(answer: Answer) -> int:
    """How many cases are listed."""
    beliefs = None if answer.result is None else cases.believed(answer)
    return 0 if beliefs is None else int((beliefs.probability.max(axis=1) < DOUBTFUL).sum())


def _called(ratings: Ratings, at: int) -> str:
    """A case by its name; where a row of the file stands for several, how many these are."""
    if ratings.weight is None:
        return ratings.subjects[at]
    n, name = int(ratings.weight[at]), ratings.subjects[at]
    called = _("{n} {subjects}").format(n=numbers.count(n))
    # The number of a row of the file is no name.
    return called if name.isdigit() else _("{name} ({n})").format(name=name, n=called)


def _given(names: Sequence[str], counts: NDArray[np.int64]) -> str:
    """How often each class was given, in few signs: ``3 bronze, 1 gold``; what is no word stands in quotes."""
    plain = _("{n} {label}")
    quoted = _("{n} “{label}”")
    shown = (
        (plain if name[:1].isalpha() else quoted).format(n=n, label=name)
        for name, n in zip(names, counts, strict=True)
        if n
    )
    return joined(*shown, sep=", ")


def _short_rows(names: Sequence[str]) -> Iterator[str]:
    """Names in rows of so many lines at most: no row is broken by a page, so none may be longer than one."""
    ends = accumulate(len(name) + 2 for name in names)
    rows = groupby(zip(names, ends, strict=True), key=lambda one: (one[1] - 1) // _LETTERS_OF_ROW)
    return (", ".join(name for name, _end in row) for _at, row in rows)


def _grouped_cases(answer: Answer, *, whole: bool, short_from: int | None = None) -> Table | None:
    """The cases to discuss, a row for those with the same ratings; from a group on, if asked, in rows for any page."""
    beliefs, ratings = cases.believed(answer), answer.ratings
    if beliefs is None:
        return None
    sure = beliefs.probability.max(axis=1)
    counts, names = ratings.counts(), numbers.shorts(ratings.classes, 30)
    groups: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    letters = left = 0
    weight = ratings.subject_weights()
    sizes: dict[tuple[str, str, str], int] = defaultdict(int)
    for at in beliefs.least_certain():
        if sure[at] >= DOUBTFUL:
            break
        best = int(beliefs.probability[at].argmax())
        given = _given(names, counts[at])
        name = _called(ratings, at)
        letters += len(name) + 2
        if whole and letters > _MOST_LETTERS:
            left += int(weight[at])
            continue
        key = (given, names[best], cells.percent_below(float(sure[at]), DOUBTFUL))
        groups[key].append(numbers.short(name, 40))
        sizes[key] += int(weight[at])
    if not groups:
        return None
    keys, all_of_them = list(groups), int(weight.sum())
    doubtful = left + sum(sizes.values())
    if whole and _nearly_all(doubtful, all_of_them):
        keys = _worst(sizes, all_of_them)
        left = doubtful - sum(sizes[key] for key in keys)
    if short_from is None:
        rows = [(", ".join(groups[key]), *key) for key in keys]
    else:
        rows = [(row, *key) for key in keys[short_from:] for row in _short_rows(groups[key])]
    note = _further(left, doubtful, all_of_them)
    columns = [
        Column(_("{Subjects}").format(), wide=True),
        Column(_("{Ratings} given").format(), wide=not whole),
        Column(_("Likeliest")),
        Column(_("How sure"), _RIGHT),
    ]
    shown = len(columns) if cases.certain(beliefs, answer) else len(columns) - 1
    title = _("{Subjects} to discuss, the least certain first").format()
    kept = tuple(row[:shown] for row in rows)
    return Table(title, tuple(columns[:shown]), kept, note, whole=whole)


def _nearly_all(doubtful: int, n: int) -> bool:
    """Whether the list of doubtful cases is long and leaves hardly any out."""
    return doubtful > _NO_FEW and doubtful >= _NEARLY_ALL * n


def _worst(sizes: Mapping[tuple[str, str, str], int], n: int) -> list[tuple[str, str, str]]:
    """The least certain groups of cases, together at most half of all; at least the first."""
    upto = accumulate(sizes.values())
    return [key for at, (key, size) in enumerate(zip(sizes, upto, strict=True)) if not at or 2 * size <= n]


def _further(left: int, doubtful: int, n: int) -> str:
    """Where the cases stand that the page does not list; that nearly all are doubtful where they are."""
    if not left:
        return ""
    more = _("{n} more {subjects} are listed in the technical annex of the full report.")
    if not _nearly_all(doubtful, n):
        return more.format(n=numbers.count(left))
    nearly = _("Nearly all {subjects} are doubtful, {part}: only the least certain are listed here.")
    return joined(nearly.format(part=numbers.of_all(doubtful, n)), more.format(n=numbers.count(left)))
