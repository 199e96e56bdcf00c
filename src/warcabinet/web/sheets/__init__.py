"""What pages of a table are filled with: the position and what changed in it, sheets, clauses and cases."""
