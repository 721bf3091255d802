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
    """The compiled loop of a kernel of numbers over many points.

    `identifier` is paper:name, or a name that only one paper uses. The function returned takes two C-contiguous arrays
    of doubles, the arguments of shape (arguments, n) and results of shape (returns, n), and fills the second; it is
    compiled on its first call and found again by later processes. A kernel of arrays or matrices is refused with a
    ValueError, an unknown one with an UnknownKernel.

    >>> import numpy as np
    >>> points, results = np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 0.0]]), np.empty((1, 2))
    >>> over_points("erf_J2")(points, results)
    >>> np.round(results[0], 12).tolist()
    [0.318309886184, 0.212206590789]
    """
    entry = entry_of(identifier)
    if entry.kind != "numbers":
        raise ValueError(f"{entry.id} takes {entry.kind}: only kernels of numbers run over many points")
    parts = ("numerics.kernels.elementary", f"numerics.kernels.{entry.paper}", "numerics.ode.methods.columns")
    options: dict[str, Option] = {"KERNEL": entry.name, "ARGUMENTS": len(entry.arguments)}
    return specialise("over_columns", parts, options)
