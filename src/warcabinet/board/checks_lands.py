"""Checks of countries, counts, capitals, key economic areas and archipelagos."""

from __future__ import annotations

from warcabinet.board import boxes, names
from warcabinet.board.check_phrases import (
    Problems,
    all_different,
    by_land,
    check,
    count,
    cut_off,
    expect,
    group,
    in_country,
    is_port,
    place_hex,
)
from warcabinet.board.checks_edges import IC_CITIES
from warcabinet.board.control import fall_1939
from warcabinet.board.maps import areas_by_id, board, by_key, europe, pacific
from warcabinet.board.rows import RoleName
from warcabinet.board.supply import reach


@check("83.12", "Bessarabia 5 hexes, Finnish border 3, Luxembourg 1, Hong Kong 1, Bhutan 1, Nepal 3")
def counts() -> Problems:
    for area, number in (
        ("bessarabia", 5),
        ("finnish_border", 3),
        ("luxembourg", 1),
        ("hong_kong", 1),
        ("bhutan", 1),
        ("nepal", 3),
    ):
        yield from count(area, number)


#: The hexes taken for the areas whose number of hexes 83.12 gives.
COUNTED = {
    "bessarabia": "R36 S36 S37 T36 U36",
    "finnish_border": "A46 B45 C44",
    "luxembourg": "N25",
    "hong_kong": "T20",
    "bhutan": "R12",
    "nepal": "R9 R10 R11",
}


@check("83.12", "the areas of a given number of hexes are each in one piece, in the hexes taken for them")
def counted_hexes() -> Problems:
    for area, ids in COUNTED.items():
        keys = names.areas()[area].keys
        one = board(keys[0].split("/")[0])
        yield from expect(one.ids(one.bits(keys)) == tuple(ids.split()), f"{area} is {keys}")
        mass = reach(one, keys[:1], one.bits(keys))
        yield from expect(mass == one.bits(keys), f"{area} is in several pieces")


@check("83.12", "Vilna, Brest-Litovsk, Lvov in eastern Poland; Riga, Parnu, Tallinn in the Baltic States; Kaf, Jauf")
def key_cities() -> Problems:
    yield from in_country("eastern_poland", "Vilna", "Brest-Litovsk", "Lvov")
    yield from in_country("baltic_states", "Riga", "Parnu", "Tallinn")
    yield from in_country("arabia", "Kaf", "Jauf")
    yield from all_different("Vilna", "Brest-Litovsk", "Lvov", "Riga", "Parnu", "Tallinn", "Kaf", "Jauf")


@check("84.46", "the border hexes belong to Finland, Bessarabia to Rumania; both border on Russia (86.51)")
def border_hexes() -> Problems:
    one = europe()
    for area, country in (("finnish_border", "finland"), ("bessarabia", "rumania")):
        keys = names.areas()[area].keys
        yield from expect({one[key].country for key in keys} == {country}, f"{area} is not all {country}")
        beside = {n.country for key in keys for n in one.neighbours(key)}
        yield from expect(bool(beside & {"russia", "ukraine"}), f"{area} does not border on Russia")
        yield from expect(country in beside, f"{area} does not border on {country}")


FRONTS = {
    "europe": {"western", "eastern", "mediterranean"},
    "pacific": {"pacific", "asian", "southeast_asian"},
}
#: Countries and regions whose front a clause tells.
ON_FRONT = {
    "western": "belgium luxembourg",
    "mediterranean": "spain algeria morocco tunisia greece turkey european_turkey",
    "eastern": "russia bessarabia ukraine",
    "asian": "china communist_china manchuria",
    "southeast_asian": "india burma malaya singapore",
}


@check("85.46", "three fronts on each board; the fronts that 72.13, 79.31, 81.64 and 85.46 tell")
def fronts() -> Problems:
    for name, wanted in FRONTS.items():
        found = {front for h in board(name) for front in h.fronts}
        yield from expect(found == wanted, f"fronts of {name}: {sorted(found)}")
    for front, areas in ON_FRONT.items():
        for area in areas.split():
            for key in names.areas()[area].keys:
                home = by_key(key)
                # Russia in Asia lies on the Asian front (81.64), Bessarabia apart from the rest of Rumania.
                asian = home.board == "pacific" and area == "russia"
                yield from expect(home.fronts == (("asian",) if asian else (front,)), f"{key} is {home.fronts}")
    for box, front in (("india_box", "southeast_asian"), ("australia_box", "southeast_asian")):
        yield from expect(boxes.box(box).fronts == (front,), f"the front of the {box}")
    yield from expect(set(boxes.box("urals").fronts) == {"eastern", "asian"}, "the fronts of the Urals box")


@check("37.72", "Leningrad holds a fortification in a swamp")
def leningrad() -> Problems:
    at = place_hex("Leningrad")
    yield from expect((at.terrain, at.features) == ("swamp", ("fortification",)), f"{at.terrain} {at.features}")


@check("grid", "Switzerland is closed: no ground unit, supply line or zone of control enters it")
def switzerland() -> Problems:
    one = europe()
    keys = names.areas()["switzerland"].keys
    yield from expect(len(keys) > 0 and all(one[key].is_closed for key in keys), "Switzerland is open")
    yield from expect(not one.spread(one.bits(keys), one.ground_sides), "ground units leave Switzerland")
    yield from expect(not one.spread(one.land & ~one.bits(keys), one.dry_sides) & one.bits(keys), "a zone reaches in")


CAPITALS = {
    "83.441": {
        "egypt": "Cairo",
        "iraq": "Baghdad",
        "kuwait": "Al Kuwait",
        "palestine": "Jerusalem",
        "transjordan": "Amman",
        "burma": "Rangoon",
        "malaya": "Kuala Lumpur",
        "sarawak": "Kuching",
        "hong_kong": "Hong Kong",
        "singapore": "Singapore",
    },
    "83.443": {
        "algeria": "Algiers",
        "lebanon_syria": "Damascus",
        "morocco": "Rabat",
        "tunisia": "Tunis",
        "french_indochina": "Saigon",
    },
    "83.444": {"albania": "Tirane", "libya": "Tripoli"},
    "83.445": {"formosa": "Taipei", "korea": "Seoul", "manchuria": "Harbin"},
    "83.446": {"ukraine": "Kiev", "mongolia": "Ulan Bator", "tannu_tuva": "Kyzyl"},
    "83.447": {"spanish_morocco": "Tangier"},
}
MASTERS = {
    "83.441": "britain",
    "83.443": "france",
    "83.444": "italy",
    "83.445": "japan",
    "83.446": "russia",
    "83.447": "spain",
}


def _colonies(clause: str) -> Problems:
    for colony, capital in CAPITALS[clause].items():
        yield from in_country(colony, capital)
        at = place_hex(capital)
        yield from expect(fall_1939()[at.key] == MASTERS[clause], f"{capital} is held by {fall_1939()[at.key]}")


@check("83.441", "British colonies hold their capitals")
def british_colonies() -> Problems:
    yield from _colonies("83.441")
    yield from all_different("Kuala Lumpur", "Singapore")


@check("83.442", "Batavia, Palembang and Balikpapan are the capitals of Java, Sumatra and South Borneo")
def dutch_colonies() -> Problems:
    for region, capital in (("java", "Batavia"), ("sumatra", "Palembang"), ("south_borneo", "Balikpapan")):
        yield from expect(place_hex(capital).region == region, f"{capital} is in {place_hex(capital).region}")


@check("83.443", "French colonies hold their capitals")
def french_colonies() -> Problems:
    yield from _colonies("83.443")


@check("83.444", "Italian colonies hold their capitals")
def italian_colonies() -> Problems:
    yield from _colonies("83.444")


@check("83.445", "Japanese colonies hold their capitals")
def japanese_colonies() -> Problems:
    yield from _colonies("83.445")


@check("83.446", "Russian colonies hold their capitals")
def russian_colonies() -> Problems:
    yield from _colonies("83.446")


@check("83.447", "Spanish Morocco holds Tangier, apart from Gibraltar (83.13)")
def spanish_colonies() -> Problems:
    yield from _colonies("83.447")
    yield from all_different("Tangier", "Gibraltar", "Madrid")
    kind = europe().side(place_hex("Tangier").id, place_hex("Gibraltar").id)
    yield from expect(kind == "all_water", f"Tangier and Gibraltar are joined by {kind}")


@check("72.15", "Calcutta, Dacca and Colombo are objectives in India, Colombo on Ceylon; 72.82 Colombo is a port")
def indian_objectives() -> Problems:
    yield from in_country("india", "Calcutta", "Dacca", "Colombo")
    yield from all_different("Calcutta", "Dacca", "Colombo", "Rangoon")
    objectives = {place.name for place in names.with_role("objective")}
    for name in ("Calcutta", "Dacca", "Colombo", "Rangoon"):
        yield from expect(name in objectives, f"{name} is no objective")
    yield from is_port("Colombo")
    yield from cut_off(pacific(), names.areas()["ceylon"].keys)


@check("37.21", "ten IC cities in ten different hexes of Russia or the Ukraine")
def ic_sites() -> Problems:
    yield from all_different(*IC_CITIES)
    for name in IC_CITIES:
        yield from expect(place_hex(name).country in ("russia", "ukraine"), f"{name} is in {place_hex(name).country}")
    sites = {place.name for place in names.with_role("ic_site")}
    yield from expect(sites == set(IC_CITIES), f"IC sites are {sorted(sites)}")


KEY_AREAS = {
    "38.31": ("germany", "Berlin Essen Cologne Leipzig Breslau"),
    "38.32": ("britain", "London Manchester Birmingham"),
    "38.33": ("italy", "Rome Milan Genoa"),
    "38.34": ("france", "Paris Marseilles Lyon"),
    "38.35": ("russia", "Vladivostok Irkutsk"),
    "38.36": ("japan", "Tokyo Osaka Kagoshima Mukden Harbin Seoul Taipei"),
    "38.37": ("china", "Chungking Peking Nanking Shanghai Canton"),
}
KEY_AREA_LANDS = {"Mukden": "manchuria", "Harbin": "manchuria", "Seoul": "korea", "Taipei": "formosa"}


def _key_areas(clause: str) -> Problems:
    power, cities = KEY_AREAS[clause]
    listed = {place.name for place in names.with_role("key_area", power)}
    yield from expect(listed == set(cities.split()), f"key economic areas of {power} are {sorted(listed)}")
    yield from all_different(*cities.split())
    for name in cities.split():
        yield from in_country(KEY_AREA_LANDS.get(name, power), name)


@check("38.31", "five German key economic areas, each a German hex of its own")
def german_areas() -> Problems:
    yield from _key_areas("38.31")


@check("38.32", "three British key economic areas")
def british_areas() -> Problems:
    yield from _key_areas("38.32")


@check("38.33", "three Italian key economic areas")
def italian_areas() -> Problems:
    yield from _key_areas("38.33")


@check("38.34", "three French key economic areas")
def french_areas() -> Problems:
    yield from _key_areas("38.34")


@check("38.35", "two Russian key economic areas in Siberia")
def russian_areas() -> Problems:
    yield from _key_areas("38.35")
    for name in ("Vladivostok", "Irkutsk"):
        yield from expect(place_hex(name).region == "siberia", f"{name} is not in Siberia")


@check("38.36", "seven Japanese key economic areas, four of them in colonies")
def japanese_areas() -> Problems:
    yield from _key_areas("38.36")


@check("38.37", "five Chinese key economic areas, which are the Chinese objectives (78.41)")
def chinese_areas() -> Problems:
    yield from _key_areas("38.37")


@check("38.371", "Japan holds Peking, Nanking, Shanghai and Canton at the start, China holds Chungking")
def japanese_china() -> Problems:
    for name in ("Peking", "Nanking", "Shanghai", "Canton"):
        yield from expect(fall_1939()[place_hex(name).key] == "japan", f"{name} is not Japanese")
    yield from expect(fall_1939()[place_hex("Chungking").key] == "china", "Chungking is not Chinese")
    yield from by_land(pacific(), "Peking", "Nanking", ["china"])


SOURCES: dict[RoleName, dict[str, str]] = {
    "supply_unlimited": {
        "78.91": "Chungking Canton Nanking Peking Shanghai",
        "79.61": "Yenan",
    },
    "supply_limited": {
        "37.71": "Moscow Leningrad Stalingrad Kharkov Dnepropetrovsk Rostov Gorki",
        "87.51": "Tangier",
        "88.52": "Baghdad",
        "88.643": "Tehran",
    },
}


@check("78.91", "supply sources: Chinese objectives, Yenan, IC cities, Tehran, colonial capitals (Tangier, Baghdad)")
def supply_sources() -> Problems:
    for role, by_clause in SOURCES.items():
        found = {place.name for place in names.with_role(role)}
        for clause, cities in by_clause.items():
            missing = set(cities.split()) - found
            yield from expect(not missing, f"{clause}: {sorted(missing)} are no {role}")
    limited = {place.name for place in names.with_role("supply_limited")}
    for capitals in CAPITALS.values():
        for colony, capital in capitals.items():
            # Hong Kong and Singapore have no capital; they are conquered when occupied (83.41).
            fine = capital in limited or colony in ("hong_kong", "singapore")
            yield from expect(fine, f"{capital}, a colonial capital, is no limited supply source")
    for box in ("australia_box", "india_box", "ethiopia"):
        yield from expect(boxes.box(box).supply == "unlimited", f"the {box} gives no unlimited supply")


@check("79.21", "Communist China lies only in rows A to L, with Yenan in it (79.61)")
def communist_china() -> Problems:
    one = pacific()
    for key in names.areas()["communist_china"].keys:
        yield from expect(one[key].at.row < 12, f"{key} is not north of row M")
    yield from in_country("communist_china", "Yenan")
    # West of the line all of China north of row M is Communist, so what is Nationalist there lies east of it.
    for key in names.areas()["china"].keys:
        east = one[key].at.row >= 12 or fall_1939()[key] == "japan"
        yield from expect(east, f"{key} is north of row M, west of the line and not Communist")


@check("78.21", "Nationalist China is mainland China without Communist China, Manchuria and Hong Kong")
def nationalist_china() -> Problems:
    at = {name: place_hex(name).country for name in ("Harbin", "Mukden", "Hong Kong", "Yenan")}
    yield from expect("china" not in at.values(), f"{at}")


@check("81.11", "Manchuria is no part of China; Harbin and Mukden are both its capitals (81.21)")
def manchuria() -> Problems:
    yield from in_country("manchuria", "Harbin", "Mukden")
    capitals = {place.name for place in names.with_role("capital", "manchuria")}
    yield from expect(capitals == {"Harbin", "Mukden"}, f"capitals {capitals}")
    yield from expect(areas_by_id()["manchuria"].controller == "japan", "Manchuria is not Japanese")


DUTCH = [
    "Aroe",
    "Bali",
    "Biak",
    "Buru",
    "Celebes",
    "Ceram",
    "Flores",
    "Halmahera",
    "Java",
    "Sumatra",
    "Sumbawa",
    "Tanimbar",
    "Timor",
]


@check("89.21", "the Dutch islands exist and are not joined by land; South Borneo and New Guinea end at a border")
def dutch_islands() -> Problems:
    one = pacific()
    for name in DUTCH:
        keys = names.areas()["island:" + name].keys
        for key in keys:
            yield from expect(one[key].country == "dutch_east_indies", f"{key} ({name}) is {one[key].country}")
        yield from cut_off(one, keys)
    for region, beyond in (("south_borneo", "sarawak"), ("netherlands_new_guinea", "new_guinea")):
        keys = names.areas()[region].keys
        beside = one.spread(one.bits(keys), one.ground_sides) & ~one.bits(keys)
        lands = {one[id_].country for id_ in one.ids(beside)}
        yield from expect(lands == {beyond}, f"{region} is joined to {sorted(lands)}")


@check("89.26", "Palembang and Brunei are oil centers")
def far_eastern_oil() -> Problems:
    centers = {place.name for place in names.with_role("oil_center")}
    yield from expect({"Palembang", "Brunei"} <= centers, f"oil centers {sorted(centers)}")


PHILIPPINES = ["Cebu", "Leyte", "Luzon", "Mindanao", "Mindoro", "Negros", "Palawan", "Panay", "Samar"]


@check("89.41", "nine separate Philippine islands, Manila on Luzon")
def philippines() -> Problems:
    one = pacific()
    every: set[str] = set()
    for name in PHILIPPINES:
        keys = names.areas()["island:" + name].keys
        every |= set(keys)
        yield from cut_off(one, keys)
    yield from expect(every == set(names.areas()["philippines"].keys), "the nine islands are not all the Philippines")
    yield from expect(place_hex("Manila").island == "Luzon", "Manila is not on Luzon")


@check("82.91", "New Caledonia, Wallis and the Society Islands are there and under British control at the start")
def french_pacific() -> Problems:
    for area in ("new_caledonia", "wallis", "society_islands"):
        keys = names.areas()[area].keys
        yield from expect(bool(keys), f"{area} has no hex")
        yield from expect({fall_1939()[key] for key in keys} == {"britain"}, f"{area} is not held by Britain")


@check("82.12", "Albania and Libya are Italian, the Ukraine is Russian")
def colonies_in_europe() -> Problems:
    for area, power in (("albania", "italy"), ("libya", "italy"), ("ukraine", "russia")):
        found = {fall_1939()[key] for key in names.areas()[area].keys}
        yield from expect(found == {power}, f"{area} is held by {found}")


@check("87.21", "Ulster is British, and Irish hexes lie beside it (87.23)")
def ulster() -> Problems:
    one = europe()
    keys = names.areas()["ulster"].keys
    yield from expect({one[key].country for key in keys} == {"britain"}, "Ulster is not British")
    beside = one.spread(one.bits(keys), one.ground_sides)
    yield from expect("ireland" in {one[id_].country for id_ in one.ids(beside)}, "no Irish hex beside Ulster")


@check("87.11", "Brussels, The Hague, Lisbon, Madrid, La Coruna, Vigo and Cadiz stand in their countries")
def western_europe() -> Problems:
    yield from in_country("belgium", "Brussels")
    yield from in_country("netherlands", "The Hague")
    yield from in_country("portugal", "Lisbon")
    yield from in_country("spain", "Madrid", "La Coruna", "Vigo", "Cadiz")
    yield from is_port("Lisbon", "La Coruna", "Vigo", "Cadiz")


@check("86.11", "Copenhagen, Oslo, Stockholm, Helsinki and Bergen stand in their countries")
def scandinavia() -> Problems:
    for country, city in (("denmark", "Copenhagen"), ("sweden", "Stockholm"), ("finland", "Helsinki")):
        yield from in_country(country, city)
    yield from in_country("norway", "Oslo", "Bergen")


@check("88.11", "the Middle East: Arabia, Egypt, Iraq, Kuwait, Lebanon-Syria, Palestine, Transjordan, Persia")
def middle_east() -> Problems:
    wanted = {"arabia", "egypt", "iraq", "kuwait", "lebanon_syria", "palestine", "transjordan", "persia"}
    found = {europe()[key].country for key in group("Middle East").keys}
    yield from expect(found == wanted, f"{sorted(found ^ wanted)}")


@check("89.31", "French Indochina with Saigon, Thailand beside it (89.51), Haiphong a port")
def indochina() -> Problems:
    yield from in_country("french_indochina", "Saigon", "Haiphong")
    yield from in_country("thailand", "Bangkok")
    yield from is_port("Haiphong")


@check("38.31", "Danzig shares Poland's only coast; every other city of tier 1 stands in the country it is known for")
def danzig() -> Problems:
    coasts = [h.id for h in europe() if h.country == "poland" and h.has_sea]
    yield from expect(coasts == [place_hex("Danzig").id], f"Poland's coast is {coasts}")
