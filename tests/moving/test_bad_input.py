"""What is wrong is said in a sentence that names the element or the node, and following it helps."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

NODES, PAIRS = [[0, 0, 0], [1, 0, 0], [2, 0, 0]], [[0, 1], [1, 2]]
GOOD = {"E": 1.0, "G": 1.0, "rho": 1.0, "A": 1.0, "Iy": 1.0, "Iz": 1.0}
SECTION = fx.Section(**GOOD)


def frame(**changes):
    return fx.BeamFrame(**({"nodes": NODES, "elements": PAIRS, "section": SECTION, "supports": {0: "all"}} | changes))


CASES = {
    "zero length": (
        {"nodes": [[0, 0, 0], [1, 0, 0], [1, 0, 0]]},
        r"Element 1 between nodes 1 and 2 has no length; move",
    ),
    "one node twice": ({"elements": [[0, 1], [2, 2]]}, "Element 1 between nodes 2 and 2 has no length"),
    "unconnected node": ({"nodes": [*NODES, [5, 5, 5]]}, "Node 3 belongs to no element and no link; connect it"),
    "no such node": ({"elements": [[0, 1], [1, 3]]}, "Element 1 names node 3, but nodes are numbered from 0 to 2"),
    "nodes of wrong shape": ({"nodes": [[0, 0], [1, 0]]}, r"The nodes have the shape \(2, 2\); give \(n, 3\)"),
    "node not finite": ({"nodes": [[0, 0, 0], [1, np.nan, 0], [2, 0, 0]]}, "Node 1 is at .*; give finite"),
    "elements of wrong shape": ({"elements": [[0, 1, 2]]}, r"The elements have the shape \(1, 3\); give \(m, 2\)"),
    "negative stiffness": (
        {"section": [SECTION, fx.Section(**(GOOD | {"Iz": -1.0}))]},
        "The section of element 1 has Iz = -1; give it a value greater than zero",
    ),
    "no stiffness somewhere": (
        {"section": fx.Section(**(GOOD | {"A": "1 - x"}))},
        "The section of element 0 has A = 0 at 1 of its length; give it a value greater",
    ),
    "negative density": ({"section": fx.Section(**(GOOD | {"rho": -1.0}))}, "element 0 has rho = -1; .* zero or more"),
    "sections that do not fit": ({"section": [SECTION]}, "There are 1 sections for 2 elements; give one"),
    "not a section": ({"section": [SECTION, 3]}, "The section of element 1 is 3; give an fx.Section"),
    "array that does not fit": (
        {"section": fx.Section(**(GOOD | {"A": np.ones(5)}))},
        "The A of the section has 5 values for 2 elements",
    ),
    "support of nothing": ({"supports": {0: "up"}}, "The support of node 0 names 'up'; write 'all' or some of 'u v w"),
    "support nowhere": ({"supports": {9: "all"}}, "The supports name node 9, but nodes are numbered from 0 to 2"),
    "negative mass": ({"bodies": {1: (-1.0, 0.0)}}, "The body of node 1 has a mass or an inertia that is negative"),
    "inertia of wrong shape": ({"bodies": {1: (1.0, (1, 2))}}, r"The body of node 1 has an inertia of shape \(2,\)"),
    "negative spring": ({"springs": {2: {"v": -5.0}}}, "The spring of node 2 along v is -5.0; give a finite number"),
    "spring matrix": ({"springs": {2: np.eye(3)}}, r"The spring of node 2 has the shape \(3, 3\)"),
    "bearing": ({"bearings": {1: ("v", 1e6)}}, r"The bearing of node 1 is \('v', 1000000.0\); write \('x', k, c\)"),
    "negative bearing": ({"bearings": {1: ("x", -1.0)}}, "The bearing of node 1 has k = -1.0, c = 0.0; give finite"),
    "y axis along": ({"y_axis": (1, 0, 0)}, "The y_axis of element 0 points along the element; give one that points"),
    "energy": ({"section_energy": "full"}, "section_energy is 'full'; say 'consistent' or 'paper'"),
    "offset nowhere": ({"offsets": {4: np.zeros((2, 3))}}, "The offsets name element 4, but elements are numbered"),
    "link to itself": ({"links": [(1, 1)]}, r"The link \(1, 1\) does not name two nodes"),
    "tied and held": (
        {"links": {(1, 2): "v"}, "supports": {0: "all", 2: "v"}},
        "The motion v of node 2 is tied to node 1 and held by a support; support node 1 instead",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_frame_that_cannot_be(case):
    changes, sentence = CASES[case]
    with pytest.raises(fx.FlexuraError, match=sentence):
        frame(**changes)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"omega": (1, 2)}, r"moving frame's omega has the shape \(2,\); give three numbers"),
        ({"omega": 3.0}, r"moving frame's omega has the shape \(\); give three numbers"),
        ({"omega": (0, np.nan, 0)}, r"moving frame's omega is \[0.0, nan, 0.0\]; give finite numbers"),
        ({"omega": lambda t: (0, 0, np.inf)}, r"moving frame's omega at t = 2 is \[0.0, 0.0, inf\]; give finite"),
        ({"epsilon": lambda t: np.zeros((3, 1))}, r"epsilon at t = 2 has the shape \(3, 1\); give three numbers"),
        ({"a0": "down"}, r"moving frame's a0 has the shape \(0,\)"),
        ({"rotation": 2 * np.eye(3)}, "moving frame's rotation is not a rotation"),
        (
            {"omega": (0, 0, 1), "gravity": (0, 0, -9.81)},
            r"where its axes point is not known; give MovingFrame its rotation",
        ),
    ],
)
def test_a_motion_that_cannot_be(given, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.MovingFrame(**given).at(2)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"coefficients": "constant"}, "coefficients is 'constant'; say 'varying' or 'frozen'"),
        ({"loads": {"v9": 1.0}}, "There is no motion 'v9'; write one of u v w"),
        ({"loads": {"v0": 1.0}}, "The motion v0 is not free: a support holds it"),
        ({"loads": {"v1": "F*t"}}, "The load on v1 holds F; write it with numbers and t only"),
        ({"loads": {"v1": [1.0, np.nan, 0.0]}}, r"The load on v1 has the shape \(3,\) or is not finite; give 3"),
        ({"loads": {"v1": lambda t: np.nan}}, "v1 is nan|not finite"),
        ({"loads": fx.FrameLoad(elements={7: {"v": 1.0}})}, "The loads name element 7, but elements go from 0 to 1"),
        ({"loads": fx.FrameLoad(nodes={2: {"v w": 1.0}})}, "The load of node 2 names 'v w'; name one motion"),
        ({"loads": np.ones(5)}, r"The load has the shape \(5,\) or is not finite; give 12"),
        ({"initial": {"q": 1.0}}, "There is no motion 'q'"),
        ({"initial": np.ones(3)}, "initial has 3 displacements and 12 rates; give 12"),
        ({"initial": "rest"}, "initial is 'rest'; give 'static'"),
    ],
)
def test_a_run_that_cannot_be(how, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.simulate(frame(), [0, 0.1, 0.2], **how)


def test_times_that_do_not_increase():
    with pytest.raises(fx.FlexuraError, match="t does not increase"):
        fx.simulate(frame(), [0, 0.2, 0.1])


def test_sections_say_what_they_lack():
    with pytest.raises(
        fx.FlexuraError, match=r"The A of the section holds b, which has no value; .*numbers and x only"
    ):
        fx.Section(**(GOOD | {"A": "b*x"}))
    assert pytest.approx(2.1e11) == fx.Section(**(GOOD | {"A": "2*x", "E": "210 GPa"})).E
    with pytest.raises(fx.FlexuraError, match=r"the E of|The E of"):
        fx.Section(**(GOOD | {"E": "3 kg"}))


def test_links_in_a_circle_and_twice():
    nodes, pairs = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0]], [[0, 1], [1, 2], [2, 3]]
    with pytest.raises(fx.FlexuraError, match=r"The links .* go in a circle; leave out the one that closes it"):
        fx.moving_system(fx.BeamFrame(nodes, pairs, SECTION, links={(1, 2): "all", (2, 1): "all"}))
    with pytest.raises(fx.FlexuraError, match="The motion v of node 3 is tied twice; leave one link out"):
        fx.moving_system(fx.BeamFrame(nodes, pairs, SECTION, links={(1, 3): "v", (2, 3): "v"}))
    chain = fx.BeamFrame(nodes, pairs, SECTION, supports={0: "all"}, links={(1, 2): "all", (2, 3): "all"})
    assert fx.moving_system(chain).n == 6


def test_parts_that_are_not_there():
    with pytest.raises(fx.FlexuraError, match="The system has no part 'K_g'; it has M, K, C"):
        fx.moving_system(frame()).parts["K_g"]


def test_a_held_motion_has_no_row():
    with pytest.raises(fx.FlexuraError, match="The motion v of node 0 is not free"):
        frame().dof(0, "v")
    assert frame().dofs[frame().dof(2, "v")] == "v2"
