"""Finite elements on moving bodies ([E], theory.md section 4): bars on a frame whose motion is known.

`section.py`, `frame.py` and `body.py` say what there is; `shapes.py` and `batch.py` hold the element, all elements at
once; `pattern.py` sums them into sparse matrices; `axial.py` finds the forces that stiffen; `assembly.py` keeps the
constant shape integrals, of which any omega is a combination; `system.py` gives the equations at an instant.
Another element is another `batch.py`; another linkage is one function in `linkages.py`.

Files:

    assembly        The constant integrals of a frame, each assembled once; any omega, epsilon and a0 is a sum of
                    them (theory.md 4)
    attachments     What is attached to the nodes of a frame, read and checked: supports, rigid bodies, springs,
                    dampers, links
    axial           The forces inside a frame for each case of its motion: along the elements they stiffen or soften
                    bending (K_G)
    batch           All elements of a frame at once: shape functions in the frame's axes, stiffness, and where mass
                    and slopes are
    body            How the frame that carries the elements moves: omega, epsilon and a0, in components of the frame
                    itself
    frame           A frame of bars: nodes, elements, sections and what is attached to them, checked once and never
                    changed
    frame_file      A TOML file becomes a frame on a moving body; what is wrong in it is said with its line
    frame_text      What a file about a frame on a moving body may hold, and its numbers: the arguments of
                    `fx.BeamFrame` as plain data
    inertia         The inertia of whatever moves with a frame, as integrals over shape functions ([E] Theorem 1,
                    theory.md section 4)
    linkages        Rigid kinematics of planar linkages with one driving angle: where each body is and how it moves,
                    exactly
    loads           Loads on a frame: forces and moments at nodes, distributed along elements; consistent vectors
                    ([E] eqs
    measured        Quantities with units wherever a frame or its motion takes a number
    mechanism       Mechanisms: rigid motion first, elastic response second (kineto-elastodynamics, [E] section 2)
    mechanism_system  The equations of a mechanism at an instant: its frequencies and modes along the trajectory
    pattern         From elements to sparse matrices: one pattern of nonzeros, shared by every matrix of a frame
    resultants      Stress resultants along the elements: axial force, shear forces, torque and bending moments
    rigid           Motions of a frame that nothing holds: rigid motions of each connected piece that supports and
                    springs allow
    rigid_dynamics  Rigid dynamics of a linkage: how a torque on the driving angle moves it, with the masses of its
                    members
    rigid_member    A body that does not bend, as a member of a mechanism
    rotor           Rotors seen from ground: shafts alike in all directions, on bearings that are not
    section         Cross sections of bars: elasticity, density, area and moments, constant or varying along the
                    element
    shapes          Shape functions along an element, exact for end loads: sections may vary and shear is part of
                    the solution
    system          The equations of a frame on a moving body at an instant, as a second-order system with all its
                    parts by name
    tension         The forces along the members of a mechanism at an instant, and what they do to its stiffness
                    (K_G)
    ties            Joints between members whose frames turn, as x_all = T(t) y
"""
