"""Run the bench of flows: `python -m benchmarks.flows`, in a checkout of this project."""

import sys

from benchmarks.flows.bench import main

if __name__ == "__main__":
    sys.exit(main())
