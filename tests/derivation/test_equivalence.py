"""Two sets of equations are compared through their virtual work: appendix B, and choices of coordinates."""

from dataclasses import replace

import pytest

import flexura as fx
from flexura import gallery
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.symbolic.engine import Symbol

TO_GROUND = {"r1": "q1", "r2": "q1 + q2", "r3": "q3"}
TO_MASS = {"q1": "r1", "q2": "r2 - r1", "q3": "r3"}


@pytest.fixture
def ground() -> fx.Equations:
    return fx.derive(gallery.example("appendix-b"))


@pytest.fixture
def moving() -> fx.Equations:
    return fx.derive(gallery.example("appendix-b-moving"))


@pytest.mark.parametrize("where", [TO_GROUND, TO_MASS])
def test_appendix_b_both_choices_are_equivalent(ground: fx.Equations, moving: fx.Equations, where: dict) -> None:
    assert fx.equivalent(ground, moving, where=where)
    assert fx.equivalent(moving, ground, where=where)


def test_a_wrong_change_of_coordinates_is_noticed(ground: fx.Equations, moving: fx.Equations) -> None:
    result = fx.equivalent(ground, moving, where={**TO_GROUND, "r2": "q2 - q1"})
    assert not result
    assert result.difference


def test_the_rule_for_compatible_coordinates_alone_fails_on_the_moving_set(
    ground: fx.Equations, moving: fx.Equations
) -> None:
    """Appendix B: sending each end load to the mass there, as for compatible coordinates, is wrong for the q set."""
    load_a, load_b = ("EA*q2_x@a", "-EA*q2_x@b")
    naive = Equations(moving.lagrangian, "naive", tuple(_naive(row, load_a, load_b) for row in moving.derived), ())
    result = fx.equivalent(naive, ground, where=TO_MASS)
    assert not result
    assert "r1" in result.difference


def _naive(row: Row, load_a: str, load_b: str) -> Row:
    from flexura.symbolic.parser import parse

    loads = {"q1": load_a, "q3": load_b}
    if row.name not in loads or row.kind != "ordinary":
        return row
    return Row(row.kind, row.name, row.left, Sum(parse(loads[row.name], internal=True).engine), row.spine)


def test_a_missing_change_of_coordinates_is_asked_for(ground: fx.Equations, moving: fx.Equations) -> None:
    with pytest.raises(fx.FlexuraError, match="where="):
        fx.equivalent(ground, moving)
    with pytest.raises(fx.FlexuraError, match="neither set knows"):
        fx.equivalent(ground, moving, where={"z": "q1"})


def test_a_clamped_end_is_not_a_free_one() -> None:
    def beam(**boundary: object) -> fx.Equations:
        w = fx.Field("w", length="l")
        ends = {w.at(0): 0, w.slope(0): 0, **({w.at("l"): 0} if boundary else {})}
        return fx.derive(fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*w_xx**2/2"}, boundary=ends))

    assert fx.equivalent(beam(), beam())
    assert not fx.equivalent(beam(), beam(held=True))
    assert not fx.equivalent(beam(held=True), beam())


def test_measuring_the_beam_from_another_body_changes_rows_but_not_the_motion() -> None:
    """Example One with the beam measured from b: the q2 row changes by the integral of the field equation."""
    memo = fx.derive(gallery.example("example-one"))
    q1, q2, q4, q5 = (fx.Coordinate(name) for name in ("q1", "q2", "q4", "q5"))
    e = fx.Field("e", length="l")
    f, rho, EI = fx.Input("f", of="x"), fx.Parameter("rho"), fx.Parameter("EI")
    from_b = fx.Lagrangian(
        kinetic="(m_a*q1_t**2 + m_b*(q1_t + q2_t)**2 + m_c*(q1_t + q4_t)**2 + I_c*q5_t**2)/2",
        potential="(K1*q1**2 + K2*q2**2 + K3*(q1 + q4)**2)/2",
        dissipation="b*q2_t**2/2",
        density={e: rho * (q1.t + q2.t + e.t) ** 2 / 2 - EI * e.xx**2 / 2},
        work_density={e: {e: f, q1: f, q2: f}},
        boundary={e.at(0): 0, e.slope(0): 0, e.at("l"): q4 - q2, e.slope("l"): q5},
    )
    equations = fx.derive(from_b)
    assert fx.verify(equations)
    assert fx.equivalent(memo, equations, where={"q3": "e + q2"})
    assert not fx.equivalent(memo, equations, where={"q3": "e"})


def test_rows_are_complete() -> None:
    """One condition for every boundary value: theory, completeness."""
    for name in gallery.EXAMPLES:
        equations = fx.derive(gallery.example(name))
        ends = [row for row in equations.derived if row.kind in ("natural", "geometric")]
        assert len(ends) == len(equations.lagrangian.boundary_values), name


def test_a_joint_at_the_end_of_a_member_that_turns_in_space_is_proved() -> None:
    """Its rows have tens of thousands of terms: they are compared at random points, and the certificate says so."""
    hub, tip = fx.RigidBody("hub", m="m", I=("I1", "I2", "I3")), fx.RigidBody("tip", m="M", I=("J1", "J2", "J3"))
    arm = fx.SpatialBeam("arm", EA="EA", EIy="EIy", EIz="EIz", GJ="GJ", rho="rho", length="l")
    equations = fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, hub, about="z", name="theta"),
            fx.Fixed(hub.at("r"), arm.start),
            fx.Revolute(arm.end, tip.at("-d"), about="y", name="phi"),
        )
    )
    certificate = fx.verify(equations)
    assert certificate
    assert {one.method: one.how for one in certificate.compared}["kane"] == "evaluation at random points"
    other = fx.derive(equations.lagrangian, method="kane")
    rows = [
        replace(row, left=row.left + Sum(Symbol("phi_tt"))) if row.name == "theta" else row for row in other.derived
    ]
    wrong = fx.equivalent(equations, replace(other, derived=tuple(rows)))
    assert not wrong
    assert [row.name for row in wrong.differences] == ["theta"]


def test_models_are_compared_as_their_equations() -> None:
    assert fx.equivalent(gallery.example("appendix-b"), gallery.example("appendix-b-moving"), where=TO_GROUND)
    with pytest.raises(fx.FlexuraError, match="This is a str, neither equations nor a system of matrices"):
        fx.equivalent(gallery.example("appendix-b"), "appendix-b-moving")
