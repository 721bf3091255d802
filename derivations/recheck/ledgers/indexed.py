"""Formulas about sums over indices as text: every part of them appears, rates included."""

from __future__ import annotations

from collections.abc import Callable

from derivations.recheck.core.load import Data


class Indexed:
    """Writes formulas; `polynomial` writes those in normal form, `entry` entries, and `data` what is not understood."""

    def __init__(
        self, polynomial: Callable[[Data], str], entry: Callable[[Data, list[str]], str], data: Callable[[Data], str]
    ) -> None:
        self.polynomial, self.entry, self.data = polynomial, entry, data

    def text(self, formula: Data) -> str:
        if not isinstance(formula, list | tuple) or not formula or not isinstance(formula[0], str):
            return self.data(formula)
        head, *parts = formula
        match head, len(parts):
            case "A", n if n > 0:
                return self.entry(parts, [])
            case (("delta" | "size"), _):
                return self.entry(formula, [])
            case "q", 1:
                text = str(parts[0])
                return text if text.isdigit() else f"({text})"
            case (("+" | "*"), n) if n > 0:
                return f"({f' {head} '.join(map(self.text, parts))})"
            case "^", 2:
                return f"{self.text(parts[0])}^{self.data(parts[1])}"
            case "sum", 3:
                return f"sum_({self.data(parts[1])} of {self.data(parts[2])}) {self.text(parts[0])}"
            case "derivative", 2 if isinstance(parts[1], list | tuple):
                return f"d/dt({self.text(parts[0])} while {', '.join(map(self._rate, parts[1])) or 'nothing changes'})"
            case "terms", _:
                return f"({self.polynomial(parts)})"
        return self.data(formula)

    def _rate(self, pair: Data) -> str:
        if not isinstance(pair, list | tuple) or len(pair) != 3 or not isinstance(pair[1], list | tuple):
            return self.data(pair)
        return f"d{self.entry([pair[0], *pair[1]], [])}/dt = {self.text(pair[2])}"
