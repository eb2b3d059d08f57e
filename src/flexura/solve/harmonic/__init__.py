"""Periodic motions of nonlinear systems by harmonic balance, members or not: at one frequency, and along frequencies.

Files:

    balance     A periodic motion as a few harmonics: the residual of the equations on them, and its slopes
    floquet     Floquet's multipliers of a periodic motion: its variational equations over one period, by collocation
    followed    Periodic motions over the frequency by the length of their arc, through limit points
    loads       Periodic loads as they are given, and their Fourier series: exact where they jump, bend or are tables
    motion      One periodic motion at a given frequency, in as many harmonics and polynomials as it takes
    question    What is asked of a nonlinear system that is shaken: its discretisation, its loads over a period, outputs
"""
