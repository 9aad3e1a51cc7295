"""Section: agreement, by every coefficient."""

from tapdesk.agreement.coefficient import Coefficient
from tapdesk.agreement.explain import paradox, title
from tapdesk.language import gettext as _
from tapdesk.report import charts, numbers
from tapdesk.report.charts import restyled
from tapdesk.report.figure import Cells, Role
from tapdesk.report.figures import agreement as figures_agreement
from tapdesk.report.figures import chance as figures_chance
from tapdesk.report.report import Block, Heading, Paragraph, Picture, Section, Voice
from tapdesk.report.sections.context import Context
from tapdesk.report.tables import agreement as tables_agreement
from tapdesk.report.tables.readings import readings
from tapdesk.report.words import paradox as words_paradox
from tapdesk.report.words.nouns import counted


def agreement(context: Context) -> Section | None:
    """How often raters give the same answer, with intervals; several coefficients, for none is the right one alone."""
    found, ratings, nouns = context.extras.coefficients, context.ratings, context.nouns
    if not found or ratings is None:
        return None
    blocks: list[Block] = [Paragraph(_opening(found, context))]
    share = float(ratings.class_rates().max(initial=0.0))
    if paradox(found, share):
        most = ratings.classes[int(ratings.class_rates().argmax())]
        values = {c.name: c.estimate.value for c in found if c.weights == "identity" and c.raters is None}
        told = words_paradox.low_kappa(
            most, share, values.get("percent_agreement"), values.get("fleiss_kappa"), context.style, nouns
        )
        blocks.append(Paragraph(told, Voice.WARNING, _("Read with care.")))
        blocks += _left_open(context)
    blocks += _by_class(found, context)
    plain = tuple(c for c in found if c.weights in {None, "identity"})
    blocks.append(tables_agreement.coefficients(plain, context.style, nouns))
    scale = tables_agreement.SCALES.get(context.scale)
    bench = None if scale is None else tables_agreement.benchmarks(found, context.style, scale)
    if bench is not None:
        blocks.append(bench)
    blocks += [
        Picture(figure.title, (figure,), figure.note, height=figure.height)
        for figure in figures_agreement.pairs_figure(found, context.style, nouns)
    ]
    if context.extras.all_classes and context.extras.every_class is not None:
        classes = len(context.extras.every_class.classes)
        about = _("all {n} classes").format(n=classes)
        blocks += [
            Heading(_("Before class 1 was chosen")),
            tables_agreement.coefficients(context.extras.all_classes, context.style, nouns, about),
        ]
    return Section("agreement", _("Agreement"), (*blocks, *context.comment("agreement")))


def raw(found: tuple[Coefficient, ...]) -> Coefficient | None:
    """Raw agreement without credit for near misses."""
    return next((c for c in found if c.name == "percent_agreement" and c.weights in {None, "identity"}), None)


def _opening(found: tuple[Coefficient, ...], context: Context) -> str:
    nouns = context.nouns
    told = raw(found)
    meaning = _(
        "Agreement asks how often {raters} give the same answer; the coefficients differ in the share of matches they "
        "expect from luck. They are printed side by side because none of them is the right one by itself. Raw "
        "agreement and agreement on a class measure agreement; the kappas, AC1, alpha and the intraclass "
        "correlations measure reliability: how well the {ratings} tell {subjects} apart."
    ).format(raters=nouns.raters, ratings=nouns.ratings, subjects=nouns.subjects)
    if told is None or told.estimate.value is None:
        return meaning
    first = _("Two {raters} give a {subject} the same class {often}.").format(
        raters=nouns.raters,
        subject=nouns.subject,
        often=numbers.often(told.estimate.value, told.estimate.low, told.estimate.high),
    )
    return f"{first} {meaning}"


def _by_class(found: tuple[Coefficient, ...], context: Context) -> list[Block]:
    """Raw agreement and agreement on each of several classes; of two classes the strip of the summary shows them."""
    told = [c for c in found if c.name == "specific_agreement"]
    whole = raw(found)
    if len(told) < 3 or whole is None:
        return []
    rows = [(title(c), c.estimate, Role.CLASSICAL) for c in (whole, *told)]
    shown = _("If one {rater} gives a class, how often another gives it too").format(rater=context.nouns.rater)
    note = _("N = {size}. Open squares with intervals by standard errors.").format(
        size=counted(max(c.subjects for c in found), max(c.ratings for c in found), context.nouns),
    )
    figure = charts.forest(rows, context.style, kind="agreement", title=shown, note=note)
    return [Picture(shown, (figure,), figure.note, height=50.0 + 23.0 * len(figure.y.ticks))]


def _left_open(context: Context) -> list[Block]:
    """The readings that are left open, and the pictures of them."""
    found = context.extras.paradox
    if found is None:
        return []
    blocks: list[Block] = [Paragraph(words_paradox.open_readings(found))]
    for figure in (restyled(f, context.style) for f in figures_chance.pictures(found)):
        # What the first note says of the readings has just been said.
        note = figure.note.replace(words_paradox.open_readings(found), "").strip()
        high = 250.0 if any(isinstance(mark, Cells) for mark in figure.marks) else 210.0
        blocks.append(Picture(figure.title, (figure,), note, height=high))
    return [*blocks, readings(found, context.style, context.nouns)]
