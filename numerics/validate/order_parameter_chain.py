"""The Markov chain of the overlaps has the law of gradient descent on the weights, at every number of inputs."""

from __future__ import annotations

from collections.abc import Iterator

from numerics.validate import Outcome
from numerics.validate.online_learning import errors_of_chain, errors_of_networks

SAYS = "The chain of the overlaps has the law of online learning, down to as many inputs as there are units."
LAW = "order_parameter_chain"
REPLICAS = 20_000
LEAST = 1e-3


def outcomes() -> Iterator[Outcome]:
    """Kolmogorov and Smirnov's test on the errors after a number of updates."""
    from scipy.stats import ks_2samp

    for inputs, updates in ((5, 10), (12, 24), (60, 120)):
        for batch in (1, 5):
            samples = (of(inputs, REPLICAS, batch, updates) for of in (errors_of_networks, errors_of_chain))
            chance = float(ks_2samp(*samples).pvalue)
            case = f"{inputs} inputs, {updates} updates, batches of {batch}: chance of such a distance"
            yield Outcome(LAW, case, f"{chance:.3f}", f"at least {LEAST:g}", chance >= LEAST)
