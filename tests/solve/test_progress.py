"""The bar of long runs: after two seconds, on a terminal or in a notebook, or where it is asked for; else nothing."""

import sys
import time
from types import SimpleNamespace

import pytest

from flexura.solve.runs import progress as bars


@pytest.fixture
def opened(monkeypatch):
    """What bars were told, by a clock of our own; each bar that opens is an entry."""
    told: list[list[float]] = []

    def begin(bar):
        told.append([])
        bar.bar, bar.update, bar.close_bar = object(), told[-1].append, lambda: told[-1].append(-1.0)

    monkeypatch.setattr(bars._Bar, "_open", begin)
    return told


def ran(monkeypatch, wanted, seconds):
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with bars.progress(0.0, 10.0, wanted) as reached:
        for t in (0.0, 5.0, 10.0):
            now[0] = seconds * t / 10.0
            reached(t)


def kernel(monkeypatch, shell):
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


def test_short_runs_and_runs_that_nobody_watches_have_none(opened, monkeypatch):
    kernel(monkeypatch, None)
    ran(monkeypatch, True, 1.9)
    ran(monkeypatch, None, 60.0)  # no terminal here
    ran(monkeypatch, False, 60.0)
    assert opened == []


def test_long_runs_have_one_where_it_is_asked_for_or_seen(opened, monkeypatch):
    ran(monkeypatch, True, 4.1)
    kernel(monkeypatch, SimpleNamespace(kernel=object()))
    ran(monkeypatch, None, 4.1)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    kernel(monkeypatch, SimpleNamespace())  # IPython on a terminal
    ran(monkeypatch, None, 4.1)
    assert opened == [[0.5, 1.0, -1.0]] * 3


def test_a_bar_is_closed_where_a_run_fails(opened, monkeypatch):
    monkeypatch.setattr(bars, "_WAIT", -1.0)

    def failing():
        with bars.progress(0.0, 1.0, True) as reached:
            reached(0.5)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()
    assert opened == [[0.5, -1.0]]


def test_in_a_notebook_it_is_an_element_of_the_cell_and_goes_when_it_is_done(monkeypatch):
    shown: list[str] = []
    cell = SimpleNamespace(update=shown.append)
    pages = SimpleNamespace(HTML=lambda text: text, display=lambda text, display_id: shown.append(text) or cell)
    kernel(monkeypatch, SimpleNamespace(kernel=object()))
    monkeypatch.setattr(bars, "import_module", lambda name: pages)
    monkeypatch.setattr(bars, "_WAIT", -1.0)
    with bars.progress(0.0, 1.0) as reached:
        for t in (0.001, 0.25, 0.2501, 1.0):  # a small step writes nothing anew
            reached(t)
    assert [text.partition("value=")[2][:7] for text in shown] == ['"0.000"', '"0.250"', '"1.000"', ""]
    assert shown[-1] == ""
