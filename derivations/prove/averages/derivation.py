"""Searches for derivations of Gaussian averages: which line of the table is tried for which product.

The lines are used as the checker uses them: a line that does not apply is refused there.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from derivations.prove.certificate import Json
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.averages import Average
from derivations.recheck.core.table.averages.products import Covariance, Factor, Product, fields_of, kinds_of
from derivations.recheck.core.terms import ZERO
from derivations.recheck.core.theorems import averages
from derivations.text import DerivationError

STEPS = {1: "one step", 2: "two steps", 3: "three steps"}


class NotDerived(DerivationError):
    """No line applies to a product of factors."""


class NoAverage(DerivationError):
    """A product that has no average: the message says which one and what to write instead."""


def derivation_of(average: Average) -> list[Json]:
    """The derivations of all products of the integrand, or NotDerived."""
    return [derived(average, product, average.covariance, average.time) for product in average.integrand]


def derived(average: Average, of: Product, at: Covariance, time: str = "") -> Json:
    """The derivation of one product."""
    rule, letters = ("Price's theorem", {"F": data_of(of)}) if time else _line_for(average, of, at)
    parts: dict[Product, Json] = {}

    def search(product: Product, under: Covariance) -> Any:
        parts[product] = derived(average, product, under)
        return ZERO

    node = {"rule": rule, "letters": letters}
    if rule != "given":
        try:
            average.use(normal(node)).value_under(at, search, time)
        except Rejected:
            raise NotDerived(
                f"the line '{rule}' does not give the average of {of}. {averages()[rule].text('conditions')} Where that"
                f" is so of the covariance, say mean(..., definite={tuple(sorted({*fields_of(of), *at.definite}))})"
            ) from None
    return node | {"parts": [*parts.values()]}


def data_of(product: Iterable[Factor]) -> list[Factor]:
    """The factors as data again."""
    return [(*factor, 1) if factor[0] == "power" else factor for factor in product]


def _line_for(average: Average, of: Product, at: Covariance) -> tuple[str, Json]:
    """The first line that may apply, with what its letters stand for."""
    for symbol in (symbol for symbol, product in average.given.items() if product == of):
        with suppress(Rejected):
            average.named(symbol, at)
            return "given", {"name": symbol}
    kinds, apart = kinds_of(of), _groups(of, at)
    if "point" in kinds:
        return "point mass of a field", _first(of, "point")
    if "step" not in kinds and sum(kind in ("power", "erf") for kind in kinds) % 2:
        return "odd product", {"F": data_of(of)}
    if len(apart) > 1:
        first = tuple(factor for factor in of if factor[1] in apart[0])
        return "independent fields", {"F": data_of(first), "G": data_of(f for f in of if f not in first)}
    if "bell" in kinds:
        return _bell(of)
    if "power" in kinds:
        steps = [factor[1] for factor in of if factor[0] == "step"]
        _, field = min((factor[1] in steps, factor[1]) for factor in of if factor[0] == "power")
        return "Stein's lemma", _first(of, "power", field)
    if kinds == ["erf", "erf"]:
        (_, x, v), (_, y, w) = of
        return "two error functions", {"x": x, "y": y, "v": v, "w": w}
    if {*kinds} == {"step"} and len(of) in STEPS:
        return STEPS[len(of)], dict(zip("xyz", fields_of(of), strict=False))
    if not of:
        return "average of one", {}
    raise NotDerived(f"no line gives the average of {of}")


def _first(of: Product, kind: str, field: int | None = None) -> Json:
    """The first factor of a kind as letters, and the product of the others."""
    k = next(k for k, factor in enumerate(of) if factor[0] == kind and field in (None, factor[1]))
    others = {"x": of[k][1], "F": data_of(of[:k] + of[k + 1 :])}
    return others | ({"w": of[k][2]} if kind == "bell" else {})


def _bell(of: Product) -> tuple[str, Json]:
    first, *others = [factor for factor in of if factor[0] == "bell"]
    for second in others:
        if second[1] == first[1]:
            remaining = list(of)
            remaining.remove(first)
            remaining.remove(second)
            return "two bells of one field", {"x": first[1], "v": first[2], "w": second[2], "F": data_of(remaining)}
    return "bell as a weight", _first(of, "bell")


def _groups(of: Product, at: Covariance) -> list[list[int]]:
    """The fields in groups without covariance between them."""
    groups: list[list[int]] = []
    for field in fields_of(of):
        touched = [g for g in groups if any(at.entries[field][other] != ZERO for other in g)]
        groups = [g for g in groups if g not in touched] + [sorted([field, *(x for g in touched for x in g)])]
    return sorted(groups)
