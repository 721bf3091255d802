"""Certificates written by hand, one or more of every kind: what the checker must accept."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from case_files import Cases

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
    return certificate(statement, "refuted", "another limit", {"limit": limit_there, "witness": witness})


def conjunction(verdict: str, *parts: Json, witness: Json | None = None) -> Json:
    statement = {"kind": "all", "parts": [c["statement"] for c in parts]}
    told = [c["method"] for c in parts if verdict != "refuted" or c["verdict"] == "refuted"]
    return certificate(
        statement, verdict, ", ".join(told), {"parts": list(parts)} | ({"witness": witness} if witness else {})
    )


def put_in(certificate: Json, path: list[str], part: Json) -> Json:
    """The certificate with another part at the end of a path."""
    name, *others = path
    return {**certificate, name: put_in(certificate[name], others, part) if others else part}


FAMILIES = Cases(__file__, globals())
ALL: dict[str, Json] = FAMILIES["all"]
