"""What 'tapdesk questions' proposes where a table can be read in several ways can be typed, and settles it."""

import random
import re
import shlex

import pytest

_CROSSED = tuple(f"{rater}_{question}" for rater in ("ana", "ben", "cy") for question in ("clean", "safe", "calm"))


def wide(path, heads, rows=40):
    """A sheet whose answers tell nothing about what its columns are."""
    draw = random.Random(3)
    lines = [",".join(("Case", *heads))]
    lines += [",".join((f"C{i}", *(draw.choice(("yes", "no")) for _head in heads))) for i in range(rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def stages(path):
    """One rating of each judge, sample and stage: stages may be questions or occasions."""
    draw = random.Random(4)
    lines = ["judge,sample,stage,verdict,remark"]
    for judge in ("Ann L.", "Ben K.", "Cy M."):
        for sample in range(30):
            truth = draw.choice("123")
            given = (truth if draw.random() < 0.8 else draw.choice("123") for _stage in range(2))
            lines += [f"{judge},S{sample},{stage},{said}," for stage, said in zip(("D1", "D2"), given, strict=True)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def proposals(sentence):
    """Each stretch of options in a sentence, as they are typed, and whether another command is named for it."""
    for found in re.finditer(r"(?:--[a-z-]+ (?:'[^']*'|[^\s,;]+)\s?)+", sentence):
        words = shlex.split(found[0].strip().rstrip(".").strip())
        yield [word.rstrip(".") for word in words], sentence[: found.start()].rstrip().endswith("'tapdesk fit' with")


SHEETS = {
    "crossed": lambda path: wide(path, _CROSSED),
    "phrases": lambda path: wide(path, ("Wound clean", "Pain noted", "Sleep noted")),
    "stages": stages,
}


@pytest.mark.parametrize("name", SHEETS)
def test_every_way_that_is_proposed_settles_the_doubt(told, tmp_path, name):
    path = tmp_path / "sheet.csv"
    SHEETS[name](path)
    status, out, err = told("questions", str(path))
    assert (status, out) == (3, "")
    ways = list(proposals(err))
    assert len(ways) == 2, err
    for options, of_fit in ways:
        first = "fit" if of_fit else "questions"
        status, out, err = told(first, str(path), *options)
        assert status == 0, f"{first} {options}: {err}"
        assert out


def test_the_name_of_a_question_tells_the_side_and_reports_take_it_too(told, answered, tmp_path):
    path = tmp_path / "sheet.csv"
    wide(path, _CROSSED)
    names = [
        {row["question"] for row in answered("questions", str(path), "--question", q)["rows"]} for q in ("safe", "ben")
    ]
    assert names == [{"clean", "safe", "calm"}, {"ana", "ben", "cy"}]
    status, _out, err = told("questions", str(path), "--question", "loud")
    assert (status, "There is no column 'loud'" in err) == (2, True)
    status, _out, err = told("fit", str(path), "--question", "safe")
    assert (status, "--layout raters --only 'clean'" in err) == (3, True)
    status, _out, err = told("report", str(path), "--question", "safe", "--output", str(tmp_path / "all.html"))
    assert status == 0, err
    assert "3 questions" in (tmp_path / "all.html").read_text(encoding="utf-8")
