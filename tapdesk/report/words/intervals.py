"""How an interval was made, in words."""

from tapdesk.agreement.intervals import BOOTSTRAP, F_DISTRIBUTION, LINEARISATION, TABLE
from tapdesk.language import gettext as _
from tapdesk.report import numbers

_KINDS = {
    "profile": _("{level} profile-likelihood interval"),
    "wald": _("{level} interval from the curvature of the likelihood (Wald)"),
    "bootstrap": _("{level} interval from re-draws (bootstrap percentiles)"),
    "parametric-bootstrap": _("{level} interval from data sets drawn from the fitted model (parametric bootstrap)"),
    "posterior": _("{level} interval from the posterior: the shortest that holds {level} of it"),
    "none": _("no interval was asked for"),
    "": _("no interval"),
}
_COEFFICIENTS = {
    LINEARISATION: _("standard errors by linearisation"),
    BOOTSTRAP: _("re-draws of the cases"),
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
