"""Benchmarks of free vibration that NAFEMS collected, by exact members and by polynomials beside them."""

from __future__ import annotations

import math

import pytest
from tests.plain_frames import frequencies

import flexura as fx


def test_the_pin_ended_double_cross() -> None:
    """FV2: eight arms of 5 m, 0.125 m square, E = 200 GPa, 8000 kg/m^3, pinned at their ends (x and y held).

    The lists of the benchmark are theory for arms that bend and stretch: 11.336, 17.709 (8 in all, near 17.7),
    45.345, 57.390 Hz; its tables give the pairs below.
    """
    side, E, density = 0.125, 200e9, 8000.0
    section = {"EI": E * side**4 / 12, "EA": E * side**2, "rho": density * side**2}
    nodes: dict[str, tuple[float, float]] = {"O": (0.0, 0.0)}
    for i in range(8):
        nodes[f"P{i}"] = (5 * math.cos(math.pi * i / 4), 5 * math.sin(math.pi * i / 4))
    members = {f"arm{i}": (f"P{i}", "O") for i in range(8)}
    supports = {f"P{i}": "pinned" for i in range(8)}
    frame = fx.frame(nodes, members, supports, section=section)
    modes = fx.modes(frame, 16)
    table = [11.33625, *[17.68077] * 2, *[17.70938] * 5, 45.34498, *[57.07456] * 2, *[57.38973] * 5]
    assert modes.frequencies / (2 * math.pi) == pytest.approx(table, rel=2e-6)
    other = frequencies(nodes, [(a, b, section) for a, b in members.values()], dict.fromkeys(supports, (0, 1)))
    assert modes.frequencies == pytest.approx(other[:16], rel=1e-9)
    assert "count at every frequency agrees" in str(modes.certificate)
