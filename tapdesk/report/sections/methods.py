"""Sections: how the numbers were obtained, what they take for granted, and the literature they come from."""

from collections.abc import Sequence

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.answers import award_brief, numbers
from tapdesk.answers import fit_tables as tables
from tapdesk.answers import fit_words as words
from tapdesk.answers.content import Block, Heading, Paragraph, Tone
from tapdesk.answers.literature import citation, of_coefficient, of_fit, of_model, of_scale, reference, references
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.question import awarded
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.model import Cases, Guessing
from tapdesk.report.annex import asked_for
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
from tapdesk.studies.award_answer import Awards
from tapdesk.version import VERSION

_METHODS = {
    "exact-em": _("exact E-M from several starts, finished by Newton steps"),
    "moment-em": _("moment E-M of the Kappa Zoo"),
    "posterior": _("distribution of belief"),
}


def methods(context: Context) -> Section | None:
    """The model in words and as a formula, and every setting of the run."""
    if not context.done and not context.extras.coefficients:
        return None
    blocks: list[Block] = []
    result = awards_of(context)
    if result is not None:
        blocks.append(Paragraph(award_brief.method_words(result), opening=_("Awards.")))
    for done in _told(context):
        if len(context.done) > 1:
            blocks.append(Heading(done.fit.model.name))
        model = _("{words} {works}").format(words=words.model_words(done.fit), works=citation(of_model(done.fit.model)))
        blocks.append(Paragraph(model, opening=_("Model {name}.").format(name=done.fit.model.name)))
        blocks.append(Paragraph(formula(done.fit), Tone.FORMULA))
        blocks.append(Paragraph(_symbols(done.fit)))
        blocks.append(Paragraph(estimation(done.fit), opening=_("Estimation.")))
        if not context.form.annexed:
            # The annex tells them in its sentences and in its record.
            blocks.append(tables.pairs(_("Settings of the analysis"), settings(done, context)))
    if context.extras.coefficients:
        blocks.append(Paragraph(_coefficients(context), opening=_("Coefficients.")))
    blocks += [*assumptions([done.fit for done in _told(context)]), Paragraph(_program(context))]
    return Section("model", _("How the numbers were obtained"), (*blocks, *context.comment("model")))


def awards_of(context: Context) -> Awards | None:
    """Who wins, where the report tells it."""
    result: Awards | None = context.extras.on_demand.get("awards")
    return None if "awards" in context.left_out else result


def _told(context: Context) -> tuple[Done, ...]:
    """The answers whose numbers are printed: where who wins was asked the annex leaves those of its model out."""
    main = context.main
    if not context.form.annexed or main is None or awarded(context.answer(main)) is None:
        return context.done
    return tuple(done for done in context.done if done is not main)


def _printed(context: Context) -> tuple[Coefficient, ...]:
    """The coefficients of this form of the report."""
    every = context.extras.coefficients
    if not context.form.annexed or context.ratings is None:
        return every
    return asked_for(every, len(context.ratings.classes)) or every


def _coefficients(context: Context) -> str:
    """How the coefficients were made: pairs, weights, intervals."""
    coefficients = _printed(context)
    named = [c.weights for c in coefficients if c.weights not in {None, "identity"}]
    sentence = _(
        "The agreement coefficients use every pair of {ratings} of one {subject}; {a_subject} with a single {rating} "
        "counts only where a coefficient says so. Standard errors come from linearisation over {subjects}."
    )
    from_works = {one.cite: one for c in coefficients for one in of_coefficient(c.name, c.weights)}
    named_works = citation((*from_works.values(), *of_scale(context.scale)))
    sentence = _(
        "{told} Intervals rest on them, those of the intraclass correlations on the F distribution {works}."
    ).format(told=sentence.format(), works=named_works)
    if not named:
        return sentence
    return _("{told} Besides plain matches, near misses get credit by these weights: {weights}. {meaning}").format(
        told=sentence,
        weights=", ".join(dict.fromkeys(str(w) for w in named)),
        meaning=_("Linear: 1 minus the distance in steps over the longest distance; quadratic: 1 minus its square."),
    )


def _program(context: Context) -> str:
    """The software, and what the tests rest on."""
    sentence = _("All numbers were computed by tapdesk {version}, without any connection to a network.").format(
        version=VERSION
    )
    test, pairs = context.extras.chance, context.extras.independence
    if test is not None:
        sentence = _("{told} Tests of chance and of fit rest on {n} simulated data sets.").format(
            told=sentence, n=numbers.count(test.test.replicates)
        )
    if pairs is not None:
        sentence = _(
            "{told} Whether pairs of {raters} agree too often was judged by {n} simulated data sets: simulating ends "
            "once no pair can stand out, which is wrong at most once in 1,000 reports."
        ).format(told=sentence, n=numbers.count(pairs.replicates))
    return sentence


def formula(fit: Fit) -> str:
    """The probability of a rating as one line of text (models.md §2)."""
    a = "a" if fit.parameters.accuracy.size == 1 else "a(j, k)"
    p = "p(c)" if fit.parameters.guessing.shape[:2] == (1, 1) else "p(c | j, k)"
    if fit.model.guessing is Guessing.AS_TRUTH:
        p = "t(c)"
    return f"Pr(C = c | T = k) = {a} · [c = k] + (1 − {a}) · {p},   Pr(T = k) = t(k)"


def _symbols(fit: Fit) -> str:
    return ngettext(
        "T is the true class of {a_subject}, C the class {a_rating} gives it, and [c = k] is 1 where the two are the "
        "same and 0 elsewhere. {n} number was estimated freely.",
        "T is the true class of {a_subject}, C the class {a_rating} gives it, and [c = k] is 1 where the two are the "
        "same and 0 elsewhere. {n} numbers were estimated freely.",
        fit.free,
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
        rows.append((_("Resamples"), numbers.count(request.replicates)))
    rows.append((_("Random start"), str(fit.seed)))
    if done.analysis.run_at:
        rows.append((_("Run"), numbers.moment(done.analysis.run_at)))
    if len(fit.classes) == 2:
        rows.insert(2, (_("Counted class"), numbers.short(fit.classes[1])))
    if context.ratings is not None and not context.ratings.raters_known:
        rows.append((_("{Raters}"), _("by seat: who gave {a_rating} plays no part")))
    return tuple(rows)


def estimation(fit: Fit) -> str:
    """Where the search began, when it ends, how it ended, and how the intervals were made."""
    if fit.estimator == "posterior":
        sentence = _("Belief about the numbers was worked out from the {ratings} and a prior that favours no value.")
    else:
        sentence = ngettext(
            "The likelihood was climbed from {n} start until a step gained less than a ten-billionth of it.",
            "The likelihood was climbed from {n} starts until a step gained less than a ten-billionth of it; the "
            "highest place that was reached is told.",
            max(fit.starts, 1),
        ).format(n=numbers.count(max(fit.starts, 1)))
    works = [one for one in of_fit(fit) if one not in of_model(fit.model)]
    kind = _("Each estimate has a {interval} {works}.").format(
        interval=kind_of_interval(*fit.interval), works=citation(works)
    )
    return joined(sentence, words.settled(fit), kind if fit.interval[0] != "none" else "")


def assumptions(fits: Sequence[Fit]) -> list[Block]:
    """What nothing in the data can test, and what the answer takes for granted."""
    alone = _(
        "Given the true class of {a_subject}, its {ratings} are independent: {raters} judged alone, no two share a "
        "mistake, and no {subject} misleads everybody. {Subjects} are independent of each other."
    )
    if fits and all(fit.model.cases is not Cases.ALIKE for fit in fits):
        alone = _(
            "Given the true class of {a_subject} and how hard it is, its {ratings} are independent: {raters} judged "
            "alone. {Subjects} are independent of each other."
        )
    missing = _(
        "A missing {rating} is left out, which is right if whether it is missing has nothing to do with what it would "
        "have said {works}."
    ).format(works=citation((reference("rubin"),)))
    fixed = _("The classes mean the same to every {rater} and throughout the study.")
    return [Paragraph(joined(alone.format(), fixed.format(), missing), opening=_("Assumptions."))]


def works(context: Context) -> Section | None:
    """Every work that is cited, each on a line."""
    fits = [done.fit for done in _told(context)]
    if not fits and not context.extras.coefficients:
        return None
    listed = references(fits, _printed(context), context.scale, _also(context))
    return Section("references", _("References"), tuple(Paragraph(one.work, Tone.SMALL) for one in listed))


def _also(context: Context) -> tuple[str, ...]:
    """Works that no answer and no coefficient brings along: of guidelines, and of what stands beside the answer."""
    scan = context.extras.scan
    tested = scan is not None and any(p is not None for p in scan.apart)
    result = awards_of(context)
    judged = () if result is None else award_brief.works(result)
    return ("rubin", "kottner", *judged, *(("wilks", "holm") if tested else ()))
