"""What stands in a report where a part of it could not be made."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from tapdesk.answers.content import Paragraph, Tone
from tapdesk.answers.faults import Bug, Fault, attempt, listed
from tapdesk.language import gettext as _
from tapdesk.report.report import Report, Section

T = TypeVar("T")
_ROW = _("Not made")


def missing(fault: Fault) -> Paragraph:
    """The warning in the place of a study or a section."""
    return Paragraph(fault.words, Tone.WARNING, _("Missing here."))


def instead(fault: Fault, own: tuple[Paragraph, ...] = ()) -> Section:
    """The section in the place of one that could not be made; the committee's own words about it stay."""
    return Section(fault.section, fault.title, (missing(fault), *own))


def with_faults(report: Report, faults: tuple[Fault, ...]) -> Report:
    """The report that names in its record box what is missing, so that nobody has to find it."""
    if not faults:
        return report
    every = (*report.faults, *faults)
    record = tuple(row for row in report.record if row[0] != _ROW)
    return replace(report, record=(*record, (_ROW, listed(every))), faults=every)


def spared(report: Report, make: Callable[[Report], T]) -> tuple[Report, T]:
    """The report as a file or as pages; a section that cannot be drawn or set is left out and named in its place.

    Parameters
    ----------
    report
        The whole report.
    make
        Writes it, such as `tapdesk.report.forms.pdf.pdf`.

    Returns
    -------
    Report
        What was written: with the sections that failed replaced.
    T
        What ``make`` made of it.

    Raises
    ------
    Exception
        The bug itself, where no single section is to blame for it.
    """
    made = attempt(partial(make, report))
    if not isinstance(made, Bug):
        return report, made
    if isinstance(attempt(partial(make, replace(report, sections=()))), Bug):
        raise made.error
    sections: list[Section] = []
    faults: list[Fault] = []
    for section in report.sections:
        alone = attempt(partial(make, replace(report, sections=(section,))))
        if isinstance(alone, Bug):
            fault = Fault(section.key, section.title, alone.error)
            sections.append(instead(fault))
            faults.append(fault)
        else:
            sections.append(section)
    if not faults:
        raise made.error
    whole = with_faults(replace(report, sections=tuple(sections)), tuple(faults))
    return whole, make(whole)
