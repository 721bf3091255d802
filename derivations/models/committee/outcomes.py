"""Batches by their joint outcomes, each with its chance: what holds so may hold for samples that depend on each other.

**Symbols.** O outcomes, each with a `chance`. `missed` is the student's output minus the teacher's with the noise, and
`missed_signal` that without; `noise` is one for each sample, and `shared_noise` one for the batch. `mean` is the
average over the outcomes.

**Hypotheses.** ONE_DISTRIBUTION and SIGNAL name the mean squares of both differences, UNIT_NOISE and SHARED say that
the noises have variance one, APART that a noise has nothing to do with what the student misses of the signal, and
INDEPENDENT that the noises of samples are not correlated.
"""

from __future__ import annotations

from typing import Any

from derivations.language.sums import Array, Range, Sums, delta, total
from derivations.models.committee.definitions import *
from derivations.models.sampling import Rule

OUTCOMES = Range("O")
o = OUTCOMES.index("o")
chance, shared_noise = Array("chance", OUTCOMES), Array("shared_noise", OUTCOMES)
missed, missed_signal, noise = (Array(name, OUTCOMES, B) for name in ("missed", "missed_signal", "noise"))
mean_square, mean_signal_square = Array("mean_square").value, Array("mean_signal_square").value


def mean(of: Sums) -> Sums:
    """The average over the outcomes."""
    return total(chance[o] * of, o)


ONE_DISTRIBUTION: Rule = (mean(missed[o, s] ** 2), mean_square)
SIGNAL: Rule = (mean(missed_signal[o, s] ** 2), mean_signal_square)
UNIT_NOISE: Rule = (mean(noise[o, s] ** 2), 1)
APART: Rule = (mean(missed_signal[o, s] * noise[o, s]), 0)
INDEPENDENT: Rule = (mean(noise[o, s] * noise[o, s_other]), delta(s, s_other))
SHARED: Rule = (mean(shared_noise[o] ** 2), 1)


def coins(noises: list[list[str]]) -> dict[str, Any]:
    """Four outcomes of three samples with these noises, and one that the batch shares."""
    arrays: dict[str, Any] = {
        "missed": [["1", "2", "3"], ["2", "1", "4"], ["3", "4", "1"], ["4", "3", "2"]],
        "missed_signal": [["7", "7", "7"], ["1", "1", "7"], ["7", "1", "1"], ["1", "7", "1"]],
        "slope": [["2", "1", "5"], ["-1", "3", "1"]],
        "x": [["1", "2"], ["3", "-1"], ["2", "5"]],
        "chance": ["1/4"] * 4,
        "shared_noise": ["1", "1", "-1", "-1"],
        "noise": noises,
        "eta": "3",
        "sigma": "2",
        "mean_square": "15/2",
        "mean_signal_square": "25",
        "per_sample": "1/3",
        "per_input": "1/2",
    }
    return {"sizes": {"O": 4, "B": 3, "K": 2, "N": 2}, "arrays": arrays}


UNCORRELATED = [["1", "1", "1"], ["1", "-1", "-1"], ["-1", "1", "-1"], ["-1", "-1", "1"]]
KNOWING = [["1", "1", "1"], ["-1", "-1", "1"], ["1", "-1", "-1"], ["-1", "1", "-1"]]
"""Coins that fall up where the student misses much."""
