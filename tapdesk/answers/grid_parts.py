"""The parts of the grid: cases that differ, groups, repeats, known answers, scores of cases, accuracy along a column.

Each is worked out where it belongs (`tapdesk.answers.grid_studies`); where it was not, it says nothing.
"""

from tapdesk.agreement.known import LEAST
from tapdesk.answers import cells, numbers
from tapdesk.answers.charts import forest
from tapdesk.answers.content import Align, Block, Column, Paragraph, Picture, Table, Tone
from tapdesk.answers.dependence_part import DEPENDENCE, NOT_SAID
from tapdesk.answers.drift import DRIFT
from tapdesk.answers.figure import Role
from tapdesk.answers.figures.raters import accuracies
from tapdesk.answers.fit_parts import DETAILS, ESTIMATES, TESTS, WORDS
from tapdesk.answers.group_words import groups_word
from tapdesk.answers.known import ERRORS, KNOWN
from tapdesk.answers.known_use import clearly_wrong
from tapdesk.answers.part import About, Answer, Content, Missing, Part, reason_for
from tapdesk.answers.severity_part import SEVERITIES
from tapdesk.answers.slope_curve import CURVE
from tapdesk.answers.slope_words import along
from tapdesk.estimate import Estimate, PooledSlope
from tapdesk.fitting.fit import SampledPosterior, Summary, one_in
from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.studies.consistency import Consistency
from tapdesk.studies.group_contrasts import GroupContrast
from tapdesk.studies.wrong_together import WrongTogether

_MOST_SAID, _MOST_ROWS = 6, 20
# A p-value, as Holm weighs it, below which somebody repeats their own answers by more than luck.
_CLEAR = 0.05


def _untold(answer: Answer, name: str) -> Missing | None:
    """Why what belongs to such answers was not worked out; None where it was not wanted."""
    why = reason_for(answer, name)
    return Missing(why) if why else None


def contrasts_content(answer: Answer) -> Content | Missing | None:
    """How much groups differ; None where the answer is about none."""
    contrasts = answer.side.group_contrasts
    if not contrasts:
        return _untold(answer, "group_contrasts")
    clear = [one for one in contrasts if one.clear]
    blocks: list[Block] = [Paragraph(_clear(answer, one)) for one in clear[:_MOST_SAID]]
    if len(clear) > _MOST_SAID:
        more = _("Further clear differences stand in the table: {n} in all.")
        blocks.append(Paragraph(more.format(n=numbers.count(len(clear)))))
    if not clear:
        none = _("No group clearly differs from another one; that does not show that they are alike.")
        if answer.fit.model.whole:
            none = _("No question clearly differs from another one; that does not show that they are alike.")
        blocks.append(Paragraph(none.format()))
    return Content((*blocks, _differences(answer, contrasts)))


def _clear(answer: Answer, one: GroupContrast) -> str:
    """A clear difference in a sentence."""
    low, high = sorted((abs(one.low or 0.0), abs(one.high or 0.0)))
    more, less = (one.of, one.minus) if one.value > 0 else (one.minus, one.of)
    ends = numbers.ends(low, high)
    fields = {"more": Label(more), "less": Label(less), "low": ends[0], "high": ends[1]}
    category = one.category or (answer.ratings.classes[1] if len(answer.ratings.classes) == 2 else "")
    if one.name == "t":
        return _("More {subjects} of “{more}” than of “{less}” are truly “{one}”: {low} to {high} more of 100.").format(
            one=Label(category), **fields
        )
    if one.name == "p":
        return _("More guesses of “{more}” than of “{less}” come out “{one}”: {low} to {high} more of 100.").format(
            one=Label(category), **fields
        )
    if one.rater is not None:
        return _(
            "{Ratings} of {rater} follow the {subject} oftener in “{more}” than in “{less}”: {low} to {high} more of "
            "100."
        ).format(rater=RaterName(one.rater), **fields)
    return _(
        "{Ratings} of “{more}” follow the {subject} oftener than those of “{less}”: {low} to {high} more of 100."
    ).format(**fields)


def _differences(answer: Answer, contrasts: tuple[GroupContrast, ...]) -> Table:
    style, level = answer.style, answer.fit.interval[1]
    by_class, by_rater = any(c.category for c in contrasts), any(c.rater for c in contrasts)
    columns = [Column("", symbol=True)]
    columns += [Column(_("Class"))] if by_class else []
    columns += [Column(_("{Rater}"))] if by_rater else []
    columns += [
        Column(_("Questions") if answer.fit.model.whole else _("Groups"), wide=True),
        Column(_("Difference"), Align.RIGHT),
        Column(_("Interval"), Align.RIGHT),
    ]
    rows = []
    for one in contrasts:
        between = Estimate(one.value)
        if one.low is not None and one.high is not None:
            between = between.between(one.low, one.high, level, "profile")
        groups = _("“{of}” minus “{minus}”").format(of=Label(one.of), minus=Label(one.minus))
        own = ((Label(one.category or ""),) if by_class else ()) + ((RaterName(one.rater or ""),) if by_rater else ())
        rows.append((one.name, *own, groups, cells.value(between, style), cells.interval(between, style)))
    note = _(
        "{level} profile-likelihood intervals of the differences; whether the intervals of two {groups} meet says "
        "nothing of them."
    ).format(level=numbers.level(level), groups=groups_word(answer.fit.model))
    between_all = _("Differences between questions") if answer.fit.model.whole else _("Differences between groups")
    return Table(between_all, tuple(columns), tuple(rows), note, most=_MOST_ROWS)


CONTRASTS = Part(
    "contrasts",
    "results",
    _("How much do groups or questions differ?"),
    _(
        "The difference of every two groups, or questions, with an interval of its own. Where the interval leaves out "
        "0, they differ clearly, if the numbers that are shared by all are the same in all of them."
    ),
    contrasts_content,
    uses=("group_contrasts",),
    commands=("fit",),
)


def consistency_content(answer: Answer) -> Content | Missing | None:
    """Whether raters who rate a case again say the same; None where nobody did or nothing was worked out."""
    rows = answer.side.consistency
    if not rows:
        return _untold(answer, "consistency")
    beyond = [one for one in rows if one.p_holm < _CLEAR]
    blocks: list[Block] = [Paragraph(_own_pairs(one)) for one in beyond[:_MOST_SAID]]
    if beyond:
        sentence = _(
            "That is more than they explain for {names}: an answer that is remembered, or a habit with single "
            "{subjects}."
        ).format(names=numbers.listed([RaterName(one.rater) for one in beyond]))
        blocks.append(Paragraph(sentence))
    else:
        blocks.append(Paragraph(_pairs_of_all(rows)))
        blocks.append(Paragraph(_("For nobody is that more than they explain by more than luck.").format()))
        # The smallest p-value there could be, of a rater who always says the same, as Holm weighs it.
        if min(one.expected_same**one.pairs for one in rows) * len(rows) >= _CLEAR:
            sentence = _("So few pairs could hardly show it: all of them alike would still pass for luck.")
            blocks.append(Paragraph(sentence))
    blocks.append(_consistency_table(answer, rows))
    caution = _("Consistency is not accuracy: who always errs in the same way is consistent.")
    blocks.append(Paragraph(caution, Tone.BODY, NOT_SAID))
    return Content(tuple(blocks))


def _own_pairs(one: Consistency) -> str:
    """How often a rater gave the same class again, in pairs."""
    return _(
        "{rater} gave the same class in {same} of {n} pairs of own {ratings} of one {subject}; accuracy and leaning "
        "alone make about {expected}."
    ).format(
        rater=RaterName(one.rater),
        same=numbers.count(round(one.same * one.pairs)),
        n=numbers.count(one.pairs),
        expected=numbers.count(round(one.expected_same * one.pairs)),
    )


def _pairs_of_all(rows: tuple[Consistency, ...]) -> str:
    """The same of all raters together: one by one they stand in the table."""
    n = sum(one.pairs for one in rows)
    return ngettext(
        "The class was the same in {same} of {n} pair of own {ratings} of one {subject}; accuracy and leaning alone "
        "make about {expected}.",
        "The class was the same in {same} of {n} pairs of own {ratings} of one {subject}; accuracy and leaning alone "
        "make about {expected}.",
        n,
    ).format(
        same=numbers.count(round(sum(one.same * one.pairs for one in rows))),
        n=numbers.count(n),
        expected=numbers.count(round(sum(one.expected_same * one.pairs for one in rows))),
    )


def _consistency_table(answer: Answer, rows: tuple[Consistency, ...]) -> Table:
    columns = (
        Column(_("{Rater}"), wide=True),
        Column(_("Pairs"), Align.RIGHT),
        Column(_("Same"), Align.RIGHT),
        Column(_("Expected"), Align.RIGHT),
        Column(_("Kappa"), Align.RIGHT),
        Column(_("p"), Align.RIGHT),
        *((Column(_("Copies"), Align.RIGHT),) if rows[0].memory is not None else ()),
    )
    style = answer.style
    body = tuple(
        (
            RaterName(one.rater),
            cells.count(one.pairs),
            cells.decimal(one.same, style),
            cells.decimal(one.expected_same, style),
            cells.decimal(one.kappa, style),
            cells.decimal(one.p_holm, style),
            *(() if one.memory is None else (cells.decimal(one.memory, style),)),
        )
        for one in rows
    )
    note = _(
        "Same, expected: shares of the pairs. Kappa: of the {rater} with themselves. p: how often {raters} who "
        "remember nothing look as consistent, of all {raters} together (Holm)."
    ).format()
    return Table(_("How consistent the {raters} are").format(), columns, body, note)


CONSISTENCY = Part(
    "consistency",
    "raters",
    _("Do {raters} repeat their own answers?"),
    _(
        "Some {raters} rated {a_subject} more than once. How often they gave the same class again is set "
        "beside what their accuracy and leaning alone would make of it."
    ),
    consistency_content,
    uses=("consistency",),
    commands=("fit",),
)


def together_content(answer: Answer) -> Content | Missing | None:
    """Whether the panel's own consensus is the truth, by the known cases; None where none is used."""
    found = answer.side.together
    if found is None:
        return _untold(answer, "together")
    fields = {"n": numbers.count(found.cases), "wrong": numbers.count(found.mismatches)}
    first = ngettext(
        "Of {n} {subjects} of a known class, the panel’s own shared pattern of answers names another class for "
        "{wrong}.",
        "Of {n} {subjects} of a known class, the panel’s own shared pattern of answers names another class for "
        "{wrong}.",
        found.cases,
    ).format(**fields)
    often = one_in(found.test.p_bootstrap)
    if answer.ratings.raters_known and not answer.fit.model.by_rater:
        verdict = _(
            "Whether that is more than chance a model must say that tells {raters} apart, such as t-aj-pj: where all "
            "are taken for alike, their differences look like errors in common."
        ).format()
    elif clearly_wrong(found):
        verdict = _(
            "Panels whose shared pattern is the truth miss so much {often}: this one seems to be wrong together."
        ).format(often=found.test.how_often)
    elif found.test.rejects:
        verdict = _(
            "Panels whose shared pattern is the truth miss so much {often}. So something is amiss, but {raters} are "
            "not clearly less accurate against what is known than against the panel."
        ).format(often=found.test.how_often)
    else:
        verdict = _(
            "Panels whose shared pattern is the truth miss as much {often}. That does not show that this one is right: "
            "few known {subjects} notice little."
        ).format(often=often)
    rows = (
        (_("Accuracy against the panel’s own pattern"), found.against_panel),
        (_("Accuracy against what is known"), found.against_key),
        (_("Difference"), found.difference),
        (_("How often the panel’s pattern is the truth"), found.consensus),
    )
    columns = (Column("", wide=True), Column(_("Est."), Align.RIGHT), Column(_("Interval"), Align.RIGHT))
    body = tuple((name, cells.value(e, answer.style), cells.interval(e, answer.style)) for name, e in rows)
    note = _(
        "Model {model}. Intervals from resamples, known {subjects} and the others each for themselves. The last "
        "number is the second divided by the first; above 1 the known {subjects} are rated better than the others."
    ).format(model=found.model)
    table = Table(_("The panel against what is known"), columns, body, note)
    return Content((Paragraph(joined(first, verdict)), *_held_twice(answer, found), table))


def _held_twice(answer: Answer, found: WrongTogether) -> tuple[Block, ...]:
    """Each rater's accuracy against what is known beside that against the panel; none where raters are not told apart.

    A picture of both, and the table with all intervals.
    """
    if len(found.raters) != len(answer.ratings.raters):
        return ()
    names = [RaterName(name) for name in answer.ratings.raters]
    title = _("Each {rater} against what is known, and against the panel").format()
    note = _(
        "Model {model}. Accuracy: 1 = always right, 0 = guessing. Intervals from resamples of the {subjects}; against "
        "what is known none below {least} {subjects}."
    ).format(model=found.model, least=LEAST)
    legend = _("Dots: against the known answers. Squares: against the panel’s own pattern, all {n} {subjects}.").format(
        n=numbers.count(int(answer.ratings.subject_weights().sum()))
    )
    pictured = joined(legend, note)
    rows = [(name, key, Role.MODEL) for name, (_panel, key) in zip(names, found.raters, strict=True)]
    shown = [panel for panel, key in found.raters if key.value is not None]
    figure = forest(
        rows,
        answer.style,
        kind="known",
        title=title,
        note=pictured,
        others=((_("against the panel’s own pattern"), shown, Role.CLASSICAL),),
        what=_("against the known answers"),
    )
    columns = [Column(_("{Rater}"), wide=True), Column(_("Against what is known"), Align.RIGHT)]
    columns += [Column(_("Interval"), Align.RIGHT), Column(_("Against the panel"), Align.RIGHT)]
    columns += [Column(_("Interval"), Align.RIGHT)]
    body = tuple(
        (name, *(cell(e, answer.style) for e in (key, panel) for cell in (cells.value, cells.interval)))
        for name, (panel, key) in zip(names, found.raters, strict=True)
    )
    return Picture(title, (figure,), pictured, height=figure.height), Table(title, tuple(columns), body, note)


TOGETHER = Part(
    "together",
    "agreement",
    _("Is the panel wrong together?"),
    _(
        "What {raters} have in common need not be the truth. The numbers are found once without the known "
        "answers, and what the panel then believes of the known {subjects} is held against them. Accuracy "
        "against the panel says how well {a_rater} follows the others, accuracy against what is known how "
        "well {a_rater} follows the truth."
    ),
    together_content,
    uses=("together",),
    commands=("fit",),
)


def scores_content(answer: Answer) -> Content | Missing | None:
    """Scores of the cases by a model of ordered classes; None for any other."""
    scores = answer.side.scores
    if scores is None:
        return _untold(answer, "scores")
    ratings, style = answer.ratings, answer.style
    columns = [Column(_("{Subject}"), wide=True), Column(_("Score"), Align.RIGHT)]
    columns += [Column(_("At least “{one}”").format(one=Label(c)), Align.RIGHT) for c in ratings.classes[1:]]
    columns += [Column(_("Among the best {n}").format(n=n), Align.RIGHT) for n in scores.tops]
    rows = []
    for i in (-scores.expected).argsort(kind="stable"):
        shares = (*scores.at_least[i, 1:], *scores.among[i])
        name = CaseName(ratings.subjects[int(i)])
        rows.append(
            (
                name,
                cells.decimal(float(scores.expected[i]), style, 2),
                *(cells.decimal(float(x), style, 2) for x in shares),
            )
        )
    note = _(
        "Model {model}. Score: the class to be expected, the lowest counting 1; where {a_rater} draws the lines is "
        "taken out of it. Among the best: over resamples of the {subjects}, ties at the line shared."
    ).format(model=scores.model)
    caution = _("Another model may order {subjects} otherwise: the {ratings} of a few {raters} decide little.")
    table = Table(_("Scores of the {subjects}").format(), tuple(columns), tuple(rows), note, most=_MOST_ROWS)
    return Content((table, Paragraph(caution.format(), Tone.BODY, NOT_SAID)))


SCORES = Part(
    "scores",
    "cases",
    _("Which {subjects} stand highest?"),
    _(
        "The expected class of each {subject}, with the probability that it truly is at least of each "
        "class, and that it is among the best. That one {rater} is strict and another mild plays no part "
        "in it."
    ),
    scores_content,
    uses=("scores",),
    commands=("fit",),
)


def population_content(answer: Answer) -> Content | None:
    """What is believed of the population the raters are drawn from; None where they are not."""
    believed = _population(answer)
    if believed is None:
        return None
    found, level, slopes_of = believed
    from tapdesk.fitting.sampling.pooled import ALIKE  # late: without beliefs no chains are needed

    alike = _(
        "That the {raters} are alike for practical purposes has a probability of {alike}: their accuracies then "
        "differ by less than {within} (standard deviation). That nobody differs at all is a matter of a test, not of "
        "belief."
    ).format(alike=numbers.percent(found[2]), within=numbers.decimal(ALIKE))
    rows = ((_("A typical {rater}"), found[0]), (_("A new {rater}"), found[1]))
    columns = (Column("", wide=True), Column(_("Accuracy"), Align.RIGHT), Column(_("Belief"), Align.RIGHT))

    def cell(one: Summary) -> tuple[str, str]:
        e = Estimate(one.mean).between(one.hdi_low, one.hdi_high, level, "posterior")
        return cells.value(e, answer.style), cells.interval(e, answer.style)

    body = tuple((name.format(), *cell(one)) for name, one in rows)
    if answer.side.pooled is not None:
        own = accuracies(answer.side.pooled.fit)
        body += tuple(
            (e.name.rater or "", cells.value(e.estimate, answer.style), cells.interval(e.estimate, answer.style))
            for e in own
        )
    note = _(
        "{Raters} are drawn from one population, so that those with few {ratings} are drawn towards the others. A rank "
        "is not read out of such numbers without their intervals."
    ).format()
    slopes = [Paragraph(along(one)) for one in slopes_of]
    if slopes:
        note = joined(
            note,
            _(
                "Both are meant at the mean of {columns}. What goes with accuracy is told by {count} {raters}, however "
                "many {ratings} each gave."
            ).format(columns=", ".join(one.covariate for one in slopes_of), count=slopes_of[0].raters),
        )
    return Content((Paragraph(alike), *slopes, Table(_("The population of {raters}").format(), columns, body, note)))


def _population(answer: Answer) -> tuple[tuple[Summary, Summary, float], float, tuple[PooledSlope, ...]] | None:
    """Typical and new rater and whether all are alike, with the level and the slopes; None where raters are told apart.

    Of the answer itself, or of what takes the place of accuracies on the edge.
    """
    posterior, pooled = answer.fit.posterior, answer.side.pooled
    if isinstance(posterior, SampledPosterior) and posterior.population is not None:
        return posterior.population, posterior.level, posterior.along
    if pooled is not None:
        return (pooled.typical, pooled.new, pooled.alike), pooled.fit.interval[1], ()
    return None


POPULATION = Part(
    "population",
    "raters",
    _("What if {raters} come from one population?"),
    _(
        "The accuracies of the {raters} are taken for a sample of a population, which is told by all of "
        "them together. {A_rater} with few {ratings} has an accuracy nearer to that of the others than by "
        "these {ratings} alone."
    ),
    population_content,
    about=About.RUNS,
    uses=("pooled",),
    commands=("fit",),
)
PARTS = (
    KNOWN,
    ERRORS,
    TOGETHER,
    WORDS,
    ESTIMATES,
    CONTRASTS,
    DEPENDENCE,
    CURVE,
    CONSISTENCY,
    DRIFT,
    POPULATION,
    SEVERITIES,
    SCORES,
    DETAILS,
    TESTS,
)
"""Of a fit of the grid, in the order of the catalog."""
