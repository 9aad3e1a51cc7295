"""``import tapdesk`` for notebooks and scripts: a panel of ratings, what it is asked, and answers that show themselves.

A thin face: reading, fitting and words are those of window and command line, so that a notebook says what a report
says. What stands here is promised: names and arguments change only with the first number of the version.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self, Unpack

from tapdesk.agreement.coefficients import agree
from tapdesk.answers import awards as award_words
from tapdesk.answers import coefficients, criteria
from tapdesk.answers.content import Block, Paragraph
from tapdesk.answers.fit_studies import fit_answer
from tapdesk.answers.part import Answer, contents
from tapdesk.answers.side_results import SideResults
from tapdesk.errors import CannotAnswerError, SeveralQuestionsError, TapdeskError, UsageError
from tapdesk.language import Label, Nouns, speaking, voice
from tapdesk.language import gettext as _
from tapdesk.models.model import GRID_MODELS, RaterModel, Truth
from tapdesk.models.model import model as by_name
from tapdesk.notebook.reading_choices import ReadingChoices, one_of, options_of
from tapdesk.notebook.shown import PanelFit, PanelTable, frame_of, says
from tapdesk.progress import finish
from tapdesk.project.awards import award_request, medal_lines
from tapdesk.project.bands import written
from tapdesk.project.files.file import load
from tapdesk.project.files.outputs import Outputs
from tapdesk.project.files.recognition import is_project
from tapdesk.project.nouns import nouns_of, nouns_read
from tapdesk.project.project import Analysis, Project
from tapdesk.project.review_state import findings_now, refuse_blocking
from tapdesk.ratings.findings import Finding
from tapdesk.ratings.form import Form, form
from tapdesk.ratings.formats.files import paths_of
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.report.forms.write import write
from tapdesk.report.report import Form as ReportForm
from tapdesk.report.setup import arranged, prepare
from tapdesk.studies.analysis import Request, analyse, refusal
from tapdesk.studies.award_answer import Awards
from tapdesk.studies.award_rules import COMMITTEE_RULES
from tapdesk.studies.awards import awards as award_study
from tapdesk.studies.criteria import criteria as weigh
from tapdesk.studies.criteria import judge

if TYPE_CHECKING:
    import pandas as pd

_TABLE = "table.csv"
_FORMS = (ReportForm.BRIEF, ReportForm.FULL, ReportForm.BOTH)


def _order_of(frame: "pd.DataFrame") -> tuple[str, ...] | None:
    """The classes in their order, where the columns of ordered categories have one; None otherwise."""
    import pandas as pd

    kinds = [column.dtype for _name, column in frame.items()]
    orders = {tuple(map(str, k.categories)) for k in kinds if isinstance(k, pd.CategoricalDtype) and k.ordered}
    return orders.pop() if len(orders) == 1 else None


def _entries(result: Awards) -> "pd.DataFrame":
    """The list of a committee with every probability, the entries in its order."""
    import pandas as pd

    places, chances = (frame_of(table(result)) for table in (award_words.list_table, award_words.chances_table))
    return pd.concat([places, chances.drop(columns=places.columns.intersection(chances.columns))], axis=1)


@dataclass(frozen=True, eq=False)
class Panel:
    """Ratings of several raters, as read, with what was noticed in them.

    Made by `from_frame` or `from_file`. A table with several questions is a panel too: `questions` answers for all of
    them, everything else for one, named when the table is read (``only="Q3"``).

    Attributes
    ----------
    project
        The ratings with the decisions of a project file; None where the table holds several questions.
    form
        All questions of the table; None where it holds one.
    """

    project: Project | None
    form: Form | None = None

    @classmethod
    def from_file(cls, path: str | Path, **choices: Unpack[ReadingChoices]) -> Self:
        """The ratings in a file: a spreadsheet, text, a statistics file, a project, or ``sample:NAME``.

        Parameters
        ----------
        path
            The file.
        **choices
            How it is read (`ReadingChoices`); the rest is found out and told in `findings`.

        Raises
        ------
        TapdeskError
            When the file cannot be read, or a finding must be answered before anything can be said.
        UsageError
            When a choice names what is not there, or a project would be read otherwise.

        Examples
        --------
        >>> import tapdesk
        >>> panel = tapdesk.Panel.from_file("sample:jury", class1="gold")
        >>> panel.raters[:2], panel.classes
        (('Ana', 'Ben'), ('no medal, bronze, silver', 'gold'))
        """
        options = options_of(choices)
        if is_project(path):
            if choices:
                raise UsageError(
                    _("A project is read already, so {choices} cannot be said of it.").format(
                        choices=", ".join(choices)
                    ),
                    Path(path).name,
                    _("Give the spreadsheet instead, or leave the choices out."),
                )
            return cls(load(path))
        return cls._of(path, options)

    @classmethod
    def from_frame(cls, frame: "pd.DataFrame", **choices: Unpack[ReadingChoices]) -> Self:
        """The ratings in a table of pandas, read as a spreadsheet with the same cells would be.

        Parameters
        ----------
        frame
            The table. Its index is left out unless it has a name. Columns of ordered categories give the classes their
            order where none is chosen.
        **choices
            As of `from_file`.

        Raises
        ------
        TapdeskError, UsageError
            As of `from_file`.

        Examples
        --------
        >>> import pandas as pd, tapdesk
        >>> rows = [(case, rater, "yes" if case % 3 else "no") for case in range(12) for rater in ("Ana", "Ben")]
        >>> frame = pd.DataFrame(rows, columns=["Case", "Rater", "Met"])
        >>> tapdesk.Panel.from_frame(frame).raters
        ('Ana', 'Ben')
        """
        options = options_of(choices)
        order = None if options.order is not None else _order_of(frame)
        if order is not None:
            options = replace(options, order=order)
        named = any(name is not None for name in frame.index.names)
        with TemporaryDirectory() as folder:
            path = Path(folder) / _TABLE
            frame.to_csv(path, index=named)
            return cls._of(path, options, told_as=_("the table"))

    @classmethod
    def _of(cls, path: str | Path, options: ReadingOptions, told_as: str = "") -> Self:
        """One question or a form; with the name the source is told by, where that is no file's."""
        try:
            reading = read_now(path, options)
        except SeveralQuestionsError:
            return cls(None, finish(form(path, options)))
        if told_as:
            reading = replace(reading, source=replace(reading.source, name=told_as, path=None))
        project = Project().with_reading(reading, when="")
        refuse_blocking(project)
        return cls(project)

    # What was read --------------------------------------------------------------------------------------------------

    @property
    def ratings(self) -> Ratings:
        """The ratings as they are analysed.

        Raises
        ------
        UsageError
            When the table holds several questions.
        TapdeskError
            When a project holds no ratings.
        """
        return self._one().ratings

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names of the cases."""
        return self.ratings.subjects

    @property
    def raters(self) -> tuple[str, ...]:
        """The names of the raters."""
        return self.ratings.raters

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes, in order."""
        return self.ratings.classes

    @property
    def findings(self) -> "pd.DataFrame":
        """What was noticed in reading: columns `severity`, `code`, `where`, `message`, `default`, `fix`.

        Examples
        --------
        >>> import pandas as pd, tapdesk
        >>> frame = pd.DataFrame({"Case": range(30), "Ana": ["y", "n", "n"] * 10, "Ben": ["n", "y", "y"] * 10})
        >>> panel = tapdesk.Panel.from_frame(frame.assign(Cem=["y", "n", "n"] * 10))
        >>> "ask" in set(panel.findings["severity"])
        True
        """
        import pandas as pd

        rows = [
            {
                "severity": one.severity.value,
                "code": one.code,
                "where": str(one.where),
                **{name: str(getattr(one, name)) for name in ("message", "default", "fix")},
            }
            for one in self._findings()
        ]
        return pd.DataFrame(rows, columns=["severity", "code", "where", "message", "default", "fix"])

    def _findings(self) -> tuple[Finding, ...]:
        if self.form is not None:
            return tuple(self.form.findings)
        return () if self.project is None or self.project.reading is None else findings_now(self.project)

    def to_frame(self) -> "pd.DataFrame":
        """The ratings, one a row: columns `subject`, `rater`, `rating`.

        Examples
        --------
        >>> import tapdesk
        >>> tapdesk.Panel.from_file("sample:jury").to_frame().iloc[0].tolist()
        ['W001', 'Ana', 'bronze']
        """
        import pandas as pd

        own = self.ratings
        by_code = {"subject": own.subjects, "rater": own.raters, "rating": own.classes}
        codes = {"subject": own.subject, "rater": own.rater, "rating": own.category}
        columns: dict[str, Any] = {name: [by_code[name][int(i)] for i in codes[name]] for name in by_code}
        if own.weight is not None:
            columns["weight"] = own.weight
        return pd.DataFrame(columns)

    def _one(self) -> Project:
        """The project about one question.

        Raises
        ------
        UsageError
            When the table holds several.
        """
        if self.project is None:
            names = ", ".join(one.name for one in (() if self.form is None else self.form.questions))
            raise UsageError(
                _("This table holds several questions: {names}.").format(names=Label(names)),
                fix=_('Name one when it is read, as only="{name}", or ask all at once: questions().').format(
                    name=Label(names.split(", ", maxsplit=1)[0])
                ),
            )
        if self.project.reading is None:
            raise TapdeskError(
                _("The project holds no ratings."), fix=_("Open it in the window and add a spreadsheet to it.")
            )
        return self.project

    @contextmanager
    def _speaking(self) -> Iterator[None]:
        """The table's own nouns in every sentence made inside."""
        nouns = Nouns()
        if self.project is not None:
            nouns = nouns_of(self.project)
        elif self.form is not None:
            nouns = nouns_read(self.form.readings[0])
        with speaking(replace(voice(), nouns=nouns)):
            yield

    # What it is asked -----------------------------------------------------------------------------------------------

    def fit(
        self,
        model: str | RaterModel = "t-a-p",
        *,
        interval: str = "profile",
        level: float = 0.95,
        seed: int = 1,
        estimator: str | None = None,
        replicates: int = 2000,
        by: str = "",
        covariates: Sequence[str] = (),
    ) -> "PanelFit":
        """A model fitted to the ratings.

        Parameters
        ----------
        model
            Its name, such as ``t-a-p`` or ``t-aj-pj``.
        interval
            ``profile``, ``wald``, ``bootstrap``, ``parametric-bootstrap`` or ``none``.
        level
            Of the intervals, a probability.
        seed
            Of everything drawn at random: the same seed gives the same numbers.
        estimator
            ``exact-em``, ``moment-em`` or ``posterior``; by default the model's own.
        replicates
            Resamples of a bootstrap.
        by
            The column of the groups, for models of groups.
        covariates
            Columns of the raters or cases, for regressions.

        Raises
        ------
        CannotAnswerError
            When the model cannot be fitted to these ratings; the reason is the sentence.
        UsageError
            When an argument makes no sense.

        Examples
        --------
        >>> import tapdesk
        >>> answer = tapdesk.Panel.from_file("sample:jury", class1="gold").fit()
        >>> answer.to_frame().loc["a", ["value", "low", "high"]].astype(float).round(2).tolist()
        [0.57, 0.42, 0.71]
        """
        project = self._one()
        wanted = by_name(model, GRID_MODELS) if isinstance(model, str) else model
        wanted = replace(wanted, groups=by or wanted.groups, covariates=tuple(covariates) or wanted.covariates)
        usual = "posterior" if wanted.truth is Truth.SHARPENED else "exact-em"
        request = Request(
            wanted, estimator or usual, interval=interval, level=level, replicates=replicates, seed=seed, subjects=True
        )
        with self._speaking():
            if reason := refusal(project.ratings, request):
                raise CannotAnswerError(reason)
            result = finish(analyse(project.ratings, request))
            return PanelFit(request, finish(fit_answer(result, project.ratings, request)), voice().nouns)

    def agree(self, *, weights: str | Sequence[str] = "identity", level: float = 0.95, seed: int = 1) -> "PanelTable":
        """The classic coefficients of agreement with their intervals, or why one is undefined.

        Parameters
        ----------
        weights
            Of disagreements between classes: ``identity``, ``linear``, ``quadratic``, ``ordinal``, or several of them.
        level
            Of the intervals, a probability.
        seed
            Of re-draws.

        Examples
        --------
        >>> import tapdesk
        >>> panel = tapdesk.Panel.from_file("sample:jury", class1="gold")
        >>> "fleiss_kappa" in panel.agree().to_frame()["name"].tolist()
        True
        """
        import pandas as pd

        project = self._one()
        with self._speaking():
            chosen = (weights,) if isinstance(weights, str) else tuple(weights)
            result = finish(agree(project.ratings, weights=chosen, level=level, seed=seed))
            answer = Answer(None, project.ratings, project.all_classes, SideResults(coefficients=result))
            blocks = [block for _part, one in contents(coefficients.PARTS, "agree", answer) for block in one.blocks]
            return PanelTable("", "", pd.DataFrame([one.record() for one in result]), tuple(blocks))

    def questions(self, *, level: float = 0.95, seed: int = 1) -> "PanelTable":
        """All questions of the table beside each other, those that need talk first.

        Parameters
        ----------
        level, seed
            As of `fit`.

        Raises
        ------
        UsageError
            When the table holds one question.

        Examples
        --------
        >>> import pandas as pd, tapdesk
        >>> rows = [
        ...     (f"P{case}", nurse, "yes" if case % 2 else "no", "yes" if (case + at) % 3 else "no")
        ...     for case in range(40)
        ...     for at, nurse in enumerate(("Ana", "Ben", "Cem"))
        ... ]
        >>> frame = pd.DataFrame(rows, columns=["Patient", "Nurse", "Q1", "Q2"])
        >>> tapdesk.Panel.from_frame(frame).questions().to_frame()["Question"].tolist()
        ['Q2', 'Q1']
        """
        if self.form is None:
            raise UsageError(
                _("This table holds one question, so there is nothing to set beside it."), fix=_("Ask it: fit().")
            )
        with self._speaking():
            asked = criteria.criteria_of(self.form)
            rows = judge((*finish(weigh(asked, level, seed)), *criteria.unread(self.form)))
            sentence, follows = criteria.headline(rows)
            table = criteria.table(rows)
            blocks: list[Block] = [Paragraph(sentence), Paragraph(follows), table]
            return PanelTable(str(sentence), str(follows), frame_of(table), tuple(b for b in blocks if says(b)))

    def awards(
        self,
        *,
        lines: Iterable[str | float] = (),
        names: Sequence[str] = (),
        rule: str | None = None,
        wanted: str = "",
        first: int | None = None,
        level: float = 0.95,
        seed: int = 1,
    ) -> "PanelTable":
        """Who wins and how sure; the committee's own result stands first.

        Parameters
        ----------
        lines, names
            The medal lines on the scores, lowest first, and what the bands between them are called.
        rule
            The committee's: ``mean``, ``median``, ``trimmed``, ``borda``, ``majority``.
        wanted
            Of classes without an order the one that is wanted.
        first
            How many are first, for the probability of being among them.
        level, seed
            As of `fit`. Which class is counted in a fit is no matter here: every class of the ratings counts.

        Raises
        ------
        UsageError
            When an argument makes no sense.
        TapdeskError
            When these ratings cannot tell who wins; the reason is the sentence.

        Examples
        --------
        >>> import tapdesk
        >>> tapdesk.Panel.from_file("sample:jury").awards(first=5)
        W155 leads, but 21 wines cannot be told apart at the top. 43 of 183 awards are safe.
        """
        project = self._one()
        ratings = project.all_classes
        if first is not None and first < 1:
            raise UsageError(
                _("There is no {what} '{value}'.").format(what="first", value=first),
                fix=_("Choose a whole number of at least 1."),
            )
        with self._speaking():
            request = award_request(project, level=level, seed=seed)
            # Numbers of Python have a point, those of the table perhaps a comma.
            cuts = tuple(line if isinstance(line, str) else written(float(line), request.decimal) for line in lines)
            if cuts:
                values, called = medal_lines(ratings, request.decimal, cuts, tuple(names))
                request = replace(request, lines=values, names=called)
            request = replace(
                request,
                rule=one_of(COMMITTEE_RULES, "rule", rule) if rule else request.rule,
                wanted=wanted or request.wanted,
                first=request.first if first is None else (first,),
            )
            result = finish(award_study(ratings, request))
            sentence, follows = award_words.headline(result)
            table = award_words.list_table(result)
            blocks: list[Block] = [
                Paragraph(sentence),
                Paragraph(follows),
                table,
                award_words.judges_table(result),
                award_words.changes_table(result),
            ]
            shown = tuple(b for b in blocks if says(b))
            return PanelTable(str(sentence), str(follows), _entries(result), shown)

    def report(self, path: str | Path, *, form: str = "both", model: str = "t-a-p") -> Path:
        """The report as a file: ``.pdf``, ``.html``, ``.docx`` or ``.xlsx``.

        Parameters
        ----------
        path
            Where it is saved; a file that this program did not write is never replaced.
        form
            ``brief``, ``full`` or ``both``.
        model
            What is fitted where the project holds no answer.

        Returns
        -------
        Path
            Where it stands.

        Raises
        ------
        TapdeskError
            When it cannot be made or saved.

        Examples
        --------
        >>> import tapdesk, tempfile
        >>> panel = tapdesk.Panel.from_file("sample:jury", class1="gold")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     panel.report(f"{folder}/jury.html", form="brief").name
        'jury.html'
        """
        project, wanted = self._one(), one_of(_FORMS, "form", form)
        if not any(one.fit is not None for one in project.analyses):
            fitted = self.fit(model)
            project = project.with_analysis(Analysis("main", replace(fitted.request, redraws=True), fitted.fit))
        with self._speaking():
            extras = finish(prepare(project, form=wanted))
            source = None if project.reading is None else project.reading.source.path
            outputs = Outputs(() if source is None else paths_of(source))
            _made, places = write(arranged(project, extras, form=wanted), path, outputs=outputs)
        return places[0]
