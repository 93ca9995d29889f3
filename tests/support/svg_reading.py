"""Reads back what pictures say: an independent reader of the paths and groups of SVG files."""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"
_TOKEN = re.compile(r"[MlhvcLzZ]|-?(?:\d+\.?\d*|\.\d+)")


def parsed(text: str) -> Element:
    """The root of an SVG file, which must say what it shows."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[1].tag == f"{SVG}desc"
    return root


def group(root: Element, name: str) -> list[Element]:
    """The members of the group of that name with all they inherit, [] if there is none; there are not two."""
    found = [g for g in root.iter(f"{SVG}g") if g.get("class") == name]
    assert len(found) <= 1, name
    members = list(found[0]) if found else []
    for member in members:
        for key, value in found[0].attrib.items():
            if key != "class" and member.get(key) is None:
                member.set(key, value)
    return members


def strands(data: str) -> list[list[tuple[float, float]]]:
    """The points at which the lines of a path begin and end, strand by strand."""
    tokens = _TOKEN.findall(data)
    found: list[list[tuple[float, float]]] = []
    x = y = 0.0
    command = ""
    at = 0

    def numbers(count: int) -> list[float]:
        nonlocal at
        values = [float(token) for token in tokens[at : at + count]]
        assert len(values) == count, data
        at += count
        return values

    while at < len(tokens):
        if tokens[at].isalpha():
            command = tokens[at]
            at += 1
            if command in "zZ":
                found[-1].append(found[-1][0])
                continue
        match command:
            case "M":
                x, y = numbers(2)
                found.append([])
            case "l":
                dx, dy = numbers(2)
                x, y = x + dx, y + dy
            case "h":
                x += numbers(1)[0]
            case "v":
                y += numbers(1)[0]
            case "c":
                dx, dy = numbers(6)[4:]
                x, y = x + dx, y + dy
            case _:
                raise AssertionError(f"{command} in {data[:40]}")
        found[-1].append((round(x, 2), round(y, 2)))
    return found


def lines_of(root: Element) -> list[Element]:
    """The lines of the path of a tour, without halos."""
    return [path for path in group(root, "path") if path.get("stroke") is not None]


def walk_of(root: Element) -> list[list[tuple[float, float]]]:
    """The strands of the path of a tour, joined where one begins at the end of the one before."""
    joined: list[list[tuple[float, float]]] = []
    for path in lines_of(root):
        for strand in strands(path.get("d", "")):
            if joined and joined[-1][-1] == strand[0]:
                joined[-1].extend(strand[1:])
            else:
                joined.append(strand)
    return joined
