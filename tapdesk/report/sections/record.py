"""Section: what the report was made from."""

from gettext import gettext as _

from tapdesk.report import numbers, tables
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context
from tapdesk.version import VERSION


def record(context: Context) -> Section | None:
    """The file, its checksum, the fingerprint, the analyses and the program: enough to do it again."""
    reading = context.project.reading
    rows: list[tuple[str, str]] = []
    if reading is not None:
        source = reading.source
        sheet = _(", sheet {sheet}").format(sheet=source.sheet) if source.sheet else ""
        rows += [
            (
                _("Data file"),
                _("{name}{sheet}: {rows} rows, {columns} columns").format(
                    name=source.name,
                    sheet=sheet,
                    rows=numbers.count(source.rows),
                    columns=numbers.count(source.columns),
                ),
            ),
            (_("Checksum of the file (SHA-256)"), source.sha256),
            (_("Fingerprint of the data used"), context.project.fingerprint),
        ]
    rows += [
        (
            _("Analysis {name}").format(name=done.analysis.name),
            _("{model}, {method}, seed {seed}, run {when}").format(
                model=done.fit.model.name,
                method=done.fit.estimator,
                seed=done.fit.seed,
                when=numbers.moment(done.analysis.run_at),
            ),
        )
        for done in context.done
    ]
    rows.append((_("Program"), _("tapdesk {version}").format(version=VERSION)))
    table = tables.pairs(
        _("What this report was made from"),
        rows,
        _(
            "The same data, settings and version give the same numbers. This page helps keep records. It is not an "
            "electronic signature under law, and tapdesk is not a validated Part 11 system."
        ),
    )
    return Section("record", _("Settings and fingerprint"), (table,))
