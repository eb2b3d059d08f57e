"""Three machines on a light beam.

A light beam on two pins carries three masses at its quarter points. Find how much a unit load on one moves each, and
the lowest frequency.

Source: L^3/(768 EI) [9 11 7; 11 16 11; 7 11 9]; S. S. Rao, Mechanical Vibrations, on influence coefficients; the
frequency from the largest eigenvalue of this matrix times the mass.
"""

import numpy as np

import flexura as fx

EI, L, m = 2e5, 4.0, 60.0
beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=0, length=L)
machines = [fx.Mass(f"m{i}", m=m) for i in (1, 2, 3)]
places = [beam.at(L * i / 4) for i in (1, 2, 3)]
model = fx.Model(
    fx.Pin(fx.ground, beam.start),
    fx.Pin(fx.ground, beam.end),
    [fx.Fixed(place, machine) for place, machine in zip(places, machines, strict=True)],
    [fx.Force(machine, f"F{i}") for i, machine in enumerate(machines)],
)
A = L**3 / (768 * EI) * np.array([[9, 11, 7], [11, 16, 11], [7, 11, 9]])
found = fx.frequency_response(model, 0.0, ["F0", "F1", "F2"], machines)
answer = {"m/N": np.asarray(found).real.reshape(3, 3), "lowest (rad/s)": fx.modes(model, 1).frequencies[0]}
known = {"m/N": A, "lowest (rad/s)": 1 / np.sqrt(m * np.linalg.eigvalsh(A)[-1])}
