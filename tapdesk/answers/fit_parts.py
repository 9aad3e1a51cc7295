"""The parts of the fit itself: does the model look like the data, could it be chance, how far would numbers move."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from tapdesk.answers import fit_tables, fit_words, numbers, range_words
from tapdesk.answers.content import Block, Paragraph, Picture, Tone
from tapdesk.answers.figure import Figure
from tapdesk.answers.figures.estimates import (
    MOST_STACKED,
    convergence,
    convergence_needs,
    estimates,
    estimates_needs,
    parameters,
    parameters_needs,
    slopes,
)
from tapdesk.answers.numbers import SCREEN, Style
from tapdesk.answers.parameters import (
    cautions,
    degeneracy,
    kind_of_interval,
    nothing_moves,
    parameter_rows,
    same_answer,
)
from tapdesk.answers.part import About, Answer, Content, Missing, Part, reason_for
from tapdesk.answers.side_results import within_chance
from tapdesk.fitting.fit import MOST_RHAT, BootstrapTest, Fit, Posterior, SampledPosterior
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.ratings.ratings import Ratings

_PANEL, _ALONE = 200.0, 230.0
_MOST_PANELS = 6
# Small panels below each other need less height than a picture that stands alone.
_RIDGE, _PROFILE = 92.0, 130.0


def _styled(figure: Figure, style: Style) -> Figure:
    """A figure with its numbers written in a style; of the screen it is as it was drawn."""
    if style == SCREEN:
        return figure
    from tapdesk.answers.figure_style import restyled  # late: a fit that is printed needs no other style

    return restyled(figure, style)


def _picture(title: str, panels: Sequence[Figure], small: float = 0.0) -> Picture:
    """Panels as one picture: all of small ones, the first of larger ones; two beside each other where they are many."""
    shown = tuple(panels) if small else tuple(panels[:_MOST_PANELS])
    abreast = len(shown) > (MOST_STACKED if small else 1)
    note = shown[-1].note
    if len(panels) > len(shown):
        note = _("{note} The first {n} of {all} classes are drawn.").format(
            note=note, n=numbers.count(len(shown)), all=numbers.count(len(panels))
        )
    height = small or (_PANEL if abreast else _ALONE)
    return Picture(shown[0].title if len(shown) == 1 else title, shown, note, height, columns=2 if abreast else 1)


def model_content(answer: Answer) -> Content | Missing | None:
    """What the model expects beside what was seen, and whether it misfits."""
    # Here and below: what the command that only fits does not print is not loaded for it.
    from tapdesk.answers import misfit
    from tapdesk.answers.figures.shares import distribution, distribution_needs
    from tapdesk.answers.model_checks import distributed
    from tapdesk.studies.distribution import shares

    fit, ratings = answer.fit, answer.ratings
    reason = distribution_needs(fit, ratings)
    if reason is not None:
        return Missing(reason, quiet=True)
    panels = [_styled(figure, answer.style) for figure in distribution(fit, ratings)]
    which = (1,) if len(fit.classes) == 2 else range(len(fit.classes))
    table = distributed([(fit.classes[c], shares(ratings, fit, c)) for c in which], fit.model.name)
    words = reason_for(answer, "goodness") if answer.side.goodness is None else misfit.sentence(answer.side)
    said_ = [Paragraph(words)] if words else []
    title = _("{title}.").format(title=panels[0].title)
    return Content((_picture(MODEL.title, panels), table, *said_), caption=title)


def chance_content(answer: Answer) -> Content | Missing | None:
    """Whether panels without information could look like this one, and how far luck alone reaches."""
    from tapdesk.answers import chance
    from tapdesk.answers.figures.chance import chance as chance_figure

    test, reach = answer.side.chance, answer.side.horizon
    if test is None and reach is None:
        why = reason_for(answer, "chance", "horizon")
        return Missing(why) if why else None
    blocks: list[Block] = []
    caption = ""
    if test is not None:
        figure = chance_figure(test)
        blocks.append(Paragraph(chance.verdict(test)))
        blocks.append(Picture(figure.title, (figure,), figure.note, height=190.0))
        caption = _("{what} {statistic}; chance reaches {reach}").format(
            what=chance.statistic_name(test),
            statistic=numbers.large(test.test.statistic, 1),
            reach=numbers.large(test.test.quantiles.get("0.95"), 1),
        )
    elif why := reason_for(answer, "chance"):
        blocks.append(Paragraph(why))
    if reach is not None:
        blocks.append(Paragraph(chance.horizon(reach, answer.style)))
    blocks.append(chance.luck_table(test, reach, answer.style))
    return Content(tuple(blocks), caption=caption)


def estimates_content(answer: Answer) -> Content:
    """The numbers with their intervals; drawn as well where nothing else shows how sure they are."""
    fit, blocks = answer.fit, list[Block]()
    drawn = fit.draws is not None and bool(fit.draws.values)
    if estimates_needs(fit, answer.ratings) is None:
        shown = slopes(fit) if drawn else estimates(fit, answer.ratings)
        for figure in (_styled(one, answer.style) for one in shown):
            blocks.append(Picture(figure.title, (figure,), figure.note, height=60.0 + 32.0 * len(figure.y.ticks)))
    blocks.append(fit_tables.estimates(fit, answer.style))
    return Content(tuple(blocks), caption=kind_of_interval(*fit.interval))


def movement_content(answer: Answer) -> Content | Missing | None:
    """How far the numbers would move: re-draws, or draws of a belief."""
    fit, ratings = answer.fit, answer.ratings
    why = nothing_moves(fit) or parameters_needs(fit, ratings)
    if fit.draws is None or why:
        return Missing(str(why), quiet=True)
    posterior = fit.draws.kind == "posterior"
    panels = [_styled(figure, answer.style) for figure in parameters(fit, ratings)]
    caption = _("{count} draws from what can be believed; 50 and 95 % bands") if posterior else MOVED
    return Content(
        (
            _picture(MOVEMENT.title, panels, _RIDGE),
            *(Paragraph(words, Tone.WARNING) for words in cautions(fit)),
        ),
        caption=caption.format(count=numbers.count(next(iter(fit.draws.values.values())).size)),
        title=_("What do the data say?") if posterior else "",
    )


MOVED = _("{count} resamples; 50 and 95 % bands")


def words_content(answer: Answer) -> Content:
    """Whether the numbers can be read, what they mean, and what to keep in mind."""
    rows = [(_("Out of date."), stale(answer), Tone.WARNING)] if answer.stale else []
    rows += what_data_tell(answer)
    return Content(tuple(Paragraph(sentence, tone, opening) for opening, sentence, tone in rows))


def stale(answer: Answer) -> str:
    """That the data changed after a run."""
    when = answer.analysis.run_at if answer.analysis is not None else ""
    return _(
        "The data were changed after this analysis ran ({when}). Its numbers belong to the earlier data: run it again."
    ).format(when=numbers.moment(when))


def what_data_tell(answer: Answer) -> list[tuple[str, str, Tone]]:
    """What about, the sentence, and how loudly it speaks."""
    fit, ratings = answer.fit, answer.ratings
    rows = [
        (_("The search"), fit_words.settled(fit), Tone.BODY),
        (_("The design"), fit_words.identification(fit), Tone.BODY),
    ]
    from tapdesk.answers.misfit import missed  # late, as above

    unread = missed(fit, answer.side) or within_chance(answer.side)
    void = fit_words.void(fit) or unread
    rows += [(_("On the edge"), sentence, Tone.WARNING) for sentence in degeneracy(fit, void=void)]
    rows += [(about, sentence, Tone.BODY) for about, sentence in posterior_words(fit)]
    rows += [(_("To know"), fit_words.own(sentence, fit), Tone.WARNING) for sentence in fit_words.fit_findings(fit)]
    rows += [(_("To know"), sentence, Tone.WARNING) for sentence in (same_answer(ratings),) if sentence]
    rows += [(_("Few data"), s, Tone.WARNING) for s in (fit_words.caution(fit, ratings),) if s]
    if not (fit_words.too_wide(fit) or unread):
        # Nothing is read out of a fit of which nothing can be concluded: its numbers stand in the table.
        rows += [
            (symbol, range_words.conditional(sentence, fit), Tone.BODY) for symbol, sentence in parameter_rows(fit)
        ]
    return rows


def posterior_words(fit: Fit) -> list[tuple[str, str]]:
    """How a posterior was obtained, and every way to understand the data where there are several."""
    posterior = fit.posterior
    if not isinstance(posterior, Posterior):
        return []
    rows = []
    if posterior.rhat is not None:
        rows.append(
            (
                _("The chains"),
                ngettext(
                    "R-hat is {rhat}: at most {most} is wanted. The draws are worth {bulk} independent ones in the "
                    "middle and {tail} in the tails; {astray} trajectory went astray.",
                    "R-hat is {rhat}: at most {most} is wanted. The draws are worth {bulk} independent ones in the "
                    "middle and {tail} in the tails; {astray} trajectories went astray.",
                    posterior.divergences or 0,
                ).format(
                    rhat=numbers.decimal(posterior.rhat, places=3),
                    most=numbers.decimal(MOST_RHAT),
                    bulk=numbers.count(int(posterior.ess_bulk or 0)),
                    tail=numbers.count(int(posterior.ess_tail or 0)),
                    astray=numbers.count(posterior.divergences or 0),
                ),
            )
        )
    elif posterior.error is not None:
        rows.append(
            (
                _("The sum"),
                _("Belief was added up on a grid; half of its points change no number by more than {e}.").format(
                    e=numbers.figures(posterior.error, 2)
                ),
            )
        )
    rows += [
        (
            _("Reading {i} of {readings}").format(i=i, readings=len(posterior.readings)),
            _("{words} It holds {mass} of what can be believed.").format(
                words=fit_words.own(reading.words, fit), mass=numbers.percent(reading.mass)
            ),
        )
        for i, reading in enumerate(posterior.readings, start=1)
    ]
    return rows


def details_content(answer: Answer) -> Content:
    """How the numbers were found and how well the model follows the data."""
    return Content((fit_tables.details(answer.fit, answer.style),))


Needs = Callable[[Fit, Ratings], str | None]
Draw = Callable[[Fit, Ratings], Sequence[Figure]]


def _drawn(answer: Answer, title: str, needs: Needs, draw: Draw, small: float = 0.0) -> Content | Missing:
    """The content of a part that is a picture of the fit alone."""
    reason = needs(answer.fit, answer.ratings)
    if reason is not None:
        return Missing(reason, quiet=True)
    panels = [_styled(figure, answer.style) for figure in draw(answer.fit, answer.ratings)]
    return Content((_picture(title, panels, small),))


def profile_content(answer: Answer) -> Content | Missing:
    """Which values of each number fit almost as well as the best."""
    from tapdesk.answers.figures.likelihood import profile, profile_needs

    return _drawn(answer, PROFILE.title, profile_needs, profile, _PROFILE)


def search_content(answer: Answer) -> Content | Missing:
    """Where the search from every start has led, or how the chains have gone."""
    fit = answer.fit
    if isinstance(fit.posterior, SampledPosterior):
        return Content(
            (Paragraph(fit_words.settled(fit)),), caption=_("one line per chain; they should cover each other")
        )
    if isinstance(fit.posterior, Posterior):
        return Missing(_("This belief was added up on a grid, not searched for: nothing had to settle."), quiet=True)
    drawn = _drawn(answer, SEARCH.title, convergence_needs, convergence)
    starts = _("one line per start")
    return replace(drawn, caption=starts) if isinstance(drawn, Content) else drawn


def tests_content(answer: Answer) -> Content | None:
    """What the tests made with a fit say: each hypothesis, and how often data made by it look like these."""
    if not answer.fit.tests:
        return None
    return Content(tuple(Paragraph(_test_words(test)) for test in answer.fit.tests))


def _test_words(test: BootstrapTest) -> str:
    if test.name == "G2":
        from tapdesk.answers import chance

        return chance.misfit(test)
    fields = {"hypothesis": test.about, "often": test.how_often, "sets": numbers.count(test.replicates)}
    if test.rejects:
        return _(
            "Against these {ratings}: “{hypothesis}” Among {sets} data sets made that way, such as these came {often}."
        ).format(**fields)
    return _(
        "Not against these {ratings}, which proves nothing: “{hypothesis}” Among {sets} data sets made that way, such "
        "as these came {often}."
    ).format(**fields)


MODEL = Part(
    "model",
    "results",
    _("Does the model look like the data?"),
    _(
        "Dots are your {ratings}: how many {subjects} got how many answers of one kind. The coloured line "
        "is what the model expects, the grey bars how far luck moves the dots. Where dots lie on the line, "
        "the model describes these {ratings} well. The dashed line is what {raters} would do who know "
        "nothing. A good picture does not prove that the model is true."
    ),
    model_content,
    uses=("goodness",),
    about=About.ANSWERS,
    headed=False,
)
CHANCE = Part(
    "chance",
    "results",
    _("Could this be chance?"),
    _(
        "Many panels were simulated whose {ratings} have nothing to do with the {subject}. The bars show "
        "how informed they look, the line shows your panel. Where the line stands beyond the bars, luck "
        "alone does not make such {ratings}."
    ),
    chance_content,
    uses=("chance", "horizon"),
)
ESTIMATES = Part(
    "estimates",
    "results",
    _("What are the numbers?"),
    _(
        "Each number with its interval: the values that fit these {ratings} nearly as well. A dash stands "
        "where the {ratings} do not determine a number; the note below says why."
    ),
    estimates_content,
    about=About.RUNS,
    headed=False,
    block="movement",
    commands=("fit",),
)
PROFILE = Part(
    "profile",
    "results",
    _("Which values fit almost as well?"),
    _(
        "How well the {ratings} are followed when one number is held at each value and the others are "
        "found anew. Where the curve stays high for long, many values fit almost as well as the best."
    ),
    profile_content,
    about=About.ANSWERS,
    headed=False,
    block="more",
)
DETAILS = Part(
    "details",
    "technical",
    _("How well does the model follow the data?"),
    _(
        "The figures that statisticians ask for: likelihood, criteria for comparing models, how surprising "
        "{a_rating} is by the model, and what the search needed."
    ),
    details_content,
    about=About.RUNS,
    headed=False,
    block="search",
    commands=("fit",),
)
TESTS = Part(
    "tests",
    "technical",
    _("What did the tests find?"),
    _(
        "For each hypothesis data were made many times as if it were true. Where such data hardly ever "
        "look like these {ratings}, the hypothesis does not hold. That it is not rejected does not make it "
        "right: a small study notices little."
    ),
    tests_content,
    about=About.RUNS,
    block="search",
    commands=("fit",),
)
MOVEMENT = Part(
    "movement",
    "technical",
    _("How far would the numbers move?"),
    _(
        "The same analysis was done again on many resamples of the {subjects}, or many values were drawn "
        "from what can be believed. Each row shows where a number came to lie: half of the time in the "
        "dark band, 95 times in 100 in the light one. A wide row is a number that other {subjects} might "
        "have made quite different."
    ),
    movement_content,
    about=About.RUNS,
    headed=False,
    comments="results",
)
WORDS = Part(
    "words",
    "results",
    _("What can these data tell?"),
    _(
        "Whether the search for the best answer has ended well, whether data of this shape can tell the numbers "
        "apart at all, and what each number means in a sentence."
    ),
    words_content,
    about=About.RUNS,
    headed=False,
    commands=("fit",),
)
SEARCH = Part(
    "search",
    "technical",
    _("Did the search settle?"),
    _(
        "The search begins at many places. Where all lines meet at the same height, they have found the same "
        "answer; lines that stop lower have stopped at a poorer one. Of drawn values, the lines of all chains "
        "should cover each other."
    ),
    search_content,
    about=About.RUNS,
    headed=False,
    comments="model",
)
PARTS = (WORDS, ESTIMATES, MODEL, PROFILE, CHANCE, DETAILS, TESTS, MOVEMENT, SEARCH)
"""In the order of the catalog."""
