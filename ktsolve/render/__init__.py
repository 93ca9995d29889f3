"""Pictures of tours, boards, counts and bands of sudoku, and the HTML player.

:mod:`~ktsolve.render.picture`, :mod:`~ktsolve.render.bands` and :mod:`~ktsolve.render.sheet` make a
:class:`~ktsolve.render.scene.Scene`, a list of shapes. :mod:`~ktsolve.render.svg`,
:mod:`~ktsolve.render.raster` and :mod:`~ktsolve.render.plot` write any scene.
"""
