"""Parts that the package does not know: a joint, a spring law and a load in a few lines each, proved like its own."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import flexura as fx
from flexura.model.files.kinds import CONNECTIONS, LOADS
from flexura.model.files.reading import model_of_text
from flexura.parts.joints import Joint, place_of
from flexura.parts.loads import Couple, PointForce, PointLoad
from flexura.parts.springs import Spring
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, scale


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Fork(Joint):
    def __init__(self, p, q):
        self._join(p, q)
        self._own((None, None), None)

    def stems(self, spatial):
        return ("alpha", "beta")

    def rotations(self, q):
        return [(EX, q[0]), (EY, q[1])]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Tube(Joint):
    def __init__(self, p, q):
        self._join(p, q)
        self._own((None, None), None)

    def stems(self, spatial):
        return ("s", "theta")

    def translation(self, q):
        return scale(q[0], EZ)

    def rotations(self, q):
        return [(EZ, q[1])]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Ball(Joint):
    def __init__(self, p, q):
        self._join(p, q)
        self._own((None, None, None), None)

    def stems(self, spatial):
        return ("psi", "theta", "phi")

    def rotations(self, q):
        return [(EZ, q[0]), (EY, q[1]), (EX, q[2])]


class HardeningSpring(Spring):
    """A spring whose stiffness grows with its stretch, and which loses energy like its own damper."""

    def energy(self, s):
        return self.rate.engine * (s**2 / 2 + s**4 / 4)

    def dissipation(self, v):
        return self.rate.engine * v**2 / 200


@dataclass(frozen=True, init=False, eq=False)
class Thruster(PointLoad):
    """A force off the centre of a body: one force and its moment about the centre."""

    def __init__(self, p, value, name=None):
        self._set(place=place_of(p, "A Thruster"))
        self._own(value, name, f"the thruster on {self.place!r}", "N")

    @property
    def point_forces(self):
        return (PointForce(self.place, EX),)

    @property
    def couples(self):
        return (Couple(self.place, EZ, self.place),)


def body(name, **more):
    return fx.RigidBody(name, m=f"m_{name}", I=(f"A_{name}", f"B_{name}", f"C_{name}"), **more)


def proved(model):
    return fx.verify(fx.derive(model))


JOINTS = [Fork, Tube, Ball]


@pytest.mark.parametrize("joint", JOINTS)
def test_a_joint_carries_a_chain(joint):
    first, second = body("a"), body("b")
    model = fx.Model(
        joint(fx.ground, first),
        joint(first.at("l", 0, "h"), second),
        fx.Spring(first, second.at("r", 0, 0), k="k", along="line"),
        fx.Torque(second, "tau", about="z", reaction=first),
        fx.Gravity(),
    )
    certificate = proved(model)
    assert certificate, certificate
    assert "newton" in str(certificate).lower()
    assert "part" in str(certificate).lower()


@pytest.mark.parametrize("joint", JOINTS)
def test_it_may_be_carried_backwards(joint):
    arm, hub = body("arm"), body("hub")
    assert proved(fx.Model(fx.Revolute(fx.ground, hub), joint(arm, hub.at("l", 0, 0)), fx.Gravity()))


@pytest.mark.parametrize("joint", JOINTS)
def test_it_closes_a_loop(joint):
    """As many conditions as it holds motions, and all routes agree on them."""
    frame, rocker, cross = body("frame"), body("rocker"), body("cross")
    model = fx.Model(
        Ball(fx.ground, frame),
        Fork(frame.at("a", 0, 0), rocker),
        Ball(frame.at(0, "b", 0), cross),
        joint(rocker.at(0, "b", 0), cross.at("a", 0, 0)),
    )
    equations = fx.derive(model)
    held = {Fork: 4, Tube: 4, Ball: 3}[joint]
    assert len(equations.lagrangian.constraints) == held
    assert proved(model)


def test_it_carries_a_beam():
    blade, hub = fx.EulerBernoulliBeam("blade", EI="EI", rho="rho", length="l"), body("hub")
    held = fx.Fixed(hub.at("r", 0, 0), blade.start)
    assert proved(fx.Model(Tube(fx.ground, hub), held, fx.Gravity(along="-z")))


def test_a_law_acts_on_bodies_and_on_beams():
    cart = fx.Mass("cart", m="m")
    assert proved(fx.Model(fx.Slide(fx.ground, cart), HardeningSpring(fx.ground, cart, k="k"), fx.Force(cart, "F")))
    hub = body("hub")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    model = fx.Model(
        fx.Revolute(fx.ground, hub),
        fx.Fixed(hub, beam.start),
        HardeningSpring(fx.ground.at("d", 0), beam.end, k="k", along="line"),
    )
    assert proved(model)


def test_a_load_of_two_kinds_at_once():
    ship = body("ship")
    model = fx.Model(fx.Free(fx.ground, ship), Thruster(ship, "P"))
    equations = fx.derive(model)
    assert proved(model)
    assert {"x_ship", "theta_ship"} <= set(equations.lagrangian.work)


def test_a_file_knows_them_once_they_are_registered(monkeypatch):
    text = """
    [parts.ship]
    kind = "RigidBody"
    m = 3
    I = 2

    [parts.car]
    kind = "Mass"
    m = 1

    [[connections]]
    kind = "Slide"
    between = ["ground", "car"]
    along = "x"

    [[connections]]
    kind = "Fork"
    between = ["car", "ship"]

    [[loads]]
    kind = "Thruster"
    at = "ship"
    value = "P"
    """
    with pytest.raises(fx.FlexuraError, match="Fork"):
        model_of_text(text)
    monkeypatch.setitem(CONNECTIONS, "Fork", Fork)
    monkeypatch.setitem(LOADS, "Thruster", Thruster)
    assert fx.derive(model_of_text(text)).lagrangian.coordinates == ("x_car", "alpha_ship", "beta_ship")
