"""No command destroys a file: every output option of the parser against every kind of file that may stand there."""

import io
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import openpyxl
import pytest
from PIL import Image
from PySide6.QtSvg import QSvgRenderer

from tapdesk.answers.figures.catalog import figures
from tapdesk.cli.main import main
from tapdesk.cli.options import OPTIONS
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.files.file import encode, save
from tapdesk.project.files.outputs import OutputKind, Outputs, mark_in, pdf_mark, seal
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.own.case_list import numbered_cases
from tapdesk.ratings.own.plan import plan_sheets
from tapdesk.ratings.reading import read_now
from tapdesk.report.award_list import award_files
from tapdesk.report.build import build
from tapdesk.report.cleaned import cleaned_data, cleaned_files
from tapdesk.report.forms.pdf import figure_file
from tapdesk.report.forms.pdf import pdf as pdf_of
from tapdesk.report.forms.write import content
from tapdesk.report.rating_sheets import sheet_files
from tapdesk.report.setup import arranged
from tapdesk.studies.analysis import Request, analyse
from tapdesk.studies.award_answer import AwardRequest
from tapdesk.studies.awards import awards
from tests.tables import scored

# What names a file or a folder in the parser, and is not written: it is read.
READ = {"notes", "file", "other", "compare", "pdf", "project", "logo"}
# What stands for a free text that is no place. A new one has to be put here, or into the table of ways below.
NO_PLACES = {"COL", "J1=.9,.3", "VALUE", "NAME", "SIGN", "SECTIONS", "TEXT", '"a=beta(1,1)"', "t=.1,.2,.3,.4"}


@dataclass(frozen=True)
class Way:
    """One output option of a command, typed so that the command is quick.

    Attributes
    ----------
    before, option, after
        The words before the option, the option (``{}`` is the place), the words after it.
    suffix
        Of the file.
    own
        What the command writes there, None for a table.
    inputs
        Whether there is a file that the command reads.
    """

    before: tuple[str, ...]
    option: tuple[str, ...]
    suffix: str
    own: OutputKind | None
    inputs: bool = True
    after: tuple[str, ...] = ()


SIZES = ("--subjects", "5", "--raters", "2")
SIMULATE = ("simulate", "--param", "t=.5,.5", "--param", "a=.5", "--param", "p=.5,.5", *SIZES)
QUICK = ("--interval", "none", "--class1", "1")
SECTIONS = (
    "purpose,design,data,description,technical,counts,checks,raters,sensitivity,agreement,decisions,cases,results"
)
ANSWER = (("--json={}",), ".json", OutputKind.ANSWER)
SHEETS = ("sheets", "--subjects", "4", "--raters", "Ana,Ben", "--classes", "a,b")
WAYS: dict[tuple[str, str], Way] = {
    ("check", "json"): Way(("check", "{input}"), *ANSWER),
    ("fit", "json"): Way(("fit", "{input}", *QUICK), *ANSWER),
    ("agree", "json"): Way(("agree", "{input}", "--interval", "none"), *ANSWER),
    ("questions", "json"): Way(("questions", "{input}"), *ANSWER),
    ("compare", "json"): Way(("compare", "{input}", "--other-model", "t-a-t", "--replicates", "2"), *ANSWER),
    ("scan", "json"): Way(("scan", "{input}", "--interval", "none"), *ANSWER),
    ("pairs", "json"): Way(("pairs", "{input}", "--interval", "none"), *ANSWER),
    ("simulate", "json"): Way(SIMULATE, *ANSWER, inputs=False),
    ("simulate", "output"): Way(SIMULATE, ("-o", "{}"), ".csv", None, inputs=False),
    ("simulate", "truth_out"): Way(SIMULATE, ("--truth-out", "{}"), ".csv", None, inputs=False),
    ("study", "json"): Way(("study", "paper"), *ANSWER, inputs=False),
    ("study", "output"): Way(("study", "kappa", "{input}", "--replicates", "1"), ("-o", "{}"), ".csv", None),
    ("study", "picture"): Way(
        ("study", "kappa", "{input}", "--replicates", "1"), ("--picture", "{}"), ".svg", OutputKind.FIGURE
    ),
    ("report", "json"): Way(("report", "{input}", *QUICK, "-o", "{folder}/r.html"), *ANSWER),
    ("report", "output"): Way(("report", "{input}", *QUICK), ("-o", "{}"), ".html", OutputKind.REPORT),
    ("report", "appendix"): Way(
        ("report", "{input}", *QUICK, "-o", "{folder}/r.html"), ("--appendix", "{}"), ".html", OutputKind.REPORT
    ),
    ("report", "save_project"): Way(
        ("report", "{input}", *QUICK, "-o", "{folder}/r.html"), ("--save-project", "{}"), ".tapdesk", OutputKind.PROJECT
    ),
    # Which files they are called is known when the raters are: one of the two is always A.
    ("letters", "json"): Way(("letters", "{input}", *QUICK[2:], "-o", "{folder}/sent"), *ANSWER),
    ("letters", "output"): Way(
        ("letters", "{input}", *QUICK[2:]), ("-o", "{}"), "/letter-A.pdf", OutputKind.LETTER, inputs=False
    ),
    ("figure", "json"): Way(("figure", "{input}", *QUICK, "--kind", "list"), *ANSWER),
    ("figure", "output"): Way(
        ("figure", "{input}", *QUICK, "--kind", "estimates"), ("-o", "{}"), ".svg", OutputKind.FIGURE
    ),
    ("export", "json"): Way(("export", "{input}", "-o", "{folder}/r.csv"), *ANSWER),
    ("export", "output"): Way(("export", "{input}"), ("-o", "{}"), ".xlsx", OutputKind.RATINGS),
    ("awards", "json"): Way(("awards", "{input}"), *ANSWER),
    ("awards", "output"): Way(("awards", "{input}"), ("-o", "{}"), ".xlsx", OutputKind.AWARDS),
    ("awards", "worklist"): Way(("awards", "{input}"), ("--worklist", "{}"), ".xlsx", OutputKind.SHEETS),
    ("fit", "worklist"): Way(
        ("fit", "sample:audit", "--interval", "none"), ("--worklist", "{}"), ".xlsx", OutputKind.SHEETS, inputs=False
    ),
    ("sheets", "json"): Way((*SHEETS, "-o", "{folder}/r.xlsx"), *ANSWER, inputs=False),
    ("sheets", "output"): Way(SHEETS, ("-o", "{}"), ".xlsx", OutputKind.SHEETS, inputs=False),
    ("verify", "json"): Way(("verify", "{input}"), *ANSWER),
    ("dossier", "json"): Way(("dossier", "-o", "{folder}/d.pdf"), *ANSWER, inputs=False),
    ("dossier", "output"): Way(("dossier",), ("-o", "{}"), ".pdf", OutputKind.DOSSIER, inputs=False),
    ("selftest", "json"): Way(("selftest",), *ANSWER, inputs=False),
    ("selftest", "output"): Way(("selftest",), ("-o", "{}"), "/report.pdf", OutputKind.REPORT, inputs=False),
}


def places_in_table() -> Iterator[tuple[str, str]]:
    """Every option of every command that names a file and is not read, as the table that makes the parser has them."""
    for row in OPTIONS:
        if row.takes in {"text", "optional"} and not row.choices and row.key not in READ:
            for command in row.commands:
                if (row.metavar or row.key) not in NO_PLACES:
                    yield command.partition(" ")[0], row.key


def test_every_output_option_of_the_table_is_walked_here():
    assert set(places_in_table()) == set(WAYS)


# What may stand there -------------------------------------------------------------------------------------------


@cache
def project() -> Project:
    reading = read_now("sample:wine-cut1")
    asked = Request(model("t-a-p"), interval="none")
    return (
        Project(title="Walk")
        .with_reading(reading)
        .with_analysis(Analysis("main", asked, finish(analyse(reading.ratings, asked))))
    )


@cache
def pdf(*, issued: bool) -> bytes:
    day = datetime(2026, 5, 14, tzinfo=UTC) if issued else None
    report = arranged(project(), issued=day)
    return content(report, ".pdf")


@cache
def award_list() -> bytes:
    ratings = scored(((0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1)))
    return award_files(finish(awards(ratings, AwardRequest())), Path("x.xlsx"))[0][1]


def signed(content: bytes) -> bytes:
    """A PDF with a revision behind it, as an electronic signature adds."""
    added = b"\n40 0 obj\n<</Type/Sig/ByteRange[0 10 20 30]>>\nendobj\nxref\n0 0\ntrailer\n<</Prev 1>>\n%%EOF\n"
    return content + added


def document(suffix: str, kind: OutputKind) -> bytes:
    """A report, or a page that says it is a letter or a dossier."""
    if kind in {OutputKind.LETTER, OutputKind.DOSSIER}:
        return pdf_of(replace(arranged(project()), facts=(pdf_mark(kind),)))
    return pdf(issued=False) if suffix == "/report.pdf" else content(arranged(project()), suffix)


@cache
def own_bytes(suffix: str, kind: OutputKind | None) -> bytes:
    """A file of ours, as this program writes it."""
    simple = {
        None: b"subject,rater,rating\nS1,J1,1\n",
        OutputKind.ANSWER: b'{\n "tapdesk": "0.0.9",\n "schema": 1,\n "command": "check"\n}\n',
    }
    if kind in simple:
        return simple[kind]
    if kind is OutputKind.PROJECT:
        return encode(project())
    if kind in {OutputKind.REPORT, OutputKind.LETTER, OutputKind.DOSSIER}:
        return document(suffix, kind)
    if kind is OutputKind.AWARDS:
        return award_list()
    if kind in {OutputKind.RATINGS, OutputKind.SHEETS}:
        plan = plan_sheets(numbered_cases(3), ("Ana",), ("a", "b"))
        place = Path("x.xlsx")
        rated = kind is OutputKind.RATINGS
        return (cleaned_files(cleaned_data(project()), place) if rated else sheet_files(plan, place))[0][1]
    fit = project().analyses[0].fit
    assert fit is not None
    return figure_file(figures("estimates", fit, project().ratings)[0], suffix)


FOREIGN = b"all that is known of the patients, typed by hand\n"
THERE: dict[str, Callable[[str, OutputKind | None], bytes]] = {
    "foreign": lambda _suffix, _kind: FOREIGN,
    "empty": lambda _suffix, _kind: b"",
    "own_other_kind": lambda _suffix, kind: (
        encode(project()) if kind is OutputKind.ANSWER else own_bytes(".json", OutputKind.ANSWER)
    ),
    "issued": lambda _suffix, _kind: pdf(issued=True),
    "signed": lambda _suffix, _kind: signed(pdf(issued=True)),
    "signed_draft": lambda _suffix, _kind: signed(pdf(issued=False)),
}


@pytest.fixture
def walk(tmp_path, capsys):
    """Run one way against one place; status and standard error."""

    def run(way: Way, place: Path | str, *more: str) -> tuple[int, str]:
        data = tmp_path / "input.csv"
        if not data.exists():
            rows = [f"{case},{a},{(a + case % 2) % 2}" for case, a in ((i, i % 2) for i in range(12))]
            data.write_text("case,Ann,Ben\n" + "\n".join(rows) + "\n")
            if way.before[0] == "letters":
                # Of two nobody could be told apart.
                three = [
                    f"{case},{case % 2},{(case + (case == 3)) % 2},{(case + (case == 5)) % 2}" for case in range(12)
                ]
                data.write_text("case,Ann,Ben,Cy\n" + "\n".join(three) + "\n")
            if way.before[0] == "questions":
                form = [f"{case},{who},{(case + k) % 2},{case % 2}" for case in range(12) for k, who in enumerate("AB")]
                data.write_text("case,rater,Q1,Q2\n" + "\n".join(form) + "\n")
        words = (*way.before, *(word.replace("{}", str(place)) for word in way.option), *way.after, *more)
        status = main([w.replace("{input}", str(data)).replace("{folder}", str(tmp_path)) for w in words])
        return status, capsys.readouterr().err

    return run


def target_of(way: Way, folder: Path) -> tuple[Path, Path]:
    """The place to be named, and the file written there."""
    if way.suffix.startswith("/"):
        (folder / "kept").mkdir()
        return folder / "kept", folder / f"kept{way.suffix}"
    return folder / f"out{way.suffix}", folder / f"out{way.suffix}"


@pytest.mark.parametrize("there", THERE)
@pytest.mark.parametrize(("command", "option"), WAYS)
def test_what_may_not_be_replaced_stays(walk, tmp_path, command, option, there):
    way = WAYS[command, option]
    named, file = target_of(way, tmp_path)
    before = THERE[there](way.suffix, way.own)
    file.write_bytes(before)
    status, err = walk(way, named)
    assert (status, file.read_bytes() == before) == (2, True), err
    assert file.name in err
    assert "--force" in err
    assert len(err.splitlines()) == 1
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize(("command", "option"), [key for key, way in WAYS.items() if way.inputs])
@pytest.mark.parametrize("link", ["itself", "symbolic", "hard"])
@pytest.mark.parametrize("force", [(), ("--force",)])
def test_an_output_that_is_an_input_is_refused_also_with_force(walk, tmp_path, command, option, link, force):
    way = WAYS[command, option]
    data = tmp_path / f"data{way.suffix}"
    data.write_text("case,Ann,Ben\n1,1,1\n2,0,1\n3,1,0\n")
    before = data.read_bytes()
    place = data if link == "itself" else tmp_path / f"link{way.suffix}"
    if link == "symbolic":
        place.symlink_to(data)
    if link == "hard":
        place.hardlink_to(data)
    words = tuple(word.replace("{input}", str(data)) for word in way.before)
    status, err = walk(Way(words, way.option, way.suffix, way.own), place, *force)
    assert (status, data.read_bytes() == before) == (2, True), err
    assert "is read here" in err
    assert len(err.splitlines()) == 1


QUICK_WAYS = [key for key in WAYS if key[0] not in {"selftest", "report", "dossier"}]
SLOW_WAYS = [pytest.param(*key, marks=pytest.mark.slow) for key in WAYS if key not in QUICK_WAYS]


@pytest.mark.parametrize(("command", "option"), [*QUICK_WAYS, *SLOW_WAYS])
def test_own_files_of_the_same_kind_are_replaced_and_others_with_force(walk, tmp_path, command, option):
    way = WAYS[command, option]
    named, file = target_of(way, tmp_path)
    file.write_bytes(own_bytes(way.suffix, way.own))
    file.chmod(0o640)
    before = file.stat().st_ino
    # A table cannot tell who wrote it.
    status, err = walk(way, named, *(("--force",) if way.own is None else ()))
    assert status in {0, 3 if command == "verify" else 0}, err
    assert file.stat().st_ino != before
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    made = mark_in(file.read_bytes())
    assert (made and made.kind) == way.own
    # Through a link, which stays, and over anything when that is said.
    if not way.suffix.startswith("/"):
        link = tmp_path / f"link{way.suffix}"
        link.symlink_to(file)
        file.write_bytes(FOREIGN)
        assert walk(way, link, "--force")[0] in {0, 3 if command == "verify" else 0}
        assert link.is_symlink()
        assert file.read_bytes() != FOREIGN
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize(("command", "option"), [key for key in WAYS if WAYS[key].suffix[0] != "/"])
def test_folders_missing_folders_and_devices_are_one_sentence(walk, tmp_path, command, option):
    way = WAYS[command, option]
    folder = tmp_path / f"folder{way.suffix}"
    folder.mkdir()
    for place in (folder, tmp_path / "none" / f"out{way.suffix}"):
        status, err = walk(way, place)
        assert status == 3, err
        assert str(place) in err
        assert len(err.splitlines()) == 1
    assert not list(folder.iterdir())
    assert not (tmp_path / "none").exists()


def test_where_nothing_is_written_force_is_refused(walk, tmp_path):
    for command, before in {command: way.before for (command, _option), way in WAYS.items()}.items():
        # These write whatever else they are asked.
        if command in {"report", "export", "sheets", "letters", "dossier"}:
            continue
        status, err = walk(Way(before, (), "", None), tmp_path, "--force")
        assert status == 2, command
        assert "--force" in err


def test_two_outputs_that_are_one_file_are_refused(tmp_path, capsys):
    one, link = tmp_path / "one.csv", tmp_path / "link.csv"
    link.symlink_to(one)
    for other in (one, link):
        assert main([*SIMULATE, "-o", str(one), "--truth-out", str(other)]) == 2
        assert "Two different things would be written to" in capsys.readouterr().err
        assert main([*SIMULATE, "-o", str(one), f"--json={other}"]) == 2
    assert not one.exists()


def test_json_takes_no_word_after_it(tmp_path, capsys):
    issued, data = tmp_path / "issued.pdf", tmp_path / "mydata.csv"
    issued.write_bytes(pdf(issued=True))
    data.write_text("case,Ann,Ben\n1,1,1\n2,0,1\n")
    main(["verify", "--json", str(issued)])
    assert capsys.readouterr().out.startswith("{")
    assert issued.read_bytes() == pdf(issued=True)
    before = data.read_bytes()
    main(["study", "--json", str(data), "kappa", "--replicates", "1", "--subjects", "10", "--raters", "3"])
    main(["check", "--json", str(data)])
    assert capsys.readouterr().out.startswith("{")
    assert data.read_bytes() == before
    assert main(["check", "sample:jury", "--json="]) == 2


def test_the_table_a_project_was_made_from_is_not_replaced_by_its_report(tmp_path, capsys):
    source, place = tmp_path / "ratings.xlsx", tmp_path / "work.tapdesk"
    source.write_text("case,Ann,Ben\n1,1,1\n2,0,1\n3,0,0\n")
    before = source.read_bytes()
    save(Project(title="Work").with_reading(read_now(source)), place)
    for force in ((), ("--force",)):
        assert main(["report", str(place), "-o", str(source), *force]) == 2
        assert "holds the ratings that the project was made from" in capsys.readouterr().err
    assert source.read_bytes() == before


def test_several_files_of_one_command_are_all_looked_at(tmp_path, capsys):
    for number in (1, 2):
        (tmp_path / f"page-0{number}.png").write_bytes(FOREIGN)
    leave = ("--leave-out", SECTIONS)
    assert (
        main(
            [
                "report",
                "sample:wine-cut1",
                "--interval",
                "none",
                "--ppi",
                "36",
                *leave,
                "-o",
                str(tmp_path / "page.png"),
            ]
        )
        == 2
    )
    err = capsys.readouterr().err
    assert "page-01.png" in err
    assert "page-02.png" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page-01.png", "page-02.png"]
    assert {path.read_bytes() for path in tmp_path.iterdir()} == {FOREIGN}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no such devices")
def test_devices_and_pipes_are_written_as_they_are(tmp_path, capfdbinary):
    # A machine where somebody has put a plain file in the place of one of them has no such device.
    endless = [place for name in ("null", "zero") if stat.S_ISCHR((place := Path("/dev", name)).stat().st_mode)]
    assert endless
    for place in endless:
        for option in ("-o", "--truth-out"):
            assert main([*SIMULATE, option, str(place), "--force"]) == 0
            assert stat.S_ISCHR(place.stat().st_mode)
    capfdbinary.readouterr()
    assert main([*SIMULATE, "-o", "/dev/full"]) == 3
    assert capfdbinary.readouterr().err.count(b"\n") == 1
    assert main([*SIMULATE, "-o", "/dev/stdout"]) == 0
    assert capfdbinary.readouterr().out.startswith(b"subject,rater,rating\n")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert main([*SIMULATE, "-o", str(pipe)]) == 3
    assert b"Nobody reads from this pipe" in capfdbinary.readouterr().err
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert main([*SIMULATE, "-o", str(pipe)]) == 0
    assert os.read(reader, 1 << 16).startswith(b"subject,rater,rating\n")
    os.close(reader)
    assert stat.S_ISFIFO(pipe.stat().st_mode)


# Marks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".html", ".xlsx", ".pdf"])
def test_reports_say_whether_they_were_issued_in_every_form(suffix):
    for issued in (None, datetime(2026, 5, 14, tzinfo=UTC)):
        made = content(arranged(project(), issued=issued), suffix)
        assert made == content(arranged(project(), issued=issued), suffix)
        mark = mark_in(made)
        assert mark is not None
        assert (mark.kind, mark.form, mark.issued, mark.changed) == (
            OutputKind.REPORT,
            suffix[1:],
            issued is not None,
            False,
        )


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
def test_figures_carry_a_mark_and_their_readers_still_read_them(suffix):
    made = own_bytes(suffix, OutputKind.FIGURE)
    mark = mark_in(made)
    assert mark is not None
    assert (mark.kind, mark.form, mark.changed) == (OutputKind.FIGURE, suffix[1:], False)
    if suffix == ".png":
        with Image.open(io.BytesIO(made)) as picture:
            picture.load()
    if suffix == ".svg":
        assert QSvgRenderer(made).isValid()


def test_a_file_that_was_changed_by_hand_is_not_replaced_unasked(tmp_path):
    drawn, report = own_bytes(".svg", OutputKind.FIGURE), content(build(project()), ".xlsx")
    assert mark_in(drawn.replace(b"<svg", b"<svg data-mine=''", 1)).changed
    place = tmp_path / "figure.svg"
    place.write_bytes(drawn.replace(b"<svg", b"<svg data-mine=''", 1))
    with pytest.raises(Exception, match="changed since tapdesk wrote it"):
        Outputs().save(place, drawn)
    book = openpyxl.load_workbook(io.BytesIO(report))
    book.worksheets[0]["B1"] = "my remark"
    again = io.BytesIO()
    book.save(again)
    assert mark_in(again.getvalue()).changed


def test_words_of_a_user_do_not_make_a_mark():
    assert mark_in(b"Somebody wrote tapdesk report here.\n") is None
    assert mark_in(b'{"tapdesk": 1, "mine": true}') is None
    assert mark_in(b"%PDF-1.7 tapdesk mark: report %%EOF") is None
    page = seal(b"# A page\n", OutputKind.PAGE)
    assert mark_in(page) is not None
    assert mark_in(page + b"more") is None
