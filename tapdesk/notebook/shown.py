"""Answers as a notebook shows them: the headline, a frame of pandas, the report's own HTML, pictures as SVG."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tapdesk.answers.content import Block, Number, Paragraph, Table, Tone
from tapdesk.answers.figure import Figure, Size
from tapdesk.answers.figure_table import records_of
from tapdesk.answers.figures.catalog import FIGURES, made
from tapdesk.answers.grid_parts import PARTS
from tapdesk.answers.part import Answer, contents
from tapdesk.answers.question import headline
from tapdesk.answers.svg.draw import svg
from tapdesk.errors import UsageError
from tapdesk.fitting.fit import Fit
from tapdesk.language import Label, Nouns, Voice, speaking, voice
from tapdesk.language import gettext as _
from tapdesk.progress import finish
from tapdesk.project.files.outputs import CAREFUL
from tapdesk.report.forms.html import fragment
from tapdesk.report.forms.pdf import figure_file
from tapdesk.studies.analysis import Request

if TYPE_CHECKING:
    import pandas as pd

_PLACES = {"rater": "rater", "class": "category", "group": "group"}
_SUFFIXES = (".svg", ".png", ".pdf")


def says(block: Block) -> bool:
    """Whether a block holds anything: no sentence without words, no table without rows."""
    if isinstance(block, Paragraph):
        return bool(block.text.strip())
    return not isinstance(block, Table) or bool(block.rows)


def frame_of(table: Table) -> "pd.DataFrame":
    """A table with the values behind its cells; an interval becomes two columns, ``low`` and ``high`` of its title.

    Parameters
    ----------
    table
        As it is shown.

    Returns
    -------
    pandas.DataFrame
        Numbers as floats (missing: NaN), all else as text.
    """
    import pandas as pd

    columns = dict[str, list[Any]]()
    for at, column in enumerate(table.columns):
        # As text: a sentence would be told again by whoever prints the frame.
        title, cells = str(column.title), [row[at] for row in table.rows]
        behind = [tuple(map(_float, cell.values)) if isinstance(cell, Number) else () for cell in cells]
        if any(len(ends) == 2 for ends in behind):
            ends = [two if len(two) == 2 else (np.nan, np.nan) for two in behind]
            columns[f"{title} low"], columns[f"{title} high"] = map(list, zip(*ends, strict=True))
        elif cells and all(len(one) == 1 for one in behind):
            columns[title] = [one[0] for one in behind]
        else:
            columns[title] = [str(cell) for cell in cells]
    return pd.DataFrame(columns)


def _float(value: float | None) -> float:
    return np.nan if value is None else float(value)


@dataclass(frozen=True, eq=False)
class PanelTable:
    """An answer that is a table with words around it.

    Attributes
    ----------
    headline, follows
        The first sentence, and what follows from it; empty where there is none.
    frame
        Its numbers.
    blocks
        What is shown of it.
    """

    headline: str
    follows: str
    frame: "pd.DataFrame"
    blocks: tuple[Block, ...]

    def to_frame(self) -> "pd.DataFrame":
        """Its numbers, a copy."""
        return self.frame.copy()

    def _repr_html_(self) -> str:
        return fragment(self.blocks)

    def __repr__(self) -> str:
        return self.headline or repr(self.frame)


@dataclass(frozen=True, eq=False)
class Plot:
    """A picture of an answer, drawn as in the report.

    Attributes
    ----------
    figures
        Its panels, each with the numbers it shows.
    """

    figures: tuple[Figure, ...]

    def to_frame(self) -> "pd.DataFrame":
        """The numbers of the picture; with several panels the column ``panel`` counts them from 1."""
        import pandas as pd

        frames = [pd.DataFrame(records_of(one)) for one in self.figures]
        if len(frames) == 1:
            return frames[0]
        return pd.concat([one.assign(panel=i + 1) for i, one in enumerate(frames)], ignore_index=True)

    def _repr_html_(self) -> str:
        size = Size()
        drawn = (svg(one, width=float(size.pixels), height=one.height, caption=True) for one in self.figures)
        return '<div style="background: white">' + "\n".join(drawn) + "</div>"

    def __repr__(self) -> str:
        return "\n".join(str(one.title) for one in self.figures)

    def save(self, path: str | Path) -> tuple[Path, ...]:
        """Save it as ``.svg``, ``.png`` or ``.pdf``; several panels become ``name-1`` and so on.

        Parameters
        ----------
        path
            Where it is saved.

        Returns
        -------
        tuple of Path
            The files written.

        Raises
        ------
        UsageError
            When there is no such kind of file.
        """
        target, size = Path(path), Size()
        if target.suffix.lower() not in _SUFFIXES:
            raise UsageError(
                _("A figure cannot be written as '{suffix}'.").format(suffix=Label(target.suffix)),
                fix=_("Use a name that ends in {known}.").format(known=", ".join(_SUFFIXES)),
            )
        several = len(self.figures) > 1
        names = [target.with_stem(f"{target.stem}-{i + 1}") if several else target for i in range(len(self.figures))]
        drawn = [
            figure_file(one, target.suffix.lower(), width=size.pixels, height=one.height, ppi=size.ppi)
            for one in self.figures
        ]
        CAREFUL.save_all(zip(names, drawn, strict=True))
        return tuple(names)


@dataclass(frozen=True, eq=False)
class PanelFit:
    """A model fitted to a panel, with all that is said about it.

    Attributes
    ----------
    request
        What was asked for: the same request on the same ratings gives the same numbers.
    answer
        The fit and what was worked out beside it.
    nouns
        What the table calls its raters, cases and ratings.
    """

    request: Request
    answer: Answer
    nouns: Nouns

    @property
    def fit(self) -> Fit:
        """All numbers of the fit."""
        return self.answer.fit

    @property
    def headline(self) -> str:
        """The first sentence of window and report."""
        with speaking(voice_of(self.nouns)):
            return str(headline(self.answer)[0])

    @property
    def follows(self) -> str:
        """What follows from the headline; empty where nothing does."""
        with speaking(voice_of(self.nouns)):
            return str(headline(self.answer)[1])

    def to_frame(self) -> "pd.DataFrame":
        """The numbers of the model by name, each with the rater, class and group it belongs to, if any.

        `value`, `se`, `low` and `high` are probabilities (of slopes: logits); `undefined` is the reason where there is
        no value.
        """
        import pandas as pd

        estimates = self.fit.estimates
        rows = [
            {
                **{name: getattr(one.name, field) for name, field in _PLACES.items()},
                **{name: _float(getattr(one.estimate, name)) for name in ("value", "se", "low", "high")},
                "undefined": str(one.estimate.undefined or ""),
            }
            for one in estimates
        ]
        return pd.DataFrame(rows, index=pd.Index([str(one.name) for one in estimates], name="number"))

    def cases(self) -> "pd.DataFrame":
        """The probability of each class for each case; without rows where the fit says nothing of single cases.

        Examples
        --------
        >>> import tapdesk
        >>> answer = tapdesk.Panel.from_file("sample:jury", class1="gold").fit()
        >>> float(answer.cases().loc["W155", "gold"].round(2))
        1.0
        """
        import pandas as pd

        sure = self.fit.subject_posterior
        names = list(self.fit.classes)
        if sure is None:
            return pd.DataFrame(columns=names)
        return pd.DataFrame(sure, columns=names, index=pd.Index(self.answer.ratings.subjects, name="subject"))

    def plot(self, kind: str = "split") -> Plot:
        """A picture of the answer.

        Parameters
        ----------
        kind
            Its name, as ``tapdesk figure --kind list`` tells them.

        Raises
        ------
        UsageError
            When there is no such picture.
        CannotAnswerError
            When these ratings have nothing to draw in it; the reason is the sentence.

        Examples
        --------
        >>> import tapdesk
        >>> picture = tapdesk.Panel.from_file("sample:jury", class1="gold").fit().plot("split")
        >>> picture.to_frame()["value"].round(2).tolist()
        [0.32, 0.38, 0.15, 0.14]
        """
        with speaking(voice_of(self.nouns)):
            return Plot(tuple(finish(made(kind, self.fit, self.answer.ratings))))

    def _repr_html_(self) -> str:
        with speaking(voice_of(self.nouns)):
            sentence, follows = headline(self.answer)
            blocks: list[Block] = [Paragraph(sentence, Tone.LEAD), Paragraph(follows)]
            for _part, content in contents(PARTS, "fit", self.answer):
                blocks += content.blocks
            return fragment([block for block in blocks if says(block)])

    def __repr__(self) -> str:
        return self.headline


def voice_of(nouns: Nouns) -> Voice:
    """The voice in use with the nouns of a table."""
    return replace(voice(), nouns=nouns)


def plots() -> tuple[str, ...]:
    """The names of all pictures a fit has.

    Examples
    --------
    >>> import tapdesk
    >>> "split" in tapdesk.plots()
    True
    """
    return tuple(one.kind for one in FIGURES)
