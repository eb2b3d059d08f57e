"""One element by symbols, independent of the package's quadrature: shape functions as printed in textbooks, exact
rationals, integrals of polynomials, and the energy of a particle and of a section in a frame that moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine as se

x = se.Symbol("x")


def integral(f: Any, L: Any) -> Any:
    """int_0^L of a polynomial in x."""
    f, total, weight, k = se.expand(f), se.Integer(0), se.Integer(1), 0
    while f != 0:  # Taylor: f(0) L, f'(0) L^2/2, f''(0) L^3/6, ...
        k += 1
        weight = weight * L / k
        total += f.subs({x: 0}) * weight
        f = se.expand(f.diff(x))
    return total


def plane(L: Any, Phi: Any) -> tuple[list[Any], list[Any]]:
    """Deflection and rotation for (v1, slope1, v2, slope2), with shear (Przemieniecki)."""
    s = x / L
    v = [
        1 - 3 * s**2 + 2 * s**3 + Phi * (1 - s),
        L * (s - 2 * s**2 + s**3 + Phi * (s - s**2) / 2),
        3 * s**2 - 2 * s**3 + Phi * s,
        L * (-(s**2) + s**3 - Phi * (s - s**2) / 2),
    ]
    r = [
        6 * (s**2 - s) / L,
        1 - 4 * s + 3 * s**2 + Phi * (1 - s),
        6 * (s - s**2) / L,
        -2 * s + 3 * s**2 + Phi * s,
    ]
    return [one / (1 + Phi) for one in v], [one / (1 + Phi) for one in r]


def shapes(L: Any, Phi_y: Any, Phi_z: Any) -> tuple[Any, Any]:
    """N_t and N_r (3, 12) for an element along x: beta = -w_x, gamma = v_x without shear."""
    v, vr = plane(L, Phi_y)
    w, wr = plane(L, Phi_z)
    N, R = se.zeros(3, 12), se.zeros(3, 12)
    for k in (0, 1):
        line = x / L if k else 1 - x / L
        N[0, 6 * k], R[0, 6 * k + 3] = line, line
        N[1, 6 * k + 1], N[1, 6 * k + 5] = v[2 * k], v[2 * k + 1]
        N[2, 6 * k + 2], N[2, 6 * k + 4] = w[2 * k], -w[2 * k + 1]
        R[2, 6 * k + 1], R[2, 6 * k + 5] = vr[2 * k], vr[2 * k + 1]
        R[1, 6 * k + 2], R[1, 6 * k + 4] = -wr[2 * k], wr[2 * k + 1]
    return N, R


def tilde(a: Any) -> Any:
    return se.Matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def summed(N: Any, A: Any, B: Any, L: Any) -> np.ndarray:
    """int N' A B dx as numbers."""
    product = N.T * A * B
    rows, columns = product.shape
    return np.array([[float(integral(product[i, j], L)) for j in range(columns)] for i in range(rows)])
