"""Helpers of `fx.modes`, `fx.campbell` and `fx.whirl`: roots of matrices, and branches of them.

Files:

    branches       Branches of eigenvalues over a parameter: followed by value and shape, ended where they merge,
                   begun where they part
    found          What `fx.modes` gives, whatever the modes are of: eigenvalues, shapes, and the certificate of
                   their count
    matrix_damped  Damped, gyroscopic and circulatory modes of matrices: eigenvalues s of s^2 M + s (D + G) + K + H
    matrix_modes   Modes of systems of matrices, small or large: the same answer as for equations, with its count
    plain_roots    Every root of s^2 M + s C + K by the plain pencil of twice the size: a second opinion that trusts
                   no deflation
    ritz           Modes by Ritz: the discretised matrices solved, and refined until the frequencies stay
    shift_invert   The linear problem of twice the size, seen from a shift: 1/(s - shift) are the eigenvalues of one
                   operator
    whirl_modes    The modes of a turning frame at one speed, as ground sees them
"""
