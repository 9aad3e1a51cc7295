"""The blocks of the fit itself: model against data, how far the numbers move, what the data tell, the search."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QStackedWidget

from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.fitting.posterior import Posterior
from tapdesk.fitting.sampling.diagnosis import SampledPosterior
from tapdesk.gui import telling
from tapdesk.gui.look.chains import LiveChains
from tapdesk.gui.look.live import LiveTrace
from tapdesk.gui.look.localised import drawn
from tapdesk.gui.look.svg_view import SvgView
from tapdesk.gui.look.symbols import worded
from tapdesk.gui.look.theme import Theme
from tapdesk.gui.ridge import Ridge
from tapdesk.gui.running.found import Found, Part
from tapdesk.gui.running.phases import BELIEF, ENDS, MOVING
from tapdesk.gui.widgets.block import LOW_BLOCK, Block, Pictures
from tapdesk.gui.widgets.filling import Filling
from tapdesk.gui.widgets.told import Told
from tapdesk.language import gettext as _
from tapdesk.ratings.ratings import Ratings
from tapdesk.report import numbers
from tapdesk.report.figure import Figure
from tapdesk.report.figures.catalog import picture
from tapdesk.report.tables.figure import rows_of
from tapdesk.report.words import moving
from tapdesk.report.words.intervals import kind_of_interval
from tapdesk.report.words.misfit import misfit

MOVED = _("{count} re-draws; 50 and 95 % bands")


class OfFit:
    """Makes the blocks and fills them from a fit.

    Parameters
    ----------
    made
        Makes the panels of a kind as they are saved.
    filling
        Fills the blocks one by one.
    """

    def __init__(self, theme: Theme, made: Callable[[str], tuple[Figure, ...]], filling: Filling) -> None:
        self._filling = filling
        self.distribution = SvgView(theme, _("Does the model look like the data?"))
        self.ridge = Ridge(theme, MOVING[0])
        self.told = Told(_("What can these data tell?"))
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
        self.words = Block(theme, _("What can these data tell?"), self.told, height=LOW_BLOCK)
        self.search = Block(theme, _("Did the search settle?"), self.settled, pictures("convergence"))

    @property
    def named(self) -> dict[str, Block]:
        """Every block by the key of the part of the report it shows (`report.notes.PARTS`)."""
        return {"model": self.model, "movement": self.movement, "words": self.words, "search": self.search}

    @property
    def all(self) -> tuple[Block, ...]:
        """Every block there is."""
        return (self.model, self.movement, self.words, self.search)

    def show(self, fit: Fit, ratings: Ratings) -> None:
        """Fill all blocks."""
        fill = self._filling.fill
        fill(lambda: self._show_distribution(fit, ratings), self.model)
        fill(lambda: self._show_parameters(fit, ratings), self.movement)
        fill(lambda: self._show_words(fit, ratings), self.words)
        fill(lambda: self._show_trace(fit), self.search)

    def _show_words(self, fit: Fit, ratings: Ratings) -> None:
        sentences = telling.what_data_tell(fit, ratings)
        self.told.say(sentences)
        self.words.show_rows((_("What"), _("In words")), sentences)

    def _show_distribution(self, fit: Fit, ratings: Ratings) -> None:
        block, row = self.model, picture("distribution")
        self._looks = None
        reason = row.needs(fit, ratings)
        if reason is not None:
            block.show_trouble(reason)
            return
        made = drawn(lambda: row.draw(fit, ratings), (*ratings.classes, *ratings.raters))
        self.distribution.show_figures(made[:1])
        self._looks = made[0]
        self._caption("")
        block.body.setToolTip(made[0].note)

    def show_misfit(self, found: Found) -> None:
        """Say beside the picture of the model what the test of fit says, once it is there."""
        test = found.extras.goodness
        if test is not None:
            self._caption(misfit(test, elsewhere=_("More pictures below can show other models.")))
        else:
            self._caption("" if Part.MISFIT in found.waiting else found.extras.reasons.get("goodness", ""))

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
        self.ridge.reset(words=worded(fit.draws.values, fit.classes))
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
        self.ridge.reset([*map(str, names)], worded(names, fit.classes))
        self._mark(fit.estimates)
        block.show_rows(*self.ridge.table(), caption=kind_of_interval(*fit.interval))

    def _mark(self, estimates: Sequence[ParameterEstimate]) -> None:
        """Write value and interval beside the rows."""
        for estimate in estimates:
            found = estimate.estimate
            digits = telling.places(found)
            value = numbers.decimal(found.value, places=digits)
            self.ridge.mark(str(estimate.name), found, value, numbers.interval(found, places=digits))
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
        self.chains.reset(worded(fit.draws.values if fit.draws is not None else (), fit.classes))
        self.chains.grow(draws, chains, found.rhat)
        self.chains.redraw()
        block.show_rows(*self.chains.table(), caption=_("one line per chain; they should cover each other"))
