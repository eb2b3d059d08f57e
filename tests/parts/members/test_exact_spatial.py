"""The exact beam in space: its energies by rotation matrices, about rest Timoshenko's in both planes, bad sections."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import flexura as fx

STIFF = {"EA": 800.0, "kGAy": 300.0, "kGAz": 250.0, "GJ": 1.5, "EIy": 2.0, "EIz": 3.0}
BEAM = {**STIFF, "rho": 1.5, "length": 1.2, "rotary_inertia": (0.05, 0.02, 0.03)}
NAMED = {
    **{name: name for name in STIFF},
    "rho": "rho",
    "length": "l",
    "rotary_inertia": ("Jx", "Jy", "Jz"),
}


def beam(**properties):
    return fx.ExactSpatialBeam("b", **{**BEAM, **properties})


def held(one):
    return fx.Model(fx.Fixed(fx.ground, one.start))


def test_routes_agree_and_parts_are_found_again() -> None:
    body = fx.RigidBody("hub", m="m", I=("I1", "I2", "I3"))
    one = fx.ExactSpatialBeam("b", **NAMED)
    model = fx.Model(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, body), fx.Gravity(9.81, along="-z"))
    assert fx.verify(fx.derive(model))
    curved = fx.ExactSpatialBeam("b", **{**NAMED, "curvature": (0, 0, "k")})
    assert fx.verify(fx.derive(held(curved)))


def test_fields_and_rigid_forces() -> None:
    assert [one.name for one in beam().fields][:8] == [
        f"{name}_b" for name in ("u", "v", "w", "alpha", "beta", "gamma", "delta", "mu")
    ]
    rigid = fx.ExactSpatialBeam("b", EIy=1.0, EIz=1.0, rho=1.0, length=1.0)
    assert [one.name for one in rigid.fields][8:] == ["N_b", "Qy_b", "Qz_b", "T_b"]
    assert rigid.bends_far


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_strain_energy_is_that_of_rotation_matrices(seed: int) -> None:
    """At random shapes, of a random section with all couplings and a random curvature, by scipy's rotations."""
    draw = np.random.default_rng(seed)
    root = draw.normal(size=(6, 6))
    C, k = root @ root.T + np.eye(6), draw.normal(size=3)
    one = fx.ExactSpatialBeam("b", stiffness=C, curvature=tuple(map(float, k)), rho=1.0, length=1.0)
    shapes = {name: draw.normal(size=3) for name in ("u_b", "v_b", "w_b", "delta_b", "alpha_b", "beta_b", "gamma_b")}
    x = 0.37
    values = {"x": x} | {f"{name}": float(np.polyval(c, x)) for name, c in shapes.items()}
    values |= {f"{name}_x": float(np.polyval(np.polyder(c), x)) for name, c in shapes.items()}

    def section(at: float) -> Rotation:
        d, a, b, g = (float(np.polyval(shapes[f"{name}_b"], at)) / 2 for name in ("delta", "alpha", "beta", "gamma"))
        return Rotation.from_quat([a, -b, g, 1 + d]) * Rotation.from_rotvec(k * at)

    h = 1e-5
    turned = section(x).as_matrix()
    spin = turned.T @ (section(x + h).as_matrix() - section(x - h).as_matrix()) / (2 * h)
    bent = np.array([spin[2, 1], spin[0, 2], spin[1, 0]]) - k
    slope = Rotation.from_rotvec(k * x).as_matrix()[:, 0] + [values[f"{name}_b_x"] for name in "uvw"]
    strain = np.concatenate([turned.T @ slope - [1, 0, 0], bent])
    tree = one.potential.engine
    known = {each.name: each.value for each in one.potential.declarations if each.kind == "parameter"}
    put = {s: known.get(s.name, values.get(s.name.replace("$x", "x"), 0.0)) for s in tree.free_symbols}
    assert float(tree.xreplace(put).n(53, real=True)) == pytest.approx(strain @ C @ strain / 2, rel=1e-7)


@settings(max_examples=4, deadline=None)
@given(st.lists(st.floats(0.5, 4.0), min_size=6, max_size=6), st.sampled_from(["clamped", "free"]))
def test_about_rest_it_is_timoshenkos_in_both_planes(sizes: list[float], how: str) -> None:
    EIy, EIz, GJ, kGAy, kGAz, J = (round(one, 3) for one in sizes)
    stiff = {"EIy": EIy, "EIz": EIz, "GJ": GJ, "kGAy": 100 * kGAy, "kGAz": 100 * kGAz}
    one = beam(**stiff, rotary_inertia=(0.02 * J, 0.008 * J, 0.012 * J))
    planes = [
        fx.TimoshenkoBeam("t", EI=EI, kGA=100 * kGA, rho=1.5, rotary_inertia=share * J, length=1.2, EA=EA)
        for EI, kGA, share, EA in ((EIz, kGAy, 0.012, 800.0), (EIy, kGAz, 0.008, None))
    ]
    planes.append(fx.Shaft("s", GJ=GJ, rotary_inertia=0.02 * J, length=1.2))
    expected = [
        frequency
        for each in planes
        for frequency in fx.modes(held(each) if how == "clamped" else fx.Model(each), 10).frequencies
    ]
    found = fx.modes(held(one) if how == "clamped" else fx.Model(one), 8).frequencies
    assert found == pytest.approx(np.sort(expected)[:8], rel=1e-9, abs=1e-9)


def test_unshearable_it_is_fx_spatial_beam_about_rest() -> None:
    section = {key: one for key, one in BEAM.items() if key not in ("kGAy", "kGAz")}
    exact, small = (kind("b", **section) for kind in (fx.ExactSpatialBeam, fx.SpatialBeam))
    assert fx.modes(held(exact), 6).frequencies == pytest.approx(fx.modes(held(small), 6).frequencies, rel=1e-9)


def test_inertia_of_a_homogeneous_section_where_none_is_given() -> None:
    one = fx.ExactSpatialBeam("b", EA=8.0, EIy=2.0, EIz=4.0, GJ=1.0, rho=2.0, length=1.0)
    known = {each.name: each.value for f in one.rotary_inertia for each in f.declarations if each.kind == "parameter"}
    numbers = [f.engine.xreplace({s: known[s.name] for s in f.engine.free_symbols}) for f in one.rotary_inertia]
    assert [float(f) for f in numbers] == [1.5, 0.5, 1.0]


def test_a_torsion_spring_on_a_section_without_an_angle_is_refused() -> None:
    one = beam()
    spring = fx.TorsionSpring(fx.ground, one.end, 2.0, about="z")
    with pytest.raises(fx.FlexuraError, match="turns far in space and has no single angle; weld a body there"):
        fx.derive(fx.Model(fx.Fixed(fx.ground, one.start), spring))


def test_internal_forces_that_would_turn_with_it_are_refused() -> None:
    one = beam()
    run = fx.simulate(held(one), [0, 0.001], order=2, elements=1, tolerance=1e-3)
    for kind in ("axial", "moment"):
        with pytest.raises(fx.FlexuraError, match="turn far in space"):
            run[fx.Internal(one, 0.5, kind)]


UNIT = np.eye(6)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"stiffness": [[1, 2], [3, 4]]}, "is not six rows of six; give stretch, shear"),
        ({"stiffness": UNIT + np.eye(6, k=1)}, "is not symmetric: row 2 has 0 in column 1, and row 1 has 1"),
        (
            {"stiffness": np.diag([1, 1, 1, -1, 1, 1])},
            "is not positive definite: it stores no energy, or less, in a twist",
        ),
        ({"stiffness": UNIT, "EA": 1.0}, "is given stiffness and EA"),
        ({"EA": 1.0}, "has no EIy and no EIz; give them, or the whole section"),
        ({"EIy": 1.0, "EIz": 1.0, "curvature": 2.0}, "The curvature of b is 2.0; give three"),
        ({"EIy": 1.0, "EIz": 1.0, "curvature": ("x", 1, 0)}, "turns about no fixed axis"),
        ({"EIy": -1.0, "EIz": 1.0}, "EIy"),
    ],
)
def test_what_is_refused(wrong, words) -> None:
    with pytest.raises(fx.FlexuraError, match=words):
        fx.ExactSpatialBeam("b", rho=1.0, length=1.0, **wrong)
