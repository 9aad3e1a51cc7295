"""The page of the help on how often our words are wrong, made from its table: ``python -m tests.words.published``."""

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from tapdesk.worlds.catalog import WORLDS
from tapdesk.worlds.claims import CLAIMS

HELP = Path(__file__).parents[2] / "resources" / "help"
TABLE, AGAIN, PAGE = HELP / "words" / "words.csv", HELP / "words" / "again.csv", HELP / "8-words.md"
MADE = {"": "a37a2c5", "two-": "cff6525", "chance-100x5-leanings": "cff6525"}
"""The state of the program that made the rows, by how the names of their worlds begin: words were mended since."""
_HEAD = """# How often are our words wrong?

The program speaks in sentences, and people sign them. So it was tried how often they are false. In {worlds} simulated
worlds it is known what is true: how able the raters are, what they do when they do not know, which cases are hard,
who copies, who uses the scale the other way round. From each world panels were drawn, written as a file, and read and
reported on the way every file of yours takes. Then it was counted what each report said, and whether that was false.
No person judged it; a sentence is known by the template it is made from.

**{panels} panels** in all, random start 1. The first command makes the table with as many panels of every world as
there are at least, the second gives the rows of one world with {most}; both say the same each time:

    tapdesk study words --replicates {fewest} -o words.csv
    tapdesk study words --world KEY --replicates {most} -o words.csv

**Again** is what {panels_again} further panels gave, drawn with other random numbers: {above_again} above its limit
there.

    tapdesk study words --replicates {fewest} --seed 2 -o again.csv

**At most** is the limit: the share of panels in which a sentence may be false, 5 of 100 where it rests on a test or an
interval of 95 %. Behind each share stands its standard error, or, where nothing was false, the share that 95 of 100
such studies would have met at least once. A world is above a limit where more panels are false than luck alone makes
once in a hundred worlds: {above}

**No limit** stands where no panel shows what is true. When cases differ a little, no test notices it in every panel;
when everybody is misled by the same look of a case, none notices it at all. How often the words are wrong then is told
all the same.

## What may be false, and how often it is

| no. | what would be false | at most | found | again |
| --- | --- | --- | --- | --- |
"""
_WORLDS = """
Shares are of panels; of what the panel is sure of, of cases. A sentence is judged in the worlds
in which it can be. {sorry}A pair of raters is named where no other explanation is left, and only of two classes.
Made by the program as of {made}, and by a later one for worlds whose words were mended since: {others}.
Where all raters guess, each in a way of their own, somebody was set apart in 19 of 60 panels before; now nobody is
where luck explains the ratings.

**Names and ages** were tried on more panels, with only the studies these sentences rest on (as of 315b0bd, the first
panels of the same worlds; `python -m tests.words.rates FILE` in the sources makes them again, and goes on where it was
ended). Of five alike raters (model-200x5) nobody was named in 60 panels: below 4.9 %. Where one of five knows little,
it was the headline that named this one in 57 of 60 panels of 100 cases and in 43 of 60 of 60 cases, and somebody else
was set apart in 0 of 60 and in 1 of 60. Accuracy was said to change with age, which it does not, in 25 of 600 panels,
4.2 ± 0.8 %: 9 of 200 of raters who are alike, 8 of 200 and 8 of 200 of raters who differ a little and much.

## World by world

What is not named is as in the plain model: every rating follows its case with accuracy .6, else it is a guess; two
answers, the second true in 4 of 10 cases.

| world | panels | what was false in how many, by its number above |
| --- | --- | --- |
"""
_TAIL = """
The whole table comes with the program as `help/words/words.csv`: `sets` panels were drawn; `judged` of them (or of
their cases) could be judged; the sentence was `said` in so many; the share `false` with its `standard_error`; the
`limit`, empty where nothing can be promised; and whether the share is `within` it.
"""


def rows(table: Path = TABLE) -> list[dict[str, str]]:
    """The rows of a table."""
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def count(row: Mapping[str, str]) -> int:
    """How many were false."""
    return round(float(row["false"]) * int(row["judged"]))


def page() -> str:
    """The whole page."""
    table, again = rows(), rows(AGAIN)
    sets = {row["world"]: int(row["sets"]) for row in table}
    fewest, most = min(sets.values()), max(sets.values())
    bad = [row for row in table if row["within"] == "False"]
    lines = [
        _HEAD.format(
            worlds=len(sets), panels=f"{sum(sets.values()):,}", fewest=fewest, most=most,
            panels_again=f"{sum({row['world']: int(row['sets']) for row in again}.values()):,}",
            above_again=f"{sum(row['within'] == 'False' for row in again) or 'none'} of {len(again)} rows is",
            above=f"{len(bad) or 'none'} of {len(table)} {'are' if len(bad) > 1 else 'is'}.",
        )
    ]  # fmt: skip
    for number, row in enumerate(CLAIMS, 1):
        here = ([r for r in table if r["claim"] == row.key], [r for r in again if r["claim"] == row.key])
        lines.append(f"| {number} {_claim(row.about, row.limit, *here)}")
    others = ", ".join(f"{begins}{'…' if begins.endswith('-') else ''} ({state})" for begins, state in MADE.items())
    lines.append(
        _WORLDS.format(
            sorry=_above(bad),
            made=MADE[""],
            others=others.partition(", ")[2],
        )
    )
    lines += [f"| {row.key}: {row.about} | {sets[row.key]} | {_false(table, row.key)} |\n" for row in WORLDS]
    return "".join((*lines, _TAIL))


def _claim(about: str, limit: float | None, first: list[dict[str, str]], again: list[dict[str, str]]) -> str:
    worst = max(first, key=lambda r: (float(r["false"]), int(r["judged"])))
    most = "–" if limit is None else f"{100 * limit:g} %"
    high = f" Most in {worst['world']}: {count(worst)} of {int(worst['judged']):,}." if count(worst) else ""
    return f"| {about}{high} | {most} | {_all(first)} | {_all(again)} |\n"


def _all(table: list[dict[str, str]]) -> str:
    return _share(sum(count(r) for r in table), sum(int(r["judged"]) for r in table))


def _share(false: int, judged: int) -> str:
    if not false:
        # No standard error stands beside a share of 0: what 95 of 100 such studies would have seen at least once.
        return f"0 of {judged:,}: below {100 * (1 - 0.05 ** (1 / max(judged, 1))):.1f} %"
    share = false / max(judged, 1)
    error = (share * (1 - share) / max(judged, 1)) ** 0.5
    return f"{100 * share:.1f} ± {100 * error:.1f} %, {false:,} of {judged:,}"


def _above(bad: Iterable[Mapping[str, str]]) -> str:
    place = {row.key: number for number, row in enumerate(CLAIMS, 1)}
    told = [f"number {place[row['claim']]} in {row['world']} ({count(row)} of {row['judged']})" for row in bad]
    return f"Above its limit is {', '.join(told)}. " if told else ""


def _false(table: Iterable[Mapping[str, str]], world: str) -> str:
    place = {row.key: number for number, row in enumerate(CLAIMS, 1)}
    wrong = [r for r in table if r["world"] == world and count(r)]
    words = [f"**{place[r['claim']]}** in {count(r)} of {int(r['judged']):,}" for r in wrong]
    return "; ".join(words) or "nothing"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
