"""Asks RaschPy for the severities of judges and the measures of entries; run in the peers' environment.

`bash packaging/peers answers` runs it after make.py: it reads juries.json beside it and writes raschpy.json, with the
version. A jury is {"name", "scores": [[whole number or null for each judge], ...], "truth", "severity"}.
"""

import importlib.metadata
import json
import warnings
from pathlib import Path

import pandas as pd
from raschpy import MFRM

HERE = Path(__file__).resolve().parent


def many_facet(jury):
    """Severities and measures in logits by the many-facet rating scale model, where an extreme entry has none."""
    rows = [
        (f"J{j:02}", f"E{i:03}", score)
        for i, line in enumerate(jury["scores"])
        for j, score in enumerate(line)
        if score is not None
    ]
    table = pd.DataFrame(rows, columns=["Rater", "Person", "score"]).set_index(["Rater", "Person"]).astype(float)
    low = table["score"].min()
    model = MFRM(table - low, max_score=int(table["score"].max() - low))
    model.calibrate("global")
    model.person_estimates("global")
    effects, measures = model.facet_effects_global, model.persons_global
    return {
        "severity": [round(float(effects[f"J{j:02}"]), 6) for j in range(len(jury["severity"]))],
        "measure": [round(float(measures[f"E{i:03}"]), 6) for i in range(len(jury["truth"]))],
    }


def main():
    warnings.simplefilter("ignore")
    juries = json.loads((HERE / "juries.json").read_text(encoding="utf-8"))
    answers = {jury["name"]: many_facet(jury) for jury in juries}
    whole = {"program": "RaschPy", "version": importlib.metadata.version("raschpy"), "answers": answers}
    (HERE / "raschpy.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
