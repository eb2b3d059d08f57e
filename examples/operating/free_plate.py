"""A free plate of solid elements, assembled with NumPy: its modes, and a reduced model of nine degrees of freedom more.

Eight-node bricks with Wilson's incompatible modes, condensed, so that one layer bends without locking.
"""

from __future__ import annotations

import itertools

import numpy as np
import scipy.sparse as sparse

import flexura as fx

CORNERS = np.array(list(itertools.product((-1, 1), repeat=3)))
GAUSS = np.array(list(itertools.product((-(3**-0.5), 3**-0.5), repeat=3)))


def brick(h, E, nu, rho):
    """Stiffness and mass (24 x 24) of a box with the edges h."""
    lame, G = E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))
    C = np.zeros((6, 6))
    C[:3, :3] = lame
    C += np.diag([2 * G] * 3 + [G] * 3)
    K, M, volume = np.zeros((33, 33)), np.zeros((24, 24)), np.prod(h) / 8
    for at in GAUSS:
        factors = 1 + CORNERS * at
        N = factors.prod(axis=1) / 8
        slopes = [CORNERS[:, i] * np.delete(factors, i, axis=1).prod(axis=1) / 8 for i in range(3)]
        gradient = np.vstack([2 / h[i] * np.concatenate([slopes[i], np.eye(3)[i] * -2 * at[i]]) for i in range(3)])
        B = np.zeros((6, 33))
        for i, (row, column) in enumerate([(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]):
            B[i, column::3] = gradient[row]
            B[i, row::3] = gradient[column]
        K += volume * B.T @ C @ B
        M += volume * rho * np.kron(np.outer(N, N), np.eye(3))
    inner = K[24:, 24:]
    return K[:24, :24] - K[:24, 24:] @ np.linalg.solve(inner, K[24:, :24]), M


def plate(nx, ny, nz=1, size=(1.0, 0.8, 0.02), E=70e9, nu=0.3, rho=2700.0):
    """A box of nx x ny x nz bricks, free in space; named by its nodes, three rows each."""
    counts = np.array([nx, ny, nz])
    size = np.asarray(size, dtype=float)
    grid = np.stack(
        np.meshgrid(*(np.linspace(0, a, k + 1) for a, k in zip(size, counts, strict=True)), indexing="ij"), -1
    )
    number = np.arange(grid[..., 0].size).reshape(counts + 1)
    corners = [number[i : nx + i, j : ny + j, k : nz + k].ravel() for i, j, k in itertools.product((0, 1), repeat=3)]
    rows = (3 * np.column_stack(corners)[:, :, None] + np.arange(3)).reshape(-1, 24)
    n = 3 * number.size
    i, j = np.repeat(rows, 24, axis=1).ravel(), np.tile(rows, 24).ravel()
    K, M = (
        sparse.coo_array((np.tile(one.ravel(), len(rows)), (i, j)), shape=(n, n)).tocsr()
        for one in brick(size / counts, E, nu, rho)
    )
    return fx.SecondOrderSystem((M + M.T) / 2, None, (K + K.T) / 2, nodes=grid.reshape(-1, 3))


def corner_force(system, along=2):
    """A unit force on the first node."""
    F = np.zeros(system.n)
    F[along] = 1.0
    return F


def main():
    system = plate(24, 20)
    F = corner_force(system)
    modes = fx.modes(system, 9)
    reduced = fx.reduce(system, F, 6)
    first = modes.frequencies[6]
    omega = np.linspace(0.05, 0.5, 10) * first
    full = fx.frequency_response(system, omega, load=F, output=F)
    small = fx.frequency_response(reduced, omega, load=reduced.basis.T @ F, output=reduced.basis.T @ F)
    print(
        f"{system.n} degrees of freedom, {(modes.frequencies == 0).sum()} rigid modes, first elastic {first:.6g} rad/s"
    )
    print(f"reduced to {reduced.n}; largest error of the response up to half of it: {abs(small / full - 1).max():.1e}")


if __name__ == "__main__":
    main()
