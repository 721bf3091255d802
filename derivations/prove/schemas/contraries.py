"""Statements that a proof of something else refutes, because the two visibly exclude each other."""

from __future__ import annotations

from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.schemas.use import same, shown

SIGNS = {"=": {0}, ">": {1}, ">=": {0, 1}}  # of the difference of the sides


def refuted(claimed: Json, proof: Certificate) -> Certificate:
    """The certificate on a claimed statement that a proof contradicts; OPEN where it does not do so visibly."""
    if proof.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
        reason = f"what would exclude it is {proof.verdict.value}, not proved"
        return Certificate(claimed, Verdict.OPEN, "none", reason=reason)
    if not excludes(shown(proof), claimed):
        reason = "nothing shows that the proved statement and this one exclude each other"
        return Certificate(claimed, Verdict.OPEN, "none", reason=reason)
    return Certificate(claimed, Verdict.REFUTED, "contrary", {"contrary": proof.as_json()})


def excludes(proved: Json, claimed: Json) -> bool:
    """Whether a proved statement visibly contradicts a claimed one.

    >>> x, zero = ("s", "x"), ("q", "0")
    >>> head = {"symbols": {"x": []}, "assuming": [], "left": x, "right": zero}
    >>> excludes({"kind": "sign", "relation": ">", **head}, {"kind": "identity", **head})
    True
    """
    if claimed["kind"] == "not":
        return same(claimed["of"], proved)
    if claimed["kind"] == "all":
        return any(excludes(proved, part) for part in claimed["parts"])
    if proved["kind"] == "all":
        return any(excludes(part, claimed) for part in proved["parts"])
    if not {proved["kind"], claimed["kind"]} <= {"identity", "sign"} or not _narrower(proved, claimed):
        return False
    there, here = (SIGNS[s.get("relation", "=")] for s in (proved, claimed))
    if same(_sides(proved), _sides(claimed)):
        return not there & here
    swapped = {"left": proved["right"], "right": proved["left"]}
    return same(swapped, _sides(claimed)) and not {-s for s in there} & here


def _sides(statement: Json) -> Json:
    return {"left": statement["left"], "right": statement["right"]}


def _narrower(proved: Json, claimed: Json) -> bool:
    """Whether every point of which the proved statement speaks is one of which the claimed one speaks."""
    known = proved["symbols"]
    told = all(set(assumptions) <= set(known.get(name, [])) for name, assumptions in claimed["symbols"].items())
    relations = [{"relation": r} for r in proved["assuming"]]
    return told and all(any(same({"relation": r}, other) for other in relations) for r in claimed["assuming"])
