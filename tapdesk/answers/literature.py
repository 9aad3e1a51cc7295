"""The literature: every coefficient, model and method that is told, with the work it comes from, in one catalog."""

from collections.abc import Iterable
from dataclasses import dataclass

from tapdesk.agreement.coefficients import Coefficient
from tapdesk.fitting.fit import Fit, SampledPosterior
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, RaterModel


@dataclass(frozen=True, slots=True)
class Reference:
    """One work.

    Attributes
    ----------
    key
        Its short name in the catalog.
    cite
        How a sentence names it, such as ``Fleiss, 1971``.
    work
        How a list of references names it.
    """

    key: str
    cite: str
    work: str


# Titles are never translated.
WORKS: tuple[Reference, ...] = (
    Reference(
        "altman", "Altman, 1991", "Altman, D. G. (1991). Practical Statistics for Medical Research. Chapman and Hall."
    ),
    Reference(
        "bennett",
        "Bennett, Alpert & Goldstein, 1954",
        "Bennett, E. M., Alpert, R., & Goldstein, A. C. (1954). Communications through limited-response questioning. "
        "Public Opinion Quarterly, 18, 303–308.",
    ),
    Reference(
        "brennan",
        "Brennan & Prediger, 1981",
        "Brennan, R. L., & Prediger, D. J. (1981). Coefficient kappa: some uses, misuses, and alternatives. "
        "Educational and Psychological Measurement, 41, 687–699.",
    ),
    Reference(
        "cicchetti",
        "Cicchetti & Feinstein, 1990",
        "Cicchetti, D. V., & Feinstein, A. R. (1990). High agreement but low kappa: II. Resolving the paradoxes. "
        "Journal of Clinical Epidemiology, 43, 551–558.",
    ),
    Reference(
        "cohen",
        "Cohen, 1960",
        "Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement, "
        "20, 37–46.",
    ),
    Reference(
        "cohen_weighted",
        "Cohen, 1968",
        "Cohen, J. (1968). Weighted kappa: nominal scale agreement with provision for scaled disagreement or partial "
        "credit. Psychological Bulletin, 70, 213–220.",
    ),
    Reference(
        "conger",
        "Conger, 1980",
        "Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. Psychological Bulletin, "
        "88, 322–328.",
    ),
    Reference(
        "dawid_skene",
        "Dawid & Skene, 1979",
        "Dawid, A. P., & Skene, A. M. (1979). Maximum likelihood estimation of observer error-rates using the EM "
        "algorithm. Applied Statistics, 28, 20–28.",
    ),
    Reference(
        "decarlo",
        "DeCarlo, 2002",
        "DeCarlo, L. T. (2002). A latent class extension of signal detection theory, with applications. Multivariate "
        "Behavioral Research, 37, 423–451.",
    ),
    Reference(
        "dempster",
        "Dempster, Laird & Rubin, 1977",
        "Dempster, A. P., Laird, N. M., & Rubin, D. B. (1977). Maximum likelihood from incomplete data via the EM "
        "algorithm. Journal of the Royal Statistical Society B, 39, 1–38.",
    ),
    Reference(
        "efron",
        "Efron & Tibshirani, 1993",
        "Efron, B., & Tibshirani, R. J. (1993). An Introduction to the Bootstrap. Chapman & Hall.",
    ),
    Reference(
        "espeland",
        "Espeland & Handelman, 1989",
        "Espeland, M. A., & Handelman, S. L. (1989). Using latent class models to characterize and assess relative "
        "error in discrete measurements. Biometrics, 45, 587–599.",
    ),
    Reference(
        "eubanks",
        "Eubanks",
        "Eubanks, D. The Kappa Zoo. Online book on rater agreement, kappazoo.com; the t-a-p models.",
    ),
    Reference("eubanks_raters", "Eubanks, 2020", "Eubanks, D. (2020). Modeling Raters and Ratings."),
    Reference(
        "fleiss",
        "Fleiss, 1971",
        "Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. Psychological Bulletin, 76, "
        "378–382.",
    ),
    Reference(
        "fleiss_book",
        "Fleiss, 1981",
        "Fleiss, J. L. (1981). Statistical Methods for Rates and Proportions (2nd ed.). Wiley.",
    ),
    Reference(
        "gwet",
        "Gwet, 2008",
        "Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence of high agreement. "
        "British Journal of Mathematical and Statistical Psychology, 61, 29–48.",
    ),
    Reference(
        "holm",
        "Holm, 1979",
        "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics, "
        "6, 65–70.",
    ),
    Reference("hubert", "Hubert, 1977", "Hubert, L. (1977). Kappa revisited. Psychological Bulletin, 84, 289–297."),
    Reference(
        "kendall",
        "Kendall & Babington Smith, 1939",
        "Kendall, M. G., & Babington Smith, B. (1939). The problem of m rankings. Annals of Mathematical Statistics, "
        "10, 275–287.",
    ),
    Reference(
        "kottner",
        "Kottner and others, 2011",
        "Kottner, J., Audigé, L., Brorson, S., and others (2011). Guidelines for Reporting Reliability and Agreement "
        "Studies (GRRAS) were proposed. Journal of Clinical Epidemiology, 64, 96–106.",
    ),
    Reference(
        "krippendorff",
        "Krippendorff, 2018",
        "Krippendorff, K. (2018). Content Analysis: An Introduction to Its Methodology (4th ed.). Sage.",
    ),
    Reference(
        "landis_koch",
        "Landis & Koch, 1977",
        "Landis, J. R., & Koch, G. G. (1977). The measurement of observer agreement for categorical data. Biometrics, "
        "33, 159–174.",
    ),
    Reference(
        "light",
        "Light, 1971",
        "Light, R. J. (1971). Measures of response agreement for qualitative data: some generalizations and "
        "alternatives. Psychological Bulletin, 76, 365–377.",
    ),
    Reference(
        "linacre",
        "Linacre, 1989",
        "Linacre, J. M. (1989). Many-Facet Rasch Measurement. MESA Press.",
    ),
    Reference(
        "mcgraw",
        "McGraw & Wong, 1996",
        "McGraw, K. O., & Wong, S. P. (1996). Forming inferences about some intraclass correlation coefficients. "
        "Psychological Methods, 1, 30–46.",
    ),
    Reference(
        "neal",
        "Neal, 2011",
        "Neal, R. M. (2011). MCMC using Hamiltonian dynamics. In Handbook of Markov Chain Monte Carlo (pp. 113–162). "
        "CRC Press.",
    ),
    Reference(
        "rubin",
        "Rubin, 1976",
        "Rubin, D. B. (1976). Inference and missing data. Biometrika, 63, 581–592.",
    ),
    Reference(
        "samejima",
        "Samejima, 1969",
        "Samejima, F. (1969). Estimation of latent ability using a response pattern of graded scores. Psychometrika "
        "Monograph Supplement, 17.",
    ),
    Reference(
        "scott",
        "Scott, 1955",
        "Scott, W. A. (1955). Reliability of content analysis: the case of nominal scale coding. Public Opinion "
        "Quarterly, 19, 321–325.",
    ),
    Reference(
        "vehtari",
        "Vehtari and others, 2021",
        "Vehtari, A., Gelman, A., Simpson, D., Carpenter, B., & Bürkner, P.-C. (2021). Rank-normalization, folding, "
        "and localization: an improved R-hat for assessing convergence of MCMC. Bayesian Analysis, 16, 667–718.",
    ),
    Reference(
        "venzon",
        "Venzon & Moolgavkar, 1988",
        "Venzon, D. J., & Moolgavkar, S. H. (1988). A method for computing profile-likelihood-based confidence "
        "intervals. Applied Statistics, 37, 87–94.",
    ),
    Reference(
        "wald",
        "Wald, 1943",
        "Wald, A. (1943). Tests of statistical hypotheses concerning several parameters when the number of "
        "observations is large. Transactions of the American Mathematical Society, 54, 426–482.",
    ),
    Reference(
        "wilks",
        "Wilks, 1938",
        "Wilks, S. S. (1938). The large-sample distribution of the likelihood ratio for testing composite hypotheses. "
        "Annals of Mathematical Statistics, 9, 60–62.",
    ),
    Reference("youden", "Youden, 1950", "Youden, W. J. (1950). Index for rating diagnostic tests. Cancer, 3, 32–35."),
)
"""In alphabetical order of the authors, the order of a list of references."""
_BY_KEY = {row.key: row for row in WORKS}

_COEFFICIENTS = {
    "percent_agreement": (),
    "specific_agreement": ("cicchetti",),
    "cohen_kappa": ("cohen",),
    "scott_pi": ("scott",),
    "fleiss_kappa": ("fleiss",),
    "conger_kappa": ("conger",),
    "light_kappa": ("light",),
    "hubert_kappa": ("hubert",),
    "brennan_prediger": ("bennett", "brennan"),
    "gwet_ac": ("gwet",),
    "krippendorff_alpha": ("krippendorff",),
    **dict.fromkeys(("icc_1", "icc_a1", "icc_c1", "icc_1k", "icc_ak", "icc_ck"), ("mcgraw",)),
    "kendall_w": ("kendall",),
}
_ESTIMATORS = {"exact-em": ("dempster",), "moment-em": ("eubanks",)}
# Of beliefs that are sampled; what is added up exactly has no chains.
_SAMPLED = ("neal", "vehtari")
_INTERVALS = {
    "profile": ("venzon",), "wald": ("wald",), "bootstrap": ("efron",), "parametric-bootstrap": ("efron",),
}  # fmt: skip
# Models that "Modeling Raters and Ratings" has and the chapters of the Kappa Zoo have not; both have t-a-p.
_OF_THE_PAPER = frozenset({"P-a-P", "t-aj-p", "ti-aj-P", "t-a(x)-p"})
_SCALES = {"landis-koch": "landis_koch", "fleiss": "fleiss_book", "altman": "altman"}


def reference(key: str) -> Reference:
    """The work with this key."""
    return _BY_KEY[key]


def of_coefficient(name: str, weights: str | None = "identity") -> tuple[Reference, ...]:
    """The works a coefficient comes from; with weights the one that gives credit for near misses as well."""
    keys = _COEFFICIENTS.get(name, ())
    weighed = weights not in {None, "identity"} and name.endswith(("kappa", "pi"))
    return tuple(map(reference, (*keys, *(("cohen_weighted",) if weighed else ()))))


def of_model(model: RaterModel) -> tuple[Reference, ...]:
    """The works a model comes from."""
    if model.name.endswith("dawid-skene"):
        return (reference("dawid_skene"),)
    if model.name.startswith("sdt"):
        return (reference("decarlo"),)
    # Raters with rates of their own are a Dawid-Skene model with structure; cases beyond everybody are a latent class.
    own = model.accuracy is Accuracy.PER_RATER
    zoo = () if model.name in _OF_THE_PAPER else ("eubanks",)
    paper = ("eubanks_raters",) if model.name in {*_OF_THE_PAPER, "t-a-p"} else ()
    keys = (*zoo, *paper, *(("dawid_skene",) if own else ()), *(("espeland",) if model.name == "t-ah-p" else ()))
    return tuple(map(reference, keys))


def of_fit(fit: Fit) -> tuple[Reference, ...]:
    """The works behind one answer: its model, how it was estimated, its kind of interval."""
    sampled = _SAMPLED if isinstance(fit.posterior, SampledPosterior) else ()
    keys = (*_ESTIMATORS.get(fit.estimator, ()), *sampled, *_INTERVALS.get(fit.interval[0], ()))
    return (*of_model(fit.model), *map(reference, keys))


def of_scale(scale: str) -> tuple[Reference, ...]:
    """The work whose words stand beside the coefficients."""
    return (reference(_SCALES[scale]),) if scale in _SCALES else ()


# Of the help: where each is used, in the order of a reader who looks for it.
USES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (_("Models of truth, accuracy and guessing"), ("eubanks_raters", "eubanks")),
    (_("{Raters} and {subjects} with numbers of their own"), ("dawid_skene", "espeland")),
    (_("Ordered classes and signal detection"), ("decarlo",)),
    (_("Scores of judges, each with a severity and a spread of their own"), ("linacre", "samejima")),
    (_("Best fit by E-M"), ("dempster",)),
    (_("Profile intervals"), ("venzon",)),
    (_("Intervals from the curvature of the likelihood"), ("wald",)),
    (_("Re-draws of the {subjects}"), ("efron",)),
    (_("Tests of t = p at every line, and several tests at once"), ("wilks", "holm")),
    (_("Beliefs that are sampled, and whether chains agree"), ("neal", "vehtari")),
    (_("Sensitivity and specificity less 1"), ("youden",)),
    (_("Kappa of two {raters}, with credit for near misses, of many"), ("cohen", "cohen_weighted", "scott", "fleiss")),
    (_("Other kappas"), ("conger", "light", "hubert", "bennett", "brennan")),
    (_("High agreement, low kappa; AC1"), ("cicchetti", "gwet")),
    (_("Alpha, intraclass correlation, ranks"), ("krippendorff", "mcgraw", "kendall")),
    (_("Words for coefficients"), ("landis_koch", "fleiss_book", "altman")),
    (_("Missing {ratings}, reports of agreement"), ("rubin", "kottner")),
)


def references(
    fits: Iterable[Fit] = (), coefficients: Iterable[Coefficient] = (), scale: str = "", also: Iterable[str] = ()
) -> tuple[Reference, ...]:
    """Every work that is cited, in alphabetical order.

    Parameters
    ----------
    fits, coefficients
        What is told.
    scale
        Key of the scale whose words stand beside the coefficients.
    also
        Keys of further works that a text cites.
    """
    keys = {one.key for fit in fits for one in of_fit(fit)} | {one.key for one in of_scale(scale)} | {*also}
    keys |= {one.key for c in coefficients for one in of_coefficient(c.name, c.weights)}
    return tuple(row for row in WORKS if row.key in keys)


def citation(works: Iterable[Reference]) -> str:
    """How a sentence names works, in brackets: ``(Bennett, Alpert & Goldstein, 1954; Gwet, 2008)``; empty for none."""
    named = "; ".join(dict.fromkeys(one.cite for one in works))
    return _("({works})").format(works=named) if named else ""
