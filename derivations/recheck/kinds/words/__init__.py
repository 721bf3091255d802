"""Checks certificates about matrices of any size: by multiplying out cofactors, and by exact matrices.

The statement's and payload's formats are described in `derivations/prove/words/__init__.py`; this module shares no code
with it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mat

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.statements import MATRICES, check_offered
from derivations.recheck.kinds.words.alphabet import (
    STEP_WORK,
    Alphabet,
    Block,
    Json,
    Number,
    Size,
    Sum,
    Word,
    accumulate,
    exact,
    require,
)
from derivations.recheck.kinds.words.formulas import Values, closed, free_in, require_grounded

Matrix = Any  # flint.fmpq_mat, which has no type stubs

MAX_SIZE = 200  # rows of an exact matrix
ENTRY_WORK = 100  # see `spend`
SPECIAL = {"orthonormal_columns", "inverse_of", "equals", "commutes_with"}  # not to be had for matrices of every size
STATEMENT_KEYS = {"kind", "letters", "rules", "left", "right", "among"}
Equation = tuple[Block, Block]


def check_words(certificate: Json) -> None:
    """Raises Rejected unless the payload proves the verdict on the statement; OPEN has nothing to check."""
    try:
        _check(certificate)
    except Rejected:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {type(error).__name__}: {error}") from error


def _check(certificate: Json) -> None:
    statement, verdict, payload = certificate["statement"], certificate["verdict"], certificate["payload"]
    require(statement["kind"] == "words", "the statement is not about words")
    require(set(statement) <= STATEMENT_KEYS, "the statement has unknown parts")
    check_offered(statement, MATRICES)
    values = read_letters(statement["letters"])
    left, right = values.side(statement["left"]), values.side(statement["right"])
    values.alphabet.same_shape(left, right)
    rules = [(values.side(r["left"]), values.side(r["right"])) for r in statement["rules"]]
    for a, b in rules:
        values.alphabet.same_shape(a, b)
    if verdict == "proved":
        _check_proof(values, statement, (left, right), rules, payload)
    elif verdict == "refuted":
        _check_witness(values, statement, (left, right), rules, payload["witness"])
    else:
        require(verdict == "open", f"words are never {verdict}")


def read_letters(letters: Json) -> Values:
    """The declared letters, once they are known to fit what their declarations say."""
    values = Values(Alphabet(letters))
    require_grounded(letters)
    for name, data in letters.items():
        for link in ("inverse_of", "equals"):
            if link in data:
                related = values.side(data[link])
                require((related.rows, related.cols) == (data["rows"], data["cols"]), f"{name} and its {link} differ")
    return values


def _check_proof(values: Values, statement: Json, sides: Equation, rules: list[Equation], payload: Json) -> None:
    cofactors = Cofactors(values, rules)
    goal = values.alphabet.difference(sides[0], sides[1])
    total: Sum = {}
    for cofactor in payload["cofactors"]:
        part = cofactors.value(cofactor, goal)
        require((part.rows, part.cols) == (goal.rows, goal.cols), "a cofactor has another shape than the sides")
        accumulate(total, part.terms, exact(cofactor["coefficient"]))
    require(total == goal.terms, "the cofactors do not add up to the difference of the sides")
    at = instance(values, statement, payload["inhabited"])
    check_instance(values, rules, at)
    require_given(cofactors.used, values, at)


def _check_witness(values: Values, statement: Json, sides: Equation, rules: list[Equation], witness: Json) -> None:
    at = instance(values, statement, witness)
    check_instance(values, rules, at)
    found = [evaluated(side, at) for side in sides]
    require(found[0] != found[1], "both sides agree on the witness")
    for value, said in zip(found, (witness["left"], witness["right"]), strict=True):
        require(value == matrix(said, value.nrows(), value.ncols()), "the witness reports another value of a side")


class Cofactors:
    """What declarations and hypotheses say is zero, in the contexts that a proof puts around them."""

    def __init__(self, values: Values, rules: list[Equation]) -> None:
        self.values, self.alphabet, self.rules = values, values.alphabet, rules
        self.used: set[str] = set()  # the letters whose declarations a proof leans on

    def value(self, data: Json, goal: Block) -> Block:
        """scalars * (left R right), its trace if so marked, times the outer word if there is one."""
        alphabet, relation = self.alphabet, self.relation(data["rule"])
        if data["transposed"]:
            relation = alphabet.transpose(relation)
        before, after = alphabet.single(data["left"], relation.rows), alphabet.single(data["right"], relation.cols)
        inner = alphabet.product(alphabet.product(before, relation), after)
        if data["trace"]:
            inner = alphabet.traced(inner)
        numbers = tuple(n for s in data["scalars"] for n in alphabet.number(s))
        factor = Block(1, 1, {alphabet.term(numbers, ()): Fraction(1)})
        if data["outer"] is None:
            return alphabet.scaled(factor, inner)
        return alphabet.scaled(alphabet.scaled(factor, inner), alphabet.single(data["outer"], goal.rows))

    def relation(self, rule: list[Any]) -> Block:
        """What a basic rule says is zero, after checking that the declarations say so."""
        alphabet, (kind, *about) = self.alphabet, rule
        if kind == "hypothesis":
            (k,) = about
            require(type(k) is int and 0 <= k < len(self.rules), "a hypothesis that the statement does not have")
            return alphabet.difference(self.rules[k][0], self.rules[k][1])
        if kind == "commute":
            self.used |= {*about}
            return self.commutation(*about)
        (name,) = about
        self.used.add(name)
        a, data = alphabet.letter(name), alphabet.letters[name]
        if kind == "equals":
            return alphabet.difference(a, self.values.side(data["equals"]))
        if kind in ("inverse left", "inverse right"):
            base = self.values.side(data["inverse_of"])
            both = alphabet.product(a, base) if kind == "inverse left" else alphabet.product(base, a)
            return alphabet.difference(both, alphabet.unit(a.rows))
        require(kind in ("orthonormal", "orthogonal"), f"an unknown rule {kind!r}")
        require("orthonormal_columns" in data, f"{name} is not declared to have orthonormal columns")
        if kind == "orthonormal":
            return alphabet.difference(alphabet.product(alphabet.transpose(a), a), alphabet.unit(a.cols))
        require(a.rows == a.cols, f"{name} is not square, so its rows need not be orthonormal")
        return alphabet.difference(alphabet.product(a, alphabet.transpose(a)), alphabet.unit(a.rows))

    def commutation(self, first: str, second: str) -> Block:
        a, b = self.alphabet.letter(first), self.alphabet.letter(second)
        x, y = self.alphabet.letters[first], self.alphabet.letters[second]
        self.alphabet.same_shape(a, b)
        diagonal = "diagonal" in x and "diagonal" in y
        require(diagonal or second in x.get("commutes_with", []), f"{first} and {second} are not declared to commute")
        return self.alphabet.difference(self.alphabet.product(a, b), self.alphabet.product(b, a))


# exact matrices


class Instance(NamedTuple):
    """Sizes of the dimensions, and an exact matrix for every letter of which a statement speaks."""

    sizes: dict[str, int]
    matrices: dict[str, Matrix]


def instance(values: Values, statement: Json, data: Json) -> Instance:
    sizes, alphabet = data["dims"], values.alphabet
    require(set(sizes) == alphabet.dimensions, "the instance has other dimensions than the letters")
    small = all(type(n) is int and 1 <= n <= MAX_SIZE for n in sizes.values())
    require(small, f"a dimension of an instance must be 1 to {MAX_SIZE}: empty matrices show nothing")
    given = set(data["matrices"])
    require(needed(values, statement) <= given <= set(alphabet.letters), "the instance has other letters")
    matrices = {}
    for name, rows in data["matrices"].items():
        letter = alphabet.letters[name]
        matrices[name] = matrix(rows, size_of(letter["rows"], sizes), size_of(letter["cols"], sizes))
    return Instance(sizes, matrices)


def needed(values: Values, statement: Json) -> set[str]:
    """The letters that an instance must give: one that cancels may be left out, if every size has matrices like it."""
    letters = values.alphabet.letters
    sides = [part[side] for part in (statement, *statement["rules"]) for side in ("left", "right")]
    special = {name for side in sides for name in free_in(side, letters) if SPECIAL & set(letters[name])}
    return closed(special.union(*(values.alphabet.used(values.side(side)) for side in sides)), letters)


def require_given(used: set[str], values: Values, at: Instance) -> None:
    """An instance has every letter on whose declaration a proof leans, so that there are such matrices."""
    missing = sorted(closed(used, values.alphabet.letters) - set(at.matrices))
    require(not missing, f"the proof leans on what is declared of {', '.join(missing)}, which the instance lacks")


def size_of(size: Size, sizes: dict[str, int]) -> int:
    return 1 if size == 1 else sizes[str(size)]


def matrix(rows: list[list[str]], height: int, width: int) -> Matrix:
    require(len(rows) == height and all(len(row) == width for row in rows), "a matrix has another size than its letter")
    entries = [exact(entry) for row in rows for entry in row]
    return fmpq_mat(height, width, [fmpq(e.numerator, e.denominator) for e in entries])


def one(n: int) -> Matrix:
    return fmpq_mat(n, n, [1 if i == j else 0 for i in range(n) for j in range(n)])


def evaluated(block: Block, at: Instance) -> Matrix:
    sizes, matrices = at
    rows = size_of(block.rows, sizes)
    total = fmpq_mat(rows, size_of(block.cols, sizes))
    for (numbers, word), coefficient in block.terms.items():
        scale = fmpq(coefficient.numerator, coefficient.denominator)
        for number in numbers:
            scale *= number_value(number, sizes, matrices)
            spend(STEP_WORK + 10 * int(scale.p).bit_length())
        value = multiplied(word, matrices) if word else one(rows)
        total = total + value * scale
    return total


def multiplied(word: Word, matrices: dict[str, Matrix]) -> Matrix:
    factors = [matrices[name].transpose() if turned else matrices[name] for name, turned in word]
    value = factors[0]
    for factor in factors[1:]:
        bits = max((int(e.p).bit_length() + int(e.q).bit_length() for e in value.entries()), default=0)
        spend(STEP_WORK + value.nrows() * value.ncols() * factor.ncols() * (ENTRY_WORK + 10 * bits))
        value = value * factor
    return value


def number_value(number: Number, sizes: dict[str, int], matrices: dict[str, Matrix]) -> Any:
    kind, word, size = number
    if kind == "dim":
        return fmpq(sizes[size])
    value = multiplied(word, matrices)
    return value[0, 0] if kind == "loop" else sum((value[i, i] for i in range(value.nrows())), fmpq(0))


def check_instance(values: Values, rules: list[Equation], at: Instance) -> None:
    """Every declaration and every hypothesis holds for these matrices."""
    for name in at.matrices:
        check_declared(values, name, at)
    for k, (left, right) in enumerate(rules):
        require(evaluated(left, at) == evaluated(right, at), f"hypothesis {k} fails on the instance")


def check_declared(values: Values, name: str, at: Instance) -> None:
    """Everything that is declared of a letter holds for its matrix."""
    data, matrices = values.alphabet.letters[name], at.matrices
    m = matrices[name]
    holds: dict[str, Callable[[], Any]] = {
        "symmetric": lambda: m == m.transpose(),
        "diagonal": lambda: all(m[i, j] == 0 for i in range(m.nrows()) for j in range(m.ncols()) if i != j),
        "orthonormal_columns": lambda: m.transpose() * m == one(m.ncols()),
        "positive": lambda: m[0, 0] > 0,
        "nonzero": lambda: m[0, 0] != 0,
        "commutes_with": lambda: all(m * matrices[n] == matrices[n] * m for n in data["commutes_with"]),
        "inverse_of": lambda: m * evaluated(values.side(data["inverse_of"]), at) == one(m.nrows()),
        "equals": lambda: m == evaluated(values.side(data["equals"]), at),
    }
    for what in sorted(set(data) - {"rows", "cols"}):
        require(bool(holds[what]()), f"on the instance {name} is not what it is declared to be: {what}")
