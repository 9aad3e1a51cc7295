"""A dossier as a value: everything that was looked at, and the verdict, which may be that something is not so."""

from collections.abc import Callable
from dataclasses import dataclass

from tapdesk.answers import numbers
from tapdesk.dossier.installation import Installation, installation
from tapdesk.dossier.peers import PeerAnswers, compare_peers
from tapdesk.dossier.reference import Answer, ReferenceQuestion, ReferenceValue, ask_again
from tapdesk.dossier.study_tables import FEWEST, FURTHEST, awards_beyond, beliefs_beyond, words_beyond
from tapdesk.language import gettext as _
from tapdesk.progress import Run


@dataclass(frozen=True, slots=True)
class Check:
    """Something that is compared.

    Attributes
    ----------
    key, what
        Its name, and what it is in words.
    compared
        How many values there were.
    off
        A line for each that is not as it should be.
    again
        Whether it was computed now; else it is read in tables that came with the program.
    """

    key: str
    what: str
    compared: int
    off: tuple[str, ...]
    again: bool

    @property
    def holds(self) -> bool:
        """Whether there was something to compare, and all of it agrees."""
        return self.compared > 0 and not self.off


@dataclass(frozen=True, slots=True)
class Dossier:
    """What was looked at.

    Attributes
    ----------
    questions
        Kept reference values beside ours.
    peers
        Coefficients of other programs beside ours.
    installation
        What it was computed with.
    checks
        The verdicts.
    """

    questions: tuple[ReferenceQuestion, ...]
    peers: tuple[PeerAnswers, ...]
    installation: Installation
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Whether every check does."""
        return all(check.holds for check in self.checks)

    @property
    def off(self) -> tuple[str, ...]:
        """A line for everything that is not as it should be; of a check that had nothing to compare one as well."""
        lines: list[str] = []
        for check in self.checks:
            empty = _("{check}: there was nothing to compare.").format(check=check.what)
            lines += check.off if check.compared else (empty,)
        return tuple(lines)


def make_dossier(answer: Answer) -> Run[Dossier]:
    """Compute and compare everything.

    Parameters
    ----------
    answer
        Asks this copy of the program as a user does.

    Yields
    ------
    Step
        Of the reference values and of the coefficients.
    """
    questions = yield from ask_again(answer)
    peers = yield from compare_peers()
    checks = (
        Check(
            "reference",
            _("Reference values by programs that share no code with this one"),
            sum(len(one.values) for one in questions),
            tuple(line for one in questions for line in _off(_command_line(one), one.values, one.failure)),
            again=True,
        ),
        Check(
            "peers",
            _("Coefficients by other programs"),
            sum(len(one.values) for one in peers),
            tuple(line for one in peers for line in _off(f"{one.program} {one.version}", one.values)),
            again=True,
        ),
        _of_tables(
            "words", _("What reports say of simulated worlds: false no more often than its limit"), words_beyond
        ),
        _of_tables(
            "beliefs",
            _("What is said of cases: at most {far} more than is right").format(far=FURTHEST),
            beliefs_beyond,
        ),
        _of_tables(
            "awards",
            _("What is said of awards, bands of {fewest} sayings or more: at most {far} from what is true").format(
                fewest=FEWEST, far=FURTHEST
            ),
            awards_beyond,
        ),
    )
    return Dossier(questions, peers, installation(), checks)


def _command_line(question: ReferenceQuestion) -> str:
    return " ".join((question.command, question.file, *question.options))


def _off(where: str, values: tuple[ReferenceValue, ...], failure: str = "") -> tuple[str, ...]:
    """The lines of values that do not agree."""
    lines = []
    for value in values:
        if value.agrees:
            continue
        named = {"where": where, "what": value.what, "kept": _number(value.kept)}
        if value.available:
            lines.append(
                _("{where}: {what} should be {kept}, and is {ours}.").format(**named, ours=_number(value.ours))
            )
        else:
            sentence = _("{where}: {what} should be {kept}, and is not told. {why}")
            lines.append(sentence.format(**named, why=failure).strip())
    return tuple(lines)


def _number(value: float | None) -> str:
    return _("none") if value is None else numbers.figures(value, 12)


def _of_tables(key: str, what: str, beyond: Callable[[], tuple[int, tuple[str, ...]]]) -> Check:
    """A check of what a table that came with the program holds."""
    compared, off = beyond()
    lines = tuple(_("{what}. Not so: {row}.").format(what=what, row=row) for row in off)
    return Check(key, what, compared, lines, again=False)
