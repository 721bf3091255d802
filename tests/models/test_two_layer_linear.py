"""Two-layer linear networks: the flow is the gradient of the loss, and keeps the imbalance of neighbouring layers."""

from __future__ import annotations

import random

from case_files import Cases
from each import each
from flint import fmpq

from derivations import prove
from derivations.language.words import along
from derivations.language.words.instances import Instance as Matrices
from derivations.language.words.instances import is_zero
from derivations.models import two_layer_linear as m
from derivations.models.sampling import Instance, free, number, partial_derivatives, speed, square_sum
from derivations.prove.certificate import Verdict

FAMILIES = Cases(__file__, globals())

SEEDS = range(12)
every_kind = each("kind", m.KINDS.keys())


@each("depth", [1, 2, 3, 4])
def test_the_imbalance_of_neighbouring_layers_is_proved_to_stay(depth: int) -> None:
    network = m.deep(depth)
    assert len(network.imbalances) == depth - 1
    for kept in network.imbalances:
        assert prove.words(along(kept, network.flow)).verdict is Verdict.PROVED


@every_kind
def test_the_flow_is_the_exact_gradient_of_the_loss(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        moves = m.rates(at)
        assert m.loss_at(at) == square_sum(at["W2"] * at["W1"] * at["X"] - at["Y"]) / (2 * at.sizes["P"])
        for w in (m.W1, m.W2):
            assert moves[w.name] == at.value(m.descent[w]), seed
            assert kind == "generic" or moves[w.name] == at.value(m.flow[w])


@every_kind
def test_the_imbalance_stays_and_the_loss_falls_at_instances(kind: str) -> None:
    for seed in SEEDS:
        at = m.instance(kind, seed)
        moves = m.rates(at)
        assert is_zero(speed(lambda moved: moved.value(m.imbalance), at, moves))
        steepness = sum((v * v for rate in moves.values() for v in rate.entries()), fmpq(0))
        assert speed(m.loss_at, at, moves) == -steepness


def test_the_flow_of_a_deep_network_is_the_exact_gradient_of_its_loss() -> None:
    rng = random.Random(7)
    network = m.deep(3)
    sizes = {"N_i": 2, "N_h1": 3, "N_h2": 1, "N_o": 2, "P": 2}
    values = {w.name: free(rng, sizes[str(w.rows)], sizes[str(w.cols)]) for w in network.weights}
    values |= {"X": free(rng, 2, 2), "Y": free(rng, 2, 2), "per_sample": number(fmpq(1, 2))}
    at = Instance("deep", "any", 0, Matrices(sizes, values))
    for w in network.weights:
        slopes = partial_derivatives(
            lambda moved, w=w: at.changed({w.name: moved}).value(network.loss)[0, 0], at[w.name]
        )
        assert at.value(network.flow[w]) == -1 * slopes


@each("seed", SEEDS)
def test_modes_decouple_from_aligned_starts(seed: int) -> None:
    at = m.instance("aligned", seed)
    of = m.Ut.T @ m.W2 @ m.W1 @ m.Vt
    rates = speed(lambda moved: moved.value(of), at, m.rates(at))
    modes, task = at.value(of), at["S_t"]
    assert rates == modes * (task - modes) * 2


test_statements_have_their_verdicts = FAMILIES.verdicts()
