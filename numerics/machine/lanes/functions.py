"""Elementary functions of eight doubles at once: logarithm, exponential, error function, hyperbolic tangent.

Polynomials interpolate at Chebyshev nodes. The errors found are stated; arguments are finite, and nothing else is
checked.
"""

# mypy: ignore-errors

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic

from numerics.machine.lanes import EIGHT, LANES, chosen, lanes, power_series, signed, size, spread

WORDS = ir.VectorType(ir.IntType(64), LANES)
SHIFTER = 6755399441055744.0  # 3 2^51: a number added to it is rounded, and its last bits are a whole number
LOG_2 = 0.6931471805599453
LOG_2_HIGH, LOG_2_LOW = 0.6931471803691238, 1.9082149292705877e-10  # the first has 21 zeros at its end
HALF_ROOT = 0x3FE6A09E667F3BCD  # the bits of sqrt(1/2)
# (atanh(s)/s - 1)/s^2 in powers of s^2, for s^2 up to that of (sqrt 2 - 1)/(sqrt 2 + 1); relative error 5e-16
ARTANH = (
    0.3333333333333335, 0.19999999999949752, 0.14285714312987743, 0.1111110556739754, 0.09091444562630861,
    0.07665860800278021, 0.07308224842521703,
)  # fmt: skip
# exp for arguments up to log(2)/2; relative error 2e-17
EXPONENTIAL = (
    1.0, 1.0, 0.5000000000000019, 0.1666666666666668, 0.0416666666664881, 0.008333333333319601, 0.0013888888952314775,
    0.00019841269890047113, 2.4801485482328494e-05, 2.755724091857897e-06, 2.763263963904103e-07,
    2.5110037605963777e-08,
)  # fmt: skip
# erf(z)/z in powers of z^2, for z up to 1; relative error 5e-17
ERF = (
    1.1283791670955126, -0.37612638903183543, 0.11283791670945006, -0.02686617064323777, 0.0052239776071164225,
    -0.0008548325975389692, 0.00012055294904839707, -1.492473690741966e-05, 1.6447424703317362e-06,
    -1.6208483801871705e-07, 1.3720064546777686e-08, -7.795898827002142e-10,
)  # fmt: skip
# exp(z^2) (1 - erf(z)) in powers of (z - 3)/(z + 3), for z from 1 to 6; relative error 2e-16
ERFC = (
    0.17900115118138996, -0.3262335600430372, 0.24560380171233487, -0.15011593650077898, 0.07166583719747308,
    -0.024392499318915004, 0.004269136356961225, 0.0007077464666941425, -0.0005970624964924544, 4.525434558991009e-05,
    6.406279226046039e-05, -1.2845780030775907e-05, -8.00978093907608e-06, 2.0135111426447427e-06,
    1.2755818949624478e-06, 3.381355142042904e-09,
)  # fmt: skip
# tanh(x)/x in powers of x^2, for x up to 1/2; relative error 6e-18
TANH = (
    1.0, -0.3333333333333308, 0.13333333333292816, -0.05396825394287032, 0.021869487718845705, -0.008863220134250503,
    0.0035919465020130574, -0.0014544509176344551, 0.0005831792400007558, -0.00021761442156422375,
    5.663500915911182e-05,
)  # fmt: skip


@intrinsic
def halvings(typing_context, value):
    """The power of two that takes a positive number to between sqrt(1/2) and sqrt 2, as a double, and that number."""

    def lowered(context, builder, signature, values):
        bits = builder.bitcast(values[0], WORDS)
        power = builder.ashr(builder.sub(bits, _words(HALF_ROOT)), _words(52))
        rest = builder.bitcast(builder.sub(bits, builder.shl(power, _words(52))), EIGHT)
        shifter = ir.Constant(EIGHT, [SHIFTER] * LANES)
        whole = builder.bitcast(builder.add(power, builder.bitcast(shifter, WORDS)), EIGHT)
        return context.make_tuple(builder, signature.return_type, (builder.fsub(whole, shifter), rest))

    return types.UniTuple(lanes, 2)(lanes), lowered


@intrinsic
def doubled(typing_context, value, times):
    """A number times a power of two, whose exponent is in the last bits of `times`."""

    def lowered(context, builder, signature, values):
        value, times = (builder.bitcast(part, WORDS) for part in values)
        return builder.bitcast(builder.add(value, builder.shl(times, _words(52))), EIGHT)

    return lanes(lanes, lanes), lowered


def _words(number):
    return ir.Constant(WORDS, [number] * LANES)


@njit(cache=True, forceinline=True)
def logarithm(value):
    """log of positive numbers that are not denormal; errors below 2e-16 beside 1e-16 relative."""
    power, near_one = halvings(value)
    s = (near_one - spread(1.0)) / (near_one + spread(1.0))
    square = s * s
    rest = s + s * square * power_series(ARTANH, square)
    return power * spread(LOG_2_HIGH) + (rest + rest + power * spread(LOG_2_LOW))


@njit(cache=True, forceinline=True)
def exponential(value):
    """exp of numbers between -700 and 700; relative errors below 3e-16."""
    shifted = value * spread(1.0 / LOG_2) + spread(SHIFTER)
    times = shifted - spread(SHIFTER)
    rest = value - times * spread(LOG_2_HIGH) - times * spread(LOG_2_LOW)
    return doubled(power_series(EXPONENTIAL, rest), shifted)


@njit(cache=True, forceinline=True)
def error_function(value):
    """erf(x/sqrt 2) and exp(-x^2/2); relative errors below 7e-16, of the second below 1e-13."""
    half = value * value * spread(0.5)
    bell = exponential(spread(0.0) - chosen(half, spread(700.0), half, spread(700.0)))
    z = size(value) * spread(0.7071067811865476)
    far = chosen(z, spread(6.0), z, spread(6.0))
    tail = bell * power_series(ERFC, (far - spread(3.0)) / (far + spread(3.0)))
    near = z * power_series(ERF, z * z)
    return signed(chosen(z, spread(1.0), near, spread(1.0) - tail), value), bell


@njit(cache=True, forceinline=True)
def hyperbolic_tangent(value):
    """tanh and its derivative; relative errors below 1e-15."""
    twice = size(value) + size(value)
    small = exponential(spread(0.0) - chosen(twice, spread(700.0), twice, spread(700.0)))
    whole = spread(1.0) + small
    near = size(value) * power_series(TANH, value * value)
    far = (spread(1.0) - small) / whole
    return signed(chosen(twice, spread(1.0), near, far), value), spread(4.0) * small / (whole * whole)
