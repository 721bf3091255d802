"""Statements about products of matrices, confronted with exact matrices: instances of models, and any others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, count
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.audit.probe.jets import Jet, NoMatrix

Formula = Any


class NotGiven(ArithmeticError):
    """An instance has no matrix for a letter of the statement."""


class Evaluation:
    """The value of the formulas of one statement at one instance, computed from what the letters are."""

    def __init__(self, letters: Mapping[str, Any], sizes: Mapping[str, int], given: Mapping[str, Any]) -> None:
        self.letters, self.sizes, self.given = letters, sizes, given
        self.fresh = count()

    def side(self, side: Any, known: dict[str, Jet] | None = None) -> Jet:
        """The value of one side of a statement."""
        return self.formula(side["formula"], {} if known is None else known)

    def letter(self, name: str, known: dict[str, Jet]) -> Jet:
        """The value of a letter; one that is defined by others is computed from them, so that it moves with them."""
        if name not in known:
            declared = self.letters[name]
            if "equals" in declared:
                known[name] = self.side(declared["equals"], known)
            elif "inverse_of" in declared:
                known[name] = self.side(declared["inverse_of"], known).inverse()
            elif name in self.given:
                known[name] = Jet.still(self.given[name])
            else:
                raise NotGiven(name)
        return known[name]

    def formula(self, formula: Formula, known: dict[str, Jet]) -> Jet:
        head, *parts = formula
        match head:
            case "L":
                return self.letter(parts[0], known)
            case "q":
                return Jet.still(fmpq_mat(1, 1, [_exact(parts[0])]))
            case "I":
                return Jet.still(self.unit(parts[0]))
            case "0":
                return Jet.still(fmpq_mat(self.size(parts[0]), self.size(parts[1])))
            case "along":
                direction = next(self.fresh)
                speeds = {name: self.formula(rate, known) for name, rate in parts[1]}
                moving = {name: self.letter(name, known).moving(direction, speed) for name, speed in speeds.items()}
                return self.formula(parts[0], moving | self.still(known, moving)).speed(direction)
            case "gradient":
                return self.gradient(parts[0], parts[1], known)
            case "at":
                values = {name: self.formula(value, known) for name, value in parts[1]}
                return self.formula(parts[0], values | self.still(known, values))
        return self.combined(head, [self.formula(part, known) for part in parts if not isinstance(part, int)], parts)

    def still(self, known: dict[str, Jet], changed: dict[str, Jet]) -> dict[str, Jet]:
        """The letters that do not change with others: those that an instance gives, or that stand for given values."""
        return {name: jet for name, jet in known.items() if name not in changed and not self.is_derived(name)}

    def is_derived(self, name: str) -> bool:
        declared = self.letters.get(name, {})
        return "equals" in declared or "inverse_of" in declared

    @staticmethod
    def combined(head: str, inner: list[Jet], parts: list[Any]) -> Jet:
        first = inner[0]
        match head:
            case "+":
                for other in inner[1:]:
                    first += other
            case "@" | "*":
                for other in inner[1:]:
                    first = first @ other
            case "^":
                first = first.inverse() if parts[1] < 0 else first
                base = first
                for _ in range(abs(parts[1]) - 1):
                    first = first @ base
            case "T":
                first = first.T
            case "tr":
                first = first.trace()
            case "norm2":
                first = (first.T @ first).trace()
            case _:
                raise NotGiven(f"an operation {head}")
        return first

    def gradient(self, of: Formula, name: str, known: dict[str, Jet]) -> Jet:
        """The derivatives of a number by the entries of a letter, one by one."""
        here = self.letter(name, known)
        rows, cols = here.shape
        found = Jet.still(fmpq_mat(rows, cols))
        for i in range(rows):
            for j in range(cols):
                one = fmpq_mat(rows, cols)
                one[i, j] = 1
                direction = next(self.fresh)
                moving = {name: here.moving(direction, Jet.still(one))}
                slope = self.formula(of, moving | self.still(known, moving)).speed(direction)
                found += Jet.still(one) @ slope
        return found

    @staticmethod
    def outer_unit(rows: int, cols: int) -> Any:
        return fmpq_mat(rows, cols, [int(i == j) for i in range(rows) for j in range(cols)])

    def unit(self, dimension: Any) -> Any:
        size = self.size(dimension)
        return self.outer_unit(size, size)

    def size(self, dimension: Any) -> int:
        if dimension == 1:
            return 1
        if dimension not in self.sizes:
            raise NotGiven(str(dimension))
        return self.sizes[dimension]


def _exact(text: Any) -> Any:
    fraction = Fraction(text)
    return fmpq(fraction.numerator, fraction.denominator)


def confront(
    statement: Any, instances: Iterator[tuple[Mapping[str, int], Mapping[str, Any], str]]
) -> Iterator[str | None]:
    """Return what contradicts an equality of matrices at each instance that has all letters and satisfies the
    hypotheses.
    """
    for sizes, given, name in instances:
        at = Evaluation(statement["letters"], sizes, given)
        try:
            if not supposed(at, statement):
                continue
            yield None if holds(at, statement) else f"for {name} both sides differ"
        except (NotGiven, NoMatrix):
            continue


def supposed(at: Evaluation, statement: Any) -> bool:
    """Check whether an instance is as the letters are declared, and satisfies the hypotheses."""
    return fits(at) and all(holds(at, each) for each in (*statement["rules"], *statement.get("orders", ())))


def holds(at: Evaluation, said: Any) -> bool:
    """Check whether an equation or an inequality holds at an instance."""
    if "relation" not in said:
        return equal(at, said["left"], said["right"])
    gap = (at.side(said["left"]) + at.side(said["right"]).times(fmpq(-1))).value
    size = range(gap.nrows())
    minors = (fmpq_mat(len(of), len(of), [gap[i, j] for i in of for j in of]).det() for of in _subsets(size))
    above = all(minor > 0 if said["relation"] == ">" else minor >= 0 for minor in minors)
    return above and bool(gap == gap.transpose())


def _subsets(places: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """All choices of rows but the empty one: a matrix is semidefinite where each of these minors is not negative."""
    chosen = list(places)
    return (of for count in range(1, len(chosen) + 1) for of in combinations(chosen, count))


def equal(at: Evaluation, left: Any, right: Any) -> bool:
    difference = at.side(left) + at.side(right).times(fmpq(-1))
    return all(entry == 0 for entry in difference.value.entries())


def fits(at: Evaluation) -> bool:
    """Check whether every letter that has a value has its shape, and the properties that it is declared to have."""
    known: dict[str, Jet] = {}
    for name, declared in at.letters.items():
        try:
            matrix = at.letter(name, known).value
        except NotGiven:
            continue  # a formula may replace it everywhere; where it does not, it is missed there
        if (matrix.nrows(), matrix.ncols()) != (at.size(declared["rows"]), at.size(declared["cols"])):
            return False
        if not all(test(matrix) for flag, test in PROPERTIES.items() if declared.get(flag)):
            return False
        partners = [at.letter(other, known).value for other in declared.get("commutes_with", ())]
        if any(matrix * other != other * matrix for other in partners):
            return False
    return True


PROPERTIES: dict[str, Callable[[Any], Any]] = {
    "symmetric": lambda m: m == m.transpose(),
    "orthonormal_columns": lambda m: m.transpose() * m == Evaluation.outer_unit(m.ncols(), m.ncols()),
    "diagonal": lambda m: all(m[i, j] == 0 for i in range(m.nrows()) for j in range(m.ncols()) if i != j),
    "positive": lambda m: m[0, 0] > 0,
    "nonzero": lambda m: m[0, 0] != 0,
}
