"""Structures that move as a whole: their deformation in operation, the expansion around it, reduced models.

Equation numbers and the letter [S] refer to the paper on static-deformation states; theory, section 5.

    geometry     which row is which motion of which node; `free_motions` of a body that K leaves free
    kernel       the kernel of K without coordinates, and whether K is positive
    rigid        rigid-body modes and mechanisms by name, and the one factorization
    checks       whether matrices, coordinates and units can belong together
    inverse      the generalized inverse of K in the mass metric: one factorization, used by everything else
    states       constant acceleration and velocity; `spinning` constant rotation and torque
    slow         slow changes between them
    elastic      the lowest modes of vibration
    krylov       the expansion x_n = (K+ M)^n x_0, raw and orthonormal
    reduction    the self-consistent projection as a small system; `accuracy` its error
    hierarchy    the other projection, and why it is not used
    control      the series for smooth inputs, the first correction H(s)
    piecewise    inputs that change over intervals

A new state is one function in `states` or `spinning`; a new way to choose a basis is one function in `reduction`.
"""
