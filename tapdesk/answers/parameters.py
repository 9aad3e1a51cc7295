"""What each estimated number means, where it came from, and what class it belongs to."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.answers import numbers
from tapdesk.estimate import BOOTSTRAP, F_DISTRIBUTION, LINEARISATION, TABLE, Estimate
from tapdesk.fitting.fit import Draws, Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.language import ngettext
from tapdesk.models.design import Freedom
from tapdesk.models.model import Accuracy, Cases, Key
from tapdesk.ratings.ratings import Ratings

_MOST_NAMES = 3
# What a regression calls the number of no covariate (`models.design.slots`).
_NO_COVARIATE = {None, "(intercept)"}


def has_belief(draws: Draws | None) -> bool:
    """Whether what was drawn is a posterior, rather than data again and again."""
    return draws is not None and draws.kind == "posterior"


def nothing_moves(fit: Fit) -> str:
    """Why it cannot be shown how far the numbers would move; empty where it can."""
    drawn = fit.draws.values if fit.draws is not None else {}
    if not drawn:
        return _("No resamples were made with this fit.")
    if not has_belief(fit.draws) and all(e.estimate.value is None for e in fit.estimates if e.name in drawn):
        return _("These {ratings} leave the numbers open, so how far they would move cannot be shown.")
    return ""


def cautions(fit: Fit) -> tuple[str, ...]:
    """What must be known to read the re-draws that are shown, one sentence each.

    The re-draws of a number that has no value would look like an answer, so they are left out; a belief stays, as the
    prior's answer, and is called so (models.md §3). Re-draws of a number on the edge stay there: the bootstrap does not
    hold where a parameter is at its bound (models.md §5).
    """
    drawn = fit.draws.values if fit.draws is not None else {}
    sentences = []
    left_out = [called(e, fit) for e in fit.estimates if e.name in drawn and e.estimate.value is None]
    if left_out and has_belief(fit.draws):
        sentences.append(
            _("What is assumed beforehand (the prior) decides these as much as the {ratings}: {names}.").format(
                names=_few(left_out)
            )
        )
    elif left_out:
        sentences.append(_("Not drawn, because these {ratings} leave it open: {names}.").format(names=_few(left_out)))
    known = {str(e.name): called(e, fit) for e in fit.estimates if e.estimate.value is not None}
    bounds = [bound.rpartition(" = ") for bound in fit.active_bounds]
    edges = [f"{known[name]} = {value}" for name, _is, value in bounds if name in known]
    if edges and not has_belief(fit.draws):
        sentences.append(
            _(
                "A number on the edge ({edges}) hardly moves when {subjects} are drawn again, however little is known "
                "of "
                "it: read its interval instead."
            ).format(edges=_few(edges))
        )
    return tuple(sentences)


_KINDS = {
    "profile": _("{level} profile-likelihood interval"),
    "wald": _("{level} interval from the curvature of the likelihood (Wald)"),
    "bootstrap": _("{level} interval from resamples"),
    "parametric-bootstrap": _("{level} interval from data sets drawn from the fitted model"),
    "posterior": _("{level} interval of belief: the shortest that holds {level} of it"),
    "none": _("no interval was asked for"),
    "": _("no interval"),
}
_COEFFICIENTS = {
    LINEARISATION: _("standard errors by linearisation"),
    BOOTSTRAP: _("resamples of the {subjects}"),
    F_DISTRIBUTION: _("the F distribution"),
    TABLE: _("standard errors for large samples (Fleiss, Cohen and Everitt)"),
}


def kind_of_interval(how: str, level: float) -> str:
    """How the interval of a parameter or a coefficient was made: ``95 % profile-likelihood interval``."""
    words = _KINDS.get(how)
    if words is None:
        words = _("{level} interval from {source}").replace("{source}", source_of(how))
    return words.format(level=numbers.level(level))


def source_of(how: str) -> str:
    """What the interval of a coefficient comes from."""
    return _COEFFICIENTS[how]


_ENOUGH = 10  # ratings of one rater, below which always the same answer is nothing strange


def same_answer(ratings: Ratings) -> str:
    """Which raters gave one answer to every case while others did not; empty where nobody did."""
    if not ratings.raters_known or len(np.unique(ratings.category)) < 2:
        return ""
    table = np.zeros((len(ratings.raters), len(ratings.classes)), dtype=np.int64)
    np.add.at(table, (ratings.rater, ratings.category), 1)
    constant = np.flatnonzero((table.max(axis=1) == table.sum(axis=1)) & (table.sum(axis=1) >= _ENOUGH))
    if not constant.size:
        return ""
    shown = ", ".join(numbers.short(ratings.raters[r], 40) for r in constant[:_MOST_NAMES])
    if constant.size > _MOST_NAMES:
        return _(
            "{n} {raters} gave the same answer to every {subject}, so their {ratings} follow no {subject}."
        ).format(n=numbers.count(constant.size))
    return ngettext(
        "{names} gave the same answer to every {subject}, so none of these {ratings} follows its {subject}.",
        "These {raters} gave the same answer to every {subject}, so none of their {ratings} follows its {subject}: "
        "{names}.",
        int(constant.size),
    ).format(names=shown)


def called(estimate: ParameterEstimate, fit: Fit) -> str:
    """A parameter by its symbol; where there are several of it, with what it is a share of."""
    name = estimate.name
    if str(name) == name.name:
        return name.name
    return _("{symbol} ({share_of})").format(symbol=name.name, share_of=share_of(estimate, fit))


def class_of(estimate: ParameterEstimate, fit: Fit) -> str:
    """The class a parameter speaks of: its own, else class 1 of two."""
    if estimate.name.category is not None:
        return numbers.short(estimate.name.category)
    return numbers.short(fit.classes[1]) if len(fit.classes) == 2 else ""


def share_of(estimate: ParameterEstimate, fit: Fit) -> str:
    """What a parameter is a share of, for a table row."""
    name, one, rated = estimate.name, class_of(estimate, fit), estimate.name.rated
    if name.name in {"a0", "a1", "p0", "p1"}:
        one, rated = numbers.short(fit.classes[int(name.name[1])]), fit.classes[1]
    fields = {
        "one": one,
        **({} if name.rater is None else {"rater": name.rater}),
        "rated": numbers.short(rated or ""),
        "covariate": name.covariate,
        "group": numbers.short(name.group or ""),
        "cut": name.cut,
    }
    return _template(estimate, fit.model.cases).format(**fields)


_SPREADS = {
    Cases.HARD: _("{subjects} that are beyond everybody"),
    Cases.ACCURACY: _("how much {subjects} differ in accuracy, from 0 to 1"),
    Cases.DIFFICULTY: _("how much {subjects} differ in difficulty, as the spread of logits"),
    Cases.MISLEADING: _("how much guesses about one {subject} go the same way, from 0 to 1"),
}


def _template(estimate: ParameterEstimate, cases: Cases) -> str:
    name = estimate.name
    if name.name in {"h", "rho", "sigma"}:
        return _SPREADS[cases]
    of_class = name.category is not None or name.name in {"a0", "a1"}
    templates = {
        "t": _("{subjects} truly “{one}”"),
        "pi": _("“{rated}” given by {rater} when truly “{one}”"),
        "b": _("intercept (logit)") if name.covariate in _NO_COVARIATE else _("slope of {covariate} (logit)"),
        "p": _("chance {ratings} that say “{one}”"),
        "p of a rater": _("chance {ratings} of {rater} that say “{one}”"),
        "p of a class": _("chance {ratings} on a true “{one}” that say “{rated}”"),
        "a": _("{ratings} that follow a true “{one}”") if of_class else _("{ratings} that follow the {subject}"),
        "a of a rater": _("{ratings} of {rater} that follow the {subject}"),
        "t of a group": _("{subjects} of “{group}” truly “{one}”"),
        "a of a group": _("{ratings} of “{group}” that follow the {subject}"),
        "p of a group": _("chance {ratings} of “{group}” that say “{one}”"),
        "a of a rater in a group": _("{ratings} of {rater} of “{group}” that follow the {subject}"),
        "a of easy cases": _("{ratings} that follow the {subject}, where it is not beyond everybody"),
        "d": _("how far neighbouring classes are told apart (logit)"),
        "d of a rater": _("how far {rater} tells neighbouring classes apart (logit)"),
        "tau": _("line between {cut} (logit)"),
        "tau of a rater": _("line of {rater} between {cut} (logit)"),
        "mu": _("accuracy of a typical {rater} (logit)"),
        "omega": _("how much {raters} differ in accuracy (logit)"),
        "x": _("how unlike {raters} guess, from 0 to 1"),
        "n": _("misses that fall next to the truth"),
        "m of a rater": _("repeats of {rater} that copy the answer before"),
    }
    if name.name == "a" and cases is Cases.HARD:
        return templates["a of easy cases"]
    kind = name.name.rstrip("01")
    if name.group is not None:
        return templates[f"{kind} of a rater in a group" if name.rater is not None else f"{kind} of a group"]
    if name.rater is not None and kind in {"a", "p", "d", "tau", "m"}:
        return templates[f"{kind} of a rater"]
    if kind == "p" and (name.name != "p" or name.rated is not None):
        return templates["p of a class"]
    return templates[kind]


_ONLY_THE_PANEL = _(
    "{told} All these shares are only what the panel’s pattern of answers can tell: nobody checked the true answers."
)
_MOST_SHARES = 12
_MOST_EDGES = 6  # of a large model most numbers may sit on an edge, and nobody reads forty sentences
_LONGEST, _MOST_SYMBOLS = 30, 6


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


def meanings(fit: Fit) -> tuple[Meaning, ...]:
    """Every reported parameter in words, in the order of the estimates.

    That nobody checked the truth is said once, behind the last share of it.
    """
    sentences = [meaning(estimate, fit) for estimate in fit.estimates]
    shares = [i for i, e in enumerate(fit.estimates) if e.name.name == "t" and e.estimate.value is not None]
    if len(shares) > 1 and fit.model.key is Key.UNUSED:
        last = sentences[shares[-1]]
        sentences[shares[-1]] = replace(last, sentence=_ONLY_THE_PANEL.format(told=last.sentence))
    return tuple(sentences)


def parameter_rows(fit: Fit) -> tuple[tuple[str, str], ...]:
    """Every sentence about parameters once, with the symbols it is about; shares of many classes in one sentence."""
    about: dict[str, list[str]] = {}
    for e, one in zip(fit.estimates, meanings(fit), strict=True):
        sentence = _of_all(e, fit) or one.sentence
        # Why there is no number of one rater's is said of that rater.
        whose = e.name.rater if e.estimate.value is None else None
        if sentence:
            symbol = one.symbol if whose is None else f"{one.symbol} ({numbers.short(whose, _LONGEST)})"
            about.setdefault(sentence, []).append(symbol)
    return tuple((_first(list(dict.fromkeys(symbols))), sentence) for sentence, symbols in about.items())


def _few(names: list[str]) -> str:
    """A few names, and how many more there are."""
    return _first([numbers.short(name, 60) for name in names], _MOST_NAMES)


def _first(symbols: list[str], most: int = _MOST_SYMBOLS) -> str:
    """The first of many symbols, and how many more there are."""
    shown, more = ", ".join(symbols[:most]), len(symbols) - most
    return _("{names} and {count} more").format(names=shown, count=numbers.count(more)) if more > 0 else shown


def _of_all(estimate: ParameterEstimate, fit: Fit) -> str:
    """The shares of all of several classes in one sentence; empty for any other number."""
    name = estimate.name
    kin = [e for e in fit.estimates if e.name.name == name.name and e.estimate.value is not None]
    alone = any(e.name.rater is not None or e.name.rated is not None or e.name.group is not None for e in kin)
    if name.name not in {"t", "p"} or len(kin) < 2 or estimate not in kin or alone:
        return ""
    items = [_share(e, fit) for e in kin[:_MOST_SHARES]]
    if name.name == "t" and fit.model.key is not Key.UNUSED:
        template = _("Out of 100 {subjects}, so many would truly be: {shares}.")
    elif name.name == "t":
        template = _(
            "Out of 100 {subjects}, so many would truly be: {shares}. That is as far as the panel’s pattern of answers "
            "can tell: nobody checked the true answers."
        )
    elif fit.model.near:
        template = _("When {a_rating} neither follows the {subject} nor falls next to it, it comes out {shares}.")
    else:
        template = _("When {a_rating} does not follow the {subject}, it comes out {shares}.")
    sentence = template.format(shares="; ".join(items))
    if len(kin) > _MOST_SHARES:
        more = len(kin) - _MOST_SHARES
        sentence = ngettext(
            "{told} The share of {more} more class stands in the table of estimates.",
            "{told} The shares of {more} more classes stand in the table of estimates.",
            more,
        ).format(told=sentence, more=numbers.count(more))
    return _held(sentence, estimate)


def _share(estimate: ParameterEstimate, fit: Fit) -> str:
    """One class with its share, for a list of them."""
    value, one = estimate.estimate, class_of(estimate, fit)
    if value.value is None:
        return ""
    if estimate.name.name == "p":
        return _("“{one}” {often}").format(one=one, often=numbers.often(value.value, value.low, value.high))
    number = numbers.about(value.value)
    if value.low is None or value.high is None:
        return _("{number} “{one}”").format(number=number, one=one)
    low, high = numbers.ends(value.low, value.high)
    return _("{number} “{one}” (between {low} and {high})").format(number=number, one=one, low=low, high=high)


def _held(sentence: str, estimate: ParameterEstimate) -> str:
    """A sentence about a number, and that it is not estimated where it is not."""
    if estimate.freedom is Freedom.FREE:
        return sentence
    held = {
        Freedom.TIED: _("{told} It is not estimated by itself: the model takes it to be equal to t."),
        Freedom.FIXED: _("{told} It is not estimated: it is held at the rate observed in the {ratings}."),
    }
    return held[estimate.freedom].format(told=sentence)


def meaning(estimate: ParameterEstimate, fit: Fit) -> Meaning:
    """One parameter in words."""
    name, sentence = estimate.name, estimate.estimate.undefined or ""
    if estimate.estimate.value is not None and name.rater is None and fit.model.accuracy is Accuracy.ONE:
        # What a number is where cases differ hangs on how they do: it stands in the table, with its share.
        told = _sentence if name.group is None else _of_a_group
        sentence = told(estimate, fit) if fit.model.cases is Cases.ALIKE else ""
    return Meaning(name.name, share_of(estimate, fit), sentence)


def _sentence(estimate: ParameterEstimate, fit: Fit) -> str:
    value = estimate.estimate
    if value.value is None:
        return ""
    templates = {
        "t": _(
            "Out of 100 {subjects}, {number} would truly be “{one}”, as far as the panel’s pattern of answers can "
            "tell. No true answer is used for this."
        ),
        "t with its interval": _(
            "Out of 100 {subjects}, {number} would truly be “{one}” (between {low} and {high}), as far as the panel’s "
            "pattern of answers can tell. No true answer is used for this."
        ),
        "t of several": _("Out of 100 {subjects}, {number} would truly be “{one}”."),
        "t of several with its interval": _(
            "Out of 100 {subjects}, {number} would truly be “{one}” (between {low} and {high})."
        ),
        "a": ngettext(
            "{number} of 100 {ratings} follows the {subject}. 100 would be always; 0 would mean that the {ratings} "
            "carry no information about the {subject}.",
            "{number} of 100 {ratings} follow the {subject}. 100 would be always; 0 would mean that the {ratings} "
            "carry no information about the {subject}.",
            numbers.of_100(value.value),
        ),
        "a with its interval": ngettext(
            "{number} of 100 {ratings} follows the {subject} ({low} to {high}). 100 would be always; 0 would mean that "
            "the {ratings} carry no information about the {subject}.",
            "{number} of 100 {ratings} follow the {subject} ({low} to {high}). 100 would be always; 0 would mean that "
            "the {ratings} carry no information about the {subject}.",
            numbers.of_100(value.value),
        ),
        "p": _("When {a_rating} does not follow the {subject}, it comes out “{one}” {often}."),
    }
    if estimate.name.name not in templates:
        return ""
    which, low, high = estimate.name.name, "", ""
    if which == "t" and (fit.model.key is not Key.UNUSED or sum(e.name.name == "t" for e in fit.estimates) > 1):
        which = "t of several"
    if value.low is not None and value.high is not None:
        low, high = numbers.ends(value.low, value.high)
        which = which if which == "p" else f"{which} with its interval"
    sentence = templates[which].format(
        one=class_of(estimate, fit),
        number=numbers.about(value.value, first=which.startswith("a")),
        low=low,
        high=high,
        often=numbers.often(value.value, value.low, value.high),
    )
    return _held(sentence, estimate)


def _of_a_group(estimate: ParameterEstimate, fit: Fit) -> str:
    """A share of the cases, or of the guesses, of one group."""
    value = estimate.estimate
    fields = {"one": class_of(estimate, fit), "group": numbers.short(estimate.name.group or "")}
    if estimate.name.name != "t":
        template = _("When {a_rating} of “{group}” does not follow the {subject}, it comes out “{one}” {often}.")
        return template.format(often=numbers.often(value.value or 0.0, value.low, value.high), **fields)
    fields["number"] = numbers.about(value.value or 0.0)
    if value.low is None or value.high is None:
        return _("Out of 100 {subjects} of “{group}”, {number} would truly be “{one}”.").format(**fields)
    low, high = numbers.ends(value.low, value.high)
    return _("Out of 100 {subjects} of “{group}”, {number} would truly be “{one}” (between {low} and {high}).").format(
        low=low, high=high, **fields
    )


def degeneracy(fit: Fit, *, void: bool = False) -> tuple[str, ...]:
    """What each parameter on the edge of its range means, one sentence each.

    Of a fit from which nothing can be concluded, ``void``, only that a number tells nothing.
    """
    named = {str(e.name): e for e in reversed(fit.estimates)}
    bounds = [b for b in fit.active_bounds if not void or (b == "a = 0" and not fit.model.guessing.free)]
    sentences = tuple(dict.fromkeys(_edge(bound, fit, named) for bound in bounds))
    if len(sentences) <= _MOST_EDGES:
        return sentences
    rest = _("{count} more numbers sit on the edge of what is possible; they stand in the table of estimates.")
    return (*sentences[: _MOST_EDGES - 1], rest.format(count=numbers.count(len(sentences) - _MOST_EDGES + 1)))


_EDGES_OF_A_RATER = {
    ("a", "0"): _("In the best fit no {rating} of {rater} follows its {subject}."),
    ("a", "1"): _("In the best fit every {rating} of {rater} follows its {subject}."),
    ("p", "0"): _("In the best fit the guesses of {rater} never came out “{one}”."),
    ("p", "1"): _("In the best fit the guesses of {rater} always came out “{one}”."),
}


def _edge(bound: str, fit: Fit, named: Mapping[str, ParameterEstimate]) -> str:
    words, _is, at = bound.rpartition(" = ")
    one = named.get(words)
    if one is not None and one.name.name == "rho" and at == "0":
        return _("In the best fit {subjects} do not differ in anything but their truth.")
    whose = one is not None and (one.name.rater or one.name.rated or one.name.group)
    if one is not None and (whose is not None or one.name.name in {"h", "n"}):
        # What stands in brackets is more than a class here.
        if one.name.rated is None and (one.name.name, at) in _EDGES_OF_A_RATER:
            whom = {"rater": one.name.rater, "one": class_of(one, fit)}
            return _EDGES_OF_A_RATER[one.name.name, at].format(**whom)
        template = _("The best fit has no {share_of}.")
        if at == "1":
            template = _("The best fit takes the share of {share_of} to be 1.")
        return template.format(share_of=share_of(one, fit))
    match = re.fullmatch(r"(?s)(\w+?)(?:\[(.*)\])? = ([01])", bound)
    if match is None:
        return _("A number sits on the edge of what is possible: {bound}.").format(bound=bound)
    name, inside, value = match.groups()
    if (name, inside, value) == ("a", None, "0") and not fit.model.guessing.free:
        return _(
            "a = 0 fits best: no {rating} would then follow its {subject}. The share t then only repeats how often "
            "each class was said, as p = t assumes; it tells nothing about the truth."
        )
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
        ("t", "0"): _("No {subject} seems to be truly “{one}”: the estimate of its share is 0."),
        ("p", "0"): _("No {rating} without knowledge seems to say “{one}”: the estimate of its share is 0."),
    }
    known = sentences if inside is None and (two or name == "a") else by_class
    template = known.get((name, value), _("A number sits on the edge of what is possible: {bound}."))
    return template.format(
        one=numbers.short(inside if inside is not None else fit.classes[-1]), bound=numbers.short(bound)
    )


def interval_note(estimates: Sequence[Estimate]) -> str:
    """Of which kinds the intervals are."""
    listed = kinds_of_intervals(estimates)
    return _("Intervals: {kinds}.").format(kinds=listed) if listed else _("There are no intervals.")


def kinds_of_intervals(estimates: Sequence[Estimate]) -> str:
    """The kinds of these intervals and their levels, each once; empty where there are none."""
    kinds = dict.fromkeys((e.how, e.level or 0.95) for e in estimates if e.low is not None and e.how)
    return "; ".join(kind_of_interval(how, level) for how, level in kinds)
