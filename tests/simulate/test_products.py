"""Products of matrices, and the same bits on any number of threads of OpenBLAS and Numba and on all of its layers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.machine import blas
from numerics.machine.blas import one_thread, product

FAMILIES = Cases(__file__, globals())

ROOT = Path(__file__).parents[2]


@each("shape", FAMILIES["a product is the product"])
@each("kind", [np.float32, np.float64, np.complex128])
def test_a_product_is_the_product(shape: tuple[int, int, int], kind: type[np.number]) -> None:
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=shape[:2]).astype(kind), rng.normal(size=shape[1:]).astype(kind)
    found = product(left, right)
    assert found.dtype == kind
    assert np.allclose(found, left @ right, rtol=1e-4 if kind is np.float32 else 1e-11, atol=1e-3)
    turned = product(np.asfortranarray(left), right.T.copy().T)
    assert np.allclose(turned, found, rtol=1e-4 if kind is np.float32 else 1e-11, atol=1e-3)


def test_blocks_in_several_threads_leave_the_number_of_threads_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = [7]
    library = (lambda: threads[0], lambda count: threads.__setitem__(0, count))
    monkeypatch.setattr(blas, "_libraries", lambda: [library])
    seen = []

    def block(number: int) -> None:
        sleep(0.002 * number)
        with one_thread(), one_thread():
            sleep(0.005)
            seen.append(threads[0])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(block, range(8)))
    assert set(seen) == {1}
    assert threads == [7]


@pytest.mark.laws
def test_results_have_the_same_bits_on_any_number_of_threads_and_any_layer() -> None:
    other = "tbb" if tbb_is_there() else "omp"
    found = []
    for of_blas, of_numba, layer in (
        ("1", "1", "omp"),
        ("2", "1", "workqueue"),
        ("1", "2", "omp"),
        ("2", "2", "workqueue"),
        ("4", "2", other),
    ):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": of_blas}
        environment |= {"NUMBA_NUM_THREADS": of_numba, "NUMBA_THREADING_LAYER": layer}
        script = Path(__file__).with_name("threads_of_products.py")
        done = subprocess.run([sys.executable, script], env=environment, capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout))
    assert all(other == found[0] for other in found)


def tbb_is_there() -> bool:
    """Check whether Numba finds the library of its layer `tbb`."""
    command = [sys.executable, "-c", "from numba.np.ufunc import tbbpool"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
