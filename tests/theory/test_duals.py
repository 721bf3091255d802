"""Functions written with dual numbers are the derivatives of the functions that they are written from."""

from __future__ import annotations

import math

import pytest
from each import each

from numerics.theory.two_point.duals import DualError, slopes_of

SOURCE = """
def f(x, y, z):
    \"\"\"What is said here is left out.\"\"\"
    size = sqrt(x**2 + z)
    if x > y:
        part = exp(-y)/size
        other = 2.0
    elif z > 1.0:
        part = minor(x, y, z, size)
        other = x
    else:
        part = z
        other = relexp(x*y)
    return part - other, z, part*other
"""
HELPERS = {
    "exp": math.exp,
    "sqrt": math.sqrt,
    "minor": lambda a, b, c, d: a * b - c * d,
    "relexp": lambda x: math.expm1(x) / x,
    "relexp1": lambda x: (math.exp(x) * (x - 1) + 1) / x**2,
}


def run(text: str, name: str, *at: float) -> tuple[float, ...]:
    names: dict[str, object] = dict(HELPERS)
    exec(text, names)  # noqa: S102 (a text that stands above)
    found: tuple[float, ...] = names[name](*at)  # type: ignore[operator]
    return found


@each("at", [(0.7, 0.4, 0.3), (0.4, 0.7, 1.3), (0.4, 0.7, 0.3)])
def test_every_branch_has_its_derivatives(at: tuple[float, ...]) -> None:
    slopes = run(slopes_of(SOURCE, "f", ["x", "y"]), "f_slopes", *at)
    for k in (0, 1):
        above, below = (run(SOURCE, "f", *(v + d * (i == k) for i, v in enumerate(at))) for d in (1e-6, -1e-6))
        differences = [(high - low) / 2e-6 for high, low in zip(above, below, strict=True)]
        assert slopes[k::2] == pytest.approx(differences, rel=1e-8, abs=1e-8)


@each(
    ("line", "sentence"),
    [
        ("return (sin(x),)", "no rule for the derivative of sin"),
        ("return (x**x,)", "no rule for the derivative of x"),
        ("for k in x: pass", "neither an assignment nor a branch nor a return"),
    ],
)
def test_what_has_no_rule_is_refused_in_one_sentence(line: str, sentence: str) -> None:
    with pytest.raises(DualError, match=sentence):
        slopes_of(f"def f(x):\n    {line}", "f", ["x"])
    with pytest.raises(DualError, match="no function called g"):
        slopes_of("def f(x):\n    return (x,)", "g", ["x"])
