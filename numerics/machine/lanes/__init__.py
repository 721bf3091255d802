"""Eight doubles at once, for loops that the compiler would leave scalar.

The compiler gives up on loops over slices of one work space, because it cannot rule out that they overlap. `Lanes` is a
Numba type that holds one full vector register (or several narrower ones, on processors without wide ones): `load` and
`store` move it, arithmetic signs and `root` work on all eight, `spread` fills it with one number.

    total = spread(0.0)
    for at in range(0, x.size, LANES):
        total += load(x, at) * load(y, at)
    return folded(total)

Nothing checks bounds: work spaces are padded to a multiple of LANES. Products and sums may fuse.
"""

# mypy: ignore-errors

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.extending import intrinsic, lower_builtin, register_model, type_callable
from numba.np.arrayobj import make_array, populate_array

LANES = 8
EIGHT = ir.VectorType(ir.DoubleType(), LANES)
PLACES = ir.VectorType(ir.IntType(32), LANES)
FLAGS = ("contract", "nsz", "arcp")


class Lanes(types.Type):
    """The type of eight doubles."""

    def __init__(self):
        super().__init__(name="Lanes")


@register_model(Lanes)
class LanesModel(models.PrimitiveModel):
    """Eight doubles live in registers as one LLVM vector."""

    def __init__(self, manager, kind):
        super().__init__(manager, kind, EIGHT)


lanes = Lanes()


def _arithmetic(sign, instruction):
    @type_callable(sign)
    def typed(context):
        return lambda left, right: lanes if isinstance(left, Lanes) and isinstance(right, Lanes) else None

    @lower_builtin(sign, Lanes, Lanes)
    def lowered(context, builder, signature, values):
        return getattr(builder, instruction)(*values, flags=FLAGS)


for _sign, _instruction in (
    (operator.add, "fadd"),
    (operator.iadd, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _arithmetic(_sign, _instruction)


def _pointer(context, builder, kind, array, at):
    data = make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [at]), EIGHT.as_pointer())


@intrinsic
def load(typing_context, array, at):
    """Eight consecutive doubles of a contiguous array."""

    def lowered(context, builder, signature, values):
        return builder.load(_pointer(context, builder, signature.args[0], *values), align=8)

    return lanes(array, types.intp), lowered


@intrinsic
def borrowed(typing_context, array, at, count):
    """`count` doubles of a contiguous array from `at`, as an array that does not count as its user.

    Counting users costs two locked instructions for every array that a function is given or slices. A borrowed array
    must not outlive the one that it came from.
    """
    kind = types.Array(types.float64, 1, "C")

    def lowered(context, builder, signature, values):
        array, at, count = values
        made = make_array(kind)(context, builder)
        data = builder.gep(make_array(signature.args[0])(context, builder, array).data, [at])
        bytes_each = ir.Constant(ir.IntType(64), 8)
        populate_array(made, data=data, shape=[count], strides=[bytes_each], itemsize=bytes_each, meminfo=None)
        return made._getvalue()

    return kind(array, types.intp, types.intp), lowered


@intrinsic
def store(typing_context, array, at, value):
    """Write eight consecutive doubles of a contiguous array."""

    def lowered(context, builder, signature, values):
        array, at, value = values
        builder.store(value, _pointer(context, builder, signature.args[0], array, at), align=8)
        return context.get_dummy_value()

    return types.none(array, types.intp, lanes), lowered


def _spread(builder, number):
    one = builder.insert_element(ir.Constant(EIGHT, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, ir.Constant(EIGHT, ir.Undefined), ir.Constant(PLACES, [0] * LANES))


def _sum(builder, left, right):
    return builder.fadd(left, right, flags=FLAGS)


def _product(builder, left, right):
    return builder.fmul(left, right, flags=FLAGS)


@intrinsic
def spread(typing_context, number):
    """Return one double copied to all eight lanes."""

    def lowered(context, builder, signature, values):
        return _spread(builder, values[0])

    return lanes(types.float64), lowered


def _unary(name):
    def lowered(context, builder, signature, values):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(EIGHT, [EIGHT]), f"llvm.{name}.v{LANES}f64"
        )
        return builder.call(function, values)

    return lanes(lanes), lowered


@intrinsic
def root(typing_context, value):
    """The square roots."""
    return _unary("sqrt")


@intrinsic
def size(typing_context, value):
    """The absolute values."""
    return _unary("fabs")


@intrinsic
def chosen(typing_context, value, limit, below, above):
    """`below` in the lanes where the value is at most the limit, and `above` in the others."""

    def lowered(context, builder, signature, values):
        value, limit, below, above = values
        return builder.select(builder.fcmp_ordered("<=", value, limit), below, above)

    return lanes(lanes, lanes, lanes, lanes), lowered


@intrinsic
def within(typing_context, value, limit):
    """Check whether every lane is at most the limit."""

    def lowered(context, builder, signature, values):
        holds = builder.fcmp_ordered("<=", *values)
        return builder.icmp_signed("==", builder.bitcast(holds, ir.IntType(LANES)), ir.Constant(ir.IntType(LANES), -1))

    return types.boolean(lanes, lanes), lowered


@intrinsic
def folded(typing_context, value):
    """The sum of the eight, always in the same order."""

    def lowered(context, builder, signature, values):
        value = values[0]
        for half in (LANES >> k for k in range(1, LANES.bit_length())):
            mask = ir.Constant(PLACES, [k ^ half for k in range(LANES)])
            value = builder.fadd(value, builder.shuffle_vector(value, value, mask))
        return builder.extract_element(value, ir.Constant(ir.IntType(32), 0))

    return types.float64(lanes), lowered


@intrinsic
def signed(typing_context, value, sign):
    """The sizes of the first with the signs of the second."""

    def lowered(context, builder, signature, values):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(EIGHT, [EIGHT, EIGHT]), f"llvm.copysign.v{LANES}f64"
        )
        return builder.call(function, values)

    return lanes(lanes, lanes), lowered


@intrinsic
def power_series(typing_context, coefficients, value):
    """The polynomial with these coefficients (a tuple, lowest first), even and odd powers summed side by side."""

    def lowered(context, builder, signature, values):
        def chain(first):
            total = None
            for k in reversed(range(first, signature.args[0].count, 2)):
                number = _spread(builder, builder.extract_value(values[0], k))
                total = number if total is None else _sum(builder, _product(builder, total, square), number)
            return total

        value = values[1]
        square = _product(builder, value, value)
        return _sum(builder, chain(0), _product(builder, chain(1), value))

    return lanes(coefficients, lanes), lowered
