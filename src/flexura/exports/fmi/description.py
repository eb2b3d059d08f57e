"""modelDescription.xml of FMI 2.0 and 3.0, and what sources are built from.

>>> text = description(variables, "arm", guid, "2.0")
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence

from flexura.exports.fmi.variables import FmuVariable

_UNITS = {
    "s": {"s": 1},
    "m": {"m": 1},
    "rad": {"rad": 1},
    "m/s": {"m": 1, "s": -1},
    "rad/s": {"rad": 1, "s": -1},
    "m/s**2": {"m": 1, "s": -2},
    "rad/s**2": {"rad": 1, "s": -2},
    "N": {"kg": 1, "m": 1, "s": -2},
    "N*m": {"kg": 1, "m": 2, "s": -2},
    "N/m": {"kg": 1, "s": -2},
    "kg": {"kg": 1},
    "1/s": {"s": -1},
}
_LIBRARY = "flexura"


def description(variables: Sequence[FmuVariable], name: str, guid: str, version: str, events: int = 0) -> str:
    """The whole file, for version "2.0" or "3.0"."""
    third = version == "3.0"
    root = ET.Element("fmiModelDescription", fmiVersion=version, modelName=name, generationTool=_LIBRARY)
    root.set("instantiationToken" if third else "guid", guid)
    root.set("variableNamingConvention", "flat")
    if not third:
        root.set("numberOfEventIndicators", str(events))
    able = {"canGetAndSetFMUState" if third else "canGetAndSetFMUstate": "true"}
    able["canSerializeFMUState" if third else "canSerializeFMUstate"] = "true"
    for kind in ("ModelExchange", "CoSimulation"):
        more = {"canHandleVariableCommunicationStepSize": "true"} if kind == "CoSimulation" else {}
        one = ET.SubElement(root, kind, {"modelIdentifier": name, **able, **more})
        if not third:
            ET.SubElement(ET.SubElement(one, "SourceFiles"), "File", name=f"{name}.c")
    _units(root, variables)
    experiment = ET.SubElement(root, "DefaultExperiment", startTime="0.0", stopTime="1.0", tolerance="1e-9")
    experiment.set("stepSize", "0.01")
    (_third if third else _second)(root, variables)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _units(root: ET.Element, variables: Sequence[FmuVariable]) -> None:
    used = dict.fromkeys(one.unit for one in variables if one.unit in _UNITS)
    if used:
        group = ET.SubElement(root, "UnitDefinitions")
        for unit in used:
            base = {letter: str(power) for letter, power in _UNITS[unit].items()}
            ET.SubElement(ET.SubElement(group, "Unit", name=unit), "BaseUnit", base)


def _second(root: ET.Element, variables: Sequence[FmuVariable]) -> None:
    place = {one.reference: str(i) for i, one in enumerate(variables, start=1)}
    group = ET.SubElement(root, "ModelVariables")
    for one in variables:
        node = ET.SubElement(group, "ScalarVariable", name=one.name, valueReference=str(one.reference))
        node.set("causality", one.causality)
        node.set("variability", one.variability)
        if one.causality in ("local", "output"):
            node.set("initial", "calculated" if one.calculated else "exact")
        real = ET.SubElement(node, "Real")
        _attributes(real, one)
        if one.rate_of is not None:
            real.set("derivative", place[one.rate_of])
    structure = ET.SubElement(root, "ModelStructure")
    for word, some in _groups(variables).items():
        if some:
            part = ET.SubElement(structure, word)
            for one in some:
                ET.SubElement(part, "Unknown", index=place[one.reference])


def _third(root: ET.Element, variables: Sequence[FmuVariable]) -> None:
    group = ET.SubElement(root, "ModelVariables")
    for one in variables:
        node = ET.SubElement(group, "Float64", name=one.name, valueReference=str(one.reference))
        node.set("causality", one.causality)
        node.set("variability", one.variability)
        if one.causality in ("local", "output"):
            node.set("initial", "calculated" if one.calculated else "exact")
        _attributes(node, one)
        if one.rate_of is not None:
            node.set("derivative", str(one.rate_of))
    structure = ET.SubElement(root, "ModelStructure")
    words = {"Outputs": "Output", "Derivatives": "ContinuousStateDerivative", "InitialUnknowns": "InitialUnknown"}
    for word, some in _groups(variables).items():
        for one in some:
            ET.SubElement(structure, words[word], valueReference=str(one.reference))
    for one in (variable for variable in variables if variable.indicator):
        ET.SubElement(structure, "EventIndicator", valueReference=str(one.reference))


def _attributes(node: ET.Element, one: FmuVariable) -> None:
    if one.unit in _UNITS:
        node.set("unit", one.unit)
    if one.start is not None:
        node.set("start", repr(float(one.start)))


def _groups(variables: Sequence[FmuVariable]) -> dict[str, list[FmuVariable]]:
    outputs = [one for one in variables if one.causality == "output"]
    rates = [one for one in variables if one.rate_of is not None]
    first = sorted((one for one in (*outputs, *rates) if one.calculated), key=lambda one: one.reference)
    return {"Outputs": outputs, "Derivatives": rates, "InitialUnknowns": first}


def build_description(name: str) -> str:
    """sources/buildDescription.xml of FMI 3.0."""
    root = ET.Element("fmiBuildDescription", fmiVersion="3.0")
    build = ET.SubElement(root, "BuildConfiguration", modelIdentifier=name)
    sources = ET.SubElement(build, "SourceFileSet", language="C99")
    ET.SubElement(sources, "SourceFile", name=f"{name}.c")
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"
