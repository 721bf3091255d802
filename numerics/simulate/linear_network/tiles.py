"""Products of matrices in tiles that stay in vector registers, for doubles and for pairs of doubles.

All matrices lie in one array of doubles, their rows padded with zeros to whole vectors, with rows of zeros below them.
A matrix is told by a place: where it begins, doubles from row to row, doubles from a number's high part to its low one.
Whether numbers are doubles or pairs is read from the tuple that carries the scale: one number, or two.

A tile of the product has up to `heights` rows, by its width in vectors, and adds a vector of the right matrix times one
number of the left matrix at a time, so that rows of the right matrix stream. Vectors of tiles are as long as registers,
so that little padding is computed. Nothing checks bounds.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from typing import NamedTuple

from llvmlite import ir
from numba import njit
from numba.core import cgutils, types
from numba.core.extending import intrinsic
from numba.np.arrayobj import make_array

from numerics.machine.lanes import EIGHT, LANES, PLACES
from numerics.simulate.linear_network.double_double import accumulated, normal, plus, times

WORD, INDEX, REAL = ir.IntType(64), ir.IntType(32), ir.DoubleType()
FUSING = ("contract",)
ABREAST = 4  # rows whose squares are summed side by side
VECTOR = 8  # doubles of a vector in a tile
SUMS = 24  # vectors that the sums of a tile may take; the rest of the registers holds its factors
ROW = ir.VectorType(REAL, VECTOR)
TALLEST, WIDEST = 8, 4 if SUMS > 12 else 3


class Doubles:
    """Arithmetic of doubles; products and sums may fuse."""

    heights = tuple(min(TALLEST, SUMS // width) for width in range(1, WIDEST + 1))

    @staticmethod
    def accumulated(builder, total, left, right):
        product = builder.fmul(left[0], right[0], flags=FUSING)
        return (builder.fadd(product, total[0], flags=FUSING),)

    @staticmethod
    def normal(builder, total):
        return total

    @staticmethod
    def plus(builder, left, right):
        return (builder.fadd(left[0], right[0], flags=FUSING),)

    @staticmethod
    def times(builder, left, right):
        return (builder.fmul(left[0], right[0], flags=FUSING),)


class Pairs:
    """Arithmetic of pairs of doubles; a product takes twelve instructions, so that four rows keep the units busy."""

    heights = (4,)
    accumulated, normal = staticmethod(accumulated), staticmethod(normal)
    plus, times = staticmethod(plus), staticmethod(times)


def _kind_of(scale):
    return (Doubles, Pairs)[scale.count - 1]


def _data_of(context, builder, kind, array):
    return make_array(kind)(context, builder, array).data


class _Place(NamedTuple):
    """A running address: that of a number's high part, and doubles from there to its low part."""

    at: ir.Value
    shift: ir.Value


class _Code:
    """The builder of instructions, the one array, and how many parts a number has."""

    def __init__(self, builder, data, parts, vector=EIGHT):
        self.builder, self.data, self.parts, self.vector = builder, data, parts, vector

    def whole(self, number):
        return ir.Constant(WORD, number)

    def moved(self, place, distance):
        return _Place(self.builder.add(place.at, distance), place.shift)

    def addresses(self, place, kind):
        at = place.at
        for part in range(self.parts):
            at = self.builder.add(at, place.shift) if part else at
            yield self.builder.bitcast(self.builder.gep(self.data, [at]), kind.as_pointer())

    def load(self, place):
        return tuple(self.builder.load(address, align=8) for address in self.addresses(place, self.vector))

    def spread(self, place):
        return tuple(self.same(self.builder.load(address, align=8)) for address in self.addresses(place, REAL))

    def store(self, place, number):
        for address, part in zip(self.addresses(place, self.vector), number, strict=True):
            self.builder.store(part, address, align=8)

    def same(self, number):
        empty, first = ir.Constant(self.vector, ir.Undefined), ir.Constant(INDEX, 0)
        places = ir.Constant(ir.VectorType(INDEX, self.vector.count), [0] * self.vector.count)
        return self.builder.shuffle_vector(self.builder.insert_element(empty, number, first), empty, places)

    def unpacked(self, number, spread=False):
        found = cgutils.unpack_tuple(self.builder, number, self.parts)
        return tuple(self.same(part) if spread else part for part in found)

    def zero(self):
        return (ir.Constant(self.vector, [0.0] * self.vector.count),) * self.parts

    def place(self, told):
        at, _, shift = cgutils.unpack_tuple(self.builder, told, 3)
        return _Place(at, shift)

    def step(self, told):
        return self.builder.extract_value(told, 1)

    def repeated(self, count, places, numbers, body):
        """Run `body(places, numbers)` at least once; it returns by how much places move, and the new numbers."""
        builder = self.builder
        before, inside = builder.block, builder.append_basic_block("repeated")
        after = builder.append_basic_block("done")
        builder.branch(inside)
        builder.position_at_end(inside)
        turn = builder.phi(WORD)
        running = [_Place(builder.phi(WORD), place.shift) for place in places]
        sums = [tuple(builder.phi(part.type) for part in number) for number in numbers]
        steps, new = body(running, sums)
        moved = [builder.add(place.at, step) for place, step in zip(running, steps, strict=True)]
        later = builder.add(turn, self.whole(1))
        flat = [
            (turn, self.whole(0), later),
            *zip((place.at for place in running), (place.at for place in places), moved, strict=True),
            *((p, f, n) for row in zip(sums, numbers, new, strict=True) for p, f, n in zip(*row, strict=True)),
        ]
        for phi, first, value in flat:
            phi.add_incoming(first, before)
            phi.add_incoming(value, builder.block)
        builder.cbranch(builder.icmp_signed("<", later, count), inside, after)
        builder.position_at_end(after)
        return new


@intrinsic
def heights(typing_context, scale):
    """Most rows of a tile, by its width: of one vector, of two, and so on."""
    found = _kind_of(scale).heights

    def lowered(context, builder, signature, values):
        return context.make_tuple(builder, signature.return_type, [ir.Constant(WORD, height) for height in found])

    return types.UniTuple(types.intp, len(found))(scale), lowered


@intrinsic
def _tile(typing_context, work, height, width, out, base, left, column_step, right, count, scale):
    """One tile of out = base + scale left right: a case for every size that a tile may have."""

    def lowered(context, builder, signature, values):
        work, height, width, *told = values
        given = [_data_of(context, builder, signature.args[0], work), *told]
        after = builder.append_basic_block("after")
        switch = builder.switch(builder.add(height, builder.mul(width, ir.Constant(WORD, 16))), after)
        for vectors, tallest in enumerate(_kind_of(signature.args[-1]).heights, 1):
            for rows in range(1, tallest + 1):
                block = builder.append_basic_block("tile")
                switch.add_case(ir.Constant(WORD, rows + 16 * vectors), block)
                builder.position_at_end(block)
                builder.call(_tile_of(builder.module, rows, vectors, signature.args[-1], given), given)
                builder.branch(after)
        builder.position_at_end(after)
        return context.get_dummy_value()

    kinds = (work, types.intp, types.intp, out, base, left, types.intp, right, types.intp, scale)
    return types.none(*kinds), lowered


def _tile_of(module, rows, vectors, scale, given):
    """The function for tiles of a size: its own, because one for all sizes keeps the addresses of all in memory."""
    kind = ir.FunctionType(ir.VoidType(), [value.type for value in given])
    function = ir.Function(module, kind, f"tile_{scale.count}_{rows}_{vectors}")
    function.linkage = "internal"
    function.attributes.add("noinline")
    function.attributes.add("optsize")  # unrolling its loop takes time to compile, and makes it no faster
    builder = ir.IRBuilder(function.append_basic_block())
    data, *told = function.args
    _write_tile(_Code(builder, data, scale.count, ROW), _kind_of(scale), rows, vectors, told)
    builder.ret_void()
    return function


def _write_tile(code, arithmetic, rows, vectors, told):
    builder, (out, base, left, column_step, right, count, scale) = code.builder, told
    known = code.unpacked(scale, spread=True)
    down = [builder.mul(code.step(left), code.whole(i)) for i in range(rows)]
    across = [code.whole(VECTOR * j) for j in range(vectors)]

    def body(places, sums):
        row = [code.load(code.moved(places[1], shift)) for shift in across]
        new = []
        for i in range(rows):
            number = code.spread(code.moved(places[0], down[i]))
            new += [arithmetic.accumulated(builder, sums[vectors * i + j], number, row[j]) for j in range(vectors)]
        return (column_step, code.step(right)), new

    starts = [code.place(left), code.place(right)]
    sums = code.repeated(count, starts, [code.zero()] * (rows * vectors), body)
    for i in range(rows):
        target, origin = (
            code.moved(code.place(matrix), builder.mul(code.step(matrix), code.whole(i))) for matrix in (out, base)
        )
        for j in range(vectors):
            added = arithmetic.times(builder, known, arithmetic.normal(builder, sums[vectors * i + j]))
            value = arithmetic.plus(builder, code.load(code.moved(origin, across[j])), added)
            code.store(code.moved(target, across[j]), value)


@njit(cache=True)
def _height(left, tallest):
    """Rows of the next tile: as many as may be, but the last two tiles share what is left."""
    return tallest if left >= 2 * tallest else (left + 1) // 2 if left > tallest else left


@njit(cache=True)
def _width(left, widest):
    """Vectors of the next tile: three, or such that none of one vector is left over; or one, where all are so."""
    if left % 3 == 1 and left > 1 and widest > 1:
        return 4 if widest == 4 else 2
    return min(left, 3, widest)


@njit(cache=True)
def multiply(work, out, base, left, column_step, right, rows, columns, count, scale):
    """out = base + scale left right; `out` and `base` may be the same. Columns are rounded up to whole vectors."""
    vectors, column = (columns + VECTOR - 1) // VECTOR, 0
    while column < vectors:
        width = _width(vectors - column, len(heights(scale)))
        tallest = heights(scale)[width - 1]
        shift, row = VECTOR * column, 0
        while row < rows:
            height = _height(rows - row, tallest)
            _tile(
                work,
                height,
                width,
                (out[0] + row * out[1] + shift, out[1], out[2]),
                (base[0] + row * base[1] + shift, base[1], base[2]),
                (left[0] + row * left[1], left[1], left[2]),
                column_step,
                (right[0] + shift, right[1], right[2]),
                count,
                scale,
            )
            row += height
        column += width


@intrinsic
def _move_row(typing_context, work, out, base, other, vectors, scale):
    """One row of out = base + scale other."""

    def lowered(context, builder, signature, values):
        work, out, base, other, vectors, scale = values
        arithmetic = _kind_of(signature.args[-1])
        code = _Code(builder, _data_of(context, builder, signature.args[0], work), signature.args[-1].count)
        known = code.unpacked(scale, spread=True)

        def body(places, sums):
            added = arithmetic.times(builder, known, code.load(places[2]))
            code.store(places[0], arithmetic.plus(builder, code.load(places[1]), added))
            return (code.whole(LANES),) * 3, []

        code.repeated(vectors, [code.place(told) for told in (out, base, other)], [], body)
        return context.get_dummy_value()

    return types.none(work, out, base, other, types.intp, scale), lowered


@njit(cache=True)
def move(work, out, base, other, rows, columns, scale):
    """out = base + scale other, entry by entry."""
    for row in range(rows):
        _move_row(
            work,
            (out[0] + row * out[1], out[1], out[2]),
            (base[0] + row * base[1], base[1], base[2]),
            (other[0] + row * other[1], other[1], other[2]),
            (columns + LANES - 1) // LANES,
            scale,
        )


@intrinsic
def _squares(typing_context, work, matrix, rows, vectors, scale, least):
    def lowered(context, builder, signature, values):
        work, matrix, rows, vectors, scale, least = values
        arithmetic = _kind_of(signature.args[-1])
        code = _Code(builder, _data_of(context, builder, signature.args[0], work), signature.args[-1].count)

        down = [builder.mul(code.step(matrix), code.whole(i)) for i in range(ABREAST)]

        def along_rows(places, sums):
            numbers = [code.load(code.moved(places[0], shift)) for shift in down]
            squared = zip(sums, numbers, strict=True)
            return (code.whole(LANES),), [arithmetic.accumulated(builder, total, x, x) for total, x in squared]

        def down_rows(places, sums):
            step = builder.mul(code.step(matrix), code.whole(ABREAST))
            return (step,), code.repeated(vectors, places, sums, along_rows)

        groups = builder.udiv(builder.add(rows, code.whole(ABREAST - 1)), code.whole(ABREAST))
        totals = code.repeated(groups, [code.place(matrix)], [code.zero()] * ABREAST, down_rows)
        total = code.zero()
        for one in totals:
            total = arithmetic.plus(builder, total, arithmetic.normal(builder, one))
        folded = (ir.Constant(REAL, 0.0),) * code.parts
        for lane in range(LANES):
            one = tuple(builder.extract_element(part, ir.Constant(INDEX, lane)) for part in total)
            folded = arithmetic.plus(builder, folded, one)
        result = arithmetic.plus(builder, code.unpacked(least), arithmetic.times(builder, code.unpacked(scale), folded))
        return context.make_tuple(builder, signature.return_type, result)

    return scale(work, matrix, types.intp, types.intp, scale, least), lowered


@njit(cache=True)
def squares(work, matrix, rows, vectors, scale, least):
    """least + scale times the sum of all squared entries."""
    return _squares(work, matrix, rows, vectors, scale, least)


@intrinsic
def _turn_block(typing_context, work, out, out_step, source, source_step):
    """Eight rows of eight, written as columns."""

    def lowered(context, builder, signature, values):
        work, out, out_step, source, source_step = values
        code = _Code(builder, _data_of(context, builder, signature.args[0], work), 1)
        start, target = _Place(source, code.whole(0)), _Place(out, code.whole(0))
        rows = [code.load(code.moved(start, builder.mul(source_step, code.whole(i))))[0] for i in range(LANES)]
        for half in (1, 2, 4):
            rows = [_exchanged(builder, rows[i & ~half], rows[i | half], half, bool(i & half)) for i in range(LANES)]
        for i, row in enumerate(rows):
            code.store(code.moved(target, builder.mul(out_step, code.whole(i))), (row,))
        return context.get_dummy_value()

    return types.none(work, *[types.intp] * 4), lowered


def _exchanged(builder, upper, lower, half, second):
    """One of two rows after the off-diagonal squares of side `half` changed places."""
    mine = range(LANES)
    order = [(k | half if second else k) if not k & half else LANES + (k if second else k & ~half) for k in mine]
    return builder.shuffle_vector(upper, lower, ir.Constant(PLACES, order))


@njit(cache=True)
def turn(work, out, source, rows, columns, parts):
    """out = source', with its padding; sizes are rounded up to whole vectors."""
    for part in range(parts):
        for i in range(0, rows, LANES):
            for j in range(0, columns, LANES):
                _turn_block(
                    work,
                    out[0] + part * out[2] + j * out[1] + i,
                    out[1],
                    source[0] + part * source[2] + i * source[1] + j,
                    source[1],
                )
