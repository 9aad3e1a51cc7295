"""Numbers that are in print."""

import pytest

from agreement.examples import all_of, case, confusion, fleiss_1971, pick, value, wide


def test_fleiss_kappa_of_thirty_patients_is_as_in_fleiss_1971():
    """Psychological Bulletin 76, p. 380: kappa .430; to more digits .430244520060141."""
    found = pick(all_of(fleiss_1971()), "fleiss_kappa")
    assert found.estimate.value == pytest.approx(0.430244520060141, abs=1e-12)
    assert (found.subjects, found.ratings) == (30, 180)


def test_agreement_on_the_diagnoses_is_as_in_fleiss_1971():
    """Fleiss' kappa of class j is (P_j - p_j) / (1 - p_j), with P_j the specific agreement (p. 381)."""
    found = all_of(fleiss_1971())
    printed = {
        "depression": 0.245,
        "personality_disorder": 0.245,
        "schizophrenia": 0.520,
        "neurosis": 0.471,
        "other": 0.566,
    }
    rates = dict(zip(fleiss_1971().classes, fleiss_1971().class_rates(), strict=True))
    for label, kappa in printed.items():
        p = rates[label]
        specific = pick(found, "specific_agreement", category=label).estimate.value
        assert (specific - p) / (1 - p) == pytest.approx(kappa, abs=6e-4)


@pytest.mark.parametrize(
    ("metric", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)]
)
def test_alpha_of_four_coders_is_as_in_krippendorff_2011(metric, alpha):
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability, example D (12 units, 4 observers, missing)."""
    assert value(case("gwet-4-raters"), "krippendorff_alpha", metric=metric) == pytest.approx(alpha, abs=5e-4)


@pytest.mark.parametrize(
    ("name", "coefficient", "se"),
    [
        ("gwet_ac", 0.77544, 0.14295),
        ("fleiss_kappa", 0.76117, 0.15302),
        ("conger_kappa", 0.76282, 0.14917),
        ("brennan_prediger", 0.77273, 0.14472),
    ],
)
def test_coefficients_of_four_raters_are_as_in_gwet_2014(name, coefficient, se):
    """Gwet (2014), Handbook of Inter-Rater Reliability: 12 subjects, 4 raters, one subject with a single rating."""
    found = pick(all_of(case("gwet-4-raters")), name)
    assert found.estimate.value == pytest.approx(coefficient, abs=5e-6)
    assert found.estimate.se == pytest.approx(se, abs=5e-6)
    assert (found.subjects, found.ratings) == (12, 41)
    assert "single rating" in found.note


def test_alpha_of_four_raters_has_gwets_standard_error_and_leaves_the_single_rating_out():
    found = pick(all_of(case("gwet-4-raters")), "krippendorff_alpha", metric="nominal")
    assert found.estimate.value == pytest.approx(0.74342, abs=5e-6)
    assert found.estimate.se == pytest.approx(0.14557, abs=5e-6)
    assert (found.subjects, found.ratings, found.left_out.subjects, found.left_out.ratings) == (11, 40, 1, 1)


@pytest.mark.parametrize(
    ("table", "kappa", "ac1"), [([[40, 9], [6, 45]], 0.70, 0.70), ([[80, 10], [5, 5]], 0.32, 0.81)]
)
def test_the_kappa_paradox_is_as_in_feinstein_and_cicchetti_1990(table, kappa, ac1):
    """Journal of Clinical Epidemiology 43, 543-549: 85 % raw agreement twice, kappa .70 and .32."""
    found = all_of(confusion(table))
    assert pick(found, "percent_agreement").estimate.value == pytest.approx(0.85)
    assert pick(found, "cohen_kappa").estimate.value == pytest.approx(kappa, abs=5e-3)
    assert pick(found, "gwet_ac").estimate.value == pytest.approx(ac1, abs=5e-3)


def test_kappa_of_the_worked_three_by_three_table_has_the_large_sample_error_of_a_table():
    """[[8,4,2],[5,7,1],[1,2,6]]: P_o = 21/36, P_e = 446/1296, kappa = 310/850; Fleiss, Cohen & Everitt 1969: .1279."""
    found = pick(all_of(confusion([[8, 4, 2], [5, 7, 1], [1, 2, 6]])), "cohen_kappa")
    assert found.estimate.value == pytest.approx((21 / 36 - 446 / 1296) / (1 - 446 / 1296), abs=1e-12)
    assert found.estimate.value == pytest.approx(0.3647, abs=5e-5)
    assert found.estimate.se == pytest.approx(0.1279, abs=6e-5)
    assert found.estimate.how == "fleiss-cohen-everitt"


def test_kappa_and_its_error_are_as_in_fleiss_cohen_and_everitt_1969():
    """Psychological Bulletin 72, 323-327, table 1: 200 subjects, kappa .429 with standard error .053."""
    found = pick(all_of(confusion([[106, 10, 4], [22, 28, 10], [2, 12, 6]])), "cohen_kappa").estimate
    assert found.value == pytest.approx(0.429, abs=5e-4)
    assert found.se == pytest.approx(0.0534, abs=5e-4)


def test_intraclass_correlations_are_as_in_shrout_and_fleiss_1979():
    """Psychological Bulletin 86, 420-428, tables 2 and 4: 6 targets, 4 judges."""
    rows = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    found = all_of(wide(rows))
    printed = {
        "icc_1": (0.17, -0.13, 0.72),
        "icc_a1": (0.29, 0.02, 0.76),
        "icc_c1": (0.71, 0.34, 0.95),
        "icc_1k": (0.44, -0.88, 0.91),
        "icc_ak": (0.62, 0.07, 0.93),
        "icc_ck": (0.91, 0.68, 0.99),
    }
    for name, numbers in printed.items():
        e = pick(found, name).estimate
        assert (e.value, e.low, e.high) == pytest.approx(numbers, abs=6e-3), name
        assert e.how == "f-distribution"


def test_fifty_nine_subjects_with_fourteen_ratings_missing_are_compared_pairwise():
    """By hand: 45 shared subjects 20 5 / 4 16, six a and three b by the first rater only, one a and four b the other.

    kappa = (36/45 - 1020/2025) / (1 - 1020/2025) = 600/1005; the share of a among all 59 is 31.5/59.
    """
    cells = [("a", "a", 20), ("a", "b", 5), ("b", "a", 4), ("b", "b", 16)]
    cells += [("a", None, 6), ("b", None, 3), (None, "a", 1), (None, "b", 4)]
    found = all_of(wide([[x, y] for x, y, n in cells for _ in range(n)], classes=["a", "b"]))
    cohen = pick(found, "cohen_kappa")
    assert cohen.estimate.value == pytest.approx(600 / 1005, abs=1e-12)
    assert (cohen.subjects, cohen.ratings, cohen.left_out.subjects, cohen.left_out.ratings) == (45, 90, 14, 14)
    raw = pick(found, "percent_agreement")
    assert raw.estimate.value == pytest.approx(0.8, abs=1e-12)
    assert raw.left_out.ratings == 14
    share = 31.5 / 59
    fleiss = pick(found, "fleiss_kappa")
    assert fleiss.estimate.value == pytest.approx(1 - 0.2 / (2 * share * (1 - share)), abs=1e-12)
    assert "14" in fleiss.note
    scott = 49 / 90
    assert pick(found, "scott_pi").estimate.value == pytest.approx(1 - 0.2 / (2 * scott * (1 - scott)), abs=1e-12)
