"""Frames in files: the same frame as in Python, its chart on the command line, and what is wrong said with its line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.cli import main
from flexura.structures.moving.frame_file import frame_of_text

SHAFT = Path(__file__).parents[3] / "examples" / "moving" / "shaft.toml"

ARM = """\
[parameters]
l = "800 mm"
k = "3 kN/m"

[frame]
about = "z"
nodes = [[0.1, 0, 0], ["0.1 + l", 0, 0], ["0.1 + l", "l/2", 0], ["0.1 + l", "l/2", 0]]
elements = [[0, 1, "root"], [1, 2, "tip"]]
damping = [0.0, 2e-5]
y_axis = [0.2, 1, 3]
section_energy = "paper"

[frame.sections.root]
E = "70 GPa"
G = "26 GPa"
rho = 2700.0
A = "4e-4*(1 - x/(2*l))"
Iy = 1.3e-9
Iz = 1.3e-8
[frame.sections.tip]
E = "70 GPa"
G = "26 GPa"
rho = 2700.0
A = 2e-4
Iy = 1e-9
Iz = 1e-9
J = 3e-9

[frame.supports]
0 = "all"
[frame.bodies]
3 = {m = "200 g", I = 1e-4, centre = [0, "10 mm", 0]}
[frame.springs]
2 = {v = "k", "v w" = 10.0, gamma = "2 N*m/rad"}
[frame.dampers]
1 = {w = "3 N*s/m"}
[frame.bearings]
1 = ["z", "k/2"]
[[frame.links]]
node = 2
tied = 3
motions = "u v w alpha beta gamma"
"""


@pytest.fixture
def run(capsys):
    def command(*arguments: str) -> tuple[int, str, str]:
        code = 0
        try:
            main(arguments)
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return command


def arm() -> fx.BeamFrame:
    root = fx.Section(E=7e10, G=2.6e10, rho=2700.0, A="4e-4*(1 - x/1.6)", Iy=1.3e-9, Iz=1.3e-8)
    tip = fx.Section(E=7e10, G=2.6e10, rho=2700.0, A=2e-4, Iy=1e-9, Iz=1e-9, J=3e-9)
    return fx.BeamFrame(
        [[0.1, 0, 0], [0.9, 0, 0], [0.9, 0.4, 0], [0.9, 0.4, 0]], [[0, 1], [1, 2]], [root, tip], {0: "all"},
        bodies={3: (0.2, 1e-4, (0, 0.01, 0))}, springs={2: {"v": 3000.0, "v w": 10.0, "gamma": 2.0}},
        y_axis=(0.2, 1, 3), section_energy="paper", dampers={1: {"w": 3.0}}, links=[(2, 3)], damping=(0, 2e-5),
        bearings={1: ("z", 1500.0)},
    )  # fmt: skip


def test_a_file_is_the_frame_that_python_writes():
    file = frame_of_text(ARM)
    assert file.about == "z"
    body = fx.MovingFrame(omega=(1.0, -2.0, 20.0), epsilon=(3.0, 0.0, 1.0))
    found, wanted = (fx.moving_system(one, body) for one in (file.frame, arm()))
    assert found.dofs == wanted.dofs
    for name in ("M", "D", "K", "G", "H"):
        a, b = getattr(found, name), getattr(wanted, name)
        assert abs(a - b).max() <= 1e-14 * abs(b).max()
    assert np.allclose(found.F, wanted.F, rtol=1e-13)


def test_elements_are_cut_and_parameters_replaced():
    file = fx.read_frame(SHAFT)
    assert len(file.frame.elements) == 8
    assert file.title == "Shaft with two discs on two bearings"
    assert frame_of_text(ARM, values={"l": 0.4}).frame.lengths.tolist() == pytest.approx([0.4, 0.2])


def test_the_command_prints_the_chart_of_python(run, tmp_path):
    picture = tmp_path / "shaft.png"
    options = ("--from", "0", "--to", "800", "--points", "3", "--count", "5")
    code, out, _ = run("campbell", str(SHAFT), *options, "--json", "--plot", str(picture))
    found = json.loads(out)
    assert code == 0
    assert picture.stat().st_size > 5_000
    frame = fx.read_frame(SHAFT).frame
    chart = fx.whirl(frame, [0.0, 400.0, 800.0], "x", 5)
    assert np.array(found["whirl"], dtype=float) == pytest.approx(chart.whirl, nan_ok=True)
    assert found["frequencies"] == chart.seen.tolist()
    assert found["stability_limit"] is None
    assert found["critical_speeds"] == pytest.approx(fx.critical_speeds(frame, count=2))
    code, out, _ = run("campbell", str(SHAFT), *options)
    rows = [line.split() for line in out.splitlines()]
    assert rows[3][:4] == ["400", "331.763", "360.9469", "F"]  # torsion, then whirl as in the manual
    assert out.rstrip().endswith("Critical speeds up to 800: 359.2435, 737.5374.")
    assert "No mode grows" in out


def test_the_command_says_from_where_on_the_motion_is_unstable(run, tmp_path):
    """Internal damping alone: a rotor is unstable above its critical speed."""
    text = SHAFT.read_text(encoding="utf-8").replace(', "100 N*s/m"]', "]").replace("refine = 2", "damping = [0, 1e-4]")
    path = tmp_path / "inner.toml"
    path.write_text(text, encoding="utf-8")
    code, out, _ = run("campbell", str(path), "--from", "0", "--to", "600", "--points", "4", "--count", "4", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["stable"] == [True, True, False, False]
    assert found["stability_limit"] == pytest.approx(found["critical_speeds"][0], rel=1e-4)
    out = run("campbell", str(path), "--from", "0", "--to", "600", "--points", "4", "--count", "4")[1]
    assert f"The motion is unstable from {found['stability_limit']:.6g} rad/s on." in out
    assert " F*" in out


def test_usage(run):
    frame_over_name = run("campbell", str(SHAFT), "--parameter", "r", "--from", "0", "--to", "1")
    assert frame_over_name[0] == 2
    assert "leave --parameter out" in frame_over_name[2]
    assert run("campbell", "rotating-arm", "--from", "0", "--to", "1")[0] == 2
    code, _, err = run("modes", str(SHAFT))
    assert code == 1
    assert err.startswith("shaft.toml, line 13: this file describes a frame on a moving body")


WRONG = {
    "no such word": ("about =", "abut =", 6, "there is no place for 'frame.abut' in a model file; it takes nodes,"),
    "no such axis": ('about = "z"', 'about = "q"', 6, "frame.about has the wrong form: input should be 'x', 'y' or"),
    "no elements": ('elements = [[0, 1, "root"], [1, 2, "tip"]]\n', "", 5, "frame needs elements; add it."),
    "zero length": ('["0.1 + l", 0, 0]', "[0.1, 0, 0]", 8, "Element 0 between nodes 0 and 1 has no length; move"),
    "no such node": ('[1, 2, "tip"]', '[1, 7, "tip"]', 8, "Element 1 names node 7, but nodes are numbered from 0"),
    "section not named": ('[1, 2, "tip"]', "[1, 2]", 8, "element 1 names no section; write [node, node, section],"),
    "no such section": ('"tip"]', '"top"]', 8, "element 1 names the section 'top'; write [node, node, section], with"),
    "no stiffness": ("Iz = 1e-9", "Iz = 0.0", 26, "The section of element 1 has Iz = 0 at 0 of its length; give"),
    "no density": ("rho = 2700.0\nA = 2e-4", "A = 2e-4", 20, "The section tip needs rho; add it."),
    "no such property": ("J = 3e-9", "JJ = 3e-9", 20, "A section takes no 'JJ'; it takes E, G, rho,"),
    "unit": ('"26 GPa"\nrho = 2700.0\nA = 2e-4', '"26 kg"\nrho = 2700.0\nA = 2e-4', 22, "The G of section "),
    "no value": ("A = 2e-4", 'A = "b*2e-4"', 24, "The A of the section holds b, which has no value; write b = NUMBER"),
    "support": ('0 = "all"', '0 = "up"', 30, "The support of node 0 names 'up'; write 'all' or some of"),
    "support nowhere": ('0 = "all"', '9 = "all"', 30, "The supports name node 9, but nodes are numbered from 0 to 3"),
    "no number": ('0 = "all"', 'hub = "all"', 30, "The supports name node 'hub', but nodes are numbered"),
    "mass": ('"200 g"', '"200 mm"', 32, "The m of the body of node 3 is '200 mm', whose unit has the wrong dimension;"),
    "body": ('m = "200 g"', "m = -1", 32, "The body of node 3 has a mass or an inertia that is negative"),
    "spring": ('v = "k"', 'v = "-k"', 34, "The spring of node 2 along v is -3000.0; give a finite number, 0 or more."),
    "bearing": ('["z", "k/2"]', '["v", "k/2"]', 38, "The bearing of node 1 is ('v', 1500.0); write ('x', k, c)"),
    "unused": ('l = "800 mm"', 'l = "800 mm"\nm = 3.0', 3, "the parameter m is used nowhere; use it, or leave it out."),
    "unconnected": ("tied = 3", "tied = 1", 7, "Node 3 belongs to no element and no link; connect it or leave it out."),
    "link": ("tied = 3", "tied = 8", 39, "The links name node 8, but nodes are numbered from 0 to 3; name one."),
    "two kinds of sections": (
        "[frame.supports]", "[frame.section]\nE = 1.0\n[frame.supports]", 5, "a frame has one [frame.section], or",
    ),
    "y axis": ("[0.2, 1, 3]", "[1, 0, 0]", 10, "The y_axis of element 0 points along the element; give one"),
    "energy": ('"paper"', '"full"', 11, "section_energy is 'full'; say 'consistent' or 'paper'."),
    "cut": (
        'about = "z"', 'refine = 2\noffsets = {0 = [[0, 0, 0], [0, 0, 0.1]]}', 6, "a frame with offsets cannot be cut;",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_said_with_its_line(case):
    old, new, line, sentence = WRONG[case]
    assert old in ARM
    with pytest.raises(fx.FlexuraError) as error:
        frame_of_text(ARM.replace(old, new, 1), "arm.toml")
    assert str(error.value).startswith(f"arm.toml, line {line}: {sentence}")
    assert str(error.value).endswith(".")


def test_the_line_is_that_of_the_link_and_of_the_section_that_are_wrong():
    second = ARM + '[[frame.links]]\nnode = 1\ntied = 3\nmotions = "u q"\n'
    with pytest.raises(fx.FlexuraError) as error:
        frame_of_text(second, "arm.toml")
    assert (error.value.keyword, error.value.entry, error.value.place) == ("links", (1, 3), "arm.toml, line 43")
    with pytest.raises(fx.FlexuraError) as error:
        frame_of_text(ARM.replace("Iz = 1.3e-8", "Iz = -1.3e-8"), "arm.toml")
    found = error.value
    assert (found.part, found.keyword, found.entry, found.place) == ("section", "Iz", 0, "arm.toml, line 19")


def test_parameters_that_are_not_there():
    with pytest.raises(fx.FlexuraError, match=r"The file arm.toml has no parameter EI; it has l, k\."):
        frame_of_text(ARM, "arm.toml", {"EI": 3.0})
    with pytest.raises(fx.FlexuraError, match="cannot be read: No such file"):
        fx.read_frame("nowhere.toml")


ROTOR = """\
[frame]
about = "x"
nodes = [[0, 0, 0], [0.4, 0, 0], [1.0, 0, 0]]
elements = [[0, 1], [1, 2]]
section = {E = "210 GPa", G = "80 GPa", rho = 7800.0, A = 1.2e-3, Iy = 1.2e-7, Iz = 1.2e-7}
supports = {0 = "u alpha"}
bodies = {1 = {m = "20 kg", I = [0.2, 0.1, 0.1]}}
[rotor.bearings.0]
k = [["4 kN/mm", "1 kN/mm"], [-1e6, "2 kN/mm"]]
c = [2000.0, 1000.0]
[rotor.bearings.2]
speeds = [0, 1000]
k = [2e6, "4 kN/mm"]
c = "500 N*s/m"
[rotor.unbalance]
1 = "1 g*m"
"""


def test_a_rotor_on_bearings_in_a_file_is_the_one_in_python(tmp_path, run):
    file = frame_of_text(ROTOR)
    film, table = fx.Bearing(k=[[4e6, 1e6], [-1e6, 2e6]], c=(2e3, 1e3)), fx.Bearing(k=([0, 1000], [2e6, 4e6]), c=500.0)
    rotor = fx.Rotor(file.frame, {0: film, 2: table})
    for part in ("K", "D", "G", "H"):
        one, two = (getattr(which.system(300.0), part) for which in (rotor, file.rotor))
        assert abs(one - two).max() <= 1e-12 * abs(one).max()
    assert file.unbalance == {1: pytest.approx(1e-3)}
    path = tmp_path / "rotor.toml"
    path.write_text(ROTOR, encoding="utf-8")
    arguments = ["campbell", str(path), "--from", "0", "--to", "400", "--points", "3", "--count", "2", "--json"]
    code, out, _ = run(*arguments)
    data = json.loads(out)
    assert code == 0
    wanted = fx.campbell(rotor, "speed", over=[0.0, 200.0, 400.0], count=2)
    assert np.array(data["frequencies"]) == pytest.approx(wanted.frequencies, rel=1e-9)
    assert data["critical_speeds"][:2] == pytest.approx(fx.critical_speeds(rotor, count=2), rel=1e-9)


WRONG_ROTORS = {
    "node": (ROTOR.replace("bearings.2]", "bearings.7]"), "line 11", "nodes are numbered from 0 to 2"),
    "shape": (ROTOR.replace("c = [2000.0, 1000.0]", "c = [1.0, 2.0, 3.0]"), "line ", "The bearing's c is"),
    "speeds": (ROTOR.replace("[0, 1000]", "[1000, 0]"), "line ", "as many values as ascending speeds"),
    "no list": (ROTOR.replace('k = [2e6, "4 kN/mm"]', "k = 2e6"), "line 12", "neither k nor c is a list over them"),
    "unit": (ROTOR.replace('"500 N*s/m"', '"500 N/m"'), "line 14", "N"),
}


@pytest.mark.parametrize("case", WRONG_ROTORS)
def test_what_is_wrong_with_a_rotor_is_said_with_its_line(case):
    text, line, sentence = WRONG_ROTORS[case]
    with pytest.raises(fx.FlexuraError, match=sentence) as caught:
        frame_of_text(text)
    assert line in str(caught.value)


BEARINGS = {
    "three": ({"k": [[1, 2, 3]]}, "The bearing's k is"),
    "order": ({"k": ([100, 0], [1e6, 2e6])}, "as many values as ascending speeds"),
    "one value": ({"k": ([0, 1], 2.0)}, "2 speeds and 1 values"),
    "not finite": ({"k": 1e6, "c": float("nan")}, "The bearing's c is nan"),
    "empty": ({"k": ([], [])}, "0 speeds and 0 values"),
}


@pytest.mark.parametrize("case", BEARINGS)
def test_bearings_are_checked_when_they_are_made(case):
    words, sentence = BEARINGS[case]
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.Bearing(**words)
