"""Networks of many layers trained by gradient descent, with all that van Rossem & Saxe 2024 vary.

    data = datasets.two_points()
    run = mlp.train(mlp.Architecture(), data, eta=0.005, epochs=6000, record=range(0, 6001, 10))
    run.losses[epoch], run.outputs[record, point], run.hidden[10][record, point, unit], run.message
    dh2, dy2, w = mlp.two_points(run, data, layer=10)

`PAPER` has the settings of the paper by name. Few points and dense layers are trained by compiled code that reads
each weight twice an epoch and writes it once; everything else by products of matrices.
"""

from numerics.simulate.mlp.architecture import ACTIVATIONS, Architecture, Layer, MlpError
from numerics.simulate.mlp.observe import TwoPoints, two_points
from numerics.simulate.mlp.plain import gradients, loss, outputs
from numerics.simulate.mlp.settings import PAPER, Setting
from numerics.simulate.mlp.training import Run, stable_rate, train, train_many

__all__ = [
    "ACTIVATIONS",
    "PAPER",
    "Architecture",
    "Layer",
    "MlpError",
    "Run",
    "Setting",
    "TwoPoints",
    "gradients",
    "loss",
    "outputs",
    "stable_rate",
    "train",
    "train_many",
    "two_points",
]
