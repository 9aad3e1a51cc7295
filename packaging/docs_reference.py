"""The pages of reference of the site of the help, written from the catalogs, so that nothing can be forgotten there."""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

import tapdesk
from tapdesk.agreement.coefficients import COEFFICIENTS, CoefficientKind
from tapdesk.answers.literature import Reference, of_coefficient, of_model
from tapdesk.answers.parts import PARTS
from tapdesk.language import NOUN_FIELDS, PLAIN
from tapdesk.models.model import (
    CASE_MODELS,
    DIFFICULTY_MODELS,
    GROUP_MODELS,
    MEMORY_MODELS,
    MODELS,
    NEAR_MODELS,
    ORDERED_MODELS,
    QUESTION_MODELS,
    Accuracy,
    Cases,
    Guessing,
    RaterModel,
    Sharing,
    Truth,
)
from tapdesk.project.fixes.known import KNOWN
from tapdesk.project.fixes.ratings import RATINGS
from tapdesk.project.fixes.reading import READING
from tapdesk.ratings.layouts.catalog import CATALOG
from tapdesk.ratings.options import Layout
from tapdesk.ratings.trades.catalog import TRADES
from tapdesk.report.outline import SECTIONS

KINDS = (
    ("Raters, classes and cases that are alike", MODELS),
    ("Groups", GROUP_MODELS),
    ("Several questions", QUESTION_MODELS),
    ("Cases that differ", CASE_MODELS),
    ("Cases that are harder for raters who differ", DIFFICULTY_MODELS),
    ("Ordered classes: signal detection", ORDERED_MODELS),
    ("Ordered classes: near misses", NEAR_MODELS),
    ("Repeats", MEMORY_MODELS),
)
WEIGHTS = {"ask": "asks", "note": "is told", "block": "waits for an answer", "Finding": "depends"}
MADE = "Its sentence is made of what was seen."
_FIELD = re.compile(r"\{(\w*)[^}]*\}")
_CASES = {
    Cases.HARD: "a = 0 in a share h of all cases",
    Cases.ACCURACY: "a_i of each case from a beta law around a, spread rho",
    Cases.MISLEADING: "p_i of each case from a Dirichlet law around p, spread rho",
    Cases.DIFFICULTY: "logit a_ij = alpha_j - sigma z_i, z_i normal",
}


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """The lines of a table in Markdown; within the marks of code no sign parts cells."""
    return [f"| {' | '.join(' '.join(cell.split()) for cell in row)} |" for row in (head, ["---"] * len(head), *rows)]


def sentence(text: str) -> str:
    """A sentence in English with its nouns; what else is filled in while it is said stands as dots."""
    return _FIELD.sub(lambda m: PLAIN.noun(m[1]) if m[1] in NOUN_FIELDS else "…", getattr(text, "template", text))


def sources(works: Iterable[Reference]) -> str:
    """How works are named in one cell."""
    return "; ".join(dict.fromkeys(one.cite for one in works)) or "–"


def _symbol(letter: str, sharing: Sharing) -> str:
    """A number of a model with the signs of all who have their own."""
    marks = "j" * sharing.by_rater + "g" * sharing.by_group + "k" * sharing.by_class
    return f"{letter}_{marks}" if marks else letter


def formula(model: RaterModel) -> str:
    """The probability of a rating by rater j of a case of true class k, and what else a model assumes, in symbols."""
    if model.truth is Truth.SHARPENED:
        return "Pr(C_ij = 1) = a_j sig(t_i) + (1 - a_j) P"
    truth = {Truth.OBSERVED: "Pr(T = k) = P_k", Truth.UNIFORM: "Pr(T = k) = 1/K"}.get(model.truth)
    truth = truth or f"Pr(T = k) = {'t_gk' if model.truth.by_group else 't_k'}"
    if model.guessing in {Guessing.ORDERED, Guessing.ORDERED_ALIKE}:
        cut = "tau_jc" if model.ordered.own_cut_points else "tau_c"
        slope = "d_j" if model.ordered.own_discrimination else "d"
        return f"{truth}; Pr(C <= c | T = k) = F({cut} - {slope} k), F logistic"
    held = {Guessing.AS_TRUTH: "t_c", Guessing.OBSERVED: "P_c"}.get(model.guessing)
    guess = held or f"{_symbol('p', model.guessing)}(c)"
    if model.accuracy is Accuracy.NONE:
        return f"{truth}; Pr(C = c | T = k) = {guess}"
    accuracy = "a_ij" if model.cases is Cases.DIFFICULTY else _symbol("a", model.accuracy)
    accuracy = "a(x)" if model.accuracy is Accuracy.REGRESSION else accuracy
    rest = f"[n N_k(c) + (1 - n) {guess}]" if model.near else guess
    words = [truth, f"Pr(C = c | T = k) = {accuracy} I(c = k) + (1 - {accuracy}) {rest}"]
    words += ["logit a(x) = beta_0 + beta x"] if model.accuracy is Accuracy.REGRESSION else []
    words += [_CASES[model.cases]] if model.cases in _CASES else []
    words += ["Pr(second | first, T) = m_j I(second = first) + (1 - m_j) the usual"] if model.memory else []
    return "; ".join(words)


def models() -> str:
    """Every model: what it assumes, in words and in symbols, and where it comes from."""
    lines = [
        "# Every model",
        "",
        "A rating C by rater j of a case i of true class T, one of K. `I(c = k)` is 1 where c is k and else 0; `t`",
        "tells how common the classes are in truth, `a` is the accuracy, `p` what is picked without knowledge, `P` the",
        "observed rates. A sign below a letter tells who has a number of their own: j each rater, k each true class, g",
        "each group or question, i each case. In words: [The models in plain words](help:models); of special ratings:",
        "[Groups, known answers, hard cases, order, repeats](help:grid). The works: [Where the models and methods come",
        "from](help:sources).",
    ]
    for title, kind in KINDS:
        rows = [(f"`{m.name}`", sentence(m.about), f"`{formula(m)}`", sources(of_model(m))) for m in kind]
        lines += ["", f"## {title}", "", *table(("model", "what it assumes", "formula", "source"), rows)]
    return "\n".join(lines) + "\n"


def coefficients() -> str:
    """Every coefficient: how it is defined, in which case of the model it measures accuracy, where it comes from."""
    lines = [
        "# Every coefficient of agreement",
        "",
        "`tapdesk agree FILE` computes them all, each with its interval, or says why it is undefined.",
    ]
    for kind in COEFFICIENTS:
        lines += ["", f"## {sentence(kind.title)}", "", *_coefficient(kind)]
    return "\n".join(lines) + "\n"


def _coefficient(kind: CoefficientKind) -> list[str]:
    case = kind.special_case
    where = f" (`{case.formula}`)" if case.formula else ""
    value = f" It is then `{case.equals}`." if case.equals else ""
    weights = ("identity", *(("linear", "quadratic", "ordinal") if kind.named_weights else ()))
    own = ", a matrix of one's own" if kind.own_weights else ""
    definition = inspect.getdoc(kind.cases) or ""
    return [
        f"`{kind.name}` in commands and JSON. {' '.join(definition.split())}",
        "",
        f"- **In the model{where}.** {sentence(case.words)}{value}",
        f"- **Weights.** {', '.join(weights)}{own}.",
        f"- **Source.** {sources(of_coefficient(kind.name))}.",
    ]


def layouts() -> str:
    """Every shape of a table, and every program whose exports are known."""
    told = {layout: (inspect.getdoc(reader) or "").replace("``", "`") for layout, reader in CATALOG.items()}
    told[Layout.AUTO] = "Whatever the table looks like; what was understood is told, and doubts are asked about."
    told[Layout.QUESTIONS] = (
        "One row per case and rater, one column per question: one of them, or all, as one row per rating."
    )
    rows = [(f"`{layout.value}`", told[layout]) for layout in Layout]
    lines = ["# Every layout", "", "As `--layout` takes them; with examples: [What you can open](help:formats).", ""]
    lines += table(("layout", "what a row and a column are"), rows)
    exports = [(f"`{look.__name__}`", (inspect.getdoc(look) or "").splitlines()[0]) for look in TRADES]
    lines += ["", "## Exports that are known", "", *table(("export", "how it is known"), exports)]
    return "\n".join(lines) + "\n"


def findings() -> str:
    """Every finding: what is said about a file, and whether something can be done about it by a button."""
    fixed = {**READING, **RATINGS, **KNOWN}
    said = dict(_findings())
    rows = []
    for code in sorted({*said, *fixed}):
        weight, words = said.get(code, ("depends", MADE))
        rows.append((f"`{code}`", words, weight, "yes" if code in fixed else "–"))
    lines = [
        "# Every finding",
        "",
        "What is noticed about a file while it is read, by the code that JSON holds; dots stand for what is filled in.",
        "",
        *table(("finding", "what is said", "how much it stands in the way", "buttons"), rows),
    ]
    return "\n".join(lines) + "\n"


def _findings() -> Iterator[tuple[str, tuple[str, str]]]:
    """Code, weight and sentence of every finding whose code is written down where it is made."""
    for path in sorted(Path(tapdesk.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        named = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in WEIGHTS and call.args:
                first = call.args[0]
                code = named.get(first.id) if isinstance(first, ast.Name) else getattr(first, "value", None)
                words = _words(call)
                if isinstance(code, str):
                    yield code, (WEIGHTS[call.func.id], words or MADE)


def _words(call: ast.Call) -> str:
    """The sentences among what a finding is made with that say what was seen: those of its third argument."""
    if len(call.args) < 3:
        return ""
    made = [n for n in ast.walk(call.args[2]) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    texts = [n.args[0].value for n in made if n.func.id in {"_", "ngettext"} and isinstance(n.args[0], ast.Constant)]
    return " ".join(sentence(text) for text in texts)


def parts() -> str:
    """Every part of what is said about an answer, by the section of the report that prints it."""
    order = [row.key for row in SECTIONS]
    titles = {row.key: sentence(row.title) for row in SECTIONS}
    lines = [
        "# Every part of an answer",
        "",
        "Window, report, terminal and JSON show the same parts. A part with a command is printed by it as well.",
    ]
    for key, rows in groupby(sorted(PARTS, key=lambda p: order.index(p.section)), key=lambda p: p.section):
        cells = [
            (f"`{p.key}`", sentence(p.title), sentence(p.explanation), ", ".join(f"`{c}`" for c in p.commands) or "–")
            for p in rows
        ]
        lines += ["", f"## {titles[key]}", "", *table(("part", "title", "what it shows", "commands"), cells)]
    return "\n".join(lines) + "\n"


REFERENCE = {
    "every-model": models,
    "every-coefficient": coefficients,
    "every-layout": layouts,
    "every-finding": findings,
    "every-part": parts,
}
"""The pages by their names, in the order they are read."""
