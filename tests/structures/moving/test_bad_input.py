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


AS_ADVISED = {
    "zero length": {"nodes": [[0, 0, 0], [1, 0, 0], [1, 0, 1]]},
    "one node twice": {"elements": [[0, 1], [1, 2]]},
    "unconnected node": {"nodes": [*NODES, [5, 5, 5]], "elements": [*PAIRS, [2, 3]]},
    "no such node": {"elements": [[0, 1], [1, 2]]},
    "nodes of wrong shape": {"nodes": [[0, 0, 0], [1, 0, 0]], "elements": [[0, 1]]},
    "node not finite": {"nodes": [[0, 0, 0], [1, 0, 0], [2, 0, 0]]},
    "elements of wrong shape": {"elements": [[0, 1], [1, 2]]},
    "negative stiffness": {"section": [SECTION, fx.Section(**(GOOD | {"Iz": 1e-3}))]},
    "no stiffness somewhere": {"section": fx.Section(**(GOOD | {"A": "1 - x/2"}))},
    "negative density": {"section": fx.Section(**(GOOD | {"rho": 0.0})), "bodies": {1: (1.0, 0.1), 2: (1.0, 0.1)}},
    "sections that do not fit": {"section": [SECTION, SECTION]},
    "not a section": {"section": [SECTION, SECTION]},
    "array that does not fit": {"section": fx.Section(**(GOOD | {"A": np.ones(2)}))},
    "support of nothing": {"supports": {0: "u v w alpha beta gamma"}},
    "support nowhere": {"supports": {2: "all"}},
    "negative mass": {"bodies": {1: (0.0, 0.0)}},
    "inertia of wrong shape": {"bodies": {1: (1.0, (1, 2, 3))}},
    "negative spring": {"springs": {2: {"v": 0.0}}},
    "spring matrix": {"springs": {2: np.eye(6)}},
    "bearing": {"bearings": {1: ("x", 1e6, 3.0)}},
    "negative bearing": {"bearings": {1: ("x", 0.0)}},
    "y axis along": {"y_axis": (0, 1, 0)},
    "energy": {"section_energy": "paper"},
    "offset nowhere": {"offsets": {1: np.zeros((2, 3))}},
    "link to itself": {"links": [(1, 2)]},
    "tied and held": {"links": {(1, 2): "v"}, "supports": {0: "all", 1: "v"}},
}


@pytest.mark.parametrize("case", CASES)
def test_following_the_advice_about_a_frame_works(case):
    mended = frame(**AS_ADVISED[case])
    system = fx.moving_system(mended, fx.MovingFrame(omega=(0, 0, 0.1)))
    assert fx.modes(system, 1).frequencies[0] > 0
    assert fx.critical_speed(mended, "z") > 0


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
        ({"a0": "down"}, r"moving frame's a0 is 'down'; give three numbers"),
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
    "given",
    [
        {"omega": (1, 2, 0)},
        {"omega": (0, 0, 3.0)},
        {"omega": lambda t: (0, 0, t)},
        {"epsilon": lambda t: np.zeros(3)},
        {"a0": (0, -1, 0)},
        {"rotation": np.eye(3)},
        {"omega": (0, 0, 1), "gravity": (0, 0, -9.81), "rotation": lambda t: fx.MovingFrame.turning("z", "t").axes(t)},
    ],
)
def test_following_the_advice_about_a_motion_works(given):
    system = fx.moving_system(frame(), fx.MovingFrame(**given), t=0.5)
    assert np.all(np.isfinite(system.F))
    assert np.all(np.isfinite(system.K.toarray()))


@pytest.mark.parametrize(
    ("speeds", "axis", "count", "sentence"),
    [
        ([1.0], "r", 4, "The frame cannot turn about 'r'; say 'x', 'y' or 'z'"),
        ([np.nan], "z", 4, "The speeds are not a row of finite numbers; give them in rad/s"),
        ([], "z", 4, "The speeds are not a row of finite numbers"),
        ([1.0], "z", 0, "0 modes cannot be followed; ask for 1 or more"),
    ],
)
def test_a_chart_that_cannot_be(speeds, axis, count, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.whirl(frame(), speeds, axis, count)
    assert fx.whirl(frame(), [0.5], "z", 4).whirl.shape == (1, 4)


def test_a_frame_without_mass_says_where():
    light = fx.Section(**(GOOD | {"rho": 0.0}))
    with pytest.raises(fx.FlexuraError, match=r"mass of the frame is singular: nothing that moves with u1 has mass;"):
        fx.whirl(frame(section=light), [1.0], "z")
    mended = frame(section=light, bodies={1: (1.0, 0.1), 2: (1.0, 0.1)})
    assert fx.whirl(mended, [0.1], "z", 3).stable.all()


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"coefficients": "constant"}, "coefficients is 'constant'; say 'varying' or 'frozen'"),
        ({"loads": {"v9": 1.0}}, "There is no motion 'v9'; write one of u v w"),
        ({"loads": {"v0": 1.0}}, "The motion v0 is not free: a support holds it"),
        ({"loads": {"v1": "F*t"}}, "The load on v1 holds F, which has no value; write it with numbers and t only"),
        ({"loads": {"v1": [1.0, np.nan, 0.0]}}, r"The load on v1 is not finite at t = "),
        ({"loads": {"v1": lambda t: np.nan}}, "v1 is nan|not finite"),
        ({"loads": fx.FrameLoad(elements={7: {"v": 1.0}})}, "The loads name element 7, but elements go from 0 to 1"),
        ({"loads": fx.FrameLoad(nodes={2: {"v w": 1.0}})}, "The load of node 2 names 'v w'; name one motion"),
        ({"loads": fx.FrameLoad(elements={1: {"q": 1.0}})}, "The load of element 1 names 'q'; write 'all' or some of"),
        ({"loads": np.ones(5)}, r"The load has the shape \(5,\) or is not finite; give 12"),
        ({"initial": {"q": 1.0}}, "There is no 'q' to start from; there are u1, v1"),
        ({"initial": {"v0_t": 1.0}}, "The motion v0 is not free: a support holds it"),
        ({"initial": {"v1": True}}, "The initial v1 is True, a truth value; give a finite number"),
        ({"initial": np.ones(3)}, "initial has 3 displacements and 12 rates; give 12"),
        ({"initial": "rest"}, "initial is 'rest'; give 'static'"),
    ],
)
def test_a_run_that_cannot_be(how, sentence):
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.simulate(frame(), [0, 0.1, 0.2], **how)


@pytest.mark.parametrize(
    "how",
    [
        {"coefficients": "frozen"},
        {"loads": {"v2": 1.0}},
        {"loads": {"v1": "3*t"}},
        {"loads": {"v1": [1.0, 2.0, 0.0]}},
        {"loads": {"v1": lambda t: 1.0}},
        {"loads": fx.FrameLoad(elements={1: {"v": 1.0}})},
        {"loads": fx.FrameLoad(nodes={2: {"v": 1.0, "w": 1.0}})},
        {"loads": np.ones(12)},
        {"initial": {"v1": 1e-3}},
        {"initial": np.ones(12)},
        {"initial": "static"},
    ],
)
def test_following_the_advice_about_a_run_works(how):
    run = fx.simulate(frame(), [0, 0.1, 0.2], **how)
    assert np.all(np.isfinite(run["v2"]))


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


def test_numbers_with_units_are_numbers():
    section = fx.Section(2e11, 8e10, 7800.0, 1e-4, 1e-9, 1e-9)
    nodes, elements = [[0, 0, 0], [1, 0, 0]], [[0, 1]]
    words = fx.BeamFrame(
        nodes, elements, section, bodies={1: ("300 g", ("1 kg*m**2", 2, 3), (0, "10 mm", 0))},
        springs={0: {"v": "1 kN/m", "gamma": "2 N*m/rad"}}, dampers={0: {"w": "3 N*s/m"}},
        bearings={1: ("x", "4 kN/mm", "500 N*s/m")},
    )  # fmt: skip
    numbers = fx.BeamFrame(
        nodes, elements, section, bodies={1: (0.3, (1, 2, 3), (0, 0.01, 0))}, springs={0: {"v": 1e3, "gamma": 2.0}},
        dampers={0: {"w": 3.0}}, bearings={1: ("x", 4e6, 500.0)},
    )  # fmt: skip
    one = fx.moving_system(words, fx.MovingFrame(omega=("60 rpm", 0, 0), a0=(0, "1 g_0", 0)))
    two = fx.moving_system(numbers, fx.MovingFrame(omega=(2 * np.pi, 0, 0), a0=(0, 9.80665, 0)))
    for part in ("M", "D", "K", "G", "F"):
        first, second = (getattr(which, part) for which in (one, two))
        assert abs(first - second).max() <= 1e-12 * abs(second).max()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"springs": {0: {"v": "stiff"}}}, "The spring of node 0 along v is 'stiff'; give a finite number"),
        ({"springs": {0: {"v": "3 kg"}}}, "the spring of node 0.*wrong dimension"),
        ({"bodies": {0: ("3 N", 0)}}, "the body of node 0.*wrong dimension"),
        ({"dampers": {0: {"gamma": "3 N*s/m"}}}, "the damper of node 0.*wrong dimension"),
    ],
)
def test_units_that_do_not_fit_are_told(words, sentence):
    section = fx.Section(2e11, 8e10, 7800.0, 1e-4, 1e-9, 1e-9)
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], section, **words)
