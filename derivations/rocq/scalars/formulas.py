"""Formulas about numbers as a reader of Rocq reads them, and what must hold for them to have a value.

There x / 0, sqrt (-1) and ln (-1) are numbers: that an operation has a value is a hypothesis of a statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from derivations.recheck.core.conditions import demands, sign_by_form
from derivations.recheck.core.load import Data, Term, rational
from derivations.recheck.core.statements import Setting, setting
from derivations.recheck.core.terms import ZERO, carried_out, parts, whole_exponent
from derivations.rocq.exported import NotExported
from derivations.rocq.names import identifiers

HEAD = ("From Coq Require Import Reals.", "From Coquelicot Require Import Coquelicot.", "Local Open Scope R_scope.")
FUNCTIONS = {
    "exp": "exp", "log": "ln", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "sin": "sin", "cos": "cos",
    "abs": "Rabs", "asin": "asin", "atan": "atan",
}  # fmt: skip
RELATIONS = {"=": "{} = {}", "!=": "{} <> {}", ">": "{1} < {0}", ">=": "{1} <= {0}"}
Names = Mapping[str, str]
Condition = tuple[str, Term]  # a relation to zero, and what has it


def number(text: str) -> str:
    value = rational(text)
    plain = str(value.p) if value.q == 1 else f"{value.p} / {value.q}"
    return plain if value.q == 1 and value.p >= 0 else f"({plain})"


def printed(formula: Term, names: Names) -> str:
    """The formula, in parentheses wherever it is more than one word."""
    head = formula[0]
    if head == "s":
        if formula[1] not in names:
            raise NotExported("a letter that the statement does not declare")
        return names[formula[1]]
    if head == "q":
        return number(formula[1])
    if head == "pi":
        return "PI"
    if head in ("+", "*"):
        inner = [printed(child, names) for child in formula[1:]]
        return inner[0] if len(inner) == 1 else f"({f' {head} '.join(inner)})"
    if head == "^":
        return _power(formula, names)
    if head in FUNCTIONS:
        return f"({FUNCTIONS[head]} {printed(formula[1], names)})"
    if head == "D":
        return _derivative(formula, names)
    if head == "at":
        return _substituted(formula, names)
    raise NotExported(f"the function {head} is not written in Rocq")


def _power(formula: Term, names: Names) -> str:
    base, exponent = printed(formula[1], names), formula[2]
    if exponent[0] != "q":
        return f"(Rpower {base} {printed(exponent, names)})"
    whole = whole_exponent(formula)
    if whole is None:
        value = rational(exponent[1])
        if value.q != 2:
            raise NotExported("a root of another order than two")
        base, whole = f"(sqrt {base})", int(value.p)
    if whole == 0:
        return "1"
    power = base if abs(whole) == 1 else f"({base} ^ {abs(whole)})"
    return power if whole > 0 else f"(/ {power})"


def _derivative(formula: Term, names: Names) -> str:
    body, x = formula[1:]
    inner = bound(names, [x])
    return f"(Derive (fun {inner[x]} : R => {printed(body, inner)}) {names.get(x, '0')})"


def _substituted(formula: Term, names: Names) -> str:
    letters = [letter for letter, _ in formula[2]]
    inner = bound(names, letters)
    values = "".join(f" {printed(value, names)}" for _, value in formula[2])
    body = printed(formula[1], inner)
    return f"((fun {' '.join(inner[x] for x in letters)} : R => {body}){values})" if letters else body


def bound(names: Names, letters: Iterable[str]) -> dict[str, str]:
    """The names with some letters added that stand for something new inside."""
    fresh = [letter for letter in letters if letter not in names]
    return {**names, **{x: name for x, name in identifiers([*names, *fresh]).items() if x in fresh}}


# --- where a statement speaks -----------------------------------------------------------------------------------------


def asked(formulas: Iterable[Term]) -> list[Condition]:
    """The conditions for formulas, and for all that is differentiated in them, to have values; nothing twice."""
    return list(dict.fromkeys(each for f in formulas for inner in valued(f) for each in demands(carried_out(inner))))


def valued(formula: Term) -> Iterator[Term]:
    """The formula, and each one that is differentiated in it, at the point where it is."""
    yield formula
    for child in parts(formula):
        for inner in valued(child):
            if child is not formula[1] or formula[0] != "at":
                if formula[0] == "D" or inner is not child:
                    yield inner
            elif inner is not child:
                yield ("at", inner, formula[2])


def plain(condition: Condition, symbols: Mapping[str, tuple[str, ...]]) -> bool:
    """Check whether a reader sees that a condition holds."""
    relation, formula = condition
    if formula[0] == "q":
        value = rational(formula[1])
        return bool(value != 0 if relation == "!=" else value >= 0 if relation == ">=" else value > 0)
    return sign_by_form(formula, symbols) in (">", relation)


class Stated:
    """The letters, hypotheses and conditions of a statement, as its theorem lists them."""

    def __init__(self, statement: Data, sides: Iterable[Term]) -> None:
        self.setting: Setting = setting(statement)
        self.names = identifiers(self.setting.symbols)
        self.givens = self.setting.givens
        formulas = [*sides, *(side for given in self.givens for side in given[1:])]
        conditions = [each for each in asked(formulas) if not plain(each, self.setting.symbols)]
        self.conditions = conditions
        self.known: list[Term] = [*self.givens, *((order, of, ZERO) for order, of in conditions)]

    def relation(self, relation: str, left: Term, right: Term) -> str:
        return RELATIONS[relation].format(printed(left, self.names), printed(right, self.names))

    def hypotheses(self) -> list[str]:
        """Givens first, then what must hold for all formulas to have a value; nothing twice."""
        return list(dict.fromkeys(self.relation(*each) for each in self.known))

    def theorem(self, conclusion: str) -> str:
        """That a conclusion holds wherever the statement speaks."""
        letters = f"forall {' '.join(self.names.values())} : R,\n  " if self.names else ""
        return letters + "".join(f"{hypothesis} ->\n  " for hypothesis in self.hypotheses()) + conclusion

    def instance(self, conclusion: str) -> str:
        """That a conclusion holds somewhere where the statement speaks."""
        letters = f"exists {' '.join(self.names.values())} : R,\n  " if self.names else ""
        return letters + "".join(f"{hypothesis} /\\\n  " for hypothesis in self.hypotheses()) + conclusion
