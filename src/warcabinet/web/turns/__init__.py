"""Whose move it is: what is open at a table, undo, year starts to confirm, and telling those who must decide."""
