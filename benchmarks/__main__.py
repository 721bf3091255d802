"""Run a benchmark: `python -m benchmarks NAME`, in a checkout of this project."""

from __future__ import annotations

import sys

from benchmarks import names, tables
from numerics.machine.progress import Screen


def main(arguments: list[str]) -> int:
    """Print the tables of the benchmark that is named; the exit status is 2 for any other word."""
    if len(arguments) != 1 or arguments[0] not in names():
        called = f"no benchmark is called {' '.join(arguments)}" if arguments else "a benchmark needs a name"
        print(f"benchmarks: {called}; there is {', '.join(names())}", file=sys.stderr)
        return 2
    console = Screen(highlight=False)
    for table in tables(arguments[0], lambda text: console.print(text, markup=False)):
        console.show(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
