"""Instances for statements about matrices and sums: those of the models of a paper, then any that fit."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.sums.formulas import in_normal_form
from derivations.language.sums.instances import instances as any_arrays
from derivations.prove.words import Problem
from derivations.prove.words.loewner import Claimed

Drawn = tuple[Mapping[str, int], Mapping[str, Any], str]
LIMIT = 120  # attempts of the search for matrices


def of_models(models: Sequence[Any], names: set[str], seeds: range, values: type) -> Iterator[Drawn]:
    """Instances of the models that have such values for some of these letters, every kind in turn."""
    for model in models:
        for seed in seeds:
            for kind in model.KINDS:
                at = _instance(model, kind, seed)
                known = {name: at[name] for name in names if name in at and isinstance(at[name], values)}
                if known:
                    yield at.sizes, known, f"{at.model}, {kind} instance {seed}"


@lru_cache(maxsize=1 << 12)  # the first seeds of every kind meet one statement after the other
def _instance(model: Any, kind: str, seed: int) -> Any:
    return model.instance(kind, seed)


def for_matrices(statement: Any, models: Sequence[Any], count: int) -> Iterator[Drawn]:
    """Instances for a statement about matrices, with the sizes of all dimensions."""
    letters = statement["letters"]
    given = {name for name, declared in letters.items() if not {"equals", "inverse_of"} & set(declared)}
    for _, known, name in of_models(models, given, range(count), fmpq_mat):
        sizes = _sizes(letters, known)
        if sizes is not None:
            yield *completed(letters, sizes, known, name), name
    search = Claimed(statement).search if statement["kind"] == "loewner" else Problem(statement).search()
    found = search.instances(range(LIMIT))
    for number, at in enumerate(islice(found, count)):
        name = f"random matrices {number}"
        yield *completed(letters, at.sizes, at.matrices, name), name


def completed(
    letters: Mapping[str, Any], sizes: Mapping[str, int], known: Mapping[str, Any], seed: str
) -> tuple[dict[str, int], dict[str, Any]]:
    """Sizes and matrices with random ones for what is missing: a letter that cancels, or that an instance has not."""
    rng = random.Random(seed)
    basic = {name: declared for name, declared in letters.items() if not {"equals", "inverse_of"} & set(declared)}
    every, found = dict(sizes), dict(known)
    for declared in basic.values():
        for dimension in (declared["rows"], declared["cols"]):
            if dimension != 1:
                every.setdefault(dimension, rng.randint(1, 3))
    for name, declared in basic.items():
        if name not in found:
            rows, cols = (1 if d == 1 else every[d] for d in (declared["rows"], declared["cols"]))
            found[name] = _drawn(declared, rows, cols, rng)
    return every, found


def _drawn(declared: Mapping[str, Any], rows: int, cols: int, rng: random.Random) -> Any:
    """A matrix with the plain properties that a letter is declared to have."""
    places = [(i, j) for i in range(rows) for j in range(cols)]
    entry = {at: fmpq(rng.choice((-5, -2, -1, 1, 3, 4)), rng.randint(1, 3)) for at in places}
    if declared.get("positive"):
        entry = {at: abs(value) for at, value in entry.items()}
    if declared.get("symmetric"):
        entry = {(i, j): entry[min(i, j), max(i, j)] for i, j in entry}
    if declared.get("diagonal"):
        entry = {(i, j): value if i == j else fmpq(0) for (i, j), value in entry.items()}
    if declared.get("orthonormal_columns"):
        entry = {(i, j): fmpq(int(i == j)) for i, j in entry}
    return fmpq_mat(rows, cols, [entry[at] for at in places])


def _sizes(letters: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, int] | None:
    """The sizes of dimensions, from the matrices that have them; None where two matrices do not agree."""
    sizes: dict[str, int] = {}
    for name, matrix in known.items():
        for dimension, size in zip((letters[name]["rows"], letters[name]["cols"]), _shape(matrix), strict=True):
            if (size != 1) if dimension == 1 else sizes.setdefault(dimension, size) != size:
                return None
    return sizes


def _shape(matrix: Any) -> tuple[int, int]:
    return matrix.nrows(), matrix.ncols()


def for_arrays(statement: Any, models: Sequence[Any], count: int) -> Iterator[Drawn]:
    """Instances for a statement about sums."""
    yield from of_models(models, set(statement["arrays"]), range(count), dict)
    for number, at in enumerate(islice(any_arrays(in_normal_form(statement)), count)):
        yield at.sizes, at.arrays, f"random arrays {number}"
