"""Orders and reports about China: what Communist China is once Russia fights Japan, and the Flying Tigers (78, 79)."""

from __future__ import annotations

from typing import Annotated, ClassVar

from msgspec import Meta

from warcabinet.model.commands.base import Command, PowerName


class ChooseCommunistStatus(Command, frozen=True, tag="choose_communist_status"):
    """Say whether Communist China stays independent or becomes a Russian minor ally, now that Russia fights Japan."""

    reply: ClassVar[bool] = True

    power: PowerName
    independent: Annotated[bool, Meta(description="whether it stays an independent minor country, for good")]


class ReportTigersLent(Command, frozen=True, tag="report_tigers_lent"):
    """So many Flying Tigers are lent to the United States now (0: none are any more)."""

    count: Annotated[int, Meta(ge=0, le=2, description="how many air factors are lent")]
