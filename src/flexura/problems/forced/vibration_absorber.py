"""A machine is kept still by a small mass on a spring.

A machine shakes under a harmonic force. A small mass hangs on it by a spring tuned to that frequency. How far do
machine and mass move?

Source: closed form: the machine not at all, the mass F/k2, against the force; J. P. Den Hartog, Mechanical
Vibrations, 4th edition, chapter 3; H. Frahm, US patent 989958, 1911.
"""

import numpy as np

import flexura as fx

M, K, m, k = 50.0, 2e4, 4.0, 3600.0
machine, small = fx.Mass("machine", m=M), fx.Mass("small", m=m)
model = fx.Model(
    fx.Slide(fx.ground, machine),
    fx.Slide(fx.ground, small),
    fx.Spring(fx.ground, machine, k=K),
    fx.Spring(machine, small, k=k),
    fx.Force(machine, "F"),
)
answer = {"k x/F of machine and mass": k * fx.frequency_response(model, np.sqrt(k / m), "F", [machine, small])}
known = {"k x/F of machine and mass": [0, -1]}
