"""Whether the program keeps to the rules: cases, what they show of each clause, sources, documents, random games."""
