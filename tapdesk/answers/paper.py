"""What authors can take over into a paper: how it was done, what came out, what to say beside it, and works cited."""

from collections.abc import Iterable, Sequence

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import cases, fit_words, literature, misfit, numbers, range_words
from tapdesk.answers.content import Block, Paragraph
from tapdesk.answers.fit_tables import spread
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.part import Answer, Content, Missing, Part
from tapdesk.answers.question import headline
from tapdesk.answers.raters import panel_accuracy
from tapdesk.estimate import Estimate
from tapdesk.fitting.fit import Fit, SampledPosterior
from tapdesk.language import gettext as _
from tapdesk.language import joined
from tapdesk.models.model import Accuracy, Cases
from tapdesk.version import VERSION

# What reviewers ask for, in this order.
_ASKED = ("percent_agreement", "cohen_kappa", "fleiss_kappa", "gwet_ac", "krippendorff_alpha")


def paper_content(answer: Answer) -> Content | Missing | None:
    """Methods, results and caveats as paragraphs to be taken over, with the works they cite."""
    if answer.result is None or not answer.ratings.rating_count:
        return None
    fit, told = answer.fit, coefficients_of(answer)
    works = literature.references((fit,), told, also=("kottner", *(("rubin",) if _gaps(answer) else ())))
    blocks: list[Block] = [
        Paragraph(joined(*_methods(answer, told)), opening=_("Methods.")),
        Paragraph(joined(*_results(answer, told)), opening=_("Results.")),
        Paragraph(joined(*_caveats(answer)), opening=_("Limitations.")),
        *(Paragraph(one.work, opening="" if i else _("References.")) for i, one in enumerate(works)),
    ]
    return Content(tuple(blocks))


def coefficients_of(answer: Answer) -> tuple[Coefficient, ...]:
    """The coefficients a reviewer asks for: of two raters Cohen's kappa, and of ordered classes the weighted kappa."""
    every = answer.side.coefficients
    two = answer.ratings.raters_known and len(answer.ratings.raters) == 2
    left = {"fleiss_kappa"} if two else {"cohen_kappa"}
    plain = [c for c in every if c.weights in {None, "identity"} and c.category is None and _of_panel(c, two=two)]
    shown = [
        c for name in _ASKED for c in plain if c.name == name and name not in left and c.metric in {None, "nominal"}
    ]
    # A class 1 that was chosen has no near misses: the weights belong to all classes.
    weighted = weighted_kappa((*every, *answer.side.all_classes), two=two)
    return tuple(c for c in (*shown, *([weighted] if weighted is not None else [])) if c.estimate.value is not None)


def weighted_kappa(every: Iterable[Coefficient], *, two: bool) -> Coefficient | None:
    """Kappa with quadratic weights: Cohen's of two raters, else Fleiss'; None where the classes have no order."""
    name = "cohen_kappa" if two else "fleiss_kappa"
    found = (c for c in every if c.name == name and c.weights == "quadratic" and _of_panel(c, two=two))
    return next(found, None)


def _gaps(answer: Answer) -> bool:
    """Whether cases have unequal numbers of ratings, so that some may be missing."""
    return len(set(answer.ratings.ratings_per_subject().tolist())) > 1


def _of_panel(c: Coefficient, *, two: bool) -> bool:
    return c.raters is None or (two and c.name == "cohen_kappa")


def _methods(answer: Answer, told: Sequence[Coefficient]) -> list[str]:
    """Who rated what, by which coefficients and which model, and what that takes for granted."""
    ratings, fit = answer.ratings, answer.fit
    each = spread(ratings.ratings_per_subject())
    design = _("{k} {raters} gave {m} {ratings} of {n} {subjects} ({each} of each); there were {c} classes.")
    if not ratings.raters_known:
        design = _(
            "{n} {subjects} were rated {m} times ({each} of each); there were {c} classes, and who rated is not used."
        )
    fields = {
        "k": numbers.count(len(ratings.raters)),
        "m": numbers.count(ratings.rating_count),
        "n": numbers.count(ratings.subject_count),
        "each": each,
        "c": numbers.count(len(answer.every.classes)),
    }
    named = [_cited(c, answer) for c in told if c.name != "percent_agreement"]
    used = (
        _("Agreement is described by raw agreement and by {named}.").format(named=numbers.listed(named))
        if named
        else ""
    )
    model = _(
        "To part knowledge from luck, the {model} model {works} was fitted to the {ratings}: each {rating} either "
        "follows the true class of its {subject} or is a guess. Given the true class, the {ratings} of {a_subject} are "
        "taken to be independent."
    ).format(model=fit.model.name, works=literature.citation(literature.of_fit(fit)))
    if fit.model.cases is Cases.ALIKE and fit.model.accuracy is Accuracy.ONE:
        model = joined(model, _("All {subjects} are taken to be equally hard.").format())
    missing = _("A missing {rating} is left out, as if it were missing whatever it would have said {works}.").format(
        works=literature.citation((literature.reference("rubin"),))
    )
    kind = _("Numbers stand with {interval}.").format(interval=kind_of_interval(*fit.interval))
    report = _("Reporting follows guidelines for studies of agreement {works}. Software: tapdesk {version}.").format(
        works=literature.citation((literature.reference("kottner"),)), version=VERSION
    )
    return [
        design.format(**fields),
        used,
        model,
        _population(fit),
        missing if _gaps(answer) else "",
        "" if fit.interval[0] == "none" else kind,
        report,
    ]


def _population(fit: Fit) -> str:
    """How pooled raters were taken to be of one population; empty where they were not."""
    posterior = fit.posterior
    if not isinstance(posterior, SampledPosterior) or posterior.population is None:
        return ""
    if posterior.along:
        words = _(
            "The accuracies of the {raters} were taken for draws from one population, normal on the logit scale, "
            "around a line along {columns}."
        )
        return words.format(columns=numbers.listed([one.covariate for one in posterior.along]))
    words = _("The accuracies of the {raters} were taken for draws from one population, normal on the logit scale.")
    return words.format()


def _cited(c: Coefficient, answer: Answer) -> str:
    """A coefficient by its name and its work."""
    works = literature.citation(literature.of_coefficient(c.name, c.weights))
    name = _name(c, answer)
    return _("{name} {works}").format(name=name, works=works) if works else name


def _name(c: Coefficient, answer: Answer) -> str:
    if c.weights == "quadratic" and len(answer.every.classes) > len(answer.ratings.classes):
        return _("the quadratically weighted kappa of all classes")
    if c.weights == "quadratic":
        return _("quadratically weighted kappa")
    return {
        "percent_agreement": _("raw agreement"),
        "cohen_kappa": _("Cohen’s kappa"),
        "fleiss_kappa": _("Fleiss’ kappa"),
        "gwet_ac": _("Gwet’s AC1"),
        "krippendorff_alpha": _("Krippendorff’s alpha"),
    }[c.name]


def _results(answer: Answer, told: Sequence[Coefficient]) -> list[str]:
    """The coefficients with their intervals, then the answer in the sentence that stands everywhere."""
    rows = [_("{name} {value}").format(name=_name(c, answer), value=_value(c.estimate)) for c in told]
    first = _("Measured so, the agreement is: {rows}.").format(rows="; ".join(rows)) if rows else ""
    sentence, follows = headline(answer)
    panel = _panel(answer)
    return [first, sentence, follows, panel]


def _value(e: Estimate) -> str:
    """A value with its interval, as journals print it."""
    if e.value is None:
        return numbers.DASH
    if e.low is None or e.high is None:
        return numbers.value(e)
    level = numbers.level(e.level or 0.95)
    return _("{value} ({level} CI {reach})").format(value=numbers.value(e), level=level, reach=numbers.interval(e))


def _panel(answer: Answer) -> str:
    """The accuracy as a number of the model, where there is one for the whole panel."""
    fit, e = answer.fit, panel_accuracy(answer)
    one = fit.model.accuracy is Accuracy.ONE and not fit_words.void(fit) and not misfit.contradicted(answer.side)
    if e is None or not one or range_words.open_range(fit) is not None:
        return ""
    if (reach := misfit.if_some_are_harder(fit, answer.side)) is not None:
        return _(
            "Accuracy by the {model} model, if all {subjects} are equally hard: {value}; if some are harder: {reach}."
        ).format(model=fit.model.name, value=_value(e), reach=range_words.reach(*reach))
    if misfit.set_back(fit, answer.side):
        return _("Accuracy by the {model} model, only if one accuracy described these {ratings}: {value}.").format(
            model=fit.model.name, value=_value(e)
        )
    return _("Accuracy by the {model} model: {value}.").format(model=fit.model.name, value=_value(e))


def _caveats(answer: Answer) -> list[str]:
    """What stands beside the numbers in any case, and what is to be said of these."""
    fit: Fit = answer.fit
    sentences = [
        fit_words.not_said(answer.ratings, fit.model.key),
        _("Kappa depends on how common each class is and is not compared between groups in which that differs."),
        fit_words.caution(fit, answer.ratings),
    ]
    beliefs = cases.believed(answer)
    if beliefs is not None and not cases.certain(beliefs, answer):
        sentences.append(cases.sure_of(beliefs, answer))
    return [text for text in sentences if text]


PAPER = Part(
    "paper",
    "paper",
    _("For your paper"),
    _(
        "Sentences on how it was done and what came out, with the numbers, the works they come from and "
        "what to say beside them: to be taken over and changed. What only you know, as how {subjects} were "
        "chosen, is missing there."
    ),
    paper_content,
    uses=("coefficients", "all_classes", "beliefs"),
    headed=False,
)
