"""The public words: names, the order of their arguments and their defaults are a promise to users."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import flexura as fx

REQUIRED = inspect.Parameter.empty

PROMISED: dict[str, dict[str, Any]] = {
    # parts
    "Mass": {"name": REQUIRED, "m": REQUIRED},
    "RigidBody": {"name": REQUIRED, "m": REQUIRED, "I": REQUIRED},
    "EulerBernoulliBeam": {
        "name": REQUIRED, "EI": REQUIRED, "rho": REQUIRED, "length": REQUIRED, "EA": None, "axial_force": 0,
        "foundation": 0, "damping": 0, "internal_damping": 0, "field": None,
    },
    "TimoshenkoBeam": {"name": REQUIRED, "EI": REQUIRED, "kGA": REQUIRED, "rho": REQUIRED, "rotary_inertia": REQUIRED,
                       "length": REQUIRED},
    "Rod": {"name": REQUIRED, "EA": REQUIRED, "rho": REQUIRED, "length": REQUIRED},
    "Shaft": {"name": REQUIRED, "GJ": REQUIRED, "rotary_inertia": REQUIRED, "length": REQUIRED},
    "String": {"name": REQUIRED, "tension": REQUIRED, "rho": REQUIRED, "length": REQUIRED},
    "SpatialBeam": {"name": REQUIRED, "EA": REQUIRED, "EIy": REQUIRED, "EIz": REQUIRED, "GJ": REQUIRED,
                    "rho": REQUIRED},
    # connections and loads
    "Fixed": {"p": REQUIRED, "q": REQUIRED, "angle": 0, "about": "z"},
    "Pin": {"p": REQUIRED, "q": REQUIRED},
    "Roller": {"p": REQUIRED, "q": REQUIRED, "along": "x"},
    "Slide": {"p": REQUIRED, "q": REQUIRED, "along": "y", "name": None, "motion": None},
    "Revolute": {"p": REQUIRED, "q": REQUIRED, "about": "z", "name": None, "motion": None},
    "Free": {"p": REQUIRED, "q": REQUIRED, "names": None},
    "Spring": {"p": REQUIRED, "q": REQUIRED, "k": REQUIRED, "along": "y", "name": None},
    "Damper": {"p": REQUIRED, "q": REQUIRED, "c": REQUIRED, "along": "y", "name": None},
    "TorsionSpring": {"p": REQUIRED, "q": REQUIRED, "k": REQUIRED, "about": None},
    "TorsionDamper": {"p": REQUIRED, "q": REQUIRED, "c": REQUIRED, "about": None},
    "Force": {"p": REQUIRED, "value": REQUIRED, "along": "y", "name": None},
    "Torque": {"p": REQUIRED, "value": REQUIRED, "about": "z", "reaction": None, "name": None},
    "DistributedForce": {"member": REQUIRED, "value": REQUIRED, "along": "y", "name": None},
    "Gravity": {"g": 9.81, "along": "-y"},
    "Constraint": {"expression": REQUIRED},
    # equations
    "derive": {"system": REQUIRED, "method": "surrogate"},
    "equivalent": {"equations1": REQUIRED, "equations2": REQUIRED, "where": None},
    "verify": {"equations": REQUIRED},
    "accelerations": {"equations": REQUIRED, "state": REQUIRED, "t": 0, "inputs": None, "values": None},
    "mobility": {"equations": REQUIRED, "values": None, "about": None},
    # numbers
    "modes": {
        "equations": REQUIRED, "count": 10, "values": None, "method": "exact", "near": None, "order": None,
        "elements": None,
    },
    "frequency_response": {
        "equations": REQUIRED, "omega": REQUIRED, "load": REQUIRED, "output": REQUIRED, "values": None,
        "kind": "receptance",
    },
    "linearise": {"equations": REQUIRED, "about": None, "values": None},
    "equilibrium": {"equations": REQUIRED, "values": None},
    "campbell": {"equations": REQUIRED, "parameter": REQUIRED, "over": REQUIRED},
    "sensitivity": {"equations": REQUIRED},
    "buckling": {"equations": REQUIRED, "parameter": REQUIRED},
    "discretise": {"equations": REQUIRED, "values": None, "order": 8, "elements": 1, "basis": None},
    "simulate": {
        "equations": REQUIRED, "t": REQUIRED, "initial": None, "inputs": None, "values": None, "order": None,
        "elements": None,
    },
    "plot": {"result": REQUIRED},
    "animate": {"result": REQUIRED, "path": None},
    "report": {"system": REQUIRED, "path": REQUIRED},
    # finite elements on moving bodies
    "Section": {
        "E": REQUIRED, "G": REQUIRED, "rho": REQUIRED, "A": REQUIRED, "Iy": REQUIRED, "Iz": REQUIRED, "J": None,
        "ky": 5 / 6, "kz": 5 / 6,
    },
    "BeamFrame": {
        "nodes": REQUIRED, "elements": REQUIRED, "section": REQUIRED, "supports": ..., "bodies": ..., "springs": ...,
        "y_axis": None, "shear": True, "section_energy": "consistent",
    },
    "MovingFrame": {"omega": (0, 0, 0), "epsilon": (0, 0, 0), "a0": (0, 0, 0), "rotation": None},
    "moving_system": {"frame": REQUIRED, "body": REQUIRED, "t": 0, "geometric": True},
    # structures in operation
    "SecondOrderSystem": {
        "M": REQUIRED, "D": ..., "K": ..., "G": None, "H": None, "F": None, "nodes": None, "dofs": None,
    },
    "read_system": {"path": REQUIRED},
    "write_system": {"system": REQUIRED, "path": REQUIRED},
    "rigid_body_modes": {"system": REQUIRED},
    "operating_state": {
        "system": REQUIRED, "F": REQUIRED, "kind": "acceleration", "axis": None, "speed": None,
    },
    "reduce": {
        "system": REQUIRED, "F": REQUIRED, "order": REQUIRED, "method": "static_deformation", "tolerance": None,
        "band": None,
    },
}  # fmt: skip
"""name -> the leading arguments and their defaults; `...` is any default. What a first argument is called is ours."""


@pytest.mark.parametrize("word", PROMISED)
def test_the_word_takes_what_was_promised(word: str) -> None:
    found = list(inspect.signature(getattr(fx, word)).parameters.values())
    for i, (name, default) in enumerate(PROMISED[word].items()):
        assert found[i].name == name or (i == 0 and default is REQUIRED), f"argument {i} of fx.{word} is {found[i]}"
        assert default in (..., REQUIRED) or found[i].default == default, f"{name} of fx.{word} is {found[i].default!r}"
    rest = found[len(PROMISED[word]) :]
    assert all(one.default is not REQUIRED or one.kind in (one.VAR_KEYWORD, one.VAR_POSITIONAL) for one in rest)


@pytest.mark.parametrize("word", ["Model", "Mechanism", "Lagrangian", "Field", "Coordinate", "Parameter", "Member"])
def test_the_word_is_there(word: str) -> None:
    assert callable(getattr(fx, word))
