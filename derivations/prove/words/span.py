"""Linear algebra on top of rewriting: is a polynomial a combination of the rules' products that fit its monomials?

Rewriting takes the first use of a rule that it finds and cannot go back; here every use is kept as one equation and
the system is eliminated, so that the choice among several uses does not matter.
"""

from __future__ import annotations

from fractions import Fraction

from derivations.language.polynomials import add_to
from derivations.language.words.algebra import Monomial, Polynomial, order
from derivations.prove.words.rules import Context, Proof, Rule, RuleBook, applied, collected, composed, occurrences

Combination = dict[int, Fraction]  # which products, how often


def spanned(book: RuleBook, goal: Polynomial, most: int) -> Proof | None:
    """The goal as a combination of at most so many products of rules; None when they do not suffice."""
    uses = _uses(book, goal, most)
    pivots: dict[Monomial, tuple[Polynomial, Combination]] = {}
    for i, (rule, at) in enumerate(uses):
        rest, combination = _eliminated(applied(at, rule, book.forms), {i: Fraction(1)}, pivots)
        if rest:
            lead = max(rest, key=order)
            scale = 1 / rest[lead]
            pivots[lead] = ({m: scale * c for m, c in rest.items()}, {k: scale * c for k, c in combination.items()})
    rest, combination = _eliminated(goal, {}, pivots)
    return None if rest else _expanded(book, uses, combination)


def _uses(book: RuleBook, goal: Polynomial, most: int) -> list[tuple[Rule, Context]]:
    """Every use of a rule on the goal's monomials, then on the monomials which that brings in, and so on."""
    waiting = sorted(goal, key=order, reverse=True)
    seen = set(waiting)
    uses: list[tuple[Rule, Context]] = []
    for target in waiting:  # grows while it is read
        for rule in book.rules:
            for at in occurrences(rule.lead, target, book.forms):
                uses.append((rule, at))
                fresh = [m for m in applied(at, rule, book.forms) if m not in seen]
                seen.update(fresh)
                waiting += sorted(fresh, key=order)
                if len(uses) == most:
                    return uses
    return uses


def _eliminated(
    terms: Polynomial, combination: Combination, pivots: dict[Monomial, tuple[Polynomial, Combination]]
) -> tuple[Polynomial, Combination]:
    """Terms whose largest monomial is no pivot, and the products that were used to get there."""
    rest, used = dict(terms), dict(combination)
    while rest:
        lead = max(rest, key=order)
        if lead not in pivots:
            break
        row, parts = pivots[lead]
        coefficient = rest[lead]
        add_to(rest, row, -coefficient)
        for k, c in parts.items():
            used[k] = used.get(k, Fraction(0)) - coefficient * c
    return rest, used


def _expanded(book: RuleBook, uses: list[tuple[Rule, Context]], combination: Combination) -> Proof:
    """Minus the combination, in basic rules: what was taken away from the goal to reach zero."""
    proof: Proof = []
    for i, amount in sorted(combination.items()):
        rule, at = uses[i]
        proof += [(-amount * c, composed(at, inner, rule.shape, book.forms), basic) for c, inner, basic in rule.proof]
    return collected(proof)
