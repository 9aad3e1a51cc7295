"""Kappa and the model on small and on real tables ("Modeling Raters and Ratings", and a worked Cohen's kappa)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.stats import binom

from tapdesk.answers import class_pairs as words_pairs
from tapdesk.answers import numbers
from tapdesk.answers.figure import Axis, Band, Cells, Figure, Line, Mark, Points, Role, Words
from tapdesk.answers.figures.cases import crossed
from tapdesk.answers.figures.design_study import HALVES, unit
from tapdesk.answers.figures.tree import branches, tree_figure
from tapdesk.answers.numbers import SCREEN
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import CannotAnswerError
from tapdesk.estimate import Estimate, undefined
from tapdesk.fitting.em import ExactEM
from tapdesk.fitting.fit import Fit
from tapdesk.language import Number, joined, ngettext
from tapdesk.language import gettext as _
from tapdesk.models.model import model
from tapdesk.models.parameters import FloatArray
from tapdesk.papers.reproduction import FigureRequest, PaperNumber, data_of, size_of_data
from tapdesk.progress import Run, Step
from tapdesk.ratings.ratings import IntArray, Ratings
from tapdesk.studies.analysis import Request
from tapdesk.studies.distribution import distribution
from tapdesk.studies.fleiss_kappa import fleiss_kappas
from tapdesk.studies.recovery import shared_point
from tapdesk.studies.scan import Pair, Pairs, pairs
from tapdesk.studies.simulated_data import CountVectors, complete_count_vectors
from tapdesk.studies.table import Cell, StudyTable

_SIZES = (20, 50, 100, 300)
_LUCK_ACCURACIES = tuple(round(0.05 * i, 2) for i in range(11))
_LUCK_RATERS = 5
_CAMP_ACCURACIES = tuple(round(0.1 * i, 1) for i in range(11))
_CAMP_RATERS = (2, 4, 6)
_CAMP_SUBJECTS, _CAMP_SETS = 300, 200

_HALF = 0.2
_REDRAWS = 2000
_NAME = 16


def tree(request: FigureRequest) -> Run[StudyTable]:
    """The branches of the model with the numbers of a fit; wine at cut 2 | 3 unless ratings are given.

    Raises
    ------
    CannotAnswerError
        When the ratings do not determine the numbers.
    """
    ratings = yield from data_of(request, "wine-cut2")
    fit = yield from fit_or_refuse(ratings, request.seed)
    return replace(branches(fit.parameters, fit.classes), size=size_of_data(ratings))


def fit_or_refuse(ratings: Ratings, seed: int) -> Run[Fit]:
    """The fit of t-a-p by exact E-M.

    Raises
    ------
    CannotAnswerError
        When the ratings do not determine its numbers.
    """
    reason = ExactEM().refuses(model("t-a-p"), ratings)
    if reason:
        raise CannotAnswerError(reason)
    fit = yield from ExactEM().run(model("t-a-p"), ratings, seed)
    if not fit.identification.identified or any(e.estimate.value is None for e in fit.estimates):
        raise CannotAnswerError(
            _("These ratings do not determine the numbers. {words}").format(words=fit.identification.words)
        )
    return fit


def negative(request: FigureRequest) -> Run[StudyTable]:
    """How kappa comes to be negative: by luck when raters know little, or because raters are of two camps.

    Returns
    -------
    Table
        ``cause``: ``luck`` (t = p = .5, five raters) or ``camps`` (half of the raters follow the opposite of the
        truth, 300 subjects); ``subjects``, ``raters``, ``a``, ``expected`` kappa (a squared; -a squared / (R - 1)),
        ``mean``, the middle 90 % from ``low`` to ``high``, and the share ``negative`` of the data sets.
    """
    sets = request.sets(2000)
    rows: list[tuple[Cell, ...]] = []
    total = len(_SIZES) + len(_CAMP_RATERS)
    for at, n in enumerate(_SIZES):
        here = _vectors(n, _LUCK_RATERS)
        for i, a in enumerate(_LUCK_ACCURACIES):
            rng = np.random.default_rng(np.random.SeedSequence(request.seed, spawn_key=(17, at, i)))
            weights = here.draw(shared_point([0.5, 0.5], a, [0.5, 0.5]), sets, rng)
            rows.append(("luck", n, _LUCK_RATERS, a, a * a, *_spread(fleiss_kappas(here.patterns, weights))))
        yield Step(at + 1, total, "study")
    for at, r in enumerate(_CAMP_RATERS):
        here = _vectors(_CAMP_SUBJECTS, r)
        for i, a in enumerate(_CAMP_ACCURACIES):
            rng = np.random.default_rng(np.random.SeedSequence(request.seed, spawn_key=(19, at, i)))
            kappas = fleiss_kappas(here.patterns, _camps(here, r, a, min(sets, _CAMP_SETS), rng))
            rows.append(("camps", _CAMP_SUBJECTS, r, a, -a * a / (r - 1), *_spread(kappas)))
        yield Step(len(_SIZES) + at + 1, total, "study")
    columns = ("cause", "subjects", "raters", "a", "expected", "mean", "low", "high", "negative")
    size = _("Data sets of each kind: {sets:,} by luck, {camps:,} of camps, these of {subjects:,} subjects.").format(
        sets=sets, camps=min(sets, _CAMP_SETS), subjects=_CAMP_SUBJECTS
    )
    return StudyTable("negative kappa", columns, tuple(rows), size)


def _vectors(subjects: int, raters: int) -> CountVectors:
    here = complete_count_vectors(subjects, raters, 2)
    if here is None:
        raise ValueError(f"no count vectors of {raters} raters")
    return here


def _camps(here: CountVectors, raters: int, a: float, sets: int, rng: np.random.Generator) -> FloatArray:
    """Weights of data sets in which the second half of the raters takes class 1 for class 0."""
    shape = (sets, here.total, raters)
    truth = rng.random((sets, here.total, 1)) < 0.5
    follows, guess = rng.random(shape) < a, rng.random(shape) < 0.5
    turned = np.arange(raters) >= raters // 2
    rated: IntArray = np.where(follows, truth ^ turned, guess).sum(axis=2)
    # The vectors of class counts are told apart by their count of class 1.
    places = np.argsort(here.table[:, 1])
    counts = np.stack([np.bincount(places[row], minlength=here.size.size) for row in rated])
    return counts.astype(np.float64)


def _spread(array: FloatArray) -> tuple[float, float, float, float]:
    known = array[np.isfinite(array)]
    low, high = np.quantile(known, [0.05, 0.95])
    return float(known.mean()), float(low), float(high), float((known < 0).mean())


def shares(request: FigureRequest) -> Run[StudyTable]:
    """Subjects by their number of ratings in class 1, seen and expected; wine at cut 2 | 3 unless ratings are given."""
    ratings = yield from data_of(request, "wine-cut2")
    fit = yield from fit_or_refuse(ratings, request.seed)
    result = yield from distribution(ratings, fit)
    whole = result.parts[0]
    e = whole.expected
    ends = (np.full(whole.observed.size, np.nan),) * 2
    if whole.ratings is not None:
        ends = _random_ends(whole.observed, whole.subjects, request.seed)
    columns = (whole.observed, whole.low, whole.high, *ends, *e.values())
    rows = [(k, *(float(x[k]) if np.isfinite(x[k]) else None for x in columns)) for k in range(whole.observed.size)]
    names = ("k", "observed", "low", "high", "random low", "random high", *e)
    return StudyTable("distribution", names, tuple(rows), size_of_data(ratings))


def _random_ends(observed: FloatArray, subjects: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Where random answers would put the shares if subjects were drawn anew, in 95 of 100 re-draws."""
    k = np.arange(observed.size)
    again = np.random.default_rng(seed).multinomial(subjects, observed / observed.sum(), size=_REDRAWS)
    rate = again @ k / (subjects * (observed.size - 1))
    shares = binom.pmf(k[None, :], observed.size - 1, rate[:, None])
    low, high = np.quantile(shares, [0.025, 0.975], axis=0)
    return low, high


def shares_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """The paper's distribution of the wine ratings at cut 2, with the bands of its re-draws."""
    paper = {
        "observed": (0.098, 0.191, 0.251, 0.262, 0.197),
        "low": (0.060, 0.137, 0.191, 0.202, 0.142),
        "high": (0.142, 0.251, 0.317, 0.328, 0.257),
        "random": (0.035, 0.184, 0.362, 0.316, 0.103),
        "random low": (0.023, 0.143, 0.338, 0.272, 0.074),
        "random high": (0.052, 0.228, 0.374, 0.356, 0.140),
        "t-a-p": (0.094, 0.203, 0.238, 0.272, 0.193),
        "expert": (0.096, 0.199, 0.237, 0.277, 0.191),
    }
    # The ends of bands depend on random numbers: one case in 183 more or less.
    return tuple(
        PaperNumber(
            f"{k} ratings in class 1, {name}", want, float(have), 0.006 if "low" in name or "high" in name else 0.002
        )
        for name, wanted in paper.items()
        for k, (want, have) in enumerate(zip(wanted, table.numbers(name), strict=True))
    )


def tree_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """The estimates of the wine ratings at cut 2 that the branches rest on."""
    row = table.only(truth="class 1", follows=True).records()[0]
    return (
        PaperNumber("t", 0.541, float(str(row["truth_rate"])), 5.1e-4),
        PaperNumber("a", 0.437, float(str(row["follows_rate"])), 5.1e-4),
        PaperNumber("all shares", 1.0, float(table.numbers("share").sum()), 1e-9),
    )


def cohen_printed(table: StudyTable) -> tuple[PaperNumber, ...]:
    """The worked example, step by step."""
    value = {step: float(table.only(step=step).numbers("value")[0]) for step in ("P_o", "P_e", "kappa")}
    margins = (0.389, 0.361, 0.250)
    rows = [
        PaperNumber(f"share of class {i + 1}, {side}", want, float(have), 5.1e-4)
        for side in ("row", "column")
        for i, (want, have) in enumerate(zip(margins, table.only(step=f"{side} share").numbers("value"), strict=True))
    ]
    return (
        *rows,
        PaperNumber("P_o", 21 / 36, value["P_o"], 1e-9),
        PaperNumber("P_e", 446 / 1296, value["P_e"], 1e-9),
        PaperNumber("kappa", 31 / 85, value["kappa"], 1e-9),
    )


def by_pair(request: FigureRequest) -> Run[StudyTable]:
    """How well each pair of classes is told apart; the jury that comes with the program unless ratings are given."""
    ratings = yield from data_of(request, "jury")
    result = yield from pairs(ratings, Request(model("t-a-t"), seed=request.seed))
    rows = [
        (p.first, p.second, p.compared, p.kappa.value, p.root_kappa.value, a.value, a.low, a.high, a.undefined)
        for p, a in ((p, p.accuracy) for p in result.pairs)
    ]
    columns = ("first", "second", "subjects", "kappa", "root_kappa", "a", "low", "high", "undefined")
    return StudyTable("pairs", columns, tuple(rows), size_of_data(ratings))


def cohen(request: FigureRequest) -> Run[StudyTable]:
    """Cohen's kappa step by step; the typed 3 x 3 table unless ratings of two raters are given.

    Returns
    -------
    Table
        ``step`` (count, row, column, observed, chance, kappa), ``first`` and ``second`` class where they apply, and
        ``value``: counts, marginal shares, P_o with its sum, P_e with its products, and kappa.

    Raises
    ------
    CannotAnswerError
        When there are not two raters, or kappa is undefined.
    """
    ratings = yield from data_of(request, "confusion-3x3")
    yield Step(0, 1, "study")
    table = crossed(ratings)
    n, labels = table.sum(), ratings.classes
    row, column = table.sum(axis=1) / n, table.sum(axis=0) / n
    agree, chance = float(np.trace(table) / n), float(row @ column)
    if chance > 1 - 1e-12:
        raise CannotAnswerError(_("Both raters gave every subject the same class, so kappa is undefined."))
    rows: list[tuple[Cell, ...]] = [
        ("count", labels[i], labels[j], float(table[i, j])) for i in range(len(labels)) for j in range(len(labels))
    ]
    rows += [("row share", name, None, float(x)) for name, x in zip(labels, row, strict=True)]
    rows += [("column share", None, name, float(x)) for name, x in zip(labels, column, strict=True)]
    rows += [("P_o part", c, c, float(table[i, i] / n)) for i, c in enumerate(labels)]
    rows.append(("P_o", None, None, agree))
    rows += [("P_e part", c, c, float(row[i] * column[i])) for i, c in enumerate(labels)]
    rows.append(("P_e", None, None, chance))
    rows.append(("kappa", None, None, (agree - chance) / (1 - chance)))
    return StudyTable("cohen", ("step", "first", "second", "value"), tuple(rows), size_of_data(ratings))


def draw_tree(table: StudyTable) -> Sheet:
    """The tree with the numbers of the fit."""
    figure = tree_figure(table)
    shares = sum(float(row["share"] or 0) for row in table.records() if row["follows"] is False)
    note = _("{share} of all ratings are guesses. Shares at the ends are of all ratings.").format(
        share=numbers.percent(shares)
    )
    return Sheet(figure.title, (figure,), width=760.0, height=110.0 + 42.0 * len(table.rows), note=note)


def tree_form(_request: FigureRequest) -> Run[StudyTable]:
    """The branches of the paper's tree, without numbers.

    Returns
    -------
    StudyTable
        ``start``, ``end`` and the letter that stands on the branch.
    """
    yield Step(0, 1, "study")
    return StudyTable("tree form", ("start", "end", "letter"), tuple((a, b, letter) for a, b, letter in _BRANCHES))


# The paper's tree from top to bottom: where its nodes stand, and its branches; both guesses lead to one node.
_NODES = {
    "Subject": (0.0, 3.0), "Class 1": (-1.3, 2.0), "Class 0": (1.3, 2.0), "~Class 1": (-2.1, 1.0), "Random": (0.0, 1.0),
    "~Class 0": (2.1, 1.0), "~Class 1, guessed": (-0.75, 0.0), "~Class 0, guessed": (0.75, 0.0),
}  # fmt: skip
_BRANCHES = (
    ("Subject", "Class 1", "t"), ("Subject", "Class 0", "t̄"), ("Class 1", "~Class 1", "a"), ("Class 1", "Random", "ā"),
    ("Class 0", "Random", "ā"), ("Class 0", "~Class 0", "a"), ("Random", "~Class 1, guessed", "p"),
    ("Random", "~Class 0, guessed", "p̄"),
)  # fmt: skip


def draw_tree_form(table: StudyTable) -> Sheet:
    """Top down: the subject by t, each class by a to itself or by the rest to one shared guess, and that by p."""
    lines: list[Line | Words] = []
    letters: list[Line | Words] = []
    for row in table.records():
        (x1, y1), (x2, y2) = _NODES[str(row["start"])], _NODES[str(row["end"])]
        lines.append(Line("", np.array([x1, x2]), np.array([y1, y2]), Role.OTHER_START))
        letters.append(Words(str(row["letter"]), np.array([(x1 + x2) / 2]), np.array([(y1 + y2) / 2]), Role.MODEL))
    nodes = [
        Words(name.removesuffix(", guessed"), np.array([x]), np.array([y]), Role.OBSERVED)
        for name, (x, y) in _NODES.items()
    ]
    title = _("A rating is the class itself with a, or else one and the same guess")
    alt = _(
        "Tree from top to bottom. Subject: Class 1 by t, Class 0 by 1 − t; each by a to its own rating, by 1 − a to "
        "the node Random, which gives class 1 by p and class 0 by 1 − p."
    )
    none = ((-9.0, ""),)
    figure = Figure(
        "tree-form", "", alt, Axis("", -2.7, 2.7, none), Axis("", -0.35, 3.35, none), (*lines, *letters, *nodes)
    )
    note = _("A bar over a letter: one less it. ~: what the rating says.")
    return Sheet(title, (figure,), width=560.0, height=320.0, note=note)


def draw_shares(table: StudyTable) -> Sheet:
    """Shares of subjects by their number of ratings in class 1."""
    k = table.numbers("k")
    seen = table.numbers("observed")
    named = [c for c in table.columns if c not in {"k", "observed", "low", "high", "random low", "random high"}]
    off = {name: float(np.abs(table.numbers(name) - seen).max()) for name in named}
    x = np.stack([k - _HALF, k + _HALF, np.full(k.size, np.nan)], axis=1).ravel()
    boxes = [np.repeat(table.numbers(end), 3) for end in ("low", "high", "random low", "random high")]
    labels = {"random": _("Random answers"), "expert": _("Experts (P-a-P)")}
    roles = {"random": Role.REFERENCE, "expert": Role.SECOND}
    lines = [
        Line(labels.get(n, _("{model} model").format(model=n)), k, table.numbers(n), roles.get(n, Role.MODEL))
        for n in named
    ]
    model = next((n for n in named if n not in labels), named[0])
    title = _("The model is off by {model} of 100 cases at most, random answers by {random}").format(
        model=Number(f"{100 * off[model]:.1f}"), random=Number(f"{100 * off['random']:.0f}")
    )
    top = float(np.ceil(10 * max(table.numbers("high").max(), *(table.numbers(n).max() for n in named)))) / 10
    shares = (
        ngettext("{k} rating {share}", "{k} ratings {share}", int(a)).format(k=int(a), share=numbers.percent(float(b)))
        for a, b in zip(k, seen, strict=True)
    )
    listed = joined(*shares, sep="; ")
    figure = Figure(
        "distribution",
        "",
        _("{title}. Observed: {listed}.").format(title=title, listed=listed),
        Axis(
            _("ratings of a case in class 1"),
            -0.6,
            k.size - 0.4,
            tuple((float(i), Number(f"{i:g}")) for i in k),
        ),
        Axis(_("share of cases"), 0.0, min(top, 1.0), percent=True),
        (
            Band("", x, boxes[0], boxes[1], Role.OBSERVED),
            Band("", x, boxes[2], boxes[3], Role.REFERENCE),
            *lines,
            Points(_("Observed"), k, seen, Role.OBSERVED),
        ),
    )
    note = _(
        "Boxes: where 95 of 100 re-draws of the cases put the observed share, and the share of random answers. Of two "
        "models that fit the paper prefers the one with a single number, experts."
    )
    return Sheet(title, (figure,), width=680.0, height=300.0, note=note)


def draw_pairs(table: StudyTable) -> Sheet:
    """The paper's triangle: the root of kappa of each pair of classes, beside it the accuracy by t-a-t."""
    rows = table.records()
    labels = list(dict.fromkeys([*(str(row["first"]) for row in rows), *(str(row["second"]) for row in rows)]))
    panels = tuple(
        _triangle(title, key, labels, rows) for key, title in (("root_kappa", _("√κ")), ("a", _("a, by t-a-t")))
    )
    untold = [f"{row['first']} or {row['second']}: {row['undefined']}" for row in rows if row["a"] is None]
    compared = sorted(int(float(str(row["subjects"]))) for row in rows)
    note = _(
        "Of each pair only the ratings of its two classes are counted, in subjects with two of them or more: {least} "
        "to {most}. {untold}"
    ).format(least=numbers.count(compared[0]), most=numbers.count(compared[-1]), untold=" ".join(untold))
    title = words_pairs.hardest(Pairs((), tuple(_pair(row) for row in rows)), SCREEN, _NAME)
    return Sheet(title, panels, columns=2, width=360.0, height=max(200.0, 60.0 + 44.0 * len(labels)), note=note.strip())


def _triangle(title: str, key: str, labels: Sequence[str], rows: Sequence[Mapping[str, Cell]]) -> Figure:
    """Rows from the first class, columns from the second on; top left the first against the second."""
    n = len(labels) - 1
    values = np.full((n, n), np.nan)
    texts = [["" for _j in range(n)] for _i in range(n)]
    for row in rows:
        i, j = labels.index(str(row["first"])), labels.index(str(row["second"])) - 1
        if row[key] is not None:
            values[i, j] = float(str(row[key]))
            texts[i][j] = numbers.decimal(values[i, j])
    names = [numbers.short(label, _NAME) for label in labels]
    listed = "; ".join(
        f"{row['first']}, {row['second']}: {'–' if row[key] is None else numbers.decimal(float(str(row[key])))}"
        for row in rows
    )
    return Figure(
        "pairs",
        title,
        _("{title}. {listed}.").format(title=title, listed=listed),
        Axis("", -0.5, n - 0.5, tuple((float(j), names[j + 1]) for j in range(n))),
        Axis("", -0.5, n - 0.5, tuple((float(n - 1 - i), names[i]) for i in range(n))),
        (Cells("", values, tuple(map(tuple, texts)), 0.0, 1.0, Role.MODEL if key == "a" else Role.CLASSICAL),),
    )


def _pair(row: Mapping[str, Cell]) -> Pair:
    """A row of the table as what it was made of."""
    untold = undefined(str(row["undefined"] or ""))
    a, low, high, root = (None if row[x] is None else float(str(row[x])) for x in ("a", "low", "high", "root_kappa"))
    sentence = untold if a is None else Estimate(a)
    if a is not None and low is not None and high is not None:
        sentence = sentence.between(low, high, 0.95, "profile")
    compared = int(float(str(row["subjects"])))
    kappa = untold if root is None else Estimate(root)
    return Pair(str(row["first"]), str(row["second"]), compared, 0, compared, kappa, kappa, sentence, None)


def draw_cohen(table: StudyTable) -> Sheet:
    """The crossed table, the table that luck would give, and the way from one to kappa."""
    labels = list(dict.fromkeys(table.only(step="count").values("first")))
    k = len(labels)
    counts = table.only(step="count").numbers("value").reshape(k, k)
    row, column = (table.only(step=f"{side} share").numbers("value") for side in ("row", "column"))
    n = float(counts.sum())
    agree, chance, kappa = (float(table.only(step=s).numbers("value")[0]) for s in ("P_o", "P_e", "kappa"))
    expected = np.outer(row, column) * n
    panels = (
        _crossed(_("Seen: {n} on the diagonal").format(n=Number(f"{np.trace(counts):g}")), counts, labels, "{:g}"),
        _crossed(
            _("By luck: {n} on the diagonal").format(n=Number(f"{np.trace(expected):.2f}")),
            expected,
            labels,
            "{:.2f}",
        ),
        _scale(agree, chance, kappa),
    )
    title = _("κ = (P_o − P_e) / (1 − P_e) = ({o} − {e}) / (1 − {e}) = {kappa}").format(
        o=Number(f"{agree:.4f}"), e=Number(f"{chance:.4f}"), kappa=Number(f"{kappa:.4f}")
    )
    note = _(
        "P_o = {hits} / {n} = {o}. P_e = {parts} = {e}: the products of the two raters’ shares of each class."
    ).format(
        hits=Number(f"{np.trace(counts):g}"),
        n=Number(f"{n:g}"),
        o=Number(f"{agree:.4f}"),
        e=Number(f"{chance:.4f}"),
        parts=" + ".join(f"{a:.4f} × {b:.4f}" for a, b in zip(row, column, strict=True)),
    )
    return Sheet(title, panels, columns=3, width=280.0, height=max(190.0, 60.0 + 34.0 * k), note=note)


def _crossed(title: str, values: FloatArray, labels: Sequence[Cell], form: str) -> Figure:
    k = len(labels)
    texts = tuple(tuple(form.format(v) for v in row) for row in values)
    names = [numbers.short(str(label), _NAME) for label in labels]
    sentence = "; ".join(f"{name}: {', '.join(row)}" for name, row in zip(names, texts, strict=True))
    return Figure(
        "cohen",
        title,
        _("{title}. Rows of the first rater: {told}.").format(title=title, told=sentence),
        Axis(_("second rater"), -0.5, k - 0.5, tuple((float(j), name) for j, name in enumerate(names))),
        Axis(_("first rater"), -0.5, k - 0.5, tuple((float(k - 1 - i), name) for i, name in enumerate(names))),
        (Cells("", values, texts, 0.0, float(values.max())),),
    )


def _scale(agree: float, chance: float, kappa: float) -> Figure:
    """From no agreement to full agreement, with luck and what is seen on the way."""
    title = _("Beyond luck: {kappa} of the way").format(kappa=Number(f"{kappa:.4f}"))
    x = np.array([0.0, 1.0])
    return Figure(
        "cohen",
        title,
        _("{title} from {chance} to 1.").format(title=title, chance=Number(f"{chance:.4f}")),
        Axis("", 0.0, 1.0, ((0.5, " "),)),
        unit(_("agreement")),
        (
            Band("", x, np.full(2, chance), np.full(2, agree), Role.MODEL, inner=True),
            Mark(_("P_e = {x}").format(x=Number(f"{chance:.4f}")), chance, vertical=False),
            Mark(_("P_o = {x}").format(x=Number(f"{agree:.4f}")), agree, vertical=False, role=Role.MODEL),
        ),
    )


def draw_negative(table: StudyTable) -> Sheet:
    """Kappa against accuracy by luck alone at several sizes, and with two camps of raters."""
    luck = table.only(cause="luck")
    panels = [_draw_luck(luck.only(subjects=n)) for n in dict.fromkeys(luck.values("subjects"))]
    panels.append(_draw_camps(table.only(cause="camps")))
    none = [luck.only(subjects=n, a=0.0).numbers("negative")[0] for n in dict.fromkeys(luck.values("subjects"))]
    return Sheet(
        _(
            "Without knowledge kappa is negative in {low} to {high} of 100 panels; far below 0 only where raters "
            "form camps"
        ).format(low=Number(f"{100 * min(none):.0f}"), high=Number(f"{100 * max(none):.0f}")),
        tuple(panels),
        columns=3,
        width=290.0,
        height=200.0,
        note=_(
            "Five raters, t = p = .5; bands: the middle 90 % of simulated kappas. Camps: half of the raters take class "
            "1 for class 0; lines: expected; dots: simulated."
        ),
    )


def _draw_luck(rows: StudyTable) -> Figure:
    a, share = rows.numbers("a"), rows.numbers("negative")
    title = _("{n} subjects: negative in {none} of 100 at a = 0, {some} at a = .2").format(
        n=rows.values("subjects")[0],
        none=Number(f"{100 * share[0]:.0f}"),
        some=Number(f"{100 * float(np.interp(0.2, a, share)):.0f}"),
    )
    return Figure(
        "negative-kappa",
        title,
        _("{title}.").format(title=title),
        Axis(_("accuracy"), 0.0, 0.5),
        Axis(_("kappa"), -0.25, 0.5, ((-0.2, "−0.2"), (0.0, "0"), (0.2, "0.2"), (0.4, "0.4"))),
        (
            Band("", a, rows.numbers("low"), rows.numbers("high"), Role.MODEL),
            Mark("", 0.0, vertical=False),
            Line("", a, rows.numbers("mean"), Role.MODEL),
        ),
    )


def _draw_camps(table: StudyTable) -> Figure:
    marks: list[Line | Points | Mark] = [Mark("", 0.0, vertical=False)]
    for r in dict.fromkeys(table.values("raters")):
        rows = table.only(raters=r)
        label = _("{n} raters").format(n=r)
        marks.append(Line(label, rows.numbers("a"), rows.numbers("expected"), Role.MODEL))
        marks.append(Points("", rows.numbers("a")[::2], rows.numbers("mean")[::2], Role.OBSERVED))
    lowest = table.numbers("mean").min()
    title = _("Two camps: kappa down to {low}").format(low=numbers.decimal(float(lowest)))
    return Figure(
        "negative-kappa",
        title,
        _("{title}: minus the square of the accuracy over R − 1.").format(title=title),
        unit(_("accuracy within each camp"), HALVES),
        Axis(_("kappa"), -1.05, 0.2, ((-1.0, "−1"), (-0.5, "−0.5"), (0.0, "0"))),
        tuple(marks),
    )
