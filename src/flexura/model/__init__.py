"""From parts and connections to a Lagrangian: steps 1 to 8.

`structure.py` sorts the parts into frames, `assembly.py` finds the small motions inside each frame, `placing.py` says
where every place is and how fast it moves, `energies.py` and `shortening.py` write the energies, `model.py` puts it together.
"""
