"""The player: an HTML page that plays tours and recorded searches."""

from ktsolve.render.player.page import Player, player_html
from ktsolve.render.player.trace import Trace, read_trace

__all__ = ["Player", "Trace", "player_html", "read_trace"]
