"""Neighbours of true statements, a sign, a constant or an exponent changed: each is refuted at a short point."""

from __future__ import annotations

from pathlib import Path

import pytest
from each import each

from derivations.audit.ledger import plain
from derivations.prove import Verdict, allowing
from derivations.questions.certified import certified
from derivations.questions.lines import read
from derivations.recheck import Rejected, check

NEIGHBOURS = (Path(__file__).parent / "data" / "false_neighbours.txt").read_text(encoding="utf-8").splitlines()
SECONDS, LONGEST = 1.0, 9  # for a proof that cannot be found, and of a coordinate in characters


def is_refuted_readably(line: str) -> bool:
    with allowing(SECONDS):
        certificate = certified(read(line))
    if certificate.verdict is not Verdict.REFUTED:
        return False
    written = plain(certificate)
    check(written)
    point = written["payload"]["witness"]["point"]
    return max(map(len, point.values())) <= LONGEST


@each("line", NEIGHBOURS[::6])
def test_a_false_neighbour_is_refuted_at_a_short_point(line: str) -> None:
    assert is_refuted_readably(line)


@pytest.mark.laws
@each("line", NEIGHBOURS)
def test_every_false_neighbour_is_refuted_at_a_short_point(line: str) -> None:
    assert is_refuted_readably(line)


TRUE = [
    "exp(x) >= 1 + x",
    "x^4 - 2*x^2 + 1 >= 0",
    "log(x) <= x - 1 for x > 0",
    "(1 + 1/x)^2 >= 1 for x >= 100",
    "tan(x) >= x for 0 <= x < 1",
    "a*log(a/b) - a + b >= 0 for a > 0, b > 0",
    "sqrt(1 + x) <= 1 + x/2 for x >= -1",
]


@each("line", TRUE)
def test_what_is_true_has_no_counterexample(line: str) -> None:
    assert certified(read(line)).verdict is not Verdict.REFUTED


@each("changed", [{"x": "1"}, {"x": "0"}, {"y": "1"}, {}])
def test_a_moved_counterexample_is_rejected(changed: dict[str, str]) -> None:
    written = plain(certified(read("tan(x) >= x for 0 <= x < 2")))
    check(written)
    written["payload"]["witness"]["point"] = changed
    with pytest.raises(Rejected):
        check(written)
