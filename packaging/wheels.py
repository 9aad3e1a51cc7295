"""For which systems a lock installs from wheels alone: every wheel is downloaded and looked into, a table is printed.

    .venv/bin/python packaging/wheels.py [LOCK ...]        runtime, build and test unless some are named

Nothing is built and nothing run: pip is asked, with the tags of the other system, for just the versions and hashes of
the lock; then the tags of each wheel are held against those of the system, and what it says it needs there against the
lock. The exit status is 1 where anything is missing.
"""

import email
import re
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.tags import Tag, compatible_tags, cpython_tags, mac_platforms
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import Version

PACKAGING = Path(__file__).resolve().parent
LOCKS = ("runtime", "build", "test")
PYTHONS = ((3, 11), (3, 12), (3, 13))
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^ ;]+)(?: ; (?P<marker>[^\\]+?))? \\$")


@dataclass(frozen=True)
class System:
    """A system wheels are looked for: its name, its tags (the best first), what markers say of it."""

    name: str
    platforms: tuple[str, ...]
    markers: dict[str, str]


@dataclass(frozen=True)
class Pin:
    """A package of a lock: name, version, where it is wanted, its lines as they stand there."""

    name: str
    version: str
    marker: Marker | None
    lines: str


def linux(machine: str, glibc: int) -> System:
    """Linux with a C library of version 2.glibc."""
    platforms = [f"manylinux_2_{minor}_{machine}" for minor in range(glibc, 16, -1)]
    platforms += [f"manylinux2014_{machine}", f"linux_{machine}"]
    said = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "platform_machine": machine}
    return System(f"Linux {machine}, glibc 2.{glibc}", tuple(platforms), said)


def macos(machine: str, version: int) -> System:
    """A macOS of that version."""
    said = {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix", "platform_machine": machine}
    return System(f"macOS {version} {machine}", tuple(mac_platforms((version, 0), machine)), said)


WINDOWS = System(
    "Windows amd64",
    ("win_amd64",),
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt", "platform_machine": "AMD64"},
)
# Debian 12 has glibc 2.36; Qt for ARM asks for 2.39, as Ubuntu 24.04 has. The tests run on what the workflows have.
SYSTEMS = {
    "runtime": (linux("x86_64", 36), linux("aarch64", 39), WINDOWS, macos("arm64", 13), macos("x86_64", 13)),
    "build": (linux("x86_64", 36), linux("aarch64", 39), WINDOWS, macos("arm64", 13), macos("x86_64", 13)),
    "test": (linux("x86_64", 36), linux("aarch64", 39), WINDOWS, macos("arm64", 15), macos("x86_64", 15)),
}


def pins(lock: str) -> list[Pin]:
    """The packages of a lock."""
    found: list[Pin] = []
    block: list[str] = []
    head: re.Match[str] | None = None
    for line in [*(PACKAGING / f"{lock}.lock").read_text("utf-8").splitlines(), "end"]:
        if line.startswith(" "):
            block.append(line)
            continue
        if head:
            marker = Marker(head["marker"]) if head["marker"] else None
            found.append(Pin(canonicalize_name(head["name"]), head["version"], marker, "\n".join(block)))
        head, block = PIN.match(line), [line.split(" ; ")[0].removesuffix(" \\") + " \\"]
    return found


def surroundings(system: System, python: tuple[int, int]) -> dict[str, str]:
    """What the markers of a requirement are held against."""
    version = f"{python[0]}.{python[1]}"
    same = {"implementation_name": "cpython", "platform_python_implementation": "CPython", "extra": ""}
    return {**system.markers, **same, "python_version": version, "python_full_version": f"{version}.0"}


def wanted(lock: str, system: System, python: tuple[int, int]) -> list[Pin]:
    """The packages of a lock that this system installs."""
    said = surroundings(system, python)
    return [pin for pin in pins(lock) if pin.marker is None or pin.marker.evaluate(said)]


def tags(system: System, python: tuple[int, int]) -> frozenset[Tag]:
    """Every tag a wheel may have to be installed there."""
    own = cpython_tags(python, platforms=system.platforms)
    return frozenset([*own, *compatible_tags(python, f"cp{python[0]}{python[1]}", system.platforms)])


def download(asked: list[Pin], system: System, python: tuple[int, int], folder: Path) -> dict[str, Path]:
    """The wheels pip takes for that system, by the names of their packages; those it cannot have are missing."""
    folder.mkdir()
    lines = folder / "asked.txt"
    lines.write_text("".join(f"{pin.lines}\n" for pin in asked), "utf-8")
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary=:all:",
        "--require-hashes",
    ]
    command += ["--implementation", "cp", "--python-version", f"{python[0]}.{python[1]}", "--dest", str(folder)]
    for platform in system.platforms:
        command += ["--platform", platform]
    done = subprocess.run([*command, "-r", str(lines)], capture_output=True, text=True, check=False)
    if done.returncode and len(asked) > 1:
        # One that is not to be had stops them all: each by itself.
        alone = [download([pin], system, python, folder / pin.name) for pin in asked]
        return {name: wheel for one in alone for name, wheel in one.items()}
    return {str(parse_wheel_filename(wheel.name)[0]): wheel for wheel in folder.glob("*.whl")}


def needs(wheel: Path, said: dict[str, str]) -> list[Requirement]:
    """What a wheel says it needs in these surroundings."""
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [one for one in packed.namelist() if re.fullmatch(r"[^/]+\.dist-info/METADATA", one)]
        head = email.message_from_bytes(packed.read(name))
    asked = [Requirement(text) for text in head.get_all("Requires-Dist") or []]
    return [one for one in asked if one.marker is None or one.marker.evaluate(said)]


def faults(lock: str, system: System, python: tuple[int, int]) -> tuple[list[str], int, int]:
    """What is wrong with a lock there, the number of its wheels, and their bytes."""
    mine = wanted(lock, system, python)
    # What stands beside the runtime lock may need what is in it.
    held = {pin.name: pin for pin in [*mine, *(wanted("runtime", system, python) if lock != "runtime" else [])]}
    said, fit, size, wrong = surroundings(system, python), tags(system, python), 0, []
    with tempfile.TemporaryDirectory() as place:
        wheels = download(mine, system, python, Path(place) / "wheels")
        for pin in mine:
            wheel = wheels.get(pin.name)
            if wheel is None:
                wrong.append(f"{pin.name} {pin.version}: no wheel of the lock's hashes")
                continue
            size += wheel.stat().st_size
            wrong += strange(pin, wheel, fit)
            for need in needs(wheel, said):
                have = held.get(canonicalize_name(need.name))
                if have is None or not need.specifier.contains(have.version):
                    wrong.append(f"{pin.name} needs {need}, and the locks hold {have.version if have else 'none'}")
    return wrong, len(mine), size


def strange(pin: Pin, wheel: Path, fit: frozenset[Tag]) -> list[str]:
    """What a wheel's own name says against it."""
    name, version, _, own = parse_wheel_filename(wheel.name)
    if name != pin.name or version != Version(pin.version) or not own & fit:
        return [f"{wheel.name}: not what was asked for, or not for this system"]
    return []


def main(locks: list[str]) -> int:
    """Print a row for each lock, system and Python; 1 where anything is missing."""
    print("| lock | system | Python | wheels | MB | |")
    print("| --- | --- | --- | ---: | ---: | --- |")
    missing = 0
    for lock in locks or LOCKS:
        for system in SYSTEMS[lock]:
            for python in PYTHONS:
                wrong, count, size = faults(lock, system, python)
                missing += len(wrong)
                told = "; ".join(wrong) or "all there"
                cells = (lock, system.name, f"{python[0]}.{python[1]}", count, round(size / 1e6), told)
                print("| " + " | ".join(map(str, cells)) + " |", flush=True)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
