"""Programs of numbers in the index against the certificates of their kernels: each is read back, line by line.

Programs with loops or matrices are read back by `arrays`.

A kernel's statement has a domain, which is what it supposes of its arguments, and cases. A case says of all arguments
in the domain at which its conditions hold (`holds`): there are values of symbols (`reached`, formulas in the arguments)
for which all is as it is supposed (`given`), of which the arguments are certain formulas (`where`), and for which the
returns are formulas that a claim states, where that holds what it supposes. Lines go on in the `forms` that are given
of them. The program is read back with that. Whatever is not so literally, parts of the certificate have to show, which
suppose nothing but what is known in the case. The cases together leave no combination of conditions out.

Each formula that stands in the place of a line, and each that a claim states, has a value wherever the case is: parts
show it. A case may leave out edges (`edges`), where what is given as positive, or not zero, is zero, and a quotient of
polynomials. An exact point that is on no edge (`point`) tells that no open part of the domain is one, and
index.json says where they are. A case without arguments is one whose conditions contradict each other in the
domain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import prod
from typing import Any

from derivations.recheck.core.budget import budget
from derivations.recheck.core.conditions import demands
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, normal, rational, require
from derivations.recheck.core.statements import holds
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO, carried_out, replaced, subterms, whole_exponent
from derivations.recheck.ledgers.arrays import check_arrays
from derivations.recheck.ledgers.formulas import term
from derivations.recheck.ledgers.givens import Facts, concluded, contrary, excuses, plain, require_stated

AT_ZERO = {"expm1": ZERO, "relexp": ONE, "relexp1": ("q", "1/2")}
ROOTS = {"sqrt": ("q", "1/2"), "cbrt": ("q", "1/3")}
NO_VALUE = "nothing shows that a formula of a case has a value"
NO_LIMIT = "nothing shows that a fraction of exponentials is none of zero"
MOST_STEPS = 60  # forms of a value that are tried on the way to another
MOST_WORKED_OUT = 99  # exponent of a number
FEW = 3  # cases of an edge whose conditions are told
UNLESS = {
    "covariance": "the covariance of {} is none",
    "numbers": "arguments are not such numbers as {} speaks of",
    "ended": "the solution of {} has ended, which it states while that is defined",
}
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
    names = [*(name for name, *_ in row["inputs"]), *(name for _, name, _ in body)]
    require(len({*names}) == len(names), "a program gives one name twice")
    domain = [*in_names(kernel["domain"])]
    said = [re.sub(r"\+ \(-([0-9]+)\)", r"- \1", term(relation)) for relation in domain]
    require(said == list(row["domain"]), "the domain is not the one that the index tells")
    require(not Facts(domain, ()).is_absurd(), "the domain contradicts itself")
    cases = [Case(case, row, parts[slice(*case["parts"])], domain) for case in kernel["cases"]]
    for case in cases:
        case.check(claims[case.data["claim"]])
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


def in_names(relations: Data) -> Iterator[Term]:
    """Relations between operations as terms in the names of the program."""
    for head, *sides in normal(relations):
        lines = Lines({name: ("s", name) for side in sides for name in _names(side)}, {})
        yield (head, *map(lines.read, sides))


def edges_told(kernel: Data) -> list[str]:
    """Where a kernel's statement says nothing of its returns: on the edges of its cases, in its arguments.

    Of an edge of many cases their conditions are not listed: it is told as if it were one of all.
    """
    found: dict[str, dict[str, None]] = {}
    for case in normal(kernel["cases"]):
        put, inputs = tuple(case.get("reached", ())), {name for name, _ in case.get("where", ())}
        known = [c if value else contrary(c) for c, value in case.get("holds", ()) if _names(c) <= inputs]
        where = " and ".join(map(term, in_names(known)))
        for _, *sides in case.get("edges", ()):
            left, right = (term(carried_out(("at", side, put))) for side in sides)
            found.setdefault(f"{left} = {right}", {})[where] = None
        found |= {UNLESS[excuse].format(case["claim"]): {"": None} for excuse in case.get("unless", ())}
    return [
        f"{edge}{' where ' * bool(where)}{where}"
        for edge, conditions in found.items()
        for where in (conditions if len(conditions) <= FEW and "" not in conditions else [""])
    ]


class Lines:
    """Lines of a program as terms, where some conditions hold."""

    def __init__(self, known: dict[str, Term], holds: Mapping[Term, bool]) -> None:
        self.known, self.holds = known, holds
        self.limits: dict[Term, None] = {}  # what is not zero where fractions of exponentials are read as such

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
            self.limits |= dict.fromkeys([parts[0]] if parts[0] != ZERO else [])
            return _removable(head, parts[0])
        if head == "abs" and parts[0][0] == "q":
            return ("q", str(abs(Fraction(parts[0][1]))))
        if head == "abs" and (sign := self.sign(operation[1])):
            return _times((("q", str(sign)), parts[0]))
        return ("^" if head == "**" else head, *parts)

    def sign(self, operation: Term) -> int:
        """The sign that the case's conditions give what stands in an absolute value; 0 where they do not."""
        for (head, left, right), value in self.holds.items():
            for sign, a, b in ((1, left, right), (-1, right, left)) if head in (">", ">=") else ():
                if operation == (a if b == ZERO else ("+", a, ("*", "-1", (b,), ()))):
                    return sign if value else -sign
        return 0


class Case(Lines):
    """One case of a kernel's statement, and what it says of the program."""

    def __init__(self, data: Data, row: Mapping[str, Any], parts: Data, domain: Iterable[Term]) -> None:
        super().__init__({}, dict(data["holds"]))
        self.data, self.parts, self.domain = data, parts, [*domain]
        self.inputs, self.body = [name for name, *_ in row["inputs"]], normal(row["program"]["body"])
        self.returns = {name: formula for name, formula, *_ in data["returns"]}
        require(all(isinstance(value, bool) for value in self.holds.values()), "a condition holds, or it does not")

    def check(self, claim: Data) -> None:
        """Check all that the case says of the program."""
        here = Facts(self.supposed(), self.parts)
        if "where" not in self.data:
            require(here.is_absurd(), "a case shows nothing, and its conditions do not contradict each other")
            return
        self._require_reached(here)
        self.facts = Facts(self.data["given"], self.parts)
        self.sure = Facts([given for given in self.data["given"] if given not in self.data["edges"]], self.parts)
        self.known = dict(self.data["where"])
        require([*self.known] == self.inputs, "a case says what each argument is, and of nothing else")
        defined = Facts([*self.sure.known, *self.domain_in(self.data["where"])], self.parts)
        self._learn(*self._conditions(self))
        require(all(map(self.facts.has_value, self.known.values())), NO_VALUE)
        self._learn(*self.domain_in(self.data["where"]))
        for _, formula, slot in self.data["returns"]:
            require_stated(formula, slot, claim, self.facts)
            excuse = excuses(slot, claim)
            require(excuse in ("", *self.data["unless"]), "a case does not tell where its claim says nothing")
        forms = dict(self.data["forms"])
        used: dict[str, set[str]] = {}
        compared: list[Term] = []
        limits: dict[str, dict[Term, None]] = {}
        for _, name, branches in self.body:
            self._learn(*self._conditions(self))
            limits[name] = self.limits = {}
            try:
                opened = list(self._open(branches))
                compared += [self.read(side) for condition, _ in branches if condition for side in condition[1:]]
                used[name] = set().union(*map(_names, opened))
                values = list(map(self.read, opened))
            except KeyError:  # it uses a line that has several branches and no one form, or is not used itself
                continue
            if name in forms or len(values) == 1:
                self.known[name] = forms.get(name, values[0])
            for value in values if name in forms else ():
                self._require_same(f"a branch of {name} and the form of that", value, forms[name])
        require(all(map(self.facts.has_value, [*forms.values(), *self.returns.values()])), NO_VALUE)
        sides = {demand for side in compared for demand in demands(carried_out(side))}
        for head, of in sides:  # a pole may be left out by another condition
            known = self.facts if head == "!=" else defined
            require(known.say((head, of, ZERO)), "nothing shows that a condition has values")
        waiting = [*self.returns]
        for name in waiting:  # which grows
            waiting += [other for other in used.get(name, ()) if other not in waiting]
            require(all(self.facts.say(("!=", inside, ZERO)) for inside in limits.get(name, ())), NO_LIMIT)
        for name, formula in self.returns.items():
            require(name in self.known, f"{name} has several branches, and nothing says that they are the same")
            self._require_same(f"{name} and what the claim states", self.known[name], formula)

    def supposed(self) -> list[Term]:
        """The domain and the conditions, with lines put back that have no branches and no limit in them."""
        lines = Lines({name: ("s", name) for name in self.inputs}, {})
        for _, name, branches in self.body:
            is_plain = len(branches) == 1 and not _heads(branches[0][1]) & AT_ZERO.keys()
            lines.known[name] = lines.read(branches[0][1]) if is_plain else ("s", name)
        return [*self.domain, *self._conditions(lines)]

    def _conditions(self, lines: Lines) -> Iterator[Term]:
        """The conditions that hold, or the contrary of those that do not, as far as lines are known."""
        for condition, value in self.holds.items():
            if _names(condition) <= lines.known.keys():
                relation = (condition[0], *map(lines.read, condition[1:]))
                yield relation if value else contrary(relation)

    def domain_in(self, where: Iterable[tuple[str, Term]]) -> Iterator[Term]:
        """The domain in the terms that arguments are."""
        for head, *sides in self.domain:
            yield (head, *(("at", side, tuple(where)) for side in sides))

    def conditions_in(self, known: dict[str, Term]) -> Iterator[Term]:
        """The conditions in the terms that lines stand for."""
        return self._conditions(Lines(known, self.holds))

    def _open(self, branches: Data) -> Iterator[Data]:
        """The operations of a line that conditions leave open."""
        for condition, value in branches:
            holds = condition is None or self._truth(condition)
            if holds is not False:
                yield value
            if holds:
                return

    def _truth(self, condition: Term) -> bool | None:
        """Check whether a condition holds in this case; None where nothing is said of it."""
        for value, spelled in ((True, condition), (False, contrary(condition))):
            if spelled in self.holds:
                return self.holds[spelled] is value
        relation = (condition[0], *map(self.read, condition[1:]))
        return True if self.sure.say(relation) else False if self.sure.say(contrary(relation)) else None

    def _learn(self, *relations: Term) -> None:
        for facts in (self.facts, self.sure):
            facts.learn(*relations)

    # --- where the case is, and what it leaves out --------------------------------------------------------------------

    def _require_reached(self, here: Facts) -> None:
        """All arguments of the case are reached at once, and where they are all is given, but on its edges."""
        back, edges = self.data["reached"], self.data["edges"]
        require(all(here.has_value(formula) for _, formula in back), NO_VALUE)
        for name, formula in self.data["where"]:
            said = here.say(("=", ("at", formula, back), ("s", name)))
            require(said, f"nothing shows that the case reaches every {name}")
        there = {
            relation: (relation[0], *(("at", side, back) for side in relation[1:])) for relation in self.data["given"]
        }
        for relation, (head, *sides) in there.items():
            is_edge = relation in edges and is_edge_of(here, head, sides)
            require(is_edge or here.say((head, *sides)), "nothing shows that all is given where a case is")
        if edges:
            self.require_point(self.data["point"], [there[edge] for edge in edges])

    def require_point(self, point: Mapping[str, str], relations: Iterable[Term]) -> None:
        """At an exact point of the domain relations hold, so that those fail on edges alone."""
        at = {name: rational(point[name]) for name in self.inputs}
        require(
            all(holds(relation, at) for relation in (*self.domain, *relations)), "the point of a case is on an edge"
        )

    # --- what parts show ----------------------------------------------------------------------------------------------

    def _rewriting(self) -> Iterator[tuple[Term, Term]]:
        """Return the equations of conditions and of theorems, and arcsines of what is equal, or opposite."""
        yield from (plain(relation)[1:] for relation in self._conditions(self) if relation[0] == "=")
        for part in self.facts.shown:
            relation = concluded(part)
            if part["kind"] == "by" and relation and relation[0] == "=":
                yield carried_out(relation[1]), carried_out(relation[2])
            elif part["kind"] == "identity":
                left, right = carried_out(part["left"]), carried_out(part["right"])
                yield ("asin", left), ("asin", right)
                if right[:2] == ("*", MINUS_ONE) and len(right) == 3:
                    yield ("asin", left), ("*", MINUS_ONE, ("asin", right[2]))

    def _require_same(self, what: str, value: Term, wanted: Term) -> None:
        """The value is the wanted one, or parts lead from one to the other."""
        value, wanted = carried_out(value), carried_out(wanted)
        if self.facts.say(("=", value, wanted)):
            return
        steps = [(left, right) for head, left, right in self.facts.known if head == "="]
        rules = [pair for left, right in self._rewriting() for pair in ((left, right), (right, left))]
        asked = {*demands(value), *demands(wanted)}
        seen, waiting = {value}, [value]
        while waiting and wanted not in seen and len(seen) < MOST_STEPS:
            here = waiting.pop(0)
            ahead = [right for left, right in steps if left == here] + [replaced(here, *pair) for pair in rules]
            ahead = [formula for formula in ahead if formula == wanted or self.facts.has_value(formula, asked)]
            waiting += [formula for formula in dict.fromkeys(ahead) if formula not in seen]
            seen.update(ahead)
        require(wanted in seen, f"no part shows that {what} are equal")


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


def is_edge_of(here: Facts, head: str, sides: Sequence[Term]) -> bool:
    """Check whether a relation that is not shown fails on an edge: where two quotients of polynomials are equal."""
    is_told = head == "!=" or (head == ">" and here.say((">=", *sides)))
    return is_told and all(map(_is_rational, sides))


def _is_rational(formula: Term) -> bool:
    """Check whether a formula is a quotient of polynomials, which is zero on an edge alone unless it always is."""
    inside = subterms(carried_out(formula))
    return all(part[0] in ("s", "q", "+", "*") or (part[0] == "^" and whole_exponent(part)) for part in inside)


def _names(operation: Data) -> set[str]:
    if operation[:1] == ("s",):
        return {operation[1]}
    return set().union(*(_names(part) for part in operation if isinstance(part, tuple)))


def _heads(operation: Data) -> set[str]:
    """The heads of an operation and of all inside it."""
    inside = (_heads(part) for part in operation if isinstance(part, tuple))
    return {part for part in operation[:1] if isinstance(part, str)}.union(*inside)
