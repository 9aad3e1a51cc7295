"""Section: how the numbers were obtained."""

from tapdesk.answers import fit_tables as tables
from tapdesk.answers import fit_words as words
from tapdesk.answers import numbers
from tapdesk.answers.content import Block, Heading, Paragraph, Tone
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.models.model import Guessing
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.version import VERSION

_METHODS = {
    "exact-em": _("exact E-M from several starts, finished by Newton steps"),
    "moment-em": _("moment E-M of the Kappa Zoo"),
    "posterior": _("posterior distribution"),
}


def methods(context: Context) -> Section | None:
    """The model in words and as a formula, and every setting of the run."""
    if not context.done and not context.extras.coefficients:
        return None
    blocks: list[Block] = []
    for done in context.done:
        if len(context.done) > 1:
            blocks.append(Heading(done.fit.model.name))
        blocks.append(Paragraph(words.model_words(done.fit)))
        blocks.append(Paragraph(formula(done.fit), Tone.FORMULA))
        blocks.append(Paragraph(_symbols(done.fit)))
        blocks.append(tables.pairs(_("Settings of the analysis"), settings(done, context)))
    if context.extras.coefficients:
        blocks.append(Paragraph(_coefficients(context)))
    blocks.append(Paragraph(_program(context)))
    return Section("model", _("How the numbers were obtained"), (*blocks, *context.comment("model")))


def _coefficients(context: Context) -> str:
    """How the coefficients were made: pairs, weights, intervals."""
    found = context.extras.coefficients
    named = [c.weights for c in found if c.weights not in {None, "identity"}]
    told = _(
        "The agreement coefficients use every pair of {ratings} of one {subject}; {a_subject} with a single {rating} "
        "counts only where a coefficient says so. Standard errors come from linearisation over {subjects}."
    )
    if not named:
        return told
    return _("{told} Besides plain matches, near misses get credit by these weights: {weights}. {meaning}").format(
        told=told,
        weights=", ".join(dict.fromkeys(str(w) for w in named)),
        meaning=_("Linear: 1 minus the distance in steps over the longest distance; quadratic: 1 minus its square."),
    )


def _program(context: Context) -> str:
    """The software, and what the tests rest on."""
    told = _("All numbers were computed by tapdesk {version}, without any connection to a network.").format(
        version=VERSION
    )
    test = context.extras.chance
    if test is None:
        return told
    return _("{told} Tests of chance and of fit rest on {n} simulated data sets.").format(
        told=told, n=numbers.count(test.test.replicates)
    )


def formula(fit: Fit) -> str:
    """The probability of a rating as one line of text (models.md §2)."""
    a = "a" if fit.parameters.accuracy.size == 1 else "a(j, k)"
    p = "p(c)" if fit.parameters.guessing.shape[:2] == (1, 1) else "p(c | j, k)"
    if fit.model.guessing is Guessing.AS_TRUTH:
        p = "t(c)"
    return f"Pr(C = c | T = k) = {a} · [c = k] + (1 − {a}) · {p},   Pr(T = k) = t(k)"


def _symbols(fit: Fit) -> str:
    return _(
        "T is the true class of {a_subject}, C the class {a_rating} gives it, and [c = k] is 1 where the two are the "
        "same and 0 elsewhere. {n} numbers were estimated freely."
    ).format(n=fit.free)


def settings(done: Done, context: Context) -> tuple[tuple[str, str], ...]:
    """Every setting that decides about the numbers."""
    fit, request = done.fit, done.analysis.request
    rows = [
        (_("Model"), fit.model.name),
        (_("Classes"), "; ".join(numbers.shorts(fit.classes))),
        (_("Estimated by"), _METHODS.get(fit.estimator, fit.estimator)),
        (_("Intervals"), kind_of_interval(*fit.interval)),
    ]
    if fit.interval[0] == "bootstrap" or fit.draws is not None:
        rows.append((_("Re-draws"), numbers.count(request.replicates)))
    rows.append((_("Seed"), str(fit.seed)))
    if done.analysis.run_at:
        rows.append((_("Run"), numbers.moment(done.analysis.run_at)))
    if len(fit.classes) == 2:
        rows.insert(2, (_("Class 1"), numbers.short(fit.classes[1])))
    if context.ratings is not None and not context.ratings.raters_known:
        rows.append((_("Raters"), _("by seat: who gave a rating plays no part")))
    return tuple(rows)
