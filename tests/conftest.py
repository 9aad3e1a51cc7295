"""What every test runs under: no display, the same random examples each time, time for slow machines."""

import os

from hypothesis import HealthCheck, settings

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


def pytest_assertrepr_compare(op, left, right):
    """Of two large files that differ only the first place is told: pytest would look for all of them for hours."""
    if op != "==" or type(left) is not type(right) or not isinstance(left, bytes | str):
        return None
    if max(len(left), len(right)) < LARGE:
        return None
    at = next((i for i, (one, other) in enumerate(zip(left, right, strict=False)) if one != other), "the end")
    return [f"{type(left).__name__} of {len(left):,} and {len(right):,} are alike up to {at}"]
