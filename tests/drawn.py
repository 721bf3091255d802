"""How many random examples a test draws: all of them in `make laws`, a fifth of them otherwise."""

from __future__ import annotations

from hypothesis import settings

ALL = 100  # examples of the profile "laws", in which a law has as many as it asks for


def drawn(count: int) -> int:
    """The part of `count` examples that the chosen profile draws, at least one."""
    return max(1, count * settings().max_examples // ALL)
