"""Our own house rules, WC.n: what the table itself does, and the form, seat and time of every command."""
