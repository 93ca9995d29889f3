"""``ktsolve studio``: the page that finds, counts and numbers tours in the browser."""

from __future__ import annotations

from ktsolve.cli import options as opt
from ktsolve.cli.output import emit
from ktsolve.cli.output_format import Writes, some_formats

PAGE = Writes("the studio", some_formats("picture", "html"))


@opt.takes_output("output", writes=PAGE)
def studio(*, out: opt.OutputOptions) -> int:
    """Write a page that finds, counts and numbers tours in any browser, offline.

    Through a pipe, and with -o, it is one file. It needs no ktsolve where it is opened.

    Examples
    --------
    ktsolve studio -o studio.html  # the page, to be opened in a browser
    """
    from ktsolve.wings.studio.page import studio_html

    emit(studio_html(), out.output)
    return 0
