"""The end of the help page on the newer models, made from the long tables: ``python -m tests.studies.grid_page``."""

from collections.abc import Container, Sequence
from pathlib import Path

from tapdesk.studies.error_rates import REPLICATES, TESTS
from tapdesk.studies.grid_panels import MEMBERS
from tapdesk.studies.member_coverage import SUBJECTS
from tapdesk.studies.pooling_coverage import PANELS
from tapdesk.studies.posterior_calibration import BELIEFS
from tapdesk.worlds.catalog import world
from tapdesk.worlds.headline_ranges import DIFFERENT, HEADLINES, SPEAKS
from tests.studies.long_tables import rows_of

PAGE = Path(__file__).parents[2] / "resources" / "help" / "9-grid.md"
TITLE = "## How far these models keep their word"
_HEAD = """
All of this was tried on simulated panels whose numbers are known. The tables stand in the help folder `coverage`:
`members.csv`, `tests.csv` and `ranks.csv`; what their columns mean is told there.

**Tests.** A test at 5 % should speak in 5 of 100 panels where nothing differs. Panels have {cases} cases; each is
tested with up to {replicates} simulated data sets (drift: a chi-square law). Behind each share stands its Monte Carlo
error.

| test | raters, classes | speaks where nothing differs | what differs | speaks then |
| --- | --- | --- | --- | --- |
"""
_MEMBERS = """
**Intervals.** How many of 100 profile intervals of 95 % hold the true number: the lowest and the highest of the kinds
of numbers the model has, with {errors} as Monte Carlo error; in brackets the usual error of an accuracy, where there
is one. Off the edge, with 300 cases and more, they hold it in 93 to 97 of 100, up to three times that error. There is
one exception: with hard cases (`t-ah-p`) `t` and `p` are held in 91 to 93 only, because they can be exchanged for
each other along a bent ridge of the likelihood; a likelihood and a search written apart held `t` in 93.5 ± 1.0. With
30 and 100 cases less is promised: there many fits lie on an edge.

| model | {sizes} |
| --- | {lines} |
"""
_RANKS = """
**Beliefs.** Numbers are drawn from what is believed beforehand, panels from them, and the place of the truth among
draws of the sampler should then be any. Of `n` panels: the lowest and highest share of truths within the middle 90 of
100, and the smallest p-value of a test that all places are equally frequent.

| beliefs | n | within the middle 90 % | smallest p |
| --- | --- | --- | --- |
"""
_CASES = """
**Cases that differ.** Panels whose cases truly are harder, or are beyond everybody, and panels whose cases are alike,
were reported as a user's file is. Where the test of fit speaks, the headline tells ranges. Where it does not, but an
accuracy more than .05 below the interval would go with the ratings as well if each case had an accuracy of its own, it
tells the one accuracy with its condition, that range behind it, and how often the test would have spoken. Else it
tells one accuracy. How often each was told, how often the true accuracy lay inside, and how wide what is told is on
average, of {sets} panels of a kind; the rest tells that raters differ, which is luck here. Of all {all} headlines
about panels whose cases differ, {held} hold the truth; of the {silent} of them in which the test does not speak,
{silent_held}. The plain interval would do so in {plain}. Where cases are alike the range costs much width with few
raters, next to nothing with eight or twelve. With three raters no test can speak, and the headline says what the
accuracy would be if some were harder. The table is `headlines.csv`.

| panels | test speaks | holds | width | number and range | holds | width | one accuracy | holds | width |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
_PLAIN = "14 of 40"
"""Of the same panels, by the program that told the plain interval wherever the test did not speak (state f7b4aa6a)."""
_POOLING = """
**Raters where edges rule.** Panels of {subjects} cases and {raters} raters with known accuracies; those in which
somebody has a number on the edge, so that raters are told as drawn from one population. How many of 100 intervals of
95 % hold the accuracy, with the Monte Carlo error, how wide they are and the usual error of an accuracy: by the
profiles of each rater alone, and drawn together. The table is `pooling.csv`.

| panels | model | looked at | each alone | width, error | drawn together | width, error |
| --- | --- | --- | --- | --- | --- | --- |
"""


def page_end() -> str:
    """The section as it follows from the tables that are there."""
    lines = []
    table = rows_of("tests")
    for same in (row for row in table if row["truth"] == "same"):
        differs = next(row for row in table if row["test"] == same["test"] and row["truth"] == "differs")
        shares = [f"{_of_100(row['rejected'])} ± {_of_100(row['error'])}" for row in (same, differs)]
        design = f"{same['raters']}, {same['classes']}"
        lines.append(f"| {same['test']} | {design} | {shares[0]} | `{differs['differs']}` | {shares[1]} |")
    head = _HEAD.format(cases=table[0]["subjects"], replicates=REPLICATES)
    tests = "\n".join(lines) + "\n" + _not_measured(TESTS, {row["test"] for row in table}, "of these tests")
    return f"{TITLE}\n{head}{tests}{_members()}{_ranks()}{_pooling()}{_cases()}"


def _not_measured(names: Sequence[str], there: Container[str], what: str) -> str:
    """What a table does not hold yet; empty where it holds all."""
    missing = ", ".join(f"`{name}`" for name in names if name not in there)
    return f"\nNot measured so far, so that nothing is promised {what}:\n{missing}.\n" if missing else ""


def _of_100(share: str) -> str:
    return f"{100 * float(share):.1f}"


def _members() -> str:
    table = rows_of("members")
    there = {row["model"] for row in table}
    lines = []
    for name in (name for name in MEMBERS if name in there):
        cells = []
        for size in SUBJECTS:
            own = [row for row in table if row["model"] == name and int(row["subjects"]) == size]
            held = sorted(100 * float(row["covered"]) for row in own)
            miss = next((f" ({float(row['rmse']):.2f})" for row in own if row["number"] == "a"), "")
            cells.append(f"{held[0]:.0f}–{held[-1]:.0f}{miss}")
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    errors = sorted(100 * float(row["error"]) for row in table)
    head = _MEMBERS.format(
        errors=f"{errors[0]:.1f} to {errors[-1]:.1f}",
        sizes=" | ".join(f"{n:,} cases" for n in SUBJECTS),
        lines=" | ".join("---" for _n in SUBJECTS),
    )
    rest = _not_measured(MEMBERS, there, "of the intervals of")
    return head + "\n".join(lines) + "\n" + rest


def _ranks() -> str:
    table = rows_of("ranks")
    lines = []
    for name in dict.fromkeys(row["beliefs"] for row in table):
        own = [row for row in table if row["beliefs"] == name]
        inside = sorted(100 * float(row["in_90"]) for row in own)
        least = min(float(row["p_uniform"]) for row in own)
        lines.append(f"| `{name}` | {own[0]['told']} | {inside[0]:.0f}–{inside[-1]:.0f} | {least:.3f} |")
    there = {row["beliefs"] for row in table}
    return _RANKS + "\n".join(lines) + "\n" + _not_measured(BELIEFS, there, "of the beliefs about")


def _pooling() -> str:
    table = rows_of("pooling")
    lines = []
    for name in dict.fromkeys(row["panels"] for row in table):
        own = {row["how"]: row for row in table if row["panels"] == name}
        cells = []
        for row in (own["alone"], own["pooled"]):
            cells.append(f"{_of_100(row['covered'])} ± {_of_100(row['error'])}")
            cells.append(f"{float(row['width']):.2f}, {float(row['rmse']):.2f}")
        one = own["pooled"]
        lines.append(f"| {name} | `{one['model']}` | {one['pooled']} of {one['sets']} | {' | '.join(cells)} |")
    there = {row["panels"] for row in table}
    rest = _not_measured(tuple(PANELS), there, "of these panels")
    return _POOLING.format(**table[0]) + "\n".join(lines) + "\n" + rest


def _cases() -> str:
    table = rows_of("headlines")
    lines = []
    for key in dict.fromkeys(row["world"] for row in table):
        own = {row["headline"]: row for row in table if row["world"] == key}
        cells = [cell for headline in HEADLINES for cell in _held(own[headline])]
        here = world(key)
        what = "all alike"
        if here.varied:
            what = "every case has an accuracy of its own"
        elif here.spread:
            what = f"difficulty varies, sd {here.spread:g}"
        elif here.hard:
            what = f"everyone guesses on {100 * here.hard:.0f} of 100 cases"
        lines.append(f"| {here.cases} x {here.raters}, {what} (`{key}`) | {' | '.join(cells)} |")
    differ = [row for row in table if row["world"] in DIFFERENT]
    silent = [row for row in differ if row["headline"] != SPEAKS]
    fields = {
        "sets": table[0]["sets"],
        "all": _sum(differ, "panels"),
        "held": _sum(differ, "held"),
        "silent": _sum(silent, "panels"),
        "silent_held": _sum(silent, "held"),
        "plain": _PLAIN,
    }
    return _CASES.format(**fields) + "\n".join(lines) + "\n"


def _sum(table: Sequence[dict[str, str]], column: str) -> int:
    return sum(int(row[column]) for row in table)


def _held(row: dict[str, str]) -> tuple[str, str, str]:
    """In how many panels this was told, in how many of them it held the truth, and how wide it was."""
    if not int(row["panels"]):
        return "0", "–", "–"
    return row["panels"], row["held"], f"{float(row['width']):.2f}"


def main() -> None:
    """Write the end of the page; what stands before it stays."""
    before = PAGE.read_text("utf-8").split(TITLE)[0].rstrip("\n")
    PAGE.write_text(f"{before}\n\n{page_end()}", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
