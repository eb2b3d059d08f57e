"""Rotors on bearings that stand on ground: against elements written here, closed forms, and the turning frame."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

E, RHO = 2.078e11, 7806.0  # of the rotor of Nelson and McVaugh (1976)


def shaft(lengths, radii, disc=None, **more):
    """A round shaft along x, not sheared, held along and about its axis."""
    x = np.concatenate([[0.0], np.cumsum(lengths)])
    sections = [
        fx.Section(E=E, G=E / 2.6, rho=RHO, A=np.pi * r**2, Iy=np.pi * r**4 / 4, Iz=np.pi * r**4 / 4) for r in radii
    ]
    nodes, elements = np.column_stack([x, 0 * x, 0 * x]), [[k, k + 1] for k in range(len(lengths))]
    return fx.BeamFrame(
        nodes, elements, sections, supports={0: "u alpha"}, bodies={} if disc is None else {disc[0]: disc[1:]},
        shear=False, **more,
    )  # fmt: skip


def textbook(lengths, radii, disc, bearings, speed):
    """M, C, K by Nelson and McVaugh's elements in fixed axes, unknowns v, w, beta, gamma at every node."""
    n = 4 * (len(lengths) + 1)
    M, G, K = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    plane_y, plane_z, sign = [0, 3, 4, 7], [1, 2, 5, 6], np.diag([1.0, -1.0, 1.0, -1.0])
    for k, (h, r) in enumerate(zip(lengths, radii, strict=True)):
        EI, mu, turning = E * np.pi * r**4 / 4, RHO * np.pi * r**2, RHO * np.pi * r**4 / 4
        bend = EI / h**3 * np.array([[12, 6*h, -12, 6*h], [6*h, 4*h*h, -6*h, 2*h*h],
                                     [-12, -6*h, 12, -6*h], [6*h, 2*h*h, -6*h, 4*h*h]])  # fmt: skip
        move = mu * h / 420 * np.array([[156, 22*h, 54, -13*h], [22*h, 4*h*h, 13*h, -3*h*h],
                                        [54, 13*h, 156, -22*h], [-13*h, -3*h*h, -22*h, 4*h*h]])  # fmt: skip
        tilt = turning / (30 * h) * np.array([[36, 3*h, -36, 3*h], [3*h, 4*h*h, -3*h, -h*h],
                                              [-36, -3*h, 36, -3*h], [3*h, -h*h, -3*h, 4*h*h]])  # fmt: skip
        at = 4 * k
        for rows, turned in ((plane_y, np.eye(4)), (plane_z, sign)):
            where = np.ix_(at + np.array(rows), at + np.array(rows))
            M[where] += turned @ (move + tilt) @ turned
            K[where] += turned @ bend @ turned
        # the polar moment is twice the other: beta' gains + 2 I W gamma', with slopes gamma = v_x, beta = -w_x
        across = np.ix_(at + np.array(plane_z), at + np.array(plane_y))
        G[across] += 2 * -sign @ tilt
        G[np.ix_(at + np.array(plane_y), at + np.array(plane_z))] -= 2 * tilt @ -sign
    node, mass, (polar, across_, _) = disc
    M[range(4 * node, 4 * node + 4), range(4 * node, 4 * node + 4)] += [mass, mass, across_, across_]
    G[4 * node + 2, 4 * node + 3] += polar
    G[4 * node + 3, 4 * node + 2] -= polar
    C = speed * G
    for place, (k, c) in bearings.items():
        K[4 * place : 4 * place + 2, 4 * place : 4 * place + 2] += k
        C[4 * place : 4 * place + 2, 4 * place : 4 * place + 2] += c
    return M, C, K


def roots_of(M, C, K):
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    found = scipy.linalg.eigvals(A, check_finite=True)
    found = found[found.imag >= 0]
    return found[np.argsort(np.abs(found))]


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10_000))
def test_random_rotors_have_the_roots_of_textbook_elements(seed):
    rng = np.random.default_rng(seed)
    count = int(rng.integers(2, 5))
    lengths, radii = rng.uniform(0.1, 0.4, count), rng.uniform(0.01, 0.03, count)
    polar = float(rng.uniform(0.01, 0.05))
    disc = (1, float(rng.uniform(1, 10)), (polar, polar * 0.55, polar * 0.55))
    bearings = {}
    for place in (0, count):
        k = np.diag(10 ** rng.uniform(6, 7.5, 2)) + 1e5 * rng.normal(size=(2, 2))
        bearings[place] = (k, np.diag(10 ** rng.uniform(2, 3.5, 2)) + 20 * rng.normal(size=(2, 2)))
    speed = float(rng.uniform(0, 3000))
    rotor = fx.Rotor(shaft(lengths, radii, disc), {at: fx.Bearing(*one) for at, one in bearings.items()})
    ours = fx.modes(rotor.system(speed), 60).eigenvalues
    theirs = roots_of(*textbook(lengths, radii, disc, bearings, speed))[:8]
    for root in theirs:  # among ours, which have torsion and stretching too
        assert np.abs(ours - root).min() < 1e-6 * abs(root)


def test_alike_bearings_give_what_the_turning_frame_says():
    lengths, radii = [0.3, 0.3, 0.4], [0.02] * 3
    disc = (1, 20.0, (0.2, 0.1, 0.1))
    turning = shaft(lengths, radii, disc, bearings={0: ("x", 1e7, 100.0), 3: ("x", 2e7, 50.0)})
    same = shaft(lengths, radii, disc)
    rotor = fx.Rotor(same, {0: fx.Bearing(1e7, 100.0), 3: fx.Bearing(2e7, 50.0)})
    chart = fx.whirl(turning, [0.0, 300.0], count=6, geometric=False)
    ground = fx.campbell(rotor, "speed", over=[0.0, 300.0], count=8)
    for row, eigenvalues, frequencies in zip(chart.whirl, chart.eigenvalues, ground.eigenvalues, strict=True):
        for seen, s in zip(row, eigenvalues, strict=True):
            if np.isfinite(seen):
                assert np.abs(frequencies - (s.real + 1j * abs(seen))).min() < 1e-6 * abs(seen)
    ahead = fx.critical_speeds(turning, count=1, geometric=False)[0]
    assert np.abs(fx.critical_speeds(rotor, count=3) / ahead - 1).min() < 1e-9
    again = fx.Rotor(turning)  # the frame's own bearings are seen alike
    assert fx.modes(again.system(300.0), 8).eigenvalues == pytest.approx(fx.modes(rotor.system(300.0), 8).eigenvalues)


def stiff(mass=10.0, **more):
    """A disc in the middle of a shaft so stiff and light that only bearings and the disc's mass count."""
    section = fx.Section(E=1e15, G=1e15, rho=1e-3, A=1e-3, Iy=1e-6, Iz=1e-6)
    return fx.BeamFrame(
        [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], [[0, 1], [1, 2]], section, supports={0: "u alpha"},
        bodies={1: (mass, 0.0)}, **more,
    )  # fmt: skip


def test_unbalance_on_bearings_that_differ():
    """y = m e W^2/(k_y - m W^2), z likewise: between the two critical speeds the orbit runs backward."""
    ky, kz, m, me = 4e5, 9e5, 10.0, 1e-3
    rotor = fx.Rotor(stiff(m), {at: fx.Bearing((ky / 2, kz / 2)) for at in (0, 2)})
    assert fx.critical_speeds(rotor, count=2) == pytest.approx(np.sqrt([ky / m, kz / m]), rel=1e-5)
    speeds = np.array([100.0, 250.0, 500.0])
    run = fx.unbalance_response(rotor, speeds, {1: me})
    y, z = (me * speeds**2 / (k - m * speeds**2) for k in (ky, kz))
    assert run["v1"] == pytest.approx(y, rel=2e-4)
    assert run["w1"] == pytest.approx(-1j * z, rel=2e-4)
    assert run.amplitude(1) == pytest.approx(np.maximum(abs(y), abs(z)), rel=2e-4)
    assert np.sign(run.minor(1)).tolist() == [1, -1, 1]
    orbit = run.orbit(1, 1)
    assert np.abs(orbit).max(axis=0) == pytest.approx([abs(y[1]), abs(z[1])], rel=1e-4)
    turned = fx.unbalance_response(rotor, speeds, {1: (me, np.pi / 2)})
    assert turned["v1"] == pytest.approx(1j * y, rel=2e-4)


def test_internal_damping_drives_above_its_limit():
    """A mass on a shaft with D = b K and c to ground: stable below W = w (1 + c/(b k)) (Jeffcott, closed form)."""
    section = fx.Section(E=2e11, G=8e10, rho=1e-6, A=np.pi * 1e-4, Iy=np.pi / 4e8, Iz=np.pi / 4e8)
    L, m, b, c = 1.0, 10.0, 1e-4, 0.5
    frame = fx.BeamFrame(
        [[0, 0, 0], [L / 2, 0, 0], [L, 0, 0]], [[0, 1], [1, 2]], section, bodies={1: (m, 0.0)}, shear=False,
        supports={0: "u v w alpha", 2: "v w"}, damping=(0.0, b),
    )  # fmt: skip
    k = 48 * 2e11 * np.pi / 4e8 / L**3
    limit = np.sqrt(k / m) * (1 + c / (b * k))
    found = fx.stability_limit(fx.Rotor(frame, {1: fx.Bearing(0.0, c)}), between=(0, 2 * limit))
    assert found == pytest.approx(limit, rel=1e-5)
    assert fx.stability_limit(fx.Rotor(frame), between=(0, 2 * limit)) == pytest.approx(np.sqrt(k / m), rel=1e-5)
    assert fx.stability_limit(fx.Rotor(frame), between=(0, 0.9 * np.sqrt(k / m))) == np.inf


def test_bearings_that_change_with_speed():
    """k = k0 + k1 W: W = sqrt((k0 + k1 W)/m), a quadratic; as a function and as a table."""
    k0, k1, m = 4e5, 500.0, 10.0
    expected = (k1 + np.sqrt(k1**2 + 4 * m * k0)) / (2 * m)
    for k in (lambda W: (k0 + k1 * W) / 2, ([0.0, 1000.0], [k0 / 2, (k0 + 1000 * k1) / 2])):
        rotor = fx.Rotor(stiff(m), {at: fx.Bearing(k) for at in (0, 2)})
        assert fx.critical_speeds(rotor, count=1)[0] == pytest.approx(expected, rel=1e-5)
    with pytest.raises(fx.FlexuraError, match=r"goes from 0 to 1000 rad/s, not to 2000; ask within the table"):
        rotor.system(2000.0)


def test_cross_coupling_of_a_fluid_film_drives():
    """k_yz = -k_zy = q on a mass: s^2 m + c s + k = +-i q, so it grows from q = c sqrt(k/m) on."""
    k, c, m = 4e5, 100.0, 10.0
    threshold = c * np.sqrt(k / m)
    for factor, grows in ((0.99, False), (1.01, True)):
        q = factor * threshold
        film = fx.Bearing([[k / 2, q / 2], [-q / 2, k / 2]], c / 2)
        rotor = fx.Rotor(stiff(m), {0: film, 2: film})
        s = fx.modes(rotor.system(10.0), 3).eigenvalues
        assert (s.real.max() > 1e-3) == grows


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: fx.Rotor(stiff(), {7: fx.Bearing(1.0)}), "The bearings name node 7"),
        (lambda: fx.Rotor(stiff(), {0: 1e6}), "The bearing of node 0 is 1000000.0; write fx.Bearing(k=..., c=...)."),
        (lambda: fx.Rotor(stiff(), axis="r"), "The rotor cannot turn about 'r'; say 'x', 'y' or 'z'."),
        (lambda: fx.Rotor("shaft"), "The rotor's frame is a str; give an fx.BeamFrame."),
        (lambda: fx.Rotor(stiff(), {0: fx.Bearing([1.0, 2.0, 3.0])}).system(1.0), "The bearing's k is [1.0, 2.0, 3.0]"),
        (lambda: fx.Rotor(stiff(), {0: fx.Bearing("stiff")}).system(1.0), "The bearing's k is 'stiff'"),
        (
            lambda: fx.Rotor(stiff(), {0: fx.Bearing(1.0, ([1.0, 0.0], [1, 2]))}).system(0.5),
            "The bearing's table of c has 2 speeds and 2 values; give as many values as ascending speeds",
        ),
        (lambda: fx.Rotor(stiff(springs={1: {"v": 5.0}})).system(1.0), "because its springs differ across the axis x"),
        (lambda: fx.unbalance_response(fx.Rotor(stiff()), [1.0], {}), "unbalance is {}; write {node: mass times"),
        (lambda: fx.unbalance_response(fx.Rotor(stiff()), [1.0], {1: "much"}), "The unbalance of node 1 is 'much'"),
        (lambda: fx.unbalance_response(stiff(), [1.0], {1: 1.0}), "This is a BeamFrame, no rotor"),
        (lambda: fx.stability_limit(fx.Rotor(stiff()), (5, 1)), "between is (5, 1); give two ascending speeds"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(make, sentence):
    with pytest.raises(fx.FlexuraError) as told:
        make()
    assert sentence in str(told.value)


def test_verbs_of_matrices_ask_for_a_speed():
    rotor = fx.Rotor(stiff(), {at: fx.Bearing(4e5) for at in (0, 2)})
    with pytest.raises(fx.FlexuraError, match=r"depend on its speed; ask at one, rotor.system\(speed\)"):
        fx.modes(rotor, 2)
    assert fx.modes(rotor.system(10.0), 2).frequencies == pytest.approx(np.sqrt(8e4), rel=1e-4)  # as advised
    assert repr(rotor) == "Rotor(about x, 3 nodes, bearings on 0, 2)"


def test_supports_that_differ_across_the_axis_are_refused():
    frame = fx.BeamFrame(
        [[0, 0, 0], [1, 0, 0]], [[0, 1]], fx.Section(E=1.0, G=1.0, rho=1.0, A=1.0, Iy=1.0, Iz=1.0),
        supports={0: "u alpha v"},
    )  # fmt: skip
    with pytest.raises(fx.FlexuraError, match="not alike in all directions across the axis x"):
        fx.Rotor(frame).system(1.0)
