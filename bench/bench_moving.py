"""Finite elements on moving bodies: assembly beside calfem's element loop, a new omega, a step. Run with `make bench`.

The same frame for both: a wheel of arms in space, 20,000 elements and more than 100,000 degrees of freedom. Stiffness
matrices are compared before any time is printed. Times are those of the processor, one thread.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sparse
from record import SHORT, compared
from scipy.sparse.linalg import splu

import flexura as fx
from flexura.solve.steppers.generalized_alpha import Parameters
from flexura.solve.steppers.varying import AlphaStepper, MatricesAt
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.body import Instant

E, G, RHO, A, IY, IZ, J = 2.1e11, 8.1e10, 7800.0, 1e-3, 8e-8, 5e-8, 1.1e-7
SECTION = fx.Section(E=E, G=G, rho=RHO, A=A, Iy=IY, Iz=IZ, J=J)


def best(job: Callable[[], Any], repeat: int = 5) -> tuple[float, Any]:
    """The shortest of several runs, and the result."""
    times, result = [], None
    for _ in range(1 if SHORT else repeat):
        start = time.process_time()
        result = job()
        times.append(time.process_time() - start)
    return min(times), result


def spokes(count: int, arms: int = 8) -> tuple[np.ndarray, np.ndarray]:
    """A wheel of arms, each a chain of elements that leaves the hub in its own direction."""
    each = count // arms
    angle = 2 * np.pi * np.arange(arms) / arms
    direction = np.column_stack([np.cos(angle), np.sin(angle), 0.2 * np.sin(3 * angle)])
    along = np.linspace(0, 10, each + 1)[1:]
    nodes = np.concatenate([np.zeros((1, 3)), (direction[:, None] * along[:, None]).reshape(-1, 3)])
    first = 1 + each * np.arange(arms)[:, None] + np.arange(each)
    before = np.concatenate([np.zeros((arms, 1), dtype=int), first[:, :-1]], axis=1)
    return nodes, np.column_stack([before.ravel(), first.ravel()])


def frame_of(nodes: np.ndarray, pairs: np.ndarray) -> fx.BeamFrame:
    return fx.BeamFrame(nodes, pairs, SECTION, supports={0: "all"}, shear=False)


def calfem_loop(nodes: np.ndarray, pairs: np.ndarray, up: np.ndarray) -> sparse.csr_array:
    """calfem's beam3e for each element, collected and summed by SciPy (its own assem is slower still on sparse K)."""
    import calfem.core as cfc

    properties = [E, G, A, IY, IZ, J]
    data = np.empty((len(pairs), 12, 12))
    for e, (i, j) in enumerate(pairs):
        x, y, z = nodes[[i, j]].T
        data[e] = cfc.beam3e(x, y, z, up[e], properties)
    rows = (6 * pairs[:, :, None] + np.arange(6)).reshape(-1, 12)
    where = np.repeat(rows, 12, axis=1).ravel(), np.tile(rows, (1, 12)).ravel()
    return sparse.csr_array(sparse.coo_array((data.ravel(), where), shape=(6 * len(nodes),) * 2))


def assembly(nodes: np.ndarray, pairs: np.ndarray) -> fx.BeamFrame:
    frame = frame_of(nodes, pairs)

    def stiffness() -> Any:
        constants = Constants(frame_of(nodes, pairs))
        return constants.pattern.matrix(constants.elastic)

    mine, K = best(stiffness)
    print(f"{len(pairs)} elements, {K.shape[0]} degrees of freedom, {K.nnz} nonzeros")
    print(f"  stationary stiffness: {1e3 * mine:.1f} ms (checks of the input included)")
    try:
        seconds, theirs = best(lambda: calfem_loop(nodes, pairs, frame.axes[:, 2]), repeat=1)
    except ImportError:
        print("  calfem is not installed: pip install 'flexura[bench]'; left out")
        return frame
    apart = abs(K - theirs[6:, 6:]).max() / abs(theirs).max()
    assert apart < 1e-12, f"the stiffness matrices differ by {apart:.1e}"
    ratio = compared("stiffness, calfem", seconds / mine)
    print(f"  calfem: {seconds:.2f} s, {ratio} (target 50x); matrices agree to {apart:.0e}")
    return frame


def new_omega(frame: fx.BeamFrame) -> Constants:
    def whole() -> Constants:
        constants = Constants(frame)
        _ = constants.elastic, constants.mass, constants.turning, constants.stiffening, constants.loads
        return constants

    full, constants = best(whole, repeat=1)
    now = Instant(np.array([1.0, -2.0, 3.0]), np.array([0.3, 0.2, -0.1]), np.array([1.0, 2.0, 3.0]))

    def again() -> Any:
        return (
            constants.matrix(constants.stiffness(now)),
            constants.matrix(constants.gyroscopic(now.omega)),
            constants.matrix(constants.gyroscopic(now.epsilon / 2)),
            constants.load(now),
        )

    part, _ = best(again)
    print(f"  all constant integrals: {full:.2f} s; a new omega, epsilon and a0: {1e3 * part:.0f} ms,"
          f" {100 * part / full:.1f}% of it (target 5%)")  # fmt: skip
    return constants


def implicit_step(constants: Constants) -> None:
    now = Instant(np.array([0.0, 0.0, 2.0]), np.zeros(3), np.zeros(3))
    n = constants.pattern.n
    moment = MatricesAt(
        constants.matrix(constants.mass),
        None,
        constants.matrix(constants.gyroscopic(now.omega)),
        constants.matrix(constants.stiffness(now)),
        None,
        constants.load(now),
    )
    stepper, h = AlphaStepper(Parameters.of(1.0)), 1e-3
    x, v, a = np.zeros(n), np.zeros(n), np.zeros(n)
    start = time.process_time()
    x, v, a = stepper.step(moment, h, x, v, a)
    first = time.process_time() - start
    each, _ = best(lambda: stepper.step(moment, h, x, v, a))
    A = moment.effective(0.5, h / 4, h * h / 8).tocsc()
    made = splu(A, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options={"SymmetricMode": True})
    pair, _ = best(lambda: made.solve(moment.f))
    print(f"  implicit step: {1e3 * each:.0f} ms with the factorization kept ({first:.2f} s with it);"
          f" one pair of triangular solves {1e3 * pair:.0f} ms: {each / pair:.1f}x (target 3x)")  # fmt: skip


def main() -> None:
    nodes, pairs = spokes(80 if SHORT else 20_000)
    frame = assembly(nodes, pairs)
    constants = new_omega(frame)
    implicit_step(constants)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(f"  largest memory of this whole run: {memory:.2f} GB (target 1.5 GB)")


if __name__ == "__main__":
    main()
