"""Instances for statements about matrices and sums: those of the models of a paper, then any that fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from flint import fmpq_mat

from derivations.language.sums.formulas import in_normal_form
from derivations.language.sums.instances import instances as any_arrays
from derivations.prove.words import Problem

Drawn = tuple[Mapping[str, int], Mapping[str, Any], str]
LIMIT = 120  # attempts of the search for matrices


def of_models(models: Sequence[Any], names: set[str], seeds: range, values: type) -> Iterator[Drawn]:
    """Instances of the models that have such values for some of these letters, every kind in turn."""
    for model in models:
        for seed in seeds:
            for kind in model.KINDS:
                at = model.instance(kind, seed)
                known = {name: at[name] for name in names if name in at and isinstance(at[name], values)}
                if known:
                    yield at.sizes, known, f"{at.model}, {kind} instance {seed}"


def for_matrices(statement: Any, models: Sequence[Any], count: int) -> Iterator[Drawn]:
    """Instances for a statement about matrices, with the sizes of all dimensions."""
    letters = statement["letters"]
    given = {name for name, declared in letters.items() if not {"equals", "inverse_of"} & set(declared)}
    for _, known, name in of_models(models, given, range(count), fmpq_mat):
        sizes = _sizes(letters, known)
        if sizes is not None:
            yield sizes, known, name
    found = Problem(statement).search().instances(range(LIMIT))
    for number, at in enumerate(islice(found, count)):
        yield at.sizes, at.matrices, f"random matrices {number}"


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
