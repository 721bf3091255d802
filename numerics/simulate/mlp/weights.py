"""Networks that are trained as `numerics.machine.checkpoints` does long work; each replica is the network of a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import sha256

import numpy as np

from numerics.machine.checkpoints import Description, State
from numerics.simulate.mlp import streamed
from numerics.simulate.mlp.architecture import Architecture, Layer
from numerics.simulate.mlp.convolution import learner as convolved
from numerics.simulate.mlp.convolution.learner import Convolved
from numerics.simulate.mlp.job import NEXT, Job, Learner, Outcome, pieces
from numerics.simulate.mlp.plain import Plain
from numerics.simulate.mlp.streamed import Streamed

LARGE = 1_000_000  # numbers from which a whole team of threads trains one network: below, they mostly wait


def small(job: Job) -> bool:
    """Check whether there are few points and dense layers, so that memory is all that counts."""
    net, count = job.architecture, len(job.inputs)
    return count <= streamed.MOST and job.batch >= count and not net.channels and not (net.dropout and net.skip)


def side_by_side(job: Job) -> bool:
    """Check whether one thread trains a network best, and others train other networks beside it."""
    return convolved.suited(job) or (small(job) and job.numbers < LARGE)


def _program(job: Job) -> str:
    """Return what trains a network."""
    if convolved.suited(job):
        return convolved.program(job)
    return streamed.program(job) if small(job) else "products of pieces"


class Networks:
    """Jobs that differ in seeds and starts only, each done by a team of threads; weights are kept on request."""

    def __init__(
        self, jobs: Mapping[int, Job], team: int, weights: bool, ended: Callable[[int, Outcome], object]
    ) -> None:
        self.jobs, self.team, self.weights, self.ended = jobs, team, weights, ended
        self.job = next(iter(jobs.values()))
        self.learners: dict[int, Learner] = {}

    @cached_property
    def description(self) -> Description:
        """Everything that the results of all networks depend on."""
        job, net = self.job, self.job.architecture
        return {
            "task": "mlp",
            **{name: type(usual)(getattr(net, name)) for name, usual in vars(Architecture()).items()},
            "eta": float(job.eta),
            "epochs": job.epochs,
            "adam": job.adam,
            "batch": job.batch,
            "until": float(job.until),
            "precision": np.dtype(job.dtype).name,
            "points": len(job.inputs),
            "inputs": sha256(job.inputs.tobytes()).hexdigest(),
            "targets": sha256(job.targets.tobytes()).hexdigest(),
            "record": sha256(job.record_at.tobytes()).hexdigest(),
            "layers": " ".join(map(str, job.layers)),
            "weights": self.weights,
            "program": _program(job),
        }

    def own(self, replica: int) -> bytes:
        """A digest of the weights that this network starts from."""
        return sha256(b"".join(part.tobytes() for layer in self.jobs[replica].start for part in layer)).digest()

    def begin(self, replica: int) -> State:
        """The weights at the start, and no losses."""
        self.learners[replica] = self._learner(self.jobs[replica])
        return self.learners[replica].begin()

    def advance(self, replica: int, state: State) -> float:
        """Go on for a slice; the share that is done now. In the end, the state is what is kept."""
        learner = self.learners[replica]
        if not learner.advance(state):
            return float(state["at"][NEXT] / (self.job.epochs + 2))
        outcome = self._kept(learner.outcome(state))
        state.clear()
        state.update(_arrays(outcome))
        del self.learners[replica]
        self.ended(replica, outcome)
        return 1.0

    def result(self, state: State) -> State:
        """Return the result arrays: those of a network that ended, or of the same kinds for one that begins."""
        if "at" not in state:
            return state
        return _arrays(self._kept(self._learner(self.job).outcome(state)))

    def _learner(self, job: Job) -> Learner:
        if convolved.suited(job):
            return Convolved(job)
        return Streamed(job, self.team) if small(job) else Plain(job)

    def _kept(self, outcome: Outcome) -> Outcome:
        return outcome if self.weights else replace(outcome, end=[])


def outcome_of(state: State) -> Outcome:
    """The outcome that these arrays are of."""
    end = [Layer(*pair) for pair in zip(pieces(state, "weights"), pieces(state, "biases"), strict=True)]
    return Outcome(state["losses"], pieces(state, "hidden"), state["outputs"], end, int(state["stopped"]))


def _arrays(outcome: Outcome) -> State:
    kinds = {"hidden": outcome.hidden, "weights": [W for W, _ in outcome.end], "biases": [b for _, b in outcome.end]}
    each = {f"{name}_{k}": part for name, parts in kinds.items() for k, part in enumerate(parts)}
    return {"losses": outcome.losses, "outputs": outcome.outputs, "stopped": np.array(outcome.stopped), **each}
