"""`warcabinet`: the command line."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click
from rich.markup import escape

from warcabinet import __version__
from warcabinet.cli.show import BROKEN, REFUSED, WRONG, errors, print_json, show_refusals
from warcabinet.game import Conflict, Refused, Undecidable
from warcabinet.kernel.errors import WarCabinetError
from warcabinet.views.words import command_text

# Where each command is; a module is read only when one of its commands is wanted, so that each starts fast.
_MODULES = {
    "play": (
        *("new", "status", "offers", "do", "advance", "log"),
        *("undo", "redo", "verify", "export", "import", "scenarios"),
    ),
    "books": ("enter", "not-judged", "sheets"),
    "ask": ("explain", "forecast", "agenda"),
    "economy": ("mobilization", "track", "pool", "builds"),
    "countries": ("countries", "country", "demo"),
    "garrisons": ("garrisons",),
    "rulebook": ("check", "rules", "new-clause", "data", "docs"),
    "keep": ("backup", "recover", "dice"),
    "server": ("serve", "let-in", "rehouse"),
    "session": ("session",),
    "board": ("board",),
    "china": ("china",),
    "measure": ("bench",),
    "fuzz": ("fuzz",),
    "aid": ("aid",),
    "compare": ("compare",),
    "plan": ("plan",),
    "chronicle": ("chronicle",),
    "moments": ("moment",),
}
WHERE = {name: module for module, names in _MODULES.items() for name in names}


class _Commands(click.Group):
    """All commands by name, each found in its module when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(WHERE)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in WHERE:
            return None
        module = import_module(f"warcabinet.cli.{WHERE[cmd_name]}")
        return next((command for command in module.COMMANDS if command.name == cmd_name), None)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="warcabinet")
def cli() -> None:
    """War Cabinet: rules engine, referee and table for A World at War."""


def main(args: list[str] | None = None) -> None:
    """Run a command; what is wrong is said in a few lines on standard error.

    The exit status is 1 where the rules refuse, 2 for wrong use (a word or value that there is not), 3 where a file,
    the disk or a database is broken, 130 where it was stopped.
    """
    given = sys.argv[1:] if args is None else args
    as_json = "--json" in given
    try:
        status = cli.main(args=given, prog_name="warcabinet", standalone_mode=False)
        if isinstance(status, int) and status:
            sys.exit(status)
    except Refused as refused:
        if as_json:
            print_json({"refused": refused.refusals, "command": refused.command})
        else:
            show_refusals(command_text(refused.command), refused.refusals, errors)
        sys.exit(REFUSED)
    except WarCabinetError as error:
        _tell(str(error), as_json)
        sys.exit(_status(error))
    except click.ClickException as wrong:
        if as_json:
            print_json({"error": wrong.format_message()})
        else:
            wrong.show()
        sys.exit(wrong.exit_code)
    except (click.Abort, KeyboardInterrupt):
        errors.print("Stopped; every move that was shown or acknowledged is kept")
        sys.exit(130)
    except BrokenPipeError:
        # Whoever was reading has gone; what was asked for is done.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _tell(f"{error.filename or 'output'}: {error.strerror}", as_json)
        sys.exit(BROKEN)


def _status(error: WarCabinetError) -> int:
    # Read only now: the store takes longer to read than many a command takes.
    from warcabinet.store.database import Damaged, StorageError

    if isinstance(error, Conflict | Undecidable):
        return REFUSED
    return BROKEN if isinstance(error, StorageError | Damaged) else WRONG


def _tell(text: str, as_json: bool) -> None:
    if as_json:
        print_json({"error": text})
    else:
        errors.print(f"[bold red]Error[/] {escape(text)}")


if __name__ == "__main__":
    main()
