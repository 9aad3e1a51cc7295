"""Every agreement coefficient the program knows: one row each, in the order of reports."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tapdesk.agreement.alpha import krippendorff_alpha
from tapdesk.agreement.chance import (
    brennan_prediger,
    fleiss_kappa,
    gwet_ac,
    percent_agreement,
    scott_pi,
    specific_agreement,
)
from tapdesk.agreement.icc import icc_1, icc_1k, icc_a1, icc_ak, icc_c1, icc_ck
from tapdesk.agreement.pairs import cohen_kappa, hubert_kappa, light_kappa
from tapdesk.agreement.quantity import Case
from tapdesk.agreement.raters import conger_kappa
from tapdesk.agreement.tables import Tables
from tapdesk.agreement.weights import Weights
from tapdesk.language import gettext as _


@dataclass(frozen=True, slots=True)
class Kind:
    """One named coefficient.

    Attributes
    ----------
    name
        As in commands and JSON.
    title
        As in tables and pictures.
    cases
        From the tables and weights (or the reason why the weights have no meaning) to what is to be reported.
    named_weights, own_weights
        Whether linear, quadratic and ordinal weights, and a user's matrix, have a meaning; identity always has.
    weighted
        Whether the weights belong to the coefficient's name.
    frail
        Whether its interval is often too narrow where hardly any rating lies outside the commonest class.
    """

    name: str
    title: str
    cases: Callable[[Tables, Weights | str], Iterator[Case]]
    named_weights: bool = True
    own_weights: bool = True
    weighted: bool = True
    frail: bool = True


COEFFICIENTS: tuple[Kind, ...] = (
    Kind("percent_agreement", _("Raw agreement"), percent_agreement, frail=False),
    Kind("specific_agreement", _("Agreement on one class"), specific_agreement, named_weights=False, own_weights=False),
    Kind("cohen_kappa", _("Cohen's kappa"), cohen_kappa),
    Kind("scott_pi", _("Scott's pi"), scott_pi),
    Kind("fleiss_kappa", _("Fleiss' kappa"), fleiss_kappa),
    Kind("conger_kappa", _("Conger's kappa"), conger_kappa),
    Kind("light_kappa", _("Light's kappa"), light_kappa),
    Kind("hubert_kappa", _("Hubert's kappa"), hubert_kappa),
    Kind("brennan_prediger", _("Brennan-Prediger (Bennett's S)"), brennan_prediger, frail=False),
    Kind("gwet_ac", _("Gwet's AC1 (AC2 with weights)"), gwet_ac, frail=False),
    Kind("krippendorff_alpha", _("Krippendorff's alpha"), krippendorff_alpha, named_weights=False, weighted=False),
    Kind("icc_1", "ICC(1)", icc_1, named_weights=False, own_weights=False, weighted=False),
    Kind("icc_a1", "ICC(A,1)", icc_a1, named_weights=False, own_weights=False, weighted=False),
    Kind("icc_c1", "ICC(C,1)", icc_c1, named_weights=False, own_weights=False, weighted=False),
    Kind("icc_1k", "ICC(1,k)", icc_1k, named_weights=False, own_weights=False, weighted=False),
    Kind("icc_ak", "ICC(A,k)", icc_ak, named_weights=False, own_weights=False, weighted=False),
    Kind("icc_ck", "ICC(C,k)", icc_ck, named_weights=False, own_weights=False, weighted=False),
)
