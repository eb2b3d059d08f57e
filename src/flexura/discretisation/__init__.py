"""From energies to numbers: Ritz on the Lagrangian, never on the differential equations (theory, section 6).

`mesh.py` holds the functions of x and `layout.py` the unknowns; `separate.py` splits densities into functions of time
and integrals over x, which `forms.py` does once; `gather.py` collects both, `scalars.py` writes the equations of the
few scalars, `ritz.py` adds those of the many amplitudes, `points.py` what does not separate; `program.py` compiles and
`system.py` hands out the result. `linear.py` and `eigen.py` are for linear systems. A new basis is one file beside
`mesh.py`: a class with `ends`, `amplitudes` and `table`.
"""
