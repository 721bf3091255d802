"""Printed formulas with indices: they agree with exactly the sums that they print, and with no near miss."""

from __future__ import annotations

import pytest
from case_files import Cases
from each import each

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

FAMILIES = Cases(__file__, globals())

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


@each(("latex", "meant"), FAMILIES["a formula with indices means its sums"])
def test_a_formula_with_indices_means_its_sums(latex: str, meant: Sums) -> None:
    formula = Formula(latex, VOCABULARY)
    assert (formula.right, formula.notes()) == (settled(meant), [])


@each(("latex", "meant"), FAMILIES["a formula does not mean a near miss"])
def test_a_formula_does_not_mean_a_near_miss(latex: str, meant: Sums) -> None:
    assert Formula(latex, VOCABULARY).right != settled(meant)


@each(("latex", "why"), FAMILIES["a formula without a meaning says why"])
def test_a_formula_without_a_meaning_says_why(latex: str, why: str) -> None:
    with pytest.raises(NotThisKind, match=why):
        _ = Formula(latex, VOCABULARY).right
