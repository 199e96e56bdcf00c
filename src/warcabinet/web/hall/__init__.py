"""The hall: tables, seats and people in a database of their own, who may do what, and the games opened for them."""
