"""How the report of a project is arranged: kept in the project, the same for window and command line."""

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field, replace
from datetime import datetime

from tapdesk.answers import numbers
from tapdesk.answers.coefficients import SCALES
from tapdesk.answers.demands import TICKED, Selection
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.project import Project
from tapdesk.report.build import NOTHING, build
from tapdesk.report.forms.logo import drawing
from tapdesk.report.report import Logo, Report

# The places in the notes of a project.
PLACE, LOGO = "report.setup", "report.logo"
PAPERS = ("a4", "us-letter")


@dataclass(frozen=True, slots=True)
class Setup:
    """What the user chose about the report.

    Attributes
    ----------
    leave_out
        Keys of sections that are switched off, in alphabetical order.
    apa
        Whether numbers are written as the APA wants them: ``.44``.
    paper
        One of ``PAPERS``.
    archive
        Whether the PDF is also PDF/A-2a, for long keeping.
    logo
        Of the committee.
    scale
        Whose words are printed beside the coefficients, a key of `tapdesk.answers.coefficients.SCALES`; none unless
        asked for.
    selection
        What is asked for of the parts on demand.
    cases_as
        How cases are called: by name, or by code.
    """

    leave_out: tuple[str, ...] = ()
    apa: bool = False
    paper: str = "a4"
    archive: bool = True
    logo: Logo | None = None
    scale: str = ""
    selection: Selection = field(default_factory=Selection)
    cases_as: CasesAs = CasesAs.NAMES

    def prints(self, key: str) -> bool:
        """Whether a section is switched on; those that cost time are not unless the user wants them."""
        return key not in self.leave_out and (key not in TICKED or key in self.selection)

    def switched(self, key: str, *, on: bool) -> "Setup":
        """The same with a section switched on or off."""
        left = {*self.leave_out} - {key} | (set() if on or key in TICKED else {key})
        selection = self.selection.switched(key, on=on) if key in TICKED else self.selection
        return replace(self, leave_out=tuple(sorted(left)), selection=selection)


USUAL = Setup()


def setup(project: Project) -> Setup:
    """What was chosen in a project; the usual where nothing was, or where its note is damaged."""
    try:
        told = json.loads(project.notes.get(PLACE, "{}"))
        paper, scale = str(told.get("paper", USUAL.paper)), str(told.get("scale", ""))
        return Setup(
            leave_out=tuple(sorted({str(key) for key in told.get("leave_out", [])})),
            apa=bool(told.get("apa", USUAL.apa)),
            paper=paper if paper in PAPERS else USUAL.paper,
            archive=bool(told.get("archive", USUAL.archive)),
            logo=_logo(project),
            scale=scale if scale in SCALES else "",
            selection=Selection.read(told),
            cases_as=CasesAs(told.get("cases_as", USUAL.cases_as.value)),
        )
    except (ValueError, TypeError, AttributeError):
        return Setup(logo=_logo(project))


def _logo(project: Project) -> Logo | None:
    try:
        told = json.loads(project.notes.get(LOGO, "null"))
        return None if told is None else drawing(b64decode(told["content"], validate=True), alt=str(told["alt"]))
    except (ValueError, TypeError, KeyError, TapdeskError):
        return None


def with_setup(project: Project, chosen: Setup) -> Project:
    """The project that remembers the choice."""
    told = {
        "leave_out": sorted(chosen.leave_out),
        "apa": chosen.apa,
        "paper": chosen.paper,
        "archive": chosen.archive,
        "scale": chosen.scale,
        **chosen.selection.record(),
        "cases_as": chosen.cases_as.value,
    }
    after = project.with_note(PLACE, json.dumps(told, sort_keys=True))
    if chosen.logo is None:
        return after.with_note(LOGO, "")
    drawn = {"content": b64encode(chosen.logo.content).decode(), "alt": chosen.logo.alt}
    return after.with_note(LOGO, json.dumps(drawn, sort_keys=True))


def arranged(
    project: Project,
    extras: SideResults = NOTHING,
    *,
    chosen: Setup | None = None,
    raters_as: RatersAs = RatersAs.NAMES,
    cases_as: CasesAs | None = None,
    file_named: bool = True,
    issued: datetime | None = None,
    command_line: str = "",
) -> Report:
    """The report of a project as its user arranged it.

    Parameters
    ----------
    project, extras
        The work, and what `tapdesk.report.prepare.prepare` made of it.
    chosen
        By default what the project remembers.
    raters_as
        Names or codes: asked each time, never remembered.
    cases_as
        Names or codes of cases; by default what the project remembers.
    file_named
        Whether the data file is called by its name.
    issued
        The moment of issue, printed as the status; None for a draft.
    command_line
        The options of the command that makes it: of this report, never remembered.
    """
    chosen = chosen or setup(project)
    return build(
        project,
        extras=extras,
        leave_out=chosen.leave_out,
        style=APA if chosen.apa else REPORT,
        raters_as=raters_as,
        cases_as=chosen.cases_as if cases_as is None else cases_as,
        file_named=file_named,
        issued=issued,
        status="" if issued is None else _("Issued {date}").format(date=numbers.date(issued)),
        paper=chosen.paper,
        logo=chosen.logo,
        scale=chosen.scale,
        command_line=command_line,
    )
