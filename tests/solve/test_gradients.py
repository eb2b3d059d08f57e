"""Slopes of responses and runs by parameters: against closed forms and differences of the answers."""

import numpy as np
import pytest
from scipy.linalg import expm

import flexura as fx

RULE = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}


def difference(answer, value, share=5e-4):
    h = share * value
    return sum(weight * (answer(value + k * h) - answer(value - k * h)) for k, weight in RULE.items()) / h


def test_a_shaken_mass_in_closed_form():
    base, mass = fx.RigidBody("base", m=1, I=0), fx.Mass("m", m=("m", 2.0))
    model = fx.Model(
        fx.Slide(fx.ground, base, motion="zr(t)"),
        fx.Slide(fx.ground, mass, name="y"),
        fx.Spring(base, mass, k=("k", 50.0)),
        fx.Damper(base, mass, c=("c", 1.0)),
        fx.Force(mass, "F"),
    )
    omega, at = np.array([1.0, 5.0]), {"k": 50.0, "c": 1.0, "m": 2.0}
    found = fx.sensitivity(model, omega=omega, load=["zr", "F"], output=[fx.Motion(mass), "y"])

    def exact(s, k, c, m):
        return (k + s * c) / (k + s * c + s**2 * m), 1 / (k + s * c + s**2 * m)

    s = 1j * omega
    bottom = at["k"] + s * at["c"] + s**2 * at["m"]
    by_hand = {
        "k": (s**2 * at["m"] / bottom**2, -1 / bottom**2),
        "c": (s**3 * at["m"] / bottom**2, -s / bottom**2),
        "m": (-(at["k"] + s * at["c"]) * s**2 / bottom**2, -(s**2) / bottom**2),
    }
    assert found.response[:, 0] == pytest.approx(np.array(exact(s, **at)).T)
    for name, slopes in by_hand.items():
        for row in range(2):
            assert found[name][:, row] == pytest.approx(np.array(slopes).T, rel=1e-10)
    rate = np.real(np.conj(found.response[:, 0, 0]) * by_hand["k"][0]) / abs(found.response[:, 0, 0])
    assert found.magnitude["k"][:, 0, 0] == pytest.approx(rate)
    single = fx.sensitivity(model, "k", omega=omega, load="F", output="y")
    assert single["k"].shape == (2,)
    assert set(single) == {"k"}


def test_members_by_differences_of_exact_responses():
    tip = fx.Mass("tip", m=0.5)
    beam = fx.EulerBernoulliBeam("b", EI=("EI", 50.0), rho=1.2, length=("l", 1.0), internal_damping=1e-3)
    model = fx.Model(fx.Fixed(fx.ground, beam.start, name="clamp"), fx.Fixed(beam.end, tip), fx.Force(tip, "F"))
    equations, omega = fx.derive(model), np.array([1.0, 12.0, 60.0])
    outputs = [fx.Motion(tip), fx.Internal(beam, 0, "moment"), beam.at("l/2"), fx.Reaction("clamp", along="y")]
    found = fx.sensitivity(equations, ["EI", "l"], omega=omega, load="F", output=outputs)
    assert found.error < 1e-8
    for name, value in {"EI": 50.0, "l": 1.0}.items():
        expected = difference(
            lambda one, name=name: np.asarray(fx.frequency_response(equations, omega, "F", outputs, {name: one})), value
        )
        for row in range(len(outputs)):
            size = np.abs(expected[:, row]).max()
            assert found[name][:, row] == pytest.approx(expected[:, row], abs=1e-8 * size), (name, row)


def test_a_pendulum_by_differences_of_runs():
    bar = fx.RigidBody("p", m=("m", 2.0), I=0.1)
    model = fx.Model(
        fx.Revolute(fx.ground, bar.at(0, ("a", 0.5)), name="th"),
        fx.Gravity(),
        fx.TorsionDamper(fx.ground, bar, c=("c", 0.3)),
        fx.Torque(bar, "tau"),
    )
    equations, t = fx.derive(model), np.linspace(0, 2, 9)
    outputs = ["th", fx.Motion(bar, along="x"), fx.Reaction("th", along="y")]
    asked = {"initial": {"th": 0.8}, "inputs": {"tau": "step(t - 1)*m"}}
    found = fx.sensitivity(equations, ["m", "a", "c"], t=t, output=outputs, **asked)

    def run(name, value):
        one = fx.simulate(equations, t, values={name: value}, tolerance=1e-12, **asked)
        return np.column_stack([one[output] for output in outputs])

    for name, value in {"m": 2.0, "a": 0.5, "c": 0.3}.items():
        expected = difference(lambda one, name=name: run(name, one), value, share=4e-3)
        assert found[name] == pytest.approx(expected, abs=1e-8 * np.abs(expected).max()), name
    assert found.outputs == pytest.approx(run("m", 2.0), abs=1e-8)


def test_a_linear_run_in_closed_form():
    mass = fx.Mass("m", m=("m", 2.0))
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=("k", 18.0)))
    t = np.linspace(0, 3, 7)
    found = fx.sensitivity(model, ["k", "m"], t=t, output="y", initial={"y": 0.1})
    w = 3.0
    assert found["k"] == pytest.approx(-0.1 * t * np.sin(w * t) / (2 * np.sqrt(18.0 * 2.0)), abs=1e-10)
    assert found["m"] == pytest.approx(0.1 * t * np.sin(w * t) * w / 4, abs=1e-10)
    pytest.importorskip("pandas")
    assert list(found.to_dataframe().columns) == ["d(y)/d(k)", "d(y)/d(m)"]
    assert "2 parameters" not in repr(found)
    assert "slopes of y" in repr(found)


@pytest.mark.parametrize(("scale", "end"), [(0.1, 3.0), (1e-9, 3.0), (0.1, 60.0)])
def test_the_error_of_a_run_holds_what_steps_miss(scale, end):
    """Against the closed form: small motions, whose slopes are near the least that steps see, and many periods."""
    mass = fx.Mass("m", m=("m", 2.0))
    model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=("k", 18.0)))
    t = np.linspace(0, end, 13)
    found = fx.sensitivity(model, ["k", "m"], t=t, output="y", initial={"y": scale})
    exact = {"k": -scale * t * np.sin(3 * t) / 12, "m": scale * t * np.sin(3 * t) * 3 / 4}
    off = max(np.abs(found[name] - one).max() / np.abs(one).max() for name, one in exact.items())
    assert off <= found.error <= max(1e5 * off, 1e-7)
    assert found.order is None
    assert f"known to {found.error:.1g} of the largest" in repr(found)


def test_slopes_of_members_name_their_degree():
    beam = fx.EulerBernoulliBeam("b", EI=("EI", 50.0), rho=1.2, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    asked = {"t": [0, 0.1, 0.2], "output": beam.at(0.5), "inputs": {"F": "t**3"}}
    low, high = (fx.sensitivity(model, "EI", order=order, **asked) for order in (4, 6))
    assert (low.order, high.order) == (4, 6)
    assert "polynomials of degree 4, which another order= tests" in repr(low)
    assert low["EI"] == pytest.approx(high["EI"], rel=0.05)


def test_what_is_not_clear_is_said():
    mass = fx.Mass("m", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=("k", 18.0)), fx.Force(mass, "F")
    )
    with pytest.raises(fx.FlexuraError, match="without omega or t"):
        fx.sensitivity(model, "k", load="F", output="y")
    with pytest.raises(fx.FlexuraError, match="not clear"):
        fx.sensitivity(model, "k", omega=[1.0], output="y")
    with pytest.raises(fx.FlexuraError, match="no parameter 'kk'"):
        fx.sensitivity(model, "kk", omega=[1.0], load="F", output="y")
    with pytest.raises(fx.FlexuraError, match="undamped resonance"), pytest.warns(UserWarning, match="infinite"):
        fx.sensitivity(model, "k", omega=[3.0], load="F", output="y")
    held = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Stop(fx.ground, mass, gap=1.0))
    with pytest.raises(fx.FlexuraError, match="contacts"):
        fx.sensitivity(held, t=[0, 1.0], output="y")


def test_slopes_of_runs_that_jump_are_refused():
    base, mass = fx.RigidBody("base", m=1.0, I=0), fx.Mass("m", m=1.0)
    ride = fx.Slide(fx.ground, base, motion="zr(t)")
    shaken = fx.Model(ride, fx.Slide(base, mass, name="q"), fx.Spring(base, mass, k="k"))
    alone = fx.Slide(fx.ground, mass, name="q"), fx.Spring(fx.ground, mass, k="k")
    rubbing, struck, stepped, bent = (
        fx.Model(*alone, fx.Force(mass, load))
        for load in (
            "-0.3*sign(q_t)",
            "3*impulse(t - 0.5)",
            "-Piecewise((3, q > 0.1), (0, True))",
            "-Piecewise((3*(q - 0.1), q > 0.1), (0, True))",
        )
    )
    cases = [(shaken, {"zr": "abs(t - 0.7)"}, "speed of a given motion"), (rubbing, None, "sign of a rate"),
             (struck, None, "impulses"), (stepped, None, "force jumps")]  # fmt: skip
    for model, inputs, told in cases:
        with pytest.raises(fx.FlexuraError, match=told):
            fx.sensitivity(
                model, ["k"], values={"k": 8.0}, t=[0, 1.0, 2.0], output="q", initial={"q": 1.0}, inputs=inputs
            )
    smooth = fx.sensitivity(shaken, ["k"], values={"k": 8.0}, t=[0, 1.0], output="q", inputs={"zr": "0.1*sin(2*t)"})
    assert np.all(np.isfinite(smooth["k"]))
    t, asked = [0, 1.0, 2.0], {"initial": {"q": 1.0}}
    kinked = fx.sensitivity(bent, ["k"], values={"k": 8.0}, t=t, output="q", **asked)
    more, less = (fx.simulate(bent, t, values={"k": k}, tolerance=1e-10, **asked)["q"] for k in (8.001, 7.999))
    assert kinked["k"] == pytest.approx((more - less) / 0.002, abs=1e-6)


def test_stiff_linear_runs_by_complex_steps():
    """Three masses, the middle spring 1e5 times as stiff; the load holds parameters, too, and jumps."""
    masses = [fx.Mass(f"m{i}", m=(f"m{i}", 1.0 + i)) for i in range(3)]
    parts = [fx.Slide(fx.ground, one, name=f"q{i}") for i, one in enumerate(masses)]
    links = [fx.ground, *masses]
    stiff = [40.0, 4e6, 30.0]
    for i, k in enumerate(stiff):
        parts += [fx.Spring(*links[i : i + 2], k=(f"k{i}", k)), fx.Damper(*links[i : i + 2], c=(f"c{i}", 0.3 + i))]
    equations = fx.derive(fx.Model(*parts, fx.Force(masses[2], "F")))
    at = {f"m{i}": 1.0 + i for i in range(3)} | {f"k{i}": k for i, k in enumerate(stiff)}
    at |= {f"c{i}": 0.3 + i for i in range(3)}
    t = np.linspace(0, 2, 9)

    def state(time, given):
        m, k, c = (np.array([given[f"{kind}{i}"] for i in range(3)]) for kind in "mkc")
        rise = np.array([[1, 0, 0], [-1, 1, 0], [0, -1, 1]])
        over = np.diag(1 / m)
        A = np.zeros((8, 8), dtype=np.complex128)  # with (sin 3t, cos 3t) behind
        A[:3, 3:6] = np.eye(3)
        A[3:6, :3], A[3:6, 3:6] = -over @ rise.T @ np.diag(k) @ rise, -over @ rise.T @ np.diag(c) @ rise
        A[5, 6], A[6, 7], A[7, 6] = given["k0"] / m[2], 3.0, -3.0
        begun = np.array([0.1, 0.1, 0.1, 0, 0, 0, 0, 1], dtype=np.complex128)
        if time <= 0.75:
            return expm(A * time) @ begun
        begun = expm(A * 0.75) @ begun
        A[5, 6] *= 2
        return expm(A * (time - 0.75)) @ begun

    asked = {"initial": {f"q{i}": 0.1 for i in range(3)}, "inputs": {"F": "k0*sin(3*t)*(1 + step(t - 0.75))"}}
    found = fx.sensitivity(equations, t=t, output=["q0", "q2_t"], **asked)
    assert set(found) == set(at)
    assert found.outputs == pytest.approx(np.array([state(one, at)[[0, 5]].real for one in t]), abs=1e-9)
    for name, value in at.items():
        h = 1e-30 * value
        exact = np.array([state(one, at | {name: value + 1j * h})[[0, 5]].imag / h for one in t])
        share = 1e-8 * np.abs(found.outputs).max(axis=0) / value  # of the outputs, for a change of the whole parameter
        assert np.all(np.abs(found[name] - exact) <= share), name


def test_members_in_linear_runs_by_differences():
    beam = fx.EulerBernoulliBeam("b", EI=("EI", 50.0), rho=("rho", 1.2), length=("l", 1.0), internal_damping=1e-3)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    equations, t = fx.derive(model), np.linspace(0, 0.4, 9)
    inputs = {"F": "l*sin(20*t)"}
    found = fx.sensitivity(equations, t=t, output=[fx.Motion(beam.end), beam.at("l/2")], inputs=inputs, order=6)
    for name, value in {"EI": 50.0, "rho": 1.2, "l": 1.0}.items():

        def run(one, name=name):
            made = fx.simulate(equations, t, inputs=inputs, values={name: one}, order=6)
            return np.column_stack([made[fx.Motion(beam.end)], made.place(beam, "l/2")])

        expected = difference(run, value, share=4e-3)
        assert found[name] == pytest.approx(expected, abs=2e-7 * np.abs(expected).max()), name


def test_a_shaken_beam_by_differences_of_runs():
    base = fx.RigidBody("base", m=1.0, I=0)
    beam = fx.EulerBernoulliBeam("b", EI=("EI", 50.0), rho=("rho", 1.2), length=("l", 1.0), internal_damping=1e-3)
    model = fx.Model(fx.Slide(fx.ground, base, motion="zr(t)"), fx.Fixed(base, beam.start), fx.Force(beam.end, "F"))
    equations, t = fx.derive(model), np.linspace(0, 0.4, 9)
    inputs = {"zr": "0.01*sin(9*t)**2", "F": "0.1*l*sin(20*t)"}
    found = fx.sensitivity(equations, t=t, output=[fx.Motion(beam.end), beam.at("l/2")], inputs=inputs, order=6)
    for name, value in {"EI": 50.0, "rho": 1.2, "l": 1.0}.items():

        def run(one, name=name):
            made = fx.simulate(equations, t, inputs=inputs, values={name: one}, order=6)
            return np.column_stack([made[fx.Motion(beam.end)], made.place(beam, "l/2")])

        expected = difference(run, value, share=4e-3)
        assert found[name] == pytest.approx(expected, abs=2e-7 * np.abs(expected).max()), name


def test_a_parameter_that_moves_a_jump_is_refused():
    mass = fx.Mass("m", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=("k", 18.0)), fx.Force(mass, "F")
    )
    with pytest.raises(fx.FlexuraError, match="k moves the time"):
        fx.sensitivity(model, "k", t=[0, 1.0, 2.0], output="y", inputs={"F": "step(t - k/18)"})
