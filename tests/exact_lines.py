"""Beams in sixty digits: transfer matrices of uniform stretches, and Taylor series where properties vary.

Nothing here is shared with the package: the state is (w, w_x, M, V) with M = EI w_xx and V = M_x, so that
V_x = -rho s^2 w.
"""

from __future__ import annotations

import itertools

import mpmath as mp

DIGITS = 60


def uniform(EI, rho, length, s2):
    """The state at the end from that at the start of a uniform stretch."""
    mp.mp.dps = DIGITS
    EI, rho, length = mp.mpf(EI), mp.mpf(rho), mp.mpf(length)
    k = mp.sqrt(mp.sqrt(mp.mpmathify(-s2) * rho / EI))
    z = k * length
    C, S, c, s = mp.cosh(z), mp.sinh(z), mp.cos(z), mp.sin(z)
    a, b, d, e = (C + c) / 2, (S + s) / (2 * k), (C - c) / (2 * k**2), (S - s) / (2 * k**3)
    q = k**4
    return mp.matrix(
        [
            [a, b, d / EI, e / EI],
            [q * e, a, b / EI, d / EI],
            [EI * q * d, EI * q * e, a, b],
            [EI * q * b, EI * q * d, q * e, a],
        ]
    )


def polynomial(EI, rho, start, end, s2, steps=1):
    """The same where EI and rho are polynomials in x (lists of coefficients, constant first), by Taylor series."""
    mp.mp.dps = DIGITS
    total = mp.eye(4)
    nodes = [mp.mpf(start) + (mp.mpf(end) - start) * mp.mpf(i) / steps for i in range(steps + 1)]
    for a, b in itertools.pairwise(nodes):
        total = _taylor(_shifted(EI, a), _shifted(rho, a), b - a, s2) * total
    return total


def _shifted(c, a):
    """Coefficients about a."""
    c = [mp.mpf(one) for one in c]
    return [mp.fsum(mp.binomial(j, i) * c[j] * a ** (j - i) for j in range(i, len(c))) for i in range(len(c))]


def _taylor(EI, rho, h, s2):
    found = mp.matrix(4, 4)
    for column in range(4):
        w, m = [mp.mpf(0)] * 2, [mp.mpf(0)] * 2
        (w, m)[column // 2][column % 2] = mp.mpf(1)
        for n in range(400):  # EI w_xx = m, m_xx = -rho s^2 w
            known = mp.fsum(EI[j] * (n - j + 2) * (n - j + 1) * w[n - j + 2] for j in range(1, min(n, len(EI) - 1) + 1))
            w.append((m[n] - known) / (EI[0] * (n + 2) * (n + 1)))
            load = mp.fsum(rho[j] * w[n - j] for j in range(min(n, len(rho) - 1) + 1))
            m.append(-s2 * load / ((n + 2) * (n + 1)))
            if n > 12 and max(abs(one) * h**n for one in (*w[-4:], *m[-4:])) < mp.mpf(10) ** (-DIGITS - 5):
                break
        found[0, column] = mp.polyval(w[::-1], h)
        found[1, column] = mp.polyval([i * w[i] for i in range(len(w) - 1, 0, -1)], h)
        found[2, column] = mp.polyval(m[::-1], h)
        found[3, column] = mp.polyval([i * m[i] for i in range(len(m) - 1, 0, -1)], h)
    return found


def product(matrices):
    """From the first start to the last end."""
    total = mp.eye(4)
    for one in matrices:
        total = one * total
    return total


HELD = {"clamped": (0, 1), "pinned": (0, 2), "free": (2, 3), "guided": (1, 3)}


def determinant(matrix, start, end):
    """Zero at the frequencies of a beam held in two ways."""
    free = [i for i in range(4) if i not in HELD[start]]
    rows = HELD[end]
    return matrix[rows[0], free[0]] * matrix[rows[1], free[1]] - matrix[rows[0], free[1]] * matrix[rows[1], free[0]]


def frequency(line, start, end, near):
    """The root of the determinant next to a guess, by secants; `line(s2)` is the transfer matrix."""
    mp.mp.dps = DIGITS

    def f(omega):
        return determinant(line(-(omega**2)), start, end)

    a, b = mp.mpf(near) * (1 - mp.mpf(10) ** -9), mp.mpf(near)
    fa, fb = f(a), f(b)
    for _ in range(8):
        if fa == fb or abs(a - b) < mp.mpf(10) ** -18 * abs(b):
            break
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
        fb = f(b)
    return b


def root_beside(f, s):
    """The root of f that secants from s lead to."""
    with mp.workdps(DIGITS):
        before, s = mp.mpmathify(s) * (1 + mp.mpf("1e-10")), mp.mpmathify(s)
        old = f(before)
        for _ in range(12):
            new = f(s)
            if new == old or abs(s - before) <= mp.mpf("1e-40") * abs(s):
                break
            before, s, old = s, s - new * (s - before) / (new - old), new
        return s
