"""Frames by nodes beside sparse finite elements (cubic Hermite, linear in stretch), by processor time.

    OPENBLAS_NUM_THREADS=1 python bench/bench_frames.py

Zigzags of 10, 100 and 1,000 equal members between two supports. Elements are halved until the twentieth frequency is
within 1e-6 of the exact one; only the last mesh is timed, assembly and solution. Exact frequencies are certified.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as solvers
from record import SHORT, compared

import flexura as fx

EI, EA, RHO = 100.0, 1e5, 1.0
SIZES, COUNT = ((3,), 4) if SHORT else ((10, 100, 1000), 20)


def zigzag(members: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Nodes up and down; members of one length."""
    nodes = {f"n{i}": (0.8 * i, 0.6 * (i % 2)) for i in range(members + 1)}
    return nodes, {f"b{i}": (f"n{i}", f"n{i + 1}") for i in range(members)}


def model(members: int) -> fx.Model:
    """The same as `fx.frame` takes it."""
    nodes, bars = zigzag(members)
    section = {"EI": ("EI", EI), "EA": ("EA", EA), "rho": ("rho", RHO)}
    return fx.frame(nodes, bars, {"n0": "fixed", f"n{members}": "pinned"}, section=section)


def elements(members: int, cuts: int, count: int) -> np.ndarray:
    """The lowest frequencies with every member cut into equal elements."""
    nodes, _ = zigzag(members)
    corners = np.array(list(nodes.values()))
    share = np.linspace(0, 1, cuts + 1)[1:]
    points = np.vstack([corners[:1], *(a + share[:, None] * (b - a) for a, b in itertools.pairwise(corners))])
    span = np.diff(points, axis=0)
    h = np.linalg.norm(span, axis=1)
    c, s = (span / h[:, None]).T
    K, M = local(h)
    T = np.zeros((len(h), 6, 6))
    for k in (0, 3):
        T[:, k, k], T[:, k, k + 1], T[:, k + 1, k], T[:, k + 1, k + 1], T[:, k + 2, k + 2] = c, s, -s, c, 1.0
    place = 3 * np.arange(len(h))[:, None] + np.arange(6)
    rows, columns = np.repeat(place, 6, axis=1).ravel(), np.tile(place, 6).ravel()
    size = 3 * len(points)
    kept = [i for i in range(3, size) if i not in (size - 3, size - 2)]
    whole = [
        sparse.csc_array(((T.transpose(0, 2, 1) @ one @ T).ravel(), (rows, columns)), shape=(size, size))[kept][:, kept]
        for one in (K, M)
    ]
    return np.sqrt(np.sort(solvers.eigsh(whole[0].tocsc(), count, whole[1].tocsc(), sigma=0.0)[0]))


def local(h: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and consistent mass of elements of these lengths."""
    K, M = np.zeros((2, len(h), 6, 6))
    l, one = h, np.ones_like(h)
    K[:, 0, 0] = K[:, 3, 3] = EA / h
    K[:, 0, 3] = K[:, 3, 0] = -EA / h
    M[:, 0, 0] = M[:, 3, 3] = RHO * h / 3
    M[:, 0, 3] = M[:, 3, 0] = RHO * h / 6
    at = np.ix_(range(len(h)), [1, 2, 4, 5], [1, 2, 4, 5])
    bend = [[12 * one, 6 * l, -12 * one, 6 * l], [6 * l, 4 * l**2, -6 * l, 2 * l**2],
            [-12 * one, -6 * l, 12 * one, -6 * l], [6 * l, 2 * l**2, -6 * l, 4 * l**2]]  # fmt: skip
    mass = [[156 * one, 22 * l, 54 * one, -13 * l], [22 * l, 4 * l**2, 13 * l, -3 * l**2],
            [54 * one, 13 * l, 156 * one, -22 * l], [-13 * l, -3 * l**2, -22 * l, 4 * l**2]]  # fmt: skip
    K[at] = np.moveaxis(np.array(bend), 2, 0) * (EI / h**3)[:, None, None]
    M[at] = np.moveaxis(np.array(mass), 2, 0) * (RHO * h / 420)[:, None, None]
    return K, M


def best(run: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """The least processor time of some runs, and the last result."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


def main() -> None:
    """Print what takes how long."""
    print("members  derive   modes    elements (cuts)   FE/derive  FE/modes")
    for members in SIZES:
        runs = 1 if SHORT or members > 100 else 3
        derived, equations = best(lambda members=members: fx.derive(model(members)), runs)
        solved, modes = best(lambda equations=equations: fx.modes(equations, COUNT), runs)
        cuts = 1
        while abs(elements(members, cuts, COUNT)[-1] / modes.frequencies[-1] - 1) > 1e-6:
            cuts *= 2
        other, _ = best(lambda members=members, cuts=cuts: elements(members, cuts, COUNT), runs)
        told = compared(f"{members} members, elements / derive", other / derived)
        also = compared(f"{members} members, elements / {COUNT} modes", other / solved)
        print(f"{members:7}  {derived:6.3f} s {solved:6.3f} s {other:6.3f} s ({cuts:2})      {told}  {also}")


if __name__ == "__main__":
    main()
