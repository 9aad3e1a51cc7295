"""Sections: what it means and what it does not, and what is to be done."""

from tapdesk.answers import fit_words as words
from tapdesk.answers.content import Blank, Block, Column, Paragraph, Table, Tone
from tapdesk.language import gettext as _
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context


def meaning(context: Context) -> Section | None:
    """The user's words on practice, and the fixed limits of every such study."""
    blocks: list[Block] = context.asked("meaning")
    blocks.append(Paragraph(words.not_said(), Tone.BOXED, _("What this report does not say.")))
    blocks += [Paragraph(text) for text in _limits(context)]
    return Section("meaning", _("Meaning and limits"), tuple(blocks))


def _limits(context: Context) -> list[str]:
    told = [
        _(
            "Kappa and its relatives depend on how common each class is; they should not be compared between "
            "groups in which the classes are not about equally common."
        ),
        words.missing_rule(),
    ]
    main = context.main
    if main is not None and context.ratings is not None:
        caution = words.caution(main.fit, context.ratings)
        told += [caution] if caution else []
    return told


def actions(context: Context) -> Section | None:
    """What the committee decided to do: its own lines as a table, or room for them."""
    lines = [line.strip() for line in context.words("actions").split("\n") if line.strip()]
    if not lines:
        return Section(
            "actions",
            _("Actions"),
            (Blank(_("Training of raters, wording of the form, the date of the next audit: what, who, by when?"), 5),),
        )
    table = Table(
        _("Actions"),
        (Column(_("No.")), Column(_("What, who, by when"), wide=True)),
        tuple((str(i + 1), line) for i, line in enumerate(lines)),
    )
    return Section("actions", _("Actions"), (table,))
