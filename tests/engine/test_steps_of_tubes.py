"""Steps of tubes are long where the flow is slow, and short where it ends."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
from case_files import Cases

from derivations.prove.flows.statements import claim_of
from derivations.prove.flows.tubes.flow import Care, Tube
from derivations.prove.flows.tubes.sets import exact
from derivations.prove.stating import term_of

FAMILIES = Cases(__file__, globals())

x, y, t = sp.symbols("x y t", real=True)
CARE = Care(12)
Flow = dict[Any, Any]


def _tube(rates: dict[str, Any], start: tuple[int, ...]) -> Tube:
    begin = {name: [str(v), str(v)] for name, v in zip(sorted(rates), start, strict=True)}
    says = [{"that": "ends", "at": "1", "box": begin}]
    head = {"kind": "trajectory", "form": "flow", "time": "t"}
    return Tube(claim_of(head | {"states": rates, "start": begin, "says": says}), CARE)


def _of(flow: Flow, start: tuple[int, ...]) -> Tube:
    return _tube({s.name: term_of(rate) for s, rate in flow.items()}, start)


def _lengths(tube: Tube, until: Fraction) -> list[Fraction]:
    list(tube.until(until))
    return [Fraction(length) for length, _, _ in tube.evidence]


def _boxes(tube: Tube) -> list[tuple[Any, Any]]:
    """The stated interval of x on each step."""
    return [(exact(Fraction(low)), exact(Fraction(high))) for _, box, _ in tube.evidence for low, high in box[:1]]


def test_the_end_of_the_domain_of_a_root_is_not_crossed() -> None:
    """Steps grow short as they come near it."""
    tube = _of({x: -sp.sqrt(x)}, (1,))
    lengths = _lengths(tube, Fraction(19, 10))
    assert all(low > 0 for low, _ in _boxes(tube))
    assert lengths[-2] < max(lengths) / 2


test_statements_have_their_verdicts = FAMILIES.verdicts()
