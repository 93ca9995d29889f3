"""Boards, their moves and symmetries, tours and how they are written."""
