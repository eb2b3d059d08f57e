"""Random systems of rigid and flexible members, for proofs that hold on systems nobody had in mind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

import flexura as fx


@dataclass
class Parts:
    """Energies as they are drawn, term by term."""

    coordinates: list[fx.Coordinate]
    kinetic: Any = 0
    potential: Any = 0
    dissipation: Any = 0
    density: dict[fx.Field, Any] = field(default_factory=dict)
    dissipation_density: dict[fx.Field, Any] = field(default_factory=dict)
    work: dict[Any, Any] = field(default_factory=dict)
    work_density: dict[fx.Field, Any] = field(default_factory=dict)
    boundary: dict[Any, Any] = field(default_factory=dict)
    constraints: list[Any] = field(default_factory=list)
    used: int = 0

    def symbol(self, stem: str) -> fx.Parameter:
        self.used += 1
        return fx.Parameter(f"{stem}{self.used}")

    def lagrangian(self) -> fx.Lagrangian:
        names = ("kinetic", "potential", "dissipation", "density", "dissipation_density", "work", "work_density",
                 "boundary", "constraints")  # fmt: skip
        return fx.Lagrangian(**{name: getattr(self, name) for name in names})


@st.composite
def systems(draw: st.DrawFn) -> fx.Lagrangian:
    """1-4 coordinates, 1-3 members of mixed kinds, springs, dampers, couplings, nonlinear terms, loads, constraints."""
    parts = Parts([fx.Coordinate(f"q{i}") for i in range(1, draw(st.integers(1, 4)) + 1)])
    for q in parts.coordinates:
        parts.kinetic += parts.symbol("m") * q.t**2 / 2
    for _ in range(draw(st.integers(0, 4))):
        draw(st.sampled_from([spring, damper, coupling, pendulum_term, applied]))(parts, draw)
    for i in range(1, draw(st.integers(1, 3)) + 1):
        member(parts, draw, i)
    if draw(st.integers(0, 4)) == 0:
        constraint(parts, draw)
    return parts.lagrangian()


def pick(parts: Parts, draw: st.DrawFn) -> fx.Coordinate:
    return draw(st.sampled_from(parts.coordinates))


def spring(parts: Parts, draw: st.DrawFn) -> None:
    stretch = pick(parts, draw) - draw(st.integers(-1, 1)) * pick(parts, draw)
    parts.potential += parts.symbol("k") * stretch ** draw(st.sampled_from([2, 2, 3, 4]))


def damper(parts: Parts, draw: st.DrawFn) -> None:
    speed = pick(parts, draw).t - draw(st.integers(0, 1)) * pick(parts, draw).t
    parts.dissipation += parts.symbol("c") * speed ** draw(st.sampled_from([2, 2, 4]))


def coupling(parts: Parts, draw: st.DrawFn) -> None:
    a, b, c = pick(parts, draw), pick(parts, draw), pick(parts, draw)
    parts.kinetic += parts.symbol("m") * fx.cos(a - b) * b.t * c.t


def pendulum_term(parts: Parts, draw: st.DrawFn) -> None:
    parts.potential += parts.symbol("g") * fx.sin(pick(parts, draw)) * fx.exp(pick(parts, draw))


def applied(parts: Parts, draw: st.DrawFn) -> None:
    q = pick(parts, draw)
    load = draw(st.sampled_from([parts.symbol("F"), fx.sin(fx.time) * q, q.t * parts.symbol("F")]))
    parts.work[q] = parts.work.get(q, 0) + load


def constraint(parts: Parts, draw: st.DrawFn) -> None:
    a, b = pick(parts, draw), pick(parts, draw)
    parts.constraints.append(draw(st.sampled_from([a**2 + b - fx.sin(fx.time), a.t * fx.sin(b) + b.t * fx.cos(a)])))


def member(parts: Parts, draw: st.DrawFn, i: int) -> None:
    kind = draw(st.sampled_from([bending, rayleigh, timoshenko, rod, karman, pipe]))
    w = fx.Field(f"w{i}", length=f"l{i}")
    fields, density, dissipation = kind(parts, draw, w, i)
    carried = draw(st.sampled_from(["still", "translating", "turning", "quadratic"]))
    v, q = w.t, pick(parts, draw)
    if carried == "translating":
        v = w.t + q.t
    elif carried == "turning":
        v = w.t * fx.cos(q) + fx.x * q.t
        density += parts.symbol("rho") * (q.t * w) ** 2 / 2
    elif carried == "quadratic":
        v = w.t + q.t * q
    density += parts.symbol("rho") * v**2 / 2
    if draw(st.booleans()):
        density -= parts.symbol("k") * w**2 / 2 * draw(st.sampled_from([1, fx.x, fx.cos(q), fx.time]))
    if draw(st.booleans()):
        dissipation += parts.symbol("c") * (w.t - draw(st.integers(0, 1)) * q.t) ** 2 / 2
    if draw(st.booleans()):
        parts.work_density[w] = draw(st.sampled_from([parts.symbol("f"), fx.Input(f"f{i}", of="xt"), w.t * q]))
    parts.density[w] = density
    if dissipation != 0:
        parts.dissipation_density[w] = dissipation
    for one in fields:
        ends(parts, draw, one, slopes=one is w and kind in (bending, rayleigh, karman, pipe))


def stiffness(parts: Parts, draw: st.DrawFn, stem: str) -> Any:
    return parts.symbol(stem) * draw(st.sampled_from([1, 1 - fx.x / 2, fx.exp(-fx.x), 1 + fx.time**2]))


def bending(parts: Parts, draw: st.DrawFn, w: fx.Field, i: int) -> Any:
    EI = stiffness(parts, draw, "EI")
    dissipation = parts.symbol("eta") * w.xxt**2 / 2 if draw(st.booleans()) else 0
    return (w,), -EI * w.xx**2 / 2 - parts.symbol("P") * w.x**2 / 2, dissipation


def rayleigh(parts: Parts, draw: st.DrawFn, w: fx.Field, i: int) -> Any:
    inertia = stiffness(parts, draw, "J")
    return (w,), inertia * w.xt**2 / 2 - stiffness(parts, draw, "EI") * w.xx**2 / 2, 0


def timoshenko(parts: Parts, draw: st.DrawFn, w: fx.Field, i: int) -> Any:
    phi = fx.Field(f"phi{i}", spine=w)
    shear = stiffness(parts, draw, "kGA") * (w.x - phi) ** 2
    bent = stiffness(parts, draw, "EI") * phi.x**2
    dissipation = parts.symbol("eta") * phi.xt**2 / 2 if draw(st.booleans()) else 0
    return (w, phi), (parts.symbol("J") * phi.t**2 - shear - bent) / 2, dissipation


def rod(parts: Parts, draw: st.DrawFn, w: fx.Field, i: int) -> Any:
    return (w,), -stiffness(parts, draw, "EA") * w.x ** draw(st.sampled_from([2, 2, 4])) / 2, 0


def karman(parts: Parts, draw: st.DrawFn, w: fx.Field, i: int) -> Any:
    u = fx.Field(f"u{i}", spine=w)
    stretched = parts.symbol("EA") * (u.x + w.x**2 / 2) ** 2 / 2
    return (w, u), parts.symbol("rho") * u.t**2 / 2 - stretched - parts.symbol("EI") * w.xx**2 / 2, 0


def pipe(parts: Parts, draw: st.DrawFn, w: fx.Field, i: int) -> Any:
    U = parts.symbol("U")
    return (w,), U * w.t * w.x + U**2 * w.x**2 / 2 - parts.symbol("EI") * w.xx**2 / 2, 0


def ends(parts: Parts, draw: st.DrawFn, w: fx.Field, slopes: bool) -> None:
    for place in (w.spine.start, w.spine.end):
        for value in (w.at, w.slope)[: 2 if slopes else 1]:
            an_end(parts, draw, value, place)


def an_end(parts: Parts, draw: st.DrawFn, value: Any, place: Any) -> None:
    q, r = pick(parts, draw), pick(parts, draw)
    choice = draw(st.sampled_from(["free", "loaded", "heavy", "held", "is", "difference", "nonlinear", "moved"]))
    if choice == "loaded":
        parts.work[value(place)] = parts.symbol("F")
    elif choice == "heavy":
        b = value(place)
        parts.kinetic += parts.symbol("m") * (b.t + q.t) ** 2 / 2
        parts.potential += parts.symbol("k") * (b - q) ** 2 / 2
        parts.dissipation += parts.symbol("c") * b.t**2 / 2
    elif choice != "free":
        given = {"held": 0, "is": q, "difference": q - r, "nonlinear": fx.sin(q) * r, "moved": q + fx.sin(fx.time)}
        parts.boundary[value(place)] = given[choice]
