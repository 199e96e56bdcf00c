"""A request let in to a table, and what the table does beside the rules: views, minders, sealed rounds, plan runs."""
