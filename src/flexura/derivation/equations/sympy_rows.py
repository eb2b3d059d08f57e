"""Rows as SymPy equations: end values as Subs, integrals along the spine as Integral."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy

from flexura.derivation.equations.rows import Row, Sum
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.sympy_form import SympyForm, x


def sympy_form(energies: Lagrangian) -> SympyForm:
    """The SymPy form of a system's symbols."""
    places = {name: (one.start, one.end) for one in energies.spines for name in (one.name, *one.fields)}
    return SympyForm(energies.jets, places)


def rows_to_sympy(rows: Iterable[Row], energies: Lagrangian) -> tuple[Any, ...]:
    """One SymPy Eq for each row."""
    form = sympy_form(energies)
    return tuple(
        sympy.Eq(_side(row.left, energies, form), _side(row.right, energies, form), evaluate=False) for row in rows
    )


def _side(side: Sum, energies: Lagrangian, form: SympyForm) -> Any:
    result = form.tree(side.local)
    for spine in energies.spines:
        if spine.name in side.integrals:
            limits = (x, form.tree(spine.start), form.tree(spine.end))
            result += sympy.Integral(form.tree(side.integrals[spine.name]), limits)
    return result
