"""Linear equations about a state: against the direct linearisation of the derived rows, and against textbooks."""

from collections.abc import Iterator
from typing import Any

import pytest
import symengine as se
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura import gallery
from flexura.derivation.equations.reduction import reduced
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.linearise import linearise
from flexura.symbolic.engine import SPINE, TIME
from flexura.symbolic.zero import verdict
from random_systems import systems

EPS = se.Symbol("epsilon")


class Direct:
    """Rows linearised one by one: u0 + epsilon u put in, differentiated by epsilon. No energy is looked at."""

    def __init__(self, equations: fx.Equations, state: dict[str, Any]) -> None:
        self.energies, self.state = equations.lagrangian, state
        self.rows = [row for row in equations.derived if row.kind != "reaction"]
        self.state = {**state, **self.reactions()}

    def reactions(self) -> dict[str, Any]:
        """The multipliers at the state, from what stands still in the rows of the coordinates."""
        names = [name for name in self.energies.multipliers if name not in self.state]
        if not names:
            return {}
        self.state = {**self.state, **{name: se.Symbol(f"{name}_0") for name in names}}
        still = [self.still(self.value(row).local) for row in self.rows if row.kind == "ordinary"]
        unknowns = [sp.Symbol(f"{name}_0") for name in names]
        found = sp.solve([one._sympy_() for one in still], unknowns, dict=True)
        return {
            name: se.sympify(found[0].get(one, 0)) if found else se.Integer(0)
            for name, one in zip(names, unknowns, strict=True)
        }

    def still(self, f: Any) -> Any:
        """Without inputs, and without the terms that hold t."""
        f = f.xreplace({j.symbol: se.Integer(0) for j in self.energies.jets.inside(f)}).expand()
        return se.Add(*(term for term in se.Add.make_args(f) if TIME not in term.free_symbols))

    def base(self, jet: Any) -> Any:
        f = self.state.get(jet.name + "_t" * jet.t, se.Integer(0)) if jet.t < 2 else se.Integer(0)
        for _ in range(jet.x):
            f = se.diff(f, SPINE)
        return f.xreplace({SPINE: self.energies.spine_of(jet.name).place(jet.end)}) if jet.end else f

    def moved(self, f: Any) -> Any:
        return f.xreplace({j.symbol: self.base(j) + EPS * j.symbol for j in self.energies.jets.unknowns(f)})

    def value(self, row: Row) -> Sum:
        return row.residual.map(lambda f: self.moved(f).xreplace({EPS: se.Integer(0)}))

    def slope(self, row: Row) -> Sum:
        return row.residual.map(lambda f: se.diff(self.moved(f), EPS).xreplace({EPS: se.Integer(0)}))

    def obstacles(self) -> Iterator[str]:
        """Why there may be no linear system: a residual that stands still, or coefficients that change."""
        for row in self.rows:
            for f in self.value(row).parts():
                if not verdict(self.still(f)):
                    yield f"{row.name}: {f}"
            for f in self.slope(row).parts():
                if not verdict(se.diff(f, TIME)):
                    yield f"{row.name}: {f}"


def assert_linearised(equations: fx.Equations, linear: fx.Equations, state: dict[str, Any]) -> None:
    """Every row of `linear` is the direct linearisation of the row of its name."""
    direct = Direct(equations, state)
    found = {row.name: row for row in linear.derived}
    assert list(found) == [row.name for row in direct.rows]
    for row in direct.rows:
        difference = direct.value(row) + direct.slope(row) - found[row.name].residual
        for f in reduced(difference, linear.lagrangian).parts():
            assert verdict(f), (row.name, f)


def rebuilt(energies: fx.Lagrangian, **changes: Any) -> fx.Lagrangian:
    parts = {name: getattr(energies, name) for name in fx.Lagrangian.__dataclass_fields__}
    return fx.Lagrangian.of_parts(**{**parts, **changes})


def linear_or_why(equations: fx.Equations, state: dict[str, Any]) -> tuple[fx.Equations | None, str]:
    try:
        return linearise(equations, about=state), ""
    except fx.FlexuraError as error:
        return None, str(error)


@given(systems())
@settings(max_examples=150)
def test_about_zero_the_energies_and_the_rows_say_the_same(energies: fx.Lagrangian) -> None:
    equations = fx.derive(energies)
    linear, why = linear_or_why(equations, {})
    if linear is None:
        assert "loses its derivative" in why or list(Direct(equations, {}).obstacles()), why
        return
    assert_linearised(equations, linear, {})
    assert fx.verify(linear)


@st.composite
def balanced(draw: st.DrawFn) -> tuple[fx.Lagrangian, dict[str, Any]]:
    """A random system, a random state that fits its ends, and the steady loads that hold it there."""
    energies = frozen(draw(systems()))
    number = st.fractions(-1, 1, max_denominator=5).map(lambda f: se.Rational(f.numerator, f.denominator))
    state = {name: draw(number) for name in (*energies.coordinates, *energies.multipliers)}
    for name in energies.fields:
        state[name] = shape(energies, name, state, [draw(number) for _ in range(5)])
    kept = {
        name: f - Direct(fx.derive(energies), state).moved(f).xreplace({EPS: se.Integer(0)})
        for name, f in energies.constraints.items()
    }
    energies = rebuilt(energies, constraints=kept)
    return held(energies, state), state


def frozen(energies: fx.Lagrangian) -> fx.Lagrangian:
    """The same system at one instant, so that no coefficient depends on t."""

    def still(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: still(one) for name, one in part.items()}
        return part.xreplace({TIME: se.Rational(1, 3)})

    names = ("kinetic", "potential", "dissipation", "density", "dissipation_density", "work", "work_density",
             "boundary", "constraints")  # fmt: skip
    return rebuilt(energies, **{name: still(getattr(energies, name)) for name in names})


def shape(energies: fx.Lagrangian, name: str, state: dict[str, Any], numbers: list[Any]) -> Any:
    """A quintic-like shape whose ends fit what is given, the other ends being `numbers`."""
    spine = energies.spine_of(name)
    l = spine.end
    ends = []
    for label, other in zip((f"{name}@a", f"{name}_x@a", f"{name}@b", f"{name}_x@b"), numbers, strict=False):
        value = energies.settled_boundary.get(label, other)
        ends.append(value.xreplace({se.Symbol(q): f for q, f in state.items() if q in energies.coordinates}))
    z = SPINE / l
    a, da, b, db = ends[0], ends[1] * l, ends[2], ends[3] * l
    cubic = a + da * z + (3 * (b - a) - 2 * da - db) * z**2 + (2 * (a - b) + da + db) * z**3
    return cubic + numbers[4] * z**2 * (1 - z) ** 2


def held(energies: fx.Lagrangian, state: dict[str, Any]) -> fx.Lagrangian:
    direct = Direct(fx.derive(energies), state)
    work = dict(energies.work)
    lines = {on: dict(loads) for on, loads in energies.work_density.items()}

    def push(loads: dict[str, Any], name: str, f: Any) -> None:
        loads[name] = loads.get(name, se.Integer(0)) + direct.still(f)

    for row in direct.rows:
        left = direct.value(row)
        if row.kind == "partial":
            push(lines[row.spine], row.name, left.local)
        elif row.kind in ("ordinary", "natural"):
            push(work, row.name, left.local)
            for on, f in left.integrals.items():
                push(lines[on], row.name, f)
    return rebuilt(energies, work=work, work_density=lines)


@given(balanced())
@settings(max_examples=60)
def test_about_any_state_the_energies_and_the_rows_say_the_same(case: tuple[fx.Lagrangian, dict[str, Any]]) -> None:
    energies, state = case
    equations = fx.derive(energies)
    linear, why = linear_or_why(equations, state)
    if linear is None:
        assert "loses its derivative" in why, why
        return
    assert_linearised(equations, linear, state)
    assert fx.verify(linear)


# -- systems whose linear equations are in the textbooks ---------------------------------------------------------------

t, x = sp.symbols("t x")


def of(name: str, *at: Any) -> Any:
    return sp.Function(name)(*(at or (t,)))


def residual(equation: Any) -> Any:
    return sp.expand(equation.lhs - equation.rhs)


def refused(equations: fx.Equations, **given: Any) -> str:
    with pytest.raises(fx.FlexuraError) as caught:
        linearise(equations, **given)
    return str(caught.value)


def pendulum() -> fx.Equations:
    theta = fx.Coordinate("theta")
    return fx.derive(
        fx.Lagrangian(kinetic="m*l**2*theta_t**2/2", potential="-m*g*l*cos(theta)", work={theta: fx.Input("tau")})
    )


def test_the_pendulum_hangs_or_stands() -> None:
    m, g, l = sp.symbols("m g l")
    for angle, sign in ((0, 1), ("pi", -1)):
        linear = linearise(pendulum(), about={"theta": angle})
        expected = m * l**2 * of("theta").diff(t, 2) + sign * m * g * l * of("theta") - of("tau")
        assert sp.expand(residual(linear.ordinary["theta"]) - expected) == 0
    assert linearise(pendulum()).to_json() == linearise(pendulum(), about={"theta": 0}).to_json()


def test_a_state_may_be_a_parameter_that_a_load_holds() -> None:
    theta = fx.Coordinate("theta")
    held = fx.Lagrangian(kinetic="m*l**2*theta_t**2/2", potential="-m*g*l*cos(theta)", work={theta: "m*g*l*sin(alpha)"})
    linear = linearise(fx.derive(held), about={"theta": "alpha"})
    m, g, l, alpha = sp.symbols("m g l alpha")
    expected = m * l**2 * of("theta").diff(t, 2) + m * g * l * sp.cos(alpha) * of("theta")
    assert sp.expand(residual(linear.ordinary["theta"]) - expected) == 0


def test_the_rotating_arm_stiffens_by_foreshortening_and_softens_in_its_plane() -> None:
    """Theory, section 2, about a steady spin: + Omega^2 (mu w_x)_x stiffens, rho Omega^2 w softens."""
    equations = fx.derive(gallery.example("rotating-arm"))
    linear = linearise(equations, about={"theta_t": "Omega"})
    rho, r0, l, m, EI, W = sp.symbols("rho r0 l m EI Omega")
    w, theta = of("w", x, t), of("theta")
    mu = rho * (r0 * (l - x) + (l**2 - x**2) / 2) + m * (r0 + l)
    inertia = rho * (w.diff(t, 2) + (r0 + x) * theta.diff(t, 2) - W**2 * w)
    expected = inertia + EI * w.diff(x, 4) - W**2 * (mu * w.diff(x)).diff(x)
    assert sp.expand(residual(linear.partial["w"]) - expected) == 0
    assert_linearised(equations, linear, {"theta_t": se.Symbol("Omega")})
    assert "Omega" in linear.lagrangian.parameters
    assert fx.verify(linear)


def test_a_prescribed_spin_gives_the_same_field_equation() -> None:
    free = gallery.example("rotating-arm")
    prescribed = rebuilt(free, coordinates=(), prescribed={"theta": fx.time.engine * se.Symbol("Omega")}, work={})
    one = linearise(fx.derive(free), about={"theta_t": "Omega"}).partial["w"]
    other = linearise(fx.derive(prescribed)).partial["w"]
    assert sp.expand(residual(one).subs(of("theta"), 0).doit() - residual(other)) == 0


def test_constant_acceleration_along_the_axis_is_no_dependence_on_time() -> None:
    """The energy holds the speed a t, the equations only a: a total time derivative is left out."""
    s, w = fx.Coordinate("s"), fx.Field("w", length="l")
    thrust = fx.Lagrangian(
        kinetic="0*s_t",
        density={w: "rho*w_t**2/2 - EI*w_xx**2/2 - rho*(l - x)*s_t*w_x*w_xt"},
        prescribed={s: "a*t**2/2"},
        boundary={w.at(0): 0, w.slope(0): 0},
    )
    linear = linearise(fx.derive(thrust))
    rho, EI, a, l = sp.symbols("rho EI a l")
    f = of("w", x, t)
    expected = rho * f.diff(t, 2) + EI * f.diff(x, 4) + (rho * (l - x) * a * f.diff(x)).diff(x)
    assert sp.expand(residual(linear.partial["w"]) - expected) == 0


def test_base_motion_is_a_load() -> None:
    q, b = fx.Coordinate("q"), fx.Coordinate("b")
    shaken = fx.Lagrangian(
        kinetic="m*q_t**2/2", potential="k*(q - b)**2/2 + k3*(q - b)**4", dissipation="c*(q_t - b_t)**2/2",
        prescribed={b: "y0*sin(Omega*t)"}, work={q: 0},
    )  # fmt: skip
    message = refused(fx.derive(shaken))
    assert "still depend on t in the energies" in message
    assert "b = y0*sin(t*Omega)" in message.replace("Omega*t", "t*Omega")
    plain = rebuilt(shaken, potential=shaken.potential.xreplace({se.Symbol("k3"): se.Integer(0)}))
    linear = linearise(fx.derive(plain))
    m, k, c, y0, W = sp.symbols("m k c y0 Omega")
    y = y0 * sp.sin(W * t)
    expected = m * of("q").diff(t, 2) + c * (of("q") - y).diff(t) + k * (of("q") - y)
    assert sp.expand(residual(linear.ordinary["q"]) - expected) == 0


def test_an_end_that_is_moved_drives_the_field_once() -> None:
    """A boundary value q + sin(t) enters the load of the neighbouring end too; it may not be counted twice."""
    w, q, r = fx.Field("w", length="l"), fx.Coordinate("q"), fx.Coordinate("r")
    energies = fx.Lagrangian(
        kinetic="m*(q_t**2 + r_t**2)/2",
        density={w: "rho*w_t**2/2 - EI*w_xx**2/2 - P*w_x**2/2"},
        boundary={w.at(0): 0, w.slope(0): 0, w.at("l"): r, w.slope("l"): q + fx.sin(fx.time)},
    )
    equations = fx.derive(energies)
    linear = linearise(equations)
    assert_linearised(equations, linear, {})
    assert sp.sin(t) in residual(linear.ordinary["r"]).atoms(sp.sin)


def test_an_end_that_is_moved_by_much_brings_time_into_its_load() -> None:
    """The tension u_x acts along the slope sin(t) that is given: no energy inside the spine holds that t."""
    w = fx.Field("w", length="l")
    u = fx.Field("u", spine=w)
    energies = fx.Lagrangian(
        density={w: "rho*(w_t**2 + u_t**2)/2 - EI*w_xx**2/2 - EA*(u_x + w_x**2/2)**2/2"},
        boundary={w.at(0): 0, w.slope(0): 0, u.at(0): 0, w.slope("l"): fx.sin(fx.time)},
    )
    message = refused(fx.derive(energies))
    assert "still depend on t in the condition for the value of w at its end" in message


def test_a_boundary_value_that_is_not_linear_bends_the_preload() -> None:
    """A rod stretched by d turns a crank whose end moves by a (1 - cos q): the tension N = EA d/l gives K = N a."""
    u, q = fx.Field("u", length="l"), fx.Coordinate("q")
    energies = fx.Lagrangian(
        kinetic="J*q_t**2/2",
        density={u: "rho*u_t**2/2 - EA*u_x**2/2"},
        boundary={u.at(0): -fx.Parameter("d"), u.at("l"): fx.Parameter("a") * (1 - fx.cos(q))},
    )
    linear = linearise(fx.derive(energies), about={"u": "-d*(1 - x/l)"})
    J, EA, d, a, l = sp.symbols("J EA d a l")
    expected = J * of("q").diff(t, 2) + EA * d / l * a * of("q")
    assert sp.expand(residual(linear.ordinary["q"]) - expected) == 0


def test_damping_about_a_steady_motion_is_partly_a_load() -> None:
    """Products of a rate and a displacement leave the dissipation and become loads, by parts where rates have an x."""
    theta, w = fx.Coordinate("theta"), fx.Field("w", length="l")
    energies = fx.Lagrangian(
        kinetic="J*theta_t**2/2",
        density={w: "rho*w_t**2/2 - EI*w_xx**2/2"},
        dissipation_density={
            w: "c*(w_xt + a*x*theta_t*w_x)**2/2 + b*(w_xxt + theta_t*w)**2/2 + e*(w_t - w*theta_t)**2/2"
        },
        work={theta: 0},
        boundary={w.at(0): 0, w.slope(0): 0},
    )
    equations = fx.derive(energies)
    linear = linearise(equations, about={"theta_t": "Omega"})
    assert_linearised(equations, linear, {"theta_t": se.Symbol("Omega")})
    for f in linear.lagrangian.dissipation_density.values():
        assert all(jet.t == 1 for jet in linear.lagrangian.jets.unknowns(f))


def test_the_knife_edge_carries_its_side_force_into_the_linear_equations() -> None:
    """Pressed sideways by F the sled rests at theta = 0; turned a little, it is pushed along by F theta."""
    X, Y, theta = (fx.Coordinate(name) for name in ("X", "Y", "theta"))
    sled = fx.Lagrangian(
        kinetic="m*(X_t**2 + Y_t**2)/2 + I*theta_t**2/2",
        constraints=[X.t * fx.sin(theta) - Y.t * fx.cos(theta)],
        work={Y: fx.Parameter("F")},
    )
    equations = fx.derive(sled)
    linear = linearise(equations)
    m, F = sp.symbols("m F")
    assert sp.expand(residual(linear.ordinary["X"]) - (m * of("X").diff(t, 2) - F * of("theta"))) == 0
    assert_linearised(equations, linear, {})


def test_values_go_in_first_and_stay_on_record() -> None:
    linear = linearise(pendulum(), values={"m": "2 kg", "tau": 0})
    g, l = sp.symbols("g l")
    expected = 2 * l**2 * of("theta").diff(t, 2) + 2 * g * l * of("theta")
    assert sp.expand(residual(linear.ordinary["theta"]) - expected) == 0
    assert linear.values == {"m": 2.0}
    assert not linear.lagrangian.inputs


def test_a_state_found_for_the_numbers_the_parts_carry_puts_them_in() -> None:
    q, k = fx.Coordinate("q"), fx.Parameter("k", 4.0)
    spring = fx.Lagrangian(kinetic=fx.Parameter("m") * q.t**2 / 2, potential=k * q**4 / 4 - fx.Parameter("F", 32.0) * q)
    linear = linearise(fx.derive(spring), about={"q": 2.0})
    m = sp.Symbol("m")
    assert sp.expand(residual(linear.ordinary["q"]) - (m * of("q").diff(t, 2) + 48 * of("q"))) == 0
    assert linear.values == {"k": 4.0, "F": 32.0}
    symbolic = linearise(fx.derive(spring), about={"q": "(F/k)**(1/3)"})
    assert set(symbolic.lagrangian.potential.free_symbols) >= {se.Symbol("F"), se.Symbol("k")}


def test_a_follower_load_needs_its_number() -> None:
    theta = fx.Coordinate("theta")
    column = fx.Lagrangian(
        kinetic="J*theta_t**2/2",
        potential="k*theta**2/2",
        work={theta: fx.Input("P") * fx.Parameter("l") * fx.sin(theta)},
    )
    assert "give it a number with values={'P': ...}" in refused(fx.derive(column))
    linear = linearise(fx.derive(column), values={"P": 3})
    J, k, l = sp.symbols("J k l")
    expected = J * of("theta").diff(t, 2) + (k - 3 * l) * of("theta")
    assert sp.expand(residual(linear.ordinary["theta"]) - expected) == 0


def test_a_small_load_drops_its_products_with_the_motion() -> None:
    tilted = fx.Coordinate("q")
    energies = fx.Lagrangian(
        kinetic="m*q_t**2/2", potential="k*(1 - cos(q))", work={tilted: fx.Input("F") * fx.exp(tilted)}
    )
    linear = linearise(fx.derive(energies))
    m, k = sp.symbols("m k")
    assert sp.expand(residual(linear.ordinary["q"]) - (m * of("q").diff(t, 2) + k * of("q") - of("F"))) == 0


def test_linear_equations_survive_json() -> None:
    for name, about in (("rotating-arm", {"theta_t": "Omega"}), ("example-one", None), ("knife-edge", None)):
        linear = linearise(fx.derive(gallery.example(name)), about=about)
        assert fx.Equations.from_json(linear.to_json()).derived == linear.derived
        again = linearise(linear)
        assert fx.equivalent(again, linear)


# -- what is refused, in sentences -------------------------------------------------------------------------------------


def test_zero_that_is_no_equilibrium_names_the_row_and_the_rest() -> None:
    q = fx.Coordinate("q")
    hung = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*q**2/2 + m*g*q", work={q: 0}))
    message = (
        "Zero is not an equilibrium: the equation of q is left with g*m; linearise with about=fx.equilibrium(equations)"
    )
    assert refused(hung).startswith(message)
    assert "state that is given is not an equilibrium: the equation of q is left with" in refused(
        hung, about={"q": 0.3}
    )
    assert residual(linearise(hung, about={"q": "-m*g/k"}).ordinary["q"]) == sp.Symbol("m") * of("q").diff(
        t, 2
    ) + sp.Symbol("k") * of("q")


def test_a_steady_motion_that_lacks_its_torque_says_so() -> None:
    theta = fx.Coordinate("theta")
    rotor = fx.derive(
        fx.Lagrangian(kinetic="J*theta_t**2/2", dissipation="c*theta_t**2/2", work={theta: fx.Input("tau")})
    )
    message = refused(rotor, about={"theta_t": "Omega"})
    assert "load that keeps the steady motion up is missing: the equation of theta is left with" in message
    assert "Omega" in message
    assert "Along the steady motion of theta the equation of theta changes" in refused(pendulum(), about={"theta_t": 3})


@pytest.mark.parametrize(
    ("about", "sentence"),
    [
        ({"phi": 1}, "The state gives 'phi', which nothing is called; give theta."),
        ({"theta": "t"}, "The state of theta is t; give it in parameters alone, and a steady rate as theta_t."),
        ({"theta": "theta"}, "The state of theta is theta; give it in parameters alone"),
        ({"theta": "sin("}, "In the state of theta, "),
        ({"theta": None}, "The state of theta is None; give a number"),
    ],
)
def test_states_that_cannot_be_read(about: dict[str, Any], sentence: str) -> None:
    assert refused(pendulum(), about=about).startswith(sentence)


def test_values_that_cannot_be_read() -> None:
    assert "'k', which is not in the equations; they hold g, l, m, tau" in refused(pendulum(), values={"k": 1})
    assert "The value of m is 2*g; give a number." in refused(pendulum(), values={"m": "2*g"})


def test_a_prescribed_coordinate_has_no_state_of_its_own() -> None:
    q, b = fx.Coordinate("q"), fx.Coordinate("b")
    shaken = fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*(q - b)**2/2", prescribed={b: "y0"}, work={q: 0})
    assert "the motion of b is prescribed; leave it out" in refused(fx.derive(shaken), about={"b": 1})
    assert "k*y0" in refused(fx.derive(shaken))
    assert linearise(fx.derive(shaken), about={"q": "y0"})


def test_kinks_are_refused() -> None:
    q = fx.Coordinate("q")
    rubbing = fx.Lagrangian(kinetic="m*q_t**2/2", dissipation=fx.Parameter("mu") * fx.abs_(q.t), potential="k*q**2/2")
    assert "has a kink" in refused(fx.derive(rubbing))
    stop = fx.Lagrangian(kinetic="m*q_t**2/2", potential="Piecewise((k*q**2, q > 0), (0, True))", work={q: 0})
    assert "has a kink" in refused(fx.derive(stop))
    away = fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*q**2/2 + Piecewise((q**2, q > 1), (0, True))", work={q: 0})
    m, k = sp.symbols("m k")
    assert sp.expand(residual(linearise(fx.derive(away)).ordinary["q"]) - (m * of("q").diff(t, 2) + k * of("q"))) == 0


def test_a_state_at_a_pole_is_refused() -> None:
    q = fx.Coordinate("q")
    gap = fx.Lagrangian(kinetic="m*q_t**2/2", potential="k/q", work={q: 0})
    assert "has no finite value" in refused(fx.derive(gap))


def test_a_shape_that_does_not_fit_its_ends() -> None:
    w = fx.Field("w", length="l")
    beam = fx.derive(fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*w_xx**2/2"}, boundary={w.at(0): 0, w.slope(0): 0}))
    message = refused(beam, about={"w": "1 + x"})
    assert message.startswith("The state does not hold together: the given value of w at its start is left with 1")


def test_constraints_that_repeat_one_another() -> None:
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    twice = fx.derive(
        fx.Lagrangian(kinetic="m*(a_t**2 + b_t**2)/2", constraints=[a - b, 2 * a - 2 * b], work={a: 1, b: -1})
    )
    linear = linearise(twice)  # of reactions that balance, the least: -1 = lambda_1 + 2 lambda_2
    assert [row.name for row in linear.derived] == ["a", "b", "lambda_1", "lambda_2"]
    assert linearise(twice, about={"lambda_2": 0})


def test_a_member_without_stiffness_at_the_state() -> None:
    w = fx.Field("w", length="l")
    slack = fx.derive(fx.Lagrangian(density={w: "rho*w_t**2/2 - EA*w_x**4/4"}, boundary={w.at(0): 0}))
    assert "loses its derivative w_x" in refused(slack)
