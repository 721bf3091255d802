"""One random statement after the other: its verdict, the checker's, and what numbers say of it."""

from __future__ import annotations

import random
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from fuzz.drawn import Drawn
from fuzz.expressions import n, p, q, x, y
from fuzz.statements import MAKERS
from fuzz.values import NoValue, apart, value

from derivations.audit.ledger import plain
from derivations.prove import Certificate
from derivations.recheck import Rejected, check
from derivations.text import DerivationError

SYMBOLS = {s.name: s for s in (x, y, p, q, n)}
PATIENCE = 2.0  # seconds of the processor for one statement, beyond which it is left


class TooLong(Exception):
    """A statement took too long to be decided; that is no error."""


@dataclass
class Outcome:
    """The outcome of many statements: verdicts by kind, and those that contradict the numbers or the checker."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    unsound: list[str] = field(default_factory=list)
    rejected: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(self.verdicts.values())


def judge(seed: int, count: int, only: tuple[str, ...] = ()) -> Outcome:
    """Decides so many statements, drawn from a seed, and compares every verdict with numbers; only of some kinds."""
    outcome = Outcome()
    kinds = list(only or MAKERS)
    weights = [MAKERS[kind][1] for kind in kinds]
    for k in range(count):
        rng = random.Random(f"{seed}/{k}")
        kind = rng.choices(kinds, weights)[0]
        verdict, complaint, rejection = judged(kind, rng)
        outcome.verdicts[kind, verdict] += 1
        if complaint:
            outcome.unsound.append(f"{seed}/{k} {complaint}")
        if rejection:
            outcome.rejected.append(f"{seed}/{k} {rejection}")
    return outcome


def judged(kind: str, rng: random.Random) -> tuple[str, str, str]:
    """The verdict, what is wrong with it, and why the checker refuses it; empty where nothing is."""
    try:
        with patience():
            drawn = MAKERS[kind][0](rng)
            certificate = drawn.prove()
            data = plain(certificate)
            rejection = _rejection(data)
            complaint = _complaint(drawn, certificate, rng)
    except DerivationError:
        return "refused", "", ""
    except TooLong:
        return "left", "", ""
    except SystemError:  # the time was over inside of what C calls
        return "left", "", ""
    except Exception as error:  # whatever it is, nobody who states something may see it
        return "crashed", f"{kind}: {type(error).__name__}: {error}", ""
    verdict = certificate.verdict.value
    what = f"{verdict}: {drawn.kind}: {drawn.says}"
    return verdict, f"{what} ({complaint})" if complaint else "", f"{what} ({rejection})" if rejection else ""


@contextmanager
def patience(seconds: float = PATIENCE) -> Iterator[None]:
    """Ends what takes more seconds of the processor, by TooLong, or by a SystemError inside of what C calls."""

    def late(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _rejection(data: Any) -> str:
    try:
        check(data)
    except Rejected as reason:
        return str(reason)
    return ""


def _complaint(drawn: Drawn, certificate: Certificate, rng: random.Random) -> str:
    if certificate.verdict.value in ("proved", "certified"):
        at = drawn.contradiction(rng)
        return "" if at is None else f"false at {at}"
    if certificate.verdict.value != "refuted":
        return ""
    if drawn.kind in SURE:
        return _sure(drawn, certificate, rng)
    data = certificate.as_json()
    parts = data["payload"]["parts"] if data["statement"]["kind"] == "all" else [data]
    refuted = [p for p in parts if p["verdict"] == "refuted" and p["statement"]["kind"] in ("identity", "sign")]
    return "; ".join(filter(None, map(_witness, refuted)))


SURE = ("limit", "leading order", "limit anywhere", "integral order")
"""Kinds whose refutations have no point at which sides differ: numbers must show the contradiction themselves."""


def _sure(drawn: Drawn, certificate: Certificate, rng: random.Random) -> str:
    given = (certificate.witness or {}).get("point", {})
    point = {SYMBOLS[name]: sp.Rational(given[name]) for name in SYMBOLS if name in given}
    with suppress(NoValue, KeyError, ZeroDivisionError):
        if drawn.false_at is not None and drawn.false_at(point):
            return ""
    return "" if any(drawn.contradiction(rng) is not None for _ in range(4)) else "numbers see no contradiction"


def _witness(certificate: Any) -> str:
    """A witness must be a point at which both sides have values that are as they must not be."""
    statement, witness = certificate["statement"], certificate["payload"].get("witness", {})
    point = {sp.Symbol(name): sp.Rational(given) for name, given in witness.get("point", {}).items()}
    try:
        left, right = (value(_plain(statement[side]), point) for side in ("left", "right"))
    except NoValue:
        return ""
    unequal = apart(left, right) and witness["left"] != witness["right"]
    is_false = unequal if statement["kind"] == "identity" else left < right if unequal else statement["relation"] == ">"
    return "" if is_false else f"nothing is wrong at {point}"


def _plain(term: Any) -> Any:
    """A SymPy expression of a term, with symbols told nothing, so that nothing is simplified by assumptions."""
    head, *rest = term
    if head == "s":
        return sp.Symbol(rest[0])
    if head == "q":
        return sp.Rational(rest[0])
    if head == "pi":
        return sp.pi
    if head == "D":
        return sp.Derivative(_plain(rest[0]), sp.Symbol(rest[1]))
    if head == "at":
        return sp.Subs(_plain(rest[0]), [sp.Symbol(s) for s, _ in rest[1]], [_plain(e) for _, e in rest[1]])
    parts = [_plain(part) for part in rest]
    if head in ("+", "*"):
        return {"+": sp.Add, "*": sp.Mul}[head](*parts, evaluate=False)
    if head == "^":
        return sp.Pow(*parts, evaluate=False)
    return getattr(sp, {"abs": "Abs", "lambertw": "LambertW"}.get(head, head))(*parts, evaluate=False)
