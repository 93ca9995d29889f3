"""``python tests/support/fuzz``: see :mod:`fuzz.run`."""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parent.parent)

from fuzz.run import main  # noqa: E402

if __name__ == "__main__":
    raise SystemExit(main())
