"""Every line between two grades: where the panel is surest and where least, in sentences, a picture and tables."""

from collections.abc import Sequence

from tapdesk.answers import cells, differences, numbers
from tapdesk.answers.charts import forest
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table
from tapdesk.answers.figure import Figure, Role
from tapdesk.answers.numbers import Style, counted
from tapdesk.answers.parameters import interval_note, kinds_of_intervals
from tapdesk.answers.part import About, Answer, Content, Missing, Part, reason_for
from tapdesk.estimate import Estimate, undefined
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.differences import separate_differences
from tapdesk.studies.scan import NO_ACCURACY, Cut, Direction, Scan

RIGHT = Align.RIGHT
_OPEN = undefined(_("The data do not determine it."))
_LEVEL = 0.95


def accuracy(cut: Cut) -> Estimate | None:
    """The accuracy at a line; None where the ratings do not determine it."""
    return cut.estimate("a")


def lines_headline(scan: Scan) -> tuple[str, str] | None:
    """Which line is hardest, and what that rests on; None where fewer than two lines have an interval.

    Lines are set against each other by their difference: they share their cases, so intervals that meet prove nothing.
    """
    sentences = [(cut, e) for cut in scan.cuts if (e := accuracy(cut)) is not None and e.low is not None]
    if len(sentences) < 2:
        return None
    order = sorted(sentences, key=lambda row: row[1].value or 0.0)
    (low, worst), (high, best) = order[0], order[-1]
    compared, lines = scan.differences, [cut.name for cut in scan.compared]
    if compared is None:
        level = worst.level or _LEVEL
        compared, lines = separate_differences([e for _cut, e in sentences], level), [cut.name for cut, _e in sentences]
    sentence = _("No line between two classes is clearly harder than another.")
    apart = None if compared is None else compared.clearest
    hardest = None if compared is None else compared.lowest_of_all
    if hardest is not None and len(lines) > 2:
        sentence = _("The line “{line}” is harder to draw than every other.")
        if len(lines) < len(scan.cuts):
            sentence = _("The line “{line}” is harder to draw than every other that is reported.")
        sentence = sentence.format(line=numbers.short(lines[hardest], 40))
    elif apart is not None:
        sentence = _("The line “{worst}” is harder to draw than “{best}”.").format(
            worst=numbers.short(lines[apart.lower], 40), best=numbers.short(lines[apart.higher], 40)
        )
    follows = _("Accuracy runs from {least} ({least_reach}) at “{worst}” to {most} ({most_reach}) at “{best}”.").format(
        worst=numbers.short(low.name, 40),
        best=numbers.short(high.name, 40),
        least=numbers.value(worst),
        least_reach=numbers.interval(worst),
        most=numbers.value(best),
        most_reach=numbers.interval(best),
    )
    untold = [cut.name for cut in scan.cuts if cut not in [c for c, _e in sentences]]
    differ = "" if compared is None else differences.words(compared.extremes, compared.level)
    left = _("Not reported: {lines}.").format(lines=", ".join(f"“{numbers.short(name, 40)}”" for name in untold))
    return sentence, joined(follows, differ, left if untold else "", scan.words)


def cuts(scan: Scan, style: Style) -> tuple[Table, Table]:
    """Ordered classes told as two at every cut: the numbers of t-a-p, and the accuracies that t-a-t and kappa give."""
    rows = [(cut, [cut.estimate(name) or _OPEN for name in ("t", "a", "p")]) for cut in scan.cuts]
    also = [(cut, [_tied_accuracy(cut), cut.root_kappa, cut.kappa]) for cut in scan.cuts]
    size = _("N = {size}.").format(
        size=counted(max(cut.subjects for cut in scan.cuts), max(cut.ratings for cut in scan.cuts)),
    )
    why = " ".join(f"{cut.name}: {cut.refused}" for cut in scan.cuts if cut.refused)
    line = _("All classes below a line against all above it, which are counted. A dash: not determined.")
    if scan.direction is Direction.BELOW:
        line = _("All classes above a line against all below it, which are counted. A dash: not determined.")
    below = _("Root kappa, an accuracy where chance follows the truth, does not exist where kappa is below 0.")
    negative = any(cut.kappa.value is not None and cut.kappa.value < 0 for cut in scan.cuts)
    kappas = [cut.kappa for cut in scan.cuts]
    items = [interval_note([row[0] for _cut, row in also])]
    if how := kinds_of_intervals(kappas):
        items.append(_("Intervals of kappa and its root: {kinds}.").format(kinds=how))
    items += [below if negative else "", *_untold_kappas(scan, kappas)]
    return (
        _with_intervals(
            _("The line between two classes, at every place: t-a-p"),
            ("t", "a", "p"),
            [(cut.name, row) for cut, row in rows],
            style,
            joined(line, interval_note([e for _cut, row in rows for e in row]), size, _near_luck(rows), why),
        ),
        _with_intervals(
            _("The line between two classes, at every place: t-a-t and kappa"),
            (_("a, t-a-t"), _("Root kappa"), _("Fleiss’ kappa")),
            [(cut.name, row) for cut, row in also],
            style,
            joined(size, *items),
        ),
    )


def _untold_kappas(scan: Scan, kappas: Sequence[Estimate]) -> list[str]:
    """Why a kappa or its interval is not told, each reason once with the lines it is about."""
    why: dict[str, list[str]] = {}
    for cut, e in zip(scan.cuts, kappas, strict=True):
        if reason := e.undefined or e.no_interval:
            why.setdefault(reason, []).append(cut.name)
    return [f"{'; '.join(lines)}: {reason}" for reason, lines in why.items()]


def _near_luck(rows: Sequence[tuple[Cut, Sequence[Estimate]]]) -> str:
    """At which lines the accuracy may be none at all, so that nothing is known of the truth either."""
    names = [cut.name for cut, (_t, a, _p) in rows if a.value is not None and a.low is not None and a.low < NO_ACCURACY]
    if not names:
        return ""
    return _(
        "At {lines} the interval of a reaches 0: these {ratings} may be luck, and t and p say nothing there."
    ).format(lines="; ".join(names))


def _tied_accuracy(cut: Cut) -> Estimate:
    """The accuracy of t-a-t, if the data determine it."""
    return _OPEN if cut.tied is None or not cut.tied.converged else cut.tied.estimate("a")


def _quoted(cuts: Sequence[Cut]) -> str:
    return numbers.listed([f"“{numbers.short(cut.name, 40)}”" for cut in cuts])


def guessing_words(scan: Scan) -> str:
    """Whether guesses follow the truth at the lines, by the tests of t = p; empty where none could be made."""
    tested = [(cut, p) for cut, p in zip(scan.cuts, scan.apart, strict=True) if p is not None]
    apart = [cut for cut, p in tested if p < 1 - _LEVEL]
    untested = [cut for cut in scan.cuts if cut not in [one for one, _p in tested]]
    if not tested:
        return ""
    sentence = _(
        "At none of the lines tested are t and p further apart than luck makes them: guesses may follow what is true. "
        "That does not prove that they do."
    )
    if apart:
        sentence = _("Guesses do not follow what is true at {lines}: t and p are further apart there than by luck.")
        sentence = sentence.format(lines=_quoted(apart))
    left = _("Could not be tested: {lines}.").format(lines=_quoted(untested)) if untested else ""
    return joined(sentence, left)


def guessing_table(scan: Scan, style: Style) -> Table | None:
    """Both t and p at every line with the test that they are equal; None where no line is tested."""
    if all(p is None for p in scan.apart):
        return None
    columns = [Column(_("Line between"), wide=True)]
    columns += [Column(head, RIGHT) for head in ("t", "p", _("Gain"), _("By luck"))]
    rows = []
    for cut, p in zip(scan.cuts, scan.apart, strict=True):
        rates = (cells.value(cut.estimate(name) or _OPEN, style) for name in ("t", "p"))
        rows.append((cut.name, *rates, numbers.decimal(cut.gain, style), _by_luck(p)))
    note = _(
        "Gain: twice the log-likelihood that t and p of their own gain over t = p; 3.84 would reject t = p "
        "at one line alone. By luck: how often {ratings} with t = p gain as much, by chi-square with one "
        "degree of freedom, for all lines together (Holm). A dash: not tested, as the accuracy may be none "
        "there, or a number lies at its edge."
    )
    return Table(_("Do guesses follow what is true? t beside p at every line"), tuple(columns), tuple(rows), note)


def _with_intervals(
    title: str, heads: Sequence[str], rows: Sequence[tuple[str, Sequence[Estimate]]], style: Style, note: str
) -> Table:
    """Named rows of estimates, the interval of each in the column after it."""
    columns = [Column(_("Line between"), wide=True)]
    for head in heads:
        columns += [Column(head, RIGHT), Column(_("Interval"), RIGHT)]
    sentences = [
        (name, *(cell for e in row for cell in (cells.value(e, style), cells.interval(e, style)))) for name, row in rows
    ]
    return Table(title, tuple(columns), tuple(sentences), note)


def refused(cut: Cut) -> str:
    """Why a line has no accuracy; empty where it has one."""
    if cut.refused or cut.free is None:
        return cut.refused or ""
    if accuracy(cut) is not None:
        return ""
    reasons = dict.fromkeys(e.estimate.undefined for e in cut.free.estimates if e.estimate.undefined)
    return joined(*reasons) or cut.free.identification.words


def _by_luck(p: float | None) -> str:
    return numbers.DASH if p is None else numbers.percent(p)


def rates_figure(scan: Scan, style: Style) -> Figure | None:
    """Both t and p at every line between two classes; None where the ratings determine neither."""
    rows = []
    for cut, apart in zip(scan.cuts, scan.apart, strict=True):
        t, p = cut.estimate("t"), cut.estimate("p")
        if t is not None:
            role = Role.MODEL if apart is None or apart >= 1 - _LEVEL else Role.SINGLED_OUT
            rows.append((f"{cut.name}, t", t, role))
        if p is not None:
            rows.append((f"{cut.name}, p", p, Role.CLASSICAL))
    if not rows:
        return None
    tested = [
        _("{line} in {p}").format(line=numbers.short(cut.name, 24), p=numbers.percent(p))
        for cut, p in zip(scan.cuts, scan.apart, strict=True)
        if p is not None
    ]
    note = _("Circle: t, how common the counted classes are. Square: p, how often guesses say so. {tests}").format(
        tests=_("Luck alone makes t and p as far apart at {listed}; a diamond where that is under 5 %.").format(
            listed=", ".join(tested)
        )
        if tested
        else ""
    )
    name = _("How common the counted classes are, t, and how often guesses say so, p")
    return forest(rows, style, kind="lines", title=name, note=note.strip())


def lines_figure(scan: Scan, style: Style) -> Figure:
    """The accuracy at every line between two classes, and the root of kappa beside it."""
    rows = []
    for cut in scan.cuts:
        estimate = accuracy(cut)
        if estimate is not None:
            rows.append((f"{cut.name}, a", estimate, Role.MODEL))
        rows.append((f"{cut.name}, √κ", cut.root_kappa, Role.CLASSICAL))
    untold = [f"{cut.name}: {refused(cut)}" for cut in scan.cuts if accuracy(cut) is None]
    size = scan.cuts[0]
    note = _(
        "N = {n} {subjects}, {m} {ratings} at every line. Circle: accuracy by the t-a-p "
        "model. Square: root of Fleiss’ kappa. {untold}"
    ).format(n=numbers.count(size.subjects), m=numbers.count(size.ratings), untold=" ".join(untold))
    name = _("How often {a_rating} follows the {subject}, at every line between two classes")
    return forest(rows, style, kind="lines", title=name, note=note.strip())


def lines_content(answer: Answer) -> Content | Missing | None:
    """Which line is hardest, the numbers at every line, and whether one accuracy serves all."""
    scan = answer.side.scan
    if scan is None or not scan.cuts:
        why = reason_for(answer, "scan")
        untold = _("Whether the answer would be another with the line elsewhere is not reported. {why}")
        return Missing(untold.format(why=why)) if why else None
    return scan_content(scan, answer)


def scan_content(scan: Scan, answer: Answer) -> Content:
    """The same of lines that were found beside the answer, such as after the order of the classes has changed."""
    sentences = lines_headline(scan)
    blocks: list[Block] = [Paragraph(sentence) for sentence in sentences or (scan.words,) if sentence]
    panels = (lines_figure(scan, answer.style), rates_figure(scan, answer.style))
    drawn = tuple(panel for panel in panels if panel is not None)
    high = 50.0 + 21.0 * max(len(panel.y.ticks) for panel in drawn)
    note = joined(*(panel.note for panel in drawn))
    blocks.append(Picture(drawn[0].title, drawn, note, height=high))
    if guesses := guessing_words(scan):
        blocks.append(Paragraph(guesses))
    blocks += cuts(scan, answer.style)
    if (table := guessing_table(scan, answer.style)) is not None:
        blocks.append(table)
    directions = [cut.words for cut in scan.cuts[:1] if cut.words]
    untold = [f"{cut.name}: {why}" for cut in scan.cuts if (why := refused(cut)) and why != cut.refused]
    blocks += [Paragraph(words) for words in (*directions, *untold)]
    return Content(tuple(blocks), caption=_("t-a-p fitted at each line"), headline=sentences)


LINES = Part(
    "lines",
    "sensitivity",
    _("Every line, one after the other"),
    _(
        "Each row draws the line between two classes at another place and asks how often {ratings} follow "
        "the {subject} there. The smallest accuracy belongs to the line that is hardest to draw."
    ),
    lines_content,
    uses=("scan",),
    about=About.RATINGS,
    commands=("scan",),
)
PARTS = (LINES,)
"""In the order of the catalog."""
