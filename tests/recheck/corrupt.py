"""Corruptions of certificates that change what they mean, so that none of them may be accepted.

Only load-bearing places are touched, and only in ways that break the evidence by construction: a cofactor gains a
monomial of a degree that nothing else has, a statement becomes another one than the evidence speaks of, a point breaks
an assumption, a printed value is not the value. Weakening a claim, or moving a witness to another good one, is not a
corruption.
"""

from __future__ import annotations

import marshal
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from recheck.corrupt_rules import about_average, about_rule
from recheck.edits import BAD_NUMBERS, ONE, Json, Named, about_point, append, drop, inside, put

OTHER = {
    "proved": ["refuted", "certified", "true"],
    "certified": ["refuted", "proved"],
    "refuted": ["proved", "certified"],
    "argued": ["proved", "certified", "refuted"],
}


NO_REFERENCES = 2  # the format of marshal in which parts that two places share come apart


def corruptions(certificate: Json, rng: random.Random, most: int | None = None) -> Iterator[tuple[str, Json]]:
    """Copies of a certificate (as JSON data), each broken in one place, with a name for what was broken.

    A number as `most` asks for a random choice of that many.
    """
    edits = list(_edits(certificate, rng))
    if most is not None:
        edits = rng.sample(edits, min(most, len(edits)))
    whole = marshal.dumps(certificate, NO_REFERENCES)
    for what, edit in edits:
        broken = marshal.loads(whole)
        edit(broken)
        assert broken != certificate, what
        yield what, broken


def _edits(certificate: Json, rng: random.Random) -> Iterator[Named]:
    verdict, kind = certificate["verdict"], certificate["statement"]["kind"]
    if verdict == "open":
        yield "an open claim called proved", put(["verdict"], "proved")
        return
    for other in OTHER[verdict]:
        yield f"{verdict} called {other}", put(["verdict"], other)
    yield "kind unknown", put(["statement", "kind"], "magic")
    for key in ("statement", "payload", "verdict", "method"):
        yield f"no {key}", drop([key])
    yield from _by_kind(kind, verdict, certificate, rng)
    for path, nested in nested_certificates(certificate["payload"], ("payload",)):
        for what, edit in _edits(nested, rng):
            yield f"{'.'.join(map(str, path))}: {what}", inside(path, edit)
        for what, edit in _statement_changes(nested["statement"]):
            yield f"{'.'.join(map(str, path))}: {what}", inside([*path, "statement"], edit)


def nested_certificates(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[list[Any], Json]]:
    """Where some data hold certificates, which the verdict of the one around them rests on."""
    if _is_certificate(data):
        yield [*path], data
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from nested_certificates(value, (*path, key))


def _is_certificate(value: Any) -> bool:
    return isinstance(value, dict) and {"statement", "verdict", "payload"} <= set(value)


# --- by kind ----------------------------------------------------------------------------------------------------------


def _by_kind(kind: str, verdict: str, certificate: Json, rng: random.Random) -> Iterator[Named]:
    payload = certificate["payload"]
    if kind in ("identity", "sign", "limit", "enclosure"):
        yield "method unknown", put(["method"], "magic")
    if kind in ("words", "sums", "by"):
        for junk in ("x", ["x"], [{"sizes": {}, "dims": {}}], [{"sizes": {}, "arrays": {"a": ["x"]}}]):
            yield f"{junk} is offered", put(["statement", "among"], junk)
    if kind in ("identity", "sign", "limit", "enclosure", "solves"):
        yield from _about_symbols(certificate)
    if "witness" in payload and kind in ("identity", "sign", "enclosure"):
        yield from _about_witness(certificate)
    match kind, verdict:
        case (("identity" | "sign"), _) if certificate["method"].startswith("by "):
            yield from about_rule(certificate)
        case "average", "proved":
            yield from about_average(certificate)
        case "identity", "proved":
            yield from _about_steps(certificate, rng)
        case "identity", "refuted":
            yield "both sides the same", put(["statement", "right"], certificate["statement"]["left"])
        case "sign", "proved":
            yield from _about_steps(certificate, rng)
            yield from ((what, inside(["statement"], edit)) for what, edit in _other_sides(certificate["statement"]))
        case "sign", _:
            yield "relation unknown", put(["statement", "relation"], "<")
        case "limit", _:
            yield from _about_limit(certificate)
        case "enclosure", _:
            yield from _about_enclosure(certificate)
        case (("solves" | "all" | "by" | "argued" | "not"), _):
            yield from _about_composite(kind, certificate)
        case (("words" | "sums"), _):
            yield "no evidence", put(["payload"], {})


def _about_symbols(certificate: Json) -> Iterator[Named]:
    yield "no symbols", drop(["statement", "symbols"])
    yield "no hypotheses", drop(["statement", "assuming"])
    for name in certificate["statement"]["symbols"]:
        yield f"{name} is odd", put(["statement", "symbols", name], ["odd"])
    yield "a hypothesis that is none", append(["statement", "assuming"], ["<", ONE, ONE])
    yield "a hypothesis that is false", append(["statement", "assuming"], [">", ONE, ONE])


def _about_witness(certificate: Json) -> Iterator[Named]:
    path, witness = ["payload", "witness"], certificate["payload"]["witness"]
    for key in ("point", "left", "right", "bits"):
        yield f"witness without {key}", drop([*path, key])
    for bits in (0, -1, 10**9, "128", True, None):
        yield f"{bits!r} bits", put([*path, "bits"], bits)
    yield from about_point([*path, "point"], witness["point"], certificate["statement"]["symbols"])
    for name in free(certificate["statement"]):
        if name in witness["point"]:
            yield f"no value for {name}", drop([*path, "point", name])
    for key in ("left", "right"):
        for text in _other_values(witness[key]):
            yield f"{key} printed as {text!r}", put([*path, key], text)


def _other_values(text: str) -> list[str]:
    """Texts that are not the value that a text names."""
    try:
        value = Fraction(text)
    except ValueError:
        return ["nan", "", "0"]
    others = [value + 1, -value if value else Fraction(2), value + Fraction(1, 10**9) * (abs(value) or 1)]
    return [*map(str, others), "nan", ""]


def free(data: Any) -> list[str]:
    """The free symbols of a scalar statement's formulas."""
    terms = [data[k] for k in ("left", "right", "expression", "value") if k in data]
    terms += [side for relation in data.get("assuming", []) for side in relation[1:]]
    return sorted(set().union(*map(_free, terms)))


def _free(term: Any) -> set[str]:
    if term[0] == "s":
        return {term[1]}
    if term[0] in ("q", "pi"):
        return set()
    if term[0] == "D":
        return _free(term[1])
    if term[0] == "at":
        inside = _free(term[1]) - {name for name, _ in term[2]}
        return inside.union(*(_free(value) for _, value in term[2]))
    return set().union(*map(_free, term[1:]))


# --- proofs -----------------------------------------------------------------------------------------------------------


def _about_steps(certificate: Json, rng: random.Random) -> Iterator[Named]:
    """Proofs by steps, of equalities and of signs."""
    payload, statement = certificate["payload"], certificate["statement"]
    for key in ("generators", "steps", "times", "sum", "inhabited"):
        yield f"no {key}", drop(["payload", key])
        yield f"{key} is text", put(["payload", key], "x")
    equal = statement["kind"] == "identity"
    for key in ("left", "right"):
        number = str(Fraction(rng.randint(1, 99), rng.randint(1, 99)))
        lower = ["q", number if key == "right" else f"-{number}"]
        yield f"{key} changed by {number}", put(["statement", key], ["+", statement[key], lower])
        yield f"{key} is no formula", put(["statement", key], ["+"])
    if not equal:
        yield "relation unknown", put(["statement", "relation"], "<")
    yield from about_point(["payload", "inhabited"], payload["inhabited"], statement["symbols"])
    for name in free(statement):
        yield f"no value for {name}", drop(["payload", "inhabited", name])
    yield from _about_generators(payload)
    yield from _about_facts(payload, statement, rng)
    for i, step in enumerate(payload["steps"]):
        if step[0] == "rewrite":
            yield from _about_rewrite(payload, i, rng)
    facts = sum(step[0] not in ("generator", "rewrite") for step in payload["steps"])
    yield from _about_sum(["payload", "sum"], payload["sum"], facts, rng)
    for number in (facts, -1, "0", 0.5, None):
        yield f"times fact {number!r}", append(["payload", "times"], number)
        yield f"fact {number!r} is added", append(["payload", "sum"], ["1", [number]])


def _about_sum(path: list[Any], total: Any, facts: int, rng: random.Random) -> Iterator[Named]:
    for i, (weight, indices) in enumerate(total):
        yield f"{path}: part {i} missing", drop([*path, i])
        yield f"{path}: part {i} uses a fact that is not there", put([*path, i, 1], [*indices, facts])
        yield f"{path}: part {i} uses fact -1", put([*path, i, 1], [*indices, -1])
        if isinstance(weight, str):
            others = [str(-Fraction(weight)), "0", str(Fraction(weight) * rng.choice((2, 3, Fraction(1, 2))))]
            for other in (*others, *rng.sample(BAD_NUMBERS, 2)):
                yield f"{path}: weight {i} is {other!r}", put([*path, i, 0], other)
        else:
            yield f"{path}: polynomial {i} gains a part", append([*path, i, 0], _new_term(rng))
            if weight:
                yield f"{path}: polynomial {i} has a bad number", put([*path, i, 0, 0, 0], rng.choice(BAD_NUMBERS))
                yield f"{path}: polynomial {i} has a bad exponent", put([*path, i, 0, 0, 1], [-1])


def _new_term(rng: random.Random) -> list[Any]:
    """A monomial of a degree above everything else."""
    return [str(Fraction(rng.choice((-3, -1, 1, 2)), rng.randint(1, 5))), [rng.randint(200, 300)]]


def _about_generators(payload: Json) -> Iterator[Named]:
    for i, generator in enumerate(payload["generators"]):
        path = ["payload", "generators", i]
        yield f"generator {i} missing", drop(path)
        yield f"generator {i} of unknown kind", put([*path, 0], "magic")
        if generator[0] == "s":
            yield f"generator {i} renamed", put([*path, 1], "no such symbol")
    for number in (0, -1, len(payload["generators"]), "0", 0.5, None):
        yield f"generator {number!r} once more", append(["payload", "steps"], ["generator", number])


def _used(payload: Json) -> set[int]:
    """The numbers of the facts that something is multiplied with, or added."""
    found = set(payload["times"]) | _in_sum(payload["sum"])
    for step in payload["steps"]:
        match step[0]:
            case "sum":
                found |= _in_sum(step[1])
            case "factor":
                found |= set(step[2])
            case "line":
                found |= set(step[3])
            case "over":
                found |= set(step[2]) | _in_sum(step[3])
            case "exponential":
                found |= set(step[3]) | _in_sum(step[4])
            case "rewrite":
                found |= set(step[-2]) | _in_sum(step[-1])
    return found


def _in_sum(total: Any) -> set[int]:
    return {index for _, indices in total for index in indices}


def _about_facts(payload: Json, statement: Json, rng: random.Random) -> Iterator[Named]:
    used, number = _used(payload), -1
    givens = len(statement["assuming"]) + sum(map(len, statement["symbols"].values()))
    for i, step in enumerate(payload["steps"]):
        path = ["payload", "steps", i]
        if step[0] in ("generator", "rewrite"):
            continue
        number += 1
        yield f"step {i} is magic", put([*path, 0], "magic")
        yield f"step {i} has a part too many", append(path, [])
        if number not in used:
            continue
        yield f"step {i} missing", drop(path)
        if step[0] == "given":
            for k in (givens + 1, -1, "0", 1.5, None):
                yield f"step {i} is given by {k!r}", put([*path, 1], k)
        if step[0] in ("square", "factor", "over", "exponential", "line"):
            at = 2 if step[0] == "exponential" else 1
            yield f"step {i} gains a part", append([*path, at], _new_term(rng))
        if step[0] == "sum":
            yield from _about_sum([*path, 1], step[1], number, rng)
        if step[0] == "over":
            yield from _about_sum([*path, 3], step[3], number, rng)
        if step[0] == "factor":
            yield f"step {i} is a factor of itself", put([*path, 2], [number])


def _about_rewrite(payload: Json, i: int, rng: random.Random) -> Iterator[Named]:
    formula = payload["steps"][i][1]
    path = ["payload", "steps", i]
    yield f"rewrite {i} missing", drop(path)
    yield f"rewrite {i} of a sum", put([*path, 1], ["+", formula, ["q", "0"]])
    yield f"rewrite {i} twice", append(["payload", "steps"], payload["steps"][i])
    yield from (_about_root if formula[0] == "^" else _about_powers)(payload["steps"][i], path, rng)


def _about_powers(step: Any, path: list[Any], rng: random.Random) -> Iterator[Named]:
    _, formula, powers, *_ = step
    for k, (power, index) in enumerate(powers):
        for wrong in (str(int(power) + 1), str(-int(power)), f"{power}/7", *rng.sample(BAD_NUMBERS, 2)):
            if formula != ["log", ONE]:
                yield f"{path}: power {k} is {wrong!r}", put([*path, 2, k, 0], wrong)
        yield f"{path}: power {k} of no generator", put([*path, 2, k, 1], -1 - index)


def _about_root(step: Any, path: list[Any], rng: random.Random) -> Iterator[Named]:
    _, _, num, den, power, *_ = step
    yield f"{path} over zero", put([*path, 3], [])
    for wrong in (0, -power, str(power), 10**9, 1.5):
        yield f"{path} to the power {wrong!r}", put([*path, 4], wrong)
    if num:
        k = rng.randrange(len(num))
        for factor in (-1, 2):
            yield f"{path} times {factor} in a part", put([*path, 2, k, 0], str(Fraction(num[k][0]) * factor))
        yield f"{path} of another power", put([*path, 2, k, 1], [e + 1 for e in num[k][1]] or [1])
        yield f"{path} loses a part", drop([*path, 2, k])
    if den:
        yield f"{path} over something else", append([*path, 3], _new_term(rng))


def _statement_changes(statement: Json) -> Iterator[Named]:
    """Another statement than the one that the evidence speaks of."""
    yield from _other_sides(statement)
    if "symbols" in statement:
        yield "another symbol", put(["symbols", "no such symbol"], [])
    yield "nothing stated", drop(["kind"])


def _other_sides(statement: Json) -> Iterator[Named]:
    for key in ("left", "right", "expression", "value"):
        if key in statement:
            yield f"{key} plus one", put([key], ["+", statement[key], ONE])


def _about_limit(certificate: Json) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    for key in payload:
        if key != "witness":
            yield f"no {key}", drop(["payload", key])
    if "form" in payload and isinstance(payload["form"][0], str):
        yield "form plus one", put(["payload", "form"], ["+", payload["form"], ONE])
    at_zero, finite = "towards" not in statement, len(statement["value"]) > 1
    for name in payload.get("near", {"point": {}})["point"]:
        if name in free(statement):
            yield f"no value near for {name}", drop(["payload", "near", "point", name])
    if "near" in payload and at_zero:
        away = [">", ["s", statement["variables"][0]], ONE]
        yield "a hypothesis that keeps away", append(["statement", "assuming"], away)
    yield "value plus one", put(["statement", "value"], ["+", statement["value"], ONE])
    if finite:
        yield "expression plus one", put(["statement", "expression"], ["+", statement["expression"], ONE])
    yield "no variables", put(["statement", "variables"], [])
    for variable in statement["variables"] if at_zero else ():
        told = [a for a in statement["symbols"][variable] if a != "positive"]
        yield f"{variable} from both sides", put(["statement", "symbols", variable], told)


def _about_enclosure(certificate: Json) -> Iterator[Named]:
    statement = certificate["statement"]
    for key in ("lower", "upper", "box", "expression"):
        yield f"no {key}", drop(["statement", key])
    for bad in BAD_NUMBERS:
        yield f"lower is {bad!r}", put(["statement", "lower"], bad)
    for name, (low, high) in statement["box"].items():
        yield f"{name} has one end", put(["statement", "box", name], [low])
        if low != high:
            yield f"{name} upside down", put(["statement", "box", name], [high, low])
        if name in free(statement):
            yield f"{name} without interval", drop(["statement", "box", name])
    if certificate["verdict"] == "certified":
        yield "nothing between the bounds", put(["statement", "upper"], statement["lower"])
        yield "nothing above the lower bound", put(["statement", "lower"], statement["upper"])
        for key, values in {"pieces": (0, -1, 10**9, "1", None), "bits": (0, 10**9, "64", None)}.items():
            for value in values:
                yield f"{key} is {value!r}", put(["payload", key], value)
    else:
        for bound in ("lower", "x", None):
            yield f"the {bound} bound", put(["payload", "bound"], bound)
        yield (
            "bounds that hold everything",
            inside(["statement"], lambda s: s.update(lower=f"-{10**300}", upper=str(10**300))),
        )


def _about_composite(kind: str, certificate: Json) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    for key in payload:
        if key != "witness":
            yield f"no {key}", drop(["payload", key])
    if payload.get("witness") is not None:
        yield "another witness", put(["payload", "witness"], {"point": {}})
    if kind == "solves":
        for x in statement["flow"]:
            yield f"no solution for {x}", drop(["statement", "solution", x])
        proved = certificate["verdict"] == "proved"
        for key in ("flow", "solution", "start"):
            for x, term in statement[key].items() if proved else ():
                yield f"another {key} of {x}", put(["statement", key, x], ["+", term, ONE])
        yield "no interval", drop(["statement", "interval"])
        yield "an interval that is none", put(["statement", "interval"], {"kind": "always"})
        yield "an interval with a strange end", put(["statement", "interval"], {"kind": "forever", "end": ONE})
        yield "a time without a sign", put(["statement", "symbols", statement["time"]], [])
        moving = ["!=", ["s", statement["time"]], ["q", "-7"]]
        yield "a hypothesis on the time", append(["statement", "assuming"], moving)
        if proved:
            yield "a need more", put(["payload", "needs", "value 9"], next(iter(payload["needs"].values())))
            for role in payload["needs"]:
                yield f"no {role}", drop(["payload", "needs", role])
                for other in payload["needs"]:
                    if other != role:
                        yield f"{other} for {role}", put(["payload", "needs", role], payload["needs"][other])
        if certificate["method"].startswith("the value"):
            yield "a time that is early", put(["payload", "witness", "point", statement["time"]], "0")
        elif not proved:
            yield "another part", put(["method"], "the start of no such variable at an exact point")
    elif kind == "all":
        yield "one part less", drop(["payload", "parts", 0])
        yield "one statement less", drop(["statement", "parts", 0])
        yield "a comment", put(["statement", "comment"], "which nobody reads")
        yield "a program without a hash", put(["statement", "kernel"], {"program": "some program", "cases": []})
    elif kind == "not":
        yield "another claim", put(["statement", "of"], statement["of"] | {"kind": "identity", "left": ["pi"]})
    else:
        role = next(iter(payload["steps"]))
        yield "another method", put(["method"], "by another theorem")
        yield f"no step {role}", drop(["payload", "steps", role])
        if kind == "by":
            yield "no such theorem", put(["statement", "schema"], "no such theorem")
            yield "no slots", put(["statement", "slots"], {})
            yield "another conclusion", put(["statement", "concludes", "form"], "not stable")
        else:
            yield f"no need of {role}", drop(["statement", "needs", role])
