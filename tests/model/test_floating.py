"""Nothing need reach ground: what only joints hold together floats, and particles do not turn."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx


def body(name: str) -> fx.RigidBody:
    return fx.RigidBody(name, m=f"m_{name}", I=f"I_{name}")


def test_two_bodies_with_a_joint_float_as_if_on_a_free_joint() -> None:
    a, b = body("a"), body("b")
    parts = [fx.Revolute(a.at("d"), b.at("e"), name="q"), fx.TorsionSpring(a, b, k="k")]
    floating = fx.derive(fx.Model(*parts))
    assert floating.coordinates == ("q", "x_a", "y_a", "theta_a")
    assert "nothing connects a to ground" in floating.lagrangian.story[4].lower()
    assert fx.equivalent(floating, fx.derive(fx.Model(*parts, fx.Free(fx.ground, a))))
    assert fx.verify(floating)


def test_a_body_that_turns_carries_what_floats() -> None:
    p, b = fx.Mass("p", m="m"), body("b")
    assert fx.derive(fx.Model(fx.Slide(p, b, name="q"))).coordinates == ("q", "x_b", "y_b", "theta_b")


def test_particles_on_a_line_keep_the_axes_of_ground() -> None:
    first, second = fx.Mass("first", m=1.0), fx.Mass("second", m=2.0)
    parts = [fx.Slide(first, second, along="x", name="q"), fx.Spring(first, second, k=3.0, along="x")]
    equations = fx.derive(fx.Model(*parts))
    assert equations.coordinates == ("q", "x_first", "y_first")
    assert fx.verify(equations)
    np.testing.assert_allclose(fx.modes(equations).frequencies, [0.0, 0.0, np.sqrt(3.0 * (1 / 1.0 + 1 / 2.0))])


def test_two_beams_with_a_joint_float() -> None:
    first, second = (fx.EulerBernoulliBeam(name, EI="EI", rho="rho", length="l") for name in ("first", "second"))
    equations = fx.derive(fx.Model(fx.Revolute(first.end, second.start, name="q")))
    assert equations.coordinates[:4] == ("q", "x_first", "y_first", "theta_first")
    assert fx.verify(equations)


@pytest.mark.parametrize(("names", "expected"), [(None, ("x_p", "y_p")), (("x", "y", "theta"), ("x", "y"))])
def test_a_free_particle_has_no_angle(names: tuple[str, ...] | None, expected: tuple[str, ...]) -> None:
    p = fx.Mass("p", m="m")
    equations = fx.derive(fx.Model(fx.Free(fx.ground, p, names=names), fx.Gravity("g")))
    assert equations.coordinates == expected
    assert fx.verify(equations)
    assert str(equations.ordinary[expected[1]].rhs) == "-g*m"


def test_a_free_particle_in_space_has_three_motions() -> None:
    p = fx.Mass("p", m="m")
    free = fx.Free(fx.ground, p, names=("x", "y", "z", "psi", "theta", "phi"))
    assert fx.derive(fx.Model(free, fx.Gravity(along="-z"))).coordinates == ("x", "y", "z")


def test_a_particle_that_carries_something_off_its_centre_turns() -> None:
    p, other = fx.Mass("p", m="m"), fx.Mass("other", m="M")
    model = fx.Model(fx.Free(fx.ground, p), fx.Fixed(p.at("l"), other))
    assert fx.derive(model).coordinates == ("x_p", "y_p", "theta_p")
    pulled = fx.Model(fx.Free(fx.ground, p), fx.Spring(p.at(0, "h"), fx.ground, k="k", along="x"))
    with pytest.raises(fx.FlexuraError, match=r"theta_p of .* moves nothing that has mass or inertia"):
        fx.derive(pulled)
