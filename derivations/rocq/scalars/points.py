"""Refutations: there is a point at which a statement speaks, and its sides do not have the stated relation."""

from __future__ import annotations

from derivations.recheck.core.load import Data
from derivations.recheck.core.statements import relation_of
from derivations.rocq.exported import Exported
from derivations.rocq.scalars.formulas import Stated, number

IMPORTS = ("From Derivations Require Import Points.", "Local Open Scope R_scope.")
CONTRARY = {"=": "!=", ">": ">=", ">=": ">"}


def export_refutation(certificate: Data) -> Exported:
    """The point of the certificate, and balls around both sides there."""
    statement, point = certificate["statement"], certificate["payload"]["witness"]["point"]
    left, right, order = statement["left"], statement["right"], relation_of(statement)
    stated = Stated(statement, (left, right))
    fails = ("!=", left, right) if order == "=" else (CONTRARY[order], right, left)
    chosen = [f"exists {number(point.get(letter, '1'))}." for letter in stated.names]
    return Exported(stated.instance(stated.relation(*fails)), "\n".join([*chosen, "at_point."]), IMPORTS)
