"""Networks that are trained as `numerics.machine.checkpoints` does long work; each replica is the network of a seed.

Only what a network did in the end is kept: the state of one that is being trained is empty.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import sha256

import numpy as np

from numerics.machine.checkpoints import Description, State
from numerics.simulate.mlp import plain, streamed
from numerics.simulate.mlp.architecture import Architecture, Layer
from numerics.simulate.mlp.job import Job, Learning, Outcome, blank


def small(job: Job) -> bool:
    """Whether there are few points and dense layers, so that memory is all that counts."""
    net, count = job.architecture, len(job.inputs)
    return count <= streamed.MOST and job.batch >= count and not net.channels and not net.dropout


class Networks:
    """Jobs that differ in seeds and starts only, each done by a team of threads; weights are kept on request."""

    def __init__(
        self, jobs: Mapping[int, Job], team: int, weights: bool, ended: Callable[[int, Outcome], object]
    ) -> None:
        self.jobs, self.team, self.weights, self.ended = jobs, team, weights, ended
        self.job = next(iter(jobs.values()))
        self.learning: dict[int, Learning] = {}

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
            "program": streamed.program(job) if small(job) else "products of pieces",
        }

    def own(self, replica: int) -> bytes:
        """A digest of the weights that this network starts from."""
        return sha256(b"".join(part.tobytes() for layer in self.jobs[replica].start for part in layer)).digest()

    def begin(self, replica: int) -> State:
        """Nothing, until it ends."""
        job = self.jobs[replica]
        self.learning[replica] = streamed.learn(job, self.team) if small(job) else plain.learn(job)
        return {}

    def advance(self, replica: int, state: State) -> float:
        """Go on for a slice; the share that is done now."""
        try:
            return next(self.learning[replica]) / (self.job.epochs + 1)
        except StopIteration as end:
            found = self._kept(end.value)
            state.update(_arrays(found))
            self.ended(replica, found)
            return 1.0

    def result(self, state: State) -> State:
        """What is kept of a network that ended; of one that begins, arrays of the same kinds."""
        return state or _arrays(self._kept(blank(self.job)))

    def _kept(self, found: Outcome) -> Outcome:
        return found if self.weights else replace(found, end=[])


def outcome_of(job: Job, state: State) -> Outcome:
    """The outcome that these arrays are of."""
    hidden = [state[f"hidden_{k}"] for k in range(len(job.layers))]
    count = sum(name.startswith("biases_") for name in state)
    end = [Layer(state[f"weights_{k}"], state[f"biases_{k}"]) for k in range(count)]
    return Outcome(state["losses"], hidden, state["outputs"], end, int(state["stopped"]))


def _arrays(found: Outcome) -> State:
    kinds = {"hidden": found.hidden, "weights": [W for W, _ in found.end], "biases": [b for _, b in found.end]}
    each = {f"{name}_{k}": part for name, parts in kinds.items() for k, part in enumerate(parts)}
    return {"losses": found.losses, "outputs": found.outputs, "stopped": np.array(found.stopped), **each}
