"""What if: what becomes of the cases that stand in both analyses, and of their awards where who wins was asked."""

from collections.abc import Mapping

from tapdesk.answers import numbers
from tapdesk.answers.award_moves import AwardMoves
from tapdesk.answers.awards import rule_of
from tapdesk.answers.numbers import DASH
from tapdesk.answers.what_if import WhatIf
from tapdesk.language import CaseName, Label, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.studies.award_answer import Awards
from tapdesk.studies.panel_sampler import IndexArray

_MOST_NAMED = 6
_FIRST = 3
_SHOWN_MOVES = 3


def case_sentences(pair: WhatIf) -> tuple[str, ...]:
    """What becomes of the cases that stand in both, or of their awards where who wins was asked, a sentence each.

    Empty where that cannot be said.
    """
    if pair.awards:
        return pair.awards
    moves = pair.cases
    if moves is None or pair.same:
        return ()
    if not moves.count:
        first = _("None of the {shared} {subjects} has another likeliest class.").format(
            shared=numbers.count(moves.shared)
        )
        named = ""
    else:
        first = ngettext(
            "{part} has another likeliest class.",
            "{part} have another likeliest class.",
            moves.count,
        ).format(part=numbers.of_all(moves.count, moves.shared, "subjects", first=True))
        rows = moves.moves[:_SHOWN_MOVES]
        each = [
            _("{name} from “{before}” to “{after}”").format(
                name=CaseName(one.name), before=Label(one.before), after=Label(one.after)
            )
            for one in rows
        ]
        more = moves.count - len(rows)
        listed = joined(*each, sep="; ")
        named = (
            _("The surest of them are {cases}; and {n} more.").format(cases=listed, n=numbers.count(more))
            if more
            else _("{cases}.").format(cases=listed)
        )
    before, after = moves.unsure
    unsure = _("Less than 90 % sure: {after} in “{b}”, {before} in “{a}”.").format(
        after=numbers.count(after), before=numbers.count(before), a=pair.a, b=pair.b
    )
    return tuple(one for one in (first, named, unsure) if one)


def award_sentences(before: Awards, after: Awards) -> tuple[str, ...]:
    """Which awards the committee's rule gives otherwise in the second, which the model, and who leads; by names.

    Parameters
    ----------
    before, after
        The awards of both; entries that stand in one of them alone are left aside.
    """
    moves = award_moves(before, after)
    if moves is None:
        return (_("No {subject} stands in both, so no award can be compared.").format(),)
    leads = tuple(map(CaseName, moves.leaders))
    lead = _("{name} leads by fair score in both.").format(name=leads[0])
    if moves.leaders[0] != moves.leaders[1]:
        lead = _("{after} leads by fair score, not {before}.").format(after=leads[1], before=leads[0])
    if moves.by_rule is None:
        return (_first_three(before, after, _shared(before, after)), lead)
    given, likeliest = _changes(before, after)
    return (_of_rule(given, moves.shared, rule_of(before)), _of_model(likeliest, moves.shared), lead)


def award_moves(before: Awards, after: Awards) -> AwardMoves | None:
    """How many awards change, and who leads; None where no entry stands in both.

    Parameters
    ----------
    before, after
        As of `award_sentences`.
    """
    shared = _shared(before, after)
    if not shared:
        return None
    first, then = (next(one.subjects[i] for i in one.order if one.subjects[i] in shared) for one in (before, after))
    if not before.probability.shape[1] or not after.probability.shape[1]:
        return AwardMoves(len(shared), None, None, (str(first), str(then)))
    given, likeliest = _changes(before, after)
    return AwardMoves(len(shared), len(given), len(likeliest), (str(first), str(then)))


def _shared(before: Awards, after: Awards) -> set[str]:
    """The entries that stand in both."""
    return set(before.subjects) & set(after.subjects)


def _changes(before: Awards, after: Awards) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The entries that have another award by the committee's rule, and by the model, each with both."""
    shared = _shared(before, after)
    given, likeliest = (
        _changed(_named(before, one), _named(after, other), before.subjects, shared)
        for one, other in ((before.result.given, after.result.given), (before.likeliest, after.likeliest))
    )
    return given, likeliest


def _named(result: Awards, which: IndexArray) -> dict[str, str]:
    """By entry the class it has; a dash for none."""
    return {n: result.classes[k] if k >= 0 else DASH for n, k in zip(result.subjects, map(int, which), strict=True)}


def _changed(
    before: Mapping[str, str], after: Mapping[str, str], names: tuple[str, ...], shared: set[str]
) -> tuple[str, ...]:
    """The entries that have another class, each with both."""
    return tuple(
        _("{name} ({before} to {after})").format(name=CaseName(n), before=Label(before[n]), after=Label(after[n]))
        for n in names
        if n in shared and before[n] != after[n]
    )


def _listed(changed: tuple[str, ...]) -> str:
    more = _("{n} more").format(n=len(changed) - _MOST_NAMED) if len(changed) > _MOST_NAMED else ""
    return joined(*changed[:_MOST_NAMED], more, sep=", ")


def _of_rule(changed: tuple[str, ...], n: int, rule: str) -> str:
    if not changed:
        return _("By the committee’s rule, “{rule}”, none of {n} awards changes.").format(rule=rule, n=n)
    return ngettext(
        "By the committee’s rule, “{rule}”, {part} awards changes: {listed}.",
        "By the committee’s rule, “{rule}”, {part} awards change: {listed}.",
        len(changed),
    ).format(rule=rule, part=numbers.of_all(len(changed), n), listed=_listed(changed))


def _of_model(changed: tuple[str, ...], n: int) -> str:
    if not changed:
        return _("By the model none of {n} has another likeliest award.").format(n=n)
    return ngettext(
        "By the model {part} has another likeliest award: {listed}.",
        "By the model {part} have another likeliest award: {listed}.",
        len(changed),
    ).format(part=numbers.of_all(len(changed), n), listed=_listed(changed))


def _first_three(before: Awards, after: Awards, shared: set[str]) -> str:
    """Who enters or leaves the first three of the committee's rule."""
    one, other = (
        {n: int(place) for n, place in zip(result.subjects, result.result.place, strict=True)}
        for result in (before, after)
    )
    changed = tuple(
        _("{name} (place {before} to {after})").format(name=CaseName(n), before=one[n], after=other[n])
        for n in before.subjects
        if n in shared and (one[n] <= _FIRST) != (other[n] <= _FIRST)
    )
    if not changed:
        return _("By the committee’s rule, “{rule}”, the first three stay.").format(rule=rule_of(before))
    return _("By the committee’s rule, “{rule}”, these enter or leave the first three: {listed}.").format(
        rule=rule_of(before), listed=_listed(changed)
    )
