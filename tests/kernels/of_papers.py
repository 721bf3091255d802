"""The kernels of the papers, by their names in the committed index, so that to collect the tests makes none of them."""

from __future__ import annotations

from functools import cache

from derivations.kernels.kernel import Kernel
from derivations.paper.library import library
from numerics.kernels import index, numbers

NUMBERS = list(numbers())
ARRAYS = [name for name in index() if name not in NUMBERS]


@cache
def made() -> dict[str, Kernel]:
    """Every kernel of every paper."""
    return {f"{paper.key}:{kernel.name}": kernel for paper in library().values() for kernel in paper.kernels}
