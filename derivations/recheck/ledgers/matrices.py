"""Formulas about matrices as text: every part of them appears, flows along which derivatives are taken included."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.load import Data

Write = Callable[[Data], str]
SUM, PRODUCT, WHOLE = range(3)  # how tightly a formula holds together


class Formulas:
    """Writes formulas; `polynomial` writes those in normal form, `letter` names, and `data` what is not understood."""

    def __init__(self, polynomial: Write, letter: Write, data: Write) -> None:
        self.polynomial, self.letter, self.data = polynomial, letter, data

    def text(self, formula: Data) -> str:
        return self._written(formula)[0]

    def _written(self, formula: Data) -> tuple[str, int]:
        if not isinstance(formula, list | tuple) or not formula or not isinstance(formula[0], str):
            return self.data(formula), WHOLE
        head, *parts = formula
        match head, len(parts):
            case "L", 1:
                return self.letter(parts[0]), WHOLE
            case "q", 1:
                return str(parts[0]), WHOLE if str(parts[0]).isdigit() else SUM
            case "I", 1:
                return f"I({self.data(parts[0])})", WHOLE
            case "0", 2:
                return f"0({self.data(parts[0])} x {self.data(parts[1])})", WHOLE
            case "+", n if n > 0:
                texts = [self._inside(part, PRODUCT) for part in parts]
                return " + ".join(texts), SUM
            case "@", n if n > 0:
                return " ".join(self._inside(part, WHOLE) for part in parts), PRODUCT
            case "*", n if n > 0:
                return " * ".join(self._inside(part, WHOLE) for part in parts), PRODUCT
            case "T", 1:
                return f"{self._inside(parts[0], WHOLE)}'", WHOLE
            case "^", 2:
                return f"{self._inside(parts[0], WHOLE)}^{self.data(parts[1])}", PRODUCT
            case (("tr" | "norm2"), 1):
                return f"{head}({self.text(parts[0])})", WHOLE
            case "along", 2:
                return f"d/dt({self.text(parts[0])} while {self._table(parts[1], 'd{}/dt = {}')})", WHOLE
            case "gradient", 2:
                return f"grad_{self.letter(parts[1])}({self.text(parts[0])})", WHOLE
            case "at", 2:
                return f"({self.text(parts[0])} at {self._table(parts[1], '{} = {}')})", WHOLE
            case "terms", n if n > 1:
                return f"({self.polynomial({'shape': parts[:2], 'terms': parts[2:]})})", WHOLE
        return self.data(formula), WHOLE

    def _inside(self, formula: Data, tight: int) -> str:
        text, holds = self._written(formula)
        return text if holds >= tight else f"({text})"

    def _table(self, pairs: Data, form: str) -> str:
        if not isinstance(pairs, list | tuple):
            return self.data(pairs)
        said = [
            form.format(self.letter(pair[0]), self.text(pair[1])) if len(pair) == 2 else self.data(pair)
            for pair in pairs
        ]
        return ", ".join(said) or "nothing changes"
