"""The agenda: things that will fall due. A promise holds no condition; its effect looks at the state when due."""

from __future__ import annotations

from typing import Literal

import msgspec

Outcome = Literal["done", "averted", "passed on", "lapsed"]


class Promise(msgspec.Struct, frozen=True, omit_defaults=True):
    """At `due` (a moment), `effect` will be looked at for `power`, about `about`, with `brp` at stake.

    The amount is explicit: it can differ from the yearly value of what it is about.
    """

    id: str
    due: int
    effect: str
    clause: str
    opened: int
    power: str = ""
    about: str = ""
    brp: int = 0
    note: str = ""
