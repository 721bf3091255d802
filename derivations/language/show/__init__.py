"""Formulas and statements as people read them: as plain text and as LaTeX.

The printer of terms, of trees that the LaTeX reader makes, of words, of sums, and of whole statements. It works on the
plain data that certificates hold, so it imports nothing that decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from math import prod
from typing import Any

from derivations.language import names
from derivations.language.show import conclusions, indexed, matrices, places, trajectories

Json = Any  # a certificate's data, or the same data with tuples in place of lists

INFIX = {
    "=": ("=", "="), "!=": ("!=", r"\neq"), ">": (">", ">"), ">=": (">=", r"\geq"), ">>": (">>", r"\gg"),
    "~": ("~", r"\sim"), "propto": ("∝", r"\propto"), "to": ("->", r"\to"), "approx": ("≈", r"\approx"),
    "in": ("in", r"\in"), "implies": ("=>", r"\implies"), "and": ("and", r"\wedge"), "or": ("or", r"\vee"),
    "pm": ("±", r"\pm"), "mp": ("∓", r"\mp"), "kron": ("⊗", r"\otimes"),
}  # fmt: skip
LOOSE = ("+", "*", "D", "dt", "at", "sum", "prod", "chain", *INFIX)  # what needs brackets inside a product
MATRICES = ("T", "matrix", "kron", "pinv")
DECIMAL = re.compile(r"-?\d+\.\d+")
LONG_NUMBER = 24  # characters; a longer decimal is cut
DIGITS = 12


# --- terms as text ----------------------------------------------------------------------------------------------------


def plain(term: Any) -> str:
    """A term, or a tree of the LaTeX reader, on one line.

    >>> plain(("+", ("s", "x"), ("*", ("q", "-1"), ("^", ("s", "y"), ("q", "-2")))))
    'x - 1/y^2'
    """
    if not isinstance(term, tuple | list):
        return str(term)
    if not term or isinstance(term[0], tuple | list):
        return f"[{', '.join(map(plain, term))}]"
    head, *parts = term
    match head:
        case "s" | "q":
            return str(parts[0])
        case "pi" | "oo" | "none":
            return str(head)
        case "+":
            return " + ".join(map(plain, parts)).replace("+ -", "- ")
        case "*":
            sign, above, below = _fraction(term)
            first = plain(above[0]) if above and above[0][0] == "*" and not sign else ""  # a product goes on by itself
            factors = [first, *map(_factor, above[1:])] if first else map(_factor, above)
            return sign + ("*".join(factors) or "1") + "".join(f"/{_factor(f)}" for f in below)
        case "^" if tuple(parts[1]) == ("q", "1/2"):
            return f"sqrt({plain(parts[0])})"
        case "^":
            return f"{_base(parts[0])}^{_factor(parts[1])}"
        case "T":
            return f"{_base(parts[0])}'"
        case "D" | "dt" if parts[0][0] == "s":
            return f"d{parts[0][1]}/d{parts[1]}"
        case "D" | "dt":
            return f"d/d{parts[1]} [{plain(parts[0])}]"
        case "mean":
            return f"<{plain(parts[0])}>"
        case "norm2":
            return f"|{plain(parts[0])}|^2"
        case "at":
            return f"[{plain(parts[0])}] at " + ", ".join(f"{n} = {plain(v)}" for n, v in parts[1])
        case "chain":
            return " ".join(INFIX[p][0] if isinstance(p, str) else _side(p) for p in parts)
        case "sum" | "prod" if all(p[0] == "index" for p in parts[1:]):
            return f"{head}_{{{', '.join(map(_range, parts[1:]))}}} {_factor(parts[0])}"
        case "call":
            return f"{parts[0]}({', '.join(map(plain, parts[1:]))})"
    if head in INFIX:
        return f" {INFIX[head][0]} ".join(map(_side, parts))
    return f"{head}({', '.join(map(plain, parts))})"


def _fraction(term: Any) -> tuple[str, list[Any], list[Any]]:
    """The sign of a product, what stands above the fraction bar, and what stands below; matrices keep their order."""
    factors, sign = list(term[1:]), ""
    if factors[0][0] == "q" and factors[0][1].startswith("-") and len(factors) > 1:
        size = factors[0][1].removeprefix("-")
        sign, factors = "-", [("q", size)] * (size != "1") + factors[1:]
    if not any(map(_is_reciprocal, factors)) or _holds_matrices(term):
        return sign, factors, []
    return sign, [f for f in factors if not _is_reciprocal(f)], [_inverted(f) for f in factors if _is_reciprocal(f)]


def _holds_matrices(tree: Any) -> bool:
    if not isinstance(tree, tuple | list) or not tree:
        return False
    return tree[0] in MATRICES or any(map(_holds_matrices, tree))


def _is_reciprocal(term: Any) -> bool:
    return bool(term[0] == "^" and term[2][0] == "q" and term[2][1].startswith("-"))


def _inverted(term: Any) -> Any:
    power = -Fraction(term[2][1])
    return term[1] if power == 1 else ("^", term[1], ("q", str(power)))


def _factor(term: Any) -> str:
    text = plain(term)
    is_number = term[0] == "q" and not text.isdigit()
    return f"({text})" if term[0] in LOOSE or is_number or text.startswith("-") else text


def _base(term: Any) -> str:
    text = _factor(term)
    return f"({text})" if term[0] == "^" and tuple(term[2]) != ("q", "1/2") else text


def _side(term: Any) -> str:
    return f"({plain(term)})" if term[0] in INFIX or term[0] == "chain" else plain(term)


def _range(bound: Any) -> str:
    _, name, lower, upper = bound
    start = "" if tuple(lower) == ("none",) else f" = {plain(lower)}"
    return f"{name}{start}" if tuple(upper) == ("none",) else f"{name}{start}..{plain(upper)}"


# --- terms as LaTeX ---------------------------------------------------------------------------------------------------


def latex(term: Any) -> str:
    r"""A term as LaTeX.

    >>> latex(("*", ("q", "1/2"), ("^", ("s", "tau_h"), ("q", "-1")), ("s", "w")))
    '\\frac{w}{2 \\tau_{h}}'
    """
    match term[0]:
        case "s":
            return names.latex(term[1])
        case "q":
            return ("-" if term[1].startswith("-") else "") + _latex_number(abs(Fraction(term[1])))
        case "pi":
            return r"\pi"
        case "+":
            return "+".join(map(latex, term[1:])).replace("+-", "-")
        case "*":
            return _latex_product(term)
        case "^" if tuple(term[2]) == ("q", "1/2"):
            return rf"\sqrt{{{latex(term[1])}}}"
        case "^" if _is_reciprocal(term):
            return rf"\frac{{1}}{{{latex(_inverted(term))}}}"
        case "^":
            return rf"{_latex_base(term[1])}^{{{latex(term[2])}}}"
        case "exp":
            return rf"e^{{{latex(term[1])}}}"
        case "D":
            return rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}{names.latex(term[2])}}}\left({latex(term[1])}\right)"
        case "at":
            values = ", ".join(f"{names.latex(n)}={latex(v)}" for n, v in term[2])
            return rf"\left[{latex(term[1])}\right]_{{{values}}}"
        case "mean":
            return rf"\left\langle {latex(term[1])}\right\rangle"
        case "call":
            return rf"\operatorname{{{term[1]}}}\left({', '.join(map(latex, term[2:]))}\right)"
    if term[0] in INFIX:
        return f"{latex(term[1])} {INFIX[term[0]][1]} {latex(term[2])}"
    return rf"\operatorname{{{term[0]}}}\left({', '.join(map(latex, term[1:]))}\right)"


def _latex_number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def _latex_product(term: Any) -> str:
    """Numbers first, in one fraction with what is divided by; a lone sum above or below the bar needs no brackets."""
    number = prod((Fraction(f[1]) for f in term[1:] if f[0] == "q"), start=Fraction(1))
    _, above, below = _fraction(("*", ("q", "1"), *(f for f in term[1:] if f[0] != "q")))
    above = [("q", str(abs(number.numerator)))] * (abs(number.numerator) != 1) + above[1:]
    below = [("q", str(number.denominator))] * (number.denominator != 1) + below
    sign = "-" if number < 0 else ""
    if not below:
        return sign + _latex_joined(above)
    return rf"{sign}\frac{{{_latex_alone(above)}}}{{{_latex_alone(below)}}}"


def _latex_alone(factors: list[Any]) -> str:
    return latex(factors[0]) if len(factors) == 1 else _latex_joined(factors)


def _latex_joined(factors: list[Any]) -> str:
    """Factors side by side; a dot keeps two numbers apart."""
    texts = list(map(_latex_factor, factors))
    return (
        "".join(rf" \cdot {text}" if text[0].isdigit() else f" {text}" for text in texts)
        .removeprefix(r" \cdot")
        .strip()
        or "1"
    )


def _latex_factor(term: Any) -> str:
    text = latex(term)
    return rf"\left({text}\right)" if term[0] == "+" or text.startswith("-") else text


def _latex_base(term: Any) -> str:
    text = latex(term)
    is_number = term[0] == "q" and not text.isdigit()
    is_loose = term[0] in ("*", "exp", "D") or (term[0] == "^" and not text.startswith(r"\sqrt"))
    return rf"\left({text}\right)" if is_number or is_loose else _latex_factor(term)


# --- polynomials in words and sums ------------------------------------------------------------------------------------


def words(side: Json) -> str:
    """A polynomial in words on one line; ' is the transpose, and scalars stand in brackets.

    >>> words({"terms": [["1", [["x'", "A", "x"]], ["B"]], ["-1/2", [["tr(", "A"]], ["B"]]]})
    "(x' A x) B - 1/2 tr(A) B"
    """
    return matrices.side(WORDS, side)


def _normal_form(side: Json) -> str:
    return _polynomial(((c, _word_factors(s, w, str, "{}({})", "({})")) for c, s, w in side["terms"]), str)


def _normal_form_latex(side: Json) -> str:
    call, brackets = r"\operatorname{{{}}}\left({}\right)", r"\left({}\right)"
    terms = ((c, _word_factors(s, w, _latex_letter, call, brackets)) for c, s, w in side["terms"])
    return _polynomial(terms, _latex_number)


def _word_factors(scalars: Any, word: Any, letter: Callable[[str], str], call: str, brackets: str) -> str:
    """The factors of one monomial: scalars, which may be a trace or a dimension, and the word itself."""
    factors = []
    for first, *rest in scalars:
        if first.endswith("("):  # the marks of traces and dimensions, "tr(" and "dim("
            factors.append(call.format(first[:-1], " ".join(map(letter, rest))))
        else:
            scalar = " ".join(map(letter, (first, *rest)))
            factors.append(brackets.format(scalar) if rest else scalar)
    return " ".join([*factors, *map(letter, word)])


def _latex_letter(letter: str) -> str:
    head, below = names.latex_parts(letter.rstrip("'"))
    return rf"\mathbf{{{head}}}{f'_{{{below}}}' if below else ''}{'^{T}' if letter.endswith(chr(39)) else ''}"


def sums(terms: Json) -> str:
    """A polynomial with sums on one line; a summed index is named after its range.

    >>> sums([["2", ["K"], [["g", 0], ["w", 0, "m"]]], ["-1", [], [["size", "M"]]]])
    '2 sum_(k1) g[k1] w[k1, m] - size[M]'
    """
    return indexed.side(SUMS, terms)


def sums_latex(terms: Json) -> str:
    """A polynomial with sums as LaTeX."""
    return indexed.side(SUMS_LATEX, terms)


def _summed(terms: Json) -> str:
    return _polynomial(((c, _sum(ranges, factors, "{}{}", "sum_({})", _entry)) for c, ranges, factors in terms), str)


def _summed_latex(terms: Json) -> str:
    return _polynomial(
        ((c, _sum(ranges, factors, "{}_{{{}}}", r"\sum_{{{}}}", _latex_entry)) for c, ranges, factors in terms),
        _latex_number,
    )


def _sum(ranges: Any, factors: Any, index: str, over: str, entry: Callable[[str, list[str]], str]) -> str:
    summed = [index.format(of.lower(), k + 1) for k, of in enumerate(ranges)]
    entries = [entry(head, [summed[p] if isinstance(p, int) else p for p in places]) for head, *places in factors]
    return " ".join([over.format(", ".join(summed))] * bool(summed) + entries)


def _entry(head: str, places: list[str]) -> str:
    return f"{head}[{', '.join(places)}]" if places else head


def _latex_entry(head: str, places: list[str]) -> str:
    """An entry of an array with its indices below, and the words of its name above."""
    if head == "size":
        return places[0]
    letter, word = (r"\delta", "") if head == "delta" else names.latex_parts(head)
    below = " ".join(places) if places else word
    return f"{letter}{f'_{{{below}}}' if below else ''}{f'^{{{word}}}' if word and places else ''}"


def _polynomial(terms: Iterable[tuple[str, str]], number: Callable[[Fraction], str]) -> str:
    """Coefficients with their bodies, added up."""
    shown = ""
    for coefficient, body in terms:
        value = Fraction(coefficient)
        sign = ("-" if value < 0 else "") if not shown else " - " if value < 0 else " + "
        factor = "" if abs(value) == 1 and body else number(abs(value))
        shown += sign + " ".join(filter(None, (factor, body)))
    return shown or "0"


SUMS = indexed.Style(
    number=str, entry=_entry, brackets="({})", power="{}^{}", over="sum_({})",
    derivative="d/dt [{} while {}]", rate="d{}/dt = {}", terms=_summed,
)  # fmt: skip
SUMS_LATEX = indexed.Style(
    number=lambda value: ("-" if value < 0 else "") + _latex_number(abs(value)), entry=_latex_entry,
    brackets=r"\left({}\right)", power="{}^{{{}}}", over=r"\sum_{{{}}}",
    derivative=r"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\left({}\right)_{{{}}}",
    rate=r"\frac{{\mathrm{{d}}{}}}{{\mathrm{{d}}t}}={}", terms=_summed_latex,
)  # fmt: skip
LOEWNER = {">": r"\succ", ">=": r"\succeq"}  # between matrices
WORDS = matrices.Style(
    number=str, letter=str, brackets="({})", transpose="{}'", power="{}^{}", trace="tr({})", norm2="|{}|^2",
    along="d/dt [{}]", along_flow="d/dt [{} while {}]", gradient="grad_{} [{}]", at="[{}] at {}", rate="d{}/dt = {}",
    identity="I", terms=_normal_form,
)  # fmt: skip
WORDS_LATEX = matrices.Style(
    number=lambda value: ("-" if value < 0 else "") + _latex_number(abs(value)), letter=matrices.bold,
    brackets=r"\left({}\right)", transpose="{}^{{T}}", power="{}^{{{}}}", trace=r"\operatorname{{tr}}\left({}\right)",
    norm2=r"\left|{}\right|^{{2}}", along=r"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\left({}\right)",
    along_flow=r"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}t}}\left({}\right)_{{{}}}",
    gradient=r"\nabla_{{{}}}\left({}\right)", at=r"\left[{}\right]_{{{}}}",
    rate=r"\frac{{\mathrm{{d}}{}}}{{\mathrm{{d}}t}}={}", identity=r"\mathbf{I}",
    terms=_normal_form_latex,
)  # fmt: skip


# --- exact numbers ----------------------------------------------------------------------------------------------------


def cut(number: str) -> str:
    """A long decimal to as many digits as tell it apart; an exact number stays whole.

    >>> cut("0.333333333333333333333333333333"), cut("1/3"), cut("2.000")
    ('0.3333333333…', '1/3', '2')
    """
    if not DECIMAL.fullmatch(number):
        return number
    whole, _, digits = number.partition(".")
    if not digits.strip("0"):
        return whole
    return f"{number[:DIGITS]}…" if len(number) > LONG_NUMBER else number


def nested(values: Any) -> str:
    """An array of numbers in nested lists on one line."""
    return values if isinstance(values, str) else f"[{', '.join(map(nested, values))}]"


def rows(matrix: list[list[str]]) -> str:
    """A matrix of exact numbers on one line: "[1, 2; 3, 4]"."""
    return "[" + "; ".join(", ".join(row) for row in matrix) + "]"


# --- statements -------------------------------------------------------------------------------------------------------


def sentences(statement: Json) -> list[str]:
    """Return what a statement says, one line for every part.

    >>> sentences({"kind": "identity", "left": ("s", "x"), "right": ("^", ("s", "y"), ("q", "2"))})
    ['x = y^2']
    """
    match statement["kind"]:
        case "limit":
            goes, value = places.text(statement, plain), places.value(statement, plain)
            return [f"{plain(statement['expression'])} -> {value} as {goes}"]
        case "solves":
            t = statement["time"]
            rates = [f"d{x}/d{t} = {plain(rate)}" for x, rate in statement["flow"].items()]
            solved = [f"{x} = {plain(value)}" for x, value in statement["solution"].items()]
            return [*rates, *solved, interval(statement)]
        case "enclosure":
            inside = conclusions.letters(statement, plain) if "integrals" in statement else ""
            return [f"{statement['lower']} < {plain(statement['expression'])} < {statement['upper']}{inside}"]
        case "average":
            names_given = "".join(f", {name} = {plain(tree)}" for name, tree in _named_averages(statement))
            return [f"{plain(average(statement))} = {plain(statement['right'])}{names_given}"]
        case "trajectory":
            return trajectories.sentences(statement, plain)
        case "not":
            return [f"it is not so that {'; '.join(sentences(statement['of']))}"]
        case "by":
            return sentences(statement["concludes"])
        case "concluded":
            return [conclusions.sentence(statement, plain, words)]
        case "argued":
            return [statement["says"], *(line for part in _parts(statement) for line in sentences(part))]
    if parts := _parts(statement):
        return [line for part in parts for line in sentences(part)]
    if statement["kind"] in ("words", "loewner"):
        relation = statement.get("relation", "=")
        return [matrices.equation(WORDS, relation, statement["left"], statement["right"], " where ")]
    write = {"sums": sums}.get(statement["kind"], plain)
    return [f"{write(statement['left'])} {statement.get('relation', '=')} {write(statement['right'])}"]


def interval(statement: Json) -> str:
    """The times of which a statement about a flow speaks.

    >>> interval({"time": "t", "interval": {"kind": "until", "end": ("q", "2")}})
    'for 0 <= t < 2'
    """
    time, said = statement["time"], statement["interval"]
    if said["kind"] == "while defined":
        return f"for {time} >= 0 while defined: on the part of the domain that contains the start"
    return f"for {time} >= 0" if said["kind"] == "forever" else f"for 0 <= {time} < {plain(said['end'])}"


def readings(statement: Json) -> list[tuple[str, str]]:
    """The lines of `sentences`, each with its LaTeX, which is empty where there is no formula."""
    return list(zip(sentences(statement), _formulas(statement), strict=True))


def formulas(statement: Json) -> list[str]:
    """The formulas of a statement as LaTeX."""
    return [formula for formula in _formulas(statement) if formula]


def _formulas(statement: Json) -> list[str]:
    match statement["kind"]:
        case "limit":
            goes, value = places.formula(statement, latex), places.value(statement, latex, r"\infty")
            return [rf"\lim_{{{goes}}}{latex(statement['expression'])}={value}"]
        case "solves":
            rates = [rf"\dot{{{names.latex(x)}}}={latex(rate)}" for x, rate in statement["flow"].items()]
            return [*rates, *(f"{names.latex(x)} = {latex(value)}" for x, value in statement["solution"].items()), ""]
        case "enclosure":
            return [""]
        case "average":
            given = "".join(rf",\quad {names.latex(name)}={latex(tree)}" for name, tree in _named_averages(statement))
            return [f"{latex(average(statement))} = {latex(statement['right'])}{given}"]
        case "trajectory":
            return trajectories.formulas(statement, latex, names.latex)
        case "not" | "concluded":
            return [""]
        case "by":
            return _formulas(statement["concludes"])
        case "argued":
            return ["", *(formula for part in _parts(statement) for formula in _formulas(part))]
    if parts := _parts(statement):
        return [formula for part in parts for formula in _formulas(part)]
    if statement["kind"] in ("words", "loewner"):
        relation = statement.get("relation", "=")
        sign = INFIX[relation][1] if list(statement["left"]["shape"]) == [1, 1] else LOEWNER.get(relation, relation)
        return [matrices.equation(WORDS_LATEX, sign, statement["left"], statement["right"], r",\quad ")]
    write = {"sums": sums_latex}.get(statement["kind"], latex)
    relation = INFIX[statement.get("relation", "=")][1]
    return [f"{write(statement['left'])} {relation} {write(statement['right'])}"]


def _parts(statement: Json) -> list[Json]:
    """The statements of a conjunction, or those that an argument needs."""
    return list(statement.get("parts", statement.get("needs", {}).values()))


# --- Gaussian averages ------------------------------------------------------------------------------------------------


def average(statement: Json) -> Any:
    """The average on the left of a statement, as a tree.

    >>> plain(average({"fields": ["a"], "integrand": [[("q", "1"), [["power", 0, 2], ["step", 0]]]]}))
    '<a^2*step(a)>'
    """
    fields = statement["fields"]
    terms = [_times(coefficient, [_factor_tree(f, fields) for f in of]) for coefficient, of in statement["integrand"]]
    found = ("mean", terms[0] if len(terms) == 1 else ("+", *terms))
    return ("D", found, statement["rate"]) if "rate" in statement else found


def _named_averages(statement: Json) -> list[tuple[str, Any]]:
    fields, one = statement["fields"], ("q", "1")
    return [
        (name, ("mean", _times(one, [_factor_tree(f, fields) for f in of])))
        for name, of in statement.get("given", {}).items()
    ]


def _times(coefficient: Any, factors: list[Any]) -> Any:
    rest = [f for f in (coefficient, *factors) if tuple(f) != ("q", "1")] or [coefficient]
    return rest[0] if len(rest) == 1 else ("*", *rest)


def _factor_tree(factor: Any, fields: list[str]) -> Any:
    """A factor as a function of its field."""
    kind, place, *rest = factor
    x: Any = ("s", fields[place])
    match kind:
        case "power":
            return x if rest[0] == 1 else ("^", x, ("q", str(rest[0])))
        case "bell":
            return ("exp", ("*", ("q", "-1/2"), ("^", x, ("q", "2")), ("^", rest[0], ("q", "-1"))))
        case "erf":
            return ("erf", ("*", x, ("^", ("*", ("q", "2"), rest[0]), ("q", "-1/2"))))
        case "ramp":
            return ("call", "max", x, ("q", "0"))
    return ("call", {"step": "step", "point": "delta"}[kind], x)
