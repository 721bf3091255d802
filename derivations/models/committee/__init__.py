"""A student and a teacher whose outputs are sums over units (soft committee machines), trained online in batches.

**Symbols.** Ranges have no sizes: K students, M teachers, N inputs, a batch of B samples. Indices are `i, j, k, l`
for students, `m, n` for teachers, `a, b` for inputs and `s, s_other` for samples.

    W[K, N], W_teacher[M, N]      the weights
    x[B, N], noise[B]             the inputs of a batch, and a noise for each of its samples
    g_student[K, B], slope[K, B]  the activation g and its slope g' at the fields of the students
    g_teacher[M, B]               the activation at the fields of the teachers
    eta, sigma                    the learning rate, and the strength of the noise
    per_sample, per_input, root   1/B, 1/N and 1/sqrt(N) (RECIPROCALS)

The activation is any function: its values and slopes at fields are entries of arrays, and how they change with the
weights is the chain rule (`by_weight`).

**Definitions.** `student_field` and `teacher_field` are the inputs seen along weights, over sqrt(N). `error` is the
teacher's noisy output minus the student's, `loss` half its mean square over the batch.

**Update**, computed from the loss: `step` is what one update adds to a weight. The overlaps Q_ij = W_i.W_j/N and
R_in = W_i.W_teacher_n/N are `overlap_after_step` and `teacher_overlap_after_step` once the weights have moved; those of
the teachers do not move, and nothing else is kept in general.

**Instances**: `instance(kind, seed)` draws exact numbers for these symbols; `KINDS` says what is true of each kind.
`numbers` gives the arrays of given weights, inputs and activation. Data that batches are drawn from, and averages over
them, are in `committee.population`. `equal_units` has units that are alike, `second_layer` a second layer that is
learned, `outcomes` batches whose samples depend on each other, and `contexts` what attention learns regression from.

>>> print(*KINDS)
free linear relu cubic sphere learned symmetric overrealizable unrealizable size_one
>>> at = instance("cubic", seed=0)
>>> at.value(step(i, a), i=0, a=0) == at["eta"][()] * rates(at)[0, 0]
True
"""

from __future__ import annotations

from derivations.models import quantities
from derivations.models.committee.definitions import *
from derivations.models.committee.instances import ACTIVATIONS, numbers
from derivations.models.committee.kinds import KINDS, loss_at, rates
from derivations.models.committee.kinds import holds as holds
from derivations.models.committee.kinds import instance as instance

QUANTITIES = quantities("committee")
__all__ = [
    "ACTIVATIONS", "HALF", "KINDS", "RECIPROCALS", "B", "K", "M", "N", "W", "W_teacher", "a", "b", "by_weight",
    "error", "eta", "g_student", "g_teacher", "i", "j", "k", "l", "loss", "loss_at", "m", "n",
    "noise", "numbers", "overlap_after_step", "per_input", "per_sample", "rates", "root", "s", "s_other", "sigma",
    "slope", "step", "student_field", "teacher_field", "teacher_overlap_after_step", "x",
]  # fmt: skip
