"""Robots from URDF: against kinematics of the file by itself, and members in place of links."""

import numpy as np
import pytest

import flexura as fx

ARM = """<robot name="arm">
  <link name="world"/>
  <link name="upper"><inertial>
    <origin xyz="0.1 0.02 0.2" rpy="0.3 -0.2 0.5"/><mass value="2.0"/>
    <inertia ixx="0.05" ixy="0.004" ixz="-0.003" iyy="0.06" iyz="0.002" izz="0.03"/></inertial></link>
  <link name="fore-arm"><inertial>
    <origin xyz="0 0 0.15"/><mass value="1.2"/>
    <inertia ixx="0.02" ixy="0" ixz="0.001" iyy="0.02" iyz="0" izz="0.01"/></inertial></link>
  <link name="tool"><inertial>
    <origin xyz="0.03 0 0"/><mass value="0.4"/>
    <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.002" iyz="0" izz="0.001"/></inertial></link>
  <link name="tip"/>
  <joint name="shoulder" type="revolute"><parent link="world"/><child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0.2 0.4 -0.3"/><axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="3"/><dynamics damping="0.4"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore-arm"/>
    <origin xyz="0.1 0 0.5" rpy="-0.5 0.1 0.2"/><axis xyz="0.6 0 0.8"/><dynamics friction="0.1"/></joint>
  <joint name="slide" type="prismatic"><parent link="fore-arm"/><child link="tool"/>
    <origin xyz="0 0.05 0.3" rpy="0 0 1"/><axis xyz="0 0 1"/><dynamics damping="2.0"/></joint>
  <joint name="flange" type="fixed"><parent link="tool"/><child link="tip"/><origin xyz="0 0 0.1"/></joint>
</robot>"""


def turn(axis, angle):
    x, y, z = axis
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross


def rpy(r, p, y):
    return turn((0, 0, 1), y) @ turn((0, 1, 0), p) @ turn((1, 0, 0), r)


CHAIN = [  # origin, rpy, axis, slides, mass, centre, inertia in the link's frame
    ((0, 0, 0.3), (0.2, 0.4, -0.3), (0, 1, 0), False, 2.0, (0.1, 0.02, 0.2),
     rpy(0.3, -0.2, 0.5) @ np.array([[0.05, 0.004, -0.003], [0.004, 0.06, 0.002], [-0.003, 0.002, 0.03]])
     @ rpy(0.3, -0.2, 0.5).T),
    ((0.1, 0, 0.5), (-0.5, 0.1, 0.2), (0.6, 0, 0.8), False, 1.2, (0, 0, 0.15),
     np.array([[0.02, 0, 0.001], [0, 0.02, 0], [0.001, 0, 0.01]])),
    ((0, 0.05, 0.3), (0, 0, 1), (0, 0, 1), True, 0.4, (0.03, 0, 0), np.diag([0.001, 0.002, 0.001])),
]  # fmt: skip


def poses(q):
    R, at, found = np.eye(3), np.zeros(3), []
    for (origin, angles, axis, slides, m, centre, inertia), one in zip(CHAIN, q, strict=True):
        at, R = at + R @ np.array(origin), R @ rpy(*angles)
        if slides:
            at = at + R @ np.array(axis) * one
        else:
            R = R @ turn(axis, one)
        found.append((R, at, at + R @ np.array(centre), m, inertia))
    return found


def energies(q, v, h=1e-6):
    ahead, behind, here = (poses(np.array(q) + s * h * np.array(v)) for s in (1, -1, 0))
    kinetic = potential = 0.0
    for (Ra, _, ca, m, I), (Rb, _, cb, *_), (R, _, c, *_) in zip(ahead, behind, here, strict=True):
        rate = (Ra - Rb) / (2 * h) @ R.T
        omega = R.T @ np.array([rate[2, 1], rate[0, 2], rate[1, 0]])
        speed = (ca - cb) / (2 * h)
        kinetic += m * speed @ speed / 2 + omega @ I @ omega / 2
        potential += m * 9.81 * c[2]
    return kinetic, potential


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    return tmp_path / "arm.urdf"


def test_an_arm_has_the_energies_of_its_file(arm):
    with pytest.warns(UserWarning, match="Friction of elbow was left out"):
        robot = fx.read_urdf(arm)
    assert robot.joints == ("shoulder", "elbow", "slide")
    assert robot.inputs == ("tau_shoulder", "tau_elbow", "f_slide")
    assert robot.limits["shoulder"] == {"lower": -2, "upper": 2, "effort": 50, "velocity": 3}
    equations = fx.derive(robot.model)
    start = {"shoulder": 0.4, "elbow": -0.7, "slide": 0.05, "shoulder_t": 0.8, "elbow_t": -0.5, "slide_t": 0.3}
    forces = {"tau_shoulder": "2*cos(t)", "tau_elbow": 0.5, "f_slide": -1.0}
    run = fx.simulate(equations, np.linspace(0, 0.5, 501), start, forces, tolerance=1e-10)
    tip = run.position(robot.place("tip"))
    for i in range(0, len(run.t), 100):
        q, v = ([run[name + rate][i] for name in robot.joints] for rate in ("", "_t"))
        kinetic, potential = energies(q, v)
        _, zero = energies([run[name][0] for name in robot.joints], v)
        assert run.energy.kinetic[i] == pytest.approx(kinetic, rel=1e-7)
        assert run.energy.potential[i] - run.energy.potential[0] == pytest.approx(potential - zero, abs=1e-8)
        R, at, *_ = poses(q)[-1]
        assert tip[i] == pytest.approx(at + R @ np.array([0, 0, 0.1]), abs=1e-9)
    work = run["shoulder_t"] * 2 * np.cos(run.t) + run["elbow_t"] * 0.5 - run["slide_t"]
    lost = 0.4 * run["shoulder_t"] ** 2 + 2.0 * run["slide_t"] ** 2
    given = np.trapezoid(work - lost, run.t) if hasattr(np, "trapezoid") else np.trapz(work - lost, run.t)
    assert run.energy.supplied[-1] - run.energy.dissipated[-1] == pytest.approx(given, abs=1e-4)
    assert run.energy.error < 1e-8


def test_a_link_bends_as_the_member_in_its_place(tmp_path):
    text = """<robot name="r"><link name="base"/>
      <link name="rod"/><link name="head"><inertial><origin xyz="0 0 0"/><mass value="0.5"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
      <joint name="root" type="fixed"><parent link="base"/><child link="rod"/><origin rpy="0 0 0.4"/></joint>
      <joint name="wrist" type="fixed"><parent link="rod"/><child link="head"/><origin xyz="1.5 0 0"/></joint>
    </robot>"""
    (tmp_path / "r.urdf").write_text(text)

    def beam():
        return fx.SpatialBeam("rod", EA=1e6, EIy=60.0, EIz=40.0, GJ=30.0, rho=1.2, length=1.5, rotary_inertia=0.01)

    robot = fx.read_urdf(tmp_path / "r.urdf", members={"rod": beam()}, gravity=0)
    member, head = beam(), fx.RigidBody("head", m=0.5, I=0.01)
    plain = fx.Model(fx.Fixed(fx.ground, member.start), fx.Fixed(member.end, head))
    assert fx.modes(robot.model, 4).frequencies == pytest.approx(fx.modes(plain, 4).frequencies, rel=1e-8)
    short = fx.SpatialBeam("rod", EA=1e6, EIy=60.0, EIz=40.0, GJ=30.0, rho=1.2, length=1.4, rotary_inertia=0.01)
    with pytest.raises(fx.FlexuraError, match=r"spans 1.5 m; give it length=1.5"):
        fx.read_urdf(tmp_path / "r.urdf", members={"rod": short})
    with pytest.raises(fx.FlexuraError, match="no link 'arm'"):
        fx.read_urdf(tmp_path / "r.urdf", members={"arm": short})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("<robot", "<machine"), "no XML"),
        (('type="continuous"', 'type="ball"'), "use one of revolute"),
        (('<child link="fore-arm"/>', '<child link="nothing"/>'), "which is no link"),
        (('<child link="tip"/>', '<child link="tool"/>'), "hangs on two joints"),
        (('value="2.0"', 'value="heavy"'), "give a number"),
        (('xyz="0 1 0"', 'xyz="0 0 0"'), "is zero"),
    ],
)
def test_what_is_wrong_is_said(arm, change, told):
    arm.write_text(ARM.replace(*change))
    with pytest.raises(fx.FlexuraError, match=told):
        fx.read_urdf(arm)
