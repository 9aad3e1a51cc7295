"""The catalog of the papers' figures: each row gives the numbers behind one of them, and the picture of its name."""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from tapdesk.answers.figures import design_study, designs, models
from tapdesk.answers.svg.sheet import Sheet
from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.papers import agreement, densities, multinomial, open_questions, panels, simulations, wine, writing
from tapdesk.papers.reproduction import CK, KZ4, KZ9, MRR, Reproduction, sized_sheet
from tapdesk.studies.table import StudyTable

REPRODUCTIONS: tuple[Reproduction, ...] = (
    Reproduction(
        "recovery",
        _("729 panels of known parameters, estimated: 300 subjects, 5 raters"),
        MRR,
        _(
            "Box plots: with t, a and p each .1 to .9, posterior means of a and p come back stably; those of t fail "
            "where a is near 0, and the text leaves cells of a up to .2 out. Estimates are not correlated."
        ),
        simulations.grid,
        simulations.draw_grid,
        pieces=True,
        sets=True,
        random=True,
        printed=simulations.grid_printed,
    ),
    Reproduction(
        "kappa",
        _("Fleiss' kappa against accuracy: 25 class rates with t = p at 49 accuracies, 500 subjects, 5 raters"),
        MRR,
        _(
            "Kappa follows the square of the accuracy; panels with a rare class (open circles) are noisier, not "
            "biased. The text says rates up to .9, the figure has .02 to .50."
        ),
        simulations.kappas,
        simulations.draw_kappas,
        sets=True,
        random=True,
        printed=simulations.kappas_printed,
    ),
    Reproduction(
        "kappa-apart",
        _("Fleiss' kappa against the square of the accuracy where t and p differ: 25 pairs at 49 accuracies"),
        MRR,
        _(
            "The paper asks why the root of kappa holds up as an accuracy where t is not p. Ours: a study of its own, "
            "500 subjects x 5 raters, with t and p each .1, .3, .5, .7 and .9."
        ),
        panels.kappas,
        design_study.kappas,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "kappa-factor",
        _("Why the root of kappa holds up where t and p differ: kappa over the square of a"),
        MRR,
        _(
            "The paper asks why the root of kappa is a good accuracy where t is not p. Ours: the factor "
            "(1 - t't)/(1 - c'c) over all t and p, with the wine at cut 2 | 3 or your own ratings on it."
        ),
        open_questions.kappa_factor,
        open_questions.draw_kappa_factor,
        own=True,
    ),
    Reproduction(
        "majority",
        _("Whether leaving out cases of the frequent class mends the imbalance"),
        MRR,
        _("The paper asks whether subsamples of the frequent class would mend it. Ours: simulated panels say no."),
        open_questions.majority,
        open_questions.draw_majority,
        pieces=True,
        sets=True,
        random=True,
    ),
    Reproduction(
        "clinical-rates",
        _("Sensitivity, specificity and predictive values of one rating, and what a is among them"),
        MRR,
        _(
            "The paper would associate sensitivity and specificity with t, a, p, and reads a as Pr(~1|1) - Pr(~1|0). "
            "Ours: with the numbers of the wine at cut 2 | 3, or of your own file."
        ),
        open_questions.rates,
        open_questions.draw_rates,
        own=True,
        random=True,
    ),
    Reproduction(
        "thermometers",
        _("Why agreements grow faster than evidence"),
        MRR,
        _(
            "Three thermometers instead of two are half as much evidence again, but agreements go from one to three, "
            "mostly by transitivity: why a root is taken."
        ),
        open_questions.thermometers,
        open_questions.draw_thermometers,
        printed=open_questions.thermometers_printed,
    ),
    Reproduction(
        "wine-scan",
        _("The wine ratings at every cut: accuracy beside the root of kappa, t beside p"),
        MRR,
        _(
            "Class 1 is a rating of at most the cut. Accuracy falls from the low to the high medals, and t = p holds "
            "at cuts 1 and 2. At cut 3 it is not rejected either."
        ),
        wine.scan,
        wine.draw_scan,
        own=True,
        printed=wine.scan_printed,
    ),
    Reproduction(
        "writing-scan",
        _("The writing ratings at every cut: accuracy beside the root of kappa, t beside p"),
        MRR,
        _(
            "6,718 ratings of students' writing on a scale of 1 to 5: the root of kappa is about a, lowest at cut 1, "
            "and t is about p at the middle cuts. Ours: the ratings are not public; a simulated file of their shape, "
            "writing.csv, stands beside this page."
        ),
        writing.scan,
        writing.draw_scan,
    ),
    Reproduction(
        "rater-accuracies",
        _("Raters of known accuracy at t = p = .4, by ti-aj-P, in both designs"),
        MRR,
        _(
            "Posterior of each rater's accuracy, ti-aj-P with d = 30: 1,000 subjects x 5 raters of accuracy .1, "
            ".3, .5, .7, .9, and 100 x 3 raters drawn from Beta(2, 2). The text says t = p = .20, the figure's code "
            ".4. Large numbers of subjects give .108, .325, .540, .759, .952: high."
        ),
        panels.accuracies,
        panels.draw_accuracies,
        random=True,
        printed=panels.accuracies_printed,
    ),
    Reproduction(
        "subject-probabilities",
        _("How probable class 1 is for subjects of either class, in both designs"),
        MRR,
        _(
            "Subjects by estimated probability, both classes side by side, ti-aj-P. Ours: of sig(t_i), since the mean "
            "of t_i itself cannot leave .23 to .77."
        ),
        panels.subjects,
        panels.draw_subjects,
        random=True,
        printed=panels.subjects_printed,
    ),
    Reproduction(
        "rater-histogram",
        _("Accuracies of the raters of a large panel"),
        MRR,
        _(
            "Instructors by accuracy, ti-aj-P, a rating up to 3 counted: most above .5, a few very low. Ours: the "
            "simulated file of that shape, or your own ratings up to the middle of their order."
        ),
        writing.accuracies,
        writing.draw_accuracies,
        own=True,
        random=True,
    ),
    Reproduction(
        "low-rater",
        _("Mean ratings by the least accurate rater, against those by the others"),
        MRR,
        _(
            "Per shared student the least accurate rater's mean rating against that of all others: one correlation, "
            "positive although the accuracy is low. Ours: the simulated file, or your own."
        ),
        writing.companions,
        writing.draw_companions,
        own=True,
    ),
    Reproduction(
        "rater-filter",
        _("Raters of an accuracy below one half left out: before and after"),
        MRR,
        _("The paper leaves raters with a < .5 out. Ours: the simulated file, or your own, by t-aj-p."),
        writing.accurate_raters,
        writing.draw_accurate_raters,
        own=True,
    ),
    Reproduction(
        "subject-groups",
        _("Subject probabilities by year of study"),
        MRR,
        _(
            "Densities of the probability of being below the midpoint, one row for each year: year 1 mostly near 1, "
            "year 4 near 0. Ours: the simulated file, or your own with any column about the subjects."
        ),
        writing.years,
        writing.draw_years,
        own=True,
    ),
    Reproduction(
        "accuracy-by-age",
        _("Accuracy as a function of the rater's age"),
        MRR,
        _(
            "A logistic curve of the rater's standardised age: its slope reaches well to both sides of 0, a hint only; "
            "the text's 'older is better' contradicts the sign of its formula. Ours: the simulated file, in which age "
            "does nothing, or your own with a column of numbers about raters; t and p free."
        ),
        writing.by_age,
        writing.draw_by_age,
        own=True,
    ),
    Reproduction(
        "tree-form",
        _("The tree of the model as the paper draws it"),
        MRR,
        _(
            "From top to bottom: the subject is of class 1 by t; either class goes by a to its own rating, by 1 − a to "
            "one shared node Random, which p splits."
        ),
        agreement.tree_form,
        agreement.draw_tree_form,
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
        printed=agreement.tree_printed,
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
        printed=agreement.shares_printed,
    ),
    Reproduction(
        "pairs",
        _("How well raters tell each pair of classes apart"),
        MRR,
        _(
            "A triangle, first to last but one class down, second to last across: the root of kappa of each pair. "
            "Neighbours are harder, the low end is clearer. Ours: the jury that comes with the program, or your own; "
            "the single wine ratings are not bundled."
        ),
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
        printed=densities.paradox_printed,
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
        printed=densities.both_printed,
    ),
    Reproduction(
        "third-reading",
        _("The third reading of the paradox data: with p = t the accuracy can be anything"),
        MRR,
        _("When p = t, a can be anything."),
        densities.third_reading,
        densities.draw_third_reading,
        printed=densities.third_printed,
    ),
    Reproduction(
        "joint",
        _("What is known of the two accuracies together"),
        KZ4,
        _("The chapter draws the density of (a1, a0)."),
        densities.joint,
        densities.draw_joint,
        own=True,
        printed=densities.joint_printed,
    ),
    Reproduction(
        "label-switching",
        _("Parameters under which the two true classes change places"),
        KZ4,
        _(
            "With a0 = .5, a1 = .2, p0 = .7, p1 = .1 the labels of the true classes switch. The chapter's story: poor "
            "wine is easier to agree on, and some raters inflate it, so that it is rated good more often than good "
            "wine is; the ratings cannot say which class is which. Parameters are to be split only for a reason. Ours: "
            "exact ratings at t = .3."
        ),
        densities.switching,
        densities.draw_switching,
        printed=densities.switching_printed,
    ),
    Reproduction(
        "krits",
        _("Krits per rating against accuracy, expected and in simulated ratings"),
        KZ9,
        _(
            "Figure 1: krits per rating against accuracy for three sets of rates of four classes, expected and "
            "empirical, 100 subjects x 5 raters. With guesses against the grain krits rise before they fall: entropy "
            "is not always greatest at a = 0."
        ),
        multinomial.krits_by_accuracy,
        multinomial.draw_krits,
        sets=True,
        random=True,
        printed=multinomial.krits_printed,
    ),
    Reproduction(
        "krits-limits",
        _("Krits of pure guessing and of pure knowledge"),
        KZ9,
        _("With four classes equally common krits are 1 at a = 0, scored at the truth, and 0 at a = 1."),
        multinomial.krits_limits,
        multinomial.draw_limits,
        random=True,
        printed=multinomial.limits_printed,
    ),
    Reproduction(
        "four-classes",
        _("Four classes recovered in 20 data sets, 100 subjects, 5 raters"),
        KZ9,
        _(
            "Figure 2: 100 subjects x 5 raters, t = (.1, .2, .3, .4), a = .5, p = (.4, .3, .2, .1), by moment E-M: all "
            "nine parameters come back; bars reach from the lowest to the highest estimate."
        ),
        multinomial.four,
        multinomial.draw_nine,
        pieces=True,
        sets=True,
        random=True,
        printed=multinomial.four_printed,
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
        printed=agreement.cohen_printed,
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
