"""Pictures of states and of reduced models."""

import numpy as np
import pytest

import flexura as fx
from free_structures import bar, plate


def test_a_state_is_drawn_with_its_nodes(tmp_path):
    system = plate(6, 4, 1, size=(1.0, 0.6, 0.05))
    state = fx.operating_state(system, np.eye(1, system.n, 2)[0], instantaneous=True)
    figure = fx.plot(state, tmp_path / "state.png")
    before, after = figure.axes[0].collections
    assert np.allclose(np.asarray(before._offsets3d[0]), system.nodes[:, 0])
    assert np.abs(np.asarray(after._offsets3d[2]) - system.nodes[:, 2]).max() == pytest.approx(0.12, rel=0.05)
    assert "constant acceleration" in figure.get_suptitle()
    assert (tmp_path / "state.png").stat().st_size > 10_000


def test_a_bar_is_drawn_as_a_curve():
    system = bar(10)
    state = fx.operating_state(system, np.eye(1, 11, 0)[0])
    line = fx.plot(state).axes[0].lines[0]
    assert np.allclose(line.get_xydata(), np.column_stack([system.nodes[:, 0], state.deformation]))


def test_the_error_of_a_reduced_model_is_drawn():
    system = bar(20)
    reduced = fx.reduce(system, np.eye(1, 21, 0)[0], 3)
    omega = np.linspace(100, 20000, 30)
    drawn = fx.plot(reduced, omega=omega).axes[0].lines[0].get_xydata()
    assert drawn[:, 0] == pytest.approx(omega)
    assert drawn[:, 1] == pytest.approx(reduced.error(omega), rel=0.3)
    assert len(fx.plot(reduced).axes[0].lines) > 1


def test_what_has_no_picture_is_told():
    system = bar(5)
    with pytest.raises(fx.FlexuraError, match="Only a reduced system has an error to draw"):
        fx.plot(system)
    state = fx.operating_state(system.with_(nodes=None), np.eye(1, 6, 0)[0])
    with pytest.raises(fx.FlexuraError, match="needs node coordinates"):
        fx.plot(state)
