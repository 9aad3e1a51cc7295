"""Exports of REDCap, as raw data or with labels: events, repeated forms or double entry in place of raters.

Sources: the help page "Data Exports, Reports, and Stats" of REDCap; the record export as PyCap and REDCapR document
it, rdrr.io/cran/REDCapR/man/redcap_report.html, and its rows as linkml.io/linkml-redcap/reference/record/FlatRecord
has them (``record_id, redcap_event_name, redcap_repeat_instrument, redcap_repeat_instance``, values and headings raw
or as labels, events written with ``_arm_1``, ``form_complete`` of 0, 1, 2) and github.com/redcap-tools/pycap/issues/19
(check boxes as ``field___1``, with labels as ``Field (choice='White')``); its guide to double data entry, where the
two persons' records are called ``12--1`` and ``12--2``.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Finding, ask, block, quoted_list
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.structure import names_each_row, without_facts
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.texts import is_date
from tapdesk.ratings.trades.export import Export, Head, Settled, is_stamp, rows_of, with_columns

_EVENT = ("redcap_event_name", "Event Name")
_FORM = ("redcap_repeat_instrument", "Repeat Instrument")
_INSTANCE = ("redcap_repeat_instance", "Repeat Instance")
_BESIDE = (
    "redcap_survey_identifier", "Survey Identifier", "redcap_data_access_group", "Data Access Group",
)  # fmt: skip
_BOX = re.compile(r"\w+___\w+|.*\(choice=.*\)")
_TICKED = frozenset({"0", "1", "Checked", "Unchecked"})
_DONE = re.compile(r"\w+_complete|Complete\?(?: \(\d+\))?")
_STATES = frozenset({"0", "1", "2", "Incomplete", "Unverified", "Complete"})
_ENTERED = re.compile(r"(.+)--(\d)")
_RECORD, _ENTRY = "record", "entered by"
_MANY = 50  # more different texts than this are remarks


def redcap(head: Head) -> Export | None:
    """An export of REDCap, told by the columns it writes itself and by what stands in them."""
    if len(head.names) < 2 or not head.names[0] or not head.filled(head.names[0]):
        return None
    own = head.named((*_EVENT, *_FORM, *_INSTANCE))
    raw = tuple(n for n in own if n.startswith("redcap_"))
    done = tuple(n for n in head.names if _DONE.fullmatch(n) and head.holds(n, _STATES))
    boxes = tuple(n for n in head.names if _BOX.fullmatch(n) and head.holds(n, _TICKED))
    sure = bool(raw) or (bool(done) and (bool(boxes) or bool(own) or head.names[0].casefold() == "record_id"))
    events = head.named(_EVENT)
    # An event stands in every row, and arms are numbered behind a raw name.
    if not sure or any(not head.filled(n) for n in events):
        return None
    if any(n in raw and not all(re.fullmatch(r".+_arm_\d+.*", t) for t in head.texts(n)) for n in events):
        return None
    stamps = tuple(n for n in head.names if n.endswith("_timestamp") or n == "Survey Timestamp")
    entered = [m for text in head.texts(head.names[0]) if (m := _ENTERED.fullmatch(text)) is not None]
    grid, words = None, list[str]()
    if entered and len(entered) == len(head.texts(head.names[0])) and len({m[2] for m in entered}) > 1:
        grid = _with_entries(head)
        words.append(_("Records entered twice, as 12--1 and 12--2, are one case by two persons."))
    aside = (*done, *stamps, *head.named(_BESIDE), *((head.names[0],) if grid is not None else ()))
    return Export("REDCap", _settle, aside=aside, naming=own, grid=grid, words=tuple(words))


def _with_entries(head: Head) -> Any:
    """The grid with the record and the person of each double entry in columns of their own."""
    column = head.grid.columns[0]
    parts = [m if (m := _ENTERED.fullmatch(v.strip())) is not None else None for v in column.values]
    codes = column.codes[1:]
    records = [v if m is None else m[1] for v, m in zip(column.values, parts, strict=True)]
    persons = ["" if m is None else f"person {m[2]}" for m in parts]
    texts = {name: [sentence[c] for c in codes] for name, sentence in ((_RECORD, records), (_ENTRY, persons))}
    return with_columns(head.grid, 1, texts)


def _settle(table: RatingTable, options: ReadingOptions) -> Settled:
    """Who rated: a field that names the rater, the event, the person of a double entry, or the repeated form."""
    entered = _ENTRY in table.names
    subject = options.subject or (_RECORD if entered else table.names[0])
    own = [next((n for n in names if n in table.names), None) for names in (_EVENT, _FORM, _INSTANCE)]
    event, form, instance = own
    taken = {subject, *own, _ENTRY, table.names[0]}
    fields = [n for n in table.names if n not in taken]
    named = r.column_called(table, w.RATER, apart_from=tuple(taken))
    rows, where = table, tuple[tuple[str, str], ...]()
    if form is not None and len(table.texts(form)) == 1 and table.column(form).blank.any():
        # The rows of the record itself hold what is said once of each case, and no ratings.
        where = ((form, next(iter(table.texts(form)))),)
        rows = rows_of(table, ~table.column(form).blank)
    findings: tuple[Finding, ...] = ()
    if options.rater is not None:
        rater = r.user_column(table, options.rater, "--rater")
    elif entered:
        rater = _ENTRY
    elif named is not None and names_each_row(rows, subject, named, *([event] if event else [])):
        rater = named
    elif event is not None and len(rows.texts(event)) > 1 and rows.combinations(subject, event) == rows.rows:
        rater, findings = event, _events(rows, event)
    elif instance is not None and len(rows.texts(instance)) > 1:
        return _instances(rows, subject, instance, [n for n in fields if n != named], where)
    else:
        return Settled(told=_("Each row is a record."), aside=tuple(n for n in own if n is not None))
    answers = _answers(rows, [n for n in fields if n != rater], subject, rater)
    sentence = _("A record is a case, and '{column}' says who rated it.").format(column=Label(rater))
    aside = (*(n for n in fields if n not in answers and n != rater), *(n for n in own if n is not None and n != rater))
    return Settled(_options(subject, rater, answers, where), sentence, findings, aside)


def _options(
    subject: str, rater: str | None, answers: tuple[str, ...], where: tuple[tuple[str, str], ...]
) -> Mapping[str, Any]:
    """The reading options of one rating in each row, or of several questions in it."""
    options: dict[str, Any] = {"subject": subject, "rater": rater, "where": where}
    if len(answers) == 1:
        options |= {"layout": Layout.LONG, "rating": answers[0]}
    else:
        options |= {"layout": Layout.QUESTIONS}
    return MappingProxyType({n: v for n, v in options.items() if v})


def _answers(table: RatingTable, fields: list[str], subject: str, rater: str | None) -> tuple[str, ...]:
    """The fields that hold answers: no dates, remarks, nor what is said once of a case or a rater."""
    closed = [n for n in fields if 1 < len(table.texts(n)) <= _MANY]
    closed = [n for n in closed if not all(is_date(t) or is_stamp(t) for t in table.texts(n))]
    return without_facts(table, without_facts(table, closed, rater), subject) if closed else ()


def _events(table: RatingTable, event: str) -> tuple[Finding, ...]:
    """A question where the names of the events do not say that they are raters: they may be times."""
    names = sorted(table.texts(event))
    if all(w.RATER_ANYWHERE.intersection(w.words(n)) for n in names):
        return ()
    first = names[0]
    return (
        block(
            "events_as_raters",
            table.place(event),
            _(
                "The events of this project, such as {names}, may be raters, or times at which a case was looked at."
            ).format(names=quoted_list(names)),
            _(
                "If they are raters, say so: --rater '{event}'. If they are times, read one of them: "
                '--where "{event}={first}".'
            ).format(event=Label(event), first=Label(first)),
            _("Shown here are events as raters; nothing is computed before you have chosen."),
            ((event,), tuple(names)),
        ),
    )


def _instances(
    table: RatingTable, subject: str, instance: str, fields: list[str], where: tuple[tuple[str, str], ...]
) -> Settled:
    """A form that is repeated for each rating, without a field that is called as one that says by whom."""
    teller = _teller(table, subject, fields)
    answers = _answers(table, [n for n in fields if n != teller], subject, teller)
    left = tuple(n for n in fields if n not in answers and n != teller)
    aside = (*left, *(n for n in (*_EVENT, *_FORM) if n in table.names), instance)
    if teller is None:
        sentence = _("A record is a case, and each repeat of the form one rating of it, by nobody who is named.")
        asked = _("The form is repeated within a record, and no field says who filled it in.")
        fix = _(
            "If a field does, name it: --rater. If the repeats are the same persons in the same order, say "
            "--rater '{n}'."
        ).format(n=Label(instance))
    else:
        sentence = _("A record is a case, and '{column}' says who rated it.").format(column=Label(teller))
        asked = _(
            "The form is repeated within a record, and '{column}' tells its repeats apart: it is taken for who rated."
        ).format(column=Label(teller))
        fix = _(
            "If it is not, name the field that is: --rater. If the repeats are the same persons in the same order, "
            "say --rater '{n}'."
        ).format(n=Label(instance))
    finding = ask("repeats_as_ratings", table.place(teller or instance), asked, fix, sentence, ((instance,),))
    kept = tuple(n for n in aside if n not in {c for c, _v in where})
    return Settled(_options(subject, teller, answers, where), sentence, (finding,), kept)


def _teller(rows: RatingTable, subject: str, fields: list[str]) -> str | None:
    """The one field of words that tells the repeats of nearly every record apart and comes again with other records."""
    names = [
        n
        for n in fields
        if 1 < len(rows.texts(n)) <= min(_MANY, rows.rows // 2)
        and not any(is_date(text) or is_stamp(text) or text.replace(".", "").isdigit() for text in rows.texts(n))
        and names_each_row(rows, subject, n)
    ]
    return names[0] if len(names) == 1 else None
