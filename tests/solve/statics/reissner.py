"""Reissner's beam written as energies, and the same beam by shooting: two routes that share nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

import flexura as fx

SECTION = {"rho": 1.0, "J": 0.01, "EA": 1e4, "kGA": 5e3, "EI": 1.0}


def spine(suffix: str = "", length: Any = "L") -> tuple[fx.Field, fx.Field, fx.Field, Any]:
    """Fields u, v, phi and the density of an exact beam in the plane (theory, section 7)."""
    u = fx.Field(f"u{suffix}", length=length)
    v, phi = fx.Field(f"v{suffix}", spine=u), fx.Field(f"phi{suffix}", spine=u)
    rho, J, EA, kGA, EI = (fx.Parameter(name) for name in SECTION)
    stretch = (1 + u.x) * fx.cos(phi) + v.x * fx.sin(phi) - 1
    shear = -(1 + u.x) * fx.sin(phi) + v.x * fx.cos(phi)
    moving = rho * (u.t**2 + v.t**2) / 2 + J * phi.t**2 / 2
    return u, v, phi, moving - EA * stretch**2 / 2 - kGA * shear**2 / 2 - EI * phi.x**2 / 2


def cantilever() -> fx.Equations:
    """Held at 0; at its end a compression C along -x, a force P along y and a moment M."""
    u, v, phi, density = spine()
    work = {u.at("L"): "-C", v.at("L"): "P", phi.at("L"): "M"}
    return fx.derive(fx.Lagrangian(density={u: density}, work=work, boundary={u.at(0): 0, v.at(0): 0, phi.at(0): 0}))


def values(**over: float) -> dict[str, float]:
    return {**SECTION, "L": 1.0, "C": 0.0, "P": 0.0, "M": 0.0, **over}


def shot(P: float, C: float, EA: float, kGA: float, start: float, EI: float = 1.0) -> np.ndarray:
    """u, v, phi at the end of the cantilever of length one, by shooting with the moment at its root."""

    def rates(s: float, z: np.ndarray) -> list[float]:
        _, _, phi, moment = z
        c, d = np.cos(phi), np.sin(phi)
        N, Q = -C * c + P * d, C * d + P * c
        x, y = (1 + N / EA) * c - Q / kGA * d, (1 + N / EA) * d + Q / kGA * c
        return [x, y, moment / EI, -(x * P + y * C)]

    def end(moment: float) -> np.ndarray:
        run = solve_ivp(rates, (0, 1), [0, 0, 0, float(np.squeeze(moment))], "DOP853", rtol=1e-13, atol=1e-14)
        return np.asarray(run.y[:, -1])

    found = root(lambda m: end(m)[3], start, tol=1e-14)
    return end(found.x)[:3] - np.array([1.0, 0.0, 0.0])
