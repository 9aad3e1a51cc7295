"""Collects the licences of everything in a bundle: python packaging/licences/collect.py BUNDLE-FOLDER BUILD-FOLDER.

Fails when a package comes without a licence text, so that none is forgotten.
"""

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HERE = Path(__file__).resolve().parent
LICENCE = re.compile(r"(^|[/_-])(licen[cs]es?|copying|notice|authors)([._-]|$|/)", re.IGNORECASE)
# Their wheels hold no licence text; Qt is used under the LGPL.
QT = {"pyside6-essentials", "shiboken6"}
BUILDER = "pyinstaller"  # the program that starts the bundle is part of it
COMMON = Path("/usr/share/common-licenses")

HEAD = """tapdesk and what it is made with

tapdesk itself is under the MIT licence: tapdesk.txt. This folder holds the licences of everything else in the bundle.

Qt and PySide6 are used under the GNU Lesser General Public License, version 3 (LGPL-3.txt, which adds to GPL-3.txt).
Their source code is to be had from the Qt Project under the same version number: {qt}.
Qt is linked dynamically and lies in the folder {place}, so you may put your own build of Qt in its place:

  1. Build Qt {qt} (or a later version of the same major number), with the modules Core, Gui, Widgets, Svg, OpenGL,
     PrintSupport, Test and DBus, as shared libraries for this system.
  2. Close tapdesk and replace the libraries of the same names (libQt6*.so.6, Qt6*.dll or Qt*.framework) and the folder
     plugins by yours.
  3. Start tapdesk. Nothing in it checks for, or forbids, such a change; you may take it apart to find mistakes in your
     changes. On macOS sign the changed program anew: codesign --force --deep --sign - tapdesk.app

Fonts: Inter and Noto Sans for eight further scripts (SIL Open Font License, OFL-Inter.txt and OFL-Noto.txt), and Droid
Sans Fallback for the signs of Chinese, Japanese and Korean (Apache License 2.0, APACHE-Droid.txt). The compiler of the
reports carries Libertinus (SIL Open Font License), New Computer Modern (GUST Font License) and DejaVu (Bitstream Vera
licence); see the folder typst.

Python packages:
"""
WITHIN = """
Inside libraries of these packages, as their makers linked or added them:
"""
SYSTEM = """
Libraries of the system this was built on (their own terms are in the folder system):
"""


@dataclass(frozen=True)
class Part:
    """What packages carry inside their libraries, and how it is known there.

    Attributes
    ----------
    key, title
        What it is called in a bill of materials, and to people.
    names
        What a library of it is called.
    sign
        Bytes that only a library has that holds it; empty where the name tells.
    carriers
        The libraries that are looked into.
    texts
        Files of this folder with its terms.
    terms
        Under which terms it comes, in short.
    """

    key: str
    title: str
    terms: str
    names: re.Pattern[str] | None = None
    carriers: re.Pattern[str] | None = None
    sign: bytes = b""
    texts: tuple[str, ...] = ()

    def within(self, library: Path) -> bool:
        """Whether a library is of it, or holds it."""
        if self.names is not None:
            return self.names.search(library.name) is not None
        return (
            self.carriers is not None and bool(self.carriers.search(library.name)) and self.sign in library.read_bytes()
        )


INSIDE = (
    Part(
        "msvc-runtime",
        "Microsoft Visual C++ and C runtime",
        "Redistributed under the terms told in python.txt, “Additional Conditions for this Windows binary build”.",
        names=re.compile(
            r"^(vcruntime|msvcp|concrt|vcomp|vcamp|vccorlib|ucrtbase|api-ms-win-)[\w.-]*\.dll$", re.IGNORECASE
        ),
    ),
    Part(
        "libiconv",
        "GNU libiconv",
        "GNU Lesser General Public License: LGPL-2.1.txt. Its source is at www.gnu.org/software/libiconv; "
        "pyreadstat, whose source is open as well, can be built anew with another version of it.",
        carriers=re.compile(r"^_readstat_\w+\..*(pyd|so)$"),
        # An encoding by a name that only GNU's library has; the C library of Linux and that of macOS are asked by call.
        sign=b"BIG5-HKSCS:2008",
        texts=("LGPL-2.1.txt",),
    ),
)


def needed(name: str, seen: set[str] | None = None) -> set[str]:
    """A package and all it needs here, by name."""
    seen = set() if seen is None else seen
    name = canonicalize_name(name)
    if name in seen:
        return seen
    seen.add(name)
    for text in metadata.requires(name) or ():
        wanted = Requirement(text)
        # The bundle holds the window.
        extra = "desktop" if name == "tapdesk" else ""
        if wanted.marker is None or wanted.marker.evaluate({"extra": extra}):
            needed(wanted.name, seen)
    return seen


def texts(package: metadata.Distribution) -> list[Path]:
    """The licence files a package brought along, its list of parts included."""
    found = []
    for file in package.files or ():
        inside = file.parts[0].endswith(".dist-info")
        if inside and (LICENCE.search("/".join(file.parts[1:])) or "sboms" in file.parts):
            found.append(Path(str(package.locate_file(file))))
    return found


def licence_words(package: metadata.Distribution) -> str:
    """What a package says of its licence, in short."""
    told = package.metadata.get("License-Expression") or package.metadata.get("License") or ""
    classes = [c.rsplit(" :: ", 1)[-1] for c in package.metadata.get_all("Classifier") or () if c.startswith("License")]
    short = told.strip().splitlines()[0] if told.strip() else ""
    return short if 0 < len(short) < 60 else ", ".join(classes) or "see its text"


def collect_packages(target: Path) -> list[str]:
    """Copy the licences of all Python packages; one line for each."""
    rows = []
    for name in [*sorted(needed("tapdesk") - {"tapdesk"}), BUILDER]:
        package = metadata.distribution(name)
        own = texts(package)
        if not own and name not in QT:
            sys.exit(f"{name} has no licence text; put one into packaging/licences.")
        for text in own:
            (target / name).mkdir(exist_ok=True)
            place = target / name / text.name
            if place.exists():
                place = target / name / f"{text.parent.name}-{text.name}"
            shutil.copyfile(text, place)
        rows.append(f"  {package.metadata['Name']} {package.version}: {licence_words(package)}")
    return rows


def built_from(build: Path, kind: str) -> list[Path]:
    """Where every library of a bundle came from, or every module that is one (``EXTENSION``)."""
    rows = [
        r for toc in sorted(build.glob("tapdesk/COLLECT-*.toc")) for r in ast.literal_eval(toc.read_text("utf-8"))[0]
    ]
    return [Path(source) for _place, source, own in rows if own == kind]


def collect_system(target: Path, libraries: Iterable[Path]) -> list[str]:
    """Copy Debian's account of every library that came from the system, not from a package; one line for each."""
    if not shutil.which("dpkg"):
        return []
    own = Path(sysconfig.get_paths()["purelib"]).resolve()
    packages = set()
    for source in (one for one in libraries if own not in one.resolve().parents):
        for path in (source, source.resolve()):
            asked = subprocess.run(["dpkg", "-S", str(path)], check=False, capture_output=True, text=True)
            if asked.returncode == 0:
                packages.add(asked.stdout.split(":", 1)[0])
                break
    (target / "system").mkdir(exist_ok=True)
    for package in sorted(packages):
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", target / "system" / f"{package}.txt")
    for name in ("GPL-2", "LGPL-2", "LGPL-2.1", "Apache-2.0"):
        shutil.copyfile(COMMON / name, target / "system" / f"{name}.txt")
    return [f"  {package}" for package in sorted(packages)]


def collect_inside(target: Path, libraries: Iterable[Path]) -> list[str]:
    """What packages carry inside their libraries without saying so in their own licences; one line for each."""
    rows = []
    paths = sorted(set(libraries))
    for part in INSIDE:
        carriers = sorted({one.name for one in paths if part.within(one)})
        if carriers:
            for name in part.texts:
                shutil.copyfile(HERE / name, target / name)
            rows.append(f"  {part.title}: {', '.join(carriers)}. {part.terms}")
    return rows


def fill(target: Path, place: str, libraries: Iterable[Path], modules: Iterable[Path]) -> int:
    """Fill a folder with the licences of a bundle.

    Parameters
    ----------
    target
        The folder; what was in it before goes.
    place
        Where in the bundle the libraries of Qt lie.
    libraries, modules
        Where the libraries of the bundle came from, and the modules that are libraries.

    Returns
    -------
    int
        How many files there are.
    """
    libraries = list(libraries)
    root = HERE.parent.parent
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    fonts = root / "resources" / "fonts"
    for source, name in (
        (root / "LICENSE", "tapdesk.txt"),
        (HERE / "LGPL-3.txt", "LGPL-3.txt"),
        (HERE / "GPL-3.txt", "GPL-3.txt"),
        *((fonts / name, name) for name in ("OFL-Inter.txt", "OFL-Noto.txt", "APACHE-Droid.txt")),
        (python_licence(), "python.txt"),
    ):
        shutil.copyfile(source, target / name)
    qt = metadata.version("PySide6-Essentials")
    words = HEAD.format(qt=qt, place=place) + "\n".join(collect_packages(target)) + "\n"
    for head, rows in (
        (WITHIN, collect_inside(target, [*libraries, *modules])),
        (SYSTEM, collect_system(target, libraries)),
    ):
        words += head + "\n".join(rows) + "\n" if rows else ""
    (target / "README.txt").write_text(words, "utf-8")
    return len(list(target.rglob("*.*")))


def python_licence() -> Path:
    """The licence text of the Python that is in the bundle."""
    library = Path(sysconfig.get_paths()["stdlib"])
    for place in (library / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE"):
        if place.is_file():
            return place
    sys.exit("This Python comes without its licence text.")


def main() -> None:
    """Fill the folder `licences` of a bundle that is built; that of macOS has them before it is sealed."""
    bundle, build = (Path(word) for word in sys.argv[1:3])
    inside = next(p for p in sorted(bundle.rglob("*PySide6")) if p.is_dir())
    count = fill(
        bundle / "licences",
        str(inside.relative_to(bundle)),
        built_from(build, "BINARY"),
        built_from(build, "EXTENSION"),
    )
    print(f"{count} licence files")


if __name__ == "__main__":
    main()
