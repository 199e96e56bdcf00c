"""How figures are asked for: each by a function of its own, made for the number of names that it takes.

Figures are asked for some twenty times a command. An object that can be called, and a function that takes any number
of arguments, cost Python a detour through C and a tuple each time; a plain function of two arguments calls the next
without leaving the interpreter. So a value's function is wrapped in such functions, which are written once here for no
name, one name, two names and so on, and made when the first value with so many is registered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import Any, Protocol

from warcabinet.kernel.why import running


class Figure(Protocol):
    """What is needed of a value here: its function, its name, and where it stands."""

    fn: Callable[..., Any]
    name: str
    module: str


# Everything begins with a line, so that it cannot meet the names that a figure takes.
_WRITTEN = """
def make(_rule, _fn, _name):
    _cases, _parts = _rule.cases

    def _figure(_state{names}):
        # Whatever holds: a figure that was fixed, an exception, or the rule's own function; then its parts.
        if _name in _state.determinations:
            _fixed = _rule.fixed(_state, {asked})
            if _fixed is not None:
                return _fixed.value
        _governing = None
        for _when, _exception in _cases:
            if _when is None or _when(_state{names}):
                if _governing is not None:
                    _governing = _rule.nearest(_state, {asked})
                    break
                _governing = _exception
        _found = _fn(_state{names}) if _governing is None else _governing.figure(_state{names})
        for _when, _part in _parts:
            if _when is None or _when(_state{names}):
                _found += _part.asked(_state{names})
        return _found

    def _asked(_state{names}):
        # The hottest path of all. An error on the way ends the decision and its trace with it, so nothing is put back
        # here in that case.
        _trace = _running()
        if _trace is None or not _trace.quiet:
            return _rule.told(_trace, _state, {asked})
        if _trace.state is not _state:
            _trace.state, _trace.cache = _state, {{}}
        # A rule may look at other states (a forecast); what is found is kept with what belongs to this one.
        _cache = _trace.cache
        _key = {key}
        if _key in _cache:
            return _cache[_key]
        if _rule.plain and _name not in _state.determinations:
            _cache[_key] = _found = _fn(_state{names})
        else:
            _cache[_key] = _found = _figure(_state{names})
        return _found

    return _asked, _figure
"""


@cache
def _maker(count: int) -> Callable[..., Any]:
    parameters = [f"_{number}" for number in range(count)]
    names = "".join(f", {name}" for name in parameters)
    asked = f"({''.join(f'{name}, ' for name in parameters)})"
    key = f"(_fn{names})" if parameters else "_fn"
    made: dict[str, Any] = {"_running": running}
    exec(_WRITTEN.format(names=names, asked=asked, key=key), made)
    return made["make"]  # type: ignore[no-any-return]


@cache
def _named(code: CodeType, parameters: tuple[str, ...]) -> CodeType:
    """The same code with the names by which a figure is asked for: they may be given by keyword."""
    own = code.co_varnames
    return code.replace(co_varnames=(own[0], *parameters, *own[1 + len(parameters) :]))


def asking(rule: Figure, parameters: tuple[str, ...]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Two functions: one gives a figure as it is asked for, one works it out without looking whether it is known."""
    asked, figure = _maker(len(parameters))(rule, rule.fn, rule.name)
    asked.__name__, asked.__module__, asked.__doc__ = rule.name, rule.module, rule.fn.__doc__
    asked.__code__ = _named(asked.__code__, parameters)
    return asked, figure
