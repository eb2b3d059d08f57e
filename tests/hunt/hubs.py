"""Bodies without inertia between pins: what nothing depends on is left out, by name; the rest is as without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg

import flexura as fx
from hunt.direct import Direct, Relative
from hunt.draw import Draw
from hunt.machine import GROUND, Machine, Place
from hunt.trial import Disagreement, Trial, agree, heard


def hubs(number: int) -> Trial:
    """One to three beams in a row on supports, hinged together by hubs that have no inertia."""
    asked = _Hubs(Draw(number))
    checks = {"modes": asked.modes, "response": asked.response, "named": asked.named}
    return Trial("hubs", number, asked.machine.script, frozenset(asked.machine.kinds()), checks)


class _Hubs:
    """The machine with its hubs, and a plain one: a pin for a hub without mass, a particle for one with mass."""

    def __init__(self, draw: Draw) -> None:
        self.machine, self.plain = Machine(), Machine()
        self.hubs: list[str] = []
        count, self.late = draw.integer(1, 3), draw.chance(0.5)
        before: Place = GROUND
        for i in range(count):
            name, length = f"b{i}", draw.size(0.5, 2)
            kind = draw.pick(["EulerBernoulliBeam", "EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam"])
            numbers = {"EI": draw.size(1, 50), "rho": draw.size(0.3, 3), "length": length}
            if kind != "EulerBernoulliBeam":
                numbers["rotary_inertia"] = draw.size(1e-3, 1e-2)
            if kind == "TimoshenkoBeam":
                numbers["kGA"] = draw.size(200, 2000)
            for machine in (self.machine, self.plain):
                machine.part(name, kind, **numbers)
            if i:
                self._hub(draw, before, (name, 0.0))
            else:
                self._both(draw.pick(["Fixed", "Pin"]), GROUND, (name, 0.0))
            before = (name, length)
        if draw.chance(0.5) or count == 1:
            self._hub(draw, before, None)
        self._both(draw.pick(["Fixed", "Pin"]), before, GROUND)
        self.load: Place = ("b0", round(self.machine.length("b0") * draw.uniform(0.3, 0.7), 3))
        self.machine.load("Force", self.load, value="F")
        self.plain.load("Force", self.load, value="F")
        self.omega = draw.uniform(0.2, 0.9)

    def _both(self, kind: str, p: Place, q: Place) -> None:
        self.machine.join(kind, p, q)
        self.plain.join(kind, p, q)

    def _hub(self, draw: Draw, p: Place, q: Place | None) -> None:
        """A hub on a pin at p; on another one at q, or with nothing else."""
        name = f"hub{len(self.hubs)}"
        self.hubs.append(name)
        m = draw.pick([0.0, draw.size(0.1, 2)])
        inertia = f"I_{name}" if self.late else 0
        self.machine.part(name, "RigidBody", m=m, I=inertia)
        self.machine.join("Pin", p, (name,))
        if m:
            self.plain.part(name, "Mass", m=m)
            self.plain.join("Pin", p, (name,))
        if q is not None:
            self.machine.join("Pin", (name,), q)
            self.plain.join("Pin", (name,) if m else p, q)

    @property
    def values(self) -> dict[str, float]:
        """Inertias that are zero only when numbers are in."""
        return {f"I_{name}": 0.0 for name in self.hubs} if self.late else {}

    def _equations(self) -> fx.Equations:
        return fx.derive(self.machine.built()[0])

    def _frequencies(self) -> tuple[Any, Any]:
        """The first of them, and how far rounding may move each."""
        M, _, K, _ = Direct(self.plain).reduced
        squares = scipy.linalg.eigh(K, M, eigvals_only=True)
        first, rounding = np.maximum(squares[:4], 0.0), 1e-14 * squares[-1]
        return np.sqrt(first), rounding / np.sqrt(first + rounding)

    def modes(self) -> str | None:
        equations, (expected, doubt), noted = self._equations(), self._frequencies(), None
        for method in ("exact", "ritz"):
            with heard() as words:
                found = fx.modes(equations, 4, self.values, method=method)
            words += [] if found.certificate else [str(found.certificate)]
            noted = agree(method, found.frequencies, expected, 1e-6 * expected + doubt, words) or noted
        return noted

    def response(self) -> str | None:
        expected, doubt = self._frequencies()
        omega = self.omega * float(expected[expected > 10 * doubt].min())
        model, parts = self.machine.built()
        place = parts["b0"].at(self.load[1])
        with heard() as words:
            found = fx.frequency_response(fx.derive(model), [omega], "F", place, self.values)
        direct = Direct(self.plain)
        force, row = direct.force("Force", self.load, {}), direct.reading(Relative(self.load, GROUND, (0, 1, 0)))
        (moved,) = direct.response(omega, force, [row])
        return agree("response", np.ravel(found)[0], moved, 1e-6 * abs(moved), words)

    def named(self) -> str | None:
        """Whoever asks is told which motions were left out."""
        equations = self._equations()
        told = str(fx.modes(equations, 2, self.values).certificate) if self.late else equations.steps[3].text
        missing = [name for name in self.hubs if name not in told]
        if missing:
            raise Disagreement(f"Nothing is said of the turn of {', '.join(missing)}: {told}")
        return None
