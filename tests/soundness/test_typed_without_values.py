"""Nothing is said of what has no value anywhere, however it is typed, and at whichever door; what has is decided."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from drawn import drawn
from fuzz.judge import TooLong, patience
from fuzz.typed import asked

from derivations import prove
from derivations.text import DerivationError

STATEMENTS = drawn(400)
SECONDS = 0.3  # of the prover for one statement
STRONG = ("proved", "certified", "refuted")


def verdicts(nowhere: bool) -> Counter[str]:
    found: Counter[str] = Counter()
    for k in range(STATEMENTS):
        door, typed, ask = asked(random.Random(f"typed/{k}"), nowhere)
        try:
            with patience(), prove.allowing(SECONDS):
                verdict = ask().verdict.value
        except DerivationError:
            verdict = "refused"
        except (TooLong, SystemError):
            verdict = "left"
        wrong = STRONG if nowhere else ("refuted",)
        assert verdict not in wrong, f"{door}: {typed} is {verdict}"
        found[verdict] += 1
    return found


@pytest.mark.filterwarnings("ignore")
def test_nothing_is_said_where_nothing_has_a_value() -> None:
    verdicts(nowhere=True)


@pytest.mark.filterwarnings("ignore")
def test_where_it_has_values_it_is_decided() -> None:
    found = verdicts(nowhere=False)
    assert found["proved"] + found["certified"] > STATEMENTS / 2
