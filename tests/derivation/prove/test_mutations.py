"""The proof from the parts can fail: one rule of the builder is broken at a time, and only that line says no."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

import flexura as fx
from flexura.derivation.equations.certificate import Certificate
from flexura.derivation.prove.compare import compare
from flexura.derivation.prove.program import mp
from flexura.model import (
    acting,
    assembly,
    builder,
    carrying,
    closing,
    drawn_in,
    elongation,
    energies,
    frames,
    placing,
    reference,
    shortening,
    structure,
    turning,
)
from flexura.parts.members import tied
from flexura.symbolic.engine import ZERO, exact
from flexura.symbolic.kinematics.vectors import IDENTITY, NULL, cross, scale

Patch = Callable[[pytest.MonkeyPatch], None]


def arm() -> fx.Model:
    """Two flexible links with eccentric bodies, under weight, loads, a motor, springs and dampers of every kind."""
    hub, wrist = fx.RigidBody("hub", m="m", I="I"), fx.RigidBody("wrist", m="m2", I="I2")
    first, second = (fx.EulerBernoulliBeam(one, EI="EI", rho="rho", length=f"l_{one}") for one in ("first", "second"))
    tip = fx.RigidBody("tip", m="mt", I="It")
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at("r"), first.start, angle=0.3),
        fx.Revolute(first.end, wrist.at("a", "b"), name="q"), fx.Fixed(wrist, second.start),
        fx.Fixed(second.end, tip.at("-d", "h")), fx.Gravity("g"),
        fx.Torque(hub, "tau"), fx.Torque(wrist, "tau2", reaction=first.end), fx.Force(tip.at(0, "e"), "F"),
        fx.DistributedForce(second, "f*x", along=(1, 2, 0)),
        fx.Spring(fx.ground.at(1, 2), tip, k="k", along="line"), fx.Spring(hub, tip, k="k2", along="x"),
        fx.Damper(fx.ground, tip, c="c"), fx.TorsionSpring(second.end, wrist, k="kt"),
        fx.TorsionDamper(first.start, wrist, c="ct"),
    )  # fmt: skip


def small_arm() -> fx.Model:
    """The same to second order in all deflections."""
    return cast(fx.Model, SimpleNamespace(lagrangian=arm().lagrangian.of_small_motions))


def blade() -> fx.Model:
    """In space: a beam on a body that turns as it is told, with a tensor at its end, measured along the way."""
    hub, tip = fx.RigidBody("hub", m="m", I=("A", "B", "C")), fx.RigidBody("tip", m="mt", I=("D", "E", "F"))
    beam = fx.SpatialBeam("beam", EA="EA", EIy="Iy", EIz="Iz", GJ="GJ", rho="rho", rotary_inertia="J", length="l")
    return fx.Model(
        fx.Slide(hub, fx.ground, along="x", name="s"), fx.Fixed(hub, beam.start),
        fx.Fixed(beam.end, tip.at("d", "h", "e")), fx.Gravity("g", along="-z"),
    )  # fmt: skip


def spinning() -> fx.Model:
    hub, tip = fx.RigidBody("hub", m="m", I=("A", "B", "C")), fx.RigidBody("tip", m="mt", I=("D", "E", "F"))
    beam = fx.SpatialBeam("beam", EA="EA", EIy="Iy", EIz="Iz", GJ="GJ", rho="rho", rotary_inertia="J", length="l")
    spin = fx.Revolute(fx.ground, hub, about="y", name="psi", motion="Omega*t")
    return fx.Model(spin, fx.Fixed(hub, beam.start), fx.Fixed(beam.end, tip.at("d", "h", "e")))


def measured() -> fx.Model:
    a, b = fx.RigidBody("a", m="m_a", I=0), fx.RigidBody("b", m="m_b", I=0)
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w", damping="c")
    tip = fx.RigidBody("tip", m="m", I="I")
    return fx.Model(
        fx.Slide(fx.ground, a, name="q1"), fx.Slide(a, b, name="q2"), fx.Fixed(b, beam.start), fx.Fixed(beam.end, tip),
        fx.Spring(tip, fx.ground, k="k", along=(1, 2, 0)), measured_from={beam: a},
    )  # fmt: skip


def supported() -> fx.Model:
    """On ground: an inclined roller inside a member that stretches, a pinned body, a rod."""
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", EA="EA")
    rod, body = fx.Rod("rod", EA="EA2", rho="rho2", length="l2"), fx.RigidBody("body", m="m", I="I")
    return fx.Model(
        fx.Fixed(fx.ground, beam.start), fx.Roller(fx.ground, beam.at("l/2"), along=(1, 2, 0)),
        fx.Pin(beam.end, body.at("d")), fx.Pin(beam.end, rod.start), fx.Pin(rod.end, fx.ground),
    )  # fmt: skip


def loop() -> fx.Model:
    crank, rod = fx.RigidBody("crank", m="m_c", I="I_c"), fx.RigidBody("rod", m="m_r", I="I_r")
    slider = fx.Mass("slider", m="m_s")
    turning = fx.Revolute(fx.ground, crank.at("-r/2"), name="theta")
    return fx.Model(
        turning, fx.Revolute(crank.at("r/2"), rod.at("-l/2"), name="phi"),
        fx.Slide(fx.ground, slider, along="x", name="s"), fx.Revolute(rod.at("l/2"), slider, name="pin"),
        fx.Constraint("theta_t - p*s_t"),
    )  # fmt: skip


def linkage() -> fx.Model:
    """A four-bar linkage of pins on a turning table, pulled and twisted; what rolls on it hangs on a roller."""
    table = fx.RigidBody("table", m="m_t", I="I_t")
    bars = [fx.RigidBody(name, m=f"m_{name}", I=f"I_{name}") for name in "abc"]
    a, b, c = bars
    weight = fx.RigidBody("weight", m="m_w", I="I_w")
    return fx.Model(
        fx.Revolute(fx.ground, table, name="psi"),
        fx.Pin(table.at(0, "h"), a.at(0, "a/2")), fx.Pin(a.at("u", "-a/2"), b.at("-b/2")),
        fx.Pin(b.at("b/2", "e"), c.at(0, "-c/2")), fx.Pin(table.at("b+u", "h-a+e+c"), c.at(0, "c/2")),
        fx.Roller(b.at("d", "e"), weight.at("f", "k"), along=(1, 2, 0)),
        fx.Spring(fx.ground.at("p", "q"), c, k="K", along="line", free_length="L"),
        fx.Torque(b, "tau"), fx.Force(a.at("d", "f"), "F", along="x"), fx.Gravity("g"),
    )  # fmt: skip


def wheel() -> fx.Model:
    """In a plane and in space: spokes between hub and rim, held along their axes at both ends while they turn."""
    hub, rim = fx.RigidBody("hub", m="m", I="I"), fx.RigidBody("rim", m="M", I="J")
    spoke = fx.EulerBernoulliBeam(
        "spoke",
        EI="EI*(1 + x)",
        EA="EA",
        rho="rho",
        length="l",
        internal_damping="eta",
        axial_force="P",
        foundation="k",
    )
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="psi", motion="Omega*t"), fx.Fixed(hub.at("r"), spoke.start),
        fx.Fixed(spoke.end, rim.at("r+l")), fx.Fixed(hub, rim), fx.Spring(spoke.at("l/3"), hub, k="K"),
    )  # fmt: skip


def drum() -> fx.Model:
    hub = fx.RigidBody("hub", m="m", I=("A", "B", "C"))
    bar = fx.SpatialBeam(
        "bar", EA="EA", EIy="Iy", EIz="Iz", GJ="GJ", rho="rho", rotary_inertia="J", length="l", internal_damping="eta"
    )
    spin = fx.Revolute(fx.ground, hub, about="y", name="psi")
    return fx.Model(spin, fx.Fixed(hub.at("r"), bar.start), fx.Pin(bar.end, hub.at("r+l")))


def _strain(change: Callable[[Any], Any]) -> Patch:
    """Members that stretch do so by something else."""
    return replaced(tied, "_slope", change)


def particles() -> fx.Model:
    """Free particles have no angles, from whichever side they are listed."""
    p, q, body = fx.Mass("p", m="m_p"), fx.Mass("q", m="m_q"), fx.RigidBody("body", m="m", I=("A", "B", "C"))
    beam = fx.SpatialBeam("beam", EA="EA", EIy="Iy", EIz="Iz", GJ="GJ", rho="rho", length="l")
    return fx.Model(
        fx.Free(p, fx.ground, names=tuple("abcdef")), fx.Free(fx.ground, beam.start, names=tuple("uvwxyz")),
        fx.Pin(beam.end, body), fx.Free(body.at("r"), q), fx.Torque(beam.end, "tau", reaction=q),
    )  # fmt: skip


def across() -> fx.Model:
    """Three hinges about z, and a fourth that closes the loop across their plane: it holds what turns about z."""
    places = ((0, 0), (0, 1), (2, 2), (2, 0))
    bodies = [fx.RigidBody(f"b{i}", m=f"m{i}", I=(f"A{i}", f"B{i}", f"C{i}")) for i in range(3)]
    links = [fx.ground, *bodies, fx.ground]
    axes = [(0, 0, 1)] * 3 + [(0, 1, 0)]
    return fx.Model(
        *(fx.Revolute(links[i].at(*at), links[i + 1].at(*at), about=axes[i]) for i, at in enumerate(places))
    )


def replaced(where: Any, name: str, change: Callable[[Any], Any]) -> Patch:
    """`name` in a module or class becomes what `change` makes of it."""
    return lambda patch: patch.setattr(where, name, change(getattr(where, name)))


def _without_small_turns(patch: pytest.MonkeyPatch) -> None:
    """What hangs on a bent end does not turn with it, in the plane (angles add up) or beyond."""
    replaced(frames, "_turned", lambda f: lambda parent, spot, _, *rest: f(parent, spot, NULL, *rest))(patch)
    replaced(frames.Frame, "turn_of", lambda _: lambda *__: IDENTITY)(patch)


def _without_turning(velocity_at: Any) -> Any:
    """Drop spin x point: no centrifugal, Coriolis or gyroscopic term is left."""
    return lambda frame, point, jets: velocity_at(
        frames.Frame(
            frame.assembly, frame.parent, frame.place, frame.turned, frame.velocity, frame.speed_squared, NULL,
            frame.motions, frame.joint,
        ), point, jets,
    )  # fmt: skip


def _times(factor: float) -> Callable[[Any], Any]:
    return lambda function: lambda *given: exact(factor) * function(*given)


MUTATIONS: dict[str, tuple[Callable[[], fx.Model], Patch]] = {
    "spin x point": (arm, replaced(energies, "velocity_at", _without_turning)),
    "spin of what hangs on an end": (arm, replaced(frames, "small_spin", lambda _: lambda *__: NULL)),
    "turn of what hangs on an end": (arm, _without_small_turns),
    "elongation of springs": (arm, replaced(elongation, "elongation", _times(1.5))),
    "turn of a rigid p": (measured, replaced(elongation, "_turned_with", lambda _: lambda *__: NULL)),
    "bent ends in torsion springs": (arm, replaced(elongation, "_rotation", _times(2))),
    "weight": (arm, replaced(builder.Builder, "_weight", lambda _: lambda *__: ZERO)),
    "rates of turned ends": (blade, replaced(energies, "spin_orders", lambda f: lambda *g: (f(*g)[0], NULL, f(*g)[2]))),
    "second order of spins": (
        spinning, replaced(energies, "spin_orders", lambda f: lambda *given: (*f(*given)[:2], NULL)),
    ),
    "eccentric attachment": (arm, replaced(assembly, "cross", lambda _: lambda a, b: cross(a, b) if b == () else NULL)),
    "shortening": (small_arm, replaced(shortening.Shortening, "_segment", lambda _: lambda *__: iter(()))),
    "bodies drawn in": (small_arm, replaced(turning.Turning, "drawn", lambda _: lambda *__: NULL)),
    "spots of bodies drawn in": (linkage, replaced(drawn_in.DrawnIn, "_of_bodies", lambda _: lambda *__: iter(()))),
    "what rolls on what turns": (linkage, replaced(turning.Turning, "_rolled", lambda _: lambda *__: NULL)),
    "turns that a loop ties": (linkage, replaced(drawn_in.DrawnIn, "_turn", lambda _: lambda *__: None)),
    "couples on such turns": (linkage, replaced(builder, "couples", lambda _: lambda *__: iter(()))),
    "stretched springs without members": (linkage, replaced(builder, "held_back", lambda _: lambda *__: iter(()))),
    "bodies drawn in beside tied members": (arm, replaced(turning.Turning, "drawn", lambda _: lambda *__: NULL)),
    "axial displacements of ends": (arm, replaced(structure.Segment, "moved_along", lambda _: lambda *__: None)),
    "frames beyond": (small_arm, replaced(carrying.Carrying, "_hangs", lambda _: lambda *__: False)),
    "loads on shortening": (small_arm, replaced(builder, "pulls", lambda _: lambda *__: iter(()))),
    "stretched springs on shortening": (small_arm, replaced(builder, "held_back", lambda _: lambda *__: iter(()))),
    "loads that turn with members": (small_arm, replaced(acting, "_add_follower_work", lambda _: lambda *__: None)),
    "forces": (arm, replaced(acting, "scalar_position", _times(-1))),
    "torques": (arm, replaced(acting, "_turning", _times(2))),
    "reactions of torques": (
        arm, replaced(acting, "direction_between", lambda f: lambda *given: scale(exact(0.5), f(*given))),
    ),
    "dampers": (arm, replaced(builder, "dampers", lambda _: lambda *__: iter(()))),
    "angles of welds": (arm, replaced(reference, "_turn", lambda f: lambda w, forward: f(w, not forward))),
    "joints that are listed the other way round": (
        blade, replaced(frames, "exact", lambda f: lambda number: f(abs(number))),
    ),
    "what deflections are measured from": (
        measured, replaced(placing, "translation_between", lambda f: lambda *g: scale(exact(2), f(*g))),
    ),
    "a weld that holds less": (
        supported, replaced(assembly.Solver, "_weld", lambda f: lambda self, weld: f(self, weld)[:2]),
    ),
    "direction of a roller": (
        supported, replaced(assembly.Solver, "_directions", lambda f: lambda self, weld: assembly.AXES[1:2]),
    ),
    "where a loop closes": (loop, replaced(closing, "_gap", _times(2))),
    "what a hinge that closes a loop holds": (across, replaced(closing, "_aligned", lambda _: lambda *__: {})),
    "what a hinge across the plane holds": (across, replaced(structure.Structure, "spatial", lambda _: False)),
    "rotary inertia of sections": (
        blade, replaced(energies, "line_inertia", lambda _: lambda *__: ((ZERO,) * 3,) * 3),
    ),
    "stretch of spokes": (wheel, replaced(shortening, "stretching", lambda _: lambda member: member)),
    "stretch of a bar in space": (drum, replaced(shortening, "stretching", lambda _: lambda member: member)),
    "what spokes stretch by": (wheel, _strain(lambda f: lambda one: 2 * f(one))),
    "what a bar stretches by": (drum, _strain(lambda f: lambda one: 2 * f(one))),
    "losses of the stretch": (
        wheel, replaced(tied, "rate", lambda f: lambda one: 2 * f(one)),
    ),
    "losses along members": (measured, replaced(builder.Builder, "_lost", lambda _: lambda *__: ZERO)),
}  # fmt: skip


@pytest.mark.parametrize(
    "model", [arm, small_arm, blade, spinning, measured, supported, loop, linkage, particles, wheel, drum]
)
def test_whole_models_are_proved(model: Callable[[], fx.Model]) -> None:
    found = compare(model().lagrangian)
    assert found, found.differences
    assert not found.skipped


@pytest.mark.parametrize("what", MUTATIONS)
def test_a_broken_rule_is_seen(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model, broken = MUTATIONS[what]
    broken(monkeypatch)
    assert not compare(model().lagrangian)


def test_only_the_line_of_the_parts_says_no(monkeypatch: pytest.MonkeyPatch) -> None:
    """The routes start from the Lagrangian, so they agree about a wrong one."""
    whole = fx.verify(fx.derive(measured()))
    assert whole, str(whole)
    assert "parts, parts -> Lagrangian: agrees in T - V and work, dissipation, conditions of welds" in str(whole)
    replaced(builder.Builder, "_lost", lambda _: lambda *__: ZERO)(monkeypatch)
    certificate = fx.verify(fx.derive(measured()))
    assert not certificate
    assert [one.method for one in certificate.compared if not one.agrees] == ["parts"]
    assert "parts, parts -> Lagrangian: DIFFERS in dissipation" in str(certificate)
    assert Certificate.from_json(certificate.to_json()) == certificate


def test_what_is_left_out_falls_as_the_cube_of_the_deflection(monkeypatch: pytest.MonkeyPatch) -> None:
    def apart(size: str) -> float:
        monkeypatch.setattr("flexura.derivation.prove.compare.SMALL", mp.mpf(size))
        monkeypatch.setattr("flexura.derivation.prove.compare.LEFT_OUT", mp.mpf(0))
        told = compare(small_arm().lagrangian, states=1).differences["T - V and work"]
        return float(told.split(" are ")[1].split(" apart")[0])

    assert 800 < apart("1e-5") / apart("1e-6") < 1200


@pytest.mark.parametrize("at", ["l/3", "l"])
def test_a_roller_along_a_member_does_not_carry_its_pieces(at: str) -> None:
    """Cut by a load and guided along its axis, a column is drawn in from its foot on, as if nothing cut it."""
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    guide = fx.Roller(fx.ground, beam.at(at), along="x")
    column = fx.Fixed(fx.ground, beam.start), guide, fx.Force(beam.end, "P*1.0", along="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        whole, cut = (fx.Model(*column, *more) for more in ((), (fx.Force(beam.at("l/2"), "F"),)))
        assert compare(cut.lagrangian)
    values = {"EI": 2.0, "rho": 1.5, "l": 1.3, "P": 3.0}
    one, two = (fx.modes(fx.derive(model), 3, values=values).frequencies for model in (whole, cut))
    assert two == pytest.approx(one, rel=1e-9)


@pytest.mark.parametrize("taper", ["exp(-x)", "exp(-x**2)*sin(x)/(1 + x**3)", "1/(1 + x)", "(1 + x)**21"])
def test_a_taper_that_is_no_polynomial_is_told_at_once(taper: str) -> None:
    """Without its derivatives, whose length can grow tenfold from one to the next."""
    beam = fx.EulerBernoulliBeam("beam", EI=f"EI*{taper}", rho="rho", length="l")
    tapered = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    assert "no polynomial in x" in fx.verify(tapered).skipped["parts"]


def test_what_cannot_be_compared_is_told() -> None:
    far = fx.Equations.from_json(fx.derive(supported()).to_json())
    for equations in (far, fx.linearise(fx.derive(supported()))):
        assert "came without the parts" in fx.verify(equations).skipped["parts"]
