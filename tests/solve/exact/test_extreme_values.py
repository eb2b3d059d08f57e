"""Values near the ends of what floating-point numbers hold: an answer or a sentence, never a traceback, never nan."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

g = fx.ground
MEMBERS = {
    "EulerBernoulliBeam": {"EI": 2.0, "rho": 1.0, "length": 1.0},
    "RayleighBeam": {"EI": 2.0, "rho": 1.0, "rotary_inertia": 0.01, "length": 1.0},
    "TimoshenkoBeam": {"EI": 2.0, "rho": 1.0, "rotary_inertia": 0.01, "kGA": 50.0, "length": 1.0},
    "Rod": {"EA": 2.0, "rho": 1.0, "length": 1.0},
}
CASES = [
    *((kind, key) for kind, numbers in MEMBERS.items() for key in numbers),
    *(("EulerBernoulliBeam", key) for key in ("EA", "axial_force", "foundation")),
]


def model(kind, **values):
    member, mass = getattr(fx, kind)("b", **{**MEMBERS[kind], **values}), fx.Mass("m", m=1.0)
    force = fx.Force(member.end, "F", along="x" if kind == "Rod" else "y")
    return fx.derive(fx.Model(fx.Fixed(g, member.start), fx.Fixed(member.end, mass), force)), member


@pytest.mark.parametrize("value", [1e300, 1e160, 1e-160, 1e-300])
@pytest.mark.parametrize(("kind", "key"), CASES)
def test_values_that_no_arithmetic_carries_are_refused_in_a_sentence(kind, key, value):
    equations, member = model(kind, **{key: value})
    for ask in (
        lambda: fx.modes(equations, 3).eigenvalues,
        lambda: np.asarray(fx.frequency_response(equations, [0.0, 1.3], "F", member.end)),
    ):
        with pytest.raises(fx.FlexuraError, match="range of floating-point numbers"):
            ask()


@pytest.mark.parametrize("value", ["1e300*(1+x)", "1e-300*(1+x)"])
@pytest.mark.parametrize(("kind", "key"), [("EulerBernoulliBeam", "EI"), ("Rod", "EA"), ("Rod", "rho")])
def test_so_are_values_along_x(kind, key, value):
    equations, member = model(kind, **{key: value})
    with pytest.raises(fx.FlexuraError, match="range of floating-point numbers"):
        fx.modes(equations, 3)
    with pytest.raises(fx.FlexuraError, match="range of floating-point numbers"):
        fx.frequency_response(equations, [1.0], "F", member.end)


@pytest.mark.parametrize("unit", [1e-40, 1e-12, 1e12, 1e40])
def test_other_units_help(unit):
    """Stiffness and inertia in the same other unit of force: the frequencies stay, the response has its inverse."""
    beam, mass = fx.EulerBernoulliBeam("b", EI=2.0 * unit, rho=unit, length=1.0), fx.Mass("m", m=unit)
    parts = (fx.Fixed(g, beam.start), fx.Fixed(beam.end, mass), fx.Force(beam.end, "F"))
    equations, (plain, member) = fx.derive(fx.Model(*parts)), model("EulerBernoulliBeam")
    np.testing.assert_allclose(fx.modes(equations, 3).frequencies, fx.modes(plain, 3).frequencies, rtol=1e-10)
    found = fx.frequency_response(equations, [0.7], "F", beam.end)[0] * unit
    assert found == pytest.approx(fx.frequency_response(plain, [0.7], "F", member.end)[0], rel=1e-10)


@pytest.mark.parametrize("foundation", [1e30, 1e50])
def test_waves_that_cannot_be_followed_are_refused(foundation):
    with pytest.raises(fx.FlexuraError, match="more than can be followed"):
        fx.modes(model("EulerBernoulliBeam", foundation=foundation)[0], 3)


@pytest.mark.parametrize("key", ["EI", "rho", "length"])
@pytest.mark.parametrize("value", [1e300, 1e160])
@pytest.mark.filterwarnings("ignore")
def test_runs_refuse_them_in_a_sentence(key, value):
    equations, _ = model("EulerBernoulliBeam", **{key: value})
    with pytest.raises(fx.FlexuraError, match="range of floating-point numbers"):
        fx.simulate(equations, t=[0, 1.0], values={"F": 1.0})
