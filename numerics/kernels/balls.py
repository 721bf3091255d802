"""Programs of kernels carried out in balls: every result is an interval that surely holds the value.

    twin = Twin(inputs, program, returns)
    twin("0.1", 2, 1, digits=50)

Inputs are rows (name, kind, *sizes), a program is {"joined": ..., "body": statements} as lists or tuples, returns are
names. Numbers are taken exactly as written. `digits` is the working precision; radii tell what is left of it, and a
ZeroDivisionError that it is too small to tell a matrix from one without an inverse.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb, arb_mat, ctx

Ball = Any
Known = dict[str, Any]
"""Numbers, arrays as nested lists and matrices, and beside them sizes and indices, each by its name."""
Value = Callable[[Known], Ball]
Step = Callable[[Known], None]


class Twin:
    """A program as a function of exact numbers, `called` being what it calls by name."""

    def __init__(
        self,
        inputs: Sequence[Sequence[str]],
        program: Mapping[str, Any],
        returns: Sequence[str],
        called: Mapping[str, Twin] | None = None,
    ) -> None:
        self.inputs, self.joined, self.returns = inputs, program["joined"], returns
        self.steps = [_step(statement, called or {}) for statement in program["body"]]

    def __call__(self, *arguments: Any, digits: int = 50) -> tuple[Ball, ...]:
        if len(arguments) != len(self.inputs):
            names = ", ".join(name for name, *_ in self.inputs)
            raise TypeError(f"{len(self.inputs)} arguments are needed ({names}), and {len(arguments)} were given")
        known = self.values(arguments, digits)
        return tuple(known[name] for name in self.returns)

    def values(self, arguments: Sequence[Any], digits: int) -> Known:
        """The values of all names of the program."""
        with ctx.workdps(digits):
            known = self._read(arguments)
            self.run(known)
        return known

    def run(self, known: Known) -> None:
        for step in self.steps:
            step(known)

    # --- arguments ----------------------------------------------------------------------------------------------------

    def _read(self, arguments: Sequence[Any]) -> Known:
        known = {row[0]: _given(value, row) for row, value in zip(self.inputs, arguments, strict=True)}
        sizes: dict[str, int] = {}
        for name, kind, *axes in self.inputs:
            for axis, size in zip(axes, _shape(known[name], kind, len(axes)), strict=True):
                sizes.setdefault(axis, 1 if axis == "1" else size)
        for name, kind, *axes in self.inputs:
            if _shape(known[name], kind, len(axes)) != tuple(sizes[axis] for axis in axes):
                raise ValueError(f"{name} is not an array of {' x '.join(axes)}")
            if kind == "symmetric" and any(
                known[name][i][k] != known[name][k][i] for i in range(sizes[axes[0]]) for k in range(i)
            ):
                raise ValueError(f"{name} is not symmetric")
        known |= sizes
        known |= {name: sum(sizes[part] for part in parts) for name, parts in self.joined.items()}
        return known


def exact(value: Any) -> Ball:
    """The number as written: a float's binary value, text such as 0.1, 1/3 or 0x1.8p+3, a ball as it is."""
    if isinstance(value, arb):
        return value
    plain = value.item() if getattr(value, "shape", None) == () else value  # NumPy's numbers
    return _seen(("number", plain, ctx.prec), _number, plain)


def _number(plain: Any) -> Ball:
    number = Fraction(float.fromhex(plain) if isinstance(plain, str) and "0x" in plain else plain)
    return arb(number.numerator) / number.denominator


def _given(value: Any, row: Sequence[str]) -> Any:
    name, kind, *axes = row
    try:
        if kind == "matrix":
            return value if isinstance(value, arb_mat) else arb_mat([list(map(exact, line)) for line in value])
        return _nested(value, len(axes))
    except (TypeError, ValueError, ArithmeticError):  # infinities, text such as 1/0, rows of different lengths
        what = f"an array of {' x '.join(axes)}: give nested rows of finite numbers" if axes else "a finite number"
        raise ValueError(f"{name} is not {what}") from None


def _nested(value: Any, depth: int) -> Any:
    return [_nested(row, depth - 1) for row in value] if depth else exact(value)


def _shape(value: Any, kind: str, depth: int) -> tuple[int, ...]:
    """The lengths of nested lists, which must agree on every level, or those of a matrix."""
    if kind == "matrix":
        return value.nrows(), value.ncols()
    if not depth:
        return ()
    inner = {_shape(row, kind, depth - 1) for row in value}
    if len(inner) > 1:
        raise ValueError("the rows of an array have different lengths")
    return (len(value), *(inner.pop() if inner else (0,) * (depth - 1)))


# --- evaluations that share -------------------------------------------------------------------------------------------

_SEEN: ContextVar[dict[Any, Any] | None] = ContextVar("_SEEN", default=None)


@contextmanager
def sharing() -> Iterator[None]:
    """Inside, what programs call by name is computed once for the same numbers: for evaluations that differ in few."""
    before = _SEEN.set({})
    try:
        yield
    finally:
        _SEEN.reset(before)


def _seen(key: Any, compute: Callable[..., Any], *arguments: Any) -> Any:
    """A memoised result; arguments are kept alive because the key uses id()."""
    seen = _SEEN.get()
    if seen is None:
        return compute(*arguments)
    if key not in seen:
        seen[key] = compute(*arguments), arguments
    return seen[key][0]


# --- statements -------------------------------------------------------------------------------------------------------


def _step(statement: Sequence[Any], called: Mapping[str, Twin]) -> Step:
    head, *rest = statement
    match head:
        case "=":
            return _assigned(rest[0], _cases(rest[1]))
        case "for" | "if":
            return _repeated(head, rest[0], [_step(inner, called) for inner in rest[1]])
        case "sum":
            return _assigned(rest[0], _summed(rest[1], _value(rest[2])))
        case "new":
            return lambda known: known.update({rest[0]: _table([known[size] for size in rest[1]])})
        case "store":
            return _storing(rest[0], rest[1], _value(rest[2]))
        case "call":
            return _calling(called[rest[0]], [_value(operation) for operation in rest[1]], rest[2])
        case "matrix":
            return _cutting(*rest)
    raise ValueError(f"no statement is called {head}")


def _assigned(name: str, value: Value) -> Step:
    def step(known: Known) -> None:
        known[name] = value(known)

    return step


def _repeated(head: str, indices: Sequence[Sequence[str]], steps: Sequence[Step]) -> Step:
    def loop(known: Known) -> None:
        for _ in _places(indices, known):
            for step in steps:
                step(known)

    def condition(known: Known) -> None:
        if all(known[i] == known[k] for i, k in indices):
            for step in steps:
                step(known)

    return loop if head == "for" else condition


def _places(indices: Sequence[Sequence[str]], known: Known) -> Iterator[None]:
    names = [name for name, _ in indices]
    for at in product(*(range(known[size]) for _, size in indices)):
        known.update(zip(names, at, strict=True))
        yield


def _summed(indices: Sequence[Sequence[str]], term: Value) -> Value:
    return lambda known: sum((term(known) for _ in _places(indices, known)), start=arb(0))


def _table(sizes: Sequence[int]) -> Any:
    return [_table(sizes[1:]) for _ in range(sizes[0])] if sizes else None


def _at(positions: Sequence[Sequence[str]], known: Known) -> list[int]:
    return [sum(known[name] for name in position) for position in positions]


def _store(known: Known, name: str, positions: Sequence[Sequence[str]], value: Ball) -> None:
    if not positions:
        known[name] = value
        return
    *outer, last = _at(positions, known)
    rows = known[name]
    for k in outer:
        rows = rows[k]
    rows[last] = value


def _storing(name: str, positions: Sequence[Sequence[str]], value: Value) -> Step:
    return lambda known: _store(known, name, positions, value(known))


def _calling(twin: Twin, operations: Sequence[Value], targets: Sequence[Sequence[Any]]) -> Step:
    names = [name for name, *_ in twin.inputs]

    def results(*given: Ball) -> list[Ball]:
        inner = dict(zip(names, given, strict=True))
        twin.run(inner)
        return [inner[name] for name in twin.returns]

    def step(known: Known) -> None:
        given = [operation(known) for operation in operations]
        values = _seen((twin, ctx.prec, *map(id, given)), results, *given)
        for (name, positions), result in zip(targets, values, strict=True):
            _store(known, name, positions, result)

    return step


# --- numbers ----------------------------------------------------------------------------------------------------------

DECIDED: dict[str, tuple[Callable[[Ball, Ball], bool], Callable[[Ball, Ball], bool]]] = {
    ">": (lambda a, b: a > b, lambda a, b: a <= b),
    ">=": (lambda a, b: a >= b, lambda a, b: a < b),
    "=": (lambda a, b: a == b, lambda a, b: a != b),
    "!=": (lambda a, b: a != b, lambda a, b: a == b),
}
"""Tests of a relation: does it surely hold, and does it surely fail?"""
FUNCTIONS: dict[str, Callable[[Ball], Ball]] = {
    "sqrt": lambda x: arb.nan() if x < 0 else x.nonnegative_part().sqrt(),  # a ball that reaches below zero is cut
    "cbrt": lambda x: x.root(3),
    "abs": abs,
    "relexp": lambda x: x.hypgeom_1f1(1, 2),
    "relexp1": lambda x: x.hypgeom_1f1(2, 3) / 2,
}
NAMED = ("exp", "expm1", "log", "sinh", "cosh", "tanh", "sin", "cos", "erf", "asin")
FUNCTIONS |= {name: getattr(arb, name) for name in NAMED}


def _cases(cases: Sequence[Sequence[Any]]) -> Value:
    """The value of the branch taken; where a condition is not decided, a ball around both."""
    (condition, operation), *others = cases
    value = _value(operation)
    if condition is None:
        return value
    surely, surely_not = DECIDED[condition[0]]
    left, right, rest = _value(condition[1]), _value(condition[2]), _cases(others)

    def taken(known: Known) -> Ball:
        x, y = left(known), right(known)
        if surely(x, y):
            return value(known)
        return rest(known) if surely_not(x, y) else value(known).union(rest(known))

    return taken


def decided(condition: Sequence[Any], known: Known) -> bool | None:
    """Return whether a relation holds; None where the balls do not tell."""
    surely, surely_not = DECIDED[condition[0]]
    left, right = (_value(side)(known) for side in condition[1:])
    return True if surely(left, right) else False if surely_not(left, right) else None


def _value(operation: Sequence[Any]) -> Value:
    head, *rest = operation
    match head:
        case "s":
            return lambda known: known[rest[0]]
        case "q":
            return _constant(Fraction(rest[0]))
        case "pi":
            return lambda _: arb.pi()
        case "size":
            return lambda known: arb(known[rest[0]])
        case "at":
            return _entry(*rest)
        case "*":
            return _fraction(Fraction(rest[0]), list(map(_value, rest[1])), list(map(_value, rest[2])))
        case "^":
            return _power(_value(rest[0]), rest[1])
    first, *others = map(_value, rest)
    if head == "+":
        return _total(first, others)
    if head == "**":
        return lambda known: first(known) ** others[0](known)
    return _applied(FUNCTIONS[head], first)


def _applied(function: Callable[[Ball], Ball], value: Value) -> Value:
    return lambda known: function(value(known))


def _power(base: Value, exponent: int) -> Value:
    """By multiplication: FLINT's own power has no value across zero."""

    def value(known: Known) -> Ball:
        factor = power = base(known)
        for _ in range(exponent - 1):
            power = power * factor
        return power

    return value


def _constant(number: Fraction) -> Value:
    over, under = arb(number.numerator), number.denominator
    return (lambda _: over) if under == 1 else (lambda _: over / under)


def _entry(name: str, positions: Sequence[Sequence[str]]) -> Value:
    def value(known: Known) -> Ball:
        entry = known[name]
        for position in positions:
            entry = entry[known[position[0]] if len(position) == 1 else sum(known[part] for part in position)]
        return entry

    return value


def _total(first: Value, others: Sequence[Value]) -> Value:
    def value(known: Known) -> Ball:
        total = first(known)
        for part in others:
            total = total + part(known)
        return total

    return value


def _fraction(number: Fraction, above: Sequence[Value], below: Sequence[Value]) -> Value:
    over = _factors(number.numerator, above)
    if not below and number.denominator == 1:
        return over
    under = _factors(number.denominator, below)
    return lambda known: over(known) / under(known)


def _factors(number: int, factors: Sequence[Value]) -> Value:
    """The product of a whole number and of what the factors stand for."""
    if not factors:
        return _constant(Fraction(number))
    first, *others = factors

    def value(known: Known) -> Ball:
        number_so_far = first(known) if number == 1 else first(known) * number
        for factor in others:
            number_so_far = number_so_far * factor(known)
        return number_so_far

    return value


def _multiplied(start: Ball, factors: Sequence[Ball]) -> Ball:
    for factor in factors:
        start = start * factor
    return start


# --- matrices ---------------------------------------------------------------------------------------------------------

Sizes = Sequence[str]


def _cutting(names: Sequence[str], heights: Sizes, widths: Sizes, value: Sequence[Any]) -> Step:
    matrix = _matrix(*value)

    def step(known: Known) -> None:
        whole = matrix(known)
        blocks = _cut(whole, _lengths(heights, known), _lengths(widths, known)) if len(names) > 1 else [whole]
        known.update(zip(names, blocks, strict=True))

    return step


def _lengths(sizes: Sizes, known: Known) -> list[int]:
    return [1 if size == "1" else known[size] for size in sizes]


def _matrix(kind: str, rows: Sequence[Sequence[Any]], time: Sequence[Any] | None = None) -> Value:
    def inner(known: Known) -> Ball:
        blocks = [[_words(words, known) for words in row] for row in rows]
        return blocks[0][0] if len(rows) == len(rows[0]) == 1 else _joined(blocks)

    match kind:
        case "blocks":
            return inner
        case "inverse":
            return lambda known: _inverse(inner(known))
        case "exponential" | "diagonal_exponential":
            return lambda known: inner(known).exp()
    assert time is not None
    until = _value(time)
    return lambda known: _integral(inner(known), until(known))


def _inverse(matrix: Ball) -> Ball:
    try:
        return matrix.inv()
    except ZeroDivisionError:
        raise ZeroDivisionError("a matrix has no inverse, or none that these digits can tell: give more") from None


def _words(words: Sequence[Any], known: Known) -> Ball:
    height, width = _lengths(words[:2], known)
    total = arb_mat(height, width)
    for coefficient, numbers, factors in words[2]:
        number = Fraction(coefficient)
        scale = _multiplied(arb(number.numerator), [known[name] for name in numbers])
        value = _product([_named(factor, known) for factor in factors] or [_identity(height)], scale)
        total = total + (value / number.denominator if number.denominator != 1 else value)
    return total


def _named(factor: str, known: Known) -> Ball:
    return known[factor[:-1]].transpose() if factor.endswith("'") else known[factor]


def _product(matrices: Sequence[Ball], scale: Ball) -> Ball:
    first, *others = matrices
    return _multiplied(first * scale, others)


def _identity(n: int) -> Ball:
    return arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def _joined(rows: Sequence[Sequence[Ball]]) -> Ball:
    """One matrix of rows of blocks."""
    lines = [
        [x for part in parts for x in part] for row in rows for parts in zip(*(b.tolist() for b in row), strict=True)
    ]
    return arb_mat(len(lines), sum(block.ncols() for block in rows[0]), [x for line in lines for x in line])


def _cut(matrix: Ball, heights: Sequence[int], widths: Sequence[int]) -> list[Ball]:
    """The blocks of a matrix, row by row."""
    rows, blocks = iter(matrix.tolist()), []
    for height in heights:
        lines = [iter(next(rows)) for _ in range(height)]
        blocks += [arb_mat(height, width, [next(line) for line in lines for _ in range(width)]) for width in widths]
    return blocks


def _integral(matrix: Ball, time: Ball) -> Ball:
    """The integral of exp(A s) over s from zero to the time: the upper right block of exp(time [A, I; 0, 0])."""
    n = matrix.nrows()
    whole = _joined([[matrix * time, _identity(n) * time], [arb_mat(n, 2 * n)]])
    return _cut(whole.exp(), (n, n), (n, n))[1]
