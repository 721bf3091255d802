"""What a false variant says: nothing, where a side has no value, or the same as the statement that it was made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derivations.language.terms import ZERO, Term, carried_out, children, fraction_of
from derivations.prove import decide
from derivations.prove.certificate import Json, Verdict

FIELDS = {
    "identity": ("left", "right"),
    "sign": ("left", "right"),
    "limit": ("value",),
    "average": ("right",),
    "enclosure": ("expression",),
}


def is_the_same(part: Json, mutant: Json) -> bool:
    """Whether nothing was changed: a zero stands where a term was dropped that is zero itself."""
    return bool(_plain(part) == _plain(mutant))


def _plain(data: Any) -> Any:
    """Data with lists where tuples or lists may stand."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def states_nothing(mutant: Json) -> bool:
    """Whether a side has no value wherever the hypotheses hold, so that nothing there could be equal or larger."""
    sides = [carried_out(mutant[field]) for field in FIELDS.get(mutant["kind"], ()) if field in mutant]
    return any(_lies_outside(relation, term, mutant) for side in sides for relation, term in _domain(side))


def _domain(term: Term) -> Iterator[tuple[str, Term]]:
    """What is shown to be negative, or not positive, where a part of a term has no value."""
    if term[0] == "log":
        yield ">=", term[1]
    elif term[0] == "^" and (term[2][0] != "q" or fraction_of(term[2]).denominator % 2 == 0):
        yield ">", term[1]
    for part in children(term):
        yield from _domain(part)


def _lies_outside(relation: str, term: Term, statement: Json) -> bool:
    sign = {"kind": "sign", "relation": relation, "left": ZERO, "right": term}
    sign |= {"symbols": statement.get("symbols", {}), "assuming": statement.get("assuming", [])}
    return decide(sign).verdict is Verdict.PROVED


def equivalent(part: Json, mutant: Json) -> bool:
    """Whether the mutated field still denotes the same value under the same hypotheses."""
    if part["kind"] in ("words", "sums"):
        return any(
            decide({**part, "left": part[f], "right": mutant[f]}).verdict is Verdict.PROVED
            for f in ("left", "right")
            if part[f] != mutant[f]
        )
    changed = [f for f in FIELDS.get(part["kind"], ()) if part[f] != mutant[f]]
    if len(changed) != 1:
        return False
    base = {k: part[k] for k in ("symbols", "assuming")}
    same = decide({"kind": "identity", **base, "left": part[changed[0]], "right": mutant[changed[0]]})
    return same.verdict is Verdict.PROVED
