"""The command `flexura`: a thin door to the rooms below.

`app.py` holds the application, `output.py` what commands print with; every other file is one group of commands. A new
command is a function there and a line in `COMMANDS` of `app.py`; its file is read when it is called.

Files:

    app         The application: its commands, its version, and the one place where errors become exit codes
    derivation  `flexura derive` and `flexura verify`: the equations of a system, and their proof
    draw        `flexura draw`: the schematic of a model, before anything is solved
    examples    `flexura examples`: what there is to try
    export      `flexura export`: a model as a file for other programs, by the ending of the path
    frames      `flexura campbell` for a file about a frame on a moving body: whirl against speed, critical speeds,
                stability
    members     `flexura members`: the table of surrogate elements
    models      What MODEL means to a command: a TOML file, or a built-in example; and how numbers are given to it
    modes       `flexura modes`: natural frequencies and modes, exact and counted
    new         `flexura new`: a model file to start from, with a word on everything in it
    output      How commands print: one JSON document, or text with headings; what is no terminal gets no colours
    problems    `flexura problems` and `flexura problem`: the book, and one page of it
    reduce      `flexura reduce` and `flexura state`: structures in operation, from files of matrices or from models
    report      `flexura report`: the derivation and its proof as a document
    respond     `flexura respond` and `flexura campbell`: answers over a range, of frequencies or of a parameter
    schema      `flexura schema`: the JSON Schema of model files, for editors
    simulate    `flexura simulate`: motion in time, with the energy balance
    sweep       `flexura sweep`: frequencies over a grid of parameters, on all cores
"""

from flexura.cli.app import main

__all__ = ["main"]
