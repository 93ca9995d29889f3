"""Pictures of boards and of tours on them."""
