"""Checks of edges, boxes and the routes that lead to them."""

from __future__ import annotations

from itertools import pairwise

from warcabinet.board import boxes, names, supply
from warcabinet.board.check_phrases import (
    Problems,
    adjacent,
    all_different,
    by_land,
    check,
    edge_run,
    expect,
    group,
    in_country,
    is_port,
    place_hex,
)
from warcabinet.board.maps import europe, pacific
from warcabinet.board.seas import sail

IC_CITIES = (
    "Moscow",
    "Leningrad",
    "Stalingrad",
    "Kharkov",
    "Dnepropetrovsk",
    "Rostov",
    "Gorki",
    "Kuibyshev",
    "Magnitogorsk",
    "Sverdlovsk",
)


def russian_edge() -> tuple[str, ...]:
    return tuple(key.split("/")[1] for key in group("Eastern edge in Russia").keys)


def persian_edge() -> tuple[str, ...]:
    return tuple(key.split("/")[1] for key in group("Eastern edge in Persia").keys)


@check("40.412", "A47 and A50 are Russian land with a path inside Russia to Vologda and on to the eastern edge")
def murmansk_rails() -> Problems:
    one = europe()
    yield from in_country("russia", "europe:A47", "europe:A50", "Vologda")
    for id_ in ("A47", "A50"):
        yield from expect("north" in one[id_].edges, f"{id_} is not on the northern edge")
        yield from by_land(one, f"europe:{id_}", "Vologda", ["russia"])
    yield from by_land(one, "Vologda", russian_edge(), ["russia"])
    russia = one.bits(h.id for h in one if h.country == "russia")
    for id_, steps in (("A47", 5), ("A50", 3)):
        line = supply.trace(one, [id_], [place_hex("Vologda").id], russia)
        yield from expect(len(line.path) - 1 == steps, f"{id_} is {len(line.path) - 1} hexes from Vologda by rail")


@check("40.42", "A23 to A34 lie on the northern edge and have sea; they lead to the Murmansk box")
def murmansk_edge() -> Problems:
    ids = tuple(f"A{col}" for col in range(23, 35))
    for id_ in ids:
        at = europe()[id_]
        yield from expect(at.has_sea and "north" in at.edges, f"{id_} is {at.kind}, edges {at.edges}")
    keys = tuple(f"europe/{id_}" for id_ in ids)
    yield from expect(boxes.box("murmansk").hexes("naval") == keys, "the Murmansk box touches other hexes")


@check("40.44", "Bergen and Scapa Flow are ports, three hexes from the Murmansk box")
def murmansk_bases() -> Problems:
    yield from is_port("Bergen", "Scapa Flow")
    near = boxes.box("murmansk").hexes("range")
    for name in ("Bergen", "Scapa Flow"):
        yield from expect(place_hex(name).key in near, f"{name} is not within range of the Murmansk box")


@check("40.53", "NN41 to NN43 have sea; Basra (Iraq) and Abadan (Persia) reach one of them by sea")
def gulf() -> Problems:
    one = europe()
    for id_ in ("NN41", "NN42", "NN43"):
        yield from expect(one[id_].has_sea and "south" in one[id_].edges, f"{id_} is {one[id_].kind}")
    yield from in_country("iraq", "Basra")
    yield from in_country("persia", "Abadan")
    yield from all_different("Basra", "Abadan")
    yield from is_port("Basra", "Abadan")
    for name in ("Basra", "Abadan"):
        reached = sail(one, place_hex(name).id)
        yield from expect(bool(reached & one.bits(["NN41", "NN42", "NN43"])), f"{name} has no way into the Gulf")


@check("40.53", "Basra, Abadan and Ahwaz have a land path through Tehran to the eastern edge in Russia or Persia")
def persian_route() -> Problems:
    one = europe()
    for name in ("Basra", "Abadan", "Ahwaz"):
        yield from by_land(one, name, "Tehran", ["iraq", "persia"])
    yield from by_land(one, "Tehran", persian_edge(), ["persia"])
    yield from by_land(one, "Tehran", russian_edge(), ["persia", "russia"])


@check("40.51", "Abadan, Ahwaz and Tehran are three different Persian hexes")
def persian_cities() -> Problems:
    yield from all_different("Abadan", "Ahwaz", "Tehran")
    yield from in_country("persia", "Abadan", "Ahwaz", "Tehran")


@check("40.63", "Istanbul, Izmit, Izmir and Antioch are four Turkish ports")
def turkish_ports() -> Problems:
    yield from in_country("turkey", "Istanbul", "Izmit", "Izmir", "Antioch", "Ankara")
    yield from all_different("Istanbul", "Izmit", "Izmir", "Antioch")
    yield from is_port("Istanbul", "Izmit", "Izmir", "Antioch")


@check("40.62", "each of them has a path through Turkey and Russia only to the eastern edge in Russia")
def turkish_route() -> Problems:
    for name in ("Istanbul", "Izmit", "Izmir", "Antioch"):
        yield from by_land(europe(), name, russian_edge(), ["turkey", "russia"])


@check("40.252", "Mosul, Abadan and Ahwaz are oil centers")
def oil() -> Problems:
    yield from in_country("iraq", "Mosul")
    centers = {place.name for place in names.with_role("oil_center")}
    for name in ("Mosul", "Abadan", "Ahwaz"):
        yield from expect(name in centers, f"{name} is no oil center")


@check("40.73", "Vladivostok and Dutch Harbor are on the board")
def siberian_route() -> Problems:
    yield from in_country("russia", "Vladivostok")
    yield from in_country("usa", "Dutch Harbor")
    yield from is_port("Vladivostok", "Dutch Harbor")


@check("40.831", "Haiphong to Kunming by land without Burma")
def haiphong() -> Problems:
    yield from by_land(pacific(), "Haiphong", "Kunming", ["french_indochina", "china"])


@check("40.841", "from the Indian western edge to Mandalay and on to Kunming by land")
def burma_road() -> Problems:
    edge = tuple(key.split("/")[1] for key in group("Western edge in India").keys)
    yield from by_land(pacific(), "Mandalay", edge, ["india", "burma"])
    yield from by_land(pacific(), "Mandalay", "Kunming", ["burma", "china"])


@check("40.851", "an Indian or Burmese hex lies within three hexes of Kunming")
def hump() -> Problems:
    near = [h.id for h in pacific() if h.country in ("india", "burma") and pacific().distance(h.id, "S16") <= 3]
    yield from expect(bool(near), "no Indian or Burmese hex within three of Kunming")
    for name, far in (("Ledo", 3), ("Imphal", 3), ("Myitkyina", 2)):
        steps = pacific().distance(place_hex(name).id, place_hex("Kunming").id)
        yield from expect(steps == far, f"{name} is {steps} from Kunming, not {far}")


@check("81.63", "A62 to Z53 is the Russian part of Europe's eastern edge, AA52 is Persian")
def urals_europe() -> Problems:
    one = europe()
    ids = edge_run(one, "A62", "Z53", "east")
    russian = tuple(h.id for h in one if "east" in h.edges and h.country == "russia")
    yield from expect(ids == russian, f"the Russian edge is {russian[0]} to {russian[-1]}, {len(russian)} hexes")
    yield from expect(ids == russian_edge(), "the group differs from the edge")
    yield from expect(one["AA52"].country == "persia" and "east" in one["AA52"].edges, "AA52 is not the Persian edge")


@check("81.63", "A23 to F18 is Russian, G18 to L15 Communist Chinese and north of row M; all touch the Urals box")
def urals_pacific() -> Problems:
    one = pacific()
    for id_ in edge_run(one, "A23", "F18", "west"):
        # F19 is Mongolian; the edge itself stays Russian down to F18.
        yield from expect(one[id_].country == "russia", f"{id_} is {one[id_].country}")
    for id_ in edge_run(one, "G18", "L15", "west"):
        yield from expect(one[id_].country == "communist_china", f"{id_} is {one[id_].country}")
        yield from expect(one[id_].at.row < 12, f"{id_} is not north of row M")
    wanted = {f"europe/{i}" for i in russian_edge()} | {f"pacific/{i}" for i in edge_run(one, "A23", "L15", "west")}
    yield from expect(set(boxes.box("urals").hexes("ground")) == wanted, "the Urals box touches other hexes")


@check("37.72", "every IC city has a land path to the eastern edge in Russia")
def ic_supply() -> Problems:
    for name in IC_CITIES:
        yield from by_land(europe(), name, russian_edge(), ["russia", "ukraine"])


@check("72.61", "Indian hexes lie on the western edge; those south of the Himalaya lead to the India box")
def india_edge() -> Problems:
    one = pacific()
    indian = [h for h in one if "west" in h.edges and h.country == "india"]
    yield from expect(len(indian) > 3, "India does not reach the western edge")
    touching = set(boxes.box("india_box").hexes("ground"))
    for h in indian:
        high = h.id in ("O9", "P9", "Q8")
        yield from expect((h.key in touching) != high, f"{h.key} and the India box")


@check("72.71", "CC2 is coastal, Indian and on the western edge, eight hexes from the ports of the India box")
def india_sea() -> Problems:
    at = pacific()["CC2"]
    yield from expect((at.kind, at.country) == ("coastal", "india") and "west" in at.edges, f"CC2 is {at}")
    far = {link.distance for link in boxes.box("india_box").links if "naval" in link.means}
    yield from expect(far == {8}, f"the India box is {far} hexes off CC2")


@check("71.71", "NN15 is sea, NN24 (Townsville) and NN31 (Noumea) coastal, all on the southern edge: 8, 8 and 10 hexes")
def australia_sea() -> Problems:
    one = pacific()
    for id_, kind in (("NN15", "sea"), ("NN24", "coastal"), ("NN31", "coastal")):
        yield from expect(one[id_].kind == kind and "south" in one[id_].edges, f"{id_} is {one[id_].kind}")
    yield from expect(place_hex("Townsville").id == "NN24", "Townsville is not NN24")
    yield from expect(place_hex("Noumea").id == "NN31", "Noumea is not NN31")
    far = {i: link.distance for link in boxes.box("australia_box").links if "naval" in link.means for i in link.hexes}
    yield from expect(far == {"NN15": 8, "NN24": 8, "NN31": 10}, f"distances {far}")


@check("71.61", "sea supply from the Australia box enters at NN24 or NN31, land supply past the outback only")
def australia_supply() -> Problems:
    box = boxes.box("australia_box")
    yield from expect(box.hexes("sea_supply") == ("pacific/NN24", "pacific/NN31"), f"{box.hexes('sea_supply')}")
    edge = [h for h in pacific() if "south" in h.edges and h.country == "australia"]
    passable = tuple(h.key for h in edge if h.terrain != "outback")
    yield from expect(box.hexes("supply") == passable, f"by land at {box.hexes('supply')}, not {passable}")
    yield from expect(box.hexes("ground") == passable, f"ground units at {box.hexes('ground')}, not {passable}")


@check("71.81", "six adjacent outback hexes on row NN; closed between each other and to the south, open to the sides")
def outback() -> Problems:
    one = pacific()
    ids = [h.id for h in one if h.terrain == "outback"]
    yield from expect(len(ids) == 6 and all(adjacent(a, b) for a, b in pairwise(ids)), f"{ids}")
    for a, b in pairwise(ids):
        yield from expect(one.side(a, b) == "outback", f"{a}/{b} is open")
    for id_ in ids:
        yield from expect((id_, "south") in one.edge_sides, f"{id_} is open to the south")
        yield from expect("south" in one[id_].edges, f"{id_} is not on the southern edge")
    for a, b in (("NN16", ids[0]), (ids[-1], "NN23")):
        yield from expect(one.side(a, b) == "land", f"{a}/{b} is closed")
        yield from in_country("australia", f"pacific:{a}", f"pacific:{b}")
    for id_ in (ids[0], ids[-1]):
        north = [n.id for n in one.neighbours(id_) if n.at.row < one[id_].at.row]
        yield from expect(len(north) == 2, f"{id_} has {north} to the north")
        for b in north:
            yield from expect(one.side(id_, b) in ("land", "shore"), f"{id_}/{b} is closed")


@check("88.42", "NN27 to NN30 are Egyptian land on the southern edge and lead to the Ethiopia box")
def ethiopia() -> Problems:
    one = europe()
    ids = ("NN27", "NN28", "NN29", "NN30")
    for id_ in ids:
        fine = one[id_].is_land and one[id_].country == "egypt" and "south" in one[id_].edges
        yield from expect(fine, f"{id_} is {one[id_].country} {one[id_].kind}")
    keys = tuple(f"europe/{id_}" for id_ in ids)
    yield from expect(boxes.box("ethiopia").hexes("strategic_redeployment") == keys, "the Ethiopia box touches others")


@check("70.12", "the ten boxes exist: both U.S., South Africa, Australia, India, Urals, Ethiopia, Murmansk, two SW")
def all_boxes() -> Problems:
    wanted = "atlantic_us pacific_us south_africa australia_box india_box urals ethiopia murmansk atlantic_sw"
    for id_ in [*wanted.split(), "indian_ocean_sw"]:
        yield from expect(id_ in boxes.boxes(), f"no box {id_}")


@check("71.22", "the boxes that units redeploy between, and those that ships change base between (72.221C)")
def box_routes() -> Problems:
    sea, rail, base = "naval_redeployment", "strategic_redeployment", "base_change"
    for a, others, means in (
        ("australia_box", "pacific_us india_box south_africa ethiopia", sea),
        ("india_box", "australia_box south_africa ethiopia", sea),
        ("india_box", "australia_box south_africa", base),
        ("ethiopia", "south_africa", rail),
        ("atlantic_us", "pacific_us", rail),
    ):
        for b in others.split():
            yield from expect(boxes.joined(a, b, means), f"{a} and {b} are not joined by {means}")


@check("72.221", "ground units by sea and ships come to the India box from Suez, Basra and Abadan")
def india_by_sea() -> Problems:
    wanted = {place_hex(name).key for name in ("Suez", "Basra", "Abadan")}
    for means in ("sea_transport", "base_change"):
        found = set(boxes.box("india_box").hexes(means))
        yield from expect(found == wanted, f"by {means} from {sorted(found)}")


@check("72.22", "the Himalaya closes every side between China and India, Nepal or Bhutan")
def himalaya() -> Problems:
    one = pacific()
    for h in one:
        for n in one.neighbours(h.id):
            if h.country in ("india", "nepal", "bhutan") and n.country in ("china", "communist_china"):
                yield from expect(one.side(h.id, n.id) == "himalaya", f"{h.id}/{n.id} is {one.side(h.id, n.id)}")


@check("88.36", "Suez, Basra and Abadan lead by sea to the South Africa, India, Australia and Ethiopia boxes")
def naval_redeployment() -> Problems:
    for id_ in ("south_africa", "india_box", "australia_box", "ethiopia"):
        reached = boxes.box(id_).hexes("naval_redeployment")
        for name in ("Suez", "Basra", "Abadan"):
            yield from expect(place_hex(name).key in reached, f"{name} does not lead to the {id_}")
