"""Pictures of bare graphs: positions of vertices, edges, names."""
