"""Exports of survey programs: each row is what one person answered, after columns that the program wrote itself.

Sources of the formats: Qualtrics, "Understanding Your Dataset", qualtrics.com/support/survey-platform/
data-and-analysis-module/data/download-data/understanding-your-dataset (CSV and TSV have three header rows, the first
with the names of the fields, the third with the ImportId of each column), and the reader of the R package qualtRics;
Google Forms writes ``Timestamp`` first, in the language of the form; Microsoft Forms ``ID, Start time, Completion time,
Email, Name``, then perhaps ``Last modified time, Total points, Quiz feedback``, as public scripts drop them (its help
names no columns); LimeSurvey manual, "Exporting results", and rdrr.io/cran/limonaid/man/limer_get_responses.html
(question codes as ``Q1[SQ001]``, or with ``_``, after ``id, submitdate, lastpage, startlanguage, seed``).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tapdesk.language import Label, ngettext
from tapdesk.language import gettext as _
from tapdesk.ratings import vocabulary as w
from tapdesk.ratings.findings import Finding, ask, block, quoted_list
from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.layouts.structure import Key, RowsBy, key
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable
from tapdesk.ratings.trades.export import Export, Head, Settle, Settled, alike_columns, is_stamp

_IMPORT_ID = re.compile(r'\{\s*"+ImportId"+\s*:\s*"+([^"]+)')
# What Qualtrics writes beside the answers, by the ImportId of the column and by its name in the first row.
_QUALTRICS = {
    "startDate": "StartDate", "endDate": "EndDate", "status": "Status", "ipAddress": "IPAddress",
    "progress": "Progress", "duration": "Duration (in seconds)", "finished": "Finished",
    "recordedDate": "RecordedDate", "_recordId": "ResponseId", "recipientLastName": "RecipientLastName",
    "recipientFirstName": "RecipientFirstName", "recipientEmail": "RecipientEmail",
    "externalDataReference": "ExternalReference", "locationLatitude": "LocationLatitude",
    "locationLongitude": "LocationLongitude", "distributionChannel": "DistributionChannel",
    "userLanguage": "UserLanguage",
}  # fmt: skip
_QUALTRICS_AGAIN = frozenset({"Start Date", "End Date", "Response Type", "Recorded Date", "Response ID", "Finished"})
_TIMING = re.compile(r".*_(?:First Click|Last Click|Page Submit|Click Count)|.*_DO(?:_.*)?|Q_.*")
_PREVIEWS = frozenset({"Survey Preview", "Spam", "1", "8", "9"})


def qualtrics(head: Head) -> Export | None:
    """An export of Qualtrics: three header rows in text, two in a workbook."""
    known = head.named(_QUALTRICS.values())
    rows = 1
    if head.grid.rows > 2:
        ids = [_IMPORT_ID.match(t.strip()) for t in head.grid.row(2)]
        again = sum(t.strip() in _QUALTRICS_AGAIN for t in head.grid.row(1))
        filled = sum(bool(n) for n in head.names)
        if filled and sum(m is not None for m in ids) * 2 > filled:
            rows = 3
            own = {n for n, m in zip(head.names, ids, strict=True) if m is not None and m[1] in _QUALTRICS}
            known = tuple(dict.fromkeys((*known, *(n for n in head.names if n in own))))
        elif again >= 3:
            rows = 2
    if rows == 1 and (len(known) < 5 or not head.has("ResponseId")):
        return None
    aside = (*known, *(n for n in head.names if _TIMING.fullmatch(n) and n not in known))
    return Export(
        "Qualtrics",
        _responses("Qualtrics", ("RecipientEmail", "ExternalReference"), "ResponseId", _texts_of(head, rows)),
        header_rows=rows,
        aside=aside,
        naming=("RecipientEmail", "ExternalReference", "ResponseId"),
        findings=_previews(head, rows),
    )


def _texts_of(head: Head, rows: int) -> Mapping[str, str]:
    """What each question asks, which stands below its name."""
    return dict(zip(head.names, head.grid.row(1), strict=True)) if rows > 1 else {}


def _previews(head: Head, rows: int) -> tuple[Finding, ...]:
    """Responses that were given to try the survey, or taken for spam."""
    if not head.has("Status"):
        return ()
    odd = sorted(head.texts("Status", rows) & _PREVIEWS)
    return tuple(
        ask(
            "survey_previews",
            "Status",
            _("Some responses have the status '{status}': they may be trials of the survey.").format(
                status=Label(status)
            ),
            _('If so, leave them out: --where "Status!={status}".').format(status=Label(status)),
            _("They are read like all others."),
            (("Status",), (status,)),
        )
        for status in odd
    )


# The first column of Google Forms, and what it calls the person, in the languages of the form.
_TIMESTAMP = frozenset(
    {
        "timestamp", "zeitstempel", "horodateur", "marca temporal", "informazioni cronologiche",
        "carimbo de data/hora", "tijdstempel",
    }
)  # fmt: skip
_GOOGLE_PERSON = frozenset(
    {
        "email address", "username", "e-mail-adresse", "nutzername", "adresse e-mail", "nom d'utilisateur",
        "dirección de correo electrónico", "nombre de usuario", "indirizzo email", "nome utente",
        "endereço de e-mail", "nome de usuário", "e-mailadres", "gebruikersnaam",
    }
)  # fmt: skip
_GOOGLE_SCORE = frozenset({"score", "punkte", "punktzahl", "puntuación", "punteggio", "pontuação", "score total"})


def google_forms(head: Head) -> Export | None:
    """An export of Google Forms: the time of each response comes first, in the language of the form."""
    first = head.names[0] if head.names else ""
    if first.casefold() not in _TIMESTAMP or len(head.names) < 2:
        return None
    stamps = head.texts(first)
    if not stamps or not all(map(is_stamp, stamps)):
        return None
    points = (
        n for n in head.named(_GOOGLE_SCORE) if all(re.fullmatch(r"[\d.,]+ ?/ ?[\d.,]+", t) for t in head.texts(n))
    )
    return Export(
        "Google Forms",
        _responses("Google Forms", head.named(_GOOGLE_PERSON), None),
        aside=(first, *points),
        naming=head.named(_GOOGLE_PERSON),
    )


# Microsoft Forms, in the languages of the form: the number of the response, its two times, who gave it.
_MICROSOFT: tuple[tuple[str, str, str, str, str], ...] = (
    ("ID", "Start time", "Completion time", "Email", "Name"),
    ("ID", "Startzeit", "Fertigstellungszeit", "E-Mail", "Name"),
    ("ID", "Heure de début", "Heure de fin", "Adresse de messagerie", "Nom"),
    ("ID", "Hora de inicio", "Hora de finalización", "Correo electrónico", "Nombre"),
    ("ID", "Ora di inizio", "Ora di completamento", "Posta elettronica", "Nome"),
    ("ID", "Hora de início", "Hora de conclusão", "Email", "Nome"),
    ("Id", "Begintijd", "Tijd van voltooien", "E-mail", "Naam"),
)
_MICROSOFT_BESIDE = re.compile(
    r"(?:Points|Feedback|Punkte|Commentaires) - .*|Last modified time|Total points|Quiz feedback|Language"
    r"|Grade posted time|Uhrzeit der letzten Änderung|Heure de la dernière modification"
    r"|Hora de la última modificación",
    re.IGNORECASE,
)
_NOBODY = frozenset({"anonymous", "anonym", "anonyme", "anónimo", "anonimo", "anônimo", "anoniem"})


def microsoft_forms(head: Head) -> Export | None:
    """An export of Microsoft Forms: the number of the response and its two times come first."""
    row = next((row for row in _MICROSOFT if head.has(*row[:3])), None)
    if row is None or [n.casefold() for n in head.names[:3]] != [n.casefold() for n in row[:3]]:
        return None
    times = head.texts(row[1]) | head.texts(row[2])
    if not times or not all(map(is_stamp, times)) or not all(t.isdigit() for t in head.texts(row[0])):
        return None
    who = tuple(n for n in head.named((row[4], row[3])) if not {t.casefold() for t in head.texts(n)} <= _NOBODY)
    items = tuple(n for n in head.names if _MICROSOFT_BESIDE.fullmatch(n))
    # The name before the address: people know each other by it.
    who = tuple(sorted(who, key=lambda n: n.casefold() != row[4].casefold()))
    return Export(
        "Microsoft Forms",
        _responses("Microsoft Forms", who, row[0]),
        aside=(*head.named(row), *items),
        naming=(*who, head.names[0]),
    )


_LIME = frozenset(
    {
        "id", "submitdate", "lastpage", "startlanguage", "seed", "startdate", "datestamp", "ipaddr", "refurl", "token",
        "response id", "date submitted", "last page", "start language", "date started", "date last action",
        "ip address", "referrer url", "access code", "antwort id", "datum abgeschickt", "letzte seite", "start-sprache",
        "datum gestartet", "datum letzte aktivität", "ip-adresse", "zugangsschlüssel", "total time",
    }
)  # fmt: skip
_LIME_SURE = frozenset({"lastpage", "startlanguage", "last page", "start language", "letzte seite", "start-sprache"})
_LIME_FIRST = frozenset({"id", "response id", "antwort id"})
_LIME_TIMES = re.compile(r"interviewtime|groupTime\d+|.+Time|Question time: .*|Group time: .*")


def limesurvey(head: Head) -> Export | None:
    """An export of LimeSurvey: the number of the response, when it was sent, and the language come first."""
    names = [n.casefold() for n in head.names]
    if not names or names[0] not in _LIME_FIRST or not _LIME_SURE.intersection(names):
        return None
    known = head.named(_LIME)
    if len(known) < 4 or not all(t.isdigit() for t in head.texts(head.names[0])):
        return None
    times = tuple(n for n in head.names if _LIME_TIMES.fullmatch(n)) if head.has("interviewtime") else ()
    token = head.named({"token", "access code", "zugangsschlüssel"})
    return Export(
        "LimeSurvey",
        _responses("LimeSurvey", token, head.names[0]),
        aside=(*known, *times),
        naming=(*token, head.names[0]),
        findings=_unfinished(head),
    )


def _unfinished(head: Head) -> tuple[Finding, ...]:
    """Responses that were begun and never sent."""
    name = next(iter(head.named({"submitdate", "date submitted", "datum abgeschickt"})), None)
    missing = 0 if name is None else int(head.column(name).blank[1:].sum())
    if not missing:
        return ()
    sentence = ngettext("{n:,} response was never sent off.", "{n:,} responses were never sent off.", missing)
    return (
        ask(
            "unfinished_responses",
            name or "",
            sentence.format(n=missing),
            _("If only finished ones count, export completed responses only."),
            _("What was answered in them is read like all else."),
        ),
    )


def _responses(
    program: str, persons: Sequence[str], number: str | None, texts: Mapping[str, str] = MappingProxyType({})
) -> Settle:
    """How the rows of a survey are settled: a form for each case, or one row for each person.

    Parameters
    ----------
    program
        What to call it in a sentence.
    persons
        Columns of the program that name who answered, the best first.
    number
        The column that numbers the responses.
    texts
        What is asked, by the name of the column, where names are only codes.
    """

    def settle(table: RatingTable, options: ReadingOptions) -> Settled:
        answers = [n for n in table.names if n not in {*persons, number}]
        there = [n for n in persons if n in table.names and table.texts(n)]
        there += _asked_for_names(table, answers, texts)
        form = _form(table, there, number, options, texts)
        if form is not None:
            return _one_form_each(form, program, sure=form.partner in there)
        responses = _one_row_each(table, program, answers, there, number, options)
        columns = responses.options.get("columns", ())
        rest = [n for n in answers if n not in columns]
        cases = next((n for n in rest if _names_cases(table, n, texts.get(n, "") or n)), None)
        if cases is None or not columns or options.layout is not Layout.AUTO:
            return responses
        return replace(responses, findings=(_of_a_case_each(program, cases, columns),))

    return settle


def _asked_for_names(table: RatingTable, names: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """The questions that ask who somebody is, as their names or their texts say."""
    persons = w.RATER_ANYWHERE | w.RATER_PERHAPS | {"name", "nom", "nombre", "nome", "naam", "who", "you"}
    by_key = {n: {*w.words(n), *w.words(texts.get(n, ""))} for n in names}
    return [n for n in names if persons & by_key[n] and not r.is_numbered_seat(n) and table.texts(n)]


def _form(
    table: RatingTable,
    persons: Sequence[str],
    number: str | None,
    options: ReadingOptions,
    texts: Mapping[str, str],
) -> Key | None:
    """The key of a table in which everybody fills in a form for each case; None where there is no such key."""
    # Q1 is the code of a question here, never a seat: what it asks tells, where that is known.
    name_of = dict(zip(table.names, _spoken(table.names, texts), strict=True))
    back = {spoken: name for name, spoken in name_of.items()}
    spoken = replace(table, names=tuple(name_of.values()))
    apart = () if number not in name_of else (name_of[number],)
    subject = name_of.get(options.subject or "")
    result = None
    for person in (options.rater,) if options.rater else persons:
        if result is None and person in name_of and 2 * len(table.texts(person)) <= table.rows:
            result = key(spoken, subject, name_of[person], apart)
    if result is None:
        result = key(spoken, subject, None, apart)
        result = result if result is not None and result.by in {RowsBy.RATER, RowsBy.UNKNOWN} else None
    if result is None:
        return None
    answers = tuple(back[n] for n in result.answers)
    return replace(result, subject=back[result.subject], partner=back[result.partner], answers=answers)


def _spoken(names: Sequence[str], texts: Mapping[str, str]) -> list[str]:
    """Columns by what they ask, or by their code behind a sign that is no word; all different."""
    made: list[str] = []
    for name in names:
        text = texts.get(name, "").strip() or (f"§ {name}" if r.is_numbered_seat(name) else name)
        made.append(f"{text} § {name}" if text in made or text in names[len(made) + 1 :] else text)
    return made


def _one_form_each(result: Key, program: str, *, sure: bool) -> Settled:
    """Each response is a form about a case; asked about where only what the columns hold says who filled it in."""
    sentence = _("Each response is the form that one '{rater}' filled in about one '{case}'.").format(
        rater=Label(result.partner), case=Label(result.subject)
    )
    options: dict[str, Any] = {"subject": result.subject, "rater": result.partner}
    if len(result.answers) == 1:
        options |= {"layout": Layout.LONG, "rating": result.answers[0]}
    else:
        options |= {"layout": Layout.QUESTIONS}
    request = ask(
        "roles_by_values",
        "",
        _(
            "No question of this export of {program} is called like a case or a rater; what they hold was looked at."
        ).format(program=program),
        _("If they are something else, name them: --subject and --rater."),
        sentence,
    )
    return Settled(MappingProxyType(options), sentence, () if sure else (request,))


def _one_row_each(
    table: RatingTable,
    program: str,
    answers: Sequence[str],
    persons: Sequence[str],
    number: str | None,
    options: ReadingOptions,
) -> Settled:
    """Each response is a person who judges what the questions name, unless columns are called like raters."""
    columns = options.columns or alike_columns(table, answers)
    seats = [n for n in columns if r.is_rater_column(n) and not re.fullmatch(r"Q\d+.*", n, re.IGNORECASE)]
    if len(columns) < 2 or 2 * len(seats) > len(columns):
        return Settled(told=_("What its columns are for is told by what they hold."))
    named = next((n for n in persons if table.all_different(n)), None)
    who = named or (number if number in table.names else None)
    settled: Mapping[str, Any] = MappingProxyType({"layout": Layout.SUBJECTS, "rater": who, "columns": columns})
    sentence = _("Each response is read as a rater, and each of {n} questions as a case: {columns}.").format(
        n=len(columns), columns=quoted_list(columns)
    )
    finding = ask(
        "responses_are_raters",
        "",
        _("In an export of {program} each row is a person; {n} questions share their answers.").format(
            program=program, n=len(columns)
        ),
        _(
            "If each row is a case and each question a rater, say --layout raters. If the questions are not about "
            "cases that are alike, name those that are (--columns)."
        ),
        sentence,
        (columns,),
    )
    return Settled(settled, sentence, (finding,))


def _names_cases(table: RatingTable, name: str, text: str) -> bool:
    """Whether a column asks for a case, as its text says, and most of what it names comes again."""
    return r.is_called(text, w.SUBJECT) and 2 <= len(table.texts(name)) <= table.rows // 2


def _of_a_case_each(program: str, cases: str, columns: Sequence[str]) -> Finding:
    """The question whether responses are about one case each, which a column names, or whether questions are cases."""
    return block(
        "responses_are_raters",
        "",
        _(
            "In an export of {program} each row is a response, and '{case}' says the same in several of them: each may "
            "be about one case, answered by people without a name, or about all of {n} questions as cases."
        ).format(program=program, case=Label(cases), n=len(columns)),
        _(
            "If each is about one case, say --layout questions --subject '{case}' --only '{first}'. If each question "
            'is a case and each row a rater, say --layout subjects --columns "{columns}".'
        ).format(case=Label(cases), first=Label(columns[0]), columns=Label(",".join(columns))),
        _("Shown here is each row as a rater; nothing is computed before you have chosen."),
        (tuple(columns), (cases,)),
    )
