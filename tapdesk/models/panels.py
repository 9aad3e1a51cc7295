"""Ratings put together for a model: several questions about the same cases, or a key as one more rater."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import Label
from tapdesk.language import gettext as _
from tapdesk.models.model import QUESTION_MODELS, RaterModel
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings

QUESTION, CASE = "question", "case"
"""The columns of what `join_questions` makes."""


def question_model(name: str) -> RaterModel:
    """The named model of several questions, about what `join_questions` makes.

    Raises
    ------
    UsageError
        When there is no such model; the names are listed.
    """
    for row in QUESTION_MODELS:
        if row.name == name:
            return replace(row, groups=QUESTION, whole=CASE)
    raise UsageError(
        _("There is no model '{name}' of several questions.").format(name=Label(name)),
        fix=_("The models are: {known}.").format(known=", ".join(row.name for row in QUESTION_MODELS)),
    )


def join_questions(questions: Mapping[str, Ratings]) -> Ratings:
    """Ratings of several questions as those of one panel: a subject is one question about one case.

    Cases and raters of one name are the same on all questions.

    Parameters
    ----------
    questions
        By name, each with the same classes.

    Returns
    -------
    Ratings
        With the columns `QUESTION` and `CASE` of subjects.

    Raises
    ------
    UsageError
        When there are fewer than two questions, their classes differ, or cases stand for several.
    """
    _check_questions(questions)
    parts = tuple(questions.items())
    classes = parts[0][1].classes
    raters: dict[str, int] = {}
    subject, rater, category = [], [], []
    subjects: list[str] = []
    question, case = [], []
    for name, one in parts:
        own = np.array([raters.setdefault(r, len(raters)) for r in one.raters], dtype=np.int64)
        subject.append(one.subject.astype(np.int64) + len(subjects))
        rater.append(own[one.rater])
        category.append(one.category.astype(np.int64))
        subjects += [f"{s} · {name}" for s in one.subjects]
        question += [name] * len(one.subjects)
        case += list(one.subjects)
    columns = {
        name: Covariate(name, CovariateOf.SUBJECT, np.array(values, dtype=object))
        for name, values in ((QUESTION, question), (CASE, case))
    }
    first = parts[0][1]
    return Ratings.of(
        np.concatenate(subject),
        np.concatenate(rater),
        np.concatenate(category),
        subjects,
        tuple(raters),
        classes,
        ordered=first.ordered,
        raters_known=all(one.raters_known for _name, one in parts),
        members=first.members,
        abstentions=first.abstentions,
        colours=first.colours,
        covariates=MappingProxyType(columns),
    )


def _check_questions(questions: Mapping[str, Ratings]) -> None:
    """Refuse questions that no model can hold together; errors as of `join_questions`."""
    parts = tuple(questions.items())
    if len(parts) < 2:
        raise UsageError(
            _("A model of several questions needs {ratings} of two questions at least."),
            fix=_("Choose a model of one question, such as t-a-p."),
        )
    classes = parts[0][1].classes
    for name, one in parts:
        if one.classes != classes:
            raise UsageError(
                _("The questions '{first}' and '{other}' have different classes, so no accuracy holds on both.").format(
                    first=Label(parts[0][0]), other=Label(name)
                ),
                fix=_("Tell them as the same two classes, or analyse them one by one."),
            )
        if one.weight is not None and (one.weight != 1).any():
            raise UsageError(
                _("{Subjects} that stand for several cannot be followed from question to question."),
                fix=_("Give every {subject} a row of its own, or analyse the questions one by one."),
            )


def key_as_rater(ratings: Ratings) -> Ratings:
    """The same ratings with the known classes as those of one more rater, called as their column (models_more.md §1).

    What is known is then held against the panel like anybody's opinion: it has an accuracy and a leaning of its own.

    Raises
    ------
    UsageError
        When no class is known, the raters are not known, or a rater is called like the column.
    """
    classes = ratings.known_classes()
    if classes is None or not (classes >= 0).any():
        raise UsageError(
            _("No true class is known, so there is no key to be taken as {a_rater}."),
            fix=_("Name the column that holds what is known with --known COL."),
        )
    if not ratings.raters_known:
        raise UsageError(
            _("A key can be taken as one more {rater} only where it is known who gave each {rating}."),
            fix=_("Take what is known as certain: --known-use certain."),
        )
    if ratings.known in ratings.raters:
        raise UsageError(
            _("{A_rater} is called '{name}', like the column of known answers.").format(name=Label(ratings.known)),
            fix=_("Rename the column."),
        )
    known = np.flatnonzero(classes >= 0)
    extra = np.concatenate([np.zeros(ratings.subject.size, dtype=bool), np.ones(known.size, dtype=bool)])
    place = np.argsort(np.concatenate([ratings.subject, known]), kind="stable")
    # A column of ratings has no value beside the key, and one of raters none for it.
    kept = {name: c for name, c in ratings.covariates.items() if c.of is CovariateOf.SUBJECT}
    return replace(
        ratings,
        subject=np.concatenate([ratings.subject, known])[place],
        rater=np.where(extra, len(ratings.raters), np.concatenate([ratings.rater, np.zeros(known.size, int)]))[place],
        category=np.concatenate([ratings.category, classes[known]])[place],
        raters=(*ratings.raters, ratings.known),
        covariates=MappingProxyType(kept),
        known="",
    )
