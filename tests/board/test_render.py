"""The drawn map: complete, well formed, names that do not touch, colours that can be told apart."""

from __future__ import annotations

import sys
from itertools import combinations
from xml.etree import ElementTree

import pytest

from warcabinet.board import coast, control, hexes, names, palette, relief, render
from warcabinet.board.control import Control, fall_1939
from warcabinet.board.maps import Board, both, europe, pacific
from warcabinet.board.naming import Naming
from warcabinet.board.overlay import Outline, Overlay
from warcabinet.board.sheet import Level, Sheet

SVG = "{http://www.w3.org/2000/svg}"
LEVEL: tuple[Level, ...] = (1, 2, 3)


def changed() -> Control:
    lands = control.by_country(["poland", "france", "denmark", "norway", "malaya", "philippines"], "")
    europe_keys = [key for key in lands if key.startswith("europe")]
    asia_keys = [key for key in lands if key.startswith("pacific")]
    return Control(fall_1939()).give(europe_keys, "germany").give(asia_keys, "japan")


class Ink:
    title = ""

    def colour(self, name: str) -> str:
        return "#000000"


def placed(one: Board, level: Level, held: Control) -> Naming:
    naming = Naming(one, Sheet(one, level), level, {h.id: held.get(h.key, "") for h in one if h.is_land}, ids=False)
    naming.drawn(Ink())
    return naming


@pytest.mark.parametrize("one", both(), ids=lambda b: b.name)
def test_every_hex_is_a_path_with_its_key_and_holder(one: Board) -> None:
    root = ElementTree.fromstring(render.svg(one, changed()))
    paths = {p.get("data-hex"): p for p in root.iter(f"{SVG}path") if p.get("data-hex")}
    assert set(paths) == {h.key for h in one}
    assert all(p.get("id") == key.replace("/", "-") for key, p in paths.items() if key)
    for h in one:
        assert paths[h.key].get("data-holder") == (changed()[h.key] if h.is_land else None)


def test_all_references_are_defined_and_ids_unique() -> None:
    for one in both():
        root = ElementTree.fromstring(render.svg(one, theme="auto"))
        ids = [e.get("id") for e in root.iter() if e.get("id")]
        assert len(ids) == len(set(ids))
        used = {e.get("href", "")[1:] for e in root.iter(f"{SVG}use")}
        used |= {v[5:-1] for e in root.iter() for v in e.attrib.values() if v.startswith("url(#")}
        assert used <= set(ids)


@pytest.mark.parametrize("level", LEVEL)
@pytest.mark.parametrize("one", both(), ids=lambda b: b.name)
def test_names_do_not_touch(one: Board, level: Level) -> None:
    boxes = placed(one, level, changed()).placed
    assert len(boxes) > 80
    touching = [(a, b) for (a, ra), (b, rb) in combinations(boxes, 2) if ra.meets(rb)]
    assert touching == []


@pytest.mark.parametrize("level", LEVEL)
@pytest.mark.parametrize("one", both(), ids=lambda b: b.name)
def test_the_first_rank_is_always_named(one: Board, level: Level) -> None:
    shown = {text for text, _ in placed(one, level, changed()).placed}
    wanted = {p.name for p in names.places().values() if p.board == one.name and p.tier == 1}
    assert wanted <= shown


def test_level_three_names_every_place() -> None:
    for one in both():
        shown = {text for text, _ in placed(one, 3, Control(fall_1939())).placed}
        missing = {p.name for p in names.places().values() if p.board == one.name} - shown
        assert missing == set()


def test_terrain_is_marked_on_land_that_no_name_covers() -> None:
    for one in both():
        root = ElementTree.fromstring(render.svg(one, level=2))
        (group,) = [g for g in root.iter(f"{SVG}g") if g.get("class") == "wc-relief"]
        rough = [h for h in one if h.terrain in relief.MARKS]
        inland = [h for h in rough if h.kind == "land"]
        assert 0.9 * len(inland) < len(list(group)) <= len(rough)
        assert "wc-relief" not in render.svg(one, level=1)


def test_land_and_water_on_the_plane() -> None:
    one = europe()
    for name, truth in (("M35", True), ("H47", True), ("L15", False), ("W39", False)):
        assert coast.is_land(one, hexes.centre(one[name].at)) is truth


def test_communist_china_does_not_look_conquered() -> None:
    text = render.svg(pacific())
    assert "url(#pacific-pattern-communist_china-1)" in text
    assert ">Communist China<" in text
    assert "pattern-china-2)" not in text


def test_conquered_land_is_said_in_words_too() -> None:
    text = render.svg(europe(), changed())
    assert text.count("held by Germany") >= 3
    assert "held by" not in render.svg(europe())


def test_the_same_position_gives_the_same_sheet() -> None:
    assert render.svg(europe(), changed()) == render.svg(europe(), changed())


def test_without_variables_any_viewer_can_show_it() -> None:
    assert "var(" not in render.svg(europe(), variables=False)
    assert "prefers-color-scheme" in render.svg(europe(), theme="auto")


# Colours

MACHADO = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}
NEIGHBOURS = (
    "germany-italy germany-france germany-russia germany-britain italy-france italy-britain italy-russia "
    "france-britain russia-britain russia-japan russia-china china-japan china-britain china-france japan-britain "
    "japan-france japan-usa britain-usa"
)


def linear(colour: str) -> tuple[float, ...]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)


def oklab(rgb: tuple[float, ...]) -> tuple[float, ...]:
    r, g, b = rgb
    roots = [
        abs(v) ** (1 / 3) * (1 if v >= 0 else -1)
        for v in (
            0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
            0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
            0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
        )
    ]
    m, n, s = roots
    return (
        0.2104542553 * m + 0.7936177850 * n - 0.0040720468 * s,
        1.9779984951 * m - 2.4285922050 * n + 0.4505937099 * s,
        0.0259040371 * m + 0.7827717662 * n - 0.8086757660 * s,
    )


def distance(a: str, b: str, vision: str) -> float:
    seen = []
    for colour in (a, b):
        rgb = linear(colour)
        seen.append(oklab(tuple(sum(w * c for w, c in zip(row, rgb, strict=True)) for row in MACHADO[vision])))
    return 100 * sum((x - y) ** 2 for x, y in zip(*seen, strict=True)) ** 0.5


@pytest.mark.parametrize("vision", MACHADO)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("pair", NEIGHBOURS.split())
def test_neighbouring_powers_can_be_told_apart(pair: str, theme: int, vision: str) -> None:
    one, other = (palette.POWERS[name].map[theme] for name in pair.split("-"))
    assert distance(one, other, vision) >= 8


def test_every_power_has_a_pattern_and_letters_of_its_own() -> None:
    powers = palette.POWERS.values()
    assert len({p.pattern for p in powers}) == len({p.seal for p in powers}) == 8


def contrast(a: str, b: str) -> float:
    bright = sorted((0.2126 * r + 0.7152 * g + 0.0722 * bl for r, g, bl in (linear(a), linear(b))), reverse=True)
    return (bright[0] + 0.05) / (bright[1] + 0.05)


@pytest.mark.parametrize("theme", palette.THEMES)
def test_text_is_readable_on_its_ground(theme: palette.Theme) -> None:
    t = palette.tokens(theme)
    for ink, ground in (("ink", "paper"), ("ink", "land"), ("ink", "desk"), ("sea-name", "sea"), ("ink-2", "desk")):
        assert contrast(t[ink], t[ground]) >= 4.5, (ink, ground, contrast(t[ink], t[ground]))


def test_png_needs_its_extra_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(Exception, match=r"warcabinet\[png\]"):
        render.png(europe(), level=1)


def test_png_is_a_picture() -> None:
    pytest.importorskip("resvg_py")
    from warcabinet.board.picture import rasterize

    tiny = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
    assert rasterize(tiny).startswith(b"\x89PNG")


def test_what_is_laid_over_a_map_is_cut_out_with_its_key() -> None:
    over = Overlay(
        "A piece",
        ("L22", "P19"),
        (Outline(("L22",), "china-deep", "Yenan"),),
        ("P19",),
        {"P19": "GW"},
        {"P19": "japan-deep"},
        ("a line",),
    )
    whole = render.svg(pacific(), None, variables=False)
    piece = render.svg(pacific(), None, variables=False, over=over)
    root = ElementTree.fromstring(piece)
    assert float(root.get("width", "0")) < float(ElementTree.fromstring(whole).get("width", "0")) / 4
    texts = {it.text for it in root.iter(f"{SVG}text")}
    assert {"A piece", "Yenan", "a line", "GW"} <= texts
    assert len(list(root.iter(f"{SVG}circle"))) == len(list(ElementTree.fromstring(whole).iter(f"{SVG}circle"))) + 2
