"""How formulas that build on the paper's system are judged: as its consequences, and for gradient descent on the loss.

Equation 21 differs from what the loss gives by a factor two in both time constants. Every formula after it is judged as a
consequence of equation 21 as printed. One that depends on the ratio of the constants alone holds for the loss as well,
and its claim shows both; another one inherits the mistake, and a second claim shows what it should read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from derivations import prove
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
    return f"{name}_doubled" if f"{name}_doubled" in paper.entries else name


def two_readings(
    where: str,
    *,
    printed: Any = None,
    affected: bool = True,
    expect: Verdict = Verdict.PROVED,
    corrected_by: str | None = None,
    rests_on: Iterable[str] = (),
) -> Callable[[Check], Claim]:
    """Register a check along the printed system and along the flow of the loss, in one claim if the factor two does not matter."""
    rests_on = tuple(rests_on)

    def register(check: Check) -> Claim:
        name, says = check.__name__, " ".join((check.__doc__ or "").split()).rstrip(".")
        if not affected:
            return paper.claim(
                where,
                printed=printed,
                rests_on=("derived_system", *map(true_to_the_loss, rests_on)),
                name=name,
                says=f"{says}, along the gradient flow of the loss and along equation 21 as printed.",
            )(lambda: prove.every(check(FROM_LOSS), check(PRINTED)))
        first = paper.claim(
            where,
            printed=printed,
            expect=expect,
            corrected_by=corrected_by,
            rests_on=(*SYSTEM, *rests_on),
            name=name,
            says=f"{says}, as a consequence of equation 21 as printed.",
        )(lambda: check(PRINTED))
        if expect is Verdict.PROVED:
            paper.claim(
                f"{where}, from the loss",
                rests_on=("derived_system", *map(true_to_the_loss, rests_on)),
                name=f"{name}_doubled",
                says=f"{says}, along the gradient flow of the loss once tau_h and tau_y are doubled.",
            )(lambda: check(REPAIRED))
        return first

    return register
