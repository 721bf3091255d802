"""A kernel of matrices equals the solution of a flow: steps, inverses and exponentials are what the claim has there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from case_files import Cases
from each import each

from derivations import Paper, prove
from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.matrices import exponential, exponential_integral, inverse
from derivations.language.words import Letter, identity
from derivations.language.words.blocks import Blocks
from derivations.paper.equals import Unequal, equality
from derivations.paper.equals.words import EqualWords
from derivations.prove.certificate import Certificate, Verdict
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())

A, P, t = Letter("A", "n", "n", symmetric=True), Letter("P", "n", "n"), Letter("t", 1, 1)
E = Letter("E", "n", "n", symmetric=True, commutes_with=[A])
P_inv = Letter("P_inv", "n", "n", inverse_of=P)
X = Letter("X", "n", "n")


def new_paper() -> Paper:
    """dX = A X + X A from P^-1 is solved by E P^-1 E, with E the exponential of A t."""
    made = Paper("linear", title="Linear flows", authors="Somebody", year=2026, source="", numbered=0)

    def solution() -> Certificate:
        return prove.by(
            "solution of a matrix flow",
            values={X: E @ P_inv @ E},
            rates={X: A @ X + X @ A},
            starts={X: P_inv},
            motion={E: Fraction(1, 2) * (A @ E + E @ A)},
            begin={E: identity("n")},
            through={},
            drift={},
        )

    made.claim("Section 1", name="solution", says="It moves.")(solution)
    made.claim("Section 1", name="other", says="A square.")(lambda: prove.words((A @ A).T, A @ A))
    return made


paper = pytest.fixture(new_paper)


e_At = Letter("e_At", "n", "n", symmetric=True)
moved, back = Letter("moved", "n", "n"), Letter("P_inv", "n", "n", inverse_of=P)
PRIMITIVES = [(e_At, exponential(A * t)), (back, inverse(P))]


def kernel(steps: Any = (*PRIMITIVES, (moved, e_At @ back)), returns: Any = moved @ e_At) -> Kernel:
    return Kernel("moved_by", says="It moves.", inputs=[A, P, t], steps=steps, returns={"x": returns}, domain="any")


def equal(paper: Paper, made: Kernel, claim: str = "solution", **about: Any) -> Certificate:
    given: dict[str, Any] = {"returns": {"x": "X"}, "exponents": {"E": A}, "letters": {"E": e_At}, **about}
    return equality(made, [EqualWords(paper.entries[claim], time=t, **given)])


def refused(*kernels: Any, **about: Any) -> bool:
    try:
        return equal(*kernels, **about).verdict is not Verdict.PROVED
    except Unequal:
        return True


def test_a_program_in_steps_equals_the_solution(paper: Paper) -> None:
    assert equal(paper, kernel()).verdict is Verdict.PROVED


@each("steps", FAMILIES["another step is refused"])
def test_another_step_is_refused(steps: Any) -> None:
    paper = new_paper()
    assert refused(paper, kernel(steps))


def test_an_integral_is_no_exponential(paper: Paper) -> None:
    steps = [(e_At, exponential_integral(A, t)), PRIMITIVES[1], (moved, e_At @ back)]
    assert refused(paper, kernel(steps))


def test_the_exponent_is_that_of_the_motion(paper: Paper) -> None:
    doubled = [(e_At, exponential(2 * A * t)), PRIMITIVES[1], (moved, e_At @ back)]
    assert refused(paper, kernel(doubled), exponents={"E": 2 * A})
    with pytest.raises(DerivationError, match="E is not what it is in the claim"):
        equal(paper, kernel(), exponents={})


def test_an_inverse_is_computed_as_one(paper: Paper) -> None:
    free = Letter("P_inv", "n", "n")
    steps = [PRIMITIVES[0], (free, P @ P), (moved, e_At @ free)]
    with pytest.raises(DerivationError, match="an inverse, is computed otherwise"):
        equal(paper, kernel(steps))


def test_what_the_claim_has_no_letter_for_is_refused(paper: Paper) -> None:
    with pytest.raises(DerivationError, match="E of the claim is nothing in the program"):
        equal(paper, kernel(), letters={})
    with pytest.raises(DerivationError, match="Y"):
        equal(paper, kernel(), returns={"x": "Y"})
    with pytest.raises(DerivationError, match="equals the only solution of a flow"):
        equal(paper, kernel(), claim="other")
    with pytest.raises(Unequal, match="returns no y"):
        equal(paper, kernel(), returns={"x": "X", "y": "X"})


def test_constants_of_the_claim_are_inputs_and_symmetric_where_it_says_so(paper: Paper) -> None:
    wide = Letter("A", "n", "n", diagonal=True)
    steps = [(e_At, exponential(wide * t)), PRIMITIVES[1], (moved, e_At @ back)]
    returns = {"x": moved @ e_At}
    made = Kernel("wide", says="It moves.", inputs=[wide, P, t], steps=steps, returns=returns, domain="any")
    with pytest.raises(DerivationError, match="A is not what it is in the claim"):
        equal(paper, made)
    with pytest.raises(DerivationError, match="E is not what it is in the claim"):
        equal(paper, kernel(), letters={"E": e_At, "A": A * t})


def test_a_kernel_may_cut_the_matrices_into_blocks(paper: Paper) -> None:
    S = Letter("S", "m", "k")
    square = Blocks([[0 * S @ S.T, S], [S.T, 0 * S.T @ S]])
    cut = {name: Blocks([[Letter(f"{name}_{i}{j}", i, j) for j in "mk"] for i in "mk"]) for name in ("E", "P", "B")}
    given = [letter for letter in cut["P"] if isinstance(letter, Letter)]

    def made(sign: int) -> Kernel:
        steps = [(cut["E"], exponential(square * t))]
        returns = {"x": cut["E"] @ (sign * cut["P"]) @ cut["E"]}
        return Kernel("in_blocks", says="It moves.", inputs=[S, *given, t], steps=steps, returns=returns, domain="any")

    plain = Paper("plain", title="Linear", authors="Somebody", year=2026, source="", numbered=0)
    slots: dict[str, Any] = {"values": {X: E @ P @ E}, "rates": {X: A @ X + X @ A}, "starts": {X: P}}
    motion, begin = {E: Fraction(1, 2) * (A @ E + E @ A)}, {E: identity("n")}
    plain.claim("Section 1", name="solution", says="It moves.")(
        lambda: prove.by("solution of a matrix flow", **slots, motion=motion, begin=begin, through={}, drift={})
    )
    letters = {"A": square, "E": cut["E"], "P": cut["P"]}
    assert equal(plain, made(1), letters=letters).verdict is Verdict.PROVED
    assert equal(plain, made(-1), letters=letters).verdict is not Verdict.PROVED


test_statements_have_their_verdicts = FAMILIES.verdicts()
