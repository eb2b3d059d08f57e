"""Small systems written by hand as numbers, for tests of what integrates them."""

import numpy as np

from flexura.systems.nonlinear import InputSlot, NonlinearSystem

NONE = np.zeros(0)


def system(names, evaluate, jacobians, energies, powers=lambda *_: (0.0, 0.0), **more):
    n = len(names)
    usual = {
        "multipliers": (),
        "inputs": (),
        "slots": (),
        "prescribed": (),
        "holonomic": (),
        "constant_mass": False,
        "linear": False,
        "explicit_time": False,
        "position": lambda t, q: NONE,
        "velocity": lambda t, q: (np.zeros((0, n)), NONE),
        "acceleration": lambda t, q, v: NONE,
        "motion": lambda t: (NONE, NONE, NONE),
        "reactions": lambda *_: NONE,
    }
    parts = {"evaluate": evaluate, "jacobians": jacobians, "energies": energies, "powers": powers}
    return NonlinearSystem(names=names, **{**usual, **parts, **more})


def oscillators(omega, zeta=0.0, loaded=False):
    """Independent unit masses on springs, damped, all pushed by one input if `loaded`."""
    omega = np.atleast_1d(np.asarray(omega, dtype=float))
    n = len(omega)
    M, K, C = np.eye(n), np.diag(omega**2), np.diag(2 * zeta * omega)
    push = (lambda u: u[0]) if loaded else (lambda u: 0.0)
    return system(
        tuple(f"x{i}" for i in range(n)),
        lambda t, q, v, u: (M, push(u) - K @ q - C @ v),
        lambda t, q, v, a, u, lam: (K, C),
        lambda t, q, v: (v @ v / 2, q @ K @ q / 2),
        lambda t, q, v, a, u, lam: (v @ C @ v, push(u) * v.sum()),
        constant_mass=True,
        inputs=("F",) if loaded else (),
        slots=(InputSlot("F", 0),) if loaded else (),
    )


def double_pendulum(g=9.81):
    """Unit masses on unit rods, absolute angles."""

    def evaluate(t, q, v, u):
        c, s = np.cos(q[0] - q[1]), np.sin(q[0] - q[1])
        M = np.array([[2.0, c], [c, 1.0]])
        f = np.array([-s * v[1] ** 2 - 2 * g * np.sin(q[0]), s * v[0] ** 2 - g * np.sin(q[1])])
        return M, f

    def jacobians(t, q, v, a, u, lam):
        c, s = np.cos(q[0] - q[1]), np.sin(q[0] - q[1])
        K = np.array(
            [
                [-s * a[1] + c * v[1] ** 2 + 2 * g * np.cos(q[0]), s * a[1] - c * v[1] ** 2],
                [-s * a[0] - c * v[0] ** 2, s * a[0] + c * v[0] ** 2 + g * np.cos(q[1])],
            ]
        )
        return K, np.array([[0.0, 2 * s * v[1]], [-2 * s * v[0], 0.0]])

    def energies(t, q, v):
        c = np.cos(q[0] - q[1])
        return v[0] ** 2 + v[1] ** 2 / 2 + c * v[0] * v[1], -g * (2 * np.cos(q[0]) + np.cos(q[1]))

    return system(("a", "b"), evaluate, jacobians, energies)


def constrained_pendulum(g=9.81, stiff=0.0):
    """A unit mass at x, y on a unit rod: x^2 + y^2 = 1; `stiff` hangs a fast oscillator z on x."""
    n = 3 if stiff else 2
    M = np.eye(n)
    f0 = np.array([0.0, -g, 0.0])[:n]
    K = np.zeros((n, n))
    if stiff:
        K[np.ix_([0, 2], [0, 2])] = stiff**2 * np.array([[1.0, -1.0], [-1.0, 1.0]])

    def A(q):
        return np.concatenate([q[:2], np.zeros(n - 2)])[None]

    def jacobians(t, q, v, a, u, lam):
        slope = K.copy()
        slope[0, 0] -= lam[0]
        slope[1, 1] -= lam[0]
        return slope, np.zeros((n, n))

    return system(
        ("x", "y", "z")[:n],
        lambda t, q, v, u: (M, f0 - K @ q),
        jacobians,
        lambda t, q, v: (v @ v / 2, g * q[1] + q @ K @ q / 2),
        multipliers=("lam",),
        holonomic=(True,),
        position=lambda t, q: np.array([(q[0] ** 2 + q[1] ** 2 - 1) / 2]),
        velocity=lambda t, q: (A(q), np.zeros(1)),
        acceleration=lambda t, q, v: np.array([v[0] ** 2 + v[1] ** 2]),
        constant_mass=True,
    )
