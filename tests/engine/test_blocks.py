"""Block matrices compute as the matrices that they cut up, and only what is cut alike fits together."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from case_files import Cases
from each import each
from flint import fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.words import Letter, zero
from derivations.language.words.blocks import Blocks, along_blocks
from derivations.language.words.instances import Instance, value_of
from derivations.prove.certificate import Verdict
from derivations.recheck import check

FAMILIES = Cases(__file__, globals())

SIZES = {"n": 2, "m": 3, "k": 1}
A, B, C, D = Letter("A", "n", "n"), Letter("B", "n", "m"), Letter("C", "m", "n"), Letter("D", "m", "m")
G, H = Letter("G", "n", "k"), Letter("H", "m", "k")
S = Letter("S", "m", "m", symmetric=True)

SQUARE = FAMILIES["square"]
TALL = FAMILIES["tall"]

squares = st.recursive(
    st.sampled_from(SQUARE),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] @ pair[1]),
        inner.map(lambda blocks: blocks.T),
    ),
    max_leaves=4,
)
entries = st.integers(-3, 3)


@st.composite
def instances(draw: st.DrawFn) -> Instance:
    at = Instance(SIZES, {})
    for letter in (A, B, C, D, G, H, S):
        rows, cols = (SIZES[str(d)] for d in letter.shape)
        drawn = fmpq_mat(rows, cols, draw(st.lists(entries, min_size=rows * cols, max_size=rows * cols)))
        at.matrices[letter.name] = drawn + drawn.transpose() if letter.symmetric else drawn
    return at


def assembled(blocks: Blocks, at: Instance) -> Any:
    """The one matrix that the blocks cut up."""
    rows: list[list[Any]] = []
    for row in blocks.rows:
        values = [value_of(block.terms, block.shape, at) for block in row]
        rows += [[v[i, j] for v in values for j in range(v.ncols())] for i in range(values[0].nrows())]
    return fmpq_mat(len(rows), len(rows[0]), [entry for row in rows for entry in row])


@given(squares, squares, instances())
def test_sums_differences_and_products_of_blocks_are_those_of_the_matrices(a: Blocks, b: Blocks, at: Instance) -> None:
    left, right = assembled(a, at), assembled(b, at)
    assert assembled(a + b, at) == left + right
    assert assembled(a - b, at) == left - right
    assert assembled(a @ b, at) == left * right


@given(squares, st.sampled_from(TALL), instances())
def test_a_product_with_a_tall_matrix_a_transpose_and_a_multiple_are_those_of_the_matrices(
    a: Blocks, tall: Blocks, at: Instance
) -> None:
    assert assembled(a @ tall, at) == assembled(a, at) * assembled(tall, at)
    assert assembled((a @ tall).T, at) == assembled(tall, at).transpose() * assembled(a, at).transpose()
    assert assembled(Fraction(2, 3) * -a, at) == assembled(a, at) * -2 / 3
    assert (tall.T @ tall).only == G.T @ G + H.T @ H if tall is TALL[0] else (tall.T @ tall).only.shape == ("k", "k")


@given(squares, instances())
def test_blocks_move_by_the_product_rule(a: Blocks, at: Instance) -> None:
    flow = {A: A @ A, C: C @ A}
    moved = along_blocks(a @ a, flow)
    assert assembled(moved, at) == assembled(along_blocks(a, flow) @ a + a @ along_blocks(a, flow), at)


# --- statements about blocks ------------------------------------------------------------------------------------------

W1, W2, T = Letter("W1", "h", "i"), Letter("W2", "o", "h"), Letter("T", "o", "i")
STACK = Blocks([[W1.T], [W2]])
TASK = Blocks([[zero("i", "i"), T.T], [T, zero("o", "o")]])
GRAM = STACK @ STACK.T


@each(("left", "right", "balanced", "verdict"), FAMILIES["a statement about blocks is judged block by block"])
def test_a_statement_about_blocks_is_judged_block_by_block(
    left: Blocks, right: Blocks | int, balanced: bool, verdict: Verdict
) -> None:
    certificate = prove.words(left, right, [(W2.T @ W2, W1 @ W1.T)] if balanced else [])
    assert certificate.verdict is verdict
    check(plain(certificate))


test_statements_have_their_verdicts = FAMILIES.verdicts()
