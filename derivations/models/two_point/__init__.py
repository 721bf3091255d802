"""Two data points seen by an encoder and a decoder, both linear around the middle of the two.

The encoder maps an input x to a representation, the decoder maps this to an output. Around the middle of the two inputs
they are h_mid + D_h (x - middle) and ybar + D_y (representation - h_mid). D_h, D_y and ybar learn, each with an
effective time constant.

**Symbols in matrices** (of any size: n_x inputs, n_h hidden and n_y output neurons):

    x1, x2 [n_x], y1, y2 [n_y]         two inputs and their targets
    D_h [n_h x n_x], D_y [n_y x n_h]   slopes of encoder and decoder
    ybar [n_y], h_mid [n_h]            output and representation of the middle
    const_h, const_y, const_b          time constants of D_h, D_y and ybar; rate_h, rate_y, rate_b their inverses
    delta, aim, x_mid, y_mid           differences and means of inputs and targets: the same in centred letters

**Definitions.** `dh` and `dy` are the differences of the two representations and of the two outputs, `alignment` is
|dy|^2 - dy.(y2 - y1), and `loss` is half the mean squared error of the two outputs.

**Flow**, computed from the loss: `flow` in all letters, `c_flow` in centred ones. Nothing is conserved in general.

**Scalars.** h = |dh|^2, y = |dy|^2, w = the alignment; X = |x2 - x1|^2, s = |y2 - y1|^2; time constants tau_h, tau_y
and tau_b; the starts h0, y0 and w0. `TABLE` says which words are which scalar, and `scalar` reads words by it.
`derived_flow` is the flow of h, y and w where the rate of dh is along dh (`straight_ddh`). Where dh = a e for a fixed
unit vector e, with u = D_y e, b = u.(y2 - y1) and n = |u|^2, `signed_flow` is that of a, b and n: it is polynomial.
`two_point.closed_form` has its solution, and `two_point.in_numbers` these flows as words in letters for the scalars.

**Instances**: `instance(kind, seed)` draws exact numbers for these symbols; `KINDS` says what is true of each kind.
`rates` are differences of the loss, and `reduced_rates` those of the scalars along them, without any flow from above.

>>> print(*KINDS)
generic aligned opposed learned equal_targets near_zero merged straight size_one
>>> at = instance("straight", seed=0)
>>> numbers = {name: sp.Rational(str(value)) for name, value in scalars(at).items()}
>>> moved = derived_flow[w].subs({symbol: numbers[symbol.name] for symbol in (h, y, w, X, s, tau_h, tau_y)})
>>> moved == sp.Rational(str(reduced_rates(at)["w"]))
True
"""

from __future__ import annotations

from derivations.models import quantities
from derivations.models.two_point.definitions import *
from derivations.models.two_point.instances import course
from derivations.models.two_point.kinds import KINDS, loss_at, rates, reduced_rates, scalars
from derivations.models.two_point.kinds import holds as holds
from derivations.models.two_point.kinds import instance as instance

QUANTITIES = quantities("two_point")
__all__ = [
    "CENTRED", "HALF", "KINDS", "TABLE", "D_h", "D_y", "X", "a", "aim", "alignment", "b", "c_ddh", "c_dh", "c_dy",
    "c_flow", "centred", "const_b", "const_h", "const_y", "course", "decay", "delta", "derived_flow", "dh", "dx",
    "dy", "errors", "flow", "h", "h0", "h_mid", "hidden", "inv_h", "loss", "loss_at",
    "loss_on_line", "n", "pairs", "predictions", "rate_b", "rate_h", "rate_y", "rates", "reduced_rates", "s",
    "scalar", "scalars", "signed", "signed_ddy", "signed_flow", "signed_rate", "start", "straight_ddh",
    "straight_ddy", "t", "target", "tau_b", "tau_h", "tau_y", "unit", "w", "w0", "x1", "x2", "x_mid", "y", "y0", "y1",
    "y2", "y_mid", "ybar",
]  # fmt: skip
