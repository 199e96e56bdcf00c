"""The machinery: citations, exceptions, totals, limits, ledger, tables."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import warcabinet
from warcabinet.game import Game
from warcabinet.game.engine import ENGINE, decide
from warcabinet.game.offers import narrow
from warcabinet.kernel.clause import cite
from warcabinet.kernel.decision import Proceeding, explain_value
from warcabinet.kernel.dice import ScriptedDice, SeededDice
from warcabinet.kernel.errors import DataError, UnknownName, WarCabinetError, unknown
from warcabinet.kernel.limits import Bound, Draft, Finding, Refusal, StillOpen, Watched
from warcabinet.kernel.rules import RULES, Determination, Misplaced, Undecided, Value
from warcabinet.kernel.tables import Document, read_csv
from warcabinet.kernel.why import Trace, Why
from warcabinet.model.accounts import Annual, Brp, World
from warcabinet.model.apply import blank
from warcabinet.model.commands.economy import Spend
from warcabinet.model.commands.table import Advance
from warcabinet.model.events import AreaTaken, WarBegan
from warcabinet.model.ledger import Books, Unbalanced, balance, entry, imbalance
from warcabinet.model.names import Power
from warcabinet.rules.kinds import effect, limit, order, remembered, value


@pytest.fixture
def forgotten():
    """Rules registered by a test are taken out again."""
    before = {
        name: {key: list(it) if isinstance(it, list) else it for key, it in kept.items()}
        for name, kept in vars(RULES).items()
    }
    yield
    for name, kept in before.items():
        vars(RULES)[name].clear()
        vars(RULES)[name].update(kept)


def test_a_rule_needs_a_clause_that_exists(forgotten):
    with pytest.raises(UnknownName, match=r"99\.99"):

        @value("99.99", "no such clause")
        def nothing(s) -> int:
            return 0


def test_values_ask_for_names_and_numbers(forgotten):
    with pytest.raises(Misplaced, match="asks late as bool"):

        @value("35.31", "what cannot be kept")
        def misasked(s, late: bool) -> int:
            return 0


def test_two_rules_may_not_share_a_name(forgotten):
    with pytest.raises(Misplaced, match="base_growth"):

        @value("35.31", "again")
        def base_growth(s) -> int:
            return 0


def _conflict() -> Value:
    @value("35.31", "general")
    def sample(s, n: int) -> int:
        return n

    @value("35.32", "one", displaces=sample, when=lambda s, n: n > 1)
    def sample_one(s, n: int) -> int:
        return 10 + sample.general(s, n)

    @value("35.33A", "two", displaces=sample, when=lambda s, n: n > 2)
    def sample_two(s, n: int) -> int:
        return 20

    @value("35.33B", "three", displaces=(sample, sample_one, sample_two), when=lambda s, n: n > 3)
    def sample_three(s, n: int) -> int:
        return 30

    return sample


def test_an_exception_displaces_and_can_build_on_the_general_rule(forgotten):
    sample = _conflict()
    assert sample(blank(), 1) == 1
    assert sample(blank(), 2) == 12
    why = explain_value("sample", blank(), 2)
    assert (why.rule, why.clause, why.set_aside) == ("sample_one", "35.32", ("sample",))
    assert why.because == (Why("sample", "35.31", (2,), 2),)


def test_two_live_exceptions_without_precedence_are_a_question(forgotten):
    sample = _conflict()
    with pytest.raises(Undecided, match="sample_one or sample_two"):
        sample(blank(), 3)


def test_precedence_settles_it(forgotten):
    assert _conflict()(blank(), 4) == 30


def test_what_did_not_apply_is_not_consulted(forgotten):
    _conflict()
    assert "35.33A" not in explain_value("sample", blank(), 2).clauses()


def test_what_is_remembered_is_noted_kept_and_forgotten(forgotten):
    @remembered("35.31", "how many came", until="turn")
    def came(s, power: str, turn: int) -> int:
        return 0

    @remembered("35.31", "whether anybody came")
    def anybody(s) -> bool:
        return False

    @effect("35.32", "they come")
    def come(p) -> None:
        came.note(p, 2, "two came", "italy", 5)
        came.under("35.33A", "game").note(p, 3, "three came", power="germany", turn=5)
        anybody.note(p, True, "some came")

    @effect("35.32", "they go")
    def go(p) -> None:
        came.forget(p, "italy", 5)
        came.under("35.33A").forget(p, "germany", 5)

    assert (came(blank(), "italy", 5), came.noted(blank(), "italy", 5), [*came.kept(blank())]) == (0, None, [])
    with Trace() as trace:
        _comes_and_goes(Proceeding(ENGINE, blank(), (), trace), came, anybody, come, go)


def _comes_and_goes(p, came, anybody, come, go) -> None:
    p.run(come)
    assert (came(p.s, "italy", 5), came(p.s, "italy", 6), anybody(p.s)) == (2, 0, True)
    assert came.noted(p.s, "italy", 5) == Determination(2, "35.31", "two came", "turn")
    assert came.noted(p.s, "germany", 5) == Determination(3, "35.33A", "three came", "game")
    assert [*came.kept(p.s)] == [(("italy", "5"), 2), (("germany", "5"), 3)]
    assert [*anybody.kept(p.s)] == [((), True)]
    p.run(go)
    assert [*came.kept(p.s)] == []
    assert [it.clause for it in p.records] == ["35.32", "35.33A", "35.32", "35.32", "35.33A"]


def test_contributions_add_up_where_they_apply(forgotten):
    @value("35.51", "total")
    def sum_of(s, n: int) -> int:
        return n

    @value("35.51A", "always", adds_to=sum_of)
    def always(s, n: int) -> int:
        return 100

    @value("35.51B", "large only", adds_to=sum_of, when=lambda s, n: n > 5)
    def large(s, n: int) -> int:
        return 1000

    assert (sum_of(blank(), 1), sum_of(blank(), 6)) == (101, 1106)


def test_values_can_be_asked_by_keyword():
    rule = RULES.values()["growth_rate"]
    assert rule(blank(), power="italy") == rule(blank(), "italy")


def test_entries_balance_within_one_unit():
    with pytest.raises(Unbalanced, match="does not balance"):
        entry("wrong", (Brp("germany"), 5), (World("brp"), -4))
    with pytest.raises(Unbalanced, match="different units"):
        entry("wrong", (Brp("germany"), 5), (World("base"), -5))


def test_posting_shares_what_it_does_not_touch():
    books = Books().post(entry("one", (Annual("italy", "albania"), 5), (World("annual"), -5)))
    more = books.post(entry("two", (Annual("germany", "poland"), 20), (World("annual"), -20)))
    assert more.of("annual", "italy") is books.of("annual", "italy")
    assert balance(more, Annual("germany", "poland")) == 20
    assert (balance(books, Annual("germany", "poland")), balance(more, Brp("italy"))) == (0, 0)
    assert imbalance(more) == {}
    assert imbalance(Books.holding([(Brp("italy"), 1)])) == {"brp": 1}


def test_seeded_dice_repeat_and_scripted_dice_end():
    assert [SeededDice(7).throw() for _ in range(3)] == [SeededDice(7).throw()] * 3
    faces = SeededDice(7)
    assert {faces.throw() for _ in range(100)} == {1, 2, 3, 4, 5, 6}
    script = ScriptedDice([3])
    assert script.throw() == 3
    with pytest.raises(WarCabinetError, match="only 1"):
        script.throw()


def test_yaml_is_core_1_2():
    data = Document("x.yaml", "on: no\nyes: 3-4\nday: 1941-06-22\nn: 007\nt: true\nnothing: ~").data
    assert data == {"on": "no", "yes": "3-4", "day": "1941-06-22", "n": 7, "t": True, "nothing": None}


def test_a_double_key_is_an_error_with_its_line():
    with pytest.raises(DataError, match=r"x\.yaml, line 3: key 'a' stands twice"):
        Document("x.yaml", "a: 1\nb: 2\na: 3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("power,name,seal,player,faction,source,colour\n", "line 1: unknown column 'colour'"),
        ("power,name,seal,player,faction\n", "column source is missing"),
        ("power,name,seal,player,faction,source\na,b,c,neither,e,f\n", "line 2: Invalid enum value 'neither'"),
        ("power,name,seal,player,faction,source\na,b,c\n", "line 2: 3 cells, but 6 columns"),
    ],
)
def test_csv_is_strict(tmp_path: Path, text: str, message: str):
    file = tmp_path / "powers.csv"
    file.write_text(text)
    with pytest.raises(DataError, match=message):
        read_csv(file, Power)


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000 + "x"])
def test_what_is_nested_too_deeply_is_an_error(text: str):
    with pytest.raises(DataError, match="nested too deeply"):
        Document("x.yaml", text)


def test_both_parsers_read_the_same(monkeypatch: pytest.MonkeyPatch):
    text = "a: [1, x, {b: 2.5}]\nc: |\n  two\n  lines\nd: 'on'\n"
    found = Document("x.yaml", text)
    monkeypatch.setattr("yaml.__with_libyaml__", False)
    other = Document("x.yaml", text)
    assert found.data == other.data
    assert found.line(("a", 2, "b")) == other.line(("a", 2, "b")) == 1
    assert found.line(("d",)) == other.line(("d",)) == 5


def test_unknown_names_come_with_near_ones():
    assert "did you mean germany?" in str(unknown("power", "germny", ["germany", "italy"]))
    assert "known: a, b" in str(unknown("thing", "zzz", ["b", "a"]))


def test_cite_gives_the_id_back():
    assert cite("35.31") == "35.31"


def test_effects_of_one_event_come_in_the_order_of_their_clauses(forgotten):
    @effect("35.33", "later in the rulebook", on=AreaTaken)
    def later(p, taken) -> None: ...

    @effect("35.31", "earlier in the rulebook", on=AreaTaken)
    def earlier(p, taken) -> None: ...

    @effect("35.31", "beside it, further down", on=AreaTaken)
    def beside(p, taken) -> None: ...

    mine = [it for it in RULES.reactions[AreaTaken] if it in (later, earlier, beside)]
    assert mine == [earlier, beside, later]


def test_an_effect_names_those_that_it_must_not_precede(forgotten):
    first, last = RULES.reactions[AreaTaken][0], RULES.reactions[AreaTaken][-1]

    @effect(first.clause, "behind all others", on=AreaTaken, after=last)
    def behind_all(p, taken) -> None: ...

    assert RULES.reactions[AreaTaken][-1] is behind_all


def test_effects_name_only_effects_of_the_same_event(forgotten):
    other = RULES.reactions[WarBegan][0]
    with pytest.raises(Misplaced, match="same event"):

        @effect("35.31", "misplaced", on=AreaTaken, after=other)
        def misplaced(p, taken) -> None: ...


def test_limits_are_for_commands_and_effects_for_events(forgotten):
    with pytest.raises(Misplaced, match="AreaTaken is none"):

        @limit("35.31", "on an event", on=AreaTaken)
        def on_an_event(s, cmd) -> None: ...

    with pytest.raises(Misplaced, match="Spend is none"):

        @effect("35.31", "on a command", on=Spend)
        def on_a_command(p, cmd) -> None: ...


def test_a_command_has_one_order(forgotten):
    with pytest.raises(Misplaced, match=r"spend and spend_twice both carry out Spend"):

        @order("39.11", "again", on=Spend)
        def spend_twice(p, cmd) -> None: ...


def _near_and_far():
    @limit("35.31", "nobody spends on aid", on=Spend)
    def no_aid(s, cmd: Spend) -> str:
        return "no"

    @limit(
        "35.32",
        "but Italy may, up to three BRPs",
        on=Spend,
        when=lambda s, cmd: cmd.power == "italy" and cmd.on == "other",
        displaces=no_aid,
    )
    def little_aid(s, cmd: Spend) -> Bound:
        return Bound("brp", most=3)

    return no_aid, little_aid


def test_a_nearer_limit_sets_the_general_one_aside(forgotten):
    start = Game.new("classic-1939").state
    no_aid, _ = _near_and_far()
    assert [it.rule for it in decide(start, Spend("germany", 1, "other")).refusals] == [no_aid.name]
    assert decide(start, Spend("italy", 3, "other")).accepted
    assert [it.clause for it in decide(start, Spend("italy", 4, "other")).refusals] == ["35.32"]
    # While it is open whether the nearer one holds, neither speaks.
    assert narrow(start, "spend", {"power": "italy"}).available
    assert narrow(start, "spend", {"power": "italy", "on": "other"}).fields["brp"].most == 3
    assert not narrow(start, "spend", {"power": "germany"}).available


def test_a_limit_may_tell_several_things_each_by_its_clause(forgotten):
    start = Game.new("classic-1939").state

    @limit("35.31", "what is spent on aid", on=Spend, when=lambda s, cmd: cmd.on == "other", also=("35.32", "35.33"))
    def aid_fits(s, cmd: Spend) -> Iterator[Finding]:
        if cmd.power == "germany":
            yield Refusal("35.32", "not Germany")
        yield Bound("brp", most=2, clause="35.33")
        if cmd.brp == 5:
            yield "not five"

    assert decide(start, Spend("italy", 2, "other")).accepted
    refused = decide(start, Spend("germany", 5, "other")).refusals
    assert [(it.clause, it.rule) for it in refused] == [(it, aid_fits.name) for it in ("35.32", "35.33", "35.31")]
    # What comes before an open field is told of a draft too.
    assert narrow(start, "spend", {"power": "italy", "on": "other"}).fields["brp"].most == 2
    assert not narrow(start, "spend", {"power": "germany", "on": "other"}).available


def test_limits_displace_only_limits_of_the_same_command(forgotten):
    no_aid, _ = _near_and_far()
    with pytest.raises(Misplaced, match="no command has both"):

        @limit("35.33A", "elsewhere", on=Advance, displaces=no_aid)
        def elsewhere(s, cmd) -> None: ...


@pytest.mark.parametrize("draft_of", [Draft, Watched])
def test_a_draft_passes_for_its_command_and_stops_whoever_looks_further(draft_of):
    draft = draft_of(Spend, {"power": "italy"})
    assert isinstance(draft, Spend)
    assert draft.power == "italy"
    with pytest.raises(StillOpen, match="brp"):
        draft.brp  # noqa: B018
    with pytest.raises(AttributeError, match="no field bpr"):
        draft.bpr  # noqa: B018
    if draft_of is Watched:
        assert draft.looked_at == {"power", "brp", "bpr"}


REGISTRY = """
import pkgutil, random, sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location

# The package without its own imports, so that nothing of the rules is there yet.
where = sys.argv[2]
spec = spec_from_file_location("warcabinet", where + "/__init__.py", submodule_search_locations=[where])
sys.modules["warcabinet"] = module_from_spec(spec)
from warcabinet import house, rules
homes = (rules, house)
names = sorted(it.name for home in homes for it in pkgutil.walk_packages(home.__path__, home.__name__ + "."))
names.remove("warcabinet.house.all")
random.Random(int(sys.argv[1])).shuffle(names)
for name in names:
    import_module(name)
from warcabinet.kernel.rules import RULES as R
show = lambda kept: sorted((kind.__name__, [it.name for it in found]) for kind, found in kept.items())
print(show(R.limits), show(R.openings), show({kind: R.reactions[kind] for kind in R.effects}))
print(sorted((clause, [it.name for it in found]) for clause, found in R.by_clause.items()))
print(sorted((n, [e.name for e in v.exceptions], [e.name for e in v.parts]) for n, v in R.values().items()))
"""


def test_nothing_depends_on_the_order_of_imports():
    def registry(seed: int) -> str:
        words = [sys.executable, "-c", REGISTRY, str(seed), str(Path(warcabinet.__file__).parent)]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    first = registry(1)
    assert "one_turn_to_recapture" in first
    assert registry(2) == first
    assert registry(3) == first
