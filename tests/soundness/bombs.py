"""Certificates that ask for too much: small as data, huge as work."""

from __future__ import annotations

from typing import Any

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


LONG = ["^", q("9" * 380), q(300)]
LONGER = ["^", q("9" * 1150), q(10000)]
AT_ONE: Json = {"x": "1"}
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


T = ["s", "t"]
BOX: Json = {
    "statement": {
        "kind": "enclosure", "symbols": {"x": []}, "assuming": [], "lower": "-1", "upper": "1",
        "box": {"x": ["0", "1"]},
        "expression": nested(12, lambda e: ["+", ["sin", e], ["*", e, e]]),
    },
    "verdict": "certified", "method": "ball enclosure", "payload": {"bits": 4096, "pieces": 50000},
}  # fmt: skip

BOMBS: dict[str, Json] = {
    "nested substitutions": refuted(squares_at(60), {"x": []}, AT_ONE),
    "nested substitutions, few": refuted(squares_at(24), {"x": []}, AT_ONE),
    "nested substitutions, a proof": proved(squares_at(26), {"x": []}, [["s", "x"]]),
    "nested hyperbolic functions": proved(nested(200, lambda e: ["tanh", e]), {"x": []}, [["s", "x"]]),
    "nested hyperbolic functions, few": proved(nested(22, lambda e: ["cosh", e]), {"x": []}, [["s", "x"]]),
    "a derivative of nested products": proved(
        ["D", nested(15, lambda e: ["*", e, ["exp", e]]), "x"], {"x": []}, [["s", "x"]]
    ),
    "many derivatives": refuted(
        nested(40, lambda e: ["D", e, "x"], ["exp", ["*", X, ["sin", ["*", X, ["cos", X]]]]]), {"x": []}, AT_ONE
    ),
    "a product of long constants": refuted(["*", *[LONG] * 100], {}, {}),
    "a sum of long constants": refuted(
        ["+", *(["^", q(f"{k}/{'7' * 370}"), q(300)] for k in range(1, 90))], {}, {}
    ),
    "a product of longer constants, a proof": proved(["*", *[LONGER] * 100], {}, []),
    "a product of long fractions": refuted(
        ["*", *(["^", q(f"{3**790 + k}/{2**1200 + 1}"), q(300)] for k in range(60))], {}, {}
    ),
    "a long power in a polynomial": proved(
        ["^", ["+", X, ["^", q("9" * 1900), q(400)]], q(40)], {"x": []}, [["s", "x"]]
    ),
    "a wide power": proved(
        ["^", ["+", *(["s", f"x{i}"] for i in range(30))], q(9)],
        {f"x{i}": [] for i in range(30)},
        [["s", f"x{i}"] for i in range(30)],
    ),
    "summed indices": sums(NINE),
    "a sum that can be written in many ways": sums(COMPLETE),
    "a power of many words": words(WIDE, {"A": [["1"]]}, {"n": 1}),
    "powers of powers of a number": words(
        ["*", nested(6, lambda e: ["^", e, 100], ["q", "9" * 1900]), ["L", "A"]], {"A": [["1"]]}, {"n": 1}
    ),
    "a long trace": words(["*", ["tr", ["^", ["^", ["L", "A"], 100], 100]], ["L", "A"]], {"A": [["1"]]}, {"n": 1}),
    "many values of many indices": refuted_sums([["1", ["K"] * 6, [["a", i, i + 1] for i in range(5)]]], 200),
    "long matrices": words(["^", ["L", "A"], 20], {"A": LONG_MATRIX}, {"n": 100}),
    "a box in many pieces": BOX,
    "roots of roots": refuted(nested(300, lambda e: ["^", ["+", e, q(1)], q("1/7")]), {"x": []}, {"x": "12345/677"}),
    "a solution of nested substitutions": solution(
        nested(40, lambda e: ["at", ["^", ["*", T, T], q(-1)], [["t", e]]], T)
    ),
    "a long power": refuted(["^", q("9" * 380), q(3000)], {}, {}),
    "a tower of exponentials": refuted(nested(300, lambda e: ["exp", e]), {"x": []}, AT_ONE),
}  # fmt: skip
