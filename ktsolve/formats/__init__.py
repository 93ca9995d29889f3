"""File formats: one table of all, and a file for each format or family with its reader and writer."""
