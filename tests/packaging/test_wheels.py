"""What is asked of a package index for other systems, and what of its answer counts: tried without an index."""

import runpy
import zipfile
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
ON_DEBIAN, ON_WINDOWS, ON_INTEL = "Linux x86_64, glibc 2.36", "Windows amd64", "macOS 13 x86_64"


@pytest.fixture(scope="module")
def wheels():
    return runpy.run_path(str(PACKAGING / "wheels.py"), run_name="wheels")


def system(wheels, name):
    return next(one for several in wheels["SYSTEMS"].values() for one in several if one.name == name)


def wheel(folder, name, *needs):
    place = folder / name
    with zipfile.ZipFile(place, "w") as packed:
        told = "".join(f"Requires-Dist: {need}\n" for need in needs)
        packed.writestr("a-1.dist-info/METADATA", f"Metadata-Version: 2.1\nName: a\nVersion: 1\n{told}\n")
    return place


def test_every_package_of_a_lock_is_looked_for_with_all_its_hashes(wheels):
    lock = (PACKAGING / "runtime.lock").read_text("utf-8")
    found = wheels["pins"]("runtime")
    assert len(found) == lock.count("==")
    assert sum(pin.lines.count("--hash=sha256:") for pin in found) == lock.count("--hash=sha256:")
    assert not any(";" in pin.lines for pin in found)


def test_a_package_of_one_system_is_looked_for_there_alone(wheels):
    def names(place):
        return {pin.name for pin in wheels["wanted"]("build", system(wheels, place), (3, 12))}

    assert {"pefile", "macholib"} & names(ON_DEBIAN) == set()
    assert {"pefile", "macholib"} & names(ON_WINDOWS) == {"pefile"}
    assert {"pefile", "macholib"} & names(ON_INTEL) == {"macholib"}


def test_tags_are_those_the_system_takes(wheels):
    def taken(name, place, python=(3, 11)):
        fit = wheels["tags"](system(wheels, place), python)
        pin = wheels["Pin"]("a", "1", None, "")
        return not wheels["strange"](pin, Path(name), fit)

    assert taken("a-1-cp311-cp311-manylinux_2_28_x86_64.whl", ON_DEBIAN)
    assert taken("a-1-cp310-abi3-manylinux_2_34_x86_64.whl", ON_DEBIAN)
    assert taken("a-1-py3-none-any.whl", ON_DEBIAN)
    # A later C library, another machine, another Python, a later macOS, another version.
    assert not taken("a-1-cp311-cp311-manylinux_2_39_x86_64.whl", ON_DEBIAN)
    assert not taken("a-1-cp311-cp311-manylinux_2_28_aarch64.whl", ON_DEBIAN)
    assert not taken("a-1-cp312-cp312-manylinux_2_28_x86_64.whl", ON_DEBIAN)
    assert taken("a-1-cp312-cp312-macosx_13_0_universal2.whl", ON_INTEL, (3, 12))
    assert not taken("a-1-cp312-cp312-macosx_15_0_x86_64.whl", ON_INTEL, (3, 12))
    assert not taken("a-2-py3-none-any.whl", ON_INTEL)


def test_a_wheel_that_is_not_to_be_had_and_a_need_that_no_lock_meets_are_named(wheels, monkeypatch, tmp_path):
    pin = wheels["Pin"]
    asked = [pin("a", "1", None, ""), pin("b", "2", None, "")]
    mine = wheel(tmp_path, "a-1-py3-none-any.whl", "c>=1", "b<2", "d; sys_platform == 'win32'", "e; extra == 'more'")
    names = wheels["faults"].__globals__
    monkeypatch.setitem(names, "wanted", lambda lock, *_: asked if lock == "test" else [pin("c", "1.5", None, "")])
    monkeypatch.setitem(names, "download", lambda *_: {"a": mine})
    told, count, size = wheels["faults"]("test", system(wheels, ON_DEBIAN), (3, 11))
    assert told == ["a needs b<2, and the locks hold 2", "b 2: no wheel of the lock's hashes"]
    assert (count, size) == (2, mine.stat().st_size)
    assert "a needs d; sys_platform" in wheels["faults"]("test", system(wheels, ON_WINDOWS), (3, 11))[0][1]
