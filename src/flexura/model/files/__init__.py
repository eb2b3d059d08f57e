"""Models as TOML files: the words of `fx.Model` in a file, read into the same model; errors name the part and the line.

`document.py` says what a file may hold, `kinds.py` which words build which part, `quantities.py` gives names their
values, `lines.py` finds the line of every entry, and `reading.py` builds the model. A new part is a line in `kinds.py`;
its keywords are read from its own signature. `source.py` is what every file is read through; `frames.py` reads files
about frames on moving bodies, as plain numbers that `structures/moving/frame_file.py` builds the frame from.

Files:

    comments  A file written again keeps its comments: each stays with the entry above which, or behind which, it
              stands
    document  What a model file may hold, before anything is built: tables of the right shape under known names
    frame_table  The table [frame] of a model file: the words of `fx.frame`, each with its line at hand for what goes
              wrong
    kinds     The words a model file may use: every kind of part, connection and load, and the keywords each one
              takes
    reading   A TOML file becomes a model: parts, connections and loads, each with its line at hand for what goes
              wrong
    schema    What a model file may hold, as a JSON Schema, so that editors complete its words and mark what is wrong
    urdf      Robots from URDF: links as rigid bodies, joints as joints, and members in place of links that bend
    urdf_document  A URDF file as data: links and joints, checked, in the order of the file
    urdf_geometry  Rotations and vectors in numbers, as far as reading a URDF needs them
    written_frame  The table [frame] of a model that `fx.frame` made, in the words it was given
    written   A model becomes a TOML file that reads back as the same model
"""
