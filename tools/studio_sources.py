"""Which sources the module of the studio was made of: ``python tools/studio_sources.py DEPENDENCY_FILE...``

``make wasm`` gives the dependency files of the compiler and keeps what this prints. A test compares it with
the sources as they are now, so that a module older than its sources is noticed without a compiler.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULE = ROOT / "ktsolve" / "wings" / "studio" / "core.wasm.gz"


def digest(path: Path) -> str:
    """SHA-256 of a file, of a source without its comments and white space."""
    if path == MODULE:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    return hashlib.sha256(re.sub(r"\s+", "", text).encode()).hexdigest()


def main(dependencies: list[str]) -> None:
    """Print the digests of the module and of all sources that the dependency files name."""
    words = {word for file in dependencies for word in Path(file).read_text(encoding="utf-8").split()}
    native = {ROOT / word.rstrip(":") for word in words if word.startswith("native/")}
    paths = [MODULE, *sorted(native)]
    print(json.dumps({str(path.relative_to(ROOT)): digest(path) for path in paths}, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
