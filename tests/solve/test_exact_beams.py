"""Members that bend far, in motion: against published values, plain finite elements, and what every motion keeps."""

import numpy as np
import pytest

import flexura as fx
from hunt.links import Links, beam, refined

FLYING = {"rho": 1.0, "length": 10.0, "EA": 1e4, "kGA": 1e4, "rotary_inertia": 10.0}
_ALONG = np.array([[-0.6, -0.8], [0.8, -0.6]])  # the beam's axes in ground's: it lies from (6, 0) to (0, 8)


def flying(EI, elements):
    """Simo and Vu-Quoc 1986: 8 along x and 80 clockwise at the lower end, let go after 2.5 s."""
    one = fx.ExactBeam("b", EI=EI, **FLYING)
    model = fx.Model(one, fx.Force(one.start, "F", along=(-0.6, -0.8, 0)), fx.Torque(one.start, "M"))
    loads = {"F": 8.0, "M": -80.0}
    run = fx.simulate(fx.derive(model), [0, 1.25, 2.5], inputs=loads, order=4, elements=elements, tolerance=1e-5)
    return [np.array([6.0, 0.0]) + _ALONG @ run.position(place)[-1][:2] for place in (one.start, one.end)], run


def test_the_flying_beam() -> None:
    (first, last), run = flying(500.0, 6)
    assert first == pytest.approx([4.430, -0.786], abs=2e-3)
    assert last == pytest.approx([5.945, 8.971], abs=2e-3)
    assert run.momentum.error < 1e-5
    centre = run.momentum.linear[-1][:2] / 10.0
    assert _ALONG @ centre == pytest.approx([2.0, 0.0], abs=1e-6)


def test_the_soft_flying_beam() -> None:
    (first, last), _ = flying(100.0, 8)
    assert first == pytest.approx([4.963, 4.476], abs=1.5e-2)
    assert last == pytest.approx([3.583, 6.112], abs=1.5e-2)


def test_a_soft_pendulum_hinged_at_its_bare_root() -> None:
    """Chains of rigid links with springs, extrapolated, know nothing of beams."""
    one, t = fx.ExactBeam("b", EI=2.0, rho=1.0, length=1.0), np.linspace(0, 0.6, 5)
    run = fx.simulate(fx.Model(fx.Pin(fx.ground, one.start), fx.Gravity()), t, order=6, elements=1, tolerance=1e-5)

    def links(count):
        bars, springs = beam(count, 2.0, 1.0, 1.0, 0)
        chain = Links(bars, springs[1:], g=9.81)
        return chain.end(chain.motion([0.0] * count, [0.0] * count, t, 1e-8))

    true, doubt = refined(links, 12)
    assert doubt < 1e-3
    assert run.position(one.end)[:, :2] == pytest.approx(true, abs=2e-3)
    assert not any("small deflections" in note for note in run.notes)


def test_ten_turns_leave_no_strain() -> None:
    """A free beam that spins as a rigid body: strains of the spin only, the same after ten turns."""
    one = fx.ExactBeam("b", EI=50.0, rho=1.0, length=1.0, EA=1e6, kGA=1e6, rotary_inertia=1e-3)
    equations = fx.derive(fx.Model(one))
    system = fx.discretise(equations, order=4, elements=2)
    for angle in (0.3, 20 * np.pi, 20 * np.pi + 1.0):
        c, s = np.cos(angle), np.sin(angle)
        shapes = {"u_b": lambda x, c=c: x * (c - 1), "v_b": lambda x, s=s: x * s, "phi_b": lambda x, a=angle: a + 0 * x}
        q, miss = system.fit(0.0, {}, shapes)
        assert miss < 1e-12
        _, potential = system.energies(0.0, q, 0 * q)
        # Strains are rounding of angles, 2e-16 of them; their energies are sums of terms as large as EA, rounded too.
        assert abs(potential) < 1e-18 * 1e6 * angle**2 + 1e6 * np.finfo(float).eps
        assert np.abs(system.evaluate(0.0, q, 0 * q, system.rest)[1]).max() < 1e-9 * 1e6


def test_energy_and_momenta_of_a_spinning_rubber_beam() -> None:
    one = fx.ExactBeam("b", EI=0.5, rho=1.0, length=1.0, EA=200.0, kGA=80.0, rotary_inertia=1e-2)
    equations = fx.derive(fx.Model(one))
    start = {"v_b_t": "2*x", "phi_b_t": 2.0, "u_b_t": 0.3}
    run = fx.simulate(equations, [0, 0.5, 1.0], initial=start, order=4, elements=2)
    assert run.energy.error < 1e-8
    assert run.momentum.error < 1e-7
    system = fx.discretise(equations, order=4, elements=2)
    q, v = (np.column_stack([run[f"{name}{rate}"] for name in system.names]) for rate in ("", "_t"))
    nodes, weights = np.polynomial.legendre.leggauss(5)
    x = np.concatenate([(1 + nodes) / 4, (3 + nodes) / 4])
    (x0, u), (y0, w), (_, turn) = (
        (system.values(name, x, run.t, q), system.values(name, x, run.t, q, v)) for name in ("u_b", "v_b", "phi_b")
    )
    about = ((x + x0) * w - y0 * u + 1e-2 * turn) @ np.tile(weights / 4, 2)
    assert about == pytest.approx(np.full(3, about[0]), rel=1e-7)


def test_an_inextensible_string_hangs_as_a_chain() -> None:
    """By energies, with its tension as a multiplier field: N = rho g (L - x) at rest, and nothing moves."""
    u = fx.Field("u", length=("L", 2.0))
    v, N = fx.Field("v", spine=u), fx.Field("N", spine=u)
    rho, g = fx.Parameter("rho", 0.5), fx.Parameter("g", 9.81)
    density = rho * (u.t**2 + v.t**2) / 2 + rho * g * u - N * (2 * u.x + u.x**2 + v.x**2) / 2
    lagrangian = fx.Lagrangian(density={u: density}, boundary={u.at(0): 0, v.at(0): 0})
    equations = fx.derive(lagrangian)
    assert lagrangian.multiplier_fields == ("N",)
    assert fx.verify(equations)
    run = fx.simulate(equations, [0, 0.1], order=4, elements=2)
    assert run.place("N", 0.5)[-1] == pytest.approx(0.5 * 9.81 * 1.5, rel=1e-9)
    assert np.abs(run.place("v", 2.0)).max() < 1e-12
    swung = fx.simulate(equations, [0, 0.2, 0.4], initial={"v_t": "x/2"}, order=4, elements=2, tolerance=1e-6)
    lengths = np.hypot(2 + swung.place("u", 2.0), swung.place("v", 2.0))
    assert np.all(lengths <= 2 + 1e-9)
    assert swung.energy.error < 1e-6


def test_modes_with_conditions_along_a_member() -> None:
    """About rest an exact beam that neither stretches nor shears is Rayleigh's."""
    stiff = {"EI": 2.0, "rho": 1.5, "length": 1.2, "rotary_inertia": 0.02}
    exact, rayleigh = (
        fx.modes(fx.Model(fx.Fixed(fx.ground, kind("b", **stiff).start)), 4, method="ritz")
        for kind in (fx.ExactBeam, fx.RayleighBeam)
    )
    assert exact.frequencies == pytest.approx(rayleigh.frequencies, rel=1e-8)


def test_a_moment_rolls_it_up() -> None:
    """Damped until it rests: the tip of L (sin a/a, (1 - cos a)/a) for a = M L/EI = pi."""
    section = {"EA": 1e3, "kGA": 1e3, "rotary_inertia": 0.05, "damping": 8, "internal_damping": 0.5}
    one = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, **section)
    model = fx.Model(fx.Fixed(fx.ground, one.start), fx.Torque(one.end, "M"))
    ramp = {"M": "pi*Piecewise((t/5, t < 5), (1, True))"}
    run = fx.simulate(fx.derive(model), [0, 5, 30], inputs=ramp, order=6, elements=2, tolerance=1e-4)
    a = np.pi
    assert run.position(one.end)[-1][:2] == pytest.approx([np.sin(a) / a, (1 - np.cos(a)) / a], abs=2e-4)


def test_a_strain_beyond_the_theory_is_told_with_its_size() -> None:
    one = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, EA=10.0, kGA=10.0, rotary_inertia=0.1, damping=20)
    model = fx.Model(fx.Fixed(fx.ground, one.start), fx.Force(one.end, "3", along="x"))
    run = fx.simulate(model, [0, 40], order=2, elements=1, tolerance=1e-4)
    assert run.place(one, 1.0)[-1][0] == pytest.approx(0.3, abs=1e-3)
    assert any("stretched by 0.3" in note for note in run.notes)
    gentle = fx.Model(fx.Fixed(fx.ground, one.start), fx.Force(one.end, "0.3", along="x"))
    assert not any("stretched" in note for note in fx.simulate(gentle, [0, 40], order=2, elements=1).notes)


def test_internal_forces_are_in_the_axes_of_the_section() -> None:
    """Under an end moment and a pull along x after half a turn, statics tells both forces at any section."""
    section = {"EA": 1e3, "kGA": 1e3, "rotary_inertia": 0.05, "damping": 8, "internal_damping": 0.5}
    one = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, **section)
    loads = fx.Torque(one.end, "M"), fx.Force(one.end, "P", along="x")
    ramp = {name: f"{size}*Piecewise((t/5, t < 5), (1, True))" for name, size in (("M", 3.0), ("P", 0.4))}
    model = fx.Model(fx.Fixed(fx.ground, one.start), *loads)
    run = fx.simulate(fx.derive(model), [0, 20, 40], inputs=ramp, order=6, elements=2, tolerance=1e-5)
    for s in (0.2, 0.5, 0.8):
        angle = run.place(one, s)[-1][2]
        assert run[fx.Internal(one, s, "axial")][-1] == pytest.approx(0.4 * np.cos(angle), abs=2e-3)
        assert run[fx.Internal(one, s, "shear")][-1] == pytest.approx(-0.4 * np.sin(angle), abs=2e-3)
