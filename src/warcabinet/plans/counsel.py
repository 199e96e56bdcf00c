"""What a search for the best plan says: how good it is on futures it has not seen, and what that hangs on.

Every figure here is measured on fresh futures, the same for all rivals; the margins hold in 19 of 20 such runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from warcabinet.kernel.rules import RULES, Determination
from warcabinet.kernel.tables import Document
from warcabinet.model.apply import apply
from warcabinet.model.events import Determined, Released
from warcabinet.model.state import State
from warcabinet.plans.acting import Actor, Ask, Done, Progress
from warcabinet.plans.chances import Outcome, told, turns_out
from warcabinet.plans.choices import Taken, as_it_happened, as_it_stands, size_of, written
from warcabinet.plans.choices import told as in_words
from warcabinet.plans.form import Program, plan_of
from warcabinet.plans.futures import hinges_of
from warcabinet.plans.judging import Judged, Trial, Verdict, better, chosen_for
from warcabinet.plans.results import Matters, matters
from warcabinet.plans.search import Bench, Search, Tried
from warcabinet.plans.story import TurnTold, story
from warcabinet.plans.tally import Answer, quantile

#: Fresh futures are numbered from here: no search comes so far.
FRESH = 1_000_000
#: Plans beside the best that are judged again, and points of a curve.
RUNNERS, POINTS = 4, 12
#: Fresh futures on which it is measured what a bound is worth.
BOUND_FUTURES = 12
#: Fresh futures for what stands beside the best plan, its rivals at hand and what it would be without a decision.
BESIDE = 200
#: Fewer futures than this say nothing about which plan is better in them.
ENOUGH = 5
#: What bounds a power, by the value that says how far: each is raised by one to see what that is worth.
BOUNDS = ("construction_limit", "german_base_ceiling", "growth_rate", "mobilization_size")


class Rival(msgspec.Struct, frozen=True):
    """A plan with its figures on fresh futures: each goal's mean, median and nine in ten."""

    name: str
    taken: dict[str, Taken]
    means: tuple[float, ...]
    medians: tuple[int, ...]
    lows: tuple[int, ...]
    highs: tuple[int, ...]
    #: In how many of the fresh futures something happened that must not.
    broken: dict[str, int]


class Gain(msgspec.Struct, frozen=True):
    """How much the best plan is better than another one, goal by goal: the mean, its margin, in which share."""

    than: str
    by: tuple[float, ...]
    margins: tuple[float, ...]
    shares: tuple[float, ...]


class Worth(msgspec.Struct, frozen=True):
    """What one decision is worth: what is lost of the first goal if only this one is taken as the plan stands."""

    decision: str
    taken: str
    instead: str
    lost: float
    margin: float


class TurnedOver(msgspec.Struct, frozen=True):
    """An outcome after which another plan is better, by how much, in how many futures."""

    thing: str
    outcome: str
    plan: str
    by: float
    margin: float
    futures: int


class Bound(msgspec.Struct, frozen=True):
    """A limit of the rules, its clause, and what the first goal gains if it were one higher throughout."""

    power: str
    limit: str
    clause: str
    gist: str
    worth: float


class Dot(msgspec.Struct, frozen=True):
    """A plan that was tried, as a plot shows it."""

    number: int
    means: tuple[float, ...]
    best: bool


class Counsel(msgspec.Struct, frozen=True):
    """Everything that a search says. The same plan, seed and effort give the same, whatever the number of workers."""

    plan: str
    goals: tuple[str, ...]
    signs: tuple[int, ...]
    claims: tuple[bool, ...]
    ways: int
    exact: bool
    tried: int
    judged_whole: int
    samples: int
    fresh: int
    seed: int
    best: Rival | None
    gains: tuple[Gain, ...] = ()
    others: tuple[Rival, ...] = ()
    runners: tuple[Rival, ...] = ()
    worth: tuple[Worth, ...] = ()
    hangs_on: tuple[Matters, ...] = ()
    turned_over: tuple[TurnedOver, ...] = ()
    bounds: tuple[Bound, ...] = ()
    story: tuple[TurnTold, ...] = ()
    #: The fresh future that the story is told of.
    future: int = 0
    curve: tuple[Rival, ...] = ()
    dots: tuple[Dot, ...] = ()
    #: What keeps every plan from being allowed, where none is.
    forbidden: tuple[str, ...] = ()
    #: The best plan as a plan of its own: nothing in it is open.
    text: str = ""


def counsel(search: Search, start: State, stewards: bool = True) -> Counsel:
    """What a search says, the best plan and its rivals judged again on fresh futures."""
    best, head = search.best(), counsel_head(search)
    if not best:
        return msgspec.structs.replace(head, forbidden=_forbidden(search))
    return _judged_again(head, search, best, start, stewards)


def counsel_head(search: Search) -> Counsel:
    program, effort = search.program, search.effort
    return Counsel(
        program.plan.plan,
        tuple(it.label for it in program.goals),
        search.signs,
        tuple(it.claim for it in program.goals),
        size_of(search.choices),
        search.exact,
        len(search.tried),
        sum(it.whole for it in search.tried),
        effort.samples,
        effort.fresh,
        effort.seed,
        None,
        dots=_dots(search),
    )


def so_far(search: Search) -> Counsel:
    """What a search that goes on has found: its best plan with the figures of the search, nothing judged again."""
    head, best = counsel_head(search), search.best()
    if not best:
        return head
    return msgspec.structs.replace(head, best=Rival("so far", best[0].taken, best[0].means, (), (), (), {}))


def _judged_again(head: Counsel, search: Search, best: list[Tried], start: State, stewards: bool) -> Counsel:
    chosen, stands, past = best[0].taken, as_it_stands(search.choices), as_it_happened(search.choices)
    curve = [it.taken for it in search.curve()[:POINTS]] if len(search.signs) > 1 else []
    runners = [it.taken for it in best[1 : RUNNERS + 1]]
    changed = {name: {**chosen, name: stands[name]} for name in chosen if chosen[name] != stands[name]}
    fresh = _Fresh(search.bench, search.effort.fresh)
    known = {"the plan as it stands": stands, **({"history": past} if past else {})}
    fresh.judge([chosen, *known.values()], [chosen, *runners, *curve, *changed.values()], stands if stewards else None)
    mine, few = fresh.of(chosen), fresh.few(chosen)
    beside = [(name, taken, fresh.of(taken)) for name, taken in known.items()]
    if stewards:
        beside.append(("the steward", {}, fresh.steward(stands)))
    program = plan_of("the plan", search.program.text, chosen)
    near = _near(mine.values[0])
    return msgspec.structs.replace(
        head,
        best=_rival("the best plan", chosen, mine),
        others=tuple(_rival(*it) for it in beside),
        gains=tuple(_gain(name, mine, verdict, search.signs) for name, _, verdict in beside),
        runners=tuple(_rival(_differs(it, chosen), it, fresh.few(it)) for it in runners),
        worth=_worths(chosen, stands, changed, fresh, search.signs[0]),
        hangs_on=_hangs_on(program, search.effort.seed, mine, head.claims[0]),
        turned_over=_turned_over(program, search, few, {_differs(it, chosen): fresh.few(it) for it in runners}),
        bounds=_bounds(program, search, start, mine),
        story=story(program, search.effort.seed, FRESH + near, start, chosen_for(program)),
        future=FRESH + near,
        curve=tuple(_rival(_differs(it, chosen) or "the best plan", it, fresh.few(it)) for it in curve),
        text=plain_plan(program, chosen),
    )


def plain_plan(program: Program, taken: Mapping[str, Taken], named: str = "the best found") -> str:
    """The plan with these decisions taken, as a plan that can be run, opened, compared and left as a standing order."""
    data = Document("the plan", program.text).data
    return written(data, taken, f"{program.plan.plan}: {named}")


class _Fresh:
    """Verdicts on fresh futures, all asked for at once."""

    def __init__(self, bench: Bench, number: int) -> None:
        self.bench, self.number = bench, number

    def _trial(self, taken: Mapping[str, Taken], number: int, steward: bool = False) -> Trial:
        return Trial(dict(taken), FRESH, number, steward)

    def judge(
        self,
        all_of: Sequence[Mapping[str, Taken]],
        few: Sequence[Mapping[str, Taken]],
        stands: Mapping[str, Taken] | None,
    ) -> None:
        whole = [self._trial(it, self.number) for it in all_of]
        steward = [self._trial(stands, self.number, True)] if stands is not None else []
        self.bench.judge([*whole, *steward, *(self._trial(it, min(BESIDE, self.number)) for it in few)])

    def of(self, taken: Mapping[str, Taken]) -> Verdict:
        return self.bench.judge([self._trial(taken, self.number)])[0]

    def few(self, taken: Mapping[str, Taken]) -> Verdict:
        """On the first of the fresh futures."""
        return self.bench.judge([self._trial(taken, min(BESIDE, self.number))])[0]

    def steward(self, stands: Mapping[str, Taken]) -> Verdict:
        return self.bench.judge([self._trial(stands, self.number, True)])[0]


def _rival(name: str, taken: Mapping[str, Taken], verdict: Verdict) -> Rival:
    counts = [_counted(it) for it in verdict.values]
    spread = ([quantile(it, share) for it in counts] for share in (0.5, 0.05, 0.95))
    medians, lows, highs = map(tuple, spread)
    means = tuple(round(it, 4) for it in verdict.means())
    return Rival(name, dict(taken), means, medians, lows, highs, verdict.broken)


def _counted(values: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for it in values:
        found[it] = found.get(it, 0) + 1
    return found


def _gain(than: str, mine: Verdict, other: Verdict, signs: Sequence[int]) -> Gain:
    found = [better(*it) for it in zip(mine.values, other.values, signs, strict=True)]
    by, margins, shares = map(tuple, zip(*found, strict=True))
    return Gain(than, by, margins, shares)


def _differs(taken: Mapping[str, Taken], chosen: Mapping[str, Taken]) -> str:
    """A plan named by what it decides otherwise than the best one."""
    return "; ".join(f"{name}: {in_words(taken[name])}" for name in chosen if taken[name] != chosen[name])


def _worths(
    chosen: Mapping[str, Taken],
    stands: Mapping[str, Taken],
    changed: Mapping[str, Mapping[str, Taken]],
    fresh: _Fresh,
    sign: int,
) -> tuple[Worth, ...]:
    mine, found = fresh.few(chosen).values[0], []
    for name in chosen:
        lost, margin, _ = better(mine, fresh.few(changed[name]).values[0], sign) if name in changed else (0.0, 0.0, 0.0)
        found.append(Worth(name, in_words(chosen[name]), in_words(stands[name]), lost, margin))
    return tuple(sorted(found, key=lambda it: -it.lost))


def _near(values: Sequence[int]) -> int:
    """The first future that has the median."""
    return values.index(quantile(_counted(values), 0.5))


def _hangs_on(program: Program, seed: int, mine: Verdict, claim: bool) -> tuple[Matters, ...]:
    """The uncertain things by how much they move the first goal."""
    answer, odds = Answer(), hinges_of(program)
    for at, value in enumerate(mine.values[0]):
        went = {name: told(turns_out(seed, FRESH + at, name, it)) for name, it in odds.items()}
        answer.put(value, [FRESH + at], lambda _, went=went: went)  # type: ignore[misc]
    return tuple(it for it in matters(answer, claim) if it.share > 0) if len(answer.counts) > 1 else ()


def _turned_over(
    program: Program, search: Search, mine: Verdict, rivals: Mapping[str, Verdict]
) -> tuple[TurnedOver, ...]:
    found = []
    for thing, odds in hinges_of(program).items():
        by_outcome: dict[Outcome, list[int]] = {}
        for at in range(len(mine.values[0])):
            by_outcome.setdefault(turns_out(search.effort.seed, FRESH + at, thing, odds), []).append(at)
        for outcome, places in by_outcome.items():
            if len(places) < ENOUGH or len(by_outcome) < 2:
                continue
            gains = {
                name: better(
                    [it.values[0][at] for at in places], [mine.values[0][at] for at in places], search.signs[0]
                )
                for name, it in rivals.items()
            }
            name = max(gains, key=lambda it: gains[it][0], default="")
            if name and gains[name][0] > gains[name][1]:
                found.append(TurnedOver(thing, told(outcome), name, gains[name][0], gains[name][1], len(places)))
    return tuple(sorted(found, key=lambda it: (-it.by, it.thing, it.outcome)))


def _forbidden(search: Search) -> tuple[str, ...]:
    """Which bounds no plan has kept."""
    found: dict[str, int] = {}
    for verdict in search.bench.known.values():
        for what in verdict.broken:
            found[what] = found.get(what, 0) + 1
    return tuple(sorted(found, key=lambda it: (-found[it], it)))


def _dots(search: Search) -> tuple[Dot, ...]:
    """What was tried; `best` where it was better than everything before it."""
    best: float | None = None
    found = []
    for it in search.tried:
        value = search.signs[0] * it.means[0]
        leads = it.whole and not it.broken and (best is None or value > best)
        best = value if leads else best
        found.append(Dot(it.number, tuple(round(mean, 2) for mean in it.means), leads))
    return tuple(found)


# -- where the rules bound it ------------------------------------------------------------------------------------------


class Raised(Actor):
    """A plan that acts under rules with one limit of a power one higher."""

    def __init__(self, program: Program, limit: str, power: str) -> None:
        super().__init__(program)
        self.limit, self.power = limit, power

    def act(self, progress: Progress, ask: Ask) -> Done:
        now = RULES.values()[self.limit](progress.state, self.power)
        fixed = Determined(self.limit, (self.power,), Determination(now + 1, "", "one higher", "game"))
        raised = msgspec.structs.replace(progress, state=apply(progress.state, fixed))
        done = super().act(raised, ask)
        after = apply(done.progress.state, Released(self.limit, (self.power,)))
        return msgspec.structs.replace(done, progress=msgspec.structs.replace(done.progress, state=after))


def _bounds(program: Program, search: Search, start: State, mine: Verdict) -> tuple[Bound, ...]:
    number = min(BOUND_FUTURES, search.effort.fresh)
    before = sum(mine.values[0][:number])
    found = []
    for power in chosen_for(program):
        for limit in BOUNDS:
            if limit == "german_base_ceiling" and power != "germany":
                continue
            judged = Judged(program, search.effort.seed, FRESH, number)
            judged.actor = Raised(program, limit, power)
            gained = search.signs[0] * (sum(judged.verdict(start).values[0]) - before) / number
            rule = RULES.values()[limit]
            found.append(Bound(power, limit.replace("_", " "), rule.clause, rule.gist, round(gained, 2)))
    return tuple(sorted(found, key=lambda it: -it.worth))
