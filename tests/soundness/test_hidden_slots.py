"""A theorem says nothing false where what its conclusion does not hold has no value: its steps are silent there."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.recheck import Rejected, check
from derivations.recheck.core.slots import KINDS
from derivations.recheck.core.theorems import Theorem, rules, theorems

FAMILIES = Cases(__file__, globals())

a = sp.Symbol("a", real=True, nonzero=True)
x, b = sp.symbols("x b", real=True)


FALSE = FAMILIES["false"]  # for negative a


@each(("schema", "slots"), FALSE)
def test_what_a_conclusion_does_not_hold_must_have_a_value(schema: str, slots: dict[str, Any]) -> None:
    found = prove.by(schema, **slots)
    assert found.verdict.value == "open"
    assert "has a value" in found.reason


@each(("schema", "slots"), FALSE)
def test_the_checker_asks_for_it_as_well(schema: str, slots: dict[str, Any]) -> None:
    data = prove.by(schema, **slots, assuming=[a**3 > 0]).as_json()
    assert data["verdict"] == "proved"
    check(data)
    fewer = {role: step for role, step in data["payload"]["steps"].items() if not role.startswith("has a value")}
    with pytest.raises(Rejected):
        check(data | {"payload": {"steps": fewer}})


def test_an_integral_is_not_refuted_where_it_has_no_ends() -> None:
    size = sp.sqrt(b**2)
    true_where_it_speaks = sp.LambertW(size * sp.exp(size))
    over = sp.Integral(2 * x, (x, 0, sp.sqrt(b)))
    assert prove.integral(over, true_where_it_speaks).verdict.value != "refuted"
    refuted = prove.integral(over, b + 1)
    if refuted.verdict.value == "refuted":
        check(refuted.as_json())


# --- no line of the table forgets to ask ------------------------------------------------------------------------------

FORMULAS = ("term", "plain", "end", "relation", "statement")  # what slots hold that may have no value
ASKS = ("valued", "smooth", "everywhere", "put")
"""Functions that ask for values, or for formulas that stand in the statement and so have them."""


def names_in(theorem: Theorem, expressions: Iterable[Any], only_in: tuple[str, ...] = ()) -> set[str]:
    """The slots of which some expressions speak, through what is short for them; or those in some calls alone."""
    longer = theorem.short | {
        n.id: line.loop.iter for line in theorem.needs.values() if line.loop for n in names(line.loop.target)
    }
    found, waiting = set[str](), [*expressions]
    if only_in:
        waiting = [n for e in waiting for n in ast.walk(e) if isinstance(n, ast.Call) and called(n) in only_in]
    while waiting:
        expression = waiting.pop()
        new = {n.id for n in names(expression)} - found
        found |= new
        waiting += [longer[name] for name in new if name in longer]
    return found & set(theorem.letters)


def names(expression: Any) -> list[Any]:
    """The names in an expression, but for those of functions."""
    functions = [n.func for n in ast.walk(expression) if isinstance(n, ast.Call)]
    return [n for n in ast.walk(expression) if isinstance(n, ast.Name) and n not in functions]


def called(node: Any) -> str:
    return node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""


def forgotten(theorem: Theorem, needs: Iterable[Any]) -> set[str]:
    """Slots with formulas that neither the conclusion holds nor anything asks for a value of."""
    told = [theorem.concludes.says, *theorem.concludes.given] if theorem.concludes else []
    formulas = {slot for slot, kind in theorem.letters.items() if KINDS[kind].sort in FORMULAS}
    asked = names_in(theorem, [*needs, *theorem.where], ASKS)
    return formulas - names_in(theorem, told) - asked


LINES = theorems() | rules()
WITH_HIDDEN_FORMULAS = {name for name, line in LINES.items() if forgotten(line, [])}


@each("name", sorted(LINES))
def test_every_formula_that_a_conclusion_does_not_hold_is_asked_for_a_value(name: str) -> None:
    assert forgotten(LINES[name], [line.says for line in LINES[name].needs.values()]) == set()


def test_the_law_sees_what_a_line_forgets() -> None:
    assert len(WITH_HIDDEN_FORMULAS) >= 15
    determinants = LINES["determinants multiply"]
    assert forgotten(determinants._replace(where=()), []) == {"weights", "scale"}


# --- certificates that are made by hand -------------------------------------------------------------------------------

B: Any = ["s", "b"]
LOG = ["log", B]
SILENT = ["+", LOG, ["*", ["q", "-1"], LOG]]
SIGN = ["*", ["^", ["^", B, ["q", "2"]], ["q", "1/2"]], ["^", B, ["q", "-1"]]]
ONE = ["q", "1"]


test_statements_have_their_verdicts = FAMILIES.verdicts()
