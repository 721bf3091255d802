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
from derivations.recheck.core.terms import ZERO, carried_out, difference, free, free_in, replaced
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.scalars.formulas import Stated, number, printed
from derivations.rocq.scalars.rates import has_derivative
from derivations.rocq.scalars.ring import RELATIONS, carried, conjunction, followed, listed, relations

IMPORTS = ("From Derivations Require Import Points Limits.", "Local Open Scope R_scope.")
COMPUTED = "(vm_compute; reflexivity)"


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
        small, positive = _named(self.payload["steps"])
        named = [*tending.parameters, *tending.variables, *small, *positive]
        self.letters = {letter: k for k, letter in enumerate(named)}
        self.going: list[str] = []  # why quantities go to zero
        self.steps = 0  # equations that hold near the place, one behind the other
        self.agreeing = list[str]()
        self.supposed = tending.fixed if moving is None else []
        self.closed = dict.fromkeys([] if moving is None else tending.fixed)  # what numbers decide
        negative = [right for order, left, right in self.supposed if (order, left) == (">", ZERO)]
        self.closed |= {("!=", formula, ZERO): None for formula in negative}
        self.signs: list[Term] = [(">", ("s", x), ZERO) for x in tending.variables]
        brought = [
            (r[0], *map(self.small._at_the_place, r[1:])) for r in (tending.moving if moving is None else moving)
        ]
        self.near = [*self.signs, *self.supposed, *brought]
        self.known = self.near  # with what equations make of it
        self.lemmas, self.proof, self.facts = list[str](), list[str](), list[Term]()
        parameters = listed(tending.names[x] for x in tending.parameters)
        pair = len(tending.variables) == 2
        self.zeros, moves = ("00", "[fst; snd]") if pair else ("0", "[fun x : R => x]")
        self.course, self.parameters = f"{parameters} {moves}", parameters
        self.place = f"(place_of {self.course})"
        self.about = f"at_{self.zeros} {self.course} the_near"
        self.shown = f"{self.about} the_there goes_{self.zeros} _There"

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
            of = left if right == ZERO else difference(left, right)
            of = carried_out(("at", of, tuple(self.small.letters.items())))
            for order, formula in [*demands(of), (relation, of)]:
                if order != "=" and (order, formula, ZERO) not in self.near:
                    self._note(">" if order == ">=" else order, self.small.at_zero(formula))

    def _note(self, order: str, of: Term) -> None:
        if not free(of) and of[0] != "q" and sign_by_form(of, {}) != ">" and holds((order, of, ZERO), {}):
            self.closed[order, of, ZERO] = None

    def through(self) -> str:
        """Write what shows the limit; return its proof, but for how near it has to be."""
        small, payload, finite = self.small, self.payload, self.tending.value not in INFINITE
        self._define("spoken_0", small.spoken[0])
        for k, fact in enumerate(payload["facts"]):
            self.nested(f"fact_{k}", fact)
            self.facts.append((">", fact["statement"]["left"], ZERO))
            small.learn(fact)
        for step in payload["steps"]:
            self._take(step)
        form = term(payload["form"]) if finite else small.product(payload["form"], 1)
        self._define("form", form)
        if finite:
            self.nested("value", payload["value"])
        self.note((*each, ZERO) for each in demands(form))
        self._agree("form", payload["identity"])
        small_ones = [carried(formula, self.letters) for formula in small.formulas.values()]
        standing = [carried(formula, self.letters) for formula in small.letters.values()]
        for key, some in (("near", self.near), ("base", [*self.supposed, *self.closed]), ("facts", self.facts)):
            self.lemmas.append(f"Definition the_{key} : list relation := {relations(some, self.letters)}.")
        self.lemmas.append("Definition the_known_0 : list relation := the_near.")
        for k in range(self.steps):
            self.lemmas.append(f"Definition the_known_{k + 1} : list relation := the_more_{k} ++ the_known_{k}.")
        self.lemmas.append(f"Definition the_small : list formula := {listed(small_ones)}.")
        self.lemmas.append(f"Definition the_stand : list formula := the_small ++ {listed(standing)}.")
        self._there()
        self.proof.append(f"assert (_Small : Forall (small {self.about}) the_small).")
        self.proof.append(f"{{ {''.join(f'constructor; [{why}|]. ' for why in self.going)}constructor. }}")
        self.proof += [f"assert (_K0 := all_near {self.about}).", *self.agreeing]
        if finite:
            check = f"limit {self.course} the_there the_small the_value_known the_form the_value_left the_form_right"
            shown = "the_spoken_0 the_form the_value_left the_value_right the_form_right _"
            use = f"limit_is {self.about} the_there goes_{self.zeros} the_small _Small _Place {shown}"
            use = f"{use} _Agree value_holds _Fine"
        else:
            check = f"growth {self.parameters} the_near the_there the_form"
            up = str(self.tending.value == ("oo",)).lower()
            use = f"limit_is_infinite {self.shown} the_spoken_0 the_form {up} _Agree _Fine"
        self.proof.append(f"assert (_Fine : checked_{check} = true) by {COMPUTED}.")
        return use

    def _define(self, name: str, formula: Term) -> None:
        self.lemmas.append(f"Definition the_{name} : formula := {carried(formula, self.letters)}.")

    def _take(self, step: Data) -> None:
        """One step of the core: a quantity that goes to zero, a letter for what is positive, or an equation."""
        match step:
            case {"rule": "decay" | "inverse of a logarithm" as line, "letters": letters}:
                why, sign = ("decay", -1) if line == "decay" else ("slow", 1)
                large = carried(self.small.product(letters["d"], sign), self.letters)
                self.small.take(step)
                self.going.append(f"exact ({why}_small {self.shown} {large} ltac:{COMPUTED})")
            case ("positive", *_):
                self.small.take(step)
            case ("equal", old, _, identity):
                new = self.small.take(step)
                self._define(f"spoken_{self.steps + 1}", self.small.spoken[0])
                self._agree(f"equal_{self.steps}", identity)
                old = carried_out(("at", term(old), tuple(self.small.letters.items())))
                changed = [(r[0], *(replaced(side, old, new) for side in r[1:])) for r in self.known]
                changed = [each for each in changed if each not in self.known]
                about = f"{self.about} the_known_{self.steps} _K{self.steps} _ _ the_more_{self.steps} _E{self.steps}"
                self.lemmas.append(
                    f"Definition the_more_{self.steps} : list relation := {relations(changed, self.letters)}."
                )
                self.agreeing.append(f"assert (_K{self.steps + 1} := known_in {about} ltac:{COMPUTED}).")
                self.known = [*changed, *self.known]
                self.steps += 1
            case _:
                raise NotExported("a Taylor series in a limit")

    def _agree(self, title: str, identity: Data) -> None:
        """Equations between the expression and what the steps have made of it."""
        self.nested(title, identity)
        k, last = self.steps, title == "form"
        known = f"{self.shown} the_small _Small _Place the_known_{k} _K{k}"
        stands = f"the_stand the_{title}_known the_{title}_left the_{title}_right {title}_holds"
        self.agreeing.append(f"assert (_E{k} := agree_by {known} {stands} ltac:{COMPUTED}).")
        made = "the_form_right" if last else f"the_spoken_{k + 1}"
        equal = f"_E{k}" if last else f"(agree_in {self.about} _ _ the_spoken_{k} {made} _E{k} ltac:{COMPUTED})"
        chained = f"(agree_trans {self.about} _ _ _ _A{k} {equal})" if k else equal
        name = "_Agree" if last else f"_A{k + 1}"
        self.agreeing.append(f"assert ({name} : agree {self.about} the_spoken_0 {made}) by exact {chained}.")

    def _there(self) -> None:
        """All that is known at the place holds there: hypotheses, numbers, and what follows from them."""
        self.lemmas.append("Definition the_there : list relation := the_base ++ the_facts.")
        closed, facts = [f"_C{k}" for k in range(len(self.closed))], [f"_F{k}" for k in range(len(self.facts))]
        known = [*(f"_H{k}" for k in range(len(self.supposed))), *closed]
        for name, each in zip(closed, self.closed, strict=True):
            self.proof.append(f"assert ({name} : {self.tending.relation(each)}) by at_point.")
        self.proof.append(f"assert (_Base : all_valid {self.place} the_base) by exact {conjunction(known)}.")
        for k, name in enumerate(facts):
            there = f"(all_there_ok {self.course} the_base _Base the_fact_{k}_known ltac:{COMPUTED})"
            self.proof.append(f"assert ({name} := fact_{k}_holds {self.place} {there}).")
        both = conjunction([*known, *facts])
        for name, place in (("There", self.place), ("Place", f"(all_place {self.course} the_small)")):
            self.proof.append(f"assert (_{name} : all_valid {place} the_there) by exact {both}.")

    def signs_near(self) -> None:
        """All that is supposed near the place holds there: some is a product of what is positive, up to its sign."""
        known, signs = self.signs, self.payload["near"]["signs"]
        self.proof.append(f"assert (_N0 := begin_{self.zeros}).")
        for k, (of, sign, form, identity) in enumerate(signs):
            shown = f"near_{k}_holds" if identity else "(fun e (_ : all_valid e []) => eq_refl)"
            if identity:
                self.nested(f"near_{k}", identity)
            product = carried(self.small.product(form), self.letters)
            about = f"{carried(of, self.letters)} {product} _ {str(sign == 1).lower()} {shown} ltac:{COMPUTED}"
            self.proof.append(f"assert (_N{k + 1} := sign_near_ok {self._known_near(known, k)} {about}).")
            known = [(">" if sign == 1 else "!=", of, ZERO), *known]
        shown = f"all_near_ok {self._known_near(known, len(signs))} the_near ltac:{COMPUTED}"
        self.proof.append(f"assert (_Near := {shown}).")

    def _known_near(self, known: list[Term], k: int) -> str:
        near = relations(known, self.letters)
        return f"at_{self.zeros} {self.course} {near} the_there goes_{self.zeros} _There _N{k}"


def _named(steps: Iterable[Data]) -> tuple[list[str], list[str]]:
    """The letters that steps declare: for what goes to zero, and for what is positive."""
    small = [step["letters"]["o"] for step in steps if isinstance(step, dict)]
    return small, [step[1] for step in steps if not isinstance(step, dict) and step[0] == "positive"]


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
    if stated.value in INFINITE or nested["payload"]["steps"]:
        raise NotExported("an infinite limit, or one with steps, is refuted")
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
        f"intros _d _D. destruct (often_{made.zeros} _ _ _Near ({use} {asked}) _d _D) as {both}.",
        f"{''.join(f'exists {x}. ' for x in xs)}{''.join(f'split; [exact {s}|]. ' for s in [*near, *moves])}",
        f"exact ({closing}).",
    ]
    return Exported(stated.instance(), "\n".join(proof), IMPORTS, "\n".join(made.lemmas))
