"""Evidence and statements about trajectories that were changed: each change makes them false or unsupported."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from typing import Any

from case_files import Cases
from each import each

from derivations.recheck import Rejected, check
from tests.recheck.handmade import Json, add, mul, power, q, s
from tests.recheck.trajectories_proposed import (
    SHRINK,
    TURN,
    converges,
    dyadic,
    ends,
    flow,
    iteration,
    proposed,
    reaches,
    stays,
    turn_rate,
)  # fmt: skip

FAMILIES = Cases(__file__, globals())

START = {"x": (Fraction(1), Fraction(1)), "y": (Fraction(0), Fraction(0))}
# cos(3), sin(3) and pi / 2 to twelve digits
ENDS = ends(
    3,
    x=("-98999249661/100000000000", "-98999249659/100000000000"),
    y=("14112000805/100000000000", "14112000807/100000000000"),
)
REACHES = reaches("15707963/10000000", "15707964/10000000", s("x"), q(0))
# it is false of every t >= 1, so that times may be moved there
CERTIFICATE = flow(
    TURN,
    START,
    [ENDS, REACHES, stays(1, 3, ">", s("y"), q("141/1000"))],
    proposed(turn_rate, list(START.values()), 3, "1/4"),
)


def moved(text: str, by: Fraction) -> str:
    return str(Fraction(text) + by)


Change = Callable[[Json, random.Random], None]


def shrunk_box(certificate: Json, rng: random.Random) -> None:
    """An a-priori box that does not hold the solution at the beginning or at the end of its step."""
    step = rng.choice(certificate["payload"]["steps"])
    box = rng.choice(step[1])
    low, high = map(Fraction, box)
    side = rng.choice((0, 1))
    box[side] = dyadic(float(low + (high - low) * Fraction(rng.randint(30, 70), 100)), 1)
    assert Fraction(box[0]) <= Fraction(box[1])


def longer_step(certificate: Json, rng: random.Random) -> None:
    step = rng.choice(certificate["payload"]["steps"])
    step[0] = str(Fraction(step[0]) * rng.choice((2, 3, 4, 8)))


def shorter_step(certificate: Json, rng: random.Random) -> None:
    """Then the tube ends too early."""
    step = rng.choice(certificate["payload"]["steps"])
    step[0] = str(Fraction(step[0]) / rng.choice((2, 4, 8)))


def swapped_boxes(certificate: Json, rng: random.Random) -> None:
    steps = certificate["payload"]["steps"]
    a, b = rng.sample(range(len(steps)), 2)
    steps[a][1], steps[b][1] = steps[b][1], steps[a][1]


def swapped_states(certificate: Json, rng: random.Random) -> None:
    step = rng.choice(certificate["payload"]["steps"][:4])
    step[1].reverse()


def lost_step(certificate: Json, rng: random.Random) -> None:
    steps = certificate["payload"]["steps"]
    del steps[rng.randrange(len(steps))]


def one_step_more(certificate: Json, rng: random.Random) -> None:
    certificate["payload"]["steps"].append(rng.choice(certificate["payload"]["steps"]))


def turned_frame(certificate: Json, rng: random.Random) -> None:
    """A frame without an inverse, or none."""
    step = rng.choice(certificate["payload"]["steps"][:6])
    step[2] = rng.choice(([["1", "1"], ["1", "1"]], [["0", "0"], ["0", "1"]], [["1", "0"]], [["1"], ["1"]], "1", []))


def other_sign(certificate: Json, rng: random.Random) -> None:
    certificate["payload"]["shows"][1]["sign"] = rng.choice((-1, 0, 2, "1", None, True))


def other_moment(certificate: Json, rng: random.Random) -> None:
    """The event is after that time, or the time is outside of its window."""
    certificate["payload"]["shows"][1]["at"] = rng.choice(("15707963/10000000", "1", "2", "x", None))


def lost_evidence(certificate: Json, rng: random.Random) -> None:
    del certificate["payload"]["shows"][rng.randrange(3)]


def low_order(certificate: Json, rng: random.Random) -> None:
    """The end is then known to fewer digits than stated."""
    certificate["payload"]["order"] = rng.randint(1, 5)


def few_bits(certificate: Json, rng: random.Random) -> None:
    certificate["payload"]["bits"] = rng.randint(-5, 30)


def another_start(certificate: Json, rng: random.Random) -> None:
    interval = certificate["statement"]["start"][rng.choice("xy")]
    by = Fraction(rng.choice((-1, 1)) * rng.randint(1, 9), 10 ** rng.randint(1, 8))
    interval[rng.choice((0, 1))] = moved(interval[0], by)


def another_rate(certificate: Json, rng: random.Random) -> None:
    states = certificate["statement"]["states"]
    name = rng.choice("xy")
    states[name] = rng.choice(
        (
            ["+", states[name], q(f"1/{rng.randint(2, 10**6)}")],
            ["*", q("1001/1000"), states[name]],
            power(states[name], 2),
        )
    )


def moved_end(certificate: Json, rng: random.Random) -> None:
    """The box of the end is two thirds of its width away."""
    interval = certificate["statement"]["says"][0]["box"][rng.choice("xy")]
    width = Fraction(interval[1]) - Fraction(interval[0])
    by = rng.choice((-1, 1)) * width * Fraction(rng.randint(70, 900), 100)
    interval[:] = [moved(end, by) for end in interval]


def narrower_end(certificate: Json, rng: random.Random) -> None:
    """Half of the box that does not hold the end."""
    interval = certificate["statement"]["says"][0]["box"][rng.choice("xy")]
    low, high = map(Fraction, interval)
    near = (low + high) / 2 + (high - low) / 4
    interval[:] = rng.choice(([str(low), str(low + (high - low) / 4)], [str(near), str(high)]))


def another_time(certificate: Json, rng: random.Random) -> None:
    certificate["statement"]["says"][0]["at"] = str(3 - Fraction(rng.randint(1, 900), 10000))


def moved_window(certificate: Json, rng: random.Random) -> None:
    said = certificate["statement"]["says"][1]
    width = Fraction(said["to"]) - Fraction(said["from"])
    by = rng.choice((-1, 1)) * width * Fraction(rng.randint(100, 90000), 100)
    said["from"], said["to"] = moved(said["from"], by), moved(said["to"], by)


def another_event(certificate: Json, rng: random.Random) -> None:
    said = certificate["statement"]["says"][1]
    said["relation"][rng.choice((1, 2))] = rng.choice((s("y"), q("1/100"), q("-1/1000000"), q(2)))


def flipped_relation(certificate: Json, rng: random.Random) -> None:
    relation = certificate["statement"]["says"][2]["relation"]
    relation[0] = rng.choice((">", ">="))
    relation[1], relation[2] = relation[2], relation[1]


def moved_bound(certificate: Json, rng: random.Random) -> None:
    relation = certificate["statement"]["says"][2]["relation"]
    relation[2] = q(Fraction(1412, 10000) + Fraction(rng.randint(0, 2000), 1000))


def refuted_instead(certificate: Json, rng: random.Random) -> None:
    certificate["verdict"] = "refuted"
    number = rng.choice((0, 1, 2))
    way: Json = {
        0: {"time": "3", "side": rng.randrange(4)},
        1: rng.choice(({"by": "never"}, {"by": "earlier", "time": "3/2"})) | {"sign": rng.choice((1, -1))},
        2: {"time": "2", "side": 0},
    }[number]
    del certificate["payload"]["shows"]
    certificate["payload"]["fails"] = {"says": number} | way


def another_system(certificate: Json, rng: random.Random) -> None:
    certificate["statement"]["form"] = rng.choice(("map", "flows", "Flow"))


# --- neighbourhoods ---------------------------------------------------------------------------------------------------

SETTLED = iteration(
    SHRINK,
    {"x": 1, "y": 1},
    [converges(5, "7/10", x=("-1/4", "1/4"), y=("-1/4", "1/4"))],
    5,
    settles=[{"centre": ["0", "0"], "frame": [["1", "0"], ["0", "1"]], "radius": "6/25"}],
)


def another_frame(certificate: Json, rng: random.Random) -> None:
    """A frame that is singular, that leaves the box, or in which the map does not contract."""
    frame = rng.choice(
        ([["1", "1"], ["1", "1"]], [["0", "0"], ["0", "0"]], [["1", "1"], ["0", "1"]], [["1", "0"], ["1/2", "1"]],
         [["1", "0"], ["0", f"{rng.randint(101, 900)}/100"]], [["1", "0"]], [["1"], ["1"]], [["1", "0"], ["0", "x"]],
         [[f"1/{rng.randint(3, 99)}", "0"], ["0", "1"]])
    )  # fmt: skip
    certificate["payload"]["shows"][0]["frame"] = frame


def another_neighbourhood(certificate: Json, rng: random.Random) -> None:
    """A centre from which the box is left, or a radius that is too large or too small."""
    settled = certificate["payload"]["shows"][0]
    if rng.random() < 0.5:
        settled["centre"][rng.choice((0, 1))] = (
            f"{rng.choice((-1, 1)) * rng.randint(11, 999)}/{rng.choice((100, 1000))}"
        )
    else:
        settled["radius"] = f"{rng.choice((rng.randint(-50, 50), rng.randint(251, 900)))}/1000"


def faster_approach(certificate: Json, rng: random.Random) -> None:
    """The norm of the map in the frame is at most the root of 5/16, by the rows of its square."""
    certificate["statement"]["says"][0]["rate"] = f"{rng.randint(-300, 558)}/1000"


def earlier_arrival(certificate: Json, rng: random.Random) -> None:
    number = rng.randint(0, 2)
    certificate["statement"]["says"][0]["by"] = str(number)
    certificate["payload"]["iterations"] = number


def wider_box(certificate: Json, rng: random.Random) -> None:
    """Another system, in which the wider box has a second point of rest."""
    certificate["statement"]["states"] = {"x": mul(q("1/2"), add(s("x"), power(s("x"), 2))), "y": mul(q("1/3"), s("y"))}
    certificate["statement"]["start"]["x"] = ["1/8", "1/8"]
    certificate["statement"]["says"][0]["rate"] = "9/10"
    check(certificate)
    certificate["statement"]["says"][0]["box"]["x"][1] = str(Fraction(1) + Fraction(rng.randint(0, 99), 10))


def another_map(certificate: Json, rng: random.Random) -> None:
    states = certificate["statement"]["states"]
    states["x"] = add(states["x"], rng.choice((q("1/4"), s("x"), mul(q(3), power(s("x"), 2)), mul(s("t"), q("1/100")))))


SETTLING: list[Change] = [
    another_frame, another_neighbourhood, faster_approach, earlier_arrival, wider_box, another_map,
]  # fmt: skip
CHANGES = [*FAMILIES["changes"], *SETTLING]


def corrupted(change: Change, number: int) -> Json:
    certificate = deepcopy(SETTLED if change in SETTLING else CERTIFICATE)
    change(certificate, random.Random(f"{change.__name__} {number}"))
    return certificate


def accepted(change: Change, numbers: Iterator[int] | range) -> list[int]:
    """The corruptions that the checker takes, which should be none."""
    found = []
    for number in numbers:
        try:
            check(corrupted(change, number))
        except Rejected:
            continue
        found.append(number)
    return found


@each("change", CHANGES)
def test_changed_evidence_is_refused(change: Any) -> None:
    assert accepted(change, range(4)) == []


test_statements_have_their_verdicts = FAMILIES.verdicts()
