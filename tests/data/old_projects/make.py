"""Makes the project of the present format beside this file, and what must be found in it. Run it once per format.

Files of earlier formats are never made again: they are what users have on their disks.
"""

import json
from dataclasses import replace
from pathlib import Path

from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.classes import DeclareClass, MergeClasses, RenameClass, ReorderClasses
from tapdesk.project.decisions.names import FlipRater, letter_codes
from tapdesk.project.decisions.ratings import EditRating, KeepRepeats, LeaveOutSubjects, Repeats
from tapdesk.project.files.contents import undoable_part
from tapdesk.project.files.file import FORMAT, save
from tapdesk.project.project import Analysis, History, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.issue.issued import with_issued
from tapdesk.studies.analysis import Request, analyse

QUESTIONS = {"profile": "knowledge", "raters": "raters"}
WHEN = "2025-05-14T10:44:00+02:00"
REQUESTS = {
    "profile": Request(model("t-a-p"), tests=True, replicates=50),
    "bootstrap": Request(model("t-a0a1-p0p1"), interval="bootstrap", replicates=50, subjects=True),
    "raters": Request(model("t-aj-p"), interval="wald"),
    "moment": Request(model("t-a-p"), estimator="moment-em"),
    "posterior": Request(model("t-a-p"), estimator="posterior"),
}


def decided(project):
    """Decisions of many kinds, one of them taken back, one undone."""
    ratings = project.ratings
    first = {"subject": ratings.subjects[0], "rater": ratings.raters[ratings.rater[0]]}
    was = ratings.classes[ratings.category[0]]
    now = next(c for c in ratings.classes if c != was)
    low, high = ratings.classes[:2], ratings.classes[-1]
    steps = [
        EditRating(**first, was=was, now=now),
        KeepRepeats(Repeats.FIRST),
        LeaveOutSubjects(ratings.subjects[5:7]),
        FlipRater(ratings.raters[1]),
        DeclareClass("trophy"),
        ReorderClasses((*ratings.classes, "trophy")),
        RenameClass(high, "top"),
        MergeClasses((("low", low),)),
        letter_codes(ratings.raters),
    ]
    for step in steps:
        project = project.decide(step, reason="An example.", when=WHEN)
    project = project.take_back(4, reason="It was right.", when=WHEN)
    return project.with_class1(("top",)).with_class1(("top", "trophy")).undo()


def stepped(project):
    """The project with two steps behind it and one that was undone."""
    first, last = replace(project, title="Show"), project.with_note("summary", "Agreed by nobody.")
    states = tuple(undoable_part(one) for one in (first, replace(project, title="Spring Show"), project, last))
    return replace(project, history=History(states, ("A title", "Another title", "Note on “Summary”"), 2))


def main():
    folder = Path(__file__).resolve().parent
    project = decided(Project(title="Spring show").with_reading(read_now("sample:jury-panel")))
    project = project.with_note("summary", "Agreed by the committee.")
    for name, asked in REQUESTS.items():
        fit = finish(analyse(project.ratings, asked))
        project = project.with_analysis(Analysis(name, asked, fit, run_at=WHEN, question=QUESTIONS.get(name, "")))
    project = stepped(with_issued(project, "show.pdf", b"%PDF-1.7 an example", WHEN))
    target = folder / f"format-{FORMAT}.tapdesk"
    save(project, target, versions=0)
    known = {
        "fingerprint": project.ratings_fingerprint,
        "log": [row.words for row in project.log],
        "estimates": {f"{a.name} {e.name}": e.estimate.value for a in project.analyses for e in a.fit.estimates},
        "questions": {a.name: a.question for a in project.analyses},
        "issued": ["show.pdf"],
        "history": [[*project.history.texts], project.history.at],
    }
    target.with_suffix(".json").write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
