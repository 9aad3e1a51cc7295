"""The other programs asked anew, on designs made at random; needs the peers' environment (bash packaging/peers)."""

import json
import subprocess
from pathlib import Path

import pytest

from agreement.examples import PEERS, all_of, drawn, pick, wide
from tapdesk.agreement.tables import BY_DISTANCE

ROOT = Path(__file__).resolve().parents[2]
EXACT = {"abs": 1e-9, "rel": 0}


def random_case(seed):
    """A case as make.py wants it, with a design that depends on the seed."""
    ratings = drawn(
        seed,
        subjects=8 + seed % 40,
        raters=2 + seed % 4,
        classes=2 + seed % 3,
        accuracy=0.2 + 0.15 * (seed % 5),
        missing=(0.0, 0.15, 0.4)[seed % 3],
    )
    table = [[None] * len(ratings.raters) for _ in ratings.subjects]
    for s, r, c in zip(ratings.subject, ratings.rater, ratings.category, strict=True):
        table[s][r] = int(c) + 1
    return {"name": str(seed), "classes": list(range(1, len(ratings.classes) + 1)), "ratings": table}


@pytest.fixture(scope="module")
def asked():
    """Forty cases and what every program says of them."""
    subprocess.run(["bash", str(ROOT / "packaging" / "peers")], check=True, capture_output=True)
    cases = [random_case(seed) for seed in range(40)]
    python = ROOT / ".venv-peers" / "bin" / "python"
    done = subprocess.run(
        [str(python), str(PEERS / "make.py"), "--stdin"],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    return cases, {peer["program"]: peer["answers"] for peer in json.loads(done.stdout)}


def compare(found, answers, program):
    """Hold one case's coefficients against one program's answers; the number held."""
    held = 0
    for name, theirs in answers.items():
        coefficient, scheme, *pair = name.split("/")
        metric = None
        if coefficient == "krippendorff_alpha":
            if program == "irrCAC" and scheme != "identity":
                continue  # its weights are not Krippendorff's metrics: test_peers.py
            metric, scheme = ("nominal" if scheme == "identity" else scheme), "any"
        raters = tuple(f"R{int(j) + 1}" for j in pair[0].split("-")) if pair else None
        e = pick(found, coefficient, weights=scheme, metric=metric, raters=raters).estimate
        if theirs["value"] is None or e.value is None:
            continue  # undefined for one of the two: our reasons are held in test_undefined.py
        assert e.value == pytest.approx(theirs["value"], **EXACT), (program, name)
        if theirs.get("se") is not None and e.se is not None:
            assert e.se == pytest.approx(theirs["se"], **EXACT), (program, name)
        held += 1
    return held


@pytest.mark.slow
@pytest.mark.parametrize("program", ["irrCAC", "statsmodels", "scikit-learn", "krippendorff"])
def test_random_designs_have_the_coefficients_that_other_programs_give_them(asked, program):
    cases, answers = asked
    held = 0
    for made in cases:
        found = all_of(wide(made["ratings"], classes=made["classes"]), weights=("identity", *BY_DISTANCE))
        held += compare(found, answers[program][made["name"]], program)
    assert held > 100
