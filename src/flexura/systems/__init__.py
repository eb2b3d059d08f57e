"""Matrices and right-hand sides: numbers, no physics. Whatever ends in matrices (discretise, moving, operating) speaks
through `second_order.py`; a new file format of matrices is one file here.

Files:

    asked          What a solver is asked to factorize a matrix for
    conditions     Conditions among motions: how many count, decided once, in the metric of the masses
    constrained    Linear conditions on the rows of matrices, and Lagrange multipliers among them, taken out exactly
    dataframes     Answers as tables of pandas: columns called by what they hold and its unit, "theta_t (rad/s)"
    deadline       One limit of time for all that a question takes: looks, runs, and what is worked out afterwards
    factor         One factorization of a symmetric matrix, used many times: dense, SuperLU on the diagonal, or
                   PARDISO if installed
    factors        What a factorization is, whoever made it; and that of dense matrices
    first_order    Second-order systems as first-order ones: x' = A x + B u, where x are coordinates and their rates
    foreign        Matrices and meshes of finite element packages, as they come
    graded         Undamped modes of dense matrices whose frequencies differ by any ratio
    inertia        Whether a mass matrix takes energy from some motion, and how many motions have inertia: against its
                   rounding
    linear_motion  Linear systems as equations of motion: M x'' + (D + G) x' + (K + H) x = f + B u, the matrices
                   constant or given by t
    nonlinear      Equations of motion as numbers: M(t, q) a = f(t, q, v, u) + A(t, q)' lambda, with constraints,
                   energies and fields
    ordering       The order in which rows are eliminated: nested dissection by coordinates (George 1973)
    pardiso        Sparse matrices by PARDISO of Intel's MKL
    polynomials    Functions on a stretch of a line: Hermite ends and integrated Legendre polynomials inside, in the
                   variable -1..1
    second_order   Second-order systems of matrices: M x'' + (D + G) x' + (K + H) x = F u(t)
    sizes          Numbers whose squares and products have no place among floating-point numbers
    soft           Motions that are soft beside the structure, and which of them are free: decided in energy,
                   against rounding
    solver         Who solves sparse systems: SuperLU, PARDISO, or what users put beside them
    state_space    State space: x' = A x + B u, y = C x + D u, with the names and units of states, inputs and outputs
    superlu        Sparse matrices by SuperLU, which SciPy brings along
    zero_roots     How often s = 0 is a root of det(K + s C + s^2 M), from the motions without stiffness and their
                   Jordan chains
    labelled       Arrays that know what they are of, and keep it when they are pickled
    matrix_files/  Files of matrices: `fx.read_system(path)`, `fx.write_system(system, path)`
    signals/       What functions of x and t are like: bounds, jumps, how finely they must be looked at
"""
