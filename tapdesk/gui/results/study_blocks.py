"""The blocks beside the fit: each shows a part of what is said about an answer, as its body can."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QStackedWidget

from tapdesk.agreement.interpretation import SCALE_KEYS, SCALES
from tapdesk.answers.content import Paragraph, Table, Tone
from tapdesk.answers.cut_points import scan_content
from tapdesk.answers.figure import Figure
from tapdesk.answers.figures.classes import MOST_CLASSES
from tapdesk.answers.part import Answer, Content, Missing, Part
from tapdesk.answers.parts import BLOCKS, part
from tapdesk.gui.runs.side_studies import CurrentCutPoints, SideStudies, SideStudy
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import LOW_BLOCK, Block, BlockFiller
from tapdesk.gui.widgets.block_bodies import FigureBody, ScaledFigureBody, SentenceList, TableBody
from tapdesk.language import gettext as _
from tapdesk.language import joined, say
from tapdesk.models.model import Accuracy

_KEYS = ("chance", "coefficients", "differ", "pairs", "raters", "cases", "categories", "lines")
# These are drawn by `tapdesk.gui.results.fit_blocks`, as they grow.
_OF_THE_FIT = ("model", "movement", "words", "search")
_STALE = _("This was not worked out: the data have changed since the run.")
_SHORT = 12  # rows of a table that are seen without opening the table view
_KINDS = {"coefficients": "agreement", "categories": "confusion"}


class PartBody(QStackedWidget):
    """Whatever a part says: its picture with the sentence it rests on, else its table, else its sentences."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.figure, self.rows, self.sentences = FigureBody(theme, name), TableBody(theme, name), SentenceList(name)
        for body in (self.figure, self.rows, self.sentences):
            self.addWidget(body)

    def show_content(self, content: Content) -> None:
        """Show what a part says."""
        said = [(p.opening, p.text) for p in content.paragraphs]
        if content.pictures:
            picture = content.pictures[0]
            rows, above = len(picture.panels[0].y.ticks), " ".join(text for _opening, text in said[:1])
            self.figure.show_figure(picture.panels[0], above, picture.note, rows=rows)
            self.setCurrentWidget(self.figure)
        elif content.tables:
            table = content.tables[0]
            self.rows.show_rows(_heads(table), table.rows, " ".join(text for _opening, text in said[:1]), table.note)
            self.setCurrentWidget(self.rows)
        else:
            self.sentences.say(said)
            self.setCurrentWidget(self.sentences)


class StudyBlocks:
    """Makes the blocks and fills them with what the parts say by now."""

    def __init__(self, theme: Theme, filling: BlockFiller) -> None:
        self._filling = filling
        self._theme = theme
        self._contents: dict[str, Callable[[], Content | Missing | None]] = {}
        self._answer: Answer | None = None
        self._forest = ScaledFigureBody(theme, part("coefficients").title, [scale.name for scale in SCALES])
        self._forest.chosen.connect(self._show_scale)
        self._square, self._list = (
            FigureBody(theme, part("pairs").title),
            TableBody(theme, part("pairs").title),
        )
        self._either = QStackedWidget()
        for body in (self._square, self._list):
            self._either.addWidget(body)
        self._differ, self._cases = SentenceList(part("differ").title), TableBody(theme, part("cases").title)
        self._bodies = {key: FigureBody(theme, part(key).title) for key in ("chance", "raters", "categories", "lines")}
        self.chance = self._block("chance", self._bodies["chance"])
        self.coefficients = self._block("coefficients", self._forest)
        self.differ = Block(theme, part("differ").title, self._differ, height=LOW_BLOCK)
        self.pairs = self._block("pairs", self._either)
        self.raters = self._block("raters", self._bodies["raters"])
        self.cases = Block(theme, part("cases").title, self._cases)
        self.categories = self._block("categories", self._bodies["categories"])
        self.lines = self._block("lines", self._bodies["lines"])
        # A part that needs no body of its own has the one that shows any.
        every = [row for row in BLOCKS if isinstance(row, Part) and not row.on_demand]
        keys = [row.key for row in every if row.key not in {*_KEYS, *_OF_THE_FIT}]
        self._any = {key: PartBody(theme, part(key).title) for key in keys}
        self.further = {key: self._block(key, body) for key, body in self._any.items()}

    def _block(self, key: str, body: FigureBody | ScaledFigureBody | QStackedWidget) -> Block:
        return Block(self._theme, part(key).title, body, partial(self._pictures, key))

    def _pictures(self, key: str) -> tuple[str, tuple[Figure, ...]]:
        """The picture of a part, drawn anew: on screen it speaks as the screen does, in a file as files do."""
        content = self._contents[key]() if key in self._contents else None
        drawn = content.pictures[:1] if isinstance(content, Content) else ()
        return _KINDS.get(key, key), tuple(picture.panels[0] for picture in drawn)

    @property
    def named(self) -> dict[str, Block]:
        """Every block by the key of the part it shows (`tapdesk.answers.parts.PARTS`)."""
        return {**{key: getattr(self, key) for key in _KEYS}, **self.further}

    @property
    def all(self) -> tuple[Block, ...]:
        """Every block there is."""
        return tuple(self.named.values())

    def first(self, key: str, answer: Answer) -> list[Block]:
        """The blocks that answer the question itself, before the others."""
        if answer.fit.model.accuracy is Accuracy.PER_RATER:
            return [self.raters, self.cases]
        return {"lines": [self.lines], "cases": [self.cases]}.get(key, [])

    def others(self, key: str, answer: Answer) -> list[Block]:
        """The blocks that stand with every fit, without the first ones."""
        ratings = answer.ratings
        shown = [self.chance, self.cases, self.coefficients, self.differ]
        if 2 < len(answer.every.classes) <= MOST_CLASSES:
            shown.insert(2, self.categories)
        if ratings.raters_known and len(ratings.raters) > 2:
            shown.append(self.pairs)
        # What rests on the answer alone is known to belong to it or not; of all else the block says so itself.
        shown += [b for k, b in self.further.items() if part(k).uses or part(k).content(answer) is not None]
        first = self.first(key, answer)
        return [block for block in shown if block not in first]

    def show(self, found: SideStudies, answer: Answer) -> None:
        """Fill all blocks; each says itself what it waits for or why it is empty."""
        self._answer = answer = replace(answer, scale=self._scale)
        keys = [key for key in self.named if key not in {"raters", "lines"}]
        if answer.fit.model.accuracy is Accuracy.PER_RATER:
            keys.append("raters")
        for key in keys:
            self._filling.fill(self._filler(part(key), found, answer), self.named[key])

    def _filler(self, shown: Part, found: SideStudies, answer: Answer) -> Callable[[], None]:
        return lambda: self._show_part(shown, found, answer)

    def _show_part(self, shown: Part, found: SideStudies, answer: Answer) -> None:
        block = self.named[shown.key]
        # A title that says how many is that of this answer; the number of another analysis must not stay.
        block.title.setText(shown.title)
        study = found.waits_for(shown.uses)
        if study is not None:
            block.show_working(say(study.words))
            return
        made = partial(shown.content, answer)
        content = made()
        if content is None or isinstance(content, Missing):
            block.show_trouble(say(content.reason if isinstance(content, Missing) else _STALE))
            return
        self._contents[shown.key] = made
        self._show_content(shown.key, content)

    def _show_content(self, key: str, content: Content) -> None:
        """Show sentences, picture and table of a part in its block."""
        block = self.named[key]
        block.title.setText(content.title or part(key).title)
        if key == "differ":
            sentences = [(p.opening, p.text) for p in (*self._paradox(), *content.paragraphs)]
            self._differ.say(sentences)
            block.show_rows((_("What"), _("In words")), sentences)
            return
        if key in self._any:
            self._any[key].show_content(content)
            if content.tables:
                block.show_rows(
                    _heads(content.tables[0]),
                    content.tables[0].rows,
                    caption=content.caption,
                    note=content.tables[0].note,
                )
            return
        table = content.tables[0]
        if key == "coefficients":
            self._show_forest(content)
        elif key == "pairs":
            self._show_pairs(content)
        elif key == "cases":
            said = " ".join(p.text for p in content.paragraphs[:1])
            rows = table.rows[: table.most or _SHORT]
            self._cases.show_rows(_heads(table), rows, said, table.note, right=[len(table.columns) - 1])
        else:
            self._show_figure(self._bodies[key], content)
        block.show_rows(_heads(table), table.rows, caption=content.caption, note=table.note)

    def _paradox(self) -> tuple[Paragraph, ...]:
        """That kappa misleads here, said before what the coefficients make of it."""
        content = None if self._answer is None else part("paradox").content(self._answer)
        return content.paragraphs if isinstance(content, Content) else ()

    @staticmethod
    def _show_figure(body: FigureBody, content: Content, words: str = "") -> None:
        """A picture between the sentence it rests on and what must be known to read it."""
        picture = content.pictures[0]
        figure = picture.panels[0]
        above = words or next((p.text for p in content.paragraphs if p.tone is Tone.BODY), "")
        rows = 0 if figure.kind in {"confusion", "chance"} else len(figure.y.ticks)
        high = picture.height if figure.kind == "confusion" else 0.0
        body.show_figure(figure, above or figure.title, picture.note, rows=rows, high=high)

    def _show_forest(self, content: Content) -> None:
        picture = content.pictures[0]
        self._forest.figure_body.show_figure(picture.panels[0], below=picture.note, rows=len(picture.panels[0].y.ticks))
        scale = content.tables[1] if len(content.tables) > 1 else None
        if scale is None:
            self._forest.show_words((), (), "")
        else:
            self._forest.show_words(_heads(scale), scale.rows, scale.note)

    def _show_pairs(self, content: Content) -> None:
        """A square of shaded cells with numbers; of more raters than it has room for, a list."""
        table = content.tables[0]
        if content.pictures:
            picture = content.pictures[0]
            below = _("{note} The table has the intervals.").format(note=picture.note)
            self._square.show_figure(picture.panels[0], "", below, high=picture.height)
            self._either.setCurrentWidget(self._square)
        else:
            self._list.show_rows(_heads(table), table.rows, "", table.note)
            self._either.setCurrentWidget(self._list)

    @property
    def _scale(self) -> str:
        """Key of the scale whose words are shown; none unless asked for."""
        number = int(self._forest.scale.currentData() or 0)
        return SCALE_KEYS[number - 1] if number else ""

    def _show_scale(self, _number: int) -> None:
        """The words of a scale with the probability behind each; none unless asked for."""
        shown = part("coefficients")
        if self._answer is None:
            return
        self._answer = replace(self._answer, scale=self._scale)
        content = shown.content(self._answer)
        if isinstance(content, Content):
            self._show_forest(content)

    def show_lines(self, found: SideStudies, now: CurrentCutPoints | None, answer: Answer) -> None:
        """The lines of the run, or those of the categories as they stand now, each marked as what they are."""
        scan = found.extras.scan if now is None or now.scan is None else now.scan
        if scan is not None:
            made = partial(scan_content, scan, answer)
            self._contents["lines"], content = made, made()
            words = "" if now is None else say(now.words)
            title = content.pictures[0].panels[0].title
            self._show_figure(self._bodies["lines"], content, joined(words, title))
            self.lines.show_rows(_heads(content.tables[0]), content.tables[0].rows, caption=content.caption)
        elif now is None:
            self._show_part(part("lines"), found, answer)
        elif now.reason:
            self.lines.show_trouble(say(now.reason))
        else:
            self.lines.show_working(say(SideStudy.LINES.words))


def _heads(table: Table) -> tuple[str, ...]:
    return tuple(column.title for column in table.columns)
