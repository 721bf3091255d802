"""Identities of sums of any range in the language of Rocq: arrays are functions of indices below their ranges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from derivations.recheck.core.words.values import written_out
from derivations.rocq.arrays import tables
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

PLACES = ("i'", "j'")
Context = tuple[tuple[str, str], ...]  # indices with their ranges, the last summed one first
Rule = tuple[Context, Reading, Reading]


def export_equation(certificate: Json) -> Exported:
    claim = Claim(certificate["statement"])
    proof = claim.proof(certificate["payload"]["steps"])
    return Exported(claim.printed(), proof, IMPORTS)


def export_refutation(certificate: Json) -> Exported:
    """The arrays of the certificate have all that is declared and supposed, and the sides differ somewhere."""
    claim, witness = Claim(certificate["statement"], exact=True), certificate["payload"]["witness"]
    if {*claim.arrays} - {*witness["arrays"]}:
        raise NotExported("an array that no side needs has no entries")
    goals = list(claim.goals())
    given = {k: _as_table(witness["arrays"][name], claim.arrays[name]["ranges"]) for name, k in claim.numbers.items()}
    values = {claim.names[f"array {name}"]: claim.tabled(name) for name in claim.arrays}
    statement = tables.exists(claim, claim.kinds(), goals)
    return Exported(statement, tables.script(claim, witness["sizes"], given, values, goals), IMPORTS)


class Claim(Printer):
    """A statement about arrays read, with its hypotheses; exact: its arrays are tables of numbers."""

    def __init__(self, statement: Json, *, exact: bool = False) -> None:
        super().__init__({}, {})
        self.exact = exact
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
                return Reading(1, 1, text, f"(delta_reads (rational F) dim' env' {at} erefl erefl)", sums)
            case "size", of:
                number = self.range(of)
                sums = f"(Sum {number} (Num (Qmake 1 1)))"
                return Reading(
                    1,
                    1,
                    f"{self.size(of)}%:R",
                    f"(size_reads (dim:=dim') env' (r:={number}) {self._values(context)} erefl (rational1 F))",
                    sums,
                )
            case "+", *parts:
                return reduce(plus, [self.at(part, context) for part in parts])
            case "*", *parts:
                return reduce(self.times, [self.at(part, context) for part in parts])
            case "^", a, k:
                return reduce(self.times, [self.at(a, context)] * k)
            case "terms", *rows:
                return reduce(plus, [self.at(written_out(row), context) for row in rows] or [self.number(Fraction(0))])
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
        if self.exact:
            text, sums = f"({' '.join([array, *places])})", f"(At {number} {listed(at)}%N)"
            return Reading(1, 1, text, self._plain(self._values(context), sums, text), sums)
        if not at:
            proof = f"(at_reads (rational F) dim' (env:=env') (l:={number}) (s:=[::]) {rho} erefl)"
            return Reading(1, 1, array, proof, f"(At {number} [::])")
        given = zip("ipjq", [part for pair in zip(places, at, strict=True) for part in pair], strict=False)
        indices = " ".join(f"({key}:={part})" for key, part in given)
        reasons = " ".join(["erefl"] * (1 + len(at)))
        proof = f"(entry{len(at)}_reads dim' (env:=env') (l:={number}) {indices} {rho} {reasons})"
        return Reading(1, 1, f"({' '.join([array, *places])})", proof, f"(At {number} {listed(at)}%N)")

    def _plain(self, rho: str, sums: str, text: str) -> str:
        """The proof that an entry of a table reads as it is computed."""
        return f"(erefl : reads (rational F) dim' env' {rho} {sums} {text})"

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
            cited = self._cited(context, left, right, hypothesis("rule", zero[1]))
            proof = f"(zero_is (dim:=dim') (env:=env') (l:={number}) (rs:={ranges}%N) erefl {cited})"
            definition = f"({number}, ({ranges}, Add {left.sums} (Neg {right.sums})))"
            self.letters.append(Letter("nothing F", definition=definition, proof=proof))
        letter: Reading = left._replace(sums=f"(At {self.zeros[zero]} {listed(at[name] for name, _ in context)}%N)")
        return letter

    # the theorem

    def kinds(self) -> dict[str, str]:
        """Where the arrays are from."""
        ranges = {self.names[f"array {name}"]: data["ranges"] for name, data in self.arrays.items()}
        return {name: " -> ".join([*map(self.ordinal, of), "F"]) for name, of in ranges.items()}

    def tabled(self, name: str) -> str:
        """An array whose entries a table lists."""
        ranges = self.arrays[name]["ranges"]
        places = PLACES[: len(ranges)]
        binders = "".join(f" ({place} : {self.ordinal(of)})" for place, of in zip(places, ranges, strict=True))
        entry = f"rational F (entry t'{self.numbers[name]} {listed(f'nat_of_ord {place}' for place in places)})"
        return f"(fun{binders} => {entry})" if places else entry

    def goals(self) -> Iterator[tables.Goal]:
        """The propositions that exact arrays must satisfy, and how each is shown."""
        for name, text in self._symmetries():
            (of, _), k, array = self.arrays[name]["ranges"], self.numbers[name], self.names[f"array {name}"]
            rho = listed(f"nat_of_ord {place}" for place in PLACES)
            sides = ("[:: 0; 1]", PLACES), ("[:: 1; 0]", PLACES[::-1])
            left, right = (self._plain(rho, f"(At {k} {at}%N)", f"({array} {' '.join(names)})") for at, names in sides)
            ranges, fits = self._fits([of, of], PLACES)
            yield text, f"move=> {' '.join(PLACES)}; {tables.same_at(rho, ranges, fits, left, right)}"
        for context, a, b in self.rules:
            names = [self.index(name) for name, _ in context]
            ranges, fits = self._fits([of for _, of in context], names)
            shown = tables.same_at(self._values(context), ranges, fits, a.proof, b.proof)
            yield f"({self._bound(context)}{equal(a, b)})", f"move=> {' '.join(names)}; {shown}" if names else shown
        ranges, _ = self._fits([of for _, of in self.context], [self.index(name) for name, _ in self.context])
        reason = self._cited(self.context, self.left, self.right, "E'")
        yield f"~ ({self._bound(self.context)}{equal(self.left, self.right)})", tables.differ_somewhere(ranges, reason)

    def _cited(self, context: Context, a: Reading, b: Reading, of: str) -> str:
        """The reason why the formulas of two sides are equal at all indices, from one why the sides are."""
        binders = "".join(f" ({self.index(name)} : {self.ordinal(range_)})" for name, range_ in context)
        cited = " ".join([of, *(self.index(name) for name, _ in context)])
        reason = f"etrans (esym {a.proof}) (etrans ({cited}) {b.proof})"
        return f"(fun{binders} => {reason})" if context else f"({reason})"

    def _fits(self, ranges: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
        """The numbers of some ranges, and the proof that indices are below them."""
        fits = "(fits_none dim')"
        for of, name in reversed(list(zip(ranges, names, strict=True))):
            fits = f"(fits_more (dim:=dim') (r:={self.range(of)}) {name} erefl {fits})"
        return f"{listed(map(self.range, ranges))}%N", fits

    def printed(self) -> str:
        arrays = [f" ({name} : {of})" for name, of in self.kinds().items()]
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
        _, fits = self._fits([of for _, of in self.context], [self.index(name) for name, _ in self.context])
        introduced = [
            *map(self.size, self.sizes),
            *(self.names[f"array {name}"] for name in self.arrays),
            *(hypothesis("symmetric", self.names[f"array {name}"]) for name, _ in self._symmetries()),
            *(hypothesis("rule", k) for k in range(len(self.rules))),
            *(self.index(name) for name, _ in self.context),
        ]
        used = Used(symmetry, self.zeros.values(), added)
        return self.script(introduced, "array_agree", [f"erefl {fits}", self.left.proof, self.right.proof], used)


def _as_table(entries: Any, ranges: Any) -> tables.Table:
    """An array of no, one or two indices as rows."""
    return entries if len(ranges) == 2 else [[entry] for entry in entries] if len(ranges) == 1 else [[entries]]


def _named(parts: Iterable[Json], arrays: Json) -> tuple[set[str], set[str]]:
    """The indices and the ranges that statements name."""
    indices, ranges = set[str](), {of for data in arrays.values() for of in data["ranges"]}

    def walk(formula: Any) -> None:
        match formula:
            case "terms", *rows:
                for row in rows:
                    walk(written_out(row))
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
