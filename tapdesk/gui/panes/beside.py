"""The blocks beside the fit: coefficients, chance, raters, cases and the lines between grades."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QStackedWidget

from tapdesk.agreement.benchmarks import SCALES
from tapdesk.agreement.coefficient import Coefficient
from tapdesk.fitting.fit import Fit
from tapdesk.gui import agreeing, raters_apart
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.running.abreast import Abreast
from tapdesk.gui.running.found import Found, Part
from tapdesk.gui.widgets.block import LOW_BLOCK, Block, Pictures
from tapdesk.gui.widgets.filling import Filling
from tapdesk.gui.widgets.told import Listed, Pictured, Told, Worded
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure
from tapdesk.report.figures import agreement as figures_agreement
from tapdesk.report.figures.design import MOST_CLASSES, confusion
from tapdesk.report.figures.pairs import height, pairs_figure
from tapdesk.report.numbers import SCREEN
from tapdesk.report.sections.agreement import agreement
from tapdesk.report.sections.context import Context, Done
from tapdesk.report.sections.raters import DISCUSS, MOST_CASES, believed, sure_of
from tapdesk.report.tables import studies as tables_studies
from tapdesk.report.tables.agreement import benchmarks
from tapdesk.report.tables.drawn import rows_of
from tapdesk.report.words import chance as words_chance
from tapdesk.report.words.left_open import no_beliefs
from tapdesk.report.words.nouns import PLAIN

CONFUSED = _("Categories confused with each other")
WHICH_CASES = _("Which cases are worth discussing?")


def _context(found: Found, ratings: Ratings) -> Context:
    """What the sections of the report are made from: this analysis alone."""
    fit = found.analysis.fit
    done = () if fit is None else (Done(found.analysis, fit),)
    return Context(found.project, ratings, done, SCREEN, PLAIN, found.extras)


class Beside:
    """Makes the blocks and fills them with what was found by now."""

    def __init__(self, theme: Theme, filling: Filling) -> None:
        self._filling = filling
        self._drawn: dict[str, Callable[[], Figure]] = {}
        self._chance = Pictured(theme, _("Could this be chance?"))
        self._forest = Worded(theme, _("Agreement coefficients"), [scale.name for scale in SCALES])
        self._forest.chosen.connect(self._show_words)
        self._told: Sequence[Coefficient] = ()
        # The ratings with every category, also where the answer tells one side from the other.
        self.whole: Ratings | None = None
        self._dots, self._cuts = (
            Pictured(theme, _("Raters, surest first")),
            Pictured(theme, _("Accuracy at every line")),
        )
        self._differ, self._cases = Told(_("Why do they differ?")), Listed(theme, _("Cases to discuss"))
        self._mixed = Pictured(theme, CONFUSED)
        self._square = Pictured(theme, _("Kappa of each pair of raters"))
        self._pairs, self._either = Listed(theme, _("Kappa of each pair of raters")), QStackedWidget()
        for part in (self._square, self._pairs):
            self._either.addWidget(part)
        self.chance = Block(theme, _("Could this be chance?"), self._chance, self._pictures("chance"))
        self.coefficients = Block(theme, _("Agreement coefficients"), self._forest, self._pictures("agreement"))
        self.differ = Block(theme, _("Why do they differ?"), self._differ, height=LOW_BLOCK)
        self.pairs = Block(theme, _("Which raters agree with each other?"), self._either, self._pictures("pairs"))
        self.raters = Block(theme, _("Raters, surest first"), self._dots, self._pictures("raters"))
        self.cases = Block(theme, WHICH_CASES, self._cases)
        self.categories = Block(theme, CONFUSED, self._mixed, self._pictures("confusion"))
        self.lines = Block(theme, _("Every line, one after the other"), self._cuts, self._pictures("lines"))

    def _pictures(self, kind: str) -> Pictures:
        # Made once more: on screen numbers have the signs of this computer, in files they have not.
        return lambda: (kind, (self._drawn[kind](),) if kind in self._drawn else ())

    @property
    def named(self) -> dict[str, Block]:
        """Every block by the key of the part of the report it shows (`report.notes.PARTS`)."""
        return {
            "chance": self.chance,
            "coefficients": self.coefficients,
            "differ": self.differ,
            "pairs": self.pairs,
            "raters": self.raters,
            "cases": self.cases,
            "categories": self.categories,
            "lines": self.lines,
        }

    @property
    def all(self) -> tuple[Block, ...]:
        """Every block there is."""
        return tuple(self.named.values())

    def first(self, key: str, fit: Fit) -> list[Block]:
        """The blocks that answer the question itself, before the others."""
        if fit.model.accuracy is Accuracy.PER_RATER:
            return [self.raters, self.cases]
        return {"lines": [self.lines], "cases": [self.cases]}.get(key, [])

    def others(self, key: str, fit: Fit, ratings: Ratings) -> list[Block]:
        """The blocks that stand with every fit, without the first ones."""
        shown = [self.chance, self.cases, self.coefficients, self.differ]
        if self.whole is not None and 2 < len(self.whole.classes) <= MOST_CLASSES:
            shown.insert(2, self.categories)
        if ratings.raters_known and len(ratings.raters) > 2:
            shown.append(self.pairs)
        first = self.first(key, fit)
        return [block for block in shown if block not in first]

    def show(self, found: Found, fit: Fit, ratings: Ratings) -> None:
        """Fill all blocks; each says itself what it waits for or why it is empty."""
        fill = self._filling.fill
        fill(lambda: self._show_coefficients(found, ratings), self.coefficients, self.differ, self.pairs)
        fill(lambda: self._show_chance(found), self.chance)
        fill(lambda: self._show_cases(found, ratings), self.cases)
        fill(self._show_categories, self.categories)
        if fit.model.accuracy is Accuracy.PER_RATER:
            fill(lambda: self._show_raters(found, fit, ratings), self.raters)

    @staticmethod
    def _missing(found: Found, part: Part, name: str, *blocks: Block) -> None:
        """Say that a part is on its way, or why it is not there."""
        for block in blocks:
            if part in found.waiting:
                block.show_working(part.value)
            else:
                why = found.extras.reasons.get(name)
                block.show_trouble(why or _("This was not worked out: the data have changed since the run."))

    def _show_coefficients(self, found: Found, ratings: Ratings) -> None:
        told = found.extras.coefficients
        if not told:
            self._missing(found, Part.COEFFICIENTS, "coefficients", self.coefficients, self.differ, self.pairs)
            return
        figure = agreeing.forest(told)
        self._drawn["agreement"] = lambda: agreeing.forest(told)
        self._told = told
        self._forest.pictured.show_figure(figure, below=figure.note, rows=len(figure.y.ticks))
        level = found.analysis.request.level
        header, rows = agreeing.table(told)
        self.coefficients.show_rows(
            header, rows, caption=_("{level} intervals by standard errors").format(level=numbers.level(level))
        )
        section = agreement(_context(found, ratings))
        sentences = agreeing.differ(told, found.analysis.fit, section)
        self._differ.say(sentences)
        self.differ.show_rows((_("What"), _("In words")), sentences)
        self._show_words(self._forest.scale.currentData())
        self._show_pairs(told)

    def _show_pairs(self, told: Sequence[Coefficient]) -> None:
        """A square of shaded cells with numbers; of more raters than it has room for, a list."""
        pairs = agreeing.pairs(told)
        if pairs is None:
            self.pairs.show_trouble(_("Kappa of pairs of raters needs named raters who share cases."))
            return
        header, rows, note = pairs
        made = pairs_figure(told, SCREEN, PLAIN)
        if made:
            self._drawn["pairs"] = lambda: pairs_figure(told, SCREEN, PLAIN)[0]
            below = _("{note} The table has the intervals.").format(note=made[0].note)
            self._square.show_figure(made[0], "", below, high=height(made[0]))
            self._either.setCurrentWidget(self._square)
        else:
            self._pairs.show_rows(header, rows, "", note)
            self._either.setCurrentWidget(self._pairs)
        self.pairs.show_rows(header, rows, caption=_("Cohen’s kappa of every two raters"))

    def _show_words(self, number: int) -> None:
        """The words of a scale with the probability behind each; none unless asked for."""
        table = benchmarks(self._told, SCREEN, SCALES[number - 1]) if number else None
        if table is None:
            self._forest.show_words((), (), "")
        else:
            self._forest.show_words([c.title for c in table.columns], table.rows, table.note)

    def _show_chance(self, found: Found) -> None:
        chance, horizon = found.extras.chance, found.extras.horizon
        if chance is None:
            self._missing(found, Part.CHANCE, "chance", self.chance)
            return
        figure = figures_agreement.chance(chance)
        self._drawn["chance"] = lambda: figures_agreement.chance(chance)
        reach = numbers.large(chance.test.quantiles.get("0.95"), 1)
        below = words_chance.horizon(horizon, SCREEN) if horizon is not None else ""
        self._chance.show_figure(figure, words_chance.verdict(chance), below)
        caption = _("likelihood ratio {statistic}; chance reaches {reach}").format(
            statistic=numbers.large(chance.test.statistic, 1), reach=reach
        )
        self.chance.show_rows(*rows_of(figure), caption=caption)
        self.chance.body.setToolTip(figure.note)

    def _show_cases(self, found: Found, ratings: Ratings) -> None:
        # How many are worth a talk is said again where it is known; the number of another analysis must not stay.
        self.cases.title.setText(WHICH_CASES)
        if {Part.COEFFICIENTS, Part.CHANCE} & set(found.waiting):
            self.cases.show_working(_("Working on how sure each case is…"))
            return
        beliefs = believed(_context(found, ratings))
        if beliefs is None:
            self.cases.show_trouble(no_beliefs(found.analysis.fit, found.extras.chance))
            return
        unsure = int((beliefs.probability.max(axis=1) < DISCUSS).sum())
        everything = tables_studies.least_certain(ratings, beliefs, len(ratings.subjects))
        header = [column.title for column in everything.columns]
        count = min(unsure, MOST_CASES)
        if count > 1:
            self.cases.title.setText(_("Discuss these {count} cases").format(count=count))
        first = everything.rows[: count or MOST_CASES]
        right = [len(header) - 1]
        self._cases.show_rows(header, first, sure_of(beliefs, ratings, PLAIN), everything.note, right=right)
        self.cases.show_rows(header, everything.rows, caption=_("least certain first; the table view lists all"))

    def _show_categories(self) -> None:
        """Which categories are given to the same cases by different raters."""
        ratings = self.whole
        figure = None if ratings is None else confusion(ratings, PLAIN)
        if figure is None or ratings is None:
            self.categories.show_trouble(_("No case has two ratings, so none can be set beside another."))
            return
        self._drawn["confusion"] = lambda: figure
        self._mixed.show_figure(figure, figure.title, figure.note, high=56.0 + 34.0 * len(ratings.classes))
        self.categories.show_rows(*agreeing.confused(ratings))

    def _show_raters(self, found: Found, fit: Fit, ratings: Ratings) -> None:
        if Part.PANEL in found.waiting:
            self.raters.show_working(Part.PANEL.value)
            return
        untold = figures_agreement.raters_needs(fit)
        if untold is not None:
            self.raters.show_trouble(untold)
            return
        panel = raters_apart.panel(found.panel)
        figure = figures_agreement.raters(fit, SCREEN, PLAIN, panel)
        self._drawn["raters"] = lambda: figures_agreement.raters(fit, SCREEN, PLAIN, panel)
        why = found.extras.reasons.get("panel", "") if panel is None else ""
        self._dots.show_figure(figure, figure.title, f"{figure.note} {why}".strip(), rows=len(figure.y.ticks))
        caption = _("{interval} intervals").format(interval=numbers.level(fit.interval[1]))
        if panel is not None:
            caption = _("{caption}; whole panel {value}").format(caption=caption, value=numbers.decimal(panel.value))
        self.raters.show_rows(*raters_apart.raters(fit, ratings), caption=caption)

    def show_lines(self, found: Found, now: Abreast | None) -> None:
        """The lines of the run, or those of the categories as they stand now, each marked as what they are."""
        scan = found.extras.scan if now is None or now.scan is None else now.scan
        words = "" if now is None else now.words
        if scan is None:
            if now is None:
                self._missing(found, Part.LINES, "scan", self.lines)
            elif now.reason:
                self.lines.show_trouble(now.reason)
            else:
                self.lines.show_working(Part.LINES.value)
            return
        figure = agreeing.lines(scan)
        self._drawn["lines"] = lambda: agreeing.lines(scan)
        self._cuts.show_figure(figure, f"{words} {figure.title}".strip(), figure.note, rows=len(figure.y.ticks))
        self.lines.show_rows(*agreeing.lines_table(scan), caption=_("t-a-p fitted at each line"))
