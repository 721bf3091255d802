"""One door for all certificates: each is checked in the one way in which its statement gets its verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from derivations.recheck.core import errors
from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, normal, require, shown
from derivations.recheck.core.shapes import read
from derivations.recheck.powers import require_positive_bases
from derivations.recheck.ways import KINDS, primitive, primitives_in, way_to

FRAMES = 20_000
TROUBLE: dict[type[Exception], str] = {
    RecursionError: "the certificate nests too deeply to be checked: state it in smaller parts",
    Undefined: "a formula has no value at the exact point of the certificate",
    ZeroDivisionError: "a formula of the certificate divides by zero",
    MemoryError: "the certificate asks for a computation that is too large to carry out",
    OverflowError: "the certificate asks for a computation that is too large to carry out",
}
MALFORMED = (*errors.MALFORMED, AssertionError)


def check(certificate: dict[str, Any]) -> tuple[str, ...]:
    """The primitives on which a certificate rests; Rejected, with one sentence, when it does not show what it says.

    They are those that were used, and those of any other evidence that it holds.
    """
    checker, tables = _Checker(), list[Data]()
    with _deep(), budget():
        try:
            data = normal(certificate, tables)
            checker.verdict(data)
            require_positive_bases(data["statement"])
            checker.used |= primitives_in(tables)
        except tuple(TROUBLE) as error:
            raise Rejected(next(said for kind, said in TROUBLE.items() if isinstance(error, kind))) from error
        except MALFORMED as error:
            raise Rejected(
                f"the certificate is malformed, or the checker wrong: {type(error).__name__}: {error}"
            ) from error
    return tuple(sorted(checker.used))


@contextmanager
def _deep() -> Iterator[None]:
    """Room for formulas as deep as `load` and `terms` let through."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


class _Checker:
    """A certificate is checked with all that stand in it; what they rest on is kept."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def verdict(self, certificate: Data) -> str:
        """The verdict of a certificate that passed every check."""
        read("certificate", certificate, "the certificate")
        statement, verdict, method = (certificate[key] for key in ("statement", "verdict", "method"))
        kind = statement.get("kind")
        require(kind in KINDS, f"no statement is of the kind {shown(kind)}")
        if verdict != "open":
            way = way_to(verdict, method, kind)
            read(kind, statement, "the statement")
            read(way.evidence, certificate["payload"], "the payload")
            way.check(certificate, self.verdict)
            self.used |= {primitive(statement, verdict, method)} - {""}
        return str(verdict)
