"""Which members carry their axial displacement as a field, and what that leaves as it was."""

import pytest

import flexura as fx


def beam(name, **more):
    return fx.EulerBernoulliBeam(name, EI=3.0, rho=1.0, length=1.2, **more)


def pendulum(kind, **more):
    """Hinged at its own bare root."""
    made = {
        "EulerBernoulli": lambda: beam("b", **more),
        "Rayleigh": lambda: fx.RayleighBeam("b", EI=3.0, rho=1.0, length=1.2, rotary_inertia=0.01, **more),
        "Timoshenko": lambda: fx.TimoshenkoBeam("b", 3.0, 100.0, 1.0, 0.01, 1.2, **more),
    }[kind]()
    return fx.Model(fx.Revolute(fx.ground, made.start, name="theta"), fx.Gravity())


def slider_crank():
    crank, slider = fx.RigidBody("crank", m=1.0, I=0.1), fx.RigidBody("slider", m=0.5, I=0)
    rod = beam("rod")
    return fx.Model(
        fx.Revolute(fx.ground, crank.at(-0.15, 0), name="phi"),
        fx.Revolute(crank.at(0.15, 0), rod.start, name="psi"),
        fx.Slide(fx.ground.at(1.5, 0), slider, along="x", name="x"),
        fx.Revolute(rod.end, slider, name="c"),
    )


def two_hinged(g=9.81, **more):
    first, second = beam("first", **more), beam("second", **more)
    return fx.Model(
        fx.Revolute(fx.ground, first.start, name="p"),
        fx.Revolute(first.end, second.start, name="q"),
        fx.Gravity(g, along="x"),
    )


def bent_frame():
    """Two members welded at an angle by a body with arms, and a body hinged on them; a load that a joint steers."""
    first, second = beam("first"), beam("second", EA=800.0)
    hub, elbow, bob = (fx.RigidBody(name, m=0.4, I=0.02) for name in ("hub", "elbow", "bob"))
    return fx.Model(
        fx.Revolute(fx.ground, hub, name="p"),
        fx.Fixed(hub.at(0.1, 0), first.start),
        fx.Fixed(first.end, elbow.at(-0.1, 0.02)),
        fx.Fixed(elbow.at(0.05, 0.1), second.start, angle=0.7),
        fx.Revolute(second.end, bob.at(0.1, 0.1), name="q"),
        fx.Force(elbow.at(0, 0.1), "F"),
    )


MODELS = {
    "pendulum": lambda: pendulum("EulerBernoulli"),
    "pendulum that stretches": lambda: pendulum("EulerBernoulli", EA=500.0),
    "Rayleigh": lambda: pendulum("Rayleigh"),
    "Timoshenko that stretches": lambda: pendulum("Timoshenko", EA=500.0),
    "two hinged": two_hinged,
    "slider crank": slider_crank,
}


@pytest.mark.parametrize("name", MODELS)
def test_every_route_and_the_parts_prove_it(name):
    model = MODELS[name]()
    assert model.lagrangian.ties
    certificate = fx.verify(fx.derive(model))
    assert certificate, str(certificate)
    assert {"variational", "kane", "parts"} <= {one.method for one in certificate.compared}


def test_parts_prove_arms_of_bodies_and_members_at_an_angle():
    from flexura.derivation.prove.compare import compare

    found = compare(bent_frame().lagrangian)
    assert found, found.differences


@pytest.mark.parametrize("name", MODELS)
def test_users_see_the_fields_and_coordinates_they_always_saw(name):
    equations = fx.derive(MODELS[name]())
    small = fx.derive(equations.lagrangian.of_small_motions)
    assert (equations.fields, equations.coordinates) == (small.fields, small.coordinates)
    again = fx.Equations.from_json(equations.to_json())
    assert str(again) == str(equations)
    assert again.fields == equations.fields
    assert again.lagrangian.of_small_motions.density == equations.lagrangian.of_small_motions.density


def test_the_tension_stands_in_the_equations_by_name():
    equations = fx.derive(pendulum("EulerBernoulli"))
    assert equations.fields == ("w_b",)
    assert "∂N_b/∂x" in str(equations)
    assert "(1/2) (∂w_b/∂x)² + ∂a_b/∂x = 0" in str(equations)


@pytest.mark.parametrize("more", [{}, {"EA": 500.0, "g": 0}])
def test_small_motions_of_the_whole_are_those_of_the_second_order_form(more):
    import numpy as np
    import scipy.linalg

    equations = fx.derive(two_hinged(**more))
    system = fx.discretise(equations, order=10)
    zero = np.zeros(system.n)
    M, _ = system.evaluate(0.0, zero, zero, system.rest)
    K, _ = system.jacobians(0.0, zero, zero, zero, system.rest, zero[:0])
    found = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)[:4])
    assert found == pytest.approx(fx.modes(equations, 4).frequencies, rel=1e-6)


def test_where_joints_do_not_hang_on_members_nothing_changes():
    hub, member = fx.RigidBody("hub", m=1.0, I=0.1), beam("b")
    turning = fx.Model(fx.Revolute(fx.ground, hub), fx.Fixed(hub, member.start))
    told = fx.Model(fx.Revolute(fx.ground, member.start, motion="Omega*t"))
    guided = fx.Model(fx.Slide(fx.ground, member.start))
    classical = fx.Model(*two_hinged().things, foreshortening=False)
    for model in (turning, told, guided, classical):
        assert not model.lagrangian.ties
        assert model.lagrangian.of_small_motions is model.lagrangian


def test_names_that_are_taken_stay_what_they_are():
    member = beam("b")
    model = fx.Model(fx.Revolute(fx.ground, member.start, name="N_b"), fx.Force(member.end, "a_b"), fx.Gravity("g"))
    assert set(model.lagrangian.ties.items()) == {("a_b_2", "N_b_2")}
    assert fx.verify(fx.derive(model))
