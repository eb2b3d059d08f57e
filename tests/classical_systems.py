"""The classical systems whose frequencies are known, each written once: for every way to find them.

>>> equations, values, count = CLASSICAL["cantilever with a tip body"]()
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values

System = tuple[fx.Equations, dict[str, Any], int]
g = fx.ground
CLASSICAL: dict[str, Callable[[], System]] = {}


def beam(name: str = "b", **more: Any) -> fx.EulerBernoulliBeam:
    return fx.EulerBernoulliBeam(name, **{"EI": 1.0, "rho": 1.0, "length": 1.0, **more})


def system(*parts: Any, count: int = 6, values: dict[str, Any] | None = None, **more: Any) -> System:
    return fx.derive(fx.Model(*parts, **more)), values or {}, count


def classical(name: str) -> Callable[[Callable[[], System]], Callable[[], System]]:
    def keep(make: Callable[[], System]) -> Callable[[], System]:
        CLASSICAL[name] = make
        return make

    return keep


def _held(end: Any, how: str) -> list[Any]:
    return {"clamped": [fx.Fixed(g, end)], "pinned": [fx.Pin(g, end)], "guided": [fx.Slide(g, end)], "free": []}[how]


def _ends(first: str, second: str) -> System:
    b = beam()
    return system(b, *_held(b.start, first), *_held(b.end, second), count=8)


def _rotating(hub: float, speed: float, about: str) -> System:
    body, b = fx.RigidBody("hub", m=1.0, I=1.0), beam()
    turn = fx.Revolute(g, body, about=about, motion="Omega*t")
    return system(turn, fx.Fixed(body.at(hub) if hub else body, b.start), count=4, values={"Omega": speed})


def _compressed(share: float) -> System:
    b = beam(axial_force=-share * math.pi**2)
    return system(fx.Pin(g, b.start), fx.Roller(g, b.end), count=4)


def _joined(k: float) -> System:
    b1, b2 = beam("b1"), beam("b2")
    spring = [fx.Spring(b1.end, b2.end, k=k)] if k else []
    return system(fx.Fixed(g, b1.start), fx.Fixed(g, b2.start), *spring)


def _example_one(b: float, count: int) -> System:
    return fx.derive(example("example-one")), {**example_values("example-one"), "b": b}, count


for first, second in itertools.combinations_with_replacement(("clamped", "pinned", "guided", "free"), 2):
    CLASSICAL[f"{first}-{second}"] = lambda first=first, second=second: _ends(first, second)
for hub, speed, about in itertools.product((0, 1), (3, 12), "yz"):
    name = f"rotating at {speed} about {about}, hub {hub}"
    CLASSICAL[name] = lambda hub=hub, speed=speed, about=about: _rotating(hub, speed, about)
for share in (0.5, 0.9, 0.99):
    CLASSICAL[f"compressed by {share} of the load that buckles it"] = lambda share=share: _compressed(share)
for k in (0, 1e-3, 5):
    CLASSICAL[f"two cantilevers joined by {k:g}"] = lambda k=k: _joined(k)
for b, count in ((0, 6), (4, 6), (400, 5)):
    CLASSICAL[f"Example One, b = {b}"] = lambda b=b, count=count: _example_one(b, count)


@classical("cantilever with a tip body")
def _tip() -> System:
    b, tip = beam(), fx.RigidBody("tip", m=0.7, I=0.03)
    return system(fx.Fixed(g, b.start), fx.Fixed(b.end, tip))


@classical("Timoshenko through its cut-off")
def _timoshenko() -> System:
    b = fx.TimoshenkoBeam("b", EI=1.0, kGA=60.0, rho=1.0, rotary_inertia=0.02, length=1.0)
    return system(fx.Pin(g, b.start), fx.Roller(g, b.end), count=16)


@classical("rod with a mass and a spring")
def _rod() -> System:
    r, m = fx.Rod("r", EA=3.0, rho=2.0, length=1.5), fx.Mass("m", m=0.8)
    return system(fx.Fixed(g, r.start), fx.Fixed(r.end, m), fx.Spring(g, m, k=5.0, along="x"))


@classical("string with a mass in the middle")
def _string() -> System:
    s, m = fx.String("s", tension=7.0, rho=0.5, length=2.0), fx.Mass("m", m=0.4)
    return system(fx.Fixed(g, s.start), fx.Fixed(s.end, g), fx.Fixed(s.at(1.0), m), count=8)


@classical("free shaft with discs")
def _shaft() -> System:
    s = fx.Shaft("s", GJ=4.0, rotary_inertia=0.3, length=1.0)
    d1, d2 = fx.RigidBody("d1", m=1, I=0.5), fx.RigidBody("d2", m=1, I=0.2)
    return system(fx.Fixed(d1, s.start), fx.Fixed(s.end, d2), count=5)


@classical("clamped, pinned in the middle, clamped")
def _poles() -> System:
    b1, b2 = beam("b1"), beam("b2")
    ends = fx.Fixed(g, b1.start), fx.Fixed(b2.end, g)
    return system(*ends, fx.Fixed(b1.end, b2.start), fx.Pin(g, b1.end), count=8)


@classical("hinge between two clamped beams")
def _hinge() -> System:
    a, b = beam("a"), beam("b")
    return system(fx.Fixed(g, a.start), fx.Pin(a.end, b.start), fx.Fixed(b.end, g))


def _steps() -> list[fx.EulerBernoulliBeam]:
    sizes = ((0.4, 3.0, 2.0), (0.35, 1.0, 1.0), (0.5, 0.5, 0.7))
    return [beam(f"b{i}", EI=EI, rho=rho, length=l) for i, (l, EI, rho) in enumerate(sizes)]


@classical("stepped")
def _stepped() -> System:
    parts = _steps()
    return system(fx.Fixed(g, parts[0].start), *(fx.Fixed(a.end, b.start) for a, b in itertools.pairwise(parts)))


@classical("three spans")
def _spans() -> System:
    parts = _steps()
    welds = [fx.Fixed(a.end, b.start) for a, b in itertools.pairwise(parts)]
    return system(fx.Fixed(g, parts[0].start), *welds, *(fx.Pin(g, one.end) for one in parts))


@classical("stepped by a property")
def _piecewise() -> System:
    b = beam(EI="Piecewise((1, x < 0.3), (2, True))", rho="Piecewise((3, x < 0.3), (1, True))")
    return system(fx.Fixed(g, b.start), foreshortening=False)


@classical("tapered")
def _tapered() -> System:
    b = beam(EI=50 * (1 - fx.x / 2), rho=2 * (1 - fx.x / 3))
    return system(fx.Fixed(g, b.start), count=5)


@classical("L-frame")
def _l_frame() -> System:
    b1, b2 = beam("b1", EA=900.0), beam("b2", EA=700.0, length=0.8, EI=1.7)
    turned = fx.Fixed(b1.end, b2.start, angle=-math.pi / 2)
    return system(fx.Fixed(g, b1.start, angle=math.pi / 2), turned, fx.Fixed(b2.end, g), count=8)


@classical("portal")
def _portal() -> System:
    sizes = (("c1", 1.2, 1.0), ("t", 0.9, 2.0), ("c2", 1.2, 1.3))
    c1, t, c2 = (beam(name, length=l, EA=400.0, EI=EI) for name, l, EI in sizes)
    corners = fx.Fixed(c1.end, t.start, angle=-math.pi / 2), fx.Fixed(t.end, c2.start, angle=-math.pi / 2)
    return system(fx.Fixed(g, c1.start, angle=math.pi / 2), *corners, fx.Fixed(c2.end, g), count=8)


def _arm(*more: Any) -> System:
    """A beam with a body at its tip, on a hub that turns: the field is coupled to the angle by an integral."""
    hub, b, tip = fx.RigidBody("hub", m=1.0, I=0.2), beam(EI=20.0, length=0.9), fx.RigidBody("tip", m=0.5, I=0.01)
    turn = fx.Revolute(g, hub, name="theta"), fx.Fixed(hub.at(0.15), b.start), fx.Fixed(b.end, tip.at(-0.1))
    return system(*turn, *(make(hub) for make in more))


@classical("arm on a hub that turns freely")
def _free_arm() -> System:
    return _arm()


@classical("arm on a hub with a spring and a damper")
def _held_arm() -> System:
    return _arm(lambda hub: fx.TorsionSpring(g, hub, k=30.0), lambda hub: fx.TorsionDamper(g, hub, c=0.5))


@classical("free on a foundation")
def _foundation() -> System:
    return system(beam(foundation=100.0), count=5)
