"""Statements as text for people: a sentence, what it asserts line by line, and everything that it supposes.

The checker prints for itself, and everyone shows what it prints, so that a page can be compared with the certificate
behind it. Every part of a statement appears but for hints to provers; a part that its phrase does not name is printed
as data, never left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain

from derivations.recheck.core.load import Data
from derivations.recheck.ledgers.formulas import (
    MISFITS,
    PHRASES,
    WRITERS,
    data,
    listed,
    plain,
    sums,
    term,
    words,
)
from derivations.recheck.ledgers.programs import edges_told, in_names
from derivations.recheck.ledgers.shorter import (
    SUPPOSED,
    definitions,
    one_flow,
    put_in_once,
    said,
    still,
    with_letters,
    without_zeros,
)
from derivations.recheck.ledgers.writers import INFINITE, is_statement

LONGEST = 2000  # characters of a line; a longer one is cut, and its hash stands for the rest
LONG_HEAD = 300  # characters of what letters stand for; more than these follow the last line
HINTS = {"among", "squares", "oriented"}
KNOWN = {kind: phrase.keys for kind, phrase in PHRASES["statements"].items()}
KNOWN["average"] |= {"covariance", "definite"}
"""Fields that are printed in words, by the kind of the statement, beside those that it supposes."""
PAST = (["nonnegative"], ("nonnegative",))  # of times
BY = re.compile(r"^by [^ ].*?, (?=$|it is not|by )")
IMPLIED = {"positive": {"nonnegative", "nonzero"}, "negative": {"nonpositive", "nonzero"}}


Case = frozenset[tuple[str, bool]]  # conditions of a program, and whether they hold


@dataclass(frozen=True)
class Given:
    """One thing that is supposed: of what, as a ledger has it, and as a sentence has it among others of its group."""

    subject: str
    said: str = ""
    group: str = ""
    short: str = ""


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
    everywhere, of_lines = _givens([part for _, part in _parts(statement)])
    return [
        abridged(given.said if not lines else f"{given.said} [in {', '.join(map(str, sorted(lines)))}]")
        for given, lines in [*((given, set()) for given in everywhere), *of_lines.items()]
        if given.said
    ]


def sentence(statement: Data) -> tuple[str, list[str]]:
    """Return for what a statement speaks, and what it says of that, a line for each of its parts.

    >>> x, h = ["s", "x"], ["s", "h"]
    >>> symbols = {"x": [], "h": ["positive", "nonzero"]}
    >>> tending = {"kind": "limit", "symbols": symbols, "assuming": [], "variables": ["h"], "value": x}
    >>> sentence({**tending, "expression": ["+", x, h], "towards": ["above", ["q", "0"]]})
    ('For all h > 0 and real x', ['x + h tends to x as h goes to 0 from above'])
    """
    heads, parts = map(list, zip(*((before, without_zeros(part)) for before, part in _parts(statement)), strict=True))
    flow = one_flow([part for part in parts if is_statement(part) and part["kind"] == "words"])
    parts, puts = map(list, zip(*(_apart(part, flow) for part in parts), strict=True))
    parts, named = with_letters(parts)
    everywhere, of_lines = _givens(parts)
    lines: dict[str, int] = {}
    for number, (before, part, put) in enumerate(zip(heads, parts, puts, strict=True), 1):
        own = _for_all([given for given, lines in of_lines.items() if number in lines])
        own = f", {'if ' + own[5:] if own.startswith('with ') else own[:1].lower() + own[1:]}" if own else ""
        line = BY.sub("", before) + _asserted(part) + put + own
        lines[line] = lines.get(line, 0) + 1
    statements = [part for part in parts if is_statement(part)]
    bound = {name for part in statements for name in _bound(part)}
    free = {name for part in statements for name in {*map(plain, part.get("symbols", ()))} - _bound(part)}
    supposed = _for_all([given for given in everywhere if given.subject not in bound - free])
    moving = f"along {WRITERS['matrix_rates'](flow)}" if flow else ""
    writing = f"writing {said(named)}" if named else ""
    every = [line if times == 1 else f"{line} ({times} times)" for line, times in lines.items()]
    every += [writing] if len(writing) > LONG_HEAD else []
    return ", ".join(filter(None, (supposed, moving, writing if len(writing) <= LONG_HEAD else ""))), every


def _apart(part: Data, flow: Data) -> tuple[Data, str]:
    """A part without the values that are put into its sides, nor a flow that is said for all, and these values."""
    if not is_statement(part) or part["kind"] not in ("identity", "sign", "words"):
        return part, ""
    if part["kind"] != "words":
        (left, right), put = put_in_once(part["left"], part["right"])
        return {**part, "left": left, "right": right}, _at("values", put)
    sides = [part[side]["formula"] for side in ("left", "right")]
    (left, right), put = put_in_once(*(still(*sides)[0] if flow else sides), beside=definitions(part))
    pair = {side: {**part[side], "formula": each} for side, each in (("left", left), ("right", right))}
    return {**part, **pair}, _at("matrix_values", put)


def _at(write: str, put: Data) -> str:
    return f" at {WRITERS[write](put)}" if put else ""


def _bound(part: Data) -> set[str]:
    """Names of numbers that a sentence says for itself: what goes somewhere in a limit, and what moves in time."""
    symbols = part.get("symbols", {})
    if part["kind"] == "limit":
        is_told = tuple(part.get("towards", ())) in ((), *INFINITE)
        known = {name: symbols.get(name, ()) for name in part["variables"]}
        return {plain(name) for name, flags in known.items() if not flags or (is_told and "positive" in flags)}
    if part["kind"] == "solves":
        moving = {name for name in part["flow"] if not symbols.get(name)}
        return {plain(name) for name in (*moving, *([part["time"]] if symbols.get(part["time"]) in PAST else []))}
    return set()


def _givens(parts: list[Data]) -> tuple[list[Given], dict[Given, set[int]]]:
    """Return what every line supposes that speaks of its subject, and what only some do, with their numbers."""
    supposed: dict[Given, set[int]] = {}
    speaking: dict[tuple[str, str], set[int]] = {}  # the lines that speak of a subject; of "", all of them
    for number, part in enumerate(parts, 1):
        for given in chain(_supposed(part) if is_statement(part) else (), [Given("")]):
            speaking.setdefault(_spoken(given), set()).add(number)
            if given.said or given.group:
                supposed.setdefault(given, set()).add(number)
    everywhere = [given for given, lines in supposed.items() if lines == speaking[_spoken(given)]]
    return everywhere, {given: lines for given, lines in supposed.items() if given not in everywhere}


def _spoken(given: Given) -> tuple[str, str]:
    """The subject; sizes and indices may have the name of a letter."""
    return given.group if given.group in ("size", "index") else "", given.subject


PROPERTIES = {"orthonormal_columns": "with orthonormal columns"}
SIGNS = {"positive": "> 0", "nonnegative": ">= 0", "negative": "< 0", "nonpositive": "<= 0", "nonzero": "!= 0"}
NOUNS = {
    "size": "sizes",
    "number": "",
    "matrix": "matrices",
    "vector": "vectors",
    "array": "arrays",
    "index": "indices",
}


def _for_all(givens: list[Given]) -> str:
    """The quantifier: sizes, numbers, matrices, arrays and indices by what they are, then relations and abbreviations.

    >>> _for_all([Given("x", "", "number", "> 0"), Given("w", "", "number"), Given("", "x > w", "with", "x > w")])
    'For all x > 0 and real w with x > w'
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for given in sorted((g for g in givens if g.group in NOUNS), key=_place):
        alike.setdefault((given.group, given.short), []).append(given.subject)
    first = {noun: kind for kind in reversed(alike) for noun in kind[:1]}
    told = {kind: _letters(*kind, names, is_first=first[kind[0]] == kind) for kind, names in alike.items()}
    sizes, others = told.pop(("size", ""), ""), _enumerated([*told.values()])
    text = f"For all {sizes}{', and all ' * bool(sizes and others)}{others}" if alike else ""
    for group in ("with", "where"):
        if said := [given.short for given in givens if given.group == group]:
            text += f"{',' if group == 'where' and text else ''} {group} {_enumerated(said)}"
    return text.strip()


def _place(given: Given) -> tuple[int, int]:
    """Where a letter stands among others: by what it is; of numbers, those with a sign come first."""
    signs = [*SIGNS.values(), ""]
    return [*NOUNS].index(given.group), signs.index(given.short) if given.short in signs else -1


def _letters(noun: str, short: str, names: list[str], *, is_first: bool) -> str:
    """Letters of one kind, after its name where they are the first of it."""
    if noun == "number":
        return f"{', '.join(names)} {short}" if short else f"real {', '.join(names)}"
    if noun == "size":
        return f"{NOUNS[noun]} {_enumerated(names)}"
    after = f" {short}" if noun == "index" else f" ({short})" if short else ""
    return f"{NOUNS[noun]} " * is_first + ", ".join(names) + after


def _enumerated(items: list[str]) -> str:
    """Items in a row, with "and" before the last one."""
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else "".join(items)


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
        yield from _kernel(statement["kernel"]) if "kernel" in statement else ()
        yield from chain.from_iterable(map(_parts, statement["parts"]))
        yield from _remaining(statement, {"kind", "parts", "kernel"}, "")
    elif kind == "argued":
        for name in sorted(statement["needs"]):
            yield from _parts(statement["needs"][name])
        yield "a person argues: ", statement["says"]
        yield from _remaining(statement, {"kind", "needs", "says"}, "")
    elif kind == "not":
        yield from (("it is not so that " + inner, part) for inner, part in _parts(statement["of"]))
        yield from _remaining(statement, {"kind", "of"}, "")
    else:
        yield from _remaining(statement, {"kind"}, f"{plain(kind)}, ")


def _kernel(kernel: Data) -> Iterator[tuple[str, Data]]:
    """The program of which a statement speaks, what it is shown to return, and what is not shown of it."""
    supposed = [term(relation) for relation in in_names(kernel.get("domain", ()))]
    domain = f" where {_enumerated(supposed)}" if supposed else ""
    yield "", f"what follows is of the program with the sha256 {kernel['program']}, called{domain or ' anywhere'}"
    yield from (("nothing is shown where ", edge) for edge in edges_told(kernel))
    equal: dict[str, tuple[list[Case], Data]] = {}
    for case in kernel["cases"]:
        holds = case.get("holds", ())
        names = map(term, in_names([c for c, _ in holds]))
        given = frozenset((name, value) for name, (_, value) in zip(names, holds, strict=True))
        if "solution" in case or "calls" in case:
            yield from _calls(case)
        elif "where" in case:
            for name, side, slot in case["returns"]:
                put = [f"{plain(x)} = {term(value)}" for x, value in case["where"] if list(value) != ["s", x]]
                place, *keys = slot
                of = f" ({' of '.join(map(plain, keys))} in part {place + 1} of {plain(case['claim'])})"
                after = f"{' at ' * bool(put)}{', '.join(put)}{of}"
                part = {"kind": "returned", "name": name, "side": side, "after": after, "assuming": case["given"]}
                equal.setdefault(json.dumps(part), ([], part))[0].append(given)
        else:
            yield f"it is never called{_cases([given])}", ""
    for conditions, part in equal.values():
        yield "it returns ", {**part, "after": part["after"] + _cases(conditions)}


def _cases(cases: list[Case]) -> str:
    """In which cases of a program something is so: those that differ in one condition alone are one."""
    while pair := next(((one, other) for one in cases for other in cases if _differ_in_one(one, other)), None):
        cases = [*(case for case in cases if case not in pair), pair[0] & pair[1]]
    said = [" and ".join(f"{name} is {str(value).lower()}" for name, value in sorted(case)) for case in cases]
    return f", where {', or '.join(said)}" if all(said) else ""


def _differ_in_one(one: Case, other: Case) -> bool:
    different = one ^ other
    return len(different) == 2 and len({name for name, _ in different}) == 1


def _calls(case: Data) -> Iterator[tuple[str, Data]]:
    """The returns of a kernel of arrays, what its arrays and reciprocals are called, and what its calls stand for."""
    yield "it returns the left sides below: ", f"{', '.join(map(plain, case['returns']))} for {plain(case['claim'])}"
    for name, rows in case.get("solution", ()):
        yield f"{plain(name)} is the solution: ", "; ".join(", ".join(map(plain, row)) for row in rows)
    for name, rows in case.get("letters", ()):
        blocks = "; ".join(", ".join(words(side) for side in row) for row in rows)
        yield "letters: ", f"{plain(name)} is [{blocks}]"
    for name, side in case.get("exponents", ()):
        yield "exponents: ", f"{plain(name)} has {words(side)}"
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
        if is_statement(value):
            yield from ((head + inner, part) for inner, part in _parts(value))
        elif isinstance(inside, dict) and any(map(is_statement, inside.values())):
            yield from _remaining({str(name): item for name, item in inside.items()}, set(), head)
        else:
            yield head, value


def _asserted(part: Data) -> str:
    """Return what one statement asserts, or data as text."""
    if not is_statement(part):
        return part if isinstance(part, str) else term(part)
    if part["kind"] == "returned":
        return f"{plain(part['name'])} = {term(part['side'])}{part['after']}"
    return _concluded(part) if part["kind"] == "concluded" else PHRASES["statements"][part["kind"]].filled(part)


def _concluded(part: Data) -> str:
    """The conclusion by the phrase of its form; where none names all its parts, these follow by name."""
    parts = {key: part[key] for key in sorted(set(part) - SUPPOSED - {"form"})}
    phrase = PHRASES["conclusions"].get(part["form"])
    if phrase and parts.keys() <= phrase.keys:
        try:
            return phrase.filled({**parts, "symbols": part.get("symbols", {})})
        except MISFITS:
            pass
    return f"{plain(part['form'])}: {'; '.join(f'{plain(key)} = {data(value)}' for key, value in parts.items())}"


# --- hypotheses -------------------------------------------------------------------------------------------------------


def _supposed(part: Data) -> Iterator[Given]:
    """Everything that one statement supposes; of what nothing is supposed of, that it is there."""
    for size in dict.fromkeys(_sizes(part)):
        yield Given(plain(size), "", "size")
    for name, flags in part.get("symbols", {}).items():
        strongest = [each for each in flags if not any(each in IMPLIED.get(other, ()) for other in flags)]
        said = f"{plain(name)} is {' and '.join(strongest)}" if strongest else ""
        yield Given(plain(name), said, "number", ", ".join(SIGNS.get(each, each) for each in strongest))
    for relation in part.get("assuming", ()):
        yield Given("", term(relation), "with", term(relation))
    if part["kind"] == "average":
        yield _related_by(PHRASES["supposed"]["average"].filled(part), "where")
        if part["definite"]:
            chosen = ", ".join(plain(part["fields"][place]) for place in part["definite"])
            yield _related_by(f"the covariance of {chosen} is positive definite", "where")
    letters = part.get("letters", {})
    for name, declared in letters.items():
        size = f"{data(declared['rows'])} x {data(declared['cols'])}"
        said = ", ".join([f"{plain(name)} is {size}", *_properties(declared, "rows", "cols")])
        yield Given(plain(name), said, *_as_letter(name, declared, letters, size))
    for name, declared in part.get("arrays", {}).items():
        properties = [*_properties(declared, "ranges")]
        is_number = not declared["ranges"] and not properties
        said = ", ".join([f"{plain(name)} has the ranges ({listed(declared['ranges'], data)})", *properties])
        short = ", ".join([" x ".join(map(data, declared["ranges"])), *properties])
        yield Given(plain(name), "" if is_number else said, *(("number", "") if is_number else ("array", short)))
    for index, of in sorted(part.get("free", {}).items()):
        yield Given(plain(index), f"{plain(index)} runs over {data(of)}", "index", f"of {data(of)}")
    write = sums if part["kind"] == "sums" else words
    for rule in part.get("rules", ()):
        yield _related_by(_orthonormal(rule) or _rule(rule, write), "with", _rule(rule, write))
    for order in part.get("orders", ()):
        yield _related_by(PHRASES["statements"]["loewner"].filled(order), "with")
    if part["kind"] not in ("concluded", "returned"):
        for key in sorted(set(part) - SUPPOSED - KNOWN.get(part["kind"], set()) - HINTS):
            yield _related_by(f"{plain(key)}: {data(part[key])}", "with")


def _related_by(short: str, group: str, said: str = "") -> Given:
    return Given("", said or short, group, short)


def _sizes(part: Data) -> Iterator[str]:
    """The names of the numbers of rows, columns and places."""
    for declared in part.get("letters", {}).values():
        yield from (size for size in (declared["rows"], declared["cols"]) if isinstance(size, str))
    for declared in part.get("arrays", {}).values():
        yield from (size for size in declared["ranges"] if isinstance(size, str))
    yield from (of for of in part.get("free", {}).values() if isinstance(of, str))


def _as_letter(name: str, declared: Data, letters: Data, size: str) -> tuple[str, str]:
    """The group of a letter for numbers or matrices, and how it is told there; one that is defined needs no size."""
    is_number = size == "1 x 1"
    inverted = (declared.get("inverse_of") or {}).get("formula", ("", ""))[-1]
    base = letters.get(inverted, {}) if isinstance(inverted, str) else {}
    known = {"rows", "cols", "inverse_of", "equals"} | ({"symmetric"} if is_number else set())
    known |= {key for key in ("symmetric", "diagonal", "positive", "nonzero") if base.get(key)}
    known |= {"symmetric"} if declared.get("diagonal") else set()
    properties = [*_properties(declared, *known)]
    if "inverse_of" in declared:
        of = words(declared["inverse_of"])
        return "where", ", ".join(
            [f"{plain(name)} = 1/{of}" if is_number else f"{plain(name)} is the inverse of {of}", *properties]
        )
    if "equals" in declared:
        return "where", ", ".join([f"{plain(name)} = {words(declared['equals'])}", *properties])
    if is_number:
        return "number", ", ".join(SIGNS.get(each, each) for each in properties)
    rows, cols = data(declared["rows"]), declared["cols"]
    return ("vector", ", ".join([rows, *properties])) if cols == 1 else ("matrix", ", ".join([size, *properties]))


def _orthonormal(rule: Data) -> str:
    """An equation that says of the columns or rows of a matrix that they are orthonormal; nothing for another one."""
    if set(rule) - {"left", "right", *HINTS} or not isinstance(rule["left"], dict):
        return ""
    match rule["left"]["formula"], rule["right"]["formula"]:
        case ("@", ("T", ("L", name)), ("L", other)), ("I", _) if name == other:
            return f"orthonormal columns of {plain(name)}"
        case ("@", ("L", name), ("T", ("L", other))), ("I", _) if name == other:
            return f"orthonormal rows of {plain(name)}"
    return ""


def _properties(declared: Data, *known: str) -> Iterator[str]:
    """Return what a letter or an array is declared to be."""
    for key in sorted(set(declared) - {*known}):
        match declared[key]:
            case True:
                yield PROPERTIES.get(key, key.replace("_", " "))
            case list() | tuple() as names:
                yield f"{key.replace('_', ' ')} {_enumerated([data(each) for each in names])}"
            case formula if formula is not False:
                yield f"{key.replace('_', ' ')} {words(formula)}"


def _rule(rule: Data, write: Callable[[Data], str]) -> str:
    free = WRITERS["indices"](rule.get("free", {}))
    more = "".join(f", {plain(key)}: {data(rule[key])}" for key in sorted({*rule} - {"free", "left", "right", *HINTS}))
    return f"{write(rule['left'])} = {write(rule['right'])}{f' for all {free}' if free else ''}{more}"
