"""The questions users ask, answered the same way for every kind of system: one verb in each file.

`values.py` holds what every answer shares: numbers for the symbols, with one sentence for all that are missing. A new
question is one file with one public verb; it reads `Equations` (never the model) and says in a sentence what it cannot
do.
"""
