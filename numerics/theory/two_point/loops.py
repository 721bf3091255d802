"""The emitted solution of the two-point flow at many times from many starts, and the derivatives for equal targets."""

# mypy: ignore-errors

from numba import njit

from numerics.kernels.van_rossem_saxe_2024 import closed_form, equal_targets, equal_targets_sensitivities


@njit(cache=True, nogil=True, error_model="numpy")
def solve(first, last, starts, params, times, states):  # noqa: PLR0917
    """Write h, y and w of some starts at every time; for equal targets w is y."""
    for k in range(first, last):
        h, y, w = starts[k]
        X, s, tau_h, tau_y = params[k if params.shape[0] > 1 else 0]
        for j in range(times.size):
            if s > 0.0:
                states[k, j] = closed_form(h, y, w, X, s, tau_h, tau_y, times[j])
            else:
                distance, output = equal_targets(h, y, X, tau_h, tau_y, times[j])
                states[k, j] = distance, output, output


@njit(cache=True, nogil=True, error_model="numpy")
def differentiate_equal(start, params, times, slopes):
    """Write the derivatives of h, y and w = y by tau_h and by tau_y at every time, for equal targets."""
    h, y, _ = start
    X, _, tau_h, tau_y = params
    for j in range(times.size):
        h_by_h, h_by_y, y_by_h, y_by_y = equal_targets_sensitivities(h, y, X, tau_h, tau_y, times[j])
        slopes[j] = h_by_h, h_by_y, y_by_h, y_by_y, y_by_h, y_by_y
