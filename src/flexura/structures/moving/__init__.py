"""Finite elements on moving bodies ([E], theory.md section 4): bars on a frame whose motion is known.

`section.py`, `frame.py` and `body.py` say what there is; `shapes.py` and `batch.py` hold the element, all elements at
once; `pattern.py` sums them into sparse matrices; `axial.py` finds the forces that stiffen; `assembly.py` keeps the
constant shape integrals, of which any omega is a combination; `system.py` gives the equations at an instant.
Another element is another `batch.py`; another linkage is one function in `linkages.py`.
"""
