"""Times at which tables are not smooth."""

import numpy as np
import pytest

from flexura.systems.signals.tables import kinks


def test_straight_pieces_turn_at_kinks_only():
    t = np.linspace(0, 1, 11)
    assert kinks(t, np.abs(t - 0.5)) == pytest.approx([0.5])
    assert kinks(t, 3 * t) == []
