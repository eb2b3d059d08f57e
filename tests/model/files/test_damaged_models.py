"""Damaged model files, frames and documents of equations: only sentences come out. `make fuzz` damages many more."""

import json
import os
import tomllib
from contextlib import suppress

import pytest

import flexura as fx
from flexura.model.files.reading import model_of_text
from flexura.structures.moving.frame_file import frame_of_text
from fuzzing import damaged, damaged_tree, toml_text

CASES = int(os.environ.get("FLEXURA_FUZZ_CASES", "60"))

MODEL = """\
title = "Arm"
[parameters]
EI = 50.0
m = "3 kg"
[parts.hub]
kind = "RigidBody"
m = "m"
I = [1, 2.5, "3 kg*m**2"]
[parts.tip]
kind = "Mass"
m = 1
[parts.beam]
kind = "EulerBernoulliBeam"
EI = "EI*(1 - x/4)"
rho = 1.2
length = "1.3 m"
[[connections]]
kind = "Revolute"
between = ["ground", "hub"]
name = "theta"
[[connections]]
kind = "Fixed"
between = ["hub.at(0.1, 0)", "beam.start"]
[[connections]]
kind = "Fixed"
between = ["beam.end", "tip"]
[[connections]]
kind = "TorsionSpring"
between = ["ground", "hub"]
k = 2.0
[[loads]]
kind = "Torque"
at = "hub"
value = "tau"
[[loads]]
kind = "DistributedForce"
member = "beam"
value = "f(x)"
[gravity]
g = 9.81
along = "-y"
[names]
"beam.end" = ["w_tip", ""]
"""

FRAME = """\
[parameters]
l = 1.0
r = "10 mm"
[frame]
about = "x"
nodes = [[0, 0, 0], ["l/2", 0, 0], ["l", 0, 0]]
elements = [[0, 1], [1, 2]]
section = {E = "210 GPa", G = "81 GPa", rho = 7800, A = "pi*r**2", Iy = "pi*r**4/4", Iz = "pi*r**4/4"}
bodies = {1 = {m = "12 kg", I = [0.09, 0.045, 0.045]}}
bearings = {0 = ["x", "20 kN/mm"], 2 = ["x", "20 kN/mm"]}
supports = {0 = "u alpha"}
springs = {1 = {v = 100.0}}
"""


def document():
    w = fx.Field("w", length="l")
    q = fx.Coordinate("q")
    energies = fx.Lagrangian(
        kinetic="m*q_t**2/2", potential="k*q**2/2", density={w: "rho*w_t**2/2 - EI*w_xx**2/2"}, work={q: fx.Input("F")},
        boundary={w.at(0): q, w.slope(0): 0},
    )  # fmt: skip
    return fx.derive(energies).to_json()


def read_text(read, data):
    with suppress(UnicodeDecodeError):
        read(data.decode("utf-8"))


READERS = {
    "model": (MODEL, lambda data: read_text(lambda text: model_of_text(text, "arm.toml"), data)),
    "frame": (FRAME, lambda data: read_text(lambda text: frame_of_text(text, "shaft.toml"), data)),
    "equations": (document(), lambda data: read_text(lambda text: str(fx.Equations.from_json(text)), data)),
    "model with equations": (
        fx.derive(model_of_text(MODEL, "arm.toml")).to_json(),
        lambda data: read_text(fx.Equations.from_json, data),
    ),
}


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_text_gives_a_sentence(name):
    text, read = READERS[name]
    data, refused = text.encode(), 0
    read(data)
    for seed in range(CASES):
        try:
            read(damaged(data, seed))
        except fx.FlexuraError:
            refused += 1
    assert refused > CASES / 4


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_document_gives_a_sentence(name):
    """Entries of the wrong kind at the right place, which cuts and bits seldom give."""
    text, read = READERS[name]
    document, write = (json.loads(text), json.dumps) if text.startswith("{") else (tomllib.loads(text), toml_text)
    read(write(document).encode())
    refused = 0
    for seed in range(CASES):
        try:
            read(write(damaged_tree(document, seed)).encode())
        except fx.FlexuraError:
            refused += 1
    assert refused > CASES / 4
