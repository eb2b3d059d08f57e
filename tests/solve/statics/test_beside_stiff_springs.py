"""fx.ExactBeam at rest beside springs of any stiffness, against shooting; and states that are rounding alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import root

import flexura as fx

RIGID = 1e300  # so stiff that nothing is left of it in shooting
SECTIONS: list[dict[str, Any]] = [{"EA": 1e4, "kGA": 5e3, "rotary_inertia": 0.01}, {"EA": 1e4}, {}]


def shot(k: float, weight: float, moment: float, section: dict[str, Any], guess: list[float]) -> tuple[Any, Any, Any]:
    """Shear force and moment at the clamp, and x, y, phi in the middle, of a heavy cantilever on a spring."""
    EA, kGA = (section.get(name, RIGID) for name in ("EA", "kGA"))

    def along(z: np.ndarray) -> Any:
        def rates(s: float, y: np.ndarray) -> list[float]:
            c, d, up = np.cos(y[2]), np.sin(y[2]), z[0] + weight * s
            x, rise = (1 + up * d / EA) * c - up * c / kGA * d, (1 + up * d / EA) * d + up * c / kGA * c
            return [x, rise, y[3], -x * up]

        return solve_ivp(rates, (0, 1), [0, 0, 0, z[1]], "DOP853", rtol=1e-13, atol=1e-15, dense_output=True)

    def off(z: np.ndarray) -> list[float]:
        end = along(z).y[:, -1]
        held = (z[0] + weight) / k + end[1] if k > 1 else z[0] + weight + k * end[1]
        return [held, end[3] - moment]

    found = root(off, guess, tol=1e-14).x
    return found, along(found).sol(0.5)[:3], along(found).y[:3, -1]


@settings(max_examples=8, deadline=None)
@given(
    digits=st.floats(0, 12),
    weight=st.floats(0.5, 4.0),
    moment=st.floats(-1.0, 1.0),
    section=st.sampled_from(SECTIONS),
)
def test_a_spring_of_any_stiffness_carries_its_share(
    digits: float, weight: float, moment: float, section: dict[str, Any]
) -> None:
    k = 10.0**digits
    beam, tip = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, **section), fx.Mass("tip", m=0)
    model = fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.Fixed(beam.end, tip),
        fx.Spring(fx.ground, tip, k=k),
        fx.Torque(beam.end, "M"),
        fx.Gravity(weight),
    )
    rest = fx.equilibrium(model, {"M": moment})
    carried = -k * float(rest["y_b_end"])
    root_moment = float(rest.place(beam, 1e-3)[2]) / 1e-3
    (shear, _), middle, end = shot(k, weight, moment, section, [carried - weight, root_moment])
    assert carried == pytest.approx(shear + weight, abs=1e-11 * weight)  # at every stiffness
    assert rest.position(beam.at(0.5))[:2] == pytest.approx(middle[:2], abs=1e-11)
    assert rest.position(beam.end)[:2] == pytest.approx(end[:2], abs=1e-11)
    assert not any("NOT CONVERGED" in note for note in rest.notes)


@pytest.mark.parametrize("curvature", ["0.5*x", -0.6])
def test_without_loads_a_curved_beam_stays_as_it_is(curvature: Any) -> None:
    """Forces of rounding, of strains of order one times EA, are no loads; small loads are told with what they know."""
    beam = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, curvature=curvature, **SECTIONS[0])
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P")))
    assert np.abs(fx.equilibrium(equations, {"P": 0.0}).place(beam, 1.0)).max() < 1e-12
    large, small = (fx.equilibrium(equations, {"P": P}) for P in (1e-5, 1e-10))
    off = abs(small.place(beam, 1.0)[1] / 1e-10 - large.place(beam, 1.0)[1] / 1e-5) / 0.33
    assert off < 10 * small.error + 1e-4
    assert small.error < 1e-8 or "rounding" in " ".join(small.notes)


def test_a_shallow_arch_snaps_from_its_unloaded_state() -> None:
    """EI = 1, curvature -0.6: the path of a load on the crown turns back twice, and may start at nothing."""
    beam = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, curvature=-0.6, EA=1e3, kGA=500.0, rotary_inertia=0.01)
    supports = fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)
    model = fx.derive(fx.Model(*supports, fx.Force(beam.at(0.5), "F", along="-y")))
    path = fx.equilibrium_path(model, "F", (0, 20.0))
    assert path.parameter[0] == 0.0
    upper, lower = path.limit_points
    assert 0 < lower < upper
    for load in (0.5 * upper, 0.98 * upper):  # states on the way are those of loads alone
        rest = fx.equilibrium(model, {"F": load})
        near = np.interp(load, path.parameter[:6], path.position(beam.at(0.5))[:6, 1])
        assert rest.stable
        assert rest.position(beam.at(0.5))[1] == pytest.approx(near, abs=0.02)
