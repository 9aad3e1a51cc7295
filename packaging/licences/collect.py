"""Collects the licences of everything in a bundle: python packaging/licences/collect.py BUNDLE-FOLDER BUILD-FOLDER.

Fails when a package comes without a licence text, so that none is forgotten.
"""

import ast
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
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
SYSTEM = """
Libraries of the system this was built on (their own terms are in the folder system):
"""


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


def system_libraries(build: Path) -> Iterator[Path]:
    """The libraries taken from the system rather than from a package, where they came from."""
    packages = Path(sysconfig.get_paths()["purelib"]).resolve()
    for toc in sorted(build.glob("tapdesk/COLLECT-*.toc")):
        for entry in ast.literal_eval(toc.read_text("utf-8"))[0]:
            source = Path(entry[1])
            if entry[2] == "BINARY" and packages not in source.resolve().parents:
                yield source


def collect_system(target: Path, build: Path) -> list[str]:
    """Copy Debian's account of every library that came from it; one line for each package."""
    if not shutil.which("dpkg"):
        return []
    packages = set()
    for source in system_libraries(build):
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


def main() -> None:
    """Fill the folder `licences` of a bundle."""
    bundle, build = (Path(word) for word in sys.argv[1:3])
    root = HERE.parent.parent
    target = bundle / "licences"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for source, name in (
        (root / "LICENSE", "tapdesk.txt"),
        (HERE / "LGPL-3.txt", "LGPL-3.txt"),
        (HERE / "GPL-3.txt", "GPL-3.txt"),
        (root / "resources" / "fonts" / "OFL-Inter.txt", "OFL-Inter.txt"),
        (root / "resources" / "fonts" / "OFL-Noto.txt", "OFL-Noto.txt"),
        (python_licence(), "python.txt"),
    ):
        shutil.copyfile(source, target / name)
    qt = metadata.version("PySide6-Essentials")
    inside = next(p for p in sorted(bundle.rglob("*PySide6")) if p.is_dir())
    words = HEAD.format(qt=qt, place=inside.relative_to(bundle)) + "\n".join(collect_packages(target)) + "\n"
    libraries = collect_system(target, build)
    words += SYSTEM + "\n".join(libraries) + "\n" if libraries else ""
    (target / "README.txt").write_text(words, "utf-8")
    print(f"{len(list(target.rglob('*.*')))} licence files")


def python_licence() -> Path:
    """The licence text of the Python that is in the bundle."""
    library = Path(sysconfig.get_paths()["stdlib"])
    for place in (library / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE"):
        if place.is_file():
            return place
    sys.exit("This Python comes without its licence text.")


if __name__ == "__main__":
    main()
