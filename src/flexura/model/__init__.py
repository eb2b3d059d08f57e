"""From parts and connections to a Lagrangian: steps 1 to 8.

`structure.py` sorts the parts; `placing.py` puts them in frames and gives coordinates, with `names.py`, `assembly.py`
for the small motions inside a frame, `turning.py` for what they draw in to second order and `frames.py` for how frames
move; `energies.py`, `shortening.py`, `drawn_in.py`, `elongation.py`, `acting.py` and `closing.py` write energies, loads
and constraints; `builder.py` goes through the steps in order, and `model.py` is what users hold.
"""
