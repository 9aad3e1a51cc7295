"""What if: a project with one thing otherwise, beside the one there is, and another file read and decided like it.

A variation makes another project; the one it starts from is a value and stays as it is.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tapdesk.errors import TapdeskError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, Number, RaterName, joined
from tapdesk.language import gettext as _
from tapdesk.models.model import GRID_MODELS
from tapdesk.models.model import model as by_name
from tapdesk.progress import Run, Step
from tapdesk.project.decisions.classes import MergeClasses
from tapdesk.project.decisions.ratings import KeepWhere, LeaveOutRaters
from tapdesk.project.project import Project
from tapdesk.project.recipes import apply_recipe, options_for, recipe_of, shape_of
from tapdesk.ratings.findings import Finding, Severity, quoted_list
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.studies.accurate_raters import rater_accuracies
from tapdesk.studies.analysis import Request
from tapdesk.studies.subsets import GAP, groups

_MOST = 6


class Variation(ABC):
    """One thing that is otherwise in the second of two analyses."""

    @property
    @abstractmethod
    def words(self) -> str:
        """What is otherwise, a few words: ``without Hughes``."""

    @property
    @abstractmethod
    def lead(self) -> str:
        """The same as the beginning of a sentence: ``Without Hughes``."""

    @property
    def caveat(self) -> str:
        """What a difference from it does not say; empty where nothing of its own is to be said."""
        return ""

    def apply(self, project: Project) -> Project:
        """The project with that.

        Raises
        ------
        TapdeskError
            When it does not fit the ratings.
        """
        return project

    def ask(self, request: Request) -> Request:
        """What is asked then."""
        return request

    def settle(self, project: Project, fit: Fit | None) -> "Run[Variation]":
        """The same with all that has to be worked out first, given the answer that it is set against."""
        del project, fit
        yield Step(1, 1, "fit")
        return self


@dataclass(frozen=True, slots=True)
class WithoutRaters(Variation):
    """Some raters are left out."""

    names: tuple[str, ...]

    @property
    def words(self) -> str:
        """Without whom."""
        return _("without {raters}").format(raters=joined(*map(RaterName, self.names), sep=", "))

    @property
    def lead(self) -> str:
        """Without whom."""
        return _("Without {raters}").format(raters=joined(*map(RaterName, self.names), sep=", "))

    def apply(self, project: Project) -> Project:
        """The others."""
        if set(project.ratings.raters) <= set(self.names):
            raise TapdeskError(_("No {rater} would be left."), fix=_("Leave out fewer."))
        return project.decide(LeaveOutRaters(self.names), when="")


@dataclass(frozen=True, slots=True)
class OnlyAccurate(Variation):
    """Only raters of at least some accuracy count.

    Attributes
    ----------
    least
        The accuracy.
    names
        Who is left out; empty before it is settled.
    """

    least: float
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Who stays."""
        return _("only {raters} with an accuracy of at least {least}").format(least=Number(f"{self.least:g}"))

    @property
    def lead(self) -> str:
        """Who goes."""
        left = joined(*map(RaterName, self.names), sep=", ") if len(self.names) <= _MOST else str(len(self.names))
        return _("With only {raters} of an accuracy of at least {least} (without {left})").format(
            least=Number(f"{self.least:g}"), left=left
        )

    @property
    def caveat(self) -> str:
        """The ratings chose the raters."""
        return _(
            "Not how accurate those who stay would be elsewhere: they were chosen by these {ratings}, and that alone "
            "makes them look a little better. Nor that the others are wrong: nobody checked what is true."
        )

    def settle(self, project: Project, fit: Fit | None) -> "Run[Variation]":
        """Those below, by the answer where it tells raters apart, else by t-aj-p.

        Raises
        ------
        TapdeskError
            When raters cannot be told apart, or all of them lie above or below.
        """
        ratings = project.ratings
        own = yield from rater_accuracies(ratings, fit, 1 if fit is None else fit.seed)
        below = tuple(name for name in ratings.raters if own[name] < self.least)
        if not below:
            raise TapdeskError(
                _("Every {rater} has an accuracy of at least {least}: nobody would be left out.").format(
                    least=Number(f"{self.least:g}")
                ),
                fix=_("The lowest is {low:.2f}.").format(low=min(own.values())),
            )
        return replace(self, names=below)

    def apply(self, project: Project) -> Project:
        """The accurate ones."""
        return WithoutRaters(self.names).apply(project)


@dataclass(frozen=True, slots=True)
class WithoutGroup(Variation):
    """The ratings with one value of a further column are left out."""

    column: str
    value: str

    @property
    def words(self) -> str:
        """Without which."""
        return _("without {column} {value}").format(column=Label(self.column), value=Label(self.value))

    @property
    def lead(self) -> str:
        """Without which."""
        return _("Without {column} {value}").format(column=Label(self.column), value=Label(self.value))

    @property
    def caveat(self) -> str:
        """A group may differ in much."""
        return _(
            "Not why: the groups may differ in who rated, in what was rated and in how it was read. Nothing is left "
            "out of your data here."
        )

    def apply(self, project: Project) -> Project:
        """The other groups."""
        found = groups(project.all_classes, self.column)
        gone = next((group for group in found if group.value == self.value), None)
        if gone is None or len(found) < 2:
            raise TapdeskError(
                _("There is no group '{value}' beside others in the column '{column}'.").format(
                    value=Label(self.value), column=Label(self.column)
                ),
                fix=_("There are: {known}.").format(known=quoted_list([group.value for group in found], 8)),
            )
        others = [text for group in found if group is not gone for text in _written(group.value)]
        return project.decide(KeepWhere(self.column, tuple(others)), when="")


def _written(value: str) -> tuple[str, ...]:
    """How the value of a group stands in its column; there are several ways to have none."""
    return ("", "None", "nan") if value == GAP else (value,)


@dataclass(frozen=True, slots=True)
class MergedClasses(Variation):
    """Some classes are one."""

    labels: tuple[str, ...]

    @property
    def words(self) -> str:
        """Which."""
        return _("with {labels} as one class").format(labels=joined(*map(Label, self.labels), sep=" + "))

    @property
    def lead(self) -> str:
        """Which."""
        return _("With {labels} as one class").format(labels=joined(*map(Label, self.labels), sep=" + "))

    @property
    def caveat(self) -> str:
        """Coarser classes."""
        return _(
            "Not that the classes are one: whoever counts coarser agrees more, and knows less. A difference here says "
            "how much of the disagreement is between these classes."
        )

    def apply(self, project: Project) -> Project:
        """Fewer classes."""
        if len(set(self.labels)) < 2:
            raise TapdeskError(_("One class alone cannot be merged."), fix=_("Name two or more."))
        left = set(project.all_classes.classes) - set(self.labels)
        if not left:
            raise TapdeskError(_("One class alone would be left."), fix=_("Merge fewer."))
        return project.decide(MergeClasses(((", ".join(self.labels), self.labels),)), when="")


@dataclass(frozen=True, slots=True)
class WithoutDecision(Variation):
    """A decision is taken back."""

    number: int

    @property
    def words(self) -> str:
        """Which."""
        return _("without decision {number}").format(number=self.number)

    @property
    def lead(self) -> str:
        """Without which."""
        return _("Without decision {number}").format(number=self.number)

    def apply(self, project: Project) -> Project:
        """The ratings as they would be."""
        return project.take_back(self.number, when="")


@dataclass(frozen=True, slots=True)
class WithModel(Variation):
    """Another model is asked: its name, and the column of its groups where it has any."""

    name: str
    groups: str = ""

    @property
    def words(self) -> str:
        """Which."""
        if self.groups:
            return _("by {model}, groups of {column}").format(model=self.name, column=Label(self.groups))
        return _("by {model}").format(model=self.name)

    @property
    def lead(self) -> str:
        """Which."""
        return _("By {model}").format(model=self.name)

    @property
    def caveat(self) -> str:
        """Both are asked of the same ratings."""
        return _(
            "Not which model is true: both were asked of the same {ratings}. Where they disagree, the number depends "
            "on what is assumed; the checks in the results say which of them fits."
        ).format()

    def ask(self, request: Request) -> Request:
        """The same, of the other model; what is known stays known."""
        wanted = by_name(self.name, GRID_MODELS)
        model = replace(wanted, key=request.model.key, groups=self.groups)
        return replace(request, model=model, estimator="exact-em", pool=False)


def another_round(first: Project, path: str | Path) -> Run[tuple[Project, tuple[str, ...]]]:
    """Another file, read and decided as the first was.

    Parameters
    ----------
    first
        What was read and decided.
    path
        The other file.

    Yields
    ------
    Step
        Of reading.

    Returns
    -------
    tuple
        The other project, and the decisions that do not fit it, a sentence each.

    Raises
    ------
    TapdeskError
        When it cannot be read so.
    """
    if first.reading is None:
        raise TapdeskError(_("No {ratings} are open."), fix=_("Open a spreadsheet or a sample first."))
    place = Path(path)
    recipe = recipe_of(first, shape_of(first.reading), "")
    options = ReadingOptions() if recipe is None else replace(recipe.options, last=None)
    try:
        reading = yield from read(path, options)
        if recipe is not None and recipe.options.last:
            reading = yield from read(path, options_for(recipe, reading))
    except TapdeskError as error:
        if recipe is None:
            raise
        # It may be laid out otherwise; what cannot be read in any way says so itself.
        other = yield from read(path, ReadingOptions())
        if other.source.layout is first.reading.source.layout:
            raise _unlike(place, error) from error
        try:
            reading = yield from read(path, _of_classes_alone(options))
        except TapdeskError as again:
            raise _unlike(place, again) from again
    project = Project(title=first.title).with_reading(reading, when="")
    return (project, ()) if recipe is None else apply_recipe(project, recipe)


def _of_classes_alone(options: ReadingOptions) -> ReadingOptions:
    """What was said about the classes of a file, for one that is laid out otherwise."""
    classes = replace(ReadingOptions(), order=options.order, unordered=options.unordered, missing=options.missing)
    return replace(classes, class1=options.class1, class0=options.class0, abstain=options.abstain)


def _unlike(place: Path, error: TapdeskError) -> TapdeskError:
    """That a file cannot be read as the first one was."""
    return TapdeskError(
        _("The file cannot be read as the first one was: {why}").format(why=error.what),
        place.name,
        _("Read it by itself, save it as a project, and compare with that."),
    )


def reading_differences(
    first: Project, second: Project, lost: Sequence[str] = (), *, named: bool = True
) -> tuple[str, ...]:
    """In what two files were read and decided otherwise, a sentence each; what hinders a comparison stands first.

    Parameters
    ----------
    first, second
        The projects.
    lost
        Decisions about the first that do not fit the second.
    named
        Whether people are named; not in a document, whose codes do not know those of the second file alone.
    """
    one, other = first.reading, second.reading
    if one is None or other is None:
        return ()
    files = {"first": Label(one.source.name), "second": Label(other.source.name)}
    if one.source.layout is not other.source.layout:
        layouts = {"before": one.source.layout.value, "after": other.source.layout.value}
        sentence = _("The files are laid out otherwise: {before} in “{first}”, {after} in “{second}”.")
        sentences = [sentence.format(**files, **layouts)]
    else:
        sentences = []
    sentences += [*_of_classes(first, second, files), *_of_raters(first, second, files, named=named)]
    known = {_subject_of(f) for f in one.findings}
    asks = [f for f in other.findings if f.severity is not Severity.NOTE and _subject_of(f) not in known]
    if not named:
        counts = {
            _("Decisions about “{first}” that do not fit “{second}”: {n}."): len(lost),
            _("Checks open in “{second}” that “{first}” does not have: {n}."): len(asks),
        }
        return (*sentences, *(words.format(n=n, **files) for words, n in counts.items() if n))
    sentences += [
        _("A decision about “{first}” does not fit “{second}”: {what}").format(what=words, **files) for words in lost
    ]
    sentences += [_("Noticed in “{second}” only: {what}").format(what=f.message, **files) for f in asks[:_MOST]]
    return tuple(sentences)


def _subject_of(finding: Finding) -> tuple[str, tuple[tuple[str, ...], ...]]:
    """What a finding is about, in whatever order the file names it."""
    return finding.code, tuple(sorted(tuple(sorted(map(str, group))) for group in finding.about))


def _of_classes(first: Project, second: Project, files: Mapping[str, str]) -> list[str]:
    """Which classes only one of them has."""
    mine, theirs = first.all_classes.classes, second.all_classes.classes
    gone, new = [c for c in mine if c not in theirs], [c for c in theirs if c not in mine]
    sentences = [
        _("Classes only in “{file}”: {names}.").format(file=file, names=quoted_list(names, _MOST))
        for file, names in ((files["first"], gone), (files["second"], new))
        if names
    ]
    if not sentences and first.all_classes.ordered != second.all_classes.ordered:
        sentences.append(_("The classes have an order in only one of the files."))
    return sentences


def _of_raters(first: Project, second: Project, files: Mapping[str, str], *, named: bool) -> list[str]:
    """Which raters only one of them has."""
    one, other = first.ratings, second.ratings
    if one.raters_known != other.raters_known:
        return [_("Only one of the files says who gave which {rating}, so no single {rater} is compared.")]
    if not one.raters_known:
        return []
    gone, new = [n for n in one.raters if n not in other.raters], [n for n in other.raters if n not in one.raters]
    if len(gone) == len(one.raters):
        sentence = _(
            "“{first}” and “{second}” have none of the {raters} in common: a difference may be theirs as well as that "
            "of the time."
        )
        return [sentence.format(**files)]
    if not named:
        return (
            [_("The {raters} of “{first}” and “{second}” are not all the same.").format(**files)] if gone or new else []
        )
    return [
        _("{Raters} only in “{file}”: {names}.").format(file=file, names=quoted_list([*map(RaterName, names)], _MOST))
        for file, names in ((files["first"], gone), (files["second"], new))
        if names
    ]
