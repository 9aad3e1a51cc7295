"""What if, worked out: an analysis and the same one with something otherwise, or other files, one after the other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from tapdesk.answers import numbers
from tapdesk.answers.what_if import WhatIf, what_if
from tapdesk.answers.what_if_cases import award_moves, award_sentences
from tapdesk.errors import CannotAnswerError, TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import Key
from tapdesk.progress import Run, Step
from tapdesk.project.awards import award_request
from tapdesk.project.files.file import load
from tapdesk.project.files.recognition import is_project
from tapdesk.project.project import Analysis, Project
from tapdesk.project.review_state import refuse_blocking
from tapdesk.project.what_if import Variation, WithModel, WithoutRaters, another_round, reading_differences
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request, refusal
from tapdesk.studies.award_answer import Awards
from tapdesk.studies.awards import awards
from tapdesk.studies.comparison import REPLICATES, Comparison, compare, matched_classes
from tapdesk.studies.what_if import Side, side_of

THIS = _("this analysis")


@dataclass(frozen=True, eq=False)
class Round:
    """One of the analyses that are set against each other.

    Attributes
    ----------
    name
        What it is called.
    project, request
        The work, and what is asked of it.
    ratings
        Its ratings with the classes of the first round.
    answer
        Its answer, where there is one already.
    differences
        What was read or decided otherwise than in the first, a sentence each.
    printed
        The same for a report: people are named in no sentence about a file that is not its own.
    """

    name: str
    project: Project
    request: Request
    ratings: Ratings
    answer: Fit | None = None
    differences: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()

    def side(self) -> Run[Side]:
        """The analysis as one of two."""
        return side_of(self.ratings, self.request, self.answer)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a question what if.

    Attributes
    ----------
    on_screen
        The analyses side by side, as they are shown.
    on_paper
        The same for a report: people are named in no sentence about a file that is not its own.
    this
        The analysis that was looked at, for the next question about it.
    steps
        The second against the first; of several rounds the last against the first, then each against the one before.
    """

    on_screen: WhatIf
    on_paper: WhatIf
    this: Side
    steps: tuple[Comparison, ...]


def this_round(project: Project, analysis: Analysis | None, name: str = THIS) -> Round:
    """The analysis that something else is set against.

    Raises
    ------
    TapdeskError
        When there is no answer yet.
    """
    if analysis is None or analysis.fit is None or analysis.stale:
        raise TapdeskError(
            _("There is no answer to these {ratings} yet, so nothing can be set beside it.").format(),
            fix=_("Run the analysis first."),
        )
    return Round(name, project, replace(analysis.request, redraws=False), project.ratings, analysis.fit)


def varied_round(first: Round, variation: Variation) -> Round:
    """The same with something otherwise.

    Raises
    ------
    TapdeskError
        When that does not fit the ratings.
    """
    after = variation.apply(first.project)
    request = variation.ask(first.request)
    if isinstance(variation, WithModel) and (reason := refusal(after.ratings, request)):
        raise CannotAnswerError(reason)
    return Round(variation.words, after, request, after.ratings)


def next_round(first: Round, path: str) -> Run[Round]:
    """Another file, read and decided as the first was.

    Parameters
    ----------
    first
        The first round.
    path
        A spreadsheet, or a project, which is taken as it was decided.

    Yields
    ------
    Step
        Of reading.

    Raises
    ------
    TapdeskError
        When the file cannot be read, waits for an answer, or has other classes.
    """
    lost: tuple[str, ...] = ()
    if not path.startswith("sample:") and is_project(path):
        other = load(path)
    else:
        other, lost = yield from another_round(first.project, path)
    refuse_blocking(other)
    ratings = matched_classes(first.project.ratings, other.ratings, file_label(path))
    model = first.request.model
    request = replace(first.request, model=replace(model, key=model.key if ratings.knows_answers else Key.UNUSED))
    return Round(
        file_label(path), other, request, ratings,
        differences=reading_differences(first.project, other, lost),
        printed=reading_differences(first.project, other, lost, named=False),
    )  # fmt: skip


def file_label(path: str) -> str:
    """What a file is called in sentences."""
    return Label(path if path.startswith("sample:") else Path(path).name)


def compare_rounds(
    rounds: Sequence[Round],
    level: float,
    replicates: int = REPLICATES,
    seed: int = 1,
    *,
    known: Side | None = None,
    caveat: str = "",
    lead: str = "",
    place: int = 0,
) -> Run[Outcome]:
    """Two analyses, or several in the order of time.

    Parameters
    ----------
    rounds
        The analyses, the first one first.
    level, replicates, seed
        As of `compare`.
    known
        The analysis that is looked at as one of two, where it was worked out for another question.
    caveat, lead
        As of `WhatIf`.
    place
        Which of the rounds is the one that is looked at.

    Yields
    ------
    Step
        Phases ``fit`` to ``re-draws``.
    """
    yield Step(0, 1, "fit")
    sides: list[Side] = []
    for at, one in enumerate(rounds):
        sides.append(known if known is not None and at == place else (yield from one.side()))
    pairs = [(sides[0], sides[-1]), *(pairwise(sides) if len(sides) > 2 else ())]
    steps: tuple[Comparison, ...] = ()
    for one, other in pairs:
        steps = (*steps, (yield from compare(one, other, level, replicates, seed)))
    names, made_on = _names(rounds), rounds[place].project.data_fingerprint
    on_screen, on_paper = (
        what_if(steps[0], names, None, otherwise, made_on, caveat, lead, steps[1:])
        for otherwise in ([t for one in rounds for t in one.differences], [t for one in rounds for t in one.printed])
    )
    return Outcome(on_screen, on_paper, sides[place], steps)


def _names(rounds: Sequence[Round]) -> list[str]:
    """What the rounds are called; where two files have the same name, by their place as well."""
    names: list[str] = []
    for at, one in enumerate(rounds, 1):
        again = sum(other.name == one.name for other in rounds) > 1
        names.append(_("{name} ({at})").format(name=one.name, at=at) if again else one.name)
    return names


def vary(project: Project, analysis: Analysis | None, variation: Variation, known: Side | None = None) -> Run[Outcome]:
    """An analysis and the same one with something otherwise.

    Parameters
    ----------
    project, analysis
        The work, which stays as it is, and the analysis that is looked at.
    variation
        What is otherwise.
    known
        The analysis as one of two, where it was worked out for another question.

    Yields
    ------
    Step
        Phases ``fit`` to ``re-draws``.

    Raises
    ------
    TapdeskError
        When there is no answer yet, or the variation does not fit the ratings.
    """
    yield Step(0, 1, "fit")
    first = this_round(project, analysis)
    variation = yield from variation.settle(project, first.answer)
    second = varied_round(first, variation)
    request = first.request
    caveat = caveat_of(project.ratings, variation)
    outcome = yield from compare_rounds(
        (first, second), request.level, seed=request.seed, known=known, caveat=caveat, lead=variation.lead
    )
    return (yield from with_awards(outcome, (first, second), analysis))


def follow(
    project: Project,
    analysis: Analysis | None,
    paths: Sequence[str],
    known: Side | None = None,
    *,
    name: str = THIS,
    place: int = 0,
) -> Run[Outcome]:
    """An analysis and those of other files in the order of time, each read and decided as the first was.

    Parameters
    ----------
    project, analysis, known
        As of `vary`.
    paths
        Spreadsheets, or projects, which are taken as they were decided.
    name, place
        What the analysis is called, and where it stands among the rounds.

    Yields
    ------
    Step
        Of reading, and phases ``fit`` to ``re-draws``.

    Raises
    ------
    TapdeskError
        When there is no answer yet, or a file cannot be read, waits for an answer, or has other classes.
    """
    yield Step(0, 1, "fit")
    this = this_round(project, analysis, name)
    others: tuple[Round, ...] = ()
    for path in paths:
        others = (*others, (yield from next_round(this, path)))
    rounds = (*others[:place], this, *others[place:])
    request = this.request
    outcome = yield from compare_rounds(rounds, request.level, seed=request.seed, known=known, place=place)
    return (yield from with_awards(outcome, rounds, analysis))


def with_awards(outcome: Outcome, rounds: Sequence[Round], analysis: Analysis | None) -> Run[Outcome]:
    """What came of it, with the awards that change from the first to the last where who wins was asked.

    Parameters
    ----------
    outcome, rounds
        What was compared, and what came of it.
    analysis
        The analysis that is looked at.

    Yields
    ------
    Step
        Those of the awards of both.
    """
    if analysis is None or analysis.question != "awards":
        return outcome
    made: list[Awards] = []
    try:
        for one in (rounds[0], rounds[-1]):
            asked = award_request(one.project, level=analysis.request.level, seed=analysis.request.seed)
            made.append((yield from awards(one.project.all_classes, asked)))
        changed, moves = award_sentences(*made), award_moves(*made)
    except TapdeskError as error:
        changed, moves = (_("Which awards change cannot be told: {why}").format(why=error.what),), None
    return replace(
        outcome,
        on_screen=replace(outcome.on_screen, awards=changed, award_moves=moves),
        on_paper=replace(outcome.on_paper, awards=changed, award_moves=moves),
    )


def caveat_of(ratings: Ratings, variation: Variation) -> str:
    """What a variation does not say, where there is more to say than of any."""
    if (
        not isinstance(variation, WithoutRaters)
        or len(variation.names) != 1
        or variation.names[0] not in ratings.raters
    ):
        return variation.caveat
    (name,) = variation.names
    theirs = ratings.rater == ratings.raters.index(name)
    words = _("Not that {rater} is wrong: nobody checked what is true.").format(rater=RaterName(name))
    if len(ratings.classes) == 2 and theirs.any() and not theirs.all():
        mine, others = (float((ratings.category[rows] == 1).mean()) for rows in (theirs, ~theirs))
        habit = _("{rater} says “{one}” {mine} times in 100, the others {others}.").format(
            rater=RaterName(name), one=Label(ratings.classes[1]), mine=numbers.hundredths(mine),
            others=numbers.hundredths(others),
        )  # fmt: skip
        words = joined(words, habit)
    return joined(words, _("Ask how the question was read before you decide anything."))
