"""Kernels with sums as source: loops over NumPy arrays for Numba, and the same loops over nested lists of balls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from derivations.kernels.indexed_kernel import Call, Definition, IndexedKernel, Joined, Places, Reciprocal, Step
from derivations.kernels.printing import GLUE, INDENT, WIDTH, Balls, Floats, Printer, plain, wrapped
from derivations.language.sums import Array, Index, Range, Sums
from derivations.language.sums.algebra import DELTA, SIZE, Factor, replaced

Term = tuple[Fraction, tuple[Factor, ...]]
ONE: Term = (Fraction(1), ())
Known = Mapping[str, Range]
Line = tuple[int, str, str]
"""How deep a line of a program stands, what it assigns to ("" for none), and the value or the whole line."""

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


def groups(kernel: IndexedKernel, sums: Sums) -> list[Group]:
    """The terms of a formula that share their loops and conditions, in a fixed order; those without any come first."""
    found: dict[tuple[tuple[Factor, ...], Places], list[Term]] = {}
    for (ranges, factors), c in sorted(sums.terms.items(), key=lambda term: (term[1] < 0, repr(term))):
        bound = summed(kernel, ranges)
        opened = [
            replaced(f, {k: index.name for k, index in enumerate(bound)}) for f in sorted(factors, key=_simple_first)
        ]
        guards = tuple(f for f in opened if f[0] == DELTA)
        found.setdefault((guards, bound), []).append((c, tuple(f for f in opened if f[0] != DELTA)))
    ordered = sorted(found.items(), key=lambda item: (len(item[0][0]), len(item[0][1])))
    return [Group(guards, bound, *_taken_out(bound, terms)) for (guards, bound), terms in ordered]


def _simple_first(factor: Factor) -> tuple[int, str]:
    return len(factor), str(factor)


def summed(kernel: IndexedKernel, ranges: Sequence[str]) -> Places:
    """A summed index is called after its range."""
    taken = {*kernel.arrays, *kernel.ranges, *(index.name for index in kernel.indices), *kernel.arguments}
    names = [f"{name.lower()}{k}" for k, name in enumerate(ranges)]
    while taken.intersection(names):
        names = [f"{name}_" for name in names]
    return tuple(Index(name, kernel.ranges[of]) for name, of in zip(names, ranges, strict=True))


def _taken_out(bound: Places, terms: Sequence[Term]) -> tuple[Term, tuple[Term, ...]]:
    """What all terms have in common and no summed index enters, and what is left of them."""
    inside = {index.name for index in bound}
    shared = Counter(f for f in terms[0][1] if f[0] == SIZE or not inside.intersection(map(str, f[1:])))
    for _, factors in terms[1:]:
        shared &= Counter(factors)
    value = terms[0][0] if len({c for c, _ in terms}) == 1 else Fraction(1)
    rests = tuple((c / value, _listed(Counter(factors) - shared, factors)) for c, factors in terms)
    return (value, _listed(shared, terms[0][1])), rests


def _listed(counts: Counter[Factor], order: Sequence[Factor]) -> tuple[Factor, ...]:
    return tuple(f for f in dict.fromkeys(order) for _ in range(counts[f]))


# --- formulas as text -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class People:
    """Formulas as they are read; the targets change how entries, sizes and numbers are written."""

    kernel: IndexedKernel
    numbers: Printer = field(default_factory=Printer)
    options: tuple[str, ...] = ()
    """Further arguments of what is called."""

    def entry(self, array: Array, places: Sequence[str], known: Known) -> str:
        return f"{array.name}[{f',{GLUE}'.join(places)}]" if places else array.name

    def size(self, name: str) -> str:
        return name

    def head(self, array: Array, places: Places) -> str:
        return self.entry(array, [p.name for p in places], {p.name: p.range for p in places})

    def factor(self, factor: Factor, known: Known) -> str:
        name, *places = map(str, factor)
        return self.size(places[0]) if name == SIZE else self.entry(self.kernel.arrays[name], places, known)

    def product(self, term: Term, known: Known, *further: str) -> str:
        """A term without its sign, times what is given as text."""
        factors = [*(self.factor(f, known) for f in term[1]), *further]
        if not factors:
            return self.numbers.number(abs(term[0]), alone=True)[0]
        over, under = self.numbers.coefficient(abs(term[0]))
        return "*".join([over] * (over != "") + factors) + f"/{under}" * (under != "")

    def sum(self, terms: Sequence[Term], known: Known) -> str:
        first, *rest = terms
        start = "-" * (first[0] < 0) + self.product(first, known)
        return start + "".join(f" {_sign(t)}{GLUE}{self.product(t, known)}" for t in rest)

    def plain(self, group: Group, known: Known) -> str:
        """A group without its sign, loops and conditions."""
        if group.inner == (ONE,):
            return self.product(group.common, known)
        inner = self.sum(group.inner, known)
        return self.product(group.common, known, f"({inner})") if group.common[1] else inner

    def value(self, step: Call | Reciprocal) -> str:
        known = {index.name: index.range for index in step.places}
        texts = [self.sum([(c, f) for (_, f), c in sums.terms.items()], known) for _, sums in step.formulas]
        if isinstance(step, Call):
            return f"{step.kernel.name}({', '.join([*texts, *self.options])})"
        one = self.numbers.number(Fraction(1), alone=False)[0]
        return f"{one}/{texts[0]}" if texts[0].isidentifier() else f"{one}/({texts[0]})"


def assignment(head: str, text: str, indent: str) -> str:
    """A line, or several where the value or what it is unpacked into is long."""
    if len(head) < WIDTH - len(indent) - len(INDENT):
        return wrapped(f"{head} = ", text, indent)
    return f"{wrapped('', head, indent)} = {wrapped('', text, indent).lstrip()}"


def by(array: Array) -> str:
    """The shape for people; an array without ranges is a number."""
    return " x ".join(r.name for r in array.ranges) or "1"


def _sign(term: Term) -> str:
    return "-" if term[0] < 0 else "+"


def steps_of(kernel: IndexedKernel) -> list[str]:
    """The steps as people write them."""
    people = People(kernel)
    return [assignment(head, text, INDENT * 2) for step in kernel.steps for head, text in _shown(people, step)]


def facts_of(kernel: IndexedKernel) -> dict[str, str]:
    """The inputs with their shapes, and which index runs through which range."""
    told = [
        f"{r.name} = {' + '.join(p.name for p in r.parts)}" for r in kernel.ranges.values() if isinstance(r, Joined)
    ]
    ranges = [
        f"{', '.join(i.name for i in kernel.indices if i.range == r)} in {r.name}"
        for r in kernel.ranges.values()
        if any(i.range == r for i in kernel.indices)
    ]
    inputs = [f"{a.name} ({by(a)})" if a.ranges else a.name for a in kernel.inputs]
    return {"Indices": "; ".join([*ranges, *told]), "Inputs": ", ".join(t.replace(" ", GLUE) for t in inputs)}


def _shown(people: People, step: Step) -> Iterable[tuple[str, str]]:
    if isinstance(step, Definition):
        for places, sums in step.pieces:
            yield people.head(step.target, places), _formula(people, places, sums)
        return
    yield ", ".join(people.head(target, step.places) for target in step.targets), people.value(step)


def _formula(people: People, places: Places, sums: Sums) -> str:
    text = ""
    for group in groups(people.kernel, sums):
        known = group.known(places)
        inner = people.sum(group.inner, known)
        if group.bound:
            inner = f"sum_{{{f',{GLUE}'.join(index.name for index in group.bound)}}}({inner})"
            part = people.product(group.common, known, inner)
        else:
            part = people.plain(group, known)
        where = "*".join(f"[{p} = {q}]" for _, p, q in group.guards)
        part = where if where and part == "1" else "*".join([part, where]) if where else part
        text += f" {_sign(group.common)}{GLUE}{part}" if text else "-" * (group.common[0] < 0) + part
    return text or "0"


# --- programs ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program(People):
    """What both targets share: loops, conditions, and the shift of an index that runs through a part."""

    indent: str = INDENT

    def new(self, sizes: Sequence[str]) -> str:
        raise NotImplementedError

    def at(self, name: str, of: Range, whole: Range) -> str:
        """An index as a position: the parts of a joined range follow one another."""
        if not isinstance(whole, Joined) or of == whole:
            return name
        before = [part.name for part in whole.parts[: whole.parts.index(of)]]
        return " + ".join([*before, name]).replace(" ", GLUE)

    def positions(self, array: Array, places: Sequence[str], known: Known) -> list[str]:
        return [self.at(p, known[p], whole) for p, whole in zip(places, array.ranges, strict=True)]

    def body(self) -> list[str]:
        """What follows a function's docstring."""
        lines = [*self.read(), *self.measured(), *(line for step in self.kernel.steps for line in self.step(step))]
        last = ", ".join(self.kernel.returns)
        lines.append((0, "", f"return ({last},)" if len(self.kernel.returns) == 1 else f"return {last}"))
        return [
            assignment(head, text, self.indent + INDENT * depth) if head else plain(self.indent + INDENT * depth + text)
            for depth, head, text in lines
        ]

    def read(self) -> list[Line]:
        return []

    def shape(self, array: Array, axis: int) -> str:
        raise NotImplementedError

    def misfit(self, array: Array) -> str:
        """The condition under which an input does not have the sizes that its ranges say."""
        raise NotImplementedError

    def measured(self) -> list[Line]:
        """The sizes of the ranges from the inputs, all of which must agree, and then those of joined ranges."""
        found: dict[str, str] = {}
        for array in self.kernel.inputs:
            for axis, of in enumerate(array.ranges):
                found.setdefault(of.name, self.shape(array, axis))
        lines: list[Line] = [(0, name, text) for name, text in found.items()]
        for array in self.kernel.inputs:
            lines += self.refused(self.misfit(array), f"{array.name} is not an array of {by(array)}") * bool(
                array.ranges
            )
            lines += self.refused(f"not symmetric({array.name})", f"{array.name} is not symmetric") * array.symmetric
        joined = [r for r in self.kernel.ranges.values() if isinstance(r, Joined)]
        return lines + [(0, r.name, " + ".join(part.name for part in r.parts)) for r in joined]

    def refused(self, condition: str, sentence: str) -> list[Line]:
        return [(0, "", f"if {condition}:"), (1, "", f'raise ValueError("{sentence}")')]

    # --- steps --------------------------------------------------------------------------------------------------------

    def step(self, step: Step) -> list[Line]:
        lines = self.made(step.targets)
        if isinstance(step, Definition):
            for places, sums in step.pieces:
                lines += self.looped(places, self.assigned(step.target, places, sums))
            return lines
        return [*lines, *self.looped(step.places, self.evaluated(step))]

    def made(self, targets: Sequence[Array]) -> list[Line]:
        """Arrays to be filled."""
        return [(0, a.name, self.new([r.name for r in a.ranges])) for a in targets if a.ranges]

    def evaluated(self, step: Call | Reciprocal) -> list[Line]:
        """One entry of every target of a step that calls or divides."""
        heads = ", ".join(self.head(target, step.places) for target in step.targets)
        only = "[0]" * (isinstance(step, Call) and len(step.targets) == 1)
        return [(0, heads, self.value(step) + only)]

    def looped(self, places: Places, lines: Sequence[Line]) -> list[Line]:
        loops = [(k, "", f"for {p.name} in range({p.range.name}):") for k, p in enumerate(places)]
        return [*loops, *deeper(lines, len(loops))]

    def assigned(self, target: Array, places: Places, sums: Sums) -> list[Line]:
        """An entry of an array: at once where there is nothing to sum, else sum by sum."""
        head, parts = self.head(target, places), groups(self.kernel, sums)
        if len(parts) == 1 and parts[0].bound and not parts[0].guards:
            return [*self.summed(parts[0], places, "entry"), (0, head, self.signed(parts[0], places, "entry"))]
        simple = [group for group in parts if not (group.bound or group.guards)]  # one at most
        start = "".join(self.signed(group, places) for group in simple) or self.zero
        rest = [line for group in parts[len(simple) :] for line in self.added(group, places)]
        return [(0, "entry", start), *rest, (0, head, "entry")] if rest else [(0, head, start)]

    def added(self, group: Group, places: Places) -> list[Line]:
        lines = self.summed(group, places, "part") if group.bound else []
        share = self.share(group, places, "part" if group.bound else "")
        lines.append((0, "entry", f"entry {_sign(group.common)} {share}"))
        return self.guarded(group.guards, lines) if group.guards else lines

    def guarded(self, guards: Sequence[Factor], lines: Sequence[Line]) -> list[Line]:
        """Lines for equal indices only."""
        return [(0, "", f"if {' and '.join(f'{p} == {q}' for _, p, q in guards)}:"), *deeper(lines, 1)]

    def summed(self, group: Group, places: Places, name: str) -> list[Line]:
        """The sum over all values of the bound indices, under a name."""
        term = (0, name, f"{name} + {self.sum(group.inner, group.known(places))}")
        return [(0, name, self.zero), *self.looped(group.bound, [term])]

    def share(self, group: Group, places: Places, sum_of_inner: str = "") -> str:
        """What a group adds or takes away."""
        known = group.known(places)
        return self.product(group.common, known, sum_of_inner) if sum_of_inner else self.plain(group, known)

    def signed(self, group: Group, places: Places, sum_of_inner: str = "") -> str:
        return "-" * (group.common[0] < 0) + self.share(group, places, sum_of_inner)

    @property
    def zero(self) -> str:
        return self.numbers.number(Fraction(0), alone=True)[0]


def deeper(lines: Sequence[Line], by: int) -> list[Line]:
    return [(depth + by, head, text) for depth, head, text in lines]


@dataclass(frozen=True)
class FloatLoops(Program):
    """Numba: arrays of doubles."""

    numbers: Printer = field(default_factory=Floats)

    def entry(self, array: Array, places: Sequence[str], known: Known) -> str:
        return f"{array.name}[{f',{GLUE}'.join(self.positions(array, places, known))}]" if places else array.name

    def new(self, sizes: Sequence[str]) -> str:
        return f"np.empty(({', '.join(sizes)}{',' * (len(sizes) == 1)}))"

    def shape(self, array: Array, axis: int) -> str:
        return f"{array.name}.shape[{axis}]"

    def misfit(self, array: Array) -> str:
        return " or ".join(f"{self.shape(array, k)} != {r.name}" for k, r in enumerate(array.ranges))


@dataclass(frozen=True)
class BallLoops(Program):
    """python-flint: nested lists, in which every entry is an interval that surely holds the value."""

    numbers: Printer = field(default_factory=Balls)
    indent: str = INDENT * 2
    options: tuple[str, ...] = ("digits=digits",)

    def entry(self, array: Array, places: Sequence[str], known: Known) -> str:
        return array.name + "".join(f"[{position}]" for position in self.positions(array, places, known))

    def size(self, name: str) -> str:
        return f"arb({name})"

    def new(self, sizes: Sequence[str]) -> str:
        return f"table({', '.join(sizes)})"

    def read(self) -> list[Line]:
        return [
            (0, a.name, f"read({a.name}, {len(a.ranges)})" if a.ranges else f"exact({a.name})")
            for a in self.kernel.inputs
        ]

    def shape(self, array: Array, axis: int) -> str:
        return f"shape({array.name}, {len(array.ranges)})[{axis}]"

    def misfit(self, array: Array) -> str:
        sizes = ", ".join(r.name for r in array.ranges) + "," * (len(array.ranges) == 1)
        return f"shape({array.name}, {len(array.ranges)}) != ({sizes})"
