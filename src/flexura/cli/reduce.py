"""`flexura reduce` and `flexura state`: structures in operation, from files of matrices or from models.

$ flexura state plate.npz --load F --plot state.png
$ flexura reduce plate.npz --load F --order 6 --write small.npz
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import typer

from flexura.cli.models import Picture, Values, linear, solvable
from flexura.cli.output import Json, document, heading
from flexura.display import Table
from flexura.errors import FlexuraError

if TYPE_CHECKING:
    from flexura.structures.operating.state import OperatingState
    from flexura.systems.second_order import SecondOrderSystem

Matrices: TypeAlias = Annotated[
    str,
    typer.Argument(
        help="A file of matrices (.npz, .mat, .mtx, .rsa, .op4, .dmig), a model file (.toml), or an example's name.",
        metavar="SYSTEM",
        show_default=False,
    ),
]
Loads: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--load", help="A load of the system, or a row for a unit load on it; may be repeated. All, if none."),
]


def reduce(
    name: Matrices,
    load: Loads = None,
    order: Annotated[
        int | None, typer.Option(help="Elastic modes for each load; rigid modes are extra.", min=0)
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option(help="Add modes until the error in the band is below this.")
    ] = None,
    band: Annotated[float | None, typer.Option(help="The highest frequency that matters, in rad/s.")] = None,
    value: Values = None,
    write: Annotated[
        Path | None, typer.Option(help="Write the reduced system to this file.", show_default=False)
    ] = None,
    json: Json = False,
    plot: Picture = None,
) -> None:
    """Reduce a system to rigid motions and the first modes around its static deformation."""
    import numpy as np

    from flexura.structures.operating.reduction import reduce as solve

    system = _system(name, value)
    order = 6 if order is None and tolerance is None else order
    small = solve(system, _loads(system, load), order, tolerance=tolerance, band=band)
    found = np.sqrt(np.maximum(np.linalg.eigvalsh(small.K), 0.0)) if small.n else np.zeros(0)
    points = np.linspace(0.1, 1.0, 10) * (band or 0.5 * (found[found > 0].min() if (found > 0).any() else 1.0))
    errors = np.asarray(small.error(points))
    if write is not None:
        from flexura.systems.matrix_files import write_system

        write_system(small.with_(nodes=None), write)
    if plot is not None:
        from flexura.show.plot import plot as draw

        draw(small, plot)
    made = {key: str(one) for key, one in (("written", write), ("picture", plot)) if one is not None}
    if json:
        data = {"size": system.n, "reduced": small.n, "names": list(small.names), "frequencies": found.tolist()}
        document(data | {"omega": points.tolist(), "error": errors.tolist()} | made)
        return
    heading(f"{system.n} degrees of freedom reduced to {small.n}")
    rows = [(f"{w:.6g}", f"{e:.1e}") for w, e in zip(points, errors, strict=True)]
    typer.echo(str(Table(("rad/s", "error"), rows)))
    for one in made.values():
        typer.echo(f"\n{one}")


def state(
    name: Matrices,
    kind: Annotated[str, typer.Option(help="acceleration, velocity, rotation or torque.")] = "acceleration",
    load: Loads = None,
    axis: Annotated[str | None, typer.Option(help="x, y, z, or three numbers with commas.", show_default=False)] = None,
    speed: Annotated[float | None, typer.Option(help="Of a rotation, in rad/s.")] = None,
    instantaneous: Annotated[bool, typer.Option("--instantaneous", help="Allow a load that turns.")] = False,
    value: Values = None,
    json: Json = False,
    plot: Picture = None,
    vtu: Annotated[Path | None, typer.Option(help="Write the deformation for ParaView.", show_default=False)] = None,
) -> None:
    """Find the deformation of a structure that moves steadily as a whole."""
    from flexura.structures.operating.states import operating_state

    system = _system(name, value)
    F = None if kind == "rotation" and load is None else _loads(system, load).sum(axis=1)
    found = operating_state(system, F, kind, _axis(axis), speed, instantaneous=instantaneous)
    if plot is not None:
        from flexura.show.plot import plot as draw

        draw(found, plot)
    if vtu is not None:
        from flexura.exports.vtu import write_vtu

        write_vtu(found, vtu)
    if json:
        document(_data(found))
        return
    typer.echo(str(found))


def _system(name: str, value: list[str] | None) -> SecondOrderSystem:
    from flexura.systems.second_order import SecondOrderSystem

    path = Path(name)
    if path.suffix and path.suffix != ".toml":
        from flexura.systems.matrix_files import read_system

        return read_system(path)
    from flexura.solve.discretise import discretise

    model = solvable(name, value)
    made = discretise(linear(model, rest=False), model.values)
    if not isinstance(made, SecondOrderSystem):
        raise FlexuraError(f"{name} is not linear, so it has no matrices", advice="linearise it first")
    return made


def _loads(system: SecondOrderSystem, names: list[str] | None) -> Any:
    import numpy as np

    if not names and system.F is None:
        raise FlexuraError("The system holds no loads", advice="name a row with --load to put a unit load on it")
    columns = []
    for one in names or system.input_names:
        if one in system.input_names:
            columns.append(np.asarray(system.F).reshape(system.n, -1)[:, system.input_names.index(one)])
        elif one in system.names:
            columns.append(np.eye(1, system.n, system.names.index(one))[0])
        else:
            known = ", ".join([*system.input_names, *system.names][:8])
            raise FlexuraError(f"The system has no load or row {one!r}", advice=f"it has {known}, ...")
    return np.column_stack(columns)


def _axis(text: str | None) -> Any:
    if text is None or "," not in text:
        return text
    try:
        return [float(one) for one in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"--axis takes x, y, z or three numbers like 1,0,1; {text!r} is not that.") from None


def _data(found: OperatingState) -> dict[str, Any]:
    rate = found.rate if isinstance(found.rate, float) else [float(one) for one in found.rate]
    return {
        "kind": found.kind,
        "motion": dict(found.motion),
        "rate": rate,
        "reactions": dict(found.reactions),
        "deformation": found.deformation.tolist(),
        "residual": found.residual,
        "notes": list(found.notes),
    }
