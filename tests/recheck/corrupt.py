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
from recheck.edits import BAD_NUMBERS, MINUS_ONE, ONE, Json, Named, about_point, append, drop, inside, put

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
            yield from _about_identity(certificate, rng)
        case "identity", "refuted":
            yield "both sides the same", put(["statement", "right"], certificate["statement"]["left"])
        case "sign", "proved" if certificate["method"] == "real roots":
            yield from _about_real_roots(certificate)
        case "sign", "proved" if certificate["method"] == "boxes":
            yield from _about_boxes(certificate)
        case "sign", "proved":
            yield from _about_combination(certificate, rng)
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


def _about_identity(certificate: Json, rng: random.Random) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    count = len(payload["generators"])
    for key in ("generators", "rewrites", "multiplier", "cofactors", "inhabited"):
        yield f"no {key}", drop(["payload", key])
        yield f"{key} is text", put(["payload", key], "x")
    for key in ("left", "right"):
        number = ["q", str(Fraction(rng.randint(1, 99), rng.randint(1, 99)))]
        yield f"{key} changed by {number[1]}", put(["statement", key], ["+", statement[key], number])
        yield f"{key} is no formula", put(["statement", key], ["+"])
    yield from about_point(["payload", "inhabited"], payload["inhabited"], statement["symbols"])
    for name in free(statement):
        yield f"no value for {name}", drop(["payload", "inhabited", name])
    yield "one cofactor more", append(["payload", "cofactors"], [["1", [0] * count]])
    for i, cofactor in enumerate(payload["cofactors"]):
        yield f"cofactor {i} missing", drop(["payload", "cofactors", i])
        if count:
            term = _new_term(payload, count, rng)
            yield f"cofactor {i} gains {term}", append(["payload", "cofactors", i], term)
        if cofactor:
            yield f"cofactor {i} has a bad number", put(["payload", "cofactors", i, 0, 0], rng.choice(BAD_NUMBERS))
            yield f"cofactor {i} has a bad exponent", put(["payload", "cofactors", i, 0, 1], [-1] * count + [0])
    if any(payload["cofactors"]) and count:
        for i in range(len(payload["multiplier"])):
            term = _new_term(payload, count, rng)
            yield f"multiplier {i} gains {term}", append(["payload", "multiplier", i], term)
    yield "a multiplier that is zero", append(["payload", "multiplier"], [])
    yield from _about_generators(payload, free(statement))
    yield from _about_rewrites(payload, rng)


def _new_term(payload: Json, count: int, rng: random.Random) -> list[Any]:
    """A monomial of a degree above everything in the payload."""
    polys = [*payload["cofactors"], *payload["multiplier"], *(p for r in payload["rewrites"] for p in r[1:])]
    highest = sum((max((sum(e) for _, e in poly), default=0) for poly in polys), 20)
    exponents = [0] * count
    exponents[rng.randrange(count)] = highest
    return [str(Fraction(rng.choice((-3, -1, 1, 2)), rng.randint(1, 5))), exponents]


def _about_generators(payload: Json, needed: list[str]) -> Iterator[Named]:
    used = [
        any(p and any(e[i] for _, e in p) for r in payload["rewrites"] for p in r[1:])
        for i in range(len(payload["generators"]))
    ]
    for i, generator in enumerate(payload["generators"]):
        path = ["payload", "generators", i]
        if generator[0] != "symbol" or generator[1] in needed:
            yield f"generator {i} missing", drop(path)
        yield f"generator {i} of unknown kind", put([*path, 0], "magic")
        if generator[0] == "symbol":
            yield f"generator {i} renamed", put([*path, 1], "no such symbol")
        elif used[i]:
            yield f"generator {i} of another formula", put([*path, 1], ["+", generator[1], ["*", ["q", "2"], ONE]])
        if generator[0] == "root":
            for order in (generator[2] + 1, 2 * generator[2], 1, 0, -2, "2", 10**9):
                if used[i] or order not in (generator[2] + 1, 2 * generator[2]):
                    yield f"generator {i} of order {order!r}", put([*path, 2], order)


def _about_rewrites(payload: Json, rng: random.Random) -> Iterator[Named]:
    for i, (term, num, den) in enumerate(payload["rewrites"]):
        path = ["payload", "rewrites", i]
        yield f"rewrite {i} of a sum", put([*path, 0], ["+", term, ["q", "0"]])
        yield f"rewrite {i} over zero", put([*path, 2], [])
        yield f"rewrite {i} twice", append(["payload", "rewrites"], [term, num, den])
        if num and not _is_log_of_one(term):
            k = rng.randrange(len(num))
            for factor in (-1, 2):
                changed = str(Fraction(num[k][0]) * factor)
                yield f"rewrite {i} times {factor} in a part", put([*path, 1, k, 0], changed)
            yield f"rewrite {i} of another power", put([*path, 1, k, 1], [e + 1 for e in num[k][1]] or [1])
            yield f"rewrite {i} loses a part", drop([*path, 1, k])


def _is_log_of_one(term: Any) -> bool:
    return bool(term[0] == "log" and term[1] == ONE)


def _about_combination(certificate: Json, rng: random.Random) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    for key in ("scale", "terms", "facts", "identity"):
        yield f"no {key}", drop(["payload", key])
    yield "scale turned", put(["payload", "scale"], ["*", MINUS_ONE, payload["scale"]])
    for i, (weight, indices) in enumerate(payload["terms"]):
        for other in (str(-Fraction(weight)), "0", str(Fraction(weight) * rng.choice((2, 3, Fraction(1, 2))))):
            yield f"coefficient {i} is {other}", put(["payload", "terms", i, 0], other)
        yield (
            f"part {i} uses a fact that is not there",
            put(["payload", "terms", i, 1], [*indices, len(payload["facts"])]),
        )
        yield f"part {i} uses fact -1", put(["payload", "terms", i, 1], [*indices, -1])
        yield f"part {i} missing", drop(["payload", "terms", i])
    for i, fact in enumerate(payload["facts"]):
        path = ["payload", "facts", i]
        if not fact["strict"] and fact["because"][0] != "form":  # a form may be stricter than was said
            yield f"fact {i} called strict", put([*path, "strict"], True)
        yield f"fact {i} for no reason", put([*path, "because"], ["magic"])
        yield f"fact {i} from no hypothesis", put([*path, "because"], ["hypothesis", len(statement["assuming"])])
        yield f"fact {i} turned", put([*path, "term"], ["*", MINUS_ONE, fact["term"]])
    yield "relation unknown", put(["statement", "relation"], "<")
    for what, edit in _statement_changes(statement):
        yield what, inside(["statement"], edit)


def _about_real_roots(certificate: Json) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    yield "no symbol", drop(["payload", "symbol"])
    for other in ("no such symbol", "", 1, None, ["x"]):
        yield f"symbol {other!r}", put(["payload", "symbol"], other)
    yield "what nobody reads", put(["payload", "scale"], ONE)
    yield "the same as a combination", put(["method"], "positive combination")
    yield from _about_false_sides(statement)
    if "inhabited" in payload:
        yield "no point", drop(["payload", "inhabited"])
        yield from about_point(["payload", "inhabited"], payload["inhabited"], statement["symbols"])
        for name in free(statement):
            yield f"no value for {name}", drop(["payload", "inhabited", name])


def _about_boxes(certificate: Json) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    for key in payload:
        yield f"no {key}", drop(["payload", key])
    for other in ([], payload["symbols"][:-1], [*payload["symbols"], payload["symbols"][0]], ["no such symbol"], "x"):
        yield f"symbols {other!r}", put(["payload", "symbols"], other)
    yield "the same as real roots", put(["method"], "real roots")
    yield "what nobody reads", put(["payload", "scale"], ONE)
    yield from _about_false_sides(statement)
    yield from about_point(["payload", "inhabited"], payload["inhabited"], statement["symbols"])
    yield from _about_tree(["payload", "tree"], payload["tree"])


def _about_tree(path: list[Any], tree: Any) -> Iterator[Named]:
    if tree[0] != "cut":
        for leaf in (["magic"], [], "holds", ["hypothesis", 10**6], ["hypothesis", "0"], ["symbol", "x", "odd"]):
            yield f"{path} is {leaf!r}", put(path, leaf)
        return
    for bad in BAD_NUMBERS:
        yield f"{path} at {bad!r}", put([*path, 2], bad)
    yield f"{path} cuts a stranger", put([*path, 1], "no such symbol")
    yield f"{path} cuts otherwise", put([*path, 3], ">")
    yield f"{path} without a side", drop([*path, 5])
    for k in (4, 5):
        yield from _about_tree([*path, k], tree[k])


def _about_false_sides(statement: Json) -> Iterator[Named]:
    """Inequalities that hold nowhere."""
    yield "relation unknown", put(["statement", "relation"], "<")
    yield "left below right", put(["statement", "left"], ["+", statement["right"], MINUS_ONE])
    yield "right above left", put(["statement", "right"], ["+", statement["left"], ["q", "1/1000000000000"]])
    yield "left is no formula", put(["statement", "left"], ["+"])


def _statement_changes(statement: Json) -> Iterator[Named]:
    """Another statement than the one that the evidence speaks of."""
    for key in ("left", "right", "expression", "value"):
        if key in statement:
            yield f"{key} plus one", put([key], ["+", statement[key], ONE])
    if "symbols" in statement:
        yield "another symbol", put(["symbols", "no such symbol"], [])
    yield "nothing stated", drop(["kind"])


def _about_limit(certificate: Json) -> Iterator[Named]:
    payload, statement = certificate["payload"], certificate["statement"]
    for key in payload:
        if key != "witness":
            yield f"no {key}", drop(["payload", key])
    for key in ("numerator", "denominator"):
        if key in payload:
            yield f"{key} plus one", put(["payload", key], ["+", payload[key], ONE])
    at_zero, finite = "towards" not in statement, len(statement["value"]) > 1
    for name in payload.get("near", {}):
        if name in free(statement):
            yield f"no value near for {name}", drop(["payload", "near", name])
    if "near" in payload and at_zero:
        away = [">", ["s", statement["variables"][0]], ONE]
        yield "a hypothesis that keeps away", append(["statement", "assuming"], away)
    if certificate["method"] != "diverges":
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
            yield "one demand more", append(["payload", "domain"], {})
            for i, evidence in enumerate(payload["domain"]):
                yield f"demand {i} missing", drop(["payload", "domain", i])
                for key in evidence:
                    yield f"no {key} of demand {i}", drop(["payload", "domain", i, key])
        if payload.get("part", [""])[0] == "domain":
            yield "a time that is early", put(["payload", "witness", "point", statement["time"]], "0")
        elif not proved:
            yield "another part", put(["payload", "part"], ["start", "no such variable"])
    elif kind == "all":
        yield "one part less", drop(["payload", "parts", 0])
        yield "one statement less", drop(["statement", "parts", 0])
        yield "a comment", put(["statement", "comment"], "which nobody reads")
        yield "a program without a hash", put(["statement", "kernel"], "some program")
    elif kind == "not":
        yield "another claim", put(["statement", "of"], statement["of"] | {"kind": "identity", "left": ["pi"]})
    else:
        role = next(iter(payload["steps"]))
        yield "another method", put(["method"], "by another theorem")
        yield f"no step {role}", drop(["payload", "steps", role])
        if kind == "by":
            yield "no such theorem", put(["statement", "schema"], "no such theorem")
            yield "no slots", put(["statement", "slots"], {})
            yield "another conclusion", put(["statement", "concludes", "form"], "attracts")
        else:
            yield f"no need of {role}", drop(["statement", "needs", role])
