"""The game as data: state, commands, events, and how one becomes the other."""
