"""The committee's brief: two full pages for every sample, no word of the kitchen, the numbers of the JSON."""

import json
import re

import pypdfium2
import pytest

from tapdesk.answers.brief import MOST_NUMBERS, MOST_WARNINGS, kitchen
from tapdesk.answers.content import Paragraph, Table, Tone
from tapdesk.cli.main import main
from tapdesk.models.model import MODELS, model
from tapdesk.progress import finish
from tapdesk.project.project import Analysis, Project
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read
from tapdesk.report.report import Form
from tapdesk.report.setup import arranged, prepare
from tapdesk.studies.analysis import Request, analyse
from tests.gallery.cases import TWO, YES, numbered, panel

from .opened import text_of

SAMPLES = {
    "jury": (),
    "jury-panel": ("--class1", "silver,gold"),
    "dawid-skene-1979": (),
    "fleiss-1971": (),
    "paradox": (),
    "audit": (),
    "confusion-3x3": (),
    "wine-cut2": (),
}
INK = 0.45  # how far down a page what it says reaches at least


def brief(place, source, *more, suffix=".pdf"):
    """A brief as a file."""
    out = place / f"brief{suffix}"
    assert main(["report", source, "--form", "brief", "-o", str(out), "--force", *more]) == 0
    return out.read_bytes()


@pytest.fixture(scope="module", params=SAMPLES)
def sample(request, tmp_path_factory):
    """The name of a sample, and its brief."""
    place = tmp_path_factory.mktemp("brief")
    return request.param, brief(place, f"sample:{request.param}", *SAMPLES[request.param])


def pages(content):
    """Of each page its size, its words, and where each stands."""
    document = pypdfium2.PdfDocument(content)
    try:
        for page in document:
            words = page.get_textpage()
            yield page.get_size(), words.get_text_range(), [words.get_rect(i) for i in range(words.count_rects())]
    finally:
        document.close()


def filled(content, *, papers=(595, 842)):
    """Two pages of one paper, everything inside the margins, none of them half empty."""
    told = list(pages(content))
    assert len(told) == 2
    for (width, height), _words, places in told:
        assert (round(width), round(height)) == papers
        body = [at for at in places if at[1] > 45]
        assert min(at[0] for at in places) >= 55
        assert max(at[2] for at in places) <= width - 55
        assert min(at[1] for at in body) < (1 - INK) * height
    assert "Signature" in told[1][1]
    return told


def test_a_brief_has_two_pages_that_are_filled(sample):
    filled(sample[1])


def test_a_brief_says_no_word_of_the_kitchen(sample):
    told = text_of(sample[1])
    assert not kitchen(told), told
    assert "listed below" not in told


@pytest.mark.parametrize(
    "word", [*(one.name for one in MODELS), "0.4 krits", "12 nats", "flagged", "needs your decision"]
)
def test_words_of_the_kitchen_are_known(word):
    assert kitchen(f"Every number ({word}, 12 cases).")


@pytest.mark.parametrize("word", ["Flagstaff", "data", "at a price", "not-a-part", "natural"])
def test_words_of_others_are_none(word):
    assert not kitchen(f"The {word} of the committee.")


def answered(name):
    """The project of a sample with one answer."""
    project = Project().with_reading(finish(read(f"sample:{name}", ReadingOptions())))
    request = Request(model("t-a-t" if name == "paradox" else "t-a-p"))
    return project.with_analysis(Analysis("main", request, finish(analyse(project.ratings, request))))


def section(report, key):
    return next(one for one in report.sections if one.key == key).blocks


@pytest.mark.costly(1)
@pytest.mark.parametrize("name", ["audit", "fleiss-1971", "dawid-skene-1979"])
def test_what_is_worked_out_for_a_brief_tells_the_headline_of_the_full_report(name):
    project = answered(name)
    few, every = finish(prepare(project, form=Form.BRIEF)), finish(prepare(project))
    assert not few.others
    pages = [arranged(project, side, form=Form.BRIEF).sections for side in (few, every)]
    assert [(s.key, s.title) for s in pages[0]] == [(s.key, s.title) for s in pages[1]]
    assert texts_of(pages[0]) == texts_of(pages[1])
    full = arranged(project, every)
    assert section(arranged(project, few, form=Form.BRIEF), "brief-answer")[0].text == section(full, "summary")[0].text


def texts_of(sections):
    return [b.text for one in sections for b in one.blocks if isinstance(b, Paragraph)]


@pytest.mark.parametrize("name", ["paradox", "jury", "wine-cut2"])
def test_few_numbers_and_warnings_stand_on_the_first_page(name):
    project = answered(name)
    report = arranged(project, finish(prepare(project, form=Form.BRIEF)), form=Form.BRIEF)
    tables = [b for b in section(report, "brief-numbers") if isinstance(b, Table)]
    assert all(0 < len(table.rows) <= MOST_NUMBERS for table in tables)
    told = [b for b in section(report, "brief-answer") if isinstance(b, Paragraph)]
    assert sum(b.tone is Tone.WARNING for b in told) <= MOST_WARNINGS
    assert [b.tone is Tone.LEAD for b in told] == [True, *[False] * (len(told) - 1)]
    if name == "paradox":
        # The range stands where a number would, and before any number.
        assert told[0].text.startswith(
            "These ratings cannot tell knowledge from luck: that none of 100 follow the case"
        )
        assert " to " in tables[0].rows[0][1]


OWN = {"audit": "record", "jury": "wine", "jury-panel": "wine", "dawid-skene-1979": "patient"}


def test_things_are_called_as_the_file_calls_them_and_no_name_is_clipped(sample):
    name, content = sample
    said = text_of(content)
    assert "…" not in said
    if name in OWN:
        assert OWN[name] in said
        assert not re.search(r"\bcases?\b", said, re.IGNORECASE), said


def test_letter_is_filled_as_well(tmp_path):
    filled(brief(tmp_path, "sample:audit", "--paper", "letter"), papers=(612, 792))


def test_numbers_of_the_first_page_are_those_of_the_json(tmp_path, capsys):
    content = text_of(brief(tmp_path, "sample:audit"))
    capsys.readouterr()
    assert main(["fit", "sample:audit", "--model", "t-a-p", "--json"]) == 0
    by_name = {e["name"]: e for e in json.loads(capsys.readouterr().out)["fits"][0]["estimates"]}
    assert main(["agree", "sample:audit", "--json"]) == 0
    coefficients = json.loads(capsys.readouterr().out)["coefficients"]
    a, t = by_name["a"], by_name["t"]
    raw, kappa = (next(c for c in coefficients if c["name"] == n) for n in ("percent_agreement", "fleiss_kappa"))
    for words, one in (
        ("Ratings that follow the record, if all records are equally hard", a),
        ("Two raters give a record the same rating (raw agreement)", raw),
        ("Records that are truly “yes”, if all records are equally hard", t),
    ):
        low, value, high = (f"{100 * one[key]:.0f}" for key in ("low", "value", "high"))
        assert f"{words} {value} in 100 {low} to {high}" in content
    assert f"kappa) {kappa['value']:.2f} {kappa['low']:.2f} to {kappa['high']:.2f}" in content


def test_every_unsure_case_is_named(tmp_path, capsys):
    content = text_of(brief(tmp_path, "sample:audit"))
    capsys.readouterr()
    assert main(["fit", "sample:audit", "--model", "t-a-p", "--subjects", "--json"]) == 0
    subjects = json.loads(capsys.readouterr().out)["fits"][0]["subjects"]
    unsure = [s["subject"] for s in subjects if max(s["probabilities"].values()) < 0.9]
    assert len(unsure) == 25
    assert all(name in content for name in unsure)


def test_hundreds_of_cases_with_the_same_ratings_all_stand_inside_the_pages_of_the_annex(tmp_path, capsys):
    file, out = tmp_path / "many.csv", tmp_path / "both.pdf"
    file.write_text(panel(numbered(4), TWO, 2000, subject="Z{}z"), "utf-8")
    assert main(["report", str(file), *YES, "--replicates", "20", "--form", "both", "-o", str(out)]) == 0
    for (_width, height), _words, places in pages(out.read_bytes()):
        assert all(0 < bottom < top < height for _left, bottom, _right, top in places)
    capsys.readouterr()
    assert main(["fit", str(file), *YES, "--model", "t-a-p", "--subjects", "--json"]) == 0
    subjects = json.loads(capsys.readouterr().out)["fits"][0]["subjects"]
    unsure = {s["subject"] for s in subjects if max(s["probabilities"].values()) < 0.9}
    assert len(unsure) > 300
    assert unsure <= set(re.findall(r"Z\d+z", text_of(out.read_bytes())))


def test_both_is_the_brief_and_the_annex(tmp_path):
    out = tmp_path / "both.pdf"
    assert main(["report", "sample:audit", "--form", "both", "-o", str(out)]) == 0
    told = [words for _size, words, _places in pages(out.read_bytes())]
    assert len(told) > 3
    assert "Committee brief" in told[0]
    assert "Signatures" in told[1]
    assert "Technical annex" in told[2]
    # One subject once: the brief is the summary, and it is what is signed.
    assert "Summary for the committee" not in " ".join(told[2:])


def test_the_brief_as_a_web_page_and_as_a_workbook(tmp_path):
    page = brief(tmp_path, "sample:audit", suffix=".html").decode()
    assert "About 74 of 100 ratings follow the record (65 to 82) if all records are equally hard; 22 to 82 if" in page
    assert page.count('<th scope="row">') > 10
    assert 'role="img"' in page
    assert brief(tmp_path, "sample:audit", suffix=".xlsx")[:2] == b"PK"


def test_an_issued_brief_verifies_against_its_data(tmp_path, capsys):
    out = tmp_path / "brief.pdf"
    source = tmp_path / "audit.csv"
    assert main(["export", "sample:audit", "-o", str(source)]) == 0
    typed = ["report", str(source), "--form", "brief", "-o", str(out), "--issued", "2025-10-14"]
    assert main(typed) == 0
    capsys.readouterr()
    assert main(["verify", str(out), str(source)]) == 0
    assert "the same to the last byte" in capsys.readouterr().out


AWKWARD = {
    "two cases": "case,A,B\nc1,yes,no\nc2,yes,yes\n",
    "one class": "case,A,B,C\n" + "".join(f"c{i},yes,yes,yes\n" for i in range(9)),
    "long names": "case,A,B,C\n"
    + "".join(
        f"{'a very long name of a case ' * 4}{i},{'No ' * 30},Yes,{'Yes' if i % 3 else 'No ' * 30}\n" for i in range(40)
    ),
    "markup": "case,#A,*B*,$C$\n" + "".join(f"<b>{i}</b>,yes,{'no' if i % 2 else 'yes'},yes\n" for i in range(30)),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_files_have_two_pages_too(tmp_path, name):
    source = tmp_path / "awkward.csv"
    source.write_text(AWKWARD[name])
    content = brief(tmp_path, str(source), "--layout", "raters", "--title", "A title of many signs " * 18)
    assert len(list(pages(content))) == 2
    assert not kitchen(text_of(content))


def test_every_group_has_a_brief_of_its_own(tmp_path, capsys):
    rows = "".join(
        f"{'NS'[i % 2]},c{i},yes,{'no' if i % 5 == 0 else 'yes'},{'yes' if i % 3 else 'no'}\n" for i in range(60)
    )
    source = tmp_path / "groups.csv"
    source.write_text("ward,case,A,B,C\n" + rows)
    assert main(["report", str(source), "--each", "ward", "--form", "brief", "-o", str(tmp_path / "w.pdf")]) == 0
    made = sorted(tmp_path.glob("w-*.pdf"))
    assert len(made) == 2
    assert all(len(list(pages(one.read_bytes()))) == 2 for one in made)
    capsys.readouterr()
