"""The map as the table shows it: boards, waters, enemies, supply, and where units in the hand may go."""
