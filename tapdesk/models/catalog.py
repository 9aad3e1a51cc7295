"""The named models: points of the sharing grid (models.md §2). A new one is a value here."""

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Guessing, RaterModel, Truth

MODELS: tuple[RaterModel, ...] = (
    RaterModel(
        "t-a-p",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.ONE,
        _("All raters share one accuracy and one way of picking when they do not know."),
    ),
    RaterModel(
        "t-a-t",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.AS_TRUTH,
        _("All raters share one accuracy; when they do not know, they pick each class as often as it is true."),
    ),
    RaterModel(
        "P-a-P",
        Truth.OBSERVED,
        Accuracy.ONE,
        Guessing.OBSERVED,
        _("Truth and guessing are both held at the observed rates; only the accuracy is estimated."),
    ),
    RaterModel(
        "t-ak-p",
        Truth.FREE,
        Accuracy.PER_CLASS,
        Guessing.ONE,
        _("Each true class has its own accuracy; raters who do not know pick alike."),
    ),
    RaterModel(
        "t-a0a1-p0p1",
        Truth.FREE,
        Accuracy.PER_CLASS,
        Guessing.PER_CLASS,
        _("Each true class has its own accuracy and its own way of picking without knowledge."),
    ),
    RaterModel(
        "t-aj-p",
        Truth.FREE,
        Accuracy.PER_RATER,
        Guessing.ONE,
        _("Each rater has their own accuracy; all pick alike when they do not know."),
    ),
    RaterModel(
        "t-a-pj",
        Truth.FREE,
        Accuracy.ONE,
        Guessing.PER_RATER,
        _("All raters are equally accurate; each has their own leaning when picking without knowledge."),
    ),
    RaterModel(
        "t-aj-pj",
        Truth.FREE,
        Accuracy.PER_RATER,
        Guessing.PER_RATER,
        _("Each rater has their own accuracy and their own leaning when picking without knowledge."),
    ),
    RaterModel(
        "t-a(x)-p",
        Truth.FREE,
        Accuracy.REGRESSION,
        Guessing.ONE,
        _("Accuracy depends on covariates through a logistic curve; all pick alike when they do not know."),
    ),
    RaterModel(
        "ti-aj-P",
        Truth.SHARPENED,
        Accuracy.PER_RATER,
        Guessing.OBSERVED,
        _("Each case has its own truth between 0 and 1; raters who do not know pick at the observed rates."),
    ),
    RaterModel(
        "dawid-skene",
        Truth.FREE,
        Accuracy.NONE,
        Guessing.PER_RATER_AND_CLASS,
        _("Each rater has a table of rates of the given class for each true class, without further structure."),
    ),
)

ALIASES = {"t-a0a1-p": "t-ak-p", "t-ax-p": "t-a(x)-p"}


def model(name: str) -> RaterModel:
    """The named model.

    Raises
    ------
    UsageError
        When there is no such model; the names are listed.
    """
    wanted = ALIASES.get(name, name)
    for row in MODELS:
        if row.name == wanted:
            return row
    known = ", ".join([row.name for row in MODELS] + list(ALIASES))
    raise UsageError(
        _("There is no model '{name}'.").format(name=name), fix=_("The models are: {known}.").format(known=known)
    )
