"""The page of all files: each with the first line of the comment at its head.

``python tools/site/files.py`` prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["head_of", "page", "sources"]

ROOT = Path(__file__).resolve().parents[2]

HEAD = """# Files

Every file of Python and C++ with the first sentence of its head. [The house](house.md) shows how
they stand above each other.
"""


def sources() -> Iterator[Path]:
    """Yield the files of the package, of the models and of the core, folder by folder."""
    for folder in ("ktsolve", "models", "native/include", "native/src", "native/bindings"):
        found = (ROOT / folder).rglob("*.?pp" if folder.startswith("native") else "*.py")
        yield from sorted(found, key=lambda path: (path.parent.as_posix(), path.name))


def head_of(path: Path) -> str:
    """Return the first sentence or line of the comment at the head of a file; empty if it has none."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        # Two hundred files are read faster than they are parsed.
        head = re.match(r'(?:#[^\n]*\n|\n)*r?"""(.*?)"""', text, re.DOTALL)
        text = head[1] if head else ""
    else:
        head = re.match(r"(?://[^\n]*\n)*", text)
        text = re.sub(r"^// ?", "", head.group() if head else "", flags=re.MULTILINE)
    return " ".join(text.partition("\n\n")[0].split())


def page() -> str:
    """Return the page as Markdown, a table for each folder."""
    lines, folder = [HEAD], None
    for path in sources():
        if path.parent != folder:
            folder = path.parent
            name = folder.relative_to(ROOT).as_posix()
            lines += [f"\n## {name}\n", "| file | contents |", "| --- | --- |"]
        lines.append(f"| `{path.name}` | {head_of(path).replace('|', chr(92) + '|')} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
