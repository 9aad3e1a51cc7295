"""Section: whether the answer would be another one had we asked otherwise."""

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import charts, numbers
from tapdesk.answers import fit_words as words
from tapdesk.answers import model_comparison as words_models
from tapdesk.answers.content import Block, Heading, Paragraph, Picture
from tapdesk.answers.cut_points import LINES, lines_content
from tapdesk.answers.figure import Role
from tapdesk.answers.part import Missing
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context
from tapdesk.studies.influence import accuracy_without
from tapdesk.studies.model_comparison import mean_accuracy
from tapdesk.studies.table import Cell, StudyTable

# More could not be read in one picture.
_MOST_RATERS = 20


def sensitivity(context: Context) -> Section | None:
    """Other models, one rater left out, only complete cases, and the line at every place."""
    extras, ratings = context.extras, context.ratings
    if ratings is None:
        return None
    blocks: list[Block] = []
    rows = _rows(context)
    if len(rows) > 1:
        values = [e.value for _name, e, role in rows if e.value is not None and role is not Role.CLASSICAL]
        if len(values) > 1:
            blocks.append(Paragraph(_spread(min(values), max(values), context)))
        note = _note(context)
        title = _("The answer under other choices")
        figure = charts.forest(rows, context.style, kind="sensitivity", title=title, note=note)
        blocks.append(
            Picture(
                title, (figure,), figure.note, height=50.0 + (21.0 if len(rows) < 13 else 16.0) * len(figure.y.ticks)
            )
        )
    if extras.others and extras.between is None:
        blocks.append(words_models.models_table(extras.others, context.style))
    if context.main is not None:
        content = lines_content(context.answer(context.main))
        if isinstance(content, Missing):
            blocks.append(Paragraph(content.reason))
        elif content is not None:
            blocks += [Heading(LINES.title), *content.blocks]
    if not blocks:
        return None
    return Section("sensitivity", _("Sensitivity"), (*blocks, *context.comment("sensitivity")))


def _note(context: Context) -> str:
    """What is drawn of how many ratings, and where the intervals come from."""
    extras, main = context.extras, context.main
    size = "" if main is None else words.size(main.fit)
    told = [_("N = {size}.").format(size=size)] if size else []
    told.append(_("Filled: accuracy of models; open: with something left out, or Fleiss’ kappa."))
    if extras.others:
        told.append(_("Models: {intervals}").format(intervals=words_models.intervals(extras.others)))
    if extras.without is not None:
        told.append(_("Without one {rater}: profile intervals."))
        if len(extras.without.rows) > _MOST_RATERS:
            told.append(
                _("Of the {all} {raters} the {few} are shown who move the accuracy most.").format(
                    all=numbers.count(len(extras.without.rows)), few=_MOST_RATERS
                )
            )
    if extras.complete:
        told.append(_("Intervals of kappa come from its standard error."))
    return joined(*told)


def _rows(context: Context) -> list[tuple[str, Estimate, Role]]:
    extras = context.extras
    rows: list[tuple[str, Estimate, Role]] = []
    for fit in extras.others:
        a = mean_accuracy(fit)
        if a is not None:
            rows.append((_("Accuracy, {model}").format(model=fit.model.name), a, Role.MODEL))
    if extras.without is not None:
        for record in _most_moving(extras.without):
            left = accuracy_without(record)
            if left is not None:
                name = numbers.short(str(record["rater"]), 14)
                # A number or a letter alone would read as one of the classes.
                name = name if len(name) > 2 and not name.isdigit() else f"{_('{rater}')} {name}"
                rows.append((_("Accuracy without {rater}").format(rater=name), left, Role.REFERENCE))
    kappa, complete = _fleiss(extras.coefficients), _fleiss(extras.complete)
    if kappa is not None and complete is not None:
        rows.append((_("Fleiss’ kappa"), kappa, Role.CLASSICAL))
        rows.append((_("Fleiss’ kappa, fully rated cases only"), complete, Role.CLASSICAL))
    return rows


def _most_moving(found: StudyTable) -> list[dict[str, Cell]]:
    """The raters without whom the accuracy is most another, in the order of the table: all of not so many."""
    records = found.records()
    moved = sorted(range(len(records)), key=lambda i: (-abs(float(records[i]["a_change"] or 0.0)), i))
    return [records[i] for i in sorted(moved[:_MOST_RATERS])]


def _fleiss(found: tuple[Coefficient, ...]) -> Estimate | None:
    told = (c.estimate for c in found if c.name == "fleiss_kappa" and c.weights in {None, "identity"})
    return next((e for e in told if e.value is not None), None)


def _spread(low: float, high: float, context: Context) -> str:
    main, test = context.main, context.extras.chance
    told = numbers.decimal(low, context.style)
    same = told == numbers.decimal(high, context.style)
    unsure = (main is not None and words.too_wide(main.fit)) or (test is not None and not test.more_than_chance)
    if same:
        said = _(
            "The same {ratings} were analysed under other choices. The accuracy that comes out is {value} each time."
        )
        if unsure:
            said = _(
                "The same {ratings} were analysed under other choices. The accuracy that comes out is {value} each "
                "time, but the intervals are so wide, or chance so near, that this says little."
            )
        return said.format(value=told)
    if unsure:
        return _(
            "The same {ratings} were analysed under other choices. The single values lie between {low} and {high}, but "
            "the intervals are so wide, or chance so near, that their likeness says little."
        ).format(low=numbers.decimal(low, context.style), high=numbers.decimal(high, context.style))
    return _(
        "The same {ratings} were analysed under other choices. The accuracy that comes out lies between {low} and "
        "{high}; the closer these are, the less the answer depends on the choice."
    ).format(low=numbers.decimal(low, context.style), high=numbers.decimal(high, context.style))
