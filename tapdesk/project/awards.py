"""What a committee decided about its awards, as a project keeps it: rule, medal lines and names, who is wanted, places.

It stands in a note, as the choices of a report do: undo takes it back, and a file of any version holds it.
"""

import json
from collections.abc import Sequence

from tapdesk.errors import TapdeskError
from tapdesk.language import gettext as _
from tapdesk.project.bands import band_names, own_bands, written
from tapdesk.project.project import Project
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.texts import number
from tapdesk.studies.award_answer import FIRST, AwardRequest
from tapdesk.studies.award_rules import COMMITTEE_RULES, Rule
from tapdesk.studies.awards import refuse_what_tells_nothing

PLACE = "awards.choices"
"""Its place in the notes of a project."""


def award_request(project: Project, *, level: float = 0.95, seed: int = 1) -> AwardRequest:
    """What a project asks about its awards; the usual where nothing was decided, or where the note is damaged.

    Lines that do not fit the ratings as they are by now, and a class that is gone, are left out.
    """
    mark = decimal_mark(project)
    usual = AwardRequest(decimal=mark, level=level, seed=seed)
    if project.reading is None:
        return usual
    try:
        kept = json.loads(project.notes.get(PLACE, "{}"))
        rule = Rule(kept["rule"]) if kept.get("rule") else None
        wanted, cuts = str(kept.get("wanted", "")), [float(line) for line in kept.get("lines", [])]
        names = tuple(str(name) for name in kept.get("names", []))
        # What is kept has a name for what is below the lowest line as well.
        cuts = cuts if not names or len(names) == len(cuts) + 1 else []
        first, occasion = _places_kept(kept.get("first", ())), str(kept.get("occasion", ""))
    except (ValueError, TypeError, AttributeError, KeyError):
        return usual
    ratings = project.all_classes
    try:
        lines, named = (
            medal_lines(ratings, mark, tuple(written(cut, mark) for cut in cuts), names) if cuts else ((), ())
        )
    except TapdeskError:
        lines, named = (), ()
    return AwardRequest(
        rule=rule if rule in COMMITTEE_RULES else None,
        lines=lines,
        names=named,
        wanted=wanted if wanted in ratings.classes else "",
        first=first or FIRST,
        decimal=mark,
        occasion=occasion if occasion in ratings.covariates else "",
        level=level,
        seed=seed,
    )


def _places_kept(kept: Sequence[object]) -> tuple[int, ...]:
    """Of how many best the chances are told, as far as what was kept can be that."""
    return tuple(m for m in kept if isinstance(m, int) and m > 0)


def decimal_mark(project: Project) -> str:
    """The decimal mark of the scores of a project."""
    return (project.reading.source.decimal if project.reading is not None else None) or "."


def medal_lines(
    ratings: Ratings, mark: str, cuts: tuple[str, ...], names: tuple[str, ...] = ()
) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Medal lines as they were typed, rising, and the names of the classes between them.

    As many names as lines are those of the medals: what is below the lowest line is none.

    Raises
    ------
    UsageError
        When the lines are none of these scores, or there is not one name for each class or each medal.
    CannotAnswerError
        When of these ratings nothing can be said at all, such as where all are alike.
    """
    refuse_what_tells_nothing(ratings, together=False)
    if names and len(names) == len(cuts):
        names = (_("none"), *names)
    own_bands(ratings, mark, cuts, names)
    lines = tuple(sorted(value for text in cuts if (value := number(text, mark)) is not None))
    return lines, tuple(name.strip() for name in names) or band_names(lines, mark)


def with_award_request(project: Project, request: AwardRequest) -> Project:
    """The project that remembers rule, lines, names, the class that wins, and what is told besides."""
    mark = decimal_mark(project)
    names = request.names if request.names != band_names(request.lines, mark) else ()
    table = {
        "rule": "" if request.rule is None else request.rule.value,
        "lines": list(request.lines),
        "names": list(names),
        "wanted": request.wanted,
        "first": [] if request.first == FIRST else list(request.first),
        "occasion": request.occasion,
    }
    kept = {key: value for key, value in table.items() if value}
    return project.with_note(PLACE, json.dumps(kept, sort_keys=True) if kept else "")
