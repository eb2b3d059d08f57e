"""`help()` of public functions: what they take and give, with an example that runs as a doctest."""

import doctest
import inspect
import re
import types

import pytest

import flexura as fx

ELEMENTARY = {
    "abs_", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "impulse", "log", "ramp", "sign", "sin", "sinh",
    "sqrt", "step", "tan", "tanh",
}  # fmt: skip
FUNCTIONS = [
    name for name in fx.__all__ if isinstance(getattr(fx, name), types.FunctionType) and name not in ELEMENTARY
]
STILL_SHORT = {
    "animate_frame", "check_system", "clean", "constrained", "critical_speed", "critical_speeds", "dunkerley",
    "equivalent", "first_correction", "flexibility", "four_bar", "generalized_forces", "generalized_masses",
    "half_power", "integral", "joint_reactions", "logarithmic_decrement", "matrices", "matrix_iteration",
    "members", "mobility", "modal_damping", "moving_system", "operating_state", "periodic_response", "power_split",
    "random_response", "rayleigh_quotient", "read_frame", "read_system", "read_urdf", "reduce", "response_curve",
    "response_spectrum", "resultants", "rigid_body_modes", "ritz_convergence", "rotating_arm",
    "self_adjoint", "simulate_piecewise", "slider_crank", "slow_changes", "smooth_response", "solver",
    "stability_limit", "to_casadi", "to_control", "unbalance_response", "whirl", "without_multipliers", "write_system",
    "write_vtu",
}  # fmt: skip
"""Those that say in a few lines what they do, and not yet all of it."""
WHOLE = sorted(set(FUNCTIONS) - STILL_SHORT)


def test_what_is_still_short_is_named_and_shrinks():
    assert set(FUNCTIONS) >= STILL_SHORT
    assert len(WHOLE) >= 30


@pytest.mark.parametrize("name", WHOLE)
def test_help_tells_every_argument_and_what_is_returned(name):
    function = getattr(fx, name)
    told = inspect.getdoc(function) or ""
    missing = [one for one in inspect.signature(function).parameters if not re.search(rf"`{one}`", told)]
    assert missing == []
    assert "\nReturns " in told
    assert "\nArguments:\n" in told


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WHOLE)
def test_examples_of_help_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (test,) = doctest.DocTestFinder(recurse=False).find(inspect.unwrap(getattr(fx, name)), name, globs={})
    assert len(test.examples) > 1
    assert test.examples[0].source == "import flexura as fx\n"
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append)
    assert said == [], "".join(said)
