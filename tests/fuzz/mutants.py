"""Certificates about trajectories with a number, a formula or a step changed, and whether what they say is still so.

What the checker takes is judged by solutions of other code (see `courses`). Evidence is made anew for half of the
changed sentences, as good as the prover's own, so that nothing but the sentence is wrong.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from fuzz.trajectories import Drawn, contradiction, expression, samples
from mpmath import mp

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.normal import to_fraction
from derivations.prove.certificate import Certificate, Verdict
from derivations.prove.flows import trajectories
from derivations.prove.flows.statements import claim_of

Json = Any
TRIES, NEWTON = 30, 40  # places from which points of rest are sought, and iterations from each
CLOSE = 1e-7
x, y, k = sp.symbols("x y k", real=True)
HALF, TENTH = sp.Rational(1, 2), sp.Rational(1, 10)
TURN, FROM_ONE = {x: y, y: -x}, {x: 1, y: 0}
WELLS = {x: x - x**3}
SPIRAL = {x: -x / 10 + y + x**3, y: -x - y / 10}
TURNED = {x: HALF * x - HALF * y, y: HALF * x + HALF * y}


def questions() -> Iterator[tuple[str, Certificate]]:
    """A certified answer to a question of every kind."""
    wait, later = sp.Eq(y, -HALF), sp.Eq(x, 0)
    yield "before", prove.trajectory(TURN, FROM_ONE, 10, prove.before(wait, later))
    yield "not before", prove.trajectory(TURN, FROM_ONE, 10, prove.before(later, wait))
    yield "before, map", prove.iteration({x: x / 2}, {x: 1}, 20, prove.before(sp.Eq(x, TENTH), sp.Eq(x, TENTH / 3)))
    runs = ({x: -k * x}, {x: 1}, x), ({x: -x}, {x: 1}, x**2 + x)
    yield "less", prove.less(*runs, between=(TENTH, 3), parameters={k: (2, 2 + TENTH)})
    yield "separates", prove.separates(WELLS, {x: (HALF, HALF + TENTH)}, {x: -1}, by=20)
    yield "direction", prove.unstable_direction({x: y, y: x - x**3 - y}, near={x: TENTH, y: 0})
    yield "spiral", prove.trajectory(SPIRAL, {x: TENTH, y: TENTH}, says=prove.converges(3))
    yield "spiral, map", prove.iteration(TURNED, {x: 1, y: 1}, says=prove.converges(10))
    told = [prove.stays(x < 1 + TENTH, (0, 2)), prove.reaches(sp.Eq(x, HALF)), prove.ends(2)]
    yield "several", prove.trajectory({x: -sp.erf(x), y: sp.sin(x) - y}, {x: (1, 1 + TENTH**3), y: 0}, 2, told)


def certificates() -> dict[str, Json]:
    """The certificates about trajectories inside the answers, as data."""
    found = {}
    for name, answer in questions():
        data = plain(answer)
        for number, part in enumerate(data["payload"].get("parts", [data])):
            if part["statement"]["kind"] == "trajectory":
                found[f"{name} {number}"] = part
    return found


# --- changes ----------------------------------------------------------------------------------------------------------


def mutant(rng: random.Random, certificate: Json) -> Json:
    """One or two changes, and for half of what is changed in a statement the evidence that belongs to it."""
    found = deepcopy(certificate)
    change = rng.choice((_sentence, _sentence, _system, _verdict, _evidence))
    change(rng, found)
    if change is not _evidence and rng.random() < 0.3:
        rng.choice((_sentence, _system, _evidence))(rng, found)
    claim_of(found["statement"])
    if change is _evidence:
        return found
    return _with_its_evidence(found) if rng.random() < 0.5 else found


def _moved(rng: random.Random, value: str, size: Fraction) -> str:
    by = size * Fraction(rng.randint(1, 300), 10 ** rng.choice((0, 2, 2, 2, 4, 8, 12)))
    return str(Fraction(value) + rng.choice((-1, 1)) * by)


def _sentence(rng: random.Random, certificate: Json) -> None:
    said = rng.choice(certificate["statement"]["says"])
    times = [key for key in ("at", "by", "from", "to", "rate") if key in said]
    if "box" in said and rng.random() < 0.7:
        ends = said["box"][rng.choice(sorted(said["box"]))]
        width = Fraction(ends[1]) - Fraction(ends[0])
        by = Fraction(_moved(rng, "0", width))
        for place in rng.choice(((0,), (1,), (0, 1))):
            ends[place] = str(Fraction(ends[place]) + by)
    elif "relation" in said and rng.random() < 0.5:
        relation = said["relation"]
        if rng.random() < 0.3:
            relation[1:] = relation[:0:-1]
        else:
            relation[2] = ["+", relation[2], ["q", _moved(rng, "0", Fraction(1))]]
    else:
        key = rng.choice(times)
        said[key] = _moved(rng, said[key], Fraction(said.get("to", said[key])) - Fraction(said.get("from", 0)))


def _system(rng: random.Random, certificate: Json) -> None:
    statement = certificate["statement"]
    name = rng.choice(sorted(statement["states"]))
    if rng.random() < 0.4:
        ends = statement["start"][name]
        ends[rng.choice((0, 1))] = _moved(rng, ends[0], Fraction(1))
    else:
        more = ["*", ["q", _moved(rng, "0", Fraction(1))], ["s", rng.choice(sorted(statement["states"]))]]
        statement["states"][name] = ["+", statement["states"][name], more]


def _verdict(rng: random.Random, certificate: Json) -> None:
    """The contrary of the verdict, with a time at which something is said to fail."""
    payload, says = certificate["payload"], certificate["statement"]["says"]
    if certificate["verdict"] == "refuted":
        certificate["verdict"] = "certified"
        del payload["fails"]
        payload["shows"] = [_shows(rng, said) for said in says]
        return
    number = rng.randrange(len(says))
    said = says[number]
    first, last = (said.get(key, said.get("at", said.get("by"))) for key in ("from", "to"))
    fails: Json = {"time": rng.choice((first, last)), "side": rng.randrange(2 * len(said.get("box", "x")))}
    if said["that"] == "reaches":
        fails = rng.choice(({"by": "never"}, {"by": "earlier", "time": first})) | {"sign": rng.choice((1, -1))}
    certificate["verdict"] = "refuted"
    payload.pop("shows", None)
    payload["fails"] = {"says": number, **fails}


def _evidence(rng: random.Random, certificate: Json) -> None:
    payload = certificate["payload"]
    settling = [each for each in payload.get("shows", ()) if "centre" in each]
    if settling and rng.random() < 0.6:
        settled = rng.choice(settling)
        row = rng.choice([settled["centre"], *settled["frame"]])
        if rng.random() < 0.5:
            _entry(rng, row)
        else:
            settled["radius"] = _moved(rng, settled["radius"], Fraction(settled["radius"]))
    elif "steps" in payload and rng.random() < 0.8:
        step = rng.choice(payload["steps"])
        ends = rng.choice(step[1])
        if rng.random() < 0.2:
            _entry(rng, rng.choice(step[2]))
        elif rng.random() < 0.7:
            ends[rng.choice((0, 1))] = str((Fraction(ends[0]) * 5 + Fraction(ends[1]) * 3) / 8)
        else:
            step[0] = str(Fraction(step[0]) * rng.choice((2, Fraction(5, 4), Fraction(1, 2))))
    else:
        payload["bits"] = rng.choice((24, 40, 53, 80))


def _entry(rng: random.Random, row: Json) -> None:
    """One number of a row, moved."""
    place = rng.randrange(len(row))
    row[place] = _moved(rng, row[place], Fraction(1))


def _with_its_evidence(certificate: Json) -> Json:
    """The certificate with the steps of the prover's tube of what it speaks of now."""
    statement, payload = certificate["statement"], certificate["payload"]
    fails, claim = payload.get("fails", {}), claim_of(statement)
    last = claim.says[fails["says"]].end if fails else claim.latest
    until = Fraction(fails["time"]) if "time" in fails else to_fraction(last)
    tube = trajectories.tube_of(claim, next(trajectories.cares(statement)))
    kept = {key: payload[key] for key in ("fails", "shows") if key in payload}
    return certificate | {"payload": json.loads(json.dumps(tube.payload(until))) | kept}


def _shows(rng: random.Random, said: Json) -> Json:
    """Evidence for a thing that is said, without any reason for it."""
    if said["that"] == "reaches":
        return {"sign": rng.choice((1, -1)), "at": said["to"]}
    if said["that"] == "converges":
        middle = [str((Fraction(low) + Fraction(high)) / 2) for _, (low, high) in sorted(said["box"].items())]
        frame = [[str(int(i == j)) for j in range(len(middle))] for i in range(len(middle))]
        return {"centre": middle, "frame": frame, "radius": "1/1000"}
    return {}


# --- judging ----------------------------------------------------------------------------------------------------------


def trouble(rng: random.Random, certificate: Json) -> str | None:
    """Return what is wrong with what a certificate says, by solutions from some of its starts; `Lost` if none is
    followed.
    """
    statement = certificate["statement"]
    rates = {_symbol(name): expression(term) for name, term in statement["states"].items()}
    start = {_symbol(name): tuple(map(Fraction, ends)) for name, ends in statement["start"].items()}
    case: Any = Drawn("mutant", statement["form"], rates, start, Fraction(1))
    found = Certificate(statement, Verdict(certificate["verdict"]), "", certificate["payload"])
    with mp.workdps(50):
        seen = [contradiction(case, found, [], course) for course in samples(rng, case)]
    wrong = [each for each in seen if each]
    if not wrong and found.verdict is Verdict.CERTIFIED:
        wrong = [each for said in statement["says"] if said["that"] == "converges" and (each := _rest(rng, case, said))]
    return wrong[0] if wrong else None


def _rest(rng: random.Random, case: Drawn, said: Json) -> str | None:
    """Check whether a box holds one point of rest, and solutions approach it at a rate, as far as floats see."""
    moving = sorted(map(_symbol, said["box"]), key=str)
    middle = {s: sp.Float(float(sum(case.start[s]) / 2), 17) for s in case.rates if s not in moving}
    identity = 0 if case.form == "flow" else 1
    change = [sp.sympify(case.rates[s]).subs(middle) - identity * s for s in moving]
    of, slope = (
        sp.lambdify(moving, e, ["scipy", "numpy"]) for e in (change, sp.Matrix(change).jacobian(moving).tolist())
    )
    low, high = (np.array([float(Fraction(said["box"][s.name][end])) for s in moving]) for end in (0, 1))
    found: list[Any] = []
    for _ in range(TRIES):
        point = low + (high - low) * np.array([rng.random() for _ in moving])
        for _ in range(NEWTON):
            point = point - np.linalg.lstsq(np.array(slope(*point), float), np.array(of(*point), float), rcond=None)[0]
        near = np.all(point >= low - CLOSE**2) and np.all(point <= high + CLOSE**2)
        if near and np.abs(of(*point)).max() < CLOSE**2 and not any(np.abs(point - p).max() < CLOSE for p in found):
            found.append(point)
    if len(found) != 1:
        return f"there are {len(found)} points of rest in the box"
    values, rate = np.linalg.eigvals(np.array(slope(*found[0]), float)), float(Fraction(said["rate"]))
    slow = values.real.max() > CLOSE - rate if case.form == "flow" else np.abs(values + 1).max() > rate + CLOSE
    return "it is approached more slowly" if slow else None


def _symbol(name: str) -> Any:
    return sp.Symbol(name, real=True)
