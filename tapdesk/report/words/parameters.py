"""What truth, accuracy and guessing mean with their numbers, and what a value on the edge means."""

import re
from dataclasses import dataclass

from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Guessing
from tapdesk.models.slots import Freedom
from tapdesk.report import numbers
from tapdesk.report.words.fit import PLAIN, Nouns

_MOST_EDGES = 6  # of a large model most numbers may sit on an edge, and nobody reads forty sentences


@dataclass(frozen=True, slots=True)
class Meaning:
    """One parameter in words.

    Attributes
    ----------
    symbol
        ``t``, ``a``, ``p`` ...
    share_of
        Two or three words for a table: what the number is a share of.
    sentence
        The number in a whole sentence.
    """

    symbol: str
    share_of: str
    sentence: str


def meanings(fit: Fit, nouns: Nouns = PLAIN) -> tuple[Meaning, ...]:
    """Every reported parameter in words, in the order of the estimates."""
    return tuple(meaning(estimate, fit, nouns) for estimate in fit.estimates)


def meaning(estimate: ParameterEstimate, fit: Fit, nouns: Nouns = PLAIN) -> Meaning:
    """One parameter in words."""
    symbol = estimate.name.name
    return Meaning(symbol, share_of(estimate, fit, nouns), _sentence(estimate, fit, nouns))


def class_of(estimate: ParameterEstimate, fit: Fit) -> str:
    """The class a parameter speaks of: its own, else class 1 of two."""
    if estimate.name.category is not None:
        return numbers.short(estimate.name.category)
    return numbers.short(fit.classes[1]) if len(fit.classes) == 2 else ""


def share_of(estimate: ParameterEstimate, fit: Fit, nouns: Nouns = PLAIN) -> str:
    """What a parameter is a share of, for a table row."""
    name, one, rated = estimate.name, class_of(estimate, fit), estimate.name.rated
    if name.name in {"a0", "a1", "p0", "p1"}:
        one, rated = numbers.short(fit.classes[int(name.name[1])]), fit.classes[1]
    fields = {
        "one": one,
        "subjects": nouns.subjects,
        "subject": nouns.subject,
        "ratings": nouns.ratings,
        "rater": name.rater,
        "rated": numbers.short(rated or ""),
        "covariate": name.covariate,
    }
    return _template(estimate).format(**fields)


def _template(estimate: ParameterEstimate) -> str:
    name = estimate.name
    of_class = name.category is not None or name.name in {"a0", "a1"}
    templates = {
        "t": _("{subjects} truly “{one}”"),
        "pi": _("“{rated}” given by {rater} when truly “{one}”"),
        "b": _("intercept (logit)") if name.covariate is None else _("slope of {covariate} (logit)"),
        "p": _("chance {ratings} that say “{one}”"),
        "p of a rater": _("chance {ratings} of {rater} that say “{one}”"),
        "p of a class": _("chance {ratings} on a true “{one}” that say “{rated}”"),
        "a": _("{ratings} that follow a true “{one}”") if of_class else _("{ratings} that follow the {subject}"),
        "a of a rater": _("{ratings} of {rater} that follow the {subject}"),
    }
    kind = name.name.rstrip("01")
    if name.rater is not None and kind in {"a", "p"}:
        return templates[f"{kind} of a rater"]
    if kind == "p" and (name.name != "p" or name.rated is not None):
        return templates["p of a class"]
    return templates[kind]


def _sentence(estimate: ParameterEstimate, fit: Fit, nouns: Nouns) -> str:
    value = estimate.estimate
    if value.value is None:
        return value.undefined or ""
    templates = {
        "t": _(
            "Out of 100 {subjects}, {number} would truly be “{one}”, as far as the panel’s pattern of answers can "
            "tell. Nobody checked the true answers."
        ),
        "t with its interval": _(
            "Out of 100 {subjects}, {number} would truly be “{one}” (between {low} and {high}), as far as the panel’s "
            "pattern of answers can tell. Nobody checked the true answers."
        ),
        "a": _(
            "A {rating} follows the {subject} itself {often}. Always would be 100; 0 would mean that the {ratings} "
            "carry no information about the {subject}."
        ),
        "p": _("When a {rating} does not follow the {subject}, it comes out “{one}” {often}."),
    }
    plain = estimate.name.rater is None and fit.model.accuracy is Accuracy.ONE
    if not plain or estimate.name.name not in templates:
        return ""
    symbol, low, high = estimate.name.name, "", ""
    if value.low is not None and value.high is not None:
        low, high = numbers.ends(value.low, value.high)
        symbol = "t with its interval" if symbol == "t" else symbol
    told = templates[symbol].format(
        subject=nouns.subject,
        subjects=nouns.subjects,
        rating=nouns.rating,
        ratings=nouns.ratings,
        one=class_of(estimate, fit),
        number=numbers.about(value.value),
        low=low,
        high=high,
        often=numbers.often(value.value, value.low, value.high),
    )
    held = {
        Freedom.FREE: "{told}",
        Freedom.TIED: _("{told} It is not estimated by itself: the model takes it to be equal to t."),
        Freedom.FIXED: _("{told} It is not estimated: it is held at the rate observed in the {ratings}."),
    }
    return held[estimate.freedom].format(told=told, ratings=nouns.ratings)


def degeneracy(fit: Fit, nouns: Nouns = PLAIN) -> tuple[str, ...]:
    """What each parameter on the edge of its range means, one sentence each."""
    told = tuple(dict.fromkeys(_edge(bound, fit, nouns) for bound in fit.active_bounds))
    if len(told) <= _MOST_EDGES:
        return told
    rest = _("{count} more numbers sit on the edge of what is possible; they stand in the table of estimates.")
    return (*told[: _MOST_EDGES - 1], rest.format(count=numbers.count(len(told) - _MOST_EDGES + 1)))


def _edge(bound: str, fit: Fit, nouns: Nouns) -> str:
    found = re.fullmatch(r"(?s)(\w+?)(?:\[(.*)\])? = ([01])", bound)
    if found is None:
        return _("A number sits on the edge of what is possible: {bound}.").format(bound=bound)
    name, inside, value = found.groups()
    if (name, inside, value) == ("a", None, "0") and fit.model.guessing in {Guessing.AS_TRUTH, Guessing.OBSERVED}:
        return _(
            "a = 0 fits best: no {rating} would then follow its {subject}. The share t then only repeats how often "
            "each class was said, as p = t assumes; it tells nothing about the truth."
        ).format(rating=nouns.rating, subject=nouns.subject)
    two = len(fit.classes) == 2
    sentences = {
        ("a", "0"): _("a = 0 fits best: no {rating} would then follow its {subject}, and these data cannot tell t."),
        ("a", "1"): _("a = 1 fits best: every {rating} would then follow its {subject}, and p would have no meaning."),
        ("t", "0"): _("t = 0 fits best: no {subject} would then be truly “{one}”, and a and p cannot be told apart."),
        ("t", "1"): _(
            "t = 1 fits best: every {subject} would then be truly “{one}”, and a and p cannot be told apart."
        ),
        ("p", "0"): _("p = 0: no {rating} without knowledge seems to say “{one}”. The estimate lies on the edge."),
        ("p", "1"): _("p = 1: every {rating} without knowledge seems to say “{one}”. The estimate lies on the edge."),
    }
    by_class = {
        ("t", "0"): _("No {subject} seems to be truly “{one}”: its true rate sits on the edge, 0."),
        ("p", "0"): _("No {rating} without knowledge seems to say “{one}”: its rate sits on the edge, 0."),
    }
    known = sentences if inside is None and (two or name == "a") else by_class
    template = known.get((name, value), _("A number sits on the edge of what is possible: {bound}."))
    return template.format(
        subject=nouns.subject,
        rating=nouns.rating,
        one=numbers.short(inside if inside is not None else fit.classes[-1]),
        bound=numbers.short(bound),
    )
