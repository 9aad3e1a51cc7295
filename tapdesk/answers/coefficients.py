"""The coefficients of agreement: what each measures, how sure it is, and why they differ."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tapdesk.agreement.coefficients import COEFFICIENTS as KINDS
from tapdesk.agreement.coefficients import Coefficient
from tapdesk.agreement.interpretation import explain, shows_paradox, title
from tapdesk.agreement.word_scales import ALTMAN, FLEISS, LANDIS_KOCH, WordScale, benchmark
from tapdesk.answers import cells, charts, numbers
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.figure import Cells, Figure, Role
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.figures.agreement import pairs_figure
from tapdesk.answers.figures.chance import pictures as paradox_pictures
from tapdesk.answers.fit_tables import readings as posterior_readings
from tapdesk.answers.fit_words import too_wide
from tapdesk.answers.known import ERRORS, KNOWN
from tapdesk.answers.numbers import Style, counted
from tapdesk.answers.paradox import low_kappa, open_readings
from tapdesk.answers.parameters import source_of
from tapdesk.answers.part import About, Answer, Content, Missing, Part, reason_for
from tapdesk.answers.ranks import RANKS
from tapdesk.answers.sets import SETS
from tapdesk.answers.side_results import SideResults, within_chance
from tapdesk.answers.unanimity import UNANIMITY
from tapdesk.language import Message, joined, say
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.ratings.ratings import Ratings

RIGHT = Align.RIGHT
MOST_PAIRS = 20
_CORRECTED = {kind.name for kind in KINDS if kind.corrected}


def coefficients(result: Sequence[Coefficient], style: Style, about: str = "") -> Table:
    """Every coefficient of the whole panel: value, standard error, interval, N, and what was left out.

    A coefficient that is undefined is a row of its own, with a dash and its reason below: what was asked for and cannot
    be had is an answer. Pairs of raters have their own table.
    """
    shown = [c for c in result if c.raters is None]
    whole = max((c.subjects for c in shown), default=0), max((c.ratings for c in shown), default=0)
    left_out = any(c.left_out.ratings for c in shown)
    rows, notes = [], []
    for c in shown:
        e = c.estimate
        reasons = (e.undefined, e.no_interval if e.value is not None and e.low is None else "")
        notes += [_("{name}: {why}").format(name=title(c), why=_ended(why)) for why in reasons if why]
        row = [
            title(c),
            cells.value(e, style),
            cells.decimal(e.se, style, max(numbers.places(e), 3)),
            cells.interval(e, style),
            cells.count(c.subjects),
            cells.count(c.ratings),
        ]
        rows.append((*row, cells.count(c.left_out.ratings)) if left_out else tuple(row))
    level = next((c.estimate.level for c in shown if c.estimate.level is not None), None)
    interval = _("{level} interval").format(level=numbers.level(level)) if level else _("Interval")
    note = _("N = {size}. SE = standard error.")
    hows = dict.fromkeys(source_of(c.estimate.how) for c in shown if c.estimate.how)
    if hows:
        note = _("N = {size}. SE = standard error; intervals from {how}.")
    note = note.format(size=counted(whole[0], whole[1]), how=joined(*hows, sep=_(" or ")))
    alpha = _("AC1 uses another model of chance than kappa does; it is not a corrected kappa.")
    remarks = list(dict.fromkeys(one for c in shown if c.note for one in _sentences(c.note)))
    columns = [
        Column(_("Coefficient"), wide=True),
        Column(_("Est."), RIGHT),
        Column(_("SE"), RIGHT),
        Column(interval, RIGHT),
        Column(_("{Subjects}"), RIGHT),
        Column(_("{Ratings}"), RIGHT),
    ]
    if left_out:
        columns.append(Column(_("Left out"), RIGHT))
    return Table(
        _("Agreement coefficients") if not about else _("Agreement coefficients, {about}").format(about=about),
        tuple(columns),
        tuple(rows),
        joined(note, alpha, *_grouped(notes), *remarks),
    )


def _sentences(note: str) -> tuple[str, ...]:
    """The sentences a remark is joined of, so that one which several coefficients share is told once."""
    parts = note.fields if isinstance(note, Message) else {}
    if isinstance(note, Message) and parts and note.template == " ".join(f"{{m{i}}}" for i in range(len(parts))):
        return tuple(say(one) for one in parts.values())
    return (say(note),)


def _grouped(notes: list[str], most: int = 8) -> list[str]:
    """Reasons that several rows share are told once."""
    by_reason: dict[str, list[str]] = {}
    for line in notes:
        name, _sep, why = line.partition(": ")
        by_reason.setdefault(why, []).append(name)
    sentences = [
        # A reason that begins with the name is not told twice.
        why if names == [why[: len(names[0])]] else _("{names}: {why}").format(names="; ".join(names), why=why)
        for why, names in by_reason.items()
    ]
    return (
        sentences
        if len(sentences) <= most
        else [*sentences[:most], _("Further reasons are in the report as a workbook.")]
    )


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith(".") else _("{sentence}.").format(sentence=sentence)


def pair_kappas(result: Sequence[Coefficient], style: Style) -> Table | None:
    """Cohen's kappa of every pair of raters, without credit for near misses."""
    shown = pairs_of_raters(result)
    if not shown:
        return None
    shown.sort(key=lambda c: 2.0 if c.estimate.value is None else c.estimate.value)
    rows = tuple(
        (
            *(c.raters or ("", "")),
            cells.value(c.estimate, style),
            cells.interval(c.estimate, style),
            cells.count(c.subjects),
        )
        for c in shown
    )
    level = next((c.estimate.level for c in shown if c.estimate.level is not None), 0.95)
    return Table(
        _("Cohen’s kappa of each pair of {raters}, the lowest first"),
        (
            Column(_("First"), wide=True),
            Column(_("Second"), wide=True),
            Column(_("Kappa"), RIGHT),
            Column(_("{level} interval").format(level=numbers.level(level)), RIGHT),
            Column(_("Shared {subjects}"), RIGHT),
        ),
        rows,
        _("A dash: the two share too few {subjects}, or used one class only.")
        if any(c.estimate.value is None for c in shown)
        else "",
        most=MOST_PAIRS,
    )


# The scales a report can print the words of, by the name a project remembers; none unless asked for.
SCALES = {"landis-koch": LANDIS_KOCH, "fleiss": FLEISS, "altman": ALTMAN}


def benchmarks(result: Sequence[Coefficient], style: Style, scale: WordScale = LANDIS_KOCH) -> Table | None:
    """The word of a scale each kappa-type coefficient has earned, with the probability behind it."""
    rows = []
    for c in result:
        words = benchmark(c.estimate, scale)
        if words is None or c.name not in _CORRECTED or c.raters is not None or c.weights not in {None, "identity"}:
            continue
        rows.append((title(c), cells.value(c.estimate, style), words.word, cells.percent(words.probability)))
    if not rows:
        return None
    return Table(
        _("The words of {scale}").format(scale=scale.name),
        (
            Column(_("Coefficient"), wide=True),
            Column(_("Est."), RIGHT),
            Column(_("Word")),
            Column(_("Sure by"), RIGHT),
        ),
        tuple(rows),
        _(
            "A coefficient gets the highest word that it deserves with a probability of at least 95 %. The limits "
            "of the scale are a convention; it was made for kappa, so no word is given to t, a and p."
        ),
    )


# The coefficients that are read as an accuracy, in the order of the page.
READ = ("percent_agreement", "fleiss_kappa", "gwet_ac", "brennan_prediger")
_MOST_CLASSES = 5


def plain(result: Sequence[Coefficient]) -> list[Coefficient]:
    """Coefficients of the whole panel without credit for near misses."""
    return [c for c in result if c.raters is None and c.weights in {None, "identity"}]


def pairs_of_raters(result: Sequence[Coefficient]) -> list[Coefficient]:
    """Cohen's kappas without credit for near misses."""
    return [c for c in result if c.name == "cohen_kappa" and c.raters is not None and c.weights == "identity"]


def forest(answer: Answer) -> Figure:
    """The coefficients everyone asks for on one scale, each with its interval."""
    result = answer.side.coefficients
    nominal = [c for c in plain(result) if c.metric in {None, "nominal"}]
    specific = [c for c in nominal if c.name == "specific_agreement"]
    shown = [c for kind in KINDS if kind.forest for c in nominal if c.name == kind.name]
    shown += pairs_of_raters(result) if len(pairs_of_raters(result)) == 1 else []
    shown[1:1] = specific if len(specific) < _MOST_CLASSES else []
    return charts.forest(
        [(title(c), c.estimate, Role.CLASSICAL) for c in shown],
        answer.style,
        kind="agreement",
        title=_("Agreement coefficients, each with its interval"),
        note=coefficients(shown, answer.style).note,
    )


def _none(answer: Answer) -> Missing:
    """Why there are no coefficients."""
    why = reason_for(answer, "coefficients")
    return Missing(why or _("These coefficients were not worked out."), quiet=not why)


def raw_agreement(result: Sequence[Coefficient]) -> Coefficient | None:
    """Raw agreement without credit for near misses."""
    return next((c for c in result if c.name == "percent_agreement" and c.weights in {None, "identity"}), None)


def matching_content(answer: Answer) -> Content | Missing | None:
    """How often two raters give the same answer, and what the coefficients make of it."""
    result = answer.side.coefficients
    if not result:
        return None
    shared = raw_agreement(result)
    sentence = _(
        "Agreement asks how often {raters} give the same answer; the coefficients differ in the share of matches they "
        "expect from luck. They are printed side by side because none of them is the right one by itself. Raw "
        "agreement and agreement on a class measure agreement; the kappas, AC1, alpha and the intraclass "
        "correlations measure reliability: how well the {ratings} tell {subjects} apart."
    )
    if shared is not None and shared.estimate.value is not None:
        first = _("Two {raters} give {a_subject} the same class {often}.").format(
            often=numbers.often(shared.estimate.value, shared.estimate.low, shared.estimate.high),
        )
        sentence = joined(first, sentence)
    return Content((Paragraph(sentence),))


def paradox_content(answer: Answer) -> Content | None:
    """That one class is so common that kappa misleads, and what the data leave open; None where it is not so."""
    blocks: list[Block] = [*warning_of_paradox(answer.side, answer.ratings, answer.style)]
    paradox = answer.side.paradox
    for figure in () if paradox is None else (restyled(f, answer.style) for f in paradox_pictures(paradox)):
        # What the first note says of the readings has just been said.
        note = figure.note.replace(open_readings(paradox), "").strip() if paradox is not None else ""
        high = 250.0 if any(isinstance(mark, Cells) for mark in figure.marks) else 210.0
        blocks.append(Picture(figure.title, (figure,), note, height=high))
    if paradox is not None:
        blocks.append(posterior_readings(paradox, answer.style))
    return Content(tuple(blocks)) if blocks else None


def all_classes_content(answer: Answer) -> Content | None:
    """The same coefficients before a class 1 was chosen; None where none was."""
    every = answer.side.every_class
    if not answer.side.all_classes or every is None:
        return None
    about = _("all {n} classes").format(n=len(every.classes))
    return Content((coefficients(answer.side.all_classes, answer.style, about),))


def coefficients_content(answer: Answer) -> Content | Missing | None:
    """Every coefficient of the panel; several, for none is the right one alone."""
    result = answer.side.coefficients
    if not result:
        return _none(answer)
    figure = forest(answer)
    # Without a single value the picture would be an empty scale.
    rows = len(figure.y.ticks) if any(c.estimate.value is not None for c in result) else 0
    drawn = Picture(figure.title, (figure,), figure.note, height=50.0 + 23.0 * rows)
    blocks: list[Block] = [*((drawn,) if rows else ()), coefficients(result, answer.style)]
    scale = SCALES.get(answer.scale)
    bench = None if scale is None else benchmarks(result, answer.style, scale)
    blocks += [] if bench is None else [bench]
    level = next((c.estimate.level for c in result if c.estimate.level is not None), None)
    caption = "" if level is None else _("{level} intervals by standard errors").format(level=numbers.level(level))
    return Content(tuple(blocks), caption=caption)


def readings_content(answer: Answer) -> Content | Missing | None:
    """What each of the coefficients says of accuracy, one after the other."""
    if not answer.side.coefficients:
        return replace(_none(answer), quiet=True)
    read = tuple(Paragraph(words, opening=name) for name, words in read_as_accuracy(answer))
    return Content(read) if read else None


def read_as_accuracy(answer: Answer) -> list[tuple[str, str]]:
    """The name of each coefficient that is read as an accuracy, and its sentences."""
    fitted = None
    if answer.result is None:
        return []
    fit = answer.result
    # What is known too roughly, or lies on the edge, is nothing to set another number beside.
    if (
        fit.identification.identified
        and not fit.degenerate
        and not too_wide(fit)
        and fit.model.accuracy is Accuracy.ONE
    ):
        fitted = fit.estimate("a")
    shown = plain(answer.side.coefficients)
    luck = within_chance(answer.side)
    return [
        (title(c), explain(c, fitted, numbers.decimal, luck=luck)) for name in READ for c in shown if c.name == name
    ]


def warning_of_paradox(side: SideResults, ratings: Ratings, style: Style) -> list[Paragraph]:
    """That one class is so common that kappa misleads, and what the data leave open; nothing where it is not so."""
    result = side.coefficients
    share = float(ratings.class_rates().max(initial=0.0))
    if not shows_paradox(tuple(result), share):
        return []
    most = ratings.classes[int(ratings.class_rates().argmax())]
    values = {c.name: c.estimate.value for c in result if c.weights == "identity" and c.raters is None}
    sentence = low_kappa(most, share, values.get("percent_agreement"), values.get("fleiss_kappa"), style)
    warning = Paragraph(sentence, Tone.WARNING, _("Read with care."))
    open_ = side.paradox
    return [warning] if open_ is None else [warning, Paragraph(open_readings(open_))]


def pairs_content(answer: Answer) -> Content | Missing | None:
    """Cohen's kappa of every two raters: a square of shaded cells where there is room, and a list."""
    result = answer.side.coefficients
    table = pair_kappas(result, answer.style)
    if table is None:
        refused = next((c.estimate.undefined for c in result if c.name == "cohen_kappa" and c.estimate.undefined), "")
        return Missing(refused, quiet=True) if refused else replace(_none(answer), quiet=True)
    pictures = [
        Picture(figure.title, (figure,), figure.note, height=figure.height)
        for figure in pairs_figure(result, answer.style)
    ]
    return Content((*pictures, table), caption=_("Cohen’s kappa of every two {raters}"))


def _part(
    key: str,
    heading: str,
    explanation: str,
    content: Callable[[Answer], Content | Missing | None],
    uses: tuple[str, ...] = ("coefficients",),
    **more: Any,
) -> Part:
    return Part(key, "agreement", heading, explanation, content, uses=uses, **{"about": About.RATINGS, **more})


MATCHING = _part(
    "matching",
    _("How often do two {raters} agree?"),
    _(
        "How often two {raters} give {a_subject} the same class, by luck or not, and what a coefficient of "
        "agreement is for."
    ),
    matching_content,
    headed=False,
    block="coefficients",
    commands=("agree",),
)
PARADOX = _part(
    "paradox",
    _("What do agreement and kappa leave open?"),
    _(
        "Where one class is far more common than the others, {raters} can agree nearly always and kappa be "
        "near 0. What may be believed of the {raters} then, and how far, is worked out from the {ratings} "
        "themselves."
    ),
    paradox_content,
    ("coefficients", "paradox"),
    headed=False,
    commands=("agree",),
)
COEFFICIENTS = _part(
    "coefficients",
    _("Agreement coefficients"),
    _(
        "Each row is one way to measure agreement: 1 is perfect, 0 is what that coefficient takes for luck. They "
        "differ because each has its own idea of luck. The bar is the interval. No words such as “good” stand "
        "beside them unless you choose a scale, because such scales are a convention."
    ),
    coefficients_content,
    headed=False,
    commands=("agree",),
)
PAIRS = _part(
    "pairs",
    _("Which {raters} agree with each other?"),
    _(
        "Kappa of every two {raters}: the stronger the shade, the more they agree beyond luck. A row that "
        "is pale throughout is {a_rater} who agrees with nobody, which does not tell who is right."
    ),
    pairs_content,
    headed=False,
    commands=("agree",),
)
READINGS = _part(
    "differ",
    _("Why do they differ?"),
    _(
        "What each coefficient takes for luck, and the accuracy it stands for if that is right. This is "
        "why several numbers about the same {ratings} may all be correct."
    ),
    readings_content,
    about=About.ANSWER,
)
ALL_CLASSES = _part(
    "all_classes",
    _("Before the counted class was chosen"),
    _("The same coefficients with every class told from every other, as the {ratings} were made."),
    all_classes_content,
    ("all_classes", "every_class"),
    block="coefficients",
)
PARTS = (MATCHING, PARADOX, COEFFICIENTS, PAIRS, READINGS, ALL_CLASSES, UNANIMITY, RANKS, SETS, KNOWN, ERRORS)
"""In the order of the catalog."""
