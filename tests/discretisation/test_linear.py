"""Linear systems as matrices: against exact modes, published values and the rates theory gives (theory, section 6)."""

import numpy as np
import pytest

import flexura as fx
from direct_action import numbers_for
from flexura import gallery
from flexura.discretisation.eigen import undamped

SHARED = [
    "example-one", "appendix-b", "appendix-b-moving", "timoshenko-tip-body", "stepped-shaft", "string-mid-mass",
    "three-span-beam", "hinged-beams", "portal-frame", "rotating-arm", "two-link-arm", "satellite", "von-karman",
    "base-excitation", "double-pendulum",
]  # fmt: skip


@pytest.mark.parametrize("name", SHARED)
def test_order_20_agrees_with_exact(name):
    equations = fx.derive(gallery.example(name))
    values = numbers_for(equations)
    exact = fx.modes(equations, 6, values)
    ritz = fx.modes(equations, 6, values, method="ritz", order=20)
    assert len(ritz) == len(exact)
    assert np.abs(ritz.eigenvalues - exact.eigenvalues).max() <= 1e-10 * np.abs(exact.eigenvalues).max()
    moving = exact.frequencies > 0
    assert ritz.frequencies[moving] == pytest.approx(exact.frequencies[moving], rel=1e-10)
    assert not ritz.frequencies[~moving].any()


def cantilever(**more):
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, field="w", **more)
    return beam, fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))


ROOTS = np.array([1.87510406871196, 4.69409113297417, 7.85475743823761, 10.9955407348755, 14.1371683910465])


def test_hermite_elements_converge_at_rate_four():
    """omega^2 of cubic elements is off by h^4: |rate - 4| < 0.1 in the frequencies."""
    _, equations = cantilever()
    for mode, cuts in ((0, (2, 4, 8)), (2, (8, 16, 32))):
        errors = []
        for n in cuts:
            found = fx.modes(equations, mode + 1, method="ritz", order=3, elements=n).frequencies[mode]
            errors.append(found / ROOTS[mode] ** 2 - 1)
            assert errors[-1] > 0  # Ritz bounds from above
        rates = np.log2(np.array(errors[:-1]) / errors[1:])
        assert rates[-1] == pytest.approx(4, abs=0.1)


def test_higher_degrees_converge_exponentially():
    """Every two degrees take off a factor: the logarithm of the error falls on a line, or faster."""
    _, equations = cantilever()
    degrees = np.arange(5, 14, 2)
    errors = [
        abs(fx.modes(equations, 3, method="ritz", order=int(p), elements=1).frequencies[2] / ROOTS[2] ** 2 - 1)
        for p in degrees
    ]
    falls = np.log10(np.array(errors[:-1]) / errors[1:])
    assert (falls > 1.0).all()
    assert falls[-1] > falls[0]


@pytest.mark.parametrize(("order", "rate"), [(1, 2), (2, 4)])
def test_rods_converge_at_twice_their_degree(order, rate):
    rod = fx.Rod("rod", EA=1.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, rod.start)))
    errors = [
        fx.modes(equations, 1, method="ritz", order=order, elements=n).frequencies[0] / (np.pi / 2) - 1 for n in (8, 16)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(rate, abs=0.1)


def test_refined_modes_say_so_and_match_the_published_roots():
    _, equations = cantilever()
    found = fx.modes(equations, 5, method="ritz")
    assert found.frequencies == pytest.approx(ROOTS**2, rel=1e-12)
    assert found.certificate
    assert "refined until they agree to 1e-10" in str(found.certificate)
    rough = fx.modes(equations, 5, method="ritz", order=6, elements=1)
    assert not rough.certificate
    assert "not refined, since order was given" in str(rough.certificate)
    assert (rough.frequencies >= ROOTS**2 * (1 - 1e-13)).all()


def test_shapes_are_those_of_the_exact_modes():
    equations = fx.derive(gallery.example("example-one"))
    values = numbers_for(equations) | {"b": 0.0}
    exact, ritz = (fx.modes(equations, 4, values, method=method) for method in ("exact", "ritz"))
    x = np.linspace(0, values["l"], 7)
    for k in range(4):
        one, other = exact.shape(k), ritz.shape(k)
        sign = np.sign(one["q1"] * other["q1"])
        assert sign * other["q1"] == pytest.approx(one["q1"], rel=1e-8)
        assert sign * other.q3(x) == pytest.approx(one.q3(x), abs=1e-8)
        assert sign * other.q3(x, 2) == pytest.approx(one.q3(x, 2), abs=1e-6 * np.abs(one.q3(x, 2)).max())
    with pytest.raises(fx.FlexuraError, match="The field q3 lives on x from 0 to"):
        ritz.shape(0).q3(-1.0)


def test_damped_eigenvalues_and_shapes_agree_with_exact():
    _, equations = cantilever(damping=0.4, internal_damping=0.002)
    exact, ritz = (fx.modes(equations, 4, method=method) for method in ("exact", "ritz"))
    assert ritz.eigenvalues == pytest.approx(exact.eigenvalues, rel=1e-9)
    assert ritz.damping_ratios == pytest.approx(exact.damping_ratios, rel=1e-8)
    s = ritz.eigenvalues
    assert s.real == pytest.approx(-(0.4 + 0.002 * ROOTS[:4] ** 4) / 2, rel=1e-9)
    near = fx.modes(equations, 1, method="ritz", near=-0.7 + 22j).eigenvalues
    assert near == pytest.approx(s[1:2], rel=1e-9)
    x = np.linspace(0, 1, 5)
    ratio = ritz.shape(1).w(x)[1:] / exact.shape(1).w(x)[1:]
    assert ratio == pytest.approx(np.full(4, ratio[0]), rel=1e-6)


def test_a_spinning_blade_in_space_is_stiffened():
    """A uniform blade without hub radius: flap rises above, and lag is flap less Omega^2, for slender sections."""
    hub = fx.RigidBody("hub", m=0, I=1.0)
    blade = fx.SpatialBeam(
        "blade", EA=1e7, EIy=1.0, EIz=1.0, GJ=1e3, rho=1.0, rotary_inertia=(1e-9, 5e-10, 5e-10), length=1.0,
        field=("u", "v", "w", "phi"),
    )  # fmt: skip
    equations = fx.derive(
        fx.Model(fx.Revolute(fx.ground, hub, name="theta", motion="Omega*t"), fx.Fixed(hub, blade.start))
    )
    system = fx.discretise(equations, {"Omega": 3.0}, order=8)
    n = system.n
    K, _ = system.jacobians(0.0, *(np.zeros(n) for _ in range(3)), system.rest, np.zeros(0))
    M, _ = system.evaluate(0.0, np.zeros(n), np.zeros(n), system.rest)
    found = undamped(M, K).squares
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, field="w")
    turning = fx.Revolute(fx.ground, hub, about="y", name="theta", motion="Omega*t")
    flap = fx.derive(fx.Model(turning, fx.Fixed(hub, beam.start)))
    first = fx.modes(flap, 1, {"Omega": 3.0}).frequencies[0] ** 2
    assert found[1] == pytest.approx(first, rel=1e-6)
    assert found[0] == pytest.approx(first - 9.0, rel=1e-5)  # u moves a little with v


def test_matrices_are_symmetric_to_the_last_bit_and_named():
    equations = fx.derive(gallery.example("example-one"))
    values = numbers_for(equations)
    system = fx.discretise(equations, values | {"f": "1 - x/l"}, order=6)
    assert isinstance(system, fx.SecondOrderSystem)
    for one in (system.M, system.K, system.D):
        assert np.array_equal(one, one.T)
    assert system.G is None
    assert system.H is None
    assert system.dofs[:4] == ("q1", "q2", "q4", "q5")
    assert system.dofs[4:] == ("q3[0]", "q3[1]", "q3[2]")
    assert system.D[1, 1] == values["b"]
    assert system.F[0, 0] == pytest.approx(values["l"] / 2)  # int f dx works on q1
    assert system.input_names == ("f",)


def test_static_deflection_under_a_tip_force_is_exact():
    beam, _ = cantilever()
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    system = fx.discretise(equations, order=3)
    tip = np.linalg.solve(system.K, system.F[:, 0])[system.dofs.index("w@b")]
    assert tip == pytest.approx(1 / 3, rel=1e-13)


def test_constraints_leave_and_frequencies_stay():
    x, y = fx.Coordinate("x"), fx.Coordinate("y")
    energies = {"kinetic": x.t**2 / 2 + y.t**2, "potential": 3 * x**2 + y**2 / 2}
    system = fx.discretise(fx.derive(fx.Lagrangian(**energies, constraints=[x - 2 * y])))
    assert system.n == 1
    assert system.K[0, 0] / system.M[0, 0] == pytest.approx((6 * 4 + 1) / (4 + 2))
    assert system.basis.shape == (2, 1)


def test_steady_loads_and_given_motions_are_not_dropped():
    q = fx.Coordinate("q")
    pulled = fx.discretise(fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=2 * q**2 - 3 * q)))
    assert pulled.input_names == ("steady",)
    assert pulled.F[0, 0] == 3.0
    shaken = fx.discretise(fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=2 * q**2, work={q: "sin(t)"})))
    assert not isinstance(shaken, fx.SecondOrderSystem)
    assert shaken.evaluate(0.5, np.zeros(1), np.zeros(1), shaken.rest)[1] == pytest.approx([np.sin(0.5)])


def test_assumed_modes_are_a_basis_that_holds_them():
    beam, equations = cantilever()
    shapes = fx.modes(equations, 3)
    system = fx.discretise(equations, basis=shapes)
    found = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(system.M, system.K)).real))
    assert found[:3] == pytest.approx(ROOTS[:3] ** 2, rel=1e-10)
    pinned = fx.derive(fx.Model(fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)))
    system = fx.discretise(pinned, basis={"w": ["sin(pi*x)", "sin(2*pi*x)"]})
    found = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(system.M, system.K)).real))
    assert found[:2] == pytest.approx(np.array([1, 4]) * np.pi**2, rel=1e-12)


def test_a_bad_basis_is_refused_in_a_sentence():
    _, equations = cantilever()
    with pytest.raises(fx.FlexuraError, match="basis gives functions for v; the fields are w"):
        fx.discretise(equations, basis={"v": ["x**2"]})
    with pytest.raises(fx.FlexuraError, match=r"does not take \(x, derivative\); write it so, or as text in x"):
        fx.discretise(equations, basis={"w": [lambda x: x**2]})
    with pytest.raises(fx.FlexuraError, match="holds a, which has no value; write it in x and numbers"):
        fx.discretise(equations, basis={"w": ["a*x**4"]})
    assert fx.discretise(equations, basis={"w": ["x**4", lambda x, d: (x**5, 5 * x**4, 20 * x**3)[d]]}).n == 4


def test_methods_are_told_apart():
    _, equations = cantilever()
    with pytest.raises(fx.FlexuraError, match="method is 'fem'; use 'exact' or 'ritz'"):
        fx.modes(equations, 2, method="fem")
    with pytest.raises(fx.FlexuraError, match="order and elements are for method='ritz'"):
        fx.modes(equations, 2, order=8)
    assert len(fx.modes(equations, 2, method="ritz", order=8)) == 2


@pytest.mark.parametrize("load", ["-Piecewise((3, q > 0.1), (0, True))", "-3*sign(q_t)", "-3*sign(q - 0.1)"])
def test_a_force_that_jumps_is_not_linear(load):
    mass = fx.Mass("m", m=1.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="q"), fx.Spring(fx.ground, mass, k=8.0), fx.Force(mass, load))
    system = fx.discretise(model)
    assert not isinstance(system, fx.SecondOrderSystem)
    assert not system.linear
    assert system.evaluate(0.0, np.array([0.3]), np.array([1.0]), system.rest)[1] == pytest.approx([-5.4])


def test_friction_along_a_member_takes_energy():
    """Of a string whose places all move one way: the power is the limit times all speeds."""
    w = fx.Field("w", length=1.0)
    energies = fx.Lagrangian(
        density={w: 1.2 * w.t**2 / 2 - 50 * w.x**2 / 2},
        boundary={w.at(0): 0, w.at(1): 0},
        work_density={w: "-0.5*sign(w_t)"},
    )
    system = fx.discretise(fx.derive(energies), order=4)
    assert not system.linear
    v = np.zeros(system.n)
    v[0] = 2.0
    force = system.evaluate(0.0, 0 * v, v, system.rest)[1]
    x, weights = np.polynomial.legendre.leggauss(40)
    along = abs(system.fields["w"].matrix((x + 1) / 2, 0)[:, : system.n] @ v)
    assert force @ v == pytest.approx(-0.5 * weights @ along / 2, rel=1e-10)


def test_what_shakes_a_member_is_a_force_and_what_turns_it_is_not():
    """A base that moves pushes a beam, whose matrices stay; a hub whose speed changes stiffens a blade as it turns."""
    base, hub = fx.RigidBody("base", m=1.0, I=0), fx.RigidBody("hub", m=0, I=1.0)
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.0)
    shaken = fx.Model(fx.Slide(fx.ground, base, motion="0.01*sin(9*t)"), fx.Fixed(base, beam.start))
    turned = fx.Model(fx.Revolute(fx.ground, hub, motion="2*t**2"), fx.Fixed(hub, beam.start))
    pushed, stiffened = (fx.discretise(one, order=6) for one in (shaken, turned))
    assert pushed.steady
    assert not stiffened.steady
    rest = np.zeros(pushed.n)
    early, late = (pushed.evaluate(t, rest, rest, pushed.rest) for t in (0.1, 0.7))
    assert np.array_equal(early[0], late[0])
    ratio = np.sin(9 * 0.7) / np.sin(9 * 0.1)  # every force goes with the acceleration of the base
    assert late[1] == pytest.approx(ratio * early[1])
    t = np.linspace(0, 0.3, 4)
    exact, stepped = (fx.simulate(shaken, t, method=one, order=6, tolerance=1e-11) for one in (None, "radau"))
    assert "Propagated exactly." in exact.notes
    assert exact.place(beam, 1.0) == pytest.approx(stepped.place(beam, 1.0), abs=1e-10)
