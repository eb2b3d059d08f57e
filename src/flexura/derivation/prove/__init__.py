"""Parts against energies: the motion of every particle of a model in many digits, without the builder of its energies.

`program.py` evaluates trees with many digits, `vectors.py` and `polynomials.py` hold numbers, `reading.py` reads parts
and connections into frames, `hanging.py` says what hangs on what in one, `small.py` finds the small motions inside it,
`turning.py` what they draw in to second order, `paths.py` draws states, `moving.py` places everything at one,
`balance.py` adds up energies and virtual work, and `compare.py` holds them against a Lagrangian. Nothing here may
import `model/`: that it agrees is the proof.
"""
