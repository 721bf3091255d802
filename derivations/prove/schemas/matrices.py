"""Ranks, roots, squares and determinants of matrices of any size."""

from __future__ import annotations

from derivations.language.terms import Term
from derivations.language.words.formulas import mentioned
from derivations.prove.certificate import Json
from derivations.prove.schemas.motion import along, equation, keep_the_time, moving_with, of, unit
from derivations.prove.schemas.schema import (
    MATRICES,
    Schema,
    SlotError,
    Use,
    concluded,
    identity,
    minus,
    positive,
    total,
)


def sum_of_squares(slots: Json) -> Use:
    lefts, rights = slots["lefts"], slots["rights"]
    if len(lefts) != len(rights):
        raise SlotError("each left side needs a right side")
    pairs = list(zip(lefts, rights, strict=True))
    minus = ("q", "-1")
    squares = (("norm2", ("+", of(a), ("*", minus, of(b)))) for a, b in pairs)
    needs = {"squares": equation(slots, (1, 1), ("+", *squares), ("q", "0"))}
    found = [equation(slots, a["shape"], of(a), of(b)) for a, b in pairs]
    return Use(needs, found[0] if len(found) == 1 else {"kind": "all", "parts": found})


def rank_of_a_product(slots: Json) -> Use:
    product, core = slots["product"], slots["core"]
    left, right = of(slots["left"]), of(slots["right"])
    rows, cols = core["shape"]
    needs = {
        "product": equation(slots, product["shape"], of(product), ("@", left, of(core), right)),
        "left": equation(slots, (rows, rows), ("@", of(slots["left_inverse"]), left), ("I", rows)),
        "right": equation(slots, (cols, cols), ("@", right, of(slots["right_inverse"])), ("I", cols)),
    }
    return Use(needs, concluded("equal ranks", slots, product=product, core=core))


def equal_gram(slots: Json) -> Use:
    left, right = slots["left"], slots["right"]
    if list(left["shape"]) != list(right["shape"]):
        raise SlotError("matrices with equal Gram matrices and one rotation between them have one shape")
    rows = left["shape"][0]
    grams = (("@", of(side), ("T", of(side))) for side in (left, right))
    return Use({"gram": equation(slots, (rows, rows), *grams)}, concluded("rotated", slots, left=left, right=right))


def determinants(slots: Json) -> Use:
    letters = slots["letters"]
    known: dict[str, list[str]] = {}
    facts: list[Term] = []
    needs: dict[str, Json] = {}
    sizes = set()
    for k, sides in enumerate(slots["products"], 1):
        if len(sides) != 2 or not any(sides):
            raise SlotError("an equation between products has two sides, and not two empty ones")
        names = [name.removesuffix("'") for side in sides for name in side]
        sizes |= {letters[name][key] for name in names for key in ("rows", "cols")}
        known |= {f"det_{name}": [] for name in names}
        (size,) = sizes if len(sizes) == 1 else (None,)
        if size is None:
            raise SlotError("determinants multiply where all matrices are square and of one size")
        formulas = [("@", ("I", size), *map(_factor, side)) for side in sides]
        needs[f"product {k}"] = equation(slots, (size, size), *formulas)
        facts.append(
            ("=", *(("*", ("q", "1"), *(("s", f"det_{n.removesuffix(chr(39))}") for n in side)) for side in sides))
        )
    goal, supposed, scale = slots["goal"], slots["supposing"], slots["scale"]
    facts += [relation for relation in supposed if relation[0] == "="]
    if goal[0] != "=" or len(facts) != len(slots["weights"]):
        raise SlotError("the goal is an equation, and each product and each supposed equation needs a weight")
    head = {"symbols": dict(sorted(known.items())), "assuming": []}
    gaps = (("*", weight, ("+", fact[1], minus(fact[2]))) for weight, fact in zip(slots["weights"], facts, strict=True))
    needs["goal"] = identity(head, ("*", scale, ("+", goal[1], minus(goal[2]))), total(gaps))
    needs["scale"] = positive({**head, "assuming": list(supposed)}, scale)
    return Use(needs, concluded("determinants", slots, supposing=supposed, goal=goal))


def _factor(name: str) -> Term:
    return ("T", ("L", name[:-1])) if name.endswith("'") else ("L", name)


def determinant_of_a_flow(slots: Json) -> Use:
    matrix, inverse, letters = slots["matrix"], slots["inverse"], slots["letters"]
    keep_the_time(slots)
    moving = moving_with(slots["motion"], letters)
    if any({"inverse_of", "equals"} & set(letters[name]) for name in slots["motion"]):
        raise SlotError("letters that are defined by others move with these")
    if any({"inverse_of", "equals"} & set(letters[name]) for name in mentioned(slots["relative"])):
        raise SlotError("the relative rate must be a polynomial in letters without definitions, to stay bounded")
    supposed = {n for rule in slots["rules"] for side in ("left", "right") for n in mentioned(rule[side])}
    tied = mentioned(slots["relative"]) & supposed - set(slots["motion"])
    if any("orthonormal_columns" not in letters[name] for name in tied):
        raise SlotError("a letter in the relative rate of which a hypothesis speaks must move or be orthonormal")
    if moving != set(slots["motion"]) and mentioned(matrix) & (moving - set(slots["motion"])):
        raise SlotError("the matrix must be a polynomial in the letters that move")
    rows = matrix["shape"][0]
    relative = ("tr", ("@", of(inverse), of(slots["rate"])))
    needs = {
        "rate": equation(slots, (rows, rows), along(of(matrix), slots["motion"], letters), of(slots["rate"])),
        "inverse": equation(slots, (rows, rows), ("@", of(inverse), of(matrix)), unit(matrix)),
        "relative rate": equation(slots, (1, 1), relative, of(slots["relative"])),
    }
    return Use(needs, concluded("determinant keeps its sign", slots, matrix=matrix, motion=slots["motion"]))


SCHEMAS = (
    Schema(
        "sum of squares",
        "Real matrices whose squared distances add up to zero are equal, one by one.",
        "None but the hypotheses.",
        "Horn and Johnson, Matrix Analysis, Section 5.6.0",
        MATRICES,
        {"lefts": "words", "rights": "words"},
        sum_of_squares,
    ),
    Schema(
        "rank of a product",
        "A matrix has the same rank as its product with matrices that have an inverse from the left, on its left, and"
        " from the right, on its right.",
        "None but the hypotheses.",
        "Horn and Johnson, Matrix Analysis, Section 0.4.6",
        MATRICES,
        dict.fromkeys(("product", "left", "core", "right", "left_inverse", "right_inverse"), "word"),
        rank_of_a_product,
    ),
    Schema(
        "equal Gram matrices",
        "Two real matrices A and B of one shape with A A' = B B' differ by an orthogonal matrix: A = B O.",
        "Both matrices have one shape.",
        "Horn and Johnson, Matrix Analysis, Theorem 7.3.11",
        MATRICES,
        {"left": "word", "right": "word"},
        equal_gram,
    ),
    Schema(
        "determinants multiply",
        "Equal products of square matrices have equal products of determinants, and a matrix has the determinant of its"
        " transpose: an equation holds that is, times a positive number, a combination of these.",
        "All matrices are square and of one size, and determinants are supposed to be no more than real numbers.",
        "Horn and Johnson, Matrix Analysis, Section 0.3",
        MATRICES,
        {
            "products": "products",
            "supposing": "relations",
            "goal": "relation",
            "weights": "terms",
            "scale": "term",
        },
        determinants,
    ),
    Schema(
        "determinant of a flow",
        "While a square matrix A moves smoothly, d det A = tr(A^-1 dA) det A; where that trace is a polynomial in what"
        " moves, det A does not vanish later if it does not at first, and keeps its sign for as long as the flow goes"
        " on.",
        "The trace is a polynomial in letters without definitions, each of which moves, is orthonormal or is not spoken"
        " of by hypotheses, so that it stays bounded on every finite time.",
        "Horn and Johnson, Matrix Analysis, Section 0.8.10 (Jacobi's formula)",
        MATRICES,
        {"matrix": "word", "rate": "word", "inverse": "word", "relative": "word", "motion": "motion"},
        determinant_of_a_flow,
    ),
)
