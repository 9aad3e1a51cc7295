"""The writing example of "Modeling Raters and Ratings": its ratings are not public, a file of their shape is ours."""

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from scipy.stats import gaussian_kde

from tapdesk import resources
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Band, Bars, Figure, Form, Line, Mark, Points, Role
from tapdesk.answers.figures.cases import MOST_GROUPS, grouping
from tapdesk.answers.figures.design_study import unit
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.fitting.fit_summary import subject_posterior
from tapdesk.fitting.sampling.method import Sampling
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.design import design
from tapdesk.models.model import RaterModel, model
from tapdesk.models.parameters import FloatArray
from tapdesk.papers import wine
from tapdesk.papers.reproduction import FigureRequest, size_of_data, two_classes
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings, plain_text
from tapdesk.ratings.reading import read
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.fleiss_kappa import kappa_of
from tapdesk.studies.table import Cell, StudyTable

FILE = ("help", "reproductions", "writing.csv")
_SEED, _RATINGS, _RATERS = 7, 6718, 44
_LEAST_ACCURATE = 0.5
_BINS = 20
_LEAST_SHARED = 10
# Of the shares of the five classes by year of study: from "not yet college level" to "as graduates write".
_BY_YEAR = (
    (0.34, 0.38, 0.20, 0.06, 0.02), (0.10, 0.26, 0.33, 0.22, 0.09),
    (0.03, 0.10, 0.24, 0.38, 0.25), (0.01, 0.03, 0.10, 0.36, 0.50),
)  # fmt: skip
# Two instructors rate everything two classes higher, two know little, and the age of two is not known.
_LENIENT, _WEAK, _AGELESS = (12, 29), {5: 0.3, 17: 0.4}, (8, 31)
# How many of the lowest class are given as the next one: nobody likes to say "not yet college level".
_SPARED = 0.4


def simulate_file() -> str:
    """The bundled file as text: 6,718 ratings of students (3 or more each) by 44 instructors (30 or more each).

    The columns are the paper's: student, year, rater, age, rating (1 to 5). Age has no effect on accuracy.
    """
    rng = np.random.default_rng(_SEED)
    sizes: list[int] = []
    while sum(sizes) < _RATINGS:
        sizes.append(int(rng.choice([3, 4, 5, 6, 7], p=[0.3, 0.25, 0.2, 0.15, 0.1])))
    while sum(sizes) > _RATINGS:
        sizes[int(np.argmax(sizes))] -= 1
    year = rng.choice(4, p=[0.35, 0.27, 0.2, 0.18], size=len(sizes))
    truth = np.array([rng.choice(5, p=_BY_YEAR[own]) for own in year])
    guess = np.bincount(truth, minlength=5) / truth.size
    accuracy = np.clip(rng.beta(10, 5, _RATERS), 0.3, 0.95)
    for rater, a in _WEAK.items():
        accuracy[rater] = a
    share = rng.dirichlet(np.full(_RATERS, 3.0)) + 0.004
    rows: list[tuple[int, int, int]] = []
    for i, size in enumerate(sizes):
        for j in np.sort(rng.choice(_RATERS, size, replace=False, p=share / share.sum())):
            given = truth[i]
            if j in _LENIENT:
                given = min(given + 2, 4)
            elif given == 0 and rng.random() < _SPARED:
                given = 1
            if rng.random() >= accuracy[j]:
                given = rng.choice(5, p=guess)
            rows.append((i, int(j), int(given)))
    age = _ages(rng, accuracy, np.bincount([j for _i, j, _given in rows], minlength=_RATERS))
    lines = [f"S{i + 1:04d},{year[i] + 1},I{j + 1:02d},{age[j]},{given + 1}" for i, j, given in rows]
    return "\n".join(["student,year,rater,age,rating", *lines]) + "\n"


def _ages(rng: np.random.Generator, accuracy: FloatArray, given: NDArray[np.int64]) -> list[str]:
    """Ages that say next to nothing of accuracies, rater by rater; some are not known.

    Of many ways to deal them out the one is taken whose correlation with the accuracies, weighted by the ``given``
    ratings, is nearest to .02.
    """
    ages = rng.integers(27, 69, _RATERS)
    # Who rates two classes too high has next to no accuracy at the midpoint.
    own = accuracy.copy()
    own[list(_LENIENT)] = 0.1
    known = ~np.isin(np.arange(_RATERS), _AGELESS)

    def correlation(way: NDArray[np.int64]) -> float:
        table = np.cov(way[known], own[known], fweights=given[known])
        return float(table[0, 1] / np.sqrt(table[0, 0] * table[1, 1]))

    way = min((rng.permutation(ages) for _way in range(300)), key=lambda way: abs(correlation(way) - 0.02))
    return [str(n) if k else "" for n, k in zip(way, known, strict=True)]


def _ratings(request: FigureRequest) -> Run[Ratings]:
    if request.ratings is not None:
        return request.ratings.decided()
    result = yield from read(resources.path(*FILE))
    return result.ratings


def _midpoint(ratings: Ratings) -> Ratings:
    """Two classes: as they are, or the lower half of the classes in their order counted, as the paper counts 1 to 3.

    Raises
    ------
    CannotAnswerError
        When there are more than two classes without an order.
    """
    labels = ratings.classes
    if len(labels) == 2:
        return ratings
    if not ratings.ordered:
        return two_classes(ratings)
    middle = (len(labels) + 1) // 2
    return ratings.merged((labels[middle:], labels[:middle]))


def _by_rater(ratings: Ratings, seed: int) -> Run[Fit]:
    reason = ExactEM().refuses(model("t-aj-p"), ratings)
    if reason:
        raise CannotAnswerError(reason)
    fit = yield from ExactEM().run(model("t-aj-p"), ratings, seed)
    if not fit.identification.identified:
        raise CannotAnswerError(
            _("These ratings do not tell single raters apart. {words}").format(words=fit.identification.words)
        )
    return fit


def scan(request: FigureRequest) -> Run[StudyTable]:
    """Posterior mean and spread of a, t and p, and the root of kappa, at every cut of the writing file."""
    ratings = yield from _ratings(request)
    return (yield from wine.scan(replace(request, ratings=ratings)))


def accuracies(request: FigureRequest) -> Run[StudyTable]:
    """The accuracy of each instructor by ti-aj-P, a rating up to the midpoint counted; own ratings where given.

    Returns
    -------
    StudyTable
        ``rater``, ``ratings``, posterior mean ``a`` and its middle 90 %, ``low`` and ``high``.

    Raises
    ------
    CannotAnswerError
        When the user's ratings do not tell single raters apart.
    """
    whole = yield from _ratings(request)
    ratings = _midpoint(whole)
    yield from _by_rater(ratings, request.seed)
    sampler = Sampling(chains=4, draws=800, warmup=200)
    reason = sampler.refuses(model("ti-aj-P"), ratings)
    if reason:
        raise CannotAnswerError(reason)
    fit = yield from sampler.run(model("ti-aj-P"), ratings, request.seed)
    if fit.posterior is None:
        raise ValueError("a sampled fit has a posterior")
    given = np.bincount(ratings.rater, minlength=len(ratings.raters))
    rows = [
        (name, int(n), own.mean, own.q05, own.q95)
        for name, n, own in zip(ratings.raters, given, fit.posterior.summaries, strict=True)
    ]
    return StudyTable("rater accuracies", ("rater", "ratings", "a", "low", "high"), tuple(rows), size_of_data(ratings))


def companions(request: FigureRequest) -> Run[StudyTable]:
    """The mean rating of each student by the least accurate rater, and by all other raters.

    Returns
    -------
    StudyTable
        For each student that both have rated: ``own`` and ``others``, mean ratings on the scale of the places of the
        classes, from 1; ``rater`` and its accuracy ``a`` by t-aj-p, a rating up to the midpoint counted.

    Raises
    ------
    CannotAnswerError
        When fewer than ten subjects are shared, or raters cannot be told apart.
    """
    whole = yield from _ratings(request)
    fit = yield from _by_rater(_midpoint(whole), request.seed)
    a = fit.parameters.accuracy[:, 0]
    name = fit.raters[int(a.argmin())]
    mine = whole.rater == whole.raters.index(name)
    n = len(whole.subjects)
    means = []
    for which in (mine, ~mine):
        total = np.bincount(whole.subject[which], whole.category[which] + 1.0, minlength=n)
        with np.errstate(invalid="ignore"):
            means.append(total / np.bincount(whole.subject[which], minlength=n))
    both = np.isfinite(means[0]) & np.isfinite(means[1])
    if both.sum() < _LEAST_SHARED or np.ptp(means[0][both]) == 0 or np.ptp(means[1][both]) == 0:
        raise CannotAnswerError(
            _("The least accurate rater, {rater}, shares too few subjects with others for a correlation.").format(
                rater=numbers.short(name, 20)
            )
        )
    rows = [
        (str(whole.subjects[i]), float(means[0][i]), float(means[1][i]), name, float(a.min()))
        for i in np.flatnonzero(both)
    ]
    columns = ("subject", "own", "others", "rater", "a")
    return StudyTable("companions", columns, tuple(rows), size_of_data(whole))


def accurate_raters(request: FigureRequest) -> Run[StudyTable]:
    """All raters, and only those of an accuracy of one half or more: what changes.

    Returns
    -------
    StudyTable
        Of ``all`` and of ``kept`` raters: ``raters``, ``ratings``, t, a and p by t-a-p with profile ends of a, and the
        root of kappa; subjects that keep fewer than two ratings are left out.

    Raises
    ------
    CannotAnswerError
        When no rater or every one has such an accuracy.
    """
    whole = yield from _ratings(request)
    ratings = _midpoint(whole)
    fit = yield from _by_rater(ratings, request.seed)
    good = fit.parameters.accuracy[:, 0] >= _LEAST_ACCURATE
    if good.all() or good.sum() < 2:
        raise CannotAnswerError(
            _("{n} of {all} raters have an accuracy of {a} or more, so there is nothing to compare.").format(
                n=int(good.sum()), all=good.size, a=numbers.decimal(_LEAST_ACCURATE)
            )
        )
    rows: list[tuple[Cell, ...]] = []
    for which, some in (("all", ratings), ("kept", _several(ratings.keep(good[ratings.rater])))):
        own = yield from analyse(some, Request(model("t-a-p"), seed=request.seed))
        a, kappa = own.estimate("a"), kappa_of(some)
        root = float(np.sqrt(kappa)) if kappa is not None and kappa >= 0 else None
        t, p = own.estimate("t").value, own.estimate("p").value
        raters = good.size if which == "all" else int(good.sum())
        rows.append((which, raters, int(some.rating_count), t, a.value, a.low, a.high, p, root))
    columns = ("raters kept", "raters", "ratings", "t", "a", "low", "high", "p", "root_kappa")
    return StudyTable("filter", columns, tuple(rows), size_of_data(ratings))


def _several(ratings: Ratings) -> Ratings:
    """Without subjects of a single rating, and raters who are left with none."""
    return ratings.keep((np.bincount(ratings.subject, minlength=len(ratings.subjects)) > 1)[ratings.subject]).panel()


def years(request: FigureRequest) -> Run[StudyTable]:
    """The density of the subjects' probabilities of class 1, by a column about subjects such as their year.

    Returns
    -------
    StudyTable
        For each value of the column, its ``group``: ``x`` and ``density``, of so many ``subjects``.

    Raises
    ------
    CannotAnswerError
        When there is no column of the subjects with two to eight values.
    """
    whole = yield from _ratings(request)
    column = grouping(whole)
    if column is None:
        raise CannotAnswerError(
            _(
                "This figure needs a column about the subjects with 2 to {most} different values, such as a year."
            ).format(most=MOST_GROUPS)
        )
    ratings = _midpoint(whole)
    fit = yield from _by_rater(ratings, request.seed)
    plan = design(fit.model, ratings)
    believed = subject_posterior(fit, plan, plan.space.evidence(plan.patterns))[:, 1]
    x = np.linspace(0, 1, 101)
    texts = np.array([plain_text(value) for value in column.values])
    rows: list[tuple[Cell, ...]] = []
    for name in sorted(set(texts.tolist()), key=_order):
        own = believed[texts == name]
        rows += [
            (column.name, name, int(own.size), float(at), float(y)) for at, y in zip(x, _density(own, x), strict=True)
        ]
    columns = ("column", "group", "subjects", "x", "density")
    return StudyTable("subjects by group", columns, tuple(rows), size_of_data(ratings))


def _order(text: str) -> tuple[float, str]:
    try:
        return float(text), text
    except ValueError:
        return float("inf"), text


def _density(values: FloatArray, x: FloatArray) -> FloatArray:
    """A smooth density on 0 to 1, what would lie outside folded back; of one value a peak."""
    if values.size < 2 or np.ptp(values) < 1e-9:
        values = np.array([values.mean() - 1e-3, values.mean() + 1e-3])
    smooth = gaussian_kde(np.concatenate([-values, values, 2 - values]), 0.05)
    return np.asarray(3 * smooth(x), dtype=np.float64)


def by_age(request: FigureRequest) -> Run[StudyTable]:
    """Accuracy as a logistic curve of what is known of raters, such as their age; raters of unknown age left out.

    Returns
    -------
    StudyTable
        ``what`` is ``curve`` (``x`` the age; ``a`` by t-a(x)-p with its 95 % band, ``low`` and ``high``), ``rater``
        (one rater alone, by t-aj-p) or ``slope`` (of the logit of a by standard deviation of age, with its profile
        interval).

    Raises
    ------
    CannotAnswerError
        When there is no column of numbers about raters.
    """
    whole = yield from _ratings(request)
    column, values = _numeric(whole)
    known = np.isfinite(values)
    ratings = _several(_midpoint(whole).keep(known[whole.rater]))
    # Raters who are left with no rating have no place in the panel.
    names = [whole.raters[j] for j in np.flatnonzero(known) if whole.raters[j] in ratings.raters]
    age = np.array([values[whole.raters.index(name)] for name in ratings.raters])
    centre, spread = float(np.mean(age[np.isfinite(age)])), float(np.std(age[np.isfinite(age)]))
    scaled = Covariate("scaled", CovariateOf.RATER, np.nan_to_num((age - centre) / spread))
    ratings = replace(ratings, covariates=MappingProxyType({"scaled": scaled}))
    curve: RaterModel = replace(model("t-a(x)-p"), covariates=("scaled",))
    yield Step(0, 2, "study")
    fit = yield from analyse(ratings, Request(curve, seed=request.seed))
    alone = yield from _by_rater(ratings, request.seed)
    level, slope = (e.estimate for e in fit.estimates if e.name.name not in {"t", "p"})
    x = np.linspace(float(np.nanmin(age)), float(np.nanmax(age)), 81)
    rows: list[tuple[Cell, ...]] = []
    for at, (mid, low, high) in zip(x, _band(level, slope, (x - centre) / spread), strict=True):
        rows.append(("curve", column, float(at), float(mid), float(low), float(high)))
    for name, a in zip(alone.raters, alone.parameters.accuracy[:, 0], strict=True):
        if name in names:
            rows.append(("rater", column, float(values[whole.raters.index(name)]), float(a), None, None))
    rows.append(("slope", column, None, slope.value, slope.low, slope.high))
    columns = ("what", "column", "x", "a", "low", "high")
    return StudyTable("accuracy by age", columns, tuple(rows), size_of_data(ratings))


def _numeric(ratings: Ratings) -> tuple[str, FloatArray]:
    """The first column of numbers about raters, by rater."""
    for name in ratings.covariates:
        own = ratings.rater_values(name)
        if own is None:
            continue
        try:
            values = np.array([float(x) for x in own])
        except (TypeError, ValueError):
            continue
        if np.unique(values[np.isfinite(values)]).size > 2:
            return name, values
    raise CannotAnswerError(_("This figure needs a column of numbers about the raters, such as their age."))


def _band(level: Estimate, slope: Estimate, z: FloatArray) -> Sequence[tuple[float, float, float]]:
    """Accuracy with its 95 % band along standardised ages: level and slope hardly depend on each other there."""
    if level.value is None or slope.value is None:
        raise CannotAnswerError(_("The curve is not determined by these ratings."))
    halves = [0.0 if e.low is None or e.high is None else (e.high - e.low) / 2 for e in (level, slope)]
    mid = level.value + slope.value * z
    reach = np.sqrt(halves[0] ** 2 + (halves[1] * z) ** 2)
    return list(zip(expit(mid), expit(mid - reach), expit(mid + reach), strict=True))


def draw_scan(table: StudyTable) -> Sheet:
    """As the wine scan, of four cuts."""
    sheet = wine.draw_scan(table, Form.OPEN_SQUARE, Form.OPEN_CIRCLE)
    kinds = tuple(replace(figure, kind="writing-scan") for figure in sheet.figures)
    return replace(sheet, figures=kinds)


def draw_accuracies(table: StudyTable) -> Sheet:
    """How the accuracies of a panel are spread, in twentieths; below each other with their middle 90 %."""
    a = table.numbers("a")
    heights, edges = np.histogram(a, _BINS, (0.0, 1.0))
    above = int((a > _LEAST_ACCURATE).sum())
    title = _("{n} of {all} raters have an accuracy above one half; the lowest {least}").format(
        n=above, all=a.size, least=numbers.decimal(float(a.min()))
    )
    fifths = tuple((i / 5, Number(f"{i / 5:g}")) for i in range(6))
    bars = Figure(
        "rater-histogram",
        _("Raters by accuracy"),
        _("Histogram. {title}, the highest {most}.").format(title=title, most=numbers.decimal(float(a.max()))),
        Axis(_("accuracy"), 0.0, 1.0, fifths),
        Axis(_("raters"), 0.0, float(heights.max()) * 1.15),
        (Bars("", edges.astype(np.float64), heights.astype(np.float64), Role.MODEL), Mark("", _LEAST_ACCURATE)),
    )
    order = np.argsort(a, kind="stable")
    at = np.arange(a.size, dtype=np.float64)
    ends = table.numbers("low")[order], table.numbers("high")[order]
    each = Figure(
        "rater-histogram",
        _("Each rater, the least accurate below"),
        _("Posterior means with their middle 90 %, from {least} to {most}.").format(
            least=numbers.decimal(float(a.min())), most=numbers.decimal(float(a.max()))
        ),
        Axis(_("accuracy"), 0.0, 1.0, fifths),
        Axis("", -1.0, float(a.size), ((-1.0, ""),)),
        (Mark("", _LEAST_ACCURATE), Points("", a[order], at, Role.MODEL, *ends, horizontal=True)),
    )
    note = _("ti-aj-P, {n} to {m} ratings by each rater; dotted: one half.").format(
        n=numbers.count(table.numbers("ratings").min()), m=numbers.count(table.numbers("ratings").max())
    )
    return Sheet(title, (bars, each), columns=2, width=400.0, height=330.0, note=note)


def draw_companions(table: StudyTable) -> Sheet:
    """Mean ratings by the least accurate rater against those by all others."""
    own, others = table.numbers("own"), table.numbers("others")
    r = float(np.corrcoef(own, others)[0, 1])
    name = numbers.short(str(table.values("rater")[0]), 20)
    title = _("{rater}, of the lowest accuracy ({a}), is correlated with the others: {r}").format(
        rater=name, a=numbers.decimal(float(table.numbers("a")[0])), r=numbers.decimal(r)
    )
    if abs(r) < 0.1:
        title = _("{rater}, of the lowest accuracy ({a}), is hardly correlated with the others: {r}").format(
            rater=name, a=numbers.decimal(float(table.numbers("a")[0])), r=numbers.decimal(r)
        )
    low, high = min(own.min(), others.min()) - 0.2, max(own.max(), others.max()) + 0.2
    many = np.zeros(own.size, dtype=bool)
    figure = Figure(
        "low-rater",
        "",
        _("{title}, over {n} subjects.").format(title=title, n=numbers.count(own.size)),
        Axis(_("mean rating by all others"), float(low), float(high)),
        Axis(_("mean rating by this rater"), float(low), float(high)),
        (
            Line("", np.array([low, high]), np.array([low, high]), Role.REFERENCE),
            Points("", others, own, Role.OBSERVED, many=~many),
        ),
    )
    note = _("One circle for each subject both have rated, {n}; dashed: equal ratings. Pearson’s r = {r}.").format(
        n=numbers.count(own.size), r=numbers.decimal(r)
    )
    return Sheet(title, (figure,), width=520.0, height=400.0, note=note)


def draw_accurate_raters(table: StudyTable) -> Sheet:
    """Accuracy and root of kappa, and t beside p, with all raters and with the accurate ones."""
    first, last = table.records()
    a = table.numbers("a")
    title = _("Without the {n} raters below one half accuracy goes from {first} to {last}").format(
        n=int(table.numbers("raters")[0] - table.numbers("raters")[1]),
        first=numbers.decimal(float(a[0])),
        last=numbers.decimal(float(a[1])),
    )
    at = np.arange(2, dtype=np.float64)
    heads = [_("all {n} raters"), _("{n} of them")]
    ticks = tuple(
        (float(i), head.format(n=int(float(str(row["raters"])))))
        for i, (head, row) in enumerate(zip(heads, (first, last), strict=True))
    )
    across = Axis("", -0.5, 1.5, ticks)
    panels = (
        Figure(
            "rater-filter",
            _("Accuracy"),
            _("{title}.").format(title=title),
            across,
            unit(_("a, √κ")),
            (
                Points("a", at - 0.08, a, Role.MODEL, table.numbers("low"), table.numbers("high")),
                Points(_("√κ"), at + 0.08, table.numbers("root_kappa"), Role.CLASSICAL),
            ),
        ),
        Figure(
            "rater-filter",
            _("Rates"),
            _("t from {a} to {b}, p from {c} to {d}.").format(
                **{
                    k: numbers.decimal(float(x))
                    for k, x in zip("abcd", (*table.numbers("t"), *table.numbers("p")), strict=True)
                }
            ),
            across,
            unit(_("t, p")),
            (
                Points("t", at - 0.08, table.numbers("t"), Role.MODEL),
                Points("p", at + 0.08, table.numbers("p"), Role.CLASSICAL),
            ),
        ),
    )
    note = _(
        "t-a-p with 95 % profile interval; squares of the left panel: root of Fleiss’ kappa. A rater’s accuracy is by "
        "t-aj-p; choosing raters by the ratings themselves makes what is left look a little better than it is."
    )
    return Sheet(title, panels, columns=2, width=360.0, height=280.0, note=note)


def draw_years(table: StudyTable) -> Sheet:
    """A row for each group, the first on top, on one scale."""
    panels, means = [], []
    names = list(dict.fromkeys(table.values("group")))
    column = numbers.short(str(table.values("column")[0]), 20)
    most = float(table.numbers("density").max()) * 1.05
    for name in names:
        rows = table.only(group=name)
        x, y = rows.numbers("x"), rows.numbers("density")
        means.append(float((x * y).sum() / y.sum()))
        title = _("{column} {name}: {n} subjects, on average {mean}").format(
            column=column, name=numbers.short(str(name), 16), n=numbers.count(rows.numbers("subjects")[0]),
            mean=numbers.decimal(means[-1]),
        )  # fmt: skip
        panels.append(
            Figure(
                "subject-groups",
                title,
                _("{title}.").format(title=title),
                unit(_("probability of class 1") if name == names[-1] else ""),
                Axis("", 0.0, most, ((0.0, ""),)),
                (Band("", x, np.zeros(x.size), y, Role.MODEL), Line("", x, y, Role.MODEL)),
            )
        )
    title = _("The probability of class 1 goes from {first} to {last} on average over “{column}”").format(
        first=numbers.decimal(means[0]), last=numbers.decimal(means[-1]), column=column
    )
    note = _("Smoothed densities of the subjects’ probabilities by t-aj-p; each has the same area.")
    return Sheet(title, tuple(panels), columns=1, width=560.0, height=110.0, note=note)


def draw_by_age(table: StudyTable) -> Sheet:
    """The curve of accuracy by age with its band, and each rater alone."""
    curve, raters, slope = (table.only(what=what) for what in ("curve", "rater", "slope"))
    name = numbers.short(str(table.values("column")[0]), 20)
    b, low, high = (float(slope.numbers(c)[0]) for c in ("a", "low", "high"))
    title = _("Accuracy does not clearly change with “{column}”").format(column=name)
    if low > 0 or high < 0:
        title = _("Accuracy changes with “{column}”").format(column=name)
    x, a = curve.numbers("x"), curve.numbers("a")
    figure = Figure(
        "accuracy-by-age",
        "",
        _("{title}: from {first} at {young} to {last} at {old}.").format(
            title=title, first=numbers.decimal(float(a[0])), last=numbers.decimal(float(a[-1])),
            young=Number(f"{x[0]:g}"), old=Number(f"{x[-1]:g}"),
        ),
        Axis(name, float(x[0]) - 1, float(x[-1]) + 1),
        unit(_("accuracy")),
        (
            Band("", x, curve.numbers("low"), curve.numbers("high"), Role.MODEL),
            Line("", x, a, Role.MODEL),
            Points("", raters.numbers("x"), raters.numbers("a"), Role.OBSERVED),
        ),
    )  # fmt: skip
    note = _(
        "t-a(x)-p: the logit of a changes by {b} ({low} to {high}) with each standard deviation; below 0 accuracy "
        "falls. Band: 95 %, as if raters of one age were alike; dots: each rater alone (t-aj-p), who are not."
    ).format(**{k: numbers.decimal(v) for k, v in (("b", b), ("low", low), ("high", high))})
    return Sheet(title, (figure,), width=640.0, height=320.0, note=note)
