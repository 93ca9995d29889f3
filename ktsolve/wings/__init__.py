"""Wings: each a subject complete in one folder, standing on the core."""
