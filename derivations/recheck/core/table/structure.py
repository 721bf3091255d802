"""Conjunctions, which are as good as their worst part, and what the proof of a contrary refutes."""

from __future__ import annotations

import re

from derivations.recheck.core.load import Check, Data, require
from derivations.recheck.core.statements import says

PROGRAM = re.compile(r"[0-9a-f]{64}", re.ASCII)
WORST = ("refuted", "open", "argued", "certified", "proved")


def check_all(certificate: Data, check: Check) -> None:
    """Check each part: a refuted one refutes by its method and witness, else the methods of all are needed."""
    statement, payload = certificate["statement"], certificate["payload"]
    program, certificates = statement.get("kernel", {"program": "0" * 64})["program"], payload["parts"]
    require(PROGRAM.fullmatch(program), "a kernel is a program, named by its sha256")
    require(len(statement["parts"]) == len(certificates), "a conjunction has a certificate for each of its parts")
    for stated, shown in zip(statement["parts"], certificates, strict=True):
        require(says(shown["statement"], stated), "the certificate of a part is about another statement")
    verdicts = [check(shown) for shown in certificates]
    worst = min(verdicts, key=WORST.index)
    refuting = [shown for shown, verdict in zip(certificates, verdicts, strict=True) if verdict == "refuted"]
    together = ", ".join(dict.fromkeys(shown["method"] for shown in certificates))
    methods = {shown["method"] for shown in refuting} or {together}
    said = certificate["verdict"] == worst and certificate["method"] in methods
    require(said, f"the parts make the conjunction {worst} by '{' or '.join(sorted(methods))}'")
    witnesses = [None, *(shown["payload"].get("witness") for shown in refuting)]
    require(payload.get("witness") in witnesses, "the witness of the conjunction is not that of a refuted part")


def what_is_shown(statement: Data) -> Data:
    """Return what a certificate of this statement shows: for a theorem, its conclusion."""
    return statement["concludes"] if statement.get("kind") == "by" else statement


def check_contrary(certificate: Data, check: Check) -> None:
    """That something is not so is refuted by its proof."""
    proof = certificate["payload"]["contrary"]
    shows = check(proof)
    require(shows in ("proved", "certified"), f"the contrary is {shows}, so nothing is concluded")
    same = certificate["statement"]["of"] == what_is_shown(proof["statement"])
    require(same, "only the statement that something is not so is refuted by its proof")
