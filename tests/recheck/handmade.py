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


NUMBER_ONE: list[Any] = [["1", []]]


def proved(
    statement: Json,
    generators: Any,
    steps: Any = (),
    times: Any = (),
    total: Any = (),
    *,
    inhabited: Json | None = None,
) -> Json:
    """A proof by steps; all generators are shown first unless steps begin otherwise.

    The inhabited point gives every symbol 2, 3, 4, ... unless told otherwise.
    """
    point = {name: str(i + 2) for i, name in enumerate(statement["symbols"])} | (inhabited or {})
    shown = [] if any(step[0] == "generator" for step in steps) else [["generator", k] for k in range(len(generators))]
    payload = {
        "generators": list(generators),
        "steps": [*shown, *steps],
        "times": list(times),
        "sum": list(total),
        "inhabited": point,
    }
    return certificate(statement, "proved", "normal form", payload)


def rewrite(
    formula: Term, num: Any, den: Any = NUMBER_ONE, *, power: int = 1, times: Any = (), total: Any = ()
) -> list[Any]:
    return ["rewrite", formula, num, den, power, list(times), list(total)]


def of_powers(formula: Term, *powers: tuple[int, int]) -> list[Any]:
    """An exponential as a product of powers of exponentials, or a logarithm as a sum of multiples of logarithms."""
    return ["rewrite", formula, [[str(k), index] for k, index in powers], [], []]


def refuted(statement: Json, point: Json, left: str, right: str, bits: int = 128) -> Json:
    witness = {"point": point, "left": left, "right": right, "bits": bits}
    return certificate(statement, "refuted", "exact point", {"witness": witness})


def symbols(*names: str) -> Json:
    known = FREE | POSITIVE
    return {name: known[name] for name in names}


def gens(*names: str) -> list[Any]:
    return [s(name) for name in names]


def word(table: Json, name: str, said: str, assuming: Any = ()) -> list[Any]:
    """The step for what a word says that stands beside a symbol: its number comes behind those of the hypotheses."""
    words = [(symbol, told) for symbol in sorted(table) for told in table[symbol]]
    return ["given", len(assuming) + words.index((name, said))]


def positive_sign(  # noqa: PLR0917 - reads like the inequality that it states
    left: Term, right: Term, relation: str, table: Json, generators: Any, steps: Any, total: Any, assuming: Any = ()
) -> Json:
    """A positive combination of the facts that the steps show."""
    statement = {
        "kind": "sign",
        "symbols": table,
        "assuming": list(assuming),
        "relation": relation,
        "left": left,
        "right": right,
    }
    made = proved(statement, generators, steps, (), [[str(weight), list(chosen)] for weight, chosen in total])
    return made | {"method": "positive combination"}


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
    [x, ROOT_X],
    [["power", 1]],
    total=[[NUMBER_ONE, [0]]],
)
ROOT_OF_PRODUCT = proved(
    identity(power(mul(a, b), "1/2"), mul(power(a, "1/2"), power(b, "1/2")), symbols("a", "b")),
    [a, b, power(a, "1/2"), power(b, "1/2")],
    [
        ["sign", 2],
        ["sign", 3],
        ["sum", [["1", [0, 1]]]],
        ["power", 2],
        ["power", 3],
        rewrite(
            power(mul(a, b), "1/2"),
            [["1", [0, 0, 1, 1]]],
            total=[[[["1", [0, 0, 0, 2]]], [3]], [[["1", [1]]], [4]]],
        ),
    ],
)
EXP_MINUS = of_powers(exp(minus(x)), (-1, 1))
EXPONENTIAL = proved(identity(mul(exp(x), exp(minus(x))), ONE, symbols("x")), [x, exp(x)], [EXP_MINUS])
HYPERBOLIC = proved(
    identity(difference(power(["cosh", x], 2), power(["sinh", x], 2)), ONE, symbols("x")), [x, exp(x)], [EXP_MINUS]
)
LOGARITHM = proved(
    identity(["log", mul(power(a, 2), b)], add(mul(q(2), ["log", a]), ["log", b]), symbols("a", "b")),
    [a, b, ["log", a], ["log", b]],
    [of_powers(["log", mul(power(a, 2), b)], (2, 2), (1, 3))],
)
CANCELLED = proved(
    identity(x, y, symbols("x", "y", "z"), [["=", mul(x, z), mul(y, z)], ["!=", z, ZERO]]),
    gens("x", "y", "z"),
    [["given", 0], ["given", 1]],
    times=[1],
    total=[[NUMBER_ONE, [0]]],
    inhabited={"x": "3/2", "y": "3/2"},
)
SINE = proved(
    identity(["D", ["sin", mul(a, x)], "x"], mul(a, ["cos", mul(a, x)]), symbols("a", "x")),
    [a, x, ["cos", mul(a, x)]],
)
UNEQUAL = refuted(identity(power(x, 2), mul(q(2), x), symbols("x")), {"x": "3"}, "9", "6")
NOT_LINEAR = refuted(identity(exp(x), add(ONE, x), symbols("x")), {"x": "1"}, "2.71828182845904523536028747135", "2")

# --- inequalities -----------------------------------------------------------------------------------------------------

MEANS = positive_sign(
    add(power(x, 2), power(y, 2)),
    mul(q(2), x, y),
    ">=",
    XY,
    gens("x", "y"),
    [["square", [["1", [1]], ["-1", [0, 1]]]]],
    [(1, [0])],
)
ABOVE = positive_sign(
    mul(x, y),
    ZERO,
    ">",
    XY,
    gens("x", "y"),
    [["given", 0], ["given", 1]],
    [(1, [0, 1]), (1, [0]), (1, [1]), (1, [])],
    [[">", x, ONE], [">", y, ONE]],
)
EXP_ABOVE = positive_sign(
    add(exp(x), a),
    ZERO,
    ">",
    symbols("a", "x"),
    [a, x, exp(x)],
    [["sign", 2], word(symbols("a", "x"), "a", "positive")],
    [(1, [0]), (1, [1])],
)
TURNED = positive_sign(
    exp(minus(x)),
    ONE,
    ">=",
    symbols("x"),
    [x, exp(x)],
    [EXP_MINUS, ["given", 0], ["exponential", exp(x), [["-1", []]], [], [["1", [0]]]], ["sign", 1]],
    [(1, [1, 2])],
    [[">=", ZERO, x]],
)
TURNED["payload"]["inhabited"] = {"x": "-1"}
NOT_ABOVE = refuted(
    {"kind": "sign", "symbols": symbols("x"), "assuming": [], "relation": ">", "left": power(x, 2), "right": x},
    {"x": "1/2"},
    "1/4",
    "1/2",
)

QUARTIC = add(power(x, 4), minus(x), ONE)
NO_ROOT = positive_sign(
    QUARTIC,
    ZERO,
    ">",
    symbols("x"),
    [x],
    [["line", [["1", [4]], ["-1", [1]], ["1", []]], ">", []]],
    [(1, [0])],
)
BEYOND_A_ROOT = positive_sign(
    power(difference(x, ONE), -1),
    ZERO,
    ">",
    symbols("x", "y"),
    [x],
    [["given", 0], ["given", 1], ["line", [["1", [1]], ["-1", []]], ">", [0, 1]]],
    [(1, [2])],
    [[">=", power(x, 2), q(2)], [">", x, ZERO], [">", exp(y), q(2)]],
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


def continuous(statement: Json, form: Term, at_zero: Term, near: Json, signs: Any = ()) -> Json:
    """A limit of a rational function of its symbols by a form of it; `at_zero` is the form where e is zero."""
    table, value = statement["symbols"], statement["value"]
    parameters = {name: told for name, told in table.items() if name != "e"}
    payload = {
        "facts": [],
        "steps": [],
        "form": form,
        "identity": proved(identity(statement["expression"], form, table), gens(*table)),
        "value": proved(identity(at_zero, value, parameters), gens(*parameters)),
        "near": {"point": near, "signs": list(signs)},
    }
    return certificate(statement, "proved", "small quantities", payload)


def put(term: Term, **numbers: str) -> Term:
    """A term with exact numbers for its parameters, as the limit at a point has it."""
    return ["at", term, [[name, ["+", ZERO, ["q", number]]] for name, number in sorted(numbers.items())]]


def another(statement: Json, limit_there: Json, point: Json, left: str, right: str) -> Json:
    """The refutation of a limit by its value at a point of its parameters."""
    witness = {"point": point, "left": left, "right": right}
    return certificate(statement, "refuted", "another limit", {"limit": limit_there, "witness": witness, "ray": {}})


AXE = symbols("a", "e", "x")
RATIO = mul(add(x, e), power(add(a, e), -1))
TENDS = continuous(limit(RATIO, mul(x, power(a, -1)), AXE), RATIO, mul(x, power(a, -1)), {"a": "1", "x": "1"})
AT_TWO = mul(add(q(3), e), power(add(q(2), e), -1))
THERE = limit(put(RATIO, a="2", x="3"), q("3/2"), symbols("e"))
ANOTHER_LIMIT = another(limit(RATIO, x, AXE), continuous(THERE, AT_TWO, q("3/2"), {}), {"a": "2", "x": "3"}, "3/2", "3")
ANOTHER_LIMIT["payload"]["limit"]["payload"]["identity"] = proved(
    identity(mul(add(add(ZERO, q(3)), e), power(add(add(ZERO, q(2)), e), -1)), AT_TWO, symbols("e")), gens("e")
)
BLOW_UP = mul(a, power(e, -1))
GROWS = certificate(
    limit(BLOW_UP, ["oo"], symbols("a", "e")),
    "proved",
    "small quantities",
    {
        "facts": [],
        "steps": [],
        "form": [[["e", "1"]], power(a, -1)],
        "identity": proved(identity(BLOW_UP, power(mul(e, power(a, -1)), -1), symbols("a", "e")), gens("a", "e")),
        "near": {"point": {"a": "1"}, "signs": []},
    },
)

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
NOT_ENCLOSED = refuted(BOX | {"upper": "2"}, {"x": "1"}, "2.71828182845904523536028747135", "2")
NOT_ENCLOSED["payload"]["bound"] = "upper"

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
START = identity(["at", GROWTH, [["t", ZERO]]], z, ATZ)
SOLVES = certificate(
    FLOW,
    "proved",
    "residual and start",
    {
        "needs": {
            "residual x": proved(
                identity(["D", GROWTH, "t"], ["at", mul(a, x), [["x", GROWTH]]], ATZ),
                [*gens("a", "t", "x", "z"), exp(mul(a, t))],
            ),
            "start x": proved(START, gens("a", "t", "x", "z"), [of_powers(exp(mul(a, ZERO)))]),
        },
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
                [],
                [(1, [])],
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
