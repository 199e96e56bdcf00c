"""Countries one by one: the rules that are about one of them alone, and what is told of each on its page."""
