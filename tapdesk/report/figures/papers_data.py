"""The papers' tables as pictures: the tree, the distribution check, pairs of classes, Cohen's kappa by steps."""

from collections.abc import Mapping, Sequence

import numpy as np

from tapdesk.estimate import Estimate, undefined
from tapdesk.language import Number
from tapdesk.language import gettext as _
from tapdesk.models.stack import FloatArray
from tapdesk.report import numbers
from tapdesk.report.figure import Axis, Band, Cells, Figure, Line, Mark, Points, Role
from tapdesk.report.figures.agreement import dots
from tapdesk.report.figures.papers import unit
from tapdesk.report.figures.tree import tree_figure
from tapdesk.report.numbers import SCREEN
from tapdesk.report.svg.sheet import Sheet
from tapdesk.report.words import class_pairs as words_pairs
from tapdesk.studies.pairs import Pair, Pairs
from tapdesk.studies.table import Cell, Table

_HALF = 0.2
_NAME = 16


def tree(table: Table) -> Sheet:
    """The tree with the numbers of the fit."""
    figure = tree_figure(table)
    shares = sum(float(row["share"] or 0) for row in table.records() if row["follows"] is False)
    note = _("{share} of all ratings are guesses. Shares at the ends are of all ratings.").format(
        share=numbers.percent(shares)
    )
    return Sheet(figure.title, (figure,), width=760.0, height=110.0 + 42.0 * len(table.rows), note=note)


def distribution(table: Table) -> Sheet:
    """Shares of subjects by their number of ratings in class 1."""
    k = table.numbers("k")
    seen = table.numbers("observed")
    named = [c for c in table.columns if c not in {"k", "observed", "low", "high"}]
    off = {name: float(np.abs(table.numbers(name) - seen).max()) for name in named}
    x = np.stack([k - _HALF, k + _HALF, np.full(k.size, np.nan)], axis=1).ravel()
    boxes = [np.repeat(table.numbers(end), 3) for end in ("low", "high")]
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
    listed = "; ".join(
        _("{k} ratings {share}").format(k=int(a), share=numbers.percent(float(b))) for a, b in zip(k, seen, strict=True)
    )
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
        (Band("", x, boxes[0], boxes[1], Role.OBSERVED), *lines, Points(_("Observed"), k, seen, Role.OBSERVED)),
    )
    note = _("Grey boxes: where 95 of 100 re-draws of the cases put the observed share.")
    return Sheet(title, (figure,), width=680.0, height=300.0, note=note)


def pairs(table: Table) -> Sheet:
    """The accuracy of each pair of classes, the hardest pair first, with the root of kappa beside it."""
    rows = sorted(table.records(), key=lambda row: 2.0 if row["a"] is None else float(row["a"]))
    shown = [row for row in rows if row["a"] is not None]
    told = [
        (
            _("{first} or {second}").format(
                first=numbers.short(str(row["first"]), _NAME), second=numbers.short(str(row["second"]), _NAME)
            ),
            Estimate(float(row["a"] or 0)).between(float(row["low"] or 0), float(row["high"] or 0), 0.95, "profile"),
            Role.MODEL,
        )
        for row in shown
    ]
    figure = dots(told, SCREEN, kind="pairs", title="", note="")
    roots = [(float(row["root_kappa"]), i) for i, row in enumerate(shown) if row["root_kappa"] is not None]
    at = np.array([len(shown) - 1.0 - i - 0.28 for _x, i in roots])
    marks = (*figure.marks, Points("", np.array([x for x, _i in roots]), at, Role.CLASSICAL))
    untold = [f"{row['first']} or {row['second']}: {row['undefined']}" for row in rows if row["a"] is None]
    compared = sorted(int(float(str(row["subjects"]))) for row in rows)
    note = _(
        "Circles: accuracy by t-a-t with 95 % interval; squares: root of Fleiss’ kappa. Each pair is compared on "
        "{least} to {most} cases. {untold}"
    ).format(least=numbers.count(compared[0]), most=numbers.count(compared[-1]), untold=" ".join(untold))
    title = words_pairs.hardest(Pairs((), tuple(_pair(row) for row in rows)), SCREEN, _NAME)
    figure = Figure("pairs", "", f"{title}. {figure.alt}", figure.x, figure.y, marks, "")
    return Sheet(title, (figure,), width=700.0, height=70.0 + 40.0 * len(shown), note=note.strip())


def _pair(row: Mapping[str, Cell]) -> Pair:
    """A row of the table as what it was made of."""
    untold = undefined(str(row["undefined"] or ""))
    a, low, high, root = (None if row[x] is None else float(str(row[x])) for x in ("a", "low", "high", "root_kappa"))
    told = untold if a is None else Estimate(a)
    if a is not None and low is not None and high is not None:
        told = told.between(low, high, 0.95, "profile")
    compared = int(float(str(row["subjects"])))
    kappa = untold if root is None else Estimate(root)
    return Pair(str(row["first"]), str(row["second"]), compared, 0, compared, kappa, kappa, told, None)


def cohen(table: Table) -> Sheet:
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
    told = "; ".join(f"{name}: {', '.join(row)}" for name, row in zip(names, texts, strict=True))
    return Figure(
        "cohen",
        title,
        _("{title}. Rows of the first rater: {told}.").format(title=title, told=told),
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
