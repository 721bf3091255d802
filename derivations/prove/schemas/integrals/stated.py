"""Relations with integrals in them, as SymPy has them: letters for the integrals, and for their rates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from derivations.language.signs import assumptions_of
from derivations.language.terms import NotExact, Term
from derivations.prove.certificate import Json
from derivations.prove.schemas.integrals.names import bound_letter, letters
from derivations.prove.schemas.integrals.pieces import without_steps
from derivations.prove.schemas.integrals.single import Single
from derivations.prove.stating import from_sympy, hypotheses
from derivations.text.as_typed import placed


@dataclass(frozen=True)
class Compared:
    """A relation between expressions with letters for integrals over one variable, as SymPy has it and as data."""

    relation: str
    left: Any
    right: Any
    nodes: dict[Any, Single]  # by letters
    variable: Any
    assuming: tuple[Any, ...]
    also: tuple[Any, ...] = ()  # further expressions whose symbols are declared
    rates: dict[Any, tuple[Any, Any]] = field(default_factory=dict)  # letters for rates: of which integral, by what

    @property
    def slots(self) -> Json:
        """Return what every theorem about it begins with."""
        table = {str(letter): entry(node) for letter, node in self.nodes.items()}
        return {**self.head(self.nodes), "variable": str(self.variable), "integrals": table, "relation": self.relation}

    @property
    def sides(self) -> Json:
        return {"left": from_sympy(self.left), "right": from_sympy(self.right)}

    def head(self, nodes: Any) -> Json:
        """The symbols and hypotheses of a statement about some of the integrals."""
        shown_too = [e for node in self.nodes.values() for e in (node.integrand, node.low, node.high)]
        finite = [e for e in shown_too if e not in (sp.oo, -sp.oo)]
        found = hypotheses(self.assuming, self.left, self.right, self.variable, *self.nodes, *finite, *self.also)
        dropped = {str(letter) for letter in self.nodes} - {str(letter) for letter in nodes}
        return found | {"symbols": {name: told for name, told in found["symbols"].items() if name not in dropped}}

    @property
    def statement(self) -> Json:
        """The statement that is to be decided, in the form in which theorems conclude it."""
        found = {"kind": "concluded", "form": "integrals", **self.slots, **self.sides}
        rates = {str(rate): [str(letter), str(by)] for rate, (letter, by) in self.rates.items()}
        return found | ({"rates": rates} if rates else {})


def entry(node: Single) -> list[Any]:
    found = [from_sympy(node.integrand), *(end_term(end) for end in (node.low, node.high))]
    if any(_moves(term) for term in found):
        raise NotExact("an integrand with a derivative or a substitution inside is not judged: carry it out")
    return found


def end_term(end: Any) -> Term:
    """An end of an integral, which may be infinite."""
    return (str(end),) if end in (sp.oo, -sp.oo) else from_sympy(end)


def _moves(term: Any) -> bool:
    return isinstance(term, tuple) and (term[:1] in (("D",), ("at",)) or any(map(_moves, term)))


def compared(relation: str, left: Any, right: Any, assuming: list[Any]) -> Compared:
    """The relation with letters for its integrals; the larger side stands left."""
    if relation in ("<", "<="):
        relation, left, right = relation.replace("<", ">"), right, left
    assumptions_of(left, right, *assuming)
    integrals = sorted(left.atoms(sp.Integral) | right.atoms(sp.Integral), key=sp.default_sort_key)
    if not integrals:
        raise NotExact(f"neither {left} nor {right} has an integral: state it with prove.identity or prove.inequality")
    for node in integrals:
        if len(node.limits) != 1 or len(node.limits[0]) != 3 or node.function.has(sp.Integral):
            raise NotExact(f"{node} needs one variable with two ends: state iterated integrals one at a time")
    free = {str(s) for e in (left, right, *assuming) for s in e.free_symbols}
    taken = free | {str(s) for node in integrals for s in node.atoms(sp.Symbol)}
    x = bound_letter(integrals[0].limits[0][0], free, taken)
    nodes: dict[Any, Single] = {}
    values: dict[Any, Any] = {}
    for label, node in zip(letters(taken | {x.name}, len(integrals)), integrals, strict=True):
        (bound, low, high) = node.limits[0]
        letter = sp.Symbol(label, real=True)
        values[node] = letter
        nodes[letter] = Single(without_steps(placed(node.function, {bound: x})), x, low, high, bound)
    rates: dict[Any, tuple[Any, Any]] = {}
    for node in sorted(left.atoms(sp.Derivative) | right.atoms(sp.Derivative), key=sp.default_sort_key):
        if node.has(sp.Integral):
            letter = sp.Symbol(f"R_{len(rates) + 1}", real=True)
            if node.expr not in values or len(node.variables) != 1 or letter.name in taken:
                raise NotExact(f"of {node} only a first derivative of an integral is judged: carry out the others")
            rates[letter] = (values[node.expr], node.variables[0])
            values[node] = letter
    if any(node.has(sp.Integral) for e in (left, right) for node in e.atoms(sp.Subs)):
        raise NotExact("an integral stands under a substitution: carry it out")
    sides = [placed(e, values) for e in (left, right)]
    also = (*rates, *(by for _, by in rates.values()))
    return Compared(relation, sides[0], sides[1], nodes, x, tuple(assuming), also, rates)
