"""Bounds on integrals over intervals without an upper end: balls up to a number, and a larger function beyond it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from derivations.prove.certificate import Certificate, Json
from derivations.prove.enclosure import integral_in_balls
from derivations.prove.schemas.integrals.names import BALLS, BETWEEN, CUT, letters
from derivations.prove.schemas.integrals.single import Single, uses
from derivations.prove.schemas.integrals.stated import Compared, entry
from derivations.prove.schemas.use import shown
from derivations.prove.stating import from_sympy

Prove = Callable[[str, Json, dict[str, Certificate]], Certificate | None]
AHEAD, FAR = (2, 4), 32  # how far from the low end the balls go, and an estimate
SAMPLES = [k / 8 for k in range(1, 240)]
CELLS, FINE = 512, 10**6


@dataclass(frozen=True)
class Ways:
    """How a theorem is used, and how the value of an integral is found."""

    prove: Prove
    value: Callable[[Compared, Any], Certificate | None]


def facts(of: Compared, upwards: bool, ways: Ways) -> Iterator[tuple[Compared, list[Certificate]]]:
    """Return what bounds the one integral of a relation from above, or from below: its parts, and what is known of
    them.
    """
    ((letter, node),) = of.nodes.items()
    if node.high != sp.oo or not node.low.is_Rational or node.integrand.free_symbols - {of.variable}:
        return
    x = of.variable
    first, second = (sp.Symbol(name, real=True) for name in letters({str(letter), str(x)}, 2))
    for ahead in AHEAD:
        middle = node.low + ahead
        nodes = {
            letter: node,
            first: replace(node, high=middle),
            second: replace(node, low=middle),
        }
        whole = Compared("=", of.left, of.right, nodes, x, of.assuming)
        near = _near(whole, first, upwards, ways.prove)
        for larger in _larger(node.integrand, x, middle) if near else ():
            far = _far(whole, second, larger, upwards, ways)
            if near is None or far is None:
                continue
            names = {"whole": str(letter), "first": str(first), "second": str(second)}
            told, steps = slots_and_steps({}, [near, far])
            joined = ways.prove(CUT, {**whole.slots, **names, **told}, steps)
            if joined is not None:
                yield whole, [joined, near, far]


def slots_and_steps(values: dict[Any, Certificate], facts: list[Certificate]) -> tuple[Json, dict[str, Certificate]]:
    """Slots for values of integrals and relations between them, and the steps that show them."""
    said = [shown(fact) for fact in facts]
    slots = {"values": {str(letter): shown(value)["value"] for letter, value in values.items()}}
    steps = {f"value of {letter}": value for letter, value in values.items()}
    steps |= {f"fact {k}": fact for k, fact in enumerate(facts, 1)}
    return slots | {"facts": [(each["relation"], each["left"], each["right"]) for each in said]}, steps


def estimate(node: Single) -> float | None:
    """About how large the integral is, so that only what may hold is tried."""
    if node.high != sp.oo or not node.low.is_Rational or node.integrand.free_symbols - {node.variable}:
        return None
    f, low, _ = entry(node)
    found = integral_in_balls((f, low, from_sympy(node.low + FAR)), str(node.variable), {}, CELLS)
    return float(found.mid()) if found.is_finite() else None


def _near(whole: Compared, letter: Any, upwards: bool, prove: Prove) -> Certificate | None:
    """A rational bound of the integral up to the number."""
    found = integral_in_balls(entry(whole.nodes[letter]), str(whole.variable), {}, CELLS)
    if not found.is_finite():
        return None
    middle, radius = float(found.mid()), float(found.rad())
    bound = _rounded(middle + radius if upwards else middle - radius, upwards)
    sides = {"left": from_sympy(bound), "right": ("s", str(letter))}
    sides = sides if upwards else {"left": sides["right"], "right": sides["left"]}
    slots = {**_slots(whole, letter), **sides, "relation": ">", "box": {}, "upper": "1000000"}
    return prove(BALLS, slots, {})


def _slots(whole: Compared, letter: Any) -> Json:
    table = {str(letter): entry(whole.nodes[letter])}
    return {**whole.head([letter]), "variable": str(whole.variable), "integrals": table}


def _rounded(value: float, upwards: bool) -> Any:
    steps = math.floor(value * FINE) + 2 if upwards else math.ceil(value * FINE) - 2
    return sp.Rational(steps, FINE)


def _larger(f: Any, x: Any, start: Any) -> Iterator[tuple[Any, Any]]:
    """Functions with simple integrals that seem to hold f between them from a number on."""
    values = sp.lambdify(x, f, "math")
    for base in (x * sp.exp(-(x**2)), sp.exp(-x), 1 / x**2):
        weight = sp.lambdify(x, base, "math")
        try:
            ratios = [values(float(start) + k) / w for k in SAMPLES if (w := weight(float(start) + k)) > 1e-200]
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            continue
        most = max(map(abs, ratios))
        if most < 1e6:
            factor = sp.Rational(math.floor(most * 64) + 2, 64)
            yield (sp.S.Zero if min(ratios) >= 0 else -factor * base), factor * base


def _far(whole: Compared, letter: Any, held: tuple[Any, Any], upwards: bool, ways: Ways) -> Certificate | None:
    """A rational bound of the integral from the number on."""
    node, found, steps = whole.nodes[letter], [], {}
    for side, g in zip(("below", "above"), held, strict=True):
        part: Single = replace(node, integrand=g)
        known = next(iter(uses(part)), None)
        proof = ways.value(replace(whole, nodes={**whole.nodes, letter: part}), letter) if known else None
        if known is None or proof is None:
            return None
        found.append(known[2])
        steps[f"integral {side}"] = proof
    bound = _rounded(float(found[1] if upwards else found[0]), upwards)
    slots = {**_slots(whole, letter), "relation": ">=", "side": "above" if upwards else "below"}
    slots |= {name: from_sympy(g) for name, g in zip(("below", "above"), held, strict=True)}
    slots |= {"low_integral": shown(steps["integral below"])["value"]}
    slots |= {"high_integral": shown(steps["integral above"])["value"], "bound": from_sympy(bound)}
    return ways.prove(BETWEEN, slots, steps)
