"""Every command, field and choice is called by a word that players use, from one table."""

from __future__ import annotations

import pytest

from warcabinet.model.commands import command_types, fields
from warcabinet.web.orders import form_words

ROWS = form_words._rows()


@pytest.mark.parametrize("command", command_types())
def test_every_command_and_field_has_its_words(command: str) -> None:
    labels = [form_words.command_label(command)]
    for field in fields(command_types()[command]):
        assert (command, field.name) in ROWS or ("", field.name) in ROWS, f"{command}: {field.name} has no row"
        labels.append(form_words.field_words(command, field.name).label)
    for label in labels:
        assert label[0].isupper()
        assert "_" not in label
        assert len(label) <= 42


def test_no_row_is_about_nothing() -> None:
    named = {(command, field.name) for command, kind in command_types().items() for field in fields(kind)}
    for command, field in ROWS:
        name, _, value = field.partition("=")
        if not name:
            assert command in command_types()
            continue
        mine = [it for it in named if command in ("", it[0]) and name == it[1]]
        assert mine, f"{command} {field}"
        if value:
            among = {
                it for c, f in mine for about in fields(command_types()[c]) if about.name == f for it in about.among
            }
            assert value in among, f"{command} {field}"


def test_a_reading_is_told_in_its_own_words(solo) -> None:  # type: ignore[no-untyped-def]
    form = solo.post("/narrow", command="choose_reading", known={}).json()
    open_point = form["fields"]["ruling"]["suggested"][0]
    form = solo.post("/narrow", command="choose_reading", known={"ruling": open_point["value"]}).json()
    choices = form["fields"]["reading"]["choices"]
    assert [it["value"] for it in choices] == open_point["of"]
    assert all(len(it["name"]) > 12 for it in choices)


def test_what_cannot_matter_is_shut(solo) -> None:  # type: ignore[no-untyped-def]
    def shut(**known: str) -> set[str]:
        form = solo.post("/narrow", command="grant", known={"power": "britain", **known}).json()
        return {name for name, field in form["fields"].items() if field.get("shut")}

    assert {"oil", "through", "air_base"} <= shut()
    assert not {"oil", "oil_from"} & shut(to="russia")
    assert "through" in shut(to="russia")
    for row in ROWS.values():
        field, _, values = row.only.partition("=")
        if field:
            about = {it.name: it for it in fields(command_types()[row.command])}[field]
            assert about.kind in ("power", "country", "belligerent") or set(values.split("|")) <= set(about.among)
