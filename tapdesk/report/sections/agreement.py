"""Section: agreement, by every coefficient."""

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import numbers
from tapdesk.answers import paradox as words_paradox
from tapdesk.answers.charts import restyled
from tapdesk.answers.coefficients import (
    READINGS,
    coefficients,
    coefficients_content,
    pairs_content,
    read_as_accuracy,
    warning_of_paradox,
)
from tapdesk.answers.content import Block, Heading, Paragraph, Picture
from tapdesk.answers.figure import Cells
from tapdesk.answers.figures import chance as figures_chance
from tapdesk.answers.fit_tables import readings as posterior_readings
from tapdesk.answers.part import Content
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context


def agreement(context: Context) -> Section | None:
    """How often raters give the same answer, with intervals; several coefficients, for none is the right one alone."""
    found, ratings = context.extras.coefficients, context.ratings
    if not found or ratings is None:
        return None
    main = context.main
    blocks: list[Block] = [Paragraph(_opening(found))]
    blocks += warning_of_paradox(context.extras, ratings, context.style)
    blocks += _open_pictures(context)
    if main is not None:
        answer = context.answer(main)
        for content in (coefficients_content(answer), pairs_content(answer)):
            blocks += content.blocks if isinstance(content, Content) else ()
        read = read_as_accuracy(answer)
        blocks += [Heading(READINGS.title), *(Paragraph(words, opening=name) for name, words in read)] if read else []
    else:
        blocks.append(coefficients(found, context.style))
    if context.extras.all_classes and context.extras.every_class is not None:
        classes = len(context.extras.every_class.classes)
        about = _("all {n} classes").format(n=classes)
        blocks += [
            Heading(_("Before class 1 was chosen")),
            coefficients(context.extras.all_classes, context.style, about),
        ]
    return Section("agreement", _("Agreement"), (*blocks, *context.comment("agreement")))


def raw(found: tuple[Coefficient, ...]) -> Coefficient | None:
    """Raw agreement without credit for near misses."""
    return next((c for c in found if c.name == "percent_agreement" and c.weights in {None, "identity"}), None)


def _opening(found: tuple[Coefficient, ...]) -> str:
    told = raw(found)
    meaning = _(
        "Agreement asks how often {raters} give the same answer; the coefficients differ in the share of matches they "
        "expect from luck. They are printed side by side because none of them is the right one by itself. Raw "
        "agreement and agreement on a class measure agreement; the kappas, AC1, alpha and the intraclass "
        "correlations measure reliability: how well the {ratings} tell {subjects} apart."
    )
    if told is None or told.estimate.value is None:
        return meaning
    first = _("Two {raters} give a {subject} the same class {often}.").format(
        often=numbers.often(told.estimate.value, told.estimate.low, told.estimate.high)
    )
    return f"{first} {meaning}"


def _open_pictures(context: Context) -> list[Block]:
    """The pictures of the readings that are left open, and their table."""
    found = context.extras.paradox
    if found is None:
        return []
    blocks: list[Block] = []
    for figure in (restyled(f, context.style) for f in figures_chance.pictures(found)):
        # What the first note says of the readings has just been said.
        note = figure.note.replace(words_paradox.open_readings(found), "").strip()
        high = 250.0 if any(isinstance(mark, Cells) for mark in figure.marks) else 210.0
        blocks.append(Picture(figure.title, (figure,), note, height=high))
    return [*blocks, posterior_readings(found, context.style)]
