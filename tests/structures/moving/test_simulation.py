"""Motion in time on moving frames: spin-up, free bodies seen from two frames, frozen against varying coefficients."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from scipy.spatial.transform import Rotation

import flexura as fx

SPIN_UP = "Piecewise((6/15*(t**2/2 + (15/(2*pi))**2*(cos(2*pi*t/15) - 1)), t < 15), (6*t - 45, True))"


def blade(elements: int = 5, shear: bool = True) -> fx.BeamFrame:
    """L = 10, EI = 14000, EA = 2.8e7, kGA = 1e7, rho A = 1.2, rho I = 6e-4."""
    section = fx.Section(E=2.8e7, G=1.2e7, rho=1.2, A=1.0, Iy=5e-4, Iz=5e-4)
    return fx.BeamFrame([[0, 0, 0], [10, 0, 0]], [[0, 1]], section, supports={0: "all"}, shear=shear).refined(elements)


@pytest.mark.parametrize("shear", [True, False])
def test_the_spin_up_curve(shear):
    t = np.linspace(0, 20, 401)
    run = fx.simulate(blade(shear=shear), t, body=fx.MovingFrame.turning("z", SPIN_UP), tolerance=1e-3)
    assert run.complete
    tip = run["v1"]
    assert tip.min() == pytest.approx(-0.574, rel=5e-3)
    assert t[tip.argmin()] == pytest.approx(6.75, abs=0.06)
    assert np.abs(tip[t > 15.5]).max() < 0.01  # turning steadily, it stands nearly straight
    assert run.energy.error < 1e-8
    radius = np.linalg.norm(run.position(1), axis=1)
    assert radius[0] == pytest.approx(10)


def test_without_the_axial_force_the_spin_up_diverges():
    t = np.linspace(0, 12, 121)
    body = fx.MovingFrame.turning("z", SPIN_UP)
    run = fx.simulate(blade(3), t, body=body, geometric=False, tolerance=1e-2)
    assert np.abs(run["v1"]).max() > 100


def test_frozen_coefficients_tend_to_varying_ones():
    body = fx.MovingFrame.turning("z", "2*t**2")
    load, step = {"v1": "50*sin(8*t)"}, 0.005
    errors, counts = [], (20, 40, 80)
    for count in counts:
        t = np.linspace(0, 2, count + 1)
        both = [
            fx.simulate(blade(2), t, body=body, loads=load, coefficients=kind, step=step)
            for kind in ("varying", "frozen")
        ]
        at = slice(None, None, count // 20)
        errors.append(np.abs(both[0]["v1"][at] - both[1]["v1"][at]).max())
    rate = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert rate == pytest.approx(2, abs=0.25)  # frozen at the middle of each interval


def free_frame() -> fx.BeamFrame:
    section = fx.Section(E=300.0, G=120.0, rho=1.5, A=0.4, Iy=0.02, Iz=0.03)
    nodes = np.array([[-0.7, 0.1, 0], [0, 0, 0.2], [0.8, -0.2, 0.1], [0.1, 0.9, -0.3]])
    return fx.BeamFrame(nodes, [[0, 1], [1, 2], [1, 3]], section, bodies={2: (0.3, 0.05)})


def test_a_free_body_moves_alike_seen_from_two_frames():
    """In axes at rest the body just vibrates; seen from a frame that turns and accelerates a little it also drifts.

    What differs is of second order in the frame's motion, so halving that motion quarters it.
    """
    frame = free_frame()
    t, n = np.linspace(0, 1.0, 11), len(frame.dofs)
    generator = np.random.default_rng(3)
    start = generator.uniform(-1, 1, n)
    left = []
    for size in (8e-3, 4e-3):
        angle = size * np.array([0.5, -0.3, 0.8])
        a0 = size * np.array([1.0, 2.0, -1.0])

        def turned(time, angle=angle):
            return Rotation.from_rotvec(angle * time**2).as_matrix()

        body = fx.MovingFrame(
            omega=lambda time, angle=angle: 2 * angle * time,
            epsilon=tuple(2 * angle),
            a0=lambda time, a0=a0, turned=turned: turned(time).T @ a0,
            rotation=turned,
        )
        x0 = size * start
        rest = fx.simulate(frame, t, initial=(x0, np.zeros(n)))
        moved = fx.simulate(frame, t, body=body, initial=(x0, np.zeros(n)), tolerance=2e-5)
        names = frame.dofs
        here, there = (np.array([run[name][-1] for name in names]).reshape(-1, 6) for run in (rest, moved))
        R, origin = turned(t[-1]), a0 * t[-1] ** 2 / 2
        place = frame.nodes + here[:, :3] - origin
        wanted = place @ R - frame.nodes
        left.append(
            (np.abs(there[:, :3] - wanted).max(), np.abs(there[:, 3:] - (here[:, 3:] - angle * t[-1] ** 2)).max())
        )
    for k in (0, 1):
        assert left[0][k] < 1e-2 * 8e-3
        assert left[1][k] == pytest.approx(left[0][k] / 4, rel=0.1)


def test_constant_velocity_changes_nothing():
    frame = free_frame().with_(supports={0: "all"})
    t = np.linspace(0, 1, 11)
    sliding = fx.MovingFrame(origin=lambda time: np.array([3.0, -2.0, 1.0]) * time)
    first = fx.simulate(frame, t, initial={"v2": 0.01})
    second = fx.simulate(frame, t, body=sliding, initial={"v2": 0.01})
    assert second["w3"] == pytest.approx(first["w3"])
    assert second.position(2)[-1] - first.position(2)[-1] == pytest.approx([3.0, -2.0, 1.0])


def test_gravity_is_an_acceleration_of_the_frame():
    frame = free_frame().with_(supports={0: "all"})
    R = Rotation.from_rotvec([0.3, 0.5, -0.2]).as_matrix()
    heavy = fx.moving_system(frame, fx.MovingFrame(rotation=R, gravity=(0, 0, -9.81)))
    pushed = fx.moving_system(frame, fx.MovingFrame(a0=R.T @ [0, 0, 9.81]))
    assert pytest.approx(pushed.F) == heavy.F
    whole = fx.moving_system(frame.with_(supports={}), fx.MovingFrame(rotation=R, gravity=(0, 0, -9.81))).F.reshape(
        -1, 6
    )
    mass = 1.5 * 0.4 * frame.lengths.sum() + 0.3
    assert whole[:, :3].sum(axis=0) @ R[2] == pytest.approx(-9.81 * mass, rel=1e-12)


def test_steady_motion_is_followed_exactly_and_agrees_with_steps():
    frame = free_frame().with_(supports={0: "all"}, damping=(0.0, 1e-3))
    body = fx.MovingFrame(omega=(0.5, -1.0, 2.0))
    t = np.linspace(0, 0.5, 11)
    load = fx.FrameLoad(nodes={2: {"v": 0.02}}, history=lambda time: np.sin(9 * time))
    exact = fx.simulate(frame, t, body=body, loads=load, initial={"w3": 0.01, "v2_t": 0.1})
    stepped = fx.simulate(frame, t, body=body, loads=load, initial={"w3": 0.01, "v2_t": 0.1}, step=2e-4)
    assert stepped["w3"] == pytest.approx(exact["w3"], abs=2e-5 * np.abs(exact["w3"]).max())
    assert exact.energy.error < 1e-8
    assert stepped.energy.error < 1e-8
    assert stepped.energy.dissipated[-1] == pytest.approx(exact.energy.dissipated[-1], rel=1e-3)


def test_initial_static_stands_still():
    body = fx.MovingFrame(omega=(0, 0, 3.0))
    run = fx.simulate(blade(3), np.linspace(0, 1, 5), body=body, initial="static")
    assert run["u1"] == pytest.approx(np.full(5, run["u1"][0]), rel=1e-9)
    assert run["u1"][0] > 0


def test_epsilon_that_is_not_the_rate_of_omega_is_noticed():
    body = fx.MovingFrame(omega=lambda t: (0, 0, 2 * t))
    with pytest.warns(UserWarning, match=r"epsilon is \[0.0, 0.0, 0.0\], but omega changes at .*give epsilon"):
        fx.simulate(blade(1), np.linspace(0, 0.1, 3), body=body)


def test_the_mode_of_a_system_at_an_instant_is_found_by_the_common_verb():
    system = fx.moving_system(blade(8, shear=False), fx.MovingFrame(omega=(0, 0, 6.0)))
    found = fx.modes(system, 4)
    roots = fx.whirl(blade(8, shear=False), [6.0], axis="z", count=4)
    assert found.frequencies == pytest.approx(roots.frequencies[0], rel=1e-7)
    dense = scipy.linalg.eigvalsh(system.K.toarray(), system.M.toarray())
    assert dense[0] > 0


def test_large_frames_are_stepped_with_sparse_matrices_and_one_factorization(monkeypatch):
    from flexura.solve.runs import frame_problem as response

    t, body = np.linspace(0, 1, 11), fx.MovingFrame.turning("z", "t**2")
    small = fx.simulate(blade(4), t, body=body, step=0.02)
    monkeypatch.setattr(response, "_DENSE", 0)
    large = fx.simulate(blade(4), t, body=body, step=0.02)
    assert large["v1"] == pytest.approx(small["v1"], rel=1e-9, abs=1e-12)
    fine = fx.simulate(blade(800), t[:3], body=body, step=0.02)
    assert fine["v1"][2] == pytest.approx(small["v1"][2], rel=1e-2)
    assert "1 factorizations" in fine.notes[0]


def test_loads_may_be_written_by_name_or_by_node():
    frame, t = blade(2), np.linspace(0, 0.5, 6)
    ways = (
        {"v1": "3*t", "w2": 2.0},
        {1: {"v": lambda time: 3 * time}, 2: {"w": 2.0}},
        {(1, "v"): 3 * t, (2, "w"): 2.0},
    )
    runs = [fx.simulate(frame, t, loads=one) for one in ways]
    for run in runs[1:]:
        assert run["v1"] == pytest.approx(runs[0]["v1"], rel=1e-9)
    assert runs[0].place(1, "v") == pytest.approx(runs[0]["v1"])
    assert not runs[0].place(0, "v").any()


def test_a_frame_that_does_not_reach_its_tolerance_warns():
    section = fx.Section(E=2e11, G=8e10, rho=7800, A=1e-4, Iy=1e-9, Iz=1e-9)
    frame = fx.BeamFrame([[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], [[0, 1], [1, 2]], section, supports={0: "all"})
    turning = fx.MovingFrame(omega=lambda t: (0, 0, 5 + t), epsilon=(0, 0, 1.0))
    with pytest.warns(UserWarning, match="The run is not complete: The tolerance 1e-13 was not reached"):
        run = fx.simulate(frame, np.linspace(0, 1, 3), body=turning, tolerance=1e-13)
    assert not run.complete
    assert run.message in run.notes
