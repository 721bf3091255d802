"""Theorems about ranks, squares and determinants of matrices."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, relation, shown
from derivations.recheck.kinds.schemas.motion import (
    LINKS,
    equation,
    inner,
    moved,
    moved_by,
    names_in_rules,
    one,
    require_that_t_is_the_time,
)
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, above_zero, added, conclusion, equal, negative
from derivations.recheck.kinds.words import read_letters
from derivations.recheck.kinds.words.formulas import names_in


def _squares(slots: Data) -> tuple[Needs, Data]:
    lefts, rights = slots["lefts"], slots["rights"]
    if len(lefts) != len(rights):
        raise Rejected("left and right sides must be equally many")
    norms = [("norm2", ("+", inner(a), ("*", ("q", "-1"), inner(b)))) for a, b in zip(lefts, rights, strict=True)]
    needs = {"squares": equation(slots, (1, 1), ("+", *norms), ("q", "0"))}
    each = tuple(equation(slots, a["shape"], inner(a), inner(b)) for a, b in zip(lefts, rights, strict=True))
    return needs, each[0] if len(each) == 1 else {"kind": "all", "parts": each}


def _rank(slots: Data) -> tuple[Needs, Data]:
    product, core = slots["product"], slots["core"]
    left, right = inner(slots["left"]), inner(slots["right"])
    height, width = core["shape"]
    needs = {
        "product": equation(slots, product["shape"], inner(product), ("@", left, inner(core), right)),
        "left": equation(slots, (height, height), ("@", inner(slots["left_inverse"]), left), ("I", height)),
        "right": equation(slots, (width, width), ("@", right, inner(slots["right_inverse"])), ("I", width)),
    }
    return needs, conclusion("equal ranks", slots, product=product, core=core)


def _gram(slots: Data) -> tuple[Needs, Data]:
    left, right = slots["left"], slots["right"]
    if left["shape"] != right["shape"]:
        raise Rejected("the two matrices must have one shape")
    size = (left["shape"][0],) * 2
    first, second = (("@", inner(side), ("T", inner(side))) for side in (left, right))
    return {"gram": equation(slots, size, first, second)}, conclusion("rotated", slots, left=left, right=right)


def _determinants(slots: Data) -> tuple[Needs, Data]:
    letters = slots["letters"]
    read_letters(letters)
    needs: Needs = {}
    hypotheses: list[Term] = []
    names: set[str] = set()
    sizes: set[object] = set()
    for number, sides in enumerate(slots["products"], 1):
        if len(sides) != 2 or not (sides[0] or sides[1]):
            raise Rejected("an equation between products has two sides that are not both empty")
        for side in sides:
            for factor in side:
                plain = factor[:-1] if factor.endswith("'") else factor
                if plain not in letters:
                    raise Rejected(f"the letter {shown(plain)} is not declared")
                names.add(plain)
                sizes |= {letters[plain]["rows"], letters[plain]["cols"]}
        if len(sizes) != 1:
            raise Rejected("matrices whose determinants are compared must be square and of one size")
        size = next(iter(sizes))
        left, right = (("@", ("I", size), *map(_factor, side)) for side in sides)
        needs[f"product {number}"] = equation(slots, (size, size), left, right)
        dets = [("*", ("q", "1"), *(("s", _symbol(factor)) for factor in side)) for side in sides]
        hypotheses.append(("=", *dets))
    supposed = tuple(map(relation, slots["supposing"]))
    hypotheses += [r for r in supposed if r[0] == "="]
    goal, weights = relation(slots["goal"]), slots["weights"]
    if goal[0] != "=" or len(weights) != len(hypotheses):
        raise Rejected("what follows for determinants is an equation, with a weight for each that it follows from")
    free = {"symbols": {f"det_{name}": () for name in sorted(names)}, "assuming": ()}
    parts = [("*", w, ("+", h[1], negative(h[2]))) for w, h in zip(weights, hypotheses, strict=True)]
    needs["goal"] = equal(free, ("*", slots["scale"], ("+", goal[1], negative(goal[2]))), added(parts))
    needs["scale"] = above_zero(free | {"assuming": supposed}, slots["scale"])
    return needs, conclusion("determinants", slots, supposing=slots["supposing"], goal=slots["goal"])


def _factor(text: str) -> Term:
    return ("T", ("L", text[:-1])) if text.endswith("'") else ("L", text)


def _symbol(text: str) -> str:
    return "det_" + (text[:-1] if text.endswith("'") else text)


def _determinant_flow(slots: Data) -> tuple[Needs, Data]:
    letters, motion, matrix = slots["letters"], slots["motion"], slots["matrix"]
    read_letters(letters)
    require_that_t_is_the_time(slots)
    relative = names_in(slots["relative"])
    for name in [*motion, *relative]:
        if name not in letters or set(LINKS) & set(letters[name]):
            raise Rejected(f"{name} must be a declared letter without a definition")
    for name in (relative & names_in_rules(slots)) - set(motion):
        if "orthonormal_columns" not in letters[name]:
            raise Rejected(f"{name} may grow without bound, as a hypothesis speaks of it")
    if names_in(matrix) & (moved_by(motion, letters) - set(motion)):
        raise Rejected("the matrix must be a polynomial in the letters that move")
    square = (matrix["shape"][0],) * 2
    trace = ("tr", ("@", inner(slots["inverse"]), inner(slots["rate"])))
    needs = {
        "rate": equation(slots, square, moved(inner(matrix), motion, letters), inner(slots["rate"])),
        "inverse": equation(slots, square, ("@", inner(slots["inverse"]), inner(matrix)), one(matrix["shape"])),
        "relative rate": equation(slots, (1, 1), trace, inner(slots["relative"])),
    }
    return needs, conclusion("determinant keeps its sign", slots, matrix=matrix, motion=motion)


THEOREMS = {
    "sum of squares": Theorem(
        "Real matrices whose squared distances add up to zero are equal, one by one.",
        {"lefts": "words", "rights": "words"},
        _squares,
    ),
    "rank of a product": Theorem(
        "A matrix has the same rank as its product with matrices that have an inverse from the left, on its left, and"
        " from the right, on its right.",
        dict.fromkeys(("product", "left", "core", "right", "left_inverse", "right_inverse"), "word"),
        _rank,
    ),
    "equal Gram matrices": Theorem(
        "Two real matrices A and B of one shape with A A' = B B' differ by an orthogonal matrix: A = B O.",
        {"left": "word", "right": "word"},
        _gram,
    ),
    "determinants multiply": Theorem(
        "Equal products of square matrices have equal products of determinants, and a matrix has the determinant of its"
        " transpose: an equation holds that is, times a positive number, a combination of these.",
        {
            "products": "products",
            "supposing": "relations",
            "goal": "relation",
            "weights": "terms",
            "scale": "term",
        },
        _determinants,
    ),
    "determinant of a flow": Theorem(
        "While a square matrix A moves smoothly, d det A = tr(A^-1 dA) det A; where that trace is a polynomial in what"
        " moves, det A does not vanish later if it does not at first, and keeps its sign for as long as the flow goes"
        " on.",
        {"matrix": "word", "rate": "word", "inverse": "word", "relative": "word", "motion": "motion"},
        _determinant_flow,
    ),
}
