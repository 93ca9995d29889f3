"""Engine ``frontier``: a sweep over the vertices with a table of states; its diagrams number tours."""
