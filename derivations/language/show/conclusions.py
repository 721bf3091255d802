"""The conclusions of theorems as sentences: one template for each form, whose slots show the data of the conclusion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

Json = Any
Write = Callable[[Any], str]  # a formula as text

WHERE = "for all t >= 0, where {motion:courses}"
FORMS = {
    "vanishes": "{function} = 0 for some {variable:name} with {low} < {variable:name} < {high}",
    "integral": "{integrand:span} is {value}",
    "integrals": "{left} {relation:name} {right}{integrals:letters}",
    "along the solution": "on the solution of {flow:rates} from {start:table}: {left} = {right}",
    "the only solution": "{solution:table} is the only solution of {flow:moves} from {start:table}, {interval:until}",
    "not stable": "{point:table} rests under {flow:rates} and is not stable",
    "attracts": "{point:table} rests under {flow:rates} and attracts every start near it",
    "in order along the solution": "on {flow:solution}: {upper} {order:name} {lower}, for as long as it satisfies the"
    " hypotheses",
    "bounded by its rate": "every continuous {state:name} with {state:name} <= {start} at {time:name} = 0 and"
    " d{state:name}/d{time:name} <= {rate}{state:sign} has {state:name} <= {bound}, for as long as the hypotheses hold",
    "stays in a set": "on {flow:solution}: {barriers:walls}, for as long as it exists and satisfies the hypotheses",
    "stays in a box": "{flow:solution} has {low:ends}, {lasts:lasts}",
    "tends to rest": "{flow:solution} exists for all {time:name} >= 0 and tends to {point:table} without turning",
    "zeros after the start": "{function} vanishes exactly {counts:times} for {variable:name} > 0, counted with"
    " multiplicity",
    "Gaussian sum": "for independent Gaussian variables of means {means:all} and variances {variances:all} the sum with"
    " the weights {weights:all} is Gaussian of mean {mean} and variance {variance}",
    "Gaussian vector": "for a Gaussian x of mean zero with the covariance {covariance}, {map} x is Gaussian of mean"
    " zero with the covariance {image}",
    "only solution": "{solution:table} is the only solution of {rates:rates} from {starts:table}, " + WHERE,
    "invertible at all times": "{matrix} has an inverse " + WHERE,
    "semidefinite at all times": "{matrix} is positive semidefinite " + WHERE,
    "limit in time": "{values:limits} as {time:name} grows, where {decays:fading}, for positive definite {decays:each}",
    "stays zero": "{matrices:zeros} for as long as the flow goes on, where {motion:courses}",
    "distance from zero": "|{matrix}| <= exp(({growth}) t) |{start}| + {size} (exp(({growth}) t) - 1)/({growth}) for as"
    " long as the hypotheses hold, where {motion:courses}, and {constants:names} do not depend on t",
    "equal ranks": "{product} has the rank of {core}",
    "rotated": "{left} = ({right}) O for an orthogonal O",
    "determinants": "{supposing:where}{goal}",
    "determinant keeps its sign": "where {motion:rates}, det({matrix}) keeps its sign while it is not zero at first",
}


def sentence(conclusion: Json, plain: Write, words: Write) -> str:
    """Return what a conclusion says. plain writes formulas of numbers, and words those of matrices.

    >>> data = {"form": "vanishes", "variable": "x", "function": "x - 1", "low": "0", "high": "2"}
    >>> sentence(data, str, str)
    'x - 1 = 0 for some x with 0 < x < 2'
    """
    form = conclusion["form"]
    if form not in FORMS:
        raise ValueError(f"no conclusion has the form {form!r}")
    write = words if "letters" in conclusion and form != "determinants" else plain
    return FORMS[form].format(**{name: _Slot(value, conclusion, write) for name, value in conclusion.items()})


class _Slot:
    """A value of a conclusion in the place that a template gives it, which says as what it is shown."""

    def __init__(self, value: Json, conclusion: Json, write: Write) -> None:
        self.value, self.conclusion, self.write = value, conclusion, write

    def __format__(self, kind: str) -> str:
        if kind in PLAIN:
            return PLAIN[kind](self.value)
        if kind in OF_FORMULAS:
            return OF_FORMULAS[kind](self.value, self.write)
        return IN_CONTEXT[kind](self.value, self.conclusion, self.write) if kind else self.write(self.value)


def _table(table: Json, write: Write) -> str:
    return ", ".join(f"{name} = {write(value)}" for name, value in table.items())


def _rates(flow: Json, write: Write, time: str = "t") -> str:
    return ", ".join(f"d{name}/d{time} = {write(rate)}" for name, rate in flow.items())


def _each(values: Iterable[Any], write: Write) -> str:
    return ", ".join(dict.fromkeys(map(write, values)))


def _times(counts: list[str]) -> str:
    return f"{' or '.join(counts)} {'time' if counts == ['1'] else 'times'}"


def _where(supposing: Json, write: Write) -> str:
    return f"where {' and '.join(map(write, supposing))}: " if supposing else ""


def _until(interval: Json, c: Json, write: Write) -> str:
    if interval["kind"] == "while defined":
        return "as long as it has a value"
    forever = interval["kind"] == "forever"
    return f"for all {c['time']} >= 0" if forever else f"for 0 <= {c['time']} < {write(interval['end'])}"


def _solution(flow: Json, c: Json, write: Write) -> str:
    """The solution of a flow from its start, with the time by its name."""
    return f"the solution of {_rates(flow, write, c['time'])} from {_table(c['start'], write)} at {c['time']} = 0"


def _sign(state: str, c: Json, _: Write) -> str:
    known = c["symbols"][state]
    return f" wherever {state} > 0" if "positive" in known else f" wherever {state} >= 0" if known else ""


def _ends(low: Json, c: Json, write: Write) -> str:
    ends = [f"{x} {side} {write(end)}" for side, box in ((">=", low), ("<=", c["high"])) for x, end in box.items()]
    return ", ".join(ends)


def _courses(motion: Json, c: Json, write: Write) -> str:
    starts = (f"{name} = {write(c['begin'][name])} at t = 0" for name in motion)
    return f"{_rates(motion, write)}, {', '.join(starts)}"


def _limits(values: Json, c: Json, write: Write) -> str:
    return ", ".join(f"{write(value)} -> {write(end)}" for value, end in zip(values, c["ends"], strict=True))


def _fading(decays: Json, c: Json, write: Write) -> str:
    fading = [f"{name} = exp(-({write(rate)}) {c['time']})" for name, rate in decays.items()]
    return ", ".join(fading + [f"{name} = {c['time']} {write(letter)}" for name, letter in c["slow"].items()])


def letters(statement: Json, write: Write) -> str:
    """For which integrals, and rates of them, letters stand; nothing where there are none.

    >>> letters({"variable": "x", "integrals": {"I": ["x^2", "0", ("oo",)]}}, str)
    ', where I is the integral of x^2 over x from 0 to oo'
    """
    x, table = statement["variable"], statement["integrals"]
    said = [f"{name} is {_span(f, low, high, x, write)}" for name, (f, low, high) in table.items()]
    said += [f"{rate} is d{letter}/d{by}" for rate, (letter, by) in statement.get("rates", {}).items()]
    return f", where {', '.join(said)}" if said else ""


def _span(f: Json, low: Json, high: Json, x: str, write: Write) -> str:
    ends = (end[0] if end[0] in ("oo", "-oo") else write(end) for end in (low, high))
    return f"the integral of {write(f)} over {x} from {' to '.join(ends)}"


PLAIN: dict[str, Callable[[Json], str]] = {"name": str, "names": ", ".join, "times": _times}
OF_FORMULAS: dict[str, Callable[[Json, Write], str]] = {
    "table": _table, "rates": _rates, "where": _where,
    "all": lambda values, write: ", ".join(map(write, values)),
    "each": lambda table, write: _each(table.values(), write),
    "zeros": lambda values, write: ", ".join(f"{write(value)} = 0" for value in values),
    "walls": lambda values, write: " and ".join(f"{write(value)} <= 0" for value in values),
}  # fmt: skip
IN_CONTEXT: dict[str, Callable[[Json, Json, Write], str]] = {
    "until": _until, "solution": _solution, "sign": _sign, "ends": _ends, "courses": _courses, "limits": _limits,
    "fading": _fading,
    "moves": lambda flow, c, write: _rates(flow, write, c["time"]),
    "letters": lambda _, c, write: letters(c, write),
    "span": lambda f, c, write: _span(f, c["low"], c["high"], c["variable"], write),
    "lasts": lambda lasts, c, _: f"for all {c['time']} >= 0" if lasts == "forever" else "for as long as it exists",
}  # fmt: skip
