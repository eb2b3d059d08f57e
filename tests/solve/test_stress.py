"""Stresses in fibres: closed forms of bending and tension, in the plane and in space, in every verb."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

E, B, H, L = 70e9, 0.02, 0.04, 0.8
A, IZ, IY = B * H, B * H**3 / 12, H * B**3 / 12
TEXT = "rectangle 20x40 mm"


def cantilever(**more):
    beam = fx.EulerBernoulliBeam("b", EI=E * IZ, EA=E * A, rho=2700 * A, length=L, **more)
    loads = fx.Force(beam.end, "F"), fx.Force(beam.end, "N", along="x")
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), *loads)), beam


def test_bending_and_tension_of_a_cantilever():
    equations, beam = cantilever()
    top, bottom = (fx.Stress(beam, "0.2 m", y=y, section=TEXT) for y in ("20 mm", -0.02))
    found = fx.frequency_response(equations, [0.0], ["F", "N"], [top, bottom, fx.Internal(beam, 0.2)])
    bending = (L - 0.2) * (H / 2) / IZ  # an upward force presses the upper fibres
    assert found[0, :, 0].real == pytest.approx([-bending, bending, L - 0.2], rel=1e-9)
    assert found[0, :, 1].real == pytest.approx([1 / A, 1 / A, 0.0], rel=1e-9, abs=1e-9)
    assert found.columns[0] == "stress of b at 0.2 m, y = 0.02, z = 0 per F (Pa/N)"


def test_every_verb_sees_the_same_stress():
    equations, beam = cantilever(internal_damping=1e-3)
    fibre = fx.Stress(beam, 0, y="20 mm", section=TEXT)
    moment, force = fx.Internal(beam, 0), fx.Internal(beam, 0, "axial")
    share = -H / 2 / IZ
    omega = [40.0, 300.0]
    exact = fx.frequency_response(equations, omega, "F", [fibre, moment, force])
    assert exact[:, 0] == pytest.approx(share * exact[:, 1] + exact[:, 2] / A, rel=1e-12)
    space = fx.state_space(equations, "F", [fibre], order=12)
    ritz = [space.C @ np.linalg.solve(1j * w * np.eye(len(space.A)) - space.A, space.B) + space.D for w in omega]
    assert np.ravel(ritz) == pytest.approx(np.asarray(exact)[:, 0], rel=1e-5)
    run = fx.simulate(equations, np.linspace(0, 0.05, 6), inputs={"F": "100*sin(300*t)", "N": 50.0})
    assert run[fibre] == pytest.approx(share * run[moment] + run[force] / A, rel=1e-12)
    assert abs(run[fibre]).max() > 1e3
    noise = fx.random_response(equations, 2.0, "F", [fibre, moment], [1.0, 2000.0])
    assert noise.rms[0] == pytest.approx(abs(share) * noise.rms[1], rel=1e-6)
    assert noise.columns[0].endswith("(Pa**2*s/rad)")


def test_a_beam_in_space_bends_about_both_axes():
    """sigma = E du/dx of the fibre: u - y v_x - z w_x, from the displacements beside it."""
    beam = fx.SpatialBeam("b", EA=E * A, EIy=E * IY, EIz=E * IZ, GJ=1e4, rho=2700 * A, length=L)
    loads = [fx.Force(beam.end, name, along=along) for name, along in zip(("X", "Y", "Z"), "xyz", strict=True)]
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), *loads))
    y, z, s, h = 0.013, 0.007, 0.3, 1e-3
    found = fx.frequency_response(equations, [0.0], ["X", "Y", "Z"], [fx.Stress(beam, s, y, z, TEXT)])[0, 0].real
    assert found == pytest.approx([1 / A, -(L - s) * y / IZ, -(L - s) * z / IY], rel=1e-9)
    places = [beam.at(s - h), beam.at(s), beam.at(s + h)]
    outputs = [fx.Motion(place, along=axis) for axis in "xyz" for place in places]
    u, v, w = fx.frequency_response(equations, [0.0], ["X", "Y", "Z"], outputs)[0].real.reshape(3, 3, 3)
    bent = [(one[0] - 2 * one[1] + one[2]) / h**2 for one in (v, w)]
    strain = (u[2] - u[0]) / (2 * h) - y * bent[0] - z * bent[1]
    assert found == pytest.approx(E * strain, rel=1e-5)


def test_what_has_no_stress_says_so():
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    with pytest.warns(UserWarning, match="leaves out the axial force: b does not stretch.*give it EA"):
        fx.frequency_response(equations, [0.0], "F", fx.Stress(beam, 0, y=0.01, section=TEXT))
    with pytest.raises(fx.FlexuraError, match="needs the section"):
        fx.Stress(beam, 0, y=0.01)
    with pytest.raises(fx.FlexuraError, match="kg"):
        fx.Stress(beam, 0, y="3 kg", section=TEXT)
    shaft = fx.Shaft("s", GJ=1.0, rotary_inertia=1.0, length=1.0)
    turned = fx.derive(fx.Model(fx.Fixed(fx.ground, shaft.start), fx.Torque(shaft.end, "T", about="x")))
    with pytest.raises(fx.FlexuraError, match=r"s carries nothing that makes a stress .*torque"):
        fx.frequency_response(turned, [1.0], "T", fx.Stress(shaft, 0, y=0.01, section=TEXT))
