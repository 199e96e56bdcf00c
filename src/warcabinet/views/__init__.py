"""What players read: facts in words, amounts opened to their parts, pages of countries, aid, garrisons, chronicles."""
