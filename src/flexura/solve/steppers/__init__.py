"""Steps in time: one way to step a file, the choice among them, and what a run leaves behind.

Files:

    accuracy           How far a run may be from the true motion, and what each of its proofs proves
    between_strikes    Motions that are known exactly, from one impulse of the loads to the next
    branching          Positions in which conditions repeat one another by chance: what moves there goes on along the
                       branch it is on
    constraint_slopes  How constraints on accelerations change with rates and coordinates: by differences
    driven             Linear systems with constant coefficients that given motions drive, propagated exactly: a
                       blade at a steady speed
    energy_balance     The energy balance of a run: energies at its times, and the powers integrated along its curve
    error              How far a run may be from the true motion: its defects, carried along by the linearised
                       equations
    explicit           The explicit way: Dormand and Prince's method of order 8 with errors of orders 5 and 3
                       (Hairer, Norsett & Wanner)
    generalized_alpha  Generalized-alpha (Chung & Hulbert 1993; Arnold & Bruels 2007 for constraints): order two,
                       damped where it is coarse
    history            What a run remembers: states at the ends of its steps, and a smooth curve through them
    impulses           Given motions whose speed jumps: the blow that goes through the system, and the work it takes
    linear_action      One step of coupled linear equations on one state, without its matrix: for lengths that hardly
                       any step shares
    linear_exact       Exact steps of small linear systems: matrix exponentials of the motion and of the polynomial
                       inputs together
    linear_implicit    Implicit steps of large sparse systems: one factorization for all steps of one length
    linear_inputs      Loads B u(t) on systems of matrices, and time cut into pieces on which they are polynomials
    linear_step        One step of linear equations with constant coefficients: its matrix, and those of the
                       energies on it
    looked             A run looked at inside its steps: states on its curve, with the masses and forces there, for
                       all who judge it
    mass               A mass matrix that never changes, factored once: banded where its unknowns can be put in
                       such an order
    mechanics          A system and its inputs as the ways to step see them: accelerations, Newton's matrices, the
                       way back to constraints
    modal              Modes of a whole system in the metric of its masses, slow and fast ones to as many digits as
                       rounding leaves
    norm               How large an error of a step is: in the metric of the masses, against the largest motion so
                       far
    pace               How large the next step is, how many there were, and when to give up
    propagate          Linear systems with constant coefficients, propagated exactly: matrix exponentials instead of
                       steps
    redundancy         Conditions that repeat one another: how many count, decided in the metric of the masses
    radau              The implicit way: Radau IIA collocation with five stages (order 9, stiffly accurate; Hairer &
                       Wanner), written for second-order systems, so that Newton's matrices are of the size of q
    run                A run: from one state to an end time, with the way to step chosen, breaks met, events found
                       and reasons given
    small              Motions so small that products of them lie below what was asked for: those of the linearised
                       equations
    stages             Newton's matrices for the stages of many steps at once: one step's equations solved, and what
                       one step hands on
    stiffness          How fast the fastest vibration of a system is, where it stands
    subspace           A system on a subspace of its unknowns, q = T z: joints stay, members move in few shapes of
                       their own
    symplectic         The explicit way for waves: symmetric compositions of drifts and kicks, whose energy errors stay
                       where they are
    table              The ways to step in time, by name, with what each of them needs: the one place where a
                       stepper is registered
    tableau            Radau IIA collocation with any odd number of stages, taken apart by the eigenvectors of its
                       matrix
    trajectory         What a simulation leaves behind: histories by name, and the energy balance that proves it
    undetermined       What makes a state impossible: why a mass matrix or the constraints leave accelerations
                       undetermined, in words
    varying            Linear systems whose matrices change with time: M x'' + (D + G) x' + (K + H) x = f(t), each a
                       function of time
    windows            The implicit way, many steps at once: Radau IIA collocation on a window of steps, by one
                       Newton iteration for all of them
    zeros              All zeros of a smooth function in a step, pairs that lie close together and double ones too
"""
