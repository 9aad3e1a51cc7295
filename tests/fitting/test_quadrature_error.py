"""The numerical error the exact posterior reports of itself, against grids of twice as many nodes along each axis."""

import pytest

from tapdesk.fitting.quadrature import models as halves
from tapdesk.fitting.quadrature import ridge
from tapdesk.fitting.quadrature.method import posterior_by_quadrature
from tapdesk.models.design import design
from tapdesk.models.model import model
from tapdesk.progress import finish
from tests.tables import WINE_CUTS, counted

TOLD = ("mean", "sd", "median", "q05", "q25", "q75", "q95")
DATA = {"wine 2|3": WINE_CUTS["2|3"], "10 x 3": (4, 2, 1, 3)}


@pytest.fixture
def finer(monkeypatch):
    """Make every grid from now on twice as fine."""

    def twice():
        monkeypatch.setattr(halves, "_SPACING", tuple(s / 2 for s in halves._SPACING))
        for name in ("_FEWEST", "_MOST"):
            monkeypatch.setattr(halves, name, tuple(2 * n - 1 for n in getattr(halves, name)))
        monkeypatch.setattr(halves, "_LIMIT", 8 * halves._LIMIT)
        monkeypatch.setattr(ridge, "_SPACING", ridge._SPACING / 2)
        monkeypatch.setattr(ridge, "_LATTICE", tuple((2 * a, 2 * b) for a, b in ridge._LATTICE))
        for name in ("_FEWEST", "_MOST"):
            monkeypatch.setattr(ridge, name, 2 * getattr(ridge, name))

    return twice


@pytest.mark.costly(3)
@pytest.mark.parametrize("name", ["t-a-p", "t-a0a1-p", "t-a0a1-p0p1"])
@pytest.mark.parametrize("table", DATA.values(), ids=DATA.keys())
def test_the_error_told_is_above_the_true_one_and_of_its_size(table, name, finer):
    patterns = design(model("t-a-p"), counted(table)).patterns
    found = finish(posterior_by_quadrature(name, patterns))
    finer()
    better = finish(posterior_by_quadrature(name, patterns))
    true = max(
        abs(getattr(mine, what) - getattr(fine, what))
        for mine, fine in zip(found.summaries, better.summaries, strict=True)
        for what in TOLD
    )
    assert true <= found.error <= 50 * true
    assert true < 1.5e-4
    assert found.error < 5e-4
