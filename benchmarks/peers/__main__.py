"""Write what the benchmark `kernels` compares with: `python -m benchmarks.peers DIR`."""

import sys

from benchmarks.peers import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
