"""The pieces of the map on which the aid page draws its roads: a strip a theater, with the names that a road needs."""

from __future__ import annotations

import msgspec


class Strip(msgspec.Struct, frozen=True):
    """A strip: its roads, the hexes that frame it, how many hexes it shows above them, cities and lands by name."""

    id: str
    roads: tuple[str, ...]
    board: str
    frame: tuple[str, ...]
    above: float
    names: tuple[str, ...]
    #: Names of lands and the hex at which each is written.
    lands: tuple[tuple[str, str], ...]
    #: How wide it is seen on a desk, in pixels.
    pixels: int


_STRIPS = (
    Strip(
        "murmansk",
        ("murmansk",),
        "europe",
        ("A27", "A54"),
        5.2,
        ("Scapa Flow", "Bergen", "Leningrad", "Vologda", "Moscow", "London"),
        (("Sweden", "C39"), ("Germany", "M31"), ("Britain", "I23")),
        377,
    ),
    Strip(
        "persia",
        ("persia", "turkey"),
        "europe",
        ("X35", "X53", "BB32"),
        1,
        ("Batum", "Ankara", "Izmir", "Tehran", "Baghdad", "Abadan", "Suez"),
        (("Turkey", "BB39"), ("Persia", "GG49"), ("Iraq", "HH39")),
        300,
    ),
    Strip(
        "burma road",
        ("burma road", "hump", "ports"),
        "pacific",
        ("P10", "P21", "W7"),
        1,
        ("Dimapur", "Kunming", "Mandalay", "Calcutta", "Rangoon", "Haiphong", "Chungking", "Foochow"),
        (("China", "Q20"), ("Thailand", "W15")),
        255,
    ),
    Strip(
        "siberia",
        ("siberia",),
        "pacific",
        ("A41", "A54", "I26"),
        4,
        ("Vladivostok", "Petropavlovsk", "Dutch Harbor", "Tokyo", "Harbin"),
        (),
        221,
    ),
)
STRIPS = {it.id: it for it in _STRIPS}
