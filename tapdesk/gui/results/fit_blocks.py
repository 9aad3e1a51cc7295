"""The blocks of the fit itself: model against data, how far the numbers move, what the data tell, the search."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QStackedWidget

from tapdesk.answers import numbers
from tapdesk.answers import parameters as moving
from tapdesk.answers.chance import misfit
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_table import rows_of
from tapdesk.answers.figures.catalog import picture
from tapdesk.answers.fit_parts import words_content
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.part import Answer
from tapdesk.answers.parts import part
from tapdesk.fitting.fit import Fit, ParameterEstimate, Posterior, SampledPosterior
from tapdesk.gui.pictures.figure_view import SvgView
from tapdesk.gui.pictures.live_plots import LiveChains, LiveTrace
from tapdesk.gui.pictures.parameter_names import picture_names
from tapdesk.gui.pictures.ridge import RidgePlot
from tapdesk.gui.runs.run_phases import BELIEF, ENDS, MOVING
from tapdesk.gui.runs.side_studies import SideStudies, SideStudy
from tapdesk.gui.theme.localised_numbers import localised_figures
from tapdesk.gui.theme.theme import Theme
from tapdesk.gui.widgets.block import LOW_BLOCK, Block, BlockFiller, Pictures
from tapdesk.gui.widgets.block_bodies import SentenceList
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings

MOVED = _("{count} re-draws; 50 and 95 % bands")


class FitBlocks:
    """Makes the blocks and fills them from a fit.

    Parameters
    ----------
    made
        Makes the panels of a kind as they are saved.
    filling
        Fills the blocks one by one.
    """

    def __init__(self, theme: Theme, made: Callable[[str], tuple[Figure, ...]], filling: BlockFiller) -> None:
        self._filling = filling
        self.distribution = SvgView(theme, _("Does the model look like the data?"))
        self.ridge = RidgePlot(theme, MOVING[0])
        self.sentences = SentenceList(part("words").title)
        self.trace, self.chains, self.settled = LiveTrace(theme), LiveChains(theme), QStackedWidget()
        for shown in (self.trace, self.chains):
            self.settled.addWidget(shown)

        def pictures(kind: str) -> Pictures:
            return lambda: (kind, made(kind))

        title = picture("distribution").title
        self.model = Block(theme, title, self.distribution, pictures("distribution"))
        self._looks: Figure | None = None
        # Where nothing was drawn, the numbers with their intervals are saved as they are shown.
        self._moving = "parameters"
        self.movement = Block(theme, MOVING[0], self.ridge, lambda: (self._moving, made(self._moving)))
        self.words = Block(theme, part("words").title, self.sentences, height=LOW_BLOCK)
        self.search = Block(theme, part("search").title, self.settled, pictures("convergence"))

    @property
    def named(self) -> dict[str, Block]:
        """Every block by the key of the part of the report it shows (`answers.parts.PARTS`)."""
        return {"model": self.model, "movement": self.movement, "words": self.words, "search": self.search}

    @property
    def all(self) -> tuple[Block, ...]:
        """Every block there is."""
        return (self.model, self.movement, self.words, self.search)

    def show(self, answer: Answer) -> None:
        """Fill all blocks."""
        fill, fit, ratings = self._filling.fill, answer.fit, answer.ratings
        fill(lambda: self._show_distribution(fit, ratings), self.model)
        fill(lambda: self._show_parameters(fit, ratings), self.movement)
        fill(lambda: self._show_words(answer), self.words)
        fill(lambda: self._show_trace(fit), self.search)

    def _show_words(self, answer: Answer) -> None:
        sentences = [(p.opening, p.text) for p in words_content(answer).paragraphs]
        self.sentences.say(sentences)
        self.words.show_rows((_("What"), _("In words")), sentences)

    def _show_distribution(self, fit: Fit, ratings: Ratings) -> None:
        block, row = self.model, picture("distribution")
        self._looks = None
        reason = row.needs(fit, ratings)
        if reason is not None:
            block.show_trouble(reason)
            return
        made = localised_figures(lambda: row.draw(fit, ratings), (*ratings.classes, *ratings.raters))
        self.distribution.show_figures(made[:1])
        self._looks = made[0]
        self._caption("")
        block.body.setToolTip(made[0].note)

    def show_misfit(self, found: SideStudies) -> None:
        """Say beside the picture of the model what the test of fit says, once it is there."""
        test = found.extras.goodness
        if test is not None:
            self._caption(misfit(test))
        else:
            self._caption("" if SideStudy.MISFIT in found.waiting else found.extras.reasons.get("goodness", ""))

    def _caption(self, words: str) -> None:
        if self._looks is not None:
            caption = f"{self._looks.title}. {words}" if words else self._looks.title
            self.model.show_rows(*rows_of(self._looks), caption=caption)

    def _show_parameters(self, fit: Fit, ratings: Ratings) -> None:
        block = self.movement
        if fit.draws is None or not fit.draws.values:
            self._show_intervals(fit, ratings)
            return
        self._moving = "parameters"
        posterior = fit.draws.kind == "posterior"
        block.title.setText(BELIEF[0] if posterior else MOVING[0])
        why = moving.nothing_moves(fit)
        if why:
            block.show_trouble(why)
            return
        self.ridge.reset(words=picture_names(fit.draws.values, fit.classes))
        for name, draws in fit.draws.values.items():
            self.ridge.grow(str(name), draws)
        self._mark([e for e in fit.estimates if e.name in fit.draws.values])
        caption = _("{count} draws from the posterior; 50 and 95 % bands") if posterior else MOVED
        told = [caption.format(count=numbers.count(self.ridge.count)), *moving.cautions(fit)]
        block.show_rows(*self.ridge.table(), caption=told[0] if len(told) == 1 else f"{told[0]}. {' '.join(told[1:])}")

    def _show_intervals(self, fit: Fit, ratings: Ratings) -> None:
        """The numbers with their intervals, where none were drawn: how sure they are is told all the same."""
        block, self._moving = self.movement, "estimates"
        block.title.setText(ENDS[0])
        why = picture("estimates").needs(fit, ratings)
        if why is not None:
            block.show_trouble(why)
            return
        names = [e.name for e in fit.estimates]
        self.ridge.reset([*map(str, names)], picture_names(names, fit.classes))
        self._mark(fit.estimates)
        block.show_rows(*self.ridge.table(), caption=kind_of_interval(*fit.interval))

    def _mark(self, estimates: Sequence[ParameterEstimate]) -> None:
        """Write value and interval beside the rows."""
        for estimate in estimates:
            found = estimate.estimate
            self.ridge.mark(str(estimate.name), found, numbers.value(found), numbers.interval(found))
        self.ridge.update()
        self.ridge.setAccessibleDescription(self.ridge.describe())

    def _show_trace(self, fit: Fit) -> None:
        block, found = self.search, fit.posterior
        if isinstance(found, Posterior):
            self._show_chains(block, fit, found)
            return
        self.settled.setCurrentWidget(self.trace)
        self.trace.reset()
        for trace in fit.trace:
            self.trace.grow(trace.start, trace.log_likelihood)
        self.trace.redraw(running=False)
        block.show_rows(*self.trace.table(), caption=_("one line per start; they should meet at the top"))

    def _show_chains(self, block: Block, fit: Fit, found: Posterior) -> None:
        """The chains of a sampled posterior; one that was added up has none."""
        chains = found.chains if isinstance(found, SampledPosterior) else 0
        draws = {} if fit.draws is None else {str(k): v for k, v in fit.draws.values.items() if v.size}
        if not chains or not draws or any(v.size % chains for v in draws.values()):
            block.show_trouble(_("This posterior was added up on a grid, not searched for: nothing had to settle."))
            return
        self.settled.setCurrentWidget(self.chains)
        self.chains.reset(picture_names(fit.draws.values if fit.draws is not None else (), fit.classes))
        self.chains.grow(draws, chains, found.rhat)
        self.chains.redraw()
        block.show_rows(*self.chains.table(), caption=_("one line per chain; they should cover each other"))
