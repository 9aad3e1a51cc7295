"""What is asked of a fit, as it was typed: the request, and the ratings it is asked of where a key is a rater."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.model import GRID_MODELS, QUESTION_MODELS, Key, RaterModel, Truth
from tapdesk.models.model import model as by_name
from tapdesk.ratings.ratings import Ratings
from tapdesk.studies.analysis import Request

if TYPE_CHECKING:
    from tapdesk.fitting.priors import Dirichlet, Prior

OF_QUESTIONS = frozenset(row.name for row in QUESTION_MODELS)
_OF_A_MODEL = ("fit", "report")
_OF_A_KEY = (*_OF_A_MODEL, "figure")


def named_model(name: str) -> RaterModel:
    """The model of a name, of the whole catalog."""
    if name in OF_QUESTIONS:
        from tapdesk.models.panels import question_model

        return question_model(name)
    return by_name(name, GRID_MODELS)


def request(args: argparse.Namespace, name: str, ratings: Ratings | None = None) -> Request:
    """The fit options as typed, for one model; of ratings with known answers these are used."""
    wanted = with_options(named_model(name), args, ratings)
    chosen = {name: value for name in ("chains", "draws") if (value := getattr(args, name)) is not None}
    return Request(
        model=wanted,
        estimator=args.estimator or ("posterior" if wanted.truth is Truth.SHARPENED else "exact-em"),
        interval=args.interval,
        level=args.level,
        replicates=args.replicates,
        seed=args.seed,
        subjects=args.subjects,
        tests=args.tests,
        priors=_priors(args.prior),
        sharpness=args.sharpness,
        moment_prior=args.moment_prior,
        pool=args.cell in _OF_A_MODEL and args.pool,
        **chosen,
    )


def _priors(typed: Sequence[str]) -> "tuple[Prior | Dirichlet, ...]":
    """The priors of a belief, as they were typed."""
    if not typed:
        return ()
    from tapdesk.fitting.priors import parse_sampling_prior  # beliefs are asked for rarely

    return tuple(parse_sampling_prior(one) for one in typed)


def with_options(wanted: RaterModel, args: argparse.Namespace, ratings: Ratings | None = None) -> RaterModel:
    """A named model with the covariates, the groups and the truth asked for, and with what is known of the ratings."""
    groups = wanted.groups if wanted.name in OF_QUESTIONS else _groups(args, wanted)
    wanted = replace(wanted, covariates=tuple(args.covariates), groups=groups)
    wanted = replace(wanted, key=_key(args, wanted, ratings))
    if args.cell in _OF_A_MODEL:
        wanted = replace(wanted, occasions=args.occasion or "" if wanted.by_rater else "", along=args.drift or "")
    if args.truth == "uniform":
        if reason := uniform_refusal(wanted, args):
            raise UsageError(reason, fix="Leave out --truth uniform.")
        wanted = replace(wanted, truth=Truth.UNIFORM)
    return wanted


def _groups(args: argparse.Namespace, wanted: RaterModel) -> str:
    """The column of the groups of a model; empty where it has none, or none is named.

    Raises
    ------
    UsageError
        When several are named, as ``report`` can for groups that are analysed one by one.
    """
    if args.cell not in {*_OF_A_MODEL, "compare"} or not wanted.by_group or not args.by:
        return ""
    columns: tuple[str, ...] = (args.by,) if isinstance(args.by, str) else tuple(dict.fromkeys(args.by))
    if len(columns) > 1:
        raise UsageError(
            _("The model {name} takes the groups of one column; {count} are named.").format(
                name=wanted.name, count=len(columns)
            ),
            "--by",
            _("Name one of them."),
        )
    return columns[0]


def _key(args: argparse.Namespace, wanted: RaterModel, ratings: Ratings | None) -> Key:
    """What is made of known answers: they are certain (models_more.md §1), unless something else is typed."""
    typed = {"known_use", "known_informs_t"} & set(args.typed) if args.cell in _OF_A_KEY else set()
    if typed and args.known_use in {"rater", "beside"}:
        return Key.UNUSED
    if typed:
        return Key.INFORMING if args.known_informs_t == "yes" else Key.CERTAIN
    # Moment E-M and a truth of each case by itself have no place for what is known.
    fits = args.estimator != "moment-em" and wanted.truth is not Truth.SHARPENED
    return Key.CERTAIN if fits and ratings is not None and ratings.knows_answers else Key.UNUSED


def uniform_refusal(wanted: RaterModel, args: argparse.Namespace) -> str | None:
    """Why a model does not take the truth asked for; None where it does."""
    if args.truth == "uniform" and wanted.truth is not Truth.FREE:
        return f"In {wanted.name} the truth is not free, so it cannot be uniform."
    return None


def panel_of(args: argparse.Namespace, ratings: Ratings) -> Ratings:
    """The ratings, with the known answers as those of one more rater where they are taken so.

    Raises
    ------
    UsageError
        When known answers are to be used and there are none.
    """
    if not {"known_use", "known_informs_t"} & set(args.typed) or args.known_use == "beside":
        return ratings
    if args.known_use == "rater":
        from tapdesk.models.panels import key_as_rater

        return key_as_rater(ratings)
    if not ratings.knows_answers:
        raise UsageError(
            _("No known answer is a class of these {ratings}, so there is nothing to use.").format(),
            fix=_("Name the column that holds what is known with --known COL.").format(),
        )
    return ratings
