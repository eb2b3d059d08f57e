"""What `fx.simulate` is asked, and what a run leaves behind, for every kind of system.

Files:

    angles         Three angles in two orders of turns, as numbers: rotations, rates, and one from the other
    bare           A discretised system without its equations, as a simulation sees it: names only
    case           One discretisation of what a simulation is asked for: its mechanics, its start, and how to run it
    charts         Runs of bodies that turn freely, past where three angles are singular: there they are followed by
                   other angles
    contact_run    A run with contacts, from its question to its answer: smaller steps where energies do not balance
    contacts       Contacts in numbers: how far, how fast and along what a contact moves, and what it may exert
    distributed    Equations whose distributed loads are inputs of x and t: those given as such, and those written
                   so in the model
    driving        Prescribed motions that inputs give: text is put into the equations, numbers and functions drive
                   them from outside
    equations      Motion in time of equations, linear or not: discretised, followed, and proved by the energy
                   balance
    far            Members that bend far, on finer and finer meshes until the motion stays: shapes about rest do not
                   follow them
    feedback       Inputs that see the motion: functions of (t, run), closed around a system, and controllers that
                   sample it
    field_weights  How much of a motion each field carries: what it lacks counts for as much as it matters
    followed       One phase of a run with contacts, followed to its end: what ends it, and the piece of motion that
                   it leaves
    foreseen       What inputs that see the motion are like in time by themselves, so that no step goes over a short
                   pulse of one
    frame          The elastic motion of a frame on a moving body: rigid motion given, elastic response found ([E],
                   theory.md 4)
    frame_loads    Loads on a frame over time, as users give them: constant vectors, columns with a history each,
                   whole vectors
    frame_problem  The motion of a frame on a moving body as a linear problem whose matrices change with time, and
                   what is left of it
    given          What every run is given, whatever moves: the times, and a state to start from by name or as
                   arrays
    groups         Members that move together: those that share coordinates of their ends, and the unknowns that
                   deflect them
    highest        What polynomials of a given order leave out of a motion, told by the highest of them
    histories      Histories of a simulated system by name, computed when they are asked for; places and positions
                   from the same states
    hybrid         Runs with dry friction and stops: smooth phases, and what happens between them
    impacts        What hits: rates after an impact, with impulses that go through the whole system
    initial        The state a simulation starts from: what is given by name, the rest at zero, dependent
                   coordinates solved for
    impulsive          Impulses among the loads of a run: taken out of text and loads, as instants at which speeds jump
    inputs         Inputs of a simulation as users give them (numbers, functions, arrays on t, text) as the vector
                   u(t) of a system
    instant        A state as a run would begin from it: what is not given solved for, and contacts with their forces
    legs           A run in several legs, each in angles of its own: how far it may be off, and what its momenta
                   miss
    left_out       What a motion in few shapes leaves out: the forces it cannot balance, as the deflections they
                   would cause
    looked         Outputs along a run: motions of places, internal loads of members, from the states that the run
                   went through
    matrices       Motion of systems of matrices, M x'' + (D + G) x' + (K + H) x = F u(t), with its energy balance
    matrix_blows   Impulses on systems of matrices: stretches between two of them, and the jumps of rates
    matrix_inputs  Inputs of systems of matrices: what users give (numbers, functions, arrays on t, text) as columns
                   B u(t)
    mechanism      The elastic response of a mechanism: all members stepped together, joints eliminated at every
                   time
    mechanism_run  What the run of a mechanism leaves behind: a trajectory for each member, deviations, stresses
    membrane       How much the tension of a bent member whose ends do not come nearer would resist, beside its bending
    momenta        The balance of momenta of a run: what its motion gains, against what acts from outside
    options        How a run shall go, whatever moves: the options that every kind of system takes, checked in one
                   place
    orders         Linear motions, and small ones, by polynomials of higher and higher orders, until they stay
    path_joints    The joints and loads of a rigid model, carried over to a mechanism whose members bend
    phases         A system in one phase of its contacts: what sticks or rests is a condition, what slides or gives
                   way is a force
    pieces         A run with contacts as users see it: states, energies and forces of its phases, one after the
                   other
    piecewise      Inputs that change over intervals: a basis for each, with the low modes of the one before carried
                   over
    positions      Where places are in space, at a state or at many: for trajectories and for pictures
    pressing       What a stop that gives way pushes with, by its depth and the rate of it
    progress       A bar on the terminal for runs that take a while; nothing where there is no terminal
    question       What a simulation is asked for, checked before anything is built
    rates          How fast places move along a run: velocities and accelerations, absolute or as another place sees
                   them
    reactions      What connections exert along a run: the load that keeps a gap in them closed, in the shapes of
                   the run itself
    refine         How many shapes each member needs: quick looks at low accuracy, until the highest shapes hardly
                   move
    ridden       Phases in which all that is held rides on members, without the unknowns of riders: of many states at
                 once
    riding         Bodies that ride on members, in numbers: where they stand, and what the conditions of their
                   motion hold
    rigid_motions  Motions of everything as one rigid body: along and about ground's axes, or along symmetries of
                   written energies
    rigid_path     The rigid motion of a simulated model, as what carries elastic members
    rubbing        Dry friction that laws and loads write with signs of rates, 4*sign(v), as contacts that stick and
                   slide
    run_error      What may separate a run from the true motion: estimates by steps in time, shapes and theory
    section_turns  How sections turn, and how fast: by small rotation vectors, or by quaternions where they turn far
                   in space
    seen           How far and how fast contacts of a run have moved: beside these, what touches and what rests is
                   told from rounding
    settling       Which contacts stick, slide, rest or part at a state: the combination whose own forces and motions
                   agree with it
    spread         Inputs along members as a system asks for them: at its Gauss points, with what jumps along x or
                   is narrow in it
    states         First-order states of a run: each is followed as the rate of a hidden coordinate, so that every
                   stepper takes it
    starting       What is said of a run that was given no start, where what always acts moves the system at once
    sticking       Why a run with dry friction cannot go on: what slides comes to rest, and sign(0) does not hold it
    theory         How far members leave the theory of small deflections, and what that may cost
    time_trees     Whatever in the energies depends on time by itself: where it switches, and how finely it must be
                   looked at
    varying_run    Linear problems whose matrices change with time, frames on moving bodies and mechanisms, followed
                   as equations are
"""
