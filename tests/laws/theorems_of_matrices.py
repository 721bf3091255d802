"""Random uses of theorems about matrices, judged by exact small matrices, empty ones among them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import sympy as sp

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table.by import needs_and_conclusion

Json = dict[str, Any]
Matrices = dict[str, sp.Matrix]


def drawn(rng: random.Random, rows: int, cols: int) -> sp.Matrix:
    """A small matrix with many zeros, often of a low rank."""
    found = sp.Matrix(rows, cols, lambda i, j: rng.choice((0, 0, 1, -1, 2, sp.Rational(1, 2))))
    if rng.random() < 0.4 and rows > 1:
        found[rows - 1, :] = found[0, :] * rng.choice((0, 1, -2))
    return found


def sizes(value: sp.Matrix) -> tuple[Any, ...]:
    """Names of the numbers of rows and columns; one is 1."""
    return tuple(1 if size == 1 else f"n{size}" for size in value.shape)


def word(name: str, value: sp.Matrix) -> Json:
    return {"shape": sizes(value), "formula": ("L", name)}


def value(formula: Any, known: Matrices) -> sp.Matrix:
    """A formula with matrices in the places of its letters."""
    head, *parts = formula
    match head:
        case "L":
            return known[parts[0]]
        case "I":
            return sp.eye(int(str(parts[0]).removeprefix("n")))
        case "T":
            return value(parts[0], known).T
        case "@":
            return sp.prod([value(part, known) for part in parts[1:]], start=value(parts[0], known))
        case "q":
            return sp.Rational(parts[0]) * sp.eye(1)
        case "tr":
            return sp.Matrix([[value(parts[0], known).trace()]])
    raise ValueError(f"{head} is not read here")


def use(name: str, letters: Json, known: Matrices) -> tuple[list[bool], Json] | None:
    """Check whether the hypotheses hold for the matrices, and the conclusion; None where the letters do not fit."""
    declared = {n: dict(zip(("rows", "cols"), sizes(m), strict=True)) for n, m in known.items()}
    try:
        with budget():
            needs, concludes = needs_and_conclusion(name, {"letters": declared, "rules": ()} | letters)
    except Rejected:
        return None
    found = []
    for need in needs.values():
        if need["kind"] == "words":
            left, right = (value(need[side]["formula"], known) for side in ("left", "right"))
            found.append(left.shape == right.shape and left == right)
    return found, concludes


def rank(rng: random.Random) -> bool | None:
    n, m, p, r = (rng.randint(0, 3) for _ in range(4))
    if 0 in (n, m):
        n = m = 0  # an empty matrix has no letter of another size beside it
    known = {"A": drawn(rng, p, n), "C": drawn(rng, n, m), "B": drawn(rng, m, r)}
    for name, side in (("A", "left"), ("B", "right")):
        full = known[name].rank() == (n if side == "left" else m)
        wide = known[name] if side == "left" else known[name].T
        inverse = (wide.T * wide).inv() * wide.T if full and wide.cols else sp.zeros(wide.cols, wide.rows)
        known[f"{name}_inv"] = inverse if side == "left" else inverse.T
    product = known["A"] * known["C"] * known["B"]
    known["P"] = product if rng.random() < 0.8 else drawn(rng, *product.shape)
    names = {"product": "P", "left": "A", "core": "C", "right": "B", "left_inverse": "A_inv", "right_inverse": "B_inv"}
    made = use("rank of a product", {slot: word(name, known[name]) for slot, name in names.items()}, known)
    return None if made is None or not all(made[0]) else bool(known["P"].rank() == known["C"].rank())


def gram(rng: random.Random) -> bool | None:
    """A = B O: O is found by completing a basis of the rows."""
    n, m = rng.randint(0, 3), rng.randint(0, 3)
    A = drawn(rng, n, m)
    turn = sp.eye(m)
    if m > 1:
        turn[:2, :2] = sp.Matrix([[sp.Rational(3, 5), sp.Rational(4, 5)], [-sp.Rational(4, 5), sp.Rational(3, 5)]])
    known = {"A": A, "B": A * turn if rng.random() < 0.8 else drawn(rng, n, m)}
    made = use("equal Gram matrices", {"left": word("A", A), "right": word("B", known["B"])}, known)
    if made is None or not all(made[0]):
        return None
    return bool(A.rank() == known["B"].rank() == A.col_join(A).rank() and _same_relations(A, known["B"]))


def _same_relations(A: sp.Matrix, B: sp.Matrix) -> bool:
    """The rows satisfy the same linear relations, so that one isometry takes the ones to the others."""
    return all((vector.T * B).is_zero_matrix for vector in A.T.nullspace())


def determinants(rng: random.Random) -> bool | None:
    n = rng.randint(0, 3)
    A, B = drawn(rng, n, n), drawn(rng, n, n)
    order = rng.choice(("AB", "BA", "A'B"))
    product = {"AB": A * B, "BA": B * A, "A'B": A.T * B}[order]
    known = {"A": A, "B": B, "C": product if rng.random() < 0.8 else drawn(rng, n, n)}
    left = {"AB": ("A", "B"), "BA": ("B", "A"), "A'B": ("A'", "B")}[order]
    goal = ("=", ("*", ("s", "det_A"), ("s", "det_B")), ("s", "det_C"))
    letters = {
        "products": ((left, ("C",)),),
        "supposing": (),
        "goal": goal,
        "weights": (("q", "1"),),
        "scale": ("q", "1"),
    }
    made = use("determinants multiply", letters, known)
    return None if made is None or not all(made[0]) else bool(A.det() * B.det() == known["C"].det())


MAKERS: dict[str, Callable[[random.Random], bool | None]] = {
    "rank of a product": rank,
    "equal Gram matrices": gram,
    "determinants multiply": determinants,
}
"""Each draws letters: True where the hypotheses hold and the conclusion does, False where it does not, else None."""
