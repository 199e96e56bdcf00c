"""What a shell completes: powers, commands, values, clauses, plans and files. See README on how a shell is told."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click
from click.shell_completion import CompletionItem

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def _of(names: Callable[[], Iterable[str]]) -> Completion:
    """Names that begin as what was typed, whatever its case; they are read only when a shell asks."""

    def complete(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        typed = incomplete.casefold()
        return [CompletionItem(name) for name in names() if name.casefold().startswith(typed)]

    return complete


def _powers() -> Iterable[str]:
    from warcabinet.model.names import powers

    return powers()


def _countries() -> Iterable[str]:
    from warcabinet.model.names import countries

    return countries()


def _commands() -> Iterable[str]:
    from warcabinet.model.commands import command_types

    return (*command_types(), *_powers())


def _values() -> Iterable[str]:
    from warcabinet.game.engine import ENGINE  # noqa: F401  (registers every rule)
    from warcabinet.kernel.rules import RULES

    return (*sorted(RULES.values()), *_powers())


def _clauses() -> Iterable[str]:
    from warcabinet.kernel.clause import catalogue

    return catalogue()


def _plans() -> Iterable[str]:
    from warcabinet.plans.form import shipped

    return shipped()


power = _of(_powers)
country = _of(_countries)
command_word = _of(_commands)
value_word = _of(_values)
clause = _of(_clauses)


def file(_context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(incomplete, type="file")]


def plan(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """A plan that ships, or a file."""
    return _of(_plans)(context, parameter, incomplete) or file(context, parameter, incomplete)
