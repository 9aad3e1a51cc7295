"""Sections of the appendix: decisions, full counts, technical details, checklist."""

from tapdesk.answers import coefficients as tables_agreement
from tapdesk.answers import fit_tables as tables
from tapdesk.answers import numbers, user_words
from tapdesk.answers.content import Align, Block, Column, Heading, Paragraph, Table
from tapdesk.answers.fit_tables import full_counts
from tapdesk.answers.pseudonyms import coded_log
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.ratings.reading import rows_summary
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context
from tapdesk.report.sections.results import pictures

_TECHNICAL = ("parameters", "convergence")


def decisions(context: Context) -> Section | None:
    """The Decisions log: everything that was changed, merged or left out after reading."""
    if context.project.reading is None:
        return None
    log = coded_log(context.project, context.names)
    filtered = context.names.text(rows_summary(context.project.reading))
    first = [Paragraph(filtered, opening=_("While reading."))] if filtered else []
    if not log:
        said = _("Nothing was changed, merged or left out after the file was read.")
        return Section("decisions", _("Decisions log"), (*first, Paragraph(said)))
    rows = tuple(
        (
            str(row.id),
            numbers.moment(row.when) if row.when else numbers.DASH,
            joined(row.words, row.problem),
            numbers.count(row.touches),
            row.reason or numbers.DASH,
            row.standing.value,
        )
        for row in log
    )
    columns = (
        Column(_("No.")),
        Column(_("When")),
        Column(_("Decision"), wide=True),
        Column(_("Ratings")),
        Column(_("Reason"), wide=True),
        Column(_("Standing")),
    )
    note = _("Ratings: how many it changes or leaves out. Times are those of this computer’s clock.")
    table = Table(_("Decisions, oldest first"), columns, rows, note)
    return Section("decisions", _("Decisions log"), (*first, table))


def counts(context: Context) -> Section | None:
    """All counts, and kappa of every pair of raters."""
    ratings = context.ratings
    if ratings is None or not ratings.subject.size:
        return None
    blocks: list[Block] = [full_counts(ratings)]
    weighted = tuple(c for c in context.extras.coefficients if c.weights not in {None, "identity"})
    if weighted:
        about = _("with credit for near misses")
        blocks.append(tables_agreement.coefficients(weighted, context.style, about))
    kappas = tables_agreement.pair_kappas(context.extras.coefficients, context.style)
    if kappas is not None:
        blocks.append(kappas)
    return Section("counts", _("Full counts"), tuple(blocks))


def technical(context: Context) -> Section | None:
    """How each search went and how well its model follows the data."""
    if not context.done or context.ratings is None:
        return None
    blocks: list[Block] = []
    for done in context.done:
        if len(context.done) > 1:
            blocks.append(Heading(done.fit.model.name))
        blocks.append(tables.details(done.fit, context.style))
        blocks += pictures(done, context.ratings, _TECHNICAL, context.style)
    return Section("technical", _("Technical details"), tuple(blocks))


def checklist(context: Context) -> Section | None:
    """The fifteen items for reports of agreement, and where each is answered."""
    filled, total, found = user_words.grras_meter(context.project, context.left_out)
    where = {
        "cover": _("Title"), "purpose": _("Purpose"), "design": _("Design"), "data": _("Data used"),
        "model": _("How the numbers were obtained"), "results": _("Agreement; Truth, accuracy and chance"),
        "meaning": _("Meaning and limits"), "counts": _("Full counts"),
    }  # fmt: skip
    # Two sections answer the item on estimates; its page is the one the first of them begins on.
    first = "agreement" if context.extras.coefficients and "agreement" not in context.left_out else "results"
    pages = {"cover": "summary", "results": first}
    rows = tuple(
        (
            str(item.number),
            item.asks,
            where[item.section],
            pages.get(item.section, item.section),
            _("answered") if item.filled else _("left out") if item.section in context.left_out else _("open"),
        )
        for item in found
    )
    table = Table(
        _("Items a report of agreement should hold: {filled} of {total} answered").format(filled=filled, total=total),
        (
            Column(_("Item")),
            Column(_("What it asks for"), wide=True),
            Column(_("Section")),
            Column(_("Page"), Align.RIGHT, page=True),
            Column(_("State")),
        ),
        rows,
        _("After Kottner and others (2011), Guidelines for Reporting Reliability and Agreement Studies; wording ours."),
        whole=True,
    )
    return Section("checklist", _("Checklist"), (table,))
