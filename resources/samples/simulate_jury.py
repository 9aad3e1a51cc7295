"""Make the simulated jury, panel and audit; the same seed gives the same files.

Run it in this folder: python simulate_jury.py [FOLDER]

The jury follows the t-a-p model of four classes: a wine is of quality c with probability TRUTH[c]; each rating follows
the wine with probability ACCURACY and is otherwise drawn from GUESSING. The panel is the same with one accuracy for
each judge, four to six judges for each wine, and some wines poured twice, unseen, for the same judge. In the audit four
auditors say of 120 case notes whether pain was assessed; the last of them came late and saw the second half.
"""

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]

SEED = 20260
MEDALS = ("no medal", "bronze", "silver", "gold")
TRUTH = (0.35, 0.30, 0.22, 0.13)
ACCURACY = 0.55
GUESSING = (0.20, 0.40, 0.30, 0.10)
WINES = 183
JURY = ("Ana", "Ben", "Carla", "Dimitri")
PANEL = {
    "Edith": 0.75, "Farid": 0.70, "Grace": 0.65, "Hugo": 0.65, "Ines": 0.60, "Jonas": 0.60,
    "Kemi": 0.55, "Lars": 0.55, "Mei": 0.50, "Nora": 0.45, "Omar": 0.40, "Petra": 0.05,
}  # fmt: skip
REPEATS = 18
ANSWERS = ("no", "yes")
NOTES, PRESENT, CARE, HABIT = 120, (0.3, 0.7), 0.75, (0.4, 0.6)
AUDITORS = ("Adams", "Brown", "Chen", "Davies")


def drawn(rng: np.random.Generator, probabilities: Sequence[float], size: int) -> IntArray:
    """Classes drawn by inversion, so that only the stream of uniform numbers matters."""
    return np.minimum(np.searchsorted(np.cumsum(probabilities), rng.random(size), side="right"), len(probabilities) - 1)


def rated(rng: np.random.Generator, truth: IntArray, accuracy: float, guessing: Sequence[float] = GUESSING) -> IntArray:
    """Ratings of cases of known truth."""
    follows = rng.random(truth.size) < accuracy
    return np.where(follows, truth, drawn(rng, guessing, truth.size))


def wine(index: int) -> str:
    """The name of a wine."""
    return f"W{index + 1:03d}"


def jury(rng: np.random.Generator) -> tuple[list[list[str]], IntArray]:
    """Rows of the jury file and of its truth."""
    truth = drawn(rng, TRUTH, WINES)
    ratings = np.stack([rated(rng, truth, ACCURACY) for _ in JURY], axis=1)
    rows = [[wine(i), *(MEDALS[c] for c in ratings[i])] for i in range(WINES)]
    return [["wine", *JURY], *rows], truth


def panel(rng: np.random.Generator) -> tuple[list[list[str]], IntArray]:
    """Rows of the panel file and of its truth."""
    truth = drawn(rng, TRUTH, WINES)
    names = list(PANEL)
    rows = []
    for i in range(WINES):
        size = 4 + int(rng.random() * 3)
        judges = sorted(np.argsort(rng.random(len(names)))[:size].tolist())
        poured = judges + ([judges[int(rng.random() * size)]] if i % (WINES // REPEATS) == 0 and i else [])
        for judge in poured:
            given = rated(rng, truth[i : i + 1], PANEL[names[judge]])[0]
            rows.append([wine(i), names[judge], MEDALS[given]])
    return [["wine", "judge", "medal"], *rows], truth


def audit(rng: np.random.Generator) -> tuple[list[list[str]], IntArray]:
    """Rows of the audit and of its truth."""
    truth = drawn(rng, PRESENT, NOTES)
    said = np.stack([rated(rng, truth, CARE, HABIT) for _ in AUDITORS], axis=1)
    late = NOTES // 2
    rows = [[f"R{i + 1:03d}", *(ANSWERS[c] for c in said[i])] for i in range(NOTES)]
    rows = [[*row[:-1], ""] if i < late else row for i, row in enumerate(rows)]
    return [["record", *AUDITORS], *rows], truth


def main(folder: Path) -> None:
    """Write the six files."""
    rng, other = np.random.default_rng(SEED), np.random.default_rng(SEED + 1)
    made = (("jury", MEDALS, jury(rng)), ("jury_panel", MEDALS, panel(rng)), ("audit", ANSWERS, audit(other)))
    for name, classes, (rows, truth) in made:
        cases = list(dict.fromkeys(row[0] for row in rows[1:]))
        truths = [[rows[0][0], "truth"], *([case, classes[c]] for case, c in zip(cases, truth, strict=True))]
        for file, table in ((f"{name}.csv", rows), (f"{name}_truth.csv", truths)):
            with (folder / file).open("w", encoding="utf-8", newline="") as out:
                csv.writer(out, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent))
