"""The two boards: hexes, places, boxes, control, zones of control, supply and drawing.

Nothing here knows a rule of the game. A rule says which hexes and sides a line may use; the board answers.
"""
