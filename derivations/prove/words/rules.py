"""Rewriting rules for words, and reduction that remembers every step as a cofactor.

A rule is a polynomial that equals zero, with a leading monomial to be replaced by the rest. It knows its proof: a
combination of basic rules (declarations and hypotheses), each multiplied by a context. A context multiplies a
polynomial R by scalars and by words on both sides; when `outer` is given, left R right (or its trace) is a number
that multiplies the outer word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from derivations.language.polynomials import add_to
from derivations.language.words.algebra import (
    DIMENSION,
    TRACE,
    Forms,
    Monomial,
    Polynomial,
    Shape,
    Word,
    fallen_apart,
    monomial,
    name_of,
    order,
    trace_of_word,
    transposed,
    transposed_word,
)

Basic = tuple[tuple[str | int, ...], bool]  # which declaration or hypothesis, and whether it is transposed


@dataclass(frozen=True)
class Context:
    """The surroundings of a rule where it is used: factors, and whether it is inside a trace."""

    scalars: tuple[Word, ...] = ()
    left: Word = ()
    right: Word = ()
    outer: Word | None = None
    trace: bool = False


Proof = list[tuple[Fraction, Context, Basic]]


@dataclass(frozen=True)
class Rule:
    """An equation read as a rule: its leading monomial is replaced by the rest."""

    shape: Shape
    terms: Polynomial
    lead: Monomial
    proof: Proof

    @cached_property
    def letters(self) -> frozenset[str]:
        """The letters of its leading monomial: where one of them is missing, the rule has no use."""
        return letters_of(self.lead)


@dataclass
class RuleBook:
    """Rules in the order in which they are tried, and what bounds the work."""

    forms: Forms
    rules: list[Rule] = field(default_factory=list)
    steps: int = 1500

    def add(self, shape: Shape, terms: Polynomial, proof: Proof, lead: Monomial | None = None) -> bool:
        """Adds a rule and its transpose; False when nothing can be oriented."""
        lead = lead if lead in terms else max(terms, key=order, default=None)
        if lead is None or (not lead[1] and (shape != (1, 1) or not lead[0])):
            return False
        scale = 1 / terms[lead]
        unit = {m: scale * c for m, c in terms.items()}
        self.rules.append(Rule(shape, unit, lead, [(scale * c, at, basic) for c, at, basic in proof]))
        mirrored = self._mirrored(self.rules[-1])
        if mirrored.terms not in (unit, {m: -c for m, c in unit.items()}):
            self.rules.append(mirrored)
        return True

    def _mirrored(self, rule: Rule) -> Rule:
        back = transposed(rule.terms, self.forms)
        lead = (rule.lead[0], transposed_word(rule.lead[1], self.forms))
        proof = [(c, self._mirror(at), (basic, not turned)) for c, at, (basic, turned) in rule.proof]
        return Rule((rule.shape[1], rule.shape[0]), back, lead, proof)

    def _mirror(self, at: Context) -> Context:
        left, right = transposed_word(at.right, self.forms), transposed_word(at.left, self.forms)
        outer = None if at.outer is None else transposed_word(at.outer, self.forms)
        return Context(at.scalars, left, right, outer, at.trace)

    def learn(self, shape: Shape, terms: Polynomial, basic: Basic, lead_from: Polynomial | None = None) -> bool:
        """Adds terms = 0 after reducing it by what is known; `lead_from` is the side whose largest monomial leads."""
        rest, proof = self.reduce(shape, terms)
        lead = None
        if lead_from is not None:
            side, _ = self.reduce(shape, lead_from)
            lead = max(side, key=order, default=None)
        return self.add(shape, rest, [(Fraction(1), Context(), (basic[0], basic[1])), *negated(proof)], lead)

    def reduce(self, shape: Shape, terms: Polynomial) -> tuple[Polynomial, Proof]:
        """(rest, proof) with terms = rest + proof, where no leading monomial occurs in the rest (or steps ran out)."""
        waiting, rest = dict(terms), Polynomial()
        proof: Proof = []
        for _ in range(self.steps):
            if not waiting:
                break
            largest = max(waiting, key=order)
            use = self._first_use(largest)
            if use is None:
                rest[largest] = waiting.pop(largest)
                continue
            rule, at = use
            coefficient = waiting[largest]
            add_to(waiting, applied(at, rule, self.forms), -coefficient)
            for c, inner, basic in rule.proof:
                proof.append((coefficient * c, composed(at, inner, rule.shape, self.forms), basic))
            returned = [m for m in waiting if m in rest]
            for m in returned:
                add_to(waiting, {m: rest.pop(m)})
        add_to(rest, waiting)
        return rest, collected(proof)

    def _first_use(self, target: Monomial) -> tuple[Rule, Context] | None:
        there = letters_of(target)
        for rule in self.rules:
            if rule.letters <= there:
                for at in occurrences(rule.lead, target, self.forms):
                    return rule, at
        return None

    def complete(self, most: int, size: int) -> None:
        """Adds the consequences of overlapping rules, up to `most` new ones with leading monomials up to a size."""
        done: set[tuple[int, int]] = set()
        end = len(self.rules) + most
        while True:
            pairs = [(i, j) for j in range(len(self.rules)) for i in range(len(self.rules)) if (i, j) not in done]
            if not pairs:
                return
            for i, j in pairs:
                done.add((i, j))
                for shape, terms, proof in self._critical(self.rules[i], self.rules[j], i != j):
                    rest, used = self.reduce(shape, terms)
                    if rest and max(order(m)[0] for m in rest) <= size:
                        self.add(shape, rest, collected([*proof, *negated(used)]))
                    if len(self.rules) >= end:
                        return

    def _critical(self, a: Rule, b: Rule, different: bool) -> Iterator[tuple[Shape, Polynomial, Proof]]:
        if different:
            for at in occurrences(b.lead, a.lead, self.forms):
                yield self._gap(a.shape, (a, Context()), (b, at))
        if a.shape == b.shape == (1, 1) and different:
            shared = Counter(a.lead[0]) & Counter(b.lead[0])
            if shared:
                mine = tuple(sorted((Counter(b.lead[0]) - shared).elements()))
                other = tuple(sorted((Counter(a.lead[0]) - shared).elements()))
                yield self._gap((1, 1), (a, Context(mine)), (b, Context(other)))
        u, v = a.lead[1], b.lead[1]
        for k in range(1, min(len(u), len(v))):
            if u[-k:] == v[:k] and not fallen_apart(u + v[k:], self.forms)[0]:
                spare_a, spare_b = _spare(a.lead[0], b.lead[0])
                first = (a, Context(spare_a, right=v[k:]))
                yield self._gap((a.shape[0], b.shape[1]), first, (b, Context(spare_b, left=u[:-k])))

    def _gap(
        self, shape: Shape, first: tuple[Rule, Context], second: tuple[Rule, Context]
    ) -> tuple[Shape, Polynomial, Proof]:
        terms: Polynomial = {}
        proof: Proof = []
        for sign, (rule, at) in ((1, first), (-1, second)):
            add_to(terms, applied(at, rule, self.forms), Fraction(sign))
            proof += [(sign * c, composed(at, inner, rule.shape, self.forms), basic) for c, inner, basic in rule.proof]
        return shape, terms, proof


def _spare(a: tuple[Word, ...], b: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return what each of two multisets of scalars lacks of the smallest multiset that contains both."""
    return tuple(sorted((Counter(b) - Counter(a)).elements())), tuple(sorted((Counter(a) - Counter(b)).elements()))


def letters_of(of: Monomial) -> frozenset[str]:
    """The letters of a monomial, whether transposed or not."""
    return frozenset(name_of(factor) for word in (*of[0], of[1]) for factor in word)


def negated(proof: Proof) -> Proof:
    """The proof of minus the same polynomial."""
    return [(-c, at, basic) for c, at, basic in proof]


def collected(proof: Iterable[tuple[Fraction, Context, Basic]]) -> Proof:
    """Equal cofactors added up, zeros dropped, in the order of first use."""
    total: dict[tuple[Context, Basic], Fraction] = {}
    for c, at, basic in proof:
        total[at, basic] = total.get((at, basic), Fraction(0)) + c
    return [(c, at, basic) for (at, basic), c in total.items() if c]


def applied(at: Context, rule: Rule, forms: Forms) -> Polynomial:
    """The rule's polynomial in its context."""
    total: Polynomial = {}
    for (scalars, inner), c in rule.terms.items():
        word = at.left + inner + at.right
        if at.trace:
            pieces, outer = trace_of_word(word, rule.shape[0], forms), at.outer or ()
        elif at.outer is None:
            pieces, outer = [], word
        else:
            pieces, outer = fallen_apart(word, forms)[0], at.outer
        add_to(total, {monomial((*scalars, *at.scalars, *pieces), outer, forms): c})
    return total


def composed(at: Context, inner: Context, shape: Shape, forms: Forms) -> Context:
    """A context inside another one, as one context; `shape` is the shape of what the inner context makes."""
    scalars = (*at.scalars, *inner.scalars)
    if inner.outer is None:
        return Context(tuple(sorted(scalars)), at.left + inner.left, inner.right + at.right, at.outer, at.trace)
    word = at.left + inner.outer + at.right
    pieces, outer = fallen_apart(word, forms)
    if at.trace:
        pieces = trace_of_word(word, shape[0], forms)
    kept = outer if at.outer is None and not at.trace else at.outer or ()
    return Context(tuple(sorted((*scalars, *pieces))), inner.left, inner.right, kept, inner.trace)


def occurrences(lead: Monomial, target: Monomial, forms: Forms) -> Iterator[Context]:
    """Every context that makes the target out of the leading monomial."""
    if not lead[0]:
        rest = target[0]  # sorted, as all scalars of monomials are
    else:
        left_over = Counter(target[0])
        left_over.subtract(lead[0])
        if min(left_over.values()) < 0:
            return
        rest = tuple(sorted(left_over.elements()))
    word, outer = lead[1], target[1]
    if not word:
        yield Context(rest, outer=outer)
        return
    for i in _places(word, outer):
        yield Context(rest, outer[:i], outer[i + len(word) :])
    for scalar in sorted(set(rest)):
        others = _without(rest, scalar)
        for before, after, cyclic in _around(word, scalar, forms):
            yield Context(others, before, after, outer, cyclic)


def _places(word: Word, within: Word) -> list[int]:
    return [i for i in range(len(within) - len(word) + 1) if within[i : i + len(word)] == word]


def _without(scalars: tuple[Word, ...], scalar: Word) -> tuple[Word, ...]:
    i = scalars.index(scalar)
    return scalars[:i] + scalars[i + 1 :]


def _around(word: Word, scalar: Word, forms: Forms) -> Iterator[tuple[Word, Word, bool]]:
    """Return what stands before and after the word in a scalar; in a trace everything stands after it."""
    if scalar[0] == DIMENSION:
        return
    if scalar[0] == TRACE:
        cycle = scalar[1:]
        for w in (cycle, transposed_word(cycle, forms)):
            for i in range(len(w)):
                turned = w[i:] + w[:i]
                if turned[: len(word)] == word:
                    yield (), turned[len(word) :], True
        return
    for w in dict.fromkeys((scalar, transposed_word(scalar, forms))):
        for i in _places(word, w):
            yield w[:i], w[i + len(word) :], False
