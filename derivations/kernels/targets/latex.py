"""Kernels as LaTeX documents: arguments, formulas and exact values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from derivations.kernels.points import references
from derivations.kernels.program import CALLS, Line, Operation
from derivations.kernels.reference import SHOWN
from derivations.kernels.specification import Specification
from derivations.kernels.targets.facts import EMITTED, Facts, domain_of
from derivations.kernels.targets.printing import ATOM, POWER, PRODUCT, SUM, Printer, plain

SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
SPECIAL |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}"}
LINE = 170  # signs of LaTeX, after which a sum continues below
MEANINGS = {
    "relexp": r"\operatorname{relexp}(x) &= (e^x - 1)/x, & \operatorname{relexp}(0) &= 1",
    "relexp1": r"\operatorname{relexp}'(x) &= (e^x (x - 1) + 1)/x^2, & \operatorname{relexp}'(0) &= 1/2",
}
SPELLING = {name: rf"\{name}" for name in ("log", "sinh", "cosh", "tanh", "sin", "cos")}
SPELLING |= {"erf": r"\operatorname{erf}", "asin": r"\arcsin", "relexp": r"\operatorname{relexp}"}
SPELLING |= {"relexp1": r"\operatorname{relexp}'"}


@dataclass(frozen=True)
class Latex(Printer):
    """Formulas as mathematicians write them."""

    spelling: dict[str, str] = field(default_factory=lambda: {name: SPELLING.get(name, name) for name in CALLS})
    equals: str = "="
    pi: str = r"\pi"
    times: str = " "
    transpose: str = r"^{\top}"

    def name(self, name: str) -> str:
        return str(sp.latex(sp.Symbol(name)))

    def entry(self, array: str, positions: Sequence[Sequence[str]]) -> str:
        places, name = " ".join(self.name(at[-1]) for at in positions), self.name(array)
        return f"{name}_{{{places}}}" if name.isalnum() else rf"\left({name}\right)_{{{places}}}"

    def size(self, name: str) -> str:
        return rf"\left|{self.name(name)}\right|"

    def identity(self, dimension: str) -> str:
        return f"I_{{{self.name(dimension)}}}"

    def scaled(self, numbers: Sequence[str], product: str) -> str:
        return " ".join([*numbers, *([product] if product else [])]) or "1"

    def total(self, indices: Sequence[str], term: Operation) -> str:
        return rf"\sum_{{{', '.join(map(self.name, indices))}}}\left({self.text(term)}\right)"

    def matrix(self, value: Sequence[Any]) -> str:
        kind, rows, *time = value
        if kind == "blocks":
            return self.blocks(rows)
        inner = rf"\left( {self.blocks(rows)} \right)"
        if kind == "inverse":
            return f"{inner}^{{-1}}"
        if time:
            return rf"\int_0^{{{self.text(time[0])}}} \exp \left( s {inner} \right) ds"
        return rf"\exp {inner}"

    def blocks(self, rows: Sequence[Sequence[Any]]) -> str:
        if len(rows) == len(rows[0]) == 1:
            return self.words(rows[0][0])
        lines = r" \\ ".join(" & ".join(map(self.words, row)) for row in rows)
        return rf"\begin{{pmatrix}} {lines} \end{{pmatrix}}"

    def number(self, value: Fraction, *, alone: bool) -> tuple[str, int]:
        if value.denominator == 1:
            return str(value), ATOM
        return rf"\frac{{{value.numerator}}}{{{value.denominator}}}", PRODUCT

    def inside(self, operation: Operation, strength: int) -> str:
        text, own = self._print(operation, alone=False)
        return text if own >= strength else rf"\left({text}\right)"

    def condition(self, relation: Operation) -> str:
        return super().condition(relation).replace(">=", r"\geq").replace("!=", r"\neq")

    def _print(self, operation: Operation, *, alone: bool = True) -> tuple[str, int]:
        head, *rest = operation
        match head:
            case "^":
                return f"{self.inside(rest[0], ATOM)}^{{{rest[1]}}}", POWER
            case "**":
                return f"{self.inside(rest[0], ATOM)}^{{{self.text(rest[1])}}}", POWER
            case "sqrt":
                return rf"\sqrt{{{self.text(rest[0])}}}", ATOM
            case "cbrt":
                return rf"\sqrt[3]{{{self.text(rest[0])}}}", ATOM
            case "exp":
                return f"e^{{{self.text(rest[0])}}}", POWER
            case "expm1":
                return f"e^{{{self.text(rest[0])}}} - 1", SUM
            case "abs":
                return rf"\left|{self.text(rest[0])}\right|", ATOM
            case "delta":
                return rf"\delta_{{{self.name(rest[0])} {self.name(rest[1])}}}", ATOM
            case "apply":
                arguments = ", ".join(map(self.text, rest[1]))
                return rf"\operatorname{{{escaped(rest[0])}}}\left({arguments}\right)", ATOM
        if head in CALLS:
            return rf"{self.spelling[head]}\left({self.text(rest[0])}\right)", ATOM
        return super()._print(operation, alone=alone)

    def _product(self, operation: Operation) -> tuple[str, int]:
        value = Fraction(operation[1])
        above = self._factors(abs(value.numerator), operation[2])
        if value.denominator != 1 or operation[3]:
            above = rf"\frac{{{above}}}{{{self._factors(value.denominator, operation[3])}}}"
        return (f"-{above}", SUM) if value < 0 else (above, PRODUCT)

    def _factors(self, number: int, factors: Sequence[Operation]) -> str:
        if number == 1 and len(factors) == 1:
            return self.text(factors[0])
        parts = [str(number)] * (number != 1 or not factors)
        return " ".join([*parts, *(self.inside(factor, PRODUCT) for factor in factors)])


LATEX = Latex()


def latex_files(kernel: Specification, facts: Facts) -> dict[str, str]:
    """The arguments, the formulas, those of the kernels that are called, and exact values."""
    parts = [
        r"\subsection*{Arguments}",
        *tabular("lll", [("name", "shape", "unit"), *_arguments(kernel)]),
        *_domain(kernel),
        r"\subsection*{Formulas}",
        *_formulas(kernel),
        *(line for called in kernel.content.called for line in _called(called)),
        *_functions([kernel, *kernel.content.called]),
        rf"\subsection*{{Values to {SHOWN} digits}}",
        *_values(kernel),
    ]
    lines = [
        f"% {facts.name}. Normal form: sha256 {kernel.sha256}",
        f"% {EMITTED}",
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[a4paper,landscape,margin=2cm]{geometry}",
        r"\usepackage{amsmath,longtable}",
        r"\setcounter{MaxMatrixCols}{40}",
        r"\begin{document}",
        rf"\section*{{{escaped(facts.name)}}}",
        escaped(kernel.says),
        *_origin(kernel.cites, facts),
        *parts,
        r"\end{document}",
    ]
    return {f"{facts.name}.tex": "\n".join(lines) + "\n"}


def escaped(text: str) -> str:
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def tabular(columns: str, rows: Sequence[Sequence[str]]) -> list[str]:
    head, *rest = (" & ".join(row) + r" \\" for row in rows)
    return [rf"\begin{{longtable}}[l]{{{columns}}}", head, r"\hline", *rest, r"\end{longtable}"]


def _origin(cites: str, facts: Facts) -> list[str]:
    told = [f"{title}: {escaped(text)}" for title, text in (("Source", cites), ("Paper", facts.citation)) if text]
    lines = [line for text in told for line in (r"\par", text)]
    if not facts.supports:
        return [*lines, r"\par", "Rests on no claim: the formulas are their author's."]
    supports = [(rf"\texttt{{{escaped(claim)}}}", escaped(verdict)) for claim, verdict in facts.supports]
    return [*lines, r"\subsection*{Rests on}", *tabular("ll", [("claim", "verdict"), *supports])]


def _arguments(kernel: Specification) -> Iterator[tuple[str, ...]]:
    for value in kernel.inputs:
        axes = r" \times ".join(map(LATEX.name, value.axes)) or "1"
        yield f"${LATEX.name(value.name)}$", f"${axes}$", escaped(kernel.units.get(value.name, "1"))


def _domain(kernel: Specification) -> list[str]:
    relations = [rf"\[ {plain(LATEX.condition(relation))} \]" for relation in kernel.content.relations]
    told = [] if relations else [line for text in domain_of(kernel) for line in (r"\par", escaped(text))]
    return [r"\subsection*{Domain}", *relations, *told] if relations or told else []


def _formulas(kernel: Specification) -> Iterator[str]:
    for line in kernel.content.equations:
        yield r"\begin{align*}"
        yield " \\\\\n".join(_lines(line))
        yield r"\end{align*}"


def _lines(line: Line) -> Iterator[str]:
    head = LATEX.name(line.name) if isinstance(line.name, str) else LATEX.text(line.name)
    if len(line.cases) > 1:
        cases = (rf"{LATEX.text(v)} & \text{{{_told(c)}}}" for c, v in line.cases)
        inner = r" \\ ".join(cases)
        yield plain(rf"{head} ={{}}& \begin{{cases}} {inner} \end{{cases}}")
        return
    yield from _broken(f"{head} ={{}}&", line.cases[0][1])


def _told(condition: Operation | None) -> str:
    return "otherwise" if condition is None else f"if ${LATEX.condition(condition)}$"


def _broken(head: str, operation: Operation) -> Iterator[str]:
    """A long sum in several lines, broken between its terms."""
    terms = operation[1:] if operation[0] == "+" else (operation,)
    line = f"{head} "
    for k, term in enumerate(terms):
        text = LATEX.text(term)
        text = text if not k else f"- {text[1:]}" if text.startswith("-") else f"+ {text}"
        if k and len(line) + len(text) > LINE:
            yield plain(line).rstrip()
            line = r"& \quad "
        line += f"{text} "
    yield plain(line).rstrip()


def _called(kernel: Specification) -> list[str]:
    arguments = ", ".join(map(LATEX.name, kernel.arguments))
    head = rf"where $\operatorname{{{escaped(kernel.name)}}}\left({arguments}\right)$ has the results"
    results = ", ".join(f"${LATEX.name(name)}$" for name in kernel.returns)
    return [r"\par", f"{head} {results}: {escaped(kernel.says)}", *_formulas(kernel)]


def _functions(kernels: Sequence[Specification]) -> list[str]:
    lines = [line for kernel in kernels for line in kernel.content.equations]
    found = {head for line in lines for _, value in line.cases for head in _heads(value)}
    used = [meaning for name, meaning in MEANINGS.items() if name in found]
    return ["where", r"\begin{align*}", " \\\\\n".join(used), r"\end{align*}"] if used else []


def _heads(operation: Any) -> Iterator[str]:
    """Everything that is written in an operation, the names of functions among it."""
    if isinstance(operation, str):
        yield operation
    elif isinstance(operation, tuple):
        for part in operation:
            yield from _heads(part)


def _values(kernel: Specification) -> list[str]:
    lines: list[str] = []
    for row in references(kernel):
        numbers = [f"{n} = {v!r}" for n, v in zip(kernel.arguments, row.point, strict=True) if not isinstance(v, list)]
        arrays = [(n, v) for n, v in zip(kernel.arguments, row.point, strict=True) if isinstance(v, list)]
        lines += [rf"\par At {escaped(', '.join(numbers))}"]
        lines += [rf"\[ {LATEX.name(name)} = {_pmatrix(value)} \]" for name, value in arrays]
        results = [
            (escaped(value.name), str(k + 1) if len(texts) > 1 else "", text)
            for value, texts in zip(kernel.results, row.texts, strict=True)
            for k, text in enumerate(texts)
        ]
        lines += tabular("lll", [("result", "entry", "value"), *results])
    return lines


def _pmatrix(value: Any) -> str:
    """The entries row by row."""
    rows = value if value and isinstance(value[0], list) else [value]
    inner = r" \\ ".join(" & ".join(map(str, row)) for row in rows)
    return rf"\begin{{pmatrix}} {inner} \end{{pmatrix}}"
