"""Pictures of tours, boards, counts and bands of sudoku, and the HTML player.

:mod:`~ktsolve.render.picture`, :mod:`~ktsolve.render.bands` and :mod:`~ktsolve.render.scene.sheet` make a
:class:`~ktsolve.render.scene.shapes.Scene`, a list of shapes. :mod:`~ktsolve.render.scene.svg`,
:mod:`~ktsolve.render.scene.raster` and :mod:`~ktsolve.render.scene.plot` write any scene.
"""
