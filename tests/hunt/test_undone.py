"""The hunt sees every mended thing come back: a trial that is good turns bad when the mending is undone."""

from __future__ import annotations

import pytest

from hunt.undone import UNDONE, undone


@pytest.mark.parametrize("name", UNDONE)
def test_the_hunt_sees_what_is_undone(name):
    before = UNDONE[name].outcome()
    assert not before.bad, before.words
    with undone(name) as mended:
        assert mended.outcome().bad
    after = UNDONE[name].outcome()
    assert after.result == before.result
