"""Enclosures: all over a box an expression has a value, between two numbers."""

from __future__ import annotations

from derivations.recheck.core.load import Data
from derivations.recheck.core.terms import ZERO
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.scalars.formulas import Stated, number
from derivations.rocq.scalars.points import IMPORTS


def export_enclosure(certificate: Data) -> Exported:
    """The bounds, and that the expression has a value, as Interval finds them."""
    statement = certificate["statement"]
    if "integrals" in statement:
        raise NotExported("an integral stands in an enclosure")
    if certificate["payload"].get("pieces") != 1:
        raise NotExported("an enclosure in several pieces")
    expression = statement["expression"]
    stated = Stated(statement, (expression,))
    low, high = (("q", statement[key]) for key in ("lower", "upper"))
    box = [f"{number(a)} <= {stated.names[x]} <= {number(b)}" for x, (a, b) in sorted(statement["box"].items())]
    supposed = list(dict.fromkeys([*box, *(stated.relation(*given) for given in stated.givens)]))
    has_value = [stated.relation(order, of, ZERO) for order, of in stated.conditions]
    shown = [*dict.fromkeys(has_value), stated.relation(">=", expression, low), stated.relation(">=", high, expression)]
    letters = f"forall {' '.join(stated.names.values())} : R,\n  " if stated.names else ""
    theorem = letters + "".join(f"{each} ->\n  " for each in supposed) + " /\\\n  ".join(shown)
    return Exported(theorem, "intros.\nat_point.", IMPORTS)
