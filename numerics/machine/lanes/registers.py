"""The vector registers of the processor that code is compiled for, and what follows for the shape of kernels.

Numba's settings count, so that another processor can be tried: NUMBA_CPU_FEATURES=-avx512f (and so forth) compiles for
narrower ones. What a kernel takes from here is an option of `numerics.machine.specialise`, which names its file.
"""

# mypy: allow-untyped-calls

from __future__ import annotations

import platform
from functools import cache
from typing import NamedTuple

from numba import config
from numba.core.codegen import get_host_cpu_features  # type: ignore[attr-defined, unused-ignore]


class Registers(NamedTuple):
    """How many there are, and how many doubles each of them holds."""

    number: int
    doubles: int


WIDE, MIDDLE, ARM, OTHERS = Registers(32, 8), Registers(16, 4), Registers(32, 2), Registers(16, 2)


@cache
def registers() -> Registers:
    """Those that compiled code uses here.

    >>> registers().doubles in (2, 4, 8)
    True
    """
    asked = config.CPU_FEATURES  # type: ignore[attr-defined, unused-ignore]
    return told_by(get_host_cpu_features() if asked is None else asked, platform.machine())


def told_by(features: str, architecture: str) -> Registers:
    """Those of a processor with these features, as LLVM writes them.

    >>> told_by("+avx,+avx2,+avx512f", "x86_64"), told_by("+avx,+avx2,-avx512f", "x86_64")
    (Registers(number=32, doubles=8), Registers(number=16, doubles=4))
    """
    there = set(features.split(","))
    if "+avx512f" in there:
        return WIDE
    if "+avx" in there:
        return MIDDLE
    return ARM if architecture.lower() in {"aarch64", "arm64"} else OTHERS


def lanes_for(found: Registers) -> int:
    """How many doubles at once: those of a register, and four at least.

    >>> lanes_for(WIDE), lanes_for(ARM)
    (8, 4)
    """
    return max(4, found.doubles)
