"""`flexura new`: a model file to start from, with a word on everything in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.output import Json, document
from flexura.errors import FlexuraError
from flexura.files.writing import replacing

STARTER = """\
# A model of flexura: parts, what connects them, and what acts on them.
#   flexura draw {name}        look at it
#   flexura derive {name}      its equations of motion
#   flexura modes {name}       natural frequencies, counted so that none is missed
#   flexura simulate {name} --input "F=Piecewise((1, t < 0.1), (0, True))"
title = "A beam with a mass at its end"

# Names and their values. A number may carry a unit, which is checked where the name is used.
[parameters]
EI = 50.0
l = "1.3 m"

# Parts: bodies (Mass, RigidBody) and members (EulerBernoulliBeam, TimoshenkoBeam, Rod, Shaft, String, ...).
# A property is a name, a number, a number with a unit, or an expression in names and x, the distance from the start.
[parts.beam]
kind = "EulerBernoulliBeam"
EI = "EI"
rho = "1.2 kg/m"
length = "l"
internal_damping = 1e-4

[parts.tip]
kind = "Mass"
m = 0.4

# Connections between two places: "ground", a body, a point of it, "beam.start", "beam.end", "beam.at(l/2)".
# Fixed, Pin and Roller hold; Slide, Revolute and Free let go far; Spring and Damper act between places.
[[connections]]
kind = "Fixed"
between = ["ground", "beam.start"]

[[connections]]
kind = "Fixed"
between = ["beam.end", "tip"]

[[connections]]
kind = "Spring"
between = ["ground", "tip"]
k = "200 N/m"

# Loads. A bare name is an input: it needs no value until the motion is simulated.
[[loads]]
kind = "Force"
at = "tip"
value = "F"
"""


def new(
    path: Annotated[Path, typer.Argument(help="The model file to write.")] = Path("model.toml"), json: Json = False
) -> None:
    """Write a commented model file to start from."""
    if path.suffix != ".toml":
        raise FlexuraError(f"A model file ends in .toml, and {path} does not", advice=f"write {path.stem}.toml")
    if path.exists():
        raise FlexuraError(f"{path} is there already", advice="choose another name; nothing was written")
    with replacing(path) as unfinished:
        unfinished.write_text(STARTER.format(name=path.name), encoding="utf-8", newline="\n")
    if json:
        document({"path": str(path)})
    else:
        typer.echo(path)
