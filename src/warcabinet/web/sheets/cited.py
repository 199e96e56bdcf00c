"""The clauses that pages cite beside texts of their own: a page knows what it cites by a name, and no number."""

from __future__ import annotations

CITED = {
    "year start": "35.11",
    "unspent lapses": "35.13",
    "enters later": "36.353",
    "construction limit": "39.31",
    "spending": "39.22",
    "offensive": "39.11",
    "orders together": "WC.27",
    "garrison value": "81.52",
    "urals loss": "81.71",
    "urals limit": "81.72",
    "urals air": "81.62",
    "grants": "40.11",
    "grant level": "40.23",
    "transports": "40.221",
    "shared transports": "40.222",
    "transports lost": "40.223",
    "oil": "40.25",
    "convoy transports lost": "40.47A",
}
