"""The garrisons of Manchuria and Siberia, and the Urals box: chapter 81."""
