"""`flexura sweep`: frequencies over a grid of parameters, on all cores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from flexura.cli.models import Rest, Solvable, Values, linear, solvable
from flexura.cli.output import Json, Name, document
from flexura.errors import FlexuraError


@dataclass(frozen=True)
class ModesQuestion:
    """The lowest frequencies of a model with some of its parameters at other values."""

    model: Solvable
    count: int
    rest: bool

    def __call__(self, **parameters: float) -> dict[str, Any]:
        """Frequencies in rad/s, and the largest real part of their eigenvalues."""
        from flexura.solve.modes import modes

        model = Solvable(self.model.equations, {**self.model.values, **parameters})
        found = modes(linear(model, self.rest), self.count, model.values)
        return {"omega": found.frequencies, "growth": float(found.eigenvalues.real.max(initial=0.0))}


def sweep(
    name: Name,
    over: Annotated[
        list[str],
        typer.Option(
            "--over",
            help="A parameter and its values: EI=10:100:10 (first:last:count) or m=1,2,5; may be repeated.",
            metavar="NAME=VALUES",
            show_default=False,
        ),
    ],
    modes: Annotated[int, typer.Option(help="How many modes at each point.", min=1)] = 3,
    value: Values = None,
    rest: Rest = False,
    workers: Annotated[
        int | None, typer.Option(help="Processes; as many as cores if left out.", min=1, show_default=False)
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write the table: .csv, .parquet, .nc, .json.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", help="Keep answers in this file, and go on from it.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Ask for the lowest modes at every point of a grid of parameters."""
    from flexura.solve.sweep import sweep as ask

    grid = dict(_values(one) for one in over)
    if len(grid) < len(over):
        raise typer.BadParameter("--over names one parameter twice.")
    if save is not None:
        from flexura.exports.registry import check_export

        check_export(save)
    model = _with_places(name, value, grid)
    found = ask(ModesQuestion(model, modes, rest), grid, workers=workers, path=resume)
    if save is not None:
        from flexura.exports.registry import export

        export(found, save)
    if json:
        document(_data(found) | ({"file": str(save)} if save else {}))
        return
    _print(found)
    if save is not None:
        typer.echo(f"\n{save}")


def _with_places(name: str, value: list[str] | None, grid: dict[str, list[float]]) -> Solvable:
    """The model, whose swept parameters need no value of their own."""
    first = [f"{parameter}={values[0]!r}" for parameter, values in grid.items()]
    model = solvable(name, [*(value or ()), *first])
    unknown = [one for one in grid if one not in model.equations.lagrangian.parameters]
    if unknown:
        known = ", ".join(model.equations.lagrangian.parameters)
        raise FlexuraError(f"There is no parameter {unknown[0]!r} to sweep over", advice=f"the model has {known}")
    return model


def _values(text: str) -> tuple[str, list[float]]:
    """EI=10:100:10 or m=1,2,5."""
    import numpy as np

    name, equals, values = text.partition("=")
    try:
        if not equals or not name.strip():
            raise ValueError
        if ":" not in values:
            return name.strip(), [float(one) for one in values.split(",")]
        first, last, count = values.split(":")
        if int(count) < 1:
            raise ValueError
        return name.strip(), [float(one) for one in np.linspace(float(first), float(last), int(count))]
    except ValueError:
        raise typer.BadParameter(f"--over takes NAME=first:last:count or NAME=a,b,c; {text!r} is not that.") from None


def _data(found: Any) -> dict[str, Any]:
    import numpy as np

    def plain(row: Any) -> Any:
        return [None if np.isnan(one) else float(one) for one in row]

    count = len(found)
    empty = np.full((count, 0), np.nan)
    omega = found["omega"].reshape(count, -1) if "omega" in list(found) else empty
    rows = [
        {**point, "frequencies": plain(row), **({"error": found.errors[i]} if i in found.errors else {})}
        for i, (point, row) in enumerate(zip(found.points, omega, strict=True))
    ]
    return {"over": {name: list(one) for name, one in (found.over.grid or {}).items()}, "points": rows}


def _print(found: Any) -> None:
    typer.echo(str(found))
    grows = sum(1 for one in found.columns().get("growth", ()) if one > 0)
    if grows:
        typer.echo(f"\nUNSTABLE at {grows} of {len(found)} points.")
