"""The two ways to read an equation that builds on the paper's system: from the printed system, and from the loss.

Equation 21 differs from what the loss gives by a factor two in both time constants. An equation downstream is therefore
judged twice: as a consequence of equation 21 as printed, and as a statement about the gradient flow of the loss. Where
the second reading fails, a third claim states it with both time constants doubled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from derivations.language.terms import as_expression
from derivations.models.two_point import derived_flow, h, w, y
from derivations.paper.model import Claim
from derivations.papers.van_rossem_saxe_2024.setup import DOUBLED, paper, printed_flow
from derivations.prove import Certificate, Verdict

SYSTEM = ("eq21_distance", "eq21_prediction", "eq21_alignment")


@dataclass(frozen=True)
class Reading:
    """A flow of (h, y, w), and what the printed time constants stand for."""

    flow: dict[Any, Any]
    constants: dict[Any, Any]

    def of(self, expression: Any) -> Any:
        """A printed expression under this reading."""
        if not self.constants:
            return expression
        if isinstance(expression, dict):
            return {k: self.of(v) for k, v in expression.items()}
        return as_expression(expression).subs(self.constants)

    def rate(self, expression: Any) -> Any:
        """The time derivative of an expression in h, y and w along the flow."""
        return sum(sp.diff(expression, v) * self.flow[v] for v in (h, y, w))


PRINTED = Reading(printed_flow, {})
FROM_LOSS = Reading(derived_flow, {})
REPAIRED = Reading(derived_flow, DOUBLED)

Check = Callable[[Reading], Certificate]


def true_to_the_loss(name: str) -> str:
    """The claim that says the same along the gradient flow of the loss, where the named one speaks of equation 21 as printed."""
    variants = (f"{name}_doubled", f"{name}_from_loss")
    return next((v for v in variants if v in paper.entries), name)


def two_readings(
    where: str,
    *,
    printed: Any = None,
    expect: Verdict = Verdict.PROVED,
    corrected_by: str | None = None,
    from_loss: Verdict = Verdict.REFUTED,
    rests_on: Iterable[str] = (),
) -> Callable[[Check], Claim]:
    """Register a check under both readings, and with doubled time constants where the second one fails."""
    used = (*SYSTEM, *rests_on)

    def register(check: Check) -> Claim:
        name, says = check.__name__, " ".join((check.__doc__ or "").split()).rstrip(".")
        first = paper.claim(
            where,
            printed=printed,
            expect=expect,
            corrected_by=corrected_by,
            rests_on=used,
            name=name,
            says=f"{says}, as a consequence of equation 21 as printed.",
        )(lambda: check(PRINTED))
        repair = f"{name}_doubled" if from_loss is Verdict.REFUTED and expect is Verdict.PROVED else corrected_by
        paper.claim(
            f"{where}, from the loss",
            expect=from_loss,
            corrected_by=repair if from_loss is Verdict.REFUTED else None,
            rests_on=("derived_system", *map(true_to_the_loss, rests_on)),
            name=f"{name}_from_loss",
            says=f"{says}, along the gradient flow of the loss.",
        )(lambda: check(FROM_LOSS))
        if repair == f"{name}_doubled":
            paper.claim(
                f"{where}, corrected",
                rests_on=("derived_system", *map(true_to_the_loss, rests_on)),
                name=repair,
                says=f"{says}, along the gradient flow of the loss once tau_h and tau_y are doubled.",
            )(lambda: check(REPAIRED))
        return first

    return register
