"""Minor countries: status, forces, conquest, association, alliance, surrender (chapters 82 to 85)."""
