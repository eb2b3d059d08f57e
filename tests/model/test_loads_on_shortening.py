"""Loads, springs and dampers on what the bending of members draws in, against geometry with 50 digits.

Two flexible links lie in the plane, bent by eps times polynomials and shortened by int w_x^2/2. The virtual work of the
rows at rest is that of the loads on the real positions, up to eps^3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import pytest

import flexura as fx
from flexura.symbolic.engine import SPINE, Symbol
from flexura.symbolic.jets import Jet

DIGITS = 50
mpmath.mp.dps = DIGITS  # of the numbers below
EPS = mpmath.mpf("1e-8")
LENGTHS = {"first": mpmath.mpf("1.1"), "second": mpmath.mpf("0.7")}
JOINTS = {"theta": mpmath.mpf("0.3"), "q": mpmath.mpf("0.8")}
BENT = {"first": (0, 0, 1.3, -0.4), "second": (0, 0, -0.9, 0.6)}
"""Polynomials of w/eps, by powers of x; clamped at x = 0."""


def arm(*loads: Callable[..., Any]) -> fx.Equations:
    hub, wrist = fx.RigidBody("hub", m="m", I="I"), fx.RigidBody("wrist", m="m", I="I")
    first, second = (fx.EulerBernoulliBeam(one, EI="EI", rho="rho", length=f"l_{one}") for one in LENGTHS)
    joints = [fx.Revolute(fx.ground, hub, name="theta"), fx.Revolute(first.end, wrist, name="q")]
    welds = fx.Fixed(hub, first.start), fx.Fixed(wrist, second.start)
    model = fx.Model(*joints, *welds, *(one(first, second) for one in loads))
    assert fx.verify(fx.derive(model))  # with the axial displacement as a field
    return fx.derive(model.lagrangian.of_small_motions)


class Shape:
    """The arm at joint angles and bent shapes: the numbers of jets, and real positions."""

    def __init__(self, joints: dict[str, Any], bent: dict[str, tuple[Any, ...]]) -> None:
        self.joints, self.bent = joints, bent

    def moved(self, by: Any, joints: dict[str, Any], bent: dict[str, tuple[Any, ...]]) -> Shape:
        shifted = {name: tuple(a + by * b for a, b in zip(self.bent[name], bent[name], strict=True)) for name in bent}
        return Shape({name: self.joints[name] + by * joints[name] for name in joints}, shifted)

    def w(self, name: str, x: Any, order: int = 0) -> Any:
        return EPS * mpmath.polyval(_derived(self.bent[name], order)[::-1], x)

    def along(self, name: str, x: Any) -> Any:
        slope = _derived(self.bent[name], 1)
        terms = (a * b * x ** (i + j + 1) / (i + j + 1) for i, a in enumerate(slope) for j, b in enumerate(slope))
        return x - EPS**2 * mpmath.fsum(terms) / 2

    def place(self, name: str, x: Any) -> Any:
        """The position in space, as a complex number."""
        theta, q, l = self.joints["theta"], self.joints["q"], LENGTHS["first"]
        if name == "first":
            return mpmath.expj(theta) * mpmath.mpc(self.along("first", x), self.w("first", x))
        turned = mpmath.expj(theta + self.w("first", l, 1) + q)
        return self.place("first", l) + turned * mpmath.mpc(self.along("second", x), self.w("second", x))

    def angle(self, name: str) -> Any:
        bent = self.w("first", LENGTHS["first"], 1) if name == "second" else 0
        return self.joints["theta"] + (bent + self.joints["q"] if name == "second" else 0)

    def number(self, f: Any, x: Any = 0) -> Any:
        """A tree at rest here."""
        jets = {}
        for symbol in f.free_symbols:
            jets[symbol] = self._value(symbol.name, x)
        return mpmath.mpf(str(f.xreplace({a: _exact(b) for a, b in jets.items()}).n(200, real=True)))

    def _value(self, name: str, x: Any) -> Any:
        known = {"$x": x, "y_first_end": ("first", 0), "theta_first_end": ("first", 1), **self.joints}
        known |= {f"l_{one}": length for one, length in LENGTHS.items()} | {
            "F": FORCE,
            "k": STIFF,
            "rho": 1,
            "m": 1,
            "I": 1,
        }
        if name in known:
            value = known[name]
            return self.w(value[0], LENGTHS[value[0]], value[1]) if isinstance(value, tuple) else value
        stem, _, end = name.partition("@")
        base, _, marks = stem.removeprefix("w_").partition("_")
        if "t" in marks or base not in LENGTHS:
            return mpmath.mpf(0)
        return self.w(base, LENGTHS[base] if end.startswith("b") else 0 if end else x, marks.count("x"))


FORCE, STIFF = mpmath.mpf("2.5"), mpmath.mpf("1.7")


def _derived(powers: tuple[Any, ...], order: int) -> list[Any]:
    found = list(powers)
    for _ in range(order):
        found = [i * one for i, one in enumerate(found)][1:]
    return found or [mpmath.mpf(0)]


def _exact(value: Any) -> Any:
    from symengine import RealMPFR

    return RealMPFR(mpmath.nstr(mpmath.mpf(value), 48), 200)


def virtual_work(
    equations: fx.Equations, shape: Shape, joints: dict[str, Any], bent: dict[str, tuple[Any, ...]]
) -> Any:
    """Every row at rest times a virtual displacement: minus the work of the loads."""
    zero = Shape(dict.fromkeys(JOINTS, 0), bent)
    total = mpmath.mpf(0)
    for row in equations.derived:
        if row.kind == "geometric":
            continue
        if row.kind == "partial":
            name = row.name.removeprefix("w_")
            total += _gauss(lambda x, row=row, name=name: shape.number(row.residual.local, x) * zero.w(name, x), name)
            continue
        amount = joints[row.name] if row.name in joints else zero._value(row.name, 0)
        total += amount * shape.number(row.residual.local)
        for spine, f in row.residual.integrals.items():
            name = spine.removeprefix("w_")
            total += amount * _gauss(lambda x, f=f: shape.number(f, x), name)
    return total


def _gauss(f: Callable[[Any], Any], name: str) -> Any:
    """Gauss points enough for the polynomials here."""
    nodes = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp).get_nodes(0, LENGTHS[name], 2, mpmath.mp.prec)
    return sum(weight * f(x) for x, weight in nodes)


DISPLACEMENTS = [
    ({"theta": 1, "q": 0}, {"first": (0, 0, 0, 0), "second": (0, 0, 0, 0)}),
    ({"theta": 0, "q": 1}, {"first": (0, 0, 0, 0), "second": (0, 0, 0, 0)}),
    ({"theta": 0, "q": 0}, {"first": (0, 0, 0.7, 0.2), "second": (0, 0, 0, 0)}),
    ({"theta": 0, "q": 0}, {"first": (0, 0, 0, 0), "second": (0, 0, -0.3, 1.1)}),
]


@pytest.mark.parametrize("virtual", DISPLACEMENTS)
@pytest.mark.parametrize(("name", "along"), [("first", "x"), ("first", "y"), ("second", "x"), ("second", "y")])
def test_loads_that_turn_with_members_work_on_what_is_drawn_in(name: str, along: str, virtual: Any) -> None:
    index = list(LENGTHS).index(name)
    equations = arm(lambda *links: fx.DistributedForce(links[index], "F*x", along=along))
    shape = Shape(JOINTS, BENT)
    small = mpmath.mpf("1e-15")

    def work(x: Any) -> Any:
        force = FORCE * x * mpmath.expj(shape.angle(name)) * (1 if along == "x" else 1j)
        ahead, back = (shape.moved(sign * small, *virtual).place(name, x) for sign in (1, -1))
        moved = (ahead - back) / (2 * small)
        return force.real * moved.real + force.imag * moved.imag

    expected = -_gauss(work, name)
    assert abs(virtual_work(equations, shape, *virtual) - expected) < 100 * EPS**3


@pytest.mark.parametrize("along", ["x", "y", "line"])
def test_springs_that_joints_stretch_pull_on_what_is_drawn_in(along: str) -> None:
    """The stored energy of a spring from ground to the tip, to second order."""
    anchor = mpmath.mpc("0.2", "-0.5")
    equations = arm(lambda first, second: fx.Spring(fx.ground.at(0.2, -0.5), second.end, k="k", along=along))
    shape, straight = Shape(JOINTS, BENT), Shape(dict.fromkeys(JOINTS, 0), dict.fromkeys(BENT, (0,)))
    tip, start = shape.place("second", LENGTHS["second"]), straight.place("second", LENGTHS["second"])
    length = abs(tip - anchor) - abs(start - anchor)
    stretch = {"x": (tip - start).real, "y": (tip - start).imag, "line": length}[along]
    energies = equations.lagrangian
    found = shape.number(energies.settled(energies.potential)) - _gauss(
        lambda x: shape.number(energies.settled(energies.density["w_first"]), x), "first"
    )
    found -= _gauss(lambda x: shape.number(energies.settled(energies.density["w_second"]), x), "second")
    assert abs(found - STIFF * stretch**2 / 2) < 100 * EPS**3
    assert fx.verify(equations)


def test_a_damper_that_a_joint_drives_loads_the_member_along_its_axis() -> None:
    """A cart drives a beam against a dashpot: the beam feels c q' as an end load."""
    cart, beam = fx.RigidBody("cart", m="m", I="I"), fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    damper = fx.Damper(fx.ground, beam.end, c="c", along="x")
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, cart, along="x", name="q"), fx.Fixed(cart, beam.start), damper))
    assert fx.verify(equations)
    row = next(one for one in equations.derived if one.kind == "partial").residual.local.expand()
    damped = row.diff(Symbol("c")).expand()
    assert damped == (Symbol("q_t") * Jet("w_beam", x=2).symbol).expand()
    assert SPINE not in damped.free_symbols


def test_an_unknown_load_across_a_turning_member_is_told_to_be_small() -> None:
    hub, beam = fx.RigidBody("hub", m="m", I="I"), fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    joint = fx.Revolute(fx.ground, hub, name="theta")
    equations = fx.derive(fx.Model(joint, fx.Fixed(hub, beam.start), fx.DistributedForce(beam, "f(x)")))
    assert "the load across beam is small" in equations.lagrangian.story[4].lower()
    assert fx.verify(equations)


def test_a_damper_that_nothing_moves_stiffens_nothing():
    """Welded at an angle its place has no speed without deflections, which is no force."""
    outputs = []
    for c in (0.0, 0.3):
        b = fx.EulerBernoulliBeam("b", EI=3.0, rho=1.0, length=1.5, EA=1e4)
        d = fx.EulerBernoulliBeam("d", EI=3.0, rho=1.0, length=1.0)
        damper = [fx.Damper(fx.ground, d.at(0.4), c=c, along="x")] if c else []
        model = fx.Model(
            fx.Fixed(fx.ground, b.start), fx.Fixed(b.end, d.start, angle=1.0), fx.Force(d.end, "F"), *damper
        )
        outputs.append(fx.frequency_response(fx.derive(model), [1e-3], "F", d.at(0.7))[0].real)
    assert outputs[1] == pytest.approx(outputs[0], rel=1e-6)


def test_a_force_that_depends_on_joints_is_told_to_leave_the_shortening_out() -> None:
    """It has no potential there; the certificate names what was not compared, and all else agrees."""
    with pytest.warns(
        UserWarning,
        match="depends on the motion, so linear answers leave out its work on the shortening of bent members",
    ):
        equations = arm(lambda first, second: fx.Force(second.end, "-k*q", along="x"))
    certificate = fx.verify(equations)
    assert certificate
    assert "the work on the shortening of forces that depend on joints not compared" in str(certificate)
