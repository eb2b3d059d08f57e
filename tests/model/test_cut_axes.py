"""What the cut of a loop keeps square: vectors that stand square in the reference, however its two parts are turned."""

import symengine
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.model.closing import square_pairs
from flexura.symbolic.engine import Symbol
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, IDENTITY, NULL, cross, dot, product, rotation, turn

ANGLES = st.sampled_from(
    [symengine.Integer(0), symengine.pi / 6, symengine.pi / 4, 2 * symengine.pi / 3, -symengine.pi / 2]
)
AXES = (EX, EY, EZ)


def square(pair, theta=0.7):
    """Whether two vectors are: to rounding, since sums of roots of 2, 3 and 6 have no normal form here."""
    return abs(float(dot(*pair).xreplace({Symbol("theta"): symengine.RealDouble(theta)}).n(real=True))) < 1e-12


def turned(angles):
    found = IDENTITY
    for axis, angle in zip(AXES, angles, strict=True):
        found = product(found, rotation(axis, angle))
    return found


def cut(kind, about):
    a, b = fx.RigidBody("a", m=1.0, I=1.0), fx.RigidBody("b", m=1.0, I=1.0)
    return fx.Fixed(a, b) if kind == "weld" else fx.Revolute(a, b, about=about)


@given(
    st.sampled_from(["weld", "hinge"]),
    st.sampled_from(["x", "y", "-z", (1, 2, 0)]),
    *[st.tuples(ANGLES, ANGLES, ANGLES)] * 2,
)
def test_pairs_are_square_in_the_reference_and_stay_so_about_the_hinge(kind, about, p_angles, q_angles):
    """q is turned against p from the start, and then by theta about the axis that p has."""
    source, p, theta = cut(kind, about), turned(p_angles), Symbol("theta")
    axes = turned(q_angles)
    pairs = square_pairs(source, True, p, axes, Jets(("theta",), ()))
    assert len(pairs) == (3 if kind == "weld" else 2)
    assert all(square(pair) for pair in pairs.values())
    if kind == "hinge":
        hinge = turn(p, source.about)
        spun = product(rotation(hinge, theta), axes)
        pairs = square_pairs(source, True, p, spun, Jets(("theta",), ()))
        assert all(square(pair) for pair in pairs.values())


@given(st.sampled_from(["x", "y", "z"]), st.tuples(ANGLES, ANGLES, ANGLES))
def test_a_turn_across_the_hinge_is_felt(about, q_angles):
    """To first order: a turn about each axis across the hinge moves some pair, so both are held."""
    source, theta = cut("hinge", about), Symbol("theta")
    for across in (axis for axis in AXES if cross(axis, source.about) != NULL):
        spun = product(rotation(across, theta), turned(q_angles))
        pairs = square_pairs(source, True, IDENTITY, spun, Jets(("theta",), ()))
        slopes = [
            symengine.diff(dot(mine, other), theta).xreplace({theta: symengine.Integer(0)})
            for mine, other in pairs.values()
        ]
        assert any(abs(float(one.n(real=True))) > 1e-3 for one in slopes)
