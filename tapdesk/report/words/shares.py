"""What a parameter is a share of, in a few words."""

from tapdesk.fitting.fit import Fit, ParameterEstimate
from tapdesk.language import gettext as _
from tapdesk.report import numbers
from tapdesk.report.words.nouns import PLAIN, Nouns


def called(estimate: ParameterEstimate, fit: Fit, nouns: Nouns = PLAIN) -> str:
    """A parameter by its symbol; where there are several of it, with what it is a share of."""
    name = estimate.name
    if str(name) == name.name:
        return name.name
    return _("{symbol} ({share_of})").format(symbol=name.name, share_of=share_of(estimate, fit, nouns))


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
