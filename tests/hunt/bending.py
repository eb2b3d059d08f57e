"""Members that bend as far as they like, clamped or hinged at their bare root, beside chains of rigid links."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import flexura as fx
from hunt.draw import Draw
from hunt.links import Link, Links, beam, refined
from hunt.trial import Skipped, Trial, agree, heard

_OFF = 0.004  # of the length
_COUNT = 10


def bending(number: int) -> Trial:
    """An exact beam that neither stretches nor shears, let go in its weight, a mass at its end or none."""
    asked = _Bending(Draw(number))
    return Trial("bending", number, asked.script, frozenset({"ExactBeam", "Pin"}), {"simulate": asked.simulate})


class _Bending:
    def __init__(self, draw: Draw) -> None:
        self.rho, self.length = draw.size(0.2, 2), draw.size(0.4, 3)
        self.hinged = draw.pick([True, False])
        self.mass = draw.pick([0.0, draw.size(0.1, 1)]) * self.rho * self.length
        self.EI = draw.size(0.15, 3) * 9.81 * self.rho * self.length**3

    @property
    def script(self) -> str:
        held = "hinged" if self.hinged else "clamped"
        return f"{held} EI={self.EI} rho={self.rho} length={self.length} mass={self.mass}, let go in its weight"

    def simulate(self) -> str | None:
        """The first swing of a pendulum of the same length."""
        one = fx.ExactBeam("b", EI=self.EI, rho=self.rho, length=self.length)
        held = (fx.Pin if self.hinged else fx.Fixed)(fx.ground, one.start)
        tip = [fx.Fixed(one.end, fx.Mass("m", m=self.mass))] if self.mass else []
        t = np.linspace(0, 0.4 * math.pi * math.sqrt(self.length / 9.81), 7)
        with heard() as words:
            model = fx.Model(held, *tip, fx.Gravity())
            run = fx.simulate(fx.derive(model), t, order=6, elements=1, tolerance=1e-4)
        true, doubt = refined(lambda count: self._moved(count, t), _COUNT)
        if doubt > 0.3 * _OFF * self.length:
            raise Skipped("The links are too few.")
        words += [*run.notes, run.message]
        return agree("position", run.position(one.end)[:, :2], true, _OFF * self.length + 3 * doubt, words)

    def _moved(self, count: int, t: Any) -> Any:
        bars, springs = beam(count, self.EI, self.rho, self.length, 0)
        bars[-1] = Link(bars[-1].length, bars[-1].mass, bars[-1].inertia, tip=self.mass)
        chain = Links(bars, springs[1:] if self.hinged else springs, g=9.81)
        return chain.end(chain.motion([0.0] * count, [0.0] * count, t, 1e-8))
