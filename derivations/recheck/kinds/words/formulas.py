"""What formulas about matrices come to: products multiplied out, transposes, traces, derivatives and gradients taken.

The formulas are listed in `derivations/language/words/formulas.py`; this module shares no code with it. A derivative
along a flow follows the product rule forwards; a gradient goes backwards through products and definitions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.words.alphabet import (
    Alphabet,
    Block,
    Factor,
    Number,
    Sum,
    Word,
    accumulate,
    exact,
    require,
)

MAX_POWER = 100
MAX_INSIDE = 400  # formulas inside one another
STEP_WORK = 1000  # see `spend`
Formula = Any


class Values:
    """The polynomials that formulas come to, over one alphabet."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.known: dict[Formula, Block] = {}
        self.depth = 0

    def side(self, data: Any) -> Block:
        """A side of an equation: its shape, and a formula or a polynomial."""
        if "terms" in data:
            return self.alphabet.polynomial(data)
        require(set(data) == {"shape", "formula"}, "a side has exactly a shape and a formula")
        rows, cols = data["shape"]
        self.alphabet.note_size(rows)
        self.alphabet.note_size(cols)
        value = self.value(frozen(data["formula"]))
        require((value.rows, value.cols) == (rows, cols), "a formula has another shape than it is said to have")
        return value

    def value(self, formula: Formula) -> Block:
        if formula not in self.known:
            self.depth += 1
            require(self.depth <= MAX_INSIDE, f"more than {MAX_INSIDE} formulas stand inside one another")
            self.known[formula] = self._value(formula)
            self.depth -= 1
        return self.known[formula]

    def _value(self, formula: Formula) -> Block:
        spend(STEP_WORK)
        head, *parts = formula
        match head, len(parts):
            case "L", 1:
                return self.alphabet.letter(parts[0])
            case "q", 1:
                return Block(1, 1, {((), ()): exact(parts[0])} if exact(parts[0]) else {})
            case "I", 1:
                self.alphabet.note_size(parts[0])
                return self.alphabet.unit(parts[0])
            case "0", 2:
                self.alphabet.note_size(parts[0])
                self.alphabet.note_size(parts[1])
                return Block(parts[0], parts[1], {})
            case (("T" | "tr" | "norm2"), 1):
                return self._of_one(head, self.value(parts[0]))
            case (("+" | "@" | "*"), n) if n > 0:
                return self._of_many(head, list(map(self.value, parts)))
            case "^", 2:
                exponent = parts[1]
                require(type(exponent) is int and 1 < exponent <= MAX_POWER, f"{exponent!r} is no exponent")
                return self._of_many("@", [self.value(parts[0])] * exponent)
            case "along", 2:
                return Derivative(self, self._moved(parts[1])).of(self.value(parts[0]))
            case "gradient", 2:
                return Gradient(self, parts[1]).of(self.value(parts[0]))
            case "at", 2:
                return self._replaced(self.value(parts[0]), self._placed(parts[1]))
            case "terms", n if n > 1:
                return self.alphabet.polynomial({"shape": parts[:2], "terms": parts[2:]})
        raise Rejected(f"no formula about matrices is {head!r} with {len(parts)} parts")

    def _of_one(self, head: str, a: Block) -> Block:
        if head == "T":
            return self.alphabet.transpose(a)
        if head == "norm2":
            a = self.alphabet.product(self.alphabet.transpose(a), a)
        require(a.rows == a.cols, "the trace of a matrix that is not square")
        return a if a.rows == 1 else self.alphabet.traced(a)

    def _of_many(self, head: str, parts: list[Block]) -> Block:
        total = parts[0]
        for part in parts[1:]:
            spend(STEP_WORK * (1 + len(total.terms) * (len(part.terms) if head != "+" else 1)))
            if head == "+":
                total = added(self.alphabet, total, part)
            elif head == "@":
                total = self.alphabet.product(total, part)
            else:
                number, other = (total, part) if (total.rows, total.cols) == (1, 1) else (part, total)
                total = self.alphabet.scaled(number, other)
        return total

    # letters that move, and letters that are replaced

    def _table(self, pairs: Any) -> dict[str, Block]:
        table = {name: self.value(formula) for name, formula in pairs}
        require(len(table) == len(pairs), "one letter has two values")
        for name, value in table.items():
            self.alphabet.same_shape(self.alphabet.letter(name), value)
        return table

    def _moved(self, pairs: Any) -> dict[str, Block]:
        rates = self._table(pairs)
        for name, rate in rates.items():
            require_tangent(self, name, rate)
        return rates

    def _placed(self, pairs: Any) -> dict[str, Block]:
        table = self._table(pairs)
        for name, value in table.items():
            if self.alphabet.own_transpose(name):
                require(symmetric(self.alphabet, value), f"{name} is symmetric, and what stands in its place is not")
        return table

    def _replaced(self, a: Block, table: dict[str, Block]) -> Block:
        total: Sum = {}
        for (numbers, word), c in a.terms.items():
            value = self._product(word, table, a.rows)
            for number in numbers:
                value = self.alphabet.scaled(self._number(number, table), value)
            accumulate(total, value.terms, c)
        return Block(a.rows, a.cols, total)

    def _product(self, word: Word, table: dict[str, Block], rows: Any) -> Block:
        parts = [self.factor(f, table.get(f[0])) for f in word]
        return self._of_many("@", parts) if parts else self.alphabet.unit(rows)

    def _number(self, number: Number, table: dict[str, Block]) -> Block:
        kind, word, _ = number
        if kind == "dim":
            return Block(1, 1, {((number,), ()): Fraction(1)})
        value = self._product(word, table, 1)
        return value if kind == "loop" else self._of_one("tr", value)

    def factor(self, factor: Factor, value: Block | None = None) -> Block:
        """A letter, or what stands in its place, transposed where the factor is."""
        value = self.alphabet.letter(factor[0]) if value is None else value
        return self.alphabet.transpose(value) if factor[1] else value

    def word(self, word: Word, size: Any) -> Block:
        """A product of letters; an empty one is the identity of the given size."""
        if not word:
            return self.alphabet.unit(size)
        sizes = self.alphabet.path(word)
        return Block(sizes[0], sizes[-1], {self.alphabet.term((), word): Fraction(1)})

    def numbers(self, numbers: tuple[Number, ...], c: Fraction) -> Block:
        return Block(1, 1, {self.alphabet.term(numbers, ()): c})


class Derivative:
    """The product rule, with the rates of the letters that move."""

    def __init__(self, values: Values, rates: dict[str, Block]) -> None:
        self.values, self.alphabet, self.rates = values, values.alphabet, dict(rates)

    def of(self, a: Block) -> Block:
        total: Sum = {}
        for (numbers, word), c in a.terms.items():
            for i, number in enumerate(numbers):
                rest = Block(a.rows, a.cols, {self.alphabet.term(numbers[:i] + numbers[i + 1 :], word): c})
                accumulate(total, self.alphabet.scaled(self._number(number), rest).terms)
            if word:
                moved = self._word(word)
                accumulate(total, self.alphabet.scaled(self.values.numbers(numbers, c), moved).terms)
        return Block(a.rows, a.cols, total)

    def _number(self, number: Number) -> Block:
        kind, word, _ = number
        if kind == "dim":
            return Block(1, 1, {})
        moved = self._word(word)
        return moved if kind == "loop" or moved.rows == 1 else self.alphabet.traced(moved)

    def _word(self, word: Word) -> Block:
        sizes = self.alphabet.path(word)
        total: Sum = {}
        for i, factor in enumerate(word):
            rate = self.rate(factor[0])
            if rate.terms:
                turned = self.alphabet.transpose(rate) if factor[1] else rate
                before = self.values.word(word[:i], sizes[0])
                after = self.values.word(word[i + 1 :], sizes[-1])
                whole = self.alphabet.product(self.alphabet.product(before, turned), after)
                accumulate(total, whole.terms)
        return Block(sizes[0], sizes[-1], total)

    def rate(self, name: str) -> Block:
        """What a letter moves by: its rate, or what follows from its definition."""
        if name not in self.rates:
            data, a = self.alphabet.letters[name], self.alphabet.letter(name)
            rate = Block(a.rows, a.cols, {})
            if "equals" in data:
                rate = self.of(self.values.side(data["equals"]))
            elif "inverse_of" in data:
                base = self.of(self.values.side(data["inverse_of"]))
                rate = negated(self.alphabet.product(self.alphabet.product(a, base), a))
            self.rates[name] = rate
        return self.rates[name]


class Gradient:
    """The matrix G with d f = tr(G' dW) for every change dW of one letter."""

    def __init__(self, values: Values, name: str) -> None:
        self.values, self.alphabet, self.name = values, values.alphabet, name
        data = values.alphabet.letters[name]
        free = (data["rows"], data["cols"]) == (1, 1) or not (
            {"symmetric", "diagonal", "orthonormal_columns"} & set(data)
        )
        require(free, f"the entries of {name} are not independent: it has no gradient")

    def of(self, f: Block) -> Block:
        require((f.rows, f.cols) == (1, 1), "only a 1x1 formula has a gradient")
        letter = self.alphabet.letter(self.name)
        total: Sum = {}
        for part in self._back(f, self.alphabet.unit(1)):
            accumulate(total, part.terms)
        return Block(letter.rows, letter.cols, total)

    def _back(self, a: Block, weight: Block) -> Iterator[Block]:
        """The parts of the gradient of tr(weight' a), the weight held fixed."""
        for (numbers, word), c in a.terms.items():
            for i, (kind, loop, _) in enumerate(numbers):
                rest = Block(a.rows, a.cols, {self.alphabet.term(numbers[:i] + numbers[i + 1 :], word): c})
                scale = self._inner(weight, rest)
                if kind != "dim" and scale.terms:
                    start = self.alphabet.path(loop)[0]
                    yield from self._through(loop, self.alphabet.scaled(scale, self.alphabet.unit(start)))
            if word:
                yield from self._through(word, self.alphabet.scaled(self.values.numbers(numbers, c), weight))

    def _inner(self, weight: Block, a: Block) -> Block:
        both = self.alphabet.product(self.alphabet.transpose(weight), a)
        return both if both.rows == 1 else self.alphabet.traced(both)

    def _through(self, word: Word, weight: Block) -> Iterator[Block]:
        """The parts of the gradient of tr(weight' word)."""
        sizes = self.alphabet.path(word)
        for i, (name, turned) in enumerate(word):
            if not self._moves(name):
                continue
            before, after = self.values.word(word[:i], sizes[0]), self.values.word(word[i + 1 :], sizes[-1])
            inner = self.alphabet.product(self.alphabet.transpose(before), weight)
            inner = self.alphabet.product(inner, self.alphabet.transpose(after))
            yield from self._at_letter(name, self.alphabet.transpose(inner) if turned else inner)

    def _moves(self, name: str) -> bool:
        data = self.alphabet.letters[name]
        return name == self.name or "equals" in data or "inverse_of" in data

    def _at_letter(self, name: str, weight: Block) -> Iterator[Block]:
        data, a = self.alphabet.letters[name], self.alphabet.letter(name)
        if name == self.name:
            yield weight
        elif "equals" in data:
            yield from self._back(self.values.side(data["equals"]), weight)
        else:
            turned = self.alphabet.transpose(a)
            inner = negated(self.alphabet.product(self.alphabet.product(turned, weight), turned))
            yield from self._back(self.values.side(data["inverse_of"]), inner)


# what rates and values must keep


def require_tangent(values: Values, name: str, rate: Block) -> None:
    """A letter that moves at this rate stays what it is declared to be."""
    alphabet, data = values.alphabet, values.alphabet.letters[name]
    require("inverse_of" not in data and "equals" not in data, f"{name} moves with its definition, not by itself")
    if (rate.rows, rate.cols) == (1, 1):
        return
    factors = {n for _, word in rate.terms for n, _ in word}
    if "diagonal" in data:
        require(diagonal(alphabet, rate), f"{name} is diagonal, and its rate is not")
    elif "symmetric" in data:
        require(symmetric(alphabet, rate), f"{name} is symmetric, and its rate is not")
    if "orthonormal_columns" in data:
        require(_keeps_columns(alphabet, name, rate), f"the columns of {name} do not stay orthonormal")
    others = {other for other, told in alphabet.letters.items() if name in told.get("commutes_with", [])}
    for partner in sorted(others | set(data.get("commutes_with", []))):
        require(all(_commute(values, n, partner) for n in factors), f"{name} does not keep commuting with {partner}")


def diagonal(alphabet: Alphabet, a: Block) -> bool:
    return all("diagonal" in alphabet.letters[n] for _, word in a.terms for n, _ in word)


def symmetric(alphabet: Alphabet, a: Block) -> bool:
    return alphabet.transpose(a).terms == a.terms or diagonal(alphabet, a)


def _commute(values: Values, one: str, other: str) -> bool:
    letters = values.alphabet.letters
    a, b = letters[one], letters[other]
    if one == other or ("diagonal" in a and "diagonal" in b):
        return True
    if one in b.get("commutes_with", []) or other in a.get("commutes_with", []):
        return True
    links = [(x["inverse_of"], y) for x, y in ((a, other), (b, one)) if "inverse_of" in x]
    return any(values.side(side).terms == values.alphabet.letter(y).terms for side, y in links)


def _keeps_columns(alphabet: Alphabet, name: str, rate: Block) -> bool:
    letter = alphabet.letter(name)
    half = alphabet.product(alphabet.transpose(letter), rate)
    both = added(alphabet, half, alphabet.transpose(half))
    turned = not alphabet.own_transpose(name)
    pairs = [((name, turned), (name, False))]
    if letter.rows == letter.cols:
        pairs.append(((name, False), (name, turned)))
    total: Sum = {}
    for (numbers, word), c in both.terms.items():
        accumulate(total, {alphabet.term(numbers, _contracted(word, pairs)): c})
    return not total


def _contracted(word: Word, pairs: list[tuple[Factor, Factor]]) -> Word:
    """The word without neighbours whose product is the identity."""
    at = next((i for i, pair in enumerate(pairwise(word)) if pair in pairs), None)
    return word if at is None else _contracted(word[:at] + word[at + 2 :], pairs)


# plain data


def added(alphabet: Alphabet, a: Block, b: Block) -> Block:
    alphabet.same_shape(a, b)
    total = dict(a.terms)
    accumulate(total, b.terms)
    return Block(a.rows, a.cols, total)


def negated(a: Block) -> Block:
    return Block(a.rows, a.cols, {term: -c for term, c in a.terms.items()})


def frozen(data: Any) -> Any:
    """The data with lists as tuples."""
    return tuple(map(frozen, data)) if isinstance(data, list | tuple) else data


def require_grounded(letters: Any) -> None:
    """No letter is defined by itself."""
    grounded: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        require(name in letters, f"the letter {name!r} is not declared")
        require(name not in path, f"{name} is defined by itself")
        if name not in grounded:
            for link in ("inverse_of", "equals"):
                for other in names_in(letters[name][link]) if link in letters[name] else ():
                    visit(other, (*path, name))
            grounded.add(name)

    for name in letters:
        visit(name, ())


def names_in(side: Any) -> set[str]:
    """Every letter that a side names."""
    return {name for formula in formulas_in(side) for name in _named(formula, everything=True)}


def free_in(side: Any, letters: Any) -> set[str]:
    """The letters of which a side speaks; one in whose place something else is put is not among them."""
    return _free(formula_of(side), letters)


def formula_of(side: Any) -> Formula:
    return ("terms", *side["shape"], *side["terms"]) if "terms" in side else side["formula"]


def formulas_in(side: Any) -> Iterator[Formula]:
    waiting = [formula_of(side)]
    while waiting:
        formula = waiting.pop()
        spend(STEP_WORK)
        yield formula
        waiting.extend(_inside(formula))


def _inside(formula: Formula) -> list[Formula]:
    head, *parts = formula
    if head in ("+", "@", "*", "T", "tr", "norm2"):
        return list(parts)
    if head in ("^", "gradient"):
        return [parts[0]]
    if head in ("along", "at"):
        return [parts[0], *(value for _, value in parts[1])]
    return []


def _named(formula: Formula, everything: bool) -> set[str]:
    head, *parts = formula
    if head == "L":
        return {parts[0]}
    if head == "gradient":
        return {parts[1]}
    if head == "along" or (head == "at" and everything):
        return {name for name, _ in parts[1]}
    if head == "terms":
        words = [w for _, scalars, outer in parts[2:] for w in (*scalars, outer) if len(w) == 0 or w[0] != "dim("]
        return {f.removesuffix("'") for w in words for f in w if f != "tr("}
    return set()


def _free(formula: Formula, letters: Any) -> set[str]:
    spend(STEP_WORK)
    head, *parts = formula
    inner = [_free(part, letters) for part in _inside(formula)]
    if head == "at":
        return (inner[0] - {name for name, _ in parts[1]}).union(*inner[1:])
    found = _named(formula, everything=False).union(*inner)
    return closed(found, letters) if head in ("along", "gradient") else found


def closed(names: set[str], letters: Any) -> set[str]:
    """The letters with all others of which their declarations speak."""
    found: set[str] = set()
    waiting = sorted(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            require(name in letters, f"the letter {name!r} is not declared")
            spend(STEP_WORK)
            found.add(name)
            waiting += letters[name].get("commutes_with", [])
            for link in ("inverse_of", "equals"):
                if link in letters[name]:
                    waiting += sorted(_free(formula_of(letters[name][link]), letters))
    return found
