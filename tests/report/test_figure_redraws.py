"""A picture whose row does not ask for re-draws shows the same numbers without them; one that does shows them."""

import pytest

from tapdesk.answers.figure_table import records_of
from tapdesk.answers.figures.catalog import FIGURES, figures
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse

# What a study behind a picture makes of the fit is tested where the study is; these take their numbers from the fit.
AT_ONCE = tuple(row for row in FIGURES if row.run is None)


def rows(kind, fit, ratings):
    return [] if kind.needs(fit, ratings) else [records_of(panel) for panel in kind.draw(fit, ratings)]


@pytest.mark.parametrize(("name", "asked"), [("wine-cut2", "t-a-p"), ("jury", "t-a-p"), ("jury", "t-aj-p")])
def test_re_draws_are_made_for_the_pictures_that_show_them(name, asked):
    ratings = read_now(f"sample:{name}").ratings
    with_draws, without = (
        finish(analyse(ratings, Request(model(asked), redraws=redraws, replicates=60))) for redraws in (True, False)
    )
    shows = {row.kind for row in AT_ONCE if rows(row, with_draws, ratings) != rows(row, without, ratings)}
    assert shows <= {row.kind for row in AT_ONCE if row.redraws}
    assert "parameters" in shows


@pytest.mark.parametrize("name", ["wine-cut3", "paradox", "fleiss-1971"])
def test_a_picture_that_asks_for_no_shares_shows_the_same_without_them(name):
    ratings = read_now(f"sample:{name}").ratings
    asked = Request(model("t-a-t" if name == "paradox" else "t-a-p"), redraws=False)
    whole, bare = (finish(analyse(ratings, asked, shares=shares)) for shares in (True, False))
    assert whole.shares
    assert not bare.shares
    for kind in (row for row in FIGURES if not row.shares):
        reasons = [kind.needs(fit, ratings) for fit in (whole, bare)]
        assert reasons[0] == reasons[1]
        if reasons[0] is None:
            one, other = (figures(kind.kind, fit, ratings) for fit in (whole, bare))
            assert [records_of(panel) for panel in one] == [records_of(panel) for panel in other]
            assert [(panel.title, panel.note) for panel in one] == [(panel.title, panel.note) for panel in other]
