"""Models nobody had in mind: written as NumPy source, they compute what the system computes."""

from __future__ import annotations

import importlib.util
import os
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, assume, given, note, settings

import flexura as fx
from direct_action import numbers_for, some_state
from flexura.solve.discretise import motion_system
from random_models import models

MORE = "FLEXURA_MODEL_CASES" in os.environ
CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "6"))
REFUSED = ("needs its shape", "no formula", "does not separate", "needs the slope of the load", "which bends far")


def module(path: Path) -> Any:
    found = importlib.util.spec_from_file_location(path.stem, path)
    assert found is not None
    assert found.loader is not None
    made = importlib.util.module_from_spec(found)
    found.loader.exec_module(made)
    return made


@settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    derandomize=not MORE,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(models(size=(2, 4), wide=True))
def test_what_is_written_is_what_is_solved(drawn: Any) -> None:
    note(drawn.script)
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        equations = fx.derive(drawn.model)
        assume(not equations.lagrangian.states and not equations.lagrangian.contacts)
        values = numbers_for(equations)
        try:
            made = module(fx.export(equations, Path(folder) / "drawn.py", values=values, order=3))
        except fx.FlexuraError as error:
            assert any(one in str(error) for one in REFUSED), error  # noqa: PT017
            return
        system = motion_system(equations, values, 3)
    assert tuple(made.names) == system.names
    assume(system.load_size == len(made.inputs))
    t, q, v, a, u, lam = some_state(system, size=0.2)
    M, f = system.evaluate(t, q, v, u)
    found_M, found_f = made.system(t, q, v, u)
    close(found_M, M)
    close(found_f, f)
    for found, exact in zip(made.jacobian(t, q, v, a, lam, u), system.jacobians(t, q, v, a, u, lam), strict=True):
        close(found, exact)
    g, A, b, c = made.constraints(t, q, v, u)
    close(g, system.position(t, q))
    close(A, np.asarray(system.velocity(t, q)[0]).reshape(system.m, system.n))
    close(b, system.velocity(t, q)[1])
    close(c, system.acceleration(t, q, v))


def close(found: Any, exact: Any) -> None:
    exact = np.asarray(exact)
    size = max(float(np.abs(exact).max(initial=0.0)), 1.0)
    assert np.all(np.abs(np.asarray(found).reshape(exact.shape) - exact) <= 1e-11 * size)
