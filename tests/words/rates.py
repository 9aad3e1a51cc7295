"""How often raters are named, and accuracy is said to change with age: ``python -m tests.words.rates FILE``.

The panels are those of ``tapdesk study words``; of a report only the studies are worked out on which these sentences
rest, so that hundreds of panels take minutes. A line is written for each panel that is done, and one that stands in the
file is not made again; what was counted is told at the end.
"""

import json
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from zlib import crc32

import numpy as np

from tapdesk.answers.part import Answer
from tapdesk.answers.question import headline
from tapdesk.answers.raters import apart
from tapdesk.answers.side_studies import work_out
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.project import Project
from tapdesk.ratings.form import FilePart
from tapdesk.report.parts import part_project
from tapdesk.studies.analysis import Request
from tapdesk.worlds.catalog import world
from tapdesk.worlds.statement import JUDGED
from tests.words.listening import templates

NAMING = ("raters-60x5-one-apart", "raters-100x5-one-apart", "model-200x5")
AGES = ("ages-150x8-one", "ages-150x8-half", "ages-150x8-none")
NAMED = ("opposition", "differences", "chance", "goodness", "by_rater", "panel", "rater_contrasts")
SEED = 1
SETS = {**dict.fromkeys(NAMING, 60), **dict.fromkeys(AGES, 200)}
CHANGES = "Accuracy changes with {name}"


def panel(key, draw):
    """What is said of one panel: who is set apart by the headline or beside the panel, or whether age matters."""
    here = world(key).draw(np.random.default_rng([SEED, crc32(key.encode()), draw]))
    by_age = (replace(model("t-a(x)-p"), covariates=("age",)),)
    models, interval = (by_age, "none") if here.ages else ((model("t-a-p"), model("t-a-t")), "profile")
    items = tuple(Request(m, interval=interval, replicates=JUDGED.replicates, seed=SEED + draw) for m in models)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.csv"
        path.write_text(here.text(), "utf-8")
        project = finish(part_project(Project(), path, FilePart("ratings", here.options), "panel", lambda _all: items))
    side = finish(work_out(project, replace(JUDGED, seed=SEED + draw), ("slopes",) if here.ages else NAMED))
    first = project.analyses[0]
    if here.ages:
        said = templates(headline(Answer(first.fit, project.ratings, project.ratings, side, first)))
        return ["changes"] if any(CHANGES in one for one in said) else []
    named = list(side.differences.apart) if side.differences is not None else []
    if side.by_rater is not None:
        below, above = apart(side.by_rater, side)
        named += [f"{e.name.rater} {where}" for where, group in (("below", below), ("above", above)) for e in group]
    return named


def main(place):
    """Work out what is missing, and tell what was counted."""
    done = {}
    if place.exists():
        done = {(r["world"], r["draw"]): r["said"] for r in map(json.loads, place.read_text("utf-8").splitlines())}
    with place.open("a", encoding="utf-8") as out:
        for key, sets in SETS.items():
            for draw in range(sets):
                if (key, draw) not in done:
                    done[key, draw] = panel(key, draw)
                    out.write(json.dumps({"world": key, "draw": draw, "said": done[key, draw]}) + "\n")
                    out.flush()
    for key, sets in SETS.items():
        count = Counter(one for draw in range(sets) for one in done[key, draw])
        sys.stdout.write(f"{key}: {sets} panels; {dict(sorted(count.items()))}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
