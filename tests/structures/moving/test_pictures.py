"""Pictures of frames: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

SECTION = fx.Section(E=2e11, G=8e10, rho=7800.0, A=1e-4, Iy=1e-9, Iz=1e-9)


def frame():
    nodes = [[0, 0, 0], [1, 0, 0], [1, 0.5, 0]]
    return fx.BeamFrame(nodes, [[0, 1], [1, 2]], SECTION, supports={0: "all"}, bodies={2: (0.1, 0)})


def test_a_bent_frame_goes_through_its_moved_nodes():
    one = frame()
    system = fx.moving_system(one)
    d = np.linalg.solve(system.K.toarray(), np.eye(system.n)[one.dof(2, "u")])
    drawn = fx.plot(one, displacement=d, scale=2.0)
    axes = drawn.axes[0]
    ends = {tuple(np.round(line.get_xydata()[-1], 9)) for line in axes.lines}
    wanted = one.nodes[2, :2] + 2 * d[[one.dof(2, "u"), one.dof(2, "v")]]
    assert tuple(np.round(wanted, 9)) in ends
    assert axes.get_xlabel() == "x in m"


def test_a_whirl_chart_shows_every_mode(tmp_path):
    bearings = {0: {"v": 1e6, "w": 1e6}, 4: {"v": 1e6, "w": 1e6}}
    shaft = fx.BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], SECTION, {0: "u alpha"}, {}, {}).refined(4)
    shaft = shaft.with_(springs={0: bearings[0], 1: bearings[4]})
    chart = fx.whirl(shaft, [50.0, 100.0], count=6)
    drawn = fx.plot(chart, tmp_path / "whirl.png")
    points = sum(len(line.get_xdata()) for line in drawn.axes[0].lines if line.get_linestyle() == "None")
    assert points == 12
    assert (tmp_path / "whirl.png").exists()


def test_wrong_views_and_displacements_are_refused():
    with pytest.raises(fx.FlexuraError, match="view is 'top'; say 'xy', 'xz' or 'yz'"):
        fx.plot(frame(), view="top")
    with pytest.raises(fx.FlexuraError, match=r"The displacements have the shape \(3,\); give 12"):
        fx.plot(frame(), displacement=np.ones(3))


def loaded(frame, load):
    system = fx.moving_system(frame, loads=load, geometric=False)
    return fx.resultants(frame, np.linalg.solve(system.K.toarray(), system.F), loads=load)


def test_resultants_of_a_straight_bar_are_lines_over_x(tmp_path):
    bar = fx.BeamFrame([[0, 0, 0], [2, 0, 0]], [[0, 1]], SECTION, supports={0: "all"}).refined(3)
    load = fx.FrameLoad(nodes={1: {"v": 5.0}})
    drawn = fx.plot(loaded(bar, load), tmp_path / "bar.png")
    assert [axes.get_ylabel() for axes in drawn.axes] == ["Vy in N", "Mz in N m"]  # what is zero is not drawn
    x, moment = np.concatenate([line.get_xydata() for line in drawn.axes[1].lines[:3]]).T
    assert moment == pytest.approx(5.0 * (2 - x), abs=1e-8)
    assert (tmp_path / "bar.png").stat().st_size > 5_000


def test_resultants_of_a_frame_stand_across_its_bars():
    one = frame()
    found = loaded(one, fx.FrameLoad(nodes={2: {"u": 3.0}}))  # bends the second bar, then the first
    axes = fx.plot(found, which="Mz", scale=0.1).axes[0]
    tips = np.concatenate([line.get_xydata() for line in axes.lines])
    assert found.Mz[0] == pytest.approx(-1.5)  # 3 N half a metre above the first bar, all along it
    assert np.abs(tips - [0.0, -0.15]).sum(axis=1).min() < 1e-9  # below the start of the bar, which runs along x
    assert np.abs(tips - [1.15, 0.0]).sum(axis=1).min() < 1e-9  # the second bar runs along y: its left is -x
    assert len(fx.plot(found, which="N, Vy Mz", along=True).axes) == 3
    with pytest.raises(fx.FlexuraError, match="which is 'M'; name some of N Vy Vz T My Mz"):
        fx.plot(found, which="M")
    assert len(fx.plot(found, which="Mz").axes) == 1


def test_a_moving_picture_of_a_mechanism(tmp_path):
    rod = fx.BeamFrame([[0, 0, 0], [0.3, 0, 0]], [[0, 1]], SECTION, supports={0: "u v w alpha beta"})
    mechanism = fx.Mechanism(fx.slider_crank(0.1, 0.3, "60*t"), {"rod": rod}, [fx.Joint(("rod", 1), along="x")])
    run = fx.simulate(mechanism, np.linspace(0, 0.02, 5), step=1e-3)
    for name in ("crank.gif", "crank.html", "crank.mp4"):
        written = fx.animate_frame(run, tmp_path / name, frame=mechanism, scale=10)
        assert written.stat().st_size > 5_000
    arm = frame()
    body = fx.MovingFrame.turning("z", "3*t")
    turning = fx.simulate(arm, np.linspace(0, 0.1, 4), body=body, step=0.01)
    assert fx.animate_frame(turning, tmp_path / "arm.gif", frame=arm, body=body).exists()
    with pytest.raises(fx.FlexuraError, match=r"end its name in \.gif, \.html or \.mp4"):
        fx.animate_frame(run, tmp_path / "crank.avi", frame=mechanism)


def test_a_rotor_is_drawn_as_a_rotor():
    """The shaft to scale, a disc of the radius that its inertia says, and a foot above and below for each bearing."""
    radius = 0.02
    area, second = np.pi * radius**2, np.pi * radius**4 / 4
    steel = fx.Section(2.1e11, 8e10, 7800.0, area, second, second)
    nodes = [[0, 0, 0], [0.4, 0, 0], [1, 0, 0]]
    disc = (20.0, (20 * 0.15**2 / 2, 0.1, 0.1))
    frame = fx.BeamFrame(nodes, [[0, 1], [1, 2]], steel, supports={0: "u alpha"}, bodies={1: disc})
    made = fx.plot(fx.Rotor(frame, {0: fx.Bearing(k=1e6), 2: fx.Bearing(k=1e6)}))
    (axes,) = made.axes
    kinds = [type(patch).__name__ for patch in axes.patches]
    assert kinds.count("Rectangle") == 3
    assert kinds.count("Polygon") == 4
    heights = sorted(patch.get_height() for patch in axes.patches if type(patch).__name__ == "Rectangle")
    assert heights == pytest.approx([2 * radius, 2 * radius, 0.3])
