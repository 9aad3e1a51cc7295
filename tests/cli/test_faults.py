"""Every write, flush, rename and opening fails once, in turn: nothing is lost, nothing half there, one sentence."""

import errno
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tapdesk.cli.main import main
from tapdesk.report import setup
from tapdesk.report.forms import pdf, write
from tests.faults import CODES, FailingDisk, tree

FEW = "purpose,design,data,description,technical,counts,checks,raters,sensitivity,agreement,decisions,cases,results"
SIZES = ("--subjects", "4", "--raters", "2")
SIMULATE = (
    "simulate",
    "--param",
    "t=.5,.5",
    "--param",
    "a=.5",
    "--param",
    "p=.5,.5",
    "--subjects",
    "4",
    "--raters",
    "2",
)
REPORT = ("report", "{data}", "--interval", "none", "--class1", "1", "--leave-out", FEW, "--force")
STUDY = ("study", "kappa", "--subjects", "10", "--raters", "3", "--replicates", "1", "--force")
RUNS: dict[str, tuple[str, ...]] = {
    "json": ("check", "{data}", "--json={folder}/a.json"),
    "csv": (*SIMULATE, "-o", "{folder}/s.csv", "--truth-out", "{folder}/t.csv", "--force"),
    "figure": ("figure", "{data}", "--kind", "estimates", "--interval", "none", "-o", "{folder}/f.svg", "--force"),
    "html": (*REPORT, "-o", "{folder}/r.html"),
    "xlsx": (*REPORT, "-o", "{folder}/r.xlsx"),
    "pdf": (*REPORT, "-o", "{folder}/r.pdf"),
    "pages": (*REPORT, "--ppi", "36", "-o", "{folder}/p.png"),
    "each": (*REPORT, "--each", "ward", "-o", "{folder}/e.html"),
    "study": (*STUDY, "-o", "{folder}/k.csv", "--picture", "{folder}/k.svg"),
    "resume": ("study", "horizon", "{data}", "--replicates", "20", "--force", "--resume", "-o", "{folder}/h.csv"),
}
OLD = {
    "a.json": b'{\n "tapdesk": "0.0.9",\n "schema": 1,\n "command": "check"\n}\n',
    **dict.fromkeys(("s.csv", "t.csv", "k.csv", "h.csv", "f.svg", "k.svg"), b"the old one\n"),
    **dict.fromkeys(("r.html", "r.xlsx", "r.pdf", "p-01.png", "e-01-A.html"), b"the old report\n"),
}
# What a study that was stopped keeps, so that it can be gone on with.
KEPT = {"h.csv.unfinished"}


@pytest.fixture
def quick(monkeypatch):
    """Pages and pictures made once: what is tried is the writing."""
    for module, name in ((pdf, "pdf"), (pdf, "pages"), (pdf, "drawing_file"), (pdf, "sheet_file")):
        real = getattr(module, name)
        made: list[object] = []

        def once(*given, real=real, made=made, **more):
            made[:] = made or [real(*given, **more)]
            return made[0]

        monkeypatch.setattr(module, name, once)
    monkeypatch.setattr(write, "html", lambda _report: b"<!DOCTYPE html>")
    for place in ("tapdesk.cli.documents", "tapdesk.report.parts"):
        monkeypatch.setattr(f"{place}.analyse", remembered(place, "analyse"))
    monkeypatch.setattr("tapdesk.report.setup.prepare", remembered("tapdesk.report.setup", "prepare"))
    monkeypatch.setattr("tapdesk.report.parts.prepare", remembered("tapdesk.report.setup", "prepare"))
    arranged = setup.arranged
    pages = {}
    monkeypatch.setattr(
        setup,
        "arranged",
        lambda project, *given, **more: (
            pages.get(project.fingerprint) or pages.setdefault(project.fingerprint, arranged(project, *given, **more))
        ),
    )


@cache
def remembered(module: str, name: str) -> Callable[..., object]:
    """A long computation of a module, done once for each table of ratings."""
    real, known = getattr(import_module(module), name), {}

    def computed(what, *more):
        ratings = getattr(what, "ratings", what)
        key = (ratings.subjects, ratings.raters, ratings.classes, *map(str, more))
        if key not in known:
            known[key] = yield from real(what, *more)
        return known[key]

    return computed


def outcome(words: tuple[str, ...], folder: Path, data: Path, capsys) -> tuple[int, str]:
    status = main([w.replace("{folder}", str(folder)).replace("{data}", str(data)) for w in words])
    return status, capsys.readouterr().err


def injected(name: str, disk: FailingDisk, folder: Path, data: Path, capsys, codes=CODES, step: int = 1) -> int:
    """Refuse every call of a command in turn; how many were refused."""

    def fresh() -> dict[str, bytes]:
        disk.arm(0, 0)
        for path in sorted(folder.rglob("*")):
            path.unlink()
        for old, inside in OLD.items():
            (folder / old).write_bytes(inside)
        disk.arm(0, 0)
        return tree(folder)

    fresh()
    status, err = outcome(RUNS[name], folder, data, capsys)
    assert status == 0, err
    calls, whole = list(disk.seen), tree(folder)
    assert {"open", "write", "fsync", "replace"} <= set(calls)
    refused = 0
    for at in range(1, len(calls) + 1, step):
        for code in codes:
            before = fresh()
            disk.arm(at, code)
            status, err = outcome(RUNS[name], folder, data, capsys)
            disk.arm(0, 0)
            refused += 1
            told = (name, at, calls[at - 1], errno.errorcode[code], err)
            after = tree(folder)
            assert "Traceback" not in err, told
            if status == 0:
                # What is only a second safety may fail in silence; then everything is there.
                assert set(after) == set(whole), told
                continue
            assert status == 3, told
            said = [line for line in err.splitlines() if line.startswith("tapdesk: ")]
            assert len(said) == 1, told
            assert {k: v for k, v in after.items() if k not in KEPT} == before, told
    return refused


@pytest.fixture
def places(tmp_path):
    folder, data = tmp_path / "out", tmp_path / "data.csv"
    folder.mkdir()
    rows = [f"{i},{'AB'[i % 2]},{i // 2 % 2},{i % 3 % 2},{i // 4 % 2}" for i in range(16)]
    data.write_text("case,ward,Ann,Ben,Cy\n" + "\n".join(rows) + "\n")
    return folder, data


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["json", "csv", "resume"])
def test_a_disk_that_fails_once_costs_nothing(name, monkeypatch, places, capsys):
    disk = FailingDisk(monkeypatch, places[0])
    assert injected(name, disk, *places, capsys, codes=(errno.ENOSPC,)) > 5


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", RUNS)
def test_whatever_the_system_answers_costs_nothing(name, monkeypatch, places, capsys):
    disk = FailingDisk(monkeypatch, places[0])
    refused = injected(name, disk, *places, capsys)
    with capsys.disabled():
        sys.stderr.write(f"{name}: {refused} faults\n")
