"""The player: an HTML page that plays tours and recorded searches."""

from ktsolve.render.player.frame import Player
from ktsolve.render.player.page import player_html
from ktsolve.render.player.trace import Trace, read_trace

__all__ = ["Player", "Trace", "player_html", "read_trace"]
