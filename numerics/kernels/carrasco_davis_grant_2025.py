"""Kernels of carrasco_davis_grant_2025, compiled on first use.

They call elementary.py, sha256 005cfa1bd711f53af89258c97a95145d18230d55d60fcd3b37c84a797bc3f618.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from math import pi, sqrt

import numpy as np
from numba import njit

from numerics.kernels.elementary import asin, minor


@njit(cache=True, error_model="numpy")
def symmetric(A):
    """Return whether no two opposite entries of a square array differ."""
    for i in range(A.shape[0]):
        for k in range(i):
            if A[i, k] < A[k, i] or A[i, k] > A[k, i]:
                return False
    return True


@njit(cache=True, error_model="numpy")
def erf_J2(C_aa, C_bb, C_ab):
    """<g'(a) g'(b)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b of mean zero.

    Inputs: C_aa, C_bb, C_ab
    Returns: J2
    Domain: C_aa >= 0, C_bb >= 0, C_aa*C_bb >= C_ab^2
    Equals: carrasco_davis_grant_2025:average_of_slopes_for_scaled_erf
    Not compared where: C_aa = 0; C_bb = 0; the covariance of
        carrasco_davis_grant_2025:average_of_slopes_for_scaled_erf is none
    Source: Carrasco-Davis & Grant (2025), Eq. 17, line 4
    Equality: sha256 1952728f6aae644d8386d3ae32c1c665e7c4c292dacf1708a79d586984c3bedf
    Normal form: sha256 a16338acff11d8678faa0e4350fce0933edddc9bf5037a6cc68a1f098a57a829
    """
    area = minor(C_aa, C_bb, C_ab, C_ab)
    grown = C_aa + C_bb + area + 1.0
    J2 = 2.0/(pi*sqrt(grown))
    return (J2,)


@njit(cache=True, error_model="numpy")
def erf_I2(C_aa, C_bb, C_ab):
    """<g(a) g(b)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b of mean zero.

    Inputs: C_aa, C_bb, C_ab
    Returns: I2
    Domain: C_aa >= 0, C_bb >= 0, C_aa*C_bb >= C_ab^2
    Equals: carrasco_davis_grant_2025:printed_average_for_scaled_erf
    Not compared where: C_aa = 0; -C_ab^2 + C_aa*C_bb = 0; (-C_ab^2 + C_aa*C_bb + C_ab^2)/C_aa = 0; the
        covariance of carrasco_davis_grant_2025:printed_average_for_scaled_erf is none
    Source: Carrasco-Davis & Grant (2025), Eq. 18
    Equality: sha256 211991910b248ef0a90aa935bf2e639838128863dd74b818bdfafeded94ddb26
    Normal form: sha256 05cd88e2742d1d230d5a73f9066b54e6a75e528f727bc40d0beeeba81c634b31
    """
    area = minor(C_aa, C_bb, C_ab, C_ab)
    grown = C_aa + C_bb + area + 1.0
    slant = sqrt(grown + C_ab*C_ab)
    if grown >= C_ab*C_ab:
        nearer = C_ab
    else:
        nearer = sqrt(grown)
    small = asin(nearer/slant)
    if grown >= C_ab*C_ab:
        turn = small
    elif C_ab > 0.0:
        turn = 0.5*pi - small
    else:
        turn = small - 0.5*pi
    I2 = 2.0*turn/pi
    return (I2,)


@njit(cache=True, error_model="numpy")
def erf_I3(C_aa, C_cc, C_ab, C_bc, C_ac):
    """<g'(a) b g(c)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b, c of mean zero, whatever the variance
    of b.

    Inputs: C_aa, C_cc, C_ab, C_bc, C_ac
    Returns: I3
    Domain: C_aa >= 0, C_cc >= 0, C_aa*C_cc >= C_ac^2
    Equals: carrasco_davis_grant_2025:average_of_slope_field_value_for_scaled_erf
    Not compared where: C_aa = 0; C_cc = 0; the covariance of
        carrasco_davis_grant_2025:average_of_slope_field_value_for_scaled_erf is none
    Source: Carrasco-Davis & Grant (2025), Eq. 17, line 2
    Equality: sha256 b43ad1332abfaec466e8ee2bb4241b2e1bb051586e0a64a911b1cf33572f36f2
    Normal form: sha256 b7119653f11157e29406938eaa2aa6a16a597dcb2a6dc1ea633d313d0240fc60
    """
    area = minor(C_aa, C_cc, C_ac, C_ac)
    grown = C_aa + C_cc + area + 1.0
    difference = minor(C_aa, C_bc, C_ab, C_ac)
    turned = C_bc + difference
    I3 = 2.0*turned/(pi*sqrt(grown)*(C_aa + 1.0))
    return (I3,)


@njit(cache=True, error_model="numpy")
def erf_I4(C_aa, C_bb, C_cc, C_dd, C_ab, C_ac, C_bc, C_ad, C_bd, C_cd):
    """<g'(a) g'(b) g(c) g(d)> for g(x) = erf(x/sqrt 2) and Gaussian fields a, b, c, d of mean zero.

    Inputs: C_aa, C_bb, C_cc, C_dd, C_ab, C_ac, C_bc, C_ad, C_bd, C_cd
    Returns: I4
    Domain: C_aa >= 0, C_bb >= 0, C_cc >= 0, C_dd >= 0, C_aa*C_bb - C_ab^2 >= 0, C_aa*C_cc - C_ac^2 >= 0,
        C_aa*C_dd - C_ad^2 >= 0, C_bb*C_cc - C_bc^2 >= 0, C_bb*C_dd - C_bd^2 >= 0, C_cc*C_dd - C_cd^2 >= 0,
        C_aa*C_bb*C_cc + 2*C_ab*C_ac*C_bc - C_aa*C_bc^2 - C_bb*C_ac^2 - C_cc*C_ab^2 >= 0,
        C_aa*C_bb*C_dd + 2*C_ab*C_ad*C_bd - C_aa*C_bd^2 - C_bb*C_ad^2 - C_dd*C_ab^2 >= 0,
        C_aa*C_cc*C_dd + 2*C_ac*C_ad*C_cd - C_aa*C_cd^2 - C_cc*C_ad^2 - C_dd*C_ac^2 >= 0,
        C_bb*C_cc*C_dd + 2*C_bc*C_bd*C_cd - C_bb*C_cd^2 - C_cc*C_bd^2 - C_dd*C_bc^2 >= 0, C_aa*C_bb*C_cc*C_dd 
        + C_ab^2*C_cd^2 + C_ac^2*C_bd^2 + C_bc^2*C_ad^2 + 2*C_aa*C_bc*C_bd*C_cd + 2*C_bb*C_ac*C_ad*C_cd + 2*C_
        cc*C_ab*C_ad*C_bd + 2*C_dd*C_ab*C_ac*C_bc - C_aa*C_bb*C_cd^2 - C_aa*C_cc*C_bd^2 - C_aa*C_dd*C_bc^2 - C
        _bb*C_cc*C_ad^2 - C_bb*C_dd*C_ac^2 - C_cc*C_dd*C_ab^2 - 2*C_ab*C_ac*C_bd*C_cd - 2*C_ab*C_bc*C_ad*C_cd 
        - 2*C_ac*C_bc*C_ad*C_bd >= 0
    Equals: carrasco_davis_grant_2025:average_of_slopes_and_values_for_scaled_erf
    Not compared where: C_aa = 0; (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) -
        C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) = 0; -(C_cd*(1
        + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) -
        C_ab*C_ac))^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2 + (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)
        - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*(C_dd*(1 + C_aa + C_bb -
        C_ab^2 + C_aa*C_bb) - C_ad*(C_ad*(1 + C_bb) - C_ab*C_bd) - C_bd*(C_bd*(1 + C_aa) - C_ab*C_ad))/(1 +
        C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2 = 0; -C_ab^2 + C_aa*C_bb = 0; (-C_ab^2 + C_aa*C_bb + C_ab^2)/C_aa
        = 0; (C_aa*(C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) -
        C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + C_aa*C_ac^2 + C_aa*C_bc^2
        + (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 +
        C_aa) - C_ab*C_ac))*(-C_ab^2 + C_aa*C_bb)/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 + C_aa +
        C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*C_ab^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*C_aa^2/(1 + C_aa
        + C_bb - C_ab^2 + C_aa*C_bb) + (-C_ab^2 + C_aa*C_bb)*C_ac^2 + C_ab^2*C_ac^2 + C_bc^2*C_aa^2 +
        C_aa*(C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1
        + C_aa) - C_ab*C_ac))*(-C_ab^2 + C_aa*C_bb)/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) -
        2*C_ab*C_ac*C_bc*C_aa)/(C_aa - C_ab^2 + C_aa*C_bb + C_ab^2 + C_aa^2 + C_aa*(-C_ab^2 + C_aa*C_bb)) = 0;
        (C_aa*(-(C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) -
        C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2 + (C_cc*(1 + C_aa +
        C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*(C_dd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ad*(1 + C_bb) - C_ab*C_bd) -
        C_bd*(C_bd*(1 + C_aa) - C_ab*C_ad))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2) + C_aa*((C_cd*(1 + C_aa
        + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) -
        C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb))^2 + (-(C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)
        - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))^2/(1 + C_aa + C_bb - C_ab^2
        + C_aa*C_bb)^2 + (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) -
        C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*(C_dd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ad*(1 +
        C_bb) - C_ab*C_bd) - C_bd*(C_bd*(1 + C_aa) - C_ab*C_ad))/(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb)^2)*(-C_ab^2 + C_aa*C_bb) + (-(C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 +
        C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2 +
        (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 +
        C_aa) - C_ab*C_ac))*(C_dd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ad*(1 + C_bb) - C_ab*C_bd)
        - C_bd*(C_bd*(1 + C_aa) - C_ab*C_ad))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2)*C_ab^2 + (-(C_cd*(1 +
        C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) -
        C_ab*C_ac))^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2 + (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)
        - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*(C_dd*(1 + C_aa + C_bb -
        C_ab^2 + C_aa*C_bb) - C_ad*(C_ad*(1 + C_bb) - C_ab*C_bd) - C_bd*(C_bd*(1 + C_aa) - C_ab*C_ad))/(1 +
        C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2)*C_aa^2 + (-C_ab^2 + C_aa*C_bb)*((C_cd*(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb
        - C_ab^2 + C_aa*C_bb))^2 + C_ab^2*((C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 +
        C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb))^2 +
        ((C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 +
        C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb))^2*C_aa^2 + C_aa*(C_cc*(1 + C_aa + C_bb -
        C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*C_ad^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + C_aa*(C_cc*(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*C_bd^2/(1 + C_aa
        + C_bb - C_ab^2 + C_aa*C_bb) + C_aa*(-(C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 +
        C_bb) - C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2 +
        (C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 +
        C_aa) - C_ab*C_ac))*(C_dd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ad*(1 + C_bb) - C_ab*C_bd)
        - C_bd*(C_bd*(1 + C_aa) - C_ab*C_ad))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb)^2)*(-C_ab^2 + C_aa*C_bb)
        + C_aa*(-C_ab^2 + C_aa*C_bb)*((C_cd*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ad*(C_ac*(1 + C_bb) -
        C_ab*C_bc) - C_bd*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb))^2 + (C_cc*(1
        + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*(-C_ab^2 + C_aa*C_bb)*C_ad^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 + C_aa +
        C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*C_ab^2*C_ad^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*C_bd^2*C_aa^2/(1
        + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - 2*C_ab*C_ad*C_bd*C_aa*(C_cc*(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb
        - C_ab^2 + C_aa*C_bb))/(C_aa*(C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) -
        C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 +
        C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*(-C_ab^2 + C_aa*C_bb)/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 + C_aa + C_bb -
        C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) -
        C_ab*C_ac))*C_ab^2/(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) + (C_cc*(1 + C_aa + C_bb - C_ab^2 +
        C_aa*C_bb) - C_ac*(C_ac*(1 + C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*C_aa^2/(1 + C_aa
        + C_bb - C_ab^2 + C_aa*C_bb) + C_aa*(C_cc*(1 + C_aa + C_bb - C_ab^2 + C_aa*C_bb) - C_ac*(C_ac*(1 +
        C_bb) - C_ab*C_bc) - C_bc*(C_bc*(1 + C_aa) - C_ab*C_ac))*(-C_ab^2 + C_aa*C_bb)/(1 + C_aa + C_bb -
        C_ab^2 + C_aa*C_bb)) = 0; the covariance of
        carrasco_davis_grant_2025:average_of_slopes_and_values_for_scaled_erf is none
    Source: Carrasco-Davis & Grant (2025), Eq. 17, line 3
    Equality: sha256 a6d0ca358e00d5ef0f77ee2da71fd326138d18b5b1eb6684790a52749c5ac3a7
    Normal form: sha256 134e533f01d4975419deddc9f544818a17368d9d6ac1bd968fc7188719165b7d
    """
    across_bb = minor(C_aa, C_bb, C_ab, C_ab)
    once_bb = C_bb + across_bb
    across_bc = minor(C_aa, C_bc, C_ab, C_ac)
    once_bc = C_bc + across_bc
    across_bd = minor(C_aa, C_bd, C_ab, C_ad)
    once_bd = C_bd + across_bd
    across_cc = minor(C_aa, C_cc, C_ac, C_ac)
    once_cc = C_cc + across_cc
    across_dd = minor(C_aa, C_dd, C_ad, C_ad)
    once_dd = C_dd + across_dd
    across_cd = minor(C_aa, C_cd, C_ac, C_ad)
    once_cd = C_cd + across_cd
    both = C_aa + once_bb + 1.0
    again_cc = minor(once_bb, once_cc, once_bc, once_bc)
    t0 = 1.0/both
    t1 = 1.0/(C_aa + 1.0)
    twice_cc = (again_cc + once_cc*(C_aa + 1.0))*t0*t1
    again_dd = minor(once_bb, once_dd, once_bd, once_bd)
    twice_dd = (again_dd + once_dd*(C_aa + 1.0))*t0*t1
    again_cd = minor(once_bb, once_cd, once_bc, once_bd)
    twice_cd = (again_cd + once_cd*(C_aa + 1.0))*t0*t1
    area = minor(twice_cc, twice_dd, twice_cd, twice_cd)
    grown = twice_cc + twice_dd + area + 1.0
    slant = sqrt(grown + twice_cd*twice_cd)
    if grown >= twice_cd*twice_cd:
        nearer = twice_cd
    else:
        nearer = sqrt(grown)
    small = asin(nearer/slant)
    if grown >= twice_cd*twice_cd:
        turn = small
    elif twice_cd > 0.0:
        turn = 0.5*pi - small
    else:
        turn = small - 0.5*pi
    I4 = 4.0*turn/(pi**2*sqrt(both))
    return (I4,)


@njit(cache=True, error_model="numpy")
def order_parameter_flow(Q, R, T, eta, sigma, batch):
    """The rates of the order parameters of a soft committee machine with g(x) = erf(x/sqrt 2) that learns
    from a teacher of the same kind, in batches.

        C[i, k] = Q[i, k]
        C[i, m] = R[i, m]
        C[n, k] = R[k, n]
        C[n, m] = T[m, n]
        s[k] = -1
        s[m] = 1
        per_sample = 1/batch
        turned[i, f, h] = erf_I3(C[i, i], C[h, h], C[f, i], C[f, h], C[h, i])
        both[i, k, f, h] = (
            erf_I4(C[i, i], C[k, k], C[f, f], C[h, h], C[i, k], C[f, i], C[f, k], C[h, i], C[h, k], C[f, h])
        )
        slopes[i, k] = erf_J2(C[i, i], C[k, k], C[i, k])
        linear[i, f] = sum_{f0}(s[f0]*turned[i, f, f0])
        quadratic[i, k] = sigma*sigma*slopes[i, k] + sum_{f0, f1}(s[f0]*s[f1]*both[i, k, f0, f1])
        dR[i, n] = eta*linear[i, n]
        dQ[i, k] = eta*(eta*per_sample*quadratic[i, k] + linear[i, k] + linear[k, i])

    Inputs: Q (K x K), R (K x M), T (M x M), eta, sigma, batch
    Ranges: F = K + M
    Returns: dQ, dR
    Domain: Q is symmetric, T is symmetric, [[Q, R], [R', T]] is a covariance, batch > 0
    Equals: carrasco_davis_grant_2025:two_layer_teacher_flow,
        carrasco_davis_grant_2025:two_layer_student_flow,
        carrasco_davis_grant_2025:average_of_slope_field_value_for_scaled_erf,
        carrasco_davis_grant_2025:average_of_slopes_and_values_for_scaled_erf,
        carrasco_davis_grant_2025:average_of_slopes_for_scaled_erf
    Source: Carrasco-Davis & Grant (2025), Eq. 20, with the second order in eta divided by the size of the
        batch
    Equality: sha256 4edcc05fe2d14762671c12c4d42cc572c0a7a7263499b43d736a51f8ca65a4c4
    Normal form: sha256 6b3acd76fad42bffff0671596de8527c1095080cdc2d1632a7266dac4bad9c12
    """
    K = Q.shape[0]
    M = R.shape[1]
    if Q.shape[0] != K or Q.shape[1] != K:
        raise ValueError("Q is not an array of K x K")
    if not symmetric(Q):
        raise ValueError("Q is not symmetric")
    if R.shape[0] != K or R.shape[1] != M:
        raise ValueError("R is not an array of K x M")
    if T.shape[0] != M or T.shape[1] != M:
        raise ValueError("T is not an array of M x M")
    if not symmetric(T):
        raise ValueError("T is not symmetric")
    F = K + M
    C = np.empty((F, F))
    for i in range(K):
        for k in range(K):
            C[i, k] = Q[i, k]
    for i in range(K):
        for m in range(M):
            C[i, K + m] = R[i, m]
    for n in range(M):
        for k in range(K):
            C[K + n, k] = R[k, n]
    for n in range(M):
        for m in range(M):
            C[K + n, K + m] = T[m, n]
    s = np.empty((F,))
    for k in range(K):
        s[k] = -1.0
    for m in range(M):
        s[K + m] = 1.0
    per_sample = 1.0/batch
    turned = np.empty((K, F, F))
    for i in range(K):
        for f in range(F):
            for h in range(F):
                turned[i, f, h] = erf_I3(C[i, i], C[h, h], C[f, i], C[f, h], C[h, i])[0]
    both = np.empty((K, K, F, F))
    for i in range(K):
        for k in range(K):
            for f in range(F):
                for h in range(F):
                    both[i, k, f, h] = (
                        erf_I4(C[i, i], C[k, k], C[f, f], C[h, h], C[i, k], C[f, i], C[f, k], C[h, i],
                        C[h, k], C[f, h])[0]
                    )
    slopes = np.empty((K, K))
    for i in range(K):
        for k in range(K):
            slopes[i, k] = erf_J2(C[i, i], C[k, k], C[i, k])[0]
    linear = np.empty((K, F))
    for i in range(K):
        for f in range(F):
            entry = 0.0
            for f0 in range(F):
                entry = entry + s[f0]*turned[i, f, f0]
            linear[i, f] = entry
    quadratic = np.empty((K, K))
    for i in range(K):
        for k in range(K):
            entry = sigma*sigma*slopes[i, k]
            part = 0.0
            for f0 in range(F):
                for f1 in range(F):
                    part = part + s[f0]*s[f1]*both[i, k, f0, f1]
            entry = entry + part
            quadratic[i, k] = entry
    dR = np.empty((K, M))
    for i in range(K):
        for n in range(M):
            dR[i, n] = eta*linear[i, K + n]
    dQ = np.empty((K, K))
    for i in range(K):
        for k in range(K):
            dQ[i, k] = eta*(eta*per_sample*quadratic[i, k] + linear[i, k] + linear[k, i])
    return dQ, dR


@njit(cache=True, error_model="numpy")
def two_layer_flow(Q, R, T, v, v_teacher, eta, eta_v, sigma, batch):
    """The rates of the order parameters and of the second layer of a two-layer student with g(x) = erf(x/sqrt
    2) and a two-layer teacher.

        C[i, k] = Q[i, k]
        C[i, m] = R[i, m]
        C[n, k] = R[k, n]
        C[n, m] = T[m, n]
        s[k] = -v[k]
        s[m] = v_teacher[m]
        per_sample = 1/batch
        turned[i, f, h] = erf_I3(C[i, i], C[h, h], C[f, i], C[f, h], C[h, i])
        both[i, k, f, h] = (
            erf_I4(C[i, i], C[k, k], C[f, f], C[h, h], C[i, k], C[f, i], C[f, k], C[h, i], C[h, k], C[f, h])
        )
        slopes[i, k] = erf_J2(C[i, i], C[k, k], C[i, k])
        linear[i, f] = sum_{f0}(s[f0]*turned[i, f, f0])
        quadratic[i, k] = sigma*sigma*slopes[i, k] + sum_{f0, f1}(s[f0]*s[f1]*both[i, k, f0, f1])
        values[i, f] = erf_I2(C[i, i], C[f, f], C[f, i])
        dR[i, n] = eta*v[i]*linear[i, n]
        dQ[i, k] = eta*(eta*per_sample*v[i]*v[k]*quadratic[i, k] + v[i]*linear[i, k] + v[k]*linear[k, i])
        dv[i] = eta_v*sum_{f0}(s[f0]*values[i, f0])

    Inputs: Q (K x K), R (K x M), T (M x M), v (K), v_teacher (M), eta, eta_v, sigma, batch
    Ranges: F = K + M
    Returns: dQ, dR, dv
    Domain: Q is symmetric, T is symmetric, [[Q, R], [R', T]] is a covariance, batch > 0
    Equals: carrasco_davis_grant_2025:two_layer_teacher_flow,
        carrasco_davis_grant_2025:two_layer_student_flow, carrasco_davis_grant_2025:second_layer_flow,
        carrasco_davis_grant_2025:average_of_slope_field_value_for_scaled_erf,
        carrasco_davis_grant_2025:average_of_slopes_and_values_for_scaled_erf,
        carrasco_davis_grant_2025:average_of_slopes_for_scaled_erf,
        carrasco_davis_grant_2025:printed_average_for_scaled_erf
    Source: Carrasco-Davis & Grant (2025), Eq. 20, with weights of the hidden units
    Equality: sha256 94b9c5b00c2cfa357af64d4840b22615bda612dcd7418f78096e4f02bc500a57
    Normal form: sha256 9af6c73949b24ccdcd83c1d7ad8b5d4944f01f431c1297094a474e32ba1f1e9f
    """
    K = Q.shape[0]
    M = R.shape[1]
    if Q.shape[0] != K or Q.shape[1] != K:
        raise ValueError("Q is not an array of K x K")
    if not symmetric(Q):
        raise ValueError("Q is not symmetric")
    if R.shape[0] != K or R.shape[1] != M:
        raise ValueError("R is not an array of K x M")
    if T.shape[0] != M or T.shape[1] != M:
        raise ValueError("T is not an array of M x M")
    if not symmetric(T):
        raise ValueError("T is not symmetric")
    if v.shape[0] != K:
        raise ValueError("v is not an array of K")
    if v_teacher.shape[0] != M:
        raise ValueError("v_teacher is not an array of M")
    F = K + M
    C = np.empty((F, F))
    for i in range(K):
        for k in range(K):
            C[i, k] = Q[i, k]
    for i in range(K):
        for m in range(M):
            C[i, K + m] = R[i, m]
    for n in range(M):
        for k in range(K):
            C[K + n, k] = R[k, n]
    for n in range(M):
        for m in range(M):
            C[K + n, K + m] = T[m, n]
    s = np.empty((F,))
    for k in range(K):
        s[k] = -v[k]
    for m in range(M):
        s[K + m] = v_teacher[m]
    per_sample = 1.0/batch
    turned = np.empty((K, F, F))
    for i in range(K):
        for f in range(F):
            for h in range(F):
                turned[i, f, h] = erf_I3(C[i, i], C[h, h], C[f, i], C[f, h], C[h, i])[0]
    both = np.empty((K, K, F, F))
    for i in range(K):
        for k in range(K):
            for f in range(F):
                for h in range(F):
                    both[i, k, f, h] = (
                        erf_I4(C[i, i], C[k, k], C[f, f], C[h, h], C[i, k], C[f, i], C[f, k], C[h, i],
                        C[h, k], C[f, h])[0]
                    )
    slopes = np.empty((K, K))
    for i in range(K):
        for k in range(K):
            slopes[i, k] = erf_J2(C[i, i], C[k, k], C[i, k])[0]
    linear = np.empty((K, F))
    for i in range(K):
        for f in range(F):
            entry = 0.0
            for f0 in range(F):
                entry = entry + s[f0]*turned[i, f, f0]
            linear[i, f] = entry
    quadratic = np.empty((K, K))
    for i in range(K):
        for k in range(K):
            entry = sigma*sigma*slopes[i, k]
            part = 0.0
            for f0 in range(F):
                for f1 in range(F):
                    part = part + s[f0]*s[f1]*both[i, k, f0, f1]
            entry = entry + part
            quadratic[i, k] = entry
    values = np.empty((K, F))
    for i in range(K):
        for f in range(F):
            values[i, f] = erf_I2(C[i, i], C[f, f], C[f, i])[0]
    dR = np.empty((K, M))
    for i in range(K):
        for n in range(M):
            dR[i, n] = eta*v[i]*linear[i, K + n]
    dQ = np.empty((K, K))
    for i in range(K):
        for k in range(K):
            dQ[i, k] = eta*(eta*per_sample*v[i]*v[k]*quadratic[i, k] + v[i]*linear[i, k] + v[k]*linear[k, i])
    dv = np.empty((K,))
    for i in range(K):
        entry = 0.0
        for f0 in range(F):
            entry = entry + s[f0]*values[i, f0]
        dv[i] = eta_v*entry
    return dQ, dR, dv


@njit(cache=True, error_model="numpy")
def generalisation_error(Q, R, T, sigma):
    """Half the mean squared difference of a soft committee machine with g(x) = erf(x/sqrt 2) and its noisy
    teacher.

        C[i, k] = Q[i, k]
        C[i, m] = R[i, m]
        C[n, k] = R[k, n]
        C[n, m] = T[m, n]
        s[k] = -1
        s[m] = 1
        pairs[f, h] = erf_I2(C[f, f], C[h, h], C[f, h])
        error = sigma*sigma/2 + sum_{f0, f1}(s[f0]*s[f1]*pairs[f0, f1])/2

    Inputs: Q (K x K), R (K x M), T (M x M), sigma
    Ranges: F = K + M
    Returns: error
    Domain: Q is symmetric, T is symmetric, [[Q, R], [R', T]] is a covariance
    Equals: carrasco_davis_grant_2025:error_by_integrals,
        carrasco_davis_grant_2025:printed_average_for_scaled_erf
    Source: Carrasco-Davis & Grant (2025), Eq. 16 and 19
    Equality: sha256 511216b30e8c0b30a2fb78defaa00d72c42e97da8910164793be05592029230d
    Normal form: sha256 ec4fb22acface41fcb3f5c48aaa3ed285e165432cb48f004f834e9d766950303
    """
    K = Q.shape[0]
    M = R.shape[1]
    if Q.shape[0] != K or Q.shape[1] != K:
        raise ValueError("Q is not an array of K x K")
    if not symmetric(Q):
        raise ValueError("Q is not symmetric")
    if R.shape[0] != K or R.shape[1] != M:
        raise ValueError("R is not an array of K x M")
    if T.shape[0] != M or T.shape[1] != M:
        raise ValueError("T is not an array of M x M")
    if not symmetric(T):
        raise ValueError("T is not symmetric")
    F = K + M
    C = np.empty((F, F))
    for i in range(K):
        for k in range(K):
            C[i, k] = Q[i, k]
    for i in range(K):
        for m in range(M):
            C[i, K + m] = R[i, m]
    for n in range(M):
        for k in range(K):
            C[K + n, k] = R[k, n]
    for n in range(M):
        for m in range(M):
            C[K + n, K + m] = T[m, n]
    s = np.empty((F,))
    for k in range(K):
        s[k] = -1.0
    for m in range(M):
        s[K + m] = 1.0
    pairs = np.empty((F, F))
    for f in range(F):
        for h in range(F):
            pairs[f, h] = erf_I2(C[f, f], C[h, h], C[f, h])[0]
    entry = 0.5*sigma*sigma
    part = 0.0
    for f0 in range(F):
        for f1 in range(F):
            part = part + s[f0]*s[f1]*pairs[f0, f1]
    entry = entry + 0.5*part
    error = entry
    return (error,)
