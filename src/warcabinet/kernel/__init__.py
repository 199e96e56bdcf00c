"""The machinery that knows no game: clauses, rules, reasons, rulings, ledger, dice, tables."""
