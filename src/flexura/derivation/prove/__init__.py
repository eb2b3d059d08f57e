"""Parts against energies: the motion of every particle of a model in many digits, without the builder of its energies.

`program.py` evaluates trees with many digits, `vectors.py` and `polynomials.py` hold numbers, `read.py` holds what is
read of parts and connections, which `reading.py` sorts into frames, `hanging.py` says what hangs on what in one,
`small.py` finds the small motions inside it, `turning.py` what they draw in to second order, `paths.py` draws states,
`moving.py` places everything at one, `around.py` a little before and after, `balance.py` adds up energies and virtual
work, and `compare.py` holds them against a Lagrangian. Nothing here may import `model/`: that it agrees is the proof.

Files:

    around       A state with what it was a little before and will be a little after: rates, spins, what names are
                 worth there
    balance      Energies, losses and virtual work of the parts at a state, from where their particles are and how
                 these move
    compare      A Lagrangian held against the parts it was written from
    hanging      What hangs on what inside a frame: the way by which bending draws parts in, and what is held
                 against it
    loops        What the last connection of a loop holds, held against the conditions: none may be missing
    moving       Everything at a random state: coordinates, fields along members, and from them where each particle
                 is in space
    paths        Random numbers by name, and values that change along a virtual displacement and in time
    polynomials  Polynomials by their coefficients, from the lowest power
    program      Trees as lists of operations, evaluated with many digits
    read         What is read of a description: pieces of members, spots on parts, links between them, frames,
                 what hangs together
    reading      Parts and connections read anew: pieces of members, what is welded together, the tree of joints,
                 names of motions
    small        Small motions inside one frame: linear conditions of welds among the motions of bodies and of
                 members' ends
    strains      What pieces that stretch where they bend store and lose by it, by plain geometry
    stretched    Which pieces stretch where they bend: those held along their axis at both ends, in frames that turn
    turning      What small turns draw in: the welds of a frame to second order, in numbers
    vectors      Vectors and rotations in many digits
"""
