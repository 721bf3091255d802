"""An activation of lanes from functions `g` and `slope` of a number, which the part in front defines."""

# mypy: ignore-errors

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from numerics.machine.lanes import LANES, lanes, spread


@intrinsic
def lane(typing_context, value, at):
    """One of the eight."""

    def lowered(context, builder, signature, values):
        return builder.extract_element(values[0], builder.trunc(values[1], ir.IntType(32)))

    return types.float64(lanes, types.int64), lowered


@intrinsic
def with_lane(typing_context, value, at, number):
    """The eight with one of them replaced."""

    def lowered(context, builder, signature, values):
        return builder.insert_element(values[0], values[2], builder.trunc(values[1], ir.IntType(32)))

    return lanes(lanes, types.int64, types.float64), lowered


@njit(cache=True)
def value_and_slope(x):
    """The activation and its slope, one lane after the other."""
    values, slopes = spread(0.0), spread(0.0)
    for at in range(LANES):
        values = with_lane(values, at, float(g(lane(x, at))))  # noqa: F821
        slopes = with_lane(slopes, at, float(slope(lane(x, at))))  # noqa: F821
    return values, slopes
