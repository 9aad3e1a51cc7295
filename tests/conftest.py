"""What every test runs under: no display, the same random examples each time, time for slow machines."""

import os
import re
from collections import defaultdict

import pytest
from hypothesis import HealthCheck, settings

from tapdesk import language

pytest_plugins = ["tests.remembered"]

# Before anything imports Qt, which reads it once; Qt itself is not imported here, as most tests prove to run without.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# Before numpy is loaded, as the program itself sets it (tapdesk/__main__.py): its threads would not survive a fork.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The machine may be busy: how long one example takes is no property of the code.
_steady = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fast", max_examples=25, derandomize=True, **_steady)
settings.register_profile("slow", max_examples=300, print_blob=True, **_steady)
settings.load_profile(os.environ.get("TAPDESK_TESTS", "fast"))

LARGE = 20_000


@pytest.fixture(scope="session")
def qapp_cls():
    """The application of the program itself is that of its tests; late, as most run without Qt."""
    from tapdesk.gui.app import Application

    return Application


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Of a test that costs much some sets of parameters belong to the fast suite, far apart in their list.

    The slow suite runs all others.
    """
    costly = defaultdict(list)
    for item in items:
        if item.get_closest_marker("costly") and not item.get_closest_marker("slow"):
            costly[item.nodeid.partition("[")[0]].append(item)
    for sets in costly.values():
        (wanted,) = sets[0].get_closest_marker("costly").args
        kept = {round(i * (len(sets) - 1) / max(wanted - 1, 1)) for i in range(wanted)}
        for i, item in enumerate(sets):
            if i not in kept:
                item.add_marker(pytest.mark.slow)


def pytest_assertrepr_compare(op, left, right):
    """Of two large files that differ only the first place is told: pytest would look for all of them for hours."""
    if op != "==" or type(left) is not type(right) or not isinstance(left, bytes | str):
        return None
    if max(len(left), len(right)) < LARGE:
        return None
    at = next((i for i, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), "the end")
    return [f"{type(left).__name__} of {len(left):,} and {len(right):,} are alike up to {at}"]


# Whatever is said in a test is read: a number of one and a noun of many do not go together.
_ONE_OF_MANY = re.compile(
    r"(?<![\d.,:/–-])1 (?:more |other |different |such )?"
    r"(accuracies|analyses|answers|cases|cells|chains|characters|classes|"
    r"columns|decisions|draws|figures|files|groups|numbers|pages|pairs|panels|questions|raters|ratings|records|"
    r"reports|resamples|rounds|rows|sets|sheets|starts|steps|subjects|things|trajectories|values)\b"
)


_fill = language._filled


def _checked(template, given, spoken):
    """A sentence as it is told, if it does not say "1 cases"."""
    words = _fill(template, given, spoken)
    if spoken.language == "" and _ONE_OF_MANY.search(words):
        raise AssertionError(f"one of many: {words!r}, of {template!r}")
    return words


# No fixture: windows are forked for each test, before and after which nothing of it is to be set up.
language._filled = _checked
