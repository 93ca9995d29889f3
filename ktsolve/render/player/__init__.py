"""The player: tours and recorded searches as one HTML page that walks them."""

from ktsolve.render.player.page import player_html
from ktsolve.render.player.trace import Trace, read_trace

__all__ = ["Trace", "player_html", "read_trace"]
