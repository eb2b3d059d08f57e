"""Equations of motion as data: rows, steps, certificates, and the printers that show them.

`rows.py` is what the derivations produce, `equations.py` what users hold. A new output format is one printer here.
"""
