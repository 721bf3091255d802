"""Flows of matrices of any size: the only solution, a bracket that keeps its inverse, and the limit in time."""

from __future__ import annotations

from derivations.language.words.algebra import name_of
from derivations.language.words.formulas import Reader, mentioned
from derivations.prove.certificate import Json
from derivations.prove.schemas.motion import (
    Motion,
    along,
    at_all_times,
    behind,
    derived_value,
    equation,
    invertible,
    keep_the_time,
    moving_with,
    of,
    placed,
    replaced,
    unit,
)
from derivations.prove.schemas.schema import MATRICES, Schema, SlotError, Use, concluded, ordered


def solution(slots: Json) -> Use:
    values, rates, starts, through, drift = (slots[k] for k in ("values", "rates", "starts", "through", "drift"))
    motion = Motion(slots)
    if not set(values) == set(rates) == set(starts):
        raise SlotError("values, rates and starts must speak of the same letters")
    _check_state(slots, motion)
    needs = motion.inverses(*values.values(), *through.values(), *slots["motion"].values())
    needs |= motion.starts(*values.values(), *through.values())
    for name in sorted(drift):
        moved = along(of(through[name]), slots["motion"], slots["letters"])
        needs[f"drift of {name}"] = equation(slots, through[name]["shape"], moved, placed(drift[name], through))
    for name in sorted(set(through) - set(drift)):
        product = ("@", slots["letters"][name]["inverse_of"]["formula"], ("L", name))
        whole = replaced(product, through)
        needs[f"inverse of {name}"] = equation(slots, through[name]["shape"], whole, unit(through[name]))
    for name in sorted(values):
        shape, value = values[name]["shape"], of(values[name])
        moved = along(value, drift or slots["motion"], slots["letters"])
        needs[f"rate of {name}"] = equation(slots, shape, moved, placed(rates[name], values))
        first = replaced(replaced(value, through), slots["begin"])
        needs[f"start of {name}"] = equation(slots, shape, first, of(starts[name]))
    found = {n: {"shape": side["shape"], "formula": replaced(of(side), through)} for n, side in values.items()}
    parts = {"rates": rates, "starts": starts, "solution": found}
    return Use(needs, concluded("only solution", slots, **parts, motion=slots["motion"], begin=slots["begin"]))


def _check_state(slots: Json, motion: Motion) -> None:
    """The state has letters of its own, its rates are polynomials in them, and parts are what their letters say."""
    values, through, drift, letters = slots["values"], slots["through"], slots["drift"], slots["letters"]
    own = {name for name in values if set(letters[name]) == {"rows", "cols"}}
    if {n for rule in slots["rules"] for side in ("left", "right") for n in mentioned(rule[side])} & (own | {*through}):
        raise SlotError("no hypothesis may speak of the state or of parts")
    if own != set(values) or own & (motion.moving | set(through)):
        raise SlotError("a letter of the state has no properties, and is none of those that move")
    if behind({n for side in slots["rates"].values() for n in mentioned(side)}, letters) & (
        motion.moving | set(through)
    ):
        raise SlotError("the rates of the state speak of the state and of constants")
    if moving_with(values, letters) != own:
        raise SlotError("no letter may be defined by letters of the state")
    spoken = {n for side in slots["starts"].values() for n in mentioned(side)}
    if spoken & (motion.moving | own | set(through)):
        raise SlotError("the starts must be constants")
    plain = {name for name in through if not {"inverse_of", "equals"} & set(letters[name])}
    inverse = all("inverse_of" in letters[name] for name in set(through) - plain)
    if plain != set(drift) or not inverse or any(set(letters[n]) - {"rows", "cols"} for n in plain):
        raise SlotError("each part without properties needs its drift, and any other part must be an inverse")
    if set(through) & motion.moving or moving_with(plain, letters) != set(through):
        raise SlotError("parts are letters of their own, and everything that is defined by them is given")
    if through and behind({n for side in values.values() for n in mentioned(side)}, letters) & motion.moving:
        raise SlotError("values are written in the parts, and these in what moves")
    if behind({n for side in drift.values() for n in mentioned(side)}, letters) & motion.moving:
        raise SlotError("the drift of a part speaks of parts and of constants")
    if {n for side in through.values() for n in mentioned(side)} & set(through):
        raise SlotError("what parts are must not be told in parts")


def growing_bracket(slots: Json) -> Use:
    motion, bracket, scale = Motion(slots), slots["bracket"], slots["scale"]
    if {n for side in (slots["first"], slots["left_inverse"]) for n in mentioned(side)} & motion.moving:
        raise SlotError("the root of the bracket at the start must be a constant")
    rows = bracket["shape"][0]
    scaled = ("@", ("T", of(scale)), of(bracket), of(scale))
    squares = tuple(("@", ("T", of(side)), of(side)) for side in slots["grows_by"])
    first, back = of(slots["first"]), of(slots["left_inverse"])
    needs = motion.inverses(bracket, scale, slots["scale_inverse"], *slots["grows_by"], *slots["motion"].values())
    needs |= motion.starts(bracket, scale)
    needs["growth"] = equation(slots, (rows, rows), along(scaled, slots["motion"], slots["letters"]), ("+", *squares))
    needs["scale"] = equation(slots, (rows, rows), ("@", of(slots["scale_inverse"]), of(scale)), unit(bracket))
    at_start = replaced(scaled, slots["begin"])
    needs["start"] = equation(slots, (rows, rows), at_start, ("@", ("T", first), first))
    needs["full rank"] = equation(slots, (rows, rows), ("@", back, first), unit(bracket))
    return Use(needs, invertible(slots, bracket))


def driven_bracket(slots: Json) -> Use:
    return Use(_driven(slots, slots["bracket"], ">"), invertible(slots, slots["bracket"]))


def kept_order(slots: Json) -> Use:
    return Use(_driven(slots, slots["matrix"], ">="), at_all_times("semidefinite", slots, slots["matrix"]))


def _driven(slots: Json, matrix: Json, at_start: str) -> dict[str, Json]:
    """That a matrix P moves by A P + P A' + R for a semidefinite R, and how it starts."""
    motion, drift, growth = Motion(slots), slots["drift"], slots["growth"]
    shape = matrix["shape"]
    moved = along(of(matrix), slots["motion"], slots["letters"])
    pulled = ("+", ("@", of(drift), of(matrix)), ("@", of(matrix), ("T", of(drift))), of(growth))
    needs = motion.inverses(matrix, drift, growth, *slots["motion"].values())
    needs |= motion.starts(matrix, drift, growth)
    needs["rate"] = equation(slots, shape, moved, pulled)
    needs["growth"] = ordered(slots, ">=", growth)
    needs["start"] = ordered(slots, at_start, {"shape": shape, "formula": replaced(of(matrix), slots["begin"])})
    return needs


def decaying_limit(slots: Json) -> Use:
    values, ends, decays, slow = (slots[key] for key in ("values", "ends", "decays", "slow"))
    letters, time = slots["letters"], slots["time"]
    vanishing = moving_with([*decays, time], letters)
    spoken = {n for rule in slots["rules"] for side in ("left", "right") for n in mentioned(rule[side])}
    if spoken & vanishing:
        raise SlotError("no hypothesis may speak of letters that depend on time")
    for name, rate in decays.items():
        _check_decay(letters, name, rate)
    needs: dict[str, Json] = {}
    for name in sorted(slow):
        if slow[name]["formula"][0] != "L" or slow[name]["formula"][1] not in decays:
            raise SlotError(f"{name} must be the time times a letter that decays")
        product = ("*", ("L", time), of(slow[name]))
        needs[f"{name} with time"] = equation(slots, slow[name]["shape"], ("L", name), product)
    gone = {name: _nothing(letters, name) for name in (*decays, *slow)} | slots["at_the_end"]
    reached = behind({n for side in values for n in mentioned(side)}, letters, slow)
    if time in reached:
        raise SlotError(f"{time} grows without end: write it into letters that decay more than it grows")
    for name in sorted(reached & vanishing - set(decays) - set(slow)):
        if name not in slots["at_the_end"]:
            raise SlotError(f"{name} changes with time: give what it is at the end")
        needs[f"end of {name}"] = derived_value(slots, name, gone)
    if len(values) != len(ends) or set(slots["at_the_end"]) & (set(decays) | set(slow)):
        raise SlotError("each value needs one end, and what decays ends at zero")
    constants = [*ends, *slots["at_the_end"].values(), *decays.values()]
    if {n for side in constants for n in mentioned(side)} & vanishing:
        raise SlotError("ends and rates of decay must be constants")
    for k, (value, end) in enumerate(zip(values, ends, strict=True), 1):
        needs[f"end {k}"] = equation(slots, value["shape"], placed(value, gone), of(end))
    parts = {"values": values, "ends": ends, "decays": decays, "slow": slow, "time": time}
    return Use(needs, concluded("limit in time", slots, **parts))


def _check_decay(letters: Json, name: str, rate: Json) -> None:
    """The letter is exp(-rate time) for a letter or a positive number as its rate, and declared no more than that."""
    head = rate["formula"][0]
    number = head == "q" and not rate["formula"][1].startswith("-") and rate["formula"][1] != "0"
    generator = letters.get(rate["formula"][1], {}) if head == "L" else {}
    is_letter = head == "L" and ("diagonal" in generator or "symmetric" in generator or generator.get("rows") == 1)
    declared = letters[name]
    if not (number or is_letter) or {"inverse_of", "equals", "orthonormal_columns"} & set(declared):
        raise SlotError(f"{name} must decay at a positive number, or at a symmetric letter")
    if ("diagonal" in declared and "diagonal" not in generator) or set(declared.get("commutes_with", [])) - {
        rate["formula"][1]
    }:
        raise SlotError(f"{name} is declared to be more than the exponential of its rate")
    if [declared["rows"], declared["cols"]] != list(rate["shape"]):
        raise SlotError(f"{name} and its rate differ in shape")


def _nothing(letters: Json, name: str) -> Json:
    rows, cols = letters[name]["rows"], letters[name]["cols"]
    return {"shape": [rows, cols], "formula": ("0", rows, cols)}


def zero_stays_zero(slots: Json) -> Use:
    values, rates, motion, begin = (slots[key] for key in ("values", "rates", "motion", "begin"))
    if set(values) != set(rates) or set(motion) != set(begin):
        raise SlotError("each value needs its rate, and each letter that moves needs a start")
    keep_the_time(slots)
    _check_names(slots)
    needs: dict[str, Json] = {}
    for name in sorted(n for n in motion if "symmetric" in slots["letters"][n]):
        for role, side in (("starts", begin[name]), ("stays", motion[name])):
            needs[f"{name} {role} symmetric"] = equation(slots, side["shape"], ("T", of(side)), of(side))
    reader = Reader(slots["letters"])
    for name in sorted(values):
        for scalars, outer in reader.side(rates[name]).terms:
            if sum(name_of(f) in values for part in (*scalars, outer) for f in part) != 1:
                raise SlotError(f"each term of the rate of {name} must hold exactly one of {', '.join(sorted(values))}")
        shape, value = values[name]["shape"], values[name]
        moved = along(of(value), motion, slots["letters"])
        needs[f"rate of {name}"] = equation(slots, shape, moved, placed(rates[name], values))
        needs[f"start of {name}"] = equation(slots, shape, placed(value, begin), ("0", *shape))
    matrices = [values[name] for name in sorted(values)]
    return Use(needs, concluded("stays zero", slots, matrices=matrices, motion=motion, begin=begin))


def _check_names(slots: Json) -> None:
    """What moves has no definitions and keeps what it is declared to be; nothing is told of the names of values."""
    values, rates, motion, begin, letters = (slots[k] for k in ("values", "rates", "motion", "begin", "letters"))
    moving, names = moving_with(motion, letters), set(values)
    rules = [rule[side] for rule in slots["rules"] for side in ("left", "right")]
    if {n for side in rules for n in mentioned(side)} & (moving | names):
        raise SlotError("no hypothesis may speak of what moves or of the names of values")
    sides = [*values.values(), *motion.values()]
    if {n for side in [*sides, *rates.values()] for n in mentioned(side)} & (moving - set(motion)):
        raise SlotError("values and rates must be written in the letters that move and in constants alone")
    if {n for side in sides for n in mentioned(side)} & names or names & moving or moving_with(names, letters) != names:
        raise SlotError("the names of values stand in the rates of values alone")
    if behind({n for side in begin.values() for n in mentioned(side)}, letters) & (moving | names):
        raise SlotError("the starts must be constants")
    partners = {n for declared in letters.values() for n in declared.get("commutes_with", ())}
    if partners & (moving | names) or any(set(letters[n]) - {"rows", "cols"} for n in names):
        raise SlotError("the names of values are declared to be nothing, and nothing commutes with what moves")
    if any(set(letters[n]) - {"rows", "cols", "symmetric"} for n in motion):
        raise SlotError("a letter that moves may be declared symmetric, and nothing else")


SCHEMAS = (
    Schema(
        "solution of a matrix flow",
        "A formula that satisfies a flow with polynomial rates and starts where it should is the only solution from"
        " that start, for all times from 0.",
        "The letters in the formula move linearly, each driven by constants and by letters further up, from starts that"
        " are as the letters are declared; every inverse in the formula exists at all times; no hypothesis speaks of"
        " what moves.",
        "Picard-Lindeloef; e.g. Hartman, Ordinary Differential Equations, Theorem II.1.1",
        MATRICES,
        {
            "values": "motion", "rates": "motion", "starts": "motion", "motion": "motion", "begin": "motion",
            "through": "table", "drift": "table",
        },
        solution,
    ),
    Schema(
        "bracket that grows",
        "A matrix that is positive definite at the start, and between a scale that always has an inverse and its"
        " transpose grows by sums of squares, has an inverse for all times from 0.",
        "The letters move linearly, each driven by constants and by letters further up; at the start the scaled matrix"
        " is the square of a root with an inverse from the left; no hypothesis speaks of what moves.",
        "Horn and Johnson, Matrix Analysis, Observation 7.1.3",
        MATRICES,
        {
            "bracket": "word", "grows_by": "words", "scale": "word", "scale_inverse": "word", "first": "word",
            "left_inverse": "word", "motion": "motion", "begin": "motion",
        },
        growing_bracket,
    ),
    Schema(
        "bracket that is driven",
        "A symmetric matrix P that is positive definite at the start and moves by A P + P A' + R, with R positive"
        " semidefinite at all times, has an inverse for all times from 0.",
        "The letters move linearly, each driven by constants and by letters further up, from starts that are as the"
        " letters are declared; every inverse in the formulas exists at all times; no hypothesis speaks of what moves.",
        "Abou-Kandil, Freiling, Ionescu and Jank, Matrix Riccati Equations, Section 1.1 (variation of constants)",
        MATRICES,
        {"bracket": "word", "drift": "word", "growth": "word", "motion": "motion", "begin": "motion"},
        driven_bracket,
    ),
    Schema(
        "order kept by a flow",
        "A symmetric matrix P that is positive semidefinite at the start and moves by A P + P A' + R, with R positive"
        " semidefinite at all times, stays positive semidefinite; A = 0 is the integral of such matrices.",
        "The letters move linearly, each driven by constants and by letters further up, from starts that are as the"
        " letters are declared; every inverse in the formulas exists at all times; no hypothesis speaks of what moves.",
        "Abou-Kandil, Freiling, Ionescu and Jank, Matrix Riccati Equations, Section 1.1 (variation of constants)",
        MATRICES,
        {"matrix": "word", "drift": "word", "growth": "word", "motion": "motion", "begin": "motion"},
        kept_order,
    ),
    Schema(
        "limit by decaying exponentials",
        "As time grows, exp(-S t) and t exp(-S t) go to zero for every positive definite S, and sums, products and"
        " inverses are continuous: a formula in them tends to its value where they are zero.",
        "The rates of decay are positive; every inverse in the formula has one in the end too; time itself stands"
        " nowhere else in the formula; no hypothesis speaks of what depends on time.",
        "Rudin, Principles of Mathematical Analysis, Theorems 8.6 and 9.8",
        MATRICES,
        {
            "values": "words", "ends": "words", "decays": "motion", "slow": "table", "time": "text",
            "at_the_end": "table",
        },
        decaying_limit,
    ),
    Schema(
        "zero stays zero",
        "Matrices that vanish at the start of a flow, and whose rates along it are sums of terms with exactly one of"
        " them as a factor, vanish for as long as the flow goes on.",
        "All other factors are constants or letters that move, which stay bounded while the flow goes on; each letter"
        " that moves has a start, and keeps its symmetry if it is declared symmetric; no hypothesis speaks of what"
        " moves. Each of the matrices has a letter as its name, which stands for it in the rates.",
        "Picard-Lindeloef; e.g. Hartman, Ordinary Differential Equations, Theorem II.1.1",
        MATRICES,
        {"values": "motion", "rates": "motion", "motion": "motion", "begin": "motion"},
        zero_stays_zero,
    ),
)  # fmt: skip
