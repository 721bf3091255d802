"""Kernels of numbers as LaTeX documents, through SymPy's printer of formulas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp
from sympy.printing.latex import LatexPrinter

from derivations.kernels.kernel import Kernel
from derivations.kernels.reference import SHOWN
from derivations.kernels.targets.facts import EMITTED, Facts
from derivations.kernels.targets.points import references

SPECIAL = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}"}
SPECIAL |= {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}"}
LINE = 170  # signs of LaTeX, after which a sum continues below


class Formulas(LatexPrinter):  # type: ignore[misc]
    """SymPy's printer with the functions that it does not know."""

    def _print_expm1(self, e: Any, exp: str | None = None) -> str:
        return self._raised(rf"\left(e^{{{self._print(e.args[0])}}} - 1\right)", exp)

    def _print_relexp(self, e: Any, exp: str | None = None) -> str:
        return self._raised(rf"\operatorname{{relexp}}{{\left({self._print(e.args[0])} \right)}}", exp)

    def _print_relexp1(self, e: Any, exp: str | None = None) -> str:
        return self._raised(rf"\operatorname{{relexp}}'{{\left({self._print(e.args[0])} \right)}}", exp)

    def _raised(self, text: str, exp: str | None) -> str:
        return text if exp is None else rf"{{{text}}}^{{{exp}}}"


def latex_files(kernel: Kernel, facts: Facts) -> dict[str, str]:
    """The arguments, the formulas and exact values."""
    parts = [
        r"\subsection*{Arguments}",
        *tabular("llll", [("name", "shape", "unit", "domain"), *_arguments(kernel)]),
        *_domain(kernel),
        r"\subsection*{Formulas}",
        *_formulas(kernel),
        *_functions(kernel),
        rf"\subsection*{{Values to {SHOWN} digits}}",
        *_values(kernel),
    ]
    return document(kernel.says, kernel.cites, kernel.sha256, facts, parts)


def document(says: str, cites: str, sha256: str, facts: Facts, parts: Sequence[str]) -> dict[str, str]:
    """One document: the sentence, where it comes from, and the parts."""
    lines = [
        f"% {facts.name}. Normal form: sha256 {sha256}",
        f"% {EMITTED}",
        r"\documentclass{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[a4paper,landscape,margin=2cm]{geometry}",
        r"\usepackage{amsmath,longtable}",
        r"\setcounter{MaxMatrixCols}{40}",
        r"\begin{document}",
        rf"\section*{{{escaped(facts.name)}}}",
        escaped(says),
        *_origin(cites, facts),
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


def _arguments(kernel: Kernel) -> Iterator[tuple[str, ...]]:
    for symbol in (*kernel.state, *kernel.params):
        told = dict(kernel.assumed)[symbol.name]
        yield f"${math(symbol)}$", "1", escaped(kernel.units.get(symbol.name, "1")), told[0] if told else "real"


def _domain(kernel: Kernel) -> list[str]:
    if not kernel.domain:
        return []
    return [r"\subsection*{Domain}", *(rf"\[ {math(relation)} \]" for relation in kernel.domain)]


def math(expression: Any) -> str:
    return str(Formulas({"fold_short_frac": True}).doprint(expression))


def _formulas(kernel: Kernel) -> Iterator[str]:
    symbols = {s.name: s for s, _ in kernel.shared}
    for name, expression in kernel.expressions:
        head = math(symbols.get(name, sp.Symbol(name)))
        yield r"\begin{align*}"
        yield " \\\\\n".join(_lines(f"{head} ={{}}&", expression))
        yield r"\end{align*}"


def _lines(head: str, expression: Any) -> Iterator[str]:
    """A long sum in several lines, broken between its terms."""
    terms = list(expression.as_ordered_terms()) if isinstance(expression, sp.Add) else [expression]
    line = f"{head} "
    for k, printed in enumerate(map(math, terms)):
        text = printed if printed.startswith("-") or not k else f"+ {printed}"
        if k and len(line) + len(text) > LINE:
            yield line.rstrip()
            line = r"& \quad "
        line += f"{text} "
    yield line.rstrip()


def _functions(kernel: Kernel) -> list[str]:
    text = " ".join(_formulas(kernel))
    meant = {
        r"\operatorname{relexp}{": r"\operatorname{relexp}(x) &= (e^x - 1)/x, & \operatorname{relexp}(0) &= 1",
        r"\operatorname{relexp}'": r"\operatorname{relexp}'(x) &= (e^x (x - 1) + 1)/x^2, "
        r"& \operatorname{relexp}'(0) &= 1/2",
    }
    used = [meaning for sign, meaning in meant.items() if sign in text]
    return ["where", r"\begin{align*}", " \\\\\n".join(used), r"\end{align*}"] if used else []


def _values(kernel: Kernel) -> list[str]:
    rows = []
    for row in references(kernel):
        point = ", ".join(f"{name} = {value!r}" for name, value in zip(kernel.arguments, row.point, strict=True))
        rows += [
            (escaped(point) if k == 0 else "", escaped(name), text)
            for k, (name, text) in enumerate(zip(kernel.returns, row.texts, strict=True))
        ]
    return tabular(r"p{11cm}ll", [("at", "result", "value"), *rows])
