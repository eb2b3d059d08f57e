"""The narrow waist: everything on the way in becomes a `Lagrangian`, everything on the way out starts from one.

`field.py` declares fields and their values at the ends, `lagrangian.py` holds the energies as data, `reading.py` turns
what the user wrote into that data and refuses what cannot be right.
"""
