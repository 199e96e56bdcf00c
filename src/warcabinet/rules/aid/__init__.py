"""Aid between major powers: BRP grants and the routes by which they go (40)."""
