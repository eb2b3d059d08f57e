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
    bases        what reduced models are projected on; `frequencies` adds answers at chosen frequencies
    reduction    the self-consistent projection as a small system; `accuracy` its error; `one_input` notes
    responses    many frequencies of a large system from full answers at a few
    hierarchy    the other projection, and why it is not used
    control      the series for smooth inputs, the first correction H(s)
    piecewise    inputs that change over intervals

A new state is one function in `states` or `spinning`; a new way to choose a basis is one function in `reduction`.

Files:

    accuracy      How far a reduced model's response is from the full one
    bases         Bases of reduced models, each an `Expansion` that grows: around rest, from modes, from modes with
                  held interfaces
    chains        All that belongs to s = 0 of s^2 M + s C + K: the kernel of K and the chains of drifts that start
                  from it
    checks        Whether the matrices, the node coordinates and their units can belong together
    cleaning      K that was written with few digits, given back the rigid motions that its nodes show
    control       The view of control: what a smooth input does to the structure, and its first correction (theory,
                  section 5)
    dynamic       T(s) = s^2 M + s (D + G) + K + H in the coordinates x = q z + e of soft motions and deformations
                  (`split`)
    elastic       The lowest elastic modes of K x = omega^2 M x by Lanczos on K+ M: rigid motions are not in its
                  range
    free_motions  Rigid motions from coordinates: of six that a body has, those that K leaves soft, and names for
                  those left free
    frequencies   Solutions at chosen frequencies, each with one factorization, and the directions they give a basis
    geometry      Which row of a system is which motion of which node, and the rigid motions that follow from
                  coordinates
    hierarchy     The hierarchy a_n'' + a_(n+1) = 0, and why the self-consistent projection replaces it (theory,
                  section 5; [S] 5.1)
    inverse       The generalized inverse of K in the mass metric: K+ = P K^- P', P = I - Q Q'M (theory, section 5)
    kernel        What K hardly resists, found without coordinates, and the judgement whether K is positive
    krylov        The expansion around a static deformation: x_n = (K+ M)^n x_0, x_0 = K+ F (theory, section 5; [S]
                  section 5)
    modal_damping Modal damping: a share of critical damping for each mode, as a matrix D
    one_input     Two loads that act as one: on a stiff lever the difference of two forces moves almost nothing
    reduction     Reduced models: the equations projected on rigid motions and a few deformations
    responses     Responses of large systems at many frequencies: solved in full at a few, by what those span at all
                  others
    rigid         Rigid-body modes: motions without stiffness, from coordinates where they are known and from K
                  otherwise
    slow          Slow changes: from rest, a constant load first accelerates the structure, then friction holds it
                  (theory, section 5)
    spinning      Constant rotation, and constant torque under friction (theory, section 5; [S] 2.4, 2.5)
    split         x = q z + e: soft motions q of the whole and deformations e that vanish at as many held rows
    state         What an operating state is: a steady deformation, the motion it goes with, and what bearings must
                  carry
    states        Operating states: the deformation of a structure that moves steadily as a whole (theory, section
                  5; [S] section 2)
"""
