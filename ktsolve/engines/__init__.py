"""Independent engines with one interface: construct, enumerate, count."""
