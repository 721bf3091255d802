"""Statements as text for people: what is asserted, line by line, and everything that it supposes.

The checker prints for itself, so that what a page shows can be compared with the certificate behind it. Every part of a
statement appears but for hints to provers; a part that its phrase does not name is printed as data, never left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from itertools import chain

from derivations.recheck.core.load import Data
from derivations.recheck.ledgers.formulas import (
    PHRASES,
    WRITERS,
    data,
    listed,
    plain,
    sums,
    term,
    words,
    writer,
    written,
)
from derivations.recheck.ledgers.programs import in_names

LONGEST = 2000  # characters of a line; a longer one is cut, and its hash stands for the rest
HINTS = {"among", "squares", "oriented"}
SUPPOSED = {"kind", "symbols", "assuming", "letters", "rules", "arrays", "free", "orders"}
"""Fields that a statement supposes; they are printed apart from those that it asserts."""
KNOWN = {kind: phrase.keys for kind, phrase in PHRASES["statements"].items()}
KNOWN["average"] |= {"covariance", "definite"}
"""Fields that are printed in words, by the kind of the statement, beside those that it supposes."""
RELATIONS = ("=", "!=", ">", ">=")
INFINITE = (("oo",), ("-oo",))
IMPLIED = {"positive": {"nonnegative", "nonzero"}, "negative": {"nonpositive", "nonzero"}}


def formula(statement: Data) -> list[str]:
    """Return what a statement asserts, a line for each of its parts.

    >>> formula({"kind": "identity", "left": ["s", "x"], "right": ["*", ["q", "2"], ["^", ["s", "y"], ["q", "-1"]]]})
    ['x = 2/y']
    """
    return [abridged(before + _asserted(part)) for before, part in _parts(statement)]


def hypotheses(statement: Data) -> list[str]:
    """Return what a statement supposes, once; the numbers of lines of the formula follow where not every line supposes
    it.

    >>> hypotheses({"kind": "sign", "symbols": {"x": ["positive"]}, "assuming": [[">", ["s", "x"], ["q", "1"]]]})
    ['x is positive', 'x > 1']
    """
    supposed: dict[tuple[str, str], set[int]] = {}
    speaking: dict[str, set[int]] = {}  # the lines that speak of a subject; of "", all of them
    for number, (_, part) in enumerate(_parts(statement), 1):
        for subject, said in chain(_supposed(part) if _is_statement(part) else (), [("", "")]):
            speaking.setdefault(subject, set()).add(number)
            if said:
                supposed.setdefault((subject, said), set()).add(number)
    return [
        abridged(said if lines == speaking[subject] else f"{said} [in {', '.join(map(str, sorted(lines)))}]")
        for (subject, said), lines in supposed.items()
    ]


def abridged(line: str, longest: int = LONGEST) -> str:
    """A line, or its beginning with the length and the hash of the whole."""
    if len(line) <= longest:
        return line
    return f"{line[:longest]}... ({len(line)} characters, sha256 {sha256(line.encode()).hexdigest()})"


# --- parts ------------------------------------------------------------------------------------------------------------


def _parts(statement: Data) -> Iterator[tuple[str, Data]]:
    """The statements inside that stand on their own, each with what leads to it."""
    kind = statement["kind"]
    if kind in KNOWN or kind == "concluded":
        yield "", statement
    elif kind == "by":  # its slots are what the conclusion is made of
        by = f"by {plain(statement['schema'])}, "
        yield from ((by + inner, part) for inner, part in _parts(statement["concludes"]))
        yield from _remaining(statement, {"kind", "schema", "slots", "concludes", "among"}, "")
    elif kind == "all":
        yield from chain.from_iterable(map(_parts, statement["parts"]))
        yield from _kernel(statement["kernel"]) if "kernel" in statement else ()
        yield from _remaining(statement, {"kind", "parts", "kernel"}, "")
    else:
        yield from _remaining(statement, {"kind"}, f"{plain(kind)}, ")


def _kernel(kernel: Data) -> Iterator[tuple[str, Data]]:
    """The program of which a statement speaks, what it is shown to return, and what is not shown of it."""
    supposed = [term(relation) for relation in in_names(kernel.get("domain", ()))]
    yield f"kernel{' where ' * bool(supposed)}{', '.join(supposed)}: ", kernel["program"]
    equal: dict[str, tuple[list[str], Data]] = {}
    for case in kernel["cases"]:
        holds = case.get("holds", ())
        said = zip(map(term, in_names([c for c, _ in holds])), holds, strict=True)
        given = " and ".join(f"{relation} is {str(value).lower()}" for relation, (_, value) in said)
        for _, left, right in case.get("edges", ()):
            yield f"not shown{' where ' * bool(given)}{given}: ", f"the edge {term(('=', left, right))}"
        if "functions" in case or "calls" in case:
            yield from _calls(case)
        elif "where" in case:
            for name, side, slot in case["returns"]:
                put = [f"{plain(x)} = {term(value)}" for x, value in case["where"] if list(value) != ["s", x]]
                before = f"{plain(name)}{' at ' * bool(put)}{', '.join(put)} is "
                place, *keys = slot
                after = f", the {' of '.join(map(plain, keys))} in part {place + 1} of {plain(case['claim'])}"
                part = {"kind": "returned", "before": before, "side": side, "after": after, "assuming": case["given"]}
                equal.setdefault(json.dumps(part), ([], part))[0].append(given)
        else:
            yield f"never: {given}", ""
    for conditions, part in equal.values():
        where = f", where {', or '.join(filter(None, conditions))}" if any(conditions) else ""
        yield "it returns: ", {**part, "after": part["after"] + where}


def _calls(case: Data) -> Iterator[tuple[str, Data]]:
    """The returns of a kernel of arrays, what its arrays and reciprocals are called, and what its calls stand for."""
    yield "it returns the left sides above: ", f"{', '.join(map(plain, case['returns']))} for {plain(case['claim'])}"
    for key in ("arrays", "reciprocals"):
        yield from (
            (f"{key}: ", f"{plain(name)} is {plain(other)}") for name, other in case.get(key, ()) if name != other
        )
    for kernel, places, arguments, value in case.get("calls", ()):
        at = ", ".join(map(WRITERS["indexed"], arguments))
        over = ", ".join(f"{plain(index)} of {data(of)}" for index, of in places)
        yield "not shown here: ", f"{plain(kernel)}({at}) is {WRITERS['indexed'](value)} for {over}"


def _remaining(table: Data, known: set[str], before: str) -> Iterator[tuple[str, Data]]:
    """The other parts of a table under their names: statements as statements, anything else as data."""
    for key in sorted(set(table) - known):
        value, head = table[key], f"{before}{plain(key)}: "
        inside = dict(enumerate(value, 1)) if isinstance(value, list | tuple) else value
        if _is_statement(value):
            yield from ((head + inner, part) for inner, part in _parts(value))
        elif isinstance(inside, dict) and any(map(_is_statement, inside.values())):
            yield from _remaining({str(name): item for name, item in inside.items()}, set(), head)
        else:
            yield head, value


def _is_statement(given: Data) -> bool:
    return isinstance(given, dict) and isinstance(given.get("kind"), str)


def _asserted(part: Data) -> str:
    """Return what one statement asserts, or data as text."""
    if not _is_statement(part):
        return part if isinstance(part, str) else term(part)
    if part["kind"] == "returned":
        return f"{part['before']}{term(part['side'])}{part['after']}"
    return _concluded(part) if part["kind"] == "concluded" else PHRASES["statements"][part["kind"]].filled(part)


def _concluded(part: Data) -> str:
    """The form of a conclusion, and all its parts by name."""
    write = data if isinstance(part.get("letters"), dict) else term
    known = {"kind", "form", "symbols", "assuming", "letters", "rules"}
    said = (f"{plain(key)} = {_parameter(part[key], write)}" for key in sorted(set(part) - known))
    return f"{plain(part['form'])}: {'; '.join(said)}"


def _parameter(value: Data, write: Callable[[Data], str]) -> str:
    """A formula, one about matrices, or a table or list of them."""
    if isinstance(value, dict) and set(value) != {"shape", "formula"}:
        return f"{{{', '.join(f'{plain(x)}: {_parameter(value[x], write)}' for x in sorted(value))}}}"
    if isinstance(value, dict):
        return words(value)
    if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple | dict):
        return f"[{', '.join(_parameter(item, write) for item in value)}]"
    return write(value)


# --- what phrases name ------------------------------------------------------------------------------------------------


def _related(write: Callable[[Data], str], left: Data, relation: Data, right: Data) -> str:
    relation = "=" if relation is None else relation
    return f"{write(left)} {relation if relation in RELATIONS else data(relation)} {write(right)}"


WRITERS |= {
    f"of_{kind}": partial(_related, write) for kind, write in (("numbers", term), ("words", words), ("sums", sums))
}


@writer
def of_orders(left: Data, relation: Data, right: Data) -> str:
    """Two sides in an order: matrices in it are symmetric."""
    kind = " (as symmetric matrices)" if list(left["shape"]) != [1, 1] else ""
    return _related(words, left, relation, right) + kind


@writer
def end(value: Data) -> str:
    return str(value[0]) if tuple(value) in INFINITE else term(value)


@writer
def goes(variables: Data, towards: Data) -> str:
    """Where the variables of a limit go."""
    towards = towards or ["", ["q", "0"]]
    if tuple(towards) in INFINITE:
        return f"{plain(variables[0])} -> {towards[0]}"
    side = f" from {towards[0]}" if towards[0] else ""
    return ", ".join(f"{plain(name)} -> {term(towards[1])}{side}" for name in variables)


@writer
def times(interval: Data, time: str) -> str:
    """The interval of which a solution speaks."""
    phrase = PHRASES["times"].get(interval["kind"]) if _is_statement(interval) else None
    if phrase is None or phrase.keys != {*interval, "time"} - {"kind"}:
        return data(interval)
    return phrase.filled({**interval, "time": time})


def average(part: Data) -> str:
    """The average of which a statement speaks."""
    return PHRASES["averages"]["average"].filled(part)


@writer
def rate(name: Data) -> str:
    return "" if name is None else f"d/d{plain(name)} "


@writer
def averaged(integrand: Data, fields: Data) -> str:
    return " + ".join("*".join([f"({term(c)})", *([_of_fields(of, fields)] if of else [])]) for c, of in integrand)


@writer
def means(given: Data, fields: Data) -> str:
    """Averages that have names in what is said."""
    return "".join(f"; {plain(name)} = <{_of_fields(of, fields)}>" for name, of in sorted((given or {}).items()))


def _of_fields(factors: Data, fields: Data) -> str:
    return "*".join(written("fields", (kind, fields[place], *more)) for kind, place, *more in factors)


@writer
def names(given: Data) -> str:
    return listed(given, plain)


@writer
def rows(matrix: Data) -> str:
    return "; ".join(listed(row, term) for row in matrix)


# --- trajectories -----------------------------------------------------------------------------------------------------


@writer
def system(states: Data, time: str, form: str, start: Data) -> str:
    """The system, and where it starts."""
    is_flow = form == "flow"
    parts = (WRITERS["rates" if is_flow else "steps"](states, time), WRITERS["begins"](start))
    return "; ".join(filter(None, parts)) + ("" if is_flow else f" ({plain(form)})")


@writer
def said(says: Data, time: str, form: str) -> str:
    """Return what is said of a trajectory, with all exact numbers; a part without a place in its sentence is an
    error.
    """
    heads = [f"{each['that']} in a flow" if form == "flow" else each["that"] for each in says]
    phrases = [
        PHRASES["says"].get(head) or PHRASES["says"][each["that"]] for head, each in zip(heads, says, strict=True)
    ]
    return "; ".join(phrase.filled({**each, "time": time}) for phrase, each in zip(phrases, says, strict=True))


@writer
def interval(ends: Data) -> str:
    low, high = ends
    return f"[{low}, {high}]"


@writer
def relation(given: Data) -> str:
    sign, left, right = given
    return f"{term(left)} {sign} {term(right)}"


@writer
def gap(given: Data) -> str:
    _, left, right = given
    return f"{term(left)} - ({term(right)})"


# --- hypotheses -------------------------------------------------------------------------------------------------------


def _supposed(part: Data) -> Iterator[tuple[str, str]]:
    """Return the subject of a hypothesis, and the hypothesis; an empty one where nothing is supposed of a subject."""
    for name, flags in part.get("symbols", {}).items():
        strongest = [each for each in flags if not any(each in IMPLIED.get(other, ()) for other in flags)]
        yield name, f"{plain(name)} is {' and '.join(strongest)}" if strongest else ""
    yield from (("", term(relation)) for relation in part.get("assuming", ()))
    if part["kind"] == "average":
        yield "", PHRASES["supposed"]["average"].filled(part)
        if part["definite"]:
            chosen = ", ".join(plain(part["fields"][place]) for place in part["definite"])
            yield "", f"the covariance of {chosen} is positive definite"
    for name, declared in part.get("letters", {}).items():
        size = f"{plain(name)} is {data(declared['rows'])} x {data(declared['cols'])}"
        yield name, ", ".join([size, *_properties(declared, "rows", "cols")])
    for name, declared in part.get("arrays", {}).items():
        ranges = f"{plain(name)} has the ranges ({listed(declared['ranges'], data)})"
        is_plain = not declared["ranges"] and set(declared) == {"ranges"}
        yield name, "" if is_plain else ", ".join([ranges, *_properties(declared, "ranges")])
    for index, of in sorted(part.get("free", {}).items()):
        yield f"[{index}]", f"{plain(index)} runs over {data(of)}"
    write = sums if part["kind"] == "sums" else words
    yield from (("", _rule(rule, write)) for rule in part.get("rules", ()))
    yield from (("", PHRASES["statements"]["loewner"].filled(order)) for order in part.get("orders", ()))
    if part["kind"] not in ("concluded", "returned"):
        for key in sorted(set(part) - SUPPOSED - KNOWN.get(part["kind"], set()) - HINTS):
            yield "", f"{plain(key)}: {data(part[key])}"


def _properties(declared: Data, *known: str) -> Iterator[str]:
    """Return what a letter or an array is declared to be."""
    for key in sorted(set(declared) - {*known}):
        if declared[key] is not False:
            yield key.replace("_", " ") + ("" if declared[key] is True else f" {words(declared[key])}")


def _rule(rule: Data, write: Callable[[Data], str]) -> str:
    free = WRITERS["indices"](rule.get("free", {}))
    more = "".join(f", {plain(key)}: {data(rule[key])}" for key in sorted({*rule} - {"free", "left", "right", *HINTS}))
    return f"{write(rule['left'])} = {write(rule['right'])}{f' for all {free}' if free else ''}{more}"
