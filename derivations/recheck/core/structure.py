"""Conjunctions, which are as good as their worst part, and what the proof of a contrary refutes."""

from __future__ import annotations

import re

from derivations.recheck.core.load import Check, Data, part, require
from derivations.recheck.core.statements import must_match

PROGRAM = re.compile(r"[0-9a-f]{64}", re.ASCII)
WORST = ("refuted", "open", "argued", "certified", "proved")


def check_all(certificate: Data, check: Check) -> None:
    """Check each part: a refuted one refutes by its method and witness, else the methods of all are needed."""
    statement, payload = certificate["statement"], certificate["payload"]
    statements = part(statement, "parts", tuple, "the statement")
    certificates = part(payload, "parts", tuple, "the payload")
    _require_known_parts(statement)
    require(0 < len(statements) == len(certificates), "a conjunction has parts, and a certificate for each of them")
    for stated, shown in zip(statements, certificates, strict=True):
        must_match(part(shown, "statement", dict, "the certificate of a part"), stated, "certificate of a part")
    verdicts = [check(shown) for shown in certificates]
    worst = min(verdicts, key=WORST.index)
    refuting = [shown for shown, verdict in zip(certificates, verdicts, strict=True) if verdict == "refuted"]
    together = ", ".join(dict.fromkeys(shown["method"] for shown in certificates))
    methods = {shown["method"] for shown in refuting} or {together}
    said = certificate["verdict"] == worst and certificate["method"] in methods
    require(said, f"the parts make the conjunction {worst} by '{' or '.join(sorted(methods))}'")
    witnesses = [None, *(shown["payload"].get("witness") for shown in refuting)]
    require(payload.get("witness") in witnesses, "the witness of the conjunction is not that of a refuted part")


def _require_known_parts(statement: Data) -> None:
    """A conjunction has parts, and may say of which program it speaks, and in which cases."""
    require(set(statement) <= {"kind", "parts", "kernel"}, "a conjunction has parts, and may have a kernel")
    if "kernel" in statement:
        kernel = part(statement, "kernel", dict, "the statement")
        is_whole = {*kernel} - {"domain"} == {"program", "cases"}
        named = is_whole and PROGRAM.fullmatch(part(kernel, "program", str, "the kernel"))
        require(named, "a kernel has cases and a program, named by its sha256")


def what_is_shown(statement: Data) -> Data:
    """Return what a certificate of this statement shows: for a theorem, its conclusion."""
    return part(statement, "concludes", dict, "the statement") if statement.get("kind") == "by" else statement


def check_contrary(certificate: Data, check: Check) -> None:
    """That something is not so is refuted by its proof."""
    proof = part(certificate["payload"], "contrary", dict, "the payload")
    shows, denied = check(proof), part(certificate["statement"], "of", dict, "the statement")
    require(shows in ("proved", "certified"), f"the contrary is {shows}, so nothing is concluded")
    same = denied == what_is_shown(proof["statement"])
    require(same, "only the statement that something is not so is refuted by its proof")
