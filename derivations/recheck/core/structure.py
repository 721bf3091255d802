"""Conjunctions, which are as good as their worst part, and what the proof of a contrary refutes."""

from __future__ import annotations

import re
from collections.abc import Callable

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, part, require, shown
from derivations.recheck.core.statements import must_match

Check = Callable[[Data], str]  # checks a certificate and returns its verdict
PROGRAM = re.compile(r"[0-9a-f]{64}", re.ASCII)


def _nested(table: Data, key: str, statement: Data, what: str, check: Check) -> tuple[Data, str]:
    """A nested certificate of a given statement, checked, and its verdict."""
    certificate = part(table, key, dict, what)
    inner = part(certificate, "statement", dict, f"the certificate of {key}")
    if inner != statement or not isinstance(statement, dict):
        must_match(inner, statement, f"certificate of {key}")
    return certificate, check(certificate)


def check_all(certificate: Data, check: Check) -> None:
    statement, verdict, payload = (certificate[key] for key in ("statement", "verdict", "payload"))
    statements = part(statement, "parts", tuple, "the statement")
    certificates = part(payload, "parts", tuple, "the payload")
    _require_known_parts(statement)
    if not statements or len(statements) != len(certificates):
        raise Rejected(f"the conjunction has {len(statements)} statements and {len(certificates)} certificates")
    table = {str(i): certificate for i, certificate in enumerate(certificates)}
    checked = [_nested(table, str(i), s, "the conjunction", check) for i, s in enumerate(statements)]
    _require_method(certificate)
    verdicts = [reached for _, reached in checked]
    joined = "refuted" if "refuted" in verdicts else "open" if "open" in verdicts else _weakest(verdicts)
    require(joined == verdict, f"the parts make the conjunction {joined}, not {verdict}")
    if payload.get("witness") is not None:
        witnesses = [c["payload"].get("witness") for c, reached in checked if reached == "refuted"]
        require(payload["witness"] in witnesses, "the witness of the conjunction is not that of a refuted part")


def _require_method(certificate: Data) -> None:
    """A conjunction holds by the methods of all its parts, and is refuted by that of a refuted part."""
    parts, refuted = certificate["payload"]["parts"], certificate["verdict"] == "refuted"
    methods = [each["method"] for each in parts if not refuted or each["verdict"] == "refuted"]
    if certificate["method"] not in (methods if refuted else [", ".join(dict.fromkeys(methods))]):
        raise Rejected(f"no method of the parts of the conjunction is {shown(certificate['method'])}")


def _require_known_parts(statement: Data) -> None:
    """A conjunction has parts, and may say of which program it speaks, and in which cases."""
    if strange := sorted(set(statement) - {"kind", "parts", "kernel"}):
        raise Rejected(f"a statement of kind all has no {shown(strange[0])}")
    if "kernel" in statement:
        kernel = part(statement, "kernel", dict, "the statement")
        if set(kernel) != {"program", "cases"} or not PROGRAM.fullmatch(part(kernel, "program", str, "the kernel")):
            raise Rejected(f"a kernel has cases and a program, named by its sha256, got {shown(kernel)}")


def _weakest(verdicts: list[str]) -> str:
    return next((v for v in ("argued", "certified") if v in verdicts), "proved")


def what_is_shown(statement: Data) -> Data:
    """What a certificate of this statement shows: for a theorem, its conclusion."""
    return part(statement, "concludes", dict, "the statement") if statement.get("kind") == "by" else statement


def check_contrary(certificate: Data, check: Check) -> None:
    """That something is not so is refuted by its proof."""
    proof = part(certificate["payload"], "contrary", dict, "the payload")
    shows, denied = check(proof), part(certificate["statement"], "of", dict, "the statement")
    require(shows in ("proved", "certified"), f"the contrary is {shows}, so nothing is concluded")
    same = denied == what_is_shown(proof["statement"])
    require(same, "only the statement that something is not so is refuted by its proof")
