"""Value labels of SPSS and Stata keep the order of their codes, and what the file says of that order."""

import pandas as pd
import pyreadstat
import pytest

from tapdesk.errors import TapdeskError
from tapdesk.ratings.options import ReadingOptions
from tapdesk.ratings.reading import read_now
from tests.ratings.telling import asks, rows, told

# Words of no known scale, whose alphabet and first appearance are not their order.
LABELS = {1: "zonal", 2: "patchy", 3: "diffuse"}
SAID = {"A": [3, 1, 2, 2, 1, 3, 1, 2], "B": [3, 2, 2, 1, 1, 3, 1, 2], "C": [2, 1, 3, 2, 1, 3, 1, 1]}


def frame():
    return pd.DataFrame({"case": [f"c{i}" for i in range(8)], **{n: [float(x) for x in v] for n, v in SAID.items()}})


def spss(path, measure, labels=None, **more):
    pyreadstat.write_sav(
        frame(), path, variable_value_labels=labels or dict.fromkeys(SAID, LABELS), variable_measure=measure, **more
    )
    return path


@pytest.mark.parametrize(("measure", "ordered"), [("ordinal", True), ("scale", True), ("nominal", False)])
def test_labels_of_spss_stand_in_the_order_of_their_codes_and_keep_their_measure(tmp_path, measure, ordered):
    reading = read_now(spss(tmp_path / "a.sav", dict.fromkeys(SAID, measure)))
    assert reading.ratings.classes == ("zonal", "patchy", "diffuse")
    assert reading.ratings.ordered is ordered
    assert "order_unknown" not in asks(reading)
    words = "says that they are ordered" if ordered else "says that they have no order"
    assert any(words in sentence for sentence in reading.source.words)
    assert rows(reading)[:3] == [("c0", "A", "diffuse"), ("c0", "B", "diffuse"), ("c0", "C", "patchy")]


def test_measures_that_differ_are_asked_about(tmp_path):
    reading = read_now(spss(tmp_path / "a.sav", {"A": "ordinal", "B": "nominal", "C": "ordinal"}))
    assert reading.ratings.classes == ("zonal", "patchy", "diffuse")
    assert not reading.ratings.ordered
    assert told(reading, "order_unknown").default == "They stand in the order of their codes in the file."


def test_one_label_with_two_codes_has_no_order_of_codes(tmp_path):
    turned = {1: "diffuse", 2: "patchy", 3: "zonal"}
    reading = read_now(
        spss(tmp_path / "a.sav", dict.fromkeys(SAID, "ordinal"), {"A": LABELS, "B": LABELS, "C": turned})
    )
    assert not reading.ratings.ordered
    assert "order_unknown" in asks(reading)


def test_what_the_user_says_of_the_order_comes_first(tmp_path):
    path = spss(tmp_path / "a.sav", dict.fromkeys(SAID, "nominal"))
    order = ("diffuse", "zonal", "patchy")
    assert read_now(path, ReadingOptions(order=order)).ratings.classes == order


def test_stata_knows_no_measure_so_the_order_of_its_codes_is_asked_about(tmp_path):
    whole = {k: int(k) for k in LABELS}
    data = frame().astype(dict.fromkeys(SAID, "int64"))
    pyreadstat.write_dta(data, tmp_path / "a.dta", variable_value_labels=dict.fromkeys(SAID, LABELS))
    reading = read_now(tmp_path / "a.dta")
    assert reading.ratings.classes == tuple(LABELS[k] for k in sorted(whole))
    assert not reading.ratings.ordered
    assert told(reading, "order_unknown").default == "They stand in the order of their codes in the file."
    known = {1: "mild", 2: "moderate", 3: "severe"}
    pyreadstat.write_dta(data, tmp_path / "b.dta", variable_value_labels=dict.fromkeys(SAID, known))
    reading = read_now(tmp_path / "b.dta")
    assert (reading.ratings.classes, reading.ratings.ordered) == (("mild", "moderate", "severe"), True)


def test_a_missing_code_is_no_class_and_does_not_disturb_the_order(tmp_path):
    labels = {**LABELS, 3: "not seen"}
    missing = {n: [3] for n in SAID}
    path = spss(tmp_path / "a.sav", dict.fromkeys(SAID, "ordinal"), dict.fromkeys(SAID, labels), missing_ranges=missing)
    reading = read_now(path)
    assert reading.ratings.classes == ("zonal", "patchy")
    assert reading.ratings.ordered


@pytest.mark.parametrize("size", [0, 100, 200, 500])
def test_a_file_that_breaks_off_is_refused_in_words(tmp_path, size):
    raw = spss(tmp_path / "a.sav", dict.fromkeys(SAID, "ordinal")).read_bytes()
    (tmp_path / "b.sav").write_bytes(raw[:size])
    with pytest.raises(TapdeskError):
        read_now(tmp_path / "b.sav")
