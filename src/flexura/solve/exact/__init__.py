"""Exact natural frequencies, modes and frequency responses of linear systems with fields; no mesh that a user sees.

`reading.py` turns energies into the numbers of `lines.py`. A line at any s is `line_stiffness.py`: by closed, scaled
forms (`closed.py`, `waves.py`) where it is uniform, by Galerkin stretches (`segments.py`) elsewhere, which
also check the closed forms; what is stiff beside the rest is joined in mixed form (`mixed.py`). `dynamic_stiffness.py`
glues lines to D(s), `elimination.py` eliminates it at all points at once and counts (Wittrick-Williams), with long
digits where members are many or very stiff (`long_count.py`).

Undamped: `window.py` finds by the count where the modes are, `pencil.py` and `spectrum.py` give their values from the
same system uncondensed, `undamped.py` proves each by the count, `roots.py` searches by the count alone where that is
better. Damped and gyroscopic: `damped.py`, with `companion.py` for candidates and `winding.py` for the argument
principle. `shapes.py` are modes as functions, `response.py` solves for given frequencies. A new way to find roots is
one more file that reads D(s).

Files:

    asked              What a frequency response is asked for, as coordinates of a system that stay when all others
                       are gone
    at_rest            A line's stiffness at rest by how it is strained, and apart from it what inertia adds
    by_strains         Undamped modes from strains, K = F' F with F the strains themselves: for members of very
                       different stiffness
    closed             Closed, scaled forms of uniform lines: the dynamic stiffness of a whole line at once, however
                       high the frequency
    companion          Eigenvalues s of a pencil K + s C + s^2 M around a point: candidates from its linear form,
                       each polished by Newton
    damped             Damped and gyroscopic systems: all eigenvalues s inside a circle, found, confirmed and
                       counted
    dynamic_stiffness  D(s) of the whole system over its independent coordinates, and the count of what was
                       condensed away
    elimination        Symmetric elimination of many small sparse matrices at once: the same pattern, another set of
                       numbers at each point
    gluing             Stretches of a line glued in pairs, by their dynamic stiffness or in mixed form (`mixed.py`),
                       until one is left
    inertia_blocks  How many eigenvalues of large symmetric matrices of few entries are negative, where single pivots
                 may vanish
    kernels            Motions without stiffness: found where all strains vanish, by rank, whatever the stiffnesses
                       are
    line_stiffness     One line at any s: its dynamic stiffness over (end a, end b, coordinates along it), and the
                       modes it has swallowed
    lines              A linear system in numbers: its lines, what is not spread, and the same system with more
                       joints
    long_count         The count with 32 digits, for frequencies so low beside the members' own that 16 digits lose what
                       the nodes weigh
    long_digits        Numbers as unevaluated sums of two, head + tail, with some 32 digits; arrays of them
    mixed              A line in mixed form: the values q_a at its start, the loads f at its end
    pencil             The same system before it is condensed: K + s C + s^2 M over coordinates, joints and inner
                       functions, without poles
    reading            Reads linear equations into numbers: what the energies say about each line and about the
                       coordinates
    response           Frequency responses: the load's amplitude and the outputs are coordinates of D that stay when
                       all others are gone
    roots              Roots by the count alone: J(omega^2) brackets each of them, whatever poles and repeated roots
                       there are
    segments           Stretches of a line, short enough to be smooth, condensed to the values at their ends
    shapes             Shapes of modes: numbers for coordinates, functions of x for fields
    slow               Roots that are slow beside a circle: a free motion that is damped a little, soft springs on
                       stiff members
    sparse_rank        The few vectors that many conditions of few entries leave free: the kernel of a sparse A,
                       without A' A
    spectrum           All eigenvalues omega^2 of a pencil in a window, each with its vector, when their number is
                       known from the count
    strains            The strains of a line cut into stretches, over its own values: ends, coordinates, joints,
                       inner functions
    undamped           Undamped modes: the pencil gives each omega^2, the count of Wittrick and Williams proves it
    waves              Waves of a uniform line at each s: lambda^2 and vectors, and the stiffness they give a line
                       of any length
    winding            The argument principle: how many roots of det(K + s C + s^2 M) a region holds, from the turns
                       of its phase
    window             The window of omega^2 that holds the modes asked for, and how many there are in it, by the
                       count alone
"""
