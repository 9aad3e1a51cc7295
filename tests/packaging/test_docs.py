"""The site of the help: it holds all the program has, takes nothing from elsewhere, and its links lead somewhere."""

import re
import runpy
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tapdesk.agreement.coefficients import COEFFICIENTS
from tapdesk.answers.parts import PARTS
from tapdesk.gui.help.help_window import ENLARGE, pages
from tapdesk.models.model import GRID_MODELS, MODELS, QUESTION_MODELS
from tapdesk.project.fixes.known import KNOWN
from tapdesk.project.fixes.ratings import RATINGS
from tapdesk.project.fixes.reading import READING
from tapdesk.ratings.options import Layout
from tapdesk.ratings.reading import read_now
from tapdesk.ratings.samples import SAMPLES
from tapdesk.ratings.trades.catalog import TRADES
from tapdesk.report.outline import SECTIONS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def reference():
    return runpy.run_path(str(ROOT / "packaging" / "docs_reference.py"), run_name="reference")


@pytest.fixture(scope="module")
def site():
    return runpy.run_path(str(ROOT / "packaging" / "docs_pages.py"), run_name="site")


def first_cells(page):
    """What the rows of all tables of a page are called."""
    return set(re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE))


def test_every_model_stands_there_with_a_formula_that_is_its_own(reference):
    every = (*MODELS, *GRID_MODELS, *QUESTION_MODELS)
    assert first_cells(reference["models"]()) == {model.name for model in every}
    # Questions are groups by another name.
    told = [reference["formula"](model) for model in (*MODELS, *GRID_MODELS)]
    assert len(set(told)) == len(told)
    assert reference["formula"](MODELS[0]) == "Pr(T = k) = t_k; Pr(C = c | T = k) = a I(c = k) + (1 - a) p(c)"


def test_every_coefficient_stands_there_with_its_definition_and_its_special_case(reference):
    page = reference["coefficients"]()
    chapters = {part.split("`")[1]: part for part in re.split(r"^## .*$", page, flags=re.MULTILINE)[1:]}
    assert list(chapters) == [kind.name for kind in COEFFICIENTS]
    for kind in COEFFICIENTS:
        assert reference["sentence"](kind.special_case.words) in chapters[kind.name]
        assert len(chapters[kind.name].split("in commands and JSON. ")[1].split("\n")[0]) > 20
    approved = next(one for one in pages() if one.key == "statistician")
    assert f"**Coefficients** ({len(COEFFICIENTS)} kinds" in approved.markdown


def test_every_layout_export_and_part_stands_there(reference):
    exports = {look.__name__ for look in TRADES}
    assert first_cells(reference["layouts"]()) == {layout.value for layout in Layout} | exports
    page = reference["parts"]()
    assert first_cells(page) == {part.key for part in PARTS}
    titles = {row.key: reference["sentence"](row.title) for row in SECTIONS}
    assert set(re.findall(r"^## (.*)$", page, re.MULTILINE)) == {titles[part.section] for part in PARTS}


def test_every_finding_with_a_button_or_of_a_sample_stands_there(reference):
    named = first_cells(reference["findings"]())
    assert {*READING, *RATINGS, *KNOWN} <= named
    seen = {finding.code for one in SAMPLES for finding in read_now(f"sample:{one.name}").findings}
    assert seen
    assert seen <= named
    # Nothing that is filled in is left in braces.
    assert not re.findall(r"\{\w+", "".join(write() for write in reference["REFERENCE"].values()))


def test_every_page_of_the_help_stands_once_in_the_site(site):
    named = [key for keys in site["PARTS"].values() for key in keys]
    assert sorted(named) == sorted(set(site["contents"]()) - {"index"})
    assert {one.key for one in pages()} <= set(named)
    # What only the window of the help can do is not promised there.
    assert [one.key for one in pages() if ENLARGE in one.markdown] == ["papers"]
    assert not [
        text for text in site["contents"]().values() if ENLARGE in text or re.search(r"\]\((?:help|file):", text)
    ]


class Links(HTMLParser):
    """What a page loads, where it leads to, and the places in it that links may lead to."""

    def __init__(self):
        super().__init__()
        self.loaded, self.led, self.places = [], [], set()

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.places |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a":
            self.led += [given["href"]] if "href" in given else []
        else:
            self.loaded += [given[name] for name in ("src", "href", "srcset", "data", "poster") if given.get(name)]


def links_of(path):
    parser = Links()
    parser.feed(path.read_text("utf-8"))
    return parser


def remote(address):
    return bool(urlsplit(address).netloc) or urlsplit(address).scheme not in {"", "data"}


@pytest.mark.slow
def test_the_site_takes_nothing_from_elsewhere_and_every_link_leads_somewhere(tmp_path):
    made = subprocess.run(
        ["bash", "packaging/docs", str(tmp_path / "site")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stderr
    gallery = (tmp_path / "site" / "gallery.html").read_text("utf-8")
    # Every cell has been run: a headline, a frame of pandas and a picture stand there.
    assert "About 57 of 100 ratings follow the wine" in " ".join(gallery.split())
    assert gallery.count("<svg") >= 2
    assert 'class="dataframe"' in gallery
    written = {path: links_of(path) for path in (tmp_path / "site").resolve().rglob("*.html")}
    assert len(written) > 20
    assert [(path.name, one) for path, page in written.items() for one in page.loaded if remote(one)] == []
    styles = [path.read_text("utf-8") for path in (tmp_path / "site").rglob("*.css")]
    assert styles
    assert [one for style in styles for one in re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style)] == []
    lost = []
    for path, page in written.items():
        if path.name == "404.html":  # a server shows it, at whatever address
            continue
        for address in (*page.led, *page.loaded):
            parts = urlsplit(address)
            if remote(address) or parts.scheme == "data":
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            place = unquote(parts.fragment)
            if not target.is_file() or (place and target in written and place not in written[target].places):
                lost.append((path.name, address))
    assert lost == []
