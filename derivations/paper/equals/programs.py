"""One case of what a program of numbers is shown to equal: the program read back line by line, each line as a term.

Where several branches stay open, and where the author gives a shorter form, the line goes on in one form, which each of
its branches is shown to equal. What was read and what was shown is `told`, as data from which the checker reads the
program once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.lowering.operations import lowered
from derivations.kernels.lowering.readback import contrary, read
from derivations.kernels.program import Operation
from derivations.kernels.targets.facts import names_in
from derivations.language.signs import assumptions_of
from derivations.language.terms import (
    MINUS_ONE,
    NotExact,
    Term,
    as_expression,
    as_tuples,
    carried_out,
    expression_of,
    from_sympy,
    symbol,
    symbols_in,
)
from derivations.paper.equals.cases import REMOVABLE, admitted, impossible, known
from derivations.paper.equals.stated import Stated, Unequal, formula_stated
from derivations.prove.certificate import Certificate, Json, Verdict

MOST_TO_DECIDE = 400  # parts of a condition that SymPy is asked to decide
RELATIONS: Mapping[str, Any] = {">": sp.Gt, ">=": sp.Ge, "=": sp.Eq, "!=": sp.Ne}


class Lines(dict[str, Term]):
    """The terms that the names of a program stand for; a line is read when it is first asked for."""

    def __init__(self, case: Case) -> None:
        super().__init__(case.arguments)
        self.case = case

    def __missing__(self, name: str) -> Term:
        self[name] = self.case.line(name)
        return self[name]


class Case:
    """A case: the statements that it makes of the program, and the certificates that show them."""

    def __init__(
        self,
        kernel: Any,
        case: Any,
        *,
        neat: bool = False,
        compared: dict[Any, Any] | None = None,
    ) -> None:
        self.kernel, self.case, self.neat = kernel, case, neat
        self.compared: dict[Any, Any] = {} if compared is None else compared  # by both sides, what was decided already
        self.program = {statement[1]: statement[2] for statement in kernel.program.body}
        self.owed: list[tuple[Term, Term]] = []
        self.forms: dict[str, Term] = {}
        self.settled: dict[Operation, bool] = {}
        self.evidence: list[Certificate] = []

    @cached_property
    def known(self) -> Lines:
        return Lines(self)

    def decided(self) -> Iterator[Certificate]:
        """Certificates of all that the case needs, in order."""
        if self.case.closure:
            return
        if self.case.never is not None:
            yield impossible(self.kernel, dict(self.case.holds), self.case.never)
            return
        yield from self._once("reached", self._reached)
        yield from self._once("admitted", lambda: admitted(self.kernel, self.case, self.symbols, self.translation))
        yield from self._theorems.values()
        obligations = self.obligations()
        yield from self.evidence
        for left, right in obligations:
            yield from self._compared(left, right)

    def _once(self, name: str, shown: Callable[[], Iterator[Certificate]]) -> list[Certificate]:
        """Certificates that are the same however neat the lines are."""
        if name not in self.compared:
            self.compared[name] = list(shown())
        found: list[Certificate] = self.compared[name]
        return found

    def obligations(self) -> list[tuple[Term, Term]]:
        """Return what must be equal: branches of lines and their forms, the returns and the claim's formulas."""
        returns = [(self.known[name], self.formula(name)) for name in self.case.formulas]
        return [*self.owed, *returns]

    @property
    def told(self) -> Json:
        """The case as data: what was put in, which conditions hold, the forms of lines, and what the returns equal."""
        case = self.case
        found: Json = {"claim": case.claim.id, "holds": [[list(c), v] for c, v in self.holds.items()]}
        if case.closure or case.never is not None:
            apart = {"closes": case.closure} if case.closure else {}
            return {**found, **apart, "returns": [[name, None] for name in case.formulas]}
        return {
            **found,
            "where": [[name, term] for name, term in self.arguments.items()],
            "reached": self.back,
            "given": {"symbols": dict(sorted(self._supposed[1].items())), "assuming": self._supposed[0]},
            "forms": [[name, term] for name, term in self.forms.items()],
            "returns": [[name, self.formula(name), self._stated(name).slot] for name in case.formulas],
            **({"signs": case.signs} if case.signs else {}),
        }

    # --- the program, read back -----------------------------------------------------------------------------------

    @cached_property
    def arguments(self) -> dict[str, Term]:
        """Return each argument of the kernel as a term in the symbols of the claim."""
        fix = dict(self.case.fix)
        return {k.name: from_sympy(as_expression(v).xreplace(fix)) for k, v in self.translation.items()}

    def line(self, name: str) -> Term:
        """Return a line in this case, in one form that all its open branches are shown to equal."""
        values = list(dict.fromkeys(read(value, self.known, self.sign) for value in self._open(self.program[name])))
        short = self._short(name)
        if short is None and len(values) == 1:
            return self._neatly(name, values[0]) if self.neat else values[0]
        form = self.forms[name] = min(values, key=_size) if short is None else short
        theorem = next((part for part in self.case.by_theorem if part.name == name), None)
        for value in values:
            if theorem is not None:
                self.owed.extend(self._by_theorem(theorem, value, form))
            elif value != form:
                self.owed.append((value, form))
        return form

    def _neatly(self, name: str, value: Term) -> Term:
        """A line as SymPy writes it, where that is no longer and is shown to be the same."""
        try:
            found = from_sympy(self.expression(value))
        except NotExact:  # a line without a value, which is not used
            return value
        if found == value or _size(found) > _size(value):
            return value
        if self._equal(value, found).verdict is not Verdict.PROVED:
            return value
        self.owed.append((value, found))
        self.forms[name] = found
        return found

    def _open(self, cases: Any) -> Iterator[Operation]:
        """The values that the conditions leave open."""
        for condition, value in cases:
            holds = True if condition is None else self._truth(condition)
            if holds is not False:
                yield value
            if holds:
                return

    def _short(self, name: str) -> Term | None:
        """The form that the author gives of a part; a symbol of the part's own name in it is one of the claim."""
        given = {part.name: (part, value) for part, value in self.case.parts.items()}
        return from_sympy(self.put(as_expression(given[name][1]), given[name][0])) if name in given else None

    def put(self, expression: Any, but: Any = None) -> Any:
        """An author's expression in the symbols of the claim, with the parts put back but for one of them."""
        parts = {s: s for s, _ in self.kernel.of_numbers.shared}
        used = sorted((s for s in expression.free_symbols & parts.keys() if s != but), key=str)
        whole = expression.replace(sp.Abs, self._size).replace(
            lambda e: isinstance(e, REMOVABLE), lambda e: e.rewrite(sp.exp)
        )
        lines = {s: self.expression(self.known[s.name]) for s in used}
        own = {k: v for k, v in self.translation.items() if k not in lines}
        return whole.xreplace({**own, **lines}).xreplace(dict(self.case.fix))

    def expression(self, term: Term) -> Any:
        return expression_of(term, self.signed)

    @cached_property
    def signed(self) -> dict[str, Any]:
        """The symbols of the claim, and those that are put in, by name."""
        put = [*self.translation.values(), *self.case.fix.values()]
        return {s.name: s for value in put for s in as_expression(value).free_symbols} | self.symbols

    # --- conditions -----------------------------------------------------------------------------------------------

    @cached_property
    def holds(self) -> dict[Operation, bool]:
        """The conditions of this case as the program spells them, where it does."""
        there = {c for cases in self.program.values() for c, _ in cases if c is not None}
        found = {}
        for condition, value in self.case.holds.items():
            spelled = [self._operation(condition), self._operation(condition.canonical)]
            spelled += [contrary(c) for c in spelled]
            chosen = next((c for c in spelled if c in there), spelled[0])
            found[chosen] = value if chosen in spelled[:2] else not value
        return found

    def _operation(self, condition: Any) -> Operation:
        return lowered(from_sympy(condition), self.kernel.of_numbers.positions)

    def _truth(self, condition: Operation) -> bool | None:
        """Return whether a condition holds here: the case says so, or says it of the same sides, or numbers do."""
        for told in (self.holds, self.settled):
            for sign, spelled in ((True, condition), (False, contrary(condition))):
                if spelled in told:
                    return told[spelled] is sign
        sides = self._sides(condition)
        for other, value in self.holds.items():
            if other[0] == condition[0] and self._is_near(other) and self._sides(other) == sides:
                return value
        return self._by_numbers(condition, sides)

    def _sides(self, condition: Operation) -> list[Term]:
        return [read(side, self.known, self.sign) for side in condition[1:]]

    def _is_near(self, condition: Operation) -> bool:
        """Return whether all that a condition speaks of was read already, so that reading it reads nothing new."""
        return set(names_in(condition)) <= self.known.keys()

    def _by_numbers(self, condition: Operation, sides: list[Term]) -> bool | None:
        """Return what SymPy decides of small sides, if that is proved then."""
        if sum(map(_size, sides)) > MOST_TO_DECIDE:
            return None
        found = RELATIONS[condition[0]](*map(self.expression, sides))
        if found not in (sp.true, sp.false):
            return None
        shown = condition if found == sp.true else contrary(condition)
        head, left, right = shown[0], *self._sides(shown)
        kind = {"kind": "identity"} if head == "=" else {"kind": "sign", "relation": head}
        certificate = prove.decide({**self.identity(left, right), **kind})
        if certificate.verdict is not Verdict.PROVED:
            return None
        self.evidence.append(certificate)
        self.settled[shown] = True
        return bool(found)

    def sign(self, operation: Operation) -> int | None:
        """The sign of what stands in an absolute value, if the case has it among its conditions."""
        for condition, value in self.holds.items():
            if condition[0] in (">", ">="):
                for sign, gap in ((1, condition[1:]), (-1, condition[:0:-1])):
                    if operation == _difference(*gap):
                        return sign if value else -sign
        return None

    def _size(self, argument: Any) -> Any:
        sign = self.sign(lowered(from_sympy(argument), self.kernel.of_numbers.positions))
        return sp.Abs(argument) if sign is None else sign * argument

    # --- obligations ----------------------------------------------------------------------------------------------

    def _compared(self, left: Term, right: Term) -> Iterator[Certificate]:
        """The certificate that two sides are equal; of two arcsines, first that their arguments are, up to a sign."""
        arcs = [_arcsines(carried_out(side)) for side in (left, right)]
        if arcs[0] != arcs[1] and len(arcs[0]) == len(arcs[1]) == 1:
            (one,), (other,) = arcs
            opposite = self._equal(one[1], ("*", MINUS_ONE, other[1]))
            turned = opposite.verdict is Verdict.PROVED
            yield opposite if turned else self._equal(one[1], other[1])
            left = _replaced(left, one, ("*", MINUS_ONE, other) if turned else other)  # the arcsine is odd
        yield self._equal(left, right)

    def _equal(self, left: Term, right: Term) -> Certificate:
        """The certificate that two sides are equal, which is asked for again when its turn comes."""
        if (left, right) not in self.compared:
            self.compared[left, right] = prove.decide(self.identity(left, right))
        found: Certificate = self.compared[left, right]
        return found

    @cached_property
    def _theorems(self) -> dict[Any, Certificate]:
        """For each part that needs a theorem, what it says."""
        return {
            part: prove.by(
                known.theorem,
                **{slot: self.put(as_expression(value)) for slot, value in known.slots.items()},
                assuming=self.case.assuming,
            )
            for part, known in self.case.by_theorem.items()
        }

    def _by_theorem(self, part: Any, value: Term, short: Term) -> Iterator[tuple[Term, Term]]:
        """A value and its shorter form are both sides of what the theorem says, with its factor."""
        says, known = self._theorems[part].statement["concludes"], self.case.by_theorem[part]
        factor = from_sympy(as_expression(known.factor))
        sides = [("*", factor, as_tuples(says[side])) for side in ("right", "left")]
        yield from zip((value, short), sides, strict=True)

    def _reached(self) -> Iterator[Certificate]:
        """Every argument is reached: what it is in the claim's symbols, with the way back put in, is the argument."""
        equations = [relation for relation in known(self.kernel, self.case.holds) if isinstance(relation, sp.Eq)]
        terms = list(self.arguments.values())
        table = {name: told for argument in self.translation for name, told in assumptions_of(argument).items()}
        for name, term in self.arguments.items():
            if term[0] == "s" and terms.count(term) == 1:
                continue
            back = ("at", term, self.back) if self.back else term
            alone = [r for r in equations if str(r.lhs) == name and from_sympy(r.rhs) == term]
            supposed = [from_sympy(relation) for relation in alone or equations]
            used = set().union(*map(symbols_in, [back, *supposed]), {name})
            told = {s: table[s] for s in sorted(used)}
            about = {"symbols": told, "assuming": supposed, "left": back, "right": symbol(name)}
            yield prove.decide({"kind": "identity", **about})

    @cached_property
    def back(self) -> tuple[tuple[str, Term], ...]:
        """The way back: what symbols of the claim are in the kernel's arguments."""
        return tuple((str(s.name), from_sympy(as_expression(v))) for s, v in self.case.reached.items())

    # --- the claim ------------------------------------------------------------------------------------------------

    @cached_property
    def symbols(self) -> dict[str, Any]:
        """The symbols of the claim's statements, by name."""
        table: dict[str, list[str]] = {}
        for name in self.case.formulas:
            table |= self._stated(name).inside["symbols"]
        return {name: sp.Symbol(name, **dict.fromkeys(told or ("real",), True)) for name, told in table.items()}

    @cached_property
    def translation(self) -> dict[Any, Any]:
        """Return each argument of the kernel as an expression in the symbols of the claim."""
        found = {}
        for argument in self.kernel.of_numbers.symbols:
            same = self.symbols.get(argument.name, argument)
            own = self.case.where.get(argument, argument if argument in self.case.at.values() else same)
            found[argument] = own
            more = set(_told(own)) - set(_told(argument)) if isinstance(own, sp.Symbol) else set()
            if more and argument not in self.case.inside:
                raise Unequal(
                    f"{self.case.claim.id} supposes that {own} is {' and '.join(sorted(more))}, and the kernel "
                    f"{self.kernel.name} does not: name {argument} in `inside`, and say what holds elsewhere"
                )
        return found

    def _stated(self, name: str) -> Stated:
        """The formula of a return as it stands in the claim's certificate; looked up once."""
        if name not in self._looked_up:
            self._looked_up[name] = formula_stated(self.case.claim, self.case.formulas[name], name, self.kernel.name)
        return self._looked_up[name]

    @cached_property
    def _looked_up(self) -> dict[str, Stated]:
        return {}

    def formula(self, name: str) -> Term:
        """The claim's formula, with what it is in the kernel's arguments."""
        term = self._stated(name).formula
        put = {k: as_expression(v).xreplace(self.translation) for k, v in self.case.at.items()}
        for values in (put, self.case.fix):
            pairs = tuple((str(k.name), from_sympy(as_expression(v))) for k, v in values.items())
            term = ("at", term, pairs) if any(k in symbols_in(term) for k, _ in pairs) else term
        by = self.case.by.get(name)
        return term if by is None else ("D", term, self.translation.get(by, by).name)

    def identity(self, left: Term, right: Term) -> Json:
        """The statement that two sides are equal."""
        relations, table = self._supposed
        used = set().union(*map(symbols_in, [left, right, *relations]))
        kept = {name: table[name] for name in sorted(used)}
        return {"kind": "identity", "symbols": kept, "assuming": relations, "left": left, "right": right}

    @cached_property
    def _supposed(self) -> tuple[list[Term], dict[str, list[str]]]:
        """The hypotheses of every comparison, and what is told of symbols."""
        assuming = [as_tuples(r) for name in self.case.formulas for r in self._stated(name).inside["assuming"]]
        table: dict[str, list[str]] = {}
        for value in (*self.translation.values(), *self.case.fix.values(), *self.case.assuming):
            table |= assumptions_of(value)
        table |= {name: _told(symbol) for name, symbol in self.symbols.items()}
        return list(dict.fromkeys([*assuming, *map(from_sympy, self.case.assuming)])), table


def _told(symbol: Any) -> list[str]:
    return assumptions_of(symbol)[symbol.name]


def _difference(left: Operation, right: Operation) -> Operation:
    """left - right as a program has it, where the right side is a number or a name."""
    if right == ("q", "0"):
        return left
    return ("+", left, ("*", "-1", (right,), ()))


def _arcsines(term: Term) -> set[Term]:
    """The arcsines in a term."""
    if term[0] == "asin":
        return {term}
    return set().union(*(_arcsines(part) for part in term[1:] if isinstance(part, tuple)))


def _replaced(term: Any, part: Term, by: Term) -> Any:
    if term == part:
        return by
    return tuple(_replaced(inner, part, by) for inner in term) if isinstance(term, tuple) else term


def _size(term: Any) -> int:
    return 1 + sum(map(_size, term[1:])) if isinstance(term, tuple) else 1
