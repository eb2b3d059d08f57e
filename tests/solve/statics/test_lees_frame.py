"""Lee's frame: a right-angled frame of two hinged members snaps through under a dead load on its beam.

S.-L. Lee, F. S. Manuel, E. C. Rossow: Large deflections and stability of elastic frames, J. Engng Mech. Div. ASCE 94
(1968) 521-547; with the section and Reissner's beam as in J. C. Simo, L. Vu-Quoc, Comput. Meths Appl. Mech. Engng 58
(1986) 79-116: members of 120 by 120, 3 by 2 in section, the load at a fifth of the beam. Both limit loads are held
against shooting along the two members, which shares nothing with polynomials.
"""

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar, root

import flexura as fx
from flexura.solve.discretise import function_of_x
from solve.statics.reissner import spine

E, A, INERTIA, NU = 720.0, 6.0, 2.0, 0.3
SECTION = {"rho": 1.0, "J": 0.1, "EA": E * A, "kGA": 5 / 6 * E / (2 + 2 * NU) * A, "EI": E * INERTIA}


def frame() -> fx.Equations:
    """The column a from its hinge up to the corner, the beam in two pieces b and c with the load between them."""
    a, b, c = spine("a", 120), spine("b", 24), spine("c", 96)
    X, Y, T, x, y, t = (fx.Coordinate(name) for name in ("X", "Y", "T", "x1", "y1", "t1"))
    held = {a[0].at(0): 0, a[1].at(0): 0, c[0].at(96): 0, c[1].at(96): 0}
    corner = {a[0].at(120): Y, a[1].at(120): -X, a[2].at(120): T, b[0].at(0): X, b[1].at(0): Y, b[2].at(0): T}
    loaded = {b[0].at(24): x, b[1].at(24): y, b[2].at(24): t, c[0].at(0): x, c[1].at(0): y, c[2].at(0): t}
    density = {one[0]: one[3] for one in (a, b, c)}
    return fx.derive(fx.Lagrangian(density=density, work={y: "-P"}, boundary={**held, **corner, **loaded}))


def shot(unknowns: np.ndarray, angle: float) -> np.ndarray:
    """What is left at the far hinge: its place and its moment, for the forces at the first hinge and the load."""
    H, V, P = unknowns
    z = np.array([0.0, 0.0, np.pi / 2 + angle, 0.0])
    for length, turn, load in ((120.0, -np.pi / 2, 0.0), (24.0, 0.0, P), (96.0, 0.0, 0.0)):
        z = solve_ivp(_rates, (0, length), z, "DOP853", args=(H, V), rtol=1e-12, atol=1e-12).y[:, -1]
        z[2], V = z[2] + turn, V + load
    return np.array([z[0] - 120, z[1] - 120, z[3]])


def _rates(s: float, z: np.ndarray, H: float, V: float) -> list[float]:
    c, d = np.cos(z[2]), np.sin(z[2])
    stretch, shear = 1 + (H * c + V * d) / SECTION["EA"], (V * c - H * d) / SECTION["kGA"]
    x, y = stretch * c - shear * d, stretch * d + shear * c
    return [x, y, z[3] / SECTION["EI"], y * H - x * V]


def limit(state: fx.Equilibrium, load: float, sign: float) -> float:
    """The extreme load over the angle at the first hinge, near a state."""
    u, v, phi = (function_of_x(state[name], name, {}) for name in ("ua", "va", "phia"))
    angle = float(phi(0.0, 0))
    c, d, x, y = np.cos(angle), np.sin(angle), 1 + float(u(0.0, 1)), float(v(0.0, 1))
    N, Q = SECTION["EA"] * (x * c + y * d - 1), SECTION["kGA"] * (-x * d + y * c)
    guess = np.array([-(N * d + Q * c), N * c - Q * d, load])  # the column's x axis points up

    def extreme(a: float) -> float:
        found = root(shot, guess, args=(a,), tol=1e-12)
        assert np.abs(found.fun).max() < 1e-7  # of lengths of 120
        return -sign * float(found.x[2])

    bounds = (angle - 0.05, angle + 0.05)
    return -sign * float(minimize_scalar(extreme, bounds=bounds, method="bounded", options={"xatol": 1e-6}).fun)


@pytest.fixture(scope="module")
def paths() -> list[Any]:
    return [fx.equilibrium_path(frame(), "P", (-0.95, 1.86), SECTION, order=order) for order in (14, 16)]


def test_both_limit_loads_on_two_meshes(paths: list[Any]) -> None:
    coarse, fine = (path.limit_points for path in paths)
    assert len(fine) == 2
    assert coarse == pytest.approx(fine, rel=1e-6)
    assert fine == pytest.approx([1.8544527, -0.9392490], abs=2e-7)
    assert len(paths[1].branch_points) == 0


def test_shooting_finds_the_same_limit_loads(paths: list[Any]) -> None:
    path = paths[1]
    for k, sign in ((0, 1.0), (1, -1.0)):
        near = int(np.argmin(np.abs(path.parameter - path.limit_points[k])))
        exact = limit(path.point(near), float(path.parameter[near]), sign)
        assert path.limit_points[k] == pytest.approx(exact, rel=1e-6)


def test_between_its_limit_loads_the_frame_is_unstable(paths: list[Any]) -> None:
    path = paths[1]
    turned = np.sign(np.diff(path.parameter))
    changes = np.flatnonzero(np.diff(turned)) + 1
    assert len(changes) == 2
    inside = np.arange(len(path)) > changes[0]
    inside &= np.arange(len(path)) < changes[1]
    assert not path.stable[inside].any()
    assert path.stable[: changes[0] - 1].all()
    assert path.stable[changes[1] + 1 :].all()
    assert path["y1"][-1] < -60  # it has snapped through
