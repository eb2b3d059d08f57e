"""Settings every test shares."""

import os
from collections.abc import Iterator

import mpmath
import pytest
from hypothesis import HealthCheck, settings


def pytest_configure(config: pytest.Config) -> None:
    """Random cases are the same in every run, or those of `--hypothesis-seed=1`; none is kept for the next run."""
    settings.register_profile(
        "flexura",
        deadline=None,
        max_examples=int(os.environ.get("FLEXURA_EXAMPLES", "50")),
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=config.getoption("--hypothesis-seed") is None,
        database=None,
    )
    settings.load_profile("flexura")


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compiled programs go to a folder of this run: the user's is neither read nor filled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FLEXURA_CACHE", str(tmp_path_factory.mktemp("programs")))
        yield


@pytest.fixture(autouse=True)
def own_digits(request: pytest.FixtureRequest) -> Iterator[None]:
    """mpmath has one precision for the whole process: each test has that of its file, whatever ran before it."""
    with mpmath.workdps(getattr(request.module, "DIGITS", 15)):
        yield
