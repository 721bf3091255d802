"""Printed formulas with indices: they agree with exactly the sums that they print, and with no near miss."""

from __future__ import annotations

import pytest

from derivations.language.sums import Array, Index, Range, Sums, size, total
from derivations.latex import (
    Indexed,
    Notation,
    NotThisKind,
    OverPrintedIndices,
    reciprocals,
    settled,
    square_roots,
    values_at,
)
from derivations.latex.formula import Formula
from derivations.latex.printed import Vocabulary

K, N, B = Range("K"), Range("N"), Range("B")
i, j, a, s, s_other = K.index("i"), K.index("j"), N.index("a"), B.index("s"), B.index("s_other")
W, x, g, error = Array("W", K, N), Array("x", B, N), Array("g", K, B), Array("error", B)
per_sample, per_input, root, root_inputs = (Array(name).value for name in ("per_B", "per_N", "per_root", "root"))


def field(of: Index, sample: Index) -> Sums:
    return per_input * total(W[of, a] * x[sample, a], a)


VOCABULARY = Vocabulary(
    Notation(),
    Notation(
        {"W_{i}": "W_i", "W_{j}": "W_j", "x_{s}": "x_s", "x_{s'}": "x_s2", r"\epsilon_{s}": "e_s"},
        letters="i j K N B",
        functions={"g": "g"},
        averages=("",),
    ),
    {
        "W_i": Indexed(W[i, a], a),
        "W_j": Indexed(W[j, a], a),
        "x_s": Indexed(x[s, a], a),
        "x_s2": Indexed(x[s_other, a], a),
        "e_s": Indexed(error[s]),
        "K": Indexed(size(K)),
        "N": Indexed(size(N)),
        "B": Indexed(size(B)),
    },
    {
        "sum": OverPrintedIndices({"i": i, "j": j, "s": s, r"s^{\prime}": s_other}, [K, N, B]),
        "index": lambda *parts: parts,
        "none": lambda: None,
        "inverse": reciprocals({"B": per_sample, "N": per_input, "root": root}),
        "power": square_roots([(size(N), root_inputs)]),
        "g": values_at([(field(at, s), g[at, s]) for at in (i, j)], "g"),
    },
    settled,
)
dot = total(x[s, a] * x[s_other, a], a)


@pytest.mark.parametrize(
    ("latex", "meant"),
    [
        (r"\frac{W_{i}x_{s}}{N}", field(i, s)),
        (r"g\left(\frac{W_{i} x_{s}}{N}\right)", g[i, s]),
        (r"W_{i} (W_{j})^{T}", total(W[i, a] * W[j, a], a)),
        (r"\frac{x_{s}}{\sqrt{N}}", root * x[s, a]),
        (r"\frac{1}{2 B^{2}}\sum_{s=1}^{B}\sum_{s'=1}^{B} x_{s} x_{s'}", per_sample**2 / 2 * total(dot, s, s_other)),
        (r"\sum_{i=1}^{B} \epsilon_{s}", error[s] * size(B)),
        (r"\sum_{i, j} W_{i} (W_{j})^{T}", total(W[i, a] * W[j, a], a, i, j)),
        (r"K \left(W_{i} + 2 W_{j}\right)x_{s}", size(K) * total((W[i, a] + 2 * W[j, a]) * x[s, a], a)),
    ],
)
def test_a_formula_with_indices_means_its_sums(latex: str, meant: Sums) -> None:
    formula = Formula(latex, VOCABULARY)
    assert (formula.right, formula.notes()) == (settled(meant), [])


@pytest.mark.parametrize(
    ("latex", "meant"),
    [
        (r"\frac{W_{i}x_{s}}{N}", field(j, s)),
        (r"x_{s}x_{s}", dot),
        (r"\frac{x_{s}}{\sqrt{N}}", per_input * x[s, a]),
        (r"\sum_{i=1}^{B} \epsilon_{s}", total(error[s], s)),
        (r"\frac{1}{B} W_{i} x_{s}", total(W[i, a] * x[s, a], a) / 2),
    ],
)
def test_a_formula_does_not_mean_a_near_miss(latex: str, meant: Sums) -> None:
    assert Formula(latex, VOCABULARY).right != settled(meant)


@pytest.mark.parametrize(
    ("latex", "why"),
    [
        (r"W_{i} + K", "a vector and a number do not add up"),
        (r"\sum_{i=1}^{2} W_{i}", "the size of no range"),
        (r"\sum_{i=2}^{K} W_{i}", "begins at"),
        (r"\sum_{k=1}^{K} W_{i}", "no index is declared that is printed as k"),
        (r"\frac{1}{K}", "the reciprocal of K"),
        (r"\frac{1}{B + N}", "no letter is declared for the reciprocal"),
        (r"\sqrt{B}", "no letter is declared"),
        (r"g\left(W_{i} x_{s}\right)", "g is not known at"),
    ],
)
def test_a_formula_without_a_meaning_says_why(latex: str, why: str) -> None:
    with pytest.raises(NotThisKind, match=why):
        _ = Formula(latex, VOCABULARY).right
