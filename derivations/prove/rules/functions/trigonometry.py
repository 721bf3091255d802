"""By half angles: sines and cosines as rational functions, in two charts that together reach every angle.

Arguments are sums of whole multiples of a few angles and of a rational multiple of pi, and open by the addition
theorems. What holds in both charts of every angle holds everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas, fresh, inner_terms
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.rules.trigonometry import angles_of


def _proposals(statement: Json) -> Iterator[Parameters]:
    """A letter for each angle; sines of multiples of pi have none."""
    terms = formulas(statement)
    if not any(term[0] in ("sin", "cos") for term in inner_terms(terms)):
        return
    try:
        angles = angles_of(terms)
    except Rejected:
        return
    yield {"letters": [fresh(statement, f"t{k}") for k in range(len(angles))]}


TRIGONOMETRY = Rule("half angles", _proposals)
