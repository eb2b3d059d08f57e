"""Chains of rigid bodies on joints of every kind: accelerations and motion against Jacobians by complex steps.

Nothing of the package is used on the other side: joints are written as successive turns of a rotation matrix, speeds
come from their derivatives in complex arithmetic, which are exact to rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Trial, agree, heard

_STEP = 1e-30
E = dict(zip("xyz", np.eye(3), strict=True))
_NEXT = {"x": "yz", "y": "zx", "z": "xy"}


def turned(axis: Any, angle: Any) -> Any:
    """Rodrigues' formula; complex angles are welcome."""
    x, y, z = axis
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


@dataclass(frozen=True)
class Chained:
    """A body and the joint that carries it: its kind, its axis, where it sits on its parent and on the body."""

    kind: str
    axis: str
    parent: int
    on_parent: tuple[float, float, float]
    on_body: tuple[float, float, float]
    m: float
    inertia: tuple[float, float, float]
    angle: float
    at: int

    @property
    def count(self) -> int:
        """How many coordinates the joint has."""
        return {"Slide": 1, "Revolute": 1, "Universal": 2, "Cylindrical": 2}.get(
            self.kind, 6 if self.kind == "Free" else 3
        )

    def pose(self, q: Any) -> tuple[Any, Any]:
        """From p to q, and how q is turned, in p's axes."""
        e, (u, v) = E[self.axis], (E[one] for one in _NEXT[self.axis])
        still = turned(e, self.angle)
        if self.kind == "Slide":
            return q[0] * e, still
        if self.kind == "Revolute":
            return np.zeros(3), turned(e, q[0]) @ still
        if self.kind == "Cylindrical":
            return q[0] * e, turned(e, q[1]) @ still
        if self.kind == "Planar":
            return q[0] * u + q[1] * v, turned(e, q[2]) @ still
        if self.kind == "Universal":
            return np.zeros(3), turned(e, q[0]) @ turned(u, q[1])
        ball = turned(E["z"], q[-3]) @ turned(E["y"], q[-2]) @ turned(E["x"], q[-1])
        return (np.array(q[:3]) if self.kind == "Free" else np.zeros(3)), ball


class Chain:
    """Bodies by their joints, loads as functions of where everything is."""

    def __init__(self, bodies: list[Chained], gravity: Any) -> None:
        self.bodies, self.gravity = bodies, np.asarray(gravity)
        self.n = sum(one.count for one in bodies)
        self.loads: list[Callable[[Any, Any], Any]] = []  # generalized forces of (q, v)
        self.ties: Callable[[Any], Any] = lambda q: np.zeros((0, self.n))  # ties(q) @ v = 0

    def poses(self, q: Any) -> list[tuple[Any, Any]]:
        """Mass centres and rotation matrices."""
        found: list[tuple[Any, Any]] = []
        for one in self.bodies:
            where, axes = found[one.parent] if one.parent >= 0 else (np.zeros(3), np.eye(3))
            shift, inner = one.pose(q[one.at : one.at + one.count])
            rotation = axes @ inner
            found.append(
                (where + axes @ (np.array(one.on_parent) + shift) - rotation @ np.array(one.on_body), rotation)
            )
        return found

    def jacobians(self, q: Any) -> list[tuple[Any, Any]]:
        """dr/dq and the partial spins of every body, exact to rounding; q may be complex itself."""
        columns: list[list[tuple[Any, Any]]] = [[] for _ in self.bodies]
        here = self.poses(q)
        for i in range(self.n):
            step = np.zeros(self.n)
            step[i] = 1.0
            for k, (r, turn) in enumerate(self._along(q, step)):
                columns[k].append((r, _axial(turn @ here[k][1].T)))
        return [(np.array([r for r, _ in one]).T, np.array([w for _, w in one]).T) for one in columns]

    def _along(self, q: Any, v: Any) -> list[tuple[Any, Any]]:
        """Derivatives of the poses along v, by differences of high order where q is complex already."""
        if np.iscomplexobj(q):
            weights, total = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}, None
            for k, w in weights.items():
                ahead, behind = self.poses(q + k * 2e-3 * v), self.poses(q - k * 2e-3 * v)
                part = [
                    tuple(w * (a - b) / 2e-3 for a, b in zip(x, y, strict=True))
                    for x, y in zip(ahead, behind, strict=True)
                ]
                total = (
                    part
                    if total is None
                    else [tuple(a + b for a, b in zip(x, y, strict=True)) for x, y in zip(total, part, strict=True)]
                )
            assert total is not None
            return total  # type: ignore[return-value]
        return [(r.imag / _STEP, turn.imag / _STEP) for r, turn in self.poses(q + 1j * _STEP * v)]

    def accelerations(self, q: Any, v: Any) -> Any:
        """Newton and Euler of every body, projected on what the joints leave free."""
        mass, force = self.balance(q, v)
        ties, bent = np.real(self.ties(q)), np.imag(self.ties(q + 1j * _STEP * v)) / _STEP
        whole = np.block([[mass, ties.T], [ties, np.zeros((len(ties),) * 2)]])
        return np.linalg.solve(whole, np.concatenate([force, -bent @ v]))[: self.n]

    def rolls(self, radius: float, axis: str | None) -> Callable[[Any], Any]:
        """The speed of the point of the first body that touches a plane across z."""

        def ties(q: Any) -> Any:
            (_, turn), (jr, jw) = self.poses(q)[0], self.jacobians(q)[0]
            below = E["z"] + 0 * q[0]
            if axis is not None:
                axle = turn @ E[axis]
                below = below - (below @ axle) * axle
                below = below / np.sqrt(below @ below)
            return jr - np.cross(jw, radius * below, axis=0)

        return ties

    def balance(self, q: Any, v: Any) -> tuple[Any, Any]:
        """The mass matrix and what drives it."""
        here, jacobians = self.poses(q), self.jacobians(q)
        bent = self.jacobians(q + 1j * _STEP * v)
        mass, force = np.zeros((self.n, self.n)), np.zeros(self.n)
        for one, (_, turn), (jr, jw), (br, bw) in zip(self.bodies, here, jacobians, bent, strict=True):
            inertia = turn @ np.diag(one.inertia) @ turn.T
            spin = jw @ v
            mass += one.m * jr.T @ jr + jw.T @ inertia @ jw
            force += one.m * jr.T @ (self.gravity - br.imag / _STEP @ v)
            force -= jw.T @ (inertia @ (bw.imag / _STEP @ v) + np.cross(spin, inertia @ spin))
        return mass, force + sum((load(q, v) for load in self.loads), np.zeros(self.n))

    def motion(self, q: Any, v: Any, t: Any) -> Any:
        """Coordinates over time."""
        start = np.concatenate([q, v])

        def rate(_: float, y: Any) -> Any:
            return np.concatenate([y[self.n :], self.accelerations(y[: self.n], y[self.n :])])

        return solve_ivp(rate, (t[0], t[-1]), start, "DOP853", t_eval=t, rtol=1e-10, atol=1e-11).y[: self.n].T


def _axial(m: Any) -> Any:
    return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / 2


def chains(number: int) -> Trial:
    """One to three bodies, each on the one before or on ground."""
    asked = _Asked(Draw(number))
    kinds = frozenset({"RigidBody", "Gravity", *(one.kind for one in asked.bodies), *asked.more})
    checks = {"accelerations": asked.accelerations, "simulate": asked.simulate}
    return Trial("chains", number, asked.script, kinds, checks)


KINDS = ("Slide", "Revolute", "Universal", "Cylindrical", "Planar", "Spherical", "Free")


class _Asked:
    def __init__(self, draw: Draw) -> None:
        self.bodies: list[Chained] = []
        for i in range(draw.integer(1, 3)):
            kind = draw.pick(KINDS[: 6 if i else 7])
            at = sum(one.count for one in self.bodies)
            places = [tuple(round(draw.uniform(-0.7, 0.7), 2) for _ in range(3)) for _ in range(2)]
            inertia = [draw.size(0.05, 0.5) for _ in range(2)]
            tensor = (*inertia, round(sum(inertia) * draw.uniform(0.7, 0.95), 4))
            angle = round(draw.uniform(-2, 2), 2) if kind in ("Slide", "Revolute", "Cylindrical", "Planar") else 0.0
            self.bodies.append(
                Chained(kind, draw.pick("xyz"), i - 1, places[0], places[1], draw.size(0.2, 3), tensor, angle, at)
            )
        self.g = (*(round(draw.uniform(-6, 6), 1) for _ in range(2)), -draw.size(1, 10))
        self.n = sum(one.count for one in self.bodies)
        self.q = np.array([round(draw.uniform(-0.9, 0.9), 2) for _ in range(self.n)])
        self.v = np.array([round(draw.uniform(-1.5, 1.5), 2) for _ in range(self.n)])

        self.gear: tuple[int, int, float, float] | None = None
        self.rolling: tuple[float, str | None] | None = None
        if len(self.bodies) == 1 and self.bodies[0].kind == "Free":
            self.rolling = (draw.size(0.2, 1), draw.pick(["x", "y", "z", None]))
            self.bodies[0] = replace(self.bodies[0], on_parent=(0.0, 0.0, 0.0), on_body=(0.0, 0.0, 0.0))
            tied = self._chain().ties(self.q)
            self.v = self.v - np.linalg.pinv(tied) @ tied @ self.v
        elif self.n > 1 and draw.chance(0.5):
            i = draw.integer(0, self.n - 2)
            j = draw.integer(i + 1, self.n - 1)
            ratio = round(draw.uniform(0.4, 2.5) * draw.pick([-1, 1]), 2)
            self.gear = (i, j, ratio, draw.pick([0.0, draw.size(1, 50)]))
            if not self.gear[3]:
                self.q[i], self.v[i] = self.gear[2] * self.q[j], self.gear[2] * self.v[j]

    @property
    def script(self) -> str:
        return "\n".join(map(repr, (*self.bodies, self.g, self.gear, self.rolling, self.q.tolist(), self.v.tolist())))

    @property
    def more(self) -> list[str]:
        """What is drawn besides bodies and joints."""
        return [*(["Gear"] if self.gear else []), *(["Rolling"] if self.rolling else [])]

    @property
    def names(self) -> list[str]:
        return [f"q{i}" for i in range(self.n)]

    def _equations(self) -> fx.Equations:
        made: list[Any] = []
        things: list[Any] = []
        for i, one in enumerate(self.bodies):
            body = fx.RigidBody(f"b{i}", m=one.m, I=one.inertia)
            carrier = made[one.parent] if one.parent >= 0 else fx.ground
            things.append(self._joint(one, carrier.at(*one.on_parent), body.at(*one.on_body)))
            made.append(body)
        if self.rolling:
            things.append(fx.Rolling(made[0], self.rolling[0], normal="z", axis=self.rolling[1]))
        if self.gear:
            i, j, ratio, k = self.gear
            things.append(fx.Gear(self.names[i], self.names[j], ratio, k=k or None))
        size = float(np.linalg.norm(self.g))
        return fx.derive(fx.Model(*things, fx.Gravity(size, along=self.g)))

    def _joint(self, one: Chained, p: Any, q: Any) -> Any:
        names = tuple(self.names[one.at : one.at + one.count])
        if one.kind == "Slide":
            return fx.Slide(p, q, along=one.axis, name=names[0], angle=one.angle, about=one.axis)
        if one.kind == "Revolute":
            return fx.Revolute(p, q, about=one.axis, name=names[0], angle=one.angle)
        if one.kind == "Cylindrical":
            return fx.Cylindrical(p, q, along=one.axis, names=names, angle=one.angle)
        if one.kind == "Planar":
            return fx.Planar(p, q, normal=one.axis, names=names, angle=one.angle)
        if one.kind == "Universal":
            return fx.Universal(p, q, about=(one.axis, _NEXT[one.axis][0]), names=names)
        return (fx.Free if one.kind == "Free" else fx.Spherical)(p, q, names=names)

    def _chain(self) -> Chain:
        chain = Chain(self.bodies, self.g)
        if self.rolling:
            chain.ties = chain.rolls(*self.rolling)
        if self.gear:
            i, j, ratio, k = self.gear
            row = np.zeros(self.n)
            row[i], row[j] = 1.0, -ratio
            if k:
                chain.loads.append(lambda q, _: -k * row * (row @ q))
            else:
                chain.ties = lambda q: row[None] + 0 * q[0]
        return chain

    def accelerations(self) -> str | None:
        state = dict(zip(self.names, self.q, strict=True)) | {
            f"{n}_t": x for n, x in zip(self.names, self.v, strict=True)
        }
        found = fx.accelerations(self._equations(), state)
        expected = self._chain().accelerations(self.q, self.v)
        return agree("accelerations", [found[one] for one in self.names], expected, 1e-8 * (1 + np.abs(expected).max()))

    def simulate(self) -> str | None:
        t = np.linspace(0, 0.5, 6)
        start = dict(zip(self.names, self.q, strict=True)) | {
            f"{n}_t": x for n, x in zip(self.names, self.v, strict=True)
        }
        with heard() as words:
            run = fx.simulate(self._equations(), t, initial=start, tolerance=1e-9)
        expected = self._chain().motion(self.q, self.v, t)
        found = np.stack([run[one] for one in self.names], axis=1)
        return agree("motion", found, expected, 1e-5 * (1 + np.abs(expected).max()), [*words, *run.notes, run.message])
