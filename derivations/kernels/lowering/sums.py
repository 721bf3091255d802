"""Polynomials in entries of arrays as loops: statements that fill an array entry by entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from derivations.kernels.lowering.operations import added, multiple
from derivations.kernels.program import Line, Operation, Statement, Value
from derivations.language.sums import Array, Index, Range, Sums
from derivations.language.sums.algebra import DELTA, SIZE, Factor, replaced

Places = tuple[Index, ...]


@dataclass(frozen=True)
class Joined(Range):
    """The values of several ranges, one after the other."""

    parts: tuple[Range, ...] = ()


Term = tuple[Fraction, tuple[Factor, ...]]
Known = Mapping[str, Range]
ENTRY, PART = "entry", "part"
"""Names for an entry that is added up, and for one of the sums that it consists of."""

# --- formulas in groups -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Group:
    """common * sum over `bound` of the inner terms, where the indices of every guard are equal."""

    guards: tuple[Factor, ...]
    bound: Places
    common: Term
    inner: tuple[Term, ...]

    def known(self, places: Places) -> Known:
        return {index.name: index.range for index in (*places, *self.bound)}


def _simple_first(factor: Factor) -> tuple[int, str]:
    return len(factor), str(factor)


def _taken_out(bound: Places, terms: Sequence[Term]) -> tuple[Term, tuple[Term, ...]]:
    """Split terms into their common factors without a summed index, and the remaining factors."""
    inside = {index.name for index in bound}
    shared = Counter(f for f in terms[0][1] if f[0] == SIZE or not inside.intersection(map(str, f[1:])))
    for _, factors in terms[1:]:
        shared &= Counter(factors)
    value = terms[0][0] if len({c for c, _ in terms}) == 1 else Fraction(1)
    rests = tuple((c / value, _listed(Counter(factors) - shared, factors)) for c, factors in terms)
    return (value, _listed(shared, terms[0][1])), rests


def _listed(counts: Counter[Factor], order: Sequence[Factor]) -> tuple[Factor, ...]:
    return tuple(f for f in dict.fromkeys(order) for _ in range(counts[f]))


class Lowering:
    """Translate the steps of one kernel: into statements for programs, and operations for people."""

    def __init__(self, arrays: Mapping[str, Array], ranges: Mapping[str, Range], indices: Iterable[str]) -> None:
        self.arrays, self.ranges = arrays, ranges
        self.taken = {*arrays, *ranges, *indices}

    # --- statements ---------------------------------------------------------------------------------------------------

    def made(self, targets: Sequence[Array]) -> list[Statement]:
        """Arrays to be filled."""
        return [("new", array.name, tuple(r.name for r in array.ranges)) for array in targets if array.ranges]

    def called(
        self, name: str, targets: Sequence[Array], places: Places, arguments: Sequence[Sums]
    ) -> Iterable[Statement]:
        known = _known(places)
        at = tuple((array.name, self.positions(array, _names(places), known)) for array in targets)
        return looped(places, [("call", name, tuple(self.plain(sums, known) for sums in arguments), at)])

    def inverted(self, target: Array, places: Places, of: Sums) -> Iterable[Statement]:
        value = ("*", "1", (), (self.plain(of, _known(places)),))
        return looped(places, [self.stored(target, places, value)])

    def defined(self, target: Array, places: Places, sums: Sums) -> Iterable[Statement]:
        return looped(places, self.assigned(target, places, sums))

    def assigned(self, target: Array, places: Places, sums: Sums) -> list[Statement]:
        """An entry of an array: at once where there is nothing to sum, else sum by sum."""
        parts = self.groups(sums)
        if len(parts) == 1 and parts[0].bound and not parts[0].guards:
            return [self.sum(parts[0], places, ENTRY), self.stored(target, places, self.share(parts[0], places, ENTRY))]
        simple = [group for group in parts if not (group.bound or group.guards)]  # one at most
        start = self.share(simple[0], places) if simple else ("q", "0")
        others = [statement for group in parts[len(simple) :] for statement in self.grown(group, places)]
        if not others:
            return [self.stored(target, places, start)]
        return [assigned(ENTRY, start), *others, self.stored(target, places, ("s", ENTRY))]

    def grown(self, group: Group, places: Places) -> list[Statement]:
        statements = [self.sum(group, places, PART)] if group.bound else []
        share = self.share(group, places, PART if group.bound else "")
        more = share[1:] if share[0] == "+" and not group.bound else (share,)
        statements.append(assigned(ENTRY, ("+", ("s", ENTRY), *more)))
        return (
            [("if", tuple((str(p), str(q)) for _, p, q in group.guards), tuple(statements))]
            if group.guards
            else statements
        )

    def sum(self, group: Group, places: Places, name: str) -> Statement:
        """The sum over all values of the bound indices, under a name."""
        return ("sum", name, _pairs(group.bound), self.terms(group.inner, group.known(places)))

    def share(self, group: Group, places: Places, name: str = "") -> Operation:
        """The contribution of a group, where the sum over its bound indices has a name."""
        known, (coefficient, factors) = group.known(places), group.common
        outer = [self.factor(f, known) for f in factors]
        if name:
            return multiple(coefficient, [*outer, ("s", name)])
        if len(group.inner) == 1:
            (c, inner), *_ = group.inner
            return multiple(coefficient * c, [*outer, *(self.factor(f, known) for f in inner)])
        if outer:
            return multiple(coefficient, [*outer, self.terms(group.inner, known)])
        return self.terms([(coefficient * c, inner) for c, inner in group.inner], known)

    def stored(self, target: Array, places: Places, value: Operation) -> Statement:
        if not target.ranges:
            return assigned(target.name, value)
        known = _known(places)
        return ("store", target.name, self.positions(target, _names(places), known), value)

    # --- for people ---------------------------------------------------------------------------------------------------

    def head(self, targets: Sequence[Array], places: Places) -> Operation:
        """The left side of an equation."""
        at = tuple((index.name,) for index in places)
        return ("names", tuple(("at", array.name, at) if places else ("s", array.name) for array in targets))

    def readable(self, sums: Sums) -> Operation:
        """The whole formula as one operation, with its sums and conditions."""
        parts = [self._part(group) for group in self.groups(sums)]
        flat = [p for part in parts for p in (part[1:] if part[0] == "+" else (part,))]
        return added(flat)

    def _part(self, group: Group) -> Operation:
        deltas = [("delta", str(p), str(q)) for _, p, q in group.guards]
        coefficient, factors = group.common
        outer = [self.factor(f, None) for f in factors]
        if group.bound:
            total = ("total", tuple(index.name for index in group.bound), self.terms(group.inner, None))
            return multiple(coefficient, [*outer, total, *deltas])
        if len(group.inner) == 1:
            (c, inner), *_ = group.inner
            return multiple(coefficient * c, [*outer, *(self.factor(f, None) for f in inner), *deltas])
        if outer or deltas:
            return multiple(coefficient, [*outer, self.terms(group.inner, None), *deltas])
        return self.terms([(coefficient * c, inner) for c, inner in group.inner], None)

    # --- formulas -----------------------------------------------------------------------------------------------------

    def groups(self, sums: Sums) -> list[Group]:
        """The terms that share their loops and conditions, in a fixed order; those without any come first."""
        groups: dict[tuple[tuple[Factor, ...], Places], list[Term]] = {}
        for (ranges, factors), c in sorted(sums.terms.items(), key=lambda term: (term[1] < 0, repr(term))):
            bound = self.bound(ranges)
            names: dict[str | int, str | int] = {k: index.name for k, index in enumerate(bound)}
            opened = [replaced(f, names) for f in sorted(factors, key=_simple_first)]
            guards = tuple(f for f in opened if f[0] == DELTA)
            groups.setdefault((guards, bound), []).append((c, tuple(f for f in opened if f[0] != DELTA)))
        ordered = sorted(groups.items(), key=lambda item: (len(item[0][0]), len(item[0][1])))
        return [Group(guards, bound, *_taken_out(bound, terms)) for (guards, bound), terms in ordered]

    def bound(self, ranges: Sequence[str]) -> Places:
        """A summed index is called after its range."""
        names = [f"{name.lower()}{k}" for k, name in enumerate(ranges)]
        while self.taken.intersection(names):
            names = [f"{name}_" for name in names]
        return tuple(Index(name, self.ranges[of]) for name, of in zip(names, ranges, strict=True))

    def plain(self, sums: Sums, known: Known | None) -> Operation:
        """A formula without sums and conditions."""
        return self.terms([(c, factors) for (_, factors), c in sums.terms.items()], known)

    def terms(self, terms: Sequence[Term], known: Known | None) -> Operation:
        return added([multiple(c, [self.factor(f, known) for f in factors]) for c, factors in terms])

    def factor(self, factor: Factor, known: Known | None) -> Operation:
        """For people, who know no ranges, an index stands as it is."""
        name, *places = map(str, factor)
        if name == SIZE:
            return ("size", places[0])
        if not places:
            return ("s", name)
        array = self.arrays[name]
        return ("at", name, tuple((p,) for p in places) if known is None else self.positions(array, places, known))

    def positions(self, array: Array, places: Sequence[str], known: Known) -> tuple[tuple[str, ...], ...]:
        """Where an entry lies: the parts of a joined range follow one another."""
        return tuple(_position(p, known[p], whole) for p, whole in zip(places, array.ranges, strict=True))


def typed(array: Array) -> Value:
    kind = "symmetric" if array.symmetric else "array" if array.ranges else "number"
    return Value(array.name, kind, tuple(r.name for r in array.ranges))


def equation(head: Operation, value: Operation) -> Line:
    return Line(head, ((None, value),))


def _known(places: Places) -> Known:
    return {index.name: index.range for index in places}


def assigned(name: str, value: Operation) -> Statement:
    return ("=", name, ((None, value),))


def looped(places: Places, statements: Iterable[Statement]) -> Iterable[Statement]:
    return [("for", _pairs(places), tuple(statements))] if places else statements


def _pairs(places: Places) -> tuple[tuple[str, str], ...]:
    return tuple((index.name, index.range.name) for index in places)


def _names(places: Places) -> list[str]:
    return [index.name for index in places]


def _position(index: str, of: Range, whole: Range) -> tuple[str, ...]:
    if not isinstance(whole, Joined) or of == whole:
        return (index,)
    return (*(part.name for part in whole.parts[: whole.parts.index(of)]), index)
