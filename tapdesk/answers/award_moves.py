"""How many awards change between two analyses, in one sentence; which they are is told in `what_if_cases`."""

from dataclasses import dataclass

from tapdesk.answers import numbers
from tapdesk.language import CaseName, joined, ngettext
from tapdesk.language import gettext as _


@dataclass(frozen=True, slots=True)
class AwardMoves:
    """How many awards change between two analyses.

    Attributes
    ----------
    shared
        Entries that stand in both; the others are left aside.
    by_rule, by_model
        How many of them have another award by the committee's rule, and another likeliest one; None where no awards
        are given.
    leaders
        Who leads by fair score in the first, and in the second.
    """

    shared: int
    by_rule: int | None
    by_model: int | None
    leaders: tuple[str, str]


def moves_sentence(moves: AwardMoves, lead: str) -> str:
    """How many awards would change, and who would lead.

    Parameters
    ----------
    moves
        What changes.
    lead
        What is otherwise in the second, as a sentence begins; empty of other files.
    """
    before, after = map(CaseName, moves.leaders)
    if moves.leaders[0] == moves.leaders[1]:
        leads = _("{name} leads in both.").format(name=before)
    else:
        leads = _("{after} would lead instead of {before}.").format(after=after, before=before)
    if moves.by_rule is None:
        return joined(_("{lead}:").format(lead=lead), leads) if lead else leads
    if lead:
        sentence = _("{lead} {part} awards would change by the committee’s rule; {leads}")
        none = _("{lead} none of {n} awards would change by the committee’s rule; {leads}")
    else:
        sentence = ngettext(
            "{part} awards is another one by the committee’s rule; {leads}",
            "{part} awards are other ones by the committee’s rule; {leads}",
            moves.by_rule,
        )
        none = _("None of {n} awards is another one by the committee’s rule; {leads}")
    part = numbers.of_all(moves.by_rule, moves.shared, first=not lead)
    fields = {"lead": lead, "part": part, "n": numbers.count(moves.shared), "leads": leads}
    return (sentence if moves.by_rule else none).format(**fields)


def changed_share(moves: AwardMoves) -> str:
    """How many awards change of how many, for a row of a list; who leads where no awards are given."""
    if moves.by_rule is None:
        return _("{name} leads").format(name=CaseName(moves.leaders[1]))
    return numbers.of_all(moves.by_rule, moves.shared)
