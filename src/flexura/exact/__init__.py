"""Exact natural frequencies, modes and frequency responses of linear systems with fields; no mesh that a user sees.

`reading.py` turns energies into the numbers of `lines.py`, `basis.py` and `segments.py` condense a stretch of a member,
`dynamic_stiffness.py` glues stretches and members to D(s) and counts the modes it has swallowed, `roots.py` finds the
undamped frequencies by that count, `pencil.py` holds the same system uncondensed (shapes, polishing), `damped.py` finds
complex roots, `response.py` solves for one frequency. A new way to find roots is one more file that reads D(s).
"""
