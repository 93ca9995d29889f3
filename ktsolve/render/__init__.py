"""Pictures: of tours, boards, counts and sheets of them, as SVG, PNG, GIF, on paper or as text.

What is drawn is a :class:`~ktsolve.render.scene.Scene`; how it gets onto paper is up to the writers
(:mod:`~ktsolve.render.svg`, :mod:`~ktsolve.render.raster`, :mod:`~ktsolve.render.plot`), so that all of
them show the same.
"""
