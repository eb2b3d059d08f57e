"""Free-body diagrams: what they show adds up to mass times acceleration, found without them."""

import numpy as np
import pytest
import symengine
from hypothesis import HealthCheck, assume, given, settings

import flexura as fx
from flexura.show.schematic.free_bodies import draw_free_bodies
from flexura.solve.runs.positions import Positions
from random_models import Drawn, models


def pendulum():
    cart, bar = fx.RigidBody("cart", m="M", I=1.0), fx.RigidBody("bar", m="m", I="I")
    return fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x"),
        fx.Revolute(cart, bar.at(0, "l"), name="theta"),
        fx.Spring(fx.ground, cart, k="k", along="x"),
        fx.Damper(fx.ground, cart, c="c", along="x"),
        fx.Force(cart, "F", along="x"),
        fx.Gravity("g"),
        fx.Torque(bar, "tau", reaction=cart),
    )


def test_the_loads_of_a_body_are_named_as_the_route_names_them():
    diagrams = fx.free_bodies(pendulum())
    assert [one.body for one in diagrams] == ["cart", "bar"]
    loads = {one.name: one for one in diagrams["bar"].loads}
    assert set(loads) == {"weight", "tau", "R_theta_x", "R_theta_y"}
    assert (str(loads["weight"].amount), loads["weight"].force) == ("g*m", (0, -1, 0))
    opposite = {one.name: one.amount for one in diagrams["cart"].loads}
    assert opposite["R_theta_x"] == -loads["R_theta_x"].amount
    assert opposite["tau"] == -loads["tau"].amount
    assert {str(name) for name in diagrams.reactions} >= {"R_theta_x", "R_theta_y", "R_x_y", "M_x_z"}


def numbers(energies, state, accelerations):
    """All symbols of the motion at one instant."""
    at = {**state, **{f"{name}_tt": value for name, value in accelerations.items()}}
    return {symengine.Symbol(name): float(value) for name, value in at.items()}


@pytest.mark.parametrize("spatial", [False, True])
def test_forces_add_up_to_mass_times_acceleration(spatial):
    """Accelerations come from the energies, those of mass centres from differences of positions in time."""

    @settings(max_examples=15, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(models(spatial=spatial, members=False, supports=False, size=(2, 4)))
    def holds(drawn: Drawn) -> None:
        try:
            diagrams = fx.free_bodies(drawn.model)
        except fx.FlexuraError:
            assume(False)
        equations = fx.derive(drawn.model)
        energies, t = equations.lagrangian, 0.37
        assume(
            not energies.motion.free_bodies.refusal
            and not energies.constraints
            and not energies.prescribed
            and not energies.inputs
        )
        random = np.random.default_rng(7)
        values = {name: random.uniform(0.5, 2.0) for name in energies.parameters}
        rates = [f"{name}_t" for name in energies.coordinates]
        state = {name: random.uniform(-0.6, 0.6) for name in (*energies.coordinates, *rates)}
        try:
            found = fx.accelerations(equations, state, t=t, values=values)
        except fx.FlexuraError:  # a body without inertia about a free axis
            assume(False)
        known = numbers(energies, {**values, **state, "t": t}, found)
        reactions = {symengine.Symbol(row.name): _value(row.right.local, known) for row in diagrams.reaction_rows}
        places = Positions(equations, values)
        for diagram in diagrams:
            assume(
                all(one.name in {str(name) for name in reactions} or one.kind != "reaction" for one in diagram.wrenches)
            )
            total = sum(
                (_vector(one.force, {**known, **reactions}) * _value(one.amount, {**known, **reactions}))
                for one in diagram.wrenches
            )
            mass = _value(_mass(diagram, equations), known)
            point = places.point(diagram.body)
            assert total == pytest.approx(mass * _acceleration(point, state, found, t), rel=1e-4, abs=1e-4)

    holds()


def _mass(diagram, equations):
    return next(one.mass for one in equations.lagrangian.motion.free_bodies.bodies if one.name == diagram.body)


def _value(f, known):
    """What no equation needs, the mass of a body that does not move, is one."""
    valued = f.xreplace(known)
    return float(valued.xreplace(dict.fromkeys(valued.free_symbols, symengine.Integer(1))).n(real=True))


def _vector(v, known):
    return np.array([_value(f, known) for f in v])


def _acceleration(point, state, found, t, h=2e-3):
    """Fourth-order differences along the parabola that state and accelerations make."""

    def at(s):
        moved = {name: state[name] + s * state[f"{name}_t"] + s * s / 2 * found[name] for name in found}
        return np.asarray(point(moved, t + s))

    return (-at(2 * h) + 16 * at(h) - 30 * at(0.0) + 16 * at(-h) - at(-2 * h)) / (12 * h * h)


def test_they_are_drawn_body_by_body():
    made = draw_free_bodies(fx.free_bodies(pendulum()), {"l": 2.0, "g": 9.81})
    names = {artist.get_gid() for artist in made.axes[0].get_children()}
    assert {"cart", "bar", "cart.F", "bar.tau", "bar.R_theta_x"} <= names


def test_what_cannot_be_cut_free_is_refused_with_what_to_do():
    beam = fx.ExactBeam("beam", EI=1.0, rho=1.0, length=1.0)
    with pytest.raises(
        fx.FlexuraError, match=r"the member beam bends far, and its sections turn; the loads at its ends"
    ):
        fx.free_bodies(fx.Model(fx.Fixed(fx.ground, beam.start)))
    q = fx.Coordinate("q")
    with pytest.raises(fx.FlexuraError, match=r"does not know its parts; describe it by parts"):
        fx.free_bodies(fx.Lagrangian(kinetic=q.t**2 / 2))
    with pytest.raises(fx.FlexuraError, match=r"no free body called 'nobody'; bodies are cart, bar"):
        fx.free_bodies(pendulum())["nobody"]
