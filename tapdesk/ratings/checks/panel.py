"""Checks of who rated what: seats, repeats, coverage, and raters who rated too little to be told about."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tapdesk.language import CaseName, Label, RaterName, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.assembly import Assembly
from tapdesk.ratings.findings import Finding, ask, name_list, note, of_all, quoted_list
from tapdesk.ratings.layouts.roles import Roles, is_numbered_seat
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.ratings import Ratings, linked_groups
from tapdesk.ratings.upside_down import ENOUGH, table_of_raters, upside_down


def _duplicate_findings(ratings: Ratings) -> Iterator[Finding]:
    """Raters that copy another, follow the majority, or seem to have the scale upside down."""
    dense = table_of_raters(ratings)
    for one in range(dense.shape[1]):
        for other in range(one):
            both = (dense[:, one] >= 0) & (dense[:, other] >= 0)
            a, b = dense[both, other], dense[both, one]
            if both.sum() >= ENOUGH and (a == b).all() and np.unique(a).size > 1:
                yield ask(
                    "identical_raters",
                    "",
                    _(
                        "{first} and {second} gave the same answer on all {n:,} {subjects} both rated. "
                        "Is it one person twice, or a copied column?"
                    ).format(
                        first=RaterName(ratings.raters[other]), second=RaterName(ratings.raters[one]), n=int(both.sum())
                    ),
                    _("If it is a copy, leave one of the two out."),
                    _("Both count as {raters}."),
                    ((ratings.raters[other], ratings.raters[one]),),
                )
    if dense.shape[1] >= 3:
        yield from _against_the_others(ratings, dense)
        yield from _upside_down(ratings)


def _against_the_others(ratings: Ratings, dense: NDArray[np.int64]) -> Iterator[Finding]:
    """Each rater against what all others say: in a good panel all are near the majority, a consensus still nearer."""
    k = len(ratings.classes)
    counts = np.stack([(dense == c).sum(axis=1) for c in range(k)], axis=1)
    near: list[tuple[str, int, int, float]] = []
    for j, name in enumerate(ratings.raters):
        rated = dense[:, j] >= 0
        others = counts[rated].copy()
        others[np.arange(others.shape[0]), dense[rated, j]] -= 1
        number = others.sum(axis=1)
        useful = number >= 2
        if useful.sum() < ENOUGH:
            continue
        own, others, number = dense[rated, j][useful], others[useful], number[useful]
        top = others.max(axis=1)
        clear = (others == top[:, None]).sum(axis=1) == 1
        follows, cases = int((others.argmax(axis=1) == own)[clear].sum()), int(clear.sum())
        united = float((top == number).mean())
        if cases >= ENOUGH:
            near.append((name, follows, cases, united))
    for name, follows, cases, united in near:
        best = max((f / n for other, f, n, _united in near if other != name), default=0.0)
        if follows > 0.98 * cases and united < 0.9 and (follows == cases or _nearer(follows, cases, best)):
            yield ask(
                "looks_like_consensus",
                "",
                _(
                    "{name} gave the majority's answer on {part} that have "
                    "one, though the others often differ. A majority or consensus posing as {a_rater} "
                    "makes agreement look better than it is."
                ).format(name=RaterName(name), part=of_all(follows, cases, "subjects")),
                _("If it is a consensus, leave this {rater} out."),
                _("It counts as {a_rater}."),
                ((name,),),
            )


def _nearer(follows: int, cases: int, best: float) -> bool:
    """Whether so many of the cases are more than luck makes of the share of the best of the others."""
    spread = (cases * best * (1 - best)) ** 0.5
    return bool(follows - 0.5 - cases * best > _ONE_SIDED * spread) if spread else cases * best < follows


def _upside_down(ratings: Ratings) -> Iterator[Finding]:
    """Raters whose scale seems turned round."""
    for j in upside_down(ratings):
        name = RaterName(ratings.raters[j])
        message = _("{name}'s answers look upside-down: high where all others are low (1 = best?).").format(name=name)
        if len(ratings.classes) == 2:
            message = _("{name}'s answers look upside-down: “{one}” where the others say “{other}”.").format(
                name=name, one=Label(ratings.classes[1]), other=Label(ratings.classes[0])
            )
        yield ask(
            "reversed_rater",
            "",
            message,
            _("If the scale was turned round, turn it back for this {rater}."),
            _("Nothing is turned round."),
            ((ratings.raters[j],),),
        )


def connected_panels(ratings: Ratings) -> tuple[tuple[str, ...], ...]:
    """Groups of raters linked by shared cases, directly or through other raters; raters without ratings are in none."""
    j = len(ratings.raters)
    rated = np.bincount(ratings.rater, minlength=j) > 0
    if j < 2 or (ratings.ratings_per_subject() >= j).any():
        names = tuple(name for name, r in zip(ratings.raters, rated, strict=True) if r)
        return (names,) if names else ()
    group = linked_groups(ratings.subject, ratings.rater, j)
    groups = (tuple(ratings.raters[r] for r in np.flatnonzero((group == g) & rated)) for g in np.unique(group))
    return tuple(g for g in groups if g)


def comparability_text(ratings: Ratings) -> str:
    """A sentence about whether all raters can be compared."""
    if not ratings.raters_known:
        return _(
            "The {raters} are not known by name, so nothing can be said about who shares {subjects} with whom."
        ).format()
    groups = connected_panels(ratings)
    if len(groups) < 2:
        count = len(groups[0]) if groups else 0
        if count < 2:
            return _("There is only one {rater}, and nobody to compare with.")
        return _("All {n:,} {raters} are linked by {subjects} they share, directly or through others.").format(n=count)
    return _(
        "The {raters} form {n} groups that share no {subject}: {groups}. They cannot be compared across groups."
    ).format(n=len(groups), groups=joined(*(name_list([RaterName(n) for n in g]) for g in groups[:4]), sep="; "))


UNDEFINED = _("What needs no second opinion is answered; agreement is undefined, for this reason.")
UNRATED, SILENT = "cases_without_rating", "raters_without_rating"
_MOST_NAMED = 1_000
_MOST_DENSE = 4_000_000
_MOST_RATERS = 60
# A part of the cases, nearly all of them, and a stretch of the file, as shares; fewer cases than this tell nothing.
_ONE_SIDED = 2.58  # of a normal distribution at 5 in 1,000, for the nearest of some raters is looked at
_FEW, _NEARLY_ALL, _STRETCH, _LEAST_CASES = 0.7, 0.9, 0.2, 20


def panel_findings(made: Assembly, roles: Roles, options: ReadingOptions) -> Iterator[Finding]:
    """What the pattern of who rated what shows."""
    ratings = made.ratings
    per_subject = ratings.ratings_per_subject()
    yield from _seats(ratings, roles, options)
    yield from _numbers_of_ratings(made, per_subject)
    yield from _silent(made.silent)
    if not ratings.raters_known or roles.layout in {Layout.COUNTS, Layout.CONFUSION}:
        return
    yield from rater_summary_findings(ratings)
    yield from sparse_raters(ratings)


def rater_summary_findings(ratings: Ratings) -> Iterator[Finding]:
    """What is noticed of known raters, from their ratings alone: it can be told anew when they are called otherwise."""
    yield from _repeats(ratings)
    yield from per_rater(ratings)
    yield from _disconnected(ratings)
    yield from _ranks(ratings)
    if len(ratings.raters) <= _MOST_RATERS and len(ratings.subjects) * len(ratings.raters) <= _MOST_DENSE:
        yield from _duplicate_findings(ratings)


def _ranks(ratings: Ratings) -> Iterator[Finding]:
    """Ratings that are ranks, which begin at 1."""
    if "1" in ratings.classes:
        # Start-up cost: few ratings begin at 1.
        from tapdesk.ratings.ranks import rank_findings

        yield from rank_findings(ratings)


def _seats(ratings: Ratings, roles: Roles, options: ReadingOptions) -> Iterator[Finding]:
    """Whether numbered columns are persons or seats."""
    if roles.layout is not Layout.RATERS or options.raters_are is not None:
        return
    if len(ratings.raters) > 1 and all(is_numbered_seat(n) for n in ratings.raters):
        yield seats_finding(ratings)


def seats_finding(ratings: Ratings) -> Finding:
    """The question whether the raters are people or seats, from the first of them to the last."""
    sentence = _(
        "Are {first} to {last} people, or seats? If different people may sit in one seat, results per "
        "{rater} would mix them."
    )
    if len(ratings.raters) == 2:
        sentence = _(
            "Are {first} and {last} people, or seats? If different people may sit in one seat, results per "
            "{rater} would mix them."
        )
    return ask(
        "seats_or_people",
        "",
        sentence.format(first=RaterName(ratings.raters[0]), last=RaterName(ratings.raters[-1])),
        _("Say which it is (--raters-are seats or people)."),
        _("They are taken as the same people throughout."),
    )


def _numbers_of_ratings(made: Assembly, per_subject: NDArray[np.int64]) -> Iterator[Finding]:
    """Too few ratings per case to compare anything."""
    most = int(per_subject.max(initial=0))
    if most <= 1:
        yield ask(
            "one_rating_per_subject",
            "",
            _("No {subject} has more than one {rating}, so there is no agreement to measure.").format(),
            _("Add a second {rater}, or use the data for planning and description."),
            UNDEFINED,
        )
    elif made.ratings.raters_known and len(made.ratings.raters) == 1:
        yield ask(
            "one_rater",
            "",
            _(
                "There is only one {rater}: repeated {ratings} show how steady this {rater} is, not agreement "
                "between {raters}."
            ),
            _("Add a second {rater}, or check which column names the {raters}."),
            UNDEFINED,
        )
    elif most == 2:
        yield note(
            "two_ratings_per_subject",
            "",
            _(
                "No {subject} has more than two {ratings}. With two classes, truth, accuracy and guessing "
                "can then be told apart only by assuming that guesses come out like the truth (p = t)."
            ).format(),
            _("Add a third {rating} for some {subjects}, or use the model t-a-t.").format(),
        )
    single = int((per_subject == 1).sum())
    if single and most > 1:
        yield note(
            "cases_with_one_rating",
            "",
            ngettext(
                "{single:,} of {n:,} {subjects} with {ratings} has only one; it says nothing about agreement.",
                "{single:,} of {n:,} {subjects} with {ratings} have only one; such {subjects} say nothing about "
                "agreement.",
                single,
            ).format(single=single, n=per_subject.size),
        )
    yield from _unrated(made)


def _unrated(made: Assembly) -> Iterator[Finding]:
    """Cases of the file that nobody rated."""
    if made.unrated:
        yield note(
            UNRATED,
            "",
            ngettext(
                "{n:,} {subjects} has no {rating} at all: {names}.",
                "{n:,} {subjects} have no {rating} at all: {names}.",
                len(made.unrated),
            ).format(
                n=len(made.unrated),
                names=quoted_list([*map(CaseName, made.unrated[:_MOST_NAMED])], number=len(made.unrated)),
            ),
            default=_("It is left out.") if len(made.unrated) == 1 else _("They are left out."),
            about=(made.unrated[:_MOST_NAMED],),
        )


def _silent(names: tuple[str, ...]) -> Iterator[Finding]:
    """Raters of the file who rated nothing."""
    if names:
        yield note(
            SILENT,
            "",
            ngettext(
                "{n:,} {raters} has no {rating} at all: {names}.",
                "{n:,} {raters} have no {rating} at all: {names}.",
                len(names),
            ).format(n=len(names), names=quoted_list([*map(RaterName, names)])),
            default=_("They are no part of the panel."),
            about=(names[:_MOST_NAMED],),
        )


def _repeats(ratings: Ratings) -> Iterator[Finding]:
    """A rater who rated a case more than once, with the same or with another answer."""
    key = ratings.subject.astype(np.int64) * len(ratings.raters) + ratings.rater
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(np.diff(key[order]) == 0)
    if not again.size:
        return
    first, second = order[again], order[again + 1]
    same = ratings.category[first] == ratings.category[second]
    for code, pairs in (("repeats_same", second[same]), ("repeats_different", second[~same])):
        if not pairs.size:
            continue
        if code == "repeats_same":
            sentence = ngettext(
                "{Subjects} were rated again by the same {rater} with the same answer, once.",
                "{Subjects} were rated again by the same {rater} with the same answer, {n:,} times.",
                pairs.size,
            )
        else:
            sentence = ngettext(
                "{Subjects} were rated again by the same {rater} with another answer, once.",
                "{Subjects} were rated again by the same {rater} with another answer, {n:,} times.",
                pairs.size,
            )
        shown = [
            _("{rater} on {case}").format(
                rater=RaterName(ratings.raters[ratings.rater[i]]), case=CaseName(ratings.subjects[ratings.subject[i]])
            )
            for i in pairs[:5]
        ]
        more = _(" and {size:,} more").format(size=pairs.size - 5) if pairs.size > 5 else ""
        yield ask(
            code,
            joined(joined(*shown, sep=", "), more, sep=""),
            sentence.format(n=pairs.size),
            _("If a repeat is a copying error, say which {rating} counts."),
            _("Every repeat counts as {a_rating} of its own."),
        )


def per_rater(ratings: Ratings) -> Iterator[Finding]:
    """Raters with one rating, with one answer, or with only some of the classes."""
    j, k = len(ratings.raters), len(ratings.classes)
    table = np.bincount(ratings.rater.astype(np.int64) * k + ratings.category, minlength=j * k).reshape(j, k)
    totals, used = table.sum(axis=1), (table > 0).sum(axis=1)
    names = np.array(ratings.raters, dtype=object)
    if (totals == 1).any():
        yield note(
            "raters_with_one_rating",
            "",
            _("Some {raters} gave one {rating} only: {names}.").format(
                names=quoted_list([*map(RaterName, names[totals == 1].tolist())])
            ),
            default=_("They count in pooled results; nothing is said about them one by one."),
        )
    constant = (used == 1) & (totals >= 5)
    if constant.any() and (table.sum(axis=0) > 0).sum() > 1:
        sentences = [
            _("{name} (always '{label}')").format(
                name=RaterName(names[i]), label=Label(ratings.classes[int(table[i].argmax())])
            )
            for i in np.flatnonzero(constant)
        ]
        yield note(
            "constant_rater", "", _("Some {raters} gave one answer only: {told}.").format(told=name_list(sentences))
        )
    present = table.sum(axis=0) > 0
    partial = (used < present.sum()) & (used > 1) & (totals >= ENOUGH)
    if partial.any():
        sentences = [
            _("{name} never used {classes}").format(
                name=RaterName(names[i]),
                classes=quoted_list([ratings.classes[c] for c in np.flatnonzero(present & (table[i] == 0))]),
            )
            for i in np.flatnonzero(partial)
        ]
        never = present & (table[partial] == 0).any(axis=0)
        yield note(
            "different_subsets",
            "",
            _("{Raters} used different classes: {told}. All classes count.").format(told=name_list(sentences, 3)),
            about=(tuple(c for c, n in zip(ratings.classes, never, strict=True) if n),),
        )


def sparse_raters(ratings: Ratings) -> Iterator[Finding]:
    """Raters who rated a part of the cases while most rated nearly all: who came late, left early, or helped out."""
    raters, cases = len(ratings.raters), len(ratings.subjects)
    if not 3 <= raters <= _MOST_RATERS or cases < _LEAST_CASES or raters * cases > _MOST_DENSE:
        return
    rated = np.zeros((raters, cases), dtype=bool)
    rated[ratings.rater, ratings.subject] = True
    number = rated.sum(axis=1)
    if float(np.median(number)) < _NEARLY_ALL * cases:
        return
    for j in np.flatnonzero((number > 1) & (number <= _FEW * cases)):
        where = np.flatnonzero(rated[j])
        name, n, first, last = RaterName(ratings.raters[j]), int(number[j]), int(where[0]), cases - 1 - int(where[-1])
        message = _("{name} rated {n:,} of {all:,} {subjects}.").format(name=name, n=n, all=cases)
        if first >= _STRETCH * cases:
            message = joined(message, _("None of the first {n:,}.").format(n=first))
        if last >= _STRETCH * cases:
            message = joined(message, _("None of the last {n:,}.").format(n=last))
        yield ask(
            "sparse_rater",
            "",
            message,
            _("If cells are missing that this {rater} filled in, add them to the file."),
            _("The {ratings} count like all others; what is said of this {rater} is less sure."),
            ((ratings.raters[j],),),
        )


def _disconnected(ratings: Ratings) -> Iterator[Finding]:
    """Groups of raters that share no case."""
    groups = connected_panels(ratings)
    if len(groups) > 1:
        sentence = joined(*(name_list([RaterName(n) for n in g]) for g in groups[:4]), sep="; ")
        yield note(
            "disconnected_panels",
            "",
            _(
                "The {raters} form {groups} groups that share no {subject}: {told}. They cannot be compared across "
                "groups."
            ).format(groups=len(groups), told=sentence),
            _("Let some {raters} of each group rate the same {subjects}, or analyse the groups one by one.").format(),
        )
