"""How the report of a project is arranged and what is computed for it: the same for window and command line."""

import json
from base64 import b64decode, b64encode
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from tapdesk.answers import numbers
from tapdesk.answers.coefficients import SCALES
from tapdesk.answers.demands import TICKED, Choice, Selection, demand
from tapdesk.answers.naming import CasesAs, RatersAs
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.answers.question_columns import USUAL as USUAL_COEFFICIENT
from tapdesk.answers.question_columns import table_coefficient
from tapdesk.answers.side_results import ALL, SideResults, Wanted
from tapdesk.answers.side_studies import work_out
from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.progress import Run
from tapdesk.project.awards import award_request
from tapdesk.project.project import Project
from tapdesk.project.shown import main_analysis
from tapdesk.report.build import NOTHING, build
from tapdesk.report.forms.logo import drawing
from tapdesk.report.report import Form, Logo, Report
from tapdesk.studies.award_answer import AwardRequest, Awards
from tapdesk.studies.design_study import DesignStudy
from tapdesk.studies.scan import Direction


def prepare(
    project: Project, wanted: Wanted | None = None, before: SideResults | None = None, form: Form = Form.FULL
) -> Run[SideResults]:
    """Compute what the report of a project prints besides the project's own answers.

    Parameters
    ----------
    project
        The work; without ratings there is nothing to compute.
    wanted
        Which parts; by default all the project asks for, with level and seed of its own answer.
    before
        What was worked out earlier beside the same answer, and is not worked out again.
    form
        Of the report: a brief alone needs fewer studies.

    Yields
    ------
    Step
        As `tapdesk.answers.side_studies.work_out`.
    """
    if wanted is None:
        main = main_analysis(project)
        wanted = ALL if main is None else replace(ALL, level=main.request.level, seed=main.request.seed)
        brief = form is Form.BRIEF
        selection = setup(project).selection
        if brief:
            # What answers the question is on the first page.
            selection = Selection(awards=True) if main is not None and main.question == AWARDS.key else Selection()
        wanted = replace(wanted, selection=selection, brief=brief, direction=setup(project).direction.value)
    return (yield from work_out(project, wanted, before=before))


def prepare_further(project: Project, known: SideResults) -> Run[SideResults]:
    """What is known of the same answer, with what the project asks for by now.

    Yields
    ------
    Step
        As `prepare`; nothing that is known is worked out again.
    """
    chosen = setup(project)
    selection = chosen.selection
    wanted = replace(known.wanted or ALL, selection=selection, direction=chosen.direction.value)
    asked = award_request(project)
    missing = Selection({key: _missing(known, key, choice, asked) for key, choice in selection.items()})
    results = yield from prepare(
        project, replace(wanted, agreement=False, tests=False, raters=False, sensitivity=False, selection=missing)
    )
    on_demand = {
        key: _together(known.on_demand.get(key), results.on_demand.get(key), selection[key]) for key in selection
    }
    return replace(
        known,
        scan=None if known.scan is None else known.scan.turned(chosen.direction),
        on_demand=MappingProxyType({key: value for key, value in on_demand.items() if value is not None}),
        wanted=wanted,
        reasons=MappingProxyType({**known.reasons, **results.reasons}),
        faults=(*known.faults, *results.faults),
    )


def _missing(known: SideResults, key: str, choice: Choice, asked: AwardRequest) -> Choice:
    """What of a choice is not known, or known with another number of data sets or for other medal lines."""
    result = known.on_demand.get(key)
    if isinstance(choice, tuple):
        return tuple(column for column in choice if column not in (result or {}))
    other = isinstance(result, DesignStudy) and result.replicates != choice
    if isinstance(result, Awards):
        other = replace(result.request, level=asked.level, seed=asked.seed) != asked
    return choice if result is None or other else demand(key).none


def _together(known: Any, result: Any, choice: Choice) -> Any:
    """What is known of a part now; of one by columns, each in the order they were asked for."""
    if not isinstance(choice, tuple):
        return known if result is None else result
    every = {**(known or {}), **(result or {})}
    return MappingProxyType({column: every[column] for column in choice if column in every})


# The places in the notes of a project.
PLACE, LOGO = "report.setup", "report.logo"
AWARDS = demand("awards")
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
    form
        What the window prints and saves: the brief, unless the user wants more. A command names its own.
    direction
        Which side of every line between classes is counted.
    coefficient
        What stands beside raw agreement in the table of all questions (`tapdesk.answers.question_columns`).
    """

    leave_out: tuple[str, ...] = ()
    apa: bool = False
    paper: str = "a4"
    archive: bool = True
    logo: Logo | None = None
    scale: str = ""
    selection: Selection = field(default_factory=Selection)
    cases_as: CasesAs = CasesAs.NAMES
    form: Form = Form.BRIEF
    direction: Direction = Direction.ABOVE
    coefficient: str = USUAL_COEFFICIENT.name

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
        sentence = json.loads(project.notes.get(PLACE, "{}"))
        paper, scale = str(sentence.get("paper", USUAL.paper)), str(sentence.get("scale", ""))
        return Setup(
            leave_out=tuple(sorted({str(key) for key in sentence.get("leave_out", [])})),
            apa=bool(sentence.get("apa", USUAL.apa)),
            paper=paper if paper in PAPERS else USUAL.paper,
            archive=bool(sentence.get("archive", USUAL.archive)),
            logo=_logo(project),
            scale=scale if scale in SCALES else "",
            selection=_selection(project, sentence),
            cases_as=CasesAs(sentence.get("cases_as", USUAL.cases_as.value)),
            form=Form(sentence.get("form", USUAL.form.value)),
            direction=Direction(sentence.get("direction", USUAL.direction.value)),
            coefficient=table_coefficient(str(sentence.get("coefficient", ""))).name,
        )
    except (ValueError, TypeError, AttributeError):
        return Setup(logo=_logo(project), selection=_selection(project, {}))


def _selection(project: Project, sentence: dict[str, Any]) -> Selection:
    """What is asked for; who wins is printed where it was asked and nobody left it out."""
    chosen = Selection.read(sentence)
    asked = any(one.question == AWARDS.key for one in project.analyses)
    return chosen.switched(AWARDS.key, on=True) if asked and AWARDS.name not in sentence else chosen


def _logo(project: Project) -> Logo | None:
    try:
        sentence = json.loads(project.notes.get(LOGO, "null"))
        return (
            None
            if sentence is None
            else drawing(b64decode(sentence["content"], validate=True), alt=str(sentence["alt"]))
        )
    except (ValueError, TypeError, KeyError, TapdeskError):
        return None


def with_setup(project: Project, chosen: Setup) -> Project:
    """The project that remembers the choice."""
    table = {
        "leave_out": sorted(chosen.leave_out),
        "apa": chosen.apa,
        "paper": chosen.paper,
        "archive": chosen.archive,
        "scale": chosen.scale,
        **chosen.selection.record(),
        "cases_as": chosen.cases_as.value,
        "form": chosen.form.value,
        "direction": chosen.direction.value,
        "coefficient": chosen.coefficient,
    }
    after = project.with_note(PLACE, json.dumps(table, sort_keys=True))
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
    form: Form = Form.FULL,
) -> Report:
    """The report of a project as its user arranged it.

    Parameters
    ----------
    project, extras
        The work, and what `tapdesk.report.setup.prepare` made of it.
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
    form
        The two pages of a brief, the full report, or both.
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
        form=form,
    )
