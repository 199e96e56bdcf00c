"""Countries one by one: their traits, which everything may ask, and the rules that are about one of them alone."""
