"""Checks of the grid, of the quoted ids and of the data as a whole."""

from __future__ import annotations

from msgspec import Struct

from warcabinet.board import hexes, names, rows, seas, supply
from warcabinet.board.check_phrases import Problems, check, expect, place_hex
from warcabinet.board.maps import areas_by_id, board, both, europe, pacific

#: Cities whose ids an older public page of the same rules gives (its 4.21).
PUBLIC = {
    "Lisbon": "V8",
    "Marrakech": "EE2",
    "Dublin": "H22",
    "Rome": "Y22",
    "Berlin": "L31",
    "Helsinki": "D41",
    "Moscow": "H47",
    "Perm": "D61",
    "Tokyo": "L32",
    "Manila": "W21",
    "Pearl Harbor": "P53",
}


@check("grid", "eleven cities stand in the hexes that public pages give")
def public_ids() -> Problems:
    for name, id_ in PUBLIC.items():
        yield from expect(place_hex(name).id == id_, f"{name} is {place_hex(name).id}, not {id_}")


@check("grid", "the Libyan line of 1941 is Libyan land, and LL19/LL20 is water")
def libyan_line() -> Problems:
    one = europe()
    for id_ in ("MM19", "NN19", "LL20", "MM20", "NN20"):
        yield from expect(one[id_].is_land and one[id_].country == "libya", f"{id_} is {one[id_].country or 'sea'}")
    yield from expect(one.side("LL19", "LL20") == "all_water", "LL19/LL20 is not all water")
    yield from expect(one.side("MM19", "MM20") == "land", "MM19/MM20 is not land")


@check("grid", "neighbours and distances agree with each other")
def neighbours_agree() -> Problems:
    for one in both():
        for h in one:
            for n in one.neighbours(h.id):
                yield from expect(hexes.distance(h.at, n.at) == 1, f"{h.key} and {n.id} are not 1 apart")
                yield from expect(h in one.neighbours(n.id), f"{n.key} does not know {h.id}")


@check("grid", "every side is the same from both of its hexes")
def sides_symmetric() -> Problems:
    for one in both():
        for a, b in one.special_sides:
            yield from expect(one.special_sides[a, b] is one.special_sides[b, a], f"{one.name} {a}/{b}")
            both_land = one[a].is_land and one[b].is_land
            yield from expect(both_land, f"{one.name} {a}/{b} is listed, but not between two land hexes")


@check("grid", "every city stands in a hex of its own country")
def capitals_at_home() -> Problems:
    for place in names.places().values():
        at = place_hex(place.name)
        yield from expect(at.is_land, f"{place.name} stands in the {at.kind} hex {at.key}")
        yield from expect(at.country == place.country, f"{place.name} belongs to {place.country}, {at.key} does not")
        for role in place.roles:
            # Tangier is a Spanish capital in Spanish Morocco (83.13), Batavia that of a region (89.22).
            home = {at.country, at.region, areas_by_id()[at.country].controller if at.country else ""}
            fine = role.role not in ("capital", "key_city") or role.of in home
            yield from expect(fine, f"{place.name} is {role.role} of {role.of}, but in {at.region or at.country}")


#: Cities that would be easy to put on the wrong shore.
ON_ISLANDS = {
    "Great Britain": "London Glasgow Plymouth",
    "Ireland": "Dublin Belfast",
    "Zealand": "Copenhagen",
    "Sicily": "Palermo Messina",
    "Sardinia": "Cagliari",
    "Corsica": "Ajaccio",
    "Crete": "Heraklion",
    "Balearic Islands": "Palma",
    "Cyprus": "Nicosia",
    "Rhodes": "Rhodes",
    "Ceylon": "Colombo Trincomalee",
    "Honshu": "Tokyo Osaka Hiroshima Nagoya",
    "Kyushu": "Kagoshima Sasebo",
    "Hokkaido": "Sapporo",
    "Sakhalin": "Toyohara Alexandrovsk",
    "Formosa": "Taipei",
    "Luzon": "Manila Aparri",
    "Mindanao": "Davao",
    "Java": "Batavia Surabaya",
    "Sumatra": "Palembang Medan",
    "Borneo": "Balikpapan Brunei Kuching Tarakan",
    "Celebes": "Makassar Menado",
    "Timor": "Koepang",
    "New Guinea": "Hollandia Sorong Lae Wewak",
    "New Britain": "Rabaul",
    "Australia": "Darwin Cairns Townsville",
}


@check("grid", "cities stand on their islands, and those of the mainland do not")
def on_islands() -> Problems:
    for island, cities in ON_ISLANDS.items():
        for name in cities.split():
            yield from expect(
                place_hex(name).island == island, f"{name} is on '{place_hex(name).island}', not {island}"
            )
    for name in ("Athens", "Istanbul", "Izmit", "Calais", "Tangier", "Bangkok", "Seoul", "Madras", "Penang"):
        yield from expect(not place_hex(name).island, f"{name} is on the island {place_hex(name).island}")


@check("grid", "every port is coastal, and ships can leave it")
def ports_coastal() -> Problems:
    for one in both():
        for name, id_ in seas.ports(one).items():
            at = one[id_]
            yield from expect(at.kind == "coastal", f"{name} ({at.key}) is {at.kind}")
            out = [n for n in one.neighbours(id_) if one.side(id_, n.id) in ("sea", "all_water", "strait", "shore")]
            yield from expect(any(n.kind != "land" for n in out), f"{name} ({at.key}) has no way to sea")


@check("grid", "each board is one piece, and every land hex has a country")
def one_piece() -> Problems:
    for one in both():
        around = {h.id for h in one if not one.neighbours(h.id)}
        yield from expect(not around, f"{one.name}: lone hexes {sorted(around)}")
        for h in one:
            yield from expect(bool(h.country) == h.is_land, f"{h.key} is {h.kind} with country '{h.country}'")
            yield from expect(bool(h.seas) == (h.kind != "land"), f"{h.key} is {h.kind} with seas {h.seas}")
            yield from expect(bool(h.fronts), f"{h.key} lies on no front")


@check("grid", "every land mass is the mainland or a named island")
def land_masses() -> Problems:
    for one in both():
        todo = one.land
        while todo:
            first = one.ids(todo & -todo)
            mass = supply.reach(one, first, one.land, one.dry_sides)
            todo &= ~mass
            islands = {one[id_].island for id_ in one.ids(mass)}
            yield from expect(len(islands) == 1, f"{one.name}: {sorted(islands)} hang together at {first[0]}")


_SOURCED: dict[str, type[Struct]] = {
    "areas": rows.AreaRow,
    "places": rows.PlaceRow,
    "roles": rows.RoleRow,
    "boxes": rows.BoxRow,
    "box-links": rows.LinkRow,
    "box-routes": rows.RouteRow,
    "groups": rows.GroupRow,
    "seas": rows.SeaRow,
    "passages": rows.PassageRow,
    "aliases": rows.AliasRow,
    "hexsides": rows.SideRow,
    "hexes-europe": rows.HexRow,
    "hexes-pacific": rows.HexRow,
    "control-1939": rows.ControlRow,
}


@check("grid", "every source is a clause, a public page, a derivation or an assumption")
def sources() -> Problems:
    for name, kind in _SOURCED.items():
        for row in rows.table(name, kind):
            source = getattr(row, "source", "")
            fine = source == "assumed" or source.startswith(("derived: ", "public page")) or source[:2].isdigit()
            yield from expect(fine, f"{name}.csv: source '{source}'")


#: Ids that the chapters quote, by clause; those of public pages are above.
QUOTED = {
    "europe": {
        "40.412": "A47 A50",
        "40.42": "A23 A34",
        "40.53": "NN41 NN42 NN43",
        "73.41": "Z8",
        "81.63": "A62 Z53",
        "83.22": "CC30 DD29 EE28 GG26 GG27 GG28 Y15 Y16 F39 H36",
        "86.13": "H32 H33 D35",
        "88.34": "LL30 LL31 MM30 MM31",
        "88.42": "NN27 NN28 NN29 NN30",
    },
    "pacific": {
        "71.71": "NN15 NN24 NN31",
        "72.71": "CC2",
        "74.31": "DD11 EE10 DD10 EE9 EE11 FF10",
        "81.63": "A23 F18 G18 L15",
    },
}


@check("grid", "every id that a chapter or a public page quotes is on its board and cites it")
def quoted_ids() -> Problems:
    for name, by_clause in QUOTED.items():
        for clause, ids in by_clause.items():
            for id_ in ids.split():
                at = board(name)[id_]
                yield from expect(at.source.startswith(clause), f"{at.key} cites {at.source}, not {clause}")
    for city in PUBLIC:
        yield from expect(place_hex(city).source == "public page 4.21", f"{city} cites {place_hex(city).source}")


@check("grid", "the boards have the outlines of their quoted edges")
def outlines() -> Problems:
    yield from expect(len(list(europe())) == 1952, f"Europe has {len(list(europe()))} hexes")
    yield from expect(len(list(pacific())) == 2020, f"the Pacific has {len(list(pacific()))} hexes")
    for one, id_, edge in ((europe(), "A62", "east"), (europe(), "Z53", "east"), (pacific(), "CC2", "west")):
        yield from expect(edge in one[id_].edges, f"{one[id_].key} is not on the {edge}ern edge")
