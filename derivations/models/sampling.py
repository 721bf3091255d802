"""Instances of models: exact numbers for every symbol, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.sums import Sums
from derivations.language.sums import as_json as sums_as_json
from derivations.language.sums.instances import Instance as Arrays
from derivations.language.words import Letter, Words
from derivations.language.words.instances import Instance as Matrices
from derivations.language.words.instances import inverse, is_zero, rotation, value_of
from derivations.text import DerivationError, did_you_mean

Matrix = Any  # flint.fmpq_mat, which has no type stubs
Values = dict[str, Matrix]


class ModelError(DerivationError):
    """A model was asked for a kind of instance, a value, a depth or a size that it does not have."""


@dataclass(frozen=True)
class Instance:
    """Exact numbers for the symbols of a model.

    `at["W1"]` is the value of one letter: a matrix of rationals (python-flint's fmpq_mat) for models in matrices, and a
    dictionary from index values to fractions for models in sums. `at.sizes` are the sizes of the dimensions or ranges.

    >>> from derivations.models import two_layer_linear as m
    >>> at = m.instance("size_one", seed=0)
    >>> at.value(m.Sigma) == at["Sigma"]
    True
    """

    model: str
    kind: str
    seed: int
    values: Matrices | Arrays

    @property
    def sizes(self) -> dict[str, int]:
        return self.values.sizes

    def __getitem__(self, name: str) -> Any:
        known = self._known
        if name not in known:
            raise ModelError(
                f"this instance of {self.model} ({self.kind}) has no value for {name}{did_you_mean(name, known)}"
            )
        return known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._known

    @property
    def _known(self) -> Mapping[str, Any]:
        return self.values.matrices if isinstance(self.values, Matrices) else self.values.arrays

    def value(self, expression: Words | Sums, **at: int) -> Any:
        """The exact value of an expression in the model's symbols.

        Words give a matrix; letters that are declared as an inverse or by a definition are computed from the others.
        Sums give a fraction, at values (from 0) of the free indices. A symbol without a value is a ModelError.
        """
        if isinstance(expression, Sums):
            assert isinstance(self.values, Arrays)
            return self.values.value(sums_as_json(expression), at)
        assert isinstance(self.values, Matrices)
        known = {name: self._letter(letter) for name, letter in expression.letters.items()}
        return value_of(expression.terms, expression.shape, Matrices(self.sizes, known))

    def has(self, *sides: Words | Sums | int) -> bool:
        """Return whether the instance has values for all symbols of some expressions, or for what they are made of."""
        return all(
            x.name in self or (isinstance(x, Letter) and bool(x.related()))
            for side in sides
            for x in (
                side.letters if isinstance(side, Words) else {} if isinstance(side, int) else side.arrays
            ).values()
        )

    def obeys(self, left: Words | Sums, right: Words | Sums | int) -> bool:
        """Return whether two expressions have one value, for all values of free indices."""
        if isinstance(left, Sums):
            difference = left - right
            assert isinstance(self.values, Arrays)
            places = self.values.assignments({name: of.name for name, of in difference.free.items()})
            return not any(self.value(difference, **at) for at in places)
        return is_zero(self.value(left - right))

    def _letter(self, letter: Letter) -> Matrix:
        if letter.name in self:
            return self[letter.name]
        if letter.equals is not None:
            return self.value(letter.equals)
        return inverse(self.value(letter.inverse_of)) if letter.inverse_of is not None else self[letter.name]

    def changed(self, values: Mapping[str, Any]) -> Instance:
        """Return the instance with other values for some letters; everything else stays as it was."""
        known = {**self._known, **values}
        return replace(self, values=_with(self.values, known))

    def as_json(self) -> dict[str, Any]:
        """Sizes and values as text, in the form in which statements are offered examples."""
        return self.values.as_json()


def _with(values: Matrices | Arrays, known: dict[str, Any]) -> Matrices | Arrays:
    return Matrices(values.sizes, known) if isinstance(values, Matrices) else Arrays(values.sizes, known, values.ranges)


Rule = tuple[Words | Sums, Words | Sums | int]
"""An equation between expressions in a model's symbols."""


@dataclass(frozen=True)
class Kind:
    """One kind of instance: what is true of it in words, how to draw one, the equations that hold in it, and what no
    equation says.
    """

    says: str
    draw: Callable[[random.Random], Matrices | Arrays]
    rules: Sequence[Rule] = ()
    also: Callable[[Instance], bool] = lambda _: True


@dataclass(frozen=True)
class Model:
    """A model as it is declared: its kinds of instances, equations that hold in all of them, its loss, and which
    letters move, each at its pace.
    """

    name: str
    kinds: Mapping[str, Kind]
    rules: Sequence[Rule]
    loss: Words | Sums
    moving: Mapping[Letter, Words] = field(default_factory=dict)
    also: Callable[[Instance], bool] = lambda _: True

    def instance(self, kind: str, seed: int) -> Instance:
        """A random instance of the model: the same kind and seed give the same exact numbers everywhere.

        `kind` is a key of the model's KINDS, which say what is true of the instances; any other name is a ModelError.
        """
        if kind not in self.kinds:
            raise ModelError(
                f"{self.name} has no instances of the kind {kind!r}{did_you_mean(kind, self.kinds)}; "
                f"it has: {', '.join(self.kinds)}"
            )
        return Instance(self.name, kind, seed, self.kinds[kind].draw(random.Random(f"{self.name} {kind} {seed}")))

    def holds(self, at: Instance) -> bool:
        """Return whether all that the model and the instance's kind declare is exactly true of it."""
        kind = self.kinds[at.kind]
        rules = [rule for rule in self.rules if at.has(*rule)]
        return self.also(at) and all(at.obeys(*rule) for rule in (*rules, *kind.rules)) and kind.also(at)

    def loss_at(self, at: Instance) -> Any:
        """The loss of an instance, as an exact number."""
        value = at.value(self.loss)
        return value if isinstance(value, Fraction) else value[0, 0]

    def rates(self, at: Instance) -> Values:
        """How an instance moves: minus the exact derivatives of the loss by all entries, at the paces of the letters.

        They come from differences of the loss, which is of second degree in each entry: no rule of differentiation is
        used.
        """
        return {
            letter.name: at.value(pace)[0, 0]
            * partial_derivatives(lambda moved, x=letter: self.loss_at(at.changed({x.name: moved})), at[letter.name])  # type: ignore[misc]
            * -1
            for letter, pace in self.moving.items()
        }


# --- exact derivatives ------------------------------------------------------------------------------------------------


def partial_derivatives(of: Callable[[Matrix], Any], at: Matrix) -> Matrix:
    """The derivatives by every entry of a matrix, exact for what is of second degree in each single entry.

    Then half of the difference between one step forward and one step back is the derivative.

    >>> partial_derivatives(lambda m: m[0, 0] ** 2 * m[0, 1], fmpq_mat(1, 2, [3, 5]))
    [30, 9]
    """
    slopes = fmpq_mat(at.nrows(), at.ncols())
    for i in range(at.nrows()):
        for j in range(at.ncols()):
            step = fmpq_mat(at.nrows(), at.ncols())
            step[i, j] = 1
            slopes[i, j] = (of(at + step) - of(at - step)) / 2
    return slopes


def speed(of: Callable[[Instance], Any], at: Instance, rates: Mapping[str, Matrix]) -> Any:
    """The rate of change of a quantity of an instance whose matrices move at the given rates.

    Exact where the quantity is a polynomial of at most fourth degree along a straight line: a number or a matrix.
    """

    def along(steps: int) -> Any:
        return of(at.changed({name: at[name] + rate * fmpq(steps) for name, rate in rates.items()}))

    return ((along(1) - along(-1)) * 8 - (along(2) - along(-2))) * fmpq(1, 12)


# --- exact matrices ---------------------------------------------------------------------------------------------------


def fraction(rng: random.Random, *, zero: bool = True) -> Any:
    """A small rational number of either sign."""
    numerators = (-5, -3, -2, -1, 1, 2, 3, 4, *([0, 0] if zero else []))
    return fmpq(rng.choice(numerators), rng.choice((1, 1, 2, 3)))


def positive(rng: random.Random) -> Any:
    return fmpq(rng.randint(1, 5), rng.choice((1, 1, 2, 3)))


def free(rng: random.Random, rows: int, cols: int) -> Matrix:
    """Any entries."""
    return fmpq_mat(rows, cols, [fraction(rng) for _ in range(rows * cols)])


def number(value: Any) -> Matrix:
    return fmpq_mat(1, 1, [value])


def rectangle(rows: int, cols: int, values: list[Any]) -> Matrix:
    """Values on the main diagonal, zeros elsewhere."""
    matrix = fmpq_mat(rows, cols)
    for k, value in enumerate(values[: min(rows, cols)]):
        matrix[k, k] = value
    return matrix


def part(of: Matrix, first: int, last: int) -> Matrix:
    """Columns from the first to before the last."""
    entries = [of[i, j] for i in range(of.nrows()) for j in range(first, last)]
    return fmpq_mat(of.nrows(), last - first, entries)


def square_sum(matrix: Matrix) -> Any:
    return sum((entry * entry for entry in matrix.entries()), fmpq(0))


def turned(rng: random.Random, side: int) -> Matrix:
    """An orthogonal matrix of rationals."""
    return rotation(side, rng)


def as_fraction(value: Any) -> Fraction:
    return Fraction(int(value.p), int(value.q)) if isinstance(value, fmpq) else Fraction(value)
