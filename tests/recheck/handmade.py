"""Certificates written by hand, one or more of every kind: what the checker must accept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

Json = dict[str, Any]
Term = list[Any]


def s(name: str) -> Term:
    return ["s", name]


def q(value: int | str | Fraction) -> Term:
    return ["q", str(Fraction(value))]


def add(*terms: Term) -> Term:
    return ["+", *terms]


def mul(*terms: Term) -> Term:
    return ["*", *terms]


def power(base: Term, exponent: int | str | Fraction) -> Term:
    return ["^", base, q(exponent)]


def minus(term: Term) -> Term:
    return mul(q(-1), term)


def difference(left: Term, right: Term) -> Term:
    return add(left, minus(right))


def exp(term: Term) -> Term:
    return ["exp", term]


x, y, z, a, b, t, e = map(s, "xyzabte")
ONE, ZERO = q(1), q(0)
FREE: Json = {"x": [], "y": [], "z": [], "t": []}
POSITIVE: Json = {"a": ["nonnegative", "nonzero", "positive"], "b": ["positive"], "e": ["positive"]}


def certificate(statement: Json, verdict: str, method: str, payload: Json) -> Json:
    return {"statement": statement, "verdict": verdict, "method": method, "payload": payload}


def identity(left: Term, right: Term, symbols: Json, assuming: Any = ()) -> Json:
    return {"kind": "identity", "symbols": symbols, "assuming": list(assuming), "left": left, "right": right}


def proved(
    statement: Json,
    generators: Any,
    rewrites: Any = (),
    multiplier: Any = (),
    cofactors: Any = (),
    *,
    inhabited: Json | None = None,
) -> Json:
    """A proof by normal form; the inhabited point gives every symbol 2, 3, 4, ... unless told otherwise."""
    point = {name: str(i + 2) for i, name in enumerate(statement["symbols"])} | (inhabited or {})
    payload = {
        "generators": list(generators),
        "rewrites": list(rewrites),
        "multiplier": list(multiplier),
        "cofactors": list(cofactors),
        "inhabited": point,
    }
    return certificate(statement, "proved", "normal form", payload)


def refuted(statement: Json, point: Json, left: str, right: str, bits: int = 128) -> Json:
    witness = {"point": point, "left": left, "right": right, "bits": bits}
    return certificate(statement, "refuted", "exact point", {"witness": witness})


def symbols(*names: str) -> Json:
    known = FREE | POSITIVE
    return {name: known[name] for name in names}


def gens(*names: str) -> list[Any]:
    return [["symbol", name] for name in names]


def positive_sign(  # noqa: PLR0917 - reads like the inequality that it states
    left: Term, right: Term, relation: str, table: Json, facts: Any, terms: Any, assuming: Any = (), **proof: Any
) -> Json:
    """A positive combination with scale one; `proof` is what the nested identity needs."""
    summands = [mul(q(w), *(facts[i]["term"] for i in chosen)) for w, chosen in terms]
    nested = identity(mul(difference(left, right), ONE), add(*summands), table, assuming)
    payload = {
        "scale": ONE,
        "terms": [[str(w), list(chosen)] for w, chosen in terms],
        "facts": list(facts),
        "identity": proved(nested, **proof),
    }
    statement = nested | {"kind": "sign", "relation": relation, "left": left, "right": right}
    return certificate(statement, "proved", "positive combination", payload)


def fact(term: Term, strict: bool, *because: Any) -> Json:
    return {"term": term, "strict": strict, "because": list(because)}


# --- identities -------------------------------------------------------------------------------------------------------

XY = symbols("x", "y")
SQUARE = proved(
    identity(power(add(x, y), 2), add(power(x, 2), mul(q(2), x, y), power(y, 2)), XY),
    gens("x", "y"),
)
FRACTIONS = proved(
    identity(
        add(power(difference(x, y), -1), power(add(x, y), -1)),
        mul(q(2), x, power(difference(power(x, 2), power(y, 2)), -1)),
        XY,
    ),
    gens("x", "y"),
)
ROOT_X = power(x, "1/2")
ROOT = proved(
    identity(mul(ROOT_X, ROOT_X), x, symbols("x")),
    [*gens("x"), ["root", x, 2]],
    [[ROOT_X, [["1", [0, 1]]], [["1", [0, 0]]]]],
    cofactors=[[["1", [0, 0]]]],
)
ROOT_OF_PRODUCT = proved(
    identity(power(mul(a, b), "1/2"), mul(power(a, "1/2"), power(b, "1/2")), symbols("a", "b")),
    [*gens("a", "b"), ["root", a, 2], ["root", b, 2]],
    [
        [power(mul(a, b), "1/2"), [["1", [0, 0, 1, 1]]], [["1", [0] * 4]]],
        [power(a, "1/2"), [["1", [0, 0, 1, 0]]], [["1", [0] * 4]]],
        [power(b, "1/2"), [["1", [0, 0, 0, 1]]], [["1", [0] * 4]]],
    ],
    cofactors=[[], []],
)
EXPONENTIAL = proved(
    identity(mul(exp(x), exp(minus(x))), ONE, symbols("x")),
    [*gens("x"), ["exp", x]],
    [[exp(x), [["1", [0, 1]]], [["1", [0, 0]]]], [exp(minus(x)), [["1", [0, 0]]], [["1", [0, 1]]]]],
)
HYPERBOLIC = proved(
    identity(difference(power(["cosh", x], 2), power(["sinh", x], 2)), ONE, symbols("x")),
    [*gens("x"), ["exp", x]],
    [[exp(x), [["1", [0, 1]]], [["1", [0, 0]]]], [exp(minus(x)), [["1", [0, 0]]], [["1", [0, 1]]]]],
)
LOGARITHM = proved(
    identity(["log", mul(power(a, 2), b)], add(mul(q(2), ["log", a]), ["log", b]), symbols("a", "b")),
    [*gens("a", "b"), ["log", a], ["log", b]],
    [
        [["log", mul(power(a, 2), b)], [["2", [0, 0, 1, 0]], ["1", [0, 0, 0, 1]]], [["1", [0] * 4]]],
        [["log", a], [["1", [0, 0, 1, 0]]], [["1", [0] * 4]]],
        [["log", b], [["1", [0, 0, 0, 1]]], [["1", [0] * 4]]],
    ],
)
CANCELLED = proved(
    identity(x, y, symbols("x", "y", "z"), [["=", mul(x, z), mul(y, z)], ["!=", z, ZERO]]),
    gens("x", "y", "z"),
    multiplier=[[["1", [0, 0, 1]]]],
    cofactors=[[["1", [0, 0, 0]]]],
    inhabited={"x": "3/2", "y": "3/2"},
)
SINE = proved(
    identity(["D", ["sin", mul(a, x)], "x"], mul(a, ["cos", mul(a, x)]), symbols("a", "x")),
    [*gens("a", "x"), ["atom", ["cos", mul(a, x)]]],
    [[["cos", mul(a, x)], [["1", [0, 0, 1]]], [["1", [0, 0, 0]]]]],
)
UNEQUAL = refuted(identity(power(x, 2), mul(q(2), x), symbols("x")), {"x": "3"}, "9", "6")
NOT_LINEAR = refuted(identity(exp(x), add(ONE, x), symbols("x")), {"x": "1"}, "2.71828182845904523536028747135", "2")

# --- inequalities -----------------------------------------------------------------------------------------------------

MEANS = positive_sign(
    add(power(x, 2), power(y, 2)),
    mul(q(2), x, y),
    ">=",
    XY,
    [fact(power(difference(x, y), 2), False, "square", difference(x, y))],
    [("1", [0])],
    generators=gens("x", "y"),
)
ABOVE = positive_sign(
    mul(x, y),
    ZERO,
    ">",
    XY,
    [
        fact(difference(x, ONE), True, "hypothesis", 0),
        fact(difference(y, ONE), True, "hypothesis", 1),
        fact(ONE, True, "one"),
    ],
    [("1", [0, 1]), ("1", [0]), ("1", [1]), ("1", [2])],
    [[">", x, ONE], [">", y, ONE]],
    generators=gens("x", "y"),
)
EXP_ABOVE = positive_sign(
    add(exp(x), a),
    ZERO,
    ">",
    symbols("a", "x"),
    [fact(exp(x), True, "exp"), fact(a, True, "symbol", "a")],
    [("1", [0]), ("1", [1])],
    generators=[*gens("a", "x"), ["exp", x]],
    rewrites=[[exp(x), [["1", [0, 0, 1]]], [["1", [0, 0, 0]]]]],
)
NOT_ABOVE = refuted(
    {"kind": "sign", "symbols": symbols("x"), "assuming": [], "relation": ">", "left": power(x, 2), "right": x},
    {"x": "1/2"},
    "1/4",
    "1/2",
)

QUARTIC = add(power(x, 4), minus(x), ONE)
NO_ROOT = certificate(
    {"kind": "sign", "symbols": symbols("x"), "assuming": [], "relation": ">", "left": QUARTIC, "right": ZERO},
    "proved",
    "real roots",
    {"symbol": "x"},
)
BEYOND_A_ROOT = certificate(
    {
        "kind": "sign",
        "symbols": symbols("x", "y"),
        "assuming": [[">=", power(x, 2), q(2)], [">", exp(y), q(2)], [">", x, ZERO]],
        "relation": ">",
        "left": power(difference(x, ONE), -1),
        "right": ZERO,
    },
    "proved",
    "real roots",
    {"symbol": "x", "inhabited": {"x": "2", "y": "1"}},
)

IN_A_BOX = certificate(
    {
        "kind": "sign",
        "symbols": symbols("a", "y"),
        "assuming": [[">", ONE, y], [">=", y, ZERO], [">=", q(1), a]],
        "relation": ">",
        "left": difference(add(a, y), mul(a, y)),
        "right": ZERO,
    },
    "proved",
    "boxes",
    {
        "symbols": ["a", "y"],
        "tree": [
            *("cut", "a", "0", "<=", ["symbol", "a", "positive"]),
            [
                *("cut", "a", "1", "<="),
                ["cut", "y", "0", "<", ["hypothesis", 1], ["cut", "y", "1", "<", ["holds"], ["hypothesis", 0]]],
                ["cut", "y", "0", "<", ["hypothesis", 1], ["hypothesis", 2]],
            ],
        ],
        "inhabited": {"a": "1", "y": "0"},
    },
)

# --- limits -----------------------------------------------------------------------------------------------------------


def limit(expression: Term, value: Term, table: Json) -> Json:
    return {
        "kind": "limit",
        "symbols": table,
        "assuming": [],
        "variables": ["e"],
        "expression": expression,
        "value": value,
    }


def continuous(statement: Json, numerator: Term, denominator: Term, facts: Any, terms: Any) -> Json:
    """A limit of a quotient of polynomials."""
    names = list(statement["symbols"])
    den_at: Term = ["at", denominator, [["e", ZERO]]]
    num_at: Term = ["at", numerator, [["e", ZERO]]]
    quotient = mul(numerator, power(denominator, -1))
    table = statement["symbols"]
    payload = {
        "numerator": numerator,
        "denominator": denominator,
        "near": dict.fromkeys(names, "1"),
        "identity": proved(identity(statement["expression"], quotient, table), gens(*names)),
        "value": proved(identity(num_at, mul(statement["value"], den_at), table), gens(*names)),
        "nonzero": positive_sign(den_at, ZERO, ">", table, facts, terms, generators=gens(*names)),
    }
    return certificate(statement, "proved", "continuity", payload)


AXE = symbols("a", "e", "x")
RATIO = mul(add(x, e), power(add(a, e), -1))
TENDS = continuous(
    limit(RATIO, mul(x, power(a, -1)), AXE), add(x, e), add(a, e), [fact(a, True, "symbol", "a")], [("1", [0])]
)
OTHER_VALUE = refuted(identity(mul(x, power(a, -1)), x, AXE), {"a": "2", "e": "1", "x": "3"}, "3/2", "3")
ANOTHER_LIMIT = certificate(
    limit(RATIO, x, AXE),
    "refuted",
    "another limit",
    {"limit": TENDS, "differs": OTHER_VALUE, "witness": OTHER_VALUE["payload"]["witness"]},
)
BLOW_UP = mul(a, power(e, -1))
RECIPROCAL = continuous(
    limit(power(BLOW_UP, -1), ZERO, symbols("a", "e")), e, a, [fact(a, True, "symbol", "a")], [("1", [0])]
)
DIVERGES = certificate(limit(BLOW_UP, ONE, symbols("a", "e")), "refuted", "diverges", {"reciprocal": RECIPROCAL})

# --- enclosures, flows, statements made of statements -----------------------------------------------------------------

BOX = {
    "kind": "enclosure",
    "symbols": symbols("x"),
    "assuming": [],
    "expression": exp(x),
    "box": {"x": ["0", "1"]},
    "lower": "1/2",
    "upper": "3",
}
ENCLOSED = certificate(BOX, "certified", "ball enclosure", {"bits": 128, "pieces": 4})
NOT_ENCLOSED = refuted(BOX | {"upper": "2"}, {"x": "1"}, "2.71828182845904523536028747135", "1/2 to 2")

ATZ = symbols("a", "t", "x", "z") | {"t": ["nonnegative"]}
GROWTH = mul(z, exp(mul(a, t)))
FLOW = {
    "kind": "solves",
    "symbols": ATZ,
    "assuming": [],
    "time": "t",
    "flow": {"x": mul(a, x)},
    "solution": {"x": GROWTH},
    "start": {"x": z},
    "interval": {"kind": "forever"},
}
EXP_AT = [exp(mul(a, t)), [["1", [0, 0, 0, 0, 1]]], [["1", [0] * 5]]]
START = identity(["at", GROWTH, [["t", ZERO]]], z, ATZ)
SOLVES = certificate(
    FLOW,
    "proved",
    "residual and start",
    {
        "residuals": {
            "x": proved(
                identity(["D", GROWTH, "t"], ["at", mul(a, x), [["x", GROWTH]]], ATZ),
                [*gens("a", "t", "x", "z"), ["exp", mul(a, t)]],
                [EXP_AT],
            )
        },
        "starts": {
            "x": proved(START, gens("a", "t", "x", "z"), [[exp(mul(a, ZERO)), [["1", [0] * 4]], [["1", [0] * 4]]]])
        },
        "domain": [],
        "inhabited": {"a": "1", "t": "0", "x": "1", "z": "1"},
    },
)
WRONG_START = refuted(START | {"right": add(z, ONE)}, {"a": "1", "t": "1", "x": "1", "z": "2"}, "2", "3")
NOT_SOLVED = certificate(
    FLOW | {"start": {"x": add(z, ONE)}},
    "refuted",
    "the start of x at an exact point",
    {"part": ["start", "x"], "refutation": WRONG_START, "witness": WRONG_START["payload"]["witness"]},
)


def conjunction(verdict: str, *parts: Json, witness: Json | None = None) -> Json:
    statement = {"kind": "all", "parts": [c["statement"] for c in parts]}
    told = [c["method"] for c in parts if verdict != "refuted" or c["verdict"] == "refuted"]
    return certificate(
        statement, verdict, ", ".join(told), {"parts": list(parts)} | ({"witness": witness} if witness else {})
    )


BOTH = conjunction("certified", SQUARE, ENCLOSED)
NOT_BOTH = conjunction("refuted", SQUARE, UNEQUAL, witness=UNEQUAL["payload"]["witness"])
ARGUED = certificate(
    {"kind": "argued", "says": "It grows exponentially.", "needs": {"solution": FLOW}},
    "argued",
    "a person's last step",
    {"steps": {"solution": SOLVES}},
)
FALLS = {"flow": {"x": minus(x)}, "point": {"x": ZERO}, "symbols": symbols("x"), "assuming": []}
STABLE = certificate(
    {
        "kind": "by",
        "schema": "linear stability on a line",
        "slots": FALLS,
        "concludes": FALLS | {"kind": "concluded", "form": "attracts"},
    },
    "proved",
    "by linear stability on a line",
    {
        "steps": {
            "rate of x at rest": proved(identity(["at", minus(x), [["x", ZERO]]], ZERO, symbols("x")), []),
            "slope": positive_sign(
                minus(["at", ["D", minus(x), "x"], [["x", ZERO]]]),
                ZERO,
                ">",
                symbols("x"),
                [],
                [(1, [])],
                generators=[],
            ),
        }
    },
)
DENIAL = certificate({"kind": "not", "of": ABOVE["statement"]}, "refuted", "contrary", {"contrary": ABOVE})
OPEN = certificate(identity(x, y, XY), "open", "none", {}) | {"reason": "nothing decided it"}

ALL: dict[str, Json] = {
    name.lower(): value
    for name, value in list(globals().items())
    if name.isupper() and isinstance(value, dict) and "verdict" in value
}
