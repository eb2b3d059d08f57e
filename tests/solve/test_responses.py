"""Impulse, step, periodic and random responses, spectra, and what textbooks ask of modes: against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad

import flexura as fx


def oscillator(m=2.0, c=1.0, k=50.0):
    mass = fx.Mass("m", m=m)
    parts = [fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=k), fx.Force(mass, "F")]
    return fx.derive(fx.Model(*parts, *([fx.Damper(fx.ground, mass, c=c)] if c else []))), mass


def cantilever(**more):
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, **more)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))), beam


def test_an_oscillator_struck_and_loaded():
    equations, mass = oscillator()
    t = np.array([0.0, 0.1, 0.5, 0.9, 2.0, 3.7])
    zeta, w = 1.0 / (2 * 2.0 * 5.0), 5.0
    wd = w * np.sqrt(1 - zeta**2)
    decay = np.exp(-zeta * w * t)
    struck = fx.impulse_response(equations, t, "F", "y")
    assert struck == pytest.approx(decay * np.sin(wd * t) / (2.0 * wd), abs=1e-14)
    assert np.array_equal(struck.t, t)
    assert struck.error == 0.0
    step = (1 - decay * (np.cos(wd * t) + zeta * w / wd * np.sin(wd * t))) / 50.0
    found = fx.step_response(equations, t, ["F"], [fx.Motion(mass), "y_t"])
    assert found.shape == (6, 2, 1)
    assert found[:, 0, 0] == pytest.approx(step, abs=1e-14)
    assert found[:, 1, 0] == pytest.approx(np.asarray(struck), abs=1e-13)
    with pytest.raises(fx.FlexuraError, match="0 or later"):
        fx.step_response(equations, [-1.0, 0.0], "F", "y")


def test_a_base_that_jumps():
    base, mass = fx.RigidBody("base", m=1, I=0), fx.Mass("m", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, base, name="z", motion="zr(t)"),
        fx.Slide(fx.ground, mass, name="y"),
        fx.Spring(base, mass, k=8.0),
    )
    t = np.linspace(0, 3, 7)
    assert fx.step_response(model, t, "z", "y") == pytest.approx(1 - np.cos(2 * t), abs=1e-12)
    assert fx.impulse_response(model, t, "z", "y") == pytest.approx(2 * np.sin(2 * t), abs=1e-12)


def test_a_beam_loaded_at_once_swings_in_its_modes():
    equations, beam = cantilever()
    t = np.array([0.02, 0.3, 1.1, 2.0])
    with pytest.warns(UserWarning, match="Internal damping takes them out"):
        fx.impulse_response(equations, t, "F", beam.end)
    found = fx.step_response(equations, t, "F", beam.end)
    modes = fx.modes(equations, 40)
    tips = np.array([modes.shape(k)("w_b", 1.0) for k in range(40)])
    w = modes.frequencies
    swing = (tips**2 / w**2 * (1 - np.cos(w * t[:, None]))).sum(axis=1)
    assert np.abs(found - swing).max() <= found.error * np.abs(found).max() + 3e-7  # what 40 modes leave out
    assert found.error < 1e-5
    damped, beam = cantilever(internal_damping=5e-3)
    late = fx.step_response(damped, [700.0], "F", [beam.end, fx.Internal(beam, 0), fx.Internal(beam, 0.5, "shear")])
    assert late[0] == pytest.approx([1 / 3, 1.0, 1.0], rel=1e-7)
    assert late.error < 1e-7


def test_random_load_on_an_oscillator_and_on_a_beam():
    equations, mass = oscillator()
    found = fx.random_response(equations, 3.0, "F", [fx.Motion(mass), "y"], np.array([0.0, 3.0, 5.0, 2000.0]))
    tail = 3.0 / (2.0**2 * 3 * 2000.0**3)  # 1/(m omega^2)^2 beyond the band
    assert found.rms**2 == pytest.approx([3.0 * np.pi / (2 * 50.0) - tail] * 2, rel=1e-9)
    assert found.psd.shape == (4, 2)
    assert found.psd[1] == pytest.approx(3.0 / abs(50 - 2 * 9.0 + 3j) ** 2)
    equations, beam = cantilever(internal_damping=4e-3)

    def tip(w):
        EI = 1 + 4e-3j * w
        z = (w**2 / EI) ** 0.25
        return (np.cosh(z) * np.sin(z) - np.sinh(z) * np.cos(z)) / (EI * z**3 * (1 + np.cosh(z) * np.cos(z)))

    band = fx.random_response(equations, lambda w: 1 / (1 + w), "F", beam.end, [0.5, 90.0])
    exact = sum(
        quad(lambda w: abs(tip(w)) ** 2 / (1 + w), a, b, epsabs=0, epsrel=1e-12, limit=400)[0]
        for a, b in ((0.5, 3.5), (3.5, 4.5), (4.5, 22), (22, 90))
    )
    assert band.rms == pytest.approx(np.sqrt(exact), rel=1e-9)
    assert band.error < 1e-9
    with pytest.raises(fx.FlexuraError, match="negative"):
        fx.random_response(equations, -1.0, "F", beam.end, [0.5, 90.0])
    with pytest.raises(fx.FlexuraError, match="one density for each omega"):
        fx.random_response(equations, [1.0], "F", beam.end, [0.5, 90.0])


@settings(max_examples=10, deadline=None)
@given(st.floats(1.0, 40.0), st.floats(0.0, 0.4), st.floats(0.5, 3.0))
def test_the_spectrum_of_a_sudden_acceleration(omega, zeta, level):
    t = np.linspace(0, 8.0, 41)
    found = fx.response_spectrum((t, np.full(41, level)), omega, zeta)
    over = np.exp(-np.pi * zeta / np.sqrt(1 - zeta**2))
    first = level / omega**2 * (1 + over)
    assert found == pytest.approx(first, rel=1e-11)


def test_an_earthquake_on_a_frame_is_that_of_the_simulation():
    rng = np.random.default_rng(5)
    t = np.linspace(0, 4.0, 161)
    record = rng.normal(size=161) * np.exp(-0.5 * t)
    equations, _ = oscillator(m=3.0, c=1.8, k=120.0)
    w, zeta = np.sqrt(40.0), 1.8 / (2 * np.sqrt(360.0))
    fine = np.unique(np.concatenate([t, np.linspace(0, 4.0, 3001)]))
    run = fx.simulate(equations, fine, inputs={"F": -3.0 * np.interp(fine, t, record)}, tolerance=1e-11)
    peak = fx.response_spectrum((t, record), [w, 2 * w], zeta)
    assert peak.shape == (2,)
    assert peak[0] == pytest.approx(np.abs(run["y"]).max(), rel=1e-5)  # the run is seen at its times only
    assert fx.response_spectrum((t, record), [w], [0.02, zeta]).shape == (1, 2)
    assert fx.response_spectrum((t, record), [w], [0.02, zeta])[0, 1] == pytest.approx(peak[0], rel=1e-12)
    for wrong, sentence in [((t, record[:-1]), "same length"), ((t[::-1], record), "sort"), (record, "no pair")]:
        with pytest.raises(fx.FlexuraError, match=sentence):
            fx.response_spectrum(wrong, [w], zeta)


def test_the_tuned_absorber_of_den_hartog():
    """At the best tuning 1/(1 + mu) both fixed points are as high, sqrt(1 + 2/mu), whatever the damping is."""
    mu, M, K = 0.1, 10.0, 4000.0
    main, small = fx.Mass("main", m=M), fx.Mass("small", m=mu * M)
    w0 = np.sqrt(K / M) / (1 + mu)
    model = fx.Model(
        fx.Slide(fx.ground, main, name="x1"), fx.Slide(fx.ground, small, name="x2"), fx.Spring(fx.ground, main, k=K),
        fx.Spring(main, small, k=mu * M * w0**2), fx.Damper(main, small, c="c"), fx.Force(main, "F"),
    )  # fmt: skip
    equations = fx.derive(model)
    fixed = np.sqrt(K / M) * np.sqrt((1 + np.array([-1, 1]) * np.sqrt(mu / (2 + mu))) / (1 + mu))
    best = 2 * mu * M * np.sqrt(K / M) * np.sqrt(3 * mu / (8 * (1 + mu) ** 3))
    for c in (0.3 * best, best, 3 * best):
        height = np.abs(fx.frequency_response(equations, fixed, "F", "x1", {"c": c})) * K
        assert height == pytest.approx(np.sqrt(1 + 2 / mu), rel=1e-9)
    w = np.linspace(10, 30, 4001)
    top = [
        np.abs(fx.frequency_response(equations, w, "F", "x1", {"c": c})).max() * K
        for c in (0.8 * best, best, 1.25 * best)
    ]
    assert top[1] == min(top)
    assert top[1] == pytest.approx(np.sqrt(1 + 2 / mu), rel=0.01)


def test_participation_of_the_cantilever():
    equations, _ = cantilever()
    found = fx.participation(fx.modes(equations, 6), "-y")
    beta = np.sqrt(found.frequencies)
    sigma = (np.sinh(beta) - np.sin(beta)) / (np.cosh(beta) + np.cos(beta))
    assert found.effective_masses == pytest.approx((2 * sigma / beta) ** 2, rel=1e-9)
    assert found.effective_masses[:3] == pytest.approx([0.6131, 0.1883, 0.0647], abs=1e-4)
    assert found.total_mass == pytest.approx(1.0)
    assert found.sum < found.total_mass
    loaded = fx.participation(fx.modes(equations, 3), "F")
    assert np.abs(loaded.factors) == pytest.approx(2.0, rel=1e-9)  # every mode has 2 at the tip
    assert fx.participation(fx.modes(equations, 2), "x").factors == pytest.approx(0, abs=1e-12)


def test_all_the_mass_takes_part_in_all_modes():
    masses = [fx.Mass(f"m{i}", m=1.0 + i) for i in range(3)]
    joints = [fx.Slide(fx.ground, one, along="x", name=f"x{i}") for i, one in enumerate(masses)]
    springs = [fx.Spring(p, q, k=5.0, along="x") for p, q in zip([fx.ground, *masses[:2]], masses, strict=True)]
    found = fx.participation(fx.modes(fx.Model(*joints, *springs)), "x")
    assert found.sum == pytest.approx(6.0, rel=1e-12)
    assert found.total_mass == pytest.approx(6.0)


def test_dunkerleys_sum_over_all_modes_of_rods_and_beams():
    """The trace of Green's function: 1/2 of a rod, 1/12 of a beam, and of a Timoshenko beam shear and rotation more."""
    rod = fx.Rod("rod", EA=1.0, rho=1.0, length=1.0)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
    stout = fx.TimoshenkoBeam("stout", EI=1.0, kGA=10.0, rho=1.0, rotary_inertia=0.01, length=1.0)
    for member, trace in ((rod, 1 / 2), (beam, 1 / 12), (stout, 1 / 12 + 1 / 20 + 0.01 / 2)):
        bound = fx.dunkerley(fx.Model(fx.Fixed(fx.ground, member.start)))
        missed = abs(bound * np.sqrt(trace) - 1)
        assert missed < 1e-6
        assert missed <= 2 * bound.error


def test_bounds_of_rayleigh_and_dunkerley():
    equations, _ = cantilever()
    lowest = fx.modes(equations, 1).frequencies[0]
    assert fx.rayleigh_quotient(equations, {"w_b": "x**2"}) == pytest.approx(20.0, rel=1e-12)  # 4 / (1/5)
    static = fx.rayleigh_quotient(equations, "x**2*(6 - 4*x + x**2)")
    assert static == pytest.approx(162 / 13, rel=1e-12)  # EI int w''^2 = 144/5, int w^2 = 104/45
    assert static.frequency > lowest
    assert fx.rayleigh_quotient(equations, fx.modes(equations, 1).shape(0)).frequency == pytest.approx(lowest, rel=1e-9)
    assert fx.rayleigh_quotient(equations, lambda x: 1 - np.cos(np.pi * x / 2)).frequency > lowest
    below = fx.dunkerley(equations)
    assert below == pytest.approx(np.sqrt(12.0), rel=2 * below.error)
    assert below.error < 1e-5
    assert below < lowest
    masses = [fx.Mass(f"m{i}", m=1.0) for i in range(2)]
    model = fx.Model(
        *(fx.Slide(fx.ground, one, name=f"x{i}") for i, one in enumerate(masses)),
        fx.Spring(fx.ground, masses[0], k=1.0), fx.Spring(masses[0], masses[1], k=1.0),
    )  # fmt: skip
    assert fx.dunkerley(model) == pytest.approx(1 / np.sqrt(3), rel=1e-12)  # a_11 + a_22 = 1 + 2
    assert fx.rayleigh_quotient(model, {"x0": 1.0, "x1": 2.0}) == pytest.approx(0.4)
    with pytest.raises(fx.FlexuraError, match="hold it at 0"):
        fx.rayleigh_quotient(equations, "1 + x**2")
    with pytest.raises(fx.FlexuraError, match="moves freely"):
        fx.dunkerley(fx.Model(fx.Slide(fx.ground, masses[0], name="x0")))


def test_periodic_loads_on_a_linear_system():
    equations, _ = oscillator()

    def H(w):
        return 1 / (50.0 - 2 * w**2 + 1j * w)

    found = fx.periodic_response(equations, {"F": "2*cos(3*t) + sin(9*t)"}, "y")
    exact = np.real(2 * H(3) * np.exp(3j * found.t) - 1j * H(9) * np.exp(9j * found.t))
    assert found.period == pytest.approx(2 * np.pi / 3)
    assert found == pytest.approx(exact, abs=1e-14)
    assert found.harmonics[[1, 3]] == pytest.approx([2 * H(3), -1j * H(9)], rel=1e-10)
    one = fx.periodic_response(equations, "F", ["y"], period=2.0)
    assert one.shape == (256, 1)
    assert abs(one.harmonics[1, 0]) == pytest.approx(abs(H(np.pi)))
    with pytest.raises(fx.FlexuraError, match="give it: period"):
        fx.periodic_response(equations, {"F": lambda t: np.sin(t)}, "y")
    with pytest.raises(fx.FlexuraError, match="does not come back"):
        fx.periodic_response(equations, {"F": "sin(3*t)"}, "y", period=1.0)
    undamped, _ = oscillator(c=0)
    with (
        pytest.warns(UserWarning, match="undamped resonance"),
        pytest.raises(fx.FlexuraError, match="grows without end"),
    ):
        fx.periodic_response(undamped, {"F": "cos(5*t)"}, "y")


def test_the_oscillator_of_duffing_comes_back_and_is_stable():
    q, F = fx.Coordinate("q"), fx.Input("F")
    equations = fx.derive(
        fx.Lagrangian(kinetic=q.t**2 / 2, potential=q**2 / 2 + q**4 / 4, dissipation=0.1 * q.t**2 / 2, work={q: F})
    )
    found = fx.periodic_response(equations, {"F": "0.3*cos(1.3*t)"}, "q")
    assert found.stable
    assert np.prod(found.multipliers) == pytest.approx(np.exp(-0.1 * found.period), rel=1e-8)  # Liouville
    assert found.error < 1e-9
    t, w = found.t, 1.3
    modes = np.arange(len(found.harmonics))
    motion, rate, gain = (
        np.real(np.exp(1j * np.outer(t, modes * w)) @ (found.harmonics * (1j * modes * w) ** k)) for k in (0, 1, 2)
    )
    assert gain + 0.1 * rate + motion + motion**3 == pytest.approx(0.3 * np.cos(w * t), abs=1e-6)


def test_tables():
    pytest.importorskip("pandas")
    equations, mass = oscillator()
    t = np.linspace(0, 1, 5)
    table = fx.step_response(equations, t, "F", fx.Motion(mass)).to_dataframe()
    assert list(table.index) == list(t)
    assert list(table.columns) == ["motion of m along y per F (m/N)"]
    assert fx.random_response(equations, 1.0, "F", "y", [1.0, 2.0]).to_dataframe().shape == (2, 1)
    assert list(fx.participation(fx.modes(oscillator(c=0)[0]), "y").to_dataframe().columns) == [
        "omega (rad/s)",
        "factor",
        "effective mass (kg)",
    ]
    assert fx.periodic_response(equations, {"F": "cos(t)"}, "y").to_dataframe().shape == (256, 1)


def test_every_answer_is_a_table_with_units():
    pytest.importorskip("pandas")
    equations, mass = oscillator()
    run = fx.simulate(equations, np.linspace(0, 1, 5), {"y": 0.1})
    table = run.to_dataframe()
    assert table.index.name == "t (s)"
    assert {"y (m)", "y_t (m/s)", "y_tt (m/s**2)", "F (N)", "energy_kinetic (J)"} <= set(table.columns)
    assert list(table["y_t (m/s)"]) == list(run["y_t"])
    response = fx.frequency_response(equations, [1.0, 2.0], "F", ["y", fx.Motion(mass).t])
    table = response.to_dataframe()
    assert list(table.columns) == ["y per F (m/N)", "velocity of m along y per F (m/s/N)"]
    assert np.array_equal(table.to_numpy(), np.asarray(response))
    assert list(fx.random_response(equations, 1.0, "F", "y", [1.0, 2.0]).to_dataframe().columns) == [
        "psd of y (m**2*s/rad)"
    ]
    modes = fx.modes(equations, 1)
    assert list(modes.to_dataframe()["frequency (Hz)"]) == list(modes.frequencies / (2 * np.pi))
    table = fx.simulate(cantilever()[0], np.linspace(0, 0.1, 3)).to_dataframe()
    assert any(name.endswith("_t (rad/s)") for name in table.columns)
