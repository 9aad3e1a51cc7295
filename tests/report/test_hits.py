"""How often a rating names the true class, where there are more than two classes, has its interval."""

import numpy as np
import pytest

from tapdesk.answers import fit_words as words
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.ratings.reading import read_now
from tapdesk.studies.analysis import Request, analyse


@pytest.mark.parametrize("name", ["t-a-p", "t-a-t", "t-ak-p", "P-a-P"])
def test_re_draws_give_the_share_of_several_classes_its_interval(name):
    ratings = read_now("sample:dawid-skene-1979").ratings
    fit = finish(analyse(ratings, Request(model(name), redraws=True, replicates=60)))
    drawn = {str(n): v for n, v in fit.draws.values.items()}
    point = fit.parameters
    shares = []
    for i in range(60):
        t = [drawn[f"t[{c}]"][i] if f"t[{c}]" in drawn else point.truth[k] for k, c in enumerate(fit.classes)]
        p = [drawn[f"p[{c}]"][i] if f"p[{c}]" in drawn else point.guessing[0, 0, k] for k, c in enumerate(fit.classes)]
        a = [drawn[f"a[{c}]" if f"a[{c}]" in drawn else "a"][i] for c in fit.classes]
        shares.append(sum(t[k] * (a[k] if a[k] == 1 else a[k] + (1 - a[k]) * p[k]) for k in range(4)))
    low, high = (round(100 * q) for q in np.quantile(shares, [0.025, 0.975]))
    assert f"times in 100 (between {low} and {high})" in words.consequence(fit)
    assert words.drawn_note(fit) == "The interval of this share comes from 60 re-draws of the data."
