"""The best plan: open decisions are taken one way after the other, each judged on the same futures.

A small number of ways is tried out whole. Of a large one Optuna proposes ways by what has been found, some at a time
and always as many, so that the number of workers changes nothing. A plan is judged on few futures first; only one that
looks good goes on to more.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import msgspec

from warcabinet.kernel.errors import WarCabinetError
from warcabinet.model.state import State, encode
from warcabinet.plans.choices import Choice, Decisions, Taken, all_ways, as_it_stands, size_of
from warcabinet.plans.form import Program
from warcabinet.plans.judging import Judges, Question, Trial, Verdict

#: Ways that are proposed at a time, whatever the number of workers.
ABREAST = 8
#: The futures on which a plan is judged first, in the order of its rounds; the last round has all of them.
ROUNDS = (8, 24)
#: Of the plans that have come so far, only this share goes on to more futures.
GO_ON = 33.0
#: Lists up to this length are put into an order by trying every order.
SHORT_ORDER = 3
#: How often the best is held against all that differ from it by one step.
POLISHED = 4
#: Plans of a generation where several things are wanted.
POPULATION = 16
#: Told of progress: plans tried, plans in all, and the best mean of the first goal so far.
Told = Callable[[int, int, float | None], None]


class Effort(msgspec.Struct, frozen=True):
    """How much is tried: plans, futures for each that looks good, fresh futures for the best, and the seed."""

    plans: int = 300
    samples: int = 64
    fresh: int = 400
    seed: int = 0


class Tried(msgspec.Struct, frozen=True):
    """A plan that was tried: its place in the search, how its decisions were taken, and what came of it."""

    number: int
    taken: dict[str, Taken]
    futures: int
    means: tuple[float, ...]
    broken: int
    #: Whether it was judged on all futures of the search.
    whole: bool


class Setting(msgspec.Struct, frozen=True):
    """What a search is of: only the same can be resumed."""

    plan: str
    start: str
    effort: Effort
    release: str


class Line(msgspec.Struct, frozen=True):
    """A verdict as it is kept in the folder."""

    trial: Trial
    verdict: Verdict


class Bench:
    """Where plans are judged: what was judged before is not judged again, and is kept in a folder if there is one."""

    def __init__(self, program: Program, start: State, effort: Effort, judges: Judges, folder: Path | None) -> None:
        self.question = msgspec.msgpack.encode(Question(program.text, effort.seed, encode(start)))
        self.judges, self.known = judges, dict[bytes, Verdict]()
        self.file = folder / "tried.jsonl" if folder else None
        if folder:
            self._resume(folder, program, start, effort)

    def _resume(self, folder: Path, program: Program, start: State, effort: Effort) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        plan, position = (hashlib.sha256(it).hexdigest() for it in (program.text.encode(), encode(start)))
        setting, about = Setting(plan, position, effort, version("warcabinet")), folder / "search.json"
        try:
            if about.exists() and msgspec.json.decode(about.read_bytes(), type=Setting) != setting:
                told = "the plan, its start, the seed, the numbers or the release is another"
                raise WarCabinetError(f"{folder} holds another search ({told}); name another folder, or empty this one")
        except msgspec.DecodeError:
            raise WarCabinetError(f"{about} is damaged; name another folder, or empty this one") from None
        about.write_bytes(msgspec.json.encode(setting))
        if self.file is not None and self.file.exists():
            for line in self.file.read_bytes().splitlines():
                try:
                    kept = msgspec.json.decode(line, type=Line)
                except msgspec.DecodeError:
                    continue  # half written when the search was stopped: it is judged again
                self.known[_key(kept.trial)] = kept.verdict

    def judge(self, trials: Sequence[Trial]) -> list[Verdict]:
        """Verdicts in the order of the trials."""
        new = list({_key(it): it for it in trials if _key(it) not in self.known}.values())
        if new:
            found = self.judges(self.question, [msgspec.msgpack.encode(it) for it in new])
            verdicts = [msgspec.msgpack.decode(it, type=Verdict) for it in found]
            self.known |= {_key(trial): it for trial, it in zip(new, verdicts, strict=True)}
            if self.file is not None:
                with self.file.open("ab") as out:
                    for trial, it in zip(new, verdicts, strict=True):
                        out.write(msgspec.json.encode(Line(trial, it)) + b"\n")
        return [self.known[_key(it)] for it in trials]


def _key(trial: Trial) -> bytes:
    return msgspec.json.encode(trial)


class Search:
    """A search for the best plan: everything that was tried, in order."""

    def __init__(self, program: Program, bench: Bench, effort: Effort, told: Told = lambda *_: None) -> None:
        check(program)
        self.program, self.bench, self.effort, self.told = program, bench, effort, told
        self.choices = program.plan.choose
        self.signs = tuple(it.sign for it in program.goals)
        self.exact = size_of(self.choices) <= effort.plans
        self.plans = size_of(self.choices) if self.exact else effort.plans
        self.tried: list[Tried] = []

    def run(self) -> None:
        if self.exact:
            self._enumerate()
        else:
            self._propose(optuna())

    # -- every way -------------------------------------------------------------------------------------------

    def _enumerate(self) -> None:
        ways = list(all_ways(self.choices))
        for first in range(0, len(ways), ABREAST):
            some = ways[first : first + ABREAST]
            verdicts = self.bench.judge([Trial(it, 0, self.effort.samples) for it in some])
            for taken, verdict in zip(some, verdicts, strict=True):
                self._note(taken, verdict, whole=True)

    # -- by proposals ----------------------------------------------------------------------------------------

    def _propose(self, made_by: Any) -> None:
        several = len(self.signs) > 1
        directions = ["maximize" if it > 0 else "minimize" for it in self.signs]
        study = made_by.create_study(
            directions=directions,
            sampler=_sampler(made_by, several, self.effort.seed),
            pruner=made_by.pruners.PercentilePruner(GO_ON, n_startup_trials=ABREAST),
        )
        study.enqueue_trial(_as_parameters(self.choices, as_it_stands(self.choices)))
        while len(self.tried) < self.plans:
            asked = [study.ask() for _ in range(min(ABREAST, self.plans - len(self.tried)))]
            open_trials = [(it, _suggested(it, self.choices)) for it in asked]
            self._rounds(made_by, study, open_trials, several)
        for _ in range(0 if several else POLISHED):
            if not self._polish():
                break

    def _polish(self) -> bool:
        """Try every plan that differs from the best in one decision by a step; whether one is better."""
        leads = self.best()
        if not leads:
            return False
        best, known = leads[0], {_named(it.taken) for it in self.tried if it.whole}
        beside = [{**best.taken, name: way} for name, it in self.choices.items() for way in _near(it, best.taken[name])]
        new = [it for it in beside if _named(it) not in known]
        verdicts = self.bench.judge([Trial(it, 0, self.effort.samples) for it in new])
        for taken, verdict in zip(new, verdicts, strict=True):
            self._note(taken, verdict, whole=True)
        return self.best()[0].taken != best.taken

    def _rounds(self, made_by: Any, study: Any, trials: list[tuple[Any, dict[str, Taken]]], several: bool) -> None:
        """Judge some proposals, round by round; what falls behind is left where it is."""
        rounds = () if several else tuple(it for it in ROUNDS if it < self.effort.samples)
        found: dict[int, Verdict] = {}
        done = 0
        for futures in (*rounds, self.effort.samples):
            verdicts = self.bench.judge([Trial(taken, done, futures - done) for _, taken in trials])
            goes_on = []
            for (trial, taken), verdict in zip(trials, verdicts, strict=True):
                whole = _joined(found.get(trial.number), verdict)
                found[trial.number] = whole
                if futures == self.effort.samples:
                    self._tell(study, trial, taken, whole)
                    continue
                trial.report(_score(whole, self.signs)[0], futures)
                if trial.should_prune():
                    self._note(taken, whole, whole=False)
                    study.tell(trial, state=made_by.trial.TrialState.PRUNED)
                else:
                    goes_on.append((trial, taken))
            trials, done = goes_on, futures

    def _tell(self, study: Any, trial: Any, taken: dict[str, Taken], verdict: Verdict) -> None:
        self._note(taken, verdict, whole=True)
        study.tell(trial, list(_score(verdict, self.signs)))

    def _note(self, taken: dict[str, Taken], verdict: Verdict, whole: bool) -> None:
        means, broken = verdict.means(), sum(verdict.broken.values())
        self.tried.append(Tried(len(self.tried) + 1, taken, len(verdict.values[0]), means, broken, whole))
        best = self.best()
        self.told(len(self.tried), self.plans, best[0].means[0] if best else None)

    # -- what stands out -------------------------------------------------------------------------------------

    def best(self) -> list[Tried]:
        """What was judged on all futures and breaks nothing, the best of the first goal first; each plan once.

        Of plans that are equally good, the one that changes least comes first.
        """
        stands = as_it_stands(self.choices)
        sound = {_named(it.taken): it for it in reversed(self.tried) if it.whole and not it.broken}

        def place(it: Tried) -> tuple[Any, ...]:
            changed = sum(it.taken[name] != stands[name] for name in stands)
            return (*(-sign * mean for sign, mean in zip(self.signs, it.means, strict=True)), changed, it.number)

        return sorted(sound.values(), key=place)

    def curve(self) -> list[Tried]:
        """Where several things are wanted: the plans of which none is beaten in everything, best first goal first."""
        found = list({it.means: it for it in reversed(self.best())}.values())[::-1]
        return [it for it in found if not any(self._beats(other, it) for other in found)]

    def _beats(self, one: Tried, other: Tried) -> bool:
        pairs = [(sign * mine, sign * its) for sign, mine, its in zip(self.signs, one.means, other.means, strict=True)]
        return all(mine >= its for mine, its in pairs) and any(mine > its for mine, its in pairs)


def check(program: Program) -> None:
    """Refuse a plan of which no best can be found."""
    if not program.plan.choose:
        raise WarCabinetError(
            "nothing is open: leave a decision to be taken, such as `choose: {saved: {from: 0, to: 80, by: 20}}`"
        )
    if not program.goals:
        raise WarCabinetError("nothing is wanted: say what, such as `want: [{most: germany base, at: Spring 1942}]`")


def proposes() -> bool:
    """Whether ways can be proposed where there are too many to try them all."""
    return find_spec("optuna") is not None


def optuna() -> Any:
    """Optuna, which proposes ways where there are too many to try them all."""
    try:
        import optuna
    except ImportError:
        raise WarCabinetError(
            "there are too many ways to try them all, and Optuna is not installed: pip install 'warcabinet[counsel]'; "
            "or let `--plans` be as many as there are ways"
        ) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", module="optuna")
    return optuna


def _sampler(made_by: Any, several: bool, seed: int) -> Any:
    if several:
        return made_by.samplers.NSGAIISampler(seed=seed, population_size=POPULATION)
    return made_by.samplers.TPESampler(seed=seed, n_startup_trials=2 * ABREAST, constant_liar=True)


def _joined(before: Verdict | None, now: Verdict) -> Verdict:
    if before is None:
        return now
    values = tuple(one + other for one, other in zip(before.values, now.values, strict=True))
    broken = {it: before.broken.get(it, 0) + now.broken.get(it, 0) for it in sorted({*before.broken, *now.broken})}
    return Verdict(values, broken)


#: What a future that breaks a bound costs a plan: more than any goal brings.
_FORBIDDEN = 1_000_000.0


def _score(verdict: Verdict, signs: Iterable[int]) -> tuple[float, ...]:
    lost = _FORBIDDEN * sum(verdict.broken.values()) / len(verdict.values[0])
    return tuple(mean - sign * lost for mean, sign in zip(verdict.means(), signs, strict=True))


def _named(taken: Decisions) -> bytes:
    return msgspec.json.encode(dict(taken))


def _near(choice: Choice, taken: Taken) -> list[Taken]:
    """The ways beside one: the next numbers or turns, what else a list has, an order with two neighbours changed."""
    if choice.order_of is not None:
        assert isinstance(taken, tuple)
        return [(*taken[:at], taken[at + 1], taken[at], *taken[at + 2 :]) for at in range(len(taken) - 1)]
    ways = choice.ways()
    at = ways.index(taken)
    return (
        [*ways[max(0, at - 1) : at], *ways[at + 1 : at + 2]]
        if choice.first is not None
        else [*ways[:at], *ways[at + 1 :]]
    )


# -- decisions as Optuna knows them ------------------------------------------------------------------------------------


def _suggested(trial: Any, choices: Mapping[str, Choice]) -> dict[str, Taken]:
    """Decisions as they are proposed: a place in a range or a list; of an order, a weight for each of its things."""
    found: dict[str, Taken] = {}
    for name, it in choices.items():
        if it.order_of is not None and len(it.order_of) > SHORT_ORDER:
            weights = {thing: trial.suggest_float(f"{name}: {thing}", 0, 1) for thing in it.order_of}
            found[name] = tuple(sorted(it.order_of, key=lambda thing: (weights[thing], thing)))
        elif it.first is not None and not it.beside:
            found[name] = it.ways()[trial.suggest_int(name, 0, it.size() - 1)]
        else:
            found[name] = it.ways()[trial.suggest_categorical(name, list(range(it.size())))]
    return found


def _as_parameters(choices: Mapping[str, Choice], taken: Decisions) -> dict[str, Any]:
    """Decisions as if they had been proposed: the plan as it stands is the first that is tried."""
    found: dict[str, Any] = {}
    for name, it in choices.items():
        if it.order_of is not None and len(it.order_of) > SHORT_ORDER:
            placed = taken[name]
            assert isinstance(placed, tuple)
            found |= {f"{name}: {thing}": (at + 0.5) / len(placed) for at, thing in enumerate(placed)}
        else:
            found[name] = it.ways().index(taken[name])
    return found
