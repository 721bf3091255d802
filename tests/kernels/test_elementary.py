"""Elementary functions that emitted Numba programs carry: their errors, their edges, and what they run on."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from flint import arb, ctx
from numba import njit
from numpy.typing import NDArray

from derivations.kernels.targets.carried import elementary
from derivations.kernels.targets.carried.elementary import NEEDS, imports, programs

Floats = NDArray[np.float64]
Over = Callable[[Floats], dict[str, Floats]]
LESS = 1.0 - 2.0**-30
FAMILIES = Cases(__file__, globals())

EXACT = FAMILIES["exact"]
RANGES = FAMILIES["ranges"]
ULPS = {"exp": 1.1, "log": 1.0, "asin": 1.5, "relexp": 2.0, "relexp1": 3.5}
"""The largest errors allowed, in units of the last place, at 250 random arguments of each range."""
EDGES = [*FAMILIES["edges"], *((name, math.nan, math.nan) for name in ("exp", "log", "asin", "relexp", "relexp1"))]


@pytest.fixture(scope="module")
def functions() -> ModuleType:
    """All of them, in a module without a file; which `over` compiles."""
    module = ModuleType("elementary_functions")
    text = "\n".join([*imports(set(NEEDS)), *programs(set(NEEDS))]).replace("cache=True, ", "")
    exec(compile(text, "elementary_functions", "exec"), module.__dict__)  # noqa: S102
    return module


@pytest.fixture(scope="module")
def over(functions: ModuleType) -> Over:
    """The values at many numbers, by one program that is compiled once: with a product among them, LESS x - 1."""
    exp, log, asin, relexp, relexp1, fma = (getattr(functions, name) for name in (*EXACT, "fma"))

    @njit(error_model="numpy")
    def loop(xs: Floats, found: Floats) -> None:
        for i in range(xs.size):
            x = xs[i]
            found[0, i], found[1, i], found[2, i] = exp(x), log(x), asin(x)
            found[3, i], found[4, i], found[5, i] = relexp(x), relexp1(x), fma(x, LESS, -1.0)

    def values(xs: Floats) -> dict[str, Floats]:
        loop(xs, found := np.empty((6, xs.size)))
        return dict(zip((*EXACT, "fma"), found, strict=True))

    return values


@each("name", [*EXACT])
def test_errors_stay_within_a_few_units_of_the_last_place(name: str, over: Over) -> None:
    rng, worst = np.random.default_rng(0), 0.0
    xs = np.concatenate([rng.uniform(low, high, 250) for low, high in RANGES[name]])
    found = over(xs)[name]
    with ctx.workdps(40):
        for x, value in zip(xs.tolist(), found.tolist(), strict=True):
            exact = EXACT[name](arb(x))
            worst = max(worst, float(abs(arb(value) - exact) / math.ulp(float(exact))))
    assert worst <= ULPS[name]
    edges = [(x, wanted) for edge, x, wanted in EDGES if edge == name]
    at_edges = over(np.array([x for x, _ in edges]))[name]
    np.testing.assert_array_max_ulp(at_edges, np.array([wanted for _, wanted in edges]), 1)


def test_without_a_compiler_they_give_the_same(over: Over) -> None:
    plain: dict[str, Any] = {}
    text = "\n".join([*imports(set(NEEDS)), *programs(set(NEEDS))]).replace(elementary.INLINED, "")
    exec(text, plain)  # noqa: S102
    xs = np.array([0.0, *np.linspace(0.05, 0.95, 7)])  # at zero quotients must not be carried out
    found = over(xs)
    for name in EXACT:
        assert [plain[name](x) for x in xs.tolist()] == found[name].tolist()


def test_a_fused_product_is_rounded_once_with_a_compiler_and_without(functions: ModuleType, over: Over) -> None:
    a = 1.0 + 2.0**-30
    assert functions.fma(a, LESS, -1.0) == float(Fraction(a) * Fraction(LESS) - 1) == -(2.0**-60)
    assert over(np.array([a]))["fma"].tolist() == [-(2.0**-60)]
    assert functions.fma(1e308, 10.0, 0.0) == math.inf
