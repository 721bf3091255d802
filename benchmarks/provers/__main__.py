"""Run the bench of provers: `python -m benchmarks.provers`, in a checkout of this project."""

import sys

from benchmarks.provers.bench import main

if __name__ == "__main__":
    sys.exit(main())
