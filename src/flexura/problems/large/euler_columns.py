"""Euler's four columns.

A column is pressed at its ends: clamped-free, pinned-pinned, clamped-pinned, clamped-guided. Find its critical loads
over EI/L^2.

Source: L. Euler, 1744: pi^2/4, pi^2, and 4 pi^2; 20.1907 is the square of the first root of tan(u) = u; S.
Timoshenko, J. M. Gere, Theory of Elastic Stability, 1961, chapter 2.
"""

import numpy as np

import flexura as fx

HOLDS = {"clamped": fx.Fixed, "pinned": fx.Pin, "guided": fx.Slide}


def critical(start, end):
    """The load at which the column buckles."""
    column = fx.EulerBernoulliBeam("column", EI=1.0, rho=1.0, length=1.0, axial_force="-P")
    ends = ((start, column.start), (end, column.end))
    model = fx.Model(column, [HOLDS[kind](fx.ground, place) for kind, place in ends if kind in HOLDS])
    return float(fx.buckling(model, "P", between=(0, 60)))


known = {
    "clamped-free": np.pi**2 / 4,
    "pinned-pinned": np.pi**2,
    "clamped-pinned": 4.493409457909064**2,
    "clamped-guided": np.pi**2,
    "clamped-clamped": 4 * np.pi**2,
}
answer = {ends: critical(*ends.split("-")) for ends in known}
