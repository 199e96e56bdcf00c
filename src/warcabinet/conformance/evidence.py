"""What a case shows of the rules: which clauses were consulted, and by which something was refused or happened.

The difference is what compliance rests on. A figure that was merely asked is *answered*; a clause is *enforced* where
it stands in a refusal or in an event, or among the reasons of one.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from warcabinet.game.engine import GameDecision, GameRecord
from warcabinet.kernel.effects import Due
from warcabinet.kernel.limits import Limit
from warcabinet.kernel.rules import RULES
from warcabinet.kernel.why import Why, nodes
from warcabinet.model.events import EntryPosted


class Evidence(msgspec.Struct):
    """Clauses that were consulted, clauses by which something was refused or happened, and the rules that did it."""

    # That an effect merely ran shows nothing: it is consulted when an event or a reason names its clause.
    consulted: set[str] = msgspec.field(default_factory=set)
    enforced: set[str] = msgspec.field(default_factory=set)
    rules: set[str] = msgspec.field(default_factory=set)
    # By which rule something was refused under which clause.
    refused: set[tuple[str, str]] = msgspec.field(default_factory=set)
    # Every rule that was looked at, by name.
    asked_rules: set[str] = msgspec.field(default_factory=set)

    def judged(self, ruling: GameDecision) -> None:
        """A command was decided: what refused it, or what came of it."""
        self.consulted |= ruling.consulted()
        for why in (*ruling.checked, *ruling.considered, *(why for record in ruling.records for why in record.why)):
            self.asked_rules |= {node.rule for node in nodes(why)}
        for refusal in ruling.refusals:
            self.enforced |= {refusal.clause, *refusal.also}
            self.rules.add(refusal.rule)
            self.refused |= {(refusal.rule, clause) for clause in (refusal.clause, *refusal.also)}
        # What a limit rested on when it refused is enforced through it; what it found to be fine is not.
        for why in ruling.checked:
            if why.value == "may not":
                self._through(why.because)
        if ruling.accepted:
            self.happened(ruling.records)

    def happened(self, records: Iterable[GameRecord]) -> None:
        """Events were recorded: by their clause, for their reasons, and as parts of what was settled."""
        for record in records:
            self.enforced.add(record.clause)
            self.rules.add(record.rule)
            if record.rule in RULES.by_name:
                self.enforced.add(RULES.by_name[record.rule].clause)
            self._through(record.why)
            event = record.event
            if isinstance(event, EntryPosted):
                for part in event.entry.parts:
                    self.enforced.add(part.clause)
                    self.rules |= {rule.name for rule in RULES.by_clause.get(part.clause, ()) if isinstance(rule, Due)}

    def _through(self, reasons: Iterable[Why]) -> None:
        for why in reasons:
            for node in nodes(why):
                self.enforced.add(node.clause)
                self.rules.add(node.rule)

    def asked(self, why: Why) -> None:
        """A figure was asked for, which changes nothing."""
        self.consulted |= why.clauses()
        self.asked_rules |= {node.rule for node in nodes(why)}

    def restate(self) -> None:
        """A clause that only restates another is carried out by the same rule (`also`), and shown by it.

        A limit that was asked was asked by all its clauses; by which of them it refuses, the refusal says.
        """
        for name in self.asked_rules | self.rules:
            rule = RULES.by_name.get(name)
            if rule is not None:
                self.consulted |= set(rule.clauses if isinstance(rule, Limit) else rule.also)
                if name in self.rules and rule.clause in self.enforced:
                    self.enforced |= set(rule.also)
