"""What ties a kernel to what was proved: its formulas, with their parts put back, equal what claims state.

A kernel's equality is an ordinary statement that the provers decide and the checker checks: for every return, in every
branch, an identity between what the kernel computes and a formula that stands in a claim's certificate. Branches that
need no case of their own are shown to be equal to each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.evaluate import evaluate
from derivations.language.functions import expm1, relexp, relexp1
from derivations.language.parts import put_back
from derivations.language.terms import (
    MINUS_ONE,
    Term,
    as_expression,
    as_tuples,
    assumptions_of,
    carried_out,
    from_sympy,
    in_one_order,
    symbol,
    symbols_in,
)
from derivations.language.words import Letter, Words
from derivations.language.words import as_json as words_json
from derivations.language.words.formulas import in_normal_form
from derivations.paper.equal_cases import admitted, follows, impossible
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.text import DerivationError

SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)
ANGLE = symbol("an_angle")
RIGHT = "="  # the right side of the only average that a claim states
REMOVABLE = (expm1, relexp, relexp1)  # judged as the fractions of exponentials that they are
Obligation = tuple[Any, Any]  # two expressions, or an expression and a term, that must be equal


class Unequal(DerivationError):
    """A kernel whose equality with a claim cannot even be stated; the message says what is missing."""


@dataclass(frozen=True)
class Known:
    """An equality that a theorem gives for the terms in its slots, both sides with one factor."""

    theorem: str
    slots: Mapping[str, Any]
    factor: Any = 1
    value_is_left: bool = False


@dataclass(frozen=True)
class Equals:
    """Some of a kernel's returns, in some of its branches, and the formulas of a claim that they equal.

    claim: whose certificate states the formulas; a claim of the same paper may be given by its name.
    returns: the formula of each return: the name of a variable in a solution that the claim states (with a number if it
        states several), or a formula that stands there as it is; a function that makes them keeps an import quick.
    where: arguments of the kernel in the claim's symbols; an argument is the symbol of its own name otherwise.
    reached: the way back, which shows that every argument is reached.
    at: symbols of the claim in arguments of the kernel. by: of returns that are derivatives, by what.
    holds: the conditions that distinguish this case, and whether they hold. fix: what then follows for symbols.
    parts: shorter forms of shared parts, which are proved and used.
    by_theorem: of shared parts, the theorem by which the shorter form follows.
    closure: why nothing is proved of this case: it closes another one, and the sides are continuous, say.
    never: which of its conditions, or of those of the domain, fails where the others hold: no such case exists.
    signs: why the way back leads to symbols of the sign that they have, where no prover can show it.
    inside: arguments of which the claim supposes more than the kernel does. assuming: further hypotheses.
    """

    claim: Any
    returns: Mapping[str, Any] | Callable[[], Mapping[str, Any]]
    where: Mapping[Any, Any] = field(default_factory=dict)
    reached: Mapping[Any, Any] = field(default_factory=dict)
    at: Mapping[Any, Any] = field(default_factory=dict)
    by: Mapping[str, Any] = field(default_factory=dict)
    holds: Mapping[Any, bool] = field(default_factory=dict)
    fix: Mapping[Any, Any] = field(default_factory=dict)
    parts: Mapping[Any, Any] = field(default_factory=dict)
    by_theorem: Mapping[Any, Known] = field(default_factory=dict)
    inside: tuple[Any, ...] = ()
    never: Any = None
    closure: str = ""
    signs: str = ""
    assuming: tuple[Any, ...] = ()

    @cached_property
    def formulas(self) -> dict[str, Any]:
        return dict(self.returns() if callable(self.returns) else self.returns)


def numbers(words: Words) -> Any:
    """A 1 x 1 polynomial in letters that are numbers, as an expression of symbols with their names.

    >>> from derivations.language.words import Letter
    >>> x, tau = Letter("x", 1, 1), Letter("tau", 1, 1, positive=True)
    >>> numbers(2 * x @ Letter("rate", 1, 1, inverse_of=tau))
    2*x/tau
    """
    terms = []
    for (scalars, outer), number in words.terms.items():
        factors = [*scalars, *((letter,) for letter in outer)]
        if any(len(factor) != 1 for factor in factors):
            raise Unequal(f"{words} is no polynomial in numbers: give 1 x 1 letters for its products")
        found = (_number(words.letters[factor[0].rstrip("'")]) for factor in factors)
        terms.append(sp.Mul(sp.Rational(number.numerator, number.denominator), *found))
    return sp.Add(*terms)


def _number(letter: Letter) -> Any:
    if isinstance(letter.inverse_of, Letter):
        return 1 / _number(letter.inverse_of)
    if letter.shape != (1, 1):
        raise Unequal(f"{letter.name} is no number: give 1 x 1 letters")
    return sp.Symbol(letter.name, positive=True) if letter.positive else sp.Symbol(letter.name, real=True)


def equality(kernel: Any, cases: Iterable[Any]) -> Certificate:
    """The certificate that a kernel returns what the claims state, in every branch; it names its program."""
    found = prove.every(*_decided(kernel, list(cases)))
    return replace(found, statement={**found.statement, "kernel": kernel.sha256})


def unequal(kernel: Any, cases: Iterable[Any]) -> Certificate | None:
    """The first part of the equality that is not proved; None for a kernel that equals the claims."""
    return next((part for part in _decided(kernel, list(cases)) if part.verdict is not Verdict.PROVED), None)


def at_a_point(kernel: Any, case: Equals, value: Callable[[], Any]) -> dict[str, tuple[Any, Any]] | None:
    """By return what the emitted program gives and what the claim does, as balls, where `value` draws the symbols.

    None where the point is outside the kernel's domain, or where an argument is no rational number there.
    """
    one = _Case(kernel, case)
    terms = {name: carried_out(one._formula(name)) for name in case.formulas}
    sides = {k: as_expression(v).xreplace(dict(case.fix)) for k, v in one._translation.items()}
    names = {s.name for e in sides.values() for s in e.free_symbols}.union(*map(symbols_in, terms.values()))
    point = {name: value() for name in sorted(names)}
    arguments = {k: e.subs({s: point[s.name] for s in e.free_symbols}) for k, e in sides.items()}
    inside = [relation.subs(arguments) for relation in kernel.of_numbers.domain]
    allowed = all(v.is_Rational and not (k.is_nonnegative and v < 0) for k, v in arguments.items())
    if not allowed or any(relation != sp.true for relation in inside):
        return None
    computed = kernel.balls(*(str(v) for v in arguments.values()), digits=40)
    exact = {name: Fraction(int(v.p), int(v.q)) for name, v in point.items()}
    stated_there = {name: evaluate(term, exact) for name, term in terms.items()}
    return {name: (computed[list(kernel.returns).index(name)], ball) for name, ball in stated_there.items()}


def _decided(kernel: Any, cases: list[Any]) -> Iterator[Certificate]:
    require_whole(kernel, cases)
    for case in cases:
        _proved(case.claim)
        yield from _Case(kernel, case).decided() if isinstance(case, Equals) else case.decided(kernel)


def require_whole(kernel: Any, cases: list[Any]) -> None:
    """Every return has a formula that is proved, and the cases of a return leave no branch out."""
    for case in cases:
        _require_reason(kernel, case)
    for name in kernel.returns:
        own = [case for case in cases if name in case.formulas]
        if not any(_is_compared(case) for case in own):
            raise Unequal(f"{name} of the kernel {kernel.name} equals nothing: give the claim that states its formula")
        conditions = list(dict.fromkeys(condition for case in own for condition in case.holds))
        places = {condition: place for place, condition in enumerate(conditions)}
        told = [[(places[condition], value) for condition, value in case.holds.items()] for case in own]
        for values in product((True, False), repeat=len(conditions)):
            if not any(all(values[place] == value for place, value in case) for case in told):
                where = ", ".join(f"{c} is {value}" for c, value in zip(conditions, values, strict=True))
                raise Unequal(f"{name} of the kernel {kernel.name} has no formula where {where}: add that case")
    strange = {name for case in cases for name in case.formulas} - set(kernel.returns)
    if strange:
        raise Unequal(f"the kernel {kernel.name} returns no {', '.join(sorted(strange))}")


def _is_compared(case: Any) -> bool:
    """Whether something is proved of the returns of a case, which neither closes another one nor is impossible."""
    return not isinstance(case, Equals) or (not case.closure and case.never is None)


def _require_reason(kernel: Any, case: Any) -> None:
    """What a case leaves out or puts in, it does on a condition; only a closed one can close another case."""
    if not isinstance(case, Equals):
        return
    if not case.holds and (not _is_compared(case) or (case.fix and not case.reached)):
        raise Unequal(f"a case of the kernel {kernel.name} is special and has no condition: name it in `holds`")
    closed = any(isinstance(c, sp.Eq) if value else isinstance(c, sp.Gt | sp.Lt) for c, value in case.holds.items())
    if case.never is not None and case.never not in {*case.holds, *kernel.of_numbers.domain}:
        raise Unequal(
            f"a case of the kernel {kernel.name} is excluded by what is no condition of it: name one in `never`"
        )
    if case.closure and not closed:
        raise Unequal(f"a case of the kernel {kernel.name} closes no other: its condition is open, so prove it")


def stated(claim: Any) -> dict[Term, Json]:
    """The formulas of numbers that a claim's certificate states, each with the statement in which it stands."""
    return {as_tuples(term): inner for inner in _found_in(claim)[0] for term in _named(inner)}


def _proved(claim: Any) -> Certificate:
    certificate: Certificate = claim()
    if certificate.verdict not in SHOWN:
        raise Unequal(f"{claim.id} is {certificate.verdict.value}: a kernel equals what is proved")
    return certificate


def _inside(statement: Any) -> Iterator[Json]:
    """The statements about numbers inside a statement."""
    if isinstance(statement, Mapping):
        if "symbols" in statement and "kind" in statement:
            yield dict(statement)
        for key, part in statement.items():
            if statement.get("kind") != "by" or key == "concludes":  # the slots of a schema assert nothing
                yield from _inside(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            if isinstance(part, Mapping | list | tuple):
                yield from _inside(part)


_FOUND: dict[int, tuple[Certificate, list[Json], list[Any]]] = {}
"""By certificate, kept with it: the statements about numbers inside its statement, and the sides of those in words."""


def _found_in(claim: Any) -> tuple[list[Json], list[Any]]:
    """What the statement of a claim's certificate holds, looked for once."""
    certificate = _proved(claim)
    if id(certificate) not in _FOUND:
        sides = list(sides_of("words", in_normal_form(certificate.statement)))
        _FOUND[id(certificate)] = certificate, list(_inside(certificate.statement)), sides
    return _FOUND[id(certificate)][1:]


def sides_of(kind: str, statement: Any) -> Iterator[Any]:
    """The sides of the statements of a kind, words or sums, inside a statement."""
    if isinstance(statement, Mapping):
        if statement.get("kind") == kind:
            yield from (statement["left"], statement["right"])
        for part in statement.values():
            yield from sides_of(kind, part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from sides_of(kind, part)


def _named(statement: Json) -> list[Any]:
    """The formulas of which a statement asserts something: both sides, what a side puts in, a limit, a solution."""
    match statement["kind"]:
        case "average":
            return [statement["right"]]
        case "identity":
            put = [value for side in ("left", "right") if statement[side][0] == "at" for _, value in statement[side][2]]
            return [statement["left"], statement["right"], *put]
        case "limit":
            return [statement["value"]]
        case "solves":
            return list(statement["solution"].values())
    return []


def _arcsines(term: Term) -> set[Term]:
    """The arcsines in a term."""
    if term[0] == "asin":
        return {term}
    return set().union(*(_arcsines(part) for part in term[1:] if isinstance(part, tuple)))


def _replaced(term: Any, part: Term, by: Term) -> Any:
    if term == part:
        return by
    return tuple(_replaced(inner, part, by) for inner in term) if isinstance(term, tuple) else term


@dataclass(frozen=True)
class _Case:
    """One case of an equality while it is decided."""

    kernel: Any
    case: Equals
    _known_parts: dict[Any, Any] = field(default_factory=dict)
    _owed: list[Obligation] = field(default_factory=list)
    _known_formulas: dict[str, tuple[Term, Json]] = field(default_factory=dict)

    def decided(self) -> Iterator[Certificate]:
        """Certificates of all that the case needs, in order."""
        if self.case.closure:
            return
        if self.case.never is not None:
            yield impossible(self.kernel, dict(self.case.holds), self.case.never)
            return
        yield from self._reached()
        yield from admitted(self.kernel, self.case, self._symbols, self._translation)
        yield from () if self.case.reached else follows(self.kernel, self.case)
        yield from self._theorems.values()
        for left, right in self.obligations():
            yield from self._compared(left, right)

    def _compared(self, left: Any, right: Any) -> Iterator[Certificate]:
        """The certificate that two sides are equal; of two arcsines, first that their arguments are, up to a sign."""
        sides = [side if isinstance(side, tuple) else from_sympy(side) for side in (left, right)]
        arcs = [_arcsines(carried_out(side)) for side in sides]
        if arcs[0] != arcs[1] and len(arcs[0]) == len(arcs[1]) == 1:
            (one,), (other,) = arcs
            same = prove.decide(self._identity(one[1], other[1]))
            opposite = prove.decide(self._identity(one[1], ("*", MINUS_ONE, other[1])))
            turned = opposite.verdict is Verdict.PROVED
            yield opposite if turned else same
            angle = ("*", MINUS_ONE, ANGLE) if turned else ANGLE  # the arcsine is odd
            sides = [_replaced(carried_out(sides[0]), one, ANGLE), _replaced(carried_out(sides[1]), other, angle)]
        yield prove.decide(self._identity(*sides))

    @cached_property
    def _theorems(self) -> dict[Any, Certificate]:
        """For each part that needs a theorem, what it says."""
        return {
            part: prove.by(
                known.theorem,
                **{slot: self._put(as_expression(value)) for slot, value in known.slots.items()},
                assuming=self.case.assuming,
            )
            for part, known in self.case.by_theorem.items()
        }

    def _by_theorem(self, part: Any, value: Any, short: Any) -> Iterator[Obligation]:
        """A value and its shorter form are both sides of what the theorem says, with its factor."""
        says, known = self._theorems[part].statement["concludes"], self.case.by_theorem[part]
        factor = from_sympy(as_expression(known.factor))
        sides = [("*", factor, as_tuples(says[side])) for side in ("left", "right")]
        yield from zip((value, short), sides if known.value_is_left else sides[::-1], strict=True)

    def obligations(self) -> Iterator[Obligation]:
        """What must be equal: branches of parts, shorter forms of parts, and the returns with the claim's formulas."""
        for name in self.case.formulas:
            wanted = self._formula(name)
            yield from ((value, wanted) for value in self._values(self.kernel.returns[name]))
        yield from self._owed

    def _values(self, expression: Any) -> list[Any]:
        """An expression with its parts put back, in each of the branches that this case leaves open."""
        return [self._put(branch) for branch in self._branches(as_expression(expression))]

    def _whole(self, expression: Any) -> dict[Any, Any]:
        """What the parts in an expression are, in one form that all their branches are shown to equal."""
        given = self._shared
        for part in sorted(expression.free_symbols & given.keys() - self._known_parts.keys(), key=str):
            values = self._values(given[part])
            short = self.case.parts.get(part)
            self._known_parts[part] = part  # where the claim has a symbol of this name, a shorter form means it
            chosen = min(values, key=sp.count_ops) if short is None else self._put(as_expression(short))
            for value in values:
                if part in self.case.by_theorem:
                    self._owed.extend(self._by_theorem(part, value, chosen))
                elif value != chosen:
                    self._owed.append((value, chosen))
            self._known_parts[part] = chosen
        return self._known_parts

    @cached_property
    def _holds(self) -> dict[Any, bool]:
        """The conditions of this case as SymPy spells them inside a Piecewise."""
        return {condition.canonical: value for condition, value in self.case.holds.items()}

    @cached_property
    def _shared(self) -> dict[Any, Any]:
        return dict(self.kernel.of_numbers.shared)

    def _reached(self) -> Iterator[Certificate]:
        """Every argument is reached: its formula in the claim's symbols, with the way back put in, is the argument."""
        case = self.case
        for argument, value in {**case.where, **(case.fix if case.reached else {})}.items():
            if not isinstance(as_expression(value), sp.Symbol):
                back = as_expression(value).subs(case.reached, simultaneous=True)
                yield prove.identity(back, argument, assuming=self._equations())

    def _equations(self) -> list[Any]:
        """The equations among the conditions of this case, in the arguments of the kernel."""
        parts = self.kernel.of_numbers.shared
        equations = [c for c, holds in self.case.holds.items() if holds and isinstance(c, sp.Eq)]
        return [sp.Eq(put_back(c.lhs, parts), put_back(c.rhs, parts)) for c in equations]

    def _branches(self, expression: Any) -> list[Any]:
        """The values of a Piecewise that this case leaves open."""
        if not isinstance(expression, sp.Piecewise):
            return [expression]
        found = []
        for value, condition in expression.args:
            known = True if condition == sp.true else self._known(condition)
            if known is not False:
                found.append(as_expression(value))
            if known is True:
                break
        return found

    def _known(self, condition: Any) -> bool | None:
        """Whether a condition holds in this case: the case says so, or its numbers do."""
        holds = self._holds
        if condition.canonical in holds:
            return holds[condition.canonical]
        if sp.Not(condition).canonical in holds:
            return not holds[sp.Not(condition).canonical]
        put = self._plainly(condition)
        if put in (sp.true, sp.false):
            return bool(put)
        same = [
            value
            for other, value in holds.items()
            if isinstance(other, type(condition))
            and other.free_symbols <= {*self._known_parts, *self._translation}
            and self._plainly(other) == put
        ]
        return same[0] if same else None

    def _plainly(self, expression: Any) -> Any:
        """An expression in the symbols of the claim."""
        whole = self._whole(expression)
        return expression.xreplace(dict(whole)).xreplace(self._translation).xreplace(dict(self.case.fix))

    def _put(self, expression: Any) -> Any:
        """The same, with what stands for fractions of exponentials written as them."""
        found = self._plainly(expression.replace(sp.Abs, self._size))
        return found.replace(lambda e: isinstance(e, REMOVABLE), lambda e: e.rewrite(sp.exp))

    def _size(self, argument: Any) -> Any:
        """An absolute value whose sign the case knows."""
        for condition, holds in self.case.holds.items():
            if isinstance(condition, sp.Ge | sp.Gt):
                gap = condition.lhs - condition.rhs
                for sign in (1, -1):
                    if sp.expand(argument - sign * gap) == 0:
                        return argument if (sign > 0) == holds else -argument
        return sp.Abs(argument)

    @cached_property
    def _statements(self) -> dict[Term, Json]:
        return stated(self.case.claim)

    @cached_property
    def _symbols(self) -> dict[str, Any]:
        """The symbols of the claim's statements, by name."""
        table: dict[str, list[str]] = {}
        for name in self.case.formulas:
            table |= self._statement(name)["symbols"]
        return {name: sp.Symbol(name, **dict.fromkeys(told or ("real",), True)) for name, told in table.items()}

    @cached_property
    def _translation(self) -> dict[Any, Any]:
        """What each argument of the kernel is in the symbols of the claim."""
        found = {}
        for argument in self.kernel.of_numbers.symbols:
            same = self._symbols.get(argument.name, argument)
            own = self.case.where.get(argument, argument if argument in self.case.at.values() else same)
            found[argument] = own
            more = set(_told(own)) - set(_told(argument)) if isinstance(own, sp.Symbol) else set()
            if more and argument not in self.case.inside:
                raise Unequal(
                    f"{self.case.claim.id} supposes that {own} is {' and '.join(sorted(more))}, and the kernel "
                    f"{self.kernel.name} does not: name {argument} in `inside`, and say what holds elsewhere"
                )
        return found

    def _statement(self, name: str) -> Json:
        return self._stated(name)[1]

    def _stated(self, name: str) -> tuple[Term, Json]:
        """The formula of a return as it stands in the claim's certificate, and the statement there; looked up once."""
        if name not in self._known_formulas:
            self._known_formulas[name] = self._looked_up(name)
        return self._known_formulas[name]

    def _looked_up(self, name: str) -> tuple[Term, Json]:
        formula = self.case.formulas[name]
        if isinstance(formula, Words):
            return self._in_words(name, formula)
        if formula == RIGHT:
            return self._average()
        if isinstance(formula, str | tuple):
            return self._solution(*((formula, 0) if isinstance(formula, str) else formula))
        wanted = in_one_order(from_sympy(formula))
        for term, statement in self._statements.items():
            if in_one_order(term) == wanted:
                return term, statement
        raise Unequal(
            f"{self.case.claim.id} does not state {self.case.formulas[name]}, which {name} of the kernel "
            f"{self.kernel.name} is to equal: give a side, a solution or a limit of its certificate"
        )

    def _average(self) -> tuple[Term, Json]:
        """What the claim says that an average is."""
        every = [s for s in _found_in(self.case.claim)[0] if s["kind"] == "average"]
        if len(every) != 1:
            raise Unequal(f"{self.case.claim.id} states {len(every)} averages: name a claim that states one")
        return as_tuples(every[0]["right"]), every[0]

    def _solution(self, name: str, number: int) -> tuple[Term, Json]:
        """What a variable is in one of the solutions of flows that the claim states."""
        every = [s for s in _found_in(self.case.claim)[0] if s["kind"] == "solves"]
        if number >= len(every) or name not in every[number]["solution"]:
            raise Unequal(f"{self.case.claim.id} states no solution of a flow, of number {number}, for {name}")
        return as_tuples(every[number]["solution"][name]), every[number]

    def _in_words(self, name: str, formula: Words) -> tuple[Term, Json]:
        """The same for words in numbers: they are a side of a statement about words."""
        if words_json(formula) not in _found_in(self.case.claim)[1]:
            raise Unequal(f"{self.case.claim.id} does not state {formula}, which {name} is to equal")
        value = numbers(formula)
        return from_sympy(value), {"symbols": assumptions_of(value), "assuming": []}

    def _formula(self, name: str) -> Term:
        """The claim's formula, with what it is in the kernel's arguments."""
        term, _ = self._stated(name)
        put = {k: as_expression(v).xreplace(self._translation) for k, v in self.case.at.items()}
        for values in (put, self.case.fix):
            pairs = tuple((str(k.name), from_sympy(as_expression(v))) for k, v in values.items())
            term = ("at", term, pairs) if any(k in symbols_in(term) for k, _ in pairs) else term
        by = self.case.by.get(name)
        return term if by is None else ("D", term, self._translation.get(by, by).name)

    def _identity(self, left: Any, right: Any) -> Json:
        """The statement that two sides are equal."""
        sides = [side if isinstance(side, tuple) else from_sympy(side) for side in (left, right)]
        assuming = [
            as_tuples(relation) for name in self.case.formulas for relation in self._statement(name)["assuming"]
        ]
        relations = list(dict.fromkeys([*assuming, *map(from_sympy, self.case.assuming)]))
        known = {name: _told(symbol) for name, symbol in self._symbols.items()}
        used = set().union(*map(symbols_in, [*sides, *relations]))
        table: dict[str, list[str]] = {ANGLE[1]: []}
        for value in (*self._translation.values(), *self.case.fix.values(), *self.case.assuming):
            table |= assumptions_of(value)
        table |= known
        kept = {name: table[name] for name in sorted(used)}
        return {"kind": "identity", "symbols": kept, "assuming": relations, "left": sides[0], "right": sides[1]}


def _told(symbol: Any) -> list[str]:
    return assumptions_of(symbol)[symbol.name]
