"""Equations of motion as data: rows, steps, certificates, and the printers that show them.

`rows.py` is what the derivations produce, `equations.py` what users hold. A new output format is one printer here.

Files:

    certificate  A certificate: which routes were compared, what each proves, how zero was decided, what was skipped
                 and why
    deferred     A tuple that is made when it is first looked at
    equations    Equations of motion, as users hold them: self-sufficient, printable, and exactly what was derived
    formula/     Formulas for formats that do not read LaTeX: read into a tree, written anew
    json_form    Equations as JSON and back, losslessly: trees are written in the text grammar, names mean what they
                 mean inside
    json_shape   What a document of equations holds, entry by entry: whoever wrote it, it is read only if it has
                 this shape
    latex        Equations as LaTeX that amsmath and KaTeX both read
    layout       What stands where on display: which terms of an equation stand together, and in which order
    mobility     Mobility: how many motions conditions leave free, and which conditions repeat others, as data
    reduction    Integrals along a spine brought to one form, so that equal ones look equal: derivatives moved to
                 the ends by parts
    page         Equations in the page of a notebook: the schematic, and every equation under its heading, as browsers
                 set it
    rows         One equation as data: local terms plus integrals along spines, on a left and a right side
    steps        The derivation as data: steps with a title, a sentence and formulas
    sympy_rows   Rows as SymPy equations: end values as Subs, integrals along the spine as Integral
    text         Equations as Unicode text, and the walk over expressions that every printer shares
"""
