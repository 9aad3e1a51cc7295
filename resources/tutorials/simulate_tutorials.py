"""Make the files of the tutorials; the same seed gives the same files.

Run it in this folder: python simulate_tutorials.py [FOLDER]

Every rating follows the case with the accuracy of its question or judge and is otherwise a guess. In the audit three
auditors answer 24 criteria about 80 records. In the trial of judges two people and three language models say of 240
answers whether they pass; a key tells the truth of the first 60. The file of screening is made by the program itself;
its command stands in the tutorial.
"""

import csv
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

SEED = 20262
RECORDS, AUDITORS = 80, ("Adams", "Brown", "Chen")
# Of each criterion: how many records truly meet it, and how often an auditor's answer follows the record.
CRITERIA = {
    "Allergies": (0.90, 0.95), "Weight": (0.80, 0.92), "Pain score": (0.60, 0.85), "Pain again": (0.45, 0.80),
    "Fluid chart": (0.55, 0.85), "Falls risk": (0.70, 0.80), "Skin": (0.65, 0.75), "Nutrition": (0.50, 0.75),
    "Mobility": (0.60, 0.80), "Cognition": (0.40, 0.70), "Consent": (0.85, 0.90), "Next of kin": (0.75, 0.90),
    "Medicines": (0.70, 0.85), "Doses": (0.80, 0.80), "Signature": (0.60, 0.95), "Legible": (0.70, 0.25),
    "Plan": (0.55, 0.70), "Goals": (0.40, 0.30), "Review": (0.50, 0.80), "Escalation": (0.35, 0.75),
    "Handover": (0.60, 0.70), "Discharge": (0.45, 0.85), "Letter": (0.65, 0.90), "Patient told": (0.50, 0.35),
}  # fmt: skip
GUESS = 0.5
ANSWERS, KNOWN, PASSES = 240, 60, 0.6
# How often a judge's word follows the answer, and how often it is "pass" otherwise.
JUDGES = {
    "Ana": (0.80, 0.5), "Ben": (0.75, 0.5), "Model A": (0.70, 0.7), "Model B": (0.60, 0.7), "Model C": (0.25, 0.8),
}  # fmt: skip


def said(rng: np.random.Generator, truth: Sequence[bool], accuracy: float, guess: float) -> list[bool]:
    """What one rater says of each case."""
    follows, otherwise = rng.random(len(truth)) < accuracy, rng.random(len(truth)) < guess
    return [bool(true if kept else other) for true, kept, other in zip(truth, follows, otherwise, strict=True)]


def audit(rng: np.random.Generator) -> list[list[str]]:
    """Rows of the audit, a record and auditor each."""
    columns = []
    for rate, accuracy in CRITERIA.values():
        truth = (rng.random(RECORDS) < rate).tolist()
        columns.append([said(rng, truth, accuracy, GUESS) for _ in AUDITORS])
    rows = [
        [f"R{i + 1:02d}", auditor, *(("no", "yes")[column[j][i]] for column in columns)]
        for i in range(RECORDS)
        for j, auditor in enumerate(AUDITORS)
    ]
    return [["Record", "Auditor", *CRITERIA], *rows]


def judges(rng: np.random.Generator) -> list[list[str]]:
    """Rows of the trial of judges, an answer each."""
    truth = (rng.random(ANSWERS) < PASSES).tolist()
    told = [said(rng, truth, accuracy, guess) for accuracy, guess in JUDGES.values()]
    words = ("fail", "pass")
    rows = [
        [f"A{i + 1:03d}", *(words[one[i]] for one in told), words[truth[i]] if i < KNOWN else ""]
        for i in range(ANSWERS)
    ]
    return [["Answer", *JUDGES, "Key"], *rows]


def main(folder: Path) -> None:
    """Write both files."""
    for at, (name, make) in enumerate((("audit_form", audit), ("judges", judges))):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as out:
            csv.writer(out, lineterminator="\n").writerows(make(np.random.default_rng(SEED + at)))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent))
