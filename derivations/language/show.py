"""Terms and statements as people read them: plain text and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from math import prod
from typing import Any

RELATIONS = {"=": "=", "!=": r"\neq", ">": ">", ">=": r"\geq"}
SIMPLE = ("s", "pi", "exp", "log", "erf", "sinh", "cosh", "tanh")


def plain(term: Any) -> str:
    """A term on one line."""
    head = term[0]
    match head:
        case "s" | "q":
            return str(term[1])
        case "pi":
            return "pi"
        case "+":
            return " + ".join(map(plain, term[1:])).replace("+ -", "- ")
        case "*":
            return _product(term)
        case "^" if tuple(term[2]) == ("q", "1/2"):
            return f"sqrt({plain(term[1])})"
        case "^":
            return f"{_factor(term[1])}^{_factor(term[2])}"
        case "D":
            return f"d/d{term[2]} [{plain(term[1])}]"
        case "at":
            return f"[{plain(term[1])}] at " + ", ".join(f"{n} = {plain(v)}" for n, v in term[2])
    if head in RELATIONS:
        return f"{plain(term[1])} {head} {plain(term[2])}"
    return f"{head}({', '.join(map(plain, term[1:]))})"


def _product(term: Any) -> str:
    sign, above, below = _parts(term)
    return sign + ("*".join(map(_factor, above)) or "1") + "".join(f"/{_factor(f)}" for f in below)


def _parts(term: Any) -> tuple[str, list[Any], list[Any]]:
    """The sign of a product, what stands above the fraction bar, and what stands below."""
    factors, sign = list(term[1:]), ""
    if tuple(factors[0]) == ("q", "-1") and len(factors) > 1:
        sign, factors = "-", factors[1:]
    return sign, [f for f in factors if not _is_reciprocal(f)], [_inverted(f) for f in factors if _is_reciprocal(f)]


def _is_reciprocal(term: Any) -> bool:
    return bool(term[0] == "^" and term[2][0] == "q" and term[2][1].startswith("-"))


def _inverted(term: Any) -> Any:
    power = -Fraction(term[2][1])
    return term[1] if power == 1 else ("^", term[1], ("q", str(power)))


def _factor(term: Any) -> str:
    text = plain(term)
    is_bare = term[0] in SIMPLE or (term[0] == "q" and text.isdigit()) or text.startswith("sqrt(")
    return text if is_bare or (term[0] == "^" and not text.startswith("-")) else f"({text})"


def latex(term: Any) -> str:
    """A term as LaTeX."""
    match term[0]:
        case "s":
            return _name(term[1])
        case "q":
            f = Fraction(term[1])
            body = str(abs(f)) if f.denominator == 1 else rf"\frac{{{abs(f.numerator)}}}{{{f.denominator}}}"
            return ("-" if f < 0 else "") + body
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
            return rf"{_latex_factor(term[1])}^{{{latex(term[2])}}}"
        case "exp":
            return rf"e^{{{latex(term[1])}}}"
        case "D":
            return rf"\frac{{\mathrm{{d}}}}{{\mathrm{{d}}{_name(term[2])}}}\left({latex(term[1])}\right)"
        case "at":
            return rf"\left[{latex(term[1])}\right]_{{{', '.join(f'{_name(n)}={latex(v)}' for n, v in term[2])}}}"
    if term[0] in RELATIONS:
        return f"{latex(term[1])} {RELATIONS[term[0]]} {latex(term[2])}"
    return rf"\operatorname{{{term[0]}}}\left({', '.join(map(latex, term[1:]))}\right)"


GREEK = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi",
         "rho", "sigma", "tau", "phi", "chi", "psi", "omega")  # fmt: skip
NUMBERED = re.compile(r"([A-Za-z]+)(\d+)")


def _name(name: str) -> str:
    if numbered := NUMBERED.fullmatch(name):
        return f"{_name(numbered[1])}_{{{numbered[2]}}}"
    stem, _, index = name.partition("_")
    head = rf"\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    below = index if len(index) == 1 else rf"\text{{{index.replace('_', ' ')}}}"
    return f"{head}_{{{below}}}" if index else head


def _latex_product(term: Any) -> str:
    """Numbers first, in one fraction with what is divided by; a lone sum above or below the bar needs no brackets."""
    number = prod((Fraction(f[1]) for f in term[1:] if f[0] == "q"), start=Fraction(1))
    _, above, below = _parts(("*", ("q", "1"), *(f for f in term[1:] if f[0] != "q")))
    above = [("q", str(abs(number.numerator)))] * (abs(number.numerator) != 1) + above[1:]
    below = [("q", str(number.denominator))] * (number.denominator != 1) + below
    sign = "-" if number < 0 else ""
    if not below:
        return sign + (" ".join(map(_latex_factor, above)) or "1")
    return rf"{sign}\frac{{{_latex_alone(above)}}}{{{_latex_alone(below)}}}"


def _latex_alone(factors: list[Any]) -> str:
    return latex(factors[0]) if len(factors) == 1 else " ".join(map(_latex_factor, factors)) or "1"


def _latex_factor(term: Any) -> str:
    text = latex(term)
    return rf"\left({text}\right)" if term[0] in ("+", "*") or text.startswith("-") else text


def words(side: Any) -> str:
    """A polynomial in words on one line; ' is the transpose, and scalars stand in brackets."""
    parts = []
    for coefficient, scalars, word in side["terms"]:
        factors = ["(" + " ".join(s) + ")" if len(s) > 1 else s[0] for s in scalars]
        body = " ".join([*factors, *word])
        number = "" if coefficient == "1" and body else "-" if coefficient == "-1" and body else f"{coefficient} "
        parts.append((number + body).strip())
    return " + ".join(parts).replace("+ -", "- ") or "0"


def sums(terms: Any) -> str:
    """A polynomial with sums on one line; a summed index is named after its range."""
    parts = []
    for coefficient, ranges, factors in terms:
        names = [f"{of.lower()}{k + 1}" for k, of in enumerate(ranges)]
        entries = [_entry(head, [names[p] if isinstance(p, int) else p for p in places]) for head, *places in factors]
        body = " ".join([f"sum_({', '.join(names)})"] * bool(names) + entries)
        number = "" if coefficient == "1" and body else "-" if coefficient == "-1" and body else f"{coefficient} "
        parts.append((number + body).strip())
    return " + ".join(parts).replace("+ -", "- ") or "0"


def _entry(head: str, places: list[str]) -> str:
    return f"{head}[{', '.join(places)}]" if places else head


def sentences(statement: Any) -> list[str]:
    """What a statement says, one line for every part."""
    return [line for line, _ in _readings(statement, _nothing)]


def readings(statement: Any) -> list[tuple[str, str]]:
    """Every line with its LaTeX, which is empty where there is no formula."""
    return _readings(statement, latex)


def formulas(statement: Any) -> list[str]:
    """The same as LaTeX, where there is a formula."""
    return [formula for _, formula in _readings(statement, latex) if formula]


def _nothing(_: Any) -> str:
    """What stands in for LaTeX where nobody asks for it."""
    return ""


def _readings(statement: Any, formula: Callable[[Any], str]) -> list[tuple[str, str]]:
    match statement["kind"]:
        case "identity":
            return [_both(("=", statement["left"], statement["right"]), formula)]
        case "sign":
            return [_both((statement["relation"], statement["left"], statement["right"]), formula)]
        case "words":
            return [(f"{words(statement['left'])} = {words(statement['right'])}", "")]
        case "sums":
            return [(f"{sums(statement['left'])} = {sums(statement['right'])}", "")]
        case "limit":
            goes = ", ".join(statement["variables"])
            small = ", ".join(rf"{_name(v)}\to 0" for v in statement["variables"])
            ends = rf"\lim_{{{small}}}{formula(statement['expression'])}={formula(statement['value'])}"
            return [(f"{plain(statement['expression'])} -> {plain(statement['value'])} as {goes} -> 0", ends)]
        case "solves":
            t = statement["time"]
            rates = [
                (f"d{x}/d{t} = {plain(r)}", rf"\dot{{{_name(x)}}}={formula(r)}") for x, r in statement["flow"].items()
            ]
            return rates + [_both(("=", ("s", x), e), formula) for x, e in statement["solution"].items()]
        case "enclosure":
            return [(f"{statement['lower']} < {plain(statement['expression'])} < {statement['upper']}", "")]
        case "all":
            return [line for part in statement["parts"] for line in _readings(part, formula)]
        case "chain":
            return [line for part in statement["needs"].values() for line in _readings(part, formula)]
    return [(f"excluded by: {line}", shown) for line, shown in _readings(statement["claim"], formula)]


def _both(relation: Any, formula: Callable[[Any], str]) -> tuple[str, str]:
    return plain(relation), formula(relation)
