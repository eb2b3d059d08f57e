"""Structures of bars, or given as matrices: `moving/` on bodies in known motion, `operating/` as they run.

Files:

    moving/     Finite elements on moving bodies ([E], theory.md section 4): bars on a frame whose motion is known
    operating/  Structures that move as a whole: their deformation in operation, the expansion around it, reduced
                models
"""
