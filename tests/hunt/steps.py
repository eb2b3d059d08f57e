"""Members that step or taper steeply: each certified frequency is a sign change of the direct determinant."""

from __future__ import annotations

import re

import flint
import numpy as np

import flexura as fx
from hunt.direct import Direct
from hunt.draw import Draw
from hunt.machine import GROUND, Along, Machine
from hunt.trial import Disagreement, Trial

_BITS = 600
_DEGREES = (30, 46)  # steep tapers need the second


def steps(number: int) -> Trial:
    """One beam or rod of two or three pieces, stiffness ratios to 1e12, on supports of every kind."""
    draw = Draw(number)
    machine = Machine()
    kind, length = draw.pick(["EulerBernoulliBeam", "EulerBernoulliBeam", "RayleighBeam", "Rod"]), draw.size(0.5, 2)
    stiff = _taper(draw, length) if draw.chance(0.3) else _stepped(draw, length)
    numbers = {"EA": stiff} if kind == "Rod" else {"EI": stiff}
    if kind == "RayleighBeam":
        numbers["rotary_inertia"] = draw.size(1e-3, 1e-2)
    machine.part("b", kind, rho=draw.size(0.3, 3), length=length, **numbers)
    machine.join(draw.pick(["Fixed", "Fixed", "Pin"]), GROUND, ("b", 0.0))
    if draw.chance(0.5):
        machine.part("m", "Mass", m=draw.size(0.1, 3))
        machine.join("Fixed", ("b", length), ("m",))
    elif draw.chance(0.4) and kind != "Rod":
        machine.join("Pin", GROUND, ("b", length))
    asked = _Certified(machine)
    return Trial("steps", number, machine.script, frozenset(machine.kinds()), {"certificate": asked.frequencies})


def _stepped(draw: Draw, length: float) -> Along:
    cuts = sorted(round(length * draw.uniform(0.15, 0.85), 3) for _ in range(draw.integer(1, 2)))
    sizes = [10 ** draw.uniform(0, 12) for _ in range(len(cuts) + 1)]
    pieces = [f"({size!r}, x < {at!r})" for size, at in zip(sizes, cuts, strict=False)]
    text = f"Piecewise({', '.join(pieces)}, ({sizes[-1]!r}, True))"
    return Along(text, lambda s: sizes[sum(s >= at for at in cuts)], tuple(cuts))


def _taper(draw: Draw, length: float) -> Along:
    power, tip, size = draw.pick([1, 2, 3]), draw.pick([0.3, 0.1, 0.03]), draw.size(1, 1e6)
    slope = (1 - tip) / length
    # The polynomials of the direct solution converge by how near the point is at which the taper would end: pieces
    # that double in width from the tip on keep it as far away as each is long.
    graded = sorted((1 - tip * 2**k) / slope for k in range(1, 8) if tip * 2**k < 0.7)
    return Along(f"{size!r}*(1 - {slope!r}*x)**{power}", lambda s: size * (1 - slope * s) ** power, tuple(graded))


class _Certified:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._direct: dict[int, Direct] = {}

    def frequencies(self) -> str | None:
        model, _ = self.machine.built()
        modes = fx.modes(fx.derive(model), 4)
        if not modes.certificate:
            return str(modes.certificate)
        width = max(_width(str(modes.certificate)), 1e-9)
        for k, omega in enumerate(modes.frequencies):
            if omega == 0 or np.any(np.abs(np.delete(modes.frequencies, k) / omega - 1) < 4 * width):
                continue
            if not any(self._changes(degree, omega, width) for degree in _DEGREES):
                raise Disagreement(f"omega = {omega:.12g} lies not within {width:.1e} of a root; {modes.certificate}")
        return None

    def _changes(self, degree: int, omega: float, width: float) -> bool:
        """Whether the direct determinant changes its sign within this width of a frequency."""
        if degree not in self._direct:
            self._direct[degree] = Direct(self.machine, degree)
        direct = self._direct[degree]
        signs = [_sign(direct, omega * (1 + side * width)) for side in (-1, 1)]
        return 0 not in signs and signs[0] != signs[1]


def _width(text: str) -> float:
    """The width a certificate states."""
    found = re.search(r"within (\S+?) of each", text)
    return float(found[1]) if found else 1e-9


def _sign(direct: Direct, omega: float) -> int:
    """The sign of the determinant of the dynamic stiffness with all conditions."""
    A = direct.conditions
    n, m = direct.size, len(A)
    whole = np.zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, :n] = direct.K - omega**2 * direct.M, A.T, A
    flint.ctx.prec = _BITS
    value = flint.arb_mat(n + m, n + m, [flint.arb(one) for one in whole.ravel()]).det()
    return 1 if value > 0 else -1 if value < 0 else 0
