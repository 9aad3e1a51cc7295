"""The source of the site of the help: python packaging/docs_pages.py FOLDER, then mkdocs builds it (packaging/docs).

Its pages are those of the program's own help, word by word, and the pages of reference made from the catalogs.
"""

import json
import re
import runpy
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from tapdesk import resources
from tapdesk.gui.help.help_window import ENLARGE, Page, pages
from tapdesk.ratings.samples import SAMPLES
from tapdesk.version import VERSION

HERE = Path(__file__).resolve().parent
REFERENCE = runpy.run_path(str(HERE / "docs_reference.py"), run_name="reference")
GALLERY = runpy.run_path(str(HERE / "docs_gallery.py"), run_name="gallery")
PARTS: Mapping[str, tuple[str, ...]] = {
    "Begin": ("first-analysis", "numbers", "formats", "files"),
    "Tutorials": ("tutorial-audit", "tutorial-jury", "tutorial-screening", "tutorial-judges"),
    "How to": (
        *("howto-redcap", "howto-labels", "howto-known", "howto-sheets", "howto-plan", "howto-protocol"),
        *("howto-without", "howto-rounds", "howto-letters", "howto-verify", "howto-offline", "gallery"),
    ),
    "Understand": ("models", "grid", "limits", "words", "papers", "sources", "glossary", "questions"),
    "Approve": ("statistician", "departments", "privacy"),
    "Look up": ("command-line", "keyboard", *REFERENCE["REFERENCE"]),
}
"""The pages by the part of the site they stand in."""
CONFIGURATION = """site_name: tapdesk
site_url: ""
docs_dir: pages
use_directory_urls: false
copyright: tapdesk {version}; nothing on these pages comes from elsewhere
theme:
  name: material
  font: false
  icon:
    logo: material/scale-balance
  features: [navigation.sections, navigation.top, search.highlight, toc.follow]
  palette:
    - media: "(prefers-color-scheme: light)"
      scheme: default
      primary: indigo
    - media: "(prefers-color-scheme: dark)"
      scheme: slate
      primary: indigo
extra:
  generator: false
  polyfills: [files/iframe-worker.js]
plugins: [offline, search]
markdown_extensions:
  - attr_list
  - sane_lists
  - tables
  - toc: {{permalink: true}}
validation: {{links: {{anchors: warn}}}}
nav:
{nav}
"""


def files() -> str:
    """The page of the samples, to be downloaded and opened."""
    lines = [
        "# Files to try",
        "",
        "Each comes with the program as well: `tapdesk check sample:NAME` reads it; the window offers the first ones.",
    ]
    for one in SAMPLES:
        about = f"{one.about} *{one.citation}*"
        lines += ["", f"## {one.title}", "", f"`sample:{one.name}`: [{one.file}](files/{one.file}). {about}"]
    return "\n".join(lines) + "\n"


def index(titles: Mapping[str, str]) -> str:
    """The first page: what the program is for, and every other page."""
    lines = [
        "# tapdesk",
        "",
        "How much of the agreement between raters is knowledge and how much is luck, how sure that is, and what the",
        "ratings cannot say. These pages are those of **Help** in the program, and lists of all it knows.",
    ]
    for part, keys in PARTS.items():
        lines += ["", f"## {part}", "", *(f"- [{titles[key]}]({key}.md)" for key in keys)]
    return "\n".join(lines) + "\n"


def linked(text: str) -> str:
    """A page with the links of the program's help, to pages and to files, as those of a site."""
    return re.sub(r"\]\(file:([\w.-]+)\)", r"](files/\1)", re.sub(r"\]\(help:([\w-]+)\)", r"](\1.md)", text))


def markdown(page: Page) -> str:
    """A page of the help with its pictures and the places its links lead to."""
    text = page.markdown.replace(f"{ENLARGE}\n\n", "")  # a browser has ways of its own
    for place, heading in page.places.items():
        text = text.replace(f"\n## {heading}\n", f"\n## {heading} {{ #{place} }}\n")
    return linked(re.sub(r"\]\(([\w-]+\.png)\)", rf"]({page.key}/\1)", text))


def contents() -> dict[str, str]:
    """Every page by its name."""
    made = {page.key: markdown(page) for page in pages()}
    made |= {key: linked(write()) for key, write in REFERENCE["REFERENCE"].items()}
    made["files"] = files()
    # As it is kept; its answers come when it is run (packaging/docs).
    notebook = resources.path("tutorials", GALLERY["NAME"])
    made["gallery"] = GALLERY["markdown"](json.loads(notebook.read_text("utf-8")))
    titles = {key: text.splitlines()[0].removeprefix("# ") for key, text in made.items()}
    return {"index": index(titles), **made}


def write(folder: Path) -> None:
    """The source of the whole site, in a folder that holds nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    place = folder / "pages"
    place.mkdir(parents=True)
    for key, text in contents().items():
        (place / f"{key}.md").write_text(text, encoding="utf-8", newline="\n")
    for page in pages():
        if page.pictures:
            shutil.copytree(page.pictures, place / page.key, ignore=shutil.ignore_patterns("*.md", "*.csv"))
    (place / "files").mkdir()
    shutil.copy(HERE / "iframe-worker.js", place / "files")
    for one in SAMPLES:
        shutil.copy(resources.path("samples", one.file), place / "files" / one.file)
    for kind in ("*.csv", "*.ipynb"):
        for one in sorted(resources.path("tutorials").glob(kind)):
            shutil.copy(one, place / "files")
    nav = ["  - All pages: index.md"]
    for part, keys in PARTS.items():
        nav += [f"  - {part}:", *(f"      - {key}.md" for key in keys)]
    told = CONFIGURATION.format(version=VERSION, nav="\n".join(nav))
    (folder / "mkdocs.yml").write_text(told, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
