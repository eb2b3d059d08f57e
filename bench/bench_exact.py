"""Exact answers beside a Hermite finite-element model (scikit-fem), in one run, by processor time.

    OPENBLAS_NUM_THREADS=1 python bench/bench_exact.py

The elements are refined by doubling until the last frequency asked for is within 1e-6 of the exact one; what is timed
is the whole refinement, as a user would do it, and the last mesh alone is shown beside it. Exact frequencies are good
to 1e-11 and include the reading of the equations. Times are the best of several runs, taken in turn.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as solvers
from record import SHORT, compared

import flexura as fx
from flexura.derivation.linearise import linearise

VALUES = {"m_a": 3, "m_b": 2, "m_c": 1.5, "I_c": 0.02, "rho": 1.2, "l": 1.3, "EI": 50, "K1": 800, "K2": 600, "K3": 400}
EI, EA, RHO, ANGLE = 2.0, 500.0, 1.0, math.pi / 3
MEMBERS, MODES, POINTS = (2, 6, 40) if SHORT else (10, 100, 10_000)


def example_one():
    """The memo's Example One."""
    a, b, c = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0), fx.RigidBody("c", m="m_c", I="I_c")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="q3")
    parts = [
        fx.Slide(fx.ground, a, name="q1"),
        fx.Slide(a, b, name="q2"),
        fx.Fixed(b, beam.start),
        fx.Fixed(beam.end, c),
    ]
    parts += [fx.Spring(fx.ground, a, k="K1"), fx.Spring(a, b, k="K2"), fx.Damper(a, b, c="b")]
    parts += [fx.Spring(c, fx.ground, k="K3")]
    return fx.derive(fx.Model(*parts, measured_from={beam: a}, names={beam.end: ("q4", "q5")}))


def zigzag(members=MEMBERS):
    """Members welded end to end at alternating angles, bending and stretching, clamped at the first."""
    parts, last = [], fx.ground
    for i in range(members):
        one = fx.EulerBernoulliBeam(f"b{i}", EI=EI, rho=RHO, length=1.0, EA=EA)
        parts.append(fx.Fixed(last, one.start, angle=ANGLE * (-1) ** i))
        last = one.end
    return linearise(fx.derive(fx.Model(*parts, fx.Force(last, "F"))))


# The finite elements


@cache
def forms():
    """int u'' v'' dx, int u' v' dx, int u v dx, int v dx."""
    from skfem import BilinearForm, LinearForm
    from skfem.helpers import d, dd

    return (
        BilinearForm(lambda u, v, _: dd(u)[0][0] * dd(v)[0][0]),
        BilinearForm(lambda u, v, _: d(u)[0] * d(v)[0]),
        BilinearForm(lambda u, v, _: u * v),
        LinearForm(lambda v, _: 1.0 * v),
    )


def line(length, elements):
    """Hermite elements along a member."""
    from skfem import Basis, ElementLineHermite, MeshLine

    return Basis(MeshLine(np.linspace(0, length, elements + 1)), ElementLineHermite())


def fe_example_one(elements):
    """K and M of Example One over (beam's nodes, q1)."""
    v, (bending, _, inertia, total) = VALUES, forms()
    basis = line(v["l"], elements)
    K, M = v["EI"] * bending.assemble(basis), v["rho"] * inertia.assemble(basis)
    (w0, t0), (wl, tl) = basis.nodal_dofs[:, 0], basis.nodal_dofs[:, -1]
    n = K.shape[0]
    K = K + sparse.coo_array(([v["K2"], v["K3"]], ([w0, wl], [w0, wl])), shape=(n, n))
    M = M + sparse.coo_array(([v["m_b"], v["m_c"], v["I_c"]], ([w0, wl, tl], [w0, wl, tl])), shape=(n, n))
    both, pull = v["rho"] * total.assemble(basis), np.zeros(n)
    both[w0] += v["m_b"]
    both[wl] += v["m_c"]
    pull[wl] = v["K3"]
    whole = v["m_a"] + v["m_b"] + v["m_c"] + v["rho"] * v["l"]
    M = sparse.block_array([[M, both[:, None]], [both[None], np.array([[whole]])]], format="csc")
    K = sparse.block_array([[K, pull[:, None]], [pull[None], np.array([[v["K1"] + v["K3"]]])]], format="csc")
    kept = np.setdiff1d(np.arange(n + 1), [t0])
    return K[kept][:, kept], M[kept][:, kept]


def fe_frame(elements, members=MEMBERS):
    """K and M of the zigzag: one member is assembled, all are placed; joints have x, y and a rotation."""
    basis = line(1, elements)
    bend, stretch, mass = (form.assemble(basis) for form in forms()[:3])
    n = bend.shape[0]
    K = sparse.block_diag([sparse.block_diag([EA * stretch, EI * bend])] * members, format="csr")
    M = sparse.block_diag([RHO * sparse.block_diag([mass, mass])] * members, format="csr")
    nodal = basis.nodal_dofs
    (u0, w0), (ul, wl) = (nodal[0, 0], n + nodal[0, 0]), (nodal[0, -1], n + nodal[0, -1])
    t0, tl = n + nodal[1, 0], n + nodal[1, -1]
    inner = np.setdiff1d(np.arange(2 * n), [u0, w0, t0, ul, wl, tl])
    rows, columns, values, heading = [], [], [], 0.0
    size = 3 * members + members * len(inner)
    for i in range(members):
        heading += ANGLE * (-1) ** i
        c, s, base = math.cos(heading), math.sin(heading), 2 * n * i
        for (u, w, t), joint in (((u0, w0, t0), i - 1), ((ul, wl, tl), i)):
            if joint >= 0:
                at = 3 * joint
                rows += [base + u, base + u, base + w, base + w, base + t]
                columns += [at, at + 1, at, at + 1, at + 2]
                values += [c, s, -s, c, 1.0]
        rows += (base + inner).tolist()
        columns += (3 * members + i * len(inner) + np.arange(len(inner))).tolist()
        values += [1.0] * len(inner)
    T = sparse.csr_array((values, (rows, columns)), shape=(2 * n * members, size))
    return (T.T @ K @ T).tocsc(), (T.T @ M @ T).tocsc()


def fe_frequencies(K, M, count):
    """The lowest, by shift and invert."""
    found = solvers.eigsh(K, count, M, sigma=0, return_eigenvectors=False)
    return np.sqrt(np.sort(found))


def refined(build: Callable[[int], tuple], exact, first: int) -> int:
    """Double the elements until the last frequency is within 1e-6; returns how many that takes."""
    elements = first
    while abs(fe_frequencies(*build(elements), len(exact))[-1] / exact[-1] - 1) > 1e-6:
        elements *= 2
    return elements


def best(*works, repeat):
    """The least processor time of each, taken in turn."""
    times = [[] for _ in works]
    for _ in range(1 if SHORT else repeat):
        for work, kept in zip(works, times, strict=True):
            start = time.process_time()
            work()
            kept.append(time.process_time() - start)
    return [min(one) for one in times]


def show(what, exact, peer, peer_name, wanted):
    """One line of the comparison."""
    ratio = compared(f"{what}, {peer_name}", peer / exact)
    print(f"{what:44s} {1e3 * exact:9.1f} ms   {peer_name:34s} {1e3 * peer:10.1f} ms   {ratio} ({wanted})")


def compare():
    """The three comparisons."""
    if not find_spec("skfem"):
        print("scikit-fem is not installed: pip install 'flexura[bench]'; left out")
        return
    one, frame = example_one(), zigzag()
    values = {**VALUES, "b": 0}
    first, hundred = fx.modes(one, 8, values=values).frequencies, fx.modes(frame, MODES).frequencies
    mesh = refined(fe_example_one, first, 4)
    t = best(
        lambda: fx.modes(one, 8, values=values),
        lambda: refined(fe_example_one, first, 4),
        lambda: fe_frequencies(*fe_example_one(mesh), 8),
        repeat=15,
    )
    show("8 modes of Example One", t[0], t[1], f"elements 4, 8, ... {mesh}", "asked: 5x")
    show("8 modes of Example One", t[0], t[2], f"{mesh} elements alone", "for information")
    mesh = refined(fe_frame, hundred, 8)
    t = best(
        lambda: fx.modes(frame, MODES),
        lambda: refined(fe_frame, hundred, 8),
        lambda: fe_frequencies(*fe_frame(mesh), MODES),
        repeat=3,
    )
    what = f"{MODES} modes of a frame of {MEMBERS}"
    show(what, t[0], t[1], f"elements 8, ... {mesh} a member", "asked: 1x")
    show(what, t[0], t[2], f"{mesh} elements a member alone", "asked: 1x")
    omega = np.linspace(0.5, 0.9993 * hundred[-1], POINTS)
    output = frame.coordinates[0]
    K, M = fe_frame(mesh)
    load = np.zeros(K.shape[0])
    load[3 * MEMBERS - 2] = 1.0
    sample = omega[:: POINTS // 20]

    def direct():
        for w in sample:
            solvers.splu((K - w**2 * M).tocsc(), permc_spec="MMD_AT_PLUS_A").solve(load)

    t = best(lambda: fx.frequency_response(frame, omega, "F", output), direct, repeat=3)
    scaled = t[1] * POINTS / len(sample)
    what, peer = f"its response at {POINTS:,} frequencies", f"direct solves ({len(sample)} timed, scaled)"
    show(what, t[0], scaled, peer, "asked: 50x")


@cache
def _zigzag(members):
    return zigzag(members)


def tables():
    """Cost against members and against modes, and what else users ask for."""
    print("\nmembers     20 modes   a member    1,000 points of response   a member")
    omega = np.linspace(0.5, 60, 1000)
    for members in (2,) if SHORT else (5, 10, 20, 40):
        frame = _zigzag(members)
        work = (
            (lambda f=frame: fx.modes(f, 20)),
            (lambda f=frame: fx.frequency_response(f, omega, "F", f.coordinates[0])),
        )
        a, b = best(*work, repeat=2)
        print(
            f"{members:7d} {1e3 * a:9.1f} ms {1e3 * a / members:7.2f} ms {1e3 * b:24.1f} ms {1e3 * b / members:7.2f} ms"
        )
    print("\n  modes   of the frame     a mode   of a cantilever     a mode")
    b = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    cantilever = fx.derive(fx.Model(fx.Fixed(fx.ground, b.start)))
    for count in (10,) if SHORT else (10, 30, 100, 300, 1000):
        frame_work = (lambda n=count: fx.modes(_zigzag(MEMBERS), n)) if count <= 300 else (lambda: None)
        a, c = best(frame_work, lambda n=count: fx.modes(cantilever, n), repeat=1 if count > 100 else 3)
        left = f"{1e3 * a:11.1f} ms {1e3 * a / count:7.2f} ms" if count <= 300 else " " * 25
        print(f"{count:7d} {left} {1e3 * c:14.1f} ms {1e3 * c / count:7.2f} ms")
    one = example_one()
    (damped,) = best(lambda: fx.modes(one, 8, values={**VALUES, "b": 4}), repeat=3)
    print(f"\n8 damped modes of Example One {1e3 * damped:.1f} ms")


if __name__ == "__main__":
    compare()
    tables()
