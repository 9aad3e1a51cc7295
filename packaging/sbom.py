"""What is inside a bundle, as a CycloneDX 1.6 bill of materials: python packaging/sbom.py BUNDLE ARCHIVE OUT.json.

Run by the Python the bundle was built with, after `packaging/licences/collect.py`: packages are those whose licences
lie in the bundle, libraries those of the packages of Debian that PyInstaller took. Two bills of one build are alike.
"""

import hashlib
import json
import os
import platform
import runpy
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
LICENCES = runpy.run_path(str(HERE / "licences" / "collect.py"), run_name="licences")


def component(name: str, version: str, purl: str, licence: str, kind: str = "library") -> dict[str, Any]:
    """One thing that is inside."""
    words: dict[str, Any] = {"type": kind, "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if licence:
        words["licenses"] = [{"license": {"name": licence}}]
    return words


def packages() -> list[dict[str, Any]]:
    """The Python packages of the bundle, and the interpreter."""
    rows = [
        component("cpython", platform.python_version(), f"pkg:generic/cpython@{platform.python_version()}", "PSF-2.0")
    ]
    for name in sorted({*LICENCES["needed"]("tapdesk"), LICENCES["BUILDER"]} - {"tapdesk"}):
        package = metadata.distribution(name)
        rows.append(
            component(name, package.version, f"pkg:pypi/{name}@{package.version}", LICENCES["licence_words"](package))
        )
    return rows


def libraries(bundle: Path) -> list[dict[str, Any]]:
    """Debian's packages whose libraries are in the bundle, as the licences say."""
    rows = []
    for copyright_file in sorted((bundle / "licences" / "system").glob("*.txt")):
        ask = ["dpkg-query", "-W", "-f", "${Version}\n", copyright_file.stem]
        done = subprocess.run(ask, check=False, capture_output=True, text=True)
        if done.returncode == 0:
            version = done.stdout.split("\n", 1)[0]
            rows.append(component(copyright_file.stem, version, f"pkg:deb/debian/{copyright_file.stem}@{version}", ""))
    return rows


def inside_packages(bundle: Path) -> list[dict[str, Any]]:
    """What packages carry inside their libraries, as the licences say; of which version is told by none of them."""
    files = sorted(path for path in bundle.rglob("*") if path.is_file())
    rows = []
    for part in LICENCES["INSIDE"]:
        carriers = sorted({path.name for path in files if part.within(path)})
        if carriers:
            row = component(part.title, "", f"pkg:generic/{part.key}", part.terms)
            rows.append(
                {**{key: value for key, value in row.items() if key != "version"}, "description": ", ".join(carriers)}
            )
    return rows


def bill(bundle: Path, archive: Path | None = None) -> dict[str, Any]:
    """The whole bill of one bundle."""
    from tapdesk.version import VERSION

    inside = [*packages(), *libraries(bundle), *inside_packages(bundle)]
    top = component("tapdesk", VERSION, f"pkg:pypi/tapdesk@{VERSION}", "MIT AND OFL-1.1", "application")
    if archive is not None:
        top["hashes"] = [{"alg": "SHA-256", "content": hashlib.sha256(archive.read_bytes()).hexdigest()}]
    # The time of the commit, and a number that follows from what is told: the same build tells the same.
    when = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), UTC)
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([top, inside], sort_keys=True))
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"), "component": top},
        "components": inside,
        "dependencies": [{"ref": top["bom-ref"], "dependsOn": [one["bom-ref"] for one in inside]}],
    }


def main(words: list[str]) -> int:
    """Write the bill of a bundle, with the checksum of its archive."""
    bundle, archive, target = (Path(word) for word in words)
    told = bill(bundle, archive)
    target.write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    print(f"{target.name}: {len(told['components'])} components")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
