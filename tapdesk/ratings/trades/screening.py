"""Exports of programs for systematic reviews, in which reviewers decide what is included.

Sources: Rayyan help, "Understanding Your Rayyan Export Files" (the notes column bundles ``RAYYAN-INCLUSION:
{"Ana"=>"Included", …}`` and further parts behind ``|``), and its ``customizations_log.csv`` beside the articles as
public scripts read it (``article_id, key, value, user_id``); ASReview LAB, asreview.readthedocs.io/en/stable, "Export
results" (``included`` at one time, of 1, 0 and blank for not seen, and ``asreview_label`` since then, beside the labels
of the data that were imported), and its reader, for which -1 is not seen; one file for each reviewer; Covidence,
support.covidence.org/help/exporting-inter-rater-reliability-data (sums of each pair of reviewers, their kappa, and
"maybe" counted as yes). Covidence documents no column names of decisions by reviewer: pairs of ``Reviewer A`` and
``Vote A`` are read as they stand.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

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
        sources=(notes,),
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


_LOG = ("article_id", "key", "value", "user_id")


def rayyan_log(head: Head) -> Export | None:
    """What was done in a Rayyan review, one thing after the other: what holds in the end stands in the articles."""
    return Export("Rayyan", _only_log) if head.has(*_LOG) and "included" in head.texts("key") else None


def _only_log(table: RatingTable, options: ReadingOptions) -> Settled:
    """Refuse the log of a review, in which a decision may be taken back further down.

    Raises
    ------
    TapdeskError
        Unless the user says how it is to be read.
    """
    if options.layout is not Layout.AUTO or options.question is not None:
        return Settled()
    raise TapdeskError(
        _("This is the log of a Rayyan review, in which decisions are made and taken back."),
        table.file,
        _("Open the file articles.csv of the same export: its notes hold what each reviewer decided in the end."),
    )


_ASREVIEW = ("asreview_label", "included")
_NOT_SEEN = "-1"


def asreview(head: Head) -> Export | None:
    """The labels of one reviewer in ASReview, or of several whose files were opened together."""
    named = head.named(_ASREVIEW)
    if not named or not (head.has("asreview_label") or head.has("asreview_ranking")):
        return None
    # Labels that the imported data had are kept beside those that were given.
    label = min(named, key=lambda n: _ASREVIEW.index(n.casefold()))
    if not head.holds(label, {"0", "1", "-1", "0.0", "1.0"}):
        return None
    record = next(iter(head.named(("record_id", "asreview_record_id"))), None)

    def settle(table: RatingTable, _options: ReadingOptions) -> Settled:
        several = STACKED in table.names and len(table.texts(STACKED)) > 1
        options: dict[str, Any] = {"layout": Layout.LONG, "rating": label, "subject": record}
        options["rater"] = STACKED if several else None
        sentence = _("Each row is an article; '{label}' is 1 for relevant and 0 for irrelevant.")
        if _NOT_SEEN in table.texts(label):
            options["missing"] = (_NOT_SEEN,)
            sentence = _("Each row is an article; '{label}' is 1 for relevant, 0 for irrelevant and -1 for not seen.")
        sentence = sentence.format(label=Label(label))
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
        sources=(*names.values(), *votes.values()),
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
