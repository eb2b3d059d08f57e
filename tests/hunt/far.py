"""Members that bend far, alone and with joints on them: what small deflections miss is told, with its size.

Both are held against chains of rigid links with springs, which bend as far as they like (`links.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

import flexura as fx
from hunt.draw import Draw
from hunt.links import Link, Links, beam, refined
from hunt.machine import along
from hunt.trial import Disagreement, Skipped, Trial, agree, heard

_MISSED = 0.015  # of the deflection: what a member within its theory may be off
_SMALL = 0.11  # of the length, beyond which a word is due
_TIMES = 3.0  # how far a stated error may fall short of the true one


def far(number: int) -> Trial:
    """A cantilever, with a mass at its end or none, deflected by 0.003 to 1.5 of its length."""
    asked = _Far(Draw(number))
    checks = {"equilibrium": asked.equilibrium, "simulate": asked.simulate}
    return Trial("far", number, asked.script, frozenset({"EulerBernoulliBeam", "Mass", "Force", "Torque"}), checks)


def hinged(number: int) -> Trial:
    """Two flexible links with a joint between them, driven by a torque at the root."""
    asked = _Hinged(Draw(number))
    return Trial("hinged", number, asked.script, frozenset({"Revolute", "Torque"}), {"simulate": asked.simulate})


class _Far:
    def __init__(self, draw: Draw) -> None:
        self.EI, self.rho, self.length = draw.size(0.5, 50), draw.size(0.2, 2), draw.size(0.4, 3)
        self.mass = draw.pick([0.0, draw.size(0.1, 3)]) * self.rho * self.length
        self.kind = draw.pick(["Force", "Force", "Torque", "DistributedForce"])
        self.share = draw.size(0.003, 1.5) * draw.pick([-1, 1])  # of the length, by small deflections, at rest
        factor = {"Force": 3 / self.length**2, "Torque": 2 / self.length, "DistributedForce": 8 / self.length**3}
        self.load = factor[self.kind] * self.EI * self.share

    @property
    def script(self) -> str:
        return (
            f"EI={self.EI} rho={self.rho} length={self.length} mass={self.mass} {self.kind}={self.load} at the end or"
            f" along a cantilever: w/L = {self.share} at rest"
        )

    def _built(self) -> tuple[Any, fx.Equations]:
        one = fx.EulerBernoulliBeam("b", EI=self.EI, rho=self.rho, length=self.length, field="w")
        things: list[Any] = [fx.Fixed(fx.ground, one.start)]
        if self.mass:
            things.append(fx.Fixed(one.end, fx.Mass("m", m=self.mass)))
        place = one if self.kind == "DistributedForce" else one.end
        return one, fx.derive(fx.Model(*things, getattr(fx, self.kind)(place, "P")))

    def _links(self, count: int) -> Links:
        bars, springs = beam(count, self.EI, self.rho, self.length, first=0)
        last = bars[-1]
        bars[-1] = Link(last.length, last.mass, last.inertia, tip=self.mass)
        at_end = {count - 1: lambda _: self.load} if self.kind == "Torque" else {}
        force = (0.0, self.load if self.kind == "Force" else 0.0)
        spread = self.load if self.kind == "DistributedForce" else 0.0
        return Links(bars, springs, force=force, spread=spread, torques=at_end)

    def equilibrium(self) -> str | None:
        _, equations = self._built()
        with heard() as words:
            rest = fx.equilibrium(equations, {"P": self.load})
        deflection = along(rest["w"], self.length)
        true, doubt = refined(lambda count: self._links(count).end(self._links(count).rest())[1], 40)
        return _Beside(self.length, deflection, doubt, [*words, *rest.notes]).compared({"w": (deflection, true)})

    def simulate(self) -> str | None:
        """From rest under the load at once: the first swing."""
        one, equations = self._built()
        first = math.sqrt(3 * self.EI / self.length**3 / (self.mass + 0.24 * self.rho * self.length))
        t = np.linspace(0, 2 * math.pi / first, 9)
        with heard() as words:
            run = fx.simulate(equations, t, inputs={"P": self.load})
        true, doubt = refined(lambda count: self._moved(count, t), 10)
        found, w = run.position(one.end)[:, :2], np.asarray(run.place(one, self.length)).ravel()
        words += [*run.notes, run.message]
        return _Beside(self.length, float(np.abs(w).max()), doubt, words).compared(
            {"w": (w, true[:, 1]), "position": (found, true)}
        )

    def _moved(self, count: int, t: Any) -> Any:
        chain = self._links(count)
        return chain.end(chain.motion([0.0] * count, [0.0] * count, t, 1e-8))


@dataclass(frozen=True)
class _Beside:
    """Answers of a member beside those of links, and what was said."""

    length: float
    deflection: float
    doubt: float
    words: Iterable[str]

    def compared(self, pairs: dict[str, tuple[Any, Any]]) -> str | None:
        size = abs(self.deflection)
        if self.doubt > 0.3 * _MISSED * size:
            raise Skipped("The links are too few.")
        noted = None
        for what, (found, true) in pairs.items():
            noted = agree(what, found, true, _MISSED * size + 3 * self.doubt, _told(self.words)) or noted
            missed = float(np.abs(np.asarray(found) - true).max()) / size
            stated = max((_size(one) for one in _told(self.words)), default=0.0)
            if stated and missed > _TIMES * stated + _MISSED:
                raise Disagreement(f"{what}: off by {missed:.2g} of the deflection, where {stated:.1g} was stated.")
        if size > _SMALL * self.length and not _told(self.words):
            raise Disagreement(f"A deflection of {size / self.length:.2g} of the length, and no word.")
        return noted


def _told(words: Iterable[str]) -> list[str]:
    return [one for one in words if "of the deflection" in one or "inertia" in one]


def _size(note: str) -> float:
    found = re.search(r"off by about (\S+) of the deflection", note)
    return float(found[1]) if found else 1.0


class _Hinged:
    def __init__(self, draw: Draw) -> None:
        self.hub, self.elbow = draw.size(0.05, 0.5), (draw.size(0.05, 0.5), draw.size(0.02, 0.2))
        self.EI, self.rho = (draw.size(10, 60), draw.size(10, 60)), draw.size(0.2, 0.8)
        self.lengths = draw.size(0.6, 1.2), draw.size(0.6, 1.2)
        self.torque, self.end = draw.size(0.01, 10), draw.size(0.15, 0.3)

    @property
    def script(self) -> str:
        return "\n".join(f"{name}={value!r}" for name, value in vars(self).items())

    def _built(self) -> tuple[Any, fx.Equations]:
        hub, elbow = fx.RigidBody("hub", m=1.0, I=self.hub), fx.RigidBody("elbow", m=self.elbow[0], I=self.elbow[1])
        first, second = (
            fx.EulerBernoulliBeam(name, EI=EI, rho=self.rho, length=length)
            for name, EI, length in zip(("first", "second"), self.EI, self.lengths, strict=True)
        )
        joints = fx.Revolute(fx.ground, hub, name="p1"), fx.Revolute(first.end, elbow, name="p2")
        welds = fx.Fixed(hub, first.start), fx.Fixed(elbow, second.start)
        return first, fx.derive(fx.Model(*joints, *welds, fx.Torque(hub, "tau")))

    def _links(self, count: int) -> Links:
        one, between = beam(count, self.EI[0], self.rho, self.lengths[0], first=1, root=0)
        two, beyond = beam(count, self.EI[1], self.rho, self.lengths[1], first=count + 2, root=count + 1)
        elbow = Link(0.0, self.elbow[0], self.elbow[1])
        torques = {0: lambda _: self.torque}
        return Links([Link(0.0, 1.0, self.hub), *one, elbow, *two], [*between, *beyond], torques=torques)

    def _moved(self, count: int, t: Any) -> Any:
        """The root's angle, and the deflection of the first link's end across it."""
        chain = self._links(count)
        n = len(chain.links)
        phi = chain.motion([0.0] * n, [0.0] * n, t, 1e-8)
        x, y = chain.end(phi, count + 1).T
        return np.stack([phi[:, 0], y * np.cos(phi[:, 0]) - x * np.sin(phi[:, 0])])

    def simulate(self) -> str | None:
        first, equations = self._built()
        t = np.linspace(0, self.end, 7)
        with heard() as words:
            run = fx.simulate(equations, t, inputs={"tau": self.torque}, order=4, tolerance=1e-6)
        words += [*run.notes, run.message]
        if not run.complete:
            return run.message
        (angle, w), doubt = refined(lambda count: self._moved(count, t), 8)
        size = float(np.abs(w).max())
        arc = self.lengths[0] * (run["p1"] - angle)
        found = np.asarray(run.place(first, self.lengths[0])).ravel()
        return _Beside(self.lengths[0], size, doubt, words).compared({"w": (found, w), "p1": (arc, 0 * arc)})
