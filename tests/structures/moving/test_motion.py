"""What motion does to elastic bars: exact frequencies of rotating cantilevers, whirl, spin-up, laws for any motion."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import flexura as fx

CASES = int(os.environ.get("FLEXURA_FRAME_CASES", "12"))


def rotating_cantilever(hub: float, elements: int = 24) -> fx.BeamFrame:
    """EI = rho A = L = 1, stretching and rotary inertia small enough not to matter."""
    section = fx.Section(E=1e8, G=1e8, rho=1.0, A=1.0, Iy=1e-8, Iz=1e-8)
    ends = [[hub, 0, 0], [hub + 1, 0, 0]]
    return fx.BeamFrame(ends, [[0, 1]], section, supports={0: "all"}, shear=False).refined(elements)


def exact(hub: float, about: str, speed: float) -> np.ndarray:
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
    carrier = fx.RigidBody("hub", m=0, I=1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, carrier, about=about, motion="Omega*t"), fx.Fixed(carrier.at(hub), beam.start)
    )
    return fx.modes(fx.derive(model), 3, values={"Omega": speed}).frequencies[:2]


@pytest.mark.parametrize("hub", [0.0, 1.0])
@pytest.mark.parametrize("speed", [0.0, 3.0, 12.0])
def test_flap_and_lag_of_the_rotating_cantilever_are_the_exact_ones(hub, speed):
    frame = rotating_cantilever(hub)
    found = fx.whirl(frame, [speed], axis="z", count=4).eigenvalues[0].imag
    both = np.sort(np.concatenate([exact(hub, "z", speed), exact(hub, "y", speed)]))
    assert found == pytest.approx(both, rel=2e-5)


def test_published_flap_frequencies():
    """Wright, Smith, Thresher, Wang (1982), uniform clamped beam, hub radius 0: 3.5160, 6.4495, 13.1702 at 0, 5, 12."""
    frame = rotating_cantilever(0.0)
    chart = fx.whirl(frame, [0.0, 5.0, 12.0], axis="z", count=4)
    first = [max(row.imag[:2]) for row in chart.eigenvalues]  # lag and flap; flap is the higher
    assert first == pytest.approx([3.5160, 6.4495, 13.1702], abs=1e-4)


def test_without_the_axial_force_lag_is_lost():
    """K + K_omega2 alone loses definiteness at the lag frequency itself: the classical error."""
    frame = rotating_cantilever(0.0)
    assert fx.critical_speed(frame, "z", geometric=False) == pytest.approx(3.5160, rel=1e-4)
    assert fx.critical_speed(frame, "z") > 1e3 or np.isinf(fx.critical_speed(frame, "z"))


# -- convergence -------------------------------------------------------------------------------------------------------


def fitted(errors: list[float], counts: list[int]) -> float:
    return float(-np.polyfit(np.log(counts), np.log(errors), 1)[0])


def test_bending_converges_at_rate_four_and_stretching_and_torsion_at_two():
    section = fx.Section(E=100.0, G=40.0, rho=1.0, A=1.0, Iy=0.01, Iz=0.01, J=0.02)
    beam = fx.RayleighBeam("b", EI=1.0, rho=1.0, rotary_inertia=0.01, length=1.0)
    wanted = fx.modes(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))), 2).frequencies
    only = {"bending": "u w alpha beta", "stretching": "v w alpha beta gamma", "torsion": "u v w beta gamma"}
    exactly = {"bending": wanted[1], "stretching": np.pi / 2 * 10.0, "torsion": np.pi / 2 * np.sqrt(40.0)}
    counts, rates = [4, 6, 8, 12], {}
    for kind, held in only.items():
        errors = []
        for count in counts:
            nodes = np.column_stack([np.linspace(0, 1, count + 1), np.zeros((count + 1, 2))])
            pairs = np.column_stack([np.arange(count), np.arange(1, count + 1)])
            frame = fx.BeamFrame(
                nodes, pairs, section, supports={k: "all" if k == 0 else held for k in range(count + 1)}, shear=False
            )
            system = fx.moving_system(frame)
            found = np.sqrt(scipy.linalg.eigvalsh(system.K.toarray(), system.M.toarray()))
            errors.append(abs(found[1 if kind == "bending" else 0] / exactly[kind] - 1))
        rates[kind] = fitted(errors, counts)
    assert rates["bending"] == pytest.approx(4, abs=0.1)
    assert rates["stretching"] == pytest.approx(2, abs=0.1)
    assert rates["torsion"] == pytest.approx(2, abs=0.1)


# -- laws for any frame and any motion ---------------------------------------------------------------------------------


@st.composite
def trees(draw: st.DrawFn) -> fx.BeamFrame:
    """A random tree of bars in space with sections, a body and a spring."""
    count = draw(st.integers(2, 5))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    nodes = generator.uniform(-1, 1, (count, 3))
    pairs = [[int(generator.integers(k)), k][:: draw(st.sampled_from([1, -1]))] for k in range(1, count)]
    values = generator.uniform(0.5, 2, (count - 1, 9))
    sections = [fx.Section(*row[:3], row[3], *row[4:9] / [5, 5, 5, 1, 1]) for row in values]
    inertia = np.diag(generator.uniform(0.4, 0.7, 3))
    bodies = {count - 1: (float(generator.uniform(0, 2)), inertia, generator.uniform(-0.3, 0.3, 3))}
    springs = {count - 1: {"v": float(generator.uniform(0, 5))}} if draw(st.booleans()) else {}
    energy = draw(st.sampled_from(["consistent", "paper"]))
    return fx.BeamFrame(nodes, pairs, sections, {0: "all"}, bodies, springs, section_energy=energy)


VECTORS = st.tuples(*[st.floats(-3, 3)] * 3)
SOME = settings(max_examples=CASES, deadline=None, derandomize=True, database=None)


@SOME
@given(trees(), VECTORS, VECTORS, VECTORS)
def test_symmetry_definiteness_and_the_sum_of_the_parts(frame, omega, epsilon, a0):
    system = fx.moving_system(frame, fx.MovingFrame(omega, epsilon, a0))
    parts = {name: one.toarray() for name, one in system.parts.items() if hasattr(one, "toarray")}
    scale = max(np.abs(one).max() for one in parts.values())
    for name in ("M", "K", "K_omega2", "K_G"):
        assert np.abs(parts[name] - parts[name].T).max() < 1e-12 * scale
    for name in ("C", "K_eps", *(["G_s"] if "G_s" in parts else [])):
        assert np.abs(parts[name] + parts[name].T).max() < 1e-12 * scale
    assert np.linalg.eigvalsh(parts["M"]).min() > 0
    assert np.linalg.eigvalsh(parts["K"]).min() > 0
    assert np.linalg.eigvalsh(parts["K_omega2"]).max() < 1e-12 * scale  # -|omega x u|^2
    total = parts["K"] + sum(parts[one] for one in ("K_eps", "K_omega2", "K_G", "K_s", "K_arms") if one in parts)
    assert np.abs(total - (system.K + (0 if system.H is None else system.H))).max() < 1e-11 * scale
    assert np.abs(system.K - system.K.T).max() < 1e-12 * scale
    for skew in (system.G, system.H):
        assert skew is None or np.abs((skew + skew.T).toarray()).max() < 1e-12 * scale
    rates = 2 * parts["C"] + parts.get("G_s", 0)
    assert np.abs(rates - (0 if system.G is None else system.G.toarray())).max() < 1e-11 * scale
    load = system.parts["q_eps"] + system.parts["q_omega2"] + system.parts["m_eps"] + system.parts["m_0"] @ a0
    load = load + (system.parts.get("q_s", 0))
    assert np.abs(system.F + load).max() <= 1e-11 * max(np.abs(load).max(), 1)


@SOME
@given(trees(), VECTORS, VECTORS, VECTORS, VECTORS)
def test_other_axes_of_the_same_frame_change_nothing(frame, omega, epsilon, a0, turn):
    R = Rotation.from_rotvec(turn).as_matrix()
    body = frame.masses[0]
    turned = frame.with_(
        nodes=frame.nodes @ R.T,
        y_axis=frame.axes[:, 1] @ R.T,
        bodies={body.node: (body.mass, R @ body.inertia @ R.T, R @ body.centre)},
        springs={
            n: scipy.linalg.block_diag(R, R) @ k @ scipy.linalg.block_diag(R, R).T for n, k in frame.stiffnesses.items()
        },
    )
    first = fx.moving_system(frame, fx.MovingFrame(omega, epsilon, a0))
    second = fx.moving_system(turned, fx.MovingFrame(R @ omega, R @ epsilon, R @ a0))
    T = scipy.linalg.block_diag(*[R] * (first.n // 3))
    for a, b in ((first.M, second.M), (first.K, second.K), (first.G, second.G), (first.H, second.H)):
        if a is None or b is None:
            assert a is b or abs(b if a is None else a).max() < 1e-9
            continue
        assert np.abs(T @ a.toarray() @ T.T - b.toarray()).max() < 1e-10 * max(1, abs(a).max())
    assert pytest.approx(second.F, abs=1e-10 * max(1, np.abs(first.F).max())) == T @ first.F


@SOME
@given(trees(), VECTORS, VECTORS, VECTORS)
def test_forces_passed_outboard_are_those_of_statics(frame, omega, epsilon, a0):
    """A hair of a spring sends the same tree through the linear static solution."""
    if frame.springs:
        frame = frame.with_(springs={})
    other = frame.with_(springs={len(frame.nodes) - 1: {"alpha": 1e-13}})
    body = fx.MovingFrame(omega, epsilon, a0)
    first, second = (fx.moving_system(one, body).parts["K_G"].toarray() for one in (frame, other))
    assert np.abs(first - second).max() < 1e-8 * max(np.abs(first).max(), 1e-3)


@SOME
@given(trees())
def test_assembly_is_the_sum_of_the_elements(frame):
    body = fx.MovingFrame((1.0, -2.0, 0.5), (0.3, 0.2, -0.7), (1.0, 2.0, 3.0))
    count = len(frame.nodes)
    M, G, K = (np.zeros((6 * count, 6 * count)) for _ in range(3))
    for e, pair in enumerate(frame.elements):
        one = fx.BeamFrame(
            frame.nodes[pair], [[0, 1]], frame.section[e], y_axis=frame.axes[e, 1], section_energy=frame.section_energy
        )
        small = fx.moving_system(one, body, geometric=False)
        rows = np.concatenate([6 * pair[0] + np.arange(6), 6 * pair[1] + np.arange(6)])
        for total, part in ((M, small.M), (G, small.G), (K, small.K + small.H)):
            total[np.ix_(rows, rows)] += part.toarray()
    bare = frame.with_(bodies={}, springs={})
    system = fx.moving_system(bare, body, geometric=False)
    for total, part in ((M, system.M), (G, system.G), (K, system.K + system.H)):
        assert np.abs(total[6:, 6:] - part.toarray()).max() < 1e-12 * np.abs(total).max()
    linked = bare.with_(supports={0: "all"}, links={(0, count - 1): "u v w"}) if count > 2 else bare
    T = np.zeros((6 * count, len(linked.dofs)))
    T[np.flatnonzero(linked.free.ravel()), np.arange(len(linked.dofs))] = 1  # node 0 is held, so its followers are too
    for total, name in ((M, "M"), (G, "G")):
        part = getattr(fx.moving_system(linked, body, geometric=False), name).toarray()
        assert np.abs(T.T @ total @ T - part).max() < 1e-12 * np.abs(total).max()


@SOME
@given(trees(), VECTORS, VECTORS, VECTORS)
def test_a_body_off_its_node_is_a_body_on_a_tied_node(frame, omega, epsilon, a0):
    """Two ways to write a rigid arm, to second order: the arm's end moves by theta x (theta x c)/2 too."""
    body, last = frame.masses[0], len(frame.nodes)
    linked = frame.with_(
        nodes=np.vstack([frame.nodes, frame.nodes[body.node] + body.centre]),
        bodies={last: (body.mass, body.inertia)},
        links=[(body.node, last)],
    )
    motion = fx.MovingFrame(omega, epsilon, a0)
    first, second = fx.moving_system(frame, motion), fx.moving_system(linked, motion)
    assert pytest.approx(second.F, abs=1e-11 * max(1, np.abs(first.F).max())) == first.F
    for a, b in ((first.M, second.M), (first.K, second.K)):
        assert np.abs(a - b.toarray()).max() < 1e-9 * max(1, abs(a).max())


@SOME
@given(trees(), VECTORS, VECTORS, VECTORS, VECTORS)
def test_an_offset_is_a_tied_node_under_any_motion(frame, omega, epsilon, a0, arm):
    frame = frame.with_(bodies={}, springs={})
    e, count = 0, len(frame.nodes)
    arm = 0.2 * np.array(arm)
    offsets = frame.with_(offsets={e: (np.zeros(3), arm)}, y_axis=(0.3, 0.5, 0.9))
    pairs = frame.elements.copy()
    pairs[e, 1] = count
    nodes = np.vstack([frame.nodes, frame.nodes[frame.elements[e, 1]] + arm])
    linked = frame.with_(
        nodes=nodes, elements=pairs, links=[(int(frame.elements[e, 1]), count)], y_axis=(0.3, 0.5, 0.9)
    )
    if frame.held[frame.elements[e, 1]].any():
        return
    motion = fx.MovingFrame(omega, epsilon, a0)
    first, second = fx.moving_system(offsets, motion), fx.moving_system(linked, motion)
    for a, b in ((first.M, second.M), (first.K, second.K)):
        assert np.abs(a - b.toarray()).max() < 1e-9 * max(1, abs(a).max())


# -- a shaft that spins ------------------------------------------------------------------------------------------------


def shaft() -> fx.BeamFrame:
    """A steel shaft with two discs on two flexible bearings; the frame spins with it about x."""
    radius, length = 0.02, 0.8
    area, second = np.pi * radius**2, np.pi * radius**4 / 4
    section = fx.Section(E=2.1e11, G=8.1e10, rho=7800.0, A=area, Iy=second, Iz=second)
    x = np.linspace(0, length, 9)
    discs = {node: (m, (m * r**2 / 2, m * r**2 / 4, m * r**2 / 4)) for node, m, r in ((2, 12.0, 0.12), (7, 20.0, 0.16))}
    nodes = np.column_stack([x, 0 * x, 0 * x])
    pairs = np.column_stack([np.arange(8), np.arange(1, 9)])
    bearings = {0: {"v": 2e7, "w": 2e7}, 8: {"v": 5e6, "w": 5e6}}
    return fx.BeamFrame(nodes, pairs, section, {0: "u alpha"}, discs, bearings, shear=False)


def stationary_whirl(frame: fx.BeamFrame, speed: float) -> np.ndarray:
    """The same shaft in axes that do not turn, z = v + i w (Nelson, McVaugh 1976): (K + s W G - s^2 M) Z = 0."""
    section, L, count = frame.section, float(frame.lengths[0]), len(frame.nodes)
    EI, rA, rI = section.E * section.Iz, section.rho * section.A, section.rho * section.Iz
    k = EI / L**3 * np.array([[12, 6 * L, -12, 6 * L], [6 * L, 4 * L**2, -6 * L, 2 * L**2],
                              [-12, -6 * L, 12, -6 * L], [6 * L, 2 * L**2, -6 * L, 4 * L**2]])  # fmt: skip
    m = rA * L / 420 * np.array([[156, 22 * L, 54, -13 * L], [22 * L, 4 * L**2, 13 * L, -3 * L**2],
                                 [54, 13 * L, 156, -22 * L], [-13 * L, -3 * L**2, -22 * L, 4 * L**2]])  # fmt: skip
    r = rI / (30 * L) * np.array([[36, 3 * L, -36, 3 * L], [3 * L, 4 * L**2, -3 * L, -(L**2)],
                                  [-36, -3 * L, 36, -3 * L], [3 * L, -(L**2), -3 * L, 4 * L**2]])  # fmt: skip
    K, M, G = (np.zeros((2 * count, 2 * count)) for _ in range(3))
    for e in range(count - 1):
        at = slice(2 * e, 2 * e + 4)
        K[at, at] += k
        M[at, at] += m + r
        G[at, at] += 2 * r
    for body in frame.masses:
        M[2 * body.node, 2 * body.node] += body.mass
        M[2 * body.node + 1, 2 * body.node + 1] += body.inertia[1, 1]
        G[2 * body.node + 1, 2 * body.node + 1] += body.inertia[0, 0]
    for node, spring in frame.stiffnesses.items():
        K[2 * node, 2 * node] += spring[1, 1]
    n = 2 * count
    A = np.block([[np.zeros((n, n)), np.eye(n)], [np.linalg.solve(M, K), speed * np.linalg.solve(M, G)]])
    return np.sort(np.linalg.eigvals(A).real)


@pytest.mark.parametrize("speed", [50.0, 400.0, 1500.0])
def test_whirl_of_a_spinning_shaft_is_that_of_axes_that_do_not_turn(speed):
    frame = shaft()
    chart = fx.whirl(frame, [speed], count=14)
    wanted = stationary_whirl(frame, speed)
    forward, backward = wanted[wanted > 0], np.sort(-wanted[wanted < 0])
    assert chart.forward(0)[:3] == pytest.approx(forward[:3], rel=1e-7)
    assert chart.backward(0)[:3] == pytest.approx(backward[:3], rel=1e-7)
    assert np.all(chart.forward(0)[:3] > chart.backward(0)[:3])  # discs split what was one


def test_at_rest_forward_and_backward_whirl_are_the_same():
    chart = fx.whirl(shaft(), [0.0], count=12)
    assert chart.forward(0)[:3] == pytest.approx(chart.backward(0)[:3], rel=1e-6)
    wanted = stationary_whirl(shaft(), 0.0)
    assert chart.forward(0)[:3] == pytest.approx(wanted[wanted > 0][:3], rel=1e-7)


def test_branches_go_through_crossings_and_the_critical_speeds():
    """A backward branch falls through that of torsion and stretching, forward ones reach s = 0 and go on."""
    frame, speeds = shaft(), np.linspace(0, 2000, 17)
    chart = fx.whirl(frame, speeds, count=8)
    for k, branch in enumerate(chart.whirl.T):
        assert np.isnan(branch).all() or (branch > 0).all() or (branch < 0).all()
        steps = np.abs(np.diff(chart.seen[:, k], 2))
        assert steps.max() < 0.02 * chart.seen[:, k].max()  # smooth: no jump to another branch
    for k, speed in enumerate(speeds):
        wanted = stationary_whirl(frame, speed)
        for one in chart.whirl[k][~np.isnan(chart.whirl[k])]:
            assert np.abs(wanted / one - 1).min() < 1e-6
    critical = fx.critical_speeds(frame, count=2)
    forward = np.sort(chart.whirl.T[(chart.whirl > 0).all(axis=0)], axis=0)[:2]
    for speed, branch in zip(critical, forward, strict=True):
        assert np.interp(speed, speeds, branch) == pytest.approx(speed, rel=2e-3)


def test_an_asymmetric_shaft_is_unstable_between_its_two_critical_speeds():
    """Springs that differ and turn with the shaft: static loss between the frequencies of both planes."""
    frame = shaft().with_(section=fx.Section(E=2.1e11, G=8.1e10, rho=7800.0, A=1.2e-3, Iy=1e-7, Iz=1.4e-7))
    low, high = fx.critical_speeds(frame, count=2)
    chart = fx.whirl(frame, [0.97 * low, (low + high) / 2, 1.03 * high], count=8)
    assert chart.stable.tolist() == [True, False, True]
    assert chart.limit == pytest.approx(low, rel=1e-4)
    assert np.isnan(chart.whirl[1]).any()  # no circle: no whirl speed is claimed


def test_the_paper_misses_the_gyroscopic_split():
    frame = shaft().with_(section_energy="paper")
    found = fx.whirl(frame, [1500.0], count=14).forward(0)[0]
    right = fx.whirl(shaft(), [1500.0], count=14).forward(0)[0]
    assert abs(found / right - 1) > 1e-3


def test_the_critical_speed_is_where_forward_whirl_keeps_pace():
    frame = shaft()
    speed = fx.critical_speed(frame, "x")
    forward = stationary_whirl(frame, speed)
    assert np.min(np.abs(forward / speed - 1)) < 1e-6
    below, above = (fx.whirl(frame, [f * speed], count=14) for f in (0.99, 1.01))
    assert below.stable[0]
    assert min(below.eigenvalues[0].imag) > 0
    assert above.eigenvalues.shape == (1, 14)


def test_large_frames_give_the_same_roots_as_small_ones(monkeypatch):
    frame, speeds = shaft().refined(8).with_(bearings={3: ("x", 1e5, 200.0)}), [0.0, 400.0, 1500.0]
    assert len(frame.dofs) > 300
    monkeypatch.setattr("flexura.solve.roots.whirl_modes._dense", None)  # it must do without all roots
    large, critical = fx.whirl(frame, speeds, count=6), fx.critical_speeds(frame, count=3)
    monkeypatch.undo()
    for module in ("roots.whirl_modes", "critical_speed"):
        monkeypatch.setattr(f"flexura.solve.{module}.DENSE", 1000)
    small = fx.whirl(frame, speeds, count=6)
    assert large.eigenvalues == pytest.approx(small.eigenvalues, rel=1e-6, abs=1e-4)
    assert large.whirl == pytest.approx(small.whirl, rel=1e-6, nan_ok=True)
    assert fx.critical_speeds(frame, count=3) == pytest.approx(critical, rel=1e-8)


def test_rounding_of_fine_elements_does_not_look_like_growth():
    fine, coarse = fx.whirl(shaft().refined(30), [2000.0], count=8), fx.whirl(shaft(), [2000.0], count=8)
    assert fine.stable.all()
    assert fine.seen == pytest.approx(coarse.seen, rel=5e-4)
    assert len(fx.critical_speeds(shaft().refined(30), count=3)) == 3


def test_internal_damping_is_unstable_beyond_and_bearings_help():
    """A disc between two bearings: internal damping c_i turns with the shaft, the bearings' c_e stands on ground.

    Stable up to omega_n (1 + c_e/c_i) (Jeffcott's rotor; e.g. Genta, Dynamics of Rotating Systems, 2005).
    """
    radius = 0.01
    section = fx.Section(E=2.1e11, G=8.1e10, rho=1e-3, A=1e-4, Iy=1e-9, Iz=1e-9)
    m, k, c_i, c_e = 3.0, 4.0e5, 20.0, 30.0
    rigid = {"u": 1e9, "alpha": 1e6, "beta": 1e6, "gamma": 1e6}
    rotor = fx.BeamFrame(
        [[0, 0, 0], [0.1, 0, 0]], [[0, 1]], section, springs={0: rigid},
        bodies={0: (m / 2, radius), 1: (m / 2, radius)}, dampers={n: {"v": c_i / 2, "w": c_i / 2} for n in (0, 1)},
        bearings=dict.fromkeys((0, 1), ("x", k / 2, c_e / 2)),
    )  # fmt: skip
    limit = np.sqrt(k / m) * (1 + c_e / c_i)
    chart = fx.whirl(rotor, [0.9 * limit, 0.995 * limit, 1.005 * limit, 1.1 * limit], count=4)
    assert chart.stable.tolist() == [True, True, False, False]
    assert chart.limit == pytest.approx(limit, rel=1e-4)
    alone = fx.whirl(
        rotor.with_(bearings=dict.fromkeys((0, 1), ("x", k / 2))), [0.95 * limit / 2.5, 1.05 * limit / 2.5], count=4
    )
    assert alone.stable.tolist() == [True, False]
    system = fx.moving_system(rotor, fx.MovingFrame(omega=(limit, 0, 0)))
    assert abs(system.H - system.parts["H_bearings"]).max() < 1e-9
    run = fx.simulate(
        rotor, np.linspace(0, 1, 6), body=fx.MovingFrame(omega=(1.3 * limit, 0, 0)), initial={"v0": 1e-6, "v1": 1e-6}
    )
    assert np.hypot(run["v1"], run["w1"])[-1] > 2e-6


@pytest.mark.parametrize("what", ["springs", "dampers"])
@pytest.mark.parametrize("axis", ["x", "z"])
def test_springs_that_differ_across_the_axis_are_not_taken_for_bearings(what, axis):
    """They turn with the frame, which must be said; what is alike across the axis needs no word."""
    across = {"x": ("v", "w"), "z": ("u", "v")}[axis]
    alike = {across[0]: 2e7, across[1]: 2e7}
    held = shaft().with_(**{"springs": {0: alike}, what: {0: alike}})
    assert np.isfinite(fx.whirl(held, [10.0], axis, 4).eigenvalues).all()
    unequal = held.with_(**{what: {0: {**alike, across[1]: 1e7}}})
    message = f"The {what} of node 0 differ across the axis {axis}.*springs_turn=True"
    with pytest.raises(fx.FlexuraError, match=message):
        fx.whirl(unequal, [10.0], axis, 4)
    with pytest.raises(fx.FlexuraError, match=message):
        fx.critical_speed(unequal, axis)
    assert np.isfinite(fx.whirl(unequal, [10.0], axis, 4, springs_turn=True).eigenvalues).all()


@pytest.mark.parametrize("given", [("x", (1e5, 2e5), 10.0), ("x", 1e5, (1.0, 2.0)), ("x", None), ("x", "stiff")])
def test_bearings_take_one_number_for_all_directions(given):
    with pytest.raises(fx.FlexuraError, match=r"The bearing of node 0 has the (pair|value) .*; give"):
        shaft().with_(bearings={0: given})


def test_a_free_frame_that_bends_under_its_rotation_says_what_is_missing():
    """Of a straight bar the rigid rotations are exact; in a bent one shear and moments would have to turn with it."""
    section = fx.Section(2e11, 8e10, 7800.0, 4e-3, 2e-6, 1e-6)
    turning = fx.MovingFrame(omega=(0, 0, 2.0))
    bent = np.array([[0.0, 0, 0], [1.2, 0, 0], [1.5, 0.9, 0]])
    sides = np.diff(bent, axis=0)
    lengths = np.linalg.norm(sides, axis=1)
    centre = lengths @ (bent[:-1] + sides / 2) / lengths.sum()
    hook = fx.BeamFrame(bent - centre, [[0, 1], [1, 2]], section)
    with pytest.warns(UserWarning, match="K_G holds axial forces, not shear and moments: the squares of its slow"):
        fx.moving_system(hook, turning)
    straight = fx.BeamFrame([[-1, 0, 0], [1, 0, 0]], [[0, 1]], section).refined(4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fx.moving_system(straight, turning)
        fx.moving_system(hook.with_(supports={0: "all"}), turning)


def test_components_of_a_motion_may_be_written():
    written, called = fx.MovingFrame(a0=("0", "4*sin(5*t)", 2)), fx.MovingFrame(a0=lambda t: (0, 4 * np.sin(5 * t), 2))
    assert written.at(0.3).a0 == pytest.approx(called.at(0.3).a0)
    assert not written.steady
    assert fx.MovingFrame(omega=("0", "0", "2*pi")).steady
    assert fx.MovingFrame(omega=(0, 0, 3 * fx.time)).at(2.0).omega == pytest.approx([0, 0, 6.0])
    for wrong, sentence in (
        (("t", 0), "has 2 components; give three"),
        (("a*t", 0, 0), "holds a, which has no value; write it with numbers and t only"),
        ((True, 0, 0), "is True, a truth value; give three numbers"),
        ((1j, 0, 0), "holds complex numbers; give real ones"),
    ):
        with pytest.raises(fx.FlexuraError, match=sentence):
            fx.MovingFrame(omega=wrong)
