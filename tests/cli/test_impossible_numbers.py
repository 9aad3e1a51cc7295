"""Numbers that cannot be, for every option that takes one: refused by the parser, in one sentence, before any file."""

import argparse
import re
from itertools import product

import pytest

from tapdesk.cli.arguments import TYPES, NumberRange
from tapdesk.cli.main import main
from tapdesk.cli.options import OPTIONS
from tapdesk.errors import UsageError

NUMERIC = {name for name, kind in TYPES.items() if isinstance(kind, NumberRange)} | {"sizes", "choice"}
# What stands for a number in the help: an option that shows one of these takes a number.
SHOWN = {"N", "R", "M", "MM", "ROW", "SETS", "SHARE", "A", "X", "W", "D", "N,N,N", "R,R"}
# Numbers within texts, which are told apart from names when they are read.
WITHIN = {"--param", "--prior", "--drift", "--cuts", "--bands"}
NEVER = (
    "-5", "-0.5", "-1e-3", "nan", "-nan", "inf", "-inf", "1e400", "1e12", "99999999999999999999", "0x10", "1_000",
    "1,5.", "½", "five", "", " ", "-", "--5", "5-", "+-5", "0-5", "1/2",
)  # fmt: skip
FRACTIONS = ("1.5", "0.5", "1.0", "1e1")
ROWS = [
    pytest.param(command, row, id=f"{command} {row.name}")
    for row in OPTIONS
    if row.takes in NUMERIC
    for command in row.commands
]


def impossible(row):
    """What this option can never mean: what no number of any option is, fractions of counts, what is out of range."""
    kind = TYPES[row.takes]
    if not isinstance(kind, NumberRange):
        return (*NEVER, *FRACTIONS, "0")
    beyond = [kind.least, kind.most] if kind.open else [kind.least - 1, kind.most * 10]
    # Ranges are too different for one large number to lie beyond all of them.
    free = [] if kind.most < 1e12 else ["1e12"]
    never = [text for text in NEVER if text not in free or kind.whole]
    return (*never, *(FRACTIONS if kind.whole else ()), *map(str, beyond))


def asked(command, option, value, joined):
    return [*command.split(" "), *([f"{option}={value}"] if joined else [option, value])]


@pytest.mark.parametrize(("command", "row"), ROWS)
def test_a_number_that_cannot_be_is_refused_in_a_sentence_that_names_it(command, row, capsys):
    for value, joined in product(impossible(row), (True, False)):
        status = main(asked(command, row.name, value, joined))
        said = capsys.readouterr()
        assert (status, said.out) == (2, ""), value
        assert said.err.startswith("tapdesk: "), value
        assert len(said.err.splitlines()) == 1, said.err
        if joined or not value.startswith("-") or value[1:2].isdigit():
            assert f"Argument {row.names[-1]}: " in said.err or f"Argument {'/'.join(row.names)}: " in said.err, value
            assert re.search(r"is not (a|between) |invalid choice", said.err), said.err


@pytest.mark.parametrize(("command", "row"), ROWS)
def test_the_ends_of_a_range_are_taken(command, row):
    kind = TYPES[row.takes]
    if isinstance(kind, NumberRange):
        middle = (kind.least + kind.most) / 2
        ends = [middle] if kind.open else [kind.least, kind.most]
        assert [kind(f"{n:.17g}" if isinstance(n, float) else str(n)) for n in ends] == pytest.approx(ends)
    elif row.takes == "choice":
        assert [kind(str(one)) for one in row.choices] == list(row.choices)
    else:
        assert kind("3,40") == (3, 40)
    assert command in row.commands


def test_every_option_that_shows_a_number_takes_one():
    assert {row.name for row in OPTIONS if (row.metavar in SHOWN) != (row.takes in NUMERIC - {"choice"})} == set()
    assert {row.name for row in OPTIONS if row.choices and all(isinstance(c, int) for c in row.choices)} == {
        row.name for row in OPTIONS if row.takes == "choice"
    }


def taken(kind, text):
    """What a type of the table makes of a text; None where it refuses it."""
    try:
        return kind(text)
    except (argparse.ArgumentTypeError, UsageError, ValueError):
        return None


def test_no_other_way_of_reading_a_number_is_left():
    """A type of the table that makes a number of a text is a range."""
    others = {name: kind for name, kind in TYPES.items() if name not in NUMERIC}
    made = [name for name, kind in others.items() if any(isinstance(taken(kind, n), int | float) for n in ("5", "0.5"))]
    assert made == []


@pytest.mark.parametrize("value", ["-5", "nan", "inf", "1e400", "", "1,,2", "x", "2"])
@pytest.mark.parametrize(
    "typed",
    [
        ("simulate", "--subjects", "4", "--raters", "2", "--param", "t=.5", "--param", "p=.5", "--param", "a={}"),
        ("simulate", "--subjects", "4", "--raters", "2", "--param", "a=.5", "--param", "p=.5", "--param", "t={}"),
        ("study", "recovery", "--param", "t=.5", "--param", "p=.5", "--param", "a={}"),
        ("study", "plan", "--param", "t=.5", "--param", "p=.5", "--param", "a={}"),
        (
            *("simulate", "--subjects", "4", "--raters", "2", "--param", "t=.5", "--param", "p=.5", "--param", "a=.5"),
            *("--drift", "J1=.5,{}"),
        ),
        ("fit", "sample:wine-cut1", "--estimator", "posterior", "--prior", "a=beta({},0)"),
    ],
)
def test_numbers_within_a_text_are_refused_as_well(typed, value, capsys):
    status = main([text.format(value) for text in typed])
    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert said.err.startswith("tapdesk: ")
    assert len(said.err.splitlines()) == 1


def test_lists_of_numbers_below_zero_follow_an_option_without_a_sign_between(tmp_path, capsys):
    place = tmp_path / "scores.csv"
    place.write_text("case,Ana,Ben\n" + "".join(f"c{i},{i % 7 - 3},{(i + i % 2) % 7 - 3}\n" for i in range(40)))
    assert main(["check", str(place), "--cuts", "-1,2", "--bands", "low,middle,high"]) == 0
    assert re.search(r"low \d+ .* middle \d+ .* high \d+ ", " ".join(capsys.readouterr().out.split()))


@pytest.mark.parametrize("wrong", ["nan,2", "inf", "2,2", "", ",", "x,2", "1e400"])
def test_cut_points_that_cannot_be_are_refused(wrong, tmp_path, capsys):
    place = tmp_path / "scores.csv"
    place.write_text("case,Ana,Ben\n" + "".join(f"c{i},{i % 7 - 3},{(i + i % 2) % 7 - 3}\n" for i in range(40)))
    assert main(["check", str(place), "--cuts", wrong]) == 2
    assert capsys.readouterr().err.startswith("tapdesk: ")


def test_a_range_says_what_it_takes():
    for kind, words in (
        (NumberRange(1, 20000), "'x' is not a whole number from 1 to 20,000"),
        (NumberRange(0.5, 2, whole=False), "'x' is not a number from 0.5 to 2"),
        (NumberRange(0, 1, whole=False, open=True), "'x' is not between 0 and 1"),
    ):
        with pytest.raises(argparse.ArgumentTypeError) as refused:
            kind("x")
        assert str(refused.value) == words
