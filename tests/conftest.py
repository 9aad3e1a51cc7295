"""What every test runs under: no display, the same random examples each time, time for slow machines."""

import os

from hypothesis import HealthCheck, settings

# Before anything imports Qt, which reads it once; Qt itself is not imported here, as most tests prove to run without.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

# The machine may be busy: how long one example takes is no property of the code.
_steady = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("fast", max_examples=25, derandomize=True, **_steady)
settings.register_profile("slow", max_examples=300, print_blob=True, **_steady)
settings.load_profile(os.environ.get("TAPDESK_TESTS", "fast"))
