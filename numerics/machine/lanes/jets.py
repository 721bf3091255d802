"""The arithmetic of Taylor coefficients: eight doubles at once, or eight pairs of doubles with twice the digits.

`Pairs` are unevaluated sums of a double and one too small to change it (Dekker, 1971; Hida, Li & Bailey, 2001). Their
signs keep 30 digits relative to the larger operand. One text of recurrences serves both arithmetics: what it
reads from an array with `fetch` is `Lanes`, what it reads from a tuple of two arrays is `Pairs`, and `same`, `over` and
`rooted` follow. Nothing checks bounds.
"""

# mypy: ignore-errors

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import intrinsic, lower_builtin, register_model, type_callable
from numba.np.arrayobj import make_array

from numerics.machine.lanes import EIGHT, LANES, Lanes, _pointer, _product, _spread, _unary, lanes

WHOLE = ir.VectorType(ir.IntType(64), LANES)
ONE = 0x3FF0000000000000  # the bits of 1.0
PAIR = ir.LiteralStructType([EIGHT, EIGHT])


class Pairs(types.Type):
    """The type of eight sums of two doubles."""

    def __init__(self):
        super().__init__(name="Pairs")


@register_model(Pairs)
class PairsModel(models.PrimitiveModel):
    """Two vectors live in registers as one LLVM structure."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, PAIR)


pairs = Pairs()

# --- operations without rounding, which must not be rearranged --------------------------------------------------------


def _pair(builder, high, low):
    made = builder.insert_value(ir.Constant(PAIR, ir.Undefined), high, 0)
    return builder.insert_value(made, low, 1)


def _parts(builder, pair):
    return builder.extract_value(pair, 0), builder.extract_value(pair, 1)


def _fused(builder, x, y, z):
    """x*y + z, rounded once."""
    kind = ir.FunctionType(EIGHT, [EIGHT] * 3)
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.fma.v{LANES}f64"), [x, y, z])


def _tidied(builder, high, low):
    """The sum of a double and a smaller one."""
    total = builder.fadd(high, low)
    return _pair(builder, total, builder.fsub(low, builder.fsub(total, high)))


def _added(builder, left, right):
    (x, x_low), (y, y_low) = _parts(builder, left), _parts(builder, right)
    total = builder.fadd(x, y)
    part = builder.fsub(total, x)
    lost = builder.fadd(builder.fsub(x, builder.fsub(total, part)), builder.fsub(y, part))
    return _tidied(builder, total, builder.fadd(lost, builder.fadd(x_low, y_low)))


def _opposite(builder, pair):
    return _pair(builder, *(builder.fneg(part) for part in _parts(builder, pair)))


def _subtracted(builder, left, right):
    return _added(builder, left, _opposite(builder, right))


def _multiplied(builder, left, right):
    (x, x_low), (y, y_low) = _parts(builder, left), _parts(builder, right)
    product = builder.fmul(x, y)
    lost = _fused(builder, x, y, builder.fneg(product))
    return _tidied(builder, product, _fused(builder, x, y_low, _fused(builder, x_low, y, lost)))


def _divided(builder, left, right):
    first = builder.fdiv(_parts(builder, left)[0], _parts(builder, right)[0])
    none = ir.Constant(EIGHT, [0.0] * LANES)
    rest = _subtracted(builder, left, _multiplied(builder, _pair(builder, first, none), right))
    return _tidied(builder, first, builder.fdiv(_parts(builder, rest)[0], _parts(builder, right)[0]))


def _pair_arithmetic(sign, done):
    @type_callable(sign)
    def typed(context):
        return lambda left, right: pairs if isinstance(left, Pairs) and isinstance(right, Pairs) else None

    @lower_builtin(sign, Pairs, Pairs)
    def lowered(context, builder, signature, values):
        return done(builder, *values)


for _sign, _done in (
    (operator.add, _added),
    (operator.iadd, _added),
    (operator.sub, _subtracted),
    (operator.isub, _subtracted),
    (operator.mul, _multiplied),
    (operator.truediv, _divided),
):
    _pair_arithmetic(_sign, _done)

# --- the same words for both ------------------------------------------------------------------------------------------


def _kind(space):
    """Return what lies in a space: an array of doubles, or a tuple of two."""
    return lanes if isinstance(space, types.Array) else pairs


@intrinsic
def fetch(typing_context, space, at):
    """Eight consecutive numbers."""
    kind = _kind(space)

    def lowered(context, builder, signature, values):
        if kind is lanes:
            return builder.load(_pointer(context, builder, space, *values), align=8)
        halves = (builder.extract_value(values[0], k) for k in range(2))
        loaded = (builder.load(_pointer(context, builder, space.dtype, half, values[1]), align=8) for half in halves)
        return _pair(builder, *loaded)

    return kind(space, types.intp), lowered


@intrinsic
def lay(typing_context, space, at, value):
    """Write eight consecutive numbers."""

    def lowered(context, builder, signature, values):
        if isinstance(value, Lanes):
            builder.store(values[2], _pointer(context, builder, space, *values[:2]), align=8)
        else:
            for k, part in enumerate(_parts(builder, values[2])):
                half = builder.extract_value(values[0], k)
                builder.store(part, _pointer(context, builder, space.dtype, half, values[1]), align=8)
        return context.get_dummy_value()

    return types.none(space, types.intp, value), lowered


@intrinsic
def same(typing_context, number, space):
    """One number eight times, of the kind that lies in the space."""
    kind = _kind(space)

    def lowered(context, builder, signature, values):
        high = _spread(builder, values[0])
        return high if kind is lanes else _pair(builder, high, ir.Constant(EIGHT, [0.0] * LANES))

    return kind(types.float64, space), lowered


@intrinsic
def over(typing_context, value, number):
    """Eight numbers divided by one; lanes are multiplied by its inverse."""

    def lowered(context, builder, signature, values):
        value, number = values
        if signature.args[0] == lanes:
            return _product(builder, value, _spread(builder, builder.fdiv(ir.Constant(ir.DoubleType(), 1.0), number)))
        none = ir.Constant(EIGHT, [0.0] * LANES)
        return _divided(builder, value, _pair(builder, _spread(builder, number), none))

    return value(value, types.float64), lowered


def _rooted(builder, value):
    kind = ir.FunctionType(EIGHT, [EIGHT])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.sqrt.v{LANES}f64"), [value])


@intrinsic
def rooted(typing_context, value):
    """Square roots; those of pairs take one step of Newton's."""

    def lowered(context, builder, signature, values):
        if isinstance(value, Lanes):
            return _rooted(builder, values[0])
        none = ir.Constant(EIGHT, [0.0] * LANES)
        first = _rooted(builder, _parts(builder, values[0])[0])
        root = _pair(builder, first, none)
        rest = _subtracted(builder, values[0], _multiplied(builder, root, root))
        return _added(builder, root, _divided(builder, rest, _pair(builder, builder.fadd(first, first), none)))

    return value(value), lowered


# --- lanes only -------------------------------------------------------------------------------------------------------


@intrinsic
def exponential(typing_context, value):
    """Exponentials, one after the other."""
    return _unary("exp")


@intrinsic
def logarithm(typing_context, value):
    """Natural logarithms, one after the other."""
    return _unary("log")


@intrinsic
def spread_from(typing_context, array, at):
    """One double of a contiguous array eight times."""

    def lowered(context, builder, signature, values):
        data = make_array(signature.args[0])(context, builder, values[0]).data
        return _spread(builder, builder.load(builder.gep(data, [values[1]])))

    return lanes(array, types.intp), lowered


@intrinsic
def widened(typing_context, high, low):
    """Pairs from two lanes, of which the second is the smaller one."""

    def lowered(context, builder, signature, values):
        return _tidied(builder, *values)

    return pairs(lanes, lanes), lowered


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
