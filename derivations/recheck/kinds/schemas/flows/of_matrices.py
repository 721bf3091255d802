"""Theorems about flows of matrices: the only solution, a bracket that keeps its inverse, the limit in time."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data
from derivations.recheck.kinds.schemas.motion import (
    LINKS,
    Courses,
    all_behind,
    by_definition,
    equation,
    forever,
    inner,
    invertible_forever,
    moved,
    moved_by,
    named_in,
    names_in_rules,
    never_negative,
    one,
    require_that_t_is_the_time,
    with_values,
)
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, conclusion
from derivations.recheck.kinds.words import read_letters
from derivations.recheck.kinds.words.formulas import names_in


def _require(condition: bool, complaint: str) -> None:
    if not condition:
        raise Rejected(complaint)


def _solution(slots: Data) -> tuple[Needs, Data]:
    courses = Courses(slots)
    values, rates, starts = slots["values"], slots["rates"], slots["starts"]
    parts, drift, motion = slots["through"], slots["drift"], slots["motion"]
    _require(set(values) == set(rates) == set(starts), "values, rates and starts must be of the same letters")
    _check_letters(slots, courses)
    needs = courses.inverses([*values.values(), *parts.values(), *motion.values()])
    needs |= courses.starts([*values.values(), *parts.values()])
    for name, side in parts.items():
        if name in drift:
            pair = moved(inner(side), motion, slots["letters"]), with_values(inner(drift[name]), parts)
            needs[f"drift of {name}"] = equation(slots, side["shape"], *pair)
        else:
            both = ("@", inner(slots["letters"][name]["inverse_of"]), ("L", name))
            needs[f"inverse of {name}"] = equation(slots, side["shape"], with_values(both, parts), one(side["shape"]))
    solved = {}
    for name, side in values.items():
        shape, formula = side["shape"], inner(side)
        whole = with_values(formula, parts)
        rate = moved(formula, drift if drift else motion, slots["letters"])
        needs[f"rate of {name}"] = equation(slots, shape, rate, with_values(inner(rates[name]), values))
        needs[f"start of {name}"] = equation(slots, shape, with_values(whole, slots["begin"]), inner(starts[name]))
        solved[name] = {"shape": shape, "formula": whole}
    told = {"rates": rates, "starts": starts, "solution": solved, "motion": motion, "begin": slots["begin"]}
    return needs, conclusion("only solution", slots, **told)


def _check_letters(slots: Data, courses: Courses) -> None:
    letters, state, parts = slots["letters"], set(slots["values"]), set(slots["through"])
    _require(state | parts <= set(letters), "a letter of the state or a part is not declared")
    _require(all(set(letters[x]) == {"rows", "cols"} for x in state), "a letter of the state has a property")
    _require(not state & (courses.moving | parts), "a letter of the state is one of those that move")
    _require(not names_in_rules(slots) & (state | parts), "a hypothesis speaks of the state or of a part")
    _require(moved_by(state, letters) == state, "a letter is defined by the state")
    speaking = all_behind(named_in(slots["rates"].values()), letters)
    _require(not speaking & (courses.moving | parts), "a rate of the state speaks of what moves")
    constant = named_in(slots["starts"].values())
    _require(not constant & (courses.moving | parts | state), "a start is no constant")
    plain = {x for x in parts if not set(LINKS) & set(letters[x])}
    _require(set(slots["drift"]) == plain, "each part that is not defined by others needs its drift")
    _require(all("inverse_of" in letters[x] for x in parts - plain), "a part may be defined as an inverse only")
    _require(all(set(letters[x]) == {"rows", "cols"} for x in plain), "a part with a drift has a property")
    _require(not parts & courses.moving and moved_by(plain, letters) == parts, "parts must be letters of their own")
    if parts:
        written = all_behind(named_in(slots["values"].values()), letters)
        _require(not written & courses.moving, "values must be written in parts")
    drifting = all_behind(named_in(slots["drift"].values()), letters)
    _require(not drifting & courses.moving, "a drift speaks of what moves and not of parts")
    _require(not named_in(slots["through"].values()) & parts, "parts are told in parts")


def _bracket(slots: Data) -> tuple[Needs, Data]:
    courses = Courses(slots)
    root, back = slots["first"], slots["left_inverse"]
    _require(not named_in([root, back]) & courses.moving, "the root at the start moves")
    bracket, scale = slots["bracket"], slots["scale"]
    size = bracket["shape"][0]
    between = ("@", ("T", inner(scale)), inner(bracket), inner(scale))
    growth = ("+", *[("@", ("T", inner(a)), inner(a)) for a in slots["grows_by"]])
    needs = courses.inverses([bracket, scale, slots["scale_inverse"], *slots["grows_by"], *slots["motion"].values()])
    needs |= courses.starts([bracket, scale])
    identity = one(bracket["shape"])
    square = (size, size)
    needs["growth"] = equation(slots, square, moved(between, slots["motion"], slots["letters"]), growth)
    needs["scale"] = equation(slots, square, ("@", inner(slots["scale_inverse"]), inner(scale)), identity)
    first = ("@", ("T", inner(root)), inner(root))
    needs["start"] = equation(slots, square, with_values(between, slots["begin"]), first)
    needs["full rank"] = equation(slots, square, ("@", inner(back), inner(root)), identity)
    return needs, invertible_forever(slots, bracket)


def _driven(slots: Data) -> tuple[Needs, Data]:
    bracket = slots["bracket"]
    return _pushed(slots, bracket, ">"), invertible_forever(slots, bracket)


def _kept(slots: Data) -> tuple[Needs, Data]:
    matrix = slots["matrix"]
    return _pushed(slots, matrix, ">="), forever("semidefinite at all times", slots, matrix)


def _pushed(slots: Data, matrix: Data, relation: str) -> Needs:
    """A matrix P has the rate A P + P A' + R with R semidefinite, and starts as it should."""
    courses = Courses(slots)
    value, drift, growth = inner(matrix), inner(slots["drift"]), slots["growth"]
    formulas = [matrix, slots["drift"], growth]
    needs = courses.inverses([*formulas, *slots["motion"].values()]) | courses.starts(formulas)
    first, second = ("@", drift, value), ("@", value, ("T", drift))
    rate = moved(value, slots["motion"], slots["letters"])
    needs["rate"] = equation(slots, matrix["shape"], rate, ("+", first, second, inner(growth)))
    needs["growth"] = never_negative(slots, growth["shape"], inner(growth), ">=")
    needs["start"] = never_negative(slots, matrix["shape"], with_values(value, slots["begin"]), relation)
    return needs


def _limit(slots: Data) -> tuple[Needs, Data]:
    letters, decays, slow, time = slots["letters"], slots["decays"], slots["slow"], slots["time"]
    values, ends, last = slots["values"], slots["ends"], slots["at_the_end"]
    read_letters(letters)
    changing = moved_by([*decays, time], letters)
    _require(not names_in_rules(slots) & changing, "a hypothesis speaks of what depends on time")
    for name, rate in decays.items():
        _check_decay(letters, name, rate)
    _require(len(values) == len(ends), "values and ends must be equally many")
    _require(not set(last) & (set(decays) | set(slow)), "what decays ends at zero")
    fixed = named_in([*ends, *last.values(), *decays.values()])
    _require(not fixed & changing, "ends and rates of decay must be constants")
    needs: Needs = {}
    for name, side in slow.items():
        letter = inner(side)
        _require(letter[0] == "L" and letter[1] in decays, f"{name} must be the time times a letter that decays")
        needs[f"{name} with time"] = equation(slots, side["shape"], ("L", name), ("*", ("L", time), letter))
    gone = dict(last)
    for name in (*decays, *slow):
        shape = (letters[name]["rows"], letters[name]["cols"])
        gone[name] = {"shape": shape, "formula": ("0", *shape)}
    reached = all_behind(named_in(values), letters, slow)
    _require(time not in reached, "time stands in the formula by itself and grows")
    for name in (reached & changing) - set(decays):
        _require(name in last, f"{name} changes with time and has no end")
        needs[f"end of {name}"] = by_definition(slots, name, gone)
    for k, (value, end) in enumerate(zip(values, ends, strict=True)):
        needs[f"end {k + 1}"] = equation(slots, value["shape"], with_values(inner(value), gone), inner(end))
    told = {"values": values, "ends": ends, "decays": decays, "slow": slow, "time": time}
    return needs, conclusion("limit in time", slots, **told)


def _check_decay(letters: Data, name: str, rate: Data) -> None:
    """exp(-rate t) of a positive number or of a symmetric letter is what the letter is declared to be."""
    _require(name in letters, f"{name} is not declared")
    declared, formula = letters[name], inner(rate)
    _require(tuple(rate["shape"]) == (declared["rows"], declared["cols"]), f"{name} and its rate differ in shape")
    generator: Data = {}
    if formula[0] == "L":
        generator = letters[formula[1]]
        symmetric = "symmetric" in generator or "diagonal" in generator or generator["rows"] == 1
        _require(symmetric, f"the rate of {name} must be symmetric")
    else:
        positive = formula[0] == "q" and formula[1] != "0" and not formula[1].startswith("-")
        _require(positive, f"the rate of {name} must be a letter or a positive number")
    _require(not {"orthonormal_columns", *LINKS} & set(declared), f"{name} is declared to be more than it is")
    _require("diagonal" not in declared or "diagonal" in generator, f"{name} is diagonal and its rate is not")
    others = set(declared.get("commutes_with", ())) - names_in(rate)
    _require(not others, f"{name} is declared to commute with more than its rate")


def _zero(slots: Data) -> tuple[Needs, Data]:
    letters, motion, begin, stands_for = slots["letters"], slots["motion"], slots["begin"], slots["values"]
    _require(sorted(motion) == sorted(begin), "each letter that moves needs a start, and no other has one")
    _require(sorted(stands_for) == sorted(slots["rates"]), "each matrix needs its rate")
    known = read_letters(letters)
    require_that_t_is_the_time(slots)
    _require_apart(slots)
    needs: Needs = {}
    for name, side in stands_for.items():
        for numbers, word in known.side(slots["rates"][name]).terms:
            factors = [letter for letter, _ in word] + [letter for _, loop, _ in numbers for letter, _ in loop]
            many = len([letter for letter in factors if letter in stands_for])
            _require(many == 1, f"a term of the rate of {name} has {many} factors that vanish at the start, not one")
        rate = with_values(inner(slots["rates"][name]), stands_for)
        needs[f"rate of {name}"] = equation(slots, side["shape"], moved(inner(side), motion, letters), rate)
        nothing = ("0", *side["shape"])
        needs[f"start of {name}"] = equation(slots, side["shape"], with_values(inner(side), begin), nothing)
    for name, rate in motion.items():
        if "symmetric" in letters[name]:
            for label, side in (("stays", rate), ("starts", begin[name])):
                turned = ("T", inner(side))
                needs[f"{name} {label} symmetric"] = equation(slots, side["shape"], turned, inner(side))
    matrices = tuple(stands_for[name] for name in sorted(stands_for))
    return needs, conclusion("stays zero", slots, matrices=matrices, motion=motion, begin=begin)


def _require_apart(slots: Data) -> None:
    """Letters that move, names of matrices and constants keep to the places in which they may stand."""
    letters, motion, names = slots["letters"], slots["motion"], set(slots["values"])
    _require(set(motion) | names <= set(letters), "what moves and what vanishes must be declared")
    driven, named = moved_by(motion, letters), moved_by(names, letters)
    _require(named == names and not names & driven, "a name of a matrix neither moves nor defines a letter")
    _require(not names_in_rules(slots) & (driven | names), "a hypothesis speaks of what moves or of a name")
    for name in names:
        _require(set(letters[name]) == {"rows", "cols"}, f"{name} is a name, and declared to be more")
    for name in motion:
        _require(set(letters[name]) <= {"rows", "cols", "symmetric"}, f"{name} moves, and is declared to be more")
    for declared in letters.values():
        partners = set(declared.get("commutes_with", ()))
        _require(not partners & (driven | names), "a letter is declared to commute with one that moves")
    flowing = named_in([*slots["values"].values(), *motion.values()])
    _require(not flowing & names, "a name of a matrix stands where only what moves and constants may")
    spoken = flowing | named_in(slots["rates"].values())
    _require(not spoken & (driven - set(motion)), "a letter is defined by others that move")
    fixed = all_behind(named_in(slots["begin"].values()), letters)
    _require(not fixed & (driven | names), "a start is no constant")


THEOREMS = {
    "zero stays zero": Theorem(
        "Matrices that vanish at the start of a flow, and whose rates along it are sums of terms with exactly one of"
        " them as a factor, vanish for as long as the flow goes on.",
        {"values": "motion", "rates": "motion", "motion": "motion", "begin": "motion"},
        _zero,
    ),
    "solution of a matrix flow": Theorem(
        "A formula that satisfies a flow with polynomial rates and starts where it should is the only solution from"
        " that start, for all times from 0.",
        {
            "values": "motion",
            "rates": "motion",
            "starts": "motion",
            "motion": "motion",
            "begin": "motion",
            "through": "table",
            "drift": "table",
        },
        _solution,
    ),
    "bracket that grows": Theorem(
        "A matrix that is positive definite at the start, and between a scale that always has an inverse and its"
        " transpose grows by sums of squares, has an inverse for all times from 0.",
        {
            "bracket": "word",
            "grows_by": "words",
            "scale": "word",
            "scale_inverse": "word",
            "first": "word",
            "left_inverse": "word",
            "motion": "motion",
            "begin": "motion",
        },
        _bracket,
    ),
    "bracket that is driven": Theorem(
        "A symmetric matrix P that is positive definite at the start and moves by A P + P A' + R, with R positive"
        " semidefinite at all times, has an inverse for all times from 0.",
        {"bracket": "word", "drift": "word", "growth": "word", "motion": "motion", "begin": "motion"},
        _driven,
    ),
    "order kept by a flow": Theorem(
        "A symmetric matrix P that is positive semidefinite at the start and moves by A P + P A' + R, with R positive"
        " semidefinite at all times, stays positive semidefinite; A = 0 is the integral of such matrices.",
        {"matrix": "word", "drift": "word", "growth": "word", "motion": "motion", "begin": "motion"},
        _kept,
    ),
    "limit by decaying exponentials": Theorem(
        "As time grows, exp(-S t) and t exp(-S t) go to zero for every positive definite S, and sums, products and"
        " inverses are continuous: a formula in them tends to its value where they are zero.",
        {
            "values": "words",
            "ends": "words",
            "decays": "motion",
            "slow": "table",
            "time": "text",
            "at_the_end": "table",
        },
        _limit,
    ),
}
