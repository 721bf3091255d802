"""Roots and logarithms replaced by what a witness says they are, once that is shown.

The witness must have a value wherever the statement speaks, which an equality alone does not say; so its operations
are only those that always have one, or whose demands are among what is shown.
"""

from __future__ import annotations

from derivations.recheck.errors import Rejected
from derivations.recheck.kinds.rules.forms import only, replaced, rewritten
from derivations.recheck.load import Data, Term, part, rational, shown, term
from derivations.recheck.terms import HALF, ONE, TWO, ZERO, difference, parts, prepared, whole_exponent

EVERYWHERE = ("s", "q", "pi", "+", "*", "exp", "sin", "cos", "erf", "atan")
MAX_FACTORS = 40


def stated(statement: Data, kind: str, left: Term, right: Term, **relation: str) -> Data:
    shared = {"symbols": statement["symbols"], "assuming": statement["assuming"]}
    return {"kind": kind, **shared, **relation, "left": left, "right": right}


def _without(statement: Data, old: Term, new: Term) -> Data:
    sides = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
    if not any(_stands_in(old, prepared(s)) for s in sides):
        raise Rejected(f"{shown(old)} stands nowhere in the statement")
    return rewritten(statement, lambda formula: replaced(prepared(formula), old, new))


def _stands_in(inner: Term, formula: Term) -> bool:
    return formula == inner or any(_stands_in(inner, child) for child in parts(formula))


def demanded(statement: Data, formula: Term) -> list[Data]:
    """What must be shown so that a witness has a value: that what stands under a division or a root is fit for it."""
    needed = []
    if formula[0] == "^":
        k = whole_exponent(formula)
        if formula[2][0] != "q":
            raise Rejected(f"{shown(formula)} may not stand in a witness: write it with exp and log")
        if k is None and not (formula[1][0] == "q" and rational(formula[1][1]) > 0):
            order = ">" if rational(formula[2][1]) < 0 else ">="
            needed.append(stated(statement, "sign", formula[1], ZERO, relation=order))
        elif k is not None and k < 0 and formula[1][0] not in ("q", "pi"):
            needed.append(stated(statement, "sign", ("^", formula[1], TWO), ZERO, relation=">"))
    elif formula[0] == "log":
        needed.append(stated(statement, "sign", formula[1], ZERO, relation=">"))
    elif formula[0] == "asin":
        inside = difference(ONE, ("^", formula[1], TWO))
        needed.append(stated(statement, "sign", inside, ZERO, relation=">="))
    elif formula[0] not in EVERYWHERE:
        raise Rejected(f"a formula with {shown(formula[0])} may not stand in a witness")
    for child in parts(formula) if formula[0] != "^" else formula[1:2]:
        needed += demanded(statement, child)
    return needed


def root_value(statement: Data, parameters: Data) -> list[Data]:
    """sqrt(u) = v: v^2 = u, v >= 0, and v has a value."""
    only(parameters, "root", "value")
    root, value = term(parameters["root"]), term(parameters["value"])
    if root[0] != "^" or root[2] != HALF:
        raise Rejected(f"{shown(root)} is no square root")
    return [
        stated(statement, "identity", ("^", value, TWO), root[1]),
        stated(statement, "sign", value, ZERO, relation=">="),
        *demanded(statement, value),
        _without(statement, root, value),
    ]


def logarithm_factors(statement: Data, parameters: Data) -> list[Data]:
    """log(u) = sum of m log(f): u = product of f^m, every f > 0, and has a value."""
    only(parameters, "log", "factors")
    log, factors = term(parameters["log"]), part(parameters, "factors", tuple, "the parameters")
    if log[0] != "log" or not 0 < len(factors) <= MAX_FACTORS:
        raise Rejected(f"{shown(log)} is no logarithm, or has no factors")
    for pair in factors:
        if not isinstance(pair, tuple) or len(pair) != 2 or term(pair[1])[0] != "q" or not term(pair[0]):
            raise Rejected(f"a factor must be a formula and a rational power, got {shown(pair)}")
    return [
        stated(statement, "identity", log[1], ("*", *[("^", f, m) for f, m in factors])),
        *[stated(statement, "sign", f, ZERO, relation=">") for f, _ in factors],
        *[needed for f, _ in factors for needed in demanded(statement, f)],
        _without(statement, log, ("+", *[("*", m, ("log", f)) for f, m in factors])),
    ]
