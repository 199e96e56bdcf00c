"""Chapters 35 to 39: bases, growth, totals, timing, spending."""
