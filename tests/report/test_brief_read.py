"""Briefs as somebody reads them who was given nothing else: no sentence takes back what another one says."""

import re

import pypdfium2
import pytest

from tapdesk.cli.main import main


def words_of(place, source, *more):
    """The two pages of a brief, each as one line."""
    out = place / "brief.pdf"
    assert main(["report", source, "--form", "brief", "-o", str(out), "--force", *more]) == 0
    with pypdfium2.PdfDocument(out.read_bytes()) as document:
        pages = [page.get_textpage().get_text_bounded() for page in document]
    return [re.sub(r"\s+", " ", page.replace("\ufffe", "").replace("\u00ad", "")) for page in pages]


def test_a_number_that_does_not_describe_the_ratings_is_not_told_as_if_it_did(tmp_path):
    first, second = words_of(tmp_path, "sample:dawid-skene-1979")
    assert "One accuracy does not describe these ratings: 0.77 is not to be relied on." in first
    assert "Only if one accuracy described these ratings would this hold: Between 70 and 82 of 100" in first
    assert "luck is not shown: one accuracy does not describe these ratings" in first
    assert "2 checks are open; the gravest: Patients were rated again" in second
    # Who is in which place may be luck; it is said of whom.
    assert "The order of the anaesthetists may be luck." in first
    assert "They can be used once the patients above are decided." in second


def test_a_number_at_the_end_of_its_scale_is_no_open_accuracy(tmp_path):
    first, _second = words_of(tmp_path, "sample:confusion-3x3")
    assert "luck is not shown: a number it rests on lies at the end of its scale" in first
    assert "leave the accuracy open" not in first
    # All three classes have few ratings: none is rare beside the others.
    assert "Every class has few ratings." in first
    assert "Some classes are rare" not in first


def test_the_raters_and_cases_of_a_crossed_table_are_called_in_words(tmp_path):
    first, second = words_of(tmp_path, "sample:confusion-3x3")
    assert "Rater of the columns" in first
    assert "A case is called by its row and its" in second
    _first, plain = words_of(tmp_path, "sample:paradox")
    assert "is called by its row" not in plain


def test_where_no_case_is_listed_none_is_to_be_decided_first(tmp_path):
    _first, second = words_of(tmp_path, "sample:paradox")
    assert "The ratings can be used." in second
    assert "once the cases above" not in second


@pytest.mark.parametrize("sample", ["fleiss-1971", "jury-panel"])
def test_one_reason_is_given_why_luck_is_not_split(tmp_path, sample):
    first, _second = words_of(tmp_path, f"sample:{sample}")
    assert "one accuracy does not describe these" in first
    assert "leave the accuracy open" not in first


def test_what_several_coefficients_share_is_said_once(tmp_path):
    out = tmp_path / "annex.pdf"
    assert main(["report", "sample:jury-panel", "--form", "full", "-o", str(out), "--force", "--replicates", "60"]) == 0
    with pypdfium2.PdfDocument(out.read_bytes()) as document:
        words = " ".join(page.get_textpage().get_text_bounded() for page in document)
    words = re.sub(r"\s+", " ", words.replace("\ufffe", ""))
    assert words.count("Repeated medals of a wine by one judge share that judge's vote.") == 1


def test_a_brief_with_much_to_say_and_many_raters_keeps_to_two_pages(tmp_path):
    # The picture of twelve judges gives way before a page is added.
    pages = words_of(tmp_path, "sample:jury-panel", "--class1", "gold", "--replicates", "60")
    assert len(pages) == 2
    assert "Petra" in pages[0]


def test_where_no_case_has_two_ratings_that_is_the_first_sentence(tmp_path):
    table = tmp_path / "single.csv"
    table.write_text("case,rater,rating\n" + "".join(f"c{i},r{i},{'ab'[i % 2]}\n" for i in range(8)))
    first, _second = words_of(tmp_path, str(table))
    assert "No case has two ratings, so nothing shows whether raters agree." in first
