"""Identities of sums of any range in the language of Rocq: arrays are functions of indices below their ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from typing import Any

from derivations.rocq.arrays.printed import (
    Formula,
    Json,
    Letter,
    Printer,
    Reading,
    Used,
    equal,
    hypothesis,
    listed,
    plus,
)
from derivations.rocq.arrays.words import IMPORTS
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.names import identifiers

Context = tuple[tuple[str, str], ...]  # indices with their ranges, the last summed one first
Rule = tuple[Context, Reading, Reading]


def export_equation(certificate: Json) -> Exported:
    claim = Claim(certificate["statement"])
    proof = claim.proof(certificate["payload"]["steps"])
    return Exported(claim.printed(), proof, IMPORTS)


class Claim(Printer):
    """A statement about arrays read, with its hypotheses."""

    def __init__(self, statement: Json) -> None:
        super().__init__({}, {})
        self.arrays, rules = statement["arrays"], statement["rules"]
        indices, ranges = _named([statement, *rules], self.arrays)
        kinds = {"array": self.arrays, "index": indices, "size": ranges}
        places = [(kind, name) for kind, names in kinds.items() for name in sorted(names)]
        once = {name for _, name in places if sum(name in names for names in kinds.values()) == 1}
        spelled = identifiers([name if name in once else f"{kind} {name}" for kind, name in places])
        self.names = dict(zip([f"{kind} {name}" for kind, name in places], spelled.values(), strict=True))
        self.numbers = {name: self._array(name, data["ranges"]) for name, data in self.arrays.items()}
        self.rules: list[Rule] = [(self._context(rule), *self._sides(rule)) for rule in rules]
        self.context = self._context(statement)
        self.left, self.right = self._sides(statement)
        self.zeros: dict[Formula, int] = {}

    def _array(self, name: str, ranges: tuple[str, ...]) -> int:
        text = self.names[f"array {name}"]
        if len(ranges) > 2:
            raise NotExported("an array with more than two indices")
        for of in ranges:
            self.range(of)
        self.letters.append(Letter(f"entries{len(ranges)} {text}" if ranges else f"(fun=> {text})"))
        return len(self.letters) - 1

    def _context(self, part: Json) -> Context:
        return tuple(part.get("free", {}).items())

    def _sides(self, part: Json) -> tuple[Reading, Reading]:
        left, right = (self.at(part[side]["formula"], self._context(part)) for side in ("left", "right"))
        return left, right

    def index(self, name: str) -> str:
        return self.names.get(f"index {name}", "")  # only a statement shows its indices

    def ordinal(self, of: str) -> str:
        return f"'I_{self.size(of)}"

    # formulas

    def at(self, formula: Formula, context: Context) -> Reading:
        match formula:
            case "A", name, *places:
                return self._entry(name, [self._place(place, context) for place in places], context)
            case "q", text:
                return self.number(Fraction(text))
            case "delta", first, second:
                x, y = self._place(first, context), self._place(second, context)
                at = f"(i:={x}) (j:={y}) (rho:={self._values(context)})"
                at += f" (x:={self.index(first)}) (y:={self.index(second)})"
                text, sums = f"({self.index(first)} == {self.index(second)})%:R", f"(Delta {x} {y})"
                return Reading(1, 1, text, f"(delta_reads _ _ _ {at} erefl erefl)", sums)
            case "size", of:
                number = self.range(of)
                sums = f"(Sum {number} (Num (Qmake 1 1)))"
                return Reading(1, 1, f"{self.size(of)}%:R", f"(size_reads _ (r:={number}) _ erefl (rational1 F))", sums)
            case "+", *parts:
                return reduce(plus, [self.at(part, context) for part in parts])
            case "*", *parts:
                return reduce(self.times, [self.at(part, context) for part in parts])
            case "^", a, k:
                return reduce(self.times, [self.at(a, context)] * k)
            case "terms", *rows:
                return reduce(plus, [self.at(_written_out(row), context) for row in rows] or [self.number(Fraction(0))])
            case "sum", a, name, of:
                return self._sum(self.at(a, ((name, of), *context)), name, of)
            case "indices", zero, pairs:
                return self._zero_at(zero, {bound: self._place(place, context) for bound, place in pairs})
            case "hypothesis", _:
                return self._zero_at(formula, {})
        raise NotExported(f"no text in Rocq for the head {formula[0]}")

    def _place(self, name: str, context: Context) -> int:
        return [index for index, _ in context].index(name)

    def _entry(self, name: str, at: list[int], context: Context) -> Reading:
        number, array = self.numbers[name], self.names[f"array {name}"]
        places, rho = [self.index(context[k][0]) for k in at], f"(rho:={self._values(context)})"
        if not at:
            proof = f"(at_reads _ _ (l:={number}) (s:=[::]) {rho} erefl)"
            return Reading(1, 1, array, proof, f"(At {number} [::])")
        given = zip("ipjq", [part for pair in zip(places, at, strict=True) for part in pair], strict=False)
        indices = " ".join(f"({key}:={part})" for key, part in given)
        proof = f"(entry{len(at)}_reads _ (l:={number}) {indices} {rho} erefl {' '.join(['erefl'] * len(at))})"
        return Reading(1, 1, f"({' '.join([array, *places])})", proof, f"(At {number} {listed(at)}%N)")

    def _values(self, context: Context) -> str:
        return listed(f"nat_of_ord {self.index(name)}" for name, _ in context)

    def _sum(self, inside: Reading, name: str, of: str) -> Reading:
        index, number = self.index(name), self.range(of)
        text = f"(\\sum_({index} < {self.size(of)}) {inside.text})"
        proof = f"(sum_reads (r:={number}) erefl (fun {index} : {self.ordinal(of)} => {inside.proof}))"
        return Reading(1, 1, text, proof, f"(Sum {number} {inside.sums})")

    def _zero_at(self, zero: Formula, at: Mapping[str, int]) -> Reading:
        """A hypothesis, at some indices: the difference of its sides, as a letter that is zero."""
        context, left, right = self.rules[zero[1]]
        if zero not in self.zeros:
            number = self.zeros[zero] = len(self.letters)
            ranges = listed(self.range(of) for _, of in context)
            binders = "".join(f" ({self.index(name)} : {self.ordinal(of)})" for name, of in context)
            cited = " ".join([hypothesis("rule", zero[1]), *(self.index(name) for name, _ in context)])
            reason = f"etrans (esym {left.proof}) (etrans ({cited}) {right.proof})"
            proof = f"(zero_is (dim:=dim') (env:=env') (l:={number}) (rs:={ranges}%N) erefl "
            proof += f"(fun{binders} => {reason}))" if context else f"({reason}))"
            definition = f"({number}, ({ranges}, Add {left.sums} (Neg {right.sums})))"
            self.letters.append(Letter("nothing F", definition=definition, proof=proof))
        letter: Reading = left._replace(sums=f"(At {self.zeros[zero]} {listed(at[name] for name, _ in context)}%N)")
        return letter

    # the theorem

    def printed(self) -> str:
        arrays = [
            f" ({self.names[f'array {name}']} : {' -> '.join([*map(self.ordinal, data['ranges']), 'F'])})"
            for name, data in self.arrays.items()
        ]
        sizes = f" ({' '.join(map(self.size, self.sizes))} : nat)" if self.sizes else ""
        rows = [f"{text} ->" for _, text in self._symmetries()]
        rows += [f"({self._bound(context)}{equal(a, b)}) ->" for context, a, b in self.rules]
        whole = "\n  ".join([*rows, self._bound(self.context) + equal(self.left, self.right)])
        return f"forall (F : realFieldType){sizes}\n {''.join(arrays)},\n  {whole}"

    def _symmetries(self) -> Iterator[tuple[str, str]]:
        for name, data in self.arrays.items():
            if "symmetric" in data:
                text = self.names[f"array {name}"]
                yield name, f"(forall i' j', {text} i' j' = {text} j' i')"

    def _bound(self, context: Context) -> str:
        if not context:
            return ""
        return "forall" + "".join(f" ({self.index(name)} : {self.ordinal(of)})" for name, of in context) + ", "

    def proof(self, steps: Iterable[Formula]) -> str:
        added = [self.at(step, self.context).sums for step in steps]
        symmetry = {}
        for name, _ in self._symmetries():
            number, text = self.numbers[name], self.names[f"array {name}"]
            symmetry[number] = f"(symmetric_array (l:={number}) erefl {hypothesis('symmetric', text)})"
        fits = "(fits_none dim')"
        for name, of in reversed(self.context):
            fits = f"(fits_more (dim:=dim') (r:={self.range(of)}) {self.index(name)} erefl {fits})"
        introduced = [
            *map(self.size, self.sizes),
            *(self.names[f"array {name}"] for name in self.arrays),
            *(hypothesis("symmetric", self.names[f"array {name}"]) for name, _ in self._symmetries()),
            *(hypothesis("rule", k) for k in range(len(self.rules))),
            *(self.index(name) for name, _ in self.context),
        ]
        used = Used(symmetry, self.zeros.values(), added)
        return self.script(introduced, "array_agree", [f"erefl {fits}", self.left.proof, self.right.proof], used)


def _written_out(row: Any) -> Formula:
    """A term as a formula, given its coefficient, the ranges of summed indices, and factors that number these."""
    coefficient, ranges, factors = row
    product: Formula = ("*", ("q", coefficient), *map(_factor, factors))
    for number, of in enumerate(ranges):
        product = ("sum", product, str(number), of)
    return product


def _factor(factor: Any) -> Formula:
    head, *places = factor
    named = [str(place) for place in places]
    return (head, *named) if head in ("delta", "size") else ("A", head, *named)


def _named(parts: Iterable[Json], arrays: Json) -> tuple[set[str], set[str]]:
    """The indices and the ranges that statements name."""
    indices, ranges = set[str](), {of for data in arrays.values() for of in data["ranges"]}

    def walk(formula: Any) -> None:
        match formula:
            case "terms", *rows:
                for row in rows:
                    walk(_written_out(row))
            case "sum", a, name, of:
                indices.add(name)
                ranges.add(of)
                walk(a)
            case "size", of:
                ranges.add(of)
            case str(), *inner:
                for part in inner:
                    walk(part)

    for part in parts:
        indices |= set(part.get("free", {}))
        ranges |= set(part.get("free", {}).values())
        for side in ("left", "right"):
            walk(part[side]["formula"])
    return indices, ranges
