"""Parts that are kept at rest by what has no coordinate: every row of their diagrams is true, or there are none.

What is left of all rows once their reactions are eliminated must follow from the equations, on any motion; a row like
0 = F, where nothing moves along F and no reaction stands against it, does not.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import flexura as fx
from cut_balances import balanced, unimplied

FALSE = 1e-7
"""What a false row misses by is at least a strain, 1e-5 of what acts; what is left out is of second order, 1e-10."""


def rod() -> fx.Rod:
    return fx.Rod("rod", EA="EA", rho="mu*(1 + x/a)", length="a")


def beam() -> fx.EulerBernoulliBeam:
    return fx.EulerBernoulliBeam("beam", EI="EI", rho="rho*(1 + x/l)", length="l")


def true(model: fx.Model, couples: str = "") -> None:
    """All rows, with these reactions among them."""
    assert unimplied(model, 3) < FALSE
    assert balanced(model, 3) > 0
    assert couples in str(fx.free_bodies(model))


@pytest.mark.parametrize(
    "load",
    [
        lambda part: fx.Spring(part.end, fx.ground, k="k", along=(1, 2, 0)),
        lambda part: fx.Gravity("g", along=(1, 2, 0)),
        lambda part: fx.Force(part.end, "F", along=(1, 2, 0)),
        lambda part: fx.Force(part.at("a/3"), "F", along=(1, 2, 0)),
        lambda part: fx.DistributedForce(part, "f", along=(1, 2, 0)),
    ],
)
def test_the_weld_of_a_rod_carries_the_moment_of_what_acts_across_it(load):
    part = rod()
    true(fx.Model(fx.Fixed(fx.ground, part.start), load(part)), "M_ground_rod")


def test_a_rod_is_turned_by_the_couple_of_the_hub_that_carries_it():
    """I th'' = -M and M = what turns the rod: together (I + mu a^3/3) th'' = 0."""
    part, hub = fx.Rod("rod", EA="EA", rho="mu", length="a"), fx.RigidBody("hub", m="m", I="I")
    model = fx.Model(fx.Revolute(fx.ground, hub, name="th"), fx.Fixed(hub, part.start))
    true(model)
    rows = {row.name: row for one in fx.free_bodies(model) for row in one.rows}
    assert str(rows["hub_about z"].right.local) == "-M_hub_rod_z"
    assert str(rows["M_rod_start"].right.local) == "-M_hub_rod_z"


def test_a_member_that_nothing_holds_along_its_axis_has_no_diagram_under_a_load_along_it():
    part = beam()
    rollers = [fx.Roller(fx.ground, part.start, along="x"), fx.Roller(fx.ground.at("l", 0), part.end, along="x")]
    across = fx.Model(*rollers, fx.Force(part.at("l/2"), "F"))
    true(across)
    oblique = fx.Model(*rollers, fx.Force(part.at("l/2"), "F", along=(1, 2, 0)))
    with pytest.raises(fx.FlexuraError, match=r"F acts on the motion of beam along its axis") as told:
        fx.free_bodies(oblique)
    assert told.value.part == "beam"
    assert "fx.Pin" in told.value.advice
    true(fx.Model(fx.Pin(fx.ground, part.start), rollers[1], fx.Force(part.at("l/2"), "F", along=(1, 2, 0))))


FEW = settings(max_examples=25, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))


@st.composite
def machines(draw: st.DrawFn) -> fx.Model | None:
    """A member on ground, a cart or a hub, with a body or another member on it, and loads."""
    part = draw(st.sampled_from([rod, beam]))()
    tip = draw(st.sampled_from(["", "mass", "body", "pendulum", "slider", "member"]))
    hub = fx.RigidBody("hub", m="m_h", I="I_h")
    base = draw(st.sampled_from(["ground", "cart", "hub"]))
    carrier = fx.ground if base == "ground" else hub
    parts: list = [fx.Revolute(fx.ground, hub, name="th")] if base == "hub" else []
    parts += [fx.Slide(fx.ground, hub, name="s", along=(1, 2, 0))] if base == "cart" else []
    parts.append(draw(st.sampled_from([fx.Fixed, fx.Fixed, fx.Pin]))(carrier, part.start))
    end, last = part.end, part.end
    body = fx.RigidBody("body", m="m_b", I="I_b")
    if tip == "mass":
        last = fx.Mass("mass", "m_m")
        parts.append(fx.Fixed(end, last))
    elif tip == "body":
        last = body.at("d", "e")
        parts.append(fx.Fixed(end, body))
    elif tip == "pendulum":
        last = body.at("d", 0)
        parts.append(fx.Revolute(end, last, name="ph"))
        last = body
    elif tip == "slider":
        last = body
        parts.append(fx.Slide(end, body, name="q", along=(2, 1, 0)))
    elif tip == "member":
        other = fx.Rod("other", EA="EA_2", rho="mu_2", length="b")
        parts.append(fx.Fixed(end, other.start, angle="90 deg"))
        last = other.end
    if draw(st.booleans()):
        parts.append(fx.Force(last, "F", along=(1, 2, 0)))
    if draw(st.booleans()):
        parts.append(fx.Gravity("g", along=(2, -1, 0)))
    if base != "hub" and draw(st.booleans()):  # on a hub that turns far, the couple of its axis leaves out the strain
        parts.append(fx.Spring(last, fx.ground.at("p", "q_0"), k="k", along=(1, 3, 0)))
    try:
        model = fx.Model(*parts, foreshortening=True)
        return model if model.lagrangian else None
    except fx.FlexuraError:
        return None


def test_rows_of_random_machines_are_true_or_there_are_none():
    shown: list[bool] = []

    @FEW
    @given(machines())
    def holds(model: fx.Model | None) -> None:
        if model is None:
            return
        refusal = model.lagrangian.cutting().refusal
        shown.append(not refusal)
        if refusal:
            with pytest.raises(fx.FlexuraError, match="There are no free-body diagrams"):
                fx.free_bodies(model)
        else:
            assert unimplied(model, 3) < FALSE

    holds()
    assert sum(shown) > 0.5 * len(shown) > 10
