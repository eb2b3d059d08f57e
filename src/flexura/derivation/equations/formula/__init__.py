"""Formulas for formats that do not read LaTeX: the LaTeX that equations are written in, read into a tree, written anew.

A new format is one file with a function from `Formula` to text.

Files:

    mathml Formulas in presentation MathML, as browsers and word processors read it
    omml   Formulas in the mathematics of Office documents
    tree   LaTeX as the printers write it, read into a tree; anything else is refused
    typst  Formulas in Typst's mathematics
"""
