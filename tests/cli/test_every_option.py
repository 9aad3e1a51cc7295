"""Every option has an effect or is refused: all cells of the table of options, walked from outside."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import openpyxl
import pytest

from tapdesk.cli.arguments import help_of, parse
from tapdesk.cli.first_page import COMMANDS
from tapdesk.cli.main import main
from tapdesk.cli.option import BOOKS, FILES, LAYOUTS, PROJECT, STUDIES
from tapdesk.cli.options import OPTIONS, READING, options_of
from tapdesk.errors import UsageError
from tapdesk.models.model import MODELS
from tapdesk.project.files.file import save
from tapdesk.project.project import Project
from tapdesk.ratings.reading import read_now

EVERY = (*(c for c in COMMANDS if c != "study"), *(f"study {kind}" for kind in STUDIES))
NEEDED = {
    "selftest": (), "study coverage": (), "study words": (), "study shares": (), "study beliefs": (),
    "study awards": (), "study judges": (),
    "simulate": ("--param", "t=.5", "--subjects", "9", "--raters", "2"), "verify": ("x.pdf",),
    "export": ("FILE", "-o", "x.xlsx"),
    "sheets": ("--subjects", "4", "--raters", "A,B", "--classes", "a,b", "-o", "x.xlsx"),
    "compare": ("FILE", "OTHER"), "report": ("FILE", "-o", "x.pdf"), "figure": ("FILE", "--kind", "votes"),
    "letters": ("FILE", "-o", "folder"), "dossier": ("-o", "x.pdf"),
}  # fmt: skip
CASES = range(24)
MARK = {0: "a", 1: "b", 2: "c"}


def rated(case: int, rater: int) -> str:
    """Three classes; the raters agree on most cases."""
    return MARK[(case + (rater == case % 5)) % 3]


def table(head: str, rows) -> str:
    return "\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n"


def long(more: str = "", told=lambda _case, _rater: ()) -> str:
    rows = ((f"s{i}", f"r{j}", rated(i, j), f"w{i % 2}", *told(i, j)) for i in CASES for j in range(3))
    return table(f"case,rater,rating,ward{more}", rows)


def wide(more: str = "", told=lambda _case: ()) -> str:
    rows = ((f"s{i}", *(rated(i, j) for j in range(3)), f"w{i % 2}", *told(i)) for i in CASES)
    return table(f"case,Ana,Ben,Cy,ward{more}", rows)


def asked(more: str = "", told=lambda _case: ()) -> str:
    rows = ((f"s{i}", f"r{j}", rated(i, j), rated(i + j, j), *told(i)) for i in CASES for j in range(3))
    return table(f"case,judge,Q1,Q2{more}", rows)


def named(more: str = "", told=lambda _case: ()) -> str:
    rows = (
        (f"s{i}", f"r{j}", q, rated(i + (q == "B"), j), *told(i)) for q in ("A", "B") for i in CASES for j in range(3)
    )
    return table(f"case,judge,item,answer{more}", rows)


def each(text: str):
    """The same further text in every row, or one told by the case."""
    return lambda *where: (text.format(where[0] % 3 + 1),)


def crossed(last: str = "") -> str:
    return f"x,a,b,c\na,9,2,1\nb,2,8,2\nc,1,2,7\n{last}"


def counted(head: str = "case,a,b,c", more=()) -> str:
    return table(head, ((f"s{i}", *([f"id{i}"] if "code" in head else ()), i % 3, 1, 3, *more) for i in CASES))


CONTENT = {
    "long": long(),
    "raters": wide(),
    "subjects": table(
        "judge," + ",".join(f"W{i}" for i in CASES), ((f"r{j}", *(rated(i, j) for i in CASES)) for j in range(4))
    ),
    "questions": asked(),
    "questions-column": named(),
    "counts": counted(),
    "counts-class1": table("n_ratings,n_class1,k", ((4, i % 5, i) for i in CASES)),
    "confusion": crossed(),
}
BASE = {
    "questions": ("--layout", "questions", "--only", "Q1"),
    "questions-column": ("--layout", "questions", "--question", "item", "--only", "A"),
    **{name: ("--layout", name) for name in ("long", "raters", "subjects", "counts", "confusion")},
    "counts-class1": ("--layout", "counts"),
}


@dataclass(frozen=True)
class Probe:
    """An option in a layout where it has an effect: what is typed, of which file, besides what."""

    typed: tuple[str, ...]
    content: str | None = None
    base: tuple[str, ...] | None = None
    more: tuple[str, ...] = ("check",)


def everywhere(**typed: str) -> dict[str, Probe]:
    return {layout.replace("_", "-"): Probe(tuple(text.split(" "))) for layout, text in typed.items()}


BLANK = {
    "long": long().replace("s1,r1", ",r1").replace("s1,r2", ",r2"),
    "questions": asked().replace("s1,r1", ",r1").replace("s1,r2", ",r2"),
    "questions-column": named().replace("s1,r1", ",r1").replace("s1,r2", ",r2"),
}
KEYED = {
    "long": long(",gold", lambda i, _j: (rated(i, 9).upper(),)),
    "raters": wide(",gold", lambda i: (rated(i, 9).upper(),)),
    "questions": asked(",gold", lambda i: (rated(i, 9).upper(),)),
    "questions-column": named(",gold", lambda i: (rated(i, 9).upper(),)),
}  # fmt: skip
WEIGHED = {
    "long": long(",n", each("{}")), "raters": wide(",n", each("{}")), "questions": asked(",n", each("{}")),
    "questions-column": named(",n", each("{}")),
    "counts": table("case,a,b,c,n", ((f"s{i}", i % 3, 1, 3, 2) for i in CASES)),
    "counts-class1": CONTENT["counts-class1"],
}  # fmt: skip
TWO = {  # the same table twice, for each of two questions
    "long": long(",item", lambda _case, j: ("AB"[j % 2],)),
    "raters": wide(",item", lambda i: ("AB"[i % 2],)),
    "subjects": table(
        "judge,item,W1,W2,W3", ((f"r{j}", q, *(rated(i, j) for i in range(3))) for q in "AB" for j in range(4))
    ),
    "counts": table("case,a,b,c,item", ((f"s{i}", i % 3, 1 + i // 2 % 2, 3, "AB"[i % 2]) for i in CASES)),
    "counts-class1": table("n_ratings,n_class1,item", ((4, i % 5, "AB"[i % 2]) for i in CASES)),
    "confusion": table("x,a,b,item", (("a", 9, 2, "A"), ("b", 1, 7, "A"), ("a", 5, 2, "B"), ("b", 2, 8, "B"))),
    "questions-column": named(),
}  # fmt: skip
NUMBERS = {
    name: CONTENT[name].replace("a", "1.500").replace(",b", ",2.500").replace(",c", ",3.500")
    .replace("c1.500se", "case").replace("r1.500ter", "rater").replace("r1.500ting", "rating")
    .replace("w1.500rd", "ward")
    .replace("An1.500", "Ana").replace("1.500nswer", "answer").replace(",2.500en", ",Ben").replace(",3.500y", ",Cy")
    for name in ("long", "raters", "subjects", "questions", "questions-column")
}  # fmt: skip
NUMBERS["long"] = NUMBERS["long"].replace("r3.500", "rc")
THOUSANDS = {
    "counts": table("case,a,b", ((f"s{i}", f"{i + 1}.000", "2.000") for i in range(3))),
    "counts-class1": table("n_ratings,n_class1,k", (("4.000", f"{i}.000", i) for i in range(3))),
    "confusion": "x,a,b\na,9.000,2.000\nb,1.000,7.000\n",
}
SUMMARIES = {  # a rater, a row or a class that is called like a summary
    **{
        name: CONTENT[name].replace("r2", "Consensus") for name in ("long", "subjects", "questions", "questions-column")
    },
    "raters": CONTENT["raters"].replace("Cy", "Consensus"),
    "counts": CONTENT["counts"].replace("a,b,c", "a,b,Total"),
    "counts-class1": table("case,n_ratings,n_class1", ((f"s{i}" if i else "Total", 4, i % 5) for i in CASES)),
    "confusion": "x,a,b,Mean\na,9,2,1\nb,2,8,2\nMean,1,2,7\n",
}
EVERY_WAY = tuple(LAYOUTS)
EFFECT: dict[str, dict[str, Probe]] = {
    "--layout": {
        **{name: Probe(("--layout", "raters" if name != "raters" else "long"), base=()) for name in EVERY_WAY},
        "counts": Probe(("--layout", "counts"), base=()),
    },
    "--subject": {
        **everywhere(long="--subject ward", raters="--subject ward", questions="--subject Q2"),
        "questions-column": Probe(("--subject", "ward"), named(",ward", each("w{}"))),
        "counts": Probe(
            ("--subject", "code"), counted("case,code,a,b,c"), ("--layout", "counts", "--columns", "a,b,c"),
            ("fit", "--subjects", "--interval", "none"),
        ),
        "counts-class1": Probe(
            ("--subject", "code"), table("n_ratings,n_class1,k,code", ((4, i % 5, i, f"id{i}") for i in CASES)), None,
            ("fit", "--subjects", "--interval", "none"),
        ),
        "confusion": Probe(("--subject", "x"), "a,b,x\n9,2,a\n1,7,b\n"),
    },
    "--rater": everywhere(
        long="--rater ward", subjects="--rater W1", questions_column="--rater case"
    )
    | {"questions": Probe(("--rater", "ward"), asked(",ward", each("w{}")))},
    "--rating": {
        **everywhere(long="--rating ward", questions_column="--rating judge"),
        "questions": Probe(("--rating", "Q2"), None, ("--layout", "questions")),
    },
    "--question": {
        **{name: Probe(("--question", "item"), TWO[name], BASE[name][:2]) for name in TWO},
        "questions": Probe(("--question", "Q2")),
    },
    "--only": {
        **{name: Probe(("--only", "B"), TWO[name], (*BASE[name][:2], "--question", "item")) for name in TWO},
        "questions": Probe(("--only", "Q2"), None, ("--layout", "questions")),
        "questions-column": Probe(("--only", "B"), None, ("--question", "item")),
    },
    "--columns": everywhere(
        raters="--columns Ana,Ben", subjects="--columns W1,W2,W3", counts="--columns a,b",
        counts_class1="--columns n_class1,k", confusion="--columns a,b",
    ),
    "--decimal": {name: Probe(("--decimal", ","), text) for name, text in (NUMBERS | THOUSANDS).items()},
    "--missing": {name: Probe(("--missing", "a")) for name in NUMBERS},
    "--abstain": {name: Probe(("--abstain", "a")) for name in EVERY_WAY if name != "counts-class1"},
    "--blank": {
        name: Probe(("--blank", "none"), CONTENT[name].replace(",b", ",", 1)) for name in NUMBERS
    },
    "--order": {
        **{name: Probe(("--order", "c,b,a")) for name in EVERY_WAY},
        "counts-class1": Probe(("--order", "class 1,class 0")),
    },
    "--class1": {
        **{name: Probe(("--class1", "a")) for name in EVERY_WAY}, "counts-class1": Probe(("--class1", "class 0")),
    },
    "--class0": {
        **{name: Probe(("--class0", "b"), None, (*BASE[name], "--class1", "a")) for name in EVERY_WAY},
        "counts-class1": Probe(("--class0", "class 1"), None, (*BASE["counts-class1"], "--class1", "class 1")),
    },
    "--where": {
        **{name: Probe(("--where", "case=s1")) for name in EVERY_WAY},
        "long": Probe(("--where", "ward=w1")), "raters": Probe(("--where", "ward=w1")),
        "subjects": Probe(("--where", "judge=r1")), "counts-class1": Probe(("--where", "k=2")),
        "confusion": Probe(("--where", "x=a")),
    },
    "--keep-summaries": {name: Probe(("--keep-summaries",), text) for name, text in SUMMARIES.items()},
    "--known": {
        "long": Probe(("--known", "gold"), long(",gold", lambda i, _j: (rated(i, 9),))),
        "raters": Probe(("--known", "Cy")),
        "questions": Probe(("--known", "gold"), asked(",gold", lambda i: (rated(i, 9),))),
        "questions-column": Probe(("--known", "gold"), named(",gold", lambda i: (rated(i, 9),))),
    },
    **{
        option: {
            layout: Probe((option, value), text, (*BASE[layout], "--known", "gold")) for layout, text in KEYED.items()
        }
        for option, value in (("--known-as", "A=a,B=b,C=c"), ("--known-by", "a biopsy"))
    },
    "--label": {
        name: Probe(("--label", "b"), CONTENT[name].replace(",a", ",a; b").replace(",c", ",c; b"))
        for name in ("long", "raters", "subjects", "questions", "questions-column")
    },
    "--raters-are": {
        name: Probe(("--raters-are", "seats"), more=("fit", "--model", "t-aj-p", "--interval", "none"))
        for name in NUMBERS
    },
    "--count": {
        **{name: Probe(("--count", "n"), text) for name, text in WEIGHED.items()},
        "counts-class1": Probe(("--count", "k")),
    },
    "--header": {name: Probe(("--header", "2")) for name in EVERY_WAY},
    "--header-rows": {name: Probe(("--header-rows", "2")) for name in EVERY_WAY},
    "--last-row": {name: Probe(("--last-row", "3")) for name in EVERY_WAY},
    "--fill-down": {name: Probe(("--fill-down",), text) for name, text in BLANK.items()},
    "--uneven": {
        name: Probe(("--uneven", "fit"), text + text.splitlines()[-1].rpartition(",")[0].replace("s23", "s99") + "\n")
        for name, text in CONTENT.items()
    },
    "--encoding": {name: Probe(("--encoding", "utf-16")) for name in EVERY_WAY},
    "--delimiter": {name: Probe(("--delimiter", ";")) for name in EVERY_WAY},
    "--strict": {
        **{name: Probe(("--strict",), text.replace(",a", ",A", 1)) for name, text in CONTENT.items()},
        "counts": Probe(("--strict",), CONTENT["counts"].replace(",1,", ",,", 1)),
        "counts-class1": Probe(
            ("--strict",), table("n_ratings,n_class1,site", ((4, i % 5, "AB"[i % 2]) for i in CASES))
        ),
        "confusion": Probe(("--strict",), CONTENT["confusion"].replace(",1,", ",,", 1)),
    },
}  # fmt: skip
# What has an effect only on workbooks is looked at below.
OF_BOOKS = {"--sheet", "--leave-out-hidden", "--known-sheet", "--rater-sheet"}


def answer(capsys, *arguments: str) -> tuple[int, object, str]:
    """What a command answers, but for its receipt and the time it took."""
    status = main([*arguments, "--json"])
    out, err = capsys.readouterr()
    told = json.loads(out) if out else None
    if told is not None:
        told.pop("options_used")
        for fit in told.get("fits", ()):
            fit.pop("seconds")
    return status, told, err


@pytest.mark.parametrize("layout", EVERY_WAY)
@pytest.mark.parametrize("row", READING, ids=lambda row: row.name)
def test_a_reading_option_changes_what_is_read_in_a_layout_or_is_refused(capsys, tmp_path: Path, row, layout):
    place = tmp_path / "ratings.csv"
    probe = EFFECT.get(row.name, {}).get(layout)
    allowed = any(not cell.layout or layout in cell.layout for cell in row.cells) and row.name not in OF_BOOKS
    assert (probe is not None) is allowed, "the table and the list of effects differ"
    if probe is None:
        place.write_text(CONTENT[layout])
        value = row.choices[-1:] or (CONTENT[layout].split("\n")[0].split(",")[-1],)
        base = () if row.name == "--layout" else BASE[layout]
        status, out, err = answer(capsys, "check", str(place), *base, row.name, *([] if row.takes == "flag" else value))
        assert (status, out) == (2, None)
        assert row.name in err
        return
    place.write_text(CONTENT[layout] if probe.content is None else probe.content)
    base = (probe.more[0], str(place), *probe.more[1:], *(BASE[layout] if probe.base is None else probe.base))
    without, typed = answer(capsys, *base), answer(capsys, *base, *probe.typed)
    assert typed != without
    assert typed[0] in {0, 2, 3, 4}


@pytest.mark.parametrize("command", EVERY)
def test_a_command_takes_the_options_of_the_table_and_names_any_other(command):
    own = {name for row in options_of(command) for name in row.names}
    others = dict.fromkeys(row.name for row in OPTIONS if row.name.startswith("-"))
    for name in others:
        if name in own:
            continue
        with pytest.raises(UsageError, match=f"does not take {name}, which has an effect only with") as refused:
            parse([*command.split(" "), *NEEDED.get(command, ("FILE",)), name])
        assert refused.value.exit_status == 2


@pytest.mark.parametrize("command", EVERY)
def test_the_help_of_a_command_shows_its_options_and_no_others(command, capsys):
    assert main([*command.split(" "), "--help"]) == 0
    out = capsys.readouterr().out
    shown = {word.rstrip(",;") for line in out.splitlines() for word in line.split() if line.startswith("  -")}
    assert {name for name in shown if name.startswith("-")} == {
        name for row in options_of(command) for name in row.names if name.startswith("-")
    } | {"-h", "--help"}
    plain = " ".join(out.split()).replace("- ", "-")
    assert all(" ".join(help_of(row).split()).replace("- ", "-") in plain for row in options_of(command))


@pytest.mark.parametrize("row", READING, ids=lambda row: row.name)
def test_a_reading_option_has_an_effect_on_a_kind_of_file_or_is_refused(capsys, tmp_path: Path, row):
    book, kept = tmp_path / "ratings.xlsx", tmp_path / "ratings.tapdesk"
    made = openpyxl.Workbook()
    made.active.title = "one"
    for line in CONTENT["raters"].splitlines():
        made.active.append(line.split(","))
    made.active.row_dimensions[4].hidden = True
    made.create_sheet("two").append(["case", "Ana"])
    made.save(book)
    place = tmp_path / "ratings.csv"
    place.write_text(CONTENT["raters"])
    save(Project().with_reading(read_now(place)), kept)
    typed = {"--sheet": ("two",), "--class1": ("a",), "--order": ("c,b,a",), "--where": ("ward=w1",)}
    value = typed.get(row.name, (str(row.choices[-1]) if row.choices else "2",))
    value = () if row.takes == "flag" else value
    formats = {name for cell in row.cells for name in cell.format}
    for path, form in ((book, "xlsx"), (kept, PROJECT)):
        asks = ("--class1", "a") if row.name == "--class0" else ()
        status, _out, err = answer(capsys, "check", str(path), *asks, row.name, *value)
        if form not in formats:
            assert status == 2
            assert row.name in err
        elif row.name in {"--sheet", "--leave-out-hidden", "--strict", "--class1", "--order"}:
            assert (status, _out, err) != answer(capsys, "check", str(path), *asks)
    assert set(BOOKS) <= set(FILES)


# Estimation ---------------------------------------------------------------------------------------------------------

BINARY = wide().replace(",b", ",a").replace(",w0", ",0").replace(",w1", ",1")
ESTIMATORS = ("exact-em", "moment-em", "posterior")
MODELS_ = tuple(m.name for m in MODELS)
# What has an exact posterior with two classes (models.md §5.5); all else is sampled.
INTEGRATED = {"t-a-p", "t-ak-p", "t-a0a1-p0p1"}
SMALL = ("--chains", "2", "--draws", "20")
VALUES = {
    "--interval": ("none",), "--level": ("0.8",), "--replicates": ("7",), "--seed": ("5",), "--prior": ("a=beta(2,3)",),
    "--moment-prior": ("flat",), "--chains": ("3",), "--draws": ("30",), "--truth": ("uniform",),
    "--covariates": ("ward",), "--sharpness": ("9",), "--subjects": (), "--tests": (),
}  # fmt: skip


def fits() -> Iterator[tuple[str, str, str, bool | None]]:
    """Option, model, estimator, and whether it has an effect there, by what the papers say of them."""
    for option, name, estimator in product(VALUES, MODELS_, ESTIMATORS):
        sampled = estimator == "posterior" and name not in INTEGRATED
        exact, posterior = estimator == "exact-em", estimator == "posterior"
        effect = {
            "--interval": not posterior, "--level": exact or posterior, "--replicates": False,
            "--seed": exact or sampled, "--prior": posterior, "--moment-prior": estimator == "moment-em",
            "--chains": sampled, "--draws": sampled, "--covariates": name == "t-a(x)-p",
            "--sharpness": name == "ti-aj-P", "--subjects": exact or posterior, "--tests": exact,
            "--truth": name not in {"P-a-P", "ti-aj-P"},
        }  # fmt: skip
        if name == "ti-aj-P" and not posterior:
            continue  # it is refused, whatever else is typed
        yield option, name, estimator, effect[option]


@pytest.mark.parametrize("option", VALUES)
def test_an_option_of_estimation_is_refused_where_it_has_no_effect(capsys, tmp_path: Path, option):
    place = tmp_path / "ratings.csv"
    place.write_text(BINARY)
    refused = 0
    for name, estimator in ((n, e) for o, n, e, effect in fits() if o == option and not effect):
        more = ("--covariates", "ward") if name == "t-a(x)-p" and option != "--covariates" else ()
        asked_ = ("fit", str(place), "--model", name, "--estimator", estimator, *more)
        # A posterior has no interval, so none may be asked for; saying so is no mistake (cli.md).
        status, out, err = answer(capsys, *asked_, option, *(("wald",) if option == "--interval" else VALUES[option]))
        # Where the model itself is refused by the estimator, that may be said first.
        assert status in {2, 4}, (name, estimator)
        assert out is None
        refused += option in err
    assert refused or all(effect for o, _n, _e, effect in fits() if o == option)


@pytest.mark.parametrize("estimator", ["moment-em", "posterior"])
def test_that_no_interval_is_wanted_may_be_said_where_there_is_none(capsys, tmp_path: Path, estimator):
    place = tmp_path / "ratings.csv"
    place.write_text(BINARY)
    asked_ = ("fit", str(place), "--estimator", estimator)
    assert answer(capsys, *asked_, "--interval", "none")[0] == 0
    status, out, err = answer(capsys, *asked_, "--interval", "profile")
    assert (status, out) == (2, None)
    assert "--interval profile has no effect here; of its values only none has one" in err


def changed(capsys, place: Path, option: str, name: str, estimator: str) -> None:
    """Whether the answer with an option differs from the one without it, or both are refused for the data."""
    more: tuple[str, ...] = ("--covariates", "ward") if name == "t-a(x)-p" and option != "--covariates" else ()
    if estimator == "posterior":
        small = dict(zip(SMALL[::2], SMALL[1::2], strict=True))
        if name not in INTEGRATED:
            more += tuple(x for key, value in small.items() if key != option for x in (key, value))
    elif option not in {"--interval", "--level"}:
        more += ("--interval", "none")
    base = ("fit", str(place), "--model", name, "--estimator", estimator, *more)
    without, typed = answer(capsys, *base), answer(capsys, *base, option, *VALUES[option])
    if without[0] == 4 or typed[0] == 2:
        return  # no such model with this estimator, or no such parameter
    assert typed != without, (option, name, estimator)
    assert typed[0] in {0, 4}


@pytest.mark.parametrize("option", [o for o in VALUES if o not in {"--replicates", "--sharpness", "--tests"}])
def test_an_option_of_estimation_changes_the_answer_where_it_has_an_effect(capsys, tmp_path: Path, option):
    place = tmp_path / "ratings.csv"
    place.write_text(BINARY)
    # The whole product is walked by the slow suite; here one cell of each method.
    seen: set[str] = set()
    first = {"--covariates": "t-a(x)-p", "--chains": "t-aj-p", "--draws": "t-aj-p"}
    for o, name, estimator, effect in fits():
        if estimator == "posterior" and option not in {"--prior", "--chains", "--draws"}:
            continue
        if o == option and effect and estimator not in seen and name == first.get(option, "t-a-p"):
            seen.add(estimator)
            changed(capsys, place, option, name, estimator)


@pytest.mark.slow
@pytest.mark.parametrize(("option", "name", "estimator"), [cell[:3] for cell in fits() if cell[3]])
def test_every_option_of_estimation_changes_every_answer_it_has_an_effect_on(
    capsys, tmp_path: Path, option, name, estimator
):
    place = tmp_path / "ratings.csv"
    place.write_text(BINARY)
    changed(capsys, place, option, name, estimator)


@pytest.mark.parametrize(
    ("command", "without", "typed"),
    [
        ("fit", ("--interval", "bootstrap", "--replicates", "9"), ("--replicates", "20")),
        ("fit", ("--tests", "--interval", "none", "--replicates", "9"), ("--replicates", "20")),
        ("scan", ("--interval", "bootstrap", "--replicates", "9"), ("--seed", "4")),
        ("scan", ("--interval", "none", "--replicates", "9", "--tests"), ("--seed", "4")),
        ("scan", ("--interval", "none"), ("--direction", "below")),
        ("pairs", ("--interval", "bootstrap", "--replicates", "20"), ("--seed", "4")),
        ("pairs", ("--interval", "none"), ("--level", "0.8")),
        ("agree", ("--interval", "bootstrap", "--replicates", "20"), ("--seed", "4")),
        ("agree", (), ("--level", "0.8")),
        ("agree", (), ("--weights", "linear")),
        ("agree", (), ("--interval", "none")),
    ],
)
def test_an_option_that_needs_another_changes_the_answer_with_it(capsys, tmp_path: Path, command, without, typed):
    place = tmp_path / "ratings.csv"
    place.write_text(BINARY if command == "fit" else wide())
    base = (command, str(place), *without)
    assert answer(capsys, *base) != answer(capsys, *base, *typed)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("fit FILE --replicates 20", "together with --interval bootstrap, --interval parametric-bootstrap or --tests"),
        ("fit FILE --interval none --level .8", "no effect together with --interval none"),
        ("fit FILE --estimator moment-em --interval wald", "only none has one"),
        ("scan FILE --estimator posterior", "'tapdesk scan' does not take --estimator"),
        ("scan FILE --truth uniform", "'tapdesk scan' does not take --truth"),
        ("scan FILE --class1 a --tests", "only with more than two classes"),
        ("pairs FILE --tests", "'tapdesk pairs' does not take --tests"),
        ("pairs FILE --seed 4", "--interval bootstrap"),
        ("agree FILE --seed 4", "only together with --interval bootstrap"),
        ("agree FILE --interval none --level .8", "no effect together with --interval none"),
        ("fit FILE --covariates NOPE --model t-ax-p", "There is no column 'NOPE' beside the ratings"),
        ("fit FILE --covariates ward,ward --model t-ax-p", "names the column 'ward' twice"),
        ("fit FILE --subject case --rater case", "named twice: by --subject and by --rater"),
        ("check FILE --columns Ana,Ana", "names the column 'Ana' twice"),
        ("check FILE --count Ana --columns Ana,Ben", "named twice: by --count and by --columns"),
        ("check FILE --class0 a", "only together with --class1"),
        ("check FILE --only Q1 --layout raters", "The columns hold no question 'Q1'"),
        ("check FILE --only Q1 --layout subjects", "only together with --question"),
        ("questions FILE --only Q1", "'tapdesk questions' does not take --only"),
        ("check FILE --last-row 99", "There is no row 99"),
        ("report FILE -o r.html --paper letter", "only on files that end in .pdf, .docx or .png"),
        ("report FILE -o r.html --ppi 200", "only on files that end in .png"),
        ("report FILE -o r.html --page 1", "only on files that end in .png"),
        ("report FILE -o r.html --no-archive", "only on files that end in .pdf"),
        ("report FILE -o r.html --sets 5", "only together with --grid or --square"),
        ("report FILE -o r.html --by NOPE", "There is no column 'NOPE' beside the ratings"),
        ("report FILE -o r.html --each ward --by NOPE", "There is no column 'NOPE' beside the ratings"),
        ("report FILE -o r.html --covariates ward", "only with the models t-a(x)-p"),
        ("figure FILE --kind votes -o f.svg --ppi 200", "only on files that end in .png"),
        ("study groups FILE --by NOPE", "There is no column 'NOPE'"),
        ("study groups FILE --by ward --seed 3", "'tapdesk study groups' does not take --seed"),
        ("study coverage FILE", "'tapdesk study coverage' does not take"),
        ("study coverage --model t-aj-p", "'tapdesk study coverage' does not take --model"),
        ("study recovery FILE", "only together with --grid"),
        ("study recovery --model t-aj-p", "only together with --param"),
        ("study recovery --subjects 0 --grid", "is not a whole number from 1 to"),
        ("study kappa FILE --subjects 50 --raters 3", "both --subjects and --raters"),
        ("study kappa --class1 a", "with a FILE to read"),
        ("study plan FILE --param t=.5", "FILE has no effect together with --param"),
        ("study plan --model t-aj-p FILE", "--model has an effect in 'tapdesk study plan' only together with --param"),
        ("study plan FILE --subjects 0", "is not a whole number from 1 to"),
        ("study paper FILE --figure krits", "only with --figure"),
        ("study paper --figure cohen --seed 3", "only with --figure"),
        ("study paper --figure cohen --replicates 3", "only with --figure"),
        ("study paper --figure cohen --workers 2", "only with --figure"),
        ("simulate --param t=.5 --param a=.5 --param p=.5 --subjects 4 --raters 2 --exact --seed 3", "with --exact"),
    ],
)
def test_what_has_no_effect_is_refused_in_one_sentence(capsys, tmp_path: Path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    Path("FILE").write_text(wide())
    assert main(arguments.split(" ")) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert [p.name for p in tmp_path.iterdir()] == ["FILE"]


@pytest.mark.parametrize("kind", [k for k in STUDIES if f"study {k}" in OPTIONS[1].commands and k != "paper"])
def test_a_study_refuses_a_file_that_is_not_there_and_reads_one_as_it_is_told(capsys, kind):
    more = {"recovery": ["--grid"], "groups": ["--by", "ward"]}.get(kind, [])
    assert main(["study", kind, "no such file.csv", *more]) == 3
    assert "There is no such file." in capsys.readouterr().err
    assert main(["study", kind, "sample:wine-cut2", *more, "--layout", "subjects", "--columns", "nope"]) == 2
    assert "There is no column 'nope'" in capsys.readouterr().err
