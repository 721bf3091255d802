"""One case of what a program of numbers is shown to equal: the program read back line by line, each line as a term.

Where several branches stay open, and where the author gives a shorter form, the line goes on in one form, which each of
its branches is shown to equal. What was read and what was shown is `told`, as data from which the checker reads the
program once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from random import Random
from typing import Any

import sympy as sp

from derivations import prove
from derivations.kernels.lowering.operations import lowered
from derivations.kernels.program import Operation
from derivations.kernels.specification.numbers import RANGES
from derivations.language.signs import assumptions_of
from derivations.language.terms import (
    MINUS_ONE,
    RELATED,
    ZERO,
    NotExact,
    Term,
    as_expression,
    as_tuples,
    carried_out,
    expression_of,
    from_sympy,
    subtract,
    symbol,
    symbols_in,
)
from derivations.paper.equals.cases import REMOVABLE, decided, words_of
from derivations.paper.equals.stated import Stated, Unequal, formula_stated, proved
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.recheck.core.conditions import demands
from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers import programs
from derivations.recheck.ledgers.formulas import term as written
from derivations.recheck.ledgers.givens import Facts, contrary, excuses, factors_of

SIDES = ("left", "right")
POSSIBLE, MOST_POINTS = ("1/4", "1", "2", "8", "0", "-1", "-4"), 3000
"""Values of arguments among which an exact point is looked for that is on no edge, and how often."""
MOST_TO_DECIDE = 400  # parts of a condition that SymPy is asked to decide


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
        self.evidence: dict[Term, Certificate] = {}  # of conditions that numbers decide
        self.edges: list[Term] = []
        self.off = [*map(from_sympy, case.off)]  # what is not so on edges

    @cached_property
    def known(self) -> Lines:
        return Lines(self)

    @cached_property
    def reading(self) -> programs.Lines:
        return programs.Lines(self.known, self.holds)

    def decided(self) -> Iterator[Certificate]:
        """Certificates of all that the case needs, in order."""
        if self.case.never is not None:
            yield from self._impossible()
            return
        yield from self._theorems.values()
        obligations = self.obligations()
        yield from self.evidence.values()
        for left, right in obligations:
            yield from self._compared(left, right)
        yield from self._shown_there()
        yield from self._shown_here()

    def obligations(self) -> list[tuple[Term, Term]]:
        """Return what must be equal: branches of lines and their forms, the returns and the claim's formulas."""
        for condition in [c for c, value in self.holds.items() if c[0] == "=" and value]:
            self._sides(condition)  # which are put in for each other
        returns = [(self.known[name], self.formula(name)) for name in self.case.formulas]
        return [*self.owed, *returns]

    @property
    def told(self) -> Json:
        """The case as data: what was put in, which conditions hold, the forms of lines, and what the returns equal."""
        case = self.case
        found: Json = {"claim": case.claim.id, "holds": [[list(c), v] for c, v in self.holds.items()]}
        if case.never is not None:
            return {**found, "returns": [[name, None] for name in case.formulas]}
        return {
            **found,
            "where": [[name, term] for name, term in self.arguments.items()],
            "reached": self.back,
            "given": self.given,
            "edges": self.edges,
            "unless": sorted({*map(self._excuse, case.formulas)} - {""}),
            **({"point": self._point()} if self.edges else {}),
            "forms": [[name, term] for name, term in self.forms.items()],
            "returns": [[name, self.formula(name), self._stated(name).slot] for name in case.formulas],
        }

    def _point(self) -> Json:
        """An exact point of the domain that is on no edge."""
        chosen, symbols = Random(0), self.kernel.of_numbers.symbols
        possible = {s.name: POSSIBLE[: 4 if s.is_nonnegative else len(POSSIBLE)] for s in symbols}
        off = [(head, *map(self._there, sides)) for head, *sides in self.edges]
        for _ in range(MOST_POINTS):
            with suppress(Rejected):
                found = {name: chosen.choice(values) for name, values in possible.items()}
                self.reader.require_point(found, off)
                return found
        edges = ", ".join(map(written, self.edges))
        raise Unequal(
            f"a case of the kernel {self.kernel.name} leaves edges out, and no point was found off all: {edges}"
        )

    def _excuse(self, name: str) -> str:
        return excuses(self._stated(name).slot, as_tuples(proved(self.case.claim).statement))

    # --- where the case is ----------------------------------------------------------------------------------------

    @cached_property
    def reader(self) -> programs.Case:
        """The checker's reader of the program, in this case."""
        about = {"holds": as_tuples([[list(c), v] for c, v in self.holds.items()]), "returns": ()}
        row = {
            "inputs": [[s.name, "number"] for s in self.kernel.of_numbers.symbols],
            "program": {"body": self.kernel.program.body},
        }
        return programs.Case(about, row, (), programs.in_names(self.kernel.of_numbers.relations))

    def _impossible(self) -> Iterator[Certificate]:
        """Certificates that a condition of the case, or of the domain, fails where the others hold."""
        supposed = self.reader.supposed()
        (never,) = programs.in_names([self._operation(self.case.never)])
        if never not in supposed:
            place = [*self.case.holds].index(self.case.never)
            never = supposed[len(self.reader.domain) + place]
        others = [relation for relation in supposed if relation != never]
        here, equations = Facts(others, ()), list[Term]()
        yield from self._equations(others, here, equations)
        yield decided(contrary(never), [*others, *equations])

    def _equations(self, supposed: list[Term], here: Facts, found: list[Term]) -> Iterator[Certificate]:
        """Add equations among hypotheses to those found, and what is at most and by the domain at least something."""
        domain = [relation for relation in supposed if relation in self.reader.domain]
        for head, left, right in supposed:
            if head == ">=" and (head, left, right) not in domain and _is_among((">=", right, left), domain):
                yield from _shown((">=", right, left), here, domain)
                found.append(("=", right, left))
            elif head == "=":
                found.append((head, left, right))

    def _shown_here(self) -> Iterator[Certificate]:
        """All arguments are reached, and all is given there that is supposed, but on edges."""
        domain, supposed = self.reader.domain, self.reader.supposed()
        here, equations = Facts(supposed, ()), list[Term]()
        yield from self._equations(supposed, here, equations)
        words = [relation for relation in domain if words_of([relation])]
        for name, term in self.arguments.items():
            alone = [e for e in equations if e[1:] == (symbol(name), term)]
            wanted = ("=", self._there(term), symbol(name))
            yield from _shown(wanted, here, alone, [*words, *equations], [*domain, *equations], supposed)
            if not here.say(wanted):
                raise Unequal(
                    f"nothing shows that the case reaches {name} of the kernel {self.kernel.name}: {written(wanted)}"
                )
        for formula in [value for _, value in self.back]:
            for head, of in demands(carried_out(formula)):
                if not here.say((head, of, ZERO)):
                    yield from _shown((">" if head == "!=" else head, of, ZERO), here, domain)
            self._require_value(formula, here)
        for relation in self.given:
            head, *sides = relation
            sides = [*map(self._there, sides)]
            is_weak = relation in self.off or (head == ">" and here.say((">=", *sides)))
            hypotheses = [] if is_weak else [domain, [*domain, *equations], supposed]
            shown = [*_shown((head, *sides), here, *hypotheses)]
            if not here.say((head, *sides)):
                shown += _shown((">=", *sides), here, *hypotheses) if head == ">" else ()
                self.edges += [relation] if programs.is_edge_of(here, head, sides) else []
            if relation not in self.edges and not here.say((head, *sides)):
                raise Unequal(
                    f"{self.case.claim.id} supposes {written(relation)}, which does not follow from the domain of the "
                    f"kernel {self.kernel.name} and the conditions of the case"
                )
            yield from shown

    def _shown_there(self) -> Iterator[Certificate]:
        """An author's assumptions hold, and formulas of the case have values where it is, or lack one on an edge."""
        there = Facts(self.given, ())
        told = [*self.reader.conditions_in(self.known)]
        there.learn(*told)
        plain = [(">", term, ZERO) for term in (*self.arguments.values(), *self.forms.values()) if term[0] == "*"]
        spoken = set().union(*(symbols_in(side) for relation in told for side in relation[1:]))
        more = [*words_of(self.given), *filter(there.say, plain)]
        about = [*told, *(relation for relation in more if symbols_in(relation[1]) <= spoken)]
        here = [(head, *map(carried_out, sides)) for head, *sides in self.reader.domain_in(self.arguments.items())]
        every = [*self.given, *(relation for relation in here if not there.say(relation))]
        lemmas = [(head, *map(carried_out, sides)) for head, *sides in map(from_sympy, self.case.assuming)]
        words = [*words_of(self.given)]
        suppose = [*[[*words, *lemmas]] * bool(lemmas), self.given, every, [*every, *told]]
        for place, relation in enumerate(lemmas):
            known = [about, *[[*words, *lemmas[:place]]] * bool(place), *suppose[1:]]
            square = (">", ("^", relation[1] if relation[2] == ZERO else relation[2], ("q", "2")), ZERO)
            for wanted in (square, relation) if relation[0] == ">" else (relation,):
                yield from () if there.say(relation) else _shown(wanted, there, *known)
            if not there.say(relation):
                raise Unequal(
                    f"a case of the kernel {self.kernel.name} assumes {written(relation)}: no condition shows it"
                )
        for formula in self.arguments.values():
            self._require_value(formula, there)
        there.learn(*here)
        sides = [as_tuples(found.statement["concludes"][side]) for found in self._theorems.values() for side in SIDES]
        formulas = [*self.forms.values(), *sides, *map(self.formula, self.case.formulas)]
        needed = dict.fromkeys(demand for formula in map(carried_out, formulas) for demand in demands(formula))
        for head, of in [*needed, *(("!=", x) for x in map(carried_out, self.reading.limits))]:
            for part in factors_of(of) if head == "!=" else (of,):
                yield from self._demanded(head, part, there, *suppose)

    def _demanded(self, head: str, of: Term, there: Facts, *suppose: list[Term]) -> Iterator[Certificate]:
        """The certificate that a formula is as it must be for another one to have a value; else that is an edge."""
        wanted = (head, of, ZERO)
        if head == "!=" and of[0] != "s":
            for form in map(from_sympy, map(as_expression, self.case.sums)):
                alike = self._equal(of, form) if not there.say(wanted) and there.say((">", form, ZERO)) else None
                if alike is not None and alike.verdict is Verdict.PROVED:
                    there.learn(("=", of, form))
                    yield alike
        nonzero = (">", of, ZERO), (">", ZERO, of), (">", ("^", of, ("q", "2")), ZERO)
        for order in () if of[0] == "s" else nonzero if head == "!=" else (wanted,):
            if not there.say(wanted):
                yield from _shown(order, there, *suppose)
        if not there.say(wanted):
            if not programs.is_edge_of(there, head, (of, ZERO)):
                raise Unequal(
                    f"nothing shows that {written(wanted)} in a case of the kernel {self.kernel.name}, where a formula "
                    "needs a value: give in `assuming` what it follows from"
                )
            self.off.append(wanted)
            there.learn(wanted)

    def _require_value(self, formula: Term, facts: Facts) -> None:
        if not facts.has_value(formula):
            raise Unequal(
                f"nothing shows that {written(formula)} has a value in a case of the kernel {self.kernel.name}"
            )

    # --- the program, read back -----------------------------------------------------------------------------------

    @cached_property
    def arguments(self) -> dict[str, Term]:
        """Return each argument of the kernel as a term in the symbols of the claim."""
        fix = dict(self.case.fix)
        return {k.name: from_sympy(as_expression(v).xreplace(fix)) for k, v in self.translation.items()}

    def line(self, name: str) -> Term:
        """Return a line in this case, in one form that all its open branches are shown to equal."""
        values = list(dict.fromkeys(self.reading.read(value) for value in self._open(self.program[name])))
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
        for sign, spelled in ((True, condition), (False, contrary(condition))):
            if spelled in self.holds:
                return self.holds[spelled] is sign
        relation = (condition[0], *self._sides(condition))
        told = {*self.reader.conditions_in(self.known), *self.evidence}
        if told & {relation, contrary(relation)}:
            return relation in told
        return self._by_numbers(relation)

    def _sides(self, condition: Operation) -> list[Term]:
        return [self.reading.read(side) for side in condition[1:]]

    def _by_numbers(self, relation: Term) -> bool | None:
        """Return what SymPy decides of small sides, if that is proved then."""
        if sum(map(_size, relation[1:])) > MOST_TO_DECIDE:
            return None
        found = RELATED[relation[0]](*map(self.expression, relation[1:]))
        if found not in (sp.true, sp.false):
            return None
        head, left, right = shown = relation if found == sp.true else contrary(relation)
        kind = {"kind": "identity"} if head == "=" else {"kind": "sign", "relation": head}
        certificate = prove.decide({**self.identity(left, right), **kind})
        if certificate.verdict is not Verdict.PROVED:
            return None
        self.evidence[shown] = certificate
        return bool(found)

    def _size(self, argument: Any) -> Any:
        sign = self.reading.sign(lowered(from_sympy(argument), self.kernel.of_numbers.positions))
        return sign * argument if sign else sp.Abs(argument)

    # --- obligations ----------------------------------------------------------------------------------------------

    def _compared(self, left: Term, right: Term) -> Iterator[Certificate]:
        """The certificate that two sides are equal, where the conditions that are equations are put in.

        Of two arcsines first that their arguments are equal, up to a sign.
        """
        put = left, right
        for head, one, other in self.reader.conditions_in(self.known):
            if head == "=" and one[0] != "q":
                put = tuple(_replaced(carried_out(side), one, other) for side in put)
        if put != (left, right) and self._equal(left, right).verdict is not Verdict.PROVED:
            left, right = put
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

    @cached_property
    def back(self) -> tuple[tuple[str, Term], ...]:
        """The way back: what symbols of the claim are in the kernel's arguments."""
        alone = {own: s for s, own in self.translation.items() if isinstance(own, sp.Symbol) and own.name != s.name}
        return tuple((s.name, from_sympy(as_expression(v))) for s, v in {**alone, **self.case.reached}.items())

    def _there(self, term: Term) -> Term:
        """A term in the symbols of the case, at the arguments."""
        return ("at", term, self.back) if self.back else term

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
        term = self._placed(self._stated(name).formula)
        by = self.case.by.get(name)
        return term if by is None else ("D", term, self.translation.get(by, by).name)

    def _placed(self, term: Term) -> Term:
        """A formula of the claim, with what is put in for its symbols."""
        put = {k: as_expression(v).xreplace(self.translation) for k, v in self.case.at.items()}
        for values in (put, self.case.fix):
            pairs = tuple((str(k.name), from_sympy(as_expression(v))) for k, v in values.items())
            term = ("at", term, pairs) if any(k in symbols_in(term) for k, _ in pairs) else term
        return term

    @property
    def given(self) -> list[Term]:
        """Suppositions about the symbols of the case: their signs, and what the claim supposes of what is put in."""
        table = self._supposed[1]
        terms = [*self.arguments.values(), *self.forms.values(), *map(self.formula, self.case.formulas)]
        used = set().union(*map(symbols_in, terms))
        claimed = [RANGES[told[0]](self._placed(symbol(s.name))) for s in self.symbols.values() if (told := _told(s))]
        own = [RANGES[table[name][0]](symbol(name)) for name in sorted(used) if table[name]]
        return list(dict.fromkeys([*own, *claimed, *self._supposed[0], *self.off]))

    def identity(self, left: Term, right: Term) -> Json:
        """The statement that two sides are equal."""
        relations, table = self._supposed
        used = set().union(*map(symbols_in, [left, right, *relations]))
        kept = {name: table[name] for name in sorted(used)}
        return {"kind": "identity", "symbols": kept, "assuming": relations, "left": left, "right": right}

    @cached_property
    def _supposed(self) -> tuple[list[Term], dict[str, list[str]]]:
        """The hypotheses of every comparison, and what is told of symbols."""
        stated = [as_tuples(r) for name in self.case.formulas for r in self._stated(name).inside["assuming"]]
        assuming = [(head, *map(carried_out, map(self._placed, sides))) for head, *sides in stated]
        table: dict[str, list[str]] = {}
        for value in (*self.translation.values(), *self.case.fix.values(), *self.case.assuming):
            table |= assumptions_of(value)
        table |= {name: _told(symbol) for name, symbol in self.symbols.items()}
        return list(dict.fromkeys(assuming)), table


def _shown(relation: Term, facts: Facts, *hypotheses: list[Term]) -> Iterator[Certificate]:
    """The certificate of a relation that is not known yet, under the first hypotheses under which it is proved."""
    for supposed in [] if facts.say(relation) else hypotheses:
        with suppress(prove.Unsatisfiable):
            certificate = decided(relation, supposed)
            if certificate.verdict is not Verdict.PROVED:
                continue
            facts.learn(relation)
            yield certificate
            return


def _is_among(relation: Term, others: list[Term]) -> bool:
    """Return whether a relation is one of others, perhaps in another order."""
    table = {name: sp.Symbol(name) for other in (relation, *others) for name in symbols_in(subtract(*other[1:]))}
    gaps = [(head, sp.expand(expression_of(subtract(*sides), table))) for head, *sides in (relation, *others)]
    return gaps[0] in gaps[1:]


def _told(symbol: Any) -> list[str]:
    return assumptions_of(symbol)[symbol.name]


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
