"""Cross sections of bars: elasticity, density, area and moments, constant or varying along the element.

>>> steel = Section(E="210 GPa", G="81 GPa", rho=7850.0, A=1e-4, Iy=8e-10, Iz=8e-10)
>>> tapered = Section(E=2.1e11, G=8.1e10, rho=7850.0, A="1e-4*(1 - x/4)", Iy=8e-10, Iz=8e-10)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, Symbol, exact
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import quantity

Array = NDArray[np.float64]

_UNITS = {"E": "Pa", "G": "Pa", "rho": "kg/m**3", "A": "m**2", "Iy": "m**4", "Iz": "m**4", "J": "m**4"}


@checked_methods
@dataclass(frozen=True)
class Section:
    """Young's and shear modulus, volume density, area, second moments about the section's y and z, torsion constant.

    `Iz` resists bending in the x-y plane (v), `Iy` in the x-z plane (w). `J` is the torsion constant, Iy + Iz if not
    given; the polar moment of the inertia is always Iy + Iz. `ky`, `kz` are the shear factors of v and w. Each is a
    number, a number with a unit, an array with one value for each element, or varies with x, the distance from the
    element's first node: an expression in x or a callable of x. `start` is the x at the element's first node.
    """

    E: Any
    G: Any
    rho: Any
    A: Any
    Iy: Any
    Iz: Any
    J: Any = None
    ky: Any = 5 / 6
    kz: Any = 5 / 6
    start: float = 0.0

    def __post_init__(self) -> None:
        """Read each property once; a callable of x stays one."""
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name != "start" and value is not None:
                object.__setattr__(self, one.name, _read(value, one.name))

    @property
    def varies(self) -> bool:
        """Whether a property varies along the element."""
        return any(callable(getattr(self, one.name)) for one in fields(self))

    def at(self, name: str, x: Array) -> Array:
        """A property at the distances x (elements, points) from the first nodes."""
        if name == "J" and self.J is None:
            return self.at("Iy", x) + self.at("Iz", x)
        value = getattr(self, name)
        if callable(value):
            return np.broadcast_to(np.asarray(value(x + self.start), dtype=np.float64), x.shape)
        return np.broadcast_to(np.reshape(value, (-1, 1)), x.shape)

    def later(self, x: float) -> Section:
        """The section of an element that begins at x on this one."""
        return replace(self, start=self.start + x) if self.varies else self


def _read(value: Any, name: str) -> Any:
    if callable(value):
        return value
    if isinstance(value, np.ndarray) and value.ndim:
        if value.ndim != 1 or value.dtype.kind not in "biuf" or not np.all(np.isfinite(value)):
            raise FlexuraError(
                f"The {name} of the section is an array of shape {value.shape} or holds values that are not finite",
                advice="give one finite number for each element",
                part="section",
                keyword=name,
            )
        return value.astype(np.float64)
    read = quantity(value, name, "section", dimension=_UNITS.get(name), spine=True)
    known = {one.name: one.value for one in read.declarations if isinstance(one, ParameterDeclaration)}
    missing = sorted(one for one in known if known[one] is None)
    if missing:
        raise FlexuraError(
            f"The {name} of the section holds {', '.join(missing)}, which has no value",
            advice=f"a section takes numbers, so write {name} with numbers and x only",
            part="section",
            keyword=name,
            missing=tuple(missing),
        )
    formula = read.engine.xreplace({Symbol(one): exact(number) for one, number in known.items() if number is not None})
    return _along(formula) if SPINE in formula.free_symbols else float(formula)


def _along(formula: Any) -> Callable[[Array], Array]:
    numeric = machine_function([SPINE], [formula])

    def value(x: Array) -> Array:
        points = np.asarray(x, dtype=np.float64)
        return np.asarray(numeric(points.reshape(-1, 1)), dtype=np.float64).reshape(points.shape)

    return value
