"""Modules of jets: the recurrences of `derivations.kernels.jets` as Python for Numba, eight starts at once.

A module assigns its sizes and defines `fix`, which writes the coefficients that stay the same during a run, and `jets`,
which writes the series: order k of series number s at s*ROW + k*LANES.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from derivations.kernels.jets import ONE, Jets, Series, jets_of, positive
from derivations.kernels.lowering.operations import negative, parts_of
from derivations.kernels.program import Operation
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets.printing import GLUE, INDENT, INNER, WIDTH, Printer, plain, wrapped
from derivations.language.terms import NotExact

JITTED = "@njit(cache=True)"


def jets_modules(paper: str, kernels: Iterable[Specification], emitted: str, untyped: str) -> Mapping[str, str]:
    """The modules of jets of a paper, by file name."""
    wanted = (kernel for kernel in kernels if kernel.jets)
    return {f"{paper}_{kernel.name}_jets.py": jets_module(kernel, paper, emitted, untyped) for kernel in wanted}


def jets_module(kernel: Specification, paper: str, emitted: str, untyped: str) -> str:
    """A module of jets for `numerics.ode.methods.taylor`."""
    jets = jets_of(kernel)
    try:
        text = "\n\n\n".join([_sizes(jets), _fix(jets), _Recurrences(jets).text()])
    except NotExact as trouble:
        raise KernelError(f"the kernel {kernel.name} has no jets: {trouble}") from trouble
    lanes = [word for word in ("LANES", "load", "spread", "store") if re.search(rf"\b{word}\b", text)]
    claims = ", ".join(claim if ":" in claim else f"{paper}:{claim}" for claim in kernel.rests_on) or "nothing"
    facts = f"Rests on: {claims}\nNormal form of the flow: sha256 {kernel.sha256}"
    head = [
        f'"""Taylor coefficients along {kernel.name} of {paper}, eight starts at once.\n\n{facts}\n\n{emitted}\n"""\n',
        untyped,
        "from numba import njit\n",
        f"from numerics.machine.lanes import {', '.join(lanes)}",
        "from numerics.machine.lanes.jets import over\n",
    ]
    return "\n".join([*head, text]) + "\n"


# --- sizes and coefficients -------------------------------------------------------------------------------------------


def _sizes(jets: Jets) -> str:
    meanings = ", ".join(
        f"{k}{GLUE}{_meaning(name, series)}" for k, (name, series) in enumerate(jets.series.items())
    ).split(", ")
    listed, lines = "# the series:", list[str]()
    for meaning in meanings:
        if len(listed) + len(meaning) > WIDTH:
            lines, listed = [*lines, listed], "#"
        listed += f" {meaning},"
    return plain(
        "\n".join(
            [
                "ORDER = 16",
                "ROW = (ORDER + 1)*LANES",
                f"STATES = {len(jets.kernel.state)}",
                f"PARAMETERS = {len(jets.kernel.params)}",
                *lines,
                listed.removesuffix(","),
                f"SERIES = {len(jets.series)}",
                f"FIXED = {len(jets.fixed)}",
            ]
        )
    )


def _meaning(name: str, series: Series) -> str:
    return "*".join(series.parts) if series.kind == "product" else name


def _fix(jets: Jets) -> str:
    used = _symbols(jets.fixed)
    params = [symbol.name for symbol in jets.kernel.params]
    lines = [f"{INDENT}{name} = load(given, {_times(k, 'LANES')})" for k, name in enumerate(params) if name in used]
    for k, value in enumerate(jets.fixed):
        lines.append(f"{INDENT}# fixed_{k} = {plain(Printer().text(value))}")
        lines += [wrapped("value = ", _constant(value)), f"{INDENT}store(fixed, {_times(k, 'LANES')}, value)"]
    says = f'{INDENT}"""Write the coefficients that stay the same during a run."""'
    return "\n".join([JITTED, "def fix(given, fixed):", says, *lines])


def _times(k: int, unit: str) -> str:
    return "0" if k == 0 else unit if k == 1 else f"{k}*{unit}"


def _symbols(operations: Iterable[Operation]) -> set[str]:
    names: set[str] = set()
    for operation in operations:
        names |= {operation[1]} if operation[0] == "s" else _symbols(parts_of(operation))
    return names


def _constant(operation: Operation) -> str:
    """A coefficient in the arithmetic of the space that it is read from; of whole numbers, so that no digit is lost."""
    head = operation[0]
    if head == "s":
        return str(operation[1])
    if head == "q":
        return _number(Fraction(operation[1]))
    if head == "+":
        first, *rest = operation[1:]
        signs = (f" -{GLUE}{_inside(positive(x))}" if negative(x) else f" +{GLUE}{_inside(x)}" for x in rest)
        return _constant(first) + "".join(signs)
    if head == "*":
        number = Fraction(operation[1])
        above = [_whole(number.numerator)] * (number.numerator != 1 or not operation[2])
        below = [_whole(number.denominator)] * (number.denominator != 1)
        text = "*".join([*above, *map(_inside, operation[2])])
        return "/".join([text, *below, *map(_inside, operation[3])])
    if head == "^":
        return "*".join([_inside(operation[1])] * operation[2])
    raise NotExact(f"{head} of a parameter has no printer there")


def _inside(operation: Operation) -> str:
    text = _constant(operation)
    whole = operation[0] == "q" and Fraction(operation[1]).denominator == 1
    return text if whole or operation[0] == "s" else f"({text.replace(' ', INNER)})"


def _number(value: Fraction) -> str:
    above, below = _whole(value.numerator), _whole(value.denominator)
    return above if value.denominator == 1 else f"{above}/{below}"


def _whole(number: int) -> str:
    if abs(number) > 2**53:
        raise NotExact(f"the number {number} is no double")
    return f"spread({float(number)!r})"


# --- recurrences ------------------------------------------------------------------------------------------------------


class _Recurrences:
    """The text of the function `jets`."""

    def __init__(self, jets: Jets) -> None:
        self.jets = jets
        self.place = {name: k for k, name in enumerate(jets.series)}
        self.states = [name for name, series in jets.series.items() if series.kind == "state"]
        self.derived = {name: series for name, series in jets.series.items() if series.kind != "state"}
        self.summed = {name: series for name, series in self.derived.items() if series.kind != "sum"}

    def text(self) -> str:
        numbers = range(len(self.jets.fixed))
        later = self.later()
        needed = [name for name in self.derived if re.search(rf"\b{name}_0\b", "\n".join(later))]
        return "\n".join(
            [
                JITTED,
                "def jets(series, fixed, first, last):",
                f'{INDENT}"""Write the coefficients up to the order `last`, the state\'s from those up to `first`."""',
                *(f"{INDENT}fixed_{k} = load(fixed, {_times(k, 'LANES')})" for k in numbers),
                *(INDENT + self.fetched(f"{name}_0", name) for name in self.states),
                f"{INDENT}if first == 0:",
                *self.zeroth(),
                *(INDENT + self.fetched(f"{name}_0", name) for name in needed),
                f"{INDENT}for k in range(max(first, 1), last):",
                *later,
            ]
        )

    def fetched(self, variable: str, name: str, *offset: str) -> str:
        """A line that reads coefficients of a series."""
        return f"{variable} = load(series, {self.at(name, *offset)})"

    def laid(self, name: str, value: str, *offset: str) -> str:
        return f"store(series, {self.at(name, *offset)}, {value})"

    def at(self, name: str, *offset: str) -> str:
        """Where a series begins, or a later place in it."""
        begin = _times(self.place[name], "ROW")
        return " + ".join([begin] * (begin != "0" or not offset) + list(offset))

    def zeroth(self) -> list[str]:
        deep, lines = INDENT * 2, []
        for name, series in self.derived.items():
            lines += [wrapped(f"{name}_0 = ", self.value(series), deep), deep + self.laid(name, f"{name}_0")]
        for name, rate in zip(self.states, self.jets.rates, strict=True):
            lines += [wrapped("rate = ", self.total(rate, "_0"), deep), deep + self.laid(name, "rate", "LANES")]
        return lines

    def value(self, series: Series) -> str:
        """The coefficient of order zero."""
        return self.total(series, "_0") if series.kind == "sum" else "*".join(f"{part}_0" for part in series.parts)

    def later(self) -> list[str]:
        deep = INDENT * 2
        lines = [f"{deep}at = k*LANES", *(f"{deep}{name} = spread(0.0)" for name in self.summed)]
        lines += [*self.inner(deep), *(deep + self.fetched(name, name, "at") for name in self.states)]
        for name, series in self.derived.items():
            lines += [wrapped(f"{name} = ", self.outer(name, series), deep), deep + self.laid(name, name, "at")]
        for name, rate in zip(self.states, self.jets.rates, strict=True):
            lines += [wrapped("rate = ", self.total(rate, ""), deep)]
            lines += [deep + self.laid(name, "over(rate, k + 1.0)", "at", "LANES")]
        return lines

    def inner(self, deep: str) -> list[str]:
        """The loop over the terms of sums that need earlier orders only."""
        read, lines = [], []
        for name, series in self.summed.items():
            up, down = self.factors(series)
            read += [self.fetched(f"{up}_j", up, "ahead"), self.fetched(f"{down}_i", down, "rest")]
            lines.append(f"{name} += {up}_j*{down}_i")
        if not lines:
            return []
        inside = ["ahead, rest = j*LANES, (k - j)*LANES", *dict.fromkeys(read), *lines]
        return [f"{deep}for j in range(1, k):", *(deep + INDENT + line for line in inside)]

    def factors(self, series: Series) -> list[str]:
        """The two factors of a Cauchy product: coefficients in rising and in falling order."""
        often = Counter(part for other in self.summed.values() for part in set(other.parts))
        return sorted(series.parts, key=lambda part: (-often[part], self.place[part]))

    def outer(self, name: str, series: Series) -> str:
        """The coefficient of order k from the inner sum, which bears the name of the series."""
        if series.kind == "sum":
            return self.total(series, "")
        first, second = series.parts
        return f"{name} +{GLUE}{first}_0*{second} +{GLUE}{first}*{second}_0"

    def total(self, series: Series, order: str) -> str:
        """A sum of series with coefficients, of one order; the number one counts at order zero only."""
        groups: dict[Operation, list[tuple[bool, str]]] = {}
        for coefficient, name in series.terms:
            if name or order:
                term = f"{name}{order}" if name else "spread(1.0)"
                groups.setdefault(positive(coefficient), []).append((negative(coefficient), term))
        parts: list[tuple[bool, str]] = []
        for coefficient, members in groups.items():
            members.sort(key=lambda member: member[0])
            minus = members[0][0]
            inside = _signed([(sign != minus, term) for sign, term in members], INNER)
            inside = f"({inside})" if len(members) > 1 else inside
            parts.append((minus, inside if coefficient == ONE else f"fixed_{self.jets.slot(coefficient)}*{inside}"))
        parts.sort(key=lambda part: part[0])
        if not parts or parts[0][0]:
            parts.insert(0, (False, "spread(0.0)"))
        return _signed(parts, " ")


def _signed(terms: list[tuple[bool, str]], space: str) -> str:
    """Terms with their signs, of which the first is a plus."""
    rest = (f"{space}{'-' if minus else '+'}{GLUE}{term}" for minus, term in terms[1:])
    return terms[0][1] + "".join(rest)
