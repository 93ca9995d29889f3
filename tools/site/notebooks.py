"""Pages made of executed notebooks."""

from __future__ import annotations

from pathlib import Path


def write(source: Path, folder: Path) -> None:
    """Run each notebook and write it with its outputs. An error in a cell raises an exception."""
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import MarkdownExporter
    from traitlets.config import Config

    # Sockets of the file system instead of network ports.
    local = Config({"KernelManager": {"transport": "ipc"}})

    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, timeout=120, kernel_name="python3", config=local).execute()
        text, resources = MarkdownExporter().from_notebook_node(
            notebook, resources={"output_files_dir": f"{path.stem}_files"}
        )
        (folder / f"{path.stem}.md").write_text(text, "utf-8")
        for name, data in resources["outputs"].items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(data)
