"""Large systems: swept along directions and compiled in pieces, they give what is written out entry by entry.

FLEXURA_MODEL_CASES=500 draws more models.
"""

import os
import sys

import numpy as np
import pytest
import symengine
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

import flexura as fx
from direct_action import numbers_for
from flexura.discretisation.degrees import Degrees
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.program import Program
from flexura.discretisation.scalars import Scalars
from flexura.discretisation.separate import degree
from flexura.discretisation.tape import Tape
from flexura.symbolic.engine import Symbol
from random_models import models

MORE = "FLEXURA_MODEL_CASES" in os.environ
CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "8"))


def two_ways(equations, order=3):
    """The scalars of a system, written out and swept."""
    layout = Unknowns(equations.lagrangian, Numbers.of(equations.lagrangian, numbers_for(equations)), order, 1)
    gathered = Gathered(layout)
    written, swept = Scalars(gathered), Scalars(gathered)
    written.__dict__["large"], swept.__dict__["large"] = False, True
    return written, swept


def agree(written, swept):
    """Every block of every program, for one state and for a stack of them."""
    random = np.random.default_rng(3)
    assert [str(one) for one in swept.all_arguments] == [str(one) for one in written.all_arguments]
    for name, arguments in (
        ("run", written.plain_arguments),
        ("slopes", written.all_arguments),
        ("energies", written.plain_arguments),
        ("powers", written.all_arguments),
        ("held", [None] * (1 + 2 * len(written.s0) + len(written.inputs))),
    ):
        states = random.uniform(-0.8, 0.8, (3, len(arguments)))
        ours = [[one.copy() for one in getattr(swept, name)(at)] for at in (states, states[1])]
        theirs = [[one.copy() for one in getattr(written, name)(at)] for at in (states, states[1])]
        for found, known in zip(ours, theirs, strict=True):
            largest = max((np.abs(one).max(initial=0.0) for one in known), default=0.0)
            for a, b in zip(found, known, strict=True):
                assert a.shape == b.shape
                assert np.abs(a - b).max(initial=0.0) <= 1e-12 * max(1.0, largest)


@settings(
    max_examples=CASES,
    database=None,
    derandomize=not MORE,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(st.booleans().flatmap(lambda spatial: models(size=(1, 3) if spatial else (2, 4), spatial=spatial)))
def test_random_models(drawn):
    note(drawn.script)
    agree(*two_ways(fx.derive(drawn.model)))


def crane():
    """Prescribed, driven, damped and held: a cart, two hinged flexible links, inputs along and across."""
    cart, hand = fx.RigidBody("cart", m=2, I=0), fx.RigidBody("hand", m=0.4, I=0.02)
    first = fx.EulerBernoulliBeam("first", EI=30, rho=0.6, length=1, internal_damping=0.01, damping=0.2)
    second = fx.EulerBernoulliBeam("second", EI=20, rho="0.4*(1 + x)", length=0.8)
    return fx.derive(fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="s", motion="0.2*sin(3*t)"),
        fx.Revolute(cart, first.start, name="a"), fx.Revolute(first.end, second.start, name="b"),
        fx.Fixed(second.end, hand), fx.Gravity(9.81), fx.Torque(first.start, "tau(t)", reaction=cart),
        fx.Force(hand, "F", along=(1, 1, 0)), fx.DistributedForce(second, "f(t)"), fx.DistributedForce(first, "p(x)"),
        fx.TorsionSpring(first.end, second.start, k=4), fx.TorsionDamper(first.end, second.start, c=0.3),
        fx.Spring(hand, fx.ground.at(1, 2), k=7, along="line"), fx.Constraint("a_t*cos(b) + b_t - 0.1*sin(t)"),
    ))  # fmt: skip


def tree():
    """In space: a turning base with a hinged flexible arm, on whose end a body turns again, and a mass on a slide."""
    base, tip = fx.RigidBody("base", m=3, I=(1, 2, 1.5)), fx.RigidBody("tip", m=0.3, I=(0.1, 0.2, 0.15))
    arm = fx.SpatialBeam("arm", EA=1e3, EIy=20, EIz=30, GJ=15, rho=0.5, length=0.7)
    mass = fx.Mass("mass", m=0.2)
    return fx.derive(fx.Model(
        fx.Revolute(fx.ground, base, about="z", name="psi"), fx.Revolute(base.at(0.1, 0.2, 0), arm.start, about="y"),
        fx.Revolute(arm.end, tip.at(-0.1), about="x", name="phi"), fx.Slide(base.at(-0.1), mass, along="z", name="d"),
        fx.Spring(mass, tip, k=5, along="line"), fx.Gravity(9.81, along="-z"),
    ))  # fmt: skip


@pytest.mark.parametrize("system", [crane, tree])
def test_everything_at_once(system):
    written, swept = two_ways(system())
    agree(written, swept)
    assert swept.holds_time == written.holds_time


def test_loads_on_end_moments():
    """A load that holds w_xx at an end holds a moment: the one slope by moments that does not follow from the rest."""
    w, q = fx.Field("w", length="L"), fx.Coordinate("q")
    lagrangian = fx.Lagrangian(
        kinetic=q.t**2 / 2 * (1 + fx.cos(q)),
        density={w: w.t**2 / 2 * (1 + q**2) - w.xx**2 / 2 + q.t * w.t * fx.x},
        work={q: w.at("L") * 2 + 3 * q * Symbol("w_xx@b")},
        boundary={w.at(0): 0, w.slope(0): 0},
    )
    agree(*two_ways(fx.derive(lagrangian)))


X, Y, Z = (Symbol(name) for name in "xyz")


def test_a_tape_is_a_program():
    blocks = {
        "a": [[X * Y, symengine.sin(X)], [2, symengine.sqrt(symengine.Integer(3))]],
        "none": [],
        "b": [symengine.Piecewise((X, Y > 0), (symengine.exp(Y), True)), symengine.Abs(X - Y), X],
    }
    tape, program = Tape([X, Y], blocks), Program([X, Y], blocks)
    for at in (np.array([0.3, -0.5]), np.array([[1.0, 2.0], [0.1, -3.0]])):
        for found, known in zip(tape(at), program(at), strict=True):
            assert found.shape == known.shape
            assert found == pytest.approx(known, rel=1e-15)


@pytest.mark.parametrize("kind", [Program, Tape])
def test_nothing_that_stands_twice_is_lost(kind):
    """The engine's search for common subexpressions loses terms of a derivative that holds a sum in a sum."""
    a, b, c, d = (Symbol(name) for name in "abcd")
    slope = (X * a * b - (Y - X) * (a * b + c * d) + X * c * d).diff(X)
    values = np.array([0.5, 0.7, 2.0, 3.0, 5.0, 7.0])
    (found,) = kind([X, Y, a, b, c, d], {"slope": [slope]})(values)
    assert found[0] == pytest.approx(2 * (2 * 3 + 5 * 7))


def test_a_tape_in_many_pieces(monkeypatch):
    module = sys.modules[Tape.__module__]
    monkeypatch.setattr(module, "_PIECE", 7)
    monkeypatch.setattr(module, "_ROWS", 4)
    f = X
    for i in range(60):
        f = symengine.cos(f) * (f + Y) + (Z * f if i % 7 == 3 else 0)
    tape, program = Tape([X, Y], {"f": [f, f**2, Y]}, late=[Z]), Program([X, Y, Z], {"f": [f, f**2, Y]})
    states, directions = np.random.default_rng(0).uniform(0, 0.5, (9, 2)), np.array([[0.1], [0.2], [-0.3]])
    (found,) = tape.columns(states, directions)
    for state, row in zip(states, found, strict=True):
        for direction, one in zip(directions, row, strict=True):
            assert one == pytest.approx(program(np.concatenate((state, direction)))[0], rel=1e-12)


POLYNOMIALS = st.recursive(
    st.sampled_from([X, Y, Z, X * Z, symengine.sin(Z), symengine.Integer(3)]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda some: symengine.Add(*some)),
        st.lists(inner, min_size=2, max_size=2).map(lambda some: symengine.Mul(*some)),
        inner.map(lambda f: f**2),
    ),
    max_leaves=5,
)


@given(POLYNOMIALS)
def test_the_degrees_of_a_shape_hold_those_of_the_tree(f):
    found, true = Degrees({X, Y}.__contains__)(f), degree(f, [X, Y], 12)
    assert found is None or max(found) >= true
    expanded = f.expand()
    for term in expanded.args if isinstance(expanded, symengine.Add) else (expanded,):
        assert found is None or f == 0 or degree(term, [X, Y], 12) in found


def test_a_function_has_no_degree():
    assert Degrees({X}.__contains__)(symengine.sin(X)) is None
    assert Degrees({X}.__contains__)(symengine.sin(Y) * X + Y**3) == {0, 1}
