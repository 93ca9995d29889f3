"""Pictures of tours, boards and counts, and the HTML player.

:mod:`~ktsolve.render.picture` makes a :class:`~ktsolve.render.scene.shapes.Scene`, a list of shapes.
:mod:`~ktsolve.render.scene.svg` and the files beside it write any scene.
"""
