"""Settings of every test: property tests try the same examples each time, and more of them when asked."""

import os

import pytest
from hypothesis import HealthCheck, settings

full = os.environ.get("LOOPWRIGHT_FULL") == "1"
settings.register_profile(
    "loopwright",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=1000 if full else 60,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("loopwright")


@pytest.fixture(autouse=True, scope="session")
def _kernels_kept_for_this_run_only(tmp_path_factory):
    """Compiled kernels go to a folder of this run, which its processes share, never to the user's own."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "kernels"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOOPWRIGHT_CACHE", str(folder))
        yield
