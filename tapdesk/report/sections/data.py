"""Sections above the answer: purpose and design, how the numbers were obtained, the data, and how classes were used."""

from dataclasses import replace

from tapdesk.answers import cells, numbers
from tapdesk.answers import fit_tables as tables
from tapdesk.answers import fit_words as words
from tapdesk.answers.content import Block, Heading, Paragraph, Picture, Tone
from tapdesk.answers.figures import classes as figures_classes
from tapdesk.answers.figures import data as figures_data
from tapdesk.answers.figures.catalog import FIGURES
from tapdesk.answers.numbers import DASH
from tapdesk.answers.parameters import kind_of_interval
from tapdesk.answers.pseudonyms import coded_findings, coded_ratings
from tapdesk.fitting.fit import Fit
from tapdesk.language import gettext as _
from tapdesk.language import joined, ngettext
from tapdesk.models.model import Guessing
from tapdesk.project.review_state import findings_now
from tapdesk.ratings.findings import label_text, short_text
from tapdesk.ratings.options import Layout
from tapdesk.ratings.ratings import Ratings
from tapdesk.report.report import Section
from tapdesk.report.sections.context import Context, Done
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
    coefficients = context.extras.coefficients
    named = [c.weights for c in coefficients if c.weights not in {None, "identity"}]
    sentence = _(
        "The agreement coefficients use every pair of {ratings} of one {subject}; {a_subject} with a single {rating} "
        "counts only where a coefficient says so. Standard errors come from linearisation over {subjects}."
    )
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
    test = context.extras.chance
    if test is None:
        return sentence
    return _("{told} Tests of chance and of fit rest on {n} simulated data sets.").format(
        told=sentence, n=numbers.count(test.test.replicates)
    )


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
        rows.append((_("Raters"), _("by seat: who gave a rating plays no part")))
    return tuple(rows)


def purpose(context: Context) -> Section | None:
    """What was asked, of which cases and raters, and what was known: the user's words."""
    return Section("purpose", _("Purpose"), tuple(context.answers_to("purpose")))


def design(context: Context) -> Section | None:
    """How cases and raters came together: the user's words, and the design as the data show it."""
    blocks: list[Block] = list(context.answers_to("design"))
    ratings = context.ratings
    if ratings is not None and ratings.subject.size:
        blocks.append(tables.pairs(_("The design as the data show it"), _rows(ratings)))
        if len(ratings.raters) > 1 and ratings.weight is None:
            figure = figures_data.coverage(ratings)
            height = 78.0 + 19.0 * len(figure.y.ticks)
            blocks.append(Picture(figure.title, (figure,), figure.note, height=height))
    return Section("design", _("Design"), tuple(blocks))


def _rows(ratings: Ratings) -> list[tuple[str, str]]:
    each = ratings.ratings_per_subject()
    spread = _("{least} to {most}").format(least=int(each.min()), most=int(each.max()))
    if each.min() == each.max():
        spread = numbers.count(int(each.max()))
    known = _("known by name") if ratings.raters_known else _("seats: who sat in them is not known")
    rows = [
        (_("{Subjects}"), cells.count(ratings.subject_count)),
        (
            _("{Raters}"),
            _("{n}, {known}").format(n=numbers.count(len(ratings.raters)), known=known)
            if len(ratings.raters) > 1
            else known,
        ),
        (_("{Ratings} of {a_subject}"), spread),
        (_("Classes"), "; ".join(numbers.shorts(ratings.classes))),
        (
            _("Order of the classes"),
            _("means something, lowest first") if ratings.ordered else _("means nothing"),
        ),
        (
            _("Repeats: {a_rater} rated {a_subject} again"),
            _repeats(ratings),
        ),
    ]
    return [(str(name), value) for name, value in rows]


def _repeats(ratings: Ratings) -> str:
    """How many ratings are second or later ones of one rater on one subject."""
    if not ratings.raters_known:
        return DASH
    pairs = ratings.subject.astype("int64") * max(len(ratings.raters), 1) + ratings.rater
    return cells.count(pairs.size - len(set(pairs.tolist())))


def data(context: Context) -> Section | None:
    """What was read, what was left out and why, and what is counted in the end."""
    reading, ratings = context.project.reading, context.ratings
    if reading is None or ratings is None:
        return None
    sentences = (context.names.text(sentence, "") for sentence in reading.source.words)
    lines = (joined(*sentences), _one_rating(context))
    blocks: list[Block] = [Paragraph(text) for text in lines if text]
    if ratings.rating_count:
        figure = figures_data.flow(reading, ratings)
        blocks.append(Picture(figure.title, (figure,), figure.note, height=44.0 + 30.0 * len(figure.y.ticks)))
    told_flow = tables.flow(reading, ratings, context.project.all_classes)
    blocks += [told_flow, Paragraph(words.missing_rule())]
    blocks += context.answers_to("data")
    if reading.findings:
        now = replace(reading, findings=findings_now(context.project))
        findings = coded_findings(now, context.names)
        blocks += [Heading(_("What reading noticed")), tables.findings(findings)]
    else:
        blocks.append(Paragraph(_("Reading the file raised no question.")))
    return Section("data", _("Data used"), (*blocks, *context.comment("data")))


def _one_rating(context: Context) -> str:
    """One rating in words; where somebody is called by a code, of the ratings in the order of the codes."""
    reading = context.project.reading
    if reading is None or not context.names.coded:
        return "" if reading is None else context.names.text(reading.source.sentence, "")
    if reading.source.layout in {Layout.COUNTS, Layout.CONFUSION} or not reading.as_read.rating_count:
        return context.names.text(reading.source.sentence, "")
    coded = coded_ratings(reading.as_read, context.names)
    at = coded.subject.size // 2
    rater, case = coded.raters[int(coded.rater[at])], coded.subjects[int(coded.subject[at])]
    words = {"name": rater, "case": short_text(case), "rated": label_text(coded.classes[int(coded.category[at])], 40)}
    if coded.raters_known:
        return _("The {rater} {name} gave the {subject} {case} the {rating} {rated}.").format(**words)
    return _("The {rater} in seat {name} gave the {subject} {case} the {rating} {rated}.").format(**words)


def description(context: Context) -> Section | None:
    """How often each class was given, and by whom."""
    ratings = context.ratings
    if ratings is None:
        return None
    blocks: list[Block] = []
    if len(ratings.classes) == 2:
        blocks.append(Paragraph(_class1(ratings)))
    blocks.append(tables.class_counts(ratings))
    use = figures_classes.class_use(ratings, context.style)
    if use is not None:
        height = 50.0 + max(16.0, min(30.0, 260.0 / len(use.y.ticks))) * len(use.y.ticks)
        blocks.append(Picture(use.title, (use,), use.note, height=height))
    elif context.main is not None:
        row = next(f for f in FIGURES if f.kind == "class_rates")
        if row.needs(context.main.fit, ratings) is None:
            (figure,) = row.draw(context.main.fit, ratings)
            blocks.append(Picture(figure.title, (figure,), figure.note, height=200.0))
    blocks += context.comment("description")
    return Section("description", _("How the classes were used"), tuple(blocks))


def _class1(ratings: Ratings) -> str:
    """What class 1 is made of."""
    zero, one = (numbers.short(label, 100) for label in ratings.classes)
    return _("The counted class is “{one}”; every other rating counts as “{zero}”.").format(one=one, zero=zero)
