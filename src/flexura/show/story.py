"""The story of a derivation as a document: the system, its equations, how they came about, and their proof.

>>> document = story(equations, certificate, "Example One")
>>> [section.title for section in document.sections]
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from flexura.derivation.diagrams import free_bodies
from flexura.derivation.equations.certificate import ROUTE, Certificate, Comparison
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.latex import tree_latex
from flexura.derivation.equations.layout import SECTIONS
from flexura.derivation.equations.rows import Row
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.show.document import (
    Block,
    Formulas,
    Inline,
    Paragraph,
    Picture,
    Report,
    ReportSection,
    ReportTable,
    ReportVerdict,
    Steps,
    Words,
)
from flexura.show.lines import lines
from flexura.show.schematic.drawing import draw_schematic
from flexura.show.schematic.free_bodies import draw_free_bodies
from flexura.symbolic.engine import Symbol
from flexura.symbolic.expression import ParameterDeclaration

_DRAWN = 80  # parts, whose names a page has room for
_CUT = 20  # parts that are drawn cut free
_ABOVE = "They are drawn above under Free bodies, each with its balance."
_SOURCE = (
    "The method is that of N. C. Singer and W. P. Seering, A Simplified Method for Deriving Equations of Motion for"
    " Continuous Systems with Flexible Members, MIT AI Memo 1423."
)
_LONG = 6_000  # letters of LaTeX in the balances of one body


def story(
    equations: Equations,
    certificate: Certificate,
    title: str,
    answers: Iterable[ReportSection] = (),
    stem: str = "report",
) -> Report:
    """The whole report; `answers` stand before the derivation."""
    energies = equations.lagrangian
    cut = tuple(_cut_free(equations))
    return Report(
        title,
        (
            ReportSection("The system", (*_picture(equations), *_system(energies))),
            *cut,
            ReportSection("Result", tuple(_results(equations))),
            *answers,
            ReportSection("Derivation", tuple(_derivation(equations, bool(cut)))),
            ReportSection("Certificate", (_verdict(certificate, energies),)),
        ),
        stem,
    )


def _picture(equations: Equations) -> Iterable[Block]:
    """The schematic, where the equations know their parts."""
    geometry = equations.lagrangian.geometry
    if geometry is None:
        return
    if len(geometry.parts) > _DRAWN:
        yield Paragraph((f"The system has {len(geometry.parts)} parts, too many for a schematic on a page.",))
    else:
        yield Picture(draw_schematic(equations), "The reference configuration.", "schematic")


def _cut_free(equations: Equations) -> Iterable[ReportSection]:
    """The free bodies with their balances, where the equations know their parts and these are few."""
    geometry = equations.lagrangian.geometry
    if geometry is None or len(geometry.parts) > _CUT:
        return
    try:
        diagrams = free_bodies(equations)
    except FlexuraError as error:
        yield ReportSection("Free bodies", (Paragraph((str(error),)),))
        return
    what = "Every part cut free, with what acts on it; reactions, and N, V, M at the ends of members, are green."
    blocks: list[Block] = [Picture(draw_free_bodies(diagrams), what, "free_bodies")]
    for one in diagrams:
        if not sum(len(term) for row in one.rows for term in lines(row, one.energies)) > _LONG:
            blocks.append(ReportSection(one.body, (_formulas(one.rows, one.energies),)))
        else:
            blocks.append(ReportSection(one.body, (Paragraph(("Its balances are too long for a page.",)),)))
    if diagrams.reaction_rows and any(one.spines for one in diagrams):
        blocks.append(ReportSection("Loads at ends", (_formulas(diagrams.reaction_rows, diagrams.energies),)))
    yield ReportSection("Free bodies", tuple(blocks))


def _system(energies: Lagrangian) -> Iterable[Block]:
    if energies.coordinates:
        many = "coordinates" if len(energies.coordinates) > 1 else "coordinate"
        yield Paragraph((f"Discrete {many}: ", *_names(energies.coordinates, energies), "."))
    for spine in energies.spines:
        start, end = (tree_latex(place, energies) for place in (spine.start, spine.end))
        many = "Fields" if len(spine.fields) > 1 else "Field"
        yield Paragraph((f"{many} along ", Inline(f"{start} < x < {end}"), ": ", *_names(spine.fields, energies), "."))
    if energies.inputs:
        yield Paragraph(("Given functions: ", *_names(energies.inputs, energies), "."))
    if energies.parameters:
        yield _parameters(tuple(energies.parameters.values()), energies)


def _parameters(parameters: Sequence[ParameterDeclaration], energies: Lagrangian) -> Block:
    """A table where values are known, or every parameter says which part it belongs to; else the names alone."""
    if not any(one.value is not None for one in parameters) and not all(one.parts for one in parameters):
        return Paragraph(("Parameters: ", *_names((one.name for one in parameters), energies), "."))
    columns = {
        "Value": ["" if one.value is None else f"{one.value:.10g}" for one in parameters],
        "Unit": [_unit(one.unit) for one in parameters],
        "Parts": [", ".join(one.parts) for one in parameters],
    }
    known = {head: column for head, column in columns.items() if any(column)}
    rows = zip(parameters, *known.values(), strict=True)
    return ReportTable(
        ("Parameter", *known),
        tuple(((_symbol(one.name, energies),), *((cell,) for cell in cells)) for one, *cells in rows),
    )


def _unit(unit: str) -> str:
    """As people write it: N m² for N*m**2."""
    for power, raised in (("**2", "²"), ("**3", "³"), ("**4", "⁴"), ("*", " ")):
        unit = unit.replace(power, raised)
    return unit


def _results(equations: Equations) -> Iterable[Block]:
    """The equations under their headings, numbered through."""
    number = 1
    for title, kinds in SECTIONS:
        rows = [row for kind in kinds for row in equations.shown if row.kind == kind]
        if rows:
            yield ReportSection(title, (_formulas(rows, equations.lagrangian, number),))
            number += len(rows)


def _derivation(equations: Equations, drawn: bool) -> Iterable[Block]:
    """`drawn`: the free bodies are in a section of their own."""
    source = f" {_SOURCE}" if equations.method == "surrogate" and equations.fields else ""
    yield Paragraph((f"By the {equations.method} route, in {len(equations.steps)} steps.{source}",))
    yield Steps(
        tuple(
            ReportSection(
                step.title,
                (
                    Paragraph((step.text,)),
                    *([Paragraph((_ABOVE,))] if step.is_drawn and drawn else []),
                    *([_formulas(step.content, step.lagrangian)] if step.content else []),
                ),
            )
            for step in equations.steps
        )
    )


def _verdict(certificate: Certificate, energies: Lagrangian) -> ReportVerdict:
    found = "verified" if certificate else "not verified"
    sentence = f"The equations of the {certificate.method} route are {found} by independent derivation."
    findings = [_comparison(one, energies) for one in certificate.compared]
    findings += [(f"{method}: skipped. {reason}",) for method, reason in certificate.skipped.items()]
    return ReportVerdict(bool(certificate), sentence, tuple(findings))


def _comparison(one: Comparison, energies: Lagrangian) -> Words:
    if one.agrees:
        of_rows = (", those of ", *_names(one.rows, energies)) if one.proves == ROUTE else ()
        return (f"{one.method}, {one.proves}: {one.finding}", *of_rows, ".")
    return (f"{one.method}, {one.proves}: {one.finding}.",)


def _formulas(rows: Iterable[Row], energies: Lagrangian, first: int = 0) -> Formulas:
    return Formulas(tuple(lines(row, energies) for row in rows), first)


def _names(names: Iterable[str], energies: Lagrangian) -> Words:
    """Names as formulas, separated by commas."""
    return tuple(word for name in names for word in (", ", _symbol(name, energies)))[1:]


def _symbol(name: str, energies: Lagrangian) -> Inline:
    return Inline(tree_latex(Symbol(name), energies))
