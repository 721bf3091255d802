"""The data of a committee: inputs and noises, each with its chance, and averages over them and over batches.

**Symbols.** D inputs x[D, N], each with a `chance`, and E values of the noise, each with a `noise_chance`, are all that
can be drawn; a noise is drawn apart from the input. What is shown for every D and E and all chances holds for every
distribution whose averages exist, as both sides are sums of products of averages. `of_data` turns an array of samples
into one of data: g_student[K, D] for g_student[K, B].

**Averages.** `average` is <...> of a quantity of one sample, `over_batches` that of sums over the samples of a batch,
which are drawn apart from each other. I2, I3, I4 and J2 are the averages of values and slopes that stand in the flow of
the overlaps. CHANCES, NOISE, WHITE and ON_A_SPHERE are hypotheses on the data.

**Gaussian fields.** For x ~ N(0, I) and weights that are given, the fields of all units are jointly Gaussian of mean
zero at every N, with the overlaps as covariances: a matrix takes a Gaussian vector to one. So the averages above are
those of `derivations.language.averages`, exactly. |x|^2/N has mean 1 and variance 2/N exactly. ASSUMED, here as in the
literature: overlaps that start at one value stay near the solution of their mean flow as N grows, for times of order
one; what is proved at finite N is the mean of one update.

**Instances**: `instance(kind, seed)` draws networks and data in exact numbers; `KINDS` says what is true of each kind.
>>> print(*KINDS)
generic centred white sphere linear relu
>>> at = instance("white", seed=0)
>>> at.value(total(chance[p] * x[p, a] * x[p, b], p), a=0, b=0)
Fraction(1, 1)
"""

from __future__ import annotations

from derivations.models.committee.averages import *
from derivations.models.committee.kinds_of_data import KINDS, holds, instance

__all__ = [
    "CENTRED", "CHANCES", "COPIES", "FOURTH_MOMENTS", "I2", "I3", "I4", "INDEPENDENT", "J2", "KINDS", "NOISE",
    "ONE_SAMPLE_TWICE", "ON_A_SPHERE", "OTHER", "POINTS", "SAMPLE", "WHITE", "D", "E", "Hypothesis", "average", "c",
    "chance", "d", "e", "field", "fourth_moments", "holds", "instance", "mean_gradient", "noise", "noise_chance",
    "of_data", "over_batches", "overlap", "p", "student_rate", "teacher_rate", "value", "x",
]  # fmt: skip
