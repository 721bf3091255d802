"""Pieces of work that threads take one after the other: whoever is idle takes the next."""

# mypy: ignore-errors

from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic
from numba.np.arrayobj import make_array


@intrinsic
def claim(typing_context, counter):
    """The number of the next piece, from an array of one 64-bit integer; every number is given out once."""

    def lowered(context, builder, signature, values):
        place = make_array(signature.args[0])(context, builder, values[0]).data
        return builder.atomic_rmw("add", place, ir.Constant(ir.IntType(64), 1), "monotonic")

    return types.int64(counter), lowered
