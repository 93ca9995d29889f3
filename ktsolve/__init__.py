"""Knight's tours and their puzzles, stated declaratively and answered by engines that check each other.

>>> import ktsolve
>>> ktsolve.count(ktsolve.TourProblem(board="5x6", closed=True)).count
8
>>> ktsolve.find(ktsolve.TourProblem(board="8x8", closed=True, symmetry="rot180")).tour.closes
True

The names are listed in ``__init__.pyi``, and imported when they are first used.
"""

import lazy_loader

from ktsolve.graphs import drawing

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

drawing.register("ktsolve.render.values")
