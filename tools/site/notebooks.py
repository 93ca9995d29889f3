"""Pages made of executed notebooks: code and its output in boxes of their own, and a link to the notebook."""

from __future__ import annotations

import base64
import html
import re
import shutil
from pathlib import Path
from typing import Any

__all__ = ["page_of", "write"]

_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
"""Colours of a terminal."""


def write(source: Path, folder: Path) -> None:
    """Run each notebook; write a page with its outputs, and the notebook itself for a download."""
    import nbformat
    from nbclient import NotebookClient
    from traitlets.config import Config

    # Sockets of the file system instead of network ports. An error in a cell raises an exception.
    local = Config({"KernelManager": {"transport": "ipc"}})

    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, kernel_name="python3", config=local).execute()
        shutil.copy(path, folder)
        text, files = page_of(notebook, path.name)
        (folder / f"{path.stem}.md").write_text(text, "utf-8")
        for name, data in files.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)


def page_of(notebook: Any, name: str) -> tuple[str, dict[str, bytes]]:
    """Return the page of an executed notebook as Markdown, and the pictures in it by their names."""
    parts: list[str] = []
    files: dict[str, bytes] = {}
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            if number == 0:
                parts.append(f"[Download this notebook]({name})")
            continue
        parts.append(_box("input", f"```python\n{cell.source}\n```"))
        for place, output in enumerate(cell.outputs):
            file = f"{Path(name).stem}_files/{number}-{place}"
            if "text/html" in output.get("data", {}):
                # Nothing in it is Markdown.
                parts.append(f'<div class="notebook-output">\n{output.data["text/html"].strip()}\n</div>')
            elif shown := _output(output, file, files):
                parts.append(_box("output", shown))
    return "\n\n".join(parts) + "\n", files


def _box(kind: str, text: str) -> str:
    return f'<div class="notebook-{kind}" markdown="1">\n\n{text}\n\n</div>'


def _output(output: Any, file: str, files: dict[str, bytes]) -> str:
    """One output as Markdown: a picture, or a text."""
    if output.output_type == "stream":
        return _text(output.text)
    data = output.data
    if "image/svg+xml" in data:
        files[f"{file}.svg"] = data["image/svg+xml"].encode()
        title = re.search(r"<title>(.*?)</title>", data["image/svg+xml"], re.DOTALL)
        return _image(f"{file}.svg", html.unescape(title[1]) if title else "Picture")
    if "image/png" in data:
        files[f"{file}.png"] = base64.b64decode(data["image/png"])
        return _image(f"{file}.png", "Picture")
    return _text(data.get("text/plain", ""))


def _image(file: str, text: str) -> str:
    return f'<img src="{file}" alt="{html.escape(" ".join(text.split()))}">'


def _text(text: str) -> str:
    """A text as it was printed. It is marked as text, so that it is not coloured as code."""
    plain = _ESCAPES.sub("", text).rstrip("\n")
    return f"```text\n{plain}\n```" if plain else ""
