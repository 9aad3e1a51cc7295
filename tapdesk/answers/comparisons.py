"""The same ratings understood otherwise: under other models, under other choices, and in every group of them."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import cells, charts, numbers, range_words
from tapdesk.answers import fit_words as words
from tapdesk.answers import model_comparison as words_models
from tapdesk.answers.content import Align, Block, Column, Heading, Paragraph, Picture, Table, Tone
from tapdesk.answers.demands import demand
from tapdesk.answers.figure import Role
from tapdesk.answers.figures import models as figures
from tapdesk.answers.misfit import contradicted
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.part import About, Answer, Content, Missing, Part, not_found
from tapdesk.answers.side_results import Basis
from tapdesk.errors import TapdeskError
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.progress import Run
from tapdesk.studies.analysis import CONTRADICTED
from tapdesk.studies.model_comparison import GridComparison, compare_grid, mean_accuracy
from tapdesk.studies.subsets import accuracy_without, group_table
from tapdesk.studies.table import Cell, StudyTable

RIGHT = Align.RIGHT
# So many numbers of a model fit beside each other with their intervals.
_MOST_NUMBERS = 3
_ROW = 24.0
# More could not be read in one picture.
_MOST_RATERS = 20


def tests(comparison: GridComparison) -> Table:
    """A question for every test between two models, how the ratings answer it, and the figures behind the answer."""
    rows = [
        (
            words_models.question(test.name),
            cells.large(test.statistic, 1),
            cells.count(round(test.p_bootstrap * (1 + test.replicates)) - 1),
            cells.count(test.replicates),
            _("Hardly") if test.rejects else _("It could"),
        )
        for test in comparison.tests
    ]
    rows += [
        (words_models.question(name), cells.large(None), cells.large(None), cells.large(None), why)
        for name, why in comparison.untested.items()
    ]
    return Table(
        _("What each model leaves out, tested on simulated panels"),
        (
            Column(_("Question"), wide=True),
            Column(_("Ratio"), RIGHT),
            Column(_("Reached by"), RIGHT),
            Column(_("Panels"), RIGHT),
            Column(_("Answer"), wide=True),
        ),
        tuple(rows),
        _(
            "Ratio: twice the gain in log-likelihood of the model that does without what is asked about. Reached by: "
            "how many simulated panels of which it is true have as large a ratio. A dash: not tested."
        ),
    )


def groups_table(table: StudyTable, interval: str, style: Style = SCREEN) -> Table:
    """Every group with its size and its numbers: all of a small model, else the accuracies.

    Parameters
    ----------
    table
        As `studies.groups.group_table` makes it.
    interval
        The kind of the intervals, in words.
    style
        How numbers are written.
    """
    by = table.columns[0]
    every = [c for c in table.columns if f"{c} low" in table.columns]
    names = every if len(every) <= _MOST_NUMBERS else figures.accuracies(table)
    columns = [Column(by, wide=True), Column(_("{Subjects}"), RIGHT), Column(_("{Ratings}"), RIGHT)]
    for name in names:
        columns += [Column(name, RIGHT), Column(_("Interval"), RIGHT)]
    rows, reasons = [], []
    for record in table.records():
        row = [str(record[by]), cells.count(float(str(record["cases"]))), cells.count(float(str(record["ratings"])))]
        for name in names:
            estimate = figures.estimate_of(record, name)
            row += [cells.value(estimate, style), cells.interval(estimate, style)]
        rows.append(tuple(row))
        if record["why_not"]:
            reasons.append(_("{group}: {why}").format(group=numbers.short(str(record[by]), 30), why=record["why_not"]))
    note = _("Each group was fitted by itself. Intervals: {interval}. A dash: there is no such number.").format(
        interval=interval
    )
    if len(names) < len(every):
        note = _("{note} Only the accuracies are printed.").format(note=note)
    return Table(
        _("The answer in every group of “{column}”").format(column=numbers.short(by, 40)),
        tuple(columns),
        tuple(rows),
        joined(note, *reasons),
    )


def models_content(answer: Answer) -> Content | Missing | None:
    """Every model these ratings allow, which follows them best, and what each leaves out."""
    comparison: GridComparison | None = answer.side.on_demand.get("models")
    if comparison is None:
        return not_found(answer, "models")
    figure = figures.models(comparison, answer.style)
    blocks: list[Block] = [
        Paragraph(words_models.best(comparison)),
        Picture(figure.title, (figure,), figure.note, height=50.0 + _ROW * max(len(figure.y.ticks), 2)),
        words_models.models_table([row.fit for row in comparison.comparison.rows], answer.style),
        tests(comparison),
    ]
    if comparison.tests:
        blocks.append(Paragraph(words_models.luck(comparison)))
    return Content(tuple(blocks))


def groups_content(answer: Answer) -> Content | None:
    """For each column that was asked for: the answer in every group, or why there is none."""
    side, blocks = answer.side, list[Block]()
    fit = answer.result
    kind = _("profile likelihood") if fit is None else kind_of_interval(*fit.interval)
    tables: Mapping[str, StudyTable] = side.on_demand.get("groups", {})
    for column in side.wanted.selection.columns("groups") if side.wanted is not None else ():
        blocks.append(Heading(_("By {column}").format(column=column)))
        table = tables.get(column)
        if table is None:
            why = side.reasons.get(f"groups: {column}") or side.reasons.get("groups")
            blocks.append(Paragraph(why or _("These groups could not be worked out."), Tone.WARNING))
            continue
        figure = figures.groups(table, answer.style)
        blocks.append(Paragraph(_("{told}.").format(told=figure.title)))
        rows = len(figure.y.ticks)
        if rows:
            title = _("The accuracy in every group of “{column}”").format(column=numbers.short(column, 40))
            blocks.append(Picture(title, (figure,), figure.note, height=60.0 + _ROW * max(rows, 2)))
        blocks.append(groups_table(table, kind, answer.style))
    return Content(tuple(blocks)) if blocks else None


def choices_content(answer: Answer) -> Content | Missing | None:
    """Other models, one rater left out, only complete cases: the answer had we asked otherwise."""
    side, rows, blocks = answer.side, _choices(answer), list[Block]()
    if contradicted(side):
        return Missing(CONTRADICTED.format())
    if len(rows) > 1:
        values = [e.value for _name, e, role in rows if e.value is not None and role is not Role.CLASSICAL]
        if len(values) > 1:
            alike = _("None of these choices lets some {subjects} be harder than others.").format()
            sentence = _spread(min(values), max(values), answer)
            if answer.result is not None:
                sentence = range_words.conditional(sentence, answer.result)
            blocks.append(Paragraph(joined(sentence, alike)))
        title = _("The answer under other choices")
        figure = charts.forest(rows, answer.style, kind="sensitivity", title=title, note=_note(answer))
        height = 50.0 + (21.0 if len(rows) < 13 else 16.0) * len(figure.y.ticks)
        blocks.append(Picture(title, (figure,), figure.note, height=height))
    if side.others and "models" not in side.on_demand:
        blocks.append(words_models.models_table(side.others, answer.style))
    return Content(tuple(blocks)) if blocks else None


def _note(answer: Answer) -> str:
    """What is drawn of how many ratings, and where the intervals come from."""
    side, fit = answer.side, answer.result
    size = "" if fit is None else words.size(fit)
    sentences = [_("N = {size}.").format(size=size)] if size else []
    sentences.append(_("Filled: accuracy of models; open: with something left out, or Fleiss’ kappa."))
    if side.others:
        sentences.append(words_models.intervals(side.others))
    if side.without is not None:
        if not side.others:
            sentences.append(_("Without one {rater}: profile intervals."))
        if len(side.without.rows) > _MOST_RATERS:
            sentences.append(
                _("Of the {all} {raters} the {few} are shown who move the accuracy most.").format(
                    all=numbers.count(len(side.without.rows)), few=_MOST_RATERS
                )
            )
    if side.complete:
        sentences.append(_("Intervals of kappa come from its standard error."))
    return joined(*sentences)


def _choices(answer: Answer) -> list[tuple[str, Estimate, Role]]:
    side = answer.side
    rows: list[tuple[str, Estimate, Role]] = []
    for fit in side.others:
        a = mean_accuracy(fit)
        if a is not None:
            rows.append((_("Accuracy, {model}").format(model=fit.model.name), a, Role.MODEL))
    if side.without is not None:
        for record in _most_moving(side.without):
            left = accuracy_without(record)
            if left is not None:
                name = numbers.short(str(record["rater"]), 14)
                # A number or a letter alone would read as one of the classes.
                bare = len(name) < 3 or name.isdigit()
                sentence = _("Accuracy without {rater} {name}") if bare else _("Accuracy without {name}")
                rows.append((sentence.format(name=name), left, Role.REFERENCE))
    kappa, complete = _fleiss(side.coefficients), _fleiss(side.complete)
    if kappa is not None and complete is not None:
        rows.append((_("Fleiss’ kappa"), kappa, Role.CLASSICAL))
        rows.append((_("Fleiss’ kappa, fully rated {subjects} only"), complete, Role.CLASSICAL))
    return rows


def _most_moving(table: StudyTable) -> list[dict[str, Cell]]:
    """The raters without whom the accuracy is most another, in the order of the table: all of not so many."""
    records = table.records()
    moved = sorted(range(len(records)), key=lambda i: (-abs(float(records[i]["a_change"] or 0.0)), i))
    return [records[i] for i in sorted(moved[:_MOST_RATERS])]


def _fleiss(coefficients: tuple[Coefficient, ...]) -> Estimate | None:
    sentences = (c.estimate for c in coefficients if c.name == "fleiss_kappa" and c.weights in {None, "identity"})
    return next((e for e in sentences if e.value is not None), None)


def _spread(low: float, high: float, answer: Answer) -> str:
    fit, test = answer.result, answer.side.chance
    text = numbers.decimal(low, answer.style)
    same = text == numbers.decimal(high, answer.style)
    unsure = (fit is not None and words.too_wide(fit)) or (test is not None and not test.more_than_chance)
    if same:
        sentence = _(
            "The same {ratings} were analysed under other choices. The accuracy that comes out is {value} each time."
        )
        if unsure:
            sentence = _(
                "The same {ratings} were analysed under other choices. The accuracy that comes out is {value} each "
                "time, but the intervals are so wide, or chance so near, that this says little."
            )
        return sentence.format(value=text)
    if unsure:
        return _(
            "The same {ratings} were analysed under other choices. The single values lie between {low} and {high}, but "
            "the intervals are so wide, or chance so near, that this says little."
        ).format(
            low=numbers.decimal(low, answer.style),
            high=numbers.decimal(high, answer.style),
        )
    return _(
        "The same {ratings} were analysed under other choices. The accuracy that comes out lies between {low} and "
        "{high}; the closer these are, the less the answer depends on the choice."
    ).format(
        low=numbers.decimal(low, answer.style),
        high=numbers.decimal(high, answer.style),
    )


def _models_study(basis: Basis) -> Run[GridComparison]:
    return compare_grid(basis.ratings, basis.wanted.replicates, basis.wanted.seed)


def _groups_study(basis: Basis) -> Run[Mapping[str, StudyTable]]:
    """The model in every group of each column; a column that cannot be answered says why, and the others go on."""
    request = replace(basis.request, subjects=False, redraws=False, tests=False)
    table = {}
    for column in basis.wanted.selection.columns("groups"):
        try:
            table[column] = yield from group_table(basis.ratings, column, request)
        except TapdeskError as error:
            basis.reasons[f"groups: {column}"] = error.what
    return MappingProxyType(table)


CHOICES = Part(
    "choices",
    "sensitivity",
    _("Would other choices say otherwise?"),
    _(
        "The accuracy under other models, with one {rater} left out, and the agreement of the fully rated "
        "{subjects} alone. The closer these are, the less the answer depends on a choice that could have "
        "been another."
    ),
    choices_content,
    uses=("others", "without", "coefficients", "complete", "chance", "opposition"),
    about=About.RATINGS,
    headed=False,
    block="models",
)
MODELS = Part(
    "models",
    "models",
    _("Would another model say otherwise?"),
    _(
        "Every other way these {ratings} can be understood, each with its accuracy, and whether what a "
        "simpler one leaves out is needed. If all of them say nearly the same, the answer above does not "
        "depend on the way it was found."
    ),
    models_content,
    uses=("models",),
    about=About.RATINGS,
    headed=False,
    demand=demand("models"),
    study=_models_study,
    comments="results",
)
GROUPS = Part(
    "groups",
    "groups",
    _("Is it the same in every group?"),
    _(
        "The same analysis by itself in every group of a further column, such as the ward or the year. Whether two "
        "groups differ is told by the interval of their difference, which is wider the more groups there are: the more "
        "there are, the sooner one of them looks different by luck."
    ),
    groups_content,
    uses=("groups",),
    about=About.RATINGS,
    headed=False,
    demand=demand("groups"),
    study=_groups_study,
    comments="results",
)
