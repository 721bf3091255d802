"""One time instead of a list of them: the same numbers, without the axis of times."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.theory import deep_linear

FAMILIES = Cases(__file__, globals())

RNG = np.random.default_rng(5)
START = deep_linear.balance(RNG.normal(size=(3, 2)), RNG.normal(size=(2, 3)))
MANY = deep_linear.Balanced(*(np.stack([W, -W]) for W in (START.W1, START.W2)), START.distance)
TASK = RNG.normal(size=(2, 2))
X = RNG.normal(size=(2, 3))
ROW, ROWS, PARAMS = [0.05, 0.02, -0.05], [[0.05, 0.02, -0.05], [0.3, 0.1, 0.1]], [0.25, 1.0, 1.5, 0.8]
ATTENTION = {"covariance": np.diag([3.0, 1.0]), "tokens": 100}

FUNCTIONS = {
    **FAMILIES["functions"],
    **{
        f"{name} of {which}": partial(lambda f, start, times: f(start.W1, start.W2, TASK, times), function, start)
        for name, function in {
            "qqt": deep_linear.qqt,
            "network_function": deep_linear.network_function,
            "weights": deep_linear.weights,
            "loss": deep_linear.loss,
            "ntk": lambda W1, W2, S, times: deep_linear.ntk(W1, W2, S, times, X),
            "rsm": lambda W1, W2, S, times: deep_linear.rsm(W1, W2, S, times=times, X=X),
        }.items()
        for which, start in (("one", START), ("many", MANY))
    },
}


@each("name", [*FUNCTIONS])
@each("time", [0, 1.5, np.float64(1.5), np.array(1.5)])
def test_one_time_gives_the_only_entry_of_a_list_of_one(name: str, time: float) -> None:
    one, several = FUNCTIONS[name](time), FUNCTIONS[name]([float(time)])
    if not isinstance(one, tuple):
        one, several = (one,), (several,)
    for alone, among in zip(one, several, strict=True):
        assert isinstance(alone, np.ndarray | np.float64)
        assert np.ndim(alone) == among.ndim - 1
        np.testing.assert_array_equal(np.ravel(alone), among.ravel())


@each("name", [*FUNCTIONS])
@each("wrong", [-1.0, np.nan, True, "now", [[1.0]]])
def test_what_is_no_time_is_refused_as_it_is_in_a_list(name: str, wrong: object) -> None:
    with pytest.raises(ValueError, match=r".") as refusal:
        FUNCTIONS[name](wrong)
    assert "time" in str(refusal.value)


test_statements_have_their_verdicts = FAMILIES.verdicts()
