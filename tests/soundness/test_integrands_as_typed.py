"""An integral is judged of the integrand that was typed: SymPy must not evaluate it on its way to a certificate."""

from __future__ import annotations

from contextlib import suppress

from case_files import Cases
from each import each
from soundness.judged import judged

from derivations import prove

FAMILIES = Cases(__file__, globals())

WITHOUT_VALUES = [
    "int(sqrt(x)^2, x, -1, 1) = 0",
    "int(exp(log(x)), x, -1, 1) = 0",
    "int(log(x) - log(x) + 1, x, -1, 1) = 2",
    "int(sqrt(x) - sqrt(x), x, -1, 1) = 0",
    "int(sqrt(x)^4, x, -1, 1) = 2/3",
    "int(asin(2*x) - asin(2*x) + x, x, -1, 1) = 0",
    "int(sin(asin(x))*x, x, -2, 2) = 16/3",
    "int(cos(asin(x))^2 + x^2, x, -2, 2) = 4",
    "int(log(-x^2) - log(-x^2) + 1, x, 1, 2) = 1",
    "int(exp(log(-x^2 - 1)) - exp(log(-x^2 - 1)) + exp(-x), x, 0, oo) = 1",
    "int(max(sqrt(x)^2, 0), x, -1, 1) = 0",
    "int(sign(x)*sqrt(x)^2, x, -1, 1) = 1",
    "d(int(sqrt(x)^2*y, x, -1, 1), y) = 0",
    "int(1/x, x, -1, 1) - int(1/x, x, -1, 1) = 0",
    "int(where(x > 1/2, 1, 1/(x - 1/4)), x, 0, 1) = 1/2",
    "d(int(1/sqrt(y - x), x, 0, y), y) = 1",
    "int(where(log(x) < 0, 1, 1), x, -1, 1) = 2",
    "int(where(sqrt(x) < 0, 0, 0), x, -1, 1) = 0",
    "int(where(x < x, log(x), 2), x, -1, 1) = 4",
    "sqrt(int(-1, x, 0, 1))^2 = -1",
    "2*sqrt(int(-x, x, 0, 1))*sqrt(int(-x, x, 0, 1)) = -1",
    "int(1, x, 0, 1)^(0*log(-1)) = 1",
]
ORDERS_WITHOUT_VALUES = [
    ("int(sqrt(x)^2, x, -1, 1) >= -1", []),
    ("int(sqrt(x)^2 + 2, x, -1, y) >= 0", ["y >= 0"]),
    ("int(exp(log(-x^2)), x, 0, y) <= 0", ["y > 0"]),
    ("int(exp(log(-x^2)), x, 0, 1) >= -1", []),
    ("int(1/x, x, -1, 1) >= int(1/x, x, -1, 1) - 1", []),
]
WITH_VALUES = {
    "int(sqrt(x)^2, x, 0, 1) = 1/2": "proved",
    "int(sqrt(x)^2, x, 0, 1) = 1/3": "refuted",
    "int(sqrt(x)^2*exp(log(1 + x)), x, 0, 1) = 5/6": "proved",
    "int(x, x, 0, sqrt(y)^2) = y*abs(y)/2": "proved",
    "int(x, x, 0, x) = x^2/2": "proved",
    "int(x + y, x, 0, x) = x^2/2": "refuted",
    "int(exp(-x), x, x, oo) = exp(-x)": "proved",
    "int(abs(x), x, -1, 1) + x = 1 + x": "proved",
    "2*int(x, x, 0, 1) + sqrt(y)^2 = 1 + y": "proved",
    "int(max(x, -x), x, -1, 1) = 1": "proved",
    "int(sign(x), x, -1, 2) = 1": "proved",
    "int(where(x > 0, 1, 0), x, -1, 1) = 1": "proved",
    "int(exp(-x^2), x, -oo, oo) = sqrt(pi)": "proved",
    "sqrt(2)*int(exp(-x^2), x, -oo, oo) + y = sqrt(pi) + y": "refuted",
    "int(2*x, x, 0, sqrt(y)) = abs(y)": "proved",
    "int(0, x, 0, sqrt(y)) = y": "refuted",
    "d(int(exp(s*y), s, 0, 1), y) = int(s*exp(s*y), s, 0, 1)": "proved",
}


@each("statement", WITHOUT_VALUES)
def test_nothing_is_said_of_an_integral_without_a_value(statement: str) -> None:
    with suppress(prove.NotExact):  # an exponent without a value
        assert prove.identity(statement).verdict.value == "open"


@each("order", ORDERS_WITHOUT_VALUES)
def test_no_order_is_said_of_an_integral_without_a_value(order: tuple[str, list[str]]) -> None:
    statement, supposed = order
    assert prove.inequality(statement, supposed).verdict.value == "open"


@each("statement", [*WITH_VALUES])
def test_an_integral_with_a_value_is_decided(statement: str) -> None:
    assert judged(prove.identity(statement)) == WITH_VALUES[statement]


test_statements_have_their_verdicts = FAMILIES.verdicts()
