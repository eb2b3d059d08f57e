"""From parts and connections to a Lagrangian: steps 1 to 8.

`structure.py` sorts the parts, `assembly.py` finds the small motions inside each frame, `frames.py` how frames move;
`energies.py`, `shortening.py`, `elongation.py` and `closing.py` write energies and constraints, `builder.py` goes
through the steps in order, and `model.py` is what users hold.
"""
