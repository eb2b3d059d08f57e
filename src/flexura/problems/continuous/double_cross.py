"""NAFEMS FV2, the pin-ended double cross.

Eight arms of 5 m meet in one node; each is a square bar of 0.125 m (200 GPa, 8000 kg/m^3) whose outer end is pinned.
Find the first frequencies in their plane. Many coincide.

Source: NAFEMS, Selected Benchmarks for Natural Frequency Analysis (1987), test FV2: 11.336, 17.709 and 45.345 Hz.
"""

import numpy as np

import flexura as fx

E, side = 200e9, 0.125
nodes = {"middle": (0, 0)} | {f"p{i}": (5 * np.cos(i * np.pi / 4), 5 * np.sin(i * np.pi / 4)) for i in range(8)}
frame = fx.frame(
    nodes,
    {f"arm{i}": (f"p{i}", "middle") for i in range(8)},
    supports={f"p{i}": "pinned" for i in range(8)},
    section={"EI": E * side**4 / 12, "EA": E * side**2, "rho": 8000 * side**2},
)
f = fx.modes(frame, 9).frequencies / (2 * np.pi)
answer = {"modes 1, 4 to 8 and 9 (Hz)": [f[0], *f[3:8], f[8]]}
known = {"modes 1, 4 to 8 and 9 (Hz)": ["11.336", *["17.709"] * 5, "45.345"]}
