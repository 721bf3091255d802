"""One door for all certificates: by the kind of the statement, the verdict and the method, to the right checker."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import VERDICTS, Data, normal, part, shown
from derivations.recheck.core.point import check_refutation
from derivations.recheck.core.ring import check_proof
from derivations.recheck.core.ring.line import check_inequality
from derivations.recheck.core.structure import check_all
from derivations.recheck.core.words.claims import check_words
from derivations.recheck.core.words.orders import check_order
from derivations.recheck.kinds import averages, enclosure, limits, rules
from derivations.recheck.kinds.flows import solutions, trajectories
from derivations.recheck.kinds.schemas import verdicts
from derivations.recheck.kinds.schemas.integrals import at_a_point
from derivations.recheck.methods import primitive, require_method
from derivations.recheck.powers import require_positive_bases
from derivations.recheck.trust import recorded, rests_on

FRAMES = 20_000
CORE = "derivations.recheck.core."
HOMES: dict[str, Callable[..., object]] = {
    "ring": check_proof,
    "sign": check_inequality,
    "point": check_refutation,
    "balls": enclosure.check_certified,
    "solutions": solutions.check_solves,
    "contrary": verdicts.check_contrary,
    "words and sums": check_words,
    "averages": averages.check_average,
    "limits": limits.check_proof_of_limit,
    "step": trajectories.check_trajectory,
    "theorem": verdicts.check_by,
    "rule": rules.check_rule,
    "argument": verdicts.check_argued,
}
"""Where each primitive is carried out."""
COMPOSITE = {
    "average": averages.check_average,
    "solves": solutions.check_solves,
    "trajectory": trajectories.check_trajectory,
    "all": check_all,
    "by": verdicts.check_by,
    "argued": verdicts.check_argued,
}
NEVER_SHOWN = ("not", "concluded")  # only the contrary of the one, and only a theorem of the other
SHOWN = ("proved", "certified")
SCALAR = ("identity", "sign", "limit", "enclosure")


def check(certificate: dict[str, Any]) -> tuple[str, ...]:
    """The primitives on which a certificate rests; Rejected, with one sentence, when it does not show what it says."""
    with _deep(), budget(), recorded() as used:
        try:
            data = normal(certificate)
            _verdict(data)
            require_positive_bases(data["statement"])
        except RecursionError:
            raise Rejected("the certificate nests too deeply to be checked: state it in smaller parts") from None
        except Undefined:
            raise Rejected("a formula has no value at the exact point of the certificate") from None
        except ZeroDivisionError:
            raise Rejected("a formula of the certificate divides by zero") from None
        except (MemoryError, OverflowError):
            raise Rejected("the certificate asks for a computation that is too large to carry out") from None
    return tuple(sorted(used))


def in_core(primitive: str) -> bool:
    """Whether the code of a primitive stands in the core of the checker.

    >>> in_core("theorem 'zero stays zero'"), in_core("argument")
    (False, False)
    """
    name = primitive if primitive in HOMES else primitive.partition(" ")[0]
    return f"{HOMES[name].__module__}.".startswith(CORE)


@contextmanager
def _deep() -> Iterator[None]:
    """Room for formulas as deep as `load` and `terms` let through."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _verdict(certificate: Data) -> str:
    """The verdict of a certificate that passed every check."""
    if not isinstance(certificate, dict):
        raise Rejected(f"a certificate must be an object, got {shown(certificate)}")
    statement = part(certificate, "statement", dict, "the certificate")
    kind = part(statement, "kind", str, "the statement")
    verdict: str = part(certificate, "verdict", str, "the certificate")
    method = part(certificate, "method", str, "the certificate")
    part(certificate, "payload", dict, "the certificate")
    if kind not in (*SCALAR, *COMPOSITE, *NEVER_SHOWN, "words", "loewner", "sums"):
        raise Rejected(f"no statement is of the kind {shown(kind)}")
    if verdict not in VERDICTS:
        raise Rejected(f"the verdict must be one of {', '.join(VERDICTS)}, got {shown(verdict)}")
    if verdict == "refuted" and method == "contrary" and "parts" not in certificate["payload"]:
        verdicts.check_contrary(certificate, _verdict)
    elif kind == "concluded" and verdict == "refuted":
        _refuted_conclusion(certificate)
    elif verdict != "open":
        require_method(kind, verdict, method, certificate)
        _evidence(certificate, kind, verdict)
    if used := primitive(statement, verdict, method):
        rests_on(used)
    return verdict


def _refuted_conclusion(certificate: Data) -> None:
    """Only what is said of integrals is refuted by itself."""
    if certificate["statement"].get("form") == "integrals":
        at_a_point.check_fails(certificate)
    else:
        verdicts.check_another_value(certificate, _verdict)


def _evidence(certificate: Data, kind: str, verdict: str) -> None:
    statement, payload = certificate["statement"], certificate["payload"]
    if kind in ("identity", "sign") and verdict in SHOWN and certificate["method"].startswith("by "):
        rules.check_rule(certificate, _verdict)
        return
    if kind in COMPOSITE:
        COMPOSITE[kind](certificate, _verdict)
        return
    match kind, verdict:
        case (("words" | "sums"), _):
            check_words(certificate)
        case "loewner", _:
            check_order(certificate)
        case "identity", "proved":
            check_proof(statement, payload)
        case "identity", "refuted":
            check_refutation(statement, payload)
        case "sign", "proved":
            check_inequality(certificate)
        case "sign", "refuted":
            check_refutation(statement, payload)
        case "limit", "proved":
            limits.check_proof_of_limit(certificate, _verdict)
        case "limit", "refuted":
            limits.check_refutation_of_limit(certificate, _verdict)
        case "enclosure", "certified":
            enclosure.check_certified(statement, payload)
        case "enclosure", "refuted":
            enclosure.check_refuted(statement, payload)
        case _:
            raise Rejected(f"no evidence makes a statement of kind {kind} {verdict}")
