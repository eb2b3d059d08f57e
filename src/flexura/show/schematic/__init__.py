"""The schematic of a model: bodies, members, joints, springs and loads by the symbols engineers draw.

`layout.py` puts the reference configuration on a page, `symbols.py` holds the strokes of each kind, `sheet.py` gathers
strokes and labels, `labels.py` finds a place for each label, and `drawing.py` hands the sheet to Matplotlib. A kind
without a symbol is drawn as a hinge, or as a box between its places; a symbol is one function in `symbols.py`.

Files:

    closing      Coordinates that close the loops of a mechanism which are open where all coordinates are zero
    dimensions   Dimensions, where they are asked for: the length of each member, and of each arm of a body
    displaced    Where parts are in a state that was found, a run's at a time or one of rest; displacements magnified
    drawing      `fx.plot(model)`: the schematic as a Matplotlib figure
    free_bodies  Free-body diagrams drawn: each body by itself, forces as arrows where they act, moments as round ones
    labels       Where labels go: beside what they name, never on one another
    layout       The reference configuration on a page: where parts stand, which way axes point
    rolling      Wheels where they roll, and gears between the joints that they tie
    sheet        What is on the page: strokes and labels, each with the part it belongs to
    sketch       What a model is drawn with: each part, joint, load and coordinate in its place
    states       Runs, states of rest and paths of them, drawn on the schematic: the last state in full, those before it
                 lightly
    symbols      Strokes of each kind of joint, spring, load and body, in points of the page
    tikz         A sheet as TikZ, for papers in LaTeX: `.tikz` is a picture to \\input, `.tex` a document that compiles
                 by itself
"""
