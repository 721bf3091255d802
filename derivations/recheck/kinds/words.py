"""Checks certificates about matrices of any size: by multiplying out cofactors, and by exact matrices.

The statement's and payload's formats are described in `derivations/prove/words/__init__.py`; this module shares no code
with it. A word is a tuple of (letter, turned) pairs. A term is (numbers, word): a sorted tuple of numbers, each a loop
of factors or the size of a dimension, that commute with everything, and one word that does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from flint import fmpq, fmpq_mat

from derivations.recheck.budget import spend
from derivations.recheck.errors import Rejected

Json = dict[str, Any]
Size = str | int
Factor = tuple[str, bool]
Word = tuple[Factor, ...]
Number = tuple[str, Word, str]  # ("loop", factors, "") from 1 to 1, ("trace", factors, ""), or ("dim", (), name)
Term = tuple[tuple[Number, ...], Word]
Sum = dict[Term, Fraction]
Matrix = Any  # flint.fmpq_mat, which has no type stubs

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RATIONAL = re.compile(r"-?[0-9]{1,2000}(/[0-9]{1,2000})?", re.ASCII)
MAX_SIZE, MAX_WORD = 200, 1000  # rows of an exact matrix, factors of a word
STEP_WORK, ENTRY_WORK = 1000, 100  # see `spend`
FLAGS = ("symmetric", "diagonal", "orthonormal_columns", "positive", "nonzero")
LETTER_KEYS = {"rows", "cols", *FLAGS, "commutes_with", "inverse_of", "equals"}
STATEMENT_KEYS = {"kind", "letters", "rules", "left", "right", "among"}


class Block(NamedTuple):
    """A sum with its shape."""

    rows: Size
    cols: Size
    terms: Sum


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
    alphabet = Alphabet(statement["letters"])
    left, right = alphabet.block(statement["left"]), alphabet.block(statement["right"])
    alphabet.same_shape(left, right)
    rules = [(alphabet.block(r["left"]), alphabet.block(r["right"])) for r in statement["rules"]]
    for a, b in rules:
        alphabet.same_shape(a, b)
    if verdict == "proved":
        _check_proof(alphabet, (left, right), rules, payload)
    elif verdict == "refuted":
        _check_witness(alphabet, (left, right), rules, payload["witness"])
    else:
        require(verdict == "open", f"words are never {verdict}")


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise Rejected(complaint)


def _check_proof(alphabet: Alphabet, sides: Equation, rules: list[Equation], payload: Json) -> None:
    goal = alphabet.difference(sides[0], sides[1])
    total: Sum = {}
    for cofactor in payload["cofactors"]:
        part = alphabet.cofactor(cofactor, goal, rules)
        require((part.rows, part.cols) == (goal.rows, goal.cols), "a cofactor has another shape than the sides")
        accumulate(total, part.terms, exact(cofactor["coefficient"]))
    require(total == goal.terms, "the cofactors do not add up to the difference of the sides")
    sizes, matrices = instance(alphabet, payload["inhabited"])
    check_instance(alphabet, rules, sizes, matrices)


def _check_witness(alphabet: Alphabet, sides: Equation, rules: list[Equation], witness: Json) -> None:
    sizes, matrices = instance(alphabet, witness)
    check_instance(alphabet, rules, sizes, matrices)
    values = [evaluated(side, sizes, matrices) for side in sides]
    require(values[0] != values[1], "both sides agree on the witness")
    for value, said in zip(values, (witness["left"], witness["right"]), strict=True):
        require(value == matrix(said, value.nrows(), value.ncols()), "the witness reports another value of a side")


def exact(text: Any) -> Fraction:
    written = isinstance(text, str) and RATIONAL.fullmatch(text) is not None
    require(written, f"{text!r} is not an exact rational")
    return Fraction(text)


def accumulate(total: Sum, part: Sum, scale: Fraction) -> None:
    for term, coefficient in part.items():
        total[term] = total.get(term, Fraction(0)) + scale * coefficient
        if not total[term]:
            del total[term]


class Alphabet:
    """The declared letters, and the arithmetic of sums of words in them."""

    def __init__(self, letters: Json) -> None:
        self.letters = letters
        self.dimensions: set[str] = set()
        for name, data in letters.items():
            require(NAME.fullmatch(name) is not None, f"{name!r} cannot name a letter")
            require(set(data) <= LETTER_KEYS, f"{name} is declared with unknown properties")
            self.note_size(data["rows"])
            self.note_size(data["cols"])
        for name in letters:
            self._check_declaration(name)
        grounded: set[str] = set()
        for name in letters:
            self._check_grounded(name, (), grounded)

    def note_size(self, size: Any) -> None:
        """A dimension is the integer 1 or a name, which is remembered."""
        if type(size) is int and size == 1:
            return
        require(isinstance(size, str) and NAME.fullmatch(size) is not None, f"{size!r} is no dimension")
        self.dimensions.add(size)

    def _check_declaration(self, name: str) -> None:
        data = self.letters[name]
        shape = (data["rows"], data["cols"])
        for flag in FLAGS:
            require(flag not in data or data[flag] is True, f"{name}: {flag} is declared by true or not at all")
        square = any(k in data for k in ("symmetric", "diagonal", "commutes_with", "inverse_of"))
        require(not square or shape[0] == shape[1], f"{name} is not square, but is declared as if it were")
        require(shape == (1, 1) or not ("positive" in data or "nonzero" in data), f"{name} is not 1x1, but has a sign")
        for link in ("inverse_of", "equals"):
            if link in data:
                related = self.block(data[link])
                require((related.rows, related.cols) == shape, f"{name} and its {link} differ in shape")
        for other in data.get("commutes_with", []):
            partner = (self.letters[other]["rows"], self.letters[other]["cols"])
            require(partner == shape, f"{name} cannot commute with {other}")

    def _check_grounded(self, name: str, path: tuple[str, ...], grounded: set[str]) -> None:
        require(name not in path, f"{name} is defined by itself")
        if name in grounded:
            return
        for link in ("inverse_of", "equals"):
            if link in self.letters[name]:
                for other in self.used(self.block(self.letters[name][link])):
                    self._check_grounded(other, (*path, name), grounded)
        grounded.add(name)

    @staticmethod
    def used(block: Block) -> set[str]:
        numbers = {n for scalars, _ in block.terms for _, loop, _ in scalars for n, _ in loop}
        return numbers | {n for _, word in block.terms for n, _ in word}

    # factors and words

    def own_transpose(self, name: str) -> bool:
        data = self.letters[name]
        return "symmetric" in data or "diagonal" in data or (data["rows"] == 1 and data["cols"] == 1)

    def factor(self, text: str) -> Factor:
        name = text[:-1] if text.endswith("'") else text
        require(name in self.letters, f"the letter {name!r} is not declared")
        return (name, text.endswith("'") and not self.own_transpose(name))

    def ends(self, factor: Factor) -> tuple[Size, Size]:
        data = self.letters[factor[0]]
        return (data["cols"], data["rows"]) if factor[1] else (data["rows"], data["cols"])

    def path(self, word: Word) -> list[Size]:
        """The dimensions through which a non-empty word passes."""
        require(len(word) <= MAX_WORD, f"a word has more than {MAX_WORD} factors")
        spend(len(word) * STEP_WORK)
        sizes: list[Size] = [self.ends(word[0])[0]]
        for factor in word:
            start, end = self.ends(factor)
            require(sizes[-1] == start, f"{factor[0]} does not fit where it stands")
            sizes.append(end)
        return sizes

    def turned(self, word: Word) -> Word:
        return tuple((n, not t and not self.own_transpose(n)) for n, t in word[::-1])

    def loop(self, word: Word) -> Number:
        return ("loop", max(word, self.turned(word)), "")

    def term(self, numbers: tuple[Number, ...], word: Word) -> Term:
        """A term in normal form: what lies between two passages through dimension 1 joins the numbers."""
        found = list(numbers)
        if word:
            ones = [i for i, size in enumerate(self.path(word)) if size == 1]
            for start, end in pairwise(ones):
                found.append(self.loop(word[start:end]))
            if ones:
                word = word[: ones[0]] + word[ones[-1] :]
        return tuple(sorted(found)), word

    def trace(self, word: Word, size: Size) -> tuple[Number, ...]:
        if not word:
            return () if size == 1 else (("dim", (), str(size)),)
        path = self.path(word)
        require(path[0] == path[-1], "the trace of a word that is not square")
        if 1 in path:
            start = path.index(1)
            return self.term((), word[start:] + word[:start])[0]
        spend(len(word) ** 2 * STEP_WORK)
        return (("trace", max(w[i:] + w[:i] for w in (word, self.turned(word)) for i in range(len(word))), ""),)

    # sums

    def block(self, data: Json) -> Block:
        require(set(data) == {"shape", "terms"}, "a polynomial has exactly a shape and terms")
        rows, cols = data["shape"]
        self.note_size(rows)
        self.note_size(cols)
        terms: Sum = {}
        for coefficient, scalars, outer in data["terms"]:
            word = tuple(self.factor(f) for f in outer)
            numbers = tuple(n for s in scalars for n in self.number(s))
            sizes = self.path(word) if word else [rows, rows]
            require((sizes[0], sizes[-1]) == (rows, cols), "a term has another shape than its polynomial")
            accumulate(terms, {self.term(numbers, word): Fraction(1)}, exact(coefficient))
        return Block(rows, cols, terms)

    def number(self, scalar: list[str]) -> tuple[Number, ...]:
        require(bool(scalar), "an empty number")
        if scalar[0] == "dim(":
            require(len(scalar) == 2, "the size of one dimension")
            self.note_size(scalar[1])
            return (("dim", (), scalar[1]),)
        if scalar[0] == "tr(":
            word = tuple(self.factor(f) for f in scalar[1:])
            return self.trace(word, self.path(word)[0])
        word = tuple(self.factor(f) for f in scalar)
        sizes = self.path(word)
        require(sizes[0] == 1 and sizes[-1] == 1, "a number must be a 1x1 word")
        return self.term((), word)[0]

    @staticmethod
    def same_shape(a: Block, b: Block) -> None:
        require((a.rows, a.cols) == (b.rows, b.cols), "two sides differ in shape")

    def difference(self, a: Block, b: Block) -> Block:
        self.same_shape(a, b)
        terms = dict(a.terms)
        accumulate(terms, b.terms, Fraction(-1))
        return Block(a.rows, a.cols, terms)

    def product(self, a: Block, b: Block) -> Block:
        require(a.cols == b.rows, "a product of matrices that do not fit")
        terms: Sum = {}
        for (n1, w1), c1 in a.terms.items():
            for (n2, w2), c2 in b.terms.items():
                accumulate(terms, {self.term((*n1, *n2), w1 + w2): c1 * c2}, Fraction(1))
        return Block(a.rows, b.cols, terms)

    def transpose(self, a: Block) -> Block:
        return Block(a.cols, a.rows, {(numbers, self.turned(word)): c for (numbers, word), c in a.terms.items()})

    def traced(self, a: Block) -> Block:
        require(a.rows == a.cols != 1, "the trace of a number, or of a matrix that is not square")
        terms: Sum = {}
        for (numbers, word), c in a.terms.items():
            accumulate(terms, {self.term((*numbers, *self.trace(word, a.rows)), ()): c}, Fraction(1))
        return Block(1, 1, terms)

    def scaled(self, number: Block, a: Block) -> Block:
        """A 1x1 block times any block."""
        require((number.rows, number.cols) == (1, 1), "only a 1x1 factor multiplies like a number")
        terms: Sum = {}
        for (numbers, _), c in number.terms.items():
            for (others, word), d in a.terms.items():
                accumulate(terms, {self.term((*numbers, *others), word): c * d}, Fraction(1))
        return Block(a.rows, a.cols, terms)

    def letter(self, name: str) -> Block:
        require(name in self.letters, f"the letter {name!r} is not declared")
        data = self.letters[name]
        return Block(data["rows"], data["cols"], {self.term((), ((name, False),)): Fraction(1)})

    @staticmethod
    def unit(size: Size) -> Block:
        return Block(size, size, {((), ()): Fraction(1)})

    def single(self, factors: list[str], rows: Size) -> Block:
        """One word; an empty one is the identity of the given size."""
        if not factors:
            return self.unit(rows)
        word = tuple(self.factor(f) for f in factors)
        sizes = self.path(word)
        return Block(sizes[0], sizes[-1], {self.term((), word): Fraction(1)})

    # cofactors

    def cofactor(self, data: Json, goal: Block, rules: list[Equation]) -> Block:
        """scalars * (left R right), its trace if so marked, times the outer word if there is one."""
        relation = self.relation(data["rule"], rules)
        if data["transposed"]:
            relation = self.transpose(relation)
        before, after = self.single(data["left"], relation.rows), self.single(data["right"], relation.cols)
        inner = self.product(self.product(before, relation), after)
        if data["trace"]:
            inner = self.traced(inner)
        numbers = Block(1, 1, {self.term(tuple(n for s in data["scalars"] for n in self.number(s)), ()): Fraction(1)})
        if data["outer"] is None:
            return self.scaled(numbers, inner)
        outer = self.single(data["outer"], goal.rows)
        return self.scaled(self.scaled(numbers, inner), outer)

    def relation(self, rule: list[Any], rules: list[Equation]) -> Block:
        """What a basic rule says is zero, after checking that the declarations say so."""
        kind, *about = rule
        if kind == "hypothesis":
            (k,) = about
            require(type(k) is int and 0 <= k < len(rules), "a hypothesis that the statement does not have")
            return self.difference(rules[k][0], rules[k][1])
        if kind == "commute":
            return self.commutation(*about)
        (name,) = about
        a, data = self.letter(name), self.letters[name]
        if kind == "equals":
            return self.difference(a, self.block(data["equals"]))
        if kind in ("inverse left", "inverse right"):
            base = self.block(data["inverse_of"])
            both = self.product(a, base) if kind == "inverse left" else self.product(base, a)
            return self.difference(both, self.unit(a.rows))
        require(kind in ("orthonormal", "orthogonal"), f"an unknown rule {kind!r}")
        require("orthonormal_columns" in data, f"{name} is not declared to have orthonormal columns")
        if kind == "orthonormal":
            return self.difference(self.product(self.transpose(a), a), self.unit(a.cols))
        require(a.rows == a.cols, f"{name} is not square, so its rows need not be orthonormal")
        return self.difference(self.product(a, self.transpose(a)), self.unit(a.rows))

    def commutation(self, first: str, second: str) -> Block:
        a, b = self.letter(first), self.letter(second)
        x, y = self.letters[first], self.letters[second]
        self.same_shape(a, b)
        diagonal = "diagonal" in x and "diagonal" in y
        require(diagonal or second in x.get("commutes_with", []), f"{first} and {second} are not declared to commute")
        return self.difference(self.product(a, b), self.product(b, a))


# exact matrices


def instance(alphabet: Alphabet, data: Json) -> tuple[dict[str, int], dict[str, Matrix]]:
    sizes = data["dims"]
    require(set(sizes) == alphabet.dimensions, "the instance has other dimensions than the letters")
    small = all(type(n) is int and 1 <= n <= MAX_SIZE for n in sizes.values())
    require(small, f"a dimension of an instance must be 1 to {MAX_SIZE}: empty matrices show nothing")
    require(set(data["matrices"]) == set(alphabet.letters), "the instance has other letters than the statement")
    matrices = {}
    for name, rows in data["matrices"].items():
        letter = alphabet.letters[name]
        matrices[name] = matrix(rows, size_of(letter["rows"], sizes), size_of(letter["cols"], sizes))
    return sizes, matrices


def size_of(size: Size, sizes: dict[str, int]) -> int:
    return 1 if size == 1 else sizes[str(size)]


def matrix(rows: list[list[str]], height: int, width: int) -> Matrix:
    require(len(rows) == height and all(len(row) == width for row in rows), "a matrix has another size than its letter")
    entries = [exact(entry) for row in rows for entry in row]
    return fmpq_mat(height, width, [fmpq(e.numerator, e.denominator) for e in entries])


def one(n: int) -> Matrix:
    return fmpq_mat(n, n, [1 if i == j else 0 for i in range(n) for j in range(n)])


def evaluated(block: Block, sizes: dict[str, int], matrices: dict[str, Matrix]) -> Matrix:
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


def check_instance(
    alphabet: Alphabet, rules: list[Equation], sizes: dict[str, int], matrices: dict[str, Matrix]
) -> None:
    """Every declaration and every hypothesis holds for these matrices."""
    for name, data in alphabet.letters.items():
        check_declared(alphabet, name, data, (sizes, matrices))
    for k, (left, right) in enumerate(rules):
        values = evaluated(left, sizes, matrices), evaluated(right, sizes, matrices)
        require(values[0] == values[1], f"hypothesis {k} fails on the instance")


def check_declared(alphabet: Alphabet, name: str, data: Json, at: tuple[dict[str, int], dict[str, Matrix]]) -> None:
    """Everything that is declared of a letter holds for its matrix."""
    sizes, matrices = at
    m = matrices[name]
    holds: dict[str, Callable[[], Any]] = {
        "symmetric": lambda: m == m.transpose(),
        "diagonal": lambda: all(m[i, j] == 0 for i in range(m.nrows()) for j in range(m.ncols()) if i != j),
        "orthonormal_columns": lambda: m.transpose() * m == one(m.ncols()),
        "positive": lambda: m[0, 0] > 0,
        "nonzero": lambda: m[0, 0] != 0,
        "commutes_with": lambda: all(m * matrices[n] == matrices[n] * m for n in data["commutes_with"]),
        "inverse_of": lambda: m * evaluated(alphabet.block(data["inverse_of"]), sizes, matrices) == one(m.nrows()),
        "equals": lambda: m == evaluated(alphabet.block(data["equals"]), sizes, matrices),
    }
    for what in sorted(set(data) - {"rows", "cols"}):
        require(bool(holds[what]()), f"on the instance {name} is not what it is declared to be: {what}")
