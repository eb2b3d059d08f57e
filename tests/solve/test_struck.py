"""Given motions whose speed jumps strike what they carry, compared with motions in which nothing is struck."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

T = np.linspace(0, 6, 13)
NUMBERS = st.floats(0.5, 3.0).map(lambda x: round(x, 3))


def kinked(at, before, after, sign="<"):
    """A motion that starts at zero and changes its speed at a time."""
    return f"Piecewise(({before}*(t - {at}), t {sign} {at}), ({after}*(t - {at}), True))"


@settings(max_examples=10, deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=3), st.floats(0.3, 5.0), NUMBERS, st.booleans())
def test_chains_on_a_base_that_starts_suddenly(links, at, speed, closed):
    """In coordinates from ground there is no blow: only springs pull."""
    at, sign = round(at, 2), "<=" if closed else "<"
    motion = kinked(at, 0, speed, sign)
    base = fx.Mass("base", m=1.0)
    carried, free = [fx.Slide(fx.ground, base, name="x", motion=motion)], []
    below, lower = base, None
    for i, (m, k) in enumerate(links):
        one, same = fx.Mass(f"m{i}", m=m), fx.Mass(f"m{i}", m=m)
        carried += [fx.Slide(below, one, name=f"q{i}"), fx.Spring(below, one, k=10 * k)]
        free.append(fx.Slide(fx.ground, same, name=f"y{i}"))
        free.append(
            fx.Spring(lower, same, k=10 * k) if lower else fx.Force(same, f"{10 * k}*({motion} - y0)", name="pull")
        )
        below, lower = one, same
    moved = fx.derive(fx.Model(*carried))
    wanted = fx.simulate(fx.derive(fx.Model(*free)), T, tolerance=1e-9)
    for method in (None, "explicit"):
        run = fx.simulate(moved, T, method=method, tolerance=1e-9)
        total = run["x"]
        for i in range(len(links)):
            total = total + run[f"q{i}"]
            assert total == pytest.approx(wanted[f"y{i}"], abs=1e-6 * speed)
        assert run.energy.error < 1e-8
        assert not any("misses" in note for note in run.notes)


@pytest.mark.parametrize("method", [None, "explicit", "radau"])
def test_a_blow_at_the_start_comes_after_what_was_given(method):
    base, mass = fx.Mass("base", m=1.0), fx.Mass("mass", m=2.0)
    motion = kinked(0, 0, 0.3, "<=")
    slides = fx.Slide(fx.ground, base, name="x", motion=motion), fx.Slide(base, mass, name="q")
    run = fx.simulate(fx.derive(fx.Model(*slides, fx.Spring(base, mass, k=8.0))), T, method=method)
    assert run["q"] == pytest.approx(-0.15 * np.sin(2 * T), abs=1e-8)
    assert run["q_t"][0] == 0
    assert run.energy.kinetic[0] == 0
    assert run.energy.error < 1e-8
    # what drives the base gives it its energy, and pulls with k q at its speed
    supplied = 0.3**2 / 2 + 8.0 * 0.15 * 0.3 / 2 * (1 - np.cos(2 * T))
    assert run.energy.supplied[1:] == pytest.approx(supplied[1:], abs=1e-8)


def shaken(motion):
    """A flexible arm on a hub that turns as given, the hub on a slide that is free."""
    cart, hub = fx.Mass("cart", m=1.5), fx.RigidBody("hub", m=0.4, I=0.05)
    arm = fx.EulerBernoulliBeam("arm", EI=3.0, rho=0.5, length=0.8)
    slide = fx.Slide(fx.ground, cart, along="x", name="x")
    turn = fx.Revolute(cart, hub, name="theta", motion=motion)
    return arm, fx.derive(
        fx.Model(slide, fx.Spring(fx.ground, cart, k=20.0, along="x"), turn, fx.Fixed(hub, arm.start))
    )


def test_fields_and_joints_are_struck_as_by_a_short_push():
    t = np.linspace(0, 0.6, 7)
    arm, sudden = shaken("0.7 + Piecewise((0, t < 0.2), (2*(t - 0.2), True))")
    width = 1e-5  # in which the speed goes from 0 to 2
    _, quick = shaken(
        f"0.7 + Piecewise((0, t < 0.2), ((t - 0.2)**2/{width}, t < 0.2 + {width}), (2*(t - 0.2) - {width}, True))"
    )
    run, close = (fx.simulate(one, t, order=5, tolerance=1e-8) for one in (sudden, quick))
    size = np.abs(run.place(arm, 0.8)).max()
    assert np.abs(run.place(arm, 0.8) - close.place(arm, 0.8)).max() < 1e-3 * size
    assert np.abs(run["x"] - close["x"]).max() < 1e-3 * np.abs(run["x"]).max()
    assert run.energy.error < 1e-7
    assert run.energy.supplied[3:] == pytest.approx(close.energy.supplied[3:], rel=1e-3)


def test_constraints_that_are_driven_strike_too():
    y, z = fx.Coordinate("y"), fx.Coordinate("z")
    energies = fx.Lagrangian(
        kinetic=(y.t**2 + (y.t + z.t) ** 2) / 2,
        potential=2 * z**2,
        constraints=["y - Piecewise((0, t < 1), (0.5*(t - 1), True))"],
    )
    run = fx.simulate(fx.derive(energies), T)
    later = T > 1
    wanted = -0.5 / 2 * np.sin(2 * (T - 1))  # y_t + z_t is kept, then z'' = -4 z
    assert run["z"][later] == pytest.approx(wanted[later], abs=1e-6)
    assert run["y_t"][later] == pytest.approx(0.5)
    assert run.energy.error < 1e-7


def test_a_position_that_jumps_is_refused_and_the_advice_helps():
    base, mass = fx.Mass("base", m=1.0), fx.Mass("mass", m=2.0)

    def equations(motion):
        slides = fx.Slide(fx.ground, base, name="x", motion=motion), fx.Slide(base, mass, name="q")
        return fx.derive(fx.Model(*slides, fx.Spring(base, mass, k=8.0)))

    for motion in ("Piecewise((0, t < 1), (0.1, True))", "sign(t - 2)/10", "Piecewise((0, t <= 0), (0.1, True))"):
        with pytest.raises(fx.FlexuraError, match=r"The motion of x jumps from .* let it go there in a short time"):
            fx.simulate(equations(motion), T)
    gentle = "Piecewise((0, t < 1), (100*(t - 1), t < 1.001), (0.1, True))"
    run = fx.simulate(equations(gentle), T)
    later = T > 1.5
    assert run["q"][later] == pytest.approx(-0.1 * np.cos(2 * (T[later] - 1.0005)), rel=1e-5, abs=1e-6)
    assert run.energy.error < 1e-7


def test_end_values_that_change_their_speed_are_refused():
    w = fx.Field("w", length=1.0)
    energies = fx.Lagrangian(
        density={w: "w_t**2/2 - w_x**2/2"}, boundary={w.at(0): "Piecewise((0, t < 1), (t - 1, True))", w.at(1.0): 0}
    )
    with pytest.raises(fx.FlexuraError, match=r"give that motion to a body on a joint"):
        fx.simulate(fx.derive(energies), T)
