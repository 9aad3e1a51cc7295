"""What is installed by double-click: setup, disk image and AppImage say of the program what it says itself."""

import hashlib
import os
import plistlib
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from tapdesk.project.files.recognition import SUFFIX
from tapdesk.version import VERSION

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
SETUP = (PACKAGING / "tapdesk.iss").read_text("utf-8")
SPEC = (PACKAGING / "tapdesk.spec").read_text("utf-8")
BUNDLE = (PACKAGING / "bundle").read_text("utf-8")


def section(name):
    """The lines of a section of the setup that say something."""
    found = re.search(rf"^\[{name}\]\n(.*?)(?=^\[|\Z)", SETUP, re.MULTILINE | re.DOTALL)
    return [line for line in found[1].splitlines() if line and not line.startswith(";")]


def entries(name):
    """The entries of a section: each a set of values by their names."""
    rows = []
    for line in section(name):
        pairs = re.findall(r'(\w+): ("(?:[^"]|"")*"|[^;]+)', line)
        rows.append({key: value.strip().removeprefix('"').removesuffix('"') for key, value in pairs})
    return rows


SETTINGS = dict(line.split("=", 1) for line in section("Setup"))


def test_the_setup_is_for_one_user_without_an_administrator():
    assert SETTINGS["PrivilegesRequired"] == "lowest"
    assert "PrivilegesRequiredOverridesAllowed" not in SETTINGS
    assert SETTINGS["DefaultDirName"] == "{userpf}\\tapdesk"
    assert {row["Root"] for row in entries("Registry")} == {"HKCU"}
    assert [row["Name"] for row in entries("Icons")] == ["{userprograms}\\tapdesk"]


def test_the_setup_opens_by_double_click_what_the_program_calls_its_projects():
    rows = {row["Subkey"]: row for row in entries("Registry")}
    own = rows[f"Software\\Classes\\{SUFFIX}\\OpenWithProgids"]["ValueName"]
    assert rows[f"Software\\Classes\\{own}\\shell\\open\\command"]["ValueData"] == '""{app}\\tapdesk.exe"" ""%1""'
    assert {row["Tasks"] for row in rows.values()} == {entries("Tasks")[0]["Name"]}
    assert SETTINGS["ChangesAssociations"] == "yes"
    # All of it goes again: a key with what lies below it, or the one value among those of others.
    taken = [row for row in rows.values() if "uninsdelete" in row.get("Flags", "")]
    assert {row["Flags"] for row in taken} == {"uninsdeletevalue", "uninsdeletekey"}
    below = [key for key, row in rows.items() if row not in taken]
    assert all(key.startswith(f"Software\\Classes\\{own}\\") for key in below)


def test_every_system_knows_a_project_by_the_same_ending():
    assert f'"CFBundleTypeExtensions": ["{SUFFIX.removeprefix(".")}"]' in SPEC
    kinds = (PACKAGING / "desktop" / "tapdesk.xml").read_text("utf-8")
    assert re.findall(r'<glob pattern="([^"]+)"', kinds) == [f"*{SUFFIX}"]
    (kind,) = re.findall(r'<mime-type type="([^"]+)"', kinds)
    assert f"MimeType={kind};" in (PACKAGING / "desktop" / "tapdesk.desktop").read_text("utf-8")


def test_the_setup_takes_the_folder_of_the_bundle_with_the_names_the_spec_gives():
    assert SETTINGS["SourceDir"] == "..\\dist\\tapdesk"
    assert SETTINGS["OutputDir"] == ".."
    # What an older version had among these would be loaded by the new one.
    assert {row["Name"] for row in entries("InstallDelete")} == {"{app}\\_internal", "{app}\\licences"}
    assert 'name="tapdesk", console=not (windows or mac)' in SPEC
    assert {row["Filename"] for name in ("Icons", "Run") for row in entries(name)} == {"{app}\\tapdesk.exe"}
    assert SETTINGS["OutputBaseFilename"] == "tapdesk-{#Version}-windows-amd64-setup"
    assert "tapdesk-$version-windows-amd64-setup.exe" in (PACKAGING / "installer").read_text("utf-8")
    assert 'icon_file(root / "resources" / "icons" / "app.svg", root / "build")' in SPEC
    assert SETTINGS["SetupIconFile"] == "..\\..\\build\\tapdesk.ico"
    # Nobody is asked anything where it is silent, and nothing is started then.
    assert [row["Flags"] for row in entries("Run")] == ["postinstall nowait skipifsilent unchecked"]
    assert "[Code]" not in SETUP


def test_the_app_is_complete_before_it_is_sealed_and_nothing_is_added_after():
    assert SPEC.index("fill(held") < SPEC.index("PYZ(") < SPEC.index("BUNDLE(")
    assert '"LSMinimumSystemVersion": "13.0"' in SPEC
    # Files are named by event (gui.app.Application); emulated arguments would open them twice or not at all.
    assert "argv_emulation" not in SPEC
    mac = BUNDLE[BUNDLE.index("licences=$bundle/Contents") : BUNDLE.index("licences/collect.py")]
    assert "codesign --verify --strict --deep" in mac
    assert "cp " not in mac
    sign = (PACKAGING / "sign").read_text("utf-8")
    assert "--options runtime" in sign
    assert [
        line for line in sign.splitlines() if "codesign" in line and "--deep" in line and "--verify" not in line
    ] == []
    assert sign.index("notarytool submit") < sign.index("stapler staple")
    rights = plistlib.loads((PACKAGING / "entitlements.plist").read_bytes())
    assert set(rights.values()) == {True}


@pytest.mark.parametrize("what", ["app", "image"])
def test_without_an_identity_nothing_is_signed_and_that_is_said(what, tmp_path):
    done = subprocess.run(
        ["bash", PACKAGING / "sign", what, tmp_path / "tapdesk.app"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": os.environ["PATH"]},
    )
    assert "is not signed" in done.stdout
    assert "not signed" in (ROOT / "README.md").read_text("utf-8")


def bundle(place):
    """The program that makes an installer beside a bundle that holds little."""
    for name in ("packaging", "tapdesk", "dist/tapdesk/desktop", "dist/tapdesk/licences"):
        (place / name).mkdir(parents=True)
    shutil.copy(PACKAGING / "installer", place / "packaging")
    shutil.copy(ROOT / "tapdesk" / "version.py", place / "tapdesk")
    whole = place / "dist" / "tapdesk"
    (whole / "tapdesk").write_text('#!/bin/sh\nprintf "%s|" "$@"\n', "utf-8")
    (whole / "tapdesk").chmod(0o755)
    (whole / "add-to-menu").write_text("#!/bin/sh\n", "utf-8")
    (whole / "licences" / "README.txt").write_text("licences", "utf-8")
    for name in ("tapdesk.desktop", "tapdesk.xml"):
        shutil.copy(PACKAGING / "desktop" / name, whole / "desktop")
    shutil.copy(ROOT / "resources" / "icons" / "app.svg", whole / "desktop")
    return place


def made(place, **environment):
    return subprocess.run(
        ["bash", "packaging/installer"],
        cwd=place,
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": "1700000000", **environment},
    )


needs_squashfs = pytest.mark.skipif(
    shutil.which("mksquashfs") is None or os.uname().machine != "x86_64" if hasattr(os, "uname") else True,
    reason="no mksquashfs here",
)


@needs_squashfs
def test_the_appimage_is_its_start_program_and_the_bundle_with_what_a_menu_needs(tmp_path):
    place = bundle(tmp_path)
    start = place / "runtime"
    start.write_bytes(bytes(range(256)) * 16)
    done = made(place, TAPDESK_APPIMAGE_RUNTIME=str(start))
    assert done.returncode == 0, done.stderr
    image = place / "dist" / f"tapdesk-{VERSION}-linux-x86_64.AppImage"
    content = image.read_bytes()
    assert content.startswith(start.read_bytes() + b"hsqs")
    digest, name = image.with_name(image.name + ".sha256").read_text("utf-8").split()
    assert (digest, name) == (hashlib.sha256(content).hexdigest(), image.name)
    subprocess.run(["unsquashfs", "-q", "-o", "4096", "-d", place / "out", image], check=True, capture_output=True)
    out = place / "out"
    assert {one.name for one in out.iterdir()} == {
        "AppRun",
        "tapdesk",
        "tapdesk.desktop",
        "tapdesk.svg",
        ".DirIcon",
        "usr",
    }
    assert (out / "tapdesk" / "licences" / "README.txt").is_file()
    assert "Exec=tapdesk %f\n" in (out / "tapdesk.desktop").read_text("utf-8")
    told = subprocess.run([out / "AppRun", "Prüfung 2.csv", "b"], capture_output=True, text=True, check=True)
    assert told.stdout == "Prüfung 2.csv|b|"
    # The same again, byte for byte.
    assert made(place, TAPDESK_APPIMAGE_RUNTIME=str(start)).returncode == 0
    assert image.read_bytes() == content


@needs_squashfs
def test_another_start_program_than_the_one_looked_at_ends_it(tmp_path):
    place = bundle(tmp_path)
    (place / "build").mkdir()
    (place / "build" / "appimage-runtime").write_bytes(b"another")
    done = made(place)
    assert done.returncode != 0
    assert "not the one that was looked at" in done.stderr
    assert list((place / "dist").glob("*.AppImage")) == []


def test_without_a_bundle_it_says_how_to_make_one(tmp_path):
    place = bundle(tmp_path)
    shutil.rmtree(place / "dist")
    done = made(place)
    assert done.returncode != 0
    assert "bash packaging/bundle" in done.stderr


@pytest.fixture(scope="module")
def licences():
    return runpy.run_path(str(PACKAGING / "licences" / "collect.py"), run_name="licences")


def test_every_text_the_notices_name_is_beside_them(licences, tmp_path, monkeypatch):
    # What builds the bundle is not among what the tests are run with.
    monkeypatch.setitem(licences["fill"].__globals__, "BUILDER", "setuptools")
    windows = [
        tmp_path / name for name in ("VCRUNTIME140.dll", "msvcp140-a4c2229b.dll", "api-ms-win-crt-heap-l1-1-0.dll")
    ]
    module = tmp_path / "_readstat_parser.cp311-win_amd64.pyd"
    module.write_bytes(b"MZ....BIG5-HKSCS:2008....")
    other = tmp_path / "Qt6Core.dll"
    for path in (*windows, other):
        path.write_bytes(b"MZ")
    target = tmp_path / "licences"
    assert licences["fill"](target, "_internal/PySide6", [*windows, other], [module]) > 30
    words = (target / "README.txt").read_text("utf-8")
    assert "lies in the folder _internal/PySide6," in words
    assert "GNU libiconv: _readstat_parser.cp311-win_amd64.pyd." in words
    assert all(path.name in words for path in windows)
    assert other.name not in words
    own = set(re.findall(r"[\w.-]+\.txt", words))
    assert own - {path.name for path in target.iterdir()} == set()


def test_what_is_not_inside_is_not_told(licences, tmp_path):
    import pyreadstat

    modules = list(Path(pyreadstat.__file__).parent.glob("_readstat_*.so"))
    rows = licences["collect_inside"](tmp_path, modules)
    # On Linux and macOS the system's own is called.
    assert rows == [] or os.name == "nt"


def test_the_bill_of_materials_lists_what_is_inside_as_the_notices_do(tmp_path):
    sbom = runpy.run_path(str(PACKAGING / "sbom.py"), run_name="sbom")
    inside = tmp_path / "_internal" / "pyreadstat"
    inside.mkdir(parents=True)
    (inside / "_readstat_parser.cp311-win_amd64.pyd").write_bytes(b"BIG5-HKSCS:2008")
    (tmp_path / "_internal" / "VCRUNTIME140.dll").write_bytes(b"MZ")
    rows = {row["purl"]: row for row in sbom["inside_packages"](tmp_path)}
    assert set(rows) == {"pkg:generic/msvc-runtime", "pkg:generic/libiconv"}
    assert rows["pkg:generic/libiconv"]["description"] == "_readstat_parser.cp311-win_amd64.pyd"
    assert all("version" not in row and row["licenses"] for row in rows.values())
