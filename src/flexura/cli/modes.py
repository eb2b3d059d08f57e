"""`flexura modes`: natural frequencies and modes, exact and counted."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from flexura.cli.models import Picture, Rest, Values, linear, solvable
from flexura.cli.output import Json, Name, complex_data, document, heading, told

if TYPE_CHECKING:
    from flexura.solve.roots.found import Modes


class DrawnAs(StrEnum):
    """What a picture of modes shows."""

    shapes = "shapes"
    roots = "roots"


def modes(
    name: Name,
    count: Annotated[int, typer.Option(help="How many modes.", min=1)] = 8,
    value: Values = None,
    rest: Rest = False,
    json: Json = False,
    plot: Picture = None,
    drawn: Annotated[
        DrawnAs, typer.Option("--draw", help="Shapes in their places, or roots in the plane.")
    ] = DrawnAs.shapes,
) -> None:
    """Find natural frequencies and modes, with a certificate that none is missed."""
    from flexura.solve.modes import modes as solve

    model = solvable(name, value)
    equations = linear(model, rest)
    found = solve(equations, count, model.values)
    if plot is not None:
        from flexura.show.plot import plot as draw

        draw(found, plot, kind=str(drawn))
    if json:
        document(_data(found) | ({"picture": str(plot)} if plot else {}))
        return
    heading("Modes")
    told(found)
    if plot is not None:
        typer.echo(f"\n{plot}")


def _data(found: Modes) -> dict[str, object]:
    shapes = [found.shape(k) for k in range(len(found))]
    certificate = found.certificate
    return {
        "frequencies": found.frequencies.tolist(),
        "eigenvalues": [complex_data(s) for s in found.eigenvalues],
        "damping_ratios": found.damping_ratios.tolist(),
        "shapes": [{name: complex_data(one) for name, one in shape.coordinates.items()} for shape in shapes],
        "certificate": {
            "verified": certificate.verified,
            "below": certificate.below,
            "upto": certificate.upto,
            "unstable": certificate.unstable,
            "text": certificate.text,
        },
    }
