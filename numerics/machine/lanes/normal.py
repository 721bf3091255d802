"""Normal numbers, eight at once, from eight generators xoshiro256++ in the lanes of vector registers.

They come in pairs by Box and Muller's map of 52 bits for the radius and 54 for the angle. None is larger than 8.5,
which one in 6e16 should be. `numerics.machine.streams` says where the generators begin.

In memory a state is 32 doubles whose bits are the generators' words, first words first.
"""

# mypy: ignore-errors

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from numerics.machine.lanes import EIGHT, LANES, lanes, load, power_series, root, spread, store
from numerics.machine.lanes.functions import WORDS, logarithm

ONE = 0x3FF0000000000000  # the bits of 1.0
# sin(pi z)/z and cos(pi z) in powers of z^2, for z up to 1/4; relative errors 4e-17 and 2e-16
SINE = (
    3.141592653589793, -5.167712780049954, 2.5501640398733763, -0.5992645289396449, 0.08214586918000175,
    -0.007370021586907771, 0.000461531855383581,
)  # fmt: skip
COSINE = (
    1.0, -4.934802200544605, 4.058712126397836, -1.3352627670365804, 0.2353305472106652, -0.025804938510627626,
    0.0019068093183945778,
)  # fmt: skip


def _constant(number):
    return ir.Constant(WORDS, [number] * LANES)


def _turned(builder, word, left):
    return builder.or_(builder.shl(word, _constant(left)), builder.lshr(word, _constant(64 - left)))


@intrinsic
def step(typing_context, a, b, c, d):
    """Words drawn from the generators in the state (a, b, c, d), and the next state."""

    def lowered(context, builder, signature, values):
        a, b, c, d = (builder.bitcast(part, WORDS) for part in values)
        drawn = builder.add(_turned(builder, builder.add(a, d), 23), a)
        c_next, d_next = builder.xor(c, a), builder.xor(d, b)
        c_last = builder.xor(c_next, builder.shl(b, _constant(17)))
        state = (builder.xor(a, d_next), builder.xor(b, c_next), c_last, _turned(builder, d_next, 45))
        return context.make_tuple(
            builder, signature.return_type, [builder.bitcast(part, EIGHT) for part in (drawn, *state)]
        )

    return types.UniTuple(lanes, 5)(lanes, lanes, lanes, lanes), lowered


@intrinsic
def from_one_to_two(typing_context, word):
    """Numbers of 52 bits, uniform in [1, 2)."""

    def lowered(context, builder, signature, values):
        bits = builder.lshr(builder.bitcast(values[0], WORDS), _constant(12))
        return builder.bitcast(builder.or_(bits, _constant(ONE)), EIGHT)

    return lanes(lanes), lowered


@intrinsic
def shuffled(typing_context, word, left, right):
    """Both numbers, exchanged or not and with their signs turned or not, as the last two bits of a word say."""

    def lowered(context, builder, signature, values):
        word, left, right = values
        bits = builder.bitcast(word, WORDS)
        swap = builder.trunc(bits, ir.VectorType(ir.IntType(1), LANES))
        sign = builder.shl(builder.lshr(bits, _constant(1)), _constant(63))
        pair = builder.select(swap, right, left), builder.select(swap, left, right)
        turned = [builder.bitcast(builder.xor(builder.bitcast(part, WORDS), sign), EIGHT) for part in pair]
        return context.make_tuple(builder, signature.return_type, turned)

    return types.UniTuple(lanes, 2)(lanes, lanes, lanes), lowered


@njit(cache=True, forceinline=True)
def squared_radius(word):
    """The sum of the squares of two normal numbers."""
    return spread(-2.0) * logarithm(spread(2.0) - from_one_to_two(word))


@njit(cache=True, forceinline=True)
def pair(square, word):
    """Two normal numbers from the sum of their squares and a word that gives their angle."""
    radius = root(square)
    z = (from_one_to_two(word) - spread(1.5)) * spread(0.5)
    angle = z * z
    return shuffled(word, radius * power_series(COSINE, angle), radius * z * power_series(SINE, angle))


@njit(cache=True)
def fill(state, out, begin, count):
    """Write normal numbers from a place on: as many as asked, rounded up to a multiple of 16.

    Each pair is finished while the next is begun, which takes less time than one after the other.
    """
    if count <= 0:
        return
    a, b, c, d = load(state, 0), load(state, LANES), load(state, 2 * LANES), load(state, 3 * LANES)
    first, a, b, c, d = step(a, b, c, d)
    second, a, b, c, d = step(a, b, c, d)
    square, at = squared_radius(first), begin
    while at + 2 * LANES < begin + count:
        first, a, b, c, d = step(a, b, c, d)
        next_second, a, b, c, d = step(a, b, c, d)
        next_square = squared_radius(first)
        left, right = pair(square, second)
        store(out, at, left)
        store(out, at + LANES, right)
        square, second, at = next_square, next_second, at + 2 * LANES
    left, right = pair(square, second)
    store(out, at, left)
    store(out, at + LANES, right)
    store(state, 0, a)
    store(state, LANES, b)
    store(state, 2 * LANES, c)
    store(state, 3 * LANES, d)
