"""How the tests run: Hypothesis profiles, and the part of the laws that LAWS_FRACTION and LAWS_SEED choose."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from laws_sample import chosen, fraction_from

# No deadlines: the first example of a law may compile a kernel.
settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, max_examples=50)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "local"))


@pytest.hookimpl(trylast=True)  # after -m and -k, so that the fraction is one of the laws that would run
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the seeded fraction of the laws, and everything else."""
    try:
        fraction = fraction_from(os.environ.get("LAWS_FRACTION", "1"))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    laws = {item.nodeid for item in items if item.get_closest_marker("laws")}
    left_out = laws - chosen(laws, fraction, os.environ.get("LAWS_SEED", ""))
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
