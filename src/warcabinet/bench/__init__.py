"""Measurements: what the program costs in time and weight, beside well-known libraries where there are any."""
