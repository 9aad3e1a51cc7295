"""What a release says of itself: one version, a lock that fits, the resources found, nothing of one machine inside."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tapdesk import resources
from tapdesk.version import VERSION

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = {path.stem: path.read_text("utf-8") for path in (ROOT / "packaging").glob("*.lock")}
PINNED = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>[^\\]+))? \\$", re.MULTILINE)


def entries(lock: str) -> dict[str, list[str]]:
    """The pinned versions of each package; several where they differ by platform or Python."""
    found: dict[str, list[str]] = {}
    for pin in PINNED.finditer(lock):
        found.setdefault(canonicalize_name(pin["name"]), []).append(pin["version"])
    return found


def unfit(wanted: list[str], lock: str) -> list[str]:
    """The requirements the lock does not meet."""
    pins = entries(lock)
    asked = [Requirement(text) for text in wanted]
    return [
        str(one)
        for one in asked
        if not (versions := pins.get(canonicalize_name(one.name)))
        # What is asked for one platform alone is held by one of the pins; else all of them must fit.
        or not (any if one.marker else all)(one.specifier.contains(version) for version in versions)
    ]


def test_the_version_is_said_in_one_place_and_the_changelog_opens_with_it():
    assert "version" in PROJECT["project"]["dynamic"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "tapdesk.version.VERSION"}
    assert metadata.version("tapdesk") == VERSION
    told = (ROOT / "CHANGELOG.md").read_text("utf-8")
    newest = re.search(r"^## (\S+) - (unreleased|\d{4}-\d\d-\d\d)$", told, re.MULTILINE)
    assert newest is not None
    assert newest[1] == VERSION


def test_the_version_can_be_read_without_running_the_program():
    # setuptools reads it from the source; anything but a plain text would make it import the package instead.
    body = ast.parse((ROOT / "tapdesk" / "version.py").read_text("utf-8")).body
    assert [type(statement) for statement in body] == [ast.Expr, ast.Assign]
    assert ast.literal_eval(body[1].value) == VERSION


def test_each_lock_meets_the_requirements_of_its_purpose():
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    assert unfit([*project["dependencies"], *project["optional-dependencies"]["desktop"]], LOCKS["runtime"]) == []
    for purpose in ("build", "test"):
        # Both put this folder into an environment.
        assert unfit([*groups[purpose], *PROJECT["build-system"]["requires"]], LOCKS[purpose]) == []


def test_who_runs_the_program_downloads_no_tool_of_those_who_test_and_build_it():
    held = {purpose: set(entries(LOCKS[purpose])) for purpose in ("runtime", "build", "test")}
    assert "numpy" in held["runtime"]
    assert not held["runtime"] & (held["build"] | held["test"])
    shared = held["build"] & held["test"]
    assert [entries(LOCKS["build"])[name] for name in shared] == [entries(LOCKS["test"])[name] for name in shared]


def test_a_package_has_one_version_where_no_platform_asks_for_another():
    twice = {name: versions for purpose in LOCKS for name, versions in entries(LOCKS[purpose]).items() if versions[1:]}
    told = {
        name: [pin["marker"] for pin in PINNED.finditer("".join(LOCKS.values())) if pin["name"] == name]
        for name in twice
    }
    assert all(marker for markers in told.values() for marker in markers)


def test_upper_caps_live_in_the_lock_alone():
    project = PROJECT["project"]
    asked = [Requirement(one) for one in (*project["dependencies"], *project["optional-dependencies"]["desktop"])]
    assert [str(one) for one in asked if any(part.operator in {"<", "<=", "=="} for part in one.specifier)] == []


def test_no_qt_is_installed_from_an_index_that_ends_the_program_on_that_python():
    desktop = [Requirement(one) for one in PROJECT["project"]["optional-dependencies"]["desktop"]]
    qt = [one for one in desktop if canonicalize_name(one.name) == "pyside6-essentials"]

    def taken(version, python):
        fit = [one for one in qt if one.marker is None or one.marker.evaluate({"python_version": python})]
        return bool(fit) and all(one.specifier.contains(version) for one in fit)

    # 6.12 loses references of None where they are counted: tests/gui/test_pyside_pin.py.
    assert [
        (version, python) for version in ("6.11.3", "6.12.0") for python in ("3.11", "3.13") if taken(version, python)
    ] == [
        ("6.11.3", "3.11"),
        ("6.11.3", "3.13"),
        ("6.12.0", "3.13"),
    ]


def test_the_engine_needs_no_qt():
    names = {canonicalize_name(Requirement(one).name) for one in PROJECT["project"]["dependencies"]}
    assert not {name for name in names if "pyside" in name or "pyqt" in name}


def test_the_guard_sees_a_requirement_the_lock_does_not_meet():
    lock = "numpy==2.4.6 \\\n    --hash=sha256:0\nscipy==1.17.1 ; python_version < '3.12' \\\n    --hash=sha256:0\n"
    assert unfit(["numpy>=2.4,<2.5", "SciPy"], lock) == []
    assert unfit(["numpy>=2.5", "scipy<1.17", "pandas"], lock) == ["numpy>=2.5", "scipy<1.17", "pandas"]


@pytest.mark.parametrize("purpose", ["runtime", "build", "test", "peers", "docs"])
def test_a_lock_holds_names_versions_and_hashes_only(purpose):
    lines = LOCKS[purpose].splitlines()
    hashed = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
    strange = [
        line for line in lines if not (line.startswith("# ") or PINNED.fullmatch(line) or hashed.fullmatch(line))
    ]
    assert strange == []


def test_the_resources_are_found_from_any_folder(tmp_path):
    ask = "from tapdesk.resources import folder, path; print(path('tokens.json').is_file(), folder())"
    done = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split(" ", 1) == ["True", f"{resources.folder()}\n"]


def test_a_wheel_holds_the_resources_and_finds_them_there(tmp_path):
    source = tmp_path / "a source"
    for folder in ("tapdesk", "resources"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / file, source)
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "."]
    subprocess.run(build, check=True, capture_output=True, cwd=source)
    (wheel,) = source.glob("tapdesk-*.whl")
    assert wheel.name == f"tapdesk-{VERSION}-py3-none-any.whl"
    installed = tmp_path / "installed"
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    in_tree = {path.relative_to(source / "resources") for path in (source / "resources").rglob("*") if path.is_file()}
    in_wheel = installed / "tapdesk" / "_data"
    assert {path.relative_to(in_wheel) for path in in_wheel.rglob("*") if path.is_file()} == in_tree
    assert Path("fonts/Inter-Regular.otf") in in_tree
    assert (installed / "tapdesk" / "py.typed").is_file()
    licences = {path.name for path in (installed / f"tapdesk-{VERSION}.dist-info" / "licenses").rglob("*.*")}
    assert {"OFL-Inter.txt", "OFL-Noto.txt"} <= licences
    entries = (installed / f"tapdesk-{VERSION}.dist-info" / "entry_points.txt").read_text("utf-8")
    assert "[gui_scripts]" in entries
    ask = f"import sys; sys.path.insert(0, {str(installed)!r}); from tapdesk.resources import folder; print(folder())"
    done = subprocess.run([sys.executable, "-P", "-c", ask], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == f"{in_wheel}\n"
