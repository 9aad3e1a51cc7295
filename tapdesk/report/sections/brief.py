"""The sections of the committee's brief: the first page answers, the second tells what it rests on and is signed."""

from collections.abc import Mapping

from tapdesk.answers import award_brief, brief, fit_tables, fit_words, numbers, user_words
from tapdesk.answers import awards as award_words
from tapdesk.answers.content import Blank, Block, Column, Paragraph, Picture, Signature, Table, Tone
from tapdesk.answers.part import Answer
from tapdesk.answers.pseudonyms import coded_log
from tapdesk.answers.question import awarded
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.project.damage import open_line
from tapdesk.project.decisions.base import DecisionStatus
from tapdesk.ratings.options import Layout
from tapdesk.ratings.reading import rows_summary
from tapdesk.report.report import Section
from tapdesk.report.sections.appendix import RECORD_AID
from tapdesk.report.sections.context import Context
from tapdesk.studies.award_answer import Awards, ScoreKind
from tapdesk.version import VERSION

_MOST_DECISIONS = 3
_LONGEST = 220
_MOST_ACTIONS = 4
_MOST_CLASSES = 12
_Rows = list[tuple[str, str, tuple[Block, ...]]]


def brief_sections(context: Context) -> tuple[Section, ...]:
    """Both pages, section by section; the second begins with the first section that is `Section.fresh`."""
    answer = None if context.ratings is None else context.answer(context.main)
    result = None if answer is None else awarded(answer)
    rows: _Rows = [("brief-answer", _("Answer"), _answer(context, answer))]
    basis = ("brief-basis", _("What it rests on"), _basis(context))
    if answer is not None and result is not None:
        rows += [*award_brief.first_page(result, answer), basis]
        rows.append(("brief-apart", _("How the {raters} score").format(), award_brief.judges_blocks(result)))
        rows.append(("brief-cases", _("{Subjects} to discuss").format(), award_brief.discuss_blocks(result, answer)))
        limits = award_words.not_said(result)
    else:
        rows += [*_knowledge(answer), basis]
        if answer is not None and answer.result is not None:
            rows.append(("brief-cases", _("{Subjects} to discuss").format(), brief.cases_blocks(answer)))
        limits = fit_words.not_said(context.ratings, context.key)
    listed = any(isinstance(block, Table) for key, _title, blocks in rows if key == "brief-cases" for block in blocks)
    rows += [
        ("brief-limits", _("What it does not say"), (Paragraph(limits), *_missing(context))),
        (
            "brief-conclusion",
            _("Conclusion of the committee"),
            conclusion(context.project.notes, result, listed=listed),
        ),
        ("brief-signatures", _("Signatures"), signatures(context.project.notes)),
    ]
    return tuple(
        Section(key, title, blocks, numbered=False, fresh=key == "brief-basis") for key, title, blocks in rows if blocks
    )


def _knowledge(answer: Answer | None) -> _Rows:
    """The first page below its sentence, where it is asked how much is knowledge: key, title and blocks of each."""
    rows: _Rows = []
    if answer is not None and answer.result is not None:
        rows.append(("brief-split", _("Knowledge and luck"), brief.split_blocks(answer)))
    table = None if answer is None else brief.numbers_table(answer)
    rows.append(("brief-numbers", _("The numbers"), () if table is None else (table,)))
    if answer is not None:
        apart = brief.apart_blocks(answer)
        drawn = any(isinstance(block, Picture) for _key, _title, blocks in rows for block in (*blocks, *apart))
        more = () if drawn else brief.class_blocks(answer)
        # A table of a brief has no title above it but that of its section.
        titles = [block.title for block in more if isinstance(block, Table)]
        rows.append(("brief-classes", titles[0] if titles else _("What is left open"), more))
        rows.append(("brief-apart", _("Who stands apart"), apart))
    return rows


def _answer(context: Context, answer: Answer | None) -> tuple[Block, ...]:
    """The committee's own sentences, else those of the window; and what must not be overlooked."""
    own = context.words("summary")
    blocks: list[Block] = []
    if answer is None:
        return (Paragraph(_("No {ratings} have been read yet, so there is nothing to report."), Tone.LEAD),)
    if own:
        lines = [p for p in own.split("\n") if p.strip()]
        blocks += [Paragraph(line, Tone.LEAD if not i else Tone.BODY) for i, line in enumerate(lines)]
        blocks.append(Paragraph(_("These sentences were written by the committee, not drafted by the program.")))
    elif answer.result is None:
        words = _("No analysis has been run. This brief describes the data only.")
        blocks.append(Paragraph(_unanswered(context) or words, Tone.LEAD))
    else:
        sentence, follows = brief.answer_words(answer)
        blocks += [Paragraph(sentence, Tone.LEAD), *([Paragraph(follows)] if follows else [])]
    if (result := awarded(answer)) is not None:
        # What is said of one accuracy for all is no warning about awards.
        return (*blocks, *brief.read_with_care((*_about_data(context), *award_words.caveats(result))))
    first = _about_data(context)
    if why := award_brief.why_no_awards(answer):
        first.insert(0, _("Who wins cannot be told. {why}").format(why=why))
    return (*blocks, *brief.warnings(answer, first))


def _unanswered(context: Context) -> str:
    """Why there is no answer, where the data themselves are the reason."""
    ratings = context.ratings
    if ratings is None or not ratings.rating_count:
        return _("The file holds no {ratings}.").format()
    used = [c for c, share in zip(ratings.classes, ratings.class_rates(), strict=True) if share > 0]
    if len(used) == 1:
        return _("Every {rating} is “{which}”, so there is nothing to tell knowledge from luck by.").format(
            which=numbers.short(used[0])
        )
    if ratings.ratings_per_subject().max() < 2:
        return _("No {subject} has two {ratings}, so nothing shows whether {raters} agree.").format()
    return ""


def _about_data(context: Context) -> list[str]:
    """Warnings about the data and what was decided, the gravest first."""
    stale = [d for d in context.done if d.analysis.stale]
    text = context.names.text
    found = []
    if stale and context.main is None:
        found.append(_("The data have changed since the numbers were worked out: run the analysis again."))
    line = open_line(context.project)
    found.append(numbers.short(text(line), _LONGEST) if line else "")
    return found


def _basis(context: Context) -> tuple[Block, ...]:
    """Cases, raters, what was left out, what was decided and what is still open."""
    ratings, reading = context.ratings, context.project.reading
    if ratings is None or reading is None:
        return ()
    each = fit_tables.spread(ratings.ratings_per_subject())
    used = _("{n} {subjects} and {m} {ratings} by {k} {raters}: {each} {ratings} of each {subject}.")
    if not ratings.raters_known:
        used = _("{n} {subjects} and {m} {ratings}: {each} of each {subject}; who gave which is not known.")
    fields = {
        "n": numbers.count(ratings.subject_count),
        "k": numbers.count(len(ratings.raters)),
        "m": numbers.count(ratings.rating_count),
        "each": each,
    }
    # Nobody named these cases: their names are made of the table, which has to be told once.
    crossed = reading.options.layout is Layout.CONFUSION
    called = _("A {subject} is called by its row and its column of the table, as row / column.").format()
    rows = [(_("Used"), joined(used.format(**fields), called if crossed else ""))]
    classes = numbers.shorts(ratings.classes, 40)
    more = _("and {n} more").format(n=len(classes) - _MOST_CLASSES) if len(classes) > _MOST_CLASSES else ""
    rows.append((_("Answers"), joined(*classes[:_MOST_CLASSES], more, sep="; ")))
    rows.append((_("Left out"), _left_out(context)))
    rows.append((_("Decided"), _decided(context)))
    line = context.names.text(open_line(context.project))
    rows.append((_("Still open"), numbers.short(line, _LONGEST) if line else _("Nothing: every check was answered.")))
    open_items = _open_items(context)
    if open_items:
        rows.append((_("Not stated"), open_items))
    return (Table(_("What it rests on"), (Column(""), Column("", wide=True)), tuple(rows), headed=False),)


def _left_out(context: Context) -> str:
    """What of the file is not among the ratings."""
    reading, ratings = context.project.reading, context.ratings
    if reading is None or ratings is None:
        return ""
    kept = rows_summary(reading)
    out = max(reading.as_read.rating_count - ratings.rating_count, 0) + reading.left_out_ratings
    sentences = [context.names.text(kept)] if kept else []
    if out:
        sentences.append(_("{m} {ratings}.").format(m=numbers.count(out)))
    if reading.left_out_subjects:
        sentences.append(_("{n} {subjects}.").format(n=numbers.count(reading.left_out_subjects)))
    if reading.missing:
        sentences.append(_("{n} cells hold no {rating}.").format(n=numbers.count(reading.missing)))
    return joined(*sentences) or _("Nothing.")


def _decided(context: Context) -> str:
    """The decisions in force, the first few in words."""
    log = coded_log(context.project, context.names)
    rows = [row for row in log if row.standing is DecisionStatus.IN_FORCE]
    if not rows:
        return _("Nothing was changed or merged after the file was read.")
    first = [numbers.short(str(row.words), _LONGEST) for row in rows[:_MOST_DECISIONS]]
    more = len(rows) - len(first)
    return joined(*first, _("And {n} more, in the decisions log.").format(n=more) if more else "")


def _open_items(context: Context) -> str:
    """What a reader of such a study would ask for and nobody wrote, in one line; empty where all is there."""
    _filled, _all, items = user_words.grras_meter(context.project, context.left_out)
    return joined(*(user_words.short_title(item.place) for item in items if not item.filled and item.place), sep="; ")


def _missing(context: Context) -> tuple[Block, ...]:
    ratings = context.ratings
    each = None if ratings is None else ratings.ratings_per_subject()
    if each is None or not each.size or each.min() == each.max():
        return ()
    return (Paragraph(fit_words.missing_rule()),)


def _lines(notes: Mapping[str, str], place: str) -> list[str]:
    return [line.strip() for line in notes.get(place, "").split("\n") if line.strip()]


def conclusion(notes: Mapping[str, str], result: Awards | None = None, *, listed: bool) -> tuple[Block, ...]:
    """What the committee concluded and is to do; without a conclusion three to choose from with a tick.

    Parameters
    ----------
    notes
        The committee's own words.
    result
        Of a brief about awards the answer; None for any other.
    listed
        Whether cases are listed above, which may be decided first.
    """
    blocks: list[Block] = [Paragraph(line) for line in _lines(notes, "conclusion")]
    if not blocks:
        choices = (
            _("The {ratings} can be used."),
            _("They can be used once the {subjects} above are decided."),
            _("Rate again."),
        )
        if result is not None and result.kind is not ScoreKind.CLASSES:
            choices = (
                _("The awards stand as they were given."),
                _("They stand once the {subjects} above are decided."),
                _("Judge again."),
            )
        blocks = [Blank(choice.format(), 0) for choice in (choices if listed else choices[::2])]
    actions = enumerate(_lines(notes, "actions")[:_MOST_ACTIONS])
    return (*blocks, *(Paragraph(line, opening=_("To do.") if not i else "") for i, line in actions))


def signatures(notes: Mapping[str, str]) -> tuple[Block, ...]:
    """Three lines for ink, each with its meaning and the name of who signs, and how the pages are checked."""
    signers = _lines(notes, "signers") or _lines(notes, "author")[:1]
    roles = (
        (_("Prepared by"), _("I made this analysis from the data named on page 1.")),
        (_("Reviewed by"), _("I have read it and checked it against the data.")),
        (_("Approved by"), _("The committee accepts this brief.")),
    )
    named = [*signers, *("" for _role in roles)][: len(roles)]
    blocks: list[Block] = [
        Signature(role, meaning if not name else _("{name}. {meaning}").format(name=name, meaning=meaning))
        for (role, meaning), name in zip(roles, named, strict=True)
    ]
    check = _(
        "To check it, open the PDF with tapdesk {version} (File, Verify a report): it says whether pages and numbers "
        "are those that were issued."
    ).format(version=VERSION)
    return (*blocks, Paragraph(joined(RECORD_AID, check), Tone.BOXED))
