"""A ride in a model file: the words of Python, written and read back."""

from __future__ import annotations

from pathlib import Path

import pytest

import flexura as fx

BRIDGE = """
[parts.bridge]
kind = "EulerBernoulliBeam"
EI = 4.0
rho = 0.7
length = 1.5

[parts.car]
kind = "Mass"
m = 0.6

[[connections]]
kind = "Pin"
between = ["ground", "bridge.start"]

[[connections]]
kind = "Pin"
between = ["ground", "bridge.end"]

[[connections]]
kind = "Ride"
between = ["{member}", "car"]
name = "s"
motion = "3*t"
{held}
"""


def written(folder: Path, held: str = "", member: str = "bridge") -> Path:
    path = folder / "bridge.toml"
    path.write_text(BRIDGE.format(held=held, member=member), encoding="utf-8")
    return path


@pytest.mark.parametrize("held", [True, False])
def test_a_ride_in_a_file_is_that_of_python(tmp_path: Path, held: bool) -> None:
    beam, car = fx.EulerBernoulliBeam("bridge", EI=4.0, rho=0.7, length=1.5), fx.Mass("car", 0.6)
    pins = fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)
    model = fx.Model(*pins, fx.Ride(beam, car, name="s", motion="3*t", held=held))
    read = fx.read_model(written(tmp_path, "" if held else "held = false"))
    again = fx.read_model(fx.write_model(model, tmp_path / "again.toml"))
    expected = fx.derive(model)
    for one in map(fx.derive, (read, again)):
        assert one.lagrangian.contacts == expected.lagrangian.contacts
        assert fx.equivalent(one, expected)


def test_a_ride_goes_along_a_member(tmp_path: Path) -> None:
    with pytest.raises(fx.FlexuraError, match="car"):
        fx.read_model(written(tmp_path, member="car"))
