"""Text for what phrases name in a statement: relations, limits, averages, conclusions, trajectories."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from derivations.recheck.core.load import Data
from derivations.recheck.ledgers.formulas import PHRASES, WRITERS, data, listed, plain, sums, term, words, writer
from derivations.recheck.ledgers.shorter import still

RELATIONS = ("=", "!=", ">", ">=")
INFINITE = (("oo",), ("-oo",))
ENDLESS = {"oo": "grows without bound", "-oo": "falls without bound"}


def is_statement(given: Data) -> bool:
    return isinstance(given, dict) and isinstance(given.get("kind"), str)


def _related(write: Callable[[Data], str], left: Data, relation: Data, right: Data) -> str:
    relation = "=" if relation is None else relation
    return f"{write(left)} {relation if relation in RELATIONS else data(relation)} {write(right)}"


def _along(left: Data, relation: Data, right: Data) -> str:
    """An equation of matrices; the flow of all its derivatives follows, where it is one flow."""
    sides = [side.get("formula") for side in (left, right)]
    resting, flows = still(*sides)
    if not flows or any(rates != flows[0] for rates in flows):
        return _related(words, left, relation, right)
    bare = [{**side, "formula": formula} for side, formula in zip((left, right), resting, strict=True)]
    return f"{_related(words, bare[0], relation, bare[1])} along {WRITERS['matrix_rates'](flows[0])}"


WRITERS["of_words"] = _along
WRITERS |= {f"of_{kind}": partial(_related, write) for kind, write in (("numbers", term), ("sums", sums))}


@writer
def of_orders(left: Data, relation: Data, right: Data) -> str:
    """Two sides in an order: matrices in it are symmetric."""
    kind = " (as symmetric matrices)" if list(left["shape"]) != [1, 1] else ""
    return _related(words, left, relation, right) + kind


@writer
def side(given: Data) -> str:
    """A formula, of matrices where it has a shape."""
    return words(given) if isinstance(given, dict) else term(given)


@writer
def end(value: Data) -> str:
    return str(value[0]) if tuple(value) in INFINITE else term(value)


@writer
def tends(value: Data) -> str:
    return ENDLESS.get(value[0]) or f"tends to {term(value)}"


@writer
def goes(variables: Data, towards: Data, symbols: Data) -> str:
    """Where the variables of a limit go; what is positive goes to zero from above."""
    towards = towards or ["above" if all("positive" in symbols.get(each, ()) for each in variables) else "", ["q", "0"]]
    if tuple(towards) in INFINITE:
        return f"{plain(variables[0])} {ENDLESS[towards[0]]}"
    side = f" from {towards[0]}" if towards[0] else ""
    verb = "goes" if len(variables) == 1 else "go"
    return f"{listed(variables, plain)} {verb} to {term(towards[1])}{side}"


@writer
def times(interval: Data, time: str) -> str:
    """The interval of which a solution speaks."""
    phrase = PHRASES["times"].get(interval["kind"]) if is_statement(interval) else None
    if phrase is None or phrase.keys != {*interval, "time"} - {"kind"}:
        return data(interval)
    return phrase.filled({**interval, "time": time})


@writer
def rate(name: Data) -> str:
    return "" if name is None else f"d/d{plain(name)} "


@writer
def averaged(integrand: Data, fields: Data) -> str:
    return term(["+", *(_times([coefficient], of, fields) for coefficient, of in integrand)])


@writer
def means(given: Data, fields: Data) -> str:
    """Averages that have names in what is said."""
    named = sorted((given or {}).items())
    return "".join(f", where {plain(name)} = <{term(_times([], of, fields))}>" for name, of in named)


def _times(coefficients: list[Data], factors: Data, fields: Data) -> Data:
    """A product of functions of fields."""
    return ["*", *coefficients, *(_of_field(kind, ["s", fields[place]], *more) for kind, place, *more in factors)]


def _of_field(kind: str, x: Data, *more: Data) -> Data:
    match kind, more:
        case "power", [power]:
            return ["^", x, ["q", str(power)]]
        case "bell", [width]:
            return ["exp", ["*", ["q", "-1/2"], ["^", x, ["q", "2"]], ["^", width, ["q", "-1"]]]]
        case "erf", [width]:
            return ["erf", ["*", x, ["^", ["*", ["q", "2"], width], ["q", "-1/2"]]]]
        case "step" | "ramp" | "point", []:
            return [{"point": "delta"}.get(kind, kind), x]
    raise ValueError(kind)


@writer
def names(given: Data) -> str:
    return listed(given, plain)


@writer
def rows(matrix: Data) -> str:
    return "; ".join(listed(row, term) for row in matrix)


# --- conclusions ------------------------------------------------------------------------------------------------------


@writer
def integral(function: Data, low: Data, high: Data, variable: str) -> str:
    return f"the integral of {term(function)} over {plain(variable)} from {end(low)} to {end(high)}"


@writer
def integrals(table: Data, variable: str) -> str:
    """For which integrals letters stand."""
    return "".join(f", where {plain(name)} is {integral(*of, variable)}" for name, of in sorted(table.items()))


@writer
def slopes(rates: Data) -> str:
    return "".join(
        f", where {plain(name)} is d{plain(of)}/d{plain(by)}" for name, (of, by) in sorted((rates or {}).items())
    )


@writer
def wherever(state: str, symbols: Data) -> str:
    """Where a bound of a rate is supposed, for a state that has a sign."""
    signs = {"positive": "> 0", "nonnegative": ">= 0"}
    sign = next((sign for flag, sign in signs.items() if flag in symbols.get(state, ())), "")
    return f" wherever {plain(state)} {sign}" if sign else ""


@writer
def walls(barriers: Data) -> str:
    return " and ".join(f"{term(each)} <= 0" for each in barriers)


@writer
def zeros(matrices: Data) -> str:
    return ", ".join(f"{side(each)} = 0" for each in matrices)


@writer
def terms(given: Data) -> str:
    return listed(given, term)


@writer
def counted(numbers: Data) -> str:
    return f"{' or '.join(map(str, numbers))} {'time' if list(numbers) == ['1'] else 'times'}"


@writer
def limits(values: Data, ends: Data) -> str:
    return ", ".join(f"{side(value)} tends to {side(to)}" for value, to in zip(values, ends, strict=True))


@writer
def if_all(supposing: Data) -> str:
    return f" if {' and '.join(map(term, supposing))}" if supposing else ""


@writer
def lasts(kind: Data, time: str) -> str:
    if kind not in ("forever", "while it exists"):
        raise ValueError
    return f"for all {plain(time)} >= 0" if kind == "forever" else "for as long as it exists"


# --- trajectories -----------------------------------------------------------------------------------------------------


@writer
def system(states: Data, time: str, form: str) -> str:
    is_flow = form == "flow"
    return WRITERS["rates" if is_flow else "steps"](states, time) + ("" if is_flow else f" ({plain(form)})")


@writer
def said(says: Data, time: str, form: str) -> str:
    """Return what is said of a trajectory, with all exact numbers; a part without a place in its sentence is an
    error.
    """
    heads = [f"{each['that']} in a flow" if form == "flow" else each["that"] for each in says]
    heads = [
        "stays at once" if each.get("from") == each.get("to", "") else head
        for head, each in zip(heads, says, strict=True)
    ]
    phrases = [
        PHRASES["says"].get(head) or PHRASES["says"][each["that"]] for head, each in zip(heads, says, strict=True)
    ]
    return "; ".join(phrase.filled({**each, "time": time}) for phrase, each in zip(phrases, says, strict=True))


@writer
def interval(ends: Data) -> str:
    """Where a number lies: at a point, or between two."""
    low, high = ends
    return f"= {decimal(low)}" if low == high else f"in [{decimal(low)}, {decimal(high)}]"


@writer
def moment(low: str, high: str) -> str:
    """A time that is both ends of an interval."""
    return decimal(low) if low == high else f"[{low}, {high}]"


@writer
def decimal(number: str) -> str:
    """An exact number as a decimal where that has an end, else as the fraction that it is.

    >>> decimal("1353/10000"), decimal("-1/3"), decimal("12")
    ('0.1353', '-1/3', '12')
    """
    value, places = Fraction(number), 0
    while (value * 10**places).denominator % 2 == 0 or (value * 10**places).denominator % 5 == 0:
        places += 1
    scaled = value * 10**places
    if scaled.denominator != 1 or not places:
        return str(value)
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    return f"{'-' * (value < 0)}{digits[:-places]}.{digits[-places:]}"


@writer
def relation(given: Data) -> str:
    sign, left, right = given
    return f"{term(left)} {sign} {term(right)}"


@writer
def gap(given: Data) -> str:
    _, left, right = given
    return f"{term(left)} - ({term(right)})"
