"""Exports of programs for systematic reviews, in which reviewers decide what is included.

Sources: Rayyan help, "Understanding Your Rayyan Export Files" (the notes column bundles ``RAYYAN-INCLUSION:
{"Ana"=>"Included", …}`` and further parts behind ``|``); ASReview LAB, ``asreview_label`` of 1 and 0 and blank, one
file for each reviewer; Covidence help, "Exporting inter-rater reliability data" (sums of each pair of reviewers).
Covidence documents no column names of decisions by reviewer: pairs of ``Reviewer A`` and ``Vote A`` are read as they
stand.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from tapdesk.errors import TapdeskError
from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import note, quoted_list
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.trades.export import STACKED, Export, Head, Settle, Settled, with_columns

_INCLUSION = re.compile(r"RAYYAN-INCLUSION:\s*\{(.*?)\}(?=\s*(?:\||$))", re.DOTALL)
_DECISION = re.compile(r'"((?:[^"\\]|\\.)*)"\s*=>\s*"([^"]*)"')
_NOTES = ("notes", "note", "RAYYAN-INCLUSION")


def rayyan(head: Head) -> Export | None:
    """The articles of a Rayyan review: what each reviewer decided stands in the notes."""
    notes = next((n for n in head.named(_NOTES) if any(_INCLUSION.search(t) for t in head.texts(n))), None)
    if notes is None:
        return None
    column = head.column(notes)
    items = [_INCLUSION.search(v) for v in column.values]
    sentences = [dict(_DECISION.findall(m[1])) if m is not None else {} for m in items]
    codes = column.codes[1:]
    reviewers = tuple(dict.fromkeys(name for one in sentences for name in one))
    if not reviewers:
        return None
    called = {r: f"{r} (reviewer)" if head.has(r) else r for r in reviewers}
    texts = {called[r]: [sentences[c].get(r, "") for c in codes] for r in reviewers}
    key = next(iter(head.named(("key", "rayyan_key", "id"))), None)
    aside = tuple(dict.fromkeys(n for n in head.names if n and n != key))
    return Export(
        "Rayyan",
        _reviewers(tuple(called.values()), key),
        aside=aside,
        grid=with_columns(head.grid, 1, texts),
        words=(_("The decisions in the notes are read as one column for each reviewer."),),
    )


def _reviewers(columns: tuple[str, ...], key: str | None) -> Settle:
    """Reviewers side by side, one column for each."""

    def settle(table: RatingTable, _options: ReadingOptions) -> Settled:
        sentence = ngettext(
            "Each row is an article, decided on by {n} reviewer.",
            "Each row is an article, decided on by {n} reviewers.",
            len(columns),
        ).format(n=len(columns))
        named = key if key is not None and key in table.names and table.all_different(key) else ""
        return Settled(MappingProxyType({"layout": Layout.RATERS, "subject": named, "columns": columns}), sentence)

    return settle


_ASREVIEW = ("asreview_label", "included")


def asreview(head: Head) -> Export | None:
    """The labels of one reviewer in ASReview, or of several whose files were opened together."""
    named = head.named(_ASREVIEW)
    if not named or not (head.has("asreview_label") or head.has("asreview_ranking")):
        return None
    label = named[0]
    if not head.holds(label, {"0", "1", "-1", "0.0", "1.0"}):
        return None
    record = next(iter(head.named(("record_id", "asreview_record_id"))), None)

    def settle(table: RatingTable, _options: ReadingOptions) -> Settled:
        several = STACKED in table.names and len(table.texts(STACKED)) > 1
        options = {"layout": Layout.LONG, "rating": label, "subject": record, "rater": STACKED if several else None}
        sentence = _("Each row is an article; '{label}' is 1 for relevant and 0 for irrelevant.").format(
            label=Label(label)
        )
        alone = note(
            "one_screener",
            "",
            _("ASReview writes a file for each reviewer, and this is the file of one."),
            _("Open the files of all reviewers together."),
        )
        return Settled(MappingProxyType({n: v for n, v in options.items() if v}), sentence, () if several else (alone,))

    kept = {label, record, STACKED}
    return Export("ASReview", settle, aside=tuple(n for n in head.names if n and n not in kept))


_REVIEWER = re.compile(r"Reviewer ?(?:#? ?)(\w)", re.IGNORECASE)
_VOTE = re.compile(r"(?:Vote|Decision) ?(\w)|Reviewer ?(\w)(?:'s)? (?:vote|decision)", re.IGNORECASE)
_VOTES = frozenset({"yes", "no", "maybe", "include", "exclude", "included", "excluded", "unsure"})


def covidence(head: Head) -> Export | None:
    """Votes of reviewers in pairs of columns, of a name and a vote each; or only the sums over pairs of reviewers."""
    names = {m[1].casefold(): n for n in head.names if (m := _REVIEWER.fullmatch(n)) is not None}
    votes = {(m[1] or m[2]).casefold(): n for n in head.names if (m := _VOTE.fullmatch(n)) is not None}
    if len(names) < 2:
        return None
    sums = any("kappa" in n.casefold() for n in head.names) and any("agreement" in n.casefold() for n in head.names)
    if sums and not votes:
        return Export("Covidence", _only_sums)
    if set(names) != set(votes) or not all({t.casefold() for t in head.texts(v)} <= _VOTES for v in votes.values()):
        return None
    by_reviewer = _by_reviewer(head, [(names[k], votes[k]) for k in names])
    if by_reviewer is None:
        return None
    key = next(iter(head.named(("Covidence #", "Study", "Study ID", "Title"))), None)
    return Export(
        "Covidence",
        _reviewers(tuple(by_reviewer), key),
        aside=tuple(n for n in head.names if n and n != key),
        grid=with_columns(head.grid, 1, by_reviewer),
        words=(_("The votes are read as one column for each reviewer."),),
    )


def _by_reviewer(head: Head, pairs: list[tuple[str, str]]) -> Mapping[str, list[str]] | None:
    """The votes by the names of the reviewers; None where somebody votes twice in one row."""
    made: dict[str, list[str]] = {}
    for name, vote in pairs:
        who, what = head.column(name), head.column(vote)
        for row in range(1, head.grid.rows):
            person, words = who.text(row).strip(), what.text(row).strip()
            if not person:
                continue
            called = f"{person} (reviewer)" if head.has(person) else person
            votes = made.setdefault(called, [""] * (head.grid.rows - 1))
            if votes[row - 1] and words:
                return None
            votes[row - 1] = words or votes[row - 1]
    return made if len(made) > 1 else None


def _only_sums(table: RatingTable, options: ReadingOptions) -> Settled:
    """Refuse sums of pairs of reviewers, from which no decision can be told.

    Raises
    ------
    TapdeskError
        Unless the user says how it is to be read.
    """
    if options.layout is not Layout.AUTO:
        return Settled()
    raise TapdeskError(
        _("This export of Covidence holds the sums of each pair of reviewers, not what they decided: {names}.").format(
            names=quoted_list(table.names, 6)
        ),
        table.file,
        _(
            "Write the four numbers of a pair as a table of two raters, yes and no, and open that with "
            "--layout confusion."
        ),
    )
