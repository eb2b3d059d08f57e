"""Structures that move as a whole: their deformation in operation, the expansion around it, reduced models.

Equation numbers and the letter [S] refer to the paper on static-deformation states; theory, section 5.

    geometry     which row is which motion of which node; `free_motions` of a body that K leaves soft
    kernel       what K hardly resists, without coordinates, and whether K is positive
    soft         soft motions and what K does to them without its rounding; which are free is decided in energy
    split        x = q z + e, soft motions and deformations: the rows that hold them and the factorization
    rigid        rigid-body modes and mechanisms by name, and motions on soft springs
    dynamic      s^2 M + s (D + G) + K + H in these coordinates; `chains` all that belongs to s = 0
    cleaning     K written with few digits, given back the motions of its nodes
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
