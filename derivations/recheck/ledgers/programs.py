"""Programs of numbers in the index against the certificates of their kernels: each is read back, line by line.

Programs with loops or matrices are read back by `arrays`.

A kernel's statement has cases. A case says what the arguments are in the symbols of a claim (`where`), which conditions
hold (`holds`, and `settled` by a part), how lines go on that have several open branches or a shorter form (`forms`),
and which formulas of the claim the returns equal. The program is read back with that, and wherever a value should be a
form or a formula and is not, literally, some of the case's parts must lead from one to the other. The cases together
leave no combination of conditions out. A case that only closes another one says so, and proves nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import Any

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, normal
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO
from derivations.recheck.ledgers.arrays import check_arrays

AT_ZERO = {"expm1": ZERO, "relexp": ONE, "relexp1": ("q", "1/2")}
ROOTS = {"sqrt": ("q", "1/2"), "cbrt": ("q", "1/3")}
CONTRARY = {">": ">=", ">=": ">", "=": "!=", "!=": "="}
MOST_STEPS = 60  # forms of a value that are tried on the way to another
MOST_WORKED_OUT = 99  # exponent of a number
Data = Any


def check_program(row: Mapping[str, Any], statement: Data, stated: Mapping[str, Data]) -> None:
    """Return when a kernel's statement speaks of the program of a row of the index; raise Rejected where it does not.

    stated: by the id of each entry of the paper, what it states.
    """
    try:
        with budget():
            if {value[1] for value in row["inputs"]} == {"number"}:
                _check(row, statement, stated)
            else:
                check_arrays(row, statement)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Rejected(f"the program or its cases are not as they are written ({type(error).__name__})") from None


def _check(row: Mapping[str, Any], statement: Data, stated: Mapping[str, Data]) -> None:
    body, parts = normal(row["program"]["body"]), normal(statement["parts"])
    cases = [Case(normal(case), body, parts) for case in statement["kernel"]["cases"]]
    for case in cases:
        case.check()
    _require_stated([case for case in cases if "where" in case.data], stated)
    for name, *_ in row["returns"]:
        own = [case for case in cases if name in case.returns]
        if not any("where" in case.data for case in own):
            raise Rejected(f"no case shows what {name} equals")
        _require_all(name, [dict(case.data["holds"]) for case in own])


def _require_all(name: str, told: list[dict[Term, bool]]) -> None:
    """Every combination of the conditions that cases distinguish is the combination of one of them."""
    if any(not conditions for conditions in told):
        return
    if not told:
        raise Rejected(f"the cases of {name} leave a combination of conditions out")
    chosen = next(iter(told[0]))
    for value in (True, False):
        left = [case for case in told if case.get(chosen, value) is value]
        _require_all(name, [{c: v for c, v in case.items() if c != chosen} for case in left])


def _require_stated(cases: list[Case], stated: Mapping[str, Data]) -> None:
    """Check that what a return equals stands in the statement of the claim, before anything is put in or derived.

    Not compared are claims that speak of their numbers as matrices with one entry.
    """
    wanted: dict[tuple[str, Term], str] = {}
    for case in cases:
        for name, formula in case.returns.items():
            wanted[case.data["claim"], _before(formula)] = name
    said = {claim: normal(stated[claim]) for claim, _ in wanted if claim in stated}
    for (claim, formula), name in wanted.items():
        if claim in said and not (_occurs(formula, said[claim]) or '"words"' in json.dumps(said[claim])):
            raise Rejected(f"{claim} does not state what {name} equals")


def _before(formula: Term) -> Term:
    return _before(formula[1]) if formula[0] in ("at", "D") else formula


def _occurs(term: Term, data: Data) -> bool:
    if isinstance(data, dict):
        data = tuple(data.values())
    return data == term or (isinstance(data, tuple) and any(_occurs(term, part) for part in data))


def plainly(holds: Data) -> Iterator[tuple[Term, bool]]:
    """Conditions as terms in the names of the program."""
    reader = Case({"parts": (0, 0), "returns": (), "holds": ()}, (), ())
    for condition, value in normal(holds):
        reader.known = {name: ("s", name) for name in _names(condition)}
        yield (condition[0], *map(reader.read, condition[1:])), value


class Case:
    """One case of a kernel's statement, and what it says of the program."""

    def __init__(self, data: Data, body: Data, parts: Data) -> None:
        self.data, self.body = data, body
        self.parts = parts[slice(*data["parts"])]
        self.returns, self.holds = dict(data["returns"]), dict(data["holds"])
        self.known: dict[str, Term] = {}
        self.identities = [(part["left"], part["right"]) for part in self.parts if part["kind"] == "identity"]

    def check(self) -> None:
        if "where" not in self.data:
            if not (self.data.get("closes") or (self.data.get("never") and self.parts)):
                raise Rejected("a case shows nothing and does not say why")
            return
        self.known = dict(self.data["where"])
        self._require_reached()
        forms = dict(self.data["forms"])
        for statement in self.body:
            _, name, cases = statement
            try:
                values = list(self._open(cases))
            except KeyError:  # it uses a line that has several branches and no one form, or is not used itself
                continue
            if name in forms or len(values) == 1:
                self.known[name] = forms.get(name, values[0])
            for value in values if name in forms else ():
                self._require_same(f"a branch of {name} and the form of that", value, forms[name])
        for name, formula in self.returns.items():
            if name not in self.known:
                raise Rejected(f"{name} has several branches, and nothing says that they are the same")
            self._require_same(f"{name} and what the claim states", self.known[name], formula)

    # --- reading ------------------------------------------------------------------------------------------------------

    def _open(self, cases: Data) -> Iterator[Term]:
        for condition, value in cases:
            holds = condition is None or self._truth(condition)
            if holds is not False:
                yield self.read(value)
            if holds:
                return

    def _truth(self, condition: Term) -> bool | None:
        """Check whether a condition holds in this case; None where nothing is said of it."""
        for told in (self.holds, dict(self.data["settled"])):
            for sign, spelled in ((True, condition), (False, _contrary(condition))):
                if spelled in told:
                    if told is not self.holds and not self._is_shown(spelled):
                        raise Rejected("a condition is settled by no part of its case")
                    return told[spelled] is sign
        for other, value in self.holds.items():
            is_near = other[0] == condition[0] and _names(other) <= self.known.keys()
            if is_near and [*map(self.read, other[1:])] == [*map(self.read, condition[1:])]:
                return bool(value)
        return None

    def _is_shown(self, condition: Term) -> bool:
        sides = tuple(map(self.read, condition[1:]))
        return any(
            p.get("relation", "=") == condition[0] and (p.get("left"), p.get("right")) == sides for p in self.parts
        )

    def read(self, operation: Term) -> Term:
        """The term of an operation."""
        head = operation[0]
        if head == "s":
            return self.known[operation[1]]
        if head in ("q", "pi"):
            return operation
        if head == "^":
            return _power(self.read(operation[1]), operation[2])
        if head == "*":
            above, below = (tuple(map(self.read, side)) for side in operation[2:])
            return _times((("q", operation[1]), *above, *(_power(part, -1) for part in below)))
        parts = tuple(map(self.read, operation[1:]))
        if head == "+":
            return _plus(parts)
        if head in ROOTS:
            return ("^", parts[0], ROOTS[head])
        if head in AT_ZERO:
            return _removable(head, parts[0])
        if head == "abs" and parts[0][0] == "q":
            return ("q", str(abs(Fraction(parts[0][1]))))
        if head == "abs" and (sign := self._sign(operation[1])):
            return _times((("q", str(sign)), parts[0]))
        return ("^" if head == "**" else head, *parts)

    def _sign(self, operation: Term) -> int:
        """The sign that the case's conditions give what stands in an absolute value; 0 where they do not."""
        for (head, left, right), value in self.holds.items():
            for sign, a, b in ((1, left, right), (-1, right, left)) if head in (">", ">=") else ():
                if operation == (a if b == ZERO else ("+", a, ("*", "-1", (b,), ()))):
                    return sign if value else -sign
        return 0

    # --- what parts show ----------------------------------------------------------------------------------------------

    def _require_reached(self) -> None:
        """Every argument takes all its values: it is a symbol of its own, or a part shows the way back."""
        where, back = self.data["where"], self.data["reached"]
        for name, term in where:
            alone = term[0] == "s" and [other for _, other in where].count(term) == 1
            pairs = [(("at", term, back) if back else term, ("s", name)), (term, ("s", name))]
            if not alone and not any(pair in self.identities for pair in pairs):
                raise Rejected(f"nothing shows that the case reaches every {name}")

    def _rewriting(self) -> Iterator[tuple[Term, Term]]:
        """Return the equations of theorems, and arcsines of what is equal, or opposite."""
        for part in self.parts:
            if part["kind"] == "by":
                yield part["concludes"]["left"], part["concludes"]["right"]
        for left, right in self.identities:
            if right[:2] == ("*", MINUS_ONE) and len(right) == 3:
                yield ("asin", left), ("*", MINUS_ONE, ("asin", right[2]))
            yield ("asin", left), ("asin", right)

    def _require_same(self, what: str, value: Term, wanted: Term) -> None:
        """The value is the wanted one, or parts lead from one to the other."""
        steps = self.identities
        if value == wanted or (value, wanted) in steps:
            return
        rules = list(self._rewriting())
        waiting, seen = [value], {value}
        while waiting and wanted not in seen and len(seen) < MOST_STEPS:
            here = waiting.pop(0)
            ahead = [b for a, b in steps if a == here] + [a for a, b in steps if b == here]
            ahead += [_replaced(here, *pair) for left, right in rules for pair in ((left, right), (right, left))]
            waiting += [term for term in dict.fromkeys(ahead) if term not in seen]
            seen.update(ahead)
        if wanted not in seen:
            raise Rejected(f"no part shows that {what} are equal")


# --- terms, as the reading writes them --------------------------------------------------------------------------------


def _plus(parts: tuple[Term, ...]) -> Term:
    flat = [inner for part in parts for inner in (part[1:] if part[0] == "+" else (part,))]
    number = sum((Fraction(part[1]) for part in flat if part[0] == "q"), Fraction(0))
    found = [part for part in flat if part[0] != "q"] + [("q", str(number))] * (number != 0)
    return ("+", *found) if len(found) > 1 else found[0] if found else ZERO


def _times(parts: tuple[Term, ...]) -> Term:
    flat = [inner for part in parts for inner in (part[1:] if part[0] == "*" else (part,))]
    number = prod((Fraction(part[1]) for part in flat if part[0] == "q"), start=Fraction(1))
    found = [("q", str(number))] * (number != 1) + [part for part in flat if part[0] != "q"]
    return ZERO if number == 0 else ("*", *found) if len(found) > 1 else found[0] if found else ONE


def _power(base: Term, exponent: int) -> Term:
    if base[0] == "q" and (base != ZERO or exponent > 0) and abs(exponent) <= MOST_WORKED_OUT:
        return ("q", str(Fraction(base[1]) ** exponent))
    return ("^", base, ("q", str(exponent)))


def _removable(head: str, x: Term) -> Term:
    """expm1, relexp and relexp1: fractions of exponentials with a limit at zero."""
    if x == ZERO:
        return AT_ZERO[head]
    if head == "relexp1":
        return _times((_plus((_times((("exp", x), _plus((x, MINUS_ONE)))), ONE)), _power(x, -2)))
    rise = _plus((("exp", x), MINUS_ONE))
    return rise if head == "expm1" else _times((rise, _power(x, -1)))


def _contrary(relation: Term) -> Term:
    head, left, right = relation
    return (CONTRARY[head], right, left) if head in (">", ">=") else (CONTRARY[head], left, right)


def _names(operation: Data) -> set[str]:
    if operation[:1] == ("s",):
        return {operation[1]}
    return set().union(*(_names(part) for part in operation if isinstance(part, tuple)))


def _replaced(term: Data, old: Term, new: Term) -> Data:
    if term == old:
        return new
    return tuple(_replaced(part, old, new) for part in term) if isinstance(term, tuple) else term
