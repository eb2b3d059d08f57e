"""How files are read and written: whole before they take their place, and with the line of what is wrong.

Files:

    toml_lines       Where each entry of a TOML file stands, since tomllib does not say
    toml_quantities  Quantities in a file: the parameters table gives names their values, wherever they are used
    toml_source      The text of a file with its lines at hand: what is wrong in an entry is said with the line it
                     stands on
    writing          Files are written beside their place and moved there when they are whole: what was there before
                     is never half lost
"""
