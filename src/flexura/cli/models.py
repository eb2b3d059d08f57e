"""What MODEL means to a command: a TOML file, or a built-in example; and how numbers are given to it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import typer

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_at
from flexura.derivation.linearise import linearise
from flexura.derivation.routes import derive
from flexura.derivation.state import NoEquilibrium
from flexura.errors import FlexuraError
from flexura.gallery import EXAMPLES, example
from flexura.gallery import title as example_title
from flexura.gallery.values import values as example_values

Values: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--value", "-v", help="A number for a name, like EI=50 or l='1.3 m'; may be repeated.", metavar="NAME=NUMBER"
    ),
]
Picture: TypeAlias = Annotated[
    Path | None, typer.Option("--plot", help="Draw it into this file: .png, .svg or .pdf.", show_default=False)
]
Rest: TypeAlias = Annotated[
    bool, typer.Option("--rest", help="Linearise about the equilibrium that is found, instead of zero.")
]


@dataclass(frozen=True)
class Solvable:
    """Equations with the numbers to solve them."""

    equations: Equations
    values: dict[str, Any]


def system(name: str) -> Any:
    """The model in a file that ends in .toml, or the example of that name."""
    if name.endswith(".toml"):
        from flexura.model.files.reading import read_model

        return read_model(name)
    if name not in EXAMPLES:
        raise FlexuraError(
            f"There is no example called {name!r}, and a model file ends in .toml",
            advice=f"the examples are {', '.join(EXAMPLES)}",
        )
    return example(name)


def title(name: str) -> str:
    """What a model calls itself."""
    if name.endswith(".toml"):
        from flexura.model.files.reading import title_of

        return title_of(name)
    return example_title(name).rstrip(".")


def solvable(name: str, given: Iterable[str] | None, vary: str = "") -> Solvable:
    """Derive, and gather the numbers: an example's own, those of the file, and those of the command.

    A parameter to `vary` needs no value.
    """
    equations = derive(system(name))
    known = {*equations.lagrangian.parameters, *equations.lagrangian.inputs}
    own = {key: one for key, one in example_values(name).items() if key in known}
    values = {**own, **dict(number_pair(one) for one in given or ())}
    _complete(equations, {vary: 0.0, **values} if vary in equations.lagrangian.parameters else values)
    return Solvable(equations, values)


def linear(model: Solvable, rest: bool) -> Equations:
    """The linear equations of a model about zero, or about the equilibrium that is found."""
    numbers = {name: one for name, one in model.values.items() if name not in model.equations.lagrangian.inputs}
    if rest:
        from flexura.solve.equilibrium import equilibrium

        every = {**model.equations.values, **numbers}
        return linearise(model.equations, about=equilibrium(model.equations, every), values=every)
    try:
        return linear_at(model.equations, numbers)
    except NoEquilibrium as error:
        raise error.with_(advice="add --rest to linearise about the equilibrium that is found") from None


def _complete(equations: Equations, values: dict[str, Any]) -> None:
    """Say what is missing in the words of the command."""
    from flexura.solve.values import numbers

    try:
        numbers(equations, values)
    except FlexuraError as error:
        if not error.missing:
            raise
        options = " ".join(f"--value {name}=NUMBER" for name in error.missing)
        raise error.with_(advice=f"give {options}") from None


def number_pair(text: str) -> tuple[str, Any]:
    """A name and its number, from NAME=NUMBER."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise typer.BadParameter(f"--value takes NAME=NUMBER, like EI=50; {text!r} is not that.")
    try:
        return name.strip(), float(value)
    except ValueError:
        return name.strip(), value.strip().strip("'\"")
