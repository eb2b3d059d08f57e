"""What connections exert across the plane in which parts of a model move, against Newton and Euler by hand."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

T = np.linspace(0, 1, 5)


def test_rigid_bodies_of_a_planar_model_pass_on_three_forces():
    cart, block = fx.Mass("cart", 2.0), fx.RigidBody("block", 1.0, 0.1)
    slide, weld = fx.Slide(fx.ground, cart, name="q"), fx.Fixed(cart, block.at(-0.5))
    run = fx.simulate(fx.Model(slide, weld, fx.Force(block, 6.0), fx.Force(block, 5.0, along="z")), T)
    assert run[fx.Reaction(weld)] == pytest.approx(np.tile([0, -4, -5], (5, 1)))  # 1 kg of 3 at 2 m/s^2
    roller = fx.Roller(fx.ground, block)
    run = fx.simulate(fx.Model(roller, fx.Force(block, 2.0)), T)
    assert run[fx.Reaction(roller)] == pytest.approx(np.tile([0, -2, 0], (5, 1)))
    run = fx.simulate(fx.Model(roller, fx.Force(block.at(0.3), 5.0, along="z")), T)
    assert run[fx.Reaction(roller, along="z")] == pytest.approx(np.full(5, -5.0))
    assert run[fx.Reaction(roller, about="y")] == pytest.approx(np.full(5, 1.5))  # r x F = (0, -1.5, 0)


def test_a_clamp_holds_what_pulls_its_beam_out_of_the_plane():
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.5)
    clamp = fx.Fixed(fx.ground, beam.start)
    equations = fx.derive(fx.Model(clamp, fx.Force(beam.end, "F", along="z"), fx.Force(beam.at(0.5), "P")))
    run = fx.simulate(equations, T, inputs={"F": "5 + t"})
    assert run[fx.Reaction(clamp, along="z")] == pytest.approx(-5 - T)
    assert run[fx.Reaction(clamp, about="y")] == pytest.approx(1.5 * (5 + T))
    linear = fx.frequency_response(equations, [0.0, 3.0], "F", [fx.Reaction(clamp, along=one) for one in "xyz"])
    assert linear == pytest.approx(np.tile([0, 0, -1], (2, 1)))


def test_a_root_of_a_blade_that_flaps_is_pushed_round():
    """A straight blade from r = 0.5 to 1.5, turned about y by t^2/2: int rho r dr = 1 times a_r = -t^2 and a_t = 1."""
    hub, blade = fx.RigidBody("hub", 1.0, 0.1), fx.EulerBernoulliBeam("blade", EI=50.0, rho=1.0, length=1.0)
    root = fx.Fixed(hub.at(0.5), blade.start)
    run = fx.simulate(fx.Model(fx.Revolute(fx.ground, hub, about="y", motion="t**2/2", name="th"), root), T)
    angle = T**2 / 2
    e_r, e_t = np.array([np.cos(angle), -np.sin(angle)]), np.array([-np.sin(angle), -np.cos(angle)])
    x, z = -(T**2) * e_r + e_t
    assert run[fx.Reaction(root)] == pytest.approx(np.column_stack([x, 0 * T, z]), abs=1e-8)
    assert run[fx.Reaction(root, about="y")] == pytest.approx(np.full(5, 1 / 3 + 1 / 4), abs=1e-8)


def test_what_two_supports_share_across_the_plane_is_refused_where_something_acts_there():
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.5)
    pin, roller = fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end)
    run = fx.simulate(fx.Model(pin, roller, fx.Force(beam.at(0.5), 2.0)), T)
    assert np.all(run[fx.Reaction(pin)][:, 2] == 0)
    run = fx.simulate(fx.Model(pin, roller, fx.Force(beam.at(0.5), 2.0, along="z")), T)
    with pytest.raises(fx.FlexuraError, match="not determined"):
        run[fx.Reaction(pin, along="z")]
    with pytest.raises(fx.FlexuraError, match="not determined"):
        run[fx.Reaction(pin, about="y")]


def test_a_shaft_passes_on_forces_and_moments_that_it_does_not_give_way_to():
    """A disc at the end of 1.5 m: 5 N along z turn the wall by 7.5 N m about -y, 3 N along y by 4.5 N m about z."""
    shaft, disc = fx.Shaft("shaft", GJ=3.0, rotary_inertia=0.2, length=1.5), fx.RigidBody("disc", 2.0, (0.3, 0.2, 0.2))
    wall, seat = fx.Fixed(fx.ground, shaft.start), fx.Fixed(shaft.end, disc)
    loads = [fx.Force(disc, 5.0, along="z"), fx.Force(disc, 3.0, along="y")]
    run = fx.simulate(fx.Model(wall, seat, *loads), T)
    for one in (wall, seat):
        assert run[fx.Reaction(one)] == pytest.approx(np.tile([0, -3, -5], (5, 1)))
    assert run[fx.Reaction(wall, about="y")] == pytest.approx(np.full(5, 7.5))
    assert run[fx.Reaction(wall, about="z")] == pytest.approx(np.full(5, -4.5))
    assert run[fx.Reaction(seat, about="y")] == pytest.approx(np.zeros(5), abs=1e-12)
    assert run[fx.Reaction(wall, about="x")] == pytest.approx(np.zeros(5), abs=1e-12)
    other = fx.Fixed(fx.ground, disc)
    run = fx.simulate(fx.Model(wall, other, fx.Fixed(shaft.end, disc), loads[0]), T)
    with pytest.raises(fx.FlexuraError, match="not determined"):
        run[fx.Reaction(wall, along="z")]


def test_a_roller_exerts_nothing_the_way_it_is_free():
    block = fx.RigidBody("block", 1.0, 0.1)
    roller = fx.Roller(fx.ground, block, along="x")
    run = fx.simulate(fx.Model(roller, fx.Force(block, 2.0, along="x"), fx.Force(block, 4.0, along="z")), T)
    assert run[fx.Reaction(roller)] == pytest.approx(np.tile([0, 0, -4], (5, 1)))
    assert run["x_block"] == pytest.approx(T**2)
