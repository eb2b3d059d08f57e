"""M, D, G, K, H of linear systems without fields, each known in another way."""

import numpy as np
import pytest
import sympy as sp

import flexura as fx
from flexura import gallery
from flexura.derivation.linearise import linearise
from flexura.solve.matrices import LinearMatrices, matrices, symmetry

m, g, l, k, c, W, P = sp.symbols("m g l k c Omega P")
t = sp.Symbol("t")


def same(found: sp.Matrix, expected: sp.Matrix) -> bool:
    return all(sp.simplify(one) == 0 for one in found - expected)


def absolute_double_pendulum() -> fx.Equations:
    x1, y1, x2, y2 = (fx.Coordinate(name) for name in ("x1", "y1", "x2", "y2"))
    l1, l2 = fx.Parameter("l1"), fx.Parameter("l2")
    return fx.derive(
        fx.Lagrangian(
            kinetic="m1*(x1_t**2 + y1_t**2)/2 + m2*(x2_t**2 + y2_t**2)/2",
            potential="m1*g*y1 + m2*g*y2",
            constraints=[x1**2 + y1**2 - l1**2, (x2 - x1) ** 2 + (y2 - y1) ** 2 - l2**2],
        )
    )


def turntable(damping: bool = False, driven: bool = True) -> fx.Equations:
    """A particle on springs on a turntable, in coordinates that turn with it; the damper acts against the room."""
    x, y, theta = (fx.Coordinate(name) for name in ("x", "y", "theta"))
    speed = "((x_t - theta_t*y)**2 + (y_t + theta_t*x)**2)/2"
    energies = fx.Lagrangian(
        kinetic=f"m*{speed} + J*theta_t**2/2",
        potential="k*(x**2 + y**2)/2",
        dissipation=f"c*{speed}" if damping else 0,
        work={x: 0, y: 0, theta: 0},
        prescribed={theta: "Omega*t"} if driven else None,
    )
    return fx.derive(energies)


def test_the_pendulum_has_the_frequency_g_over_l() -> None:
    found = matrices(linearise(fx.derive(gallery.pendulum(1))))
    assert sp.simplify((found.M.inv() * found.K)[0, 0] - g / sp.Symbol("l1")) == 0
    standing = matrices(linearise(fx.derive(gallery.pendulum(1)), about={"theta1": "pi"}))
    assert sp.simplify((standing.M.inv() * standing.K)[0, 0] + g / sp.Symbol("l1")) == 0
    by_energy = -sp.diff(sp.Symbol("m1") * g * sp.Symbol("l1") * sp.cos(t), t, 2).subs(t, 0)
    assert same(found.K, sp.Matrix([[by_energy]]))


def test_the_pendulum_in_x_and_y_is_the_same_pendulum() -> None:
    x, y, length = fx.Coordinate("x"), fx.Coordinate("y"), fx.Parameter("l")
    energies = fx.Lagrangian(kinetic="m*(x_t**2 + y_t**2)/2", potential="m*g*y", constraints=[x**2 + y**2 - length**2])
    found = matrices(linearise(fx.derive(energies), about={"y": "-l"}))
    assert found.coordinates == ("x",)
    assert same(found.M, sp.Matrix([[m]]))
    assert same(found.K, sp.Matrix([[m * g / l]]))
    upright = matrices(linearise(fx.derive(energies), about={"y": "l"}))
    assert same(upright.K, sp.Matrix([[-m * g / l]]))


def test_the_double_pendulum_in_angles_and_in_places_is_congruent() -> None:
    angles = matrices(linearise(fx.derive(gallery.pendulum(2))))
    places = matrices(linearise(absolute_double_pendulum(), about={"y1": "-l1", "y2": "-l1 - l2"}))
    assert places.coordinates == ("x1", "x2")
    l1, l2, m1, m2 = sp.symbols("l1 l2 m1 m2")
    change = sp.Matrix([[l1, 0], [l1, l2]])  # x1 = l1 theta1, x2 = l1 theta1 + l2 theta2
    assert same(change.T * places.M * change, angles.M)
    assert same(change.T * places.K * change, angles.K)
    string = g * (m1 + m2) / l1  # strings with tensions (m1 + m2) g and m2 g, by hand
    assert same(places.K, sp.Matrix([[string + m2 * g / l2, -m2 * g / l2], [-m2 * g / l2, m2 * g / l2]]))


def test_a_particle_on_a_turntable() -> None:
    """M x'' + G x' + (K - Omega^2 M) x = 0 with Coriolis' skew G."""
    found = matrices(linearise(turntable()))
    assert same(found.M, m * sp.eye(2))
    assert same(found.G, sp.Matrix([[0, -2 * m * W], [2 * m * W, 0]]))
    assert same(found.K, (k - m * W**2) * sp.eye(2))
    assert same(found.D, sp.zeros(2, 2))
    free = matrices(linearise(turntable(driven=False), about={"theta_t": "Omega"}))
    assert free.coordinates == ("x", "y", "theta")
    for name in "MGK":
        assert same(getattr(free, name)[:2, :2], getattr(found, name))


def test_damping_against_the_room_is_circulatory_on_the_turntable() -> None:
    found = matrices(linearise(turntable(damping=True)))
    assert same(found.D, c * sp.eye(2))
    assert same(found.H, sp.Matrix([[0, -c * W], [c * W, 0]]))
    assert "H (circulatory): skew" in str(found)
    dissipation = linearise(turntable(damping=True)).lagrangian.dissipation
    assert {one.name for one in dissipation.free_symbols} == {"c", "x_t", "y_t"}
    free = matrices(linearise(turntable(damping=True, driven=False), about={"theta_t": "Omega"}))
    assert same(free.H[:2, :2], found.H)


def ziegler() -> fx.Equations:
    """Two bars with torsion springs; P follows the second bar."""
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    push = fx.Parameter("P") * fx.Parameter("l") * fx.sin(a - b)
    kinetic = fx.Parameter("m") * fx.Parameter("l") ** 2 * (3 * a.t**2 + b.t**2 + 2 * a.t * b.t * fx.cos(a - b)) / 2
    return fx.derive(fx.Lagrangian(kinetic=kinetic, potential="k*a**2/2 + k*(b - a)**2/2", work={a: push, b: 0 * push}))


def test_ziegler_and_his_follower_force() -> None:
    found = matrices(linearise(ziegler()))
    stiffness = sp.Matrix([[2 * k - P * l, P * l - k], [-k, k]])  # Ziegler 1952
    assert same(found.K + found.H, stiffness)
    assert symmetry(found.K) == "symmetric"
    assert symmetry(found.H) == "skew"
    M, D, G, K, H = found.numbers({"m": 1, "l": 1, "k": 1, "P": 2})
    assert np.array_equal(D, np.zeros((2, 2)))
    assert np.array_equal(G, np.zeros((2, 2)))
    loads = np.linspace(0.1, 4, 391)
    flutters = [
        np.abs(np.linalg.eigvals(np.linalg.solve(M, _stiffness(found, load))).imag).max() > 1e-6 for load in loads
    ]
    assert loads[flutters.index(True)] == pytest.approx(3.5 - np.sqrt(2), abs=0.02)  # P l/k at flutter
    assert np.allclose(K + H, [[0, 1], [-1, 1]])


def _stiffness(found: LinearMatrices, load: float) -> np.ndarray:
    numbers = found.numbers({"m": 1, "l": 1, "k": 1, "P": float(load)})
    return numbers.K + numbers.H


def test_numbers_agree_with_differences_of_the_exact_rows() -> None:
    """K and M of a triple pendulum at rest by central differences of the nonlinear rows."""
    equations = fx.derive(gallery.pendulum(3))
    values = {"g": 9.81, "m1": 1.0, "m2": 2.0, "m3": 0.5, "l1": 0.7, "l2": 0.4, "l3": 1.1}
    found = matrices(linearise(equations)).numbers(values)
    names, h = equations.coordinates, 1e-5
    functions = [sp.Function(name)(t) for name in names]
    where = {sp.Symbol(name): value for name, value in values.items()}
    forcing = sp.lambdify(functions, equations.forcing.subs(where).subs({f.diff(t): 0 for f in functions}))
    columns = [(forcing(*(h * row)) - forcing(*(-h * row))).ravel() / (2 * h) for row in np.eye(3)]
    assert np.allclose(-np.array(columns).T, found.K, atol=1e-8)
    mass = equations.mass_matrix.subs(where).subs(dict.fromkeys(functions, 0))
    assert np.allclose(np.array(mass, dtype=float), found.M)


def test_the_text_states_each_symmetry() -> None:
    text = str(matrices(linearise(turntable())))
    assert text.startswith("M q'' + (D + G) q' + (K + H) q = F,   q = (x, y)")
    for line in ("M (inertia): symmetric", "D (damping): zero", "G (gyroscopic): skew", "K (stiffness): symmetric"):
        assert line in text.splitlines()


def refused(equations: fx.Equations) -> str:
    with pytest.raises(fx.FlexuraError) as caught:
        matrices(equations)
    return str(caught.value)


def test_what_has_no_matrices() -> None:
    assert "is for systems without fields, and this one has w" in refused(fx.derive(gallery.example("cantilever")))
    nonlinear = refused(fx.derive(gallery.pendulum(2)))
    assert "is not linear" in nonlinear
    assert "fx.matrices(fx.linearise(equations))" in nonlinear
    assert "holds the rate Y_t" in refused(linearise(fx.derive(gallery.example("knife-edge"))))
    q = fx.Coordinate("q")
    varying = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*(1 + t)*q**2/2", work={q: 0}))
    assert "depends on t" in refused(varying)
