"""Section: whether the answer would be another one had we asked otherwise."""

from tapdesk.agreement.coefficient import Coefficient
from tapdesk.estimate import Estimate
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.figure import Role
from tapdesk.report.figures import agreement as figures_agreement
from tapdesk.report.prepare import mean_accuracy
from tapdesk.report.report import Block, Heading, Paragraph, Picture, Section
from tapdesk.report.sections.context import Context
from tapdesk.report.tables import studies as tables_studies
from tapdesk.report.words import fit as words


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
        note = _("Filled: accuracy of models; open: accuracy or Fleiss’ kappa with something left out. No intervals.")
        title = _("The answer under other choices")
        figure = figures_agreement.dots(rows, context.style, kind="sensitivity", title=title, note=note)
        blocks.append(
            Picture(
                title, (figure,), figure.note, height=50.0 + (21.0 if len(rows) < 13 else 16.0) * len(figure.y.ticks)
            )
        )
    if extras.others:
        mean = [mean_accuracy(f) for f in extras.others]
        blocks.append(tables_studies.models(extras.others, mean, context.style))
    if extras.scan is not None and extras.scan.cuts:
        blocks += [Heading(_("The line between classes elsewhere")), tables_studies.cuts(extras.scan, context.style)]
    if not blocks:
        return None
    return Section("sensitivity", _("Sensitivity"), (*blocks, *context.comment("sensitivity")))


def _rows(context: Context) -> list[tuple[str, Estimate, Role]]:
    extras = context.extras
    rows: list[tuple[str, Estimate, Role]] = []
    for fit in extras.others:
        a = mean_accuracy(fit)
        if a is not None:
            rows.append((_("Accuracy, {model}").format(model=fit.model.name), Estimate(a), Role.MODEL))
    if extras.without is not None:
        for record in extras.without.records():
            left = record["a"]
            if left is not None:
                name = numbers.short(str(record["rater"]), 14)
                # A number or a letter alone would read as one of the classes.
                name = name if len(name) > 2 and not name.isdigit() else f"{context.nouns.rater} {name}"
                rows.append((_("Accuracy without {rater}").format(rater=name), Estimate(float(left)), Role.REFERENCE))
    kappa, complete = _fleiss(extras.coefficients), _fleiss(extras.complete)
    if kappa is not None and complete is not None:
        rows.append((_("Fleiss’ kappa"), Estimate(kappa), Role.CLASSICAL))
        rows.append((_("Fleiss’ kappa, fully rated cases only"), Estimate(complete), Role.CLASSICAL))
    return rows


def _fleiss(found: tuple[Coefficient, ...]) -> float | None:
    return next((c.estimate.value for c in found if c.name == "fleiss_kappa" and c.weights in {None, "identity"}), None)


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
        return said.format(ratings=context.nouns.ratings, value=told)
    if unsure:
        return _(
            "The same {ratings} were analysed under other choices. The single values lie between {low} and {high}, but "
            "the intervals are so wide, or chance so near, that their likeness says little."
        ).format(
            ratings=context.nouns.ratings,
            low=numbers.decimal(low, context.style),
            high=numbers.decimal(high, context.style),
        )
    return _(
        "The same {ratings} were analysed under other choices. The accuracy that comes out lies between {low} and "
        "{high}; the closer these are, the less the answer hangs on the choice."
    ).format(
        ratings=context.nouns.ratings,
        low=numbers.decimal(low, context.style),
        high=numbers.decimal(high, context.style),
    )
