"""Answers are compared as objects: == and hash never look into the arrays that they hold."""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import flexura as fx

ROOMS = ("solve", "systems", "structures", "discretisation")
ARRAYS = ("Array", "Complex", "Flags", "Ints")


def answers() -> Iterator[type]:
    """Public data classes, and those that are mappings, of the rooms that hold numbers."""
    public = Path(inspect.getfile(fx)).with_suffix(".pyi").read_text(encoding="utf-8").split()
    for module in pkgutil.walk_packages(fx.__path__, "flexura."):
        if module.name.split(".")[1] in ROOMS:
            for one in vars(importlib.import_module(module.name)).values():
                own = inspect.isclass(one) and one.__module__ == module.name and dataclasses.is_dataclass(one)
                if own and (one.__name__ in public or issubclass(one, Mapping)):
                    yield one


def compares_arrays(one: type) -> bool:
    """Whether == of two of them, or hash, would ask arrays."""
    held = [str(field.type) for field in dataclasses.fields(one) if field.compare]
    return one.__eq__ is not object.__eq__ and any(word in text for text in held for word in ARRAYS)


def test_no_answer_compares_arrays() -> None:
    every = list(answers())
    assert {fx.Modes, fx.Trajectory, fx.Campbell, fx.Whirl, fx.Flexibility} <= {*every}
    assert [one.__qualname__ for one in every if compares_arrays(one)] == []
    mappings = [one for one in every if issubclass(one, Mapping)]
    assert [one.__qualname__ for one in mappings if one.__hash__ is not object.__hash__] == []


def test_answers_are_equal_to_themselves_alone() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    system = fx.SecondOrderSystem([[1.0]], None, [[4.0]], F=[1.0])
    runs = [fx.simulate(model, [0, 0.1], inputs={"F": 1.0}, order=3) for _ in range(2)]
    modes = [fx.modes(model, 2) for _ in range(2)]
    pairs = [
        modes,
        runs,
        [one.energy for one in runs],
        [one.shape(1) for one in modes],
        [one.histories for one in runs],
    ]
    pairs.append([fx.modes(system, 1) for _ in range(2)])
    for first, second in pairs:
        assert first == first
        assert first != second
        assert second in [first, second]
        assert {first: 1, second: 2}[second] == 2
