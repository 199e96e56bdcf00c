"""The command line's manners: where errors go, how a command ends, what a pipe gets, what a shell completes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

from warcabinet.cli.main import cli, main
from warcabinet.cli.show import BROKEN, REFUSED, WRONG
from warcabinet.figures.position import Position
from warcabinet.store import create_game
from warcabinet.web.server.serve import hold


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("game") / "game.warcabinet"
    create_game(file, Position("empty", turn="Fall 1940"))
    return str(file)


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (("do", "spend", "power=germany", "brp=5", "on=other"), REFUSED),
        (("do", "spnd"), WRONG),
        (("explain", "growth_rte", "italy"), WRONG),
        (("status", "--nonsense"), WRONG),
    ],
)
def test_what_is_wrong_goes_to_standard_error_with_a_status_of_its_kind(
    given: tuple[str, ...], status: int, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*given, "-g", game])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (status, "")
    assert told.err


def test_a_broken_file_is_another_matter(tmp_path: Path, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.warcabinet"
    broken.write_bytes(Path(game).read_bytes()[:9000])
    with pytest.raises(SystemExit) as ended:
        main(["status", "-g", str(broken)])
    assert (ended.value.code, capsys.readouterr().out) == (BROKEN, "")


def test_what_is_piped_is_neither_wrapped_nor_coloured(tmp_path: Path) -> None:
    long = tmp_path / ("a" * 60) / ("b" * 60) / "none.warcabinet"
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"} | {"NO_COLOR": "1"}
    command = [sys.executable, "-m", "warcabinet", "status", "-g", str(long)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.stderr.splitlines() == [f"Error there is no game at {long}; start one with: warcabinet new {long}"]


# -- a server that cannot be ---------------------------------------------------------------------------------------


def refused_to_serve(capsys: pytest.CaptureFixture[str], folder: Path, *words: str) -> str:
    """The one line in which it is said why nothing is served."""
    with pytest.raises(SystemExit) as ended:
        main(["serve", str(folder), "--open", *words])
    told = capsys.readouterr()
    assert (ended.value.code, told.out) == (BROKEN, "")
    (line,) = told.err.splitlines()
    return line


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warcabinet.cli.show.errors.width", 1000)  # whoever starts tests may have said how wide
    monkeypatch.setattr("webbrowser.open", lambda address: pytest.fail("a page of somebody else was opened"))


@pytest.mark.usefixtures("no_browser")
@pytest.mark.parametrize("where", ["127.0.0.1", "::1"])
def test_a_port_that_is_taken_is_a_line_and_no_browser_is_opened(
    where: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A browser that looks for localhost looks at ::1 first."""
    try:
        taken = socket.create_server((where, 0), family=socket.AF_INET6 if ":" in where else socket.AF_INET)
    except OSError:
        pytest.skip(f"this machine has no {where}")
    with taken:
        line = refused_to_serve(capsys, tmp_path / "games", "--port", str(taken.getsockname()[1]))
    assert line.endswith("address already in use; stop what runs there, or name another with --port")
    assert not (tmp_path / "games").exists()


@pytest.mark.usefixtures("no_browser")
@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_of_another_machine_is_a_line(host: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As when the network is not there."""
    line = refused_to_serve(capsys, tmp_path / "games", "--host", host)
    assert line.endswith("name an address of this machine with --host")


@pytest.mark.usefixtures("no_browser")
def test_a_folder_that_cannot_be_made_is_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    line = refused_to_serve(capsys, tmp_path / "file" / "games", "--port", port)
    assert "cannot" in line


def test_a_port_is_held_and_nobody_let_in_before_the_server_is_ready() -> None:
    """Behind a proxy whoever comes meanwhile is sent to another host at once."""
    with hold("127.0.0.1", 0) as held, pytest.raises(ConnectionRefusedError):
        socket.create_connection(held.getsockname(), 5)


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("when", ["warcabinet.kernel", "start"])
def test_ctrl_c_is_a_line(when: str, tmp_path: Path) -> None:
    """While the program is still read, as while it serves."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    importing = ["-X", "importtime"] if when != "start" else []
    command = [sys.executable, *importing, "-m", "warcabinet", "serve", str(tmp_path / "games"), "--port", port]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while when not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    lines = [it for it in told.splitlines() if it and not it.startswith(("import time:", "{"))]
    assert (process.returncode, len(lines), lines[0][:7]) == (130, 1, "Stopped"), told


# -- every command -------------------------------------------------------------------------------------------------


def leaves(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        one = command.get_command(context, name)
        assert one is not None
        yield from leaves(one, (*path, name))


EVERY = dict(leaves(cli))
#: Those that look at no game: at boards, rules, data, plans, folders of a server.
WITHOUT_GAME = {
    *(("board", it) for it in ("check", "find", "hex", "path")),
    *(("plan", it) for it in ("list", "check", "chances")),
    *((it,) for it in ("scenarios", "check", "rules", "new-clause", "data", "docs", "fuzz", "demo", "not-judged")),
    *((it,) for it in ("serve", "let-in", "rehouse")),
}
#: What else they must be given to get as far as the game.
WORDS = {
    ("builds",): ["germany"],
    ("chronicle",): ["-o", "none.html"],
    ("compare",): ["none.warcabinet"],
    ("country",): ["poland"],
    ("do",): ["spend", "power=germany", "brp=5", "on=other"],
    ("enter",): ["germany 5 construction"],
    ("explain",): ["level", "germany"],
    ("pool",): ["germany"],
    ("backup",): ["copy"],
    ("recover",): ["copy"],
    ("plan", "best"): ["best-german-growth"],
    ("plan", "open"): ["as-it-happened", "-o", "none.warcabinet"],
    ("plan", "run"): ["as-it-happened", "--samples", "1"],
    ("board", "render"): ["-o", "none.svg"],
}


def ran(given: Iterable[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main([*given])
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_wrong_use_of_any_command_is_said_on_standard_error(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, told = ran([*path, "--no-such-option"], capsys)
    assert (status, out) == (WRONG, "")
    assert "--no-such-option" in told


@pytest.mark.parametrize("path", [it for it in EVERY if it not in WITHOUT_GAME], ids=" ".join)
def test_every_command_names_its_game_by_the_same_option_and_says_what_is_wrong_with_it(
    path: tuple[str, ...],
    tmp_path: Path,
    game: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A game that is not there is wrong use, one that is damaged is broken; nothing is said on standard output."""
    option = next((it for it in EVERY[path].params if "-g" in it.opts), None)
    assert option is not None
    assert "--game" in option.opts
    if path[0] in ("new", "import", "session", "bench") or path == ("plan", "compare"):
        return  # they make a game, or measure one, or hold a result against it
    monkeypatch.chdir(tmp_path)
    status, out, told = ran([*path, *WORDS.get(path, []), "-g", "nowhere.warcabinet"], capsys)
    assert (status, out) in ((WRONG, ""), (BROKEN, "")), told
    assert "nowhere.warcabinet" in told
    Path("broken.warcabinet").write_bytes(Path(game).read_bytes()[:9000])
    status, out, told = ran([*path, *WORDS.get(path, []), "-g", "broken.warcabinet"], capsys)
    assert (status, out) == (BROKEN, ""), told
    assert "Traceback" not in told
    assert not [it.name for it in tmp_path.iterdir() if it.name != "broken.warcabinet"]


#: What a parameter of this name is completed with.
NAMED = {"power": "germany", "seat": "germany", "clause": "35.33A", "which": "poland"}
FILES = {"game", "named", "file", "position", "sheet", "output", "settings"}


@pytest.mark.parametrize("path", EVERY, ids=" ".join)
def test_a_shell_completes_the_words_of_every_command(path: tuple[str, ...]) -> None:
    """Its options, and whatever is a power, a clause, a country, a plan or a file."""
    command = EVERY[path]
    completed = ShellComplete(cli, {}, "warcabinet", "_WARCABINET_COMPLETE").get_completions([*path], "--")
    wanted = {opt for it in command.params for opt in it.opts if opt.startswith("--")}
    assert wanted <= {it.value for it in completed}
    context = click.Context(command)
    for it in command.params:
        name = it.name or ""
        found = it.shell_complete(context, NAMED.get(name, "some")[:4])
        if name in NAMED and path != ("moment",):
            assert NAMED[name] in [one.value for one in found], name
        elif (name in FILES and path != ("data",)) or name == "other":
            assert [one.type for one in found] in (["file"], ["dir"]), name


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_told_and_answered(shell: str) -> None:
    """As README has it: what a shell reads at its start, and what it asks at the press of a key."""
    program = [sys.executable, "-m", "warcabinet"]

    def asked(instruction: str, **more: str) -> str:
        environment = {**os.environ, "_WARCABINET_COMPLETE": f"{shell}_{instruction}", **more}
        return subprocess.run(program, env=environment, capture_output=True, text=True, timeout=120, check=False).stdout

    if shell != "bash" or shutil.which("bash"):
        assert "_WARCABINET_COMPLETE=" + shell in asked("source")
    word = "3" if shell != "fish" else "ger"
    answer = asked("complete", COMP_WORDS="warcabinet do spend ger", COMP_CWORD=word)
    assert "germany" in answer.replace(",", "\n").split()


#: The line of README for each shell, and what then shows what it would propose after `do spend ger`.
SHELLS = {
    "bash": 'eval "$(_WARCABINET_COMPLETE=bash_source warcabinet)"; COMP_WORDS=(warcabinet do spend ger) COMP_CWORD=3; '
    '_warcabinet_completion warcabinet; echo "${COMPREPLY[@]}"',
    "zsh": 'autoload -U compinit && compinit -D -u; eval "$(_WARCABINET_COMPLETE=zsh_source warcabinet)"; '
    "compadd() { print -r -- ${(P)@[-1]} }; words=(warcabinet do spend ger) CURRENT=4; $_comps[warcabinet]",
    "fish": "_WARCABINET_COMPLETE=fish_source warcabinet | source; complete -C 'warcabinet do spend ger'",
}


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_that_is_here_completes_by_the_line_of_the_readme(shell: str, tmp_path: Path) -> None:
    program, place = shutil.which(shell), Path(sys.executable).parent
    if program is None or not (place / "warcabinet").exists():
        pytest.skip(f"no {shell} here: install Debian's package `{shell}`")
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert re.split(r"; (?=COMP_|compadd|complete -C)", SHELLS[shell])[0].split("; ")[-1] in readme
    environment = {**os.environ, "PATH": f"{place}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    command = [program, *(["-f"] if shell == "zsh" else []), "-c", SHELLS[shell]]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert "germany" in ran.stdout.split(), ran.stderr


def test_one_console_says_what_is_shown_and_another_what_is_wrong() -> None:
    """Width, colour and `NO_COLOR` are kept to by them: no command writes by one of its own."""
    root = Path(import_module("warcabinet").__path__[0], "cli")
    assert [it.name for it in root.glob("*.py") if "Console(" in it.read_text(encoding="utf-8")] == ["show.py"]


@pytest.mark.skipif(os.name == "nt", reason="no such terminal")
@pytest.mark.parametrize("given", [["country", "poland"], ["do", "spnd"]])
def test_a_terminal_without_colour_gets_none(given: list[str], game: str) -> None:
    def shown(**more: str) -> bytes:
        import pty

        ours, its = pty.openpty()
        environment = {it: value for it, value in os.environ.items() if it not in ("NO_COLOR", "COLUMNS")}
        environment |= {"TERM": "xterm-256color", **more}
        command = [sys.executable, "-m", "warcabinet", *given, "-g", game]
        with subprocess.Popen(command, stdout=its, stderr=its, stdin=subprocess.DEVNULL, env=environment) as child:
            os.close(its)
            read = bytearray()
            with contextlib.suppress(OSError):
                while some := os.read(ours, 65536):
                    read += some
            child.wait(120)
        os.close(ours)
        return bytes(read)

    coloured = re.compile(rb"\x1b\[[0-9;]*3[0-7]m")
    assert coloured.search(shown())
    assert not coloured.search(shown(NO_COLOR="1"))


@pytest.mark.parametrize("given", [["offers", "--all"], ["not-judged"]])
def test_a_pipe_gets_whole_lines_of_any_command(given: list[str], game: str) -> None:
    """As many lines as on the widest terminal."""

    def lines(**more: str) -> int:
        environment = {it: value for it, value in os.environ.items() if it != "COLUMNS"} | more
        named = ["-g", game] if (given[0],) not in WITHOUT_GAME else []
        command = [sys.executable, "-m", "warcabinet", *given, *named]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=True)
        return len(ran.stdout.splitlines())

    assert lines() == lines(COLUMNS="100000") > 0


@pytest.mark.parametrize(
    "given", [["status", "-g", "/no/such/folder" * 12], ["do", "spend", "-g", "no-such-game" * 12]]
)
def test_an_error_that_is_piped_is_one_line(given: list[str]) -> None:
    """However narrow the terminal is said to be: whoever reads it looks for words beside each other."""
    command = [sys.executable, "-m", "warcabinet", *given]
    environment = os.environ | {"COLUMNS": "40"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode != 0
    assert len(ran.stderr.splitlines()) == 1, ran.stderr


@pytest.mark.parametrize(
    ("typed", "incomplete", "found"),
    [
        (["do"], "mobil", "mobilize"),
        (["do", "spend"], "ger", "germany"),
        (["forecast"], "BRI", "britain"),
        (["explain"], "growth_r", "growth_rate"),
        (["rules"], "35.33", "35.33A"),
        (["plan", "run"], "as-it", "as-it-happened"),
        (["undo", "--seat"], "ita", "italy"),
        ([], "stat", "status"),
    ],
)
def test_a_shell_completes(typed: list[str], incomplete: str, found: str) -> None:
    completed = ShellComplete(cli, {}, "warcabinet", "_WARCABINET_COMPLETE").get_completions(typed, incomplete)
    assert found in [it.value for it in completed]


@pytest.mark.parametrize("typed", [["status", "-g"], ["new"], ["plan", "run"]])
def test_a_shell_completes_files(typed: list[str]) -> None:
    completed = ShellComplete(cli, {}, "warcabinet", "_WARCABINET_COMPLETE").get_completions(typed, "some")
    assert [it.type for it in completed] == ["file"]


def test_what_later_pythons_took_away_is_not_imported() -> None:
    """`importlib.abc.Traversable` is gone in Python 3.14."""
    root = Path(import_module("warcabinet").__path__[0])
    assert [it.name for it in root.rglob("*.py") if "importlib.abc" in it.read_text(encoding="utf-8")] == []
