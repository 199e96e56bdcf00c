"""The garrisons of Manchuria and Siberia side by side: what stands there and is worth, what may leave, what follows.

One view for both sides, the same on the command line and at the table (chapter 81).
"""

from warcabinet.garrisons.page import garrison_page
from warcabinet.garrisons.parts import Declaration, GarrisonPage, GarrisonSide, Transfer

__all__ = ["Declaration", "GarrisonPage", "GarrisonSide", "Transfer", "garrison_page"]
