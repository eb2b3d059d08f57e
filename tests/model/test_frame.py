"""Frames by nodes: `fx.frame` in the plane and in space, with supports, releases, masses, springs and loads."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.model.test_closed_frames import PLANE, SPACE, drawn
from tests.plain_frames import frequencies, matrices

import flexura as fx

NODES = {"A": (0.0, 0.0), "B": (0.0, 3.0), "C": (4.0, 3.5), "D": (4.0, 0.0)}
PORTAL: dict[str, Any] = {"left": ("A", "B"), "beam": ("B", "C"), "right": ("D", "C")}
CUBE = {"A": (0, 0, 0), "B": (0, 2, 0), "C": (1.5, 2, 0.3), "D": (1.5, 0, 0), "E": (0, 2, 1)}


@pytest.mark.parametrize("number", range(20))
def test_random_frames_have_the_modes_of_polynomials(number: int) -> None:
    space = number % 4 == 3
    rng = np.random.default_rng(number)
    nodes, pairs = drawn(500 + number, space)
    given = SPACE if space else PLANE
    pins = {i: str(rng.choice(["start", "end"])) for i in range(len(pairs)) if rng.random() < 0.3}
    properties = [{**given, "pinned": pins[i]} if i in pins else given for i in range(len(pairs))]
    members = {f"b{i}": (a, b, one) for i, ((a, b), one) in enumerate(zip(pairs, properties, strict=True))}
    masses, springs = {1: (0.7, 0.2)}, {1: {"y": 55.0, "theta": 9.0}, 2: {"x": 30.0}}
    stiff, bars = {(1, 1): 55.0, (1, 5): 9.0, (2, 0): 30.0}, [members[f"b{i}"] for i in range(len(pairs))]
    if folds(nodes, bars, stiff):
        with pytest.raises(fx.FlexuraError, match="mechanism"):
            fx.frame(nodes, members, {0: "fixed"}, masses, springs)
        return
    model = fx.frame(nodes, members, {0: "fixed"}, masses, springs)
    other = frequencies(nodes, bars, {0: range(6)}, masses=masses, springs=stiff)
    assert fx.modes(model, 5).frequencies == pytest.approx(other[:5], rel=1e-8)


def folds(nodes: Any, bars: Any, springs: Any) -> bool:
    """Whether the stiffness of the other program is singular once its idle rows are gone."""
    _, K, number = matrices(nodes, bars)
    for key, k in springs.items():
        K[number[key], number[key]] += k
    kept = [i for i in range(len(K)) if i not in {number[0, j] for j in range(6)} and np.abs(K[i]).sum() > 0]
    unit = 1 / np.sqrt(np.diag(K)[kept])
    values = np.linalg.eigvalsh(K[np.ix_(kept, kept)] * unit[:, None] * unit)
    return bool(values[0] < 1e-12 * values[-1])


def test_the_same_frame_member_by_member() -> None:
    """`fx.frame` says no more than the connections between its members do."""
    left, beam, right = (
        fx.EulerBernoulliBeam(name, length=length, **PLANE)
        for name, length in (("left", 3.0), ("beam", math.hypot(4, 0.5)), ("right", 3.5))
    )
    tilt = math.atan2(0.5, 4)
    parts = fx.Model(
        fx.Fixed(fx.ground, left.start, angle="pi/2"),
        fx.Fixed(left.end, beam.start, angle=tilt - math.pi / 2),
        fx.Pin(fx.ground, right.start, angle="pi/2"),
        fx.Fixed(beam.end, right.end, angle=math.pi / 2 - tilt),
    )
    frame = fx.frame(NODES, PORTAL, {"A": "fixed", "D": "pinned"}, section=PLANE)
    assert fx.modes(frame, 8).frequencies == pytest.approx(fx.modes(parts, 8).frequencies, rel=1e-11)
    assert fx.derive(frame).coordinates == ("theta_D", "x_B", "y_B", "theta_B", "x_C", "y_C", "theta_C")
    assert fx.verify(fx.derive(frame))


def test_supports_hold_the_motions_they_name() -> None:
    held = {"fixed": [0, 1, 5], "pinned": [0, 1], "x y theta": [0, 1, 5], "y": [1], "x theta": [0, 5]}
    for words, motions in held.items():
        model = fx.frame(NODES, PORTAL, {"A": "fixed", "D": words}, section=PLANE)
        members = [(a, b, PLANE) for a, b in PORTAL.values()]
        other = frequencies(NODES, members, {"A": range(6), "D": motions})
        assert fx.modes(model, 4).frequencies == pytest.approx(other[:4], rel=1e-8), words
    assert fx.verify(fx.derive(fx.frame(NODES, PORTAL, {"A": "y theta", "D": "x y"}, section=PLANE)))


def test_supports_in_space() -> None:
    members = {"a": ("A", "B"), "b": ("B", "C"), "c": ("C", "D"), "d": ("B", "E")}
    held = {"A": "fixed", "D": "x y z beta", "E": "ry y"}
    motions = {"A": range(6), "D": [0, 1, 2, 4], "E": [1, 4]}
    other = frequencies(CUBE, [(a, b, SPACE) for a, b in members.values()], motions)
    model = fx.frame(CUBE, members, held, section=SPACE)
    assert fx.modes(model, 6).frequencies == pytest.approx(other[:6], rel=1e-8)
    assert fx.verify(fx.derive(model))


def test_masses_are_quantities() -> None:
    def values(mass: Any) -> dict[str, Any]:
        model = fx.frame(NODES, PORTAL, {"A": "fixed", "D": "fixed"}, masses={"B": mass}, section=PLANE)
        return dict(fx.derive(model).values)

    assert values(("M", 3.0))["M"] == values(("M", "3 kg"))["M"] == 3.0
    given = values(("3 kg", "0.5 kg*m**2"))
    assert (given["m_B"], given["I_B"]) == (3.0, 0.5)
    assert {"M", "J"} <= set(
        fx.derive(fx.frame(NODES, PORTAL, masses={"B": ("M", "J")}, section=PLANE)).lagrangian.parameters
    )


def test_a_frame_that_nothing_holds_floats() -> None:
    flat = fx.modes(fx.frame(NODES, PORTAL, section=PLANE), 5).frequencies
    assert flat[:3].tolist() == [0.0, 0.0, 0.0]
    assert flat[3] > 0
    members = {"a": ("A", "B"), "b": ("B", "C"), "c": ("C", "D"), "d": ("B", "E")}
    free = fx.modes(fx.frame(CUBE, members, section=SPACE), 8).frequencies
    assert free[:6].tolist() == [0.0] * 6
    assert free[6] > 0


def test_a_truss_of_rods_and_one_of_pinned_beams() -> None:
    """Two bars and a mass: K is the sum of EA/l e e', and the bars bend by themselves if they are beams."""
    nodes = {"L": (0, 0), "R": (2, 0), "T": (0.7, 1.1)}
    bars = {
        "a": ("L", "T", {"kind": "Rod", "EA": 2e4, "rho": 1e-9}),
        "b": ("T", "R", {"kind": "Rod", "EA": 3e4, "rho": 1e-9}),
    }
    model = fx.frame(nodes, bars, {"L": "pinned", "R": "pinned"}, masses={"T": 5.0})
    K = np.zeros((2, 2))
    for one, EA in (((0.7, 1.1), 2e4), ((-1.3, 1.1), 3e4)):
        length = math.hypot(*one)
        e = np.array(one) / length
        K += EA / length * np.outer(e, e)
    assert fx.modes(model, 2).frequencies == pytest.approx(np.sqrt(np.linalg.eigvalsh(K) / 5.0), rel=1e-8)
    beams = {"a": ("L", "T", {"pinned": "both"}), "b": ("T", "R", {"pinned": "both"})}
    pinned = fx.frame(nodes, beams, {"L": "pinned", "R": "pinned"}, section=PLANE)
    first = math.pi**2 * math.sqrt(PLANE["EI"] / PLANE["rho"]) / (1.3**2 + 1.1**2)
    assert fx.modes(pinned, 1).frequencies == pytest.approx([first], rel=0.05)


def test_what_all_members_say_is_left_out_where_a_kind_does_not_take_it() -> None:
    brace = ("A", "C", {"kind": "Rod", "EA": 2e3, "rho": 0.5})
    flat = fx.frame(NODES, {**PORTAL, "brace": brace}, {"A": "fixed", "D": "fixed"}, section=PLANE)
    rod = fx.Rod("brace", EA=2e3, rho=0.5, length=math.hypot(4, 3.5))
    same = fx.frame(NODES, {**PORTAL, "brace": ("A", "C", rod)}, {"A": "fixed", "D": "fixed"}, section=PLANE)
    assert fx.modes(flat, 4).frequencies == pytest.approx(fx.modes(same, 4).frequencies, rel=1e-12)
    with pytest.raises(fx.FlexuraError, match=r"brace \(Rod\) takes no 'EI'"):
        fx.frame(NODES, {**PORTAL, "brace": (*brace[:2], {**brace[2], "EI": 3.0})}, section=PLANE)
    with pytest.raises(fx.FlexuraError, match="takes no 'EII'"):
        fx.frame(NODES, {**PORTAL, "brace": brace}, section={**PLANE, "EII": 3.0})


def test_beams_pinned_at_both_ends_in_space_do_not_spin() -> None:
    nodes = {"A": (0, 0, 0), "B": (2, 0, 0), "C": (0, 0, 2), "T": (0.6, 1.5, 0.5)}
    members = {name: (name, "T", {"pinned": "both"}) for name in "ABC"}
    model = fx.frame(nodes, members, dict.fromkeys("ABC", "pinned"), masses={"T": 3.0}, section=SPACE)
    assert fx.modes(model, 3).frequencies.min() > 1
    assert fx.verify(fx.derive(model))


def test_names_as_coordinates() -> None:
    nodes = {"A": (0, 0), "B": (0, "h"), "C": ("b", "h"), "D": ("b", 0)}
    model = fx.frame(nodes, PORTAL, {"A": "fixed", "D": "fixed"}, section={"EI": "EI", "EA": "EA", "rho": "rho"})
    equations = fx.derive(model)
    values = {"b": 4.0, "h": 3.0, "EI": 37.0, "EA": 9e3, "rho": 1.3}
    square = {**NODES, "C": (4.0, 3.0)}
    other = frequencies(square, [(a, b, PLANE) for a, b in PORTAL.values()], {"A": range(6), "D": range(6)})
    assert fx.modes(equations, 4, values=values).frequencies == pytest.approx(other[:4], rel=1e-8)
    diagonal = fx.frame({"A": (0, 0), "B": ("a", "a")}, {"m": ("A", "B")}, {"A": "fixed"}, section=PLANE)
    assert str(diagonal.member("m").length) in ("sqrt(2)*a", "a*sqrt(2)")
    with_unit = fx.frame({"A": (0, 0), "B": ("300 mm", 0)}, {"m": ("A", "B")}, {"A": "fixed"}, section=PLANE)
    assert fx.derive(with_unit).values["length_m"] == pytest.approx(0.3)


def test_given_members_must_reach_from_node_to_node() -> None:
    beam = fx.TimoshenkoBeam("deep", EI=37.0, kGA=2e3, rho=1.3, rotary_inertia=0.02, EA=9e3, length=math.hypot(4, 0.5))
    model = fx.frame(NODES, {**PORTAL, "beam": ("B", "C", beam)}, {"A": "fixed", "D": "fixed"}, section=PLANE)
    assert model.member("beam") is beam
    assert fx.modes(model, 2).frequencies.min() > 0
    short = fx.EulerBernoulliBeam("short", length=4.0, **PLANE)
    with pytest.raises(fx.FlexuraError, match=r"beam is 4 long, but its nodes are 4\.03112887 apart"):
        fx.frame(NODES, {**PORTAL, "beam": ("B", "C", short)}, {"A": "fixed"}, section=PLANE)


def test_loads_and_outputs_by_the_names_of_nodes_and_members() -> None:
    model = fx.frame(
        NODES, PORTAL, {"A": "fixed", "D": "fixed"}, section=PLANE, loads={"B": {"x": "F"}, "beam": {"y": "f"}}
    )
    response = fx.frequency_response(
        fx.derive(model), [0.3], ["F", "f"], [fx.Motion(model.node("B"), along="x"), "y_C"]
    )
    back = fx.frame(NODES, PORTAL, {"A": "fixed", "D": "fixed"}, section=PLANE, loads={"C": {"y": "G"}})
    other = fx.frequency_response(fx.derive(back), [0.3], "G", "x_B")
    assert response.shape == (1, 2, 2)
    assert response[0, 1, 0] == pytest.approx(other[0], rel=1e-10)  # reciprocity: y_C from F at x_B
    moment = fx.frequency_response(fx.derive(model), [0.3], "F", fx.Internal(model.member("left"), 0, "moment"))
    assert abs(moment[0]) > 0
    with pytest.raises(fx.FlexuraError, match="no member called 'bean'; did you mean 'beam'"):
        model.member("bean")


def test_sections_and_materials_by_name() -> None:
    inside, outside = 0.054, 0.06
    tube = {"A": math.pi / 4 * (outside**2 - inside**2), "I": math.pi / 64 * (outside**4 - inside**4)}
    named = fx.frame(NODES, PORTAL, {"A": "fixed"}, section={"section": "tube 60x3 mm", "material": "steel"})
    plain = {"EA": 210e9 * tube["A"], "EI": 210e9 * tube["I"], "rho": 7850 * tube["A"]}
    by_hand = fx.frame(NODES, PORTAL, {"A": "fixed"}, section=plain)
    assert fx.modes(named, 3).frequencies == pytest.approx(fx.modes(by_hand, 3).frequencies, rel=1e-12)
    fx.materials["bamboo"] = fx.Material(E="17 GPa", G="1 GPa", rho="700 kg/m**3")
    fx.sections["pole"] = "round 80 mm"
    try:
        pole = fx.frame(
            {"a": (0, 0, 0), "b": (0, 2, 0)}, {"m": ("a", "b", "pole")}, {"a": "fixed"}, section={"material": "bamboo"}
        )
        second = math.pi * 0.08**4 / 64
        assert fx.derive(pole).values["GJ_m"] == pytest.approx(1e9 * 2 * second)
        assert fx.derive(pole).values["EIy_m"] == pytest.approx(17e9 * second)
    finally:
        del fx.materials["bamboo"], fx.sections["pole"]


def test_sections_have_the_moments_of_tables() -> None:
    """Areas and second moments from their integrals; torsion of a square bar 0.1406 a^4 (Timoshenko, Goodier)."""
    from flexura.parts.sections import section_of

    square, flat = section_of("square 10 mm"), section_of("rectangle 10x1000 mm")
    assert pytest.approx(0.140577 * 0.01**4, rel=1e-5) == square.J
    assert pytest.approx(1.0 * 0.01**3 / 3, rel=1e-2) == flat.J
    assert flat.Iz == pytest.approx(0.01 / 12)
    ipe, box = section_of("I 200x100x5.6x8.5 mm"), section_of("box 60x40x3 mm")
    assert (ipe.A, ipe.Iz, ipe.Iy) == pytest.approx((2724.8e-6, 1.8459e-5, 1.4194e-6), rel=1e-3)
    assert pytest.approx(564e-6) == box.A
    assert box.Iz == pytest.approx((60 * 40**3 - 54 * 34**3) / 12 * 1e-12)
    thin = section_of("box 100.1x100.1x0.1 mm")
    assert pytest.approx(0.1**3 * 0.0001, rel=1e-6) == thin.J


BAD: list[tuple[dict[str, Any], str]] = [
    ({"nodes": {**NODES, "E": (4.0, 3.5)}}, "nodes C and E are at the same place"),
    ({"nodes": {**NODES, "E": (9.0, 3.5)}}, "No member ends at the node E"),
    ({"nodes": {**NODES, "D": (4.0, 0.0, 1.0)}}, "node A has two coordinates and the node D has three"),
    ({"members": {**PORTAL, "brace": ("A", "A")}}, "brace runs from the node A to itself, so it has no length"),
    ({"members": {**PORTAL, "brace": ("A", "X")}}, "brace ends at the node 'X', which there is not"),
    ({"members": {**PORTAL, "brace": ("A", "C", {"pinned": "left"})}}, "brace is pinned='left'"),
    ({"members": {**PORTAL, "brace": ("A", "C", {"EIz": 3.0})}}, "brace .*takes no 'EIz'"),
    (
        {"members": {**PORTAL, "brace": ("A", "C", {"section": "pipe 60x3 mm", "material": "steel"})}},
        "'pipe 60x3 mm' is not",
    ),
    ({"members": {**PORTAL, "brace": ("A", "C", {"section": "tube 60x3", "material": "steel"})}}, "has no unit"),
    ({"members": {**PORTAL, "brace": ("A", "C", {"section": "tube 6x3 mm", "material": "steel"})}}, "make no tube"),
    (
        {"members": {**PORTAL, "brace": ("A", "C", {"section": "tube 60x3 mm", "material": "stel"})}},
        "did you mean 'steel'",
    ),
    ({"section": {"EI": 3.0}}, r"left \(EulerBernoulliBeam\) needs rho"),
    ({"supports": {"A": "clamped"}}, "support of the node A has 'clamped'"),
    ({"supports": {"Z": "fixed"}}, "supports names the node 'Z'"),
    ({"springs": {"B": 3.0}}, "springs of the node B are 3.0; give them by motion"),
    ({"loads": {"roof": {"y": "F"}}}, "loads names 'roof', which is no node and no member"),
    ({"supports": {"A": "pinned"}}, "mechanism: the node . can move along . together with"),
    (
        {
            "members": {name: (*one, {"pinned": "both"}) for name, one in PORTAL.items()},
            "supports": {"A": "pinned", "D": "pinned"},
        },
        "mechanism: the node [BC] can move along x together with",
    ),
]


@pytest.mark.parametrize(("changed", "sentence"), BAD, ids=[one[1][:30] for one in BAD])
def test_what_is_wrong_with_a_frame_is_told_in_a_sentence(changed: dict[str, Any], sentence: str) -> None:
    given: dict[str, Any] = {
        "nodes": NODES,
        "members": PORTAL,
        "supports": {"A": "fixed", "D": "fixed"},
        "section": PLANE,
    }
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.frame(**{**given, **changed})


def test_a_mechanism_that_is_held_as_advised_is_none() -> None:
    pinned = {name: (*one, {"pinned": "both"}) for name, one in PORTAL.items()}
    given: dict[str, Any] = {"supports": {"A": "pinned", "D": "pinned"}, "section": PLANE}
    braced = {**pinned, "brace": ("A", "C", {"pinned": "both"})}
    assert fx.modes(fx.frame(NODES, braced, **given), 1).frequencies[0] > 0
    assert fx.modes(fx.frame(NODES, pinned, springs={"B": {"x": 10.0}}, **given), 1).frequencies[0] > 0
    with pytest.raises(fx.FlexuraError, match="mechanism"):
        fx.frame(NODES, pinned, section=PLANE)  # floating as a whole is one thing, folding another


FILE = """
[parameters]
h = 3.0
[frame.nodes]
A = [0, 0]
B = [0, "h"]
C = [4.0, 3.5]
D = [4.0, 0]
[frame.members]
left = ["A", "B"]
beam = ["B", "C"]
right = ["D", "C", { pinned = "end" }]
[frame.section]
EI = 37.0
EA = 9e3
rho = 1.3
[frame.supports]
A = "fixed"
D = "pinned"
[frame.masses]
C = [2.0, 0.1]
[frame.springs]
B = { x = 10.0 }
[frame.loads]
B = { x = "F" }
[[loads]]
kind = "Force"
at = "beam.at(2.0)"
value = "G"
"""


def test_a_frame_in_a_model_file(tmp_path: Path) -> None:
    path = tmp_path / "portal.toml"
    path.write_text(FILE)
    model = fx.read_model(path)
    members = {**PORTAL, "right": ("D", "C", {"pinned": "end"})}
    same = fx.frame(NODES, members, {"A": "fixed", "D": "pinned"}, {"C": (2.0, 0.1)}, {"B": {"x": 10.0}}, section=PLANE)
    assert fx.modes(model, 5).frequencies == pytest.approx(fx.modes(same, 5).frequencies, rel=1e-10)
    assert set(fx.derive(model).lagrangian.inputs) == {"F", "G"}
    assert model.node("B").name == "B"
    path.write_text(FILE.replace('"D", "C", {', '"D", "X", {'))
    with pytest.raises(fx.FlexuraError, match=r"portal\.toml, line 12: The member right ends at the node 'X'"):
        fx.read_model(path)
    path.write_text(FILE.replace("[frame.springs]", "[frame.spings]"))
    with pytest.raises(fx.FlexuraError, match=r"line 22: The frame has 'spings'; did you mean 'springs'"):
        fx.read_model(path)


def test_loads_and_springs_at_every_node_of_a_long_frame() -> None:
    """Responses of another program's matrices, and one warning for all members that are held at both ends."""
    count = 24
    nodes = {f"n{i}": (0.8 * i, 0.6 * (i % 2)) for i in range(count + 1)}
    members = {f"m{i}": (f"n{i}", f"n{i + 1}") for i in range(count)}
    inner = [f"n{i}" for i in range(1, count)]
    k = {node: 3.0 + i for i, node in enumerate(inner)}
    loads, springs = {node: {"y": "F"} for node in inner}, {node: {"y": one} for node, one in k.items()}
    model = fx.frame(nodes, members, {"n0": "fixed", "n24": "fixed"}, None, springs, PLANE, loads=loads)
    with pytest.warns(UserWarning, match=r"The members m0, m1, m2 and 21 more are held along their axes") as told:
        equations = fx.derive(model)
    assert len(told) == 1
    omega = np.array([0.0, 0.7, 3.1])
    found = fx.frequency_response(equations, omega, "F", ["y_n5", "theta_n12"])
    M, K, number = matrices(nodes, [(a, b, PLANE) for a, b in members.values()], 9)
    for node, one in k.items():
        K[number[node, 1], number[node, 1]] += one
    held = {number[node, i] for node in ("n0", "n24") for i in range(6)}
    held |= {number[node, i] for node in nodes for i in (2, 3, 4)}
    kept = [i for i in range(len(M)) if i not in held]
    force = np.isin(kept, [number[node, 1] for node in inner]).astype(float)
    seen = [kept.index(number["n5", 1]), kept.index(number["n12", 5])]
    for w, row in zip(omega, found, strict=True):
        other = np.linalg.solve((K - w**2 * M)[np.ix_(kept, kept)], force)[seen]
        assert row == pytest.approx(other, rel=1e-7)
