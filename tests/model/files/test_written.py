"""Models are written as files that read back as the same models: same equations, values and warnings, word for word."""

import dataclasses
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.model.files.reading import model_of_text
from flexura.model.files.written import model_text
from random_models import models

EXAMPLES = Path(__file__).parents[3] / "examples"
MODELS = [path for path in sorted(EXAMPLES.glob("**/*.toml")) if path.parent.name != "moving"]


def same(model, again):
    """The same energies, conditions, names and numbers, to the last bit."""
    one, other = model.lagrangian, again.lagrangian
    for held in dataclasses.fields(one):
        if held.compare and held.name != "parameters":
            assert getattr(other, held.name) == getattr(one, held.name), held.name
    known = [{name: told.value for name, told in energies.parameters.items()} for energies in (one, other)]
    assert known[0] == known[1]


def written(model):
    """Its text, or why there is none."""
    try:
        return model_text(model)
    except fx.FlexuraError as error:
        return error


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=8)
@given(models(size=(2, 3), wide=True))
def test_random_models_come_back_as_they_were(drawn):
    text = written(drawn.model)
    if isinstance(text, fx.FlexuraError):
        assert "a joint without a name" in str(text)
    else:
        same(drawn.model, model_of_text(text))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_files_come_back_as_they_were(path):
    model = fx.read_model(path)
    same(model, model_of_text(model_text(model)))


def test_every_kind_of_quantity_keeps_its_words(tmp_path):
    l = fx.Parameter("l", 1.3)
    beam = fx.EulerBernoulliBeam("beam", EI=("EI", 50.0), rho=fx.exp(-fx.x / l) + 1, length=l, damping="0.3 kg/m/s")
    hub = fx.RigidBody("hub", m=np.float64(0.1) * 3, I=np.diag([0.1, 0.2, 0.3]))
    model = fx.Model(
        fx.Free(fx.ground, hub, names=("X", "Y", "Z", "a", "b", "c")),
        fx.Fixed(hub.at(l / 4, 0.1), beam.start, angle="30 deg", about=(0, 0, 2)),
        fx.DistributedForce(beam, "2*f(x, t)*sin(3*t)", name="wind"),
        fx.Spring(fx.ground.at(1, 2), beam.at(0.25), law="k*s + k3*s**3", along="line"),
        fx.Force(beam.end, "-P", along="-x", axes=beam.end),
        fx.Torque(hub, "tau - 3*z", name="motor"),
        fx.State("z", "X - z/T", initial=0.5),
        fx.Gravity("9.81 m/s**2", along=(0, -1, 0)),
        foreshortening=False,
    )
    path = fx.write_model(model, tmp_path / "machine.toml", title='A "machine" of é')
    same(model, fx.read_model(path))
    assert tomllib.loads(path.read_text(encoding="utf-8"))["title"] == 'A "machine" of é'


def test_what_a_file_cannot_say_is_told_and_nothing_is_written(tmp_path):
    class Cable(fx.Member):
        def __init__(self, name, P, length):
            (P,) = self.quantities(name, P=P)
            v = fx.Field(f"v_{name}", length=length)
            super().__init__(name, fields=(v,), potential=P * v.x**2 / 2, ends={"transverse": v}, kinetic=v.t**2 / 2)

    path = tmp_path / "machine.toml"
    with pytest.raises(fx.FlexuraError, match="no word for Cable"):
        fx.write_model(fx.Model(Cable("c", 1.0, 1.0)), path)
    mass = fx.Mass("m", 1.0)
    controlled = fx.Model(fx.Slide(fx.ground, mass), fx.Force(mass, "u"), fx.Sampled(0.1, lambda t, seen: 0.0, "u"))
    with pytest.raises(fx.FlexuraError, match="no word for Sampled"):
        fx.write_model(controlled, path)
    with pytest.raises(fx.FlexuraError, match="is no model"):
        fx.write_model(fx.derive(fx.Model(fx.Slide(fx.ground, mass), fx.Spring(fx.ground, mass, 1.0))), path)
    with pytest.raises(fx.FlexuraError, match=r"write machine\.toml"):
        fx.write_model(fx.Model(mass), tmp_path / "machine.txt")
    assert list(tmp_path.iterdir()) == []


@st.composite
def frames(draw):
    """Frames of nodes with every word that fx.frame takes, numbers, names, units and formulas among them."""
    spatial = draw(st.booleans())
    bars = {"EI": ("EI", 50.0), "EA": 9e3, "rho": "2 kg/m"}
    in_space = {"EIy": 50.0, "EIz": "b*h", "GJ": 40.0, "EA": 9e3, "rho": 1.2, "rotary_inertia": 0.01}
    material = {"section": "tube 60x3 mm", "material": "steel"}
    heights = draw(st.lists(st.floats(0.5, 3.0), min_size=2, max_size=2))
    nodes = {"A": (0, 0), "B": (0, heights[0]), "C node": (2.5, heights[1]), "D": ("2500 mm", 0)}
    if spatial:
        nodes = {name: (*at, i) for i, (name, at) in enumerate(nodes.items())}
    pins = st.sampled_from([None, {"pinned": "end"}, {"pinned": "start", **material}])
    members = {
        "AB": ("A", "B"),
        "BC": ("B", "C node", draw(pins)),
        "CD": ("C node", "D", {"rho": draw(st.floats(1, 9))}),
    }
    chosen = draw(st.sampled_from([in_space if spatial else bars, material]))
    return fx.frame(
        nodes,
        members,
        supports={"A": "fixed", "D": draw(st.sampled_from(["pinned", "fixed", "x y"])) if not spatial else "fixed"},
        masses=draw(st.sampled_from([{}, {"B": 3.0}, {"B": ("m", 0.2)}, {"C node": ["2 kg", "0.1 kg*m^2"]}])),
        springs=draw(st.sampled_from([{}, {"B": {"y": "100 N/m"}}, {"B": {"x": 10.0, "theta": "kt"}}])),
        dampers=draw(st.sampled_from([{}, {"C node": {"x": 4.0}}])),
        loads=draw(st.sampled_from([{}, {"B": {"y": "F"}}, {"AB": {"y": "f(x)"}}, {"B": {"x": "3*cos(2*t)"}}])),
        section=chosen,
    )


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=12)
@given(frames())
def test_frames_of_nodes_come_back_as_they_were(model):
    again = model_of_text(model_text(model))
    same(model, again)
    assert (list(again.nodes), list(again.members)) == (list(model.nodes), list(model.members))


def test_what_a_frame_in_a_file_cannot_say_is_told(tmp_path):
    nodes, section = {"A": (0, 0), "B": (1, 0)}, {"EI": 1.0, "rho": 1.0}
    beam = fx.EulerBernoulliBeam("AB", EI=1.0, rho=1.0, length=1.0)
    refused = {
        r"member AB was given as a part": fx.frame(nodes, {"AB": ("A", "B", beam)}, {"A": "fixed"}),
        r"no word for 1 among the nodes": fx.frame(
            {1: (0, 0), 2: (1, 0)}, {"m": (1, 2)}, {1: "fixed"}, section=section
        ),
    }
    for words, model in refused.items():
        with pytest.raises(fx.FlexuraError, match=words):
            fx.write_model(model, tmp_path / "frame.toml")
    assert not list(tmp_path.iterdir())
