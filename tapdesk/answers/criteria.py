"""All questions of a form at a glance: the headline, the table, and what is to be talked about, for every face."""

from collections import Counter
from collections.abc import Sequence
from types import MappingProxyType

from tapdesk.answers import cells, numbers, range_words
from tapdesk.answers import criteria_conditions as conditions
from tapdesk.answers.charts import Row, forest
from tapdesk.answers.content import Align, Column, Number, RowPicture, RowPictures, Table
from tapdesk.answers.figure import Axis, Figure, Mark, Role
from tapdesk.answers.naming import Naming
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.answers.pseudonyms import coded_ratings
from tapdesk.answers.question_columns import COEFFICIENTS, USUAL, Order, TableCoefficient, order_words
from tapdesk.estimate import Estimate
from tapdesk.language import Label, RaterName, joined, ngettext, say
from tapdesk.language import gettext as _
from tapdesk.ratings.form import Form
from tapdesk.studies.criteria import (
    CLEAR,
    FEW_CASES,
    Advice,
    Criterion,
    CriterionNumbers,
    CriterionRow,
    RaterAcross,
    Verdict,
)

_RIGHT = Align.RIGHT
_MOST_NAMED = 3
# More do not fit on a first page.
_MOST_TO_TALK = 15
INTERVAL = 6
"""The column of the table of all questions in which the interval of the accuracy stands."""
MARKS = MappingProxyType(
    {
        Verdict.GUESSING: ("know", Role.SINGLED_OUT),
        Verdict.MIXED: ("mixed", Role.SINGLED_OUT),
        Verdict.TOO_FEW: ("few", Role.REFERENCE),
        Verdict.SAME: ("same", Role.REFERENCE),
        Verdict.UNKNOWN: ("info", Role.REFERENCE),
        Verdict.CLEAR: ("done", Role.MODEL),
    }
)
"""The mark of a verdict, whose shape alone tells it, and its look."""


def criteria_of(form: Form, names: Naming | None = None) -> tuple[Criterion, ...]:
    """The questions that were read, raters called as they are to be; by their names where nothing is said."""
    read = ((one.name, one.reading.ratings) for one in form.questions if one.reading is not None)
    return tuple(Criterion(name, r if names is None else coded_ratings(r, names)) for name, r in read)


def unread(form: Form) -> tuple[CriterionNumbers, ...]:
    """The questions that could not be read, with the reason."""
    return tuple(
        CriterionNumbers(one.name, 0, 0, 0, (), (), why_not=one.refused)
        for one in form.questions
        if one.reading is None
    )


def verdict(one: Verdict) -> str:
    """A verdict in one or two words."""
    return {
        Verdict.GUESSING: _("guessing"),
        Verdict.MIXED: _("mixed"),
        Verdict.TOO_FEW: _("too few"),
        Verdict.SAME: _("all the same"),
        Verdict.UNKNOWN: _("not estimated"),
        Verdict.CLEAR: _("clear"),
    }[one]


def advice(row: CriterionRow) -> str:
    """What to do about a question, in a few words."""
    plain = {
        Advice.DEFINE: _("Define the term"),
        Advice.EXAMPLES: _("Give examples"),
        Advice.MORE: _("Rate more"),
        Advice.SECOND: _("Have a second person rate"),
        Advice.PARTS: _("Ask what each one judged"),
        Advice.KEEP: _("Keep"),
        Advice.NONE: DASH,
    }
    if row.advice is Advice.RATER:
        return _("Look at {names}").format(names=_names(row.about))
    if row.advice is Advice.SCALE:
        return _("Ask {names} which way the scale runs").format(names=_names(row.about))
    if row.advice is Advice.OTHER:
        if not row.about:
            return _("Look for another answer")
        return _("Look for a “{label}”").format(label=Label(numbers.short(row.about[0], 24)))
    return plain[row.advice]


def _names(names: Sequence[str]) -> str:
    called = [RaterName(name) for name in names[:_MOST_NAMED]]
    if len(called) < 2:
        return joined(*called)
    return _("{names} and {last}").format(names=joined(*called[:-1], sep=", "), last=called[-1])


def headline(rows: Sequence[CriterionRow]) -> tuple[str, str]:
    """How many questions are clear and how many are guessed at; and what the others are."""
    count = Counter(row.verdict for row in rows)
    clear, n = count[Verdict.CLEAR], len(rows)
    if clear == n:
        first = _("On all {n} questions the {ratings} clearly follow the {subject}.").format(n=n)
    elif clear:
        first = _("On {clear} of {n} questions the {ratings} clearly follow the {subject}.").format(clear=clear, n=n)
    else:
        first = _("On none of the {n} questions do the {ratings} clearly follow the {subject}.").format(n=n)
    guessed = count[Verdict.GUESSING]
    sentence = ngettext("{n} cannot be told from guessing.", "{n} cannot be told from guessing.", guessed)
    follows = joined(*_others(count), conditions.counted(rows), allowed_for(rows))
    return joined(first, *([sentence.format(n=guessed)] if guessed else [])), follows


def _others(count: Counter[Verdict]) -> list[str]:
    """The questions that are neither clear nor guessed at, one sentence for each kind."""
    sentences = []
    if mixed := count[Verdict.MIXED]:
        sentences.append(ngettext("{n} is mixed.", "{n} are mixed.", mixed).format(n=mixed))
    if few := count[Verdict.TOO_FEW]:
        sentences.append(
            ngettext(
                "{n} has too few {subjects} or {ratings}.", "{n} have too few {subjects} or {ratings}.", few
            ).format(n=few)
        )
    if same := count[Verdict.SAME]:
        sentences.append(
            ngettext("{n} was always answered alike.", "{n} were always answered alike.", same).format(n=same)
        )
    if unknown := count[Verdict.UNKNOWN]:
        sentences.append(
            ngettext("{n} could not be estimated.", "{n} could not be estimated.", unknown).format(n=unknown)
        )
    return sentences


def allowed_for(rows: Sequence[CriterionRow]) -> str:
    """That among many questions some look good or bad by luck, and that the marks allow for it; empty for one."""
    tested = sum(row.p_holm is not None for row in rows)
    if tested < 2:
        return ""
    return _(
        "Of {n} questions one can look good or bad by luck alone: the marks allow for that, the intervals do not."
    ).format(n=tested)


def legend(rows: Sequence[CriterionRow]) -> str:
    """What the words of the table mean."""
    sentences = [
        _("Clear: more than chance, and the whole interval lies above {half}.").format(half=numbers.decimal(CLEAR)),
        _("Mixed: more than chance, but the interval reaches lower, or one accuracy does not describe the {ratings}."),
        _("Guessing: not more than chance, so no accuracy is told, at most its interval."),
        _("Too few: fewer than {cases} {subjects}, or than 30 {ratings} outside the commonest class.").format(
            cases=FEW_CASES
        ),
    ]
    missing = (row.accuracy for row in rows if row.accuracy.value is None and row.accuracy.low is None)
    if reasons := list(dict.fromkeys(e.undefined for e in missing if e.undefined)):
        sentences.append(_("Where there is no interval: {reasons}").format(reasons=joined(*reasons)))
    tested = sum(row.p_holm is not None for row in rows)
    if tested > 1:
        sentences.append(
            _("The marks allow for {n} questions (Holm); each interval stands by itself.").format(n=tested)
        )
    if any(row.set_back and row.accuracy.value is not None for row in rows):
        sentences.append(
            _("In brackets: {raters} or {subjects} differ, so one number does not describe them all.").format()
        )
    if any(row.open_range is not None for row in rows):
        sentences.append(
            _("A range in place of a number: two {ratings} of {a_subject} fit every accuracy in it equally well.")
        )
    return joined(*sentences)


def counted_class(rows: Sequence[CriterionRow]) -> str:
    """The class whose share the table tells, where it is the same on all questions of two classes; else empty."""
    sentences = {row.numbers.classes[1] for row in rows if len(row.numbers.classes) == 2}
    return sentences.pop() if len(sentences) == 1 else ""


def table(
    rows: Sequence[CriterionRow],
    style: Style = SCREEN,
    *,
    paper: bool = False,
    order: Order = Order.NEED,
    chosen: TableCoefficient = USUAL,
) -> Table:
    """One row for each question, as they come; on ``paper`` with the intervals drawn in the rows.

    Beside raw agreement stands the coefficient that is ``chosen``.
    """
    counted = counted_class(rows)
    title = ngettext("Agreement and accuracy on {n} question", "Agreement and accuracy on {n} questions", len(rows))
    whole = title.format(n=len(rows))
    # Of a page as wide as the other columns a star is left, and the range stands with what a question rests on.
    column = conditions.any_told(rows) and not paper
    return Table(
        whole if len(rows) == 1 else joined(whole, order_words(order, chosen), sep=", "),
        (
            Column(_("Question"), wide=True),
            Column("N" if paper else _("{Subjects}").format(), _RIGHT),
            Column(numbers.short(counted, 12) if counted else _("Share"), _RIGHT),
            Column(_("Raw"), _RIGHT),
            Column(chosen.head, _RIGHT),
            Column("a", _RIGHT, symbol=True),
            Column(_("Interval"), _RIGHT),
            *((Column(_("If some are harder"), _RIGHT),) if column else ()),
            Column(_("So it is")),
            Column(_("What to do")),
        ),
        tuple(_row(row, counted, style, paper=paper, column=column, chosen=chosen) for row in rows),
        joined(
            _("N: number of {subjects}.").format() if paper else "",
            legend(rows),
            conditions.legend(rows, starred=paper),
        ),
        drawn=_row_pictures(rows, style) if paper else None,
    )


def talk_table(rows: Sequence[CriterionRow]) -> Table:
    """The questions there is something to do about, the neediest first."""
    return Table(
        ngettext("What deserves the meeting’s time", "What deserves the meeting’s time, first things first", len(rows)),
        (Column(_("Question"), wide=True), Column(_("So it is")), Column(_("What to do"))),
        tuple((row.name, verdict(row.verdict), advice(row)) for row in rows),
        most=_MOST_TO_TALK,
    )


def _row_pictures(rows: Sequence[CriterionRow], style: Style) -> RowPictures:
    """The intervals and marks of a table of questions; the names of those that are not clear stand out."""
    scale = (numbers.decimal(0.0, style, 0), numbers.decimal(0.5, style, 1), numbers.decimal(1.0, style, 0))
    return RowPictures(5, 7, scale, tuple(_row_picture(row) for row in rows))


def _row_picture(row: CriterionRow) -> RowPicture:
    mark, role = MARKS[row.verdict]
    low, value, high = row.accuracy.low, row.accuracy.value, row.accuracy.high
    return RowPicture(value, low, high, mark, role, strong=row.verdict is not Verdict.CLEAR)


def _row(
    row: CriterionRow, counted: str, style: Style, *, paper: bool, column: bool, chosen: TableCoefficient
) -> tuple[str, ...]:
    own = row.numbers
    return (
        row.name,
        cells.count(own.subjects),
        _share(row, counted),
        cells.decimal(own.coefficient("percent_agreement").value, style, 2),
        cells.decimal(own.coefficient(chosen.name).value, style, 2),
        accuracy(row, style, starred=paper),
        interval(row.accuracy, style),
        *((conditions.cell(row, style),) if column else ()),
        verdict(row.verdict),
        advice(row),
    )


def _share(row: CriterionRow, counted: str) -> str:
    """The share of the counted class; of other classes the commonest with its name."""
    own = row.numbers
    if not own.rates:
        return DASH
    if len(own.classes) < 3 and own.classes[-1] == counted:
        return cells.percent(own.rates[-1])
    commonest = max(range(len(own.rates)), key=lambda k: own.rates[k])
    sentence = _("{label} {share}").format(
        label=Label(numbers.short(own.classes[commonest], 12)), share=numbers.percent(own.commonest)
    )
    return Number(sentence, own.commonest)


def accuracy(row: CriterionRow, style: Style = SCREEN, *, starred: bool = False) -> Number:
    """The accuracy as a cell: a range where it is one, in brackets where it is not to be relied on, else a dash.

    Where it holds only if all cases are equally hard it may be ``starred``.
    """
    if row.open_range is not None and row.verdict is not Verdict.GUESSING:
        return Number(range_words.reach_of(row.open_range, style), row.open_range.low, row.open_range.high)
    sentence = numbers.value(row.accuracy, style)
    if row.set_back and row.accuracy.value is not None:
        sentence = f"({sentence})"
    if starred and conditions.if_some_are_harder(row) is not None:
        sentence = f"{sentence}*"
    return Number(sentence, row.accuracy.value)


def interval(estimate: Estimate, style: Style = SCREEN) -> str:
    """The interval as a cell; in words where there is none."""
    return _("none") if estimate.low is None else cells.interval(estimate, style)


def talk(row: CriterionRow) -> tuple[str, ...]:
    """What the table says of a question in sentences, and what to do about it."""
    return tuple(filter(None, (_standing(row), _why(row), _leanings(row), _todo(row))))


def _standing(row: CriterionRow) -> str:
    """How it stands with a question."""
    luck = row.numbers.chance
    if row.verdict is Verdict.GUESSING and luck is not None:
        return _(
            "These {ratings} cannot be told from guessing: {ratings} made by guessing look like this {often}."
        ).format(often=numbers.often(luck.test.p_bootstrap))
    if row.verdict is Verdict.SAME:
        return _(
            "Every {rating} is the same, so nobody can see whether the {raters} would tell another {subject}."
        ).format()
    if row.verdict is Verdict.TOO_FEW:
        return _("{size} are too few for a verdict.").format(
            size=numbers.counted(row.numbers.subjects, row.numbers.ratings)
        )
    if row.verdict is Verdict.MIXED and not row.numbers.contradicted:
        return _("The {ratings} tell more than chance, but not enough of them surely follow the {subject}.").format()
    return ""


def _why(row: CriterionRow) -> str:
    """What stands behind a number that is taken back, or is not there."""
    if row.numbers.contradicted:
        return _("Some {raters} contradict the others.").format()
    if row.open_range is not None and row.verdict is not Verdict.GUESSING:
        return range_words.fitting(row.open_range)
    if conditions.if_some_are_harder(row) is not None:
        return conditions.sentence(row)
    if row.set_back and row.accuracy.value is not None:
        who = _("{Subjects} seem to differ in difficulty, so one accuracy does not describe them.")
        if row.numbers.raters_differ:
            who = _("The {raters} differ, so one accuracy does not describe them all.")
        return who.format()
    if row.verdict is Verdict.UNKNOWN:
        return say(row.numbers.why_not)
    return ""


def _leanings(row: CriterionRow) -> str:
    """Who gives the counted class most often and who least, where that is what to talk about."""
    shares = row.numbers.shares
    if row.advice is not Advice.DEFINE or len(shares) < 2:
        return ""
    most, least = shares[0], shares[-1]
    return _("{most} says “{label}” of {high} {subjects} in 100, {least} of {low}.").format(
        most=RaterName(most.rater),
        least=RaterName(least.rater),
        label=Label(numbers.short(row.numbers.classes[1], 24)),
        high=numbers.of_100(most.share),
        low=numbers.of_100(least.share),
    )


def _todo(row: CriterionRow) -> str:
    """What to do, in a sentence."""
    fixed = {
        Advice.DEFINE: _("Write down what counts, add two examples, then rate 20 {subjects} again."),
        Advice.EXAMPLES: _(
            "The {raters} give each answer about equally often, so they may mean the same and see different things: "
            "discuss some {subjects} and keep them as examples."
        ),
        Advice.MORE: _("Rate more {subjects} before anything is said of this question."),
        Advice.SECOND: _("Have a second person answer for the same {subjects}, and write down who answered."),
        Advice.PARTS: _("Ask what each of them judged."),
    }
    if row.advice in fixed:
        return fixed[row.advice].format()
    if row.advice is Advice.RATER:
        sentence = ngettext(
            "{names} stands apart from the panel on this question; who is right is for the meeting to say.",
            "{names} stand apart from the panel on this question; who is right is for the meeting to say.",
            len(row.about),
        )
        return sentence.format(names=_names(row.about))
    if row.advice is Advice.SCALE:
        return _("Ask {names} which way the scale runs, before any number is used.").format(names=_names(row.about))
    if row.advice is Advice.OTHER and row.about:
        return _("Add {subjects} that should be “{label}” and rate them.").format(label=Label(row.about[0]))
    return ""


def own_numbers(row: CriterionRow, style: Style = SCREEN, chosen: TableCoefficient = USUAL) -> Table:
    """The numbers of one question, with the coefficient that is ``chosen``."""
    own, two = row.numbers, (COEFFICIENTS[1], COEFFICIENTS[0])
    coefficients = (
        (_("Raw agreement"), own.coefficient("percent_agreement")),
        *((one.title, own.coefficient(one.name)) for one in dict.fromkeys((*two, chosen))),
    )
    sentences: list[tuple[str, str, str]] = [(_("Accuracy a"), accuracy(row, style), interval(row.accuracy, style))]
    if conditions.if_some_are_harder(row) is not None:
        sentences = [
            (_("Accuracy a, if all {subjects} are equally hard").format(), *sentences[0][1:]),
            (_("Accuracy a, if some are harder"), DASH, conditions.cell(row, style)),
        ]
    sentences += [(name, cells.value(e, style), interval(e, style)) for name, e in coefficients]
    return Table(
        _("“{question}” in numbers").format(question=row.name),
        (Column(_("What"), wide=True), Column(_("Value"), _RIGHT), Column(_("Interval"), _RIGHT)),
        tuple(sentences),
        numbers.counted(own.subjects, own.ratings),
        whole=True,
    )


def shares_table(row: CriterionRow) -> Table:
    """How often each rater gives the counted class."""
    own = row.numbers
    return Table(
        _("How often each {rater} says “{label}”").format(label=numbers.short(own.classes[1], 24)),
        (
            Column(_("{Rater}").format(), wide=True),
            Column(_("{Ratings}").format(), _RIGHT),
            Column(_("Share"), _RIGHT),
            Column(_("Interval"), _RIGHT),
        ),
        tuple(
            (
                one.rater,
                cells.count(one.ratings),
                cells.percent(one.share),
                _("{low} to {high}").format(low=numbers.percent(one.low), high=numbers.percent(one.high)),
            )
            for one in own.shares
        ),
        _("{Raters} who saw other {subjects} may differ for that reason alone.").format(),
        most=20,
    )


def shares_figure(row: CriterionRow, style: Style = SCREEN) -> Figure | None:
    """How often each rater gives the counted class, the most often first; None where that tells nothing."""
    own = row.numbers
    if len(own.shares) < 2 or own.same:
        return None
    shown: list[Row] = [
        (one.rater, Estimate(one.share, low=one.low, high=one.high, how="wilson"), Role.MODEL) for one in own.shares
    ]
    table = shares_table(row)
    all_of_them = own.rates[-1]
    return forest(
        shown,
        style,
        kind="rater_shares",
        title=table.title,
        note=table.note,
        marks=(Mark(_("all {share}").format(share=numbers.percent(all_of_them)), all_of_them),),
        x=Axis("", 0.0, 1.0, tuple((at, numbers.percent(at)) for at in (0.0, 0.5, 1.0)), percent=True),
        ends=[numbers.percent(one.share) for one in own.shares],
    )


def raters_to_tell(raters: Sequence[RaterAcross]) -> tuple[RaterAcross, ...]:
    """Those of whom there is something to tell: all where accuracies are told, else who stands apart or is turned."""
    if any(one.accuracy is not None and one.accuracy.value is not None for one in raters):
        return tuple(raters)
    return tuple(one for one in raters if one.apart or one.turned)


def raters_table(across: Sequence[RaterAcross], style: Style = SCREEN) -> Table:
    """Every rater over all questions."""
    told = any(one.accuracy is not None for one in across)
    pooled = max((one.pooled for one in across), default=0)
    note = _("Who stands apart is tested on every question; the tests allow for all of them.").format()
    if told:
        note = joined(note, _pooled_note(pooled))
    heads = (Column(_("Accuracy"), _RIGHT), Column(_("Interval"), _RIGHT)) if told else ()
    return Table(
        _("{Raters} over all questions").format(),
        (
            Column(_("{Rater}").format()),
            Column(_("Questions"), _RIGHT),
            *heads,
            Column(_("Stands apart on"), wide=True),
            Column(_("Scale turned on")),
        ),
        tuple(
            (
                RaterName(one.rater),
                cells.count(one.questions),
                *(_pooled(one.accuracy, style) if told else ()),
                ", ".join(one.apart) or DASH,
                ", ".join(one.turned) or DASH,
            )
            for one in across
        ),
        note,
    )


def _pooled(accuracy: Estimate | None, style: Style) -> tuple[str, str]:
    """The one accuracy of a rater and its interval as cells."""
    if accuracy is None or accuracy.value is None:
        return DASH, DASH
    return numbers.value(accuracy, style), interval(accuracy, style)


def _pooled_note(pooled: int) -> str:
    """What the accuracies of raters rest on."""
    sentence = ngettext(
        "The accuracy is that on the {n} question with more than chance.",
        "The accuracy is one for the {n} questions with more than chance, taken to be the same on all of them.",
        pooled,
    ).format(n=pooled)
    return joined(sentence, _("Its interval counts {a_subject} with all its questions once.").format())


def not_said() -> str:
    """What the table does not say."""
    return _(
        "A clear question is not a well-kept record: it only means that the {raters} see the same. {Raters} who are "
        "wrong together look clear as well."
    ).format()
