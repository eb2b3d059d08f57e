"""What still reaches ground without one part: one walk against many, on random frames."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from flexura.model.reaching import Reaching
from flexura.model.structure import Assembly, Spot, Weld
from flexura.parts.bodies import Mass, ground
from flexura.symbolic.kinematics.vectors import NULL

PAIRS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=14)


@given(PAIRS)
def test_one_walk_says_what_many_say(pairs):
    parts = [ground, *(Mass(f"m{i}", 1.0) for i in range(7))]
    welds = [Weld(None, Spot(parts[i], NULL), Spot(parts[j], NULL)) for i, j in pairs if i != j]
    beside = {i: {b for a, b in (*pairs, *((j, i) for i, j in pairs)) if a == i != b} for i in range(8)}
    reaching = Reaching(Assembly(0, parts, welds))
    for part in range(1, 8):
        for start in beside[part]:
            assert reaching.without(parts[part], parts[start]) == (0 in reached(start, part, beside)), (part, start)


def reached(start: int, left_out: int, beside: dict[int, set[int]]) -> set[int]:
    """By walking from the start."""
    seen, waiting = {start}, [start]
    while waiting:
        new = beside[waiting.pop()] - seen - {left_out}
        seen |= new
        waiting += new
    return seen
