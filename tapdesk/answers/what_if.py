"""What if: two analyses side by side, and whether they differ by more than chance.

*Yes* is said where the interval of the difference, as it is printed, leaves 0 out; *yes, small* where all of it lies
within the smallest change that matters; *no* where it holds 0 and lies within; *cannot tell* where it holds 0 and
reaches beyond. How much matters is asked: without that only *yes* and *cannot tell* are said. Of what is exactly alike
nothing is said until then.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

from tapdesk.answers import cells, numbers
from tapdesk.answers.award_moves import AwardMoves, moves_sentence
from tapdesk.answers.content import Align, Column, Table
from tapdesk.answers.content import Number as Cell
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.language import Label, Number, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.models.parameters import ParameterName
from tapdesk.studies.comparison import FEWEST, CaseMoves, Comparison, Contrast
from tapdesk.studies.what_if import Side


class Verdict(Enum):
    """Whether a number changed by more than chance; the value is that of the JSON."""

    YES = "yes"
    SMALL = "yes, small"
    NO = "no"
    CANNOT_TELL = "cannot tell"


_WORDS = {
    Verdict.YES: _("yes"),
    Verdict.SMALL: _("yes, small"),
    Verdict.NO: _("no"),
    Verdict.CANNOT_TELL: _("cannot tell"),
}


@dataclass(frozen=True, slots=True)
class Size:
    """On how much an analysis rests."""

    subjects: int
    ratings: int
    raters: int


@dataclass(frozen=True, slots=True)
class Round:
    """One of three and more rounds in the order of time.

    Attributes
    ----------
    name
        What it is called.
    size
        On how much it rests.
    contrasts
        Its numbers against those of the round before; empty for the first.
    """

    name: str
    size: Size
    contrasts: tuple[Contrast, ...] = ()


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Two analyses side by side, or the last of several rounds against the first: what a project keeps of them.

    Attributes
    ----------
    a, b
        What they are called.
    contrasts
        The numbers of both, in the order of the first.
    counted
        The class that is counted where there are two, else the last.
    same
        Whether both are the same ratings asked the same.
    smallest
        The smallest change that matters; None where that was not said.
    otherwise
        What was read or decided otherwise in the second, a sentence each.
    remarks
        How they were compared, a sentence each.
    made_on
        Fingerprint of the ratings of the first.
    sizes
        On how much either rests; empty where an earlier version did not keep it.
    cases
        What becomes of the cases of both; None where that cannot be said.
    caveat
        What this does not say, where it is more than `NOT_SAID`.
    lead
        What is otherwise in the second, as a sentence begins; empty of other files.
    rounds
        All of them in the order of time, where they are more than two.
    awards, award_moves
        Where who wins was asked: which awards and places change, a sentence each, and how many do.
    """

    a: str
    b: str
    contrasts: tuple[Contrast, ...]
    counted: str
    same: bool = False
    smallest: float | None = None
    otherwise: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    made_on: str = ""
    sizes: tuple[Size, ...] = ()
    cases: CaseMoves | None = None
    caveat: str = ""
    lead: str = ""
    rounds: tuple[Round, ...] = ()
    awards: tuple[str, ...] = ()
    award_moves: AwardMoves | None = None

    def contrast(self, name: str) -> Contrast | None:
        """The contrast of a number that is of no class and of nobody; None where there is none."""
        wanted = ParameterName(name)
        return next((c for c in self.contrasts if c.name == wanted), None)


def what_if(
    comparison: Comparison,
    names: Sequence[str],
    smallest: float | None = None,
    otherwise: Sequence[str] = (),
    made_on: str = "",
    caveat: str = "",
    lead: str = "",
    steps: Sequence[Comparison] = (),
) -> WhatIf:
    """Two analyses, or several rounds, as they are told.

    Parameters
    ----------
    comparison
        The second analysis against the first; of several rounds the last against the first.
    names
        What they are called, every round in the order of time.
    smallest, otherwise, made_on, caveat, lead
        As of `WhatIf`.
    steps
        Each round against the one before it, where there are more than two.
    """
    ends = names[0], names[-1]
    rounds: tuple[Round, ...] = ()
    if len(steps) > 1:
        later = (Round(name, size(step.b), step.contrasts) for name, step in zip(names[1:], steps, strict=True))
        rounds = (Round(names[0], size(steps[0].a)), *later)
    return WhatIf(
        *ends, comparison.contrasts, comparison.a.ratings.classes[-1], comparison.same, smallest, tuple(otherwise),
        _remarks(comparison, ends), made_on, (size(comparison.a), size(comparison.b)), comparison.cases,
        caveat, lead, rounds,
    )  # fmt: skip


def size(side: Side) -> Size:
    """On how much an analysis rests."""
    ratings = side.ratings
    return Size(ratings.subject_count, ratings.rating_count, len(ratings.raters) if ratings.raters_known else 0)


_RANK = {Verdict.YES: 0, Verdict.SMALL: 1, Verdict.CANNOT_TELL: 2, Verdict.NO: 3, None: 4}


def verdict(contrast: Contrast, smallest: float | None) -> Verdict | None:
    """Whether a number changed by more than chance; None of what is exactly alike while nobody said what matters.

    Parameters
    ----------
    contrast
        The number.
    smallest
        The smallest change that matters; None where that was not said.
    """
    change = contrast.difference
    if contrast.exactly_alike:
        return None if smallest is None else Verdict.NO
    if change.value is None or change.low is None or change.high is None:
        return Verdict.CANNOT_TELL
    low, high = (float(numbers.rounded(end, _places(change))) for end in (change.low, change.high))
    within = smallest is not None and max(-low, high) <= smallest
    if low > 0 or high < 0:
        return Verdict.SMALL if within else Verdict.YES
    return Verdict.NO if within else Verdict.CANNOT_TELL


def ordered(contrasts: Sequence[Contrast], smallest: float | None) -> tuple[Contrast, ...]:
    """The contrasts with those first that explain the difference: clear before unclear, large before small."""
    return tuple(sorted(contrasts, key=lambda c: (_RANK[verdict(c, smallest)], -_clearness(c.difference))))


_FEW_CLASSES, _CLASSES_SHOWN = 6, 3


def most_telling(contrasts: Sequence[Contrast], smallest: float | None) -> tuple[tuple[Contrast, ...], int]:
    """The contrasts in their order, of many classes all but the clearest few last; and how many come before these.

    Parameters
    ----------
    contrasts, smallest
        As of `ordered`.
    """
    rows = ordered(contrasts, smallest)
    of_kind = Counter(c.name.name for c in rows if c.name.category is not None)
    met: Counter[str] = Counter()
    first: list[Contrast] = []
    last: list[Contrast] = []
    for c in rows:
        met[c.name.name] += c.name.category is not None
        many = c.name.category is not None and of_kind[c.name.name] > _FEW_CLASSES
        (last if many and met[c.name.name] > _CLASSES_SHOWN else first).append(c)
    return (*first, *last), len(first)


def _clearness(change: Estimate) -> float:
    """A difference in units of half its interval."""
    if change.value is None or change.low is None or change.high is None:
        return -1.0
    return abs(change.value) / max((change.high - change.low) / 2, 1e-12)


def number_name(name: ParameterName, pair: WhatIf) -> str:
    """What a number is, in words."""
    fields = {
        "one": Label(numbers.short(name.category or "", 40)),
        "counted": Label(numbers.short(pair.counted, 40)),
        "rater": RaterName(name.rater or ""),
    }
    if name.rater is not None:
        return _("Accuracy of {rater}").format(**fields)
    of_class = {"t": _("{Subjects} truly “{one}”"), "said": _("Truly “{one}”, called “{counted}”")}
    of_class["a"] = _("{Ratings} that follow a true “{one}”")
    alone = {
        "a": _("{Ratings} that follow the {subject}"),
        "named": _("{Ratings} that name the true class"),
        "knowledge": _("Part of the agreement that is knowledge"),
        "percent_agreement": _("Raw agreement"),
        "fleiss_kappa": _("Fleiss’ kappa"),
        "gwet_ac": _("Gwet’s AC1"),
    }
    templates = alone if name.category is None else of_class
    return templates[name.name].format(**fields) if name.name in templates else str(name)


def signed(change: Estimate, style: Style = SCREEN) -> str:
    """The value of a difference with its sign."""
    if change.value is None:
        return DASH
    places = _places(change)
    text = numbers.decimal(change.value, style, places)
    return f"+{text}" if float(numbers.rounded(change.value, places)) > 0 else text


def _places(change: Estimate) -> int:
    """Decimals of a difference and its interval: as many as the ends need, for the difference itself may read 0."""
    if change.low is None or change.high is None:
        return numbers.places(change)
    return numbers.places_of(None, change.low, change.high)


def signed_interval(change: Estimate, style: Style = SCREEN) -> str:
    """The interval of a difference, both ends with their signs; a dash for none."""
    if change.low is None or change.high is None:
        return DASH
    places = _places(change)
    low, high = (
        f"+{text}" if end > 0 else text
        for end, text in ((end, numbers.decimal(end, style, places)) for end in (change.low, change.high))
    )
    return f"[{low}, {high}]" if style.brackets else _("{low} to {high}").format(low=low, high=high)


_OF_VARIATION = {
    Verdict.YES: _("{lead} {after} of 100 {ratings} would follow the {subject}, not {before}: more than chance."),
    Verdict.SMALL: _(
        "{lead} {after} of 100 {ratings} would follow the {subject}, not {before}: more than chance, but a "
        "small change."
    ),
    Verdict.NO: _(
        "{lead} {after} of 100 {ratings} would follow the {subject}, {before} follow it now: no change that matters."
    ),
    Verdict.CANNOT_TELL: _(
        "{lead} {after} of 100 {ratings} would follow the {subject}, {before} follow it now: whether that is more than "
        "chance cannot be told."
    ),
    None: _("{lead} {after} of 100 {ratings} would follow the {subject}, just as now."),
}


def headline(pair: WhatIf) -> tuple[str, str]:
    """The sentence, and what follows from it; where who wins was asked, that comes first."""
    sentence, follows = _of_numbers(pair)
    if pair.award_moves is None or pair.same:
        return sentence, follows
    return moves_sentence(pair.award_moves, pair.lead), sentence


def _of_numbers(pair: WhatIf) -> tuple[str, str]:
    """What is said of the number that is looked at first, and what follows from it."""
    fields = {"a": pair.a, "b": pair.b}
    if pair.same:
        return _("Both are the same {ratings} and the same question: every difference is exactly 0.").format(), ""
    main = pair.contrast("a") or next(iter(ordered(pair.contrasts, pair.smallest)))
    about = number_name(main.name, pair)
    change = main.difference
    if main.a.value is None or main.b.value is None:
        which = "a" if main.a.value is None else "b"
        reason = main.a.undefined or main.b.undefined or ""
        sentence = _("{about}: “{side}” does not tell it, so whether that changed cannot be said.")
        return sentence.format(about=about, side=fields[which]), reason
    judged = verdict(main, pair.smallest)
    if pair.rounds:
        return _headline_of_rounds(pair, main, judged)
    fields["lead"] = pair.lead
    templates = (
        _OF_VARIATION
        if pair.lead and main.name == ParameterName("a")
        else {
            Verdict.YES: _("{about}: {after} of 100 in “{b}”, {before} in “{a}”: more than chance."),
            Verdict.SMALL: _(
                "{about}: {after} of 100 in “{b}”, {before} in “{a}”: more than chance, but a small change."
            ),
            Verdict.NO: _("{about}: {after} of 100 in “{b}”, {before} in “{a}”: no change that matters."),
            Verdict.CANNOT_TELL: _(
                "{about}: {after} of 100 in “{b}”, {before} in “{a}”: whether that is more than chance cannot be told."
            ),
            None: _("{about}: {after} of 100 in both."),
        }
    )
    sentence = templates[judged].format(
        about=about, after=numbers.hundredths(main.b.value), before=numbers.hundredths(main.a.value), **fields
    )
    follows = _("The difference is {value} ({reach}).").format(value=signed(change), reach=signed_interval(change))
    if change.low is None:
        follows = joined(_("The difference is {value}.").format(value=signed(change)), change.no_interval or "")
    return sentence, joined(follows, _explained(pair, main))


def _headline_of_rounds(pair: WhatIf, main: Contrast, judged: Verdict | None) -> tuple[str, str]:
    """The number in every round, whether the last differs from the first, and in which step it changed."""
    values = [one for one in series(pair).get(main.name, ()) if one.value is not None]
    templates = {
        Verdict.YES: _("{about}: {values} of 100 in {rounds}: from the first to the last more than chance."),
        Verdict.SMALL: _(
            "{about}: {values} of 100 in {rounds}: from the first to the last more than chance, but a small change."
        ),
        Verdict.NO: _("{about}: {values} of 100 in {rounds}: from the first to the last no change that matters."),
        Verdict.CANNOT_TELL: _(
            "{about}: {values} of 100 in {rounds}: whether the last differs from the first by more than chance cannot "
            "be told."
        ),
        None: _("{about}: {values} of 100 in {rounds}: first and last are exactly alike."),
    }
    if len(values) < len(pair.rounds):
        sentence = _("{about}: not every round tells it, so no trend of it can be said.").format(
            about=number_name(main.name, pair)
        )
    else:
        sentence = templates[judged].format(
            about=number_name(main.name, pair),
            values=joined(*(numbers.hundredths(one.value or 0.0) for one in values), sep=", "),
            rounds=joined(*(_("“{name}”").format(name=one.name) for one in pair.rounds), sep=", "),
        )
    follows = _("Last less first: {value} ({reach}).").format(
        value=signed(main.difference), reach=signed_interval(main.difference)
    )
    return sentence, joined(follows, *_steps_of(main.name, pair))


def _steps_of(name: ParameterName, pair: WhatIf) -> list[str]:
    """Between which rounds, one after the other, a number changed by more than chance, a sentence each."""
    sentences = []
    for before, after in pairwise(pair.rounds):
        step = next((c for c in after.contrasts if c.name == name), None)
        if step is None or verdict(step, pair.smallest) not in {Verdict.YES, Verdict.SMALL}:
            continue
        sentences.append(
            _("From “{before}” to “{after}” it changed by more than chance: {value} ({reach}).").format(
                before=before.name,
                after=after.name,
                value=signed(step.difference),
                reach=signed_interval(step.difference),
            )
        )
    return sentences or [_("From no round to the next can a change be told from chance.").format()]


def _explained(pair: WhatIf, main: Contrast) -> str:
    """Which other number changed most clearly; empty where none did."""
    others = [c for c in ordered(pair.contrasts, pair.smallest) if c is not main]
    first = next((c for c in others if verdict(c, pair.smallest) in {Verdict.YES, Verdict.SMALL}), None)
    if first is None:
        return ""
    return _("Most clearly changed besides: {about}, {value} ({reach}).").format(
        about=number_name(first.name, pair),
        value=signed(first.difference),
        reach=signed_interval(first.difference),
    )


def _remarks(comparison: Comparison, names: tuple[str, str]) -> tuple[str, ...]:
    """What the reader must know of how the two were compared, a sentence each."""
    sides = (comparison.a, comparison.b)
    sentences = []
    for side, name in zip(sides, names, strict=True):
        if side.fit is None:
            sentences.append(_("“{side}” has no model: {why}").format(side=name, why=side.why_not))
        elif not side.fit.identification.identified and (words := side.fit.identification.words):
            sentences.append(_("“{side}” leaves numbers open: {why}").format(side=name, why=words))
        if side.replaced:
            sentences.append(
                _("“{side}” was answered by belief; here both are compared by what fits best.").format(side=name)
            )
        if (most := int(side.ratings.ratings_per_subject().max(initial=0))) == 2:
            sentences.append(
                _("“{side}” has {n} {ratings} of each {subject} at most: agreement can be compared, knowledge rarely.")
                .format(side=name, n=most)
            )  # fmt: skip
        if side.ratings.subject_count < FEWEST:
            few = _("“{side}” rests on {n} {subjects}: no interval for the difference.")
            sentences.append(few.format(side=name, n=side.ratings.subject_count))
        if side.crowded:
            crowded = _("“{side}” has too many {raters} and classes to compare an accuracy of each {rater}.")
            sentences.append(crowded.format(side=name))
    if not comparison.same:
        sentences.append(_how(comparison))
    if comparison.raters_in_common == ():
        sentences.append(_("The two have none of the {raters} in common, so no single {rater} is compared.").format())
    return tuple(sentences)


def remarks(pair: WhatIf) -> tuple[str, ...]:
    """What the reader must know beside the numbers, a sentence each."""
    if pair.smallest is not None or pair.same:
        return pair.remarks
    return (*pair.remarks, ASK)


ASK = _(
    "Whether a change is small, or none that matters, cannot be said before it is known how much matters: name the "
    "smallest change that does."
)


def _how(comparison: Comparison) -> str:
    """How the intervals of the differences were found."""
    level = numbers.level(comparison.level)
    if comparison.replicates:
        return _(
            "{level} intervals; {shared} {subjects} stand in both, by their names, and the same {n} resamples of them "
            "serve both. Those of several {raters} or classes hold for all of them together."
        ).format(level=level, shared=numbers.count(comparison.shared), n=numbers.count(comparison.replicates))
    return _(
        "{level} intervals; no {subject} stands in both, so each has uncertainty of its own. Those of several {raters} "
        "or classes hold for all of them together."
    ).format(level=level)


NOT_SAID = _(
    "A change beyond chance is no cause: who rated, what was rated and how it was read may have changed as well."
)


def caveat(pair: WhatIf) -> str:
    """What a comparison does not say."""
    return pair.caveat or NOT_SAID


def rests_on(one: Size) -> tuple[str, str]:
    """On how many cases an analysis rests, and on how many ratings."""
    return (
        _("{n} {subjects}").format(n=numbers.count(one.subjects)),
        _("{n} {ratings}").format(n=numbers.count(one.ratings)),
    )


def row_sentence(contrast: Contrast, pair: WhatIf) -> str:
    """A row of the table as one sentence, as it is read aloud."""
    fields = {
        "about": number_name(contrast.name, pair),
        "before": numbers.value(contrast.a),
        "after": numbers.value(contrast.b),
        "value": signed(contrast.difference),
        "reach": signed_interval(contrast.difference),
        "verdict": verdict_words(contrast, pair.smallest),
    }
    return _("{about}: A {before}, B {after}; B less A {value}, {reach}. More than chance: {verdict}.").format(**fields)


def table(pair: WhatIf, style: Style = SCREEN) -> Table:
    """Both answers, their difference and the verdict, a row for each number; of many classes few are printed."""
    contrasts, first = most_telling(pair.contrasts, pair.smallest)
    columns = (
        Column(_("number"), wide=True),
        Column("A", Align.RIGHT),
        Column(_("interval"), Align.RIGHT),
        Column("B", Align.RIGHT),
        Column(_("interval"), Align.RIGHT),
        Column(_("B less A"), Align.RIGHT),
        Column(_("interval"), Align.RIGHT),
        Column(_("more than chance?")),
    )
    rows = tuple(
        (
            number_name(c.name, pair),
            cells.value(c.a, style),
            cells.interval(c.a, style),
            cells.value(c.b, style),
            cells.interval(c.b, style),
            Cell(signed(c.difference, style), c.difference.value),
            Cell(signed_interval(c.difference, style), c.difference.low, c.difference.high),
            verdict_words(c, pair.smallest),
        )
        for c in contrasts
    )
    note = ""
    if pair.smallest is not None:
        note = _("Less than {smallest} makes no difference to us.").format(smallest=Number(f"{pair.smallest:g}"))
    title = _("Side by side: A is “{a}”, B is “{b}”").format(a=pair.a, b=pair.b)
    return Table(title, columns, rows, note, most=first if first < len(rows) else None)


def verdict_words(contrast: Contrast, smallest: float | None) -> str:
    """The verdict as it is shown; a dash where there is none."""
    judged = verdict(contrast, smallest)
    return DASH if judged is None else _WORDS[judged]


_MOST_WITH_INTERVALS = 4


def series(pair: WhatIf) -> dict[ParameterName, list[Estimate]]:
    """Each number that all rounds have, round by round, those first that explain the difference."""
    later = [{c.name: c for c in one.contrasts} for one in pair.rounds[1:]]
    names = [c.name for c in ordered(pair.contrasts, pair.smallest)]
    return {
        name: [later[0][name].a, *(step[name].b for step in later)]
        for name in names
        if all(name in step for step in later)
    }


def trend_table(pair: WhatIf, style: Style = SCREEN) -> Table:
    """Every number in every round, and in which it changed by more than chance; on paper a star says that."""
    columns = (Column(_("number"), wide=True), *(Column(one.name, Align.RIGHT) for one in pair.rounds))
    whole, starred = len(pair.rounds) <= _MOST_WITH_INTERVALS, style.brackets
    rows: list[tuple[str, ...]] = []
    for name, values in series(pair).items():
        changed = _changed_in(name, pair)
        row: list[str] = [number_name(name, pair)]
        for one, e in zip(pair.rounds, values, strict=True):
            value = cells.value(e, style)
            if starred and one.name in changed:
                value = Cell(f"{value}*", *value.values)
            row.append(with_interval(value, cells.interval(e, style) if whole else DASH))
        rows.append((*row, *(() if starred else (_changed_words(name, pair, changed),))))
    if starred:
        note = _("* Changed by more than chance since the round before.")
        return Table(_("Round by round"), columns, tuple(rows), note)
    return Table(_("Round by round"), (*columns, Column(_("changed by more than chance"))), tuple(rows))


def _verdicts_of(name: ParameterName, pair: WhatIf) -> list[Verdict | None]:
    """Whether a number changed by more than chance, from each round to the next."""
    return [verdict(next(c for c in one.contrasts if c.name == name), pair.smallest) for one in pair.rounds[1:]]


def _changed_in(name: ParameterName, pair: WhatIf) -> list[str]:
    """In which rounds a number changed by more than chance since the one before."""
    later = zip(pair.rounds[1:], _verdicts_of(name, pair), strict=True)
    return [one.name for one, judged in later if judged in {Verdict.YES, Verdict.SMALL}]


def _changed_words(name: ParameterName, pair: WhatIf, changed: Sequence[str]) -> str:
    """The same in words; else the verdict of every step."""
    verdicts = _verdicts_of(name, pair)
    if changed:
        return _("in {rounds}").format(rounds=joined(*changed, sep=", "))
    if all(judged is None for judged in verdicts):
        return DASH
    return _WORDS[Verdict.NO if all(judged in {Verdict.NO, None} for judged in verdicts) else Verdict.CANNOT_TELL]


def with_interval(value: str, interval: str) -> str:
    """A number and its interval in one cell; the number alone where it has none."""
    words = value if interval == DASH else f"{value} {interval}"
    return Cell(words, *value.values) if isinstance(value, Cell) else words
