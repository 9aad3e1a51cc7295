"""What the workflows promise, read from their files, and the draft of a release made with a stand-in for `gh`."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / ".github/workflows").glob("*.yml")}
TEXTS = {path.stem: path.read_text("utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}
# The images that are to be had in November 2026; jobs for macos-13 and macos-14 would wait for ever.
IMAGES = {"ubuntu-24.04", "windows-2025", "macos-15", "macos-15-intel"}
# Each looked up at its tag: major versions that run on Node 24, and one that is a container.
ACTIONS = {
    "actions/checkout": ("8e8c483db84b4bee98b60c0593521ed34d9990e8", "v6"),
    "actions/setup-python": ("a309ff8b426b58ec0e2a45f0f869d46889d02405", "v6"),
    "actions/upload-artifact": ("b7c566a772e6b6bfb58ed0dc250532a479d7789f", "v6"),
    "actions/download-artifact": ("37930b1c2abaa49bbe596cd826c3c89aef350131", "v7"),
    "actions/attest-build-provenance": ("a2bbfa25375fe432b6a289bc6b6cd05ecd0c4c32", "v4.1.0"),
    "pypa/gh-action-pypi-publish": ("ed0c53931b1dc9bd32cbe73a98c7f6766f8a527e", "v1.13.0"),
}
LEGS = {"linux-x86_64", "windows-amd64", "macos-arm64", "macos-x86_64"}

INSTALLERS = {"linux-x86_64.AppImage", "windows-amd64-setup.exe", "macos-arm64.dmg", "macos-x86_64.dmg"}


def jobs():
    return [(name, key, job) for name, whole in WORKFLOWS.items() for key, job in whole["jobs"].items()]


def steps():
    return [(f"{name}/{key}/{i}", step) for name, key, job in jobs() for i, step in enumerate(job["steps"])]


def legs(job):
    matrix = job.get("strategy", {}).get("matrix", {})
    return matrix.get("include") or [{"os": one} for one in matrix.get("os", [])]


def test_every_action_is_one_that_was_looked_up_pinned_by_its_commit():
    used = [line for text in TEXTS.values() for line in re.findall(r"uses: (.+)", text)]
    assert len(used) == sum("uses" in step for _, step in steps())
    assert set(used) == {f"{name}@{commit} # {tag}" for name, (commit, tag) in ACTIONS.items()}


def test_every_image_exists():
    asked = set()
    for _, _, job in jobs():
        os = job["runs-on"]
        asked |= {leg["os"] for leg in legs(job)} if "matrix.os" in os else {os}
    assert asked == IMAGES
    assert {leg.get("container") for leg in legs(WORKFLOWS["bundle"]["jobs"]["bundle"])} == {"debian:12", None}


def test_a_leg_that_fails_stops_no_other():
    assert all(job["strategy"]["fail-fast"] is False for _, _, job in jobs() if "strategy" in job)
    bundle = WORKFLOWS["bundle"]["jobs"]
    # What needs a job of many legs goes on unless somebody stops it all.
    assert all("!cancelled()" in job["if"] for job in bundle.values() if set(job.get("needs", [])) & {"bundle", "walk"})
    assert "!cancelled()" in bundle["walk"]["if"]
    assert bundle["walk"]["needs"] == "bundle"
    assert bundle["walk_installer"]["needs"] == "bundle"
    assert bundle["release"]["needs"] == ["bundle", "walk", "walk_installer", "wheel"]


def test_every_system_is_walked_on_a_machine_that_did_not_build_it_before_it_is_released():
    bundle = WORKFLOWS["bundle"]["jobs"]
    assert {leg["leg"] for leg in legs(bundle["bundle"])} == {leg["leg"] for leg in legs(bundle["walk"])} == LEGS
    assert legs(bundle["walk_installer"]) == legs(bundle["walk"])
    for walk, kind in (("walk", ""), ("walk_installer", "installer-")):
        names = [step["with"]["name"] for step in bundle[walk]["steps"] if "upload" in step.get("uses", "")]
        assert names == [f"pictures-{kind}${{{{ matrix.leg }}}}", f"release-{kind}${{{{ matrix.leg }}}}"]
        walks = [step["run"] for step in bundle[walk]["steps"] if step.get("name", "").startswith("Walk on")]
        assert len(walks) == 3
    # The draft takes what was walked, never what was built alone.
    patterns = [step["with"]["pattern"] for step in bundle["release"]["steps"] if "download" in step.get("uses", "")]
    assert patterns == ["release-*"]
    # What is built of installers is what is walked.
    built = next(
        s["with"] for s in bundle["bundle"]["steps"] if s.get("with", {}).get("name", "").startswith("installer")
    )
    assert built["path"].split() == ["dist/*.AppImage*", "dist/*-setup.exe*", "dist/*.dmg*"]


def test_rights_are_asked_for_where_they_are_used_alone():
    for whole in WORKFLOWS.values():
        assert whole["permissions"] == {"contents": "read"}
    asked = {key: job["permissions"] for _, key, job in jobs() if "permissions" in job}
    assert asked == {
        "release": {"contents": "write", "id-token": "write", "attestations": "write"},
        "pypi": {"contents": "read", "id-token": "write"},
    }
    # The package goes out when a person has published the draft, never before.
    assert WORKFLOWS["bundle"]["jobs"]["pypi"]["if"].startswith("github.event_name == 'release'")
    # Secrets are given to the steps that sign, by the environment, and to nothing else.
    signing = {"NOTARY_APPLE_ID", "NOTARY_TEAM_ID", "NOTARY_PASSWORD", "MACOS_IDENTITY"}
    given = {
        step["name"]: {key for key, value in step.get("env", {}).items() if "secrets." in str(value)}
        for _, step in steps()
        if "secrets." in str(step)
    }
    assert given == {
        "The key for signing, where there is one": {"MACOS_CERTIFICATE", "MACOS_CERTIFICATE_PASSWORD"},
        "Build, try, pack": signing,
        "What is installed by double-click": signing,
    }
    assert sum(text.count("secrets.") for text in TEXTS.values()) == sum(map(len, given.values()))
    # A pull request of somebody else never runs it.
    assert "secrets." not in TEXTS["checks"]


def test_the_checks_run_on_every_system_with_the_oldest_and_the_newest_python():
    # YAML takes the word "on" for a truth value.
    assert set(WORKFLOWS["checks"][True]) == {"push", "pull_request"}
    matrix = WORKFLOWS["checks"]["jobs"]["engine"]["strategy"]["matrix"]
    assert set(matrix["os"]) == {"ubuntu-24.04", "windows-2025", "macos-15"}
    assert {"3.11", "3.13"} < set(matrix["python"])
    assert {leg["os"] for leg in legs(WORKFLOWS["checks"]["jobs"]["window"])} == {"ubuntu-24.04", "windows-2025"}


def test_the_links_of_the_help_are_followed_before_a_change_is_taken():
    docs = WORKFLOWS["checks"]["jobs"]["docs"]
    words = " ".join(step.get("run", "") for step in docs["steps"])
    assert '-m "slow or not slow" tests/packaging/test_docs.py' in words
    assert "bash packaging/docs site" in words
    assert "continue-on-error" not in docs


@pytest.mark.parametrize(("place", "step"), [(p, s) for p, s in steps() if "run" in s and s.get("shell") != "pwsh"])
def test_every_step_is_a_program_the_shell_understands(place, step):
    script = re.sub(r"\$\{\{.*?\}\}", "value", step["run"])
    done = subprocess.run([shutil.which("bash"), "-n"], input=script, text=True, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), place
    # What it calls is here.
    for called in re.findall(r"(?:bash|python3|&) ?(packaging/[\w.]+|\.ci/\w+)", step["run"]):
        assert (ROOT / called).is_file(), place


def release(tmp_path, *without):
    """The scripts of a release beside a changelog with a date, and the files that came from the legs."""
    place = tmp_path / "source"
    (place / "packaging").mkdir(parents=True)
    for name in ("draft", "release_notes.py"):
        shutil.copy(ROOT / "packaging" / name, place / "packaging")
    (place / "CHANGELOG.md").write_text("# Changelog\n\n## 0.2.0 - 2026-11-25\n\nSecond.\n", "utf-8")
    files = place / "release"
    files.mkdir()
    for leg in LEGS - set(without):
        archive = files / f"tapdesk-0.2.0-{leg}.{'tar.xz' if leg.startswith('linux') else 'zip'}"
        archive.write_text(leg, "utf-8")
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        archive.with_name(archive.name + ".sha256").write_text(f"{digest}  {archive.name}\n", "utf-8")
    for name in INSTALLERS - set(without):
        (files / f"tapdesk-0.2.0-{name}").write_text(name, "utf-8")
    (files / "tapdesk-0.2.0-py3-none-any.whl").write_text("wheel", "utf-8")
    return place


def draft(place, step, tag="v0.2.0"):
    programs = place / "bin"
    programs.mkdir(exist_ok=True)
    stand_in = programs / "gh"
    stand_in.write_text('#!/usr/bin/env bash\nprintf "%s\\n" "$@" >asked\n', "utf-8")
    stand_in.chmod(0o755)
    return subprocess.run(
        [shutil.which("bash"), "packaging/draft", step, tag, "release"],
        cwd=place,
        env={"PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin", "GITHUB_REPOSITORY": "one/two"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_draft_has_the_notes_every_file_and_one_list_of_checksums(tmp_path):
    place = release(tmp_path)
    assert draft(place, "gather").returncode == 0
    assert (place / "release.md").read_text("utf-8") == "Second.\n"
    kept = {path.name for path in (place / "release").iterdir()}
    archives = {f"tapdesk-0.2.0-{leg}.zip" for leg in LEGS - {"linux-x86_64"}}
    assert kept == archives | {f"tapdesk-0.2.0-{name}" for name in INSTALLERS} | {
        "tapdesk-0.2.0-linux-x86_64.tar.xz",
        "tapdesk-0.2.0-py3-none-any.whl",
        "SHA256SUMS",
    }
    again = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=place / "release", capture_output=True, check=False)
    assert again.returncode == 0
    assert draft(place, "upload").returncode == 0
    asked = (place / "asked").read_text("utf-8").splitlines()
    assert asked[:3] == ["release", "create", "v0.2.0"]
    assert "--draft" in asked
    assert {f"release/{name}" for name in kept} <= set(asked)


def test_a_draft_says_which_systems_are_missing(tmp_path):
    place = release(tmp_path, "macos-x86_64", "windows-amd64-setup.exe")
    assert draft(place, "gather").returncode == 0
    notes = (place / "release.md").read_text("utf-8")
    assert notes.startswith("Second.\n\n### Not in this release\n")
    assert notes.endswith("\n- macos-x86_64\n- windows-amd64-setup.exe\n")


def test_a_checksum_that_does_not_hold_or_another_version_ends_the_release(tmp_path):
    place = release(tmp_path)
    (place / "release" / "tapdesk-0.2.0-windows-amd64.zip").write_text("changed", "utf-8")
    assert draft(place, "gather").returncode != 0
    other = draft(release(tmp_path / "other"), "gather", "v0.3.0")
    assert other.returncode != 0
    assert "0.3.0 is to be released" in other.stderr
