"""Cleaned ratings as a table come back as they were: ratings, classes, order, gaps, known answers, further columns."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapdesk.ratings.findings import Severity
from tapdesk.ratings.formats.kinds import record_of
from tapdesk.ratings.grid import csv_text
from tapdesk.ratings.own.clean_table import Shape, clean_table, numbers_of, usual_shape
from tapdesk.ratings.own.recall import CHECKSUM, RECORD_HEAD, TABLE, checksum, record_rows
from tapdesk.ratings.ratings import Covariate, CovariateOf, Ratings
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import SAMPLES

# Names that are formulas, numbers, quoted, of two scripts, with what separates columns, or look like totals.
WORDS = '=1+1 @sum -x +49 \'quoted a,b a;b Zoë 王 1 2.5 007 Mean Total N n/a NA . case rater rating (no) "q" x_0001 ?'
NAMES = st.sampled_from([*WORDS.split(), "two words", "two\nlines", "tab\tin it", "p_Ana", "p_Ben"])
FURTHER = st.sampled_from(["", "a", "=b()", "7", "7.25", "-3", "1e3", "ward 2"])


@st.composite
def some_ratings(draw):
    """Ratings with gaps, repeats, weights, known answers and further columns."""
    subjects = tuple(draw(st.lists(NAMES, min_size=1, max_size=6, unique=True)))
    raters = tuple(draw(st.lists(NAMES, min_size=1, max_size=4, unique_by=str.casefold)))
    classes = tuple(draw(st.lists(NAMES, min_size=2, max_size=4, unique=True)))
    pairs = draw(
        st.lists(
            st.tuples(*(st.integers(0, len(names) - 1) for names in (subjects, raters, classes))),
            min_size=1,
            max_size=24,
        )
    )
    # Every case and every rater has a rating, for others are not in what was read.
    pairs += [(s, draw(st.integers(0, len(raters) - 1)), 0) for s in {*range(len(subjects))} - {p[0] for p in pairs}]
    pairs += [(draw(st.integers(0, len(subjects) - 1)), j, 0) for j in {*range(len(raters))} - {p[1] for p in pairs}]
    sizes = {CovariateOf.SUBJECT: len(subjects), CovariateOf.RATER: len(raters), CovariateOf.RATING: len(pairs)}
    covariates = {}
    for name in draw(st.lists(st.sampled_from(["age", "ward", "case", "remark", "Ana"]), max_size=3, unique=True)):
        of = draw(st.sampled_from(CovariateOf))
        if draw(st.booleans()):
            values = np.array(draw(st.lists(FURTHER, min_size=sizes[of], max_size=sizes[of])), dtype=object)
        else:
            floats = st.floats(-1e6, 1e6, allow_nan=False) | st.just(float("nan"))
            values = np.array(draw(st.lists(floats, min_size=sizes[of], max_size=sizes[of])))
        covariates[name] = Covariate(name, of, values)
    known = ""
    if draw(st.booleans()):
        known = "truth"
        answers = st.sampled_from(["", *classes, "elsewhere"])
        values = np.array(draw(st.lists(answers, min_size=len(subjects), max_size=len(subjects))), dtype=object)
        values[0] = classes[0]
        covariates[known] = Covariate(known, CovariateOf.SUBJECT, values)
    one_row_each = len({p[:2] for p in pairs}) == len(pairs)
    weight = np.array([2 + i for i in range(len(subjects))]) if one_row_each and draw(st.booleans()) else None
    codes = np.array(pairs, dtype=np.int64)
    return Ratings.of(
        codes[:, 0],
        codes[:, 1],
        codes[:, 2],
        subjects,
        raters,
        classes,
        ordered=draw(st.booleans()),
        raters_known=draw(st.booleans()),
        weight=weight,
        covariates=covariates,
        known=known,
        known_by=draw(st.sampled_from(("", "two experts, a biopsy", '=A1, "later"'))) if known else "",
    )


def plain(value):
    """A value of a further column as it is compared: 7 and 7.0 are one number."""
    try:
        number = float(value)
    except ValueError:
        return value
    return "" if np.isnan(number) else number


def said(ratings, left_out=()):
    """All that a table says: each rating with everything beside it, names in their order, classes and known answers."""
    place = {CovariateOf.SUBJECT: ratings.subject, CovariateOf.RATER: ratings.rater, CovariateOf.RATING: slice(None)}
    further = {n: list(map(plain, c.values[place[c.of]])) for n, c in ratings.covariates.items() if n not in left_out}
    rows = sorted(
        (
            (
                ratings.subjects[s],
                ratings.raters[j],
                ratings.classes[c],
                *(repr(further[n][i]) for n in sorted(further)),
            )
            for i, (s, j, c) in enumerate(zip(ratings.subject, ratings.rater, ratings.category, strict=True))
        ),
    )
    weight = None if ratings.weight is None else ratings.weight.tolist()
    known = ratings.known_classes()
    return (
        *(rows, ratings.subjects, ratings.raters, ratings.classes, ratings.ordered, ratings.raters_known, weight),
        *(ratings.known, ratings.known_by, None if known is None else known.tolist(), sorted(further)),
    )


def written(folder, ratings, shape):
    """The table as a CSV with its record beside it; its path and the table."""
    table = clean_table(ratings, shape)
    path = folder / "cleaned.csv"
    content = csv_text(table.names, table.rows).text.encode()
    path.write_bytes(content)
    rows = [(TABLE, CHECKSUM, checksum(content), "", ""), *((*row, "", "") for row in record_rows(table.options))]
    record_of(path).write_text(csv_text(RECORD_HEAD, rows).text, "utf-8")
    return path, table


@given(some_ratings(), st.sampled_from(Shape))
def test_cleaned_ratings_come_back_as_they_were(tmp_path_factory, ratings, shape):
    path, table = written(tmp_path_factory.mktemp("cleaned"), ratings, shape)
    assert (shape is Shape.LONG) <= (not table.left_out)
    if shape is Shape.WIDE and ratings.weight is not None and len(table.rows) > len(ratings.subjects):
        return
    back = read_now(path)
    assert said(back.ratings) == said(ratings, table.left_out)
    assert not [f for f in back.findings if f.severity is Severity.BLOCK]


@given(some_ratings(), st.sampled_from(Shape))
def test_no_cell_of_a_cleaned_table_is_a_formula(tmp_path_factory, ratings, shape):
    path, _table = written(tmp_path_factory.mktemp("formula"), ratings, shape)
    text = path.read_text("utf-8")
    for cell in text.replace('"', "").replace("\n", ",").replace("\t", ",").replace(";", ",").split(","):
        assert not cell.startswith(("=", "@")), cell


@pytest.mark.parametrize("name", [row.name for row in SAMPLES])
def test_the_usual_shape_of_every_sample_leaves_nothing_out(tmp_path, name):
    reading = read_now(f"sample:{name}")
    shape = usual_shape(reading.ratings, reading.source.layout)
    path, table = written(tmp_path, reading.ratings, shape)
    assert table.left_out == ()
    assert said(read_now(path).ratings) == said(reading.ratings)


def test_the_record_of_another_table_is_not_used(tmp_path):
    reading = read_now("sample:jury")
    path, _table = written(tmp_path, reading.ratings, Shape.WIDE)
    path.write_text(path.read_text("utf-8").replace("no medal", "none"), "utf-8")
    back = read_now(path)
    # The order of the record names a class that is there no more, so it is read as any other file.
    assert "known_export" not in {f.code for f in back.findings}
    assert back.ratings.classes != reading.ratings.classes


def test_what_the_user_says_comes_before_the_record(tmp_path):
    from tapdesk.ratings.options import ReadingOptions

    path, _table = written(tmp_path, read_now("sample:jury").ratings, Shape.WIDE)
    order = ("gold", "silver", "bronze", "no medal")
    assert read_now(path, ReadingOptions(order=order)).ratings.classes == order


def test_numbers_are_numbers_only_where_the_text_comes_back():
    assert numbers_of(("1", "", "2.5")) == (1.0, None, 2.5)
    for texts in (("1", "x"), ("007",), ("1.0",), ("",), ("+1",), ("1e3",), ("9" * 17,)):
        assert numbers_of(texts) is None, texts
