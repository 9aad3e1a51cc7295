"""What every section is made from."""

from dataclasses import dataclass, field

from tapdesk.answers import user_words
from tapdesk.answers.content import Block, Paragraph
from tapdesk.answers.naming import NAMES, Naming
from tapdesk.answers.numbers import Style
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import COMMENTED
from tapdesk.answers.side_results import SideResults
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Key
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.report import Form


@dataclass(frozen=True, eq=False)
class Done:
    """An analysis that has an answer."""

    analysis: Analysis
    fit: Fit


@dataclass(frozen=True, eq=False)
class Context:
    """A project and how the report is to be written.

    Attributes
    ----------
    project
        The work to report, with rater names as they are in the data.
    ratings
        The current ratings, raters called as in the report; None before any file was read.
    done
        The analyses that have an answer, the one that leads first, raters called as in the report.
    style
        How numbers are written.
    extras
        Coefficients and studies of these ratings, raters called as in the report.
    names
        For sentences that hold rater names.
    left_out
        Keys of the sections that are not printed.
    failed
        Those among them that a bug of ours left out, not the user.
    scale
        Name of the scale whose words are printed beside the coefficients; empty for none.
    file
        What the data file is called.
    command_line
        The options a command made the report with, as they are printed; empty for a report of the window.
    form
        How much of it is printed.
    libraries
        What the numbers were worked out with.
    """

    project: Project
    ratings: Ratings | None
    done: tuple[Done, ...]
    style: Style
    extras: SideResults = field(default_factory=SideResults)
    names: Naming = NAMES
    left_out: frozenset[str] = frozenset()
    failed: frozenset[str] = frozenset()
    scale: str = ""
    file: str = ""
    command_line: str = ""
    form: Form = Form.EVERYTHING
    libraries: str = ""

    @property
    def main(self) -> Done | None:
        """The analysis that leads the report: the first of them that belongs to the current ratings."""
        return next((d for d in self.done if not d.analysis.stale), None)

    @property
    def key(self) -> Key:
        """What the main answer makes of known answers."""
        return Key.UNUSED if self.main is None else self.main.fit.model.key

    def answer(self, done: Done | None) -> Answer:
        """What the parts are made from: an analysis, or none, with what stands beside it.

        Raises
        ------
        ValueError
            Before any ratings were read.
        """
        if self.ratings is None:
            raise ValueError("there is no answer without ratings")
        every = self.ratings if self.extras.every_class is None else self.extras.every_class
        result, analysis = (None, None) if done is None else (done.fit, done.analysis)
        return Answer(
            result, self.ratings, every, self.extras, analysis, self.style, self.scale,
            bool(self.names.codes),
        )  # fmt: skip

    def words(self, place: str) -> str:
        """What the user wrote at a place; empty where nothing."""
        return self.project.notes.get(place, "").strip()

    def answers_to(self, section: str) -> list[Block]:
        """The user's words at every place of a section; what nobody wrote is listed in one line.

        The annex lists it once, in its checklist.
        """
        blocks: list[Block] = []
        missing: list[str] = []
        for prompt in user_words.PROMPTS:
            if prompt.section != section or not prompt.lines:
                continue
            words = self.words(prompt.place)
            if words:
                paragraphs = [p for p in words.split("\n") if p.strip()]
                blocks += [Paragraph(p, opening="" if i else prompt.title) for i, p in enumerate(paragraphs)]
            else:
                missing.append(prompt.title)
        if missing and not self.form.annexed:
            blocks.append(Paragraph(joined(*missing), opening=_("Not stated.")))
        return blocks

    def comment(self, section: str) -> list[Block]:
        """The committee's comments on a section and on the parts of it, where there are any."""
        places = [(user_words.comment(section), _COMMENT)]
        mine = f"{user_words.comment(section)}."
        places += [(p.place, _COMMENT_ON.format(title=p.title)) for p in COMMENTED if p.place.startswith(mine)]
        sentences = [(self.words(place), opening) for place, opening in places]
        return [Paragraph(words, opening=opening) for words, opening in sentences if words]


_COMMENT = _("Comment of the committee.")
_COMMENT_ON = _("Comment on “{title}”.")
