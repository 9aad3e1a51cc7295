"""How often each interval holds the true coefficient; run as a program it writes COVERAGE.md beside it."""

import sys
from pathlib import Path

import numpy as np

from tapdesk.agreement.coefficients import agree
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings

FILE = Path(__file__).with_name("COVERAGE.md")
PREVALENCES = (0.1, 0.3, 0.5)
DESIGNS = ((50, 3), (50, 2), (200, 3))
ACCURACY = 0.6
KINDS = ("analytic", "bootstrap")
LOWEST, HIGHEST = 0.93, 0.97


def key(c):
    """What tells coefficients apart within one design; for classes and pairs the last one stands for all."""
    return f"{c.name} ({c.metric})" if c.name == "krippendorff_alpha" else c.name


def chosen(coefficients):
    """One of each name: agreement on the rarer class, the last pair of raters."""
    return {key(c): c for c in coefficients if c.metric in {None, "nominal"}}


def ratings_of(rows):
    """Binary ratings from one row a subject; the order lets the scores be used."""
    n, j = rows.shape
    return Ratings.of(
        np.repeat(np.arange(n), j),
        np.tile(np.arange(j), n),
        rows.ravel(),
        [str(i) for i in range(n)],
        [f"R{i + 1}" for i in range(j)],
        ["0", "1"],
    )


def draw(rng, subjects, raters, prevalence):
    """Rows from the t-a-p model with p = t."""
    truth = rng.random(subjects) < prevalence
    accurate = rng.random((subjects, raters)) < ACCURACY
    return np.where(accurate, truth[:, None], rng.random((subjects, raters)) < prevalence).astype(np.int64)


def truth_of(raters, prevalence):
    """The coefficients of the population: all patterns with their expected numbers, out of 10^9 subjects."""
    patterns = np.array(np.meshgrid(*[[0, 1]] * raters, indexing="ij")).reshape(raters, -1).T
    expected = 0
    for t, share in ((0, 1 - prevalence), (1, prevalence)):
        one = ACCURACY * t + (1 - ACCURACY) * prevalence
        expected = expected + share * np.prod(np.where(patterns == 1, one, 1 - one), axis=1)
    ratings = ratings_of(patterns)
    whole = Ratings(
        ratings.subject,
        ratings.rater,
        ratings.category,
        ratings.subjects,
        ratings.raters,
        ratings.classes,
        weight=np.rint(1e9 * expected).astype(np.int64),
    )
    return {name: c.estimate.value for name, c in chosen(finish(agree(whole, interval="none"))).items()}


def cell(design, prevalence, kind, replicates, seed):
    """For each coefficient: the share of intervals that hold the truth, and how many intervals there were."""
    subjects, raters = design
    rng = np.random.default_rng([seed, subjects, raters, int(100 * prevalence)])
    true = truth_of(raters, prevalence)
    held = {name: [] for name, value in true.items() if value is not None}
    for _ in range(replicates):
        ratings = ratings_of(draw(rng, subjects, raters, prevalence))
        for name, c in chosen(finish(agree(ratings, interval=kind, replicates=400))).items():
            e = c.estimate
            if name in held and e.low is not None:
                held[name].append(e.low <= true[name] <= e.high)
    return {name: (float(np.mean(inside)) if inside else float("nan"), len(inside)) for name, inside in held.items()}


def table(replicates, seed=1):
    """All cells by design, prevalence and kind of interval."""
    return {
        (design, prevalence, kind): cell(design, prevalence, kind, replicates[kind], seed)
        for design in DESIGNS
        for prevalence in PREVALENCES
        for kind in KINDS
    }


def written(cells, replicates):
    """The table as the page that is kept."""
    lines = [
        "# How often the 95 % intervals of the coefficients hold the true value",
        "",
        f"Binary ratings from the t-a-p model with p = t and a = {ACCURACY}, every rater rating every subject.",
        f"{replicates['analytic']} data sets a cell for the analytic intervals and {replicates['bootstrap']} for the",
        "bootstrap (400 re-draws each); a share near .95 is uncertain by about .005 and .011. Data sets without an",
        "interval are not counted; where they are more than 1 in 20, their share stands behind the slash.",
        "Written by coverage.py beside this page.",
        "",
    ]
    outside = []
    for design in DESIGNS:
        head = [f"t = {t}, {kind}" for t in PREVALENCES for kind in KINDS]
        lines += [f"## {design[0]} subjects, {design[1]} raters", "", "| coefficient | " + " | ".join(head) + " |"]
        lines.append("| --- |" + " --- |" * len(head))
        for name in cells[design, PREVALENCES[0], KINDS[0]]:
            row = []
            for t in PREVALENCES:
                for kind in KINDS:
                    share, count = cells[design, t, kind].get(name, (float("nan"), 0))
                    lost = 1 - count / replicates[kind]
                    row.append(f"{share:.3f}" + (f" / {lost:.2f}" if lost > 0.05 else ""))
                    if not LOWEST <= share <= HIGHEST:
                        outside.append(f"{name}: {design[0]} subjects, {design[1]} raters, t = {t}, {kind} {share:.3f}")
            lines.append(f"| {name} | " + " | ".join(row) + " |")
        lines.append("")
    lines += [f"## Outside {LOWEST:.2f} to {HIGHEST:.2f}", "", *(f"- {line}" for line in sorted(outside)), ""]
    return "\n".join(lines)


def kept():
    """The shares on the page, by design, coefficient, prevalence and kind."""
    shares, design = {}, None
    for line in FILE.read_text().splitlines():
        if line.startswith("## ") and "subjects" in line:
            words = line.split()
            design = (int(words[1]), int(words[3]))
        elif line.startswith("| ") and not line.startswith(("| coefficient", "| ---")):
            name, *row = (part.strip() for part in line.strip("|").split("|"))
            for i, text in enumerate(row):
                shares[design, name, PREVALENCES[i // 2], KINDS[i % 2]] = float(text.split()[0])
    return shares


if __name__ == "__main__":
    scale = float(sys.argv[1]) if sys.argv[1:] else 1.0
    asked = {"analytic": round(2000 * scale), "bootstrap": round(400 * scale)}
    FILE.write_text(written(table(asked), asked))
