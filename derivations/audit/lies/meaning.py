"""The meaning of a false variant: nothing, where a side has no value, or the same as the statement that it was made
from.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derivations.language.evaluate import has_value
from derivations.language.points import holds, points
from derivations.language.terms import ZERO, Term, carried_out, children, fraction_of, subtract
from derivations.prove import decide
from derivations.prove.certificate import Json, Verdict

FIELDS = {
    "identity": ("left", "right"),
    "sign": ("left", "right"),
    "limit": ("value",),
    "average": ("right",),
    "enclosure": ("expression",),
}
POINTS = 3000


def is_the_same(part: Json, mutant: Json) -> bool:
    """Check whether nothing was changed: a zero stands where a term was dropped that is zero itself."""
    return bool(_plain(part) == _plain(mutant))


def _plain(data: Any) -> Any:
    """Data with lists where tuples or lists may stand."""
    if isinstance(data, dict):
        return {key: _plain(value) for key, value in data.items()}
    return [_plain(value) for value in data] if isinstance(data, list | tuple) else data


def states_nothing(mutant: Json) -> bool:
    """Check that a side has no value wherever the hypotheses hold, so that nothing there could be equal or larger."""
    sides = [carried_out(mutant[field]) for field in FIELDS.get(mutant["kind"], ()) if field in mutant]
    return any(_lies_outside(relation, term, mutant) for side in sides for relation, term in _domain(side))


def _domain(term: Term) -> Iterator[tuple[str, Term]]:
    """Return what is shown to be negative, not positive, or zero where a part of a term has no value."""
    if term[0] == "log":
        yield ">=", term[1]
    if term[0] == "^" and term[2][0] == "q" and fraction_of(term[2]) < 0:
        yield "=", term[1]
    if term[0] == "^" and (term[2][0] != "q" or fraction_of(term[2]).denominator % 2 == 0):
        yield ">", term[1]
    for part in children(term):
        yield from _domain(part)


def _lies_outside(relation: str, term: Term, statement: Json) -> bool:
    said = {"kind": "identity"} if relation == "=" else {"kind": "sign", "relation": relation}
    setting = {"symbols": statement.get("symbols", {}), "assuming": statement.get("assuming", [])}
    return decide({**said, **setting, "left": ZERO, "right": term}).verdict is Verdict.PROVED


def fails_at_a_point(mutant: Json) -> bool:
    """Check whether an exact point contradicts an equation or a sign, among more points than a prover tries.

    Of an average it is asked once the derivatives in its value are taken, which its prover leaves as they stand.
    """
    if mutant["kind"] == "average":
        taken = {**mutant, "right": carried_out(mutant["right"])}
        return taken["right"] != mutant["right"] and decide(taken).verdict is Verdict.REFUTED
    if mutant["kind"] not in ("identity", "sign"):
        return False
    relation, left, right = mutant.get("relation", "="), mutant["left"], mutant["right"]
    contrary = {"=": ("!=", left, right), ">": (">=", right, left), ">=": (">", right, left)}[relation]
    return any(holds(contrary, point) for point in points(mutant, POINTS) if has_value(subtract(left, right), point))


def follows(part: Json, mutant: Json) -> bool:
    """Check whether the variant is another sum of the same squares: where their sum vanishes, each of them does."""
    if part["kind"] != "words" or part["right"] != mutant["right"]:
        return False
    squares, rescaled = (_plain(of["left"].get("formula", [])) for of in (part, mutant))
    if squares[:1] != ["+"] or any(square[0] != "norm2" for square in squares[1:]):
        return False
    terms = rescaled[1:] if rescaled[:1] == ["+"] else [rescaled]
    bare = [term[2] if term[:1] == ["*"] and term[1][0] == "q" and len(term) == 3 else term for term in terms]
    same = all(term in squares[1:] for term in bare)
    return same and decide({**part, "right": _zero(part)}).verdict is Verdict.PROVED


def _zero(part: Json) -> Json:
    shape = part["left"]["shape"]
    return {"shape": shape, "formula": ("0", *shape)}


def equivalent(part: Json, mutant: Json) -> bool:
    """Check whether the mutated field still denotes the same value under the same hypotheses."""
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
