"""The catalog of the papers' figures: each row gives the numbers behind one of them, and the picture of its name."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from tapdesk.answers.figures import design_study, designs, models
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.papers import agreement, densities, multinomial, panels
from tapdesk.papers.reproduction import CK, KZ4, KZ9, MRR, Reproduction, sized_sheet
from tapdesk.studies.table import StudyTable

REPRODUCTIONS: tuple[Reproduction, ...] = (
    Reproduction(
        "recovery",
        _("729 panels of known parameters, estimated: 300 subjects, 5 raters"),
        MRR,
        _(
            "With t, a and p each .1 to .9, a and p come back stably; t comes back poorly where a is .2 "
            "or less, so the paper also shows the panels with a > .2, and the root of kappa as an "
            "accuracy."
        ),
        panels.grid,
        design_study.recovery,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "kappa",
        _("Fleiss' kappa against the square of the accuracy: 25 panels at 49 accuracies, 500 subjects, 5 raters"),
        MRR,
        _("Kappa against the square of the accuracy, 500 subjects x 5 raters: they are equal where t = p."),
        panels.kappas,
        design_study.kappas,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "rater-accuracies",
        _("Raters of accuracy .1, .3, .5, .7 and .9 at t = p = .4, estimated"),
        MRR,
        _(
            "Each rater's accuracy is recovered at t = p = .4, with 1000 subjects x 5 ratings and with "
            "100 x 3. Ours: in the small design the ten groups of three raters take turns."
        ),
        panels.five_raters,
        panels.draw_five_raters,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "subject-probabilities",
        _("How probable class 1 is for subjects of either class, rated by those raters"),
        MRR,
        _("The paper draws how probable class 1 is for the subjects of both designs."),
        panels.subjects,
        panels.draw_subjects,
        random=True,
    ),
    Reproduction(
        "rater-histogram",
        _("Accuracies of the raters of a large panel"),
        MRR,
        _(
            "The paper draws the accuracies of the raters of a large panel. Ours: its ratings are not "
            "ours to pass on, so the panel is simulated (60 raters, 1200 subjects, 15 ratings each; the "
            "first rater knows next to nothing)."
        ),
        panels.accuracies,
        panels.draw_accuracies,
        own=True,
        random=True,
    ),
    Reproduction(
        "low-rater",
        _("Correlation of the least accurate rater with the others on shared subjects"),
        MRR,
        _(
            "The paper follows a rater of low accuracy and correlates it with the others on shared "
            "subjects. Ours: the same simulated panel, with the most accurate rater for comparison."
        ),
        panels.companions,
        panels.draw_companions,
        own=True,
        random=True,
    ),
    Reproduction(
        "tree",
        _("The tree of the model with estimated numbers"),
        MRR,
        _(
            "A rating follows the truth with probability a, or else is class 1 with probability p. Ours: "
            "with the numbers of the wine counts at cut 2 | 3, or of your own file."
        ),
        agreement.tree,
        agreement.draw_tree,
        own=True,
    ),
    Reproduction(
        "negative-kappa",
        _("How kappa comes to be negative"),
        MRR,
        _(
            "The paper explains negative kappas: a squared accuracy cannot be negative. Ours: how often "
            "luck alone makes kappa negative at four sizes, and what two camps of raters do, whom t-a-p "
            "does not describe."
        ),
        agreement.negative,
        agreement.draw_negative,
        sets=True,
        random=True,
    ),
    Reproduction(
        "distribution",
        _("Subjects by number of ratings in class 1: seen, by the model, by chance and by experts"),
        MRR,
        _("Observed shares lie on those of the model and far from random answers. Ours: the wine counts at cut 2 | 3."),
        agreement.shares,
        agreement.draw_shares,
        own=True,
    ),
    Reproduction(
        "pairs",
        _("How well raters tell each pair of classes apart"),
        MRR,
        _("A table of conditional accuracies for each pair of classes. Ours: the jury that comes with the program."),
        agreement.by_pair,
        agreement.draw_pairs,
        own=True,
    ),
    Reproduction(
        "paradox",
        _("The rare-disease paradox: what is known of a, and of p - t"),
        MRR,
        _(
            "998 subjects twice negative and 2 with one rating of each kind: kappa is about 0 although "
            "raters agree on nearly all. The paper draws the posterior of the parameters."
        ),
        densities.paradox,
        densities.draw_paradox,
        own=True,
    ),
    Reproduction(
        "accuracy-by-age",
        _("Accuracy as a function of the rater's age"),
        MRR,
        _(
            "Accuracy is a logistic curve of the rater's age. Ours: simulated raters of 25 to 65 years, "
            "t and p free instead of fixed, and a slope whose sign means what it says: below 0, accuracy "
            "falls."
        ),
        panels.by_age,
        panels.draw_by_age,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "densities",
        _("The paradox data under t-a-p and under t-a0a1-p"),
        KZ4,
        _(
            "The densities of t-a-p and of t-a0a1-p. The text has 998 + 2 subjects, the chapter's code "
            "980 + 2: there is no visible difference."
        ),
        densities.both_models,
        densities.draw_both_models,
        pieces=True,
    ),
    Reproduction(
        "third-reading",
        _("The third reading of the paradox data: with p = t the accuracy can be anything"),
        KZ4,
        _("When p = t, a can be anything."),
        densities.third_reading,
        densities.draw_third_reading,
    ),
    Reproduction(
        "joint",
        _("What is known of the two accuracies together"),
        KZ4,
        _("The chapter draws the density of (a1, a0)."),
        densities.joint,
        densities.draw_joint,
        own=True,
    ),
    Reproduction(
        "label-switching",
        _("Parameters under which the two true classes change places"),
        KZ4,
        _(
            "With a0 = .5, a1 = .2, p0 = .7, p1 = .1 the labels of the true classes switch. Ours: exact "
            "ratings at t = .3."
        ),
        densities.switching,
        densities.draw_switching,
    ),
    Reproduction(
        "krits",
        _("Krits per rating against accuracy, expected and in simulated ratings"),
        KZ9,
        _(
            "Krits per rating against accuracy for three sets of rates, expected and empirical. Ours: "
            "the three sets are of our choice, with two, three and four classes."
        ),
        multinomial.krits_by_accuracy,
        multinomial.draw_krits,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "four-classes",
        _("Four classes recovered in 20 data sets, 100 subjects, 5 raters"),
        KZ9,
        _("100 subjects x 5 raters, t = (.1, .2, .3, .4), a = .5, p = (.4, .3, .2, .1): the parameters are recovered."),
        multinomial.four,
        multinomial.draw_four,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "kappa-by-classes",
        _("Kappa is the square of the accuracy at t = p for 2 to 6 classes"),
        KZ9,
        _("At t = p kappa is the square of the accuracy for any number of classes."),
        multinomial.kappa_by_classes,
        multinomial.draw_kappa_by_classes,
        sets=True,
        random=True,
    ),
    Reproduction(
        "cohen",
        _("Cohen's kappa of three classes step by step"),
        CK,
        _("Of 36 subjects 21 agree: P_o = 21/36, P_e = .3441, kappa = .3647."),
        agreement.cohen,
        agreement.draw_cohen,
        own=True,
    ),
)

# The pictures of the other studies of the command line.
STUDY_SHEETS: Mapping[str, Callable[[StudyTable], Sheet]] = MappingProxyType(
    {
        name: partial(sized_sheet, draw)
        for name, draw in {
            "recovery-grid": design_study.recovery,
            "recovery": multinomial.draw_four,
            "kappa": design_study.kappas,
            "plan": designs.sheet,
            "groups": models.sheet,
        }.items()
    }
)


def reproduction(name: str) -> Reproduction:
    """The named one.

    Raises
    ------
    UsageError
        When there is no such figure; the names are listed.
    """
    for row in REPRODUCTIONS:
        if row.name == name:
            return row
    raise UsageError(
        _("There is no figure '{name}'.").format(name=name),
        fix=_("The figures are: {reproductions}.").format(reproductions=", ".join(r.name for r in REPRODUCTIONS)),
    )
