"""Nonsense for every option of every command, made from the parser itself: one sentence and an exit status, always."""

import argparse
import contextlib
import io
from pathlib import Path

import pytest

from tapdesk.cli.arguments import parser
from tapdesk.cli.main import main

LONG = "x" * 300_000
NONSENSE = (
    "", " ", "0", "-1", "-5", "1e12", "1000000000000", "99999999999999999999999999999999999999", "1e-300", "1e400",
    "nan", "-nan", "inf", "-inf", "0x10", "1_000", "1,5", "½", "٣", "+1", "1.0", "NaN%", "None", "NOPE",
    "a\nb", '"a\nb"', 'a"b', '"a', "a\tb", "a\rb", "\0", "a\0b", ",", ",,", "a,a", "=", "=1", "a=", "a=b=c", "t=nan",
    "Ä", "日本", "\u202e", "\U0001f600", "\udcff", "%s", "{0}", "{}", "..", "/", "/dev/null", "*", "-", "--", "--json",
    "1; rm", "$HOME", "a=beta(1e300,1e300)", "a=beta(nan,1)", "t=dirichlet(1)", "9999-12-31", "0001-01-01", LONG,
)  # fmt: skip
# What each command needs to be answered quickly; options that are drawn replace these.
LEAST = {
    "check": ("t.csv",),
    "fit": ("t.csv", "--interval", "none"),
    "agree": ("t.csv",),
    "questions": ("t.csv",),
    "scan": ("t.csv", "--interval", "none"),
    "pairs": ("t.csv", "--interval", "none"),
    "awards": ("t.csv",),
    "compare": ("t.csv", "--other-model", "t-a-t", "--replicates", "2"),
    "simulate": ("--param", "t=.5", "--param", "a=.5", "--param", "p=.5", "--subjects", "4", "--raters", "2"),
    "study": ("paper", "--figure", "list"),
    "report": ("t.csv", "--interval", "none", "-o", "out.nothing"),
    "letters": ("t.csv", "-o", "letters"),
    "figure": ("t.csv", "--kind", "list"),
    "export": ("t.csv", "-o", "out.nothing"),
    "sheets": ("--subjects", "4", "--raters", "A,B", "--classes", "a,b", "-o", "out.nothing"),
    "verify": ("t.csv",),
    "dossier": ("-o", "out.nothing"),
    "selftest": ("-o", "t.csv", "--bogus"),
}
STUDIES = (
    "horizon",
    "plan",
    "groups",
    "models",
    "influence",
    "recovery",
    "kappa",
    "coverage",
    "shares",
    "beliefs",
    "awards",
    "judges",
)
KEPT = {"--help", "--debug"}
STATUS = {0, 2, 3, 4}


def commands():
    """The commands and their options that take a value or none, as the parser declares them."""
    [subparsers] = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    for name, sub in subparsers.choices.items():
        for action in sub._actions:
            if not KEPT.intersection(action.option_strings):
                yield name, action


def trials(name, action):
    """The command lines of one option, or of one argument that stands alone."""
    least = LEAST.get(name, ("t.csv",))
    if not action.option_strings:
        for value in NONSENSE:
            yield (name, *((value, *least[1:]) if least and not least[0].startswith("-") else (value, *least)))
        return
    option = action.option_strings[-1]
    if name == "selftest" and option == "--output":
        # Whatever can be a folder's name is a whole test of the program.
        yield (name, option, "t.csv")
        return
    if action.nargs == 0:
        yield (name, *least, option)
        yield (name, *least, option, option)
        yield (name, *least, f"{option}=1")
        return
    for value in NONSENSE:
        yield (name, *least, option, value)
    for value in ("-1", "", "NOPE", "a\nb"):
        yield (name, *least, f"{option}={value}")
        yield (name, *least, option, value, option, value)
    yield (name, *least, option)


def answer(arguments):
    """Exit status, standard output and standard error of a command run here."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    return status, out.getvalue(), err.getvalue()


def verdict(arguments, out):
    """Whether a report was answered for: `verify` says what it is in its answer, and by the exit status."""
    place = next((a.removeprefix("--json=") for a in arguments if a.startswith("--json=")), "")
    told = Path(place).read_text("utf-8") if place and Path(place).is_file() else out
    return arguments[0] == "verify" and "Only a report saved as PDF can be verified." in " ".join(told.split())


def fault_of(arguments):
    """What is wrong with the answer to a command; empty where it is as promised."""
    status, out, err = answer(arguments)
    shown = err[:300]
    wrong = {
        "the status": status not in STATUS,
        "a traceback": "Traceback" in out + err or "fault of the program" in err,
        "no sentence": status != 0 and "tapdesk: " not in err and not verdict(arguments, out),
        "too many lines": status != 0 and len(err.splitlines()) > 2,
        "endless": len(err) > 6000,
    }
    return "".join(f"{what} ({status}): {shown}" for what, so in wrong.items() if so)


@pytest.fixture(autouse=True)
def table(tmp_path, monkeypatch):
    """A small table in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    rows = ["case,ward,Ana,Ben,Cleo"]
    rows += [f"{i},{'NE'[i % 2]},{'yn'[i % 2]},{'yn'[i % 3 > 0]},{'yn'[i % 5 > 2]}" for i in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    return tmp_path


def walked(cases):
    faults, trials_done = [], 0
    for arguments in cases:
        trials_done += 1
        wrong = fault_of(arguments)
        if wrong:
            shown = tuple(a if len(a) < 60 else a[:20] + "…" for a in arguments)
            faults.append(f"{shown}: {wrong}")
    return faults, trials_done


@pytest.mark.slow
@pytest.mark.parametrize("command", sorted(LEAST))
def test_nonsense_for_every_option_is_told_in_a_sentence(command):
    faults, done = walked(t for name, action in commands() if name == command for t in trials(name, action))
    assert done > 5
    assert not faults, "\n".join(faults)


@pytest.mark.slow
@pytest.mark.parametrize("kind", STUDIES)
def test_nonsense_for_numbers_of_every_study_is_told_in_a_sentence(kind):
    bad = ("-5", "0", "nan", "1000000000000", "", "a\nb", "NOPE")
    options = (
        "--subjects",
        "--raters",
        "--replicates",
        "--seed",
        "--workers",
        "--class1",
        "--model",
        "--param",
        "--by",
    )
    needs = (
        ("t.csv", "--replicates", "1")
        if kind not in {"recovery", "kappa", "coverage", "shares", "beliefs", "awards", "judges"}
        else ("--replicates", "0")
    )
    faults, done = walked(("study", kind, *needs, option, value) for option in options for value in bad)
    assert done == len(bad) * len(options)
    assert not faults, "\n".join(faults)


def test_every_command_is_walked():
    assert {name for name, _action in commands()} == set(LEAST)


def test_a_few_of_them_each_time():
    """A prime step through all of them, so that each change meets every kind of nonsense."""
    cases = [t for name, action in commands() if name in {"check", "simulate", "verify"} for t in trials(name, action)]
    faults, done = walked(cases[::41])
    assert done > 30
    assert not faults, "\n".join(faults)
