"""A kernel of numbers at many points: arguments in rows, results in rows, one column a point.

    evaluate = over_points("van_rossem_saxe_2024:two_point_flow")
    evaluate(points, results)

The loop is written behind the kernel into one file (numerics.machine.specialise), so that the compiler sees both and may work
on several points at once. It is told that no two rows overlap: it would have to compare every row of results with all
others first, and with many rows it gives up.
"""

from __future__ import annotations

from collections.abc import Callable

from numerics.kernels import entry_of
from numerics.machine.specialise import Option, specialise


def over_points(identifier: str) -> Callable[..., None]:
    """The compiled loop of paper:name over the columns of C-contiguous arrays (arguments, n) and (returns, n)."""
    entry = entry_of(identifier)
    parts = (f"numerics.kernels.{entry.paper}", "numerics.ode.methods.columns")
    options: dict[str, Option] = {"KERNEL": entry.name, "ARGUMENTS": len(entry.arguments)}
    return specialise("over_columns", parts, options)
