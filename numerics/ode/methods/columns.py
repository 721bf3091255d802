"""The loop of a kernel over points that lie in the columns of an array.

The kernel is defined in front, and named by the option KERNEL; where this module is imported alone, `same` takes its
place.
"""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from llvmlite import ir
from numba import njit
from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

KERNEL = "same"
ARGUMENTS = 1


@njit(cache=True)
def same(x):
    """The smallest kernel."""
    return (x,)


AT_POINT = njit(error_model="numpy", forceinline=True)(globals()[KERNEL].py_func)
LIKE_ARGUMENTS = (0.0,) * ARGUMENTS


def _entry(context, builder, kind, array, k, count, at):
    """The place of an entry of a C-contiguous array."""
    start = builder.mul(count, ir.Constant(count.type, k))
    return builder.gep(make_array(kind)(context, builder, array).data, [builder.add(start, at)], inbounds=True)


def _scopes(module, *names):
    """Marks of memory that overlaps with no other mark's."""
    domain = module.add_metadata([ir.MetaDataString(module, "columns")])
    return [module.add_metadata([ir.MetaDataString(module, name), domain]) for name in names]


@intrinsic
def column(typing_context, points, count, at, like):
    """The entries of a column, as a tuple as long as `like`."""

    def lowered(context, builder, signature, values):
        array, count, at, _ = values
        mark = builder.module.add_metadata(_scopes(builder.module, "points"))
        found = []
        for k in range(len(signature.return_type)):
            found.append(builder.load(_entry(context, builder, signature.args[0], array, k, count, at)))
            found[-1].set_metadata("alias.scope", mark)
        return context.make_tuple(builder, signature.return_type, found)

    return like(points, count, at, like), lowered


@intrinsic
def put(typing_context, results, count, at, entries):
    """Write a tuple into a column."""

    def lowered(context, builder, signature, values):
        array, count, at, entries = values
        names = [f"row {k}" for k in range(len(signature.args[3]))]
        marks = _scopes(builder.module, "points", *names)
        for k, own in enumerate(marks[1:]):
            entry = builder.extract_value(entries, k)
            entry = context.cast(builder, entry, signature.args[3][k], types.float64)
            stored = builder.store(entry, _entry(context, builder, signature.args[0], array, k, count, at))
            stored.set_metadata("alias.scope", builder.module.add_metadata([own]))
            stored.set_metadata("noalias", builder.module.add_metadata([mark for mark in marks if mark is not own]))
        return context.get_dummy_value()

    return types.void(results, count, at, entries), lowered


@njit(cache=True, error_model="numpy")
def over_columns(points, results):
    """Fill the columns of `results` with the kernel's values at the columns of `points`."""
    count = points.shape[1]
    for i in range(count):
        put(results, count, i, AT_POINT(*column(points, count, i, LIKE_ARGUMENTS)))
