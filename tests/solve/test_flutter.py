"""Flutter loads against published ones: Beck's column, Ziegler's pendulum with and without damping."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx


def becks(**more):
    beam = fx.EulerBernoulliBeam("b", EI="EI", rho="rho", length="l", **more)
    return fx.derive(
        fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "-P", along="x", axes=beam.end))
    ), beam


def ziegler(c=0.0, m=1.0, k=1.0, length=1.0):
    """Two links, masses 2m and m, springs k, dampers c, a load along the second."""
    a, b = fx.RigidBody("a", 2 * m, 0), fx.RigidBody("b", m, 0)
    joints = [(fx.ground, a), (a, b)]
    dampers = [fx.TorsionDamper(*pair, c=c) for pair in joints] if c else []
    return fx.Model(
        *(fx.Revolute(p, q.at(-length)) for p, q in joints),
        *(fx.TorsionSpring(*pair, k=k) for pair in joints),
        *dampers,
        fx.Force(b, "-P", along="x", axes=b),
    )


def test_becks_column() -> None:
    """Beck (1952): 20.05 EI/l^2, where the motion has 11.02 sqrt(EI/rho)/l^2."""
    EI, rho, length = 3.0, 0.7, 1.6
    equations, beam = becks()
    found = fx.flutter(equations, "P", {"EI": EI, "rho": rho, "l": length})
    assert found * length**2 / EI == pytest.approx(20.0509536, rel=1e-8)
    assert found.frequency * length**2 * math.sqrt(rho / EI) == pytest.approx(11.016, abs=1e-3)
    certificate = found.certificate
    assert certificate
    assert certificate.exact[0] < 1e-9 < 1e-3 < certificate.exact[1]
    assert certificate.exact == pytest.approx(certificate.ritz, abs=1e-7)
    assert "verified" in str(certificate)
    assert "flutter at P" in repr(found)
    tip, middle = found.shape(beam.fields[0].name, np.array([length, length / 2]))
    assert abs(np.angle(tip / middle)) > 1e-4  # a wave, not a standing shape
    assert found.modes.eigenvalues[found.mode].real > 0


@settings(max_examples=8, deadline=None)
@given(st.floats(0.01, 1.5), st.floats(0.3, 3.0), st.floats(0.5, 2.0), st.floats(0.5, 2.0))
def test_zieglers_pendulum_with_dampers_flutters_early(c, m, k, length) -> None:
    """Ziegler (1952), Herrmann & Jong (1965): 41/28 k/l + c^2/(2 m l^3), below the 7/2 - sqrt(2) without."""
    found = fx.flutter(ziegler(c, m, k, length), "P")
    assert found == pytest.approx(41 / 28 * k / length + c**2 / (2 * m * length**3), rel=1e-8)


def test_zieglers_pendulum_without_dampers() -> None:
    found = fx.flutter(ziegler(), "P")
    assert found == pytest.approx(3.5 - math.sqrt(2), rel=1e-9)
    assert found.certificate
    with pytest.raises(fx.FlexuraError, match=r"flutters, at P = 2.085.*fx.flutter"):
        fx.buckling(ziegler(), "P")


def test_what_does_not_flutter_says_what_it_does() -> None:
    column = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, axial_force="-P")
    model = fx.Model(fx.Fixed(fx.ground, column.start))
    with pytest.raises(fx.FlexuraError, match=r"does not flutter: before .* at P = 2\.467.*fx\.buckling"):
        fx.flutter(model, "P")
    assert fx.buckling(model, "P") == pytest.approx(math.pi**2 / 4)
    with pytest.raises(fx.FlexuraError, match="There is no parameter 'Q'"):
        fx.flutter(model, "Q")
    with pytest.raises(fx.FlexuraError, match="unstable already"):
        fx.flutter(model, "P", between=(3.0, 4.0))
