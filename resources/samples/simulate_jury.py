"""Make the simulated jury and the simulated panel; the same seed gives the same files.

Run it in this folder: python simulate_jury.py [FOLDER]

The jury follows the t-a-p model of four classes: a wine is of quality c with probability TRUTH[c]; each rating follows
the wine with probability ACCURACY and is otherwise drawn from GUESSING. The panel is the same with one accuracy for
each judge, four to six judges for each wine, and some wines poured twice, unseen, for the same judge.
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


def drawn(rng: np.random.Generator, probabilities: Sequence[float], size: int) -> IntArray:
    """Classes drawn by inversion, so that only the stream of uniform numbers matters."""
    return np.minimum(np.searchsorted(np.cumsum(probabilities), rng.random(size), side="right"), len(probabilities) - 1)


def rated(rng: np.random.Generator, truth: IntArray, accuracy: float) -> IntArray:
    """Ratings of wines of known truth."""
    follows = rng.random(truth.size) < accuracy
    return np.where(follows, truth, drawn(rng, GUESSING, truth.size))


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


def main(folder: Path) -> None:
    """Write the four files."""
    rng = np.random.default_rng(SEED)
    for name, make in (("jury", jury), ("jury_panel", panel)):
        rows, truth = make(rng)
        truths = [["wine", "truth"], *([wine(i), MEDALS[c]] for i, c in enumerate(truth))]
        for file, table in ((f"{name}.csv", rows), (f"{name}_truth.csv", truths)):
            with (folder / file).open("w", encoding="utf-8", newline="") as out:
                csv.writer(out, lineterminator="\n").writerows(table)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent))
