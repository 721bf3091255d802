"""Kernels of solvable_networks, compiled on first use.

They call elementary.py, sha256 005cfa1bd711f53af89258c97a95145d18230d55d60fcd3b37c84a797bc3f618.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from math import sqrt

from numba import njit

from numerics.kernels.elementary import exp, log, minor, relexp


@njit(cache=True, error_model="numpy")
def mode(a0, s, balance, tau, t):
    """A mode's singular value at time t from its value a0 at time zero, where the task has s and the weights
    the balance lambda, of either sign and zero.

    Inputs: a0, s, balance, tau, t
    Returns: a
    Domain: s > 0, tau > 0, t >= 0
    Equals: solvable_networks:mode_in_sums
    Not compared where: t = 0 where a0 > 0; t = 0 where 0 >= a0 and balance = 0; t = 0 where 0 >= a0 and
        balance != 0
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 4f79cb00098d60c314dee945039b941df9a56cbacda3b72cc75c80ac2de19185
    Normal form: sha256 b3a82eee3f65b607c12149d8d48e01cacc869da50a6c98b94898f490d1ea3bb0
    """
    mu2 = 0.25*balance*balance
    root = sqrt(mu2 + s*s)
    size = sqrt(mu2 + a0*a0)
    excess = mu2/(s + root)
    if a0 > 0.0:
        far = a0 + size
    else:
        far = size - a0
    if balance == 0.0:
        near = 0.0
    else:
        near = mu2/far
    phase = t/tau
    t0 = -2.0*root*phase
    fade = exp(t0)
    glide = phase*relexp(t0)
    ahead = 1.0 + glide*(far - excess)
    behind = fade + glide*(excess + near)
    left = fade + 2.0*mu2*glide*glide + 2.0*a0*s*glide*glide + size*glide*(fade + 1.0)
    if a0 > 0.0:
        a = (a0*(fade + 2.0*s*s*glide*glide) + s*glide*(2.0*mu2*glide + size*(fade + 1.0)))/left
    elif balance == 0.0:
        a = a0*fade/ahead
    else:
        a = (
            (a0*fade*(fade + 2.0*excess*glide)/behind + s*glide*(near*(fade + 1.0) + glide*(2.0*mu2
            - 2.0*a0*excess))/behind)/ahead
        )
    return (a,)


@njit(cache=True, error_model="numpy")
def mode_time(a0, value, s, balance, tau):
    """The time that a mode takes from a0 to a value between a0 and s. For balance = 0 there is none from
    zero, nor from below zero to zero or above.

    Inputs: a0, value, s, balance, tau
    Returns: t
    Domain: s > 0, tau > 0, (value - a0)*(s - value) >= 0, value != s
    Equals: solvable_networks:mode_time_in_sums
    Not compared where: a0^2 + balance^2/4 = 0 where a0 >= 0 and value >= 0; value^2 + balance^2/4 = 0 where
        a0 >= 0 and value >= 0; balance = 0 where 0 > a0 and value >= 0
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 ce0ee08f8e55d83256bb311ebb7ed6db3f851387dfc85c317e6d19746424a7b1
    Normal form: sha256 4bbeef56ddb4453c3487cd1ba6e4121ed444b8967db98ffec845164e56b0e6d7
    """
    mu2 = 0.25*balance*balance
    root = sqrt(mu2 + s*s)
    size = sqrt(mu2 + a0*a0)
    here = sqrt(mu2 + value*value)
    lag = (mu2 + value*value + s*s)/minor(root, here, value, s)
    first_lag = (mu2 + a0*a0 + s*s)/minor(root, size, a0, s)
    lean = (mu2 + a0*a0 + value*value)/(a0*value + size*here)
    if a0 >= 0.0:
        pull = (s*(a0 + value) + mu2*(lean + 1.0) + root*(size + here))/(mu2 + a0*s + root*size)
    elif value < 0.0:
        pull = (lag + first_lag + lean + 1.0)/(first_lag + 1.0)
    else:
        pull = (value*s + root*here + size*here + mu2*(first_lag + 1.0) - a0*value)/(mu2*(first_lag + 1.0))
    gain = root*pull*(value - a0)/((size + here)*(s - value))
    grown = gain + 1.0
    if grown == 1.0:
        t = 0.5*tau*gain/root
    else:
        t = 0.5*tau*gain*log(grown)/(root*(grown - 1.0))
    return (t,)
