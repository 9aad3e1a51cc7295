"""Sections below the answer: meaning and actions, decisions, counts, checklist, signatures, and the record."""

from dataclasses import replace

from tapdesk.answers import coefficients as tables_agreement
from tapdesk.answers import fit_tables as tables
from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers, user_words
from tapdesk.answers.content import Align, Block, Column, Paragraph, Signature, Table, Tone
from tapdesk.answers.fit_tables import full_counts
from tapdesk.answers.literature import citation, reference
from tapdesk.answers.pseudonyms import coded_log
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import model
from tapdesk.project.decisions.base import DecisionStatus
from tapdesk.ratings.reading import rows_summary
from tapdesk.report.report import Form, Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.studies.analysis import Request
from tapdesk.version import VERSION


def meaning(context: Context) -> Section | None:
    """The user's words on practice, and the fixed limits of every such study."""
    blocks: list[Block] = context.answers_to("meaning")
    # Where the annex follows on a summary or a brief, it has been said there.
    if not context.form.annexed or (context.form is Form.FULL and "summary" in context.left_out):
        sentence = words.not_said(context.ratings, context.key)
        blocks.append(Paragraph(sentence, Tone.BOXED, _("What this report does not say.")))
    blocks += [Paragraph(text) for text in _limits(context)]
    return Section("meaning", _("Meaning and limits"), tuple(blocks))


def _limits(context: Context) -> list[str]:
    sentences = [
        _(
            "Kappa and its relatives depend on how common each class is; they should not be compared between "
            "groups in which the classes are not about equally common."
        ),
        *([] if context.form.annexed else [words.missing_rule()]),
    ]
    main = context.main
    if main is not None and context.ratings is not None:
        caution = words.caution(main.fit, context.ratings)
        sentences += [caution] if caution else []
    return sentences


def actions(context: Context) -> Section | None:
    """What the committee decided to do: its own lines as a table; None where it wrote none."""
    lines = [line.strip() for line in context.words("actions").split("\n") if line.strip()]
    if not lines:
        return None
    table = Table(
        _("Actions"),
        (Column(_("No.")), Column(_("What, who, by when"), wide=True)),
        tuple((str(i + 1), line) for i, line in enumerate(lines)),
    )
    return Section("actions", _("Actions"), (table,))


def decisions(context: Context) -> Section | None:
    """The Decisions log: everything that was changed, merged or left out after reading."""
    if context.project.reading is None:
        return None
    log = coded_log(context.project, context.names)
    filtered = context.names.text(rows_summary(context.project.reading))
    first = [Paragraph(filtered, opening=_("While reading."))] if filtered else []
    if not log:
        sentence = _("Nothing was changed, merged or left out after the file was read.")
        return Section("decisions", _("Decisions log"), (*first, Paragraph(sentence)))
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
        Column(_("{Ratings}")),
        Column(_("Reason"), wide=True),
        Column(_("Standing")),
    )
    note = _("{Ratings}: how many it changes or leaves out. Times are those of this computer’s clock.")
    table = Table(_("Decisions, oldest first"), columns, rows, note)
    return Section("decisions", _("Decisions log"), (*first, table))


def counts(context: Context) -> Section | None:
    """All counts, and the coefficients that give credit for near misses."""
    ratings = context.ratings
    if ratings is None or not ratings.subject.size:
        return None
    blocks: list[Block] = [full_counts(ratings)]
    weighted = tuple(c for c in context.extras.coefficients if c.weights not in {None, "identity"})
    if weighted:
        about = _("with credit for near misses")
        blocks.append(tables_agreement.coefficients(weighted, context.style, about))
    return Section("counts", _("Full counts"), tuple(blocks))


def checklist(context: Context) -> Section | None:
    """The fifteen items for reports of agreement, and where each is answered."""
    filled, total, result = user_words.grras_meter(context.project, context.left_out)
    if context.form.annexed:
        return _short_checklist(filled, result)
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
        for item in result
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


def _short_checklist(filled: int, items: tuple[user_words.Item, ...]) -> Section:
    """The same in a few lines: what is answered, and by name what is not."""
    answered = [_("{number} {asks}").format(number=one.number, asks=one.asks) for one in items if one.filled]
    missing = [
        _("{number} {asks}").format(
            number=one.number, asks=user_words.short_title(one.place) if one.place else one.asks
        )
        for one in items
        if not one.filled
    ]
    known = Paragraph(
        joined(*answered, sep="; "),
        opening=_("Items that are answered: {n} of {all}.").format(n=filled, all=len(items)),
    )
    blocks: list[Block] = [known]
    if missing:
        blocks.append(Paragraph(joined(*missing, sep="; "), opening=_("Not stated.")))
    cite = citation((reference("kottner"),))
    blocks.append(Paragraph(_("The items are those of GRRAS {works}; wording ours.").format(works=cite), Tone.SMALL))
    return Section("checklist", _("Checklist"), tuple(blocks))


def record(context: Context) -> Section | None:
    """The file, its checksum, the fingerprint, the analyses and the program: enough to do it again."""
    reading = context.project.reading
    rows = _file(context) if reading is not None else []
    rows += [_analysis(done, several=len(context.done) > 1) for done in context.done]
    if reading is not None and context.done:
        rows.append((_("What to type"), _typed(context)))
    in_force = sum(row.standing is not DecisionStatus.ELSEWHERE for row in context.project.log)
    if reading is not None:
        sentence = _("none: nothing was changed, merged or left out") if not in_force else _("{n}, see Decisions log")
        rows.append((_("Decisions"), sentence.format(n=in_force)))
    filled, total, items = user_words.grras_meter(context.project, context.left_out)
    left = ", ".join(str(item.number) for item in items if not item.filled)
    items_left = _("{filled} of {total} items answered; open: {left}") if left else _("all {total} items answered")
    if not context.form.annexed:
        # The annex lists them by name.
        rows.append((_("Checklist"), items_left.format(filled=filled, total=total, left=left)))
    rows.append((_("Program"), _("tapdesk {version}").format(version=VERSION)))
    rows.append((_("Worked out with"), context.libraries))
    table = tables.pairs(
        _("What this report was made from"),
        rows,
        _("The same data, settings and version give the same numbers."),
    )
    return Section("record", _("Settings and fingerprint"), (table,))


def _typed(context: Context) -> str:
    """The command that makes such a report again; what was decided or chosen needs the project that keeps it."""
    if not context.command_line and (context.project.in_force or not _usual(context)):
        return "tapdesk report PROJECT.tapdesk -o REPORT.pdf"
    words = ("tapdesk report", context.file, context.command_line, "-o REPORT.pdf")
    return " ".join(f'"{one}"' if one == context.file and " " in one else one for one in words if one)


def _usual(context: Context) -> bool:
    """Whether all is as a command without options makes it: one answer of a model it tries, no part on demand."""
    wanted = context.extras.wanted
    chosen = context.left_out - context.failed or (wanted is not None and wanted.selection)
    if len(context.done) != 1 or chosen:
        return False
    request = context.done[0].analysis.request
    usual = Request(model("t-a-t" if request.model.name == "t-a-t" else "t-a-p"))
    # What is worked out beside changes no number of the answer.
    return replace(request, replicates=usual.replicates, subjects=False, redraws=False, tests=False) == usual


def _analysis(done: Done, *, several: bool) -> tuple[str, str]:
    """One answer: its name where there are several, how it was made, and when, where that was recorded."""
    sentence = _("{model}, {method}, random start {seed}").format(
        model=done.fit.model.name, method=done.fit.estimator, seed=done.fit.seed
    )
    if done.analysis.run_at:
        sentence = _("{told}, run {when}").format(told=sentence, when=numbers.moment(done.analysis.run_at))
    return _("Analysis: {name}").format(name=done.analysis.name) if several else _("Analysis"), sentence


def _file(context: Context) -> list[tuple[str, str]]:
    """The file, its checksum, and the fingerprint of what was used of it."""
    reading = context.project.reading
    if reading is None:
        return []
    source = reading.source
    template = _("{name} (rows: {rows}, columns: {columns})")
    if source.sheet:
        template = _("{name}, sheet {sheet} (rows: {rows}, columns: {columns})")
    sentence = template.format(
        name=context.file,
        sheet=context.names.text(source.sheet or "", numbers.DASH),
        rows=numbers.count(source.rows),
        columns=numbers.count(source.columns),
    )
    return [
        (_("Data file"), sentence),
        (_("Checksum of the file (SHA-256)"), source.sha256),
        (_("Fingerprint of the data used"), context.project.fingerprint),
    ]


RECORD_AID = _(
    "This page is a record-keeping aid, not a validated Part 11 system. A name typed or drawn here is not an "
    "electronic signature under law."
)


def signoff(context: Context) -> Section | None:
    """Lines for ink: prepared, reviewed, approved, each with its meaning."""
    del context
    blocks: list[Block] = [
        Signature(_("Prepared by"), _("I made this analysis from the data named in this report.")),
        Signature(_("Reviewed by"), _("I have read the report and checked it against the data.")),
        Signature(_("Approved by"), _("The committee accepts this report.")),
        Paragraph(RECORD_AID, Tone.BOXED),
    ]
    return Section("signoff", _("Sign-off"), tuple(blocks), fresh=True)
