"""What answers say of themselves: names that are no inputs, starts that are no rest, outputs that are zero anyway."""

import numpy as np
import pytest

import flexura as fx

T = np.linspace(0, 1, 5)


def oscillator(*more):
    mass = fx.Mass("m", m=2.0)
    parts = [fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=18.0), fx.Damper(fx.ground, mass, c=1.0)]
    return fx.derive(fx.Model(*parts, *(one(mass) for one in more))), mass


def test_a_name_in_a_load_that_is_read_as_a_parameter_says_how_to_make_it_an_input():
    equations, _ = oscillator(lambda mass: fx.Force(mass, "3*zr"))
    with pytest.raises(fx.FlexuraError, match=r"write zr\(t\) \(fx.Input\('zr'\)"):
        fx.simulate(equations, T)
    for ask in (
        lambda: fx.frequency_response(equations, [1.0], "zr", "y"),
        lambda: fx.state_space(equations, "zr", "y"),
        lambda: fx.simulate(equations, T, inputs={"zr": np.sin}),
    ):
        with pytest.raises(fx.FlexuraError, match=r"zr is a parameter \(the force on m\); write zr\(t\)"):
            ask()
    advised, _ = oscillator(lambda mass: fx.Force(mass, "3*zr(t)"))
    assert fx.frequency_response(advised, [0.0], "zr", "y")[0] == pytest.approx(3 / 18)


def test_a_start_that_is_no_equilibrium_is_told_and_the_advice_helps():
    equations, _ = oscillator(lambda mass: fx.Gravity())
    run = fx.simulate(equations, T)
    assert any("no equilibrium" in note and "y_tt is -9.81" in note for note in run.notes)
    run = fx.simulate(equations, T, initial=fx.equilibrium(equations))
    assert not any("no equilibrium" in note for note in run.notes)
    assert np.ptp(run["y"]) < 1e-12
    assert not any("no equilibrium" in note for note in fx.simulate(oscillator()[0], T).notes)


def test_an_output_that_nothing_moves_is_told():
    equations, mass = oscillator(lambda mass: fx.Force(mass, "F"))
    with pytest.warns(UserWarning, match="zero by construction"):
        assert not np.any(fx.frequency_response(equations, [1.0], "F", fx.Motion(mass, along="x")))
    run = fx.simulate(equations, T, {"y": 0.1})
    with pytest.warns(UserWarning, match="zero by construction"):
        assert not np.any(run[fx.Motion(mass, along="z")])


def test_participation_advises_values_that_exist():
    equations, _ = oscillator()
    with pytest.raises(fx.FlexuraError, match="'c_") as refused:
        fx.participation(fx.modes(equations, 1), "y")
    name = str(refused.value).split("values={'")[1].split("'")[0]
    assert fx.participation(fx.modes(equations, 1, values={name: 0}), "y").factors == pytest.approx([np.sqrt(2)])


def test_periodic_responses_of_matrices_and_of_shapes_along_members():
    M, K = np.diag([2.0, 1.0]), np.array([[30.0, -10], [-10, 10]])
    system = fx.SecondOrderSystem(M, 0.1 * M, K)
    found = fx.periodic_response(system, [1.0, 0], [0, 1.0], period=2.0)
    assert found.harmonics[1] == pytest.approx(fx.frequency_response(system, [np.pi], [1.0, 0], [0, 1.0])[0])
    assert fx.periodic_response(system, {"x0": "cos(3*t)"}, np.eye(2)).shape == (256, 2)
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.0, damping=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "g(x)"))
    for load in ("x*cos(3*t)", lambda x, t: x * np.cos(3 * t)):
        with pytest.raises(fx.FlexuraError, match="its shape along x by values"):
            fx.periodic_response(model, {"g": load}, beam.end, period=1.0)
    found = fx.periodic_response(model, {"g": "cos(3*t)"}, beam.end, values={"g": "x"})
    assert found.harmonics[1] == pytest.approx(fx.frequency_response(model, [3.0], "g", beam.end, {"g": "x"})[0])


def test_white_noise_upon_an_undamped_resonance_has_no_mean_square():
    mass = fx.Mass("m", m=2.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=18.0), fx.Force(mass, "F"))
    with pytest.raises(fx.FlexuraError, match="The mean square is infinite"):
        fx.random_response(model, 1.0, "F", "y", [0.0, 10.0])
    assert fx.random_response(model, 1.0, "F", "y", [0.0, 2.0]).error < 1e-9  # below it there is
    with pytest.raises(fx.FlexuraError, match="negative"):
        fx.random_response(model, lambda w: 1 - w, "F", "y", [0.0, 2.0])


def test_a_pendulum_on_a_pivot_that_swings_settles_to_the_periodic_response():
    pivot, link = fx.RigidBody("pivot", m=1.0, I=0), fx.RigidBody("link", m=2.0, I=0.1)
    model = fx.Model(
        fx.Slide(fx.ground, pivot, along="x", name="x", motion="xg(t)"),
        fx.Revolute(pivot, link.at(0, 0.5), name="theta"),
        fx.TorsionDamper(pivot, link, c=1.0),
        fx.Gravity(),
    )
    found = fx.periodic_response(model, {"xg": "0.1*cos(3*t)"}, ["theta", fx.Motion(link, along="x")])
    t = np.linspace(0, 20 * 2 * np.pi / 3, 20 * 16 + 1)
    run = fx.simulate(model, t, inputs={"xg": "0.1*cos(3*t)"})
    assert found[::16, 0] == pytest.approx(run["theta"][-17:-1], abs=1e-6)
    assert found[:, 1] == pytest.approx(0.1 * np.cos(3 * found.t) + 0.5 * np.sin(found[:, 0]), abs=1e-10)
    assert found.stable
    assert np.prod(found.multipliers) == pytest.approx(np.exp(-1.0 / 0.6 * found.period), rel=1e-8)  # Liouville
