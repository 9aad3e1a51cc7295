"""Pictures and words of the kappa paradox: both readings, their shares, and the report of them."""

from dataclasses import replace

import numpy as np
import pytest

from tapdesk.answers import paradox as words_paradox
from tapdesk.answers.content import Paragraph, Picture
from tapdesk.answers.figure import Bars, Cells, Role
from tapdesk.answers.figures.chance import pictures
from tapdesk.answers.fit_tables import readings
from tapdesk.answers.numbers import APA, REPORT
from tapdesk.answers.side_results import Wanted
from tapdesk.progress import finish
from tapdesk.ratings.ratings import Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.setup import prepare
from tapdesk.studies.paradox import paradox
from tests.studies.examples import WINE, tallied

from .examples import counted, project_of


def crossed(both: int, first: int, second: int, neither: int) -> Ratings:
    """Two raters and two classes from the four cells of their table."""
    cells = [(1, 1)] * both + [(1, 0)] * first + [(0, 1)] * second + [(0, 0)] * neither
    codes = np.array(cells)
    n = len(cells)
    return Ratings.of(
        np.repeat(np.arange(n), 2),
        np.tile([0, 1], n),
        codes.ravel(),
        [str(i) for i in range(n)],
        ["Ana", "Ben"],
        ("No", "Yes"),
    )


@pytest.fixture(scope="module")
def rare():
    return finish(paradox(read_now("sample:paradox").ratings))


def test_the_paradox_shows_in_the_unbalanced_table_only():
    balanced = finish(paradox(crossed(40, 9, 6, 45)))
    unbalanced = finish(paradox(crossed(80, 10, 5, 5)))
    assert (balanced.shows, unbalanced.shows) == (False, True)
    assert balanced.agreement == unbalanced.agreement == pytest.approx(0.85)
    assert balanced.kappa == pytest.approx(0.70, abs=0.005)
    assert unbalanced.kappa == pytest.approx(0.32, abs=0.01)
    assert unbalanced.ac1 == pytest.approx(0.81, abs=0.005)
    told = words_paradox.explained(unbalanced)
    assert "Most ratings are “Yes” (88 %)" in told
    assert "85 of 100" in told
    assert "Look at the three numbers together" in told
    assert "Most ratings" not in words_paradox.explained(balanced)


def test_the_readings_stand_in_a_table_with_what_may_be_believed_of_each(rare):
    table = readings(rare)
    assert [str(row[0]) for row in table.rows] == ["Reading 1", "Reading 2"]
    shares = [row[1].values[0] for row in table.rows]
    assert shares == [one.mass for one in rare.one.readings]
    assert sum(shares) == pytest.approx(1, abs=1e-3)
    for row, one in zip(table.rows, rare.one.readings, strict=True):
        a = next(s for s in one.summaries if s.name.name == "a")
        assert row[4].values[0] == a.median
        assert row[5] == f"{a.hdi_low:.3f} to {a.hdi_high:.3f}"
    # One reading: the whole of what may be believed.
    alone = readings(finish(paradox(crossed(40, 9, 6, 45))))
    assert len(alone.rows) in {1, 2}
    assert sum(row[1].values[0] for row in alone.rows) == pytest.approx(1, abs=1e-3)


def test_two_readings_are_told_with_their_shares_and_no_single_accuracy(rare):
    first, second = words_paradox.stories(rare)
    assert (first.knows, second.knows) == (False, True)
    assert first.mass == pytest.approx(0.614, abs=2e-3)
    assert first.mass + second.mass == pytest.approx(1)
    # look/paradox.png: 42 % of the belief lies below 0.1, 25 % above 0.9.
    assert first.belief == pytest.approx(0.42, abs=0.005)
    assert second.belief == pytest.approx(0.25, abs=0.005)
    told = words_paradox.open_readings(rare)
    assert "two opposite stories" in told
    assert "What would decide it" in told
    (accuracy, _difference, _joint) = pictures(rare)
    assert "no single one is reported" in accuracy.title
    sides = [m for m in accuracy.marks if isinstance(m, Bars) and m.role is not Role.REFERENCE]
    assert [float(m.heights.sum()) for m in sides] == pytest.approx([first.belief, second.belief], abs=1e-6)


def test_the_paradox_pictures_hold_the_whole_posterior(rare):
    accuracy, difference, joint = pictures(rare)
    whole = accuracy.marks[0]
    assert whole.heights.sum() == pytest.approx(1)
    drawn = float(difference.marks[0].heights.sum())
    assert 0.7 <= drawn <= 1
    assert f"{100 * drawn:.0f} %" in difference.note
    (cells,) = (m for m in joint.marks if isinstance(m, Cells))
    assert cells.values.sum() == pytest.approx(1)
    assert "prior’s answer" in joint.note
    # Of two accuracies the rows run from high a0 to low, the columns from low a1 to high.
    tenths = (np.arange(10) + 0.5) / 10
    assert cells.values.sum(axis=1) @ tenths[::-1] == pytest.approx(0.775, abs=0.02)
    assert cells.values.sum(axis=0) @ tenths == pytest.approx(0.194, abs=0.03)


def test_readings_that_are_neither_noise_nor_certainty_keep_their_own_words(rare):
    def tamer(reading):
        return replace(reading, summaries=tuple(replace(s, median=0.2 + 0.5 * s.median) for s in reading.summaries))

    milder = replace(rare, one=replace(rare.one, readings=tuple(tamer(r) for r in rare.one.readings)))
    assert words_paradox.stories(milder) == ()
    told = words_paradox.open_readings(milder)
    assert "two opposite stories" in told
    assert "nearly always right" not in told
    assert all(reading.words in told for reading in rare.one.readings)


def test_a_posterior_with_one_peak_is_one_reading():
    found = finish(paradox(tallied(WINE["2|3"])))
    assert words_paradox.stories(found) == ()
    assert "one reading" in words_paradox.open_readings(found)
    assert pictures(found)[0].title == "The accuracy is near 0.44 (0.35 to 0.53)"


def test_the_report_of_the_paradox_has_both_readings_and_three_pictures():
    project = project_of(None, counted((998, 2, 0), ("negative", "positive")))
    extras = finish(prepare(project, Wanted(tests=False, raters=False, sensitivity=False)))
    for style in (REPORT, APA):
        (section,) = (s for s in build(project, extras=extras, style=style).sections if s.key == "agreement")
        made = [f for b in section.blocks if isinstance(b, Picture) for f in b.panels if f.kind == "paradox"]
        assert len(made) == 3
        told = " ".join(b.text for b in section.blocks if isinstance(b, Paragraph))
        assert "Most ratings are “negative” (>99 %)" in told
        assert "100 of 100" not in told
        assert "The answers are noise" in told
        assert "The raters are nearly always right" in told
        if style is APA:
            words = [text for f in made for axis in (f.x, f.y) for _at, text in axis.ticks]
            assert not [w for w in words if w.startswith("0.")]
    plain = project_of(None, counted((5, 40, 40, 40, 5)))
    assert finish(prepare(plain, Wanted(tests=False, raters=False, sensitivity=False))).paradox is None


# The likelihood along one number and over two.
