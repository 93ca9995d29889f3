"""File formats of tours, graphs, problems and arrays: read and written."""
