"""Products of entries, summed over indices of any range, in one normal form that carries sums and matrices alike.

A letter stands with its indices: two for a matrix, one for a vector, none for a number; a diagonal matrix is a vector
and a delta. Products of matrices, transposes and traces are then sums like any others. A term falls into components
that share no summed index, and each is written in the smallest way there is, one factor after another, its summed
indices numbered as they come. Two terms are the same when one becomes the other by other names for summed indices.

Components have numbers, so that a term is short. Derivatives are taken with a number SMALL whose square counts as zero:
where each letter X is X + SMALL X', the change of a product is what stands beside SMALL.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

from flint import fmpq

from derivations.recheck.core.budget import known, spend
from derivations.recheck.core.load import rational, require

FREE, SUMMED, RANGE = 0, 1, 2
DELTA, SIZE, SMALL = "=", "#", "~"  # no letter can have such a name
STEP_WORK, BIT_WORK = 3_000, 40  # see `spend`
MAX_SIZE = 200

Index = tuple[Any, ...]  # (FREE, name), (SUMMED, number, range), or (RANGE, name) in a size
Factor = tuple[Any, ...]  # (letter, index, ...), (DELTA, index, index) or (SIZE, (RANGE, name))
Component = tuple[Factor, ...]
Term = tuple[int, ...]  # components, each by its number
Sum = dict[Term, Any]  # rational coefficients that are not zero
Table = dict[tuple[int, ...], Any]  # the entries of an array, or the values of a sum
Given = tuple[Sequence[str], Sum]  # what stands for a letter, with the names of its places
Moving = Callable[[str], Given | None]
ONE: Sum = {(): fmpq(1)}


def free(name: str) -> Index:
    return (FREE, name)


def add(total: Sum, term: Term, coefficient: Any) -> None:
    spend(STEP_WORK + BIT_WORK * coefficient.height_bits())
    value = total.get(term, 0) + coefficient
    if value:
        total[term] = value
    else:
        total.pop(term, None)


def added(*parts: Sum) -> Sum:
    total: Sum = {}
    for part in parts:
        for term, coefficient in part.items():
            add(total, term, coefficient)
    return total


def scaled(number: Any, part: Sum) -> Sum:
    return {term: number * coefficient for term, coefficient in part.items()} if number else {}


class Arithmetic:
    """Sums over letters of which some are symmetric in their two indices."""

    def __init__(self, symmetric: Collection[str]) -> None:
        self.symmetric = symmetric
        self.components: list[Component] = []
        self.free_in: list[frozenset[Index]] = []  # each of them
        self.numbers: dict[Component, int] = {}  # of components, as they are written here and elsewhere
        self.joined: dict[Any, Term] = {}
        (self.small,) = self.normal([(SMALL,)])

    def product(self, first: Sum, second: Sum, over: Mapping[str, str] | None = None) -> Sum:
        """The product, summed over the free indices that `over` gives ranges."""
        summed = tuple((over or {}).items())
        total: Sum = {}
        for a, c in first.items():
            for b, d in second.items():
                if self.small not in a or self.small not in b:
                    add(total, self._over(a + b, (), summed), c * d)
        return total

    def changed(self, a: Sum, names: Mapping[str, str], over: Mapping[str, str] | None = None) -> Sum:
        """Other names for free indices, then the sum over those that `over` gives ranges."""
        renamed, summed = tuple(names.items()), tuple((over or {}).items())
        total: Sum = {}
        for term, c in a.items():
            add(total, self._over(term, renamed, summed), c)
        return total

    def _over(self, term: Term, names: tuple[Any, ...], over: tuple[Any, ...]) -> Term:
        """A term with other names for free indices, summed over some of them.

        Components without these indices stay as they are; but a delta may make one of them equal to any other index.
        """
        changing = {free(name) for name, _ in names + over}
        bound = any(self.components[k][0][0] == DELTA for k in term)
        if not (changing or bound):
            return tuple(sorted(term))
        touched = tuple([k for k in term if bound or not changing.isdisjoint(self.free_in[k])])
        key = touched, names, over
        if key not in self.joined:
            renamed = _renamed(self.factors(touched), {free(old): free(new) for old, new in names})
            table = {free(name): (SUMMED, f"{SIZE}{k}", of) for k, (name, of) in enumerate(over)}
            self.joined[key] = self.normal(_renamed(renamed, table), table.values())
        return tuple(sorted(self.joined[key] + tuple([k for k in term if k not in touched])))

    def moved(self, a: Sum, rate: Moving) -> Sum:
        """The rule of products: what a small change of letters, each at its rate, changes."""

        def changed(name: str) -> Given | None:
            given = rate(name)
            if given is None:
                return None
            places, terms = given
            still = {self.normal([(name, *map(free, places))]): fmpq(1)}
            return places, added(still, self.product({(self.small,): fmpq(1)}, terms))

        whole = self.replaced(a, changed)
        return {tuple([k for k in term if k != self.small]): c for term, c in whole.items() if self.small in term}

    def replaced(self, a: Sum, value: Moving) -> Sum:
        """All factors at once, with what stands for them in their places."""
        values: dict[int, Sum] = {}
        total: Sum = {}
        for term, c in a.items():
            whole: Sum = {(): c}
            for number in term:
                if number not in values:
                    standing = {k: given for k, f in enumerate(self.components[number]) if (given := value(f[0]))}
                    values[number] = self._component(number, standing) if standing else {(number,): fmpq(1)}
                whole = self.product(whole, values[number])
            total = added(total, whole)
        return total

    def _component(self, number: int, standing: Mapping[int, Given]) -> Sum:
        """A component in which something else stands for some factors, at the indices of these."""
        total, over = ONE, dict[str, str]()
        for k, (head, *places) in enumerate(self.components[number]):
            names = [f"{SIZE}{index[1]}" if index[0] == SUMMED else str(index[1]) for index in places]
            over |= {name: index[2] for name, index in zip(names, places, strict=True) if index[0] == SUMMED}
            if k in standing:
                at, part = standing[k]
                total = self.product(total, self.changed(part, dict(zip(at, names, strict=True))))
            else:
                factor = (head, *(places if head == SIZE else map(free, names)))
                total = self.product(total, {self.normal([factor]): fmpq(1)})
        return self.changed(total, {}, over)

    def factors(self, term: Term) -> list[Factor]:
        """The factors of a term, its summed indices numbered on."""
        row: list[Factor] = []
        for k in term:
            row += _beside(self.components[k], row)
        return row

    # normal form

    def normal(self, factors: Iterable[Factor], summed: Iterable[Index] = ()) -> Term:
        """The term that some factors make; indices that may stand in none of them are summed over as well."""
        groups: list[tuple[set[Index], list[Factor]]] = []
        for factor in _without_deltas(list(factors), summed):
            own = {index for index in factor[1:] if index[0] == SUMMED}
            met = [group for group in groups if own & group[0]] if own else []
            if met:
                groups = [group for group in groups if not own & group[0]]
            groups.append((own.union(*(g[0] for g in met)), [*(f for g in met for f in g[1]), factor]))
        return tuple(sorted(self._spelled(pieces) for _, pieces in groups))

    def _spelled(self, pieces: list[Factor]) -> int:
        """The number of the component that connected factors are."""
        numbers: dict[Index, Index] = {}
        for factor in pieces:
            for index in factor[1:]:
                if index[0] == SUMMED:
                    numbers.setdefault(index, (SUMMED, len(numbers), index[2]))
        key = tuple(_renamed(pieces, numbers))
        spend(STEP_WORK * len(key))
        if key not in self.numbers:
            turning, table = frozenset(head for head, *_ in key if head in self.symmetric), known()
            component = table.get((key, turning)) or self._in_order(key)
            table[key, turning] = component  # which other sums of this certificate may need as well
            if component not in self.numbers:
                self.numbers[component] = len(self.components)
                self.components.append(component)
                self.free_in.append(frozenset(i for factor in component for i in factor[1:] if i[0] == FREE))
            self.numbers[key] = self.numbers[component]
        return self.numbers[key]

    def _in_order(self, pieces: Component) -> Component:
        """The smallest next factor is written, in all ways in which that can be done, until none waits."""
        written: list[Factor] = []
        states: list[tuple[dict[Index, Index], Component]] = [({}, pieces)]
        for _ in pieces:
            best: Any = None
            following: dict[Any, Any] = {}
            for numbers, waiting in states:
                for at, (head, *places) in enumerate(waiting):
                    for reading in (places, places[::-1]) if head in self.symmetric else (places,):
                        spend(STEP_WORK)
                        fresh: dict[Index, Index] = {}
                        for index in reading:
                            if index[0] == SUMMED and index not in numbers:
                                fresh.setdefault(index, (SUMMED, len(numbers) + len(fresh), index[2]))
                        spelling = (tuple([fresh.get(i) or numbers.get(i, i) for i in reading]), head)
                        if best is None or spelling < best:
                            best, following = spelling, {}
                        if spelling == best:
                            spend(STEP_WORK * len(pieces))
                            others, named = waiting[:at] + waiting[at + 1 :], {**numbers, **fresh}
                            following[others, frozenset(named.items())] = (named, others)
            written.append((best[1], *best[0]))
            states = list(following.values())
        return tuple(written)


def _beside(factors: Iterable[Factor], others: Iterable[Factor]) -> Iterable[Factor]:
    """Factors whose summed indices have other numbers than those of others."""
    taken = 1 + max([index[1] for factor in others for index in factor[1:] if index[0] == SUMMED], default=-1)
    if not taken:
        return factors
    return [(head, *((SUMMED, p[1] + taken, p[2]) if p[0] == SUMMED else p for p in ps)) for head, *ps in factors]


def _renamed(factors: Iterable[Factor], table: Mapping[Index, Index]) -> list[Factor]:
    return [(head, *(table.get(p, p) for p in places)) for head, *places in factors] if table else list(factors)


def _without_deltas(factors: list[Factor], summed: Iterable[Index] = ()) -> list[Factor]:
    """Indices that deltas make equal are one: the smallest of them, and free ones come before summed ones.

    A summed index that then stands nowhere counts the values in its range.
    """
    groups: list[set[Index]] = []
    for head, *pair in factors:
        if head == DELTA:
            met = [group for group in groups if group & set(pair)]
            groups = [group for group in groups if not group & set(pair)] + [set(pair).union(*met)]
    first = {index: min(group) for group in groups for index in group}
    plain = _renamed([f for f in factors if f[0] != DELTA], first) if groups else factors
    used = {index for factor in plain for index in factor[1:]}
    links = [(DELTA, least, index) for index, least in first.items() if index[0] == FREE and index != least]
    alone = {first.get(index, index) for index in (*first, *summed)} - used
    return plain + links + [(SIZE, (RANGE, index[2])) for index in alone if index[0] == SUMMED]


# --- exact arrays -----------------------------------------------------------------------------------------------------


class Instance:
    """Sizes of ranges, from 1 on, and exact numbers for the entries of letters."""

    def __init__(self, sums: Arithmetic, sizes: Mapping[str, Any]) -> None:
        self.sums = sums
        for name, size in sizes.items():
            fits = type(size) is int and 1 <= size <= MAX_SIZE
            require(fits, f"the size of {name} must be 1 to {MAX_SIZE}: empty matrices and arrays show nothing")
        self.sizes = sizes
        self.arrays: dict[str, Table] = {}

    def extent(self, of: str | int) -> range:
        require(of == 1 or of in self.sizes, f"the instance gives {of} no size")
        return range(1 if of == 1 else self.sizes[str(of)])

    def entries(self, nested: Any, ranges: tuple[str | int, ...]) -> Table:
        """Nested lists of exact numbers as a table; the place in a range of size 1 by nature is not written."""
        if not ranges:
            spend(STEP_WORK)
            return {(): rational(nested, "an entry")}
        extent = self.extent(ranges[0])
        whole = isinstance(nested, list | tuple) and len(nested) == len(extent)
        require(whole, f"a matrix or an array does not have the size {len(extent)} that its letter has")
        inner = [self.entries(part, ranges[1:]) for part in nested]
        return {(*([i] if ranges[0] != 1 else []), *at): v for i in extent for at, v in inner[i].items()}

    def place(self, given: Mapping[str, Any], ranges: Mapping[str, str]) -> Iterable[int]:
        """The values of free indices, in order."""
        require(set(given) == set(ranges), "the witness must give every free index a value")
        for name, of in ranges.items():
            require(type(given[name]) is int and given[name] in self.extent(of), f"{name} lies outside its range")
            yield given[name]

    def value(self, a: Sum, ranges: Mapping[str, str]) -> Table:
        """The values of a sum at all values of its free indices, whose ranges are given."""
        names = [free(name) for name in ranges]
        extents = [self.extent(of) for of in ranges.values()]
        whole: Table = {}
        for term, c in a.items():
            known, table = self._multiplied(self.sums.factors(term), dict(zip(names, extents, strict=True)))
            for place in product(*extents):
                at = dict(zip(names, place, strict=True))
                whole[place] = whole.get(place, 0) + c * table.get(tuple([at[name] for name in known]), 0)
        return {place: v for place, v in whole.items() if v}

    def _multiplied(self, factors: list[Factor], extents: Mapping[Index, range]) -> tuple[list[Index], Table]:
        """The values of a product, with the indices on which they depend; others are summed once no factor waits."""
        known: list[Index] = []
        table: Table = {(): fmpq(1)}
        for k, (head, *places) in enumerate(factors):
            fresh = [i for i in dict.fromkeys(places) if i not in known and i[0] != RANGE]
            waiting = {*extents, *(i for factor in factors[k + 1 :] for i in factor[1:])}
            kept, before = [i for i in (*known, *fresh) if i in waiting], table
            table = {}
            for at, v in before.items():
                for new in product(*(extents[i] if i in extents else self.extent(i[2]) for i in fresh)):
                    now = dict(zip((*known, *fresh), (*at, *new), strict=True))
                    place = tuple([now[i] for i in kept])
                    spend(STEP_WORK)
                    if entry := self.entry(head, [now.get(i, 0) for i in places], places):
                        table[place] = table.get(place, 0) + v * entry
                        spend(BIT_WORK * table[place].height_bits())
            known = kept
        return known, table

    def entry(self, head: str, at: list[int], places: list[Index]) -> Any:
        if head == SIZE:
            return len(self.extent(places[0][1]))
        if head == DELTA:
            return int(at[0] == at[1])
        require(head in self.arrays, f"the instance gives {head} no value")
        return self.arrays[head].get(tuple(at), 0)
