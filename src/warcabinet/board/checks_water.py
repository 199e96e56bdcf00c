"""Checks of straits, canals, seas and islands."""

from __future__ import annotations

from warcabinet.board import names, seas, supply
from warcabinet.board.check_phrases import Problems, check, cut_off, expect, group, in_country, is_port, place_hex
from warcabinet.board.maps import europe, pacific


@check("86.13", "H32 and H33 have sea, H33 has land; Copenhagen touches both")
def kattegat() -> Problems:
    one = europe()
    for id_ in ("H32", "H33"):
        yield from expect(one[id_].has_sea, f"{id_} has no sea")
        yield from expect(one.distance(place_hex("Copenhagen").id, id_) == 1, f"Copenhagen does not touch {id_}")
    yield from expect(one["H33"].is_land, "H33 has no land to control")
    yield from in_country("denmark", "Copenhagen")


@check("86.13", "D35 is a Norwegian beach that ships of Kiel reach through the Kattegat only")
def southern_norway() -> Problems:
    one = europe()
    at = one["D35"]
    yield from expect((at.kind, at.country) == ("coastal", "norway") and "beach" in at.features, f"D35 is {at}")
    yield from is_port("Kiel")
    shut, opened = seas.sail(one, place_hex("Kiel").id), seas.sail(one, place_hex("Kiel").id, ["kattegat"])
    yield from expect(not shut & one.bits(["D35"]), "ships reach D35 without the Kattegat")
    yield from expect(bool(opened & one.bits(["D35"])), "ships do not reach D35 through the Kattegat")
    yield from expect(set(seas.passages(one)["kattegat"].needs) == {place_hex("Copenhagen").id, "H33"}, "its keys")


@check("86.13", "only the hexes of a passage lie on two waters, so no ship slips by a passage that is shut")
def two_waters() -> Problems:
    for one in (europe(), pacific()):
        found = {h.id for h in one if len(seas.basins_at(one, h)) > 1}
        wanted = {id_ for passage in seas.passages(one).values() for id_ in passage.hexes}
        yield from expect(found <= wanted, f"{one.name}: {sorted(found - wanted)} lie on two waters")
    one = europe()
    for start, beyond in (("Copenhagen", "Bergen"), ("Bergen", "Copenhagen"), ("Kiel", "Gothenburg")):
        shut, target = seas.sail(one, place_hex(start).id), one.bits([place_hex(beyond).id])
        yield from expect(not shut & target, f"ships sail from {start} to {beyond} by a shut Kattegat")
        opened = seas.sail(one, place_hex(start).id, ["kattegat"])
        yield from expect(bool(opened & target), f"an open Kattegat does not lead from {start} to {beyond}")


@check("88.341", "the Suez canal is LL30/LL31, MM30/LL31 and MM30/MM31, and nothing else is a canal")
def suez_sides() -> Problems:
    one = europe()
    canals = {frozenset(pair) for pair, side in one.special_sides.items() if side.kind == "canal"}
    wanted = {frozenset(p) for p in (("LL30", "LL31"), ("MM30", "LL31"), ("MM30", "MM31"))}
    yield from expect(canals == wanted, f"canal sides {sorted(map(sorted, canals))}")
    line = supply.trace(one, ["MM29"], ["MM31"], one.land)
    yield from expect(len(line.path) == 3, "the canal does not let ground units cross")


@check("88.342", "the four hexes at the canal are Egyptian; ships pass MM30 and LL31; the Gulf of Suez lies south")
def suez_hexes() -> Problems:
    one = europe()
    for id_ in ("LL30", "LL31", "MM30", "MM31"):
        yield from expect(one[id_].country == "egypt" and one[id_].is_land, f"{id_} is {one[id_].country}")
    yield from is_port("Port Said", "Suez")
    yield from expect(place_hex("Port Said").id in ("LL30", "LL31"), "Port Said is off the canal")
    yield from expect(place_hex("Suez").id in ("MM30", "MM31"), "Suez is off the canal")
    for id_ in ("NN30", "NN31"):
        yield from expect(one[id_].has_sea and one[id_].seas == ("red_sea",), f"{id_} is no sea")
    shut, opened = seas.sail(one, "LL31"), seas.sail(one, "LL31", ["suez"])
    yield from expect(not shut & one.bits(["NN30"]), "ships pass a closed canal")
    yield from expect(bool(opened & one.bits(["NN30"])), "ships do not pass an open canal")
    yield from expect(set(seas.passages(one)["suez"].hexes) == {"MM30", "LL31"}, "ships pass other hexes")


@check("88.342", "the Gulf of Suez is sea: no way by land leads round the southern end of the canal")
def round_the_canal() -> Problems:
    one = europe()
    joined = one.ids(one.spread(one.bits(["NN30"]), one.ground_sides))
    yield from expect(set(joined) == {"NN29", "MM30"}, f"NN30 is joined to {joined}")
    canal = [("LL30", "LL31"), ("LL31", "MM30"), ("MM30", "MM31")]
    shut = one.without_sides(one.ground_sides, canal)
    egypt = one.bits(h.id for h in one if h.country == "egypt")
    line = supply.trace(one, [place_hex("Cairo").id], ["MM31"], egypt, shut)
    yield from expect(not line.found, f"a way round the canal: {' '.join(line.path)}")


@check("74.31", "the Strait of Malacca: DD11, EE10, DD10, EE9, EE11, FF10 are navigable and hang together")
def malacca() -> Problems:
    one = pacific()
    for id_ in ("DD11", "EE10", "DD10", "EE9", "FF10", "EE11"):
        yield from expect(one[id_].has_sea, f"{id_} has no sea")
    ship = {"sea", "all_water", "strait", "shore"}
    for a, b in (
        ("DD10", "DD11"),
        ("DD10", "EE10"),
        ("EE9", "EE10"),
        ("DD11", "EE10"),
        ("EE10", "EE11"),
        ("EE10", "FF10"),
    ):
        yield from expect(one.side(a, b) in ship, f"ships cannot pass {a}/{b}: {one.side(a, b)}")
    shut = seas.sail(one, "EE11")
    yield from expect(not shut & one.bits(["DD11", "EE10"]), "the closed strait lets ships in from the east")
    opened = seas.sail(one, "EE11", ["malacca"])
    yield from expect(bool(opened & one.bits(["DD10"])), "the open strait does not lead to the west")


@check("74.31", "Singapore (EE11) is joined to Malaya only")
def singapore() -> Problems:
    one = pacific()
    yield from expect(place_hex("Singapore").id == "EE11", "Singapore is not EE11")
    joined = one.ids(one.spread(one.bits(["EE11"]), one.ground_sides))
    yield from expect(joined == ("DD11",), f"EE11 is joined to {joined}")
    yield from expect(one["DD11"].country == "malaya", "DD11 is not Malayan")


@check("73.41", "Gibraltar is joined by land to Z8 only, and Z8 is Spanish")
def gibraltar() -> Problems:
    one = europe()
    at = place_hex("Gibraltar")
    joined = one.ids(one.spread(one.bits([at.id]), one.ground_sides))
    yield from expect(joined == ("Z8",), f"{at.id} is joined to {joined}")
    yield from in_country("spain", "europe:Z8")
    yield from in_country("gibraltar", "Gibraltar")


@check("73.31", "Gibraltar is a port of two fronts between the Atlantic and the Mediterranean")
def gibraltar_fronts() -> Problems:
    one = europe()
    at = place_hex("Gibraltar")
    yield from is_port("Gibraltar")
    yield from expect(set(at.fronts) == {"western", "mediterranean"}, f"fronts {at.fronts}")
    yield from expect(set(at.seas) == {"atlantic", "mediterranean_sea"}, f"seas {at.seas}")
    lisbon = place_hex("Lisbon").id
    marseilles = one.bits([place_hex("Marseilles").id])
    yield from expect(not seas.sail(one, lisbon) & marseilles, "ships pass a closed Strait of Gibraltar")
    yield from expect(bool(seas.sail(one, lisbon, ["gibraltar"]) & marseilles), "ships do not pass an open one")


@check("73.21", "Gibraltar holds a fortress, mountain and beach")
def rock() -> Problems:
    at = place_hex("Gibraltar")
    yield from expect(at.terrain == "mountain", f"its terrain is {at.terrain}")
    yield from expect(set(at.features) == {"fortress", "beach"}, f"its features are {at.features}")


ISLANDS = {
    "Lesbos": ("greece", "CC30"),
    "Chios": ("greece", "DD29"),
    "Andros": ("greece", "EE28"),
    "Crete": ("greece", "GG26 GG27 GG28"),
    "Balearic Islands": ("spain", "Y15 Y16"),
    "Saare": ("baltic_states", "F39"),
    "Gotland": ("sweden", "H36"),
}


@check("83.22B", "Lesbos, Chios, Andros, Crete, Balearics, Saare and Gotland: their hexes, owners, water all round")
def minor_islands() -> Problems:
    one = europe()
    for name, (owner, ids) in ISLANDS.items():
        keys = tuple(f"europe/{id_}" for id_ in ids.split())
        found = group(name)
        yield from expect(found.keys == keys, f"{name} is {found.keys}")
        for key in keys:
            yield from expect(one[key].kind == "coastal", f"{key} is {one[key].kind}")
            yield from expect(one[key].country == owner, f"{key} belongs to {one[key].country}")
        yield from cut_off(one, keys)


@check("81.44", "Saare is an island of one hex")
def saare() -> Problems:
    yield from expect(group("Saaremaa").keys == ("europe/F39",), "Saare is not F39 alone")
    mainland = set(group("Estonia").keys) - {"europe/F39"}
    off = any(europe().distance("F39", key.split("/")[1]) == 1 for key in mainland)
    yield from expect(off, "Saare does not lie off the coast of Estonia")


@check("85.46", "Rumanian ships stay in the Black Sea; Scandinavian units have the Norwegian coast and the Baltic")
def closed_seas() -> Problems:
    one = europe()
    black = seas.sail(one, place_hex("Constanta").id)
    yield from expect(black == seas.basins(one)["black"], "the Black Sea is not one closed water")
    baltic = seas.sail(one, place_hex("Stockholm").id)
    yield from expect(baltic == seas.basins(one)["baltic"], "the Baltic is not one closed water")
    for name in ("Helsinki", "Riga", "Danzig", "Kiel", "Leningrad"):
        yield from expect(bool(baltic & one.bits([place_hex(name).id])), f"{name} is not on the Baltic")
    coast = {key.split("/")[1] for key in group("Norwegian North Sea coast").keys}
    yield from expect(coast == {h.id for h in one if h.country == "norway" and h.has_sea}, "the Norwegian coast")
    outer = seas.sail(one, place_hex("Bergen").id)
    yield from expect(not one.bits(coast) & ~outer, "the Norwegian coast is not one water")


@check("85.46", "European Turkey lies west of the straits and is joined to Asia by straits only")
def european_turkey() -> Problems:
    one = europe()
    keys = names.areas()["european_turkey"].keys
    yield from expect(bool(keys), "there is no European Turkey")
    mine = one.bits(keys)
    rest = one.bits(h.id for h in one if h.country == "turkey") & ~mine
    yield from expect(not one.spread(mine, one.dry_sides) & rest, "dry land joins it to Asia")
    yield from expect(bool(one.spread(mine, one.ground_sides) & rest), "no strait joins it to Asia")


@check("86.13", "a zone of control does not reach over a strait, and ground units cross it")
def straits() -> Problems:
    for one in (europe(), pacific()):
        for (a, b), side in one.special_sides.items():
            if side.kind == "strait":
                bit = one.bits([b])
                yield from expect(not one.spread(one.bits([a]), one.dry_sides) & bit, f"zone over {a}/{b}")
                yield from expect(bool(one.spread(one.bits([a]), one.ground_sides) & bit), f"no crossing at {a}/{b}")
