"""The conclusions of theorems as sentences; each is computed from the data of the conclusion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Json = Any
Write = Callable[[Any], str]  # a formula as text


def sentence(conclusion: Json, plain: Write, words: Write) -> str:
    """What a conclusion says. plain writes formulas of numbers, and words those of matrices.

    >>> data = {"form": "vanishes", "variable": "x", "function": "x - 1", "low": "0", "high": "2"}
    >>> sentence(data, str, str)
    'x - 1 = 0 for some x with 0 < x < 2'
    """
    if conclusion["form"] not in FORMS:
        raise ValueError(f"no conclusion has the form {conclusion['form']!r}")
    if conclusion["form"] == "determinants":
        return _determinants(conclusion, plain)
    return FORMS[conclusion["form"]](conclusion, words if "letters" in conclusion else plain)


def _table(table: Json, write: Write) -> str:
    return ", ".join(f"{name} = {write(value)}" for name, value in table.items())


def _rates(flow: Json, write: Write, time: str = "t") -> str:
    return ", ".join(f"d{name}/d{time} = {write(rate)}" for name, rate in flow.items())


def _vanishes(c: Json, write: Write) -> str:
    x = c["variable"]
    return f"{write(c['function'])} = 0 for some {x} with {write(c['low'])} < {x} < {write(c['high'])}"


def _along(c: Json, write: Write) -> str:
    return (
        f"on the solution of {_rates(c['flow'], write)} from {_table(c['start'], write)}:"
        f" {write(c['left'])} = {write(c['right'])}"
    )


def _the_only_solution(c: Json, write: Write) -> str:
    kind = c["interval"]["kind"]
    until = {"forever": f"for all {c['time']} >= 0", "while defined": "as long as it has a value"}
    where = until.get(kind) or f"for 0 <= {c['time']} < {write(c['interval']['end'])}"
    return (
        f"{_table(c['solution'], write)} is the only solution of {_rates(c['flow'], write, c['time'])} from"
        f" {_table(c['start'], write)}, {where}"
    )


def _not_stable(c: Json, write: Write) -> str:
    return f"{_table(c['point'], write)} rests under {_rates(c['flow'], write)} and is not stable"


def _attracts(c: Json, write: Write) -> str:
    return f"{_table(c['point'], write)} rests under {_rates(c['flow'], write)} and attracts every start near it"


def _solution_from(c: Json, write: Write) -> str:
    """The solution of a flow from its start, with the time by its name."""
    start = f"{_table(c['start'], write)} at {c['time']} = 0"
    return f"the solution of {_rates(c['flow'], write, c['time'])} from {start}"


def _in_order(c: Json, write: Write) -> str:
    kept = f"{write(c['upper'])} {c['order']} {write(c['lower'])}"
    return f"on {_solution_from(c, write)}: {kept}, for as long as it satisfies the hypotheses"


def _bounded_by_its_rate(c: Json, write: Write) -> str:
    y, t = c["state"], c["time"]
    told = c["symbols"][y]
    where = f" wherever {y} > 0" if "positive" in told else f" wherever {y} >= 0" if told else ""
    return (
        f"every continuous {y} with {y} <= {write(c['start'])} at {t} = 0 and d{y}/d{t} <= {write(c['rate'])}{where}"
        f" has {y} <= {write(c['bound'])}, for as long as the hypotheses hold"
    )


def _stays_in_a_set(c: Json, write: Write) -> str:
    walls = " and ".join(f"{write(wall)} <= 0" for wall in c["barriers"])
    return f"on {_solution_from(c, write)}: {walls}, for as long as it exists and satisfies the hypotheses"


def _stays_in_a_box(c: Json, write: Write) -> str:
    ends = [f"{x} >= {write(low)}" for x, low in c["low"].items()]
    ends += [f"{x} <= {write(high)}" for x, high in c["high"].items()]
    lasts = f"for all {c['time']} >= 0" if c["lasts"] == "forever" else "for as long as it exists"
    return f"{_solution_from(c, write)} has {', '.join(ends)}, {lasts}"


def _tends_to_rest(c: Json, write: Write) -> str:
    where = _table(c["point"], write)
    return f"{_solution_from(c, write)} exists for all {c['time']} >= 0 and tends to {where} without turning"


def _zeros(c: Json, write: Write) -> str:
    many = " or ".join(c["counts"])
    times = "time" if many == "1" else "times"
    return f"{write(c['function'])} vanishes exactly {many} {times} for {c['variable']} > 0, counted with multiplicity"


def _gaussian_sum(c: Json, write: Write) -> str:
    def listed(key: str) -> str:
        return ", ".join(map(write, c[key]))

    return (
        f"for independent Gaussian variables of means {listed('means')} and variances {listed('variances')} the sum"
        f" with the weights {listed('weights')} is Gaussian of mean {write(c['mean'])} and variance"
        f" {write(c['variance'])}"
    )


def _only_solution(c: Json, write: Write) -> str:
    return (
        f"{_table(c['solution'], write)} is the only solution of {_rates(c['rates'], write)} from"
        f" {_table(c['starts'], write)}, for all t >= 0, where {_courses(c, write)}"
    )


def _courses(c: Json, write: Write) -> str:
    starts = (f"{name} = {write(c['begin'][name])} at t = 0" for name in c["motion"])
    return f"{_rates(c['motion'], write)}, {', '.join(starts)}"


def _invertible(c: Json, write: Write) -> str:
    return f"{write(c['matrix'])} has an inverse for all t >= 0, where {_courses(c, write)}"


def _semidefinite(c: Json, write: Write) -> str:
    return f"{write(c['matrix'])} is positive semidefinite for all t >= 0, where {_courses(c, write)}"


def _stays_zero(c: Json, write: Write) -> str:
    zeros = ", ".join(f"{write(matrix)} = 0" for matrix in c["matrices"])
    return f"{zeros} for as long as the flow goes on, where {_courses(c, write)}"


def _distance_from_zero(c: Json, write: Write) -> str:
    grown = f"exp(({write(c['growth'])}) t)"
    added = f"{write(c['size'])} ({grown} - 1)/({write(c['growth'])})"
    return (
        f"|{write(c['matrix'])}| <= {grown} |{write(c['start'])}| + {added} for as long as the hypotheses hold, where"
        f" {_courses(c, write)}, and {', '.join(c['constants'])} do not depend on t"
    )


def _limit_in_time(c: Json, write: Write) -> str:
    ends = (f"{write(value)} -> {write(end)}" for value, end in zip(c["values"], c["ends"], strict=True))
    fading = [f"{name} = exp(-({write(rate)}) {c['time']})" for name, rate in c["decays"].items()]
    fading += [f"{name} = {c['time']} {write(letter)}" for name, letter in c["slow"].items()]
    rates = ", ".join(dict.fromkeys(map(write, c["decays"].values())))
    return f"{', '.join(ends)} as {c['time']} grows, where {', '.join(fading)}, for positive definite {rates}"


def _equal_ranks(c: Json, write: Write) -> str:
    return f"{write(c['product'])} has the rank of {write(c['core'])}"


def _gaussian_vector(c: Json, write: Write) -> str:
    found = f"{write(c['map'])} x is Gaussian of mean zero with the covariance {write(c['image'])}"
    return f"for a Gaussian x of mean zero with the covariance {write(c['covariance'])}, {found}"


def _rotated(c: Json, write: Write) -> str:
    return f"{write(c['left'])} = ({write(c['right'])}) O for an orthogonal O"


def _determinants(c: Json, plain: Write) -> str:
    supposed = " and ".join(map(plain, c["supposing"]))
    return f"{f'where {supposed}: ' if supposed else ''}{plain(c['goal'])}"


def _keeps_sign(c: Json, write: Write) -> str:
    return f"where {_rates(c['motion'], write)}, det({write(c['matrix'])}) keeps its sign while it is not zero at first"


def _integral(c: Json, write: Write) -> str:
    return f"{_span(c['integrand'], c['low'], c['high'], c['variable'], write)} is {write(c['value'])}"


def _integrals(c: Json, write: Write) -> str:
    return f"{write(c['left'])} {c['relation']} {write(c['right'])}{letters(c, write)}"


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


FORMS: dict[str, Callable[[Json, Write], str]] = {
    "vanishes": _vanishes,
    "integral": _integral,
    "integrals": _integrals,
    "along the solution": _along,
    "the only solution": _the_only_solution,
    "not stable": _not_stable,
    "attracts": _attracts,
    "in order along the solution": _in_order,
    "bounded by its rate": _bounded_by_its_rate,
    "stays in a set": _stays_in_a_set,
    "stays in a box": _stays_in_a_box,
    "tends to rest": _tends_to_rest,
    "zeros after the start": _zeros,
    "Gaussian sum": _gaussian_sum,
    "Gaussian vector": _gaussian_vector,
    "only solution": _only_solution,
    "invertible at all times": _invertible,
    "semidefinite at all times": _semidefinite,
    "limit in time": _limit_in_time,
    "stays zero": _stays_zero,
    "distance from zero": _distance_from_zero,
    "equal ranks": _equal_ranks,
    "rotated": _rotated,
    "determinants": _determinants,
    "determinant keeps its sign": _keeps_sign,
}
