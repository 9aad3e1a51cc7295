"""Who wins, how sure: the headline, the list that can be signed, the judges, and what would change the awards."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tapdesk.answers import cells, numbers
from tapdesk.answers.content import Align, Column, Number, Table
from tapdesk.answers.numbers import DASH, SCREEN, Style
from tapdesk.estimate import Estimate
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.studies.award_answer import SAFE, Awards, Caveat, ScoreKind
from tapdesk.studies.award_changes import Change
from tapdesk.studies.award_rules import Rule
from tapdesk.studies.judge_numbers import JudgeNumbers
from tapdesk.studies.panel_sampler import IndexArray

_RIGHT = Align.RIGHT
_MOST_NAMED = 6
_NEAREST = 2
# Judges whose scores have less in common with what the entries are worth than this hardly follow them.
_LITTLE = 0.4


def rule_name(rule: Rule) -> str:
    """A rule in words."""
    return {
        Rule.MEAN: _("mean"),
        Rule.MEDIAN: _("median"),
        Rule.TRIMMED: _("mean without highest and lowest"),
        Rule.BORDA: _("points by place (Borda)"),
        Rule.MAJORITY: _("majority judgment"),
        Rule.MODEL: _("the model"),
    }[rule]


def rule_of(result: Awards) -> str:
    """The rule of the committee in words; of a class that is wanted each is what most of its ratings say."""
    return _("what was said most often") if result.kind is ScoreKind.CLASSES else rule_name(result.rule)


def headline(result: Awards) -> tuple[str, str]:
    """Who leads and whether that is sure; how many awards are safe, and which are nearest to a line."""
    first = CaseName(result.subjects[int(result.order[0])])
    level = next((b for a, b in result.groups if a == 0), 0) + 1
    if level > 1:
        lead = _("{name} leads, but {n} {subjects} cannot be told apart at the top.").format(name=first, n=level)
    else:
        lead = _("{name} leads, and the data tell it apart from the second.").format(name=first)
    given = result.result.given >= 0
    if result.kind is ScoreKind.CLASSES or not result.probability.shape[1] or not given.any():
        return lead, _best(result, first)
    safe = int(result.safe.sum())
    many = ngettext("{part} award is safe.", "{part} awards are safe.", int(given.sum()))
    follows = joined(
        _best(result, first),
        _("An award is safe if it is deserved with {share} or more.").format(share=numbers.percent(SAFE)),
        _nearest(result),
    )
    return joined(lead, many.format(part=numbers.of_all(safe, int(given.sum()), first=True))), follows


def _best(result: Awards, name: CaseName) -> str:
    """How sure it is that the first is the best."""
    if result.kind is ScoreKind.CLASSES:
        return _("{name} is “{label}” with a belief of {share}.").format(
            name=name,
            label=Label(result.classes[result.wanted]),
            share=numbers.percent(float(result.fair[result.order[0]])),
        )
    if 1 not in result.first:
        return ""
    share = float(result.among[result.order[0], result.first.index(1)])
    return _("{name} is the best {subject} with a belief of {share}.").format(name=name, share=numbers.percent(share))


def _nearest(result: Awards) -> str:
    """The awards nearest to a line: those that are deserved about as likely as not."""
    distance = np.abs(result.deserved - 0.5)
    near = [int(i) for i in np.argsort(distance, kind="stable")[:_NEAREST] if np.isfinite(distance[i])]
    named = [
        _("{name} ({label}, {share})").format(
            name=CaseName(result.subjects[i]),
            label=Label(result.classes[result.result.given[i]]),
            share=numbers.percent(float(result.deserved[i])),
        )
        for i in near
    ]
    return _("Nearest to a line: {names}.").format(names=joined(*named, sep=", ")) if named else ""


def caveats(result: Awards) -> tuple[str, ...]:
    """What has to be said beside the answer."""
    sentences = {
        Caveat.TWO_JUDGES: _(
            "With two {raters} it is seen how far they are apart, not which of them is nearer to what the {subjects} "
            "are worth: severity is told against their mean, and who is the more scattered one is hardly known."
        ).format(),
        Caveat.SINGLE_SCORES: _(
            "Some {subjects} have one {rating}: what they are worth rests on what is known of that {rater}."
        ).format(),
        Caveat.NO_LINES: _(
            "No medal lines are set, so no medals are given: name the lowest score of each medal, such as 13; 15; 17."
        ),
        Caveat.NOT_SETTLED: _("The draws have not settled: read the numbers as rough ones."),
        Caveat.UNUSED: _("Of classes that nobody gave nothing is said."),
    }
    return tuple(sentences[caveat] for caveat in result.caveats)


def not_said(result: Awards) -> str:
    """What the list does not say."""
    if result.kind is ScoreKind.CLASSES:
        return _(
            "A belief is what these {ratings} tell, not what the {subject} is: if all {raters} are wrong together "
            "it is sure of what is wrong. Nothing here decides."
        ).format()
    return _(
        "A fair score is what these {raters} would give, not what the {subject} is worth. The committee decides: "
        "nothing here gives or takes an award."
    ).format()


def ties(result: Awards) -> tuple[str, ...]:
    """The places that cannot be told apart."""
    groups = [_("{low} to {high}").format(low=a + 1, high=b + 1) for a, b in result.groups[:_MOST_NAMED]]
    if len(groups) > 1:
        groups[-2:] = [_("{one} and {another}").format(one=groups[-2], another=groups[-1])]
    named = joined(*groups, sep=", ")
    return (_("Places {places} cannot be told apart.").format(places=named),) if groups else ()


# The list -------------------------------------------------------------------------------------------------------------


def entries_table(result: Awards, style: Style = SCREEN, most: int | None = None) -> Table:
    """Every entry by fair score: what the committee gave first, ours beside it."""
    lines = bool(result.probability.shape[1])
    columns = [
        Column(_("{Subject}").format()),
        Column(_("{Ratings}").format(), _RIGHT),
        Column(_("Committee"), _RIGHT),
        Column(_("Place"), _RIGHT),
        *([Column(_("Given"))] if lines else []),
        Column(fair_head(result), _RIGHT),
        Column(_("{level} belief").format(level=numbers.percent(result.level)), _RIGHT),
        Column(_("Places"), _RIGHT),
        *([Column(_("Deserved"), _RIGHT), Column(_("Likeliest"))] if lines else []),
        *(Column(_("First {m}").format(m=m), _RIGHT) for m in result.first),
        Column(_("Apart from next"), _RIGHT),
        *(Column(f"P({label})", _RIGHT) for label in (result.classes if lines else ())),
    ]
    rows = tuple(_entry_row(result, int(i), at, style) for at, i in enumerate(result.order))
    return Table(
        _("{n} {subjects} by fair score").format(n=len(rows)),
        tuple(columns),
        rows,
        joined(
            _("Committee: its own result by the rule “{rule}”, with its place; all else is of the model.").format(
                rule=rule_of(result)
            ),
            _("Deserved: probability of what was given, if the model holds."),
            _("Apart from next: probability of being better than the one in the next row."),
        ),
        most=most,
    )


def short_table(result: Awards, style: Style = SCREEN, most: int = 40) -> Table:
    """The list as wide as a page: without the probability of each class, which the workbook holds."""
    whole = entries_table(result, style, most)
    drop = {column.title for column in whole.columns if column.title.startswith("P(")} | {_("Apart from next")}
    kept = [i for i, column in enumerate(whole.columns) if column.title not in drop]
    return Table(
        whole.title,
        tuple(whole.columns[i] for i in kept),
        tuple(tuple(row[i] for i in kept) for row in whole.rows),
        joined(
            _("Committee: its own result by the rule “{rule}”, with its place; all else is of the model.").format(
                rule=rule_of(result)
            ),
            _("Deserved: probability of what was given, if the model holds."),
        ),
        most=most,
    )


def page_table(result: Awards, style: Style = SCREEN, most: int | None = None) -> Table:
    """The same as narrow as a printed page: of the chances to be among the first only that of the fewest."""
    whole = short_table(result, style, most or len(result.order))
    drop = {_("{Ratings}").format(), *(_("First {m}").format(m=m) for m in result.first[1:])}
    kept = [i for i, column in enumerate(whole.columns) if column.title not in drop]
    return replace(
        whole,
        columns=tuple(whole.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in whole.rows),
        most=most,
    )


def chances_table(result: Awards, style: Style = SCREEN) -> Table:
    """What a printed page of the list has no room for: the probability of each class, and of each number of first."""
    whole = entries_table(result, style)
    listed = {column.title for column in page_table(result, style).columns} - {_("{Subject}").format()}
    kept = [i for i, column in enumerate(whole.columns) if column.title not in listed]
    return Table(
        _("Every probability"),
        tuple(whole.columns[i] for i in kept),
        tuple(tuple(row[i] for i in kept) for row in whole.rows),
        joined(
            _("Apart from next: probability of being better than the one in the next row."),
            _("P(…): probability of each class.") if result.probability.shape[1] else "",
        ),
    )


def fair_head(result: Awards) -> str:
    """The head of the column of fair scores, or of beliefs in the class that is wanted."""
    if result.kind is ScoreKind.CLASSES:
        return _("Belief in “{label}”").format(label=Label(numbers.short(result.classes[result.wanted], 16)))
    return _("Fair score")


def _entry_row(result: Awards, i: int, at: int, style: Style) -> tuple[str, ...]:
    lines = bool(result.probability.shape[1])
    given = int(result.result.given[i])
    value = float(result.result.value[i])
    # A class stands as its number from 1; points as they are.
    shown = value + 1 if result.kind is ScoreKind.GRADES and result.rule is not Rule.BORDA else value
    score = cells.decimal(None if not np.isfinite(shown) else shown, style, 2)
    ends = (result.low[i], result.high[i])
    low, high = (numbers.decimal(float(end), style, 2) for end in ends)
    rank = (int(result.rank_low[i]), int(result.rank_high[i]))
    row = [
        CaseName(result.subjects[i]),
        cells.count(int(result.ratings[i])),
        score,
        cells.count(int(result.result.place[i])),
        *([Label(result.classes[given]) if given >= 0 else DASH] if lines else []),
        cells.decimal(float(result.fair[i]), style, 2),
        Number(_("{low} to {high}").format(low=low, high=high), *(float(end) for end in ends)),
        Number(_("{low} to {high}").format(low=rank[0], high=rank[1]), *(float(r) for r in rank)),
    ]
    if lines:
        row += [
            cells.percent(float(result.deserved[i])) if given >= 0 else DASH,
            Label(result.classes[int(result.likeliest[i])]) if int(result.likeliest[i]) != given else _("same"),
        ]
    row += [cells.percent(float(share)) for share in result.among[i]]
    row.append(cells.percent(float(result.above_next[at])) if at + 1 < len(result.order) else DASH)
    if lines:
        row += [cells.percent(float(share)) for share in result.probability[i]]
    return tuple(row)


# The judges -----------------------------------------------------------------------------------------------------------


def judges_table(result: Awards, style: Style = SCREEN) -> Table:
    """How every judge scores, the strictest first."""
    nominal = result.kind is ScoreKind.CLASSES
    heads = [Column(_("Accuracy"), _RIGHT), Column(_("Interval"), _RIGHT)]
    if not nominal:
        heads = [
            Column(_("Severity"), _RIGHT),
            Column(_("Interval"), _RIGHT),
            Column(_("Spread"), _RIGHT),
            Column(_("Interval"), _RIGHT),
            Column(_("Follows"), _RIGHT),
            Column(_("Interval"), _RIGHT),
        ]
    columns = [Column(_("{Rater}").format()), Column(_("{Ratings}").format(), _RIGHT), *heads]
    if not nominal:
        columns.append(Column(_("In words"), wide=True))
    judges = sorted(result.judges, key=lambda one: -(one.severity.value or 0.0))
    note = _("Accuracy: how often {a_rating} follows the {subject}, guesses left aside.").format()
    if not nominal:
        unit = _("points") if result.kind is ScoreKind.POINTS else _("classes")
        note = _(
            "Severity: {unit} below the panel. Spread: standard deviation of the {ratings} one {subject} would get "
            "from this {rater}. Follows: correlation with what the other {raters} make of the {subjects}, 1 at best, "
            "0 for guesses, below 0 for a scale turned round."
        ).format(unit=unit)
    return Table(
        _("How the {raters} score").format(),
        tuple(columns),
        tuple(_judge_row(one, result, style) for one in judges),
        note,
    )


def _judge_row(one: JudgeNumbers, result: Awards, style: Style) -> tuple[str, ...]:
    shown = (one.follows,) if result.kind is ScoreKind.CLASSES else (one.severity, one.spread, one.follows)
    row = [RaterName(one.judge), cells.count(one.scores)]
    for estimate in shown:
        row += [cells.decimal(estimate.value, style, 2), _interval(estimate, style)]
    return tuple(row) if result.kind is ScoreKind.CLASSES else (*row, judge_words(one, result))


def _interval(estimate: Estimate, style: Style) -> str:
    """An interval of two places: a severity next to 0 needs no more."""
    if estimate.low is None or estimate.high is None:
        return DASH
    low, high = (numbers.decimal(end, style, 2) for end in (estimate.low, estimate.high))
    return Number(_("{low} to {high}").format(low=low, high=high), estimate.low, estimate.high)


def judge_words(one: JudgeNumbers, result: Awards) -> str:
    """How a judge scores in words the judge accepts; nothing that the intervals do not hold."""
    if result.kind is ScoreKind.CLASSES or one.severity.value is None:
        return ""
    words = [text] if (text := follow_words(one)) else []
    if one.severity.low is not None and one.severity.low > 0:
        words.append(_("stricter than the panel"))
    if one.severity.high is not None and one.severity.high < 0:
        words.append(_("more generous than the panel"))
    return joined(*words, sep="; ") if words else _("as the panel")


def follow_words(one: JudgeNumbers) -> str:
    """That the scores of a judge do not follow those of the others, as far as can be told; empty where they do."""
    low, high = one.follows.low, one.follows.high
    if high is not None and high < 0:
        return _("against the panel: ask which way the scale runs")
    if high is not None and high < _LITTLE:
        return _("the scores hardly follow the panel")
    return _("whether the scores follow the panel cannot be told") if low is None or low <= 0 else ""


# What would change it ---------------------------------------------------------------------------------------------


def changes_table(result: Awards) -> Table:
    """What would change the committee's awards: another rule, the harshest judge corrected, a judge left out."""
    rows = [(_("by “{rule}”").format(rule=rule_name(v.rule)), *_changed(v.changes, result)) for v in result.rules]
    if result.corrected is not None:
        name = RaterName(result.raters[result.corrected.judge])
        rows.append((_("{name} corrected").format(name=name), *_changed(result.corrected.changes, result)))
    for one in result.without:
        name = RaterName(result.raters[one.judge])
        rows.append((_("without {name}").format(name=name), *_changed(one.changes, result)))
    note = _("Held against the committee's own result by “{rule}”.").format(rule=rule_of(result))
    if not result.probability.shape[1]:
        note = joined(note, _("Counted are {subjects} that enter or leave the first three.").format())
    return Table(
        _("What would change the awards"),
        (Column(_("If")), Column(_("Awards changed"), _RIGHT), Column(_("Which"), wide=True)),
        tuple(rows),
        note,
    )


def _changed(changes: Sequence[Change], result: Awards) -> tuple[str, str]:
    named = [_change(one, result) for one in changes[:_MOST_NAMED]]
    more = len(changes) - len(named)
    if more > 0:
        named.append(_("{n} more").format(n=more))
    return cells.count(len(changes)), joined(*named, sep=", ") if named else DASH


def _change(one: Change, result: Awards) -> str:
    name = CaseName(result.subjects[one.entry])
    if not result.probability.shape[1]:
        return _("{name} (place {before} to {after})").format(name=name, before=one.place_before, after=one.place_after)
    before, after = (Label(result.classes[k]) if k >= 0 else DASH for k in (one.before, one.after))
    return _("{name} ({before} to {after})").format(name=name, before=before, after=after)


def discuss_table(result: Awards, most: int | None = None) -> Table:
    """Where one more rating is worth most: the cases to discuss first."""
    lines = bool(result.probability.shape[1])
    rows = []
    for i in map(int, np.argsort(-result.gain, kind="stable")):
        row: list[str] = [CaseName(result.subjects[i])]
        # Without lines there is no class to be sure of.
        if lines:
            likeliest = int(result.likeliest[i])
            row += [Label(result.classes[likeliest]), cells.percent(float(result.probability[i, likeliest]))]
        rows.append((*row, cells.percent(float(result.gain[i]), 1)))
    return Table(
        _("Discuss these first"),
        (
            Column(_("{Subject}").format(), wide=True),
            *((Column(_("Likeliest")), Column(_("Belief"), _RIGHT)) if lines else ()),
            Column(_("One more {rating} gains").format(), _RIGHT),
        ),
        tuple(rows),
        _(
            "Gain: how much likelier the likeliest class of {a_subject} becomes by one more {rating}, on average over "
            "what that {rating} may be."
        ).format(),
        most=most,
    )


# The list of the window and the cards beside it ----------------------------------------------------------------------


def list_table(result: Awards, style: Style = SCREEN) -> Table:
    """The list as it is looked at: places, entry, value, and of awards what was given and what speaks for it."""
    whole = entries_table(result, style)
    at = {column.title: i for i, column in enumerate(whole.columns)}
    titles = [_("Places"), _("{Subject}").format(), fair_head(result)]
    titles += [_("Given"), _("Deserved"), _("Likeliest")] if result.probability.shape[1] else []
    kept = [at[title] for title in titles]
    return replace(
        whole,
        columns=tuple(whole.columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in whole.rows),
        note=list_key(result),
    )


def list_key(result: Awards) -> str:
    """What the signs of the list mean."""
    awarded = bool(result.probability.shape[1]) and result.kind is not ScoreKind.CLASSES
    return joined(
        _("Bracket: cannot be told apart.") if result.groups else "",
        _("Dots: fair score with the interval that holds it with {level}.").format(level=numbers.percent(result.level))
        if result.kind is not ScoreKind.CLASSES
        else "",
        _("Dark bar: deserved with {share} or more.").format(share=numbers.percent(SAFE)) if awarded else "",
        _("Ochre: the likeliest is another than what was given.") if awarded and differing(result).size else "",
    )


def entry_words(result: Awards, at: int, style: Style = SCREEN) -> str:
    """A row of the list as one sentence, for who hears it; ``at`` is its position."""
    i = int(result.order[at])
    score, low, high = (numbers.decimal(float(v[i]), style, 2) for v in (result.fair, result.low, result.high))
    words = [
        _("{name} stands in place {first} to {last} with a fair score of {score}, {low} to {high}.").format(
            name=CaseName(result.subjects[i]),
            first=int(result.rank_low[i]),
            last=int(result.rank_high[i]),
            score=score,
            low=low,
            high=high,
        )
    ]
    given = int(result.result.given[i])
    if result.probability.shape[1] and given >= 0:
        words.append(
            _("Given {label}: deserved with a probability of {share}.").format(
                label=Label(result.classes[given]), share=numbers.percent(float(result.deserved[i]))
            )
        )
        likeliest = int(result.likeliest[i])
        if likeliest != given:
            words.append(_("Likeliest {label}.").format(label=Label(result.classes[likeliest])))
    return joined(*words)


def differing(result: Awards) -> IndexArray:
    """Entries whose likeliest class is another than the one that was given, the best first."""
    if not result.probability.shape[1] or result.kind is ScoreKind.CLASSES:
        return np.zeros(0, dtype=np.int64)
    given = result.result.given[result.order]
    return np.asarray(result.order[(given >= 0) & (result.likeliest[result.order] != given)])


def committee_words(result: Awards) -> str:
    """How far the model and the committee agree; the committee decides."""
    given = int((result.result.given >= 0).sum())
    if not result.probability.shape[1] or not given or result.kind is ScoreKind.CLASSES:
        return not_said(result)
    other = differing(result)
    words = [
        _("The model would put {part} awards where you put them.").format(
            part=numbers.of_all(given - other.size, given)
        )
    ]
    named = [
        _("{name} nearer to {likeliest} than to {given}").format(
            name=CaseName(result.subjects[i]),
            likeliest=Label(result.classes[int(result.likeliest[i])]),
            given=Label(result.classes[int(result.result.given[i])]),
        )
        for i in map(int, other[:_MOST_NAMED])
    ]
    if named:
        more = _("{n} more").format(n=other.size - len(named)) if other.size > len(named) else ""
        words.append(_("It sees others otherwise: {names}.").format(names=joined(*named, more, sep=", ")))
    words.append(_("Nothing here gives or takes an award."))
    return joined(*words)


def left_out_words(result: Awards, which: int) -> str:
    """How many awards change without a judge; ``which`` is a place in ``result.without``."""
    n = len(result.without[which].changes)
    if not result.probability.shape[1]:
        return ngettext(
            "{n} of the {subjects} enters or leaves the first three.",
            "{n} of the {subjects} enter or leave the first three.",
            n,
        ).format(n=n)
    return ngettext("{part} awards changes.", "{part} awards change.", n).format(
        part=numbers.of_all(n, int((result.result.given >= 0).sum()), first=True)
    )


def left_out_table(result: Awards, which: int) -> Table:
    """The awards that change without a judge."""
    classes = bool(result.probability.shape[1])
    rows = []
    for one in result.without[which].changes:
        before, after = (
            (Label(result.classes[k]) if k >= 0 else DASH for k in (one.before, one.after))
            if classes
            else (cells.count(one.place_before), cells.count(one.place_after))
        )
        rows.append((CaseName(result.subjects[one.entry]), before, after))
    head = (_("Given"), _("Without")) if classes else (_("Place"), _("Without"))
    name = RaterName(result.raters[result.without[which].judge])
    return Table(
        _("Without {name}").format(name=name),
        (Column(_("{Subject}").format(), wide=True), Column(head[0]), Column(head[1])),
        tuple(rows),
    )


def strict_words(result: Awards) -> str:
    """Who is strict and who generous, as far as the intervals tell."""
    strict = [RaterName(one.judge) for one in result.judges if (one.severity.low or 0.0) > 0]
    generous = [RaterName(one.judge) for one in result.judges if (one.severity.high or 0.0) < 0]
    words = []
    for names, one, several in (
        (strict, _("{names} judges more strictly than the panel."), _("{names} judge more strictly than the panel.")),
        (
            generous,
            _("{names} judges more generously than the panel."),
            _("{names} judge more generously than the panel."),
        ),
    ):
        if names:
            words.append((one if len(names) == 1 else several).format(names=joined(*names[:_MOST_NAMED], sep=", ")))
    if not words:
        words.append(_("Nobody is told from the panel."))
    counts = [one.entries for one in result.judges]
    if min(counts) < len(result.subjects):
        each = _("Each judged {low} to {high} of {n} {subjects}, so the draw of the {raters} moves a fair score.")
        if min(counts) == max(counts):
            each = _("Each judged {low} of {n} {subjects}, so the draw of the {raters} moves a fair score.")
        words.append(each.format(low=min(counts), high=max(counts), n=len(result.subjects)))
    return joined(*words)
