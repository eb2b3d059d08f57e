"""The surrogate and the variational route give the same equations on systems nobody had in mind, to a symbolic zero."""

import os

import pytest
from hypothesis import given, settings

import flexura as fx
from random_systems import systems

CASES = int(os.environ.get("FLEXURA_PROOF_CASES", "200"))
SHARES = 4


@pytest.mark.parametrize("share", range(SHARES))
def test_the_two_routes_agree_on_random_systems(share: int) -> None:
    @settings(max_examples=CASES // SHARES, derandomize=False, database=None)
    @given(systems())
    def agree(lagrangian: fx.Lagrangian) -> None:
        surrogate = fx.derive(lagrangian)
        variational = fx.derive(lagrangian, method="variational")
        result = fx.equivalent(surrogate, variational)
        assert result, result.difference
        assert result.how == "normal form"
        assert len(surrogate.derived) == len(variational.derived)

    agree()


@given(systems())
@settings(max_examples=20)
def test_a_system_with_one_more_spring_is_noticed(lagrangian: fx.Lagrangian) -> None:
    q = lagrangian.coordinates[0]
    stiffer = {name: getattr(lagrangian, name) for name in lagrangian.__dataclass_fields__}
    stiffer["potential"] = lagrangian.potential + fx.Coordinate(q).engine ** 2
    other = fx.Lagrangian.of_parts(**stiffer)
    result = fx.equivalent(fx.derive(lagrangian), fx.derive(other, method="variational"))
    assert not result
    assert q in result.difference
