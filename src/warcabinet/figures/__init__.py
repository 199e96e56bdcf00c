"""Figures by name: the one table by which they are read, set, corrected and listed, and positions made of them."""
