"""Where a formula has a value, or derivatives too, and the sign that a formula shows at a glance."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Term, rational
from derivations.recheck.core.terms import ONE, TWO, carried_out, difference, inside_derivatives, parts

STEP_WORK = 500  # see `spend`
Condition = tuple[str, Term]  # a relation, and what has it to zero


def conditions(formula: Term, symbols: Mapping[str, Collection[str]], *, smooth: bool) -> list[Condition]:
    """The inequalities under which a formula has a value, but for those that can be seen; smooth: derivatives too."""
    whole = map(carried_out, (formula, *inside_derivatives(formula)))
    asked = dict.fromkeys(demand for each in whole for demand in demands(each, smooth=smooth))
    signs = dict.fromkeys((">", ("^", of, TWO)) if relation == "!=" else (relation, of) for relation, of in asked)
    return [(order, of) for order, of in signs if sign_by_form(of, symbols) not in (order, ">")]


def demands(formula: Term, *, smooth: bool = False) -> Iterator[Condition]:
    """Under which conditions a formula without derivatives and substitutions has a value, the inner ones first."""
    spend(STEP_WORK)
    for child in parts(formula):
        yield from demands(child, smooth=smooth)
    if (own := own_demand(formula, smooth=smooth)) is not None:
        yield own


def own_demand(formula: Term, *, smooth: bool = False) -> Condition | None:
    """The condition under which a formula has a value where its parts have one; see `is_implied_by_value`."""
    head, inside = formula[0], ">" if smooth else ">="
    if head in ("log", "digamma"):
        return ">", formula[1]
    if head == "asin":
        return inside, difference(ONE, ("^", formula[1], TWO))
    if head == "lambertw":
        return inside, ("+", ONE, ("*", formula[1], ("exp", ONE)))
    if head == "abs" and smooth:
        return "!=", formula[1]
    if head != "^":
        return None
    exponent = rational(formula[2][1]) if formula[2][0] == "q" else None
    if exponent is None or exponent.q != 1:
        return (">" if exponent is None or exponent < 0 else inside), formula[1]
    return ("!=", formula[1]) if exponent < 0 else None


def is_implied_by_value(formula: Term) -> bool:
    """Check whether the condition of a formula holds wherever it has a value: digamma has values at negative numbers
    too.
    """
    return bool(formula[0] != "digamma")


def sign_by_form(formula: Term, symbols: Mapping[str, Collection[str]], positive: Collection[Term] = ()) -> str:
    """The relation to zero, ">" or ">=", that a formula plainly has wherever it has a value, or "".

    positive: formulas that are supposed to be so.
    """
    head = formula[0]
    if head in ("pi", "exp", "cosh") or formula in positive:
        return ">"
    if head == "q":
        value = rational(formula[1])
        return ">" if value > 0 else ">=" if value == 0 else ""
    if head == "s":
        assumed = symbols.get(formula[1], ())
        return ">" if "positive" in assumed else ">=" if "nonnegative" in assumed else ""
    if head in ("+", "*"):
        signs = {sign_by_form(child, symbols, positive) for child in formula[1:]}
        strict = ">" in signs if head == "+" else ">=" not in signs
        return "" if "" in signs else ">" if strict else ">="
    if head == "^":
        return _sign_of_power(formula, symbols, positive)
    return ">=" if head == "abs" else ""


def _sign_of_power(power: Term, symbols: Mapping[str, Collection[str]], positive: Collection[Term]) -> str:
    """A power of what is positive is so; a root is not negative, and an even power is none of zero."""
    base, exponent = power[1:]
    inner = sign_by_form(base, symbols, positive)
    if inner == ">" or exponent[0] != "q":
        return inner if inner == ">" else ""
    value = rational(exponent[1])
    if value.q == 1 and int(value.p) % 2:
        return inner
    assumed = symbols.get(base[1], ()) if base[0] == "s" else ()
    return ">" if value.q == 1 and {"negative", "nonzero"} & set(assumed) else ">="
