"""The studio: a page that finds, counts and numbers tours in the browser."""
