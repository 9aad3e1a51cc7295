"""The parts on whether the model holds: what it foretells, and what its raters and votes are worth."""

from tapdesk.answers import model_checks as words
from tapdesk.answers import numbers, range_words
from tapdesk.answers.content import Block, Paragraph, Picture
from tapdesk.answers.figure import Figure
from tapdesk.answers.figure_style import restyled
from tapdesk.answers.figures import checks as figures
from tapdesk.answers.figures import raters as figures_raters
from tapdesk.answers.fit_words import too_wide
from tapdesk.answers.misfit import contradicted, raters_differ, set_back, too_alike, unproved
from tapdesk.answers.part import About, Answer, Content, Missing, Part
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.studies.analysis import CONTRADICTED
from tapdesk.studies.design_study import votes
from tapdesk.studies.likelihood_ratio import follows_anything
from tapdesk.studies.rater_diagnostics import Calibration, rater_calibration, rater_informations, rating_calibration

_HIGH = 200.0


def _height(figure: Figure) -> float:
    """How high a picture of rows is."""
    rows = len(figure.y.ticks)
    return 50.0 + (21.0 if rows < 13 else 16.0) * max(rows, 2)


def calibration_content(answer: Answer) -> Content | Missing | None:
    """Modelled against observed rates of single ratings."""
    return _foretold(answer, raters=False)


def rater_calibration_content(answer: Answer) -> Content | Missing | None:
    """Modelled against observed rates of each rater, where raters are known."""
    ratings = answer.ratings
    return _foretold(answer, raters=True) if ratings.raters_known and len(ratings.raters) > 1 else None


def _foretold(answer: Answer, *, raters: bool) -> Content | Missing | None:
    """Sentence, picture and table of one calibration."""
    fit, ratings, style = answer.fit, answer.ratings, answer.style
    if figures.calibration_needs(fit, ratings) is not None:
        return None
    if contradicted(answer.side):
        return Missing(CONTRADICTED.format())
    items: list[tuple[str, Calibration]] = []
    for c in figures.told_classes(fit):
        made = rater_calibration(ratings, fit, c) if raters else rating_calibration(ratings, fit, c)
        items.append((fit.classes[c], made))
    drawn = figures.raters_foretold(fit, ratings) if raters else figures.ratings_foretold(fit, ratings)
    panels = tuple(restyled(panel, style) for panel in drawn)
    title = panels[0].title if len(panels) == 1 else _("By the model, and as seen")
    sentence = words.calibrated([one for _label, one in items], raters=raters, style=style)
    if 1 < len(items) < len(fit.classes):
        few, every = numbers.count(len(items)), numbers.count(len(fit.classes))
        sentence = _("{told} Only the first {few} of {every} classes are looked at.").format(
            told=sentence, few=few, every=every
        )
    blocks: tuple[Block, ...] = (
        Paragraph(sentence),
        Picture(title, panels, words.dots(fit, raters=raters), _HIGH, min(len(panels), 2)),
        words.calibration_table(items, raters=raters, style=style),
    )
    return Content(blocks)


def too_unsure(answer: Answer) -> bool:
    """Whether the accuracy is known so roughly that what follows from it would be a number out of thin air."""
    fit, test = answer.result or answer.side.by_rater, answer.side.chance
    if fit is None:
        return True
    return too_wide(fit) or not fit.converged or (test is not None and not test.more_than_chance)


def votes_content(answer: Answer) -> Content | Missing | None:
    """How often a vote would be right, unless the accuracy behind it is too unsure for that."""
    fit, ratings = answer.fit, answer.ratings
    if figures.no_vote(fit, ratings) is not None:
        return None
    if too_unsure(answer):
        return Missing(words.no_votes())
    if set_back(fit, answer.side) or raters_differ(answer.side):
        return Missing(words.no_votes_of_one_accuracy())
    (figure,) = (restyled(panel, answer.style) for panel in figures.voting(fit, ratings))
    title = _("How often a vote would be right, by {ratings} of {a_subject}")
    sentence = _("{said}, if the model holds.").format(said=figure.title)
    return Content(
        (
            Paragraph(joined(range_words.conditional(sentence, fit), _unseen(answer))),
            Picture(title, (figure,), figure.note, height=_HIGH),
            words.voted(votes(fit.parameters, figures.vote_sizes(fit))),
        )
    )


def _unseen(answer: Answer) -> str:
    """That harder cases, which would make votes worse, cannot be seen; empty where a test of fit could see them."""
    test = answer.side.goodness
    if test is not None and not (follows_anything(test) or unproved(answer.fit, answer.side)):
        return ""
    return _(
        "Whether some {subjects} are harder than others cannot be seen here; if some are, votes are right less often."
    ).format()


def independence_content(answer: Answer) -> Content | None:
    """Agreement of pairs of raters, against what raters who judge by themselves would show."""
    result, fit = answer.side.independence, answer.side.by_rater or answer.result
    if result is None or fit is None:
        return None
    figure = restyled(figures_raters.independent(fit, result), answer.style)
    title = _("Agreement of pairs of {raters}")
    return Content(
        (
            Paragraph(result.words),
            Picture(title, (figure,), figure.note, height=_height(figure)),
            words.independent(result, answer.style),
        )
    )


def information_content(answer: Answer) -> Content | Missing | None:
    """How much a rating of each rater tells, by a model that tells raters apart."""
    ratings, style = answer.ratings, answer.style
    fits = [fit for fit in (answer.result, answer.side.by_rater) if fit is not None]
    needs = figures_raters.information_needs
    fit = next((f for f in fits if f.identification.identified and needs(f, ratings) is None), None)
    if fit is None:
        return None
    if contradicted(answer.side):
        return Missing(CONTRADICTED.format())
    if too_alike(answer.side):
        return Missing(
            _("Some {raters} agree more often than the model explains, so whose {ratings} say most is open.").format()
        )
    if too_unsure(answer):
        return Missing(words.no_informations())
    result, contrasts = rater_informations(fit), answer.side.rater_contrasts
    known = contrasts is not None and contrasts.model == fit.model.name
    names, compared = (contrasts.informed, contrasts.informations) if contrasts and known else ((), None)
    figure = restyled(figures_raters.information(fit, names, compared), style)
    title = _("How much {a_rating} of each {rater} tells")
    return Content(
        (
            Paragraph(words.informations(fit, result, names, compared, style)),
            Picture(title, (figure,), figure.note, height=_height(figure)),
            words.information_table(fit.raters, result, style),
        )
    )


CALIBRATION = Part(
    "calibration",
    "checks",
    _("Does the model predict single {ratings}?"),
    _(
        "What the model says of {a_rating} from the other {ratings} of its {subject}, against what was "
        "given. Dots on the diagonal are foretold well; lines that miss it are further off than luck "
        "explains."
    ),
    calibration_content,
    uses=("opposition",),
    about=About.ANSWERS,
    block="more",
)
RATER_CALIBRATION = Part(
    "rater_calibration",
    "checks",
    _("Does the model predict how often each {rater} gives a class?"),
    _(
        "How often each {rater} gives a class by the model, against how often it was. Off the diagonal "
        "{a_rater} gives it more or less often than the model expects: in a way of their own, or because "
        "others with a way of their own move what it expects of all."
    ),
    rater_calibration_content,
    uses=("opposition",),
    about=About.ANSWERS,
    block="more",
)
VOTES = Part(
    "votes",
    "checks",
    _("How often would a vote be right?"),
    _(
        "How often the class that most {raters} give would be the true one, by the number of {ratings} of "
        "{a_subject}, if the model holds and its estimates are right."
    ),
    votes_content,
    uses=("chance", "differences", "goodness", "opposition"),
    about=About.ANSWERS,
    block="more",
)
INDEPENDENCE = Part(
    "independence",
    "checks",
    _("Do {raters} agree more than the model explains?"),
    _(
        "How often every two {raters} agree, against what the model makes of {raters} who judge by "
        "themselves. {Subjects} that are harder than others make all of them agree more; a pair is named "
        "only where unlike {raters} and hard {subjects} do not explain it, and no other pair does as much. "
        "Why they agree cannot be told."
    ),
    independence_content,
    uses=("independence", "by_rater"),
    about=About.RATINGS,
    block="more",
)
INFORMATION = Part(
    "information",
    "checks",
    _("Whose {ratings} say most?"),
    _(
        "The share of what is open about {a_subject} that one {rating} of each {rater} settles: 1 of "
        "{a_rater} who is always right, 0 of one whose {ratings} say nothing. Who always gives the same "
        "class says nothing, however often it is right."
    ),
    information_content,
    uses=("by_rater", "rater_contrasts", "chance"),
    about=About.RATINGS,
    block="more",
)
