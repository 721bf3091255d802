"""Square tiles of entries for eight times at once: the products and triangular solves of `riccati.fast`.

Every entry is a vector register that holds its values at eight times, or at four where registers are narrower: LANES,
here L. Matrices are stored in panels of SIDE rows, here S: entry (i, j) begins at
i//S * (S L * columns) + S L * j + L * (i % S), so that a tile is S^2 L doubles in a row, and so are the operands of the
next terms of a product. Accumulators stay in registers during a product: those of the whole tile, or of ABREAST of its
columns where there are fewer registers.

The arguments `x, x0` are an array and the place in it where the tile or panel begins. Nothing checks bounds.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import factorial

from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.core.extending import intrinsic
from numba.np.arrayobj import make_array

from numerics.machine.lanes import EIGHT, LANES, chosen, lanes, load, power_series, spread, store

SIDE = 4
ABREAST = 4  # columns of a tile that are computed at once
COLUMN = SIDE * LANES  # doubles between neighbours in a row of a panel
TILE = SIDE * COLUMN
SWATHS = [range(first, min(first + ABREAST, SIDE)) for first in range(0, SIDE, ABREAST)]
TRIANGLE = [(i, j) for i in range(SIDE) for j in range(i + 1)]
WORD = ir.IntType(64)
LONGEST = 700.0  # decays are followed down to exp(-700)
SLOWEST = 1e-290  # slower rates count as zero: nothing decays within any time that is not astronomical


class _Text:
    """The builder of instructions, and the addresses of arrays."""

    def __init__(self, context, builder, signature, values):
        self.builder, self.values = builder, values
        self.data = {
            k: make_array(kind)(context, builder, values[k]).data
            for k, kind in enumerate(signature.args)
            if isinstance(kind, types.Array)
        }

    def at(self, array, place, shift=0, kind=EIGHT):
        place = self.builder.add(place, ir.Constant(WORD, shift)) if shift else place
        return self.builder.bitcast(self.builder.gep(self.data[array], [place]), kind.as_pointer())

    def load(self, array, place, shift=0):
        return self.builder.load(self.at(array, place, shift), align=8)

    def spread(self, array, place, shift=0):
        number = self.builder.load(self.at(array, place, shift, ir.DoubleType()), align=8)
        one = self.builder.insert_element(ir.Constant(EIGHT, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return self.builder.shuffle_vector(one, ir.Constant(EIGHT, ir.Undefined), zeros)

    def store(self, value, array, place, shift=0, once=False):
        written = self.builder.store(value, self.at(array, place, shift), align=8 * LANES if once else 8)
        if once:
            written.set_metadata("nontemporal", self.builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)]))

    def plus_product(self, total, left, right):
        return self.call("fmuladd", left, right, total)

    def minus_product(self, total, left, right):
        return self.call("fmuladd", self.builder.fsub(ir.Constant(EIGHT, [-0.0] * LANES), left), right, total)

    def call(self, name, *values):
        kind = ir.FunctionType(EIGHT, [EIGHT] * len(values))
        function = cgutils.get_or_insert_function(self.builder.module, kind, f"llvm.{name}.v{LANES}f64")
        return self.builder.call(function, values)

    def as_it_is(self):
        """Return what keeps a loop from being unrolled: it is long enough, and may run a few times only."""
        module = self.builder.module
        text = ir.MetaDataString(module, "llvm.loop.unroll.disable")
        loop = module.add_metadata([module.add_metadata([text])])
        loop.operands = (loop, *loop.operands)  # the name of a loop is that it contains itself
        return loop

    def repeated(self, count, starts, values, body):
        """Run `body(places, values)` `count` times; it returns what the places advance by and the new values."""
        builder = self.builder
        before, inside = builder.block, builder.append_basic_block("repeated")
        after = builder.append_basic_block("done")
        builder.cbranch(builder.icmp_signed(">", count, ir.Constant(WORD, 0)), inside, after)
        builder.position_at_end(inside)
        turn = builder.phi(WORD)
        places = [builder.phi(WORD) for _ in starts]
        running = [builder.phi(EIGHT) for _ in values]
        steps, new = body(places, running)
        moved = [builder.add(place, step) for place, step in zip(places, steps, strict=True)]
        next_turn = builder.add(turn, ir.Constant(WORD, 1))
        end = builder.block
        for phi, first, later in (
            (turn, ir.Constant(WORD, 0), next_turn),
            *zip(places, starts, moved, strict=True),
            *zip(running, values, new, strict=True),
        ):
            phi.add_incoming(first, before)
            phi.add_incoming(later, end)
        again = builder.cbranch(builder.icmp_signed("<", next_turn, count), inside, after)
        again.set_metadata("llvm.loop", self.as_it_is())
        builder.position_at_end(after)
        results = []
        for first, later in zip(values, new, strict=True):
            phi = builder.phi(EIGHT)
            phi.add_incoming(first, before)
            phi.add_incoming(later, end)
            results.append(phi)
        return results


def _shift(i, j):
    return COLUMN * j + LANES * i


def _nothing(lowered):
    def wrapped(context, builder, signature, values):
        lowered(_Text(context, builder, signature, values), *values)
        return context.get_dummy_value()

    return wrapped


def _rows_times_rows(text, l0, r0, count, start, term, fixed=False):
    """Accumulate over `count` columns of two panels, arrays 2 and 4 of the caller's arguments.

    A fixed panel on the left holds one number where others hold LANES.
    """
    left_step, right_step = ir.Constant(WORD, SIDE if fixed else COLUMN), ir.Constant(WORD, COLUMN)

    def some(columns):
        def body(places, values):
            left = [text.spread(2, places[0], i) if fixed else text.load(2, places[0], LANES * i) for i in range(SIDE)]
            right = [text.load(4, places[1], LANES * j) for j in columns]
            pairs = ((x, y) for y in right for x in left)
            return (left_step, right_step), [term(value, *pair) for value, pair in zip(values, pairs, strict=True)]

        return text.repeated(count, [l0, r0], [start[SIDE * j + i] for j in columns for i in range(SIDE)], body)

    return [value for columns in SWATHS for value in some(columns)]


NOTHING = [ir.Constant(EIGHT, [0.0] * LANES)] * (SIDE * SIDE)


@intrinsic
def multiply(typing_context, out, out0, left, l0, right, r0, count):
    """The tile of left right', summed over `count` columns."""

    @_nothing
    def lowered(text, out, out0, left, l0, right, r0, count):
        total = _rows_times_rows(text, l0, r0, count, NOTHING, text.plus_product)
        for k, value in enumerate(total):
            text.store(value, 0, out0, LANES * k)

    return types.none(out, types.intp, left, types.intp, right, types.intp, types.intp), lowered


@intrinsic
def eliminate(typing_context, out, out0, left, l0, right, r0, count, corner, c0):
    """Replace a tile by (tile - left right') corner^-T; the triangular corner carries reciprocals on its diagonal."""

    @_nothing
    def lowered(text, out, out0, left, l0, right, r0, count, corner, c0):
        start = [text.load(0, out0, LANES * k) for k in range(SIDE * SIDE)]
        total = _rows_times_rows(text, l0, r0, count, start, text.minus_product)
        factor = {(i, j): text.load(7, c0, _shift(i, j)) for i, j in TRIANGLE}
        for i in range(SIDE):
            row = []
            for j in range(SIDE):
                value = total[SIDE * j + i]
                for k, done in enumerate(row):
                    value = text.minus_product(value, done, factor[j, k])
                row.append(text.builder.fmul(value, factor[j, j]))
                text.store(row[j], 0, out0, _shift(i, j))

    kinds = (out, types.intp, left, types.intp, right, types.intp, types.intp, corner, types.intp)
    return types.none(*kinds), lowered


@intrinsic
def factorise(typing_context, out, out0, left, l0, right, r0, count):
    """Replace a tile by the Cholesky factor of tile - left right', with reciprocals on its diagonal."""

    @_nothing
    def lowered(text, out, out0, left, l0, right, r0, count):
        start = [text.load(0, out0, LANES * k) for k in range(SIDE * SIDE)]
        total = _rows_times_rows(text, l0, r0, count, start, text.minus_product)
        value, divided = {(i, j): total[SIDE * j + i] for i, j in TRIANGLE}, {}
        one = ir.Constant(EIGHT, [1.0] * LANES)
        for j in range(SIDE):  # the next pivot waits for a quotient, and not for roots
            for i in range(j, SIDE):
                for k in range(j):
                    value[i, j] = text.minus_product(value[i, j], value[i, k], divided[j, k])
            inverse = text.builder.fdiv(one, value[j, j])
            reciprocal = text.builder.fmul(inverse, text.call("sqrt", value[j, j]))
            text.store(reciprocal, 0, out0, _shift(j, j))
            for i in range(j + 1, SIDE):
                divided[i, j] = text.builder.fmul(value[i, j], inverse)
                text.store(text.builder.fmul(value[i, j], reciprocal), 0, out0, _shift(i, j))

    return types.none(out, types.intp, left, types.intp, right, types.intp, types.intp), lowered


@intrinsic
def mix(typing_context, out, out0, left, l0, right, r0, count):
    """The tile of left right', summed over `count` columns, for a panel of fixed numbers on the left."""

    @_nothing
    def lowered(text, out, out0, left, l0, right, r0, count):
        total = _rows_times_rows(text, l0, r0, count, NOTHING, text.plus_product, fixed=True)
        for k, value in enumerate(total):
            text.store(value, 0, out0, LANES * k)

    return types.none(out, types.intp, left, types.intp, right, types.intp, types.intp), lowered


@intrinsic
def number(typing_context, array, at):
    """One number of an array, LANES times."""

    def lowered(context, builder, signature, values):
        return _Text(context, builder, signature, values).spread(0, values[1])

    return lanes(array, types.intp), lowered


@njit(cache=True)
def scatter(out, place, per_time, block, start, step, count, once):
    """Write `count` entries, `step` apart, behind one another into LANES matrices, `per_time` doubles apart.

    What is written `once` goes past the caches, which saves reading lines before they are written; it has to begin
    where a register does.
    """
    for k in range(0, count - LANES + 1, LANES):
        if once:
            _scatter_once(out, place + k, per_time, block, start + step * k, step)
        else:
            _scatter_whole(out, place + k, per_time, block, start + step * k, step)
    for k in range(count // LANES * LANES, count):
        for time in range(LANES):
            out[place + per_time * time + k] = block[start + step * k + time]


def _scattering(once):
    """An instruction that does the same for LANES entries, past the caches or not."""

    @intrinsic
    def scattered(typing_context, out, out0, per_time, block, b0, step):
        @_nothing
        def lowered(text, out, target, per_time, block, place, step):
            entries = []
            for _ in range(LANES):
                entries.append(text.load(3, place))
                place = text.builder.add(place, step)
            for row in _transposed(text.builder, entries):
                text.store(row, 0, target, once=once)
                target = text.builder.add(target, per_time)

        return types.none(out, types.intp, types.intp, block, types.intp, types.intp), lowered

    return scattered


_scatter_whole, _scatter_once = _scattering(once=False), _scattering(once=True)


def _transposed(builder, rows):
    """The transpose of a square tile: as many vectors as each of them has entries.

    Neighbours change places within pairs, pairs between vectors: what processors do in one instruction.
    """
    kind = ir.VectorType(ir.IntType(32), LANES)
    found, orders = [rows], [[k + part for k in range(first, LANES, 2) for part in (0, LANES)] for first in (0, 1)]
    while len(found) < LANES:  # found[k] has the columns k, k + len(found), ...
        found = [
            [builder.shuffle_vector(*pair, ir.Constant(kind, order)) for pair in zip(*[iter(vectors)] * 2, strict=True)]
            for order in orders
            for vectors in found
        ]
        orders = [[k for k in range(2 * LANES) if k & 2 == part] for part in (0, 2)]
    return [vector for (vector,) in found]


LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
# (exp(x) - 1 - x)/x^2 in powers of x: Taylor, relative error of exp(x) - 1 below 1e-17 for |x| <= ln(2)/2
EXPONENTIAL = tuple(1.0 / factorial(k) for k in range(2, 16))


@intrinsic
def rounded(typing_context, value):
    """The nearest whole numbers."""

    def lowered(context, builder, signature, values):
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(EIGHT, [EIGHT]), f"llvm.rint.v{LANES}f64"
        )
        return builder.call(function, values)

    return value(value), lowered


@intrinsic
def two_to(typing_context, exponent):
    """Powers of two with whole exponents, in the range of normal numbers."""

    def lowered(context, builder, signature, values):
        words = ir.VectorType(WORD, LANES)
        biased = builder.add(builder.fptosi(values[0], words), ir.Constant(words, [1023] * LANES))
        return builder.bitcast(builder.shl(biased, ir.Constant(words, [52] * LANES)), EIGHT)

    return exponent(exponent), lowered


@njit(cache=True)
def decay(rate, array, times, decayed, integral):
    """Write exp(-rate t) and the integral of its square, (1 - exp(-2 rate t))/(2 rate): four places in one array."""
    t = load(array, times)
    if rate < SLOWEST:
        store(array, decayed, spread(1.0))
        store(array, integral, t)
        return
    x = spread(rate) * t
    x = spread(0.0) - chosen(x, spread(LONGEST), x, spread(LONGEST))
    whole = rounded(x * spread(LOG2_E))
    x = x - whole * spread(LN2_HIGH) - whole * spread(LN2_LOW)
    less_one = x + x * x * power_series(EXPONENTIAL, x)
    power = two_to(whole)
    change = power * less_one + (power - spread(1.0))
    store(array, decayed, power + power * less_one)
    store(array, integral, change * (spread(2.0) + change) * spread(-0.5 / rate))
