"""What simulations tend to: stiff members to rigid ones as 1/EI, small harmonic motion to the exact response."""

import numpy as np
import pytest

import flexura as fx

SMOOTH = "sin(pi*t/{end})**4"  # loads that come and go so gently that stiff members hardly ring


def bar(name, EI, rho, length, flexible):
    """A beam from its start on, or the rigid bar of the same mass: what it is welded by, and where it ends."""
    if flexible:
        beam = fx.EulerBernoulliBeam(name, EI=EI, rho=rho, length=length)
        return beam.start, beam.end
    body = fx.RigidBody(name, m=rho * length, I=rho * length**3 / 12)
    return body.at(-length / 2), body.at(length / 2)


def two_links(EI, flexible):
    shoulder, rotor = fx.RigidBody("shoulder", m=1, I=0.05), fx.RigidBody("rotor", m=0.3, I=0.03)
    elbow, load = fx.RigidBody("elbow", m=0.4, I=0.01), fx.RigidBody("payload", m=0.5, I=0.005)
    upper, lower = bar("upper", EI, 0.6, 0.8, flexible), bar("lower", EI / 2, 0.4, 0.7, flexible)
    return fx.Model(
        fx.Revolute(fx.ground, shoulder, name="theta1"),
        fx.Fixed(shoulder, upper[0]),
        fx.Fixed(upper[1], elbow),
        fx.Revolute(elbow, rotor, name="theta2"),
        fx.Fixed(rotor, lower[0]),
        fx.Fixed(lower[1], load),
        fx.Torque(shoulder, f"4*{SMOOTH.format(end=0.5)}"),
        fx.Torque(rotor, f"-{SMOOTH.format(end=0.5)}", reaction=elbow),
    )


def slider_crank(EI, flexible):
    crank, slider = fx.RigidBody("crank", m=1, I=0.02), fx.Mass("slider", m=0.5)
    bearing, (start, end) = fx.RigidBody("bearing", m=0.1, I=1e-3), bar("rod", EI, 0.8, 0.6, flexible)
    return fx.Model(
        fx.Revolute(fx.ground, crank.at(-0.1), name="theta1"),
        fx.Revolute(crank.at(0.1), bearing, name="theta2"),
        fx.Fixed(bearing, start),
        fx.Slide(fx.ground, slider, along="x", name="s"),
        fx.Revolute(end, slider, name="pin"),
        fx.Torque(crank, f"3*{SMOOTH.format(end=0.5)}"),
    )


def floating(EI, flexible):
    """Two bodies on a bar in free flight, one of them pushed off its centre."""
    a, b = fx.RigidBody("a", m=2, I=0.1), fx.RigidBody("b", m=1, I=0.05)
    start, end = bar("bar", EI, 0.5, 1.0, flexible)
    push = fx.Force(a.at(0.1), f"5*{SMOOTH.format(end=0.5)}", along="y")
    return fx.Model(fx.Free(fx.ground, a, names=("s", "y", "theta1")), fx.Fixed(a, start), fx.Fixed(end, b), push)


@pytest.mark.parametrize(
    ("machine", "start", "names"),
    [
        (two_links, {"theta2": 0.5}, ("theta1", "theta2")),
        (slider_crank, {"theta1": 0.4}, ("theta1", "s")),
        (floating, {"theta1_t": 1.0}, ("theta1", "y")),
    ],
)
def test_stiff_members_tend_to_rigid_ones_as_one_over_their_stiffness(machine, start, names):
    t = np.linspace(0, 0.5, 11)
    wanted = fx.simulate(machine(1.0, flexible=False), t, initial=start, tolerance=1e-11)
    stiff = np.array([400.0, 1200.0, 3600.0])
    away = np.empty((len(stiff), len(names)))
    for row, EI in zip(away, stiff, strict=True):
        run = fx.simulate(machine(EI, flexible=True), t, initial=start, order=4, tolerance=1e-9)
        assert run.complete
        row[:] = [np.abs(run[name] - wanted[name]).max() for name in names]
    assert away.min() > 1e-7  # far above what the runs themselves miss
    for column in away.T:
        rate = np.polyfit(np.log(stiff), np.log(column), 1)[0]
        assert abs(rate + 1) < 0.1


def amplitude(t, history, omega):
    """The complex amplitude X of Im(X e^(i omega t)), with the mean beside it, by least squares."""
    columns = np.column_stack([np.sin(omega * t), np.cos(omega * t), np.ones_like(t)])
    (real, imaginary, _), *_ = np.linalg.lstsq(columns, history, rcond=None)
    return real + 1j * imaginary


def damped_arm():
    """Two flexible links with springs and dampers in their joints."""
    hub, rotor = fx.RigidBody("hub", m=1, I=0.1), fx.RigidBody("rotor", m=0.3, I=0.05)
    upper = fx.EulerBernoulliBeam("upper", EI=30.0, rho=0.5, length=0.8, damping=6.0)
    lower = fx.TimoshenkoBeam("lower", EI=20.0, kGA=4e3, rho=0.4, rotary_inertia=1e-3, length=0.6, damping=6.0)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta1"),
        fx.Fixed(hub, upper.start),
        fx.Revolute(upper.end, rotor, name="theta2"),
        fx.Fixed(rotor, lower.start),
        fx.TorsionSpring(fx.ground, hub, k=60.0),
        fx.TorsionDamper(fx.ground, hub, c=5.0),
        fx.TorsionSpring(upper.end, rotor, k=30.0),
        fx.TorsionDamper(upper.end, rotor, c=3.0),
        fx.Torque(hub, "tau"),
    )
    return fx.derive(model), {}, ["theta1", "theta2", (upper, 0.4)]


def hanging_pendulum():
    """A flexible rod under gravity, about where it hangs, its bob pushed along ground's x."""
    hub, bob = fx.RigidBody("hub", m=0, I=0.05), fx.Mass("bob", m=0.4)
    rod = fx.EulerBernoulliBeam("rod", EI=15.0, rho=0.5, length=1.0, damping=5.0)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta1"),
        fx.Fixed(hub, rod.start),
        fx.Fixed(rod.end, bob),
        fx.TorsionDamper(fx.ground, hub, c=3.0),
        fx.Gravity(9.81),
        fx.Force(bob, "tau", along="x"),
    )
    return fx.derive(model), {"theta1": "-pi/2"}, ["theta1", (rod, 0.5)]


@pytest.mark.parametrize("omega", [4.0, 12.0])
@pytest.mark.parametrize("machine", [damped_arm, hanging_pendulum])
def test_small_harmonic_motion_has_the_exact_amplitude_and_phase(machine, omega):
    equations, about, outputs = machine()
    assert not equations.lagrangian.linear
    linear = fx.linearise(equations, about=about)
    slowest = min(-fx.modes(linear, 4).eigenvalues.real)
    late = 14 / slowest + np.linspace(0, 4 * np.pi / omega, 161)  # what the start left has decayed by exp(-14)
    start, load = dict.fromkeys(about, -np.pi / 2), 1e-2
    loads = {"tau": f"{load}*sin({omega}*t)"}
    run = fx.simulate(equations, [0, *late], initial=start, inputs=loads, order=7, tolerance=1e-9)
    for output in outputs:
        history = run[output] if isinstance(output, str) else run.place(*output)
        place = output if isinstance(output, str) else output[0].at(output[1])
        exact = load * fx.frequency_response(linear, [omega], load="tau", output=place)[0]
        found = amplitude(late, history[1:], omega)
        assert abs(found) == pytest.approx(abs(exact), rel=1e-5)
        assert abs(np.angle(found / exact)) < 1e-5
