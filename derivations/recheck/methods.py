"""By which methods a statement of each kind gets a verdict: a certificate that names another one is refused."""

from __future__ import annotations

import re

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, shown

METHODS: dict[tuple[str, str], tuple[str, ...]] = {
    ("identity", "proved"): ("normal form",),
    ("identity", "refuted"): ("exact point",),
    ("sign", "proved"): ("positive combination", "real roots", "boxes"),
    ("sign", "refuted"): ("exact point",),
    ("limit", "proved"): ("continuity", "expansion"),
    ("limit", "refuted"): ("another limit", "another limit at a point", "diverges"),
    ("enclosure", "certified"): ("ball enclosure",),
    ("enclosure", "refuted"): ("exact point",),
    ("words", "proved"): ("rewriting",),
    ("words", "refuted"): ("exact matrices",),
    ("loewner", "proved"): ("sum of forms", "comparison of squares"),
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


def _joined(certificate: Data, verdict: str) -> tuple[str, ...]:
    """A conjunction holds by the methods of all its parts, and is refuted by that of a refuted part."""
    parts = certificate["payload"].get("parts", ())
    told = [part for part in parts if isinstance(part, dict)] if isinstance(parts, tuple) else []
    if verdict == "refuted":
        return tuple(str(part.get("method")) for part in told if part.get("verdict") == "refuted")
    return (", ".join(dict.fromkeys(str(part.get("method")) for part in told)),)
