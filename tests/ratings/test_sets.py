"""Agreement on sets of labels, held against NLTK and against what is counted by hand."""

import json
import random
import re

import pytest

from tapdesk.agreement.sets import jaccard, masi, set_agreement
from tapdesk.cli.main import main
from tapdesk.project.files.file import load, save
from tapdesk.project.fixes.catalog import fixes
from tapdesk.project.nouns import nouns_read
from tapdesk.project.project import Project
from tapdesk.ratings.label_sets import label_sets
from tests.ratings.telling import blocks, told

LABELS = ["trust", "fear", "cost", "time"]
# AnnotationTask(data, distance).alpha() of NLTK 3.10.4 on the ratings below.
NLTK = {"masi": 0.2674474611504044, "jaccard": 0.2537761757638173}


def sheet():
    """Seventy-seven ratings of thirty texts by three coders, a tenth of them absent."""
    rng, rows = random.Random(17), []
    for i in range(30):
        base = frozenset(rng.sample(LABELS, rng.choice([1, 1, 2, 3])))
        for who in ("Ana", "Ben", "Cy"):
            if rng.random() < 0.1:
                continue
            said = base if rng.random() < 0.55 else frozenset(rng.sample(LABELS, rng.choice([1, 2, 2])))
            rows.append(f"u{i:02},{who},{'; '.join(sorted(said))}")
    return "segment,coder,codes\n" + "\n".join(rows) + "\n"


def test_alpha_of_sets_is_that_of_nltk(text):
    ratings = text(sheet()).ratings
    assert ratings.rating_count == 77
    found = set_agreement(ratings, label_sets(ratings.classes))
    assert found.masi.value == pytest.approx(NLTK["masi"], abs=1e-12)
    assert found.jaccard.value == pytest.approx(NLTK["jaccard"], abs=1e-12)
    assert found.masi.low < found.masi.value < found.masi.high


def test_masi_is_that_of_passonneau():
    """Passonneau 2006, section 3: identical 1, part 2/3, overlap 1/3, apart 0, times Jaccard."""
    a, ab, bc, c = (frozenset(s) for s in ("a", "ab", "bc", "c"))
    assert (masi(ab, ab), masi(a, c)) == (1, 0)
    assert masi(a, ab) == pytest.approx(2 / 3 * 1 / 2)
    assert masi(ab, bc) == pytest.approx(1 / 3 * 1 / 3)
    assert jaccard(frozenset(), frozenset()) == 1


def test_each_label_is_a_question_of_its_own(text):
    reading = text(sheet())
    found = set_agreement(reading.ratings, label_sets(reading.ratings.classes))
    rows = {row.label: row for row in found.labels}
    assert set(rows) == set(LABELS)
    for label, row in rows.items():
        alone = text(sheet(), label=label).ratings
        assert len(alone.classes) == 2
        assert row.share == pytest.approx(alone.class_rates()[1])


def test_sets_are_asked_about_and_sentences_are_none(text):
    assert told(text(sheet()), "sets_of_labels").about[0] == label_sets(text(sheet()).ratings.classes).labels
    assert label_sets(["good; but late", "bad; and early", "fair"]) is None
    assert label_sets(["1,5", "2,5", "1,2"]) is None
    assert label_sets(["yes", "no"]) is None
    assert label_sets(["a|b", "b|c", "a", "c"]).separator == "|"


def test_the_order_of_the_labels_in_a_cell_and_one_slip_change_nothing(text):
    """What annotators tick first stands first in their cells."""
    rng = random.Random(3)

    def shuffled(line):
        case, who, labels = line.split(",")
        return ",".join([case, who, "; ".join(sorted(labels.split("; "), key=lambda _label: rng.random()))])

    head, *lines = sheet().splitlines()
    given = text("\n".join([head, *map(shuffled, lines)]) + "\n").ratings
    plain = text(sheet()).ratings
    assert len(given.classes) > len(plain.classes)
    found, known = (set_agreement(r, label_sets(r.classes)) for r in (given, plain))
    for name in ("masi", "jaccard", "nominal"):
        assert getattr(found, name).value == pytest.approx(getattr(known, name).value, abs=1e-12)
    assert label_sets([*plain.classes, "trust; faer"]).labels[-1] == "faer"


def test_more_sets_than_a_scale_has_classes_are_asked_about_before_anything_is_computed(text, tmp_path, capsys):
    """Seven labels make 128 sets: neither remarks nor classes."""
    rng, labels = random.Random(5), ["anger", "cost", "fear", "hope", "joy", "shame", "trust"]
    lines = ["document,annotator,labels"]
    for document in range(60):
        true = {label for label in labels if rng.random() < 0.35}
        for who in ("mira", "jonas", "lea"):
            own = [label for label in labels if (label in true) == (rng.random() < 0.85)]
            lines.append(f"p{document},{who},{'; '.join(rng.sample(own, len(own)))}")
    (tmp_path / "sets.csv").write_text("\n".join(lines))
    reading = text("\n".join(lines))
    assert len(reading.ratings.classes) > 50
    assert blocks(reading) == {"sets_of_labels"}
    assert main(["fit", str(tmp_path / "sets.csv")]) == 3
    assert "--label" in capsys.readouterr().err
    assert not blocks(text("\n".join(lines), label="hope"))
    assert main(["questions", str(tmp_path / "sets.csv"), "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {row["question"] for row in rows} == set(labels)


def test_the_command_line_tells_sets_and_asks_about_one_label(tmp_path, capsys):
    place = tmp_path / "codes.csv"
    place.write_text(sheet())
    assert main(["agree", str(place), "--json"]) == 0
    (part,) = [p for p in json.loads(capsys.readouterr().out)["parts"] if p["key"] == "sets"]
    assert [row[1] for row in part["tables"][0]["rows"][:2]] == pytest.approx([NLTK["masi"], NLTK["jaccard"]])
    assert main(["check", str(place), "--label", "trust", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["data"]["classes"] == ["no", "yes"]
    assert all("trust" in c for c in answer["data"]["class1"])
    assert "sets_of_labels" not in {finding["code"] for finding in answer["findings"]}
    assert main(["check", str(place), "--label", "hope"]) == 2
    assert "'trust'" in capsys.readouterr().err


def test_a_report_about_one_label_is_about_this_label_and_names_it(tmp_path, capsys):
    place, page = tmp_path / "codes.csv", tmp_path / "codes.html"
    place.write_text(sheet())
    typed = ["report", str(place), "--label", "trust", "--interval", "none", "--form", "brief", "-o", str(page)]
    assert main(typed) == 0
    text = re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8"))
    assert re.search(r"Question\s+trust\s", text)
    assert re.search(r"Counted class\s+yes\s", text)
    assert "Each set is read as a class" not in text
    capsys.readouterr()
    assert main([*typed[:-1], str(pdf := tmp_path / "codes.pdf")]) == 0
    assert main(["verify", str(pdf), str(place)]) == 0


def test_a_click_asks_about_a_label_and_a_project_keeps_it(text, tmp_path):
    reading = text(sheet())
    offered = fixes(told(reading, "sets_of_labels"), reading, reading.ratings)
    assert [f.words for f in offered][-1] == "Each set is a class"
    assert offered[0].words == "Ask about each label, yes or no"
    offered = [fix for fix in offered if fix.words.startswith("Ask about “")]
    asked = Project().with_reading(reading, when="").decide(offered[0].decision, when="")
    label = label_sets(reading.ratings.classes).labels[0]
    assert all((label in c) == (c in asked.class1) for c in reading.ratings.classes)
    alone = Project().with_reading(text(sheet(), label=label), when="")
    save(alone, tmp_path / "p.tapdesk")
    assert load(tmp_path / "p.tapdesk").ratings.classes == alone.ratings.classes


def test_a_text_beside_its_number_does_not_name_the_case(text):
    """Exports of annotations hold the whole passage beside its number; reports then speak of numbers."""
    head, *lines = sheet().splitlines()
    beside = []
    for line in lines:
        case, who, labels = line.split(",")
        beside.append(f"{case},I said well in passage {case} and then we went on slowly,{who},{labels}")
    reading = text("\n".join([head.replace("segment,", "segment_id,text,"), *beside]) + "\n")
    assert reading.source.roles["subject"] == "segment_id"
    assert nouns_read(reading).subjects == "segments"
