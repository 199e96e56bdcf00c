"""What then happens: effects on a trigger or at a step, orders for accepted commands, dues for what was promised."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from warcabinet.kernel.rules import RULES, Condition, Misplaced, Rule

A = ParamSpec("A")
R = TypeVar("R")
C = TypeVar("C")
D = TypeVar("D")


class Action(Rule, Generic[A, R]):
    """A rule that makes events. `p.run(action, ...)` runs it under its own clause."""

    def __call__(self, p: Any, *args: A.args, **kwargs: A.kwargs) -> R:
        return self.fn(p, *args, **kwargs)  # type: ignore[no-any-return]


class Effect(Action[A, R]):
    """What then happens: on a trigger (an event type), at a step of the sequence that lists it, or when it is run.

    Effects of one event come in the order of their clauses. One that must not names the others that it comes `after`.
    """

    kind = "effect"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[Concatenate[Any, A], R],
        on: tuple[type, ...] = (),
        after: tuple[Effect[..., Any], ...] = (),
        when: Condition | None = None,
        covers: tuple[str, ...] = (),
        also: tuple[str, ...] = (),
    ) -> None:
        for other in after:
            if not on or other.on != on:
                raise Misplaced(f"{fn.__name__} and {other.name} do not follow from the same event")
        super().__init__(clause, gist, fn, covers, also)
        self.on: tuple[type, ...] = on
        self.after = after
        self.when = when
        for it in on:
            RULES.react(it, self)


class Order(Action[[C], None], Generic[C, D]):
    """What an accepted command does."""

    kind = "order"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[[D, C], None],
        on: type[C],
        phases: tuple[str, ...],
        out_of_turn: bool,
        also: tuple[str, ...] = (),
    ) -> None:
        if on in RULES.orders:
            raise Misplaced(f"{RULES.orders[on].name} and {fn.__name__} both carry out {on.__name__}")
        super().__init__(clause, gist, fn, also=also)
        self.on = on
        self.phases = phases
        self.out_of_turn = out_of_turn
        RULES.orders[on] = self


class Due(Action[[C], int]):
    """What a promise does when its moment comes. It returns the BRPs to settle then, before prorating.

    `matter` is the type of what its promises are about.
    """

    kind = "due"

    def __init__(
        self,
        clause: str,
        gist: str,
        fn: Callable[[Any, C], int],
        sign: int,
        averted_by: str,
        covers: tuple[str, ...],
        prorated: bool,
        also: tuple[str, ...] = (),
        matter: type | None = None,
    ) -> None:
        super().__init__(clause, gist, fn, covers, also)
        self.matter = matter
        self.sign = sign
        self.averted_by = averted_by
        self.prorated = prorated
        RULES.dues[self.name] = self
