"""From parts and connections to a Lagrangian: steps 1 to 8.

`structure.py` sorts the parts; `placing.py` puts them in frames and gives coordinates, with `names.py`, `assembly.py`
for the small motions inside a frame, `turning.py` for what they draw in to second order and `frames.py` for how frames
move; `energies.py`, `shortening.py`, `drawn_in.py`, `elongation.py`, `acting.py`, `states.py` and `closing.py` write
energies, loads and constraints; `builder.py` goes through the steps in order, and `model.py` is what users hold.

Files:

    acting       What acts: springs, dampers, forces, torques and line loads on the motion of a model, and the work
                 they do
    assembly     Small motions inside one frame: what is welded moves together, what is left over becomes
                 coordinates (steps 3, 4)
    at_rest      Motions that no coordinate has, because nothing drives them: what acts on them, and which connection
                 holds that
    at_rest_held  What acts on motions that have no coordinate, against what connections can hold there
    at_rest_ways  The rigid motions of a member: those that are unknowns of its own, and those that it never makes
    builder      Steps 5 to 8: energies, losses, work and constraints of the parts in their places; the result is
                 one Lagrangian
    carrying     What hangs on what inside a frame: by which end a member hangs, and what its other end carries
                 along
    closing      Loops among large motions are closed exactly: the connection listed last in the loop becomes
                 constraints
    contacts     What contacts feel and obey: displacements, limits and directions, as data for whoever follows them
    cut_free     A model with members, each part cut free: what moves, what holds it and what acts on it, to first
                 order
    drawn_in     The work on what small turns draw in: masses, loads and couples on the second-order motions of
                 `turning.py`
    elimination  Elimination on exact coefficients, row by row of what is there: what cancels is told by the
                 numbers beside them
    elongation   What springs and dampers feel: displacements along an axis, true distances, angles
    energies     Steps 5 and 6: the energy of every body and of every representative particle, from absolute
                 velocities
    frame        `fx.frame`: a model from the coordinates of nodes and the members between them; it closes by itself
    frame_motions  Whether a frame is a mechanism: motions of its nodes that strain no member, stretch no spring and
                 meet no support
    frame_spans  Nodes as places in space, and the members between them: how long, how turned; numbers and names
                 alike
    frames       The tree of frames: how each assembly moves, in its own axes, from the joint that carries it
    free_bodies  Every body cut free, seen from ground: where it is, what holds it and what acts on it, for Newton's
                 and Euler's laws
    gears        Gears as conditions among coordinates, or as springs
    gaps         Connections that give way: a gap between a connection and the place q it holds, whose driving load
                 is the reaction
    lengths      The lengths of quaternions by which sections turn far in space: 1 where each such member begins
    model        `fx.Model`: parts and connections in, a Lagrangian out
    motion_names What small motions are called: coordinates of bodies and of ends, and in sentences those
                 that stay at rest
    names        Who is called what: coordinates of joints and of members' ends, no two alike
    parting      Gaps across the plane in which an assembly moves: what hangs there moves as one body
    picture      What a picture of the model shows: parts in their places, what joins them, loads, coordinates with
                 their sense
    placing      Steps 1 to 4: what there is, in which frames it moves, and the coordinates of its motion
    reaching     What of a frame still reaches ground when one part is taken out: one walk for all parts
    redundant    Coordinates that describe one motion twice: a joint turns a particle, and the beam on it may turn
                 by itself
    reference    The reference configuration: where each part of an assembly lies and how it is turned, all
                 coordinates at zero
    releasing    The energies of a model with one of its connections giving way: what drives the gap is what the
                 connection exerts
    reordering   The energies of a model with other angles in some of its balls, to pass where three angles are
                 singular
    riding       Bodies that ride on members: what each ride adds to a model, on what carries the member
    rolling      Rolling without slip: the touching point of a body has no velocity against the surface
    seen         Where places are, and how parts are turned, seen from ground: by joints alone, or with all small
                 motions
    shortening   Foreshortening: the second-order displacements that carry the centrifugal and gravity stiffening
                 (theory, section 2)
    states       First-order states of a model: each is a coordinate without energy whose generalized force is rate
                 - z_t
    structure    The structure of a model: members cut where something attaches, places, frames, loops
    travelling   Loads that travel along members: where they are, over time or by a coordinate
    tying        Members that carry their axial displacement as a field of its own, tied to bending by their
                 tension (theory, 7)
    turning      What small turns draw in, to second order: the conditions that tie the parts of a frame, taken one
                 order further
    wording      The names in the texts of loads, motions and constraints: what they mean, and those that only look
                 like something
    wrenches     What acts on the bodies of a model, as forces at points and couples, seen from ground
    files/       Models as TOML files: the words of `fx.Model` in a file, read into the same model; errors name the
                 part and the line
"""
