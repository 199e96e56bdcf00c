"""Random politics: games of random orders and reports through the real engine, held against what the text rules out."""
