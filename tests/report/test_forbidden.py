"""Names that are called by codes stand in no form of a report, whatever they look like."""

import io
import re
import unicodedata
import zipfile
from collections import Counter
from dataclasses import replace
from html import unescape

import numpy as np
import pikepdf
import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tapdesk.answers.forbidden import Secrets, folded, guard, holds, leaks, program_vocabulary, program_words
from tapdesk.answers.naming import WITHHELD, CasesAs, RatersAs, naming
from tapdesk.answers.pseudonyms import coded_findings, coded_log
from tapdesk.answers.side_results import Wanted
from tapdesk.cli.main import main
from tapdesk.errors import CannotAnswerError
from tapdesk.models.model import model
from tapdesk.progress import finish
from tapdesk.project.decisions.names import JoinRaters
from tapdesk.project.decisions.ratings import EditRating, LeaveOutRaters, LeaveOutSubjects
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.reading import read_now
from tapdesk.report.build import build
from tapdesk.report.forms.html import html
from tapdesk.report.forms.pdf import pdf
from tapdesk.report.forms.xlsx import xlsx
from tapdesk.report.issue.facts import choices
from tapdesk.report.issue.texts import check, drawn, names_left, placed
from tapdesk.report.setup import prepare
from tapdesk.studies.analysis import Request, analyse

PANELS = {
    "staff numbers": ("104233", "104234", "104235", "104236"),
    "long": (
        "Prof. Dr. Maximiliane von Hohenstein-Bergmannswalde",
        "Bartholomäus Quentin Featherstonehaugh-Smythe III",
        "Sister Philomena Aloysia O'Shaughnessy of Kilbrittain",
    ),
    "one sign": ("1", "2", "3"),
    "our words": ("Rater", "Luck", "gold"),
    "markup": ("<b>Brunhilde</b>", '"Xantippe"', "=Zenobia()"),
    "from right to left": ("בנימין לוי", "Hildegunde\u200fX", "Ro\u0308schen Müller"),
    "part of another": ("Philippa", "Philippa Lee", "philippa"),
}


def project_in(folder, raters, cases=40):
    """A panel in a file, two of its columns equal, answered by its shared accuracy."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, cases)
    rows = [[f"Patient-{i:04d}Q", *("gold" if x else "no" for x in (truth[i] ^ (rng.random(len(raters)) < 0.2)))]
            for i in range(cases)]  # fmt: skip
    for row in rows:
        row[2] = row[1]
    quoted = [["case", *raters], *rows]
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in quoted]
    path = folder / "panel.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    project = Project(title="Audit").with_reading(read_now(str(path)))
    fit = finish(analyse(project.ratings, Request(model("t-a-p"), interval="none")))
    return project.with_analysis(Analysis("main", Request(fit.model), fit))


def words_of(report):
    """All that can be read in a report as a page, as a PDF and as a workbook, folded."""
    page = unescape(html(report).decode())
    with zipfile.ZipFile(io.BytesIO(xlsx(report))) as book:
        parts = [book.read(n).decode() for n in book.namelist() if "sharedStrings" in n or n == "xl/workbook.xml"]
    content = pdf(report)
    with pypdfium2.PdfDocument(content) as opened:
        told = [page_.get_textpage().get_text_bounded() for page_ in opened]
    with pikepdf.open(io.BytesIO(content)) as opened:
        alts = [str(o["/Alt"]) for o in opened.objects if isinstance(o, pikepdf.Dictionary) and "/Alt" in o]
        said = [str(value) for value in opened.docinfo.values()]
    return folded("\n".join([page, *map(unescape, parts), *told, *alts, *said]))


def pieces(name, own=6):
    """Every piece of six signs of a name that holds a letter or is all digits and is no word of ours."""
    plain = folded(name)
    every = {plain[i : i + own] for i in range(len(plain) - own + 1)}
    return {p for p in every if sum(map(str.isalnum, p)) == own and p not in program_words()}


SHORT = "staff numbers"
EVERY = [pytest.param(names, id=key, marks=() if key == SHORT else pytest.mark.slow) for key, names in PANELS.items()]


@pytest.mark.parametrize("raters", EVERY)
def test_no_piece_of_a_name_stands_in_any_form(raters, tmp_path):
    project = project_in(tmp_path, raters)
    extras = finish(prepare(project, Wanted(replicates=3, tests=False, sensitivity=False)))
    report = build(project, extras=extras, raters_as=RatersAs.CODES, cases_as=CasesAs.CODES)
    told = words_of(report)
    for name in (*raters, *project.ratings.subjects):
        assert not [piece for piece in pieces(name) if piece in told]
    # Nobody is called by a sentence that was made under a name: what is said of raters is said by their codes.
    called = naming(project, RatersAs.CODES, CasesAs.CODES)
    assert {called.rater(n) for n in project.ratings.raters}.isdisjoint(project.ratings.raters)
    one, two = sorted(called.rater(n) for n in project.ratings.raters[:2])
    assert folded(f"{one} and {two} gave the same answer") in told or folded(f"{two} and {one} gave the same") in told


def numbers_printed(folder, raters):
    """How often each text of a report with codes holds which decimals, whoever stands beside them."""
    folder.mkdir()
    project = project_in(folder, raters)
    extras = finish(prepare(project, Wanted(replicates=3, tests=False, sensitivity=False)))
    report = build(project, extras=extras, raters_as=RatersAs.CODES, cases_as=CasesAs.CODES)
    check(report)
    texts = [text for _place, text in placed(report)]
    return Counter(found for text in texts if (found := tuple(sorted(re.findall(r"\d+\.\d+", text))))), texts


def test_of_raters_called_by_digits_or_letters_no_number_of_the_data_is_replaced_or_withheld(tmp_path):
    long, _texts = numbers_printed(tmp_path / "long", PANELS["long"])
    for raters in (PANELS["one sign"], ("A", "B", "C")):
        short, texts = numbers_printed(tmp_path / raters[0], raters)
        assert short == long
        assert sum(WITHHELD in text for text in texts) <= 1


@pytest.mark.parametrize("raters", [PANELS["one sign"], ("A", "B", "C"), PANELS["long"]])
def test_no_list_of_codes_stands_in_the_order_of_the_file(raters, tmp_path):
    project = project_in(tmp_path, raters)
    called = naming(project, RatersAs.CODES)
    ends = sorted(map(called.rater, raters))
    asked = "Are {} to {} people, or seats? If different people may sit in one seat, results per rater would mix them."
    told = [f.message for f in coded_findings(project.reading, called) if f.code == "seats_or_people"]
    assert set(told) <= {asked.format(ends[0], ends[-1])}
    assert len(told) == (raters == PANELS["one sign"])
    pairs = (raters[:2], raters[1::-1])
    for decision in (*(JoinRaters(pair, pair[0]) for pair in pairs), *map(LeaveOutRaters, pairs)):
        words = coded_log(project.decide(decision), called)[-1].words
        places = [words.index(f"'{called.rater(name)}'") for name in sorted(decision.names, key=called.rater)]
        assert places == sorted(places)


def test_rows_of_cases_stand_in_the_order_of_their_codes_and_codes_not_in_that_of_the_file(tmp_path):
    project = project_in(tmp_path, PANELS["long"])
    cases = naming(project, RatersAs.NAMES, CasesAs.CODES).cases
    in_file = [cases[name] for name in project.ratings.subjects]
    assert sorted(in_file) != in_file
    assert naming(project, RatersAs.NAMES, CasesAs.CODES).cases == cases
    report = build(project, cases_as=CasesAs.CODES)
    assert ("Cases", "by code") in report.record
    check(report)


def test_decisions_are_told_by_codes(tmp_path):
    names = PANELS["staff numbers"]
    project = project_in(tmp_path, names)
    case = project.ratings.subjects[3]
    project = project.decide(LeaveOutSubjects((case,)), reason="asked by 104233")
    project = project.decide(EditRating(project.ratings.subjects[0], names[0], "no", None))
    project = project.decide(JoinRaters(names[:2], "Leopoldine"), reason="one person")
    project = project.decide(LeaveOutRaters((names[3],)))
    report = build(project, raters_as=RatersAs.CODES, cases_as=CasesAs.CODES)
    told = "\n".join(text for _place, text in placed(report))
    for name in (*names, case, "Leopoldine"):
        assert name not in told
    called = naming(project, RatersAs.CODES, CasesAs.CODES)
    assert f"Left out of the data: the case '{called.case(case)}'." in told
    assert f"one person, '{called.rater('Leopoldine')}'" in told


def test_a_file_named_after_a_rater_is_called_by_its_checksum(tmp_path):
    project = project_in(tmp_path, PANELS["long"])
    reading = project.reading
    named = replace(project, reading=replace(reading, source=replace(reading.source, name="Maximiliane audit.csv")))
    told = "\n".join(text for _place, text in placed(build(named, raters_as=RatersAs.CODES)))
    assert "Maximiliane" not in told
    assert f"data file {reading.source.sha256[:12]}" in told
    assert "Maximiliane audit.csv" in "\n".join(text for _place, text in placed(build(named)))


@pytest.mark.parametrize("form", [html, pdf, xlsx])
def test_a_name_in_words_of_the_user_stops_every_form_and_is_not_spelled(form, tmp_path):
    project = replace(project_in(tmp_path, PANELS["long"]), title="Round of Philomena")
    with pytest.raises(CannotAnswerError) as refused:
        form(build(project, raters_as=RatersAs.CODES))
    assert "the title: the name of" in str(refused.value)
    assert "Philomena" not in str(refused.value)


@pytest.mark.parametrize(
    "names",
    [PANELS["long"], PANELS["staff numbers"], PANELS["our words"], ("Ann", "Bob", "Cat"), ("Jürg", "Zoë", "Éva")],
)
def test_options_that_name_raters_are_not_printed_with_codes_and_stop_no_report(names, tmp_path):
    said = f"Options used: --raters {','.join(names)}, --seed 7."
    project = project_in(tmp_path, names)
    for how, printed in ((RatersAs.NAMES, True), (RatersAs.CODES, False)):
        report = build(project, raters_as=how, command_line=said)
        check(report)
        assert names_left(report) == ()
        assert any(said in text for _place, text in placed(report)) is printed
        assert any("--seed 7" in text for _place, text in placed(report)) is printed
        told = choices(dict(report.facts)["choices"])
        assert told is not None
        assert (told.command_line == said) is printed
    plain = build(project, raters_as=RatersAs.CODES, command_line="Options used: --seed 7.")
    assert any("--seed 7" in text for _place, text in placed(plain))


def test_words_of_figures_are_looked_through(tmp_path):
    project = project_in(tmp_path, PANELS["long"])
    report = build(project)
    assert any("hohens" in folded(text) for _place, text in (*placed(report), *drawn(report)))
    secrets = naming(project, RatersAs.CODES).secrets
    assert {leak.place for leak in leaks(secrets, drawn(report))}
    with pytest.raises(CannotAnswerError, match="figure “"):
        guard(secrets, drawn(report))


LETTERS = st.text(st.characters(categories=("Lu", "Ll")), min_size=7, max_size=60)


@settings(max_examples=60, deadline=None)
@given(name=LETTERS, before=st.text(max_size=20), form=st.sampled_from(["NFC", "NFD", "NFKC"]), upper=st.booleans())
def test_a_name_is_seen_in_any_spelling_and_any_piece_of_six(name, before, form, upper):
    plain = folded(name)
    secrets = Secrets({name: "A"})
    if len(plain) < 6 or not plain.isalpha() or any(p in program_words() for p in (plain[:6], plain[-6:])):
        return
    spelled = unicodedata.normalize(form, name.upper() if upper else name)
    assert leaks(secrets, [("here", f"{before} {spelled}")]) or folded(spelled) != plain
    assert leaks(secrets, [("here", f"{before}x{plain[-6:]}")])
    assert holds(secrets, f"{before} {plain}")


@settings(max_examples=60, deadline=None)
@given(name=st.text(min_size=1, max_size=8), before=st.text(max_size=10), after=st.text(max_size=10))
def test_no_sentence_with_a_name_of_any_length_is_printed(name, before, after):
    if not folded(name):
        return
    secrets = Secrets({name: "A"})
    assert holds(secrets, f"{before} {name} {after}") or not any(map(str.isalnum, folded(name)))


def test_words_of_the_program_are_known_without_the_window():
    assert {"rater", "agreement", "accuracy"} <= program_vocabulary()
    assert "philom" not in program_words()
    assert "hohens" not in program_words()


def test_a_word_of_the_program_before_a_number_is_no_name_in_a_finished_text():
    secrets = Secrets(
        {"Case 16": "C16", "Row 1": "C11", "Bench 12": "C12", "Case 104233": "C13", "the 12th of May": "D"}
    )
    page = "Ratings of a case 16. Row 1 is the header. 12 of the 12 starts drawn reach the same best value."
    assert leaks(secrets, (("page", page),)) == ()
    assert [one.code for one in leaks(secrets, (("page", "Kilbrittain at bench 12"),))] == ["C12"]
    assert [one.code for one in leaks(secrets, (("page", "the case 104233"),))] == ["C13"]
    # In what the user wrote they are the names, and a kept sentence that may hold one is made anew.
    assert [one.code for one in leaks(secrets, (("title", "On case 16"),), typed=True)] == ["C16"]
    assert holds(secrets, "The rater gave the case 16 a yes; row 1 not.")


@pytest.mark.parametrize(
    ("raters", "case"),
    [
        (("Rater 1", "Rater 2", "Rater 3", "Rater 4"), "Case {}"),
        (("Reader 1", "Reader 2", "Judge 12", "Class 1"), "Row {}"),
        (("only 12", "for 100", "than 12", "from 40"), "all {} of it"),
        (("Table 1", "Table 2", "Figure 1", "Figure 12"), "the {}th of the record"),
    ],
)
@pytest.mark.parametrize("wrong", [0.15, pytest.param(0.5, id="luck", marks=pytest.mark.slow)])
def test_people_and_cases_with_numbers_for_names_can_be_printed_as_codes(tmp_path, raters, case, wrong):
    draw = np.random.default_rng(4)
    rows = [
        [case.format(i + 1), *("yes" if x else "no" for x in (draw.random(4) < wrong) ^ (i % 5 < 2))] for i in range(40)
    ]
    path = tmp_path / "panel.csv"
    path.write_text("\n".join(",".join(row) for row in [["case", *raters], *rows]), encoding="utf-8")
    page = tmp_path / "page.html"
    codes = ("--rater-names", "codes", "--case-names", "codes")
    assert main(["report", str(path), "--layout", "raters", *codes, "--interval", "none", "-o", str(page)]) == 0
    assert re.search(r"\bC\d\d\b", page.read_text("utf-8"))
