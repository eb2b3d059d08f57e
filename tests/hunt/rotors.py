"""Random rotors on random bearings, held against plain finite elements seen from ground (Nelson and McVaugh, 1976)."""

from __future__ import annotations

import numpy as np
import scipy.linalg

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Trial, agree, heard

Array = np.ndarray


def rotors(number: int) -> Trial:
    """A shaft with a disc on two bearings: whirl roots and the response to unbalance."""
    draw = Draw(number)
    count, radius, length = draw.integer(2, 4), draw.size(0.01, 0.04), draw.size(0.4, 1.5)
    x = np.concatenate([[0.0], np.sort([draw.size(0.1, 0.9) * length for _ in range(count - 1)]), [length]])
    E, rho, speed = draw.size(7e10, 2.1e11), draw.size(2700, 7900), draw.size(10, 600)
    mass, inertia, where = draw.size(1, 30), draw.size(0.01, 0.3), draw.integer(0, count)
    bearings = {node: (_matrix(draw, 1e6), _matrix(draw, 1e3)) for node in (0, count)}
    moment = draw.size(1e-5, 1e-3)

    def rotor() -> fx.Rotor:
        area, second = np.pi * radius**2, np.pi * radius**4 / 4
        section = fx.Section(E=E, G=E / 2.6, rho=rho, A=area, Iy=second, Iz=second)
        nodes = np.column_stack([x, 0 * x, 0 * x])
        pairs = [[k, k + 1] for k in range(count)]
        disc = {where: (mass, (2 * inertia, inertia, inertia))}
        frame = fx.BeamFrame(nodes, pairs, section, supports={0: "u alpha"}, bodies=disc, shear=False)
        return fx.Rotor(frame, {node: fx.Bearing(k=k, c=c) for node, (k, c) in bearings.items()})

    def plain() -> tuple[Array, Array, Array]:
        M, C, K = _shaft(x, E, rho, radius, speed)
        at = 4 * where + np.arange(4)
        M[at, at] += [mass, mass, inertia, inertia]
        C[at[2], at[3]] += 2 * inertia * speed
        C[at[3], at[2]] -= 2 * inertia * speed
        for node, (k, c) in bearings.items():
            rows = np.ix_(4 * node + np.arange(2), 4 * node + np.arange(2))
            K[rows] += k
            C[rows] += c
        return M, C, K

    def modes() -> str | None:
        with heard() as words:
            found = fx.modes(rotor().system(speed), 6)
        M, C, K = plain()
        zero, one = np.zeros_like(M), np.eye(len(M))
        roots = scipy.linalg.eigvals(np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]]))
        off = [float(np.abs(roots - root).min() / abs(root)) for root in _bending(found, rotor(), speed)]
        return agree("distance of roots from true ones", np.array(off), 0 * np.array(off), 1e-6, words)

    def response() -> str | None:
        with heard() as words:
            found = fx.unbalance_response(rotor(), np.array([speed]), {where: moment}).amplitude(where)
        M, C, K = plain()
        f = np.zeros(len(M), dtype=complex)
        f[4 * where : 4 * where + 2] = moment * speed**2 * np.array([1, -1j])
        u = np.linalg.solve(K + 1j * speed * C - speed**2 * M, f)[4 * where : 4 * where + 2]
        forward, backward = (u[0] + 1j * u[1]) / 2, np.conj(u[0] - 1j * u[1]) / 2
        return agree("the orbit's half axis", found[0], abs(forward) + abs(backward), 1e-6 * abs(u).max(), words)

    script = f"{x=} {E=} {rho=} {radius=} {speed=} {mass=} {inertia=} {where=} {bearings=} {moment=}"
    return Trial("rotors", number, script, frozenset(), {"modes": modes, "response": response})


def _bending(found: fx.Modes, rotor: fx.Rotor, speed: float) -> list[complex]:
    """Roots that are not of stretching or of torsion, which plain elements leave out."""
    system = rotor.system(speed)
    left = [i for i, name in enumerate(system.names) if name[0] == "u" or name.startswith("alpha")]
    dense = [np.asarray(one.toarray())[np.ix_(left, left)] for one in (system.K, system.M)]
    others = np.sqrt(np.abs(scipy.linalg.eigvalsh(*dense)))
    return [s for s in found.eigenvalues if np.abs(others - abs(s)).min() > 1e-6 * abs(s) and abs(s) > 0]


def _matrix(draw: Draw, size: float) -> Array:
    """Stiffness or damping of a fluid film: positive, with cross terms."""
    k = np.diag([size * draw.size(0.5, 20) for _ in range(2)])
    k[0, 1] = size * draw.size(0.01, 0.5)
    k[1, 0] = -k[0, 1] if draw.chance(0.5) else k[0, 1]
    return k


def _shaft(x: Array, E: float, rho: float, radius: float, speed: float) -> tuple[Array, Array, Array]:
    """M, gyroscopic terms and K over (v, w, beta, gamma) of each node, without shear."""
    area, second = np.pi * radius**2, np.pi * radius**4 / 4
    n = 4 * len(x)
    M, C, K = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    for e, L in enumerate(np.diff(x)):
        m, r, k = _element(L)
        v, w = 4 * e + np.array([0, 3, 4, 7]), 4 * e + np.array([1, 2, 5, 6])
        turn = np.array([1.0, -1.0, 1.0, -1.0])  # beta = -w_x
        for rows, sign in ((v, np.ones(4)), (w, turn)):
            signs = np.outer(sign, sign)
            M[np.ix_(rows, rows)] += signs * (rho * area * m + rho * second * r)
            K[np.ix_(rows, rows)] += E * second * signs * k
        G = 2 * rho * second * speed * r * turn[None, :]  # gamma = v_x, beta = -w_x
        C[np.ix_(v, w)] += G
        C[np.ix_(w, v)] -= G.T
    return M, C, K


def _element(L: float) -> tuple[Array, Array, Array]:
    """int NN', int N_x N_x', int N_xx N_xx' of cubic Hermite functions."""
    m = L / 420 * np.array([
        [156, 22 * L, 54, -13 * L], [22 * L, 4 * L**2, 13 * L, -3 * L**2],
        [54, 13 * L, 156, -22 * L], [-13 * L, -3 * L**2, -22 * L, 4 * L**2],
    ])  # fmt: skip
    r = 1 / (30 * L) * np.array([
        [36, 3 * L, -36, 3 * L], [3 * L, 4 * L**2, -3 * L, -(L**2)],
        [-36, -3 * L, 36, -3 * L], [3 * L, -(L**2), -3 * L, 4 * L**2],
    ])  # fmt: skip
    k = 1 / L**3 * np.array([
        [12, 6 * L, -12, 6 * L], [6 * L, 4 * L**2, -6 * L, 2 * L**2],
        [-12, -6 * L, 12, -6 * L], [6 * L, 2 * L**2, -6 * L, 4 * L**2],
    ])  # fmt: skip
    return m, r, k
