"""Exact natural frequencies, modes and frequency responses of linear systems with fields; no mesh that a user sees.

`reading.py` turns energies into the numbers of `lines.py`. A line at any s is `line_stiffness.py`: by closed, scaled
forms (`closed.py`, `waves.py`) where it is uniform, by Galerkin stretches (`segments.py`) elsewhere, which
also check the closed forms; what is stiff beside the rest is joined in mixed form (`mixed.py`). `dynamic_stiffness.py`
glues lines to D(s), `elimination.py` eliminates it at all points at once and counts (Wittrick-Williams).

Undamped: `window.py` finds by the count where the modes are, `pencil.py` and `spectrum.py` give their values from the
same system uncondensed, `undamped.py` proves each by the count, `roots.py` searches by the count alone where that is
better. Damped and gyroscopic: `damped.py`, with `companion.py` for candidates and `winding.py` for the argument
principle. `shapes.py` are modes as functions, `response.py` solves for given frequencies. A new way to find roots is
one more file that reads D(s).
"""
