r"""A sheet as TikZ, for papers in LaTeX: `.tikz` is a picture to \input, `.tex` a document that compiles by itself.

>>> fx.plot(model, "model.tikz"), fx.plot(fx.free_bodies(model), "free_bodies.tex")
"""

from __future__ import annotations

from flexura.show.schematic.sheet import Array, Label, Sheet, Stroke
from flexura.show.tex import escaped, mathematics

ENDINGS = (".tikz", ".tex")
_HEAD = r"""\documentclass[tikz, border=4bp]{standalone}
\usepackage{amsmath}
\usetikzlibrary{arrows.meta}
\begin{document}
"""


def tikz(sheet: Sheet, ending: str) -> str:
    """The text of the file; every part stands behind a comment with its name."""
    lines = [r"\begin{tikzpicture}[x=1bp, y=1bp, line cap=round, line join=round]"]
    levels = sorted({stroke.level for thing in sheet.things for stroke in thing.strokes})
    for level in levels:
        for thing in sheet.things:
            strokes = [stroke for stroke in thing.strokes if stroke.level == level]
            lines += [_comment(thing.name)] if strokes else []
            lines += map(_stroke, strokes)
    for thing in sheet.things:
        lines += [_comment(thing.name)] if thing.labels else []
        lines += map(_label, thing.labels)
    low, _ = sheet.bounds
    if sheet.notes:
        note = escaped("; ".join(sheet.notes))
        lines.append(rf"  \node[anchor=north west, font=\scriptsize, gray] at {_at(low)} {{{note}}};")
    picture = "\n".join([*lines, r"\end{tikzpicture}"]) + "\n"
    return picture if ending == ".tikz" else f"{_HEAD}{picture}\\end{{document}}\n"


def _comment(name: str) -> str:
    return "  % " + "".join(letter if letter.isprintable() else " " for letter in name)


def _at(point: Array) -> str:
    return f"({point[0]:.2f}, {point[1]:.2f})"


def _colour(colour: str) -> str:
    """In TikZ's own mixture of red, green and blue."""
    named = {"white": "#ffffff", "black": "#000000"}.get(colour, colour)
    red, green, blue = (int(named[i : i + 2], 16) for i in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _stroke(stroke: Stroke) -> str:
    options = [f"draw={_colour(stroke.colour)}", f"line width={stroke.width:.2f}bp"]
    options += [f"fill={_colour(stroke.fill)}"] if stroke.fill else []
    options += ["dash pattern=on 3bp off 2bp"] if stroke.dashed else []
    options += ["-{Latex[length=4bp, width=3.4bp]}"] if stroke.head else []
    path = " -- ".join(map(_at, stroke.points)) + (" -- cycle" if stroke.closed else "")
    return rf"  \draw[{', '.join(options)}] {path};"


def _label(label: Label) -> str:
    at = label.at if label.centre is None else label.centre
    return (
        rf"  \node[inner sep=0pt, font=\fontsize{{9}}{{10}}\selectfont, text={_colour(label.colour)}]"
        rf" at {_at(at)} {{{mathematics(label.text) if label.mathematics else escaped(label.plain)}}};"
    )
