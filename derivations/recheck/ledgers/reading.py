"""Statements as text for people: what is asserted, line by line, and everything that it supposes.

The checker prints for itself, so that what a page shows can be compared with the certificate behind it. Every part of a
statement appears but for hints to provers; a part that is not known here is printed as data, never left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256

from derivations.recheck.core.load import Data
from derivations.recheck.ledgers.courses import course
from derivations.recheck.ledgers.indexed import Indexed
from derivations.recheck.ledgers.matrices import Formulas

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*'?", re.ASCII)
LONGEST = 2000  # characters of a line; a longer one is cut, and its hash stands for the rest
HINTS = {"among", "squares", "oriented"}
SIDES = {"kind", "left", "right", "relation"}
SCALAR = {"symbols", "assuming"}
KNOWN = {
    "identity": SIDES | SCALAR,
    "sign": SIDES | SCALAR,
    "limit": {"kind", "expression", "value", "variables", "towards"} | SCALAR,
    "enclosure": {"kind", "expression", "lower", "upper", "box"} | SCALAR,
    "solves": {"kind", "time", "flow", "solution", "start", "interval"} | SCALAR,
    "trajectory": {"kind", "form", "time", "states", "start", "says"},
    "words": SIDES | {"letters", "rules"},
    "loewner": SIDES | {"letters", "rules", "orders"},
    "sums": SIDES | {"arrays", "free", "rules"},
    "average": {"kind", "fields", "covariance", "definite", "integrand", "given", "rate", "right"} | SCALAR,
}
"""What is printed in words of statements that stand on their own, by their kind."""
INFINITE = (("oo",), ("-oo",))
CONCLUDED = {"kind", "form", "symbols", "assuming", "letters", "rules"}  # of a conclusion, all that is no parameter
LOOSE = ("+", "*", "=", "!=", ">", ">=")  # what needs brackets inside a product
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
        for subject, said in _supposed(part):
            speaking.setdefault(subject, set()).add(number)
            if said:
                supposed.setdefault((subject, said), set()).add(number)
        speaking.setdefault("", set()).add(number)
    return [
        abridged(said if lines == speaking[subject] else f"{said} [in {', '.join(map(str, sorted(lines)))}]")
        for (subject, said), lines in supposed.items()
    ]


def abridged(line: str, longest: int = LONGEST) -> str:
    """A line, or its beginning with the length and the hash of the whole."""
    if len(line) <= longest:
        return line
    return f"{line[:longest]}... ({len(line)} characters, sha256 {sha256(line.encode()).hexdigest()})"


def _plain(name: Data) -> str:
    """A name as it is, or in quotes where it could be taken for more than a name."""
    return name if isinstance(name, str) and NAME.fullmatch(name) else json.dumps(name)


# --- parts ------------------------------------------------------------------------------------------------------------


def _parts(statement: Data) -> Iterator[tuple[str, Data]]:
    """The statements inside that stand on their own, each with what leads to it."""
    if statement["kind"] in KNOWN or statement["kind"] == "concluded":
        yield "", statement
    elif statement["kind"] == "by":  # its slots are what the conclusion is made of
        yield from (
            (f"by {_plain(statement['schema'])}, {inner}", part) for inner, part in _parts(statement["concludes"])
        )
        yield from _rest(statement, {"kind", "schema", "slots", "concludes", "among"}, "")
    elif statement["kind"] == "all":
        for part in statement["parts"]:
            yield from _parts(part)
        yield from _rest(statement, {"kind", "parts"}, "")
    else:
        yield from _rest(statement, {"kind"}, f"{_plain(statement['kind'])}, ")


def _rest(data: Data, known: set[str], before: str) -> Iterator[tuple[str, Data]]:
    """The parts of a table under their names: statements as statements, anything else as data."""
    for key in sorted(set(data) - known):
        value, head = data[key], f"{before}{_plain(key)}: "
        if _is_statement(value):
            yield from ((head + inner, part) for inner, part in _parts(value))
        elif isinstance(value, dict) and any(map(_is_statement, value.values())):
            yield from _rest(value, set(), head)
        elif isinstance(value, list | tuple) and any(map(_is_statement, value)):
            yield from _rest({str(place): item for place, item in enumerate(value, 1)}, set(), head)
        else:
            yield head, value


def _is_statement(data: Data) -> bool:
    return isinstance(data, dict) and isinstance(data.get("kind"), str)


def _asserted(part: Data) -> str:
    """What one statement asserts, or data as text."""
    if not _is_statement(part):
        return part if isinstance(part, str) else _term(part)
    match part["kind"]:
        case "limit":
            value = part["value"][0] if tuple(part["value"]) in INFINITE else _term(part["value"])
            return f"{_term(part['expression'])} -> {value} as {_goes(part)}"
        case "enclosure":
            box = "".join(f", {_plain(name)} in {_data(ends)}" for name, ends in sorted(part["box"].items()))
            return f"{part['lower']} < {_term(part['expression'])} < {part['upper']}{box}"
        case "solves":
            return _solution(part)
        case "trajectory":
            return course(part, _term, _plain)
        case "concluded":
            return _concluded(part)
        case "average":
            return _average(part)
    if part["kind"] == "loewner":
        return _ordered(part)
    write = {"words": _words, "sums": _sums}.get(part["kind"], _term)
    return f"{write(part['left'])} {part.get('relation', '=')} {write(part['right'])}"


def _ordered(part: Data) -> str:
    """An inequality between numbers, or between symmetric matrices."""
    kind = "" if list(part["left"]["shape"]) == [1, 1] else " (as symmetric matrices)"
    return f"{_words(part['left'])} {_data(part['relation'])} {_words(part['right'])}{kind}"


def _goes(limit: Data) -> str:
    """Where the variables of a limit go."""
    names = list(map(_plain, limit["variables"]))
    towards = limit.get("towards", ["", ["q", "0"]])
    if tuple(towards) in INFINITE:
        return f"{names[0]} -> {towards[0]}"
    side = f" from {towards[0]}" if towards[0] else ""
    return ", ".join(f"{name} -> {_term(towards[1])}{side}" for name in names)


def _concluded(part: Data) -> str:
    """The form of a conclusion, and all its parts by name."""
    polynomials = isinstance(part.get("letters"), dict)
    said = (f"{_plain(key)} = {_parameter(part[key], polynomials)}" for key in sorted(set(part) - CONCLUDED))
    return f"{_plain(part['form'])}: {'; '.join(said)}"


def _parameter(value: Data, polynomials: bool) -> str:
    """A formula, a polynomial in matrices, or a table or list of them."""
    if isinstance(value, dict) and set(value) not in ({"shape", "terms"}, {"shape", "formula"}):
        return f"{{{', '.join(f'{_plain(x)}: {_parameter(value[x], polynomials)}' for x in sorted(value))}}}"
    if isinstance(value, dict):
        return _words(value)
    if isinstance(value, list | tuple) and value and isinstance(value[0], list | tuple | dict):
        return f"[{', '.join(_parameter(item, polynomials) for item in value)}]"
    return _data(value) if polynomials else _term(value)


def _solution(part: Data) -> str:
    time = _plain(part["time"])
    said = [f"d{_plain(x)}/d{time} = {_term(rate)}" for x, rate in sorted(part["flow"].items())]
    said += [f"{_plain(x)}(0) = {_term(value)}" for x, value in sorted(part["start"].items())]
    solved = [f"{_plain(x)} = {_term(value)}" for x, value in sorted(part["solution"].items())]
    return f"{'; '.join(said)} is solved by {'; '.join(solved)}, {_times(part['interval'], time)}"


def _times(interval: Data, time: str) -> str:
    """The interval of which a solution speaks."""
    match interval:
        case {"kind": "forever"}:
            return f"for {time} >= 0"
        case {"kind": "until", "end": end}:
            return f"for 0 <= {time} < {_term(end)}"
        case {"kind": "while defined"}:
            return f"for {time} >= 0 while defined: on the part of the domain that contains the start"
    return _data(interval)


def _average(part: Data) -> str:
    fields = list(map(_plain, part["fields"]))
    terms = ["*".join([f"({_term(c)})", *(_of_field(f, fields) for f in of)]) for c, of in part["integrand"]]
    given = [
        f"; {_plain(name)} = <{'*'.join(_of_field(f, fields) for f in of)}>"
        for name, of in sorted(part.get("given", {}).items())
    ]
    rate = f"d/d{_plain(part['rate'])} " if "rate" in part else ""
    return f"{rate}<{' + '.join(terms)}> = {_term(part['right'])}{''.join(given)}"


def _of_field(factor: Data, fields: list[str]) -> str:
    """A factor of an average: a^2, step(a), ramp(a), delta(a), bell(a; w) = exp(-a^2/(2 w)), erf(a/sqrt(2 w))."""
    kind, place, *rest = factor
    match kind:
        case "power":
            return f"{fields[place]}^{rest[0]}"
        case "bell":
            return f"exp(-{fields[place]}^2/(2*{_factor(rest[0])}))"
        case "erf":
            return f"erf({fields[place]}/(2*{_factor(rest[0])})^(1/2))"
    return f"{'delta' if kind == 'point' else kind}({fields[place]})"


# --- hypotheses -------------------------------------------------------------------------------------------------------


def _supposed(part: Data) -> Iterator[tuple[str, str]]:
    """Of what a hypothesis speaks, and the hypothesis; an empty one where nothing is supposed of a subject."""
    if not _is_statement(part):
        return
    for name, told in part.get("symbols", {}).items():
        strongest = [each for each in told if not any(each in IMPLIED.get(other, ()) for other in told)]
        yield name, f"{_plain(name)} is {' and '.join(strongest)}" if strongest else ""
    for relation in part.get("assuming", ()):
        yield "", _term(relation)
    if part["kind"] == "average":
        yield from _gaussian(part)
    for name, declared in part.get("letters", {}).items():
        yield name, _declared(name, declared)
    for name, declared in part.get("arrays", {}).items():
        rest = [_property(key, value) for key, value in sorted(declared.items()) if key != "ranges"]
        said = f"{_plain(name)} has the ranges ({', '.join(map(_data, declared['ranges']))})"
        yield name, ", ".join([said, *filter(None, rest)]) if rest or declared["ranges"] else ""
    for index, of in sorted(part.get("free", {}).items()):
        yield f"[{index}]", f"{_plain(index)} runs over {_data(of)}"
    for rule in part.get("rules", ()):
        yield "", _rule(rule, _sums if part["kind"] == "sums" else _words)
    for order in part.get("orders", ()):
        yield "", _ordered(order)
    stated = set(part) if part["kind"] == "concluded" else KNOWN.get(part["kind"], set())
    for key in sorted(set(part) - stated - HINTS):
        yield "", f"{_plain(key)}: {_data(part[key])}"


def _gaussian(part: Data) -> Iterator[tuple[str, str]]:
    """What the fields of an average are."""
    fields = list(map(_plain, part["fields"]))
    rows = "; ".join(", ".join(map(_term, row)) for row in part["covariance"])
    yield "", f"{', '.join(fields)} are jointly Gaussian of mean zero with the covariance [{rows}]"
    if part["definite"]:
        chosen = ", ".join(fields[place] for place in part["definite"])
        yield "", f"the covariance of {chosen} is positive definite"


def _declared(name: str, declared: Data) -> str:
    """The size of a letter, and each property that it is declared to have."""
    size = f"{_plain(name)} is {_data(declared['rows'])} x {_data(declared['cols'])}"
    rest = [_property(key, value) for key, value in sorted(declared.items()) if key not in ("rows", "cols")]
    return ", ".join([size, *filter(None, rest)])


def _property(key: str, value: Data) -> str:
    if value is True:
        return key.replace("_", " ")
    if value is False:
        return ""
    return f"{key.replace('_', ' ')} {_words(value)}"


def _rule(rule: Data, write: Callable[[Data], str]) -> str:
    free = ", ".join(f"{_plain(index)} over {_data(of)}" for index, of in sorted(rule.get("free", {}).items()))
    rest = "".join(
        f", {_plain(key)}: {_data(rule[key])}" for key in sorted(set(rule) - {"free", "left", "right", *HINTS})
    )
    return f"{write(rule['left'])} = {write(rule['right'])}{f' for all {free}' if free else ''}{rest}"


# --- formulas ---------------------------------------------------------------------------------------------------------


def _term(term: Data) -> str:
    """A formula of numbers; a head that has no sign of its own is written like a function."""
    if not isinstance(term, list | tuple) or not term or not isinstance(term[0], str):
        return _data(term)
    head, *parts = term
    if head == "s" and len(parts) == 1:
        return _plain(parts[0])
    if head == "q" and len(parts) == 1:
        return str(parts[0])
    if head == "+" and parts:
        return _added(map(_term, parts))
    if head == "*" and parts:
        return _product(parts)
    if head == "^" and len(parts) == 2:
        return f"{_factor(parts[0], base=True)}^{_factor(parts[1], base=True)}"
    if head in ("=", "!=", ">", ">=") and len(parts) == 2:
        return f"{_term(parts[0])} {head} {_term(parts[1])}"
    if head == "D" and len(parts) == 2 and isinstance(parts[1], str):
        return f"d/d{_plain(parts[1])}({_term(parts[0])})"
    if head == "at" and len(parts) == 2 and isinstance(parts[1], list | tuple):
        return f"({_term(parts[0])} at {', '.join(map(_replacement, parts[1]))})"
    return f"{_plain(head)}({', '.join(map(_term, parts))})" if parts else _plain(head)


def _replacement(pair: Data) -> str:
    if isinstance(pair, list | tuple) and len(pair) == 2:
        return f"{_plain(pair[0])} = {_term(pair[1])}"
    return _data(pair)


def _added(texts: Iterable[str]) -> str:
    first, *others = texts
    return first + "".join(f" - {text[1:]}" if text.startswith("-") else f" + {text}" for text in others)


def _product(factors: list[Data]) -> str:
    """Factors in their order, those with negative powers behind a bar."""
    above, sign = list(factors), ""
    if list(above[0]) == ["q", "-1"] and len(above) > 1:
        sign, above = "-", above[1:]
    text = "1" if _power(above[0]) else ""
    for place, factor in enumerate(above):
        power = _power(factor)
        if power:
            text += f"/{_factor(factor[1] if power == '1' else ['^', factor[1], ['q', power]])}"
        else:
            text += f"{'*' if place else ''}{_factor(factor)}"
    return sign + text


def _power(factor: Data) -> str:
    """The power of a divisor, without its sign; nothing for any other factor."""
    is_power = isinstance(factor, list | tuple) and len(factor) == 3 and factor[0] == "^"
    exponent = factor[2] if is_power else None
    if isinstance(exponent, list | tuple) and len(exponent) == 2 and exponent[0] == "q":
        return exponent[1].removeprefix("-") if str(exponent[1]).startswith("-") else ""
    return ""


def _factor(term: Data, base: bool = False) -> str:
    """A formula inside a product, or as a base or an exponent: in brackets where it would be read otherwise."""
    text = _term(term)
    head = term[0] if isinstance(term, list | tuple) and term else ""
    is_loose = head in LOOSE or (base and head == "^") or (head == "q" and "/" in text) or text.startswith("-")
    return f"({text})" if is_loose else text


def _words(side: Data) -> str:
    """A formula about matrices, or a polynomial in words: scalars in brackets, ' for the transpose."""
    if isinstance(side, dict) and set(side) == {"shape", "formula"}:
        return Formulas(_words, _letter, _data).text(side["formula"])
    if not (isinstance(side, dict) and set(side) == {"shape", "terms"}):
        return _data(side)
    written = _polynomial([_monomial(item, _word) for item in side["terms"]])
    rows, cols = side["shape"]
    spelt = rows == cols == 1 or any(len(item) == 3 and item[2] for item in side["terms"])
    return written if spelt else f"{written} ({_data(rows)} x {_data(cols)})"


def _word(scalars: Data, word: Data) -> list[str]:
    """The factors of one monomial."""
    return [*(f"({' '.join(map(_letter, scalar))})" for scalar in scalars), *map(_letter, word)]


def _letter(letter: Data) -> str:
    if isinstance(letter, str) and letter.endswith("(") and NAME.fullmatch(letter[:-1]):
        return f"{letter[:-1]} of"
    return _plain(letter) if isinstance(letter, str) else _data(letter)


def _sums(side: Data) -> str:
    """A formula about sums, or a polynomial in entries: a summed index is named after its range."""
    if isinstance(side, dict) and set(side) == {"formula"}:
        return Indexed(_sums, _entry, _data).text(side["formula"])
    if not isinstance(side, list | tuple):
        return _data(side)
    return _polynomial([_monomial(item, _summed) for item in side])


def _summed(ranges: Data, entries: Data) -> list[str]:
    names = [f"{_data(of).lower()}{place}" for place, of in enumerate(ranges, 1)]
    over = [f"sum_({', '.join(f'{name} of {_data(of)}' for name, of in zip(names, ranges, strict=True))})"]
    return [*over * bool(names), *(_entry(item, names) for item in entries)]


def _entry(item: Data, names: list[str]) -> str:
    if not isinstance(item, list | tuple) or not item or not isinstance(item[0], str):
        return _data(item)
    places = [
        names[place] if isinstance(place, int) and 0 <= place < len(names) else _data(place) for place in item[1:]
    ]
    return f"{_plain(item[0])}[{', '.join(places)}]" if places else _plain(item[0])


def _monomial(item: Data, factors: Callable[[Data, Data], list[str]]) -> tuple[str, str]:
    """The coefficient of a monomial and its factors."""
    if isinstance(item, list | tuple) and len(item) == 3 and isinstance(item[0], str):
        return item[0], " ".join(factors(item[1], item[2]))
    return "1", _data(item)


def _polynomial(terms: list[tuple[str, str]]) -> str:
    texts = []
    for number, body in terms:
        head = {"1": "", "-1": "-"}.get(number, f"{number} ") if body else number
        texts.append(head + body)
    return _added(texts) if texts else "0"


def _data(data: Data) -> str:
    """Data as it is, with the keys of tables in order; names stand without quotes."""
    if isinstance(data, str):
        return _plain(data)
    if isinstance(data, list | tuple):
        return f"[{', '.join(map(_data, data))}]"
    if isinstance(data, dict):
        return f"{{{', '.join(f'{_plain(key)}: {_data(data[key])}' for key in sorted(data))}}}"
    return json.dumps(data)
