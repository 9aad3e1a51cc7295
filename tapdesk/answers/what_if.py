"""What if: two analyses side by side, and whether they differ by more than chance.

*Yes* is said where the interval of the difference, as it is printed, leaves 0 out; *yes, small* where all of it lies
within the smallest change that matters; *no* where it holds 0 and lies within; *cannot tell* where it holds 0 and
reaches beyond. How much matters is asked: without that only *yes* and *cannot tell* are said. Of what is exactly alike
nothing is said until then.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Block, Column, Heading, Paragraph, Table, Tone
from tapdesk.answers.content import Number as Cell
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.language import Label, Number, RaterName, joined, plain
from tapdesk.language import gettext as _
from tapdesk.models.parameters import ParameterName
from tapdesk.project.files.codec import DamagedError, Reader, Writer, no_array
from tapdesk.project.project import Project
from tapdesk.studies.comparison import FEWEST, Comparison, Contrast


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
class WhatIf:
    """Two analyses side by side as they are told: what a project keeps of them.

    Attributes
    ----------
    a, b
        What they are called.
    contrasts
        The numbers of both, in the order of the first.
    counted
        The class that is told from the other where there are two, else the last.
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

    def contrast(self, name: str) -> Contrast | None:
        """The contrast of a number that is of no class and of nobody; None where there is none."""
        wanted = ParameterName(name)
        return next((c for c in self.contrasts if c.name == wanted), None)


def what_if(
    comparison: Comparison,
    names: tuple[str, str],
    smallest: float | None = None,
    otherwise: Sequence[str] = (),
    made_on: str = "",
) -> WhatIf:
    """Two analyses as they are told.

    Parameters
    ----------
    comparison
        The two.
    names
        What they are called.
    smallest, otherwise, made_on
        As of `WhatIf`.
    """
    return WhatIf(
        *names, comparison.contrasts, comparison.a.ratings.classes[-1], comparison.same, smallest, tuple(otherwise),
        _remarks(comparison, names), made_on,
    )  # fmt: skip


_INTERVALS = (2, 4, 6)  # columns
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


def _clearness(change: Estimate) -> float:
    """A difference in units of half its interval."""
    if change.value is None or change.low is None or change.high is None:
        return -1.0
    return abs(change.value) / max((change.high - change.low) / 2, 1e-12)


def called(name: ParameterName, told: WhatIf) -> str:
    """What a number is, in words."""
    fields = {
        "one": Label(numbers.short(name.category or "", 40)),
        "counted": Label(numbers.short(told.counted, 40)),
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


def headline(told: WhatIf) -> tuple[str, str]:
    """The sentence, and what follows from it."""
    fields = {"a": told.a, "b": told.b}
    if told.same:
        return _("Both are the same {ratings} and the same question: every difference is exactly 0.").format(), ""
    main = told.contrast("a") or next(iter(ordered(told.contrasts, told.smallest)))
    about = called(main.name, told)
    change = main.difference
    if main.a.value is None or main.b.value is None:
        which = "a" if main.a.value is None else "b"
        reason = main.a.undefined or main.b.undefined or ""
        sentence = _("{about}: “{side}” does not tell it, so whether that changed cannot be said.")
        return sentence.format(about=about, side=fields[which]), reason
    judged = verdict(main, told.smallest)
    templates = {
        Verdict.YES: _("{about}: {after} of 100 in “{b}”, {before} in “{a}”: more than chance."),
        Verdict.SMALL: _("{about}: {after} of 100 in “{b}”, {before} in “{a}”: more than chance, but a small change."),
        Verdict.NO: _("{about}: {after} of 100 in “{b}”, {before} in “{a}”: no change that matters."),
        Verdict.CANNOT_TELL: _(
            "{about}: {after} of 100 in “{b}”, {before} in “{a}”: whether that is more than chance cannot be told."
        ),
        None: _("{about}: {after} of 100 in both."),
    }
    sentence = templates[judged].format(
        about=about, after=numbers.hundredths(main.b.value), before=numbers.hundredths(main.a.value), **fields
    )
    follows = _("The difference is {value} ({reach}).").format(value=signed(change), reach=signed_interval(change))
    if change.low is None:
        follows = joined(_("The difference is {value}.").format(value=signed(change)), change.no_interval or "")
    return sentence, joined(follows, _explained(told, main))


def _explained(told: WhatIf, main: Contrast) -> str:
    """Which other number changed most clearly; empty where none did."""
    others = [c for c in ordered(told.contrasts, told.smallest) if c is not main]
    first = next((c for c in others if verdict(c, told.smallest) in {Verdict.YES, Verdict.SMALL}), None)
    if first is None:
        return ""
    return _("Most clearly changed besides: {about}, {value} ({reach}).").format(
        about=called(first.name, told),
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
            sentences.append(
                _("“{side}” rests on {n} {subjects}: no interval for the difference.").format(
                    side=name, n=side.ratings.subject_count
                )
            )
    if not comparison.same:
        sentences.append(_how(comparison))
    if comparison.raters_in_common == ():
        sentences.append(_("The two have none of the {raters} in common, so no single {rater} is compared.").format())
    return tuple(sentences)


def remarks(told: WhatIf) -> tuple[str, ...]:
    """What the reader must know beside the numbers, a sentence each."""
    if told.smallest is not None or told.same:
        return told.remarks
    return (*told.remarks, ASK)


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


def table(told: WhatIf, style: Style = SCREEN) -> Table:
    """Both answers, their difference and the verdict, a row for each number."""
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
            called(c.name, told),
            cells.value(c.a, style),
            cells.interval(c.a, style),
            cells.value(c.b, style),
            cells.interval(c.b, style),
            Cell(signed(c.difference, style), c.difference.value),
            Cell(signed_interval(c.difference, style), c.difference.low, c.difference.high),
            verdict_words(c, told.smallest),
        )
        for c in ordered(told.contrasts, told.smallest)
    )
    note = ""
    if told.smallest is not None:
        note = _("Less than {smallest} makes no difference to us.").format(smallest=Number(f"{told.smallest:g}"))
    title = _("Side by side: A is “{a}”, B is “{b}”").format(a=told.a, b=told.b)
    return Table(title, columns, rows, note)


def verdict_words(contrast: Contrast, smallest: float | None) -> str:
    """The verdict as it is shown; a dash where there is none."""
    judged = verdict(contrast, smallest)
    return DASH if judged is None else _WORDS[judged]


def record(contrast: Contrast, smallest: float | None) -> dict[str, Any]:
    """A contrast as JSON (cli.md, ``compare``)."""
    judged, change = verdict(contrast, smallest), contrast.difference
    name = contrast.name
    return {
        "name": name.name,
        "class": name.category,
        "rater": name.rater,
        "a": _ends(contrast.a),
        "b": _ends(contrast.b),
        "value": change.value,
        "low": change.low,
        "high": change.high,
        "level": change.level,
        "how": change.how or None,
        "undefined": change.undefined or change.no_interval,
        "verdict": None if judged is None else judged.value,
    }


def _ends(one: Estimate) -> dict[str, Any]:
    return {"value": one.value, "low": one.low, "high": one.high, "undefined": one.undefined}


PLACE = "report.what_if"
"""Of what a report shows side by side, in the notes of a project."""
_CHANGED = _("The data have changed since these two were compared.")


def blocks(told: WhatIf, style: Style = SCREEN) -> tuple[Block, ...]:
    """The same on paper: what was otherwise in reading first, the sentence, the table, and how it was compared."""
    first, follows = headline(told)
    paragraphs = [Paragraph(text) for text in told.otherwise]
    paragraphs += [Paragraph(first, Tone.LEAD), *([Paragraph(follows)] if follows else [])]
    return (*paragraphs, _narrow(table(told, style)), *(Paragraph(text) for text in (*remarks(told), NOT_SAID)))


def _narrow(wide: Table) -> Table:
    """The table with each interval behind its number, for a page."""
    columns = tuple(c for i, c in enumerate(wide.columns) if i not in _INTERVALS)
    rows = tuple(
        (name, *(_with_interval(row[i], row[i + 1]) for i in (0, 2, 4)), judged) for name, *row, judged in wide.rows
    )
    return replace(wide, columns=columns, rows=rows)


def _with_interval(value: str, interval: str) -> str:
    """A number and its interval in one cell; a dash alone where it has none."""
    words = value if interval == DASH else f"{value} {interval}"
    return Cell(words, *value.values) if isinstance(value, Cell) else words


def section(project: Project, style: Style = SCREEN) -> tuple[Block, ...]:
    """What a report shows side by side; nothing where nobody put anything there."""
    made: list[Block] = []
    kept = kept_in(project)
    for told in kept:
        if len(kept) > 1:
            made.append(Heading(_("“{b}” against “{a}”").format(a=told.a, b=told.b)))
        if told.made_on != project.data_fingerprint:
            made.append(Paragraph(_CHANGED, Tone.WARNING))
        made += blocks(told, style)
    return tuple(made)


def kept_in(project: Project) -> tuple[WhatIf, ...]:
    """What a project keeps for its report; what this version cannot read is left aside."""
    text = project.notes.get(PLACE, "")
    try:
        return tuple(Reader(no_array).value(row, WhatIf) for row in json.loads(text)) if text else ()
    except (DamagedError, ValueError, TypeError):
        return ()


def with_kept(project: Project, told: WhatIf, *, kept: bool = True) -> Project:
    """The project with two analyses side by side in its report, in the place of the same two before; or without."""
    others = [one for one in kept_in(project) if _names(one) != _names(told)]
    rows = [*others, told] if kept else others
    writer = Writer()
    text = json.dumps([writer.plain(row) for row in rows], ensure_ascii=False) if rows else ""
    return project.with_note(PLACE, text)


def is_kept(project: Project, told: WhatIf) -> bool:
    """Whether just this stands in the report: the same two, of the same data, with the same change that matters."""
    wanted = (_names(told), told.made_on, told.smallest)
    return any((_names(one), one.made_on, one.smallest) == wanted for one in kept_in(project))


def _names(told: WhatIf) -> tuple[str, str]:
    """What the two are called, whoever is called by a code."""
    return plain(told.a), plain(told.b)
