"""Curves that drive prescribed motions from outside: numbers at each time, symbols where a system is traced.

>>> driving = Driving(layout)
>>> driving.symbols, driving(0.5)        # (zr, zr_t, zr_tt), [0.01, 0.2, -3.0]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretisation.layout import Unknowns
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Symbol
from flexura.symbolic.jets import Jet

Array = NDArray[Any]


class Driving:
    """The curves of one layout, each a symbol with two rates."""

    def __init__(self, layout: Unknowns) -> None:
        energies = layout.energies
        held = {jet.name for f in energies.prescribed.values() for jet in layout.inputs(layout.numbers.tree(f))}
        curves = energies.driving or {}
        idle = sorted(held - set(curves))
        if idle:
            moved = [name for name, f in energies.prescribed.items() if Symbol(idle[0]) in f.free_symbols]
            raise FlexuraError(
                f"The prescribed motion of {moved[0]} holds the input {idle[0]}, which nothing gives",
                advice=f"give it to fx.simulate: inputs={{{idle[0]!r}: ...}}, as text in t, a function or a record",
            )
        self.curves = {name: curves[name] for name in sorted(held)}
        self.symbols: list[Symbol] = [Jet(name, t=k).symbol for name in self.curves for k in range(3)]

    def __call__(self, t: Any) -> Array:
        """Values and two rates of each: (..., 3 curves)."""
        if isinstance(t, symengine.Basic):
            return np.array(self.symbols, dtype=object)
        if not self.curves:
            return np.zeros((*np.shape(t), 0))
        if isinstance(t, float):
            return np.concatenate([curve(t) for curve in self.curves.values()])
        return np.concatenate([np.moveaxis(curve(t), 0, -1) for curve in self.curves.values()], axis=-1)
