"""State space of models nobody had in mind: poles are modes, responses are exact ones."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, assume, given, note, settings

import flexura as fx
from direct_action import numbers_for
from random_models import models

MORE = "FLEXURA_MODEL_CASES" in os.environ
CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "3"))


@settings(
    max_examples=CASES,
    deadline=None,
    database=None,
    derandomize=not MORE,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(models(size=(2, 4), wide=False))
def test_poles_are_modes(drawn: Any) -> None:
    note(drawn.script)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        equations = fx.derive(drawn.model)
        assume(not equations.lagrangian.prescribed)
        values = {name: one for name, one in numbers_for(equations).items() if name in equations.lagrangian.parameters}
        try:
            modes = fx.modes(equations, 3, values=values)
        except fx.FlexuraError:
            assume(False)
        try:
            space = fx.state_space(equations, [], None, values=values)
        except fx.FlexuraError as error:
            assert any(one in str(error) for one in REFUSED), error  # noqa: PT017
            return
    scale = float(np.abs(space.poles).max(initial=0.0))
    for s in modes.eigenvalues:
        if abs(s) > 1e-5 * scale:
            assert np.min(np.abs(space.poles - s)) <= 1e-8 * abs(s)
    assert len(space.poles) == len(space.states)


REFUSED = ("no inertia, no damping and no stiffness", "Gyroscopic terms act on a motion", "given function of time")
