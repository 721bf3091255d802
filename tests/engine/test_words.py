"""Matrices of any size: what is proved, refuted and left open, and that words compute as matrices do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import pytest
from case_files import Cases
from drawn import drawn
from each import each
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations.audit.ledger import plain
from derivations.language.words import (
    Letter,
    ShapeError,
    Words,
    along,
    gradient,
    identity,
    letters,
    mean,
    norm2,
    substitute,
    trace,
    zero,
)
from derivations.language.words.algebra import written_out
from derivations.language.words.instances import Instance, value_of
from derivations.prove import words
from derivations.prove.certificate import Certificate, Verdict
from derivations.prove.words import Hypothesis, decide, statement
from derivations.recheck import check
from derivations.recheck.core.errors import Rejected

FAMILIES = Cases(__file__, globals())

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def judged(left: Words, right: Words | int = 0, assuming: list[Hypothesis] | None = None) -> Certificate:
    """The certificate, after recheck has accepted its JSON."""
    certificate = words(left, right, assuming or [])
    check(plain(certificate))
    return certificate


class TwoPoints:
    """The linearised loss of two data points, and its gradient flow, in any number of dimensions."""

    D_y, D_h = Letter("D_y", "n_y", "n_h"), Letter("D_h", "n_h", "n_x")
    x1, x2 = Letter("x1", "n_x", 1), Letter("x2", "n_x", 1)
    y1, y2, ybar = (Letter(name, "n_y", 1) for name in ("y1", "y2", "ybar"))
    tau_h, tau_y = Letter("tau_h", 1, 1, positive=True), Letter("tau_y", 1, 1, positive=True)
    rate_h, rate_y = Letter("rate_h", 1, 1, inverse_of=tau_h), Letter("rate_y", 1, 1, inverse_of=tau_y)
    dx, target = x2 - x1, y2 - y1
    dh = D_h @ dx
    dy = D_y @ dh
    first, second = ybar + HALF * D_y @ D_h @ (x1 - x2) - y1, ybar + HALF * D_y @ D_h @ (x2 - x1) - y2
    loss = HALF * mean([norm2(first), norm2(second)])
    flow: ClassVar = {D_h: -rate_h * gradient(loss, D_h), D_y: -rate_y * gradient(loss, D_y)}
    w = norm2(dy) - dy.T @ target
    per_length = Letter("per_length", 1, 1, inverse_of=norm2(dh))
    growth = Letter("growth", 1, 1)
    straight = (along(dh, flow), growth * dh)


two = TwoPoints()


def output_rate(factor: Fraction) -> Words:
    per_point = norm2(two.dx) * norm2(two.dy) * two.per_length
    return -factor * two.w * (two.rate_y * norm2(two.dh) + two.rate_h * per_point)


class DeepLinear:
    """A two-layer linear network on whitened inputs, of any three widths."""

    W1, W2, S = Letter("W1", "n_h", "n_i"), Letter("W2", "n_o", "n_h"), Letter("S", "n_o", "n_i")
    loss = HALF * norm2(W2 @ W1 - S)
    flow: ClassVar = {W1: -gradient(loss, W1), W2: -gradient(loss, W2)}
    balance = (W2.T @ W2, W1 @ W1.T)
    a, b, c, d = W1.T @ W1, W1.T @ W2.T, W2 @ W1, W2 @ W2.T


net = DeepLinear()


def test_gradient_flow_is_a_riccati_equation_block_by_block_exactly_under_balance() -> None:
    a, b, c, d, s = net.a, net.b, net.c, net.d, net.S
    blocks = [
        (a, s.T @ c + b @ s - a @ a - b @ c),
        (b, s.T @ d + a @ s.T - a @ b - b @ d),
        (c, s @ a + d @ s - c @ a - d @ c),
        (d, s @ b + c @ s.T - c @ b - d @ d),
    ]
    for block, right in blocks:
        assert judged(along(block, net.flow), right, [net.balance]).verdict is Verdict.PROVED
        assert judged(along(block, net.flow), right + block, [net.balance]).verdict is Verdict.REFUTED
    needs_balance = [judged(along(block, net.flow), right).verdict for block, right in blocks]
    assert needs_balance == [Verdict.REFUTED, Verdict.PROVED, Verdict.PROVED, Verdict.REFUTED]


def test_whitened_inputs_turn_the_data_into_its_correlation() -> None:
    xs = [Letter(f"x{i}", "n_i", 1) for i in range(3)]
    ys = [Letter(f"y{i}", "n_o", 1) for i in range(3)]
    loss = HALF * mean([norm2(net.c @ x - y) for x, y in zip(xs, ys, strict=True)])
    correlation = mean([y @ x.T for x, y in zip(xs, ys, strict=True)])
    whitened = (mean([x @ x.T for x in xs]), identity("n_i"))
    formula = net.W2.T @ (net.c - correlation)
    assert judged(gradient(loss, net.W1), formula, [whitened]).verdict is Verdict.PROVED
    assert judged(gradient(loss, net.W1), formula).verdict is Verdict.REFUTED
    assert judged(gradient(loss, net.W1), 2 * formula, [whitened]).verdict is Verdict.REFUTED


def test_a_letter_that_moves_must_keep_commuting_whichever_of_the_two_declares_it() -> None:
    a, b = Letter("A", "n", "n"), Letter("B", "n", "n")
    c = Letter("C", "n", "n", commutes_with=[a])
    with pytest.raises(ShapeError, match="commute"):
        along(a @ c, {a: b})
    assert judged(along(a @ c, {a: a}), a @ c).verdict is Verdict.PROVED
    square: dict[str, Any] = {"rows": "n", "cols": "n"}
    moved = ["along", ["@", ["L", "A"], ["L", "C"]], [["A", ["L", "B"]]]]
    sides = [{"shape": ["n", "n"], "formula": f} for f in (moved, ["@", ["L", "B"], ["L", "C"]])]
    letters = {"A": square, "B": square, "C": square | {"commutes_with": ["A"]}}
    forged = {"kind": "words", "letters": letters, "rules": [], "left": sides[0], "right": sides[1]}
    somewhere = {"dims": {"n": 1}, "matrices": {name: [["1"]] for name in letters}}
    with pytest.raises(Rejected, match="keep commuting"):
        check(
            {
                "statement": forged,
                "verdict": "proved",
                "method": "rewriting",
                "payload": {"steps": [], "inhabited": somewhere},
            }
        )


@each(("dims", "matrices"), FAMILIES["candidates of impossible size are refused in a sentence"])
def test_candidates_of_impossible_size_are_refused_in_a_sentence(dims: Any, matrices: Any) -> None:
    a, b = Letter("A", "n", "m"), Letter("B", "m", "n")
    with pytest.raises(ShapeError, match="a candidate"):
        words(a @ b, 2 * a @ b, among=[{"dims": dims, "matrices": matrices}])


LEAVING = FAMILIES["leaving"]


@each("what", [*LEAVING])
def test_a_rate_that_leaves_what_is_declared_is_refused(what: str) -> None:
    letter, rate = LEAVING[what]
    with pytest.raises(ShapeError, match="leaves that"):
        along(letter, {letter: rate(letter)})


@each("wrong", FAMILIES["what does not fit is refused in a sentence"])
def test_what_does_not_fit_is_refused_in_a_sentence(wrong: Any) -> None:
    with pytest.raises(ShapeError, match=" "):
        wrong()


def test_a_statement_whose_shapes_were_broken_is_refused() -> None:
    broken = json.loads(json.dumps(statement(two.D_y @ two.D_h, zero("n_y", "n_x"))))
    broken["left"]["formula"][1:] = reversed(broken["left"]["formula"][1:])
    with pytest.raises(ShapeError):
        decide(broken)


def test_every_changed_coefficient_of_a_proved_statement_is_refuted() -> None:
    right = net.S.T @ net.c + net.b @ net.S - net.a @ net.a - net.b @ net.c
    data = statement(along(net.a, net.flow), right, [net.balance])
    for side, of in (("left", along(net.a, net.flow)), ("right", right)):
        for term, coefficient in of.terms.items():
            formula = written_out({**of.terms, term: 2 * coefficient}, of.shape)
            mutant = {**data, side: {"shape": list(of.shape), "formula": formula}}
            assert decide(json.loads(json.dumps(mutant))).verdict is Verdict.REFUTED


@pytest.mark.laws  # by default the ledger of some claims is compared so
def test_certificates_are_the_same_bytes_under_any_hash_seed() -> None:
    script = (
        "import json, sys; sys.path[:0] = ['tests', 'tests/engine']; import test_words as t\n"
        "right = t.output_rate(t.HALF)\n"
        "for a in ([t.two.straight], []):\n"
        "    print(json.dumps(t.words(t.along(t.norm2(t.two.dy), t.two.flow), right, a).as_json()))\n"
    )
    root = Path(__file__).parents[2]
    said = set()
    for seed in ("1", "77"):
        env = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join((str(root), str(root / "tests")))}
        said.add(
            subprocess.run([sys.executable, "-c", script], cwd=root, env=env, capture_output=True, check=True).stdout
        )
    assert len(said) == 1
    assert b"steps" in said.pop()


# the arithmetic of words against the arithmetic of matrices

A, B, C = Letter("A", "n", "m"), Letter("B", "m", "n"), Letter("C", "n", "n", symmetric=True)
P, Q, K = Letter("p", "n", 1), Letter("q", "m", 1), Letter("k", 1, 1)
SIZES = st.fixed_dictionaries({"n": st.integers(0, 3), "m": st.integers(0, 3)})


def matrices(draw: Any, sizes: dict[str, int]) -> Instance:
    at = Instance(sizes, {})
    for letter in (A, B, C, P, Q, K):
        rows, cols = (1 if d == 1 else sizes[str(d)] for d in letter.shape)
        entries = draw(st.lists(st.integers(-3, 3), min_size=rows * cols, max_size=rows * cols))
        matrix = fmpq_mat(rows, cols, entries)
        at.matrices[letter.name] = matrix + matrix.transpose() if letter.symmetric else matrix
    return at


@st.composite
def square(draw: Any, depth: int = 3) -> Words:
    """Words of shape n x n that mix products, transposes, numbers, traces and sums."""
    if depth == 0:
        return draw(st.sampled_from([A @ B, B.T @ A.T, C, P @ P.T, A @ Q @ P.T, identity("n")]))
    a, b = draw(square(depth - 1)), draw(square(0))
    coefficient = Fraction(draw(st.integers(-3, 3)), 2)
    return draw(
        st.sampled_from([a @ b, b @ a.T, a + coefficient * b, (P.T @ b @ P) * a, trace(b) * a, (Q.T @ B @ P) * a])
    )


def at_value(w: Words, at: Instance) -> Any:
    return value_of(w.terms, w.shape, at)


@settings(max_examples=drawn(60), deadline=None)
@given(st.data())
def test_words_compute_as_their_matrices_do(data: st.DataObject) -> None:
    at = matrices(data.draw, data.draw(SIZES))
    a, b = data.draw(square()), data.draw(square(1))
    va, vb = at_value(a, at), at_value(b, at)
    assert at_value(a @ b, at) == va * vb
    assert at_value(a - b, at) == va - vb
    assert at_value(a.T, at) == va.transpose()
    assert at_value(trace(a), at)[0, 0] == sum((va[i, i] for i in range(va.nrows())), fmpq(0))
    assert (a @ b).T == b.T @ a.T
    assert trace(a @ b) == trace(b @ a)


@settings(max_examples=drawn(60), deadline=None)
@given(st.data())
def test_the_gradient_is_the_directional_derivative_in_every_direction(data: st.DataObject) -> None:
    """Five points give the derivative of a polynomial of degree four exactly; the loss has degree at most four."""
    loss = trace(data.draw(square(1)) @ data.draw(square(0)))
    letter = data.draw(st.sampled_from([A, B, P, Q, K]))
    step = Letter("step", *letter.shape)
    moved = {k: substitute(loss, {letter: letter + k * step}) for k in (-2, -1, 1, 2)}
    difference = (moved[-2] - 8 * moved[-1] + 8 * moved[1] - moved[2]) / 12
    high = sum(s.count(letter.name) + s.count(letter.name + "'") for m in loss.terms for s in m[0])
    if high <= 4:
        assert difference == trace(gradient(loss, letter).T @ step)
    assert along(loss, {letter: step}) == trace(gradient(loss, letter).T @ step)


def test_letters_that_are_declared_together_are_those_declared_one_by_one() -> None:
    U, x, row, rate = letters("U: n x m, x: n, row: 1 x m, rate")
    one_by_one = (Letter("U", "n", "m"), Letter("x", "n", 1), Letter("row", 1, "m"), Letter("rate", 1, 1))
    assert (U, x, row, rate) == one_by_one
    assert all(one.declared() == other.declared() for one, other in zip((U, x, row, rate), one_by_one, strict=True))
    assert letters("D_inv", inverse_of=Letter("D", "n", "n", diagonal=True)).diagonal
    assert letters("A", equals=U @ U.T).shape == ("n", "n")


test_statements_have_their_verdicts = FAMILIES.verdicts()
