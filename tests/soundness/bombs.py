"""Certificates that ask for too much: small as data, huge as work."""

from __future__ import annotations

from typing import Any

from case_files import Cases

FAMILIES = Cases(__file__, globals())

Json = dict[str, Any]
X = ["s", "x"]


def q(value: Any) -> list[str]:
    return ["q", str(value)]


def refuted(left: Any, symbols: Json, point: Json) -> Json:
    statement = {"kind": "identity", "symbols": symbols, "assuming": [], "left": left, "right": q(0)}
    witness = {"point": point, "left": "1", "right": "0", "bits": 128}
    return {"statement": statement, "verdict": "refuted", "method": "exact point", "payload": {"witness": witness}}


def proved(left: Any, symbols: Json, generators: Any, **payload: Any) -> Json:
    statement = {"kind": "identity", "symbols": symbols, "assuming": [], "left": left, "right": q(0)}
    steps = [["generator", k] for k in range(len(generators))]
    evidence = {"generators": generators, "steps": steps, "times": [], "sum": [], "inhabited": {}} | payload
    return {"statement": statement, "verdict": "proved", "method": "normal form", "payload": evidence}


def nested(levels: int, wrap: Any, inner: Any = None) -> Any:
    term = inner or X
    for _ in range(levels):
        term = wrap(term)
    return term


def squares_at(levels: int) -> Any:
    """A tree of 2^levels factors, as substitutions into one product of two."""
    return nested(levels, lambda e: ["at", ["*", X, X], [["x", e]]])


def exponents(shape: int) -> Any:
    return [["1", [0] * shape]]


THIRTY = [["s", f"x{i}"] for i in range(30)]
COMPLETE = [["1", ["K"] * 11, [["s", i, j] for i in range(11) for j in range(i)]]]
WIDE = ["^", ["+", *(["@", ["L", "A"], *[["T", ["L", "A"]]] * k] for k in range(1, 40))], 60]
NINE = [[str(k), ["K"] * 9, [["a", i, (i + k) % 9] for i in range(9)]] for k in range(1, 12)]
LETTERS = {"letters": {"A": {"rows": "n", "cols": "n"}}, "rules": []}
LONG_MATRIX = [[f"{10**1799 + 7 * i + j}/{10**1798 + 3 * i + 11 * j + 1}" for j in range(100)] for i in range(100)]


def words(formula: Any, matrices: Json, dims: Json) -> Json:
    side = {"shape": ["n", "n"], "formula": formula}
    statement = {"kind": "words", **LETTERS, "left": side, "right": {"shape": ["n", "n"], "formula": ["0", "n", "n"]}}
    witness = {"dims": dims, "matrices": matrices}
    return {"statement": statement, "verdict": "refuted", "method": "exact matrices", "payload": {"witness": witness}}


def sums(terms: Any) -> Json:
    statement = {
        "kind": "sums", "free": {}, "rules": [],
        "arrays": {"a": {"ranges": ["K", "K"]}, "s": {"ranges": ["K", "K"], "symmetric": True}},
        "left": {"formula": ["terms", *terms]}, "right": {"formula": ["q", "0"]},
    }  # fmt: skip
    inhabited = {"sizes": {"K": 1}, "arrays": {"a": [["1"]], "s": [["1"]]}}
    payload = {"steps": [], "inhabited": inhabited}
    return {"statement": statement, "verdict": "proved", "method": "normal form", "payload": payload}


def refuted_sums(terms: Any, size: int) -> Json:
    ones = [["1"] * size] * size
    witness = {"sizes": {"K": size}, "arrays": {"a": ones, "s": ones}, "at": {}, "left": "1", "right": "0"}
    return sums(terms) | {"verdict": "refuted", "method": "exact arrays", "payload": {"witness": witness}}


def solution(term: Any) -> Json:
    statement = {
        "kind": "solves", "symbols": {"x": [], "t": ["nonnegative"]}, "assuming": [], "time": "t",
        "flow": {"x": q(0)}, "solution": {"x": term}, "start": {}, "interval": {"kind": "forever"},
    }  # fmt: skip
    witness = {"point": {"t": "1", "x": "1"}, "left": "1", "right": "0", "bits": 128}
    payload = {"refutation": {}, "witness": witness}
    method = "the value 1 at an exact point"
    return {"statement": statement, "verdict": "refuted", "method": method, "payload": payload}


def by_number(head: str, count: int, part: Any) -> Any:
    return [head, *map(part, range(count))]


def close_roots(count: int) -> Any:
    """The product of 1 + x, 1 + 2 x, 2 + 3 x, 3 + 5 x, and so on."""
    product, (a, b) = [1], (1, 1)
    for _ in range(count):
        product = [a * low + b * high for low, high in zip([*product, 0], [0, *product], strict=True)]
        a, b = b, a + b
    return [[str(coefficient), [degree]] for degree, coefficient in enumerate(product)]


BOMBS: dict[str, Json] = {
    **FAMILIES["bombs"],
    "roots that lie close together": proved(
        X, {"x": []}, [X], steps=[["generator", 0], ["line", close_roots(60), ">=", []]]
    ),
    "a sum of long constants": refuted(by_number("+", 89, lambda k: ["^", q(f"{k + 1}/{'7' * 370}"), q(300)]), {}, {}),
    "a product of long fractions": refuted(
        by_number("*", 60, lambda k: ["^", q(f"{3**790 + k}/{2**1200 + 1}"), q(300)]), {}, {}
    ),
    "a wide power": proved(["^", ["+", *THIRTY], q(9)], {name: [] for _, name in THIRTY}, THIRTY),
    "many values of many indices": refuted_sums([["1", ["K"] * 6, [["a", i, i + 1] for i in range(5)]]], 200),
}
