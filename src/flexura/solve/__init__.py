"""The questions users ask, one verb in each file, answered the same way for every kind of system.

Files:

    accelerations       Accelerations and reactions at one state of a system without fields: the augmented system,
                        solved once
    agreement           Linear conditions that no motion satisfies together, refused in one place for every verb
    answer              What one output does under one load, at several frequencies
    buckling            Buckling: the value of a parameter at which a frequency first reaches zero, exactly
    campbell            Frequencies against a parameter, usually a speed, as branches that stay together through
                        crossings
    critical_loads      Loads at which a system becomes unstable, searched for from a start on: what fx.buckling and
                        fx.flutter share
    critical_speed      Speeds at which a turning frame loses its stiffness: nothing is searched, each is an
                        eigenvalue
    differences         Derivatives by a parameter of what is made of it smoothly: matrices, loads, starts; to
                        rounding, by eighth order
    discretise          Equations discretised by Ritz: matrices where they are linear, a nonlinear system otherwise
    equilibrium         Where a system rests: coordinates by Newton's method, shapes of members as polynomials in x
    equilibrium_path    States of rest over a parameter, by arc length: limit points, branch points, and branches
    exact_outputs       Outputs of linear equations as what elimination leaves: combinations of coordinates, of
                        values where a line is cut, and loads on them
    flexibility         Influence coefficients A = K^-1: what a unit load on one coordinate does to every other
                        (theory, section 3)
    flutter             Flutter: the value of a parameter at which a motion first grows by oscillating, as follower
                        forces make it
    frequency_response  Frequency responses of linear equations, exact at every frequency
    held_response       Frequency responses of members along which conditions hold: by Ritz, of degrees that rise
                        until the answers stay
    kinds               Systems of numbers of every kind, as the matrices that linear verbs ask for; what has none
                        is told so
    linear_answers      Linear equations with numbers put in, asked for what one output does under one load,
                        exactly, at any frequencies
    linear_inputs       Inputs of linear answers by name: loads, generalized forces on coordinates, and motions that
                        were prescribed
    linear_outputs      Outputs of a discretised linear system by name or place: each a row over its unknowns
    linear_reactions    Reactions as outputs of a discretised linear system: what keeps a gap in a connection closed
    linear_run_gradient  Slopes of linear runs: what is asked for at values beside a parameter, and what that
                        changes of matrices and loads
    linear_run_slopes   Motions of linear systems and their slopes by parameters together, propagated exactly: stiff
                        members cost no steps
    matrices            The matrices of linear equations without fields, M q'' + (D + G) q' + (K + H) q = F (theory,
                        section 3)
    matrix_iteration    Matrix iteration (Stodola, Vianello): the lowest modes by repeated multiplication with
                        K^-1 M, as by hand
    matrix_response     Frequency responses of systems of matrices, small or large, free or held
    mobility            Mobility before any run: how many motions the conditions among coordinates leave free, and which
                        of them repeat
    measured_damping    Damping from measurements: the logarithmic decrement of a decay, the half-power width of a
                        resonance
    modal_coordinates   Modal coordinates of a state, and the orthogonality of modes shown: products of exact shapes
                        over mass and stiffness
    modal_transient     Impulse and step responses of undamped members by their exact modes, with what the modes
                        beyond leave out
    modes               Natural frequencies and modes of linear equations: exact, counted, with shapes
    named_loads         What a load does to a linear system, by its name: forces, loads along lines, a coordinate
                        that is driven
    named_places        Outputs by text: a coordinate's name, or a place on a member, as the command line and files
                        give them
    own_frequencies     Frequencies at which a response is worth looking at, where none are given: from the roots of
                        the system itself
    participation       How much each mode takes part in a motion of the base, or in a load: factors and effective
                        masses
    periodic            Periodic responses: the motion that a periodic load keeps up, once what the start brought in
                        is gone
    power_split         Where the power of a load goes while a free structure moves and deforms without vibrating
    random_response     Random responses: what a stationary load of a given spectral density does, exactly at each
                        frequency
    rayleigh            Rayleigh's quotient of a shape, and Dunkerley's estimate: bounds of the lowest frequency
                        from above and from below
    response            A frequency response that knows what it is of: a complex array with its frequencies, for
                        pictures and files
    response_curve      How a nonlinear system answers to a harmonic load over the frequency: all motions that hang
                        together, by arc length
    response_gradient   How frequency responses change with parameters: d(response)/dp at every frequency, by one
                        solution more
    response_slopes     Slopes of frequency responses from one solution: derivatives of the energies' coefficients,
                        no discretisation more
    response_spectrum   Response spectra: the largest displacement of oscillators on a base that a record shakes
    rest_shapes         Shapes of members at rest, as polynomials in x, piece by piece where loads or properties
                        jump along them
    ritz_convergence    Rayleigh-Ritz, with its convergence: frequencies by polynomials of rising degree, beside
                        the exact ones
    ritz_forms          K, C and M of a linear system in polynomials along its lines, and their derivatives by
                        parameters: no discretisation
    rotor_speeds        Critical speeds of rotors on bearings that stand on ground, and the speed from which on they
                        are unstable
    run_gradient        How motions in time change with parameters: the variational equations, followed beside the
                        motion
    self_adjoint        Whether the operators of small motions are self-adjoint, for the user's own ends: shown term
                        by term, in symbols
    sensitivity         How frequencies change with parameters, from the exact shapes: d(omega)/d(EI),
                        d(omega)/d(length),
    shooting            Periodic motions of nonlinear systems by shooting: the state that comes back after a period, and
                        what is beside it
    simulate            `fx.simulate`: motion in time of whatever moves, one verb for every kind of system
    slope_reader        Reads the derivatives of a linear system by one parameter: symbolic ones of every
                        coefficient, then numbers
    slopes              How a linear system changes with a parameter, seen by two shapes: the derivative of y' (K +
                        s C + s^2 M) x
    state_space         Linear equations, or matrices, as state space: x' = A x + B u, y = C x + D u
    sweep               Sweeps: one question asked over a grid of parameters, or at the points of a sampler
    time_response       Answers over time that know what they are of: arrays with their times, how far they may be
                        off, and a table
    transient           Responses to an impulse and to a step: the linear system from rest, by exact exponentials of
                        its matrices
    transmissibility    How much of a prescribed motion arrives: responses per unit of it, absolute along its own
                        axis
    unbalance           How a rotor answers to unbalance: orbits over the speed, as ground sees them
    units               Units of coordinates, fields and loads, from how the parts of a model move
    values              Numbers for the symbols of a system: what the parts carry, what the user gives, and one
                        sentence for what is missing
    whirl               Frequencies of a frame against the speed it turns at: Campbell's chart, with whirl forward
                        or backward
    exact/              Exact natural frequencies, modes and frequency responses of linear systems with fields; no
                        mesh that a user sees
    harmonic/           Periodic motions of nonlinear systems by harmonic balance: at one frequency, and along
                        frequencies
    roots/              Helpers of `fx.modes`, `fx.campbell` and `fx.whirl`: roots of matrices, and branches of them
    runs/               What `fx.simulate` is asked, and what a run leaves behind, for every kind of system
    statics/            States of rest of whatever bends, and paths of them
    steppers/           Steps in time: one way to step a file, the choice among them, and what a run leaves behind
    sweeps/             Helpers of `fx.sweep`: points, answers, workers, and the table they fill
"""
