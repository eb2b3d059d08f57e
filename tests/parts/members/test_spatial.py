"""The beam in space that shears and whose sections have inertia: Timoshenko's and Rayleigh's, in one plane or both."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.plain_frames import frequencies

import flexura as fx

SECTION: dict[str, Any] = {
    "EA": 800.0, "EIy": 2.0, "EIz": 3.0, "GJ": 1.5, "rho": 1.5, "rotary_inertia": (0.05, 0.02, 0.03),
}  # fmt: skip
SHEAR = {"kGAy": 300.0, "kGAz": 250.0}
NAMED: dict[str, Any] = {key: key for key in (*SECTION, *SHEAR)} | {"rotary_inertia": ("Jx", "Jy", "Jz")}
CUBE = {"A": (0, 0, 0), "B": (0, 2, 0), "C": (1.5, 2, 0.3), "D": (1.5, 0, 0), "E": (0, 2, 1)}
BARS = {"a": ("A", "B"), "b": ("B", "C"), "c": ("C", "D"), "d": ("B", "E")}


def clamped(member: Any, *more: Any) -> fx.Model:
    return fx.Model(fx.Fixed(fx.ground, member.start), *more)


def test_routes_agree_and_parts_are_found_again() -> None:
    more = {"length": "l", "axial_force": "P", "damping": "c", "internal_damping": "eta"}
    body = fx.RigidBody("body", m="m", I=("I1", "I2", "I3"))
    for shear in ((), ("kGAy",), ("kGAz",), ("kGAy", "kGAz")):
        given = {key: one for key, one in NAMED.items() if key not in SHEAR or key in shear}
        beam = fx.SpatialBeam("b", **given, **more)
        assert fx.verify(fx.derive(clamped(beam, fx.Fixed(beam.end, body.at("d", 0, "e")), fx.Gravity(along="-z"))))


def test_fields_and_what_its_ends_carry() -> None:
    beam = fx.SpatialBeam("b", **SECTION, **SHEAR, length=1.0)
    assert [one.name for one in beam.fields] == ["u_b", "v_b", "w_b", "phi_b", "beta_b", "gamma_b"]
    u, v, w, phi, beta, gamma = beam.fields
    assert dict(beam.ends) == {
        "axial": u, "transverse": v, "lateral": w, "rotation": gamma, "tilt": beta, "twist": phi,
    }  # fmt: skip
    half = fx.SpatialBeam("b", **SECTION, kGAy=300.0, length=1.0)
    assert [one.name for one in half.fields] == ["u_b", "v_b", "w_b", "phi_b", "gamma_b"]
    assert half.ends["tilt"] == half.fields[2].x
    named = fx.SpatialBeam("b", **SECTION, **SHEAR, length=1.0, field=("u", "v", "w", "a", "b", "g"))
    assert [one.name for one in named.fields] == ["u", "v", "w", "a", "b", "g"]
    with pytest.raises(fx.FlexuraError, match="kGAy"):
        fx.SpatialBeam("b", **SECTION, kGAy=-1.0, length=1.0)


@settings(max_examples=3, deadline=None)
@given(st.lists(st.floats(0.5, 4.0), min_size=6, max_size=6), st.booleans(), st.booleans())
def test_it_is_the_exact_beam_about_rest(sizes: list[float], free: bool, bodied: bool) -> None:
    EIy, EIz, GJ, kGAy, kGAz, J = (round(one, 3) for one in sizes)
    properties = {
        "EA": 800.0, "EIy": EIy, "EIz": EIz, "GJ": GJ, "kGAy": 100 * kGAy, "kGAz": 100 * kGAz, "rho": 1.5,
        "rotary_inertia": (0.02 * J, 0.008 * J, 0.012 * J), "length": 1.2,
    }  # fmt: skip
    found = []
    for kind in (fx.SpatialBeam, fx.ExactSpatialBeam):
        beam, body = kind("b", **properties), fx.RigidBody("body", 0.7, (0.1, 0.2, 0.3))
        things: list[Any] = [fx.Fixed(beam.end, body.at(-0.1, 0.05, 0.02))] if bodied else []
        found.append(fx.modes(fx.Model(beam, *things) if free else clamped(beam, *things), 8).frequencies)
    assert found[0] == pytest.approx(found[1], rel=1e-9, abs=1e-9)


def test_it_is_timoshenkos_beam_in_each_plane_and_a_shaft() -> None:
    beam = fx.SpatialBeam("b", **SECTION, **SHEAR, length=1.2, axial_force=-0.4)
    planes = [
        fx.TimoshenkoBeam("t", EI=EI, kGA=kGA, rho=1.5, rotary_inertia=J, length=1.2, EA=EA, axial_force=-0.4)
        for EI, kGA, J, EA in ((3.0, 300.0, 0.03, 800.0), (2.0, 250.0, 0.02, None))
    ]
    shaft = fx.Shaft("s", GJ=1.5, rotary_inertia=0.05, length=1.2)
    expected = [one for each in (*planes, shaft) for one in fx.modes(clamped(each), 10).frequencies]
    modes = fx.modes(clamped(beam), 12)
    assert modes.frequencies == pytest.approx(np.sort(expected)[:12], rel=1e-9)
    assert modes.certificate
    rayleigh = fx.SpatialBeam("b", **SECTION, length=1.2)
    flat = fx.RayleighBeam("r", EI=3.0, rho=1.5, length=1.2, rotary_inertia=0.03)
    in_plane = fx.modes(clamped(flat), 3).frequencies
    both = fx.modes(clamped(rayleigh), 12).frequencies
    assert all(np.min(np.abs(both - one)) < 1e-9 * one for one in in_plane)


@pytest.mark.parametrize("number", range(6))
def test_random_frames_have_the_modes_of_polynomials(number: int) -> None:
    """Each member shears in one plane, in both, or in none; the other program knows nothing of the package."""
    from tests.model.test_closed_frames import drawn

    nodes, pairs = drawn(900 + number, space=True)
    rng = np.random.default_rng(number)
    given = []
    for _ in pairs:
        shear = {key: float(rng.uniform(100, 900)) for key in SHEAR if rng.random() < 0.6}
        section = {key: float(rng.uniform(2, 40)) for key in ("EIy", "EIz", "GJ")}
        inertia = tuple(rng.uniform(0.05, 0.4, 3).tolist())
        given.append({"EA": 9e3, "rho": 1.3, "rotary_inertia": inertia, **section, **shear})
    members = {f"b{i}": (a, b, one) for i, ((a, b), one) in enumerate(zip(pairs, given, strict=True))}
    modes = fx.modes(fx.frame(nodes, members, {0: "fixed"}), 6)
    other = frequencies(nodes, list(members.values()), {0: range(6)})
    assert modes.frequencies == pytest.approx(other[:6], rel=1e-8)


def test_a_force_at_the_tip_gives_the_deflections_of_the_textbook() -> None:
    """F l^3/(3 EI) + F l/(kGA) in each plane (Timoshenko), and the forces inside are those of a cantilever."""
    beam = fx.SpatialBeam("b", **SECTION, **SHEAR, length=1.2)
    model = clamped(beam, fx.Force(beam.end, "F", along="y"), fx.Force(beam.end, "G", along="z"))
    outputs = [(beam.end, "v_b"), (beam.end, "w_b"), (beam.end, "gamma_b")]
    inside = [fx.Internal(beam, 0.3, word) for word in ("moment", "moment_y", "shear", "shear_z")]
    still = fx.frequency_response(fx.derive(model), [0.0], ["F", "G"], [*outputs, *inside])[0].real
    expected = np.zeros((7, 2))
    expected[0, 0], expected[1, 1] = 1.2**3 / 9 + 1.2 / 300, 1.2**3 / 6 + 1.2 / 250
    expected[2, 0] = 1.2**2 / 6
    expected[3, 0], expected[4, 1], expected[5, 0], expected[6, 1] = 0.9, -0.9, 1.0, 1.0
    assert still == pytest.approx(expected, rel=1e-8, abs=1e-10)


def test_a_column_that_shears_buckles_earlier() -> None:
    """Engesser: Pe/(1 + Pe/kGA), Pe = pi^2 EI/(4 l^2), in the plane that is weaker."""
    for EIy, EIz, EI, kGA in ((2.0, 3.0, 2.0, 250.0), (3.0, 2.0, 2.0, 300.0)):
        section = {**SECTION, **SHEAR, "EIy": EIy, "EIz": EIz}
        column = fx.SpatialBeam("b", **section, length=1.2, axial_force="-P")
        euler = math.pi**2 * EI / (4 * 1.2**2)
        assert float(fx.buckling(fx.derive(clamped(column)), "P")) == pytest.approx(euler / (1 + euler / kGA), rel=1e-7)


def test_a_spinning_shaft_whirls_as_the_exact_one() -> None:
    """Rotary inertia of sections that turn with the shaft: gyroscopic, in both planes at once."""
    roots = []
    for kind in (fx.SpatialBeam, fx.ExactSpatialBeam):
        hub, beam = fx.RigidBody("hub", 1.0, (1, 1, 1)), kind("b", **SECTION, **SHEAR, length=1.2)
        spun = fx.Model(fx.Revolute(fx.ground, hub, about="x", motion="Omega*t"), fx.Fixed(hub, beam.start))
        roots.append(fx.modes(spun, 5, values={"Omega": 5.0}).eigenvalues)
    assert roots[0].imag == pytest.approx(roots[1].imag, rel=1e-9)
    assert np.abs(roots[0].real).max() < 1e-9


def test_frames_of_sections_that_shear() -> None:
    tube = {"section": "box 120x80x6 mm", "material": "steel"}
    model = fx.frame(CUBE, BARS, {"A": "fixed", "D": "fixed"}, section={**tube, "shear": True})
    values = fx.derive(model).values
    given = {
        **{key: values[f"{key}_a"] for key in ("EA", "EIy", "EIz", "GJ", "kGAy", "kGAz", "rho")},
        "rotary_inertia": tuple(values[f"J{axis}_a"] for axis in "xyz"),
    }
    assert given["rotary_inertia"] == pytest.approx(
        tuple(7850 / 210e9 * one for one in (given["EIy"] + given["EIz"], given["EIy"], given["EIz"]))
    )
    assert given["kGAy"] != given["kGAz"]
    other = frequencies(CUBE, [(*pair, given) for pair in BARS.values()], {"A": range(6), "D": range(6)})
    assert fx.modes(model, 6).frequencies == pytest.approx(other[:6], rel=1e-8)
    stiff = fx.modes(fx.frame(CUBE, BARS, {"A": "fixed", "D": "fixed"}, section=tube), 6).frequencies
    assert all(fx.modes(model, 6).frequencies < stiff)
    flat = fx.frame({"A": (0, 0), "B": (0, 3)}, {"m": ("A", "B")}, {"A": "fixed"}, section={**tube, "shear": True})
    assert isinstance(flat.member("m"), fx.TimoshenkoBeam)
    with pytest.raises(fx.FlexuraError, match=r"m \(Rod\) cannot shear; leave kind out"):
        fx.frame({"A": (0, 0), "B": (0, 3)}, {"m": ("A", "B", {"kind": "Rod", "shear": True})}, section=tube)
    with pytest.raises(fx.FlexuraError, match="m has shear=True and no section"):
        fx.frame({"A": (0, 0), "B": (0, 3)}, {"m": ("A", "B", {"EI": 1.0, "rho": 1.0, "shear": True})})
