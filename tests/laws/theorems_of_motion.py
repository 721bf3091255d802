"""Random uses of theorems about flows of matrices, judged by exact power series in time of matrices of 0 to 3 rows.

A use is one of some that hold, often with one of its formulas changed. Hypotheses are compared at random matrices that
are as letters are declared and rules say; a solution is the series that its rates make of its start, in fractions.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.test_matrix_theorems import ASSUMING, USES
from flint import arb, fmpq, fmpq_mat

from derivations.language.words import Letter, Words, identity, number, trace, zero
from derivations.prove.equality import Unsatisfiable
from derivations.prove.schemas.table import SlotError, theorem_named, use_of
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses

Json = dict[str, Any]
Series = list[fmpq_mat]  # the coefficients of powers of the time
ORDER = 16
TINY = fmpq(1, 10**9)
FEW, MANY = 3, 12
"""States at which hypotheses about all matrices are tried: few for a use, many of all sizes before a fault."""


# --- matrices that move -----------------------------------------------------------------------------------------------


class State:
    """Values of letters as series in time, from which those of letters with definitions follow."""

    def __init__(self, letters: Json, sizes: Mapping[str, int], given: Mapping[str, Series], order: int) -> None:
        self.letters, self.sizes, self.given, self.order = letters, sizes, dict(given), order

    def letter(self, name: str) -> Series:
        if name not in self.given:
            declared = self.letters[name]
            if "equals" in declared:
                self.given[name] = self.value(declared["equals"]["formula"])
            else:
                self.given[name] = self.inverse(self.value(declared["inverse_of"]["formula"]))
        return self.given[name]

    def still(self, matrix: fmpq_mat) -> Series:
        return [matrix, *(matrix * 0 for _ in range(1, self.order))]

    def size(self, of: Any) -> int:
        return of if isinstance(of, int) else self.sizes[of]

    def value(self, formula: Any) -> Series:
        head, *parts = formula
        match head:
            case "L":
                return self.letter(parts[0])
            case "q":
                return self.still(fmpq_mat([[fmpq(*map(int, parts[0].split("/")))]]))
            case "I":
                return self.still(unit(self.size(parts[0])))
            case "0":
                return self.still(fmpq_mat(self.size(parts[0]), self.size(parts[1])))
            case "T":
                return [c.transpose() for c in self.value(parts[0])]
            case "tr":
                return [traced(c) for c in self.value(parts[0])]
            case "norm2":
                inside = self.value(parts[0])
                return [traced(c) for c in self.product([c.transpose() for c in inside], inside)]
            case "along":
                moved = State(self.letters, self.sizes, self.given_first(), 2)
                for name, rate in parts[1]:
                    moved.given[name] = [self.letter(name)[0], self.value(rate)[0]]
                return self.still(moved.value(parts[0])[1])
            case "at":
                there = {name: self.letter(name) for name in self.letters} | {n: self.value(f) for n, f in parts[1]}
                return State(self.letters, self.sizes, there, self.order).value(parts[0])
            case "^":
                parts = [parts[0]] * parts[1]
        total = self.value(parts[0])
        for part in parts[1:]:
            other = self.value(part)
            if head == "+":
                total = [a + b for a, b in zip(total, other, strict=True)]
            else:
                scalar = head == "*" and total[0].nrows() == total[0].ncols() == 1
                total = self.product(total, other, scaled=scalar, turned=head == "*" and not scalar)
        return total

    def given_first(self) -> dict[str, Series]:
        """Letters without definitions, which stand still but for what is said of them."""
        plain = [name for name, told in self.letters.items() if not {"equals", "inverse_of"} & set(told)]
        return {name: [self.letter(name)[0], self.letter(name)[0] * 0] for name in plain}

    def product(self, a: Series, b: Series, *, scaled: bool = False, turned: bool = False) -> Series:
        """A product; with a number as the first factor, or as the second one."""
        if turned:
            return self.product(b, a, scaled=True)
        times = (lambda x, y: y * x[0, 0]) if scaled else (lambda x, y: x * y)
        coefficients = [times(a[0], b[0]) * 0] * self.order
        for i, x in enumerate(a):
            for j, y in enumerate(b[: self.order - i] if x else []):
                coefficients[i + j] = coefficients[i + j] + times(x, y) if y else coefficients[i + j]
        return coefficients

    def inverse(self, a: Series) -> Series:
        first = inverted(a[0])
        found = [first]
        for k in range(1, self.order):
            found.append(first * total([a[j] * found[k - j] for j in range(1, k + 1)]) * -1)
        return found


def total(matrices: list[fmpq_mat]) -> fmpq_mat:
    found = matrices[0]
    for matrix in matrices[1:]:
        found = found + matrix
    return found


def unit(size: int) -> fmpq_mat:
    return fmpq_mat(size, size, [fmpq(i == j) for i in range(size) for j in range(size)])


def inverted(a: fmpq_mat) -> fmpq_mat:
    return a.inv() if a.nrows() else a


def traced(a: fmpq_mat) -> fmpq_mat:
    return fmpq_mat([[sum((a[i, i] for i in range(a.nrows())), fmpq(0))]])


def determinant(a: fmpq_mat) -> fmpq:
    return a.det() if a.nrows() else fmpq(1)


def at_time(series: Series, t: fmpq) -> fmpq_mat:
    return total([c * t**k for k, c in enumerate(series)])


def in_time(series: Series) -> list[tuple[fmpq, fmpq_mat]]:
    """Times and values at them, as far as what a series leaves out is small."""
    last = max((abs(x) for c in series[-2:] for x in c.entries()), default=fmpq(0))
    far = next(t for t in (fmpq(1, 2**k) for k in range(99)) if last * t ** (len(series) - 2) < TINY)
    return [(far * fmpq(k, 16), at_time(series, far * fmpq(k, 16))) for k in range(17)]


def moved(state: State, motion: Json) -> State:
    """The solution of a flow: every coefficient of a series follows from those before it."""
    start = {name: series[:1] for name, series in state.given.items()}
    for k in range(1, ORDER):
        known = State(state.letters, state.sizes, _first(state, start), k)
        rates = {name: known.value(rate["formula"])[k - 1] for name, rate in motion.items()}
        for name, rate in rates.items():
            start[name] = [*start[name], rate * fmpq(1, k)]
        for name in set(start) - set(motion):
            start[name] = [*start[name], start[name][0] * 0]
    return State(state.letters, state.sizes, _first(state, start), ORDER)


def _first(state: State, known: dict[str, Series]) -> dict[str, Series]:
    return {n: s for n, s in known.items() if not {"equals", "inverse_of"} & set(state.letters[n])}


# --- random matrices --------------------------------------------------------------------------------------------------


def entry(rng: random.Random) -> fmpq:
    return fmpq(rng.choice((0, 0, 1, -1, 2)), rng.choice((1, 1, 2)))


def matrix(rng: random.Random, rows: int, cols: int) -> fmpq_mat:
    return fmpq_mat(rows, cols, [entry(rng) for _ in range(rows * cols)])


def as_declared(rng: random.Random, letters: Json, sizes: Json) -> dict[str, fmpq_mat]:
    """Random values of letters without definitions."""
    found: dict[str, fmpq_mat] = {}
    for name, told in sorted(letters.items(), key=lambda item: len(item[1].get("commutes_with", ()))):
        rows, cols = (size if isinstance(size, int) else sizes[size] for size in (told["rows"], told["cols"]))
        if {"equals", "inverse_of"} & set(told):
            continue
        if partners := told.get("commutes_with", ()):
            base = found[partners[0]] if partners[0] in found else unit(rows)
            found[name] = unit(rows) * entry(rng) + base * entry(rng) + base * base * entry(rng)
        elif "orthonormal_columns" in told:
            places = rng.sample(range(rows), cols)
            found[name] = fmpq_mat(
                rows, cols, [fmpq((i == places[j]) * rng.choice((1, -1))) for i in range(rows) for j in range(cols)]
            )
        elif "diagonal" in told:
            found[name] = fmpq_mat(rows, rows, [abs(entry(rng)) * (i == j) for i in range(rows) for j in range(rows)])
        else:
            found[name] = matrix(rng, rows, cols)
            if "symmetric" in told:
                found[name] = found[name] + found[name].transpose()
            if "positive" in told:
                found[name] = fmpq_mat([[1 + abs(entry(rng))]])
    return found


def projection(rng: random.Random, known: dict[str, fmpq_mat]) -> None:
    n = known["X0"].nrows()
    v = matrix(rng, n, 1)
    length = (v.transpose() * v)[0, 0] if n else 0
    known["X0"] = v * v.transpose() * (1 / length) if length else rng.choice((unit(n), unit(n) * 0))


def bounded(rng: random.Random, known: dict[str, fmpq_mat]) -> None:
    n, k = known["F"].nrows(), 1 + abs(entry(rng))
    known["F"] = unit(n) * known["f"][0, 0] - known["room"].transpose() * known["room"]
    for state, start, root in (("XX", "P0", "q1"), ("YY", "X0", "q2")):
        known[state] = known[root] * known[root].transpose()
        known[start] = unit(n) + matrix(rng, n, 1) * fmpq_mat(1, n)
    known["push"] = fmpq_mat(n, n, [3 * k * (i == j == 0) for i in range(n) for j in range(n)])
    known["r"], known["spare"] = fmpq_mat([[5 * k]]), fmpq_mat([[4 * k if n else 5 * k]])


def polar(_: random.Random, known: dict[str, fmpq_mat]) -> None:
    known["W2"] = known["R"] * known["W1"].transpose()


ARRANGED: dict[str, Callable[[random.Random, dict[str, fmpq_mat]], None]] = {
    "zero stays zero": projection, "distance from zero": bounded, "determinant of a flow": polar,
}  # fmt: skip
"""How matrices become what the rules say that stand beside the first use of a theorem."""


# --- uses -------------------------------------------------------------------------------------------------------------

A, B, C, X, Y, D, P = (Letter(name, "n", "n") for name in "ABCXYDP")
X_inv, time, ONE, NONE = Letter("X_inv", "n", "n", inverse_of=X), Letter("t", 1, 1), identity("n"), zero("n", "n")
v, V = Letter("v", "n", 1), Letter("V", "n", 1)
K_less = Letter("K_less", "n", "n", equals=X - ONE)
E, S = Letter("E", "n", "n", diagonal=True), Letter("S", "n", "n", diagonal=True)
E_more = Letter("E_more", "n", "n", equals=E + S)
STILL: Json = {"through": {}, "drift": {}}
UNPUSHED: Json = {
    "rest": NONE, "left_bound": number(0), "left_squares": [NONE], "right_bound": number(0), "right_squares": [NONE],
    "size": number(0), "size_squares": [number(0)], "begin": {X: C, Y: ONE},
}  # fmt: skip
SCALED: Json = {"scale": ONE, "first": ONE, "left_inverse": ONE, "begin": {X: ONE}}
ENDING: Json = {"decays": {E: S}, "slow": {}, "time": "t", "at_the_end": {}}
MORE: dict[str, list[Json]] = {
    "zero stays zero": [
        {"values": {D: X}, "rates": {D: A @ D + D @ B}, "motion": {X: A @ X + X @ B}, "begin": {X: NONE}},
        {
            "values": {D: X - X.T}, "rates": {D: A @ D + D @ A.T}, "motion": {X: A @ X + X @ A.T + C @ C.T},
            "begin": {X: C @ C.T},
        },
        {
            "values": {D: X @ Y - Y @ X}, "rates": {D: D @ X + X @ D}, "begin": {X: ONE, Y: C},
            "motion": {X: X @ X, Y: X @ Y + Y @ X},
        },
        {"values": {D: X}, "rates": {D: D}, "motion": {X: A}, "begin": {X: NONE}},
        {"values": {D: X}, "rates": {D: D}, "motion": {X: X}, "begin": {X: C}},
    ],
    "solution of a matrix flow": [
        {
            "values": {P: X @ C @ X.T}, "rates": {P: A @ P + P @ A.T}, "starts": {P: C}, "motion": {X: A @ X},
            "begin": {X: ONE}, **STILL,
        },
        {
            "values": {V: v + time * (A @ v)}, "rates": {V: A @ v}, "starts": {V: v}, "motion": {time: number(1)},
            "begin": {time: number(0)}, **STILL,
        },
        {
            "values": {P: X_inv @ C @ X}, "rates": {P: P @ A - A @ P}, "starts": {P: C}, "motion": {X: X @ A},
            "begin": {X: ONE, X_inv: ONE}, **STILL,
        },
        {
            "values": {P: X_inv}, "rates": {P: -1 * P}, "starts": {P: 2 * ONE}, "motion": {X: X},
            "begin": {X: ONE, X_inv: 2 * ONE}, **STILL,
        },
    ],
    "bracket that grows": [
        {"bracket": X, "grows_by": [C], "motion": {X: C.T @ C}, **SCALED},
        {"bracket": X, "grows_by": [C], "motion": {X: -2 * C.T @ C}, **SCALED},
        {"bracket": X, "grows_by": [C], "motion": {X: C.T @ C}, **SCALED, "begin": {X: -1 * ONE}},
        {"bracket": K_less, "grows_by": [NONE], "motion": {X: NONE}, **SCALED, "begin": {X: ONE, K_less: ONE}},
        {
            "bracket": X, "grows_by": [NONE], "motion": {X: NONE}, **SCALED, "begin": {X: v @ v.T}, "first": v.T,
            "left_inverse": v,
        },
    ],
    "distance from zero": [
        {
            "matrix": X - Y, "first": A - A.T, "second": B - B.T, **UNPUSHED,
            "motion": {X: (A - A.T) @ X + X @ (B - B.T), Y: (A - A.T) @ Y + Y @ (B - B.T)},
        },
        {"matrix": X - Y, "first": A, "second": NONE, **UNPUSHED, "motion": {X: A @ X, Y: A @ Y}},
        {"matrix": X - Y, "first": NONE, "second": A, **UNPUSHED, "motion": {X: X @ A, Y: Y @ A}},
        {"matrix": X - Y, "first": NONE, "second": NONE, **UNPUSHED, "motion": {X: A, Y: B}, "rest": A - B},
        {"matrix": X - Y, "first": NONE, "second": NONE, **UNPUSHED, "motion": {X: A, Y: B}},
    ],
    "determinant of a flow": [
        {"matrix": X, "rate": A @ X, "inverse": X_inv, "relative": trace(A), "motion": {X: A @ X}},
        {"matrix": X, "rate": A, "inverse": X_inv, "relative": number(0), "motion": {X: A}},
        {"matrix": X, "rate": NONE, "inverse": X_inv, "relative": number(0), "motion": {X: A}},
        {"matrix": X, "rate": A, "inverse": NONE, "relative": number(0), "motion": {X: A}},
    ],
    "limit by decaying exponentials": [
        {"values": [A @ E + B], "ends": [B], **ENDING},
        {"values": [A @ E], "ends": [A], **ENDING},
        {"values": [E_more], "ends": [NONE], **ENDING, "at_the_end": {E_more: NONE}},
        {"values": [E_more], "ends": [NONE], **ENDING, "slow": {E_more: E}},
    ],
    "linear map of a Gaussian vector": [
        {"map": A, "covariance": B + B.T, "image": A @ (B + B.T) @ A.T},
        {"map": A, "covariance": B.T @ B, "image": A @ A.T},
    ],
}  # fmt: skip
"""Uses that hold, and traps: all hypotheses but one hold of these, and the conclusion need not."""


def changed(rng: random.Random, word: Any) -> Any:
    """Another formula of the same shape; what is no formula stays."""
    if not isinstance(word, Words):
        return word
    others = [2 * word, -1 * word, zero(*word.shape)]
    square = [word.T, word + identity(word.shape[0])] if word.shape[0] == word.shape[1] else []
    return rng.choice([*others, *square])


def use(name: str, rng: random.Random) -> tuple[Json, list[Any], bool]:
    """The slots of a use, what is supposed, and whether matrices must be arranged for that."""
    first = rng.random() < 0.5 or not MORE[name]
    slots = dict(USES[name] if first else rng.choice(MORE[name]))
    for _ in range(rng.choice((0, 0, 1, 1, 2))):
        slot = rng.choice(sorted(slots))
        if isinstance(slots[slot], dict) and slots[slot]:
            letter = rng.choice(sorted(slots[slot], key=str))
            slots[slot] = slots[slot] | {letter: changed(rng, slots[slot][letter])}
        elif isinstance(slots[slot], list):
            slots[slot] = [changed(rng, item) for item in slots[slot]]
        else:
            slots[slot] = changed(rng, slots[slot])
    return slots, ASSUMING.get(name, []) if first else [], first


def judged(name: str) -> Callable[[random.Random], bool | None]:
    def of(rng: random.Random) -> bool | None:
        given, assuming, first = use(name, rng)
        try:
            setting = setting_of(name, theorem_named(name), given, assuming, hypotheses)
            made = use_of(name, slots_of(theorem_named(name), given, setting, from_sympy))
        except (SlotError, Unsatisfiable):
            return None
        sizes = dimensions(rng)

        def draw(sizes: Json) -> State | None:
            return drawn(rng, setting, sizes, ARRANGED.get(name) if first else None)

        def supposes(state: State) -> bool:
            return all(holds(need, state) for need in made.needs.values())

        for _ in range(FEW):
            if (state := draw(sizes)) is None or not supposes(state):
                return None
        try:
            if FORMS[made.concludes["form"]](made.concludes, state):
                return True
        except ZeroDivisionError:
            return None
        if any(not never_negative(start) for start in squares_at_the_start(setting, made.concludes, state)):
            return None  # supposed is what the start contradicts
        others = (draw(dimensions(rng)) for _ in range(MANY))
        return False if all(other is None or supposes(other) for other in others) else None

    return of


def squares_at_the_start(setting: Json, concluded: Json, state: State) -> Iterator[fmpq_mat]:
    """The starts of letters that are supposed to be squares for as long as they move."""
    for rule in setting["rules"]:
        head, *parts = rule["left"]["formula"]
        if head == "L" and parts[0] in concluded.get("begin", {}) and _is_square(rule["right"]["formula"]):
            yield state.value(concluded["begin"][parts[0]]["formula"])[0]


def _is_square(formula: Any) -> bool:
    head, *parts = formula
    return bool(head == "@" and len(parts) == 2 and tuple(parts[1]) == ("T", parts[0]))


def dimensions(rng: random.Random) -> Json:
    return {size: rng.choice((0, 1, 2, 2, 3)) for size in "mn"}


def drawn(rng: random.Random, setting: Json, sizes: Json, arrange: Any) -> State | None:
    try:
        known = as_declared(rng, setting["letters"], sizes)
        if arrange is not None:
            arrange(rng, known)
        given = {name: [value] for name, value in known.items() if name in setting["letters"]}
        state = State(setting["letters"], sizes, given, 1)
        for name in setting["letters"]:
            state.letter(name)
        rules = [[state.value(rule[side]["formula"]) for side in ("left", "right")] for rule in setting["rules"]]
    except (ZeroDivisionError, ValueError, KeyError):
        return None
    return state if all(left == right for left, right in rules) else None


def holds(need: Json, state: State) -> bool:
    if need["kind"] == "concluded":
        return FORMS[need["form"]](need, state)
    left, right = (state.value(need[side]["formula"])[0] for side in ("left", "right"))
    return bool(left == right) if need["kind"] == "words" else never_negative(left - right)


# --- conclusions ------------------------------------------------------------------------------------------------------


def solved(concluded: Json, state: State) -> State:
    """The solution of the motion of a conclusion from its start, or from the state."""
    plain = _first(state, state.given)
    starts = {name: state.value(start["formula"]) for name, start in concluded.get("begin", {}).items()}
    begun = State(state.letters, state.sizes, plain | _first(state, starts), 1)
    return moved(begun, concluded["motion"])


def stays_zero(concluded: Json, state: State) -> bool:
    along = solved(concluded, state)
    return all(c == c * 0 for word in concluded["matrices"] for c in along.value(word["formula"]))


def only_solution(concluded: Json, state: State) -> bool:
    along = solved(concluded, state)
    values = {name: along.value(word["formula"]) for name, word in concluded["solution"].items()}
    there = State(state.letters, state.sizes, along.given | values, ORDER)
    for name, series in values.items():
        rate = there.value(concluded["rates"][name]["formula"])
        start = state.value(concluded["starts"][name]["formula"])[0]
        if series[0] != start or any(series[k] * k != rate[k - 1] for k in range(1, ORDER)):
            return False
    return True


def keeps_inverse(concluded: Json, state: State) -> bool:
    along = solved(concluded, state).value(concluded["matrix"]["formula"])
    signs = [determinant(value) for _, value in in_time(along)]
    return all(sign > 0 for sign in signs) or all(sign < 0 for sign in signs)


def keeps_sign(concluded: Json, state: State) -> bool:
    begun = solved(concluded, state)
    start = determinant(begun.value(concluded["matrix"]["formula"])[0])
    return not start or keeps_inverse(concluded, state)


def stays_near(concluded: Json, state: State) -> bool:
    along = solved(concluded, state).value(concluded["matrix"]["formula"])
    g, r = (arb(state.value(concluded[key]["formula"])[0][0, 0]) for key in ("growth", "size"))
    start = arb(traced(along[0].transpose() * along[0])[0, 0]).sqrt()
    for t, value in in_time(along):
        size, grown = arb(traced(value.transpose() * value)[0, 0]).sqrt(), (g * arb(t)).exp()
        pushed = (grown - 1) / g if g != 0 else arb(t)
        if size > grown * start + r * pushed + arb("1e-7"):
            return False
    return True


def tends(concluded: Json, state: State) -> bool:
    """After a long time, where every exponential is 2^-60 and the time is 60."""
    late = _first(state, state.given) | {concluded["time"]: [fmpq_mat([[60]])]}
    small = {name: [unit(late[name][0].nrows()) * fmpq(1, 2**60)] for name in concluded["decays"]}
    there = State(state.letters, state.sizes, late | small, 1)
    for value, end in zip(concluded["values"], concluded["ends"], strict=True):
        gap = there.value(value["formula"])[0] - state.value(end["formula"])[0]
        if any(abs(x) > 1000 * TINY for x in gap.entries()):
            return False
    return True


def spread(concluded: Json, state: State) -> bool:
    """The image is symmetric, and has on every vector the variance that the map gives."""
    left, covariance, image = (state.value(concluded[key]["formula"])[0] for key in ("map", "covariance", "image"))
    if not never_negative(covariance) or not never_negative(image):
        return False
    vectors = [fmpq_mat(image.nrows(), 1, [fmpq(k**i) for i in range(image.nrows())]) for k in range(-3, 4)]
    back = left.transpose()
    return all(x.transpose() * image * x == x.transpose() * left * covariance * (back * x) for x in vectors)


def never_negative(a: fmpq_mat) -> bool:
    """Check whether a matrix is symmetric and positive semidefinite, by all its principal minors."""
    n = a.nrows()
    kept = [[i for i in range(n) if mask >> i & 1] for mask in range(2**n)]
    minors = [fmpq_mat(len(k), len(k), [a[i, j] for i in k for j in k]) for k in kept]
    return a == a.transpose() and all(determinant(minor) >= 0 for minor in minors)


FORMS: dict[str, Callable[[Json, State], bool]] = {
    "stays zero": stays_zero, "only solution": only_solution, "invertible at all times": keeps_inverse,
    "determinant keeps its sign": keeps_sign, "distance from zero": stays_near, "limit in time": tends,
    "Gaussian vector": spread,
}  # fmt: skip
MAKERS: dict[str, Callable[[random.Random], bool | None]] = {name: judged(name) for name in MORE}
"""Each draws letters: True where the hypotheses hold and the conclusion does, False where it does not, else None."""
