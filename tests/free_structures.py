"""Structures as matrices, for tests: bars, planar beams, plates of bricks, and random networks of springs."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import scipy.sparse as sparse

import flexura as fx

_spec = importlib.util.spec_from_file_location(
    "free_plate", Path(__file__).resolve().parents[1] / "examples" / "operating" / "free_plate.py"
)
free_plate = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(free_plate)
plate = free_plate.plate


def assembled(blocks, size, step):
    """One block after the other, `step` rows apart."""
    A = np.zeros((size, size))
    for i, block in enumerate(blocks):
        span = slice(i * step, i * step + len(block))
        A[span, span] += block
    return A


def bar(elements, E=70e9, A=1e-4, rho=2700.0, length=1.0):
    """A free bar along x, stretching only."""
    h = length / elements
    k, m = E * A / h * np.array([[1, -1], [-1, 1]]), rho * A * h / 6 * np.array([[2, 1], [1, 2]])
    n = elements + 1
    nodes = np.linspace(0, length, n)[:, None]
    return fx.SecondOrderSystem(assembled([m] * elements, n, 1), None, assembled([k] * elements, n, 1), nodes=nodes)


def beam(elements, EI=1.0, rhoA=1.0, EA=1e4, length=1.0):
    """A free planar beam along x with u, v and the rotation gamma at every node."""
    h, n = length / elements, 3 * (elements + 1)
    K, M = np.zeros((6, 6)), np.zeros((6, 6))
    axial, bending = [0, 3], [1, 2, 4, 5]
    K[np.ix_(axial, axial)] = EA / h * np.array([[1, -1], [-1, 1]])
    M[np.ix_(axial, axial)] = rhoA * h / 6 * np.array([[2, 1], [1, 2]])
    K[np.ix_(bending, bending)] = (
        EI / h**3 * np.array([[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h],
                              [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]])
    )  # fmt: skip
    M[np.ix_(bending, bending)] = (
        rhoA * h / 420 * np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                                   [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])
    )  # fmt: skip
    nodes = np.column_stack([np.linspace(0, length, elements + 1), np.zeros(elements + 1)])
    M, K = (sparse.csr_array(assembled([one] * elements, n, 3)) for one in (M, K))
    return fx.SecondOrderSystem(M, None, K, nodes=nodes)


def network(seed, free=True, damping=None):
    """Masses and springs at random; damping None, "proportional", "relative" or "absolute"."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40))
    M, K, D = np.diag(10 ** rng.uniform(-1, 1, n)), np.zeros((n, n)), np.zeros((n, n))
    pairs = [(i, i + 1) for i in range(n - 1)] + [tuple(rng.choice(n, 2, replace=False)) for _ in range(n)]
    for i, j in pairs:
        e = np.zeros(n)
        e[i], e[j] = 1, -1
        K += 10 ** rng.uniform(1, 4) * np.outer(e, e)
        D += 10 ** rng.uniform(-2, 1) * np.outer(e, e)
    if not free:
        K[0, 0] += 100.0
    if damping == "absolute":
        D += np.diag(10 ** rng.uniform(-2, 0, n))
    table = {None: None, "proportional": 0.02 * M + 1e-4 * K, "relative": D, "absolute": D}
    F = np.zeros(n)
    F[int(rng.integers(n))] = 1.0
    return fx.SecondOrderSystem(M, table[damping], K), F
