"""Rocq and statements about matrices of any size and sums of any range: what it accepts, and what it does not."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases

from derivations import prove
from derivations.language.sums import Array, Range, size
from derivations.language.words import Letter, along, gradient, identity, norm2
from derivations.rocq.compiling import Answer, Compiler
from derivations.rocq.exported import Exported
from derivations.rocq.exporters import exported

FAMILIES = Cases(__file__, globals())

NEEDS_ROCQ = pytest.mark.skipif(shutil.which("coqtop") is None, reason="Rocq is not installed")
A, B, U = Letter("A", "n", "m"), Letter("B", "m", "n"), Letter("U", "n", "m", orthonormal_columns=True)
S, X, Y = Letter("S", "n", "n", symmetric=True), Letter("X", "m", "p"), Letter("Y", "n", "p")
RANGE = Range("K")
K, M = RANGE.index("k"), RANGE.index("m")
G, H, ROOT = Array("g", RANGE), Array("h", RANGE), Array("root")

TRUE: dict[str, Any] = {
    "products": lambda: prove.words((A @ B @ S).T, S @ B.T @ A.T),
    "columns": lambda: prove.words(U.T @ A, identity("m"), [(A, U)]),
    "gradients": lambda: prove.words(gradient(norm2(A @ X - Y), A), 2 * (A @ X - Y) @ X.T),
    "motion": lambda: prove.words(along(A @ A.T, {A: S @ A}), S @ A @ A.T + A @ A.T @ S),
    "sums": lambda: prove.sums(G[K] * H[M], H[K] * H[M], [(ROOT[()] * ROOT[()], size(RANGE)), (G[K], H[K])]),
    "unequal sums": lambda: prove.sums(G[K] * H[M], H[K] * G[M]),
    "unequal": lambda: prove.words(A @ B, B.T @ A.T),
    "unequal columns": lambda: prove.words(U @ U.T, identity("n")),
}


def changed(theorem: Exported) -> Exported:
    """The proof of a theorem beside the statement of another."""
    for old, new in (("2%:R", "3%:R"), ("S^T = S ->", "S = S ->"), ("<>", "="), ("_^T", "_")):
        if old in theorem.statement:
            return Exported(theorem.statement.replace(old, new), theorem.proof, theorem.imports, theorem.lemmas)
    head, _, conclusion = theorem.statement.rpartition("\n")
    return Exported(f"{head}\n{conclusion} + 1", theorem.proof, theorem.imports, theorem.lemmas)


@NEEDS_ROCQ
def test_rocq_confirms_statements_about_arrays_and_refuses_changed_ones(tmp_path: Path) -> None:
    theorems = {f"c_{k}": exported(made().as_json()) for k, made in enumerate(TRUE.values())}
    lies = {name.replace("c_", "l_"): changed(theorem) for name, theorem in theorems.items()}
    answers = dict[str, Answer]()
    Compiler(tmp_path, 2).answers({**theorems, **lies}, answers.update)
    assert {name for name, answer in answers.items() if answer.confirmed} == {*theorems}
    assert {axiom for answer in answers.values() for axiom in answer.axioms} == set()


test_statements_have_their_verdicts = FAMILIES.verdicts()
