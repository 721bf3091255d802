"""Statements as text for people: what is asserted, line by line, and everything that it supposes.

The checker prints for itself, so that what a page shows can be compared with the certificate behind it. Every part of a
statement appears but for hints to provers; a part that is not known here is printed as data, never left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import chain

from derivations.recheck.core.load import Data
from derivations.recheck.ledgers.formulas import data, in_product, listed, paired, plain, sums, term, words
from derivations.recheck.ledgers.programs import plainly

LONGEST = 2000  # characters of a line; a longer one is cut, and its hash stands for the rest
HINTS = {"among", "squares", "oriented"}
SUPPOSED = {"kind", "symbols", "assuming", "letters", "rules", "arrays", "free", "orders"}
"""What a statement supposes, which is printed apart from what it asserts."""
KNOWN = {
    "identity": {"left", "right", "relation"},
    "sign": {"left", "right", "relation"},
    "limit": {"expression", "value", "variables", "towards"},
    "enclosure": {"expression", "lower", "upper", "box"},
    "solves": {"time", "flow", "solution", "start", "interval"},
    "trajectory": {"form", "time", "states", "start", "says"},
    "words": {"left", "right", "relation"},
    "loewner": {"left", "right", "relation"},
    "sums": {"left", "right", "relation"},
    "average": {"fields", "covariance", "definite", "integrand", "given", "rate", "right"},
}
"""What is printed in words of statements that stand on their own, by their kind, beside what they suppose."""
RELATIONS = ("=", "!=", ">", ">=")
INFINITE = (("oo",), ("-oo",))
IMPLIED = {"positive": {"nonnegative", "nonzero"}, "negative": {"nonpositive", "nonzero"}}


def formula(statement: Data) -> list[str]:
    """What a statement asserts, a line for each of its parts.

    >>> formula({"kind": "identity", "left": ["s", "x"], "right": ["*", ["q", "2"], ["^", ["s", "y"], ["q", "-1"]]]})
    ['x = 2/y']
    """
    return [abridged(before + _asserted(part)) for before, part in _parts(statement)]


def hypotheses(statement: Data) -> list[str]:
    """What a statement supposes, once; the numbers of lines of the formula follow where not every line supposes it.

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
        yield from _rest(statement, {"kind", "schema", "slots", "concludes", "among"}, "")
    elif kind == "all":
        yield from chain.from_iterable(map(_parts, statement["parts"]))
        yield from _kernel(statement["kernel"]) if "kernel" in statement else ()
        yield from _rest(statement, {"kind", "parts", "kernel"}, "")
    else:
        yield from _rest(statement, {"kind"}, f"{plain(kind)}, ")


def _kernel(kernel: Data) -> Iterator[tuple[str, Data]]:
    """The program of which a statement speaks, and what is not shown of it."""
    yield "kernel: ", kernel["program"]
    for case in kernel["cases"]:
        holds = plainly(case.get("holds", ()))
        given = " and ".join(f"{term(a)} {head} {term(b)} is {str(value).lower()}" for (head, a, b), value in holds)
        for key, said in (("closes", "not shown"), ("signs", "the signs of what is put in are not shown")):
            if case.get(key):
                yield f"{said} where {given}: ", case[key]


def _rest(table: Data, known: set[str], before: str) -> Iterator[tuple[str, Data]]:
    """The parts of a table under their names: statements as statements, anything else as data."""
    for key in sorted(set(table) - known):
        value, head = table[key], f"{before}{plain(key)}: "
        inside = dict(enumerate(value, 1)) if isinstance(value, list | tuple) else value
        if _is_statement(value):
            yield from ((head + inner, part) for inner, part in _parts(value))
        elif isinstance(inside, dict) and any(map(_is_statement, inside.values())):
            yield from _rest({str(name): item for name, item in inside.items()}, set(), head)
        else:
            yield head, value


def _is_statement(given: Data) -> bool:
    return isinstance(given, dict) and isinstance(given.get("kind"), str)


def _asserted(part: Data) -> str:
    """What one statement asserts, or data as text."""
    if not _is_statement(part):
        return part if isinstance(part, str) else term(part)
    return ASSERTED.get(part["kind"], _related)(part)


def _related(part: Data) -> str:
    """Two sides; matrices in an order are symmetric."""
    write, relation = WRITTEN.get(part["kind"], term), part.get("relation", "=")
    relation = relation if relation in RELATIONS else data(relation)
    is_order = part["kind"] == "loewner" and list(part["left"]["shape"]) != [1, 1]
    kind = " (as symmetric matrices)" if is_order else ""
    return f"{write(part['left'])} {relation} {write(part['right'])}{kind}"


def _limit(part: Data) -> str:
    """A limit, and where its variables go."""
    value = part["value"][0] if tuple(part["value"]) in INFINITE else term(part["value"])
    towards = part.get("towards", ["", ["q", "0"]])
    if tuple(towards) in INFINITE:
        goes = f"{plain(part['variables'][0])} -> {towards[0]}"
    else:
        side = f" from {towards[0]}" if towards[0] else ""
        goes = ", ".join(f"{plain(name)} -> {term(towards[1])}{side}" for name in part["variables"])
    return f"{term(part['expression'])} -> {value} as {goes}"


def _enclosed(part: Data) -> str:
    box = "".join(f", {plain(name)} in {data(ends)}" for name, ends in sorted(part["box"].items()))
    return f"{part['lower']} < {term(part['expression'])} < {part['upper']}{box}"


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


def _solution(part: Data) -> str:
    time = plain(part["time"])
    said = [paired(part["flow"], f"d{{}}/d{time} = {{}}", term, "; ")]
    said += [paired(part["start"], "{}(0) = {}", term, "; ")] if part["start"] else []
    solved = paired(part["solution"], "{} = {}", term, "; ")
    return f"{'; '.join(said)} is solved by {solved}, {_times(part['interval'], time)}"


def _times(interval: Data, time: str) -> str:
    """The interval of which a solution speaks."""
    match interval:
        case {"kind": "forever"}:
            return f"for {time} >= 0"
        case {"kind": "until", "end": end}:
            return f"for 0 <= {time} < {term(end)}"
        case {"kind": "while defined"}:
            return f"for {time} >= 0 while defined: on the part of the domain that contains the start"
    return data(interval)


def _average(part: Data) -> str:
    fields = list(map(plain, part["fields"]))

    def product(factors: Data) -> str:
        return "*".join(_of_field(factor, fields) for factor in factors)

    terms = " + ".join("*".join([f"({term(c)})", *([product(of)] if of else [])]) for c, of in part["integrand"])
    given = "".join(f"; {plain(name)} = <{product(of)}>" for name, of in sorted(part.get("given", {}).items()))
    rate = f"d/d{plain(part['rate'])} " if "rate" in part else ""
    return f"{rate}<{terms}> = {term(part['right'])}{given}"


def _of_field(factor: Data, fields: list[str]) -> str:
    """A factor of an average: a^2, step(a), ramp(a), delta(a), bell(a; w) = exp(-a^2/(2 w)), erf(a/sqrt(2 w))."""
    kind, place, *rest = factor
    match kind:
        case "power":
            return f"{fields[place]}^{rest[0]}"
        case "bell":
            return f"exp(-{fields[place]}^2/(2*{in_product(rest[0])}))"
        case "erf":
            return f"erf({fields[place]}/(2*{in_product(rest[0])})^(1/2))"
    return f"{'delta' if kind == 'point' else kind}({fields[place]})"


# --- trajectories -----------------------------------------------------------------------------------------------------


def _course(part: Data) -> str:
    """One line: the system; the start; what is said, with all exact numbers."""
    time, is_flow = plain(part["time"]), part["form"] == "flow"
    rates = paired(part["states"], f"d{{}}/d{time} = {{}}" if is_flow else f"{{}}({time} + 1) = {{}}", term, "; ")
    start = paired(part["start"], "{}(0) in {}", _interval, "; ")
    form = "" if is_flow else f" ({plain(part['form'])})"
    told = "; ".join(SAYS[said["that"]](said, time, is_flow) for said in part["says"])
    return f"every solution of {'; '.join(filter(None, (rates, start)))}{form} exists, and {told}"


def _interval(ends: Data) -> str:
    low, high = ends
    return f"[{low}, {high}]"


def _box(said: Data) -> str:
    return paired(said["box"], "{} in {}", _interval)


def _relation(said: Data) -> str:
    sign, left, right = said["relation"]
    return f"{term(left)} {sign} {term(right)}"


def _reached(said: Data, time: str, is_flow: bool) -> str:
    if is_flow:
        between = f"between {time} = {said['from']} and {said['to']}, and once until {said['to']}"
        return f"for the first time {between}: {_relation(said)}"
    _, left, right = said["relation"]
    kept = f"{term(left)} - ({term(right)}) keeps its sign until {time} = {said['from']}"
    return f"{kept}, and no longer has it by {said['to']}"


SAYS: dict[str, Callable[[Data, str, bool], str]] = {
    "ends": lambda said, time, _: f"at {time} = {said['at']}: {_box(said)}",
    "stays": lambda said, time, _: f"from {time} = {said['from']} to {said['to']}: {_relation(said)}",
    "reaches": _reached,
    "converges": lambda said, time, _: (
        f"from {time} = {said['by']} on: {_box(said)} with one point of rest, approached at the rate {said['rate']}"
    ),
}
"""A part of what is said that has no place in its sentence is left to the error of a missing key."""
ASSERTED: dict[str, Callable[[Data], str]] = {
    "limit": _limit,
    "enclosure": _enclosed,
    "solves": _solution,
    "trajectory": _course,
    "concluded": _concluded,
    "average": _average,
}
WRITTEN = {"words": words, "loewner": words, "sums": sums}


# --- hypotheses -------------------------------------------------------------------------------------------------------


def _supposed(part: Data) -> Iterator[tuple[str, str]]:
    """Of what a hypothesis speaks, and the hypothesis; an empty one where nothing is supposed of a subject."""
    for name, told in part.get("symbols", {}).items():
        strongest = [each for each in told if not any(each in IMPLIED.get(other, ()) for other in told)]
        yield name, f"{plain(name)} is {' and '.join(strongest)}" if strongest else ""
    yield from (("", term(relation)) for relation in part.get("assuming", ()))
    if part["kind"] == "average":
        yield from _gaussian(part)
    for name, declared in part.get("letters", {}).items():
        size = f"{plain(name)} is {data(declared['rows'])} x {data(declared['cols'])}"
        yield name, ", ".join([size, *_properties(declared, "rows", "cols")])
    for name, declared in part.get("arrays", {}).items():
        said = f"{plain(name)} has the ranges ({listed(declared['ranges'], data)})"
        told = declared["ranges"] or set(declared) != {"ranges"}
        yield name, ", ".join([said, *_properties(declared, "ranges")]) if told else ""
    for index, of in sorted(part.get("free", {}).items()):
        yield f"[{index}]", f"{plain(index)} runs over {data(of)}"
    write = sums if part["kind"] == "sums" else words
    yield from (("", _rule(rule, write)) for rule in part.get("rules", ()))
    yield from (("", _related({"kind": "loewner", **order})) for order in part.get("orders", ()))
    if part["kind"] != "concluded":
        for key in sorted(set(part) - SUPPOSED - KNOWN.get(part["kind"], set()) - HINTS):
            yield "", f"{plain(key)}: {data(part[key])}"


def _gaussian(part: Data) -> Iterator[tuple[str, str]]:
    """What the fields of an average are."""
    fields = list(map(plain, part["fields"]))
    rows = "; ".join(listed(row, term) for row in part["covariance"])
    yield "", f"{', '.join(fields)} are jointly Gaussian of mean zero with the covariance [{rows}]"
    if part["definite"]:
        chosen = ", ".join(fields[place] for place in part["definite"])
        yield "", f"the covariance of {chosen} is positive definite"


def _properties(declared: Data, *known: str) -> Iterator[str]:
    """What a letter or an array is declared to be."""
    for key in sorted(set(declared) - {*known}):
        if declared[key] is not False:
            yield key.replace("_", " ") + ("" if declared[key] is True else f" {words(declared[key])}")


def _rule(rule: Data, write: Callable[[Data], str]) -> str:
    free = paired(rule.get("free", {}), "{} over {}", data)
    rest = "".join(f", {plain(key)}: {data(rule[key])}" for key in sorted({*rule} - {"free", "left", "right", *HINTS}))
    return f"{write(rule['left'])} = {write(rule['right'])}{f' for all {free}' if free else ''}{rest}"
