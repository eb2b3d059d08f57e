"""Valid files, damaged by chance but always the same way: bits, cuts, fields and numbers.

>>> for seed in range(100): damaged(b"2 2 1.0", seed)
"""

import io
import json
import random
import re
import struct
import zipfile
import zlib

NASTY = (
    "0", "1", "-1", "2", "3", "7", "999999999", "-2147483648", "4294967296", "99999999999999999999", "1e308", "1e999",
    "-1e-400", "nan", "inf", "2.0e", "1.0.5", "0x1p3", "1_0", "1e5.3", "+-", ".", "-", "e", "1.5+", "1D3", "{}", "[]",
    "[[[[", "null", "true", '"a"', "\u00b2", "\u0661",
)  # fmt: skip
_NUMBER = re.compile(rb"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")
_WORD = re.compile(rb"[^\s,]+")


def damaged(data, seed):
    """The same bytes with one to three damages."""
    chance = random.Random(seed)
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(DAMAGES)(bytes(data), chance)
    return data


def _flip(data, chance):
    at = chance.randrange(len(data) or 1)
    return data[:at] + bytes(one ^ (1 << chance.randrange(8)) for one in data[at : at + 1]) + data[at + 1 :]


def _cut(data, chance):
    return data[: chance.randrange(len(data) + 1)]


def _cut_near_the_end(data, chance):
    return data[: -chance.randrange(1, 9)]


def _leave_out(data, chance):
    at = chance.randrange(len(data) + 1)
    return data[:at] + data[at + chance.choice((1, 2, 8, 50)) :]


def _repeat(data, chance):
    at = chance.randrange(len(data) + 1)
    size = chance.choice((1, 4, 8, 60))
    return data[: at + size] + data[at:]


def _number(data, chance):
    return _replaced(data, _NUMBER, chance)


def _word(data, chance):
    return _replaced(data, _WORD, chance)


def _replaced(data, pattern, chance):
    found = list(pattern.finditer(data))
    if not found:
        return data
    one = chance.choice(found)
    return data[: one.start()] + chance.choice(NASTY).encode() + data[one.end() :]


def _swap_words(data, chance):
    found = list(_WORD.finditer(data))
    if len(found) < 2:
        return data
    a, b = sorted(chance.sample(found, 2), key=lambda one: one.start())
    return data[: a.start()] + b[0] + data[a.end() : b.start()] + a[0] + data[b.end() :]


def _swap_lines(data, chance):
    lines = data.split(b"\n")
    i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def _binary_number(data, chance):
    at = chance.randrange(max(len(data) - 8, 1))
    value = chance.choice((0, 1, 2, -1, 7, 255, 65535, 2**31 - 1, -(2**31), chance.randrange(-100, 100)))
    new = struct.pack(chance.choice(("<i", ">i", "<q")), value)
    return data[:at] + new + data[at + len(new) :]


DAMAGES = (
    _flip, _flip, _cut, _cut_near_the_end, _leave_out, _repeat, _number, _number, _word, _swap_words, _swap_lines,
    _binary_number,
)  # fmt: skip


def damaged_archive(data, seed):
    """A .npz whose arrays are damaged, while the archive itself stays whole; or a damaged archive."""
    chance = random.Random(seed)
    if chance.random() < 0.3:
        return damaged(data, seed)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {one.filename: archive.read(one) for one in archive.infolist()}
    name = chance.choice(sorted(members))
    members[name] = damaged(members[name], seed)
    if chance.random() < 0.1:
        members.pop(chance.choice(sorted(members)))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def damaged_mat(data, seed):
    """A .mat of which a compressed element is damaged inside; or a damaged file."""
    chance = random.Random(seed)
    at, elements = 128, []
    while at < len(data):
        kind, size = struct.unpack("<II", data[at : at + 8])
        elements.append((kind, data[at + 8 : at + 8 + size]))
        at += 8 + size
    if chance.random() < 0.3 or any(kind != 15 for kind, _ in elements):
        return damaged(data, seed)
    chosen, made = chance.randrange(len(elements)), data[:128]
    for i, (kind, content) in enumerate(elements):
        inner = zlib.compress(damaged(zlib.decompress(content), seed)) if i == chosen else content
        made += struct.pack("<II", kind, len(inner)) + inner
    return made


# -- documents -------------------------------------------------------------------------------------------------------

VALUES = (
    None, True, 0, -1, 10**30, 1.5, float("nan"), float("inf"), "", "x", "a b", "1 furlong", "3 m", "-", "1/0", "q_t",
    "\u0661", "beam.at(99)", "ground", [], [[]], ["Mass"], [1, "a"], [1, 2, 3, 4], {}, {"a": {}}, {"kind": "Mass"},
    "x" * 200, "((((", "sin(" * 30 + "q" + ")" * 30, "(a+b)**99",
)  # fmt: skip


def damaged_tree(tree, seed):
    """A document of which one to three entries are replaced, left out, renamed, repeated or exchanged."""
    chance = random.Random(seed)
    tree = _copy(tree)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            return tree
        holder, key = chance.choice(places)
        other, another = chance.choice(places)
        change = chance.choice(("new", "new", "new", "out", "rename", "exchange", "copy"))
        if change == "new":
            holder[key] = chance.choice(VALUES)
        elif change == "out":
            del holder[key]
        elif change == "rename" and isinstance(holder, dict):
            holder[chance.choice(("x", "", "a.b", "kind", "@", "q"))] = holder.pop(key)
        elif change == "exchange":
            holder[key], other[another] = _copy(other[another]), _copy(holder[key])
        else:
            holder[key] = _copy(other[another])
    return tree


def _places(tree):
    entries = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, inner in entries:
        yield tree, key
        yield from _places(inner)


def _copy(tree):
    return json.loads(json.dumps(tree))


def toml_text(tree):
    """A document as TOML, in inline tables."""
    return "\n".join(f"{json.dumps(key)} = {_toml(value)}" for key, value in tree.items())


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return {None: "1979-05-27T07:32:00Z", float("inf"): "inf"}.get(value, json.dumps(value).replace("NaN", "nan"))
