"""By which methods a statement of each kind gets a verdict: a certificate that names another one is refused."""

from __future__ import annotations

import re

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, shown

METHODS: dict[tuple[str, str], tuple[str, ...]] = {
    ("identity", "proved"): ("normal form",),
    ("identity", "refuted"): ("exact point",),
    ("sign", "proved"): ("positive combination", "real roots"),
    ("sign", "refuted"): ("exact point",),
    ("limit", "proved"): ("small quantities",),
    ("limit", "refuted"): ("another limit",),
    ("enclosure", "certified"): ("ball enclosure",),
    ("enclosure", "refuted"): ("exact point",),
    ("words", "proved"): ("rewriting",),
    ("words", "refuted"): ("exact matrices",),
    ("loewner", "proved"): ("sum of forms",),
    ("loewner", "refuted"): ("exact matrices",),
    ("sums", "proved"): ("normal form",),
    ("sums", "refuted"): ("exact arrays",),
    ("solves", "proved"): ("residual and start",),
    ("trajectory", "certified"): ("enclosed solutions",),
    ("trajectory", "refuted"): ("enclosed solutions",),
    ("average", "proved"): ("rules of averages",),
    ("average", "refuted"): ("exact point",),
}
"""Kinds that are not here have methods that name what they lean on, and their own checkers compare these."""
PRIMITIVES: dict[tuple[str, str], str] = {
    ("identity", "proved"): "ring",
    ("sign", "proved"): "sign",
    ("limit", "proved"): "limits",
    ("limit", "refuted"): "limits",
    ("enclosure", "certified"): "balls",
    ("words", "proved"): "words and sums",
    ("loewner", "proved"): "words and sums",
    ("sums", "proved"): "words and sums",
    ("enclosure", "refuted"): "balls",
    ("solves", "proved"): "solutions",
    ("solves", "refuted"): "solutions",
    ("trajectory", "certified"): "step",
    ("trajectory", "refuted"): "step",
    ("average", "proved"): "averages",
    ("average", "refuted"): "averages",
    ("argued", "argued"): "argument",
}
"""Which primitive concludes a statement of a kind: by its verdict, or by its method where that tells more."""
EVIDENCE = {"statement", "verdict", "method", "payload"}
JOINED = ("all",)  # nothing is concluded but what its parts are
REFUTED_SOLUTION = re.compile(r"the (residual|start) of \S+ at an exact point|no value at an exact time")


def require_method(kind: str, verdict: str, method: str, certificate: Data) -> None:
    """The method is one by which such a verdict comes about, or the certificate is refused."""
    if kind == "all":
        wanted = _joined(certificate, verdict)
    elif kind in ("identity", "sign") and verdict in ("proved", "certified") and method.startswith("by "):
        return  # a rule, by its name
    elif (kind, verdict) == ("solves", "refuted"):
        wanted = (method,) if REFUTED_SOLUTION.fullmatch(method) else ("the residual of ... at an exact point",)
    else:
        wanted = METHODS.get((kind, verdict), (method,))
    if method not in wanted:
        said = " or ".join(f"'{each}'" for each in wanted)
        raise Rejected(f"a statement of kind {kind} is {verdict} by the method {said}, got {shown(method)}")


def primitive(statement: Data, verdict: str, method: str) -> str | None:
    """The primitive that a certificate ends with: a theorem and a rule have names; None for what only joins parts."""
    kind = statement["kind"]
    if verdict == "open" or kind in JOINED:
        return None
    if kind == "by" and verdict != "refuted":
        return f"theorem {statement['schema']!r}"
    if method.startswith("by ") and kind in ("identity", "sign"):
        return f"rule {method.removeprefix('by ')!r}"
    if method == "contrary" or kind == "concluded":
        return "contrary"
    return PRIMITIVES.get((kind, method)) or PRIMITIVES.get((kind, verdict)) or "point"


def primitives(certificate: Data) -> list[str]:
    """The primitives of all evidence that a certificate holds: nothing else can be used to check it.

    >>> statement = {"kind": "identity", "symbols": {}, "assuming": [], "left": ["q", "1"], "right": ["q", "1"]}
    >>> primitives({"statement": statement, "verdict": "proved", "method": "normal form", "payload": {}})
    ['ring']
    """
    found, waiting = set[str](), [certificate]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            if part.keys() >= EVIDENCE and isinstance(part["statement"], dict) and "kind" in part["statement"]:
                found.add(primitive(part["statement"], part["verdict"], str(part["method"])) or "")
            waiting += part.values()
        elif isinstance(part, list | tuple):
            waiting += part
    return sorted(found - {""})


def _joined(certificate: Data, verdict: str) -> tuple[str, ...]:
    """A conjunction holds by the methods of all its parts, and is refuted by that of a refuted part."""
    parts = certificate["payload"].get("parts", ())
    told = [part for part in parts if isinstance(part, dict)] if isinstance(parts, tuple) else []
    if verdict == "refuted":
        return tuple(str(part.get("method")) for part in told if part.get("verdict") == "refuted")
    return (", ".join(dict.fromkeys(str(part.get("method")) for part in told)),)
