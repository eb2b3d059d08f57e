"""The hunt itself, shortened: a few machines of every family, and that it can fail. `make hunt` runs a thousand."""

from __future__ import annotations

from dataclasses import replace

import pytest

import flexura as fx
from hunt.direct import Direct, Relative
from hunt.families import FAMILIES, KINDS
from hunt.machine import GROUND, Machine
from hunt.trial import Disagreement, Trial, agree, run

LONG = {
    "frames": ("modes", "equilibrium", "simulate"),
    "space": ("simulate",),
    "machines": ("simulate",),
    "pushed": ("simulate",),
}
"""What is left to `make hunt`, because it may take a minute each."""


@pytest.mark.parametrize("family", FAMILIES)
def test_a_few_of_every_family(family):
    for number in range(2):
        trial = FAMILIES[family][0](number)
        asked = {verb: check for verb, check in trial.checks.items() if verb not in LONG.get(family, ())}
        bad = [one for one in run(replace(trial, checks=asked)) if one.bad]
        assert not bad, f"{trial.script}\n" + "\n".join(f"{one.verb} {one.result}: {one.words}" for one in bad)


def test_every_kind_that_is_registered_is_hunted():
    drawn = set().union(*(FAMILIES[name][0](number).kinds for name in FAMILIES for number in range(60)))
    assert drawn >= KINDS


def test_a_machine_is_the_same_whenever_it_is_drawn():
    for name, (make, _) in FAMILIES.items():
        assert make(3).script == make(3).script, name


def test_the_direct_solution_knows_a_cantilever():
    """F l^3 / 3 EI, and the first resonance at 1.8751^2 sqrt(EI/rho)/l^2."""
    machine = Machine()
    machine.part("b", "EulerBernoulliBeam", EI=3.0, rho=1.2, length=1.5)
    machine.join("Fixed", GROUND, ("b", 0.0))
    direct = Direct(machine)
    force = direct.force("Force", ("b", 1.5), {})
    tip = direct.reading(Relative(("b", 1.5), GROUND, (0, 1, 0)))
    assert direct.response(0.0, force, [tip])[0] == pytest.approx(1.5**3 / 9, rel=1e-12)
    first = 1.875104068711961**2 * (3.0 / 1.2) ** 0.5 / 1.5**2
    below, above = (direct.response(first * (1 + side * 1e-9), force, [tip])[0].real for side in (-1, 1))
    assert below > 0 > above


def test_what_is_wrong_without_a_word_is_found():
    def outcome(check):
        return next(run(Trial("none", 0, "", frozenset(), {"verb": check}))).result

    assert outcome(lambda: agree("x", 1.0, 1.0, 1e-9)) == "agreed"
    assert outcome(lambda: agree("x", 1.0, 1.1, 1e-9)) == "disagreed"
    assert outcome(lambda: agree("x", 1.0, 1.1, 1e-9, ["Followed by 3 steps."])) == "disagreed"
    assert outcome(lambda: agree("x", 1.0, 1.1, 1e-9, ["The energy balance misses 0.1 of it."])) == "noted"
    assert outcome(lambda: agree("x", float("nan"), 1.1, 1e-9)) == "disagreed"
    assert outcome(lambda: fx.Mass("m", m=-1)) == "refused"
    assert outcome(lambda: 1 / 0) == "crashed"
    with pytest.raises(Disagreement):
        agree("shape", [1.0, 2.0], [1.0], 1.0)
