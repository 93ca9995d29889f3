"""Independent ways to answer, one face: construct, enumerate, count."""
