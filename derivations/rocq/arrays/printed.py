"""Formulas about matrices in the language of Rocq: the text, a proof of how it reads entry by entry, and that reading.

A 1x1 matrix is a number. The derivative while letters move at some rates is taken in polynomials: there a letter is
`fixed`, or `moving`. The lemmas are those of `theories/Words.v`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple

from derivations.rocq.exported import NotExported

Formula = Any
Size = Any  # the name of a dimension, or 1
Json = dict[str, Any]
Scope = Mapping[str, "Reading"]
LINKS = ("inverse_of", "equals")
SMALL = 1000  # larger numbers are not written as natural numbers, which Rocq counts one by one


class Reading(NamedTuple):
    """A matrix or a number: its text, a proof that the text reads as a formula of sums, and that formula."""

    rows: Size
    cols: Size
    text: str
    proof: str
    sums: str

    @property
    def is_number(self) -> bool:
        return (self.rows, self.cols) == (1, 1)


class Letter(NamedTuple):
    """A letter of the proof: what its entries are, what it stands for, and by which formula it is defined."""

    entries: str
    reading: Reading | None = None
    of: Reading | None = None
    definition: str = ""
    proof: str = ""


class Used(NamedTuple):
    """The symmetric letters of a proof, with the reasons, its letters that are zero, and formulas in these."""

    symmetry: Mapping[int, str]
    zeros: Collection[int]
    steps: Iterable[str]


class Printer:
    """Formulas over declared letters; letters that only a proof needs are added as they come."""

    def __init__(self, letters: Mapping[str, Json], names: Mapping[str, str]) -> None:
        self.declared, self.names = letters, names
        self.sizes: list[str] = []
        self.letters: list[Letter] = []
        self.known: dict[str, int] = {}
        self.in_derivative = False
        self.scope: dict[str, Reading] = {name: self._declared(name, data) for name, data in letters.items()}
        for name, data in letters.items():
            if "diagonal" in data and not self.scope[name].is_number:
                self._add_diagonal(name)

    def range(self, size: Size) -> int:
        """The number of a dimension, in the order in which they come; 0 is the dimension 1."""
        if size == 1:
            return 0
        if size not in self.sizes:
            self.sizes.append(size)
        return 1 + self.sizes.index(size)

    def size(self, size: Size) -> str:
        self.range(size)
        return "1" if size == 1 else self.names.get(f"size {size}") or self.names[size]

    def shape(self, rows: Size, cols: Size) -> str:
        return f"'M[F]_({self.size(rows)}, {self.size(cols)})"

    # letters

    def _declared(self, name: str, data: Json) -> Reading:
        return self._letter(data["rows"], data["cols"], self.names[name])

    def _letter(self, rows: Size, cols: Size, text: str) -> Reading:
        """A letter with the entries of a matrix, or the value of a number."""
        number = self.known[text] = len(self.letters)
        self.range(rows), self.range(cols)
        sums = f"(At {number} [::])" if (rows, cols) == (1, 1) else f"(Letter {number})"
        reading = Reading(rows, cols, text, f"l'{number}", sums)
        self.letters.append(Letter(kind(reading, f"(fun=> {text})", f"entries {text}"), reading))
        return reading

    def _add_diagonal(self, name: str) -> None:
        """A diagonal matrix is defined by the vector of its diagonal."""
        text, rows = self.names[name], self.declared[name]["rows"]
        number, of = self.known[text], self.range(rows)
        vector = len(self.letters)
        self.letters.append(Letter(f"diagonal {text}"))
        definition = f"({number}, ([:: {of}; {of}], Mul (Delta 0 1) (At {vector} [:: 0])))"
        shape = f"(l:={number}) (k:={vector}) (r:={of}) erefl erefl erefl"
        proof = f"(diagonal_is (dim:=dim') (env:=env') {shape} {hypothesis('diagonal', text)})"
        self.letters[number] = self.letters[number]._replace(definition=definition, proof=proof)

    def number_of(self, a: Reading) -> int:
        """The number of a letter that is this matrix or number: one of those that there are, or a new one."""
        if a.text not in self.known:
            self._letter(a.rows, a.cols, a.text)
            number = self.known[a.text]
            if a.is_number:
                definition, proof = (
                    f"({number}, ([::], {a.sums}))",
                    f"(defined_number (dim:=dim') (env:=env') (l:={number}) erefl {a.proof})",
                )
            else:
                rows, cols = self.range(a.rows), self.range(a.cols)
                definition = f"({number}, ([:: {rows}; {cols}], {a.sums}))"
                shape = f"(l:={number}) (r:={rows}) (s:={cols}) erefl erefl erefl"
                proof = f"(defined_mx (dim:=dim') (env:=env') {shape} {a.proof})"
            self.letters[number] = self.letters[number]._replace(of=a, definition=definition, proof=proof)
        return self.known[a.text]

    # the proof

    def script(self, introduced: Iterable[str], theorem: str, sides: Iterable[str], used: Used) -> str:
        """The tactics that show an equation by one of the theorems that end in `decides`."""
        defined = [letter for letter in self.letters if letter.definition]
        readings = [letter.reading for letter in self.letters if letter.reading]
        given = {
            "symmetric": f"{listed(used.symmetry)}%N",
            "zeros": f"{listed(used.zeros)}%N",
            "ds": f"{listed(letter.definition for letter in defined)}%N",
            "steps": listed(used.steps),
        }
        zeros = [f"(zero_nothing (l:={zero}) erefl)" for zero in used.zeros]
        reasons = [used.symmetry.values(), zeros, [letter.proof for letter in defined]]
        arguments = [f"({key}:={value})" for key, value in given.items()]
        lines = [
            f"have agreed := ({theorem} (dim:=dim') (env:=env') {' '.join(arguments)}",
            *(f"  {part}" for part in (*sides, *map(conjunction, reasons))),
        ]
        return "\n".join(
            [
                f"move=> F {' '.join(introduced)}.",
                f"pose dim' := sizes {listed(map(self.size, self.sizes))}.",
                f"pose env' : letters F := numbered {listed(letter.entries for letter in self.letters)}.",
                *(f"have {a.proof} : {says(a)} by {kind(a, '[]', 'exact: entries_mx')}." for a in readings),
                "\n".join(lines) + ").",
                "by apply: agreed; vm_compute.",
            ]
        )

    # formulas

    def side(self, data: Json) -> Reading:
        return self.value(data["formula"], self.scope)

    def value(self, formula: Formula, scope: Scope) -> Reading:
        match formula:
            case "L", name:
                return scope[name]
            case "q", text:
                return self.number(Fraction(text))
            case "I", size:
                return self.one(size)
            case "0", rows, cols:
                return self.zero(rows, cols)
            case "T", a:
                return turned(self.value(a, scope))
            case "tr", a:
                return self.trace(self.value(a, scope))
            case "norm2", a:
                inside = self.value(a, scope)
                return self.trace(self.product(turned(inside), inside))
            case "+", *parts:
                return reduce(plus, [self.value(part, scope) for part in parts])
            case "@", *parts:
                return reduce(self.product, [self.value(part, scope) for part in parts])
            case "*", ("q", "-1"), *parts if parts:
                return self.minus(reduce(self.times, [self.value(part, scope) for part in parts]))
            case "*", *parts:
                return reduce(self.times, [self.value(part, scope) for part in parts])
            case "^", a, k:
                return reduce(self.product, [self.value(a, scope)] * k)
            case "at", a, pairs:
                return self.value(a, {**scope, **{name: self.value(part, scope) for name, part in pairs}})
            case "along", a, pairs:
                return self.along(a, {name: self.value(rate, scope) for name, rate in pairs}, scope)
            case "gradient", a, name:
                return self.gradient(a, name, scope)
        raise NotExported(f"no text in Rocq for the head {formula[0]}")

    def number(self, value: Fraction) -> Reading:
        top, bottom = value.numerator, value.denominator
        fraction = f"(Qmake ({top}) {bottom})"
        if max(abs(top), bottom) >= SMALL:
            text, proof = f"(rational F {fraction})", "erefl"
        elif bottom == 1:
            text, proof = (
                (f"{top}%:R" if top > 1 else str(top)) if top >= 0 else f"(- {-top}%:R)",
                "(whole_number erefl)",
            )
        else:
            text = f"({top}%:R / {bottom}%:R)" if top > 0 else f"((- {-top}%:R) / {bottom}%:R)"
            proof = "erefl"
        if self.in_derivative:
            text, proof = f"({text})%:P", f"(late_number (q:={fraction}) {proof})"
        return Reading(1, 1, text, f"(num_reads _ _ _ (q:={fraction}) {proof})", f"(Num {fraction})")

    def one(self, size: Size) -> Reading:
        if size == 1:
            return self.number(Fraction(1))
        self.range(size)
        ring = "F" if not self.in_derivative else "{poly F}"
        return Reading(size, size, f"(1%:M : 'M[{ring}]_{self.size(size)})", "(@one_mx _ _ _ _ _)", "Unit")

    def zero(self, rows: Size, cols: Size) -> Reading:
        if (rows, cols) == (1, 1):
            return self.number(Fraction(0))
        ring, proof = ("F", "(rational0 F)") if not self.in_derivative else ("{poly F}", "(late_zero F)")
        text = f"(0 : 'M[{ring}]_({self.size(rows)}, {self.size(cols)}))"
        return Reading(rows, cols, text, f"(zero_mx _ _ {proof})", "Zero")

    def minus(self, a: Reading) -> Reading:
        one = "(rationalN1 F)" if not self.in_derivative else "(late_minus_one F)"
        return a._replace(
            text=f"(- {a.text})", proof=f"({kind(a, 'neg_reads', 'neg_mx')} {one} {a.proof})", sums=f"(Neg {a.sums})"
        )

    def times(self, a: Reading, b: Reading) -> Reading:
        if not a.is_number:
            a, b = b, a
        if b.is_number:
            return Reading(
                1, 1, f"({a.text} * {b.text})", f"(mul_reads {a.proof} {b.proof})", f"(Mul {a.sums} {b.sums})"
            )
        text, sums = f"({a.text} *: {b.text})", f"(Scaled {a.sums} {b.sums})"
        return Reading(b.rows, b.cols, text, f"(scaled_mx {a.proof} {b.proof})", sums)

    def product(self, a: Reading, b: Reading) -> Reading:
        if a.is_number or b.is_number:
            return self.times(a, b)
        middle = self.range(a.cols)
        text, sums = f"({a.text} *m {b.text})", f"(Product {middle} {a.sums} {b.sums})"
        whole = Reading(a.rows, b.cols, text, f"(product_mx (r:={middle}) erefl {a.proof} {b.proof})", sums)
        if not whole.is_number:
            return whole
        return Reading(1, 1, f"({text} 0 0)", f"(corner_reads {whole.proof})", f"(Corner {sums})")

    def trace(self, a: Reading) -> Reading:
        if a.is_number:
            return a
        of = self.range(a.rows)
        return Reading(1, 1, f"(\\tr {a.text})", f"(trace_reads (r:={of}) erefl {a.proof})", f"(Trace {of} {a.sums})")

    # derivatives

    def along(self, formula: Formula, rates: dict[str, Reading], scope: Scope) -> Reading:
        """The derivative while letters move, and with them those that are defined by them."""
        self._add_linked(rates, scope)
        return self._moved(formula, rates, scope)

    def _add_linked(self, rates: dict[str, Reading], scope: Scope) -> None:
        """The rates of letters that are defined by formulas in which a letter moves."""
        for name, data in self.declared.items():
            link = next((link for link in LINKS if link in data), None)
            if link is None or name in rates or not self._moves(name, set(rates)):
                continue
            for other in mentioned(data[link]["formula"]):
                if other not in rates and self._moves(other, set(rates)):
                    raise NotExported("a letter is defined by another that is defined and moves")
            rate = self._moved(data[link]["formula"], rates, scope)
            if link == "inverse_of":
                rate = self.minus(reduce(self.product, [scope[name], rate, scope[name]]))
            rates[name] = rate

    def _moves(self, name: str, moving: set[str]) -> bool:
        if name in moving:
            return True
        data = self.declared[name]
        return any(
            self._moves(other, moving) for link in LINKS if link in data for other in mentioned(data[link]["formula"])
        )

    def _moved(self, formula: Formula, rates: Mapping[str, Reading], scope: Scope) -> Reading:
        numbers = {self.number_of(scope[name]): self.number_of(rate) for name, rate in rates.items()}
        inside = self._late(formula, numbers, {name: rate.text for name, rate in rates.items()}, scope)
        moves = inside.moves
        lemma, name = ("slope_reads", "slope") if inside.value.is_number else ("rate_mx", "rate")
        proof = f"({lemma} (moves:={moves}) {inside.value.proof} erefl)"
        return inside.value._replace(
            text=f"({name} {inside.value.text})", proof=proof, sums=f"(slope_of {pairs(numbers)} {inside.value.sums})"
        )

    def gradient(self, formula: Formula, name: str, scope: Scope) -> Reading:
        """The derivatives by the entries of a letter, of which each stands alone."""
        at = scope[name]
        if at.is_number:
            return self._moved(formula, {name: self.number(Fraction(1))}, scope)
        entry = len(self.letters)
        self.letters.append(Letter("nothing F"))
        numbers = {self.number_of(at): entry}
        inside = self._late(formula, numbers, {name: "(delta_mx i' j')"}, scope, entry)
        rows, cols = self.size(at.rows), self.size(at.cols)
        return Reading(
            at.rows,
            at.cols,
            f"(\\matrix_(i' < {rows}, j' < {cols}) slope {inside.value.text})",
            f"(gradient_mx (e:={entry}) (fun i' j' => {inside.value.proof}) erefl)",
            f"(Basis {entry} (slope_of {pairs(numbers)} {inside.value.sums}))",
        )

    def _late(
        self,
        formula: Formula,
        numbers: Mapping[int, int],
        rates: Mapping[str, str],
        scope: Scope,
        entry: int | None = None,
    ) -> Inside:
        """A formula in which letters move, as a polynomial."""
        if self.in_derivative:
            raise NotExported("a derivative inside of a derivative")
        moves = pairs(numbers)
        late = {
            name: self._late_letter(scope[name], numbers, rates.get(name), moves, entry)
            for name in sorted(mentioned(formula) & set(scope))
        }
        self.in_derivative = True
        value = self.value(formula, late)
        self.in_derivative = False
        return Inside(value, moves)

    def _late_letter(
        self, a: Reading, numbers: Mapping[int, int], rate: str | None, moves: str, entry: int | None
    ) -> Reading:
        number = self.number_of(a)
        known = f"l'{number}"
        if entry is not None:
            known = f"({kind(a, 'other_reads', 'other_mx')} (e:={entry}) (l:={number}) _ erefl {known})"
        if rate is None:
            if number in numbers:
                raise NotExported("two letters of a derivative stand for one")
            text = f"({a.text})%:P" if a.is_number else f"(fixed {a.text})"
            proof = f"({kind(a, 'fixed_reads', 'fixed_mx')} (moves:={moves}) (l:={number}) erefl {known})"
        else:
            by = numbers[number]
            text = f"({kind(a, 'moving_number', 'moving')} {a.text} {rate})"
            of_rate = f"l'{by}" if entry is None else f"(entry_mx _ _ {entry} i' j')"
            moving = f"{kind(a, 'moving_reads', 'moving_mx')} (moves:={moves}) (l:={number}) (v:={by})"
            proof = f"({moving} erefl {known} {of_rate})"
        return a._replace(text=text, proof=proof, sums=kind(a, f"(At {number} [::])", f"(Letter {number})"))


class Inside(NamedTuple):
    value: Reading
    moves: str


def says(a: Reading) -> str:
    """The proposition that a matrix or number reads as its formula."""
    return f"{kind(a, 'reads', 'mx_reads')} (rational F) dim' env' {kind(a, '[::] ', '')}{a.sums} {a.text}"


def kind(a: Reading, number: str, matrix: str) -> str:
    """One of two lemmas, or functions: of numbers, and of matrices."""
    return number if a.is_number else matrix


def turned(a: Reading) -> Reading:
    if a.is_number:
        return a
    text = f"({a.text}^T)" if a.text.startswith("(") else f"{a.text}^T"
    return Reading(a.cols, a.rows, text, f"(turned_mx {a.proof})", f"(Turned {a.sums})")


def plus(a: Reading, b: Reading) -> Reading:
    text = f"({a.text} - {b.text[3:-1]})" if b.text.startswith("(- ") else f"({a.text} + {b.text})"
    return a._replace(
        text=text, proof=f"({kind(a, 'add_reads', 'add_mx')} {a.proof} {b.proof})", sums=f"(Add {a.sums} {b.sums})"
    )


def equal(a: Reading, b: Reading) -> str:
    return f"{a.text} = {b.text}{' :> F' if a.is_number else ''}"


def listed(parts: Iterable[Any]) -> str:
    texts = [str(part) for part in parts]
    return f"[:: {'; '.join(texts)}]" if texts else "[::]"


def conjunction(proofs: Iterable[str]) -> str:
    whole = "I"
    for proof in reversed(list(proofs)):
        whole = f"(conj {proof} {whole})"
    return whole


def pairs(numbers: Mapping[int, int]) -> str:
    return f"[:: {'; '.join(f'({a}, {b})' for a, b in numbers.items())}]%N"


def mentioned(formula: Formula) -> set[str]:
    """Every letter that a formula names."""
    if not isinstance(formula, tuple | list) or not formula:
        return set()
    head, *parts = formula
    names = {parts[-1]} if head in ("L", "gradient") else set()
    if head in ("along", "at"):
        names |= {name for name, _ in parts[1]}.union(*(mentioned(part) for _, part in parts[1]))
    return names.union(
        *(mentioned(part) for part in parts if isinstance(part, tuple | list) and isinstance(part[0], str))
    )


def hypothesis(*about: Any) -> str:
    """The name of a hypothesis: what it says, and of which letters."""
    return "'".join(["h", *map(str, about)])
