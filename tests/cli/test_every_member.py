"""Every model of the grid through the command line: made up with its truth, fitted, and written with every field.

The table `NUMBERS` is what each member has, and so what `simulate`, `fit` and JSON must know of it (models_more.md §9).
"""

import csv

import pytest

from tapdesk.models.model import GRID_MODELS

_GROUPS = ("--groups", "n,s")
_TWICE = ("--repeats", "30")
_THREE = ("--classes", "lo,mid,hi")
_T, _T3 = "t=.4", "t=.3,.4,.3"
_TG = ("t[n]=.2", "t[s]=.7")
_AG, _PG = ("a[n]=.9", "a[s]=.6"), ("p[n]=.3", "p[s]=.6")
_PI = ("pi[0]=.8,.2", "pi[1]=.1,.9")
# By member: how it is made, further options, and the names of the numbers it reports.
NUMBERS: dict[str, tuple[tuple[str, ...], tuple[str, ...], set[str]]] = {
    "tg-a-p": ((*_TG, "a=.8", "p=.4"), _GROUPS, {"t", "a", "p"}),
    "t-ag-p": ((_T, *_AG, "p=.4"), _GROUPS, {"t", "a", "p"}),
    "t-a-pg": ((_T, "a=.8", *_PG), _GROUPS, {"t", "a", "p"}),
    "t-ag-pg": ((_T, *_AG, *_PG), _GROUPS, {"t", "a", "p"}),
    "tg-ag-p": ((*_TG, *_AG, "p=.4"), _GROUPS, {"t", "a", "p"}),
    "tg-a-pg": ((*_TG, "a=.8", *_PG), _GROUPS, {"t", "a", "p"}),
    "tg-ag-pg": ((*_TG, *_AG, *_PG), _GROUPS, {"t", "a", "p"}),
    "tg-a-pj": ((*_TG, "a=.8", "p=.4"), _GROUPS, {"t", "a", "p"}),
    "tg-aj-p": ((*_TG, "a=.8", "p=.4"), _GROUPS, {"t", "a", "p"}),
    "tg-aj-pj": ((*_TG, "a=.8", "p=.4"), _GROUPS, {"t", "a", "p"}),
    "t-ajg-p": ((_T, *_AG, "p=.4"), _GROUPS, {"t", "a", "p"}),
    "tg-dawid-skene": ((*_TG, *_PI), _GROUPS, {"t", "pi"}),
    "t-ah-p": ((_T, "a=.8", "p=.4", "h=.3"), (), {"t", "a", "p", "h"}),
    "t-ai-p": ((_T, "a=.7", "p=.4", "rho=.3"), (), {"t", "a", "p", "rho"}),
    "t-a-pi": ((_T, "a=.7", "p=.4", "rho=.3"), (), {"t", "a", "p", "rho"}),
    "t-aij-p": ((_T, "a=.7", "p=.4", "sigma=1"), (), {"t", "a", "p", "sigma"}),
    "t-aij-pj": ((_T, "a=.7", "p=.4", "sigma=1"), (), {"t", "a", "p", "sigma"}),
    "sdt": ((_T3, "d=3", "tau=1.5,4.5"), _THREE, {"t", "d", "tau"}),
    "sdt-d": ((_T3, "d=3", "tau=1.5,4.5"), _THREE, {"t", "d", "tau"}),
    "sdt-tau": ((_T3, "d=3", "tau=1.5,4.5"), _THREE, {"t", "d", "tau"}),
    "sdt-1": ((_T3, "d=3", "tau=1.5,4.5"), _THREE, {"t", "d", "tau"}),
    "t-aj-p+m": ((_T, "a=.8", "p=.4", "m=.3"), _TWICE, {"t", "a", "p", "m"}),
    "t-aj-pj+m": ((_T, "a=.8", "p=.4", "m=.3"), _TWICE, {"t", "a", "p", "m"}),
    "t-an-p": ((_T3, "a=.6", "p=.3,.4,.3", "n=.4"), _THREE, {"t", "a", "p", "n"}),
}
_ROW = {"name", "class", "rater", "rated", "covariate", "group", "cut", "status", "value", "se", "low", "high"}
_BESIDE = {"known", "dependence", "contrasts", "consistency", "drift", "tests", "posterior", "subjects", "identified"}


def test_the_table_holds_every_member():
    assert set(NUMBERS) == {row.name for row in GRID_MODELS}


_LONG = {"t-aij-p", "t-aij-pj", "t-aj-p+m", "t-aj-pj+m", "t-ai-p"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in _LONG else []) for name in NUMBERS]
)
def test_a_member_is_made_with_its_truth_fitted_and_written_whole(told, answered, tmp_path, name):
    params, more, wanted = NUMBERS[name]
    made, truth = tmp_path / "made.csv", tmp_path / "truth.csv"
    words = [word for one in params for word in ("--param", one)]
    size = ("--subjects", "80", "--raters", "5", "-o", str(made), "--truth-out", str(truth))
    status, _out, err = told("simulate", "--model", name, *words, *more, *size)
    assert status == 0, err
    with truth.open(newline="") as file:
        assert len({row["truth"] for row in csv.DictReader(file)}) == (3 if more == _THREE else 2)
    columns = ("--by", "group") if more == _GROUPS else ("--occasion", "occasion") if more == _TWICE else ()
    order = ("--order", "lo,mid,hi") if more == _THREE else ()
    fit = answered("fit", str(made), "--model", name, *columns, *order, "--interval", "wald", "--subjects")["fits"][0]
    assert (fit["refused"], fit["identified"]) == (None, True)
    assert fit.keys() >= _BESIDE
    rows = fit["estimates"]
    assert all(row.keys() >= _ROW for row in rows)
    assert {row["name"] for row in rows} == wanted
    assert {row["group"] for row in rows} - {None} == ({"n", "s"} if more == _GROUPS else set())
    assert all((row["cut"] is None) is (row["name"] != "tau") for row in rows)
    assert all(row["value"] is not None for row in rows)
    # Off the edge every free number has its standard error.
    if not fit["degenerate"]:
        assert all(row["se"] is not None for row in rows if row["status"] == "free")
    assert len(fit["subjects"]) == 80
    assert bool(fit["contrasts"]) is (more == _GROUPS)
    assert bool(fit["consistency"]) is (more == _TWICE)
