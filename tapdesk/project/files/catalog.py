"""Every kind of decision, by the name it has in project files. A new one is a class and a row here."""

from collections.abc import Mapping
from types import MappingProxyType

from tapdesk.project.decisions.base import Decision
from tapdesk.project.decisions.classes import DeclareClass, ReorderClasses, SetClass1
from tapdesk.project.decisions.findings import LeaveAsRead
from tapdesk.project.decisions.labels import ColourClass, MergeClasses, RenameClass, TreatAsMissing
from tapdesk.project.decisions.names import FlipRater, JoinRaters, JoinSubjects, NameRaters, NumberCases
from tapdesk.project.decisions.ratings import EditRating, KeepWhere, LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.decisions.repeats import KeepRepeats
from tapdesk.project.decisions.tallies import AddCounts, AddPair, EditCount, EditWeight
from tapdesk.project.replay import TakeBack

DECISIONS: tuple[type[Decision], ...] = (
    SetClass1,
    ReorderClasses,
    DeclareClass,
    MergeClasses,
    RenameClass,
    ColourClass,
    TreatAsMissing,
    LeaveOutSubjects,
    LeaveOutRaters,
    KeepWhere,
    EditRating,
    EditWeight,
    EditCount,
    AddPair,
    AddCounts,
    KeepRepeats,
    FlipRater,
    JoinRaters,
    JoinSubjects,
    NameRaters,
    NumberCases,
    LeaveAsRead,
    TakeBack,
)

BY_KIND: Mapping[str, type[Decision]] = MappingProxyType({row.kind: row for row in DECISIONS})
