"""Settings every test shares."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "flexura",
    deadline=None,
    max_examples=int(os.environ.get("FLEXURA_EXAMPLES", "50")),
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)
settings.load_profile("flexura")
