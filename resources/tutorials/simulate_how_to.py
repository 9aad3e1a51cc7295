"""Make the files of the how-to pages; the same seed gives the same files.

Run it in this folder: python simulate_how_to.py [FOLDER]

Every rating follows the case with the accuracy of its rater and is otherwise a guess. Three nurses assess 90 records in
REDCap, each as an instance of her own. Three readers look at 120 films for a fracture, before a training and after it;
of 45 films a CT tells the truth, in the hospital's own words. Three coders mark which themes each of 100 interviews
holds.
"""

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

SEED = 20264
RECORDS, PRESSURE = 90, 0.4
NURSES = {"nurse_ito": 0.85, "nurse_diaz": 0.80, "nurse_okafor": 0.80}
FILMS, FRACTURE, SEEN_BY_CT = 120, 0.4, 45
BEFORE = {"Dr Moss": 0.55, "Dr Reed": 0.50, "Dr Vale": 0.45}
AFTER = {"Dr Moss": 0.85, "Dr Reed": 0.85, "Dr Vale": 0.80}
INTERVIEWS = 100
# Of each theme: how many interviews hold it, and how often a coder's mark follows the interview.
THEMES = {"trust": (0.5, 0.85), "fear": (0.35, 0.80), "cost": (0.3, 0.35)}
CODERS = ("Kim", "Lopez", "Mori")
GUESS = 0.5
Rows = list[list[str]]


def said(rng: np.random.Generator, truth: Sequence[bool], accuracy: float) -> list[bool]:
    """What one rater says of each case."""
    follows, otherwise = rng.random(len(truth)) < accuracy, rng.random(len(truth)) < GUESS
    return [bool(true if kept else other) for true, kept, other in zip(truth, follows, otherwise, strict=True)]


def redcap(rng: np.random.Generator) -> Rows:
    """Rows of the export of REDCap: a record of pressure sores, and an instance of the form for each nurse."""
    truth = (rng.random(RECORDS) < PRESSURE).tolist()
    told = [said(rng, truth, accuracy) for accuracy in NURSES.values()]
    rows = [
        [str(i + 1), "assessment", str(j + 1), nurse, str(int(told[j][i])), "2"]
        for i in range(RECORDS)
        for j, nurse in enumerate(NURSES)
    ]
    own = ["redcap_repeat_instrument", "redcap_repeat_instance"]
    return [["record_id", *own, "reviewer", "pressure_sore", "assessment_complete"], *rows]


def films(rng: np.random.Generator, readers: dict[str, float], ct: int = 0) -> Rows:
    """Rows of the films, read by each reader; of the first ones a CT tells the truth."""
    truth = (np.random.default_rng(SEED).random(FILMS) < FRACTURE).tolist()
    told = [said(rng, truth, accuracy) for accuracy in readers.values()]
    head = ["Film", *readers, *(["CT"] if ct else [])]
    rows = []
    for i in range(FILMS):
        known = [("NEG", "POS")[truth[i]] if i < ct else ""] if ct else []
        rows.append([f"F{i + 1:03d}", *(("no fracture", "fracture")[one[i]] for one in told), *known])
    return [head, *rows]


def themes(rng: np.random.Generator) -> Rows:
    """Rows of the interviews, an interview and coder each, with the set of themes that the coder marked."""
    marks = {}
    for theme, (rate, accuracy) in THEMES.items():
        truth = (rng.random(INTERVIEWS) < rate).tolist()
        marks[theme] = [said(rng, truth, accuracy) for _ in CODERS]
    rows = [
        [f"I{i + 1:03d}", coder, "; ".join(theme for theme in THEMES if marks[theme][j][i]) or "none"]
        for i in range(INTERVIEWS)
        for j, coder in enumerate(CODERS)
    ]
    return [["Interview", "Coder", "Themes"], *rows]


def main(folder: Path) -> None:
    """Write all files."""
    made = {
        "redcap_export": redcap(np.random.default_rng(SEED + 1)),
        "films_before": films(np.random.default_rng(SEED + 2), BEFORE),
        "films_after": films(np.random.default_rng(SEED + 3), AFTER),
        "films_ct": films(np.random.default_rng(SEED + 3), AFTER, SEEN_BY_CT),
        "interviews": themes(np.random.default_rng(SEED + 4)),
    }
    for name, rows in made.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent))
