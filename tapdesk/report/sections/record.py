"""Sections: the page for signatures, and what the report was made from."""

from tapdesk.answers import fit_tables as tables
from tapdesk.answers import numbers, user_words
from tapdesk.answers.content import Block, Paragraph, Signature, Tone
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.version import VERSION


def record(context: Context) -> Section | None:
    """The file, its checksum, the fingerprint, the analyses and the program: enough to do it again."""
    reading = context.project.reading
    rows = _file(context) if reading is not None else []
    rows += [_analysis(done, several=len(context.done) > 1) for done in context.done]
    if context.command_line:
        rows.append((_("Command line"), context.command_line))
    in_force = len(context.project.log)
    if reading is not None:
        said = _("none: nothing was changed, merged or left out") if not in_force else _("{n}, see Decisions log")
        rows.append((_("Decisions"), said.format(n=in_force)))
    filled, total, items = user_words.grras_meter(context.project, context.left_out)
    left = ", ".join(str(item.number) for item in items if not item.filled)
    rows.append(
        (
            _("Checklist"),
            _("{filled} of {total} items answered; open: {left}").format(filled=filled, total=total, left=left)
            if left
            else _("all {total} items answered").format(total=total),
        )
    )
    rows.append((_("Program"), _("tapdesk {version}").format(version=VERSION)))
    table = tables.pairs(
        _("What this report was made from"),
        rows,
        _("The same data, settings and version give the same numbers."),
    )
    return Section("record", _("Settings and fingerprint"), (table,))


def _analysis(done: Done, *, several: bool) -> tuple[str, str]:
    """One answer: its name where there are several, how it was made, and when, where that was recorded."""
    told = _("{model}, {method}, seed {seed}").format(
        model=done.fit.model.name, method=done.fit.estimator, seed=done.fit.seed
    )
    if done.analysis.run_at:
        told = _("{told}, run {when}").format(told=told, when=numbers.moment(done.analysis.run_at))
    return _("Analysis: {name}").format(name=done.analysis.name) if several else _("Analysis"), told


def _file(context: Context) -> list[tuple[str, str]]:
    """The file, its checksum, and the fingerprint of what was used of it."""
    reading = context.project.reading
    if reading is None:
        return []
    source = reading.source
    template = _("{name}: {rows} rows, {columns} columns")
    if source.sheet:
        template = _("{name}, sheet {sheet}: {rows} rows, {columns} columns")
    told = template.format(
        name=context.file,
        sheet=context.names.text(source.sheet or "", numbers.DASH),
        rows=numbers.count(source.rows),
        columns=numbers.count(source.columns),
    )
    return [
        (_("Data file"), told),
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
