"""What the reference leads through: lines of play, and at their positions commands drawn at random.

A line is a position and commands one after the other: a case, the demonstration, a random campaign. It comes in pieces
(`Piece`), so that long lines take turns with short ones. Everything follows from the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from draw import Command, Drawing, Form, Lay, Pile, World
from judging import Answer, Judge

#: How often each source has its turn.
WEIGHTS = {"cases": 0.75, "demonstration": 0.1, "campaigns": 0.15}
#: Moves in a piece of a long line, and at how many of its positions commands are tried.
LONG_PIECE, TRIED_POSITIONS = 20, 4
#: Every other time, of so many commands that were drawn the one is given that the reference has least against.
CANDIDATES = 5
#: How often a position between the written steps of a case (on the way to a moment) is tried.
BETWEEN = 0.2
ADVANCE = {"do": "advance"}
BESIDE = ("then", "dice", "to")


class Line(msgspec.Struct, frozen=True):
    """A case as a line of play."""

    title: str
    position: dict[str, Any]
    steps: list[dict[str, Any]]


class Plan(msgspec.Struct, frozen=True):
    """What a run is asked to play."""

    seed: int
    commands: int
    only: list[str]
    sources: list[str]
    #: How many commands are tried in a position, and how many accepted ones a case goes on by.
    tries: int
    onward: int
    walk: bool
    lines: list[Line]
    #: Commands of all cases, from which others are made.
    corpus: dict[str, list[Command]]


class Move(msgspec.Struct, frozen=True):
    """A command given (`step`: the line goes on from there), tried, or a look at all offers; and what came of it."""

    way: str
    command: Command
    dice: tuple[int, ...]
    answer: Answer
    #: The moment after a step.
    now: str = ""


class Piece(msgspec.Struct):
    """Some moves of a line, in their order; the first piece begins it by its position."""

    line: str
    begin: dict[str, Any] | None = None
    moves: list[Move] = []
    over: bool = False
    #: Why a line cannot be begun by the reference: today's cases may say what it does not know.
    left_out: str = ""


def played(judge: Judge, plan: Plan) -> Iterator[Piece]:
    """Piece after piece until as many commands have been given as the plan wants (none named: without end)."""
    lead = Lead(judge, plan)
    dice = random.Random(f"turns {plan.seed}")
    sources = {name: getattr(lead, name)() for name in plan.sources}
    if not plan.lines:
        sources.pop("cases", None)
    given = 0
    while sources:
        name = dice.choices(list(sources), [WEIGHTS[it] for it in sources])[0]
        piece = next(sources[name])
        if plan.commands:
            piece.moves = piece.moves[: plan.commands - given]
        given += len(piece.moves)
        yield piece
        if plan.commands and given >= plan.commands:
            return


class Lead:
    """The reference engine that leads, and the drawing of commands."""

    def __init__(self, judge: Judge, plan: Plan) -> None:
        self.judge, self.engine, self.plan = judge, judge.engine, plan
        self.drawing = Drawing(_world(judge.engine), plan.corpus, plan.only)

    # -- sources --------------------------------------------------------------------------------------------------

    def cases(self) -> Iterator[Piece]:
        """Cases in a drawn order, over and over: each round tries other commands in them."""
        turn = 0
        while True:
            turn += 1
            order = list(self.plan.lines)
            random.Random(f"cases {self.plan.seed} {turn}").shuffle(order)
            for line in order:
                yield self._case(line, random.Random(f"{self.plan.seed} {turn} {line.title}"))

    def demonstration(self) -> Iterator[Piece]:
        game = self.engine.play_demo()
        moves = game.log()
        state, script = game.journal.state_at(1), []
        for move in moves[1:]:
            faces = [it.event.face for it in move.records if isinstance(it.event, self.engine.DiceRolled)]
            script.append((_plain(move.command), tuple(faces)))
        position = msgspec.to_builtins(self.engine.Position(state.scenario, options=msgspec.to_builtins(state.options)))
        turn = 0
        while True:
            turn += 1
            yield from self._long(f"demonstration, round {turn}", position, iter(script))

    def campaigns(self) -> Iterator[Piece]:
        number = self.plan.seed * 1000
        while True:
            number += 1
            campaign = self.engine.Campaign(number, {})
            steps = ((it.step.command, it.step.dice) for it in campaign.play() if it.accepted)
            position = msgspec.to_builtins(self.engine.opening(number))
            yield from self._long(f"campaign {number}", position, steps)

    # -- lines ----------------------------------------------------------------------------------------------------

    def _long(
        self, title: str, position: dict[str, Any], steps: Iterator[tuple[Command, Sequence[int]]]
    ) -> Iterator[Piece]:
        """A line of many commands, in pieces; a few of its positions are tried."""
        dice = random.Random(f"{self.plan.seed} {title}")
        state = self.judge.begin(position)
        begin: dict[str, Any] | None = position
        own: list[Command] = []
        over = False
        while not over:
            piece = Piece(title, begin)
            begin = None
            tried = dice.sample(range(LONG_PIECE), TRIED_POSITIONS)
            for index in range(LONG_PIECE):
                if index in tried:
                    self._try(piece, state, own[-40:], dice)
                step = next(steps, None)
                if step is None:
                    piece.over = over = True
                    break
                own.append(step[0])
                state = self._step(piece, state, step[0], iter(step[1]))
            yield piece

    def _case(self, line: Line, dice: random.Random) -> Piece:
        piece = Piece(line.title, line.position, over=True)
        try:
            state = self.judge.begin(line.position)
        except Exception as error:
            return Piece(line.title, left_out=f"{type(error).__name__}: {error}")
        own = [bare(step) for step in line.steps if "do" in step]
        self._try(piece, state, own, dice)
        for step in line.steps:
            if "do" in step:
                state = self._written(piece, state, step, own, dice)
                self._try(piece, state, own, dice)
        for _ in range(self.plan.onward):
            tried = [it for it in piece.moves[-self.plan.tries :] if it.way == "try"]
            accepted = [it for it in tried if it.answer["verdict"] == "accepted"]
            if accepted:
                chosen = dice.choice(accepted)
                state = self._step(piece, state, chosen.command, iter(chosen.dice))
            else:
                state = self._step(piece, state, ADVANCE, _faces(dice))
            self._try(piece, state, own, dice)
        return piece

    def _written(self, piece: Piece, state: Any, step: Command, own: Sequence[Command], dice: random.Random) -> Any:
        """A step as its case says it; one that goes on to a moment is as many commands as it takes."""
        faces = iter(step.get("dice", ()))
        if step["do"] != "advance" or "to" not in step:
            return self._step(piece, state, bare(step), faces)
        try:
            target = self.engine.parse_moment(str(step["to"]), state.moment)
        except self.engine.WarCabinetError:
            return state
        while state.moment < target:
            if piece.moves and dice.random() < BETWEEN:
                self._try(piece, state, own, dice)
            after = self._step(piece, state, bare(step), faces)
            if after is state:
                break
            state = after
        return state

    def _step(self, piece: Piece, state: Any, command: Command, faces: Iterator[int]) -> Any:
        answer, after, thrown = self.judge.judge(state, command, (), faces)
        piece.moves.append(Move("step", command, thrown, answer, self.engine.moment_name(after.moment)))
        return after

    def _try(self, piece: Piece, state: Any, own: Sequence[Command], dice: random.Random) -> None:
        if self.plan.walk:
            piece.moves.append(Move("offers", {"do": "offers"}, (), self.judge.offers(state)))
        lay = self._lay(state)
        for _ in range(self.plan.tries):
            drawn = self.drawing.commands(lay, own, dice)
            tried = [self._tried(state, next(drawn), dice) for _ in range(dice.choice((1, CANDIDATES)))]
            piece.moves.append(min(tried, key=_against))

    def _tried(self, state: Any, command: Command, dice: random.Random) -> Move:
        answer, _, thrown = self.judge.judge(state, command, (), _faces(dice))
        return Move("try", command, thrown, answer)

    def _lay(self, state: Any) -> Lay:
        piles = [Pile(it.nation, it.unit, it.place, it.count) for it in self.engine.stacks(state)]
        nations = self.drawing.world.names["nation"]
        pools = [Pile(it, unit, "", count) for it in nations for unit, count in self.engine.unbuilt(state, it)]
        patrons = {name: it.by for name, it in state.countries.items() if it.by}
        return Lay(sorted(piles, key=repr), sorted(pools, key=repr), patrons)


def _against(move: Move) -> int:
    """How much there is against a command: nothing, so many clauses, or that it is not even one."""
    return 99 if move.answer["verdict"] == "malformed" else len(move.answer.get("clauses", ()))


def _faces(dice: random.Random) -> Iterator[int]:
    return iter(lambda: dice.randint(1, 6), 0)


def bare(step: dict[str, Any]) -> Command:
    """A step's command alone."""
    left_out = BESIDE if step["do"] == "advance" else BESIDE[:2]
    return {key: value for key, value in step.items() if key not in left_out}


def _plain(command: Any) -> Command:
    """A command as a case writes it."""
    given: Command = msgspec.to_builtins(command)
    return {key: value for key, value in given.items() if key not in ("seat", "seq_seen", "minded")}


def _world(engine: Any) -> World:
    kinds = ("power", "country", "area", "track", "belligerent", "nation")
    forms = {
        name: tuple(Form(it.name, it.kind, it.required, it.among, it.many) for it in engine.fields(kind))
        for name, kind in engine.command_types().items()
    }
    deciding = {engine.place_key(place) for area in engine.areas().values() for place in area.places}
    return World(
        forms,
        {kind: tuple(engine.ids_of(kind)) for kind in kinds},
        {it.key: it.country if it.is_land else "" for one in engine.both() for it in one},
        tuple(f"box/{it}" for it in engine.boxes()),
        tuple(sorted(deciding)),
    )
