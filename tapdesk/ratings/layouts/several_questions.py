"""What is said where a file holds several questions and none of them is chosen, and the ways to choose one."""

from collections.abc import Mapping, Sequence

from tapdesk.errors import SeveralQuestionsError
from tapdesk.language import Label, joined
from tapdesk.language import gettext as _
from tapdesk.ratings.findings import label_text, quoted_list
from tapdesk.ratings.layouts.two_readings import choice, questions
from tapdesk.ratings.layouts.understanding import Understanding
from tapdesk.ratings.options import Layout, ReadingOptions
from tapdesk.ratings.table import RatingTable

_OFFERED = 12  # more questions than this are no choice at a glance


def of_crossed_columns(table: RatingTable, groups: Mapping[str, Sequence[str]]) -> SeveralQuestionsError:
    """What is said where columns stand for a question and a rater each and none of the questions is chosen."""
    names = list(groups)
    return SeveralQuestionsError(
        _("The file holds {asked} questions, and one analysis answers one of them.").format(asked=len(names)),
        table.file,
        _("Choose one with --layout raters --only '{first}'; the questions are {asked}.").format(
            first=Label(names[0]), asked=quoted_list(names, 8)
        ),
        ways=[(label_text(n), {"layout": Layout.RATERS, "question": None, "only": n}) for n in names[:_OFFERED]],
        each=[(n, {"layout": Layout.RATERS, "question": None, "only": n}) for n in names],
    )


def of_column(
    table: RatingTable, question: str, values: Sequence[str], options: ReadingOptions
) -> SeveralQuestionsError:
    """What is said where a column names several questions and none of them is chosen.

    What the columns are for is told by all rows together: those of one question alone may look like something else.
    """
    layout = Layout.QUESTIONS if options.layout is Layout.AUTO else options.layout
    given = ("subject", "rater", "rating", "columns")
    own: dict[str, object] = {n: sentence for n in given if (sentence := getattr(options, n)) is not None}
    if layout in {Layout.LONG, Layout.RATERS}:
        own["layout"] = layout
    inside = list(dict.fromkeys(t for v in table.column(question).used().values if (t := v.strip())))
    return SeveralQuestionsError(
        _("The column '{question}' names {values} questions, and one analysis answers one of them.").format(
            question=Label(question), values=len(values)
        ),
        f"{table.file}, {table.place(question)}",
        _("Choose one with --question '{question}' --only '{first}'; the questions are {values}.").format(
            question=Label(question), first=Label(values[0]), values=quoted_list(values, 8)
        ),
        ways=[(label_text(v), {**own, "layout": layout, "question": question, "only": v}) for v in values[:_OFFERED]],
        # In the order of the file.
        each=[(v, {**own, "question": question, "only": v}) for v in inside],
    )


def of_columns(table: RatingTable, subject: str, rater: str | None, names: Sequence[str]) -> SeveralQuestionsError:
    """What is said where several columns hold a question each and none of them is chosen."""
    columns = {"layout": Layout.QUESTIONS, "subject": subject, "rater": rater}
    ways: list[tuple[str, dict[str, object]]] = [(label_text(n), {**columns, "only": n}) for n in names[:_OFFERED]]
    read = _read_as(table, subject, rater, names)
    instead = _("If each of these columns is a rater instead, say --layout raters.")
    ways += _as_raters(subject, names)
    return SeveralQuestionsError(
        joined(
            _("The file holds {asked} questions, and one analysis answers one of them.").format(asked=len(names)), read
        ),
        table.file,
        joined(
            _("Choose one with --only; the questions are {asked}.").format(asked=quoted_list(names, 8)),
            instead,
        ),
        ways=ways,
        each=[(n, {**columns, "only": n}) for n in names],
    )


def of_rows(table: RatingTable, best: Understanding) -> SeveralQuestionsError:
    """The same where a column names the questions, and the rows tell that it does."""
    request, question = questions(table, best), best.question or ""
    return SeveralQuestionsError(
        _("The column '{question}' names {values} questions, and one analysis answers one of them.").format(
            question=Label(question), values=len(request)
        ),
        f"{table.file}, {table.place(question)}",
        _("Choose one with --question '{question}' --only '{first}'; the questions are {values}.").format(
            question=Label(question), first=Label(request[0]), values=quoted_list(request, 8)
        ),
        ways=[(label_text(v), choice(table, best, v)) for v in request[:_OFFERED]],
        each=[(v, choice(table, best, v)) for v in request],
    )


def _read_as(table: RatingTable, subject: str, rater: str | None, names: Sequence[str]) -> str:
    """One cell read both ways, as sentences; empty where nobody is named beside a case."""
    row = table.rows // 2
    given = table.column(names[0]).text(row).strip() if names and table.rows else ""
    if rater is None or not given:
        return ""
    sentence = _(
        "As questions: {who} ({rater}) answered '{question}' of {case} with '{given}'. As raters: the rater {question} "
        "gave {case} the rating '{given}'."
    )
    who, case = (label_text(table.column(n).text(row).strip()) for n in (rater, subject))
    question = label_text(names[0], 40)
    return sentence.format(who=who, rater=Label(rater), question=Label(question), case=case, given=label_text(given))


def _as_raters(subject: str, names: Sequence[str]) -> list[tuple[str, dict[str, object]]]:
    """The way of reading in which each column is a rater, where there are several."""
    columns: dict[str, object] = {"layout": Layout.RATERS, "subject": subject, "columns": tuple(names)}
    return [(_("Each column is a rater"), columns)] if len(names) > 1 else []
