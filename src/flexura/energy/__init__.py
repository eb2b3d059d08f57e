"""The narrow waist: everything on the way in becomes a `Lagrangian`, everything on the way out starts from one.

`field.py` declares fields and their values at the ends, `lagrangian.py` holds the energies as data, `reading.py` turns
what the user wrote into that data and refuses what cannot be right.

Files:

    along       Conditions that hold at every place along a member, each with a multiplier field
    checks      What a Lagrangian must satisfy before anything is derived from it; each refusal is one sentence
    field       Fields e(x, t) on a spine, and their values and slopes at its ends
    integral    Integrals over a member, for energies that know the whole of it
    lagrangian  The Lagrangian of a system of rigid and flexible members, as data (theory, section 1)
    reading     From what the user wrote to a Lagrangian's data: every name resolved to a coordinate, field, input
                or parameter
    straight    Conditions that are linear in what moves, with constants or functions of time beside it
"""
