"""Programs of numbers in the index against the certificates of their kernels: each is read back, line by line.

Programs with loops or matrices are read back by `arrays`.

A kernel's statement has cases, and a domain: what it supposes of its arguments. A case says what is supposed of the
symbols of a claim (`given`), what the arguments are in these (`where`), which conditions hold (`holds`), how lines go
on that have several open branches or a shorter form (`forms`), and which formulas of the claim the returns equal. The
program is read back with that. Wherever a value should be a form or a formula and is not, literally, or a condition is
decided that the case does not name, parts of the certificate must lead there, which suppose nothing but what is given.
The cases together leave no combination of conditions out. A case without arguments is one whose conditions contradict
each other in the domain, by a part; or one that only closes another one, which is printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import Any

from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, normal, require
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO
from derivations.recheck.ledgers.arrays import check_arrays
from derivations.recheck.ledgers.givens import Givens, concluded, contrary, require_stated

AT_ZERO = {"expm1": ZERO, "relexp": ONE, "relexp1": ("q", "1/2")}
ROOTS = {"sqrt": ("q", "1/2"), "cbrt": ("q", "1/3")}
MOST_STEPS = 60  # forms of a value that are tried on the way to another
MOST_WORKED_OUT = 99  # exponent of a number
Data = Any


def check_program(row: Mapping[str, Any], statement: Data, stated: Mapping[str, Data]) -> None:
    """Return when a kernel's statement speaks of the program of a row of the index; raise Rejected where it does not.

    stated: by the id of each claim on which the kernel rests, what it states.
    """
    try:
        with budget():
            kernel = normal(statement["kernel"])
            cases = kernel["cases"]
            require(all(case["claim"] in stated for case in cases), "a case speaks of a claim on which nothing rests")
            ends = [0, *(case["parts"][1] for case in cases)]
            expected = [*pairwise(ends)]
            in_order = ends == sorted(ends) and ends[-1] == len(statement["parts"])
            require(
                in_order and [case["parts"] for case in cases] == expected, "the cases do not share the parts in order"
            )
            claims = {claim: normal(stated[claim]) for claim in {case["claim"] for case in cases}}
            if {value[1] for value in row["inputs"]} == {"number"}:
                _check(row, kernel, normal(statement["parts"]), claims)
            else:
                check_arrays(row, cases, normal(statement["parts"]), claims)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Rejected(f"the program or its cases are not as they are written ({type(error).__name__})") from None


def _check(row: Mapping[str, Any], kernel: Data, parts: Data, claims: Mapping[str, Data]) -> None:
    body = normal(row["program"]["body"])
    inputs = [name for name, *_ in row["inputs"]]
    names = [*inputs, *(name for _, name, _ in body)]
    require(len({*names}) == len(names), "a program gives one name twice")
    cases = [Case(case, body, parts[slice(*case["parts"])]) for case in kernel["cases"]]
    for case in cases:
        case.check(claims[case.data["claim"]], _in_arguments(body, inputs, case.holds, kernel["domain"]))
    for name, *_ in row["returns"]:
        own = [case for case in cases if name in case.returns]
        require(any("where" in case.data for case in own), f"no case shows what {name} equals")
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


def plainly(holds: Data) -> Iterator[tuple[Term, bool]]:
    """Conditions as terms in the names of the program."""
    for (head, *sides), value in normal(holds):
        lines = Lines({name: ("s", name) for side in sides for name in _names(side)}, {})
        yield (head, *map(lines.read, sides)), value


def _in_arguments(body: Data, inputs: list[str], holds: Mapping[Term, bool], domain: Data) -> Givens:
    """The domain and the conditions of a case, with lines put back that have no branches and no limit in them."""
    lines = Lines({name: ("s", name) for name in inputs}, {})
    for _, name, branches in body:
        is_plain = len(branches) == 1 and not _heads(branches[0][1]) & AT_ZERO.keys()
        lines.known[name] = lines.read(branches[0][1]) if is_plain else ("s", name)
    conditions = [((head, *map(lines.read, sides)), value) for (head, *sides), value in holds.items()]
    return Givens(domain, [relation if value else contrary(relation) for relation, value in conditions])


class Lines:
    """Lines of a program as terms, where some conditions hold."""

    def __init__(self, known: dict[str, Term], holds: Mapping[Term, bool]) -> None:
        self.known, self.holds = known, holds

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


class Case(Lines):
    """One case of a kernel's statement, and what it says of the program."""

    def __init__(self, data: Data, body: Data, parts: Data) -> None:
        super().__init__({}, dict(data["holds"]))
        self.data, self.body, self.parts = data, body, parts
        self.returns = {name: formula for name, formula, *_ in data["returns"]}
        self.shown: list[Data] = []  # the parts that suppose nothing but what is given

    def check(self, claim: Data, domain: Givens) -> None:
        """Check all that the case says of the program, in a domain with the conditions of the case."""
        if "where" not in self.data:
            is_never = any(domain.deny(concluded(part)) and domain.admits(part) for part in self.parts)
            require(is_never or self._closes(), "a case shows nothing and does not say why")
            return
        given = Givens(self.data["given"])
        self.shown = [part for part in self.parts if given.admits(part)]
        for _, formula, slot in self.data["returns"]:
            require_stated(formula, slot, claim, given)
        self.known = dict(self.data["where"])
        self._require_reached([concluded(part) for part in self.parts if domain.admits(part)])
        forms = dict(self.data["forms"])
        for _, name, branches in self.body:
            try:
                values = list(self._open(branches))
            except KeyError:  # it uses a line that has several branches and no one form, or is not used itself
                continue
            if name in forms or len(values) == 1:
                self.known[name] = forms.get(name, values[0])
            for value in values if name in forms else ():
                self._require_same(f"a branch of {name} and the form of that", value, forms[name])
        for name, formula in self.returns.items():
            require(name in self.known, f"{name} has several branches, and nothing says that they are the same")
            self._require_same(f"{name} and what the claim states", self.known[name], formula)

    def _open(self, branches: Data) -> Iterator[Term]:
        for condition, value in branches:
            holds = condition is None or self._truth(condition)
            if holds is not False:
                yield self.read(value)
            if holds:
                return

    def _truth(self, condition: Term) -> bool | None:
        """Check whether a condition holds in this case; None where nothing is said of it."""
        for value, spelled in ((True, condition), (False, contrary(condition))):
            if spelled in self.holds:
                return self.holds[spelled] is value
        sides = tuple(map(self.read, condition[1:]))
        for other, holds in self.holds.items():
            is_near = other[0] == condition[0] and _names(other) <= self.known.keys()
            if is_near and tuple(map(self.read, other[1:])) == sides:
                return holds
        relation = (condition[0], *sides)
        shown = [concluded(part) for part in self.shown]
        return True if relation in shown else False if contrary(relation) in shown else None

    def _closes(self) -> bool:
        """Check whether the case says why it is left out, and is on the edge of others, by one of its conditions."""
        on_edge = any(head == "=" if value else head in (">", "!=") for (head, *_), value in self.data["holds"])
        return bool(self.data.get("closes")) and on_edge

    # --- what parts show ----------------------------------------------------------------------------------------------

    def _require_reached(self, shown: list[Term | None]) -> None:
        """Every argument takes all its values: it is a symbol of its own, or a part shows the way back."""
        where, back = self.data["where"], self.data["reached"]
        for name, term in where:
            alone = term[0] == "s" and [other for _, other in where].count(term) == 1
            sides = (("at", term, back) if back else term, term)
            if not alone and not any(("=", side, ("s", name)) in shown for side in sides):
                raise Rejected(f"nothing shows that the case reaches every {name}")

    @cached_property
    def _identities(self) -> list[tuple[Term, Term]]:
        return [(part["left"], part["right"]) for part in self.shown if part["kind"] == "identity"]

    def _rewriting(self) -> Iterator[tuple[Term, Term]]:
        """Return the equations of theorems, and arcsines of what is equal, or opposite."""
        for part in self.shown:
            relation = concluded(part)
            if part["kind"] == "by" and relation and relation[0] == "=":
                yield relation[1], relation[2]
        for left, right in self._identities:
            if right[:2] == ("*", MINUS_ONE) and len(right) == 3:
                yield ("asin", left), ("*", MINUS_ONE, ("asin", right[2]))
            yield ("asin", left), ("asin", right)

    def _require_same(self, what: str, value: Term, wanted: Term) -> None:
        """The value is the wanted one, or parts lead from one to the other."""
        steps = self._identities
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


def _names(operation: Data) -> set[str]:
    if operation[:1] == ("s",):
        return {operation[1]}
    return set().union(*(_names(part) for part in operation if isinstance(part, tuple)))


def _heads(operation: Data) -> set[str]:
    """The heads of an operation and of all inside it."""
    inside = (_heads(part) for part in operation if isinstance(part, tuple))
    return {part for part in operation[:1] if isinstance(part, str)}.union(*inside)


def _replaced(term: Data, old: Term, new: Term) -> Data:
    if term == old:
        return new
    return tuple(_replaced(part, old, new) for part in term) if isinstance(term, tuple) else term
