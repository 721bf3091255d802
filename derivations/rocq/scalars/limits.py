"""Limits: near the place to which its variables go, an expression is as close to its limit as one asks.

That formulas have values is a hypothesis, about the parameters or about the points near the place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from derivations.recheck.core.conditions import demands, sign_by_form
from derivations.recheck.core.limits import Quantities, variables_of, with_numbers
from derivations.recheck.core.load import Data, Term, term
from derivations.recheck.core.slots import INFINITE
from derivations.recheck.core.statements import holds, relation_of
from derivations.recheck.core.terms import ZERO, carried_out, difference, free, free_in
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.scalars.formulas import Stated, number, printed
from derivations.rocq.scalars.rates import has_derivative
from derivations.rocq.scalars.ring import RELATIONS, carried, conjunction, followed, listed, relations

IMPORTS = ("From Derivations Require Import Points Limits.", "Local Open Scope R_scope.")


class Place(NamedTuple):
    """How a reader says that x is near a place, within a distance from it or beyond a number."""

    near: str
    brought: str  # the lemma that makes a limit there of one at zero
    often: str  # the same of what holds at points as near as one asks


PLACES = {
    "oo": Place("{far} < {x}", "to_infinity", "often_up"),
    "-oo": Place("{x} < {far}", "to_minus_infinity", "often_down"),
    "above": Place("0 < {x} - {end} < {delta}", "from_above", ""),
    "below": Place("0 < {end} - {x} < {delta}", "from_below", ""),
}


class Tending:
    """The statement of a limit: what it supposes of parameters, and of points near the place."""

    def __init__(self, statement: Data) -> None:
        self.variables, self.value = variables_of(statement), statement["value"]
        self.expression, self.towards = statement["expression"], statement.get("towards")
        finite = [] if self.value in INFINITE else [self.value]
        ends = self.towards[1:] if self.towards else ()
        if any(map(has_derivative, (self.expression, *finite, *ends))):
            raise NotExported("a derivative in a limit")
        self.stated = Stated(statement, (self.expression, *finite, *ends))
        self.names = self.stated.names
        self.parameters = [letter for letter in self.names if letter not in self.variables]
        self.xs = [self.names[x] for x in self.variables]
        said = {(r, ("s", x), ZERO) for x in self.variables for r in (">", ">=", "!=") if not self.towards}
        known = [each for each in dict.fromkeys(self.stated.known) if each not in said]
        self.fixed = [each for each in known if not free_in(each[1:]) & {*self.variables}]
        self.moving = [each for each in known if each not in self.fixed]
        self.epsilon, self.bound, self.delta, self.far = map(self._fresh, ("epsilon", "bound", "delta", "far"))

    def _fresh(self, word: str) -> str:
        return self._fresh(f"{word}_") if word in self.names.values() else word

    def relation(self, relation: Term) -> str:
        return self.stated.relation(*relation)

    def text(self, formula: Term) -> str:
        return printed(formula, self.names)

    def _near(self) -> tuple[str, list[str]]:
        """The letter that says how near points are to the place, and that they are."""
        if self.towards is None:
            return self.delta, [f"0 < {x} < {self.delta}" for x in self.xs]
        direction, *ends = self.towards
        end = self.text(ends[0]) if ends else ""
        near = PLACES[direction].near.format(x=self.xs[0], end=end, far=self.far, delta=self.delta)
        return self.far if direction in ("oo", "-oo") else self.delta, [near]

    def theorem(self) -> str:
        """That the expression is as near to its limit as one asks."""
        expression, (how, near) = self.text(self.expression), self._near()
        letters = f"forall {' '.join(self.names[x] for x in self.parameters)} : R,\n  " if self.parameters else ""
        fixed, moving = (
            "".join(f"{self.relation(each)} ->\n  " for each in some) for some in (self.fixed, self.moving)
        )
        if self.value in INFINITE:
            asked = f"forall {self.bound} : R, "
            close = f"{self.bound} < {expression}" if self.value == ("oo",) else f"{expression} < {self.bound}"
        else:
            asked = f"forall {self.epsilon} : R, 0 < {self.epsilon} -> "
            close = f"Rabs ({expression} - {self.text(self.value)}) < {self.epsilon}"
        positive = f" 0 < {how} /\\" if how == self.delta else ""
        points = f"forall {' '.join(self.xs)} : R, {' -> '.join(near)} ->"
        return f"{letters}{fixed}{asked}exists {how} : R,{positive} {points}\n  {moving}{close}"

    def instance(self) -> str:
        """That at some parameters there are points as near as one asks, at which it is not near to its limit."""
        expression, (how, near) = self.text(self.expression), self._near()
        letters = f"exists {' '.join(self.names[x] for x in self.parameters)} : R,\n  " if self.parameters else ""
        fixed, moving = (
            "".join(f"{self.relation(each)} /\\\n  " for each in some) for some in (self.fixed, self.moving)
        )
        apart = f"exists {self.epsilon} : R, 0 < {self.epsilon} /\\ "
        positive = f" 0 < {how} ->" if how == self.delta else ""
        points = " /\\ ".join([f"exists {' '.join(self.xs)} : R, {near[0]}", *near[1:]])
        far = f"{self.epsilon} <= Rabs ({expression} - {self.text(self.value)})"
        return f"{letters}{fixed}{apart}forall {how} : R,{positive} {points} /\\\n  {moving}{far}"


class Followed:
    """The proof of a limit: the steps of the core, and what each of them needs."""

    def __init__(self, certificate: Data, moving: Iterable[Term] | None = None) -> None:
        """moving: what is supposed near the place, if parameters are numbers; what these satisfy is computed."""
        self.payload, self.tending = certificate["payload"], Tending(certificate["statement"])
        self.small = Quantities(certificate["statement"], lambda nested: "proved")
        tending = self.tending
        self.letters = {letter: k for k, letter in enumerate([*tending.parameters, *tending.variables])}
        self.supposed = tending.fixed if moving is None else []
        self.closed = dict.fromkeys([] if moving is None else tending.fixed)  # what numbers decide
        self.signs: list[Term] = [(">", ("s", x), ZERO) for x in tending.variables]
        brought = [
            (r[0], *map(self.small._at_the_place, r[1:])) for r in (tending.moving if moving is None else moving)
        ]
        self.near = [*self.signs, *self.supposed, *brought]
        self.lemmas, self.proof, self.facts = list[str](), list[str](), list[Term]()
        parameters = [tending.names[x] for x in tending.parameters]
        pair = len(tending.variables) == 2
        self.filter, goes, moves = (
            ("at_00", "goes_00", "[fst; snd]") if pair else ("at_0", "goes_0", "[fun x : R => x]")
        )
        self.place = listed([*parameters, *("0" for _ in tending.variables)])
        self.course = f"{listed(parameters)} {moves}"
        self.goes, self.pair = goes, pair

    def nested(self, title: str, certificate: Data) -> None:
        """The lemma that another certificate shows, for all points at which what it supposes holds."""
        statement = certificate["statement"]
        if certificate["method"] not in ("normal form", "positive combination"):
            raise NotExported(f"a limit rests on a certificate {certificate['method']}")
        stated = Stated(statement, (statement["left"], statement["right"]))
        self.lemmas += followed(certificate, stated, self.letters, f"{title}_")
        relation = RELATIONS[relation_of(statement)]
        self._holds(title, f"compare {relation} (ev e the_{title}_left) (ev e the_{title}_right)")
        self.note(stated.known)

    def _holds(self, title: str, says: str) -> None:
        proof = f"exact (confirm e the_{title}_known _ _ _ _ _ _ _ _ V {title}_computed)"
        self.lemmas.append(f"Lemma {title}_holds : forall e, all_valid e the_{title}_known -> {says}.")
        self.lemmas.append(f"Proof. intros e V. {proof}. Qed.")

    def note(self, wanted: Iterable[Term]) -> None:
        """Note what numbers decide of relations that hold at the place."""
        for relation, left, right in wanted:
            of = carried_out(left if right == ZERO else difference(left, right))
            for order, formula in [*demands(of), (relation, of)]:
                if order != "=" and (order, formula, ZERO) not in self.near:
                    self._note(">" if order == ">=" else order, self.small.at_zero(formula))

    def _note(self, order: str, of: Term) -> None:
        if not free(of) and of[0] != "q" and sign_by_form(of, {}) != ">" and holds((order, of, ZERO), {}):
            self.closed[order, of, ZERO] = None

    def through(self) -> str:
        """Write what shows the limit; return its proof, but for how near it has to be."""
        small, payload, finite = self.small, self.payload, self.tending.value not in INFINITE
        if payload["steps"]:
            raise NotExported("a limit with steps")
        for k, fact in enumerate(payload["facts"]):
            self.nested(f"fact_{k}", fact)
            self.facts.append((">", fact["statement"]["left"], ZERO))
            small.learn(fact)
        form = term(payload["form"]) if finite else small.product(payload["form"], 1)
        if finite:
            self.nested("value", payload["value"])
        self.note((*each, ZERO) for each in demands(form))
        self.nested("form", payload["identity"])
        for key, some in (("near", self.near), ("base", [*self.supposed, *self.closed]), ("facts", self.facts)):
            self.lemmas.append(f"Definition the_{key} : list relation := {relations(some, self.letters)}.")
        for key, formula in (("expression", small.spoken[0]), ("form", form)):
            self.lemmas.append(f"Definition the_{key} : formula := {carried(formula, self.letters)}.")
        self._there()
        known = f"{self.filter} {self.course} the_near the_there {self.goes} _There the_expression the_form"
        check = ("limit", "the_form_known the_value_known the_form the_value_left")
        use = f"limit_is {known} the_value_left the_value_right _ _ form_holds value_holds _Fine"
        if not finite:
            check = ("growth", "the_form_known the_form")
            use = f"limit_is_infinite {known} _ {str(self.tending.value == ('oo',)).lower()} form_holds _Fine"
        said = f"checked_{check[0]} {self.course.partition('] ')[0]}] the_near the_there {check[1]} = true"
        self.proof.append(f"assert (_Fine : {said}) by (vm_compute; reflexivity).")
        return use

    def _there(self) -> None:
        """All that is known at the place holds there: hypotheses, numbers, and what follows from them."""
        self.lemmas.append("Definition the_there : list relation := the_base ++ the_facts.")
        closed = [f"_C{k}" for k in range(len(self.closed))]
        known = [*(f"_H{k}" for k in range(len(self.supposed))), *closed]
        for name, each in zip(closed, self.closed, strict=True):
            self.proof.append(f"assert ({name} : {self.tending.relation(each)}) by at_point.")
        self.proof.append(f"assert (_Base : all_valid {self.place} the_base) by exact {conjunction(known)}.")
        for k in range(len(self.facts)):
            there = f"(all_there_ok {self.course} the_base _Base the_fact_{k}_known (eq_refl true))"
            self.proof.append(f"assert (_F{k} := fact_{k}_holds {self.place} {there}).")
        both = conjunction([*known, *(f"_F{k}" for k in range(len(self.facts)))])
        self.proof.append(f"assert (_There : all_valid {self.place} the_there) by exact {both}.")

    def signs_near(self) -> None:
        """All that is supposed near the place holds there: some is a product of what is positive, up to its sign."""
        known = self.signs
        self.proof.append(f"assert (_N0 := begin{'_00' if self.pair else '_0'}).")
        signs = [
            each for each in self.payload["near"]["signs"] if each[1] != 1 or self.small.product(each[2]) != each[0]
        ]
        for k, (of, sign, form, identity) in enumerate(signs):
            self.nested(f"near_{k}", identity)
            product = carried(self.small.product(form), self.letters)
            about = f"{carried(of, self.letters)} {product} _ {str(sign == 1).lower()} near_{k}_holds (eq_refl true)"
            self.proof.append(f"assert (_N{k + 1} := sign_near_ok {self._known_near(known, k)} {about}).")
            known = [(">" if sign == 1 else "!=", of, ZERO), *known]
        shown = f"all_near_ok {self._known_near(known, len(signs))} the_near (eq_refl true)"
        self.proof.append(f"assert (_Near := {shown}).")

    def _known_near(self, known: list[Term], k: int) -> str:
        return f"{self.filter} {self.course} {relations(known, self.letters)} the_there {self.goes} _There _N{k}"


def export_limit(certificate: Data) -> Exported:
    """A limit, by an expression that is equal to a continuous one."""
    made = Followed(certificate)
    tending, use = made.tending, made.through()
    fixed, moving = (
        [f"{x}{k}" for k in range(len(some))] for x, some in (("_H", tending.fixed), ("_M", tending.moving))
    )
    small = [f"_S{k}" for k in range(len(tending.xs))]
    introduced = " ".join([*(tending.names[x] for x in tending.parameters), *fixed])
    infinite = tending.value in INFINITE
    points = conjunction([*(f"(proj1 {s})" for s in small), *fixed, *moving])
    proof = [
        *([f"intros {introduced}."] if introduced else []),
        *made.proof,
        f"intros {tending.bound if infinite else f'{tending.epsilon} _Epsilon'}.",
        *([f"apply {PLACES[tending.towards[0]].brought}."] if tending.towards else []),
        f"destruct ({use} {tending.bound if infinite else '_ _Epsilon'}) as [_d [_D _Close]].",
        f"exists _d. split; [exact _D|]. intros {' '.join([*tending.xs, *small, *moving])}.",
        f"exact (_Close {' '.join([*tending.xs, *small])} {points}).",
    ]
    return Exported(tending.theorem(), "\n".join(proof), IMPORTS, "\n".join(made.lemmas))


def export_other_limit(certificate: Data) -> Exported:
    """At an exact point of the parameters the expression tends to something else."""
    payload, stated = certificate["payload"], Tending(certificate["statement"])
    nested, point = payload["limit"], payload["witness"]["point"]
    if stated.value in INFINITE:
        raise NotExported("an infinite limit is refuted")
    numbers = tuple((key, ("+", ZERO, ("q", point[key]))) for key in sorted(point))
    moving = [(r[0], *(("at", side, numbers) for side in r[1:])) for r in stated.moving]
    made = Followed(nested, moving)
    use, other = made.through(), nested["statement"]["value"]
    made.signs_near()
    claimed = made.tending.text(with_numbers(certificate["statement"], point)["value"])
    if other in INFINITE:
        apart, far = "1", f"({'' if other == ('oo',) else '- '}(Rabs {claimed} + 1))"
        positive, closing, asked = "lra", f"far_{'up' if other == ('oo',) else 'down'} _ _ _B", far
    else:
        gap = f"({made.tending.text(other)} - {claimed})"
        apart, positive = f"(Rabs {gap} / 2)", "apply Rdiv_lt_0_compat; [apply Rabs_pos_lt; at_point | lra]"
        closing, asked = "apart_by _ _ _ _ _B (Rle_refl _)", "_ _Epsilon"
    xs, near = stated.xs, [f"_S{k}" for k in range(len(stated.xs))]
    moves = [f"_M{k}" for k in range(len(moving))]
    known = "".join(f"[{name} " for name in [*("_" for _ in xs), *moves]) + "_" + "]" * (len(xs) + len(moves))
    both = "".join(f"[{name} " for name in [*xs, *near]) + f"[{known} _B]" + "]" * (2 * len(xs))
    proof = [
        *made.proof,
        f"assert (_Epsilon : 0 < {apart}) by ({positive}).",
        *(f"exists (0 + {number(point.get(x, '1'))})." for x in stated.parameters),
        *("split; [at_point|]." for _ in stated.fixed),
        f"exists {apart}. split; [exact _Epsilon|].",
        *([f"apply {PLACES[stated.towards[0]].often}."] if stated.towards else []),
        f"intros _d _D. destruct (often{'_00' if made.pair else ''} _ _ _Near ({use} {asked}) _d _D) as {both}.",
        f"{''.join(f'exists {x}. ' for x in xs)}{''.join(f'split; [exact {s}|]. ' for s in [*near, *moves])}",
        f"exact ({closing}).",
    ]
    return Exported(stated.instance(), "\n".join(proof), IMPORTS, "\n".join(made.lemmas))
