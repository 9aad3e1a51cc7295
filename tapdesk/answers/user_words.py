"""The words only the user can write: where they stand, what to ask for, and the checklist they fill (GRRAS)."""

from collections.abc import Collection
from dataclasses import dataclass

from tapdesk.language import gettext as _
from tapdesk.language import say
from tapdesk.project.project import Project


@dataclass(frozen=True, slots=True)
class Prompt:
    """One place in the report for words of the user.

    Attributes
    ----------
    place
        Its name in the notes of a project.
    section
        Key of the section it stands in.
    title
        A few words for the outline and the bold opening.
    question
        What to write there.
    lines
        Lines it takes to answer; none for places that nobody misses while they are empty.
    """

    place: str
    section: str
    title: str
    question: str
    lines: int = 1


LETTERS = "letters"
"""In place of the key of a section: words for the letters to raters, which are no part of the report."""
PROMPTS: tuple[Prompt, ...] = (
    Prompt("committee", "cover", _("Committee"), _("Name of the committee."), 0),
    Prompt("period", "cover", _("Period"), _("When the {ratings} were made."), 0),
    Prompt("version", "cover", _("Version"), _("Version of this report, such as Draft 3."), 0),
    Prompt("author", "cover", _("Prepared by"), _("Who prepared this report."), 0),
    Prompt("signers", "cover", _("Signed by"), _("Who prepares, reviews and approves: a name on each line."), 0),
    Prompt("summary", "summary", _("Summary in the committee’s words"), _("Replaces the drafted sentences."), 0),
    Prompt("instrument", "purpose", _("Instrument."), _("Which form, scale or question was used, and its classes?")),
    Prompt("cases", "purpose", _("{Subjects}."), _("Which kind of {subjects} are these results meant for?")),
    Prompt("raters", "purpose", _("{Raters}."), _("Which kind of {raters} are these results meant for?")),
    Prompt("known", "purpose", _("Known before."), _("What was known about agreement here, and why this study?"), 2),
    Prompt(
        "size", "design", _("Numbers planned."), _("How many {subjects}, {raters} and repeats were planned, and why?")
    ),
    Prompt("sampling", "design", _("Choice."), _("How were {subjects} and {raters} chosen?")),
    Prompt(
        "process", "design", _("Process."), _("Blinding, timing, information available, training: how was it rated?")
    ),
    Prompt(
        "independence",
        "design",
        _("Independence."),
        _("Did the {raters} judge alone? Are these the {ratings} before or after discussion?"),
    ),
    Prompt(
        "experience", "data", _("Experience."), _("Who were the {raters} and {subjects}: training, experience, mix?")
    ),
    Prompt("relevance", "meaning", _("Practical meaning."), _("What do these results mean for the work here?")),
    Prompt("conclusion", "meaning", _("Conclusion of the committee."), _("What does the committee conclude?"), 3),
    Prompt("actions", "actions", _("Actions."), _("One action on each line: what, who, by when."), 5),
    Prompt("sender", LETTERS, _("Sender"), _("Who sends the private letters to the {raters}."), 0),
    Prompt("contact", LETTERS, _("Contact"), _("Where {raters} ask back about their letter."), 0),
    Prompt("readers", LETTERS, _("Readers"), _("Who else sees the number of {a_rater}: it stands on each letter."), 0),
)


def short_title(place: str) -> str:
    """What stands at a place in a few words, as a list names it; things are called as the file calls them."""
    own = {"cases": _("Kind of {subjects}"), "raters": _("Kind of {raters}"), "known": _("What was known before")}
    if place in own:
        return own[place].format()
    title = next(prompt.title for prompt in PROMPTS if prompt.place == place)
    return say(title).rstrip(".")


def comment(section: str) -> str:
    """The place of the committee's comment on a section."""
    return f"comment.{section}"


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the checklist.

    Attributes
    ----------
    number
        1 to 15, as published.
    asks
        What the item asks for, in few words.
    section
        Key of the section that answers it.
    filled
        Whether it is answered.
    place
        Where the user can answer it; empty where the program does.
    """

    number: int
    asks: str
    section: str
    filled: bool
    place: str = ""


# Kottner et al. (2011), Guidelines for Reporting Reliability and Agreement Studies, J Clin Epidemiol 64, 96-106; the
# wording is ours. Either a place for the user's words, or what the program itself prints.
_ITEMS: tuple[tuple[str, str, str], ...] = (
    (_("The title says that agreement between {raters} was studied"), "cover", ""),
    (_("The instrument and its classes"), "purpose", "instrument"),
    (_("The kind of {subjects}"), "purpose", "cases"),
    (_("The kind of {raters}"), "purpose", "raters"),
    (_("What was known before, and why this study"), "purpose", "known"),
    (_("How the numbers of {subjects}, {raters} and repeats were chosen"), "design", "size"),
    (_("How {subjects} and {raters} were chosen"), "design", "sampling"),
    (_("How it was rated: timing, training, blinding"), "design", "process"),
    (_("Whether {ratings} were made independently"), "design", "independence"),
    (_("The statistical analysis"), "model", ""),
    (_("The numbers of {subjects}, {raters} and repeats there were"), "data", ""),
    (_("Who the {raters} and {subjects} were"), "data", "experience"),
    (_("Estimates of agreement and reliability, with uncertainty"), "results", ""),
    (_("What the results mean in practice"), "meaning", "relevance"),
    (_("Detailed results"), "counts", ""),
)


def items(project: Project, left_out: Collection[str] = ()) -> tuple[Item, ...]:
    """The fifteen items of the checklist, and which are answered: none in a section that is left out."""
    has_data = project.reading is not None
    has_answer = any(a.fit is not None for a in project.analyses)
    by_program = {"cover": True, "model": has_answer, "data": has_data, "results": has_answer, "counts": has_data}
    return tuple(
        Item(
            i + 1,
            asks,
            section,
            section not in left_out and (bool(project.notes.get(place, "").strip()) if place else by_program[section]),
            place,
        )
        for i, (asks, section, place) in enumerate(_ITEMS)
    )


def grras_meter(project: Project, left_out: Collection[str] = ()) -> tuple[int, int, tuple[Item, ...]]:
    """How many of the fifteen items are answered, fifteen, and the items themselves."""
    result = items(project, left_out)
    return sum(item.filled for item in result), len(result), result
