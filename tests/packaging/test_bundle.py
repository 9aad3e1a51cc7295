"""The parts of the bundle that can be tried without building it."""

import runpy
import struct
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture(scope="module")
def parts():
    return runpy.run_path(str(PACKAGING / "bundle_parts.py"))


@pytest.fixture(scope="module")
def licences():
    return runpy.run_path(str(PACKAGING / "licences" / "collect.py"))


SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8" fill="#14607A"/></svg>'


def png_size(picture):
    assert picture.startswith(b"\x89PNG")
    return struct.unpack(">II", picture[16:24])


@pytest.mark.usefixtures("qapp")
def test_the_icon_for_windows_holds_a_picture_of_every_size_where_it_says(parts):
    made = parts["ico"](SQUARE)
    kind, count = struct.unpack("<HH", made[2:6])
    assert (kind, count) == (1, len(parts["ICO_SIZES"]))
    for i, size in enumerate(parts["ICO_SIZES"]):
        wide, _, _, _, _, bits, length, at = struct.unpack("<BBBBHHII", made[6 + 16 * i : 22 + 16 * i])
        assert (wide or 256, bits) == (size, 32)
        assert png_size(made[at : at + length]) == (size, size)


@pytest.mark.usefixtures("qapp")
def test_the_icon_for_macos_is_as_long_as_it_says(parts):
    made = parts["icns"](SQUARE)
    assert made[:4] == b"icns"
    assert struct.unpack(">I", made[4:8])[0] == len(made)
    at, sizes = 8, []
    while at < len(made):
        length = struct.unpack(">I", made[at + 4 : at + 8])[0]
        sizes.append(png_size(made[at + 8 : at + length])[0])
        at += length
    assert sizes == list(parts["ICNS_KINDS"].values())


def test_every_package_the_program_needs_brings_its_licence(licences):
    from importlib.metadata import distribution

    needed = licences["needed"]("tapdesk") - {"tapdesk"}
    assert {"numpy", "scipy", "pandas", "typst", "pyside6-essentials", "pyqtgraph"} <= needed
    assert "pytest" not in needed
    silent = {name for name in needed if not licences["texts"](distribution(name))}
    # The texts for these two lie in packaging/licences.
    assert silent == licences["QT"]
    assert "Version 3, 29 June 2007" in (PACKAGING / "licences" / "LGPL-3.txt").read_text("utf-8")
    assert "Version 3, 29 June 2007" in (PACKAGING / "licences" / "GPL-3.txt").read_text("utf-8")


def test_the_parts_of_qt_that_are_left_out_are_those_nobody_uses(parts):
    out = (
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/lib/libQt6Network.so.6",
        "PySide6/Qt/translations/qtbase_de.qm",
        "PySide6\\opengl32sw.dll",
    )
    kept = (
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "PySide6/Qt/plugins/iconengines/libqsvgicon.so",
        "PySide6/Qt/plugins/imageformats/libqjpeg.so",
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/QtTest.abi3.so",
        "resources/fonts/Inter-Regular.otf",
    )
    entries = [(name, f"/x/{name}", "BINARY") for name in out + kept]
    assert [name for name, *_ in parts["used"](entries)] == list(kept)


def test_libraries_only_an_absent_part_asked_for_are_left_out(parts, monkeypatch):
    links = {"/x/libqxcb.so": ["libxcb.so.1"], "/s/libxcb.so.1": ["libXau.so.6"], "/s/libgtk.so": ["libatk.so"]}
    module = type(sys)("bindepend")
    module.get_imports = lambda source: {(name, f"/s/{name}") for name in links.get(source, ())}
    for name in ("PyInstaller", "PyInstaller.depend"):
        monkeypatch.setitem(sys.modules, name, type(sys)(name))
    monkeypatch.setitem(sys.modules, "PyInstaller.depend.bindepend", module)
    monkeypatch.setattr(sys, "platform", "linux")
    system = [(name, f"/s/{name}", "BINARY") for name in ("libxcb.so.1", "libXau.so.6", "libatk.so")]
    own = ("PySide6/Qt/plugins/platforms/libqxcb.so", "/x/libqxcb.so", "BINARY")
    assert parts["reachable"]([own, *system]) == [own, *system[:2]]
