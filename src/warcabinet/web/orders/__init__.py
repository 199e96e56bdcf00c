"""Orders as the table shows them: in words, as lines of a list or a form, previewed, refused with reasons, logged."""
