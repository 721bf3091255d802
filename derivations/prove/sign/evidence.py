"""The payload of a proof that an inequality is a positive combination of products of facts."""

from __future__ import annotations

from fractions import Fraction

from derivations.language.normal import Field, Poly, prepared, to_fraction
from derivations.language.points import written
from derivations.language.terms import Term
from derivations.prove.certificate import Json
from derivations.prove.equality import meeting_point
from derivations.prove.equality.facts import Combination, Fact, Search
from derivations.prove.equality.step import Evidence, Step, Summands, value_of
from derivations.prove.equality.steps import Steps, difference, givens_of
from derivations.recheck.core.ring.line import Cell, failing


def at_a_glance(statement: Json) -> Json | None:
    """The payload where the signs of symbols, powers and exponentials show the sign of the difference."""
    steps, goal = _read(statement)
    fact = steps.facts.find(goal, statement["relation"]) if steps.complete and goal != 0 else None
    return None if fact is None else _whole(statement, steps, Evidence([], [(1, [fact])]))


class Line:
    """Everything known of the one symbol of the sides, on the line of real numbers."""

    def __init__(self, statement: Json) -> None:
        self.statement = statement
        self.steps, goal = _read(statement)
        self.goal = goal, statement["relation"]
        self.known, self.is_all = self.steps.facts.alone(self.goal[0]) if self.steps.complete else ([], False)

    def failing(self) -> list[Cell]:
        """The roots and intervals on which the sides have values, what is known holds, and the statement does not."""
        return list(failing(self.goal, [(fact.poly, fact.relation) for fact in self.known]))

    def payload(self) -> Json | None:
        """The payload where it fails nowhere."""
        fact = self.steps.facts.on_line(*self.goal, self.known) if self.steps.complete else None
        return None if fact is None else _whole(self.statement, self.steps, Evidence([], [(1, [fact])]))


def payload_of(statement: Json, search: Search, scale: list[Term], combination: Combination) -> Json | None:
    """The payload for (left - right) * scale = combination, if every fact in it can be shown."""
    field, (left, right) = search.field, _sides(statement)
    steps = _steps(statement, field)
    if not steps.complete:
        return None
    used: dict[int, Step] = {}
    for i in {i for _, found in combination for i in found}:
        step = _shown(steps, search.facts[i])
        if step is None:
            return None
        used[i] = step
    num, den = difference(field, left, right)
    above, below = field.constant(1), den * den
    for term in scale:
        steps.facts.as_written(prepared(term))
        n, d = field.fraction(prepared(term))
        above, below = above * n, below * d
    common = above.gcd(below)
    above, below = above / common, below / common
    return _multiplied_out(
        statement, steps, num * den, (above, below), [(w, [used[i] for i in found]) for w, found in combination]
    )


def _multiplied_out(
    statement: Json, steps: Steps, goal: Poly, around: tuple[Poly, Poly], total: Summands, *, turned: bool = False
) -> Json | None:
    """above * goal = below * total, up to equations; turned: both factors have the other sign than before."""
    above, below = around
    over, times = steps.plain(above, ">"), steps.plain(below, ">")
    if over is None and times is not None and statement["relation"] == ">=":
        over = steps.plain(above, ">=")  # a sum of squares, where all of them vanish
    if over is None or times is None:
        return _multiplied_out(statement, steps, goal, (-above, -below), total, turned=True) if not turned else None
    combined = value_of(total, steps.field.constant)
    scale = Fraction(1)
    if not over:
        scale /= to_fraction(above.leading_coefficient())
    if not times:
        scale *= to_fraction(below.leading_coefficient())
    target = goal if not over else goal * above
    reached = combined * steps.field.constant(scale) if not times else combined * below
    left_over = steps.vanishing(target - reached, steps.equations())
    if left_over is None:
        return None
    twice = [*left_over.times, *left_over.times]
    extra = value_of([(1, left_over.times)], steps.field.constant)
    summands: Summands = [(w * (scale if not times else 1), [*found, *times, *twice]) for w, found in total]
    summands += [(c * extra, found) for c, found in left_over.total]
    return _whole(statement, steps, Evidence([*over, *twice], summands))


def _shown(steps: Steps, fact: Fact) -> Step | None:
    """A fact of the search as a step."""
    if fact.kind == "exponential":
        exponent, part = fact.exponent
        return steps.facts.exponential(("exp", exponent), part, fact.poly)
    return steps.facts.find(fact.poly, ">" if fact.strict else ">=")


def _steps(statement: Json, field: Field) -> Steps:
    return Steps(field, givens_of(statement), [*_sides(statement), *_supposed(statement)])


def _sides(statement: Json) -> tuple[Term, Term]:
    return prepared(statement["left"]), prepared(statement["right"])


def _supposed(statement: Json) -> list[Term]:
    return [prepared(side) for r in statement["assuming"] for side in r[1:]]


def _read(statement: Json) -> tuple[Steps, Poly]:
    """The steps of a statement by itself, and the polynomial whose sign is to be shown."""
    sides = _sides(statement)
    steps = _steps(statement, Field.of([*sides, *_supposed(statement)], statement["symbols"]))
    num, den = difference(steps.field, *sides)
    return steps, num * den


def _whole(statement: Json, steps: Steps, evidence: Evidence) -> Json | None:
    inhabited = meeting_point(statement)
    if inhabited is None:
        return None
    found = steps.as_json(_sides(statement), evidence)
    return {**found, "inhabited": written(inhabited)}
