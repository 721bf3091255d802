"""The arithmetic of Taylor coefficients that other sums do without: eight doubles at once.

Nothing checks bounds.
"""

# mypy: ignore-errors

from llvmlite import ir
from numba.core import types
from numba.core.extending import intrinsic
from numba.np.arrayobj import make_array

from numerics.machine.lanes import EIGHT, LANES, _product, _spread, lanes

ORDER = 16
ROW = (ORDER + 1) * LANES  # a series, with its coefficients from 0 to ORDER in eight lanes
WHOLE = ir.VectorType(ir.IntType(64), LANES)
ONE = 0x3FF0000000000000  # the bits of 1.0


@intrinsic
def over(typing_context, value, number):
    """Eight numbers divided by one, whose inverse they are multiplied by."""

    def lowered(context, builder, signature, values):
        value, number = values
        return _product(builder, value, _spread(builder, builder.fdiv(ir.Constant(ir.DoubleType(), 1.0), number)))

    return lanes(lanes, types.float64), lowered


@intrinsic
def spread_from(typing_context, array, at):
    """One double of a contiguous array eight times."""

    def lowered(context, builder, signature, values):
        data = make_array(signature.args[0])(context, builder, values[0]).data
        return _spread(builder, builder.load(builder.gep(data, [values[1]])))

    return lanes(array, types.intp), lowered


@intrinsic
def rough_power(typing_context, value, exponent):
    """value^exponent to within a factor of 1.14, for values that are not negative and exponents from -1 to 1.

    The bits of a double, read as a whole number, are nearly linear in its logarithm. Zero counts as 2^-1023.
    """

    def lowered(context, builder, signature, values):
        value, exponent = values
        one = ir.Constant(WHOLE, [ONE] * LANES)
        logarithm = builder.sitofp(builder.sub(builder.bitcast(value, WHOLE), one), EIGHT)
        scaled = builder.fptosi(builder.fmul(logarithm, _spread(builder, exponent)), WHOLE)
        return builder.bitcast(builder.add(scaled, one), EIGHT)

    return lanes(lanes, types.float64), lowered
