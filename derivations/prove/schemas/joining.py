"""Certificates made of certificates: several as one, what theorems conclude, arguments, and what a proof refutes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from derivations.language.terms import Expression, NotExact
from derivations.prove.certificate import Candidates, Certificate
from derivations.prove.dispatch import settled
from derivations.prove.equality import Unsatisfiable
from derivations.prove.schemas import composite
from derivations.prove.schemas import use as schema_uses
from derivations.prove.schemas.table import theorem_named
from derivations.prove.stating import from_sympy, hints_of, hypotheses
from derivations.text.doors import at_door


@at_door(NotExact)
def every(*certificates: Certificate) -> Certificate:
    """Several certificates as one: proved when all are, refuted when one is; none at all is refused (`Unsatisfiable`).

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> from derivations.prove import identity, positive
    >>> every(identity(x + x, 2 * x), positive(x**2 + 1)).verdict.value
    'proved'
    """
    if not certificates:
        raise Unsatisfiable("nothing was stated: give at least one certificate")
    return composite.join(list(certificates))


def together(certificates: Sequence[Certificate]) -> Certificate:
    """Certificates as one; a single one stays what it is."""
    return certificates[0] if len(certificates) == 1 else every(*certificates)


@at_door(NotExact)
def by(
    schema: str,
    /,
    *,
    steps: Mapping[str, Certificate] = MappingProxyType({}),
    assuming: Iterable[Any] = (),
    squares: Iterable[Expression] = (),
    among: Candidates = (),
    **slots: Any,
) -> Certificate:
    """Return what a theorem concludes from what stands in its slots.

    schema: the theorem's name; `docs/trusted.md` lists them with their slots and conditions.
    steps: certificates for some of the statements that the theorem needs, by their roles; all others are decided here.
    assuming: relations that hold, or pairs of equal words. squares, among: hints for the provers of the steps.

    Returns a certificate whose statement holds the computed conclusion: PROVED or CERTIFIED as its weakest step, OPEN
    where a step is neither. Refuses slots that do not fit and steps that show another statement (`ValueError`).

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> found = by("linear stability on a line", flow={x: x - x**3}, point={x: 1})
    >>> found.verdict.value, found.method
    ('proved', 'by linear stability on a line')
    >>> by("linear stability on a line", flow={x: x - x**3}, point={x: 0}).verdict.value
    'open'
    """
    known = theorem_named(schema)
    squares = list(squares)
    setting = schema_uses.setting_of(schema, known, slots, [*assuming], hypotheses)
    data = schema_uses.slots_of(known, slots, setting, from_sympy)
    hints = hints_of(squares) | ({"among": list(among)} if among else {})
    return schema_uses.decided({"kind": "by", "schema": schema, "slots": data}, steps, settled, hints)


@at_door(NotExact)
def argued(says: str, /, **steps: Certificate) -> Certificate:
    """Proved steps and a conclusion that a person draws from them: ARGUED, which is never counted as proved.

    says: the conclusion as a sentence. steps: certificates by the role that they play.

    Returns a certificate: ARGUED, or OPEN where a step is open or refuted. Refuses an argument without steps
    (`Unsatisfiable`).

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> from derivations.prove import positive
    >>> argued("the square is 1 plus something positive", shape=positive(x**2 + 1)).verdict.value
    'argued'
    """
    return composite.argued(says, steps)


@at_door(NotExact)
def denied(proof: Certificate) -> Certificate:
    """The statement that what is proved is not so, which the proof refutes.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> from derivations.prove import positive
    >>> denied(positive(x**2 + 1)).verdict.value
    'refuted'
    """
    return composite.denied({"kind": "not", "of": schema_uses.shown(proof)}, proof)
