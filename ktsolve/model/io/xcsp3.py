"""Models in XCSP3, read by CPMpy with pycsp3, where both are installed."""

from __future__ import annotations

from warnings import catch_warnings, simplefilter

from ktsolve.base.errors import BadInput
from ktsolve.model.io.cpmpy import state_cpmpy
from ktsolve.model.io.solution import ReadModel
from ktsolve.model.model import Model

__all__ = ["read_xcsp3"]


def read_xcsp3(text: str) -> ReadModel:
    """Return the model of a text in XCSP3. Raises BadInput if it cannot be read, or CPMpy is missing."""
    try:
        import pycsp3.parser.xparser  # noqa: F401
        from cpmpy.tools.xcsp3.parser import load_xcsp3
    except ImportError:
        raise BadInput("XCSP3 is read by CPMpy and pycsp3: pip install 'ktsolve[cpmpy]' pycsp3") from None
    model = Model("xcsp3")
    try:
        with catch_warnings():
            # CPMpy warns of other variables that the process has: none of them is in this model.
            simplefilter("ignore", UserWarning)
            source = load_xcsp3(text)
    except (Exception, SystemExit) as error:  # pycsp3 raises what it likes, and exits
        why = (str(error).splitlines() or [""])[0]
        raise BadInput(f"CPMpy cannot read this XCSP3: {type(error).__name__}: {why:.200}") from None
    state_cpmpy(source, model)
    return ReadModel(model, len(model.shown))
