"""Events whose functions begin at zero, or beyond it by rounding: they fire when that is left on the wrong side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.run import Event, Options, follow


def followed(event: Event, end: float = 3.0) -> Any:
    """x = cos t."""
    mass = fx.Mass("m", 1.0)
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, mass, name="x"), fx.Spring(fx.ground, mass, 1.0)))
    mechanics = Mechanics(motion_system(equations, None), lambda t: np.zeros((*np.shape(t), 0)))
    start = mechanics.state(0.0, np.array([1.0]), np.array([0.0]))
    return follow(mechanics, start, end, Options(local=1e-11, events=(event,)))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("beyond", [0.0, 1e-9, -1e-9])
def test_what_keeps_a_side_may_begin_at_zero(sign: int, beyond: float) -> None:
    """x - 1 leaves zero downwards at once: beyond what a side +1 may, by its room; within what -1 may."""

    def value(t: float, q: Any, v: Any) -> float:
        return float(q[0]) - 1.0 + beyond

    run = followed(Event("limit", value, True, side=sign, room=1e-6))
    if sign > 0:  # fires where x - 1 = -room, or as much farther as it began beyond
        assert run.stopped
        (t,) = run.events["limit"]
        room = 1e-6 + max(-2 * beyond, 0.0)
        assert np.cos(t) - 1 + beyond == pytest.approx(-room, rel=1e-4)
    else:
        assert run.complete
        assert not run.events["limit"]


def test_what_begins_well_inside_has_its_event_at_zero() -> None:
    run = followed(Event("limit", lambda t, q, v: float(q[0]), True, side=1, room=1e-3))
    assert run.events["limit"] == pytest.approx([np.pi / 2], abs=1e-9)
    run = followed(Event("limit", lambda t, q, v: -float(q[0]), True, side=-1, room=1e-3))
    assert run.events["limit"] == pytest.approx([np.pi / 2], abs=1e-9)


def test_without_a_side_what_begins_at_zero_fires_when_it_comes_back() -> None:
    run = followed(Event("back", lambda t, q, v: float(v[0]), after=0.0), end=4.0)
    assert run.events["back"] == pytest.approx([np.pi], abs=1e-9)
