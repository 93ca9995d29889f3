"""Ground floor: boards, their moves and symmetries, tours and how they are written."""
