"""What several chapters stand on: books, moments, promises, sides, pieces, what an area is worth and who takes it."""
