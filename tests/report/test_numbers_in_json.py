"""Numbers in briefs and full reports are those of the JSON, at the rounding they are shown with: 400 and more."""

import io
import json
import re
from dataclasses import dataclass

import pypdfium2
import pytest

from tapdesk.cli.main import main

SAMPLES = (
    ("jury", "--class1", "gold"),
    ("audit",),
    ("jury-panel", "--class1", "gold"),
    ("fleiss-1971",),
    ("wine-cut1",),
    ("wine-cut2",),
    ("wine-cut3",),
    ("dawid-skene-1979",),
)
COMMON = ("--interval", "wald")
WANTED = 400
_NUMBER = re.compile(r"(?<![\w.,])[−-]?\d+\.\d+(?![\w%])")


@dataclass(frozen=True)
class Told:
    """What one sample says on paper, and what the commands say of it."""

    words: str
    values: dict[str, list[float]]


def answer(capsys, *words):
    assert main([*words, "--json"]) == 0, words
    return json.loads(capsys.readouterr().out)


def numbers_in(value, at="", found=None):
    """Every number of an answer by its path."""
    found = {} if found is None else found
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return found
    if isinstance(value, int | float):
        found.setdefault(at, []).append(float(value))
    elif isinstance(value, dict):
        for key, inside in value.items():
            numbers_in(inside, f"{at}.{key}", found)
    else:
        for inside in value:
            numbers_in(inside, at, found)
    return found


def estimates_of(answers):
    """The estimates and coefficients of the answers: name, value, both ends."""
    for one in answers:
        for fit in one.get("fits", ()):
            for e in fit["estimates"]:
                yield f"{e['name']} {e['rater'] or ''} {e['class'] or ''}", (e["value"], e["low"], e["high"])
        for c in one.get("coefficients", ()):
            if c["raters"] is not None:
                # Those of pairs are drawn; their table is the workbook's.
                continue
            about = (c["name"], c["weights"], c["class"], c["raters"], c["metric"])
            yield " ".join(map(str, about)), (c["value"], c["low"], c["high"])


def shown_as(value, words):
    """Whether a value stands on paper at some rounding of two to four places."""
    for places in (2, 3, 4):
        text = f"{abs(value):.{places}f}"
        sign = "−" if value < 0 and float(text) else ""
        if re.search(rf"(?<![\d.,−]){re.escape(sign + text)}(?!\d)", words):
            return True
    # Between two roundings a hair decides; a share of cases stands as one of 100.
    half = f"{abs(value) * 100:.0f}"
    return bool(re.search(rf"(?<![\d.,]){half} (?:in|of|times in|to) ?1?0?0?|{half} to \d|\d to {half}(?!\d)", words))


@pytest.mark.slow
def test_four_hundred_numbers_on_paper_are_those_of_the_json(tmp_path, capsys):
    compared, missing = 0, []
    for name, *more in SAMPLES:
        file = f"sample:{name}"
        target = tmp_path / f"{name}.pdf"
        more_of_it = ("--appendix", str(target.with_stem(f"{name}-appendix")))
        asked = ("report", file, *more, *COMMON, "--replicates", "60", "--form", "both", *more_of_it)
        assert main([*asked, "-o", str(target.with_stem(f"{name}-report"))]) == 0
        capsys.readouterr()
        words = ""
        for place in sorted(tmp_path.glob(f"{name}-*.pdf")):
            with pypdfium2.PdfDocument(io.BytesIO(place.read_bytes())) as document:
                words += " ".join(page.get_textpage().get_text_bounded() for page in document)
        words = re.sub(r"\s+", " ", words)
        answers = [
            answer(capsys, "agree", file, *more),
            answer(capsys, "fit", file, *more, *COMMON, "--model", "t-a-p"),
        ]
        for what, values in estimates_of(answers):
            for value in values:
                if value is None:
                    continue
                compared += 1
                if not shown_as(value, words):
                    missing.append((name, what, value))
    assert compared >= WANTED
    # Every number the commands tell of a sample stands in its report or the appendix.
    assert missing == []
