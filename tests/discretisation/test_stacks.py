"""Many states at once, and systems on a subspace, against one state at a time on all unknowns."""

import os
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings

import flexura as fx
from direct_action import numbers_for
from flexura import gallery
from flexura.solve.discretise import motion_system
from flexura.solve.steppers.subspace import on_subspace
from random_systems import systems

NAMES = ["rotating-arm", "von-karman", "two-link-arm", "slider-crank", "satellite", "knife-edge", "base-excitation",
         "rotating-blade", "example-one", "timoshenko-tip-body"]  # fmt: skip
CASES = int(os.environ.get("FLEXURA_MODEL_CASES", "6"))


def states(system, count=4):
    random = np.random.default_rng(3)
    sizes = (system.n, system.n, system.n, system.load_size, system.m)
    return random.uniform(0.1, 0.9, count), *(0.2 * random.normal(size=(count, size)) for size in sizes)


def asked(system, t, q, v, a, u, lam):
    """All that a system is asked, in one list."""
    found = [*system.evaluate(t, q, v, u), *system.jacobians(t, q, v, a, u, lam), *system.energies(t, q, v)]
    found += [*system.powers(t, q, v, a, u, lam), *system.velocity(t, q), system.acceleration(t, q, v)]
    found += [system.position(t, q), *system.motion(t)]
    return [*found, system.reactions(t, q, v, a, u, lam)] if system.prescribed else found


def same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        assert np.asarray(one) == pytest.approx(np.asarray(other), rel=1e-10, abs=1e-11 * np.abs(other).max(initial=1))


def check_stacks(system):
    stack = states(system)
    together = [np.array(one) for one in asked(system, *stack)]
    for k in range(len(stack[0])):
        same([one[k] if one.ndim and len(one) else one for one in together], asked(system, *(one[k] for one in stack)))


def check_residual(system):
    """Row by row it is M a - f."""
    if system.residual is None:
        return
    t, q, v, a, u, _ = states(system)
    M, f = system.evaluate(t, q, v, u)
    expected = (M @ a[..., None])[..., 0] - f
    same([system.residual(t, q, v, a, u)], [expected])
    same([system.residual(t[0], q[0], v[0], a[0], u[0])], [expected[0]])


def combined(system):
    """The system on a random subspace of its unknowns, and the same without its own way there."""
    T = np.random.default_rng(5).normal(size=(system.n, max(1, system.n - 2)))
    names = tuple(f"z{i}" for i in range(T.shape[1]))
    return on_subspace(system, T, names), on_subspace(replace(system, within=None), T, names)


def discretised(name):
    equations = fx.derive(gallery.example(name))
    return motion_system(equations, numbers_for(equations), 5)


@pytest.mark.parametrize("name", NAMES)
def test_a_stack_gives_what_its_states_give_singly(name):
    system = discretised(name)
    check_stacks(system)
    check_residual(system)


@pytest.mark.parametrize("name", NAMES)
def test_a_subspace_is_galerkin_on_its_columns(name):
    small, plain = combined(discretised(name))
    check_residual(small)
    t, *vectors = states(small)
    same(asked(small, t, *vectors), asked(plain, t, *vectors))
    same(asked(small, t[0], *(one[0] for one in vectors)), asked(plain, t[0], *(one[0] for one in vectors)))
    for field in small.fields:
        x = np.linspace(small.fields[field].start, small.fields[field].end, 3)
        for rate in (None, vectors[1]):
            same([small.values(field, x, t, vectors[0], rate)], [plain.values(field, x, t, vectors[0], rate)])


@settings(max_examples=CASES, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(systems())
def test_random_systems_too(drawn):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        equations = fx.derive(drawn)
        system = motion_system(equations, numbers_for(equations), 4)
    check_stacks(system)
    check_residual(system)
    small, plain = combined(system)
    t, *vectors = states(small)
    same(asked(small, t, *vectors), asked(plain, t, *vectors))
