"""Elementary functions that emitted Numba programs carry: their errors, their edges, and what they run on."""

from __future__ import annotations

import math
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from each import each
from flint import arb, ctx
from numba import njit

from derivations.kernels.targets.carried import elementary
from derivations.kernels.targets.carried.elementary import NEEDS, imports, programs

EXACT = {
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "asin": lambda x: x.asin(),
    "relexp": lambda x: x.hypgeom_1f1(1, 2),
    "relexp1": lambda x: x.hypgeom_1f1(2, 3) / 2,
}
RANGES = {
    "exp": [(-1.0, 1.0), (-708.0, 709.7)],
    "log": [(0.5, 2.0), (1.0 - 1e-6, 1.0 + 1e-6), (1e-300, 1e300)],
    "asin": [(-1.0, 1.0), (-0.51, 0.51), (-1e-8, 1e-8)],
    "relexp": [(-1.0, 1.0), (-5.0, 5.0), (-1e4, 715.0)],
    "relexp1": [(-1.01, 1.01), (-5.0, 5.0), (-1e4, 715.0)],
}
ULPS = {"exp": 1.1, "log": 1.0, "asin": 1.5, "relexp": 2.0, "relexp1": 3.5}
"""The largest errors allowed, in units of the last place, at 250 random arguments of each range."""
EDGES = [
    ("exp", 0.0, 1.0),
    ("exp", -math.inf, 0.0),
    ("exp", -745.0, math.exp(-745.0)),
    ("exp", -745.13, 5e-324),
    ("exp", -745.14, 0.0),
    ("exp", -745.3, 0.0),
    ("exp", math.inf, math.inf),
    ("log", 0.0, -math.inf),
    ("log", 1.0, 0.0),
    ("log", math.inf, math.inf),
    ("log", 5e-324, math.log(5e-324)),
    ("log", -1.0, math.nan),
    ("asin", 1.0, math.pi / 2),
    ("asin", -1.0, -math.pi / 2),
    ("asin", 0.5, math.asin(0.5)),
    ("relexp", 0.0, 1.0),
    ("relexp", -math.inf, 0.0),
    ("relexp", -1e100, 1e-100),
    ("relexp", 1e10, math.inf),
    ("relexp1", 0.0, 0.5),
    ("relexp1", -1e100, 1e-200),
    ("relexp1", 1e10, math.inf),
    *((name, math.nan, math.nan) for name in ("exp", "log", "asin", "relexp", "relexp1")),
]


@pytest.fixture(scope="module")
def functions() -> ModuleType:
    """All of them, in a module without a file; what the compiler makes is tested in `over`."""
    module = ModuleType("elementary_functions")
    text = "\n".join([*imports(set(NEEDS)), *programs(set(NEEDS))]).replace("cache=True, ", "")
    exec(compile(text, "elementary_functions", "exec"), module.__dict__)  # noqa: S102
    return module


def over(function: Any, xs: np.ndarray) -> np.ndarray:
    @njit(error_model="numpy")
    def loop(xs: np.ndarray, found: np.ndarray) -> None:
        for i in range(xs.size):
            found[i] = function(xs[i])

    found = np.empty_like(xs)
    loop(xs, found)
    return found


@each("name", [*EXACT])
def test_errors_stay_within_a_few_units_of_the_last_place(name: str, functions: ModuleType) -> None:
    rng, worst = np.random.default_rng(0), 0.0
    xs = np.concatenate([rng.uniform(low, high, 250) for low, high in RANGES[name]])
    found = over(getattr(functions, name), xs)
    with ctx.workdps(40):
        for x, value in zip(xs.tolist(), found.tolist(), strict=True):
            exact = EXACT[name](arb(x))
            worst = max(worst, float(abs(arb(value) - exact) / math.ulp(float(exact))))
    assert worst <= ULPS[name]
    edges = [(x, wanted) for edge, x, wanted in EDGES if edge == name]
    at_edges = over(getattr(functions, name), np.array([x for x, _ in edges]))
    np.testing.assert_array_max_ulp(at_edges, np.array([wanted for _, wanted in edges]), 1)


def test_without_a_compiler_they_give_the_same(functions: ModuleType) -> None:
    plain: dict[str, Any] = {}
    text = "\n".join([*imports(set(NEEDS)), *programs(set(NEEDS))]).replace(elementary.INLINED, "")
    exec(text, plain)  # noqa: S102
    xs = np.array([0.0, *np.linspace(0.05, 0.95, 7)])  # at zero quotients must not be carried out
    for name in EXACT:
        assert [plain[name](x) for x in xs.tolist()] == over(getattr(functions, name), xs).tolist()


def test_a_fused_product_is_rounded_once_with_a_compiler_and_without(functions: ModuleType) -> None:
    a, b = 1.0 + 2.0**-30, 1.0 - 2.0**-30
    assert functions.fma(a, b, -1.0) == float(Fraction(a) * Fraction(b) - 1) == -(2.0**-60)
    fma = functions.fma
    assert njit(lambda x: fma(x, b, -1.0))(a) == -(2.0**-60)
    assert functions.fma(1e308, 10.0, 0.0) == math.inf
