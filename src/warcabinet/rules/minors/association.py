"""Association and alliance: how countries come to them, and what they bring (82.8, 84.1 - 84.48, 85.1 - 85.49)."""

from __future__ import annotations

from msgspec.structs import replace

from warcabinet.kernel.effects import Due
from warcabinet.kernel.why import note
from warcabinet.model import calendar
from warcabinet.model.agenda import Joined, Lapsed, Matter, OfArea, Promise
from warcabinet.model.apply import apply
from warcabinet.model.events import Closed, Happened, Reported, ResultInForce, WarBegan
from warcabinet.model.names import StatusName, called, countries, powers
from warcabinet.model.proceedings import Proceedings
from warcabinet.model.state import Happening, State, happened
from warcabinet.model.traits import FOLLOWS, PARTS, POTENTIAL_ALLIES
from warcabinet.model.unit_lists import unbuilt
from warcabinet.rules.common.books import enter_on_books, on_books, out_of_the_economy, worth
from warcabinet.rules.common.diplomacy import lapse, promise, promised
from warcabinet.rules.common.moments import (
    end_of_diplomacy,
    next_step_of,
    reading_in_force,
    step_of_next_turn,
    turn_to_retake,
)
from warcabinet.rules.common.pieces import BOUND, SENIORITY, STANDS_ALONE, faction, said_of
from warcabinet.rules.common.war_and_peace import (
    at_war,
    attacked,
    attackers_of,
    country_attacked,
    declarers,
    earlier,
    make_peace,
    player_of,
    war_between,
)
from warcabinet.rules.economy.reported import minor_pays, minor_withdraws
from warcabinet.rules.kinds import definition, due, effect, remembered, value
from warcabinet.rules.minors.limits import may_stay
from warcabinet.rules.minors.status import (
    CUT_OFF,
    another_side_counts,
    bound,
    change_status,
    counts_no_longer,
    hand_over_hexes,
    leave_former,
    lose_part,
    minor_pays_again,
    pay_whole_value,
    release_hexes,
    settle_diplomatically,
    wages_war,
)

IN_EUROPE = ("germany", "italy", "britain", "france", "russia", "usa")


@definition("82.351", "A country does not join those who declared war on it, nor their allies")
def may_join(s: State, country: str, power: str) -> bool:
    # It keeps those out who could become a minor ally (R-0425); 89.11 calls Communist China one of Russia's.
    listed = country == "communist_china" or any(country in them for _, them in POTENTIAL_ALLIES.values())
    return not listed or all(faction(s, it) != faction(s, power) for it in declarers(s, country))


@definition("83.43", "A power that has surrendered takes in no country, and none that its side attacked joins (R-0443)")
def takes_in(s: State, power: str, country: str) -> bool:
    return not out_of_the_economy(s, power) and may_join(s, country, power)


#: How a country associates that pays in the very player turn in which it does: the others pay in the next one.
PAYS_NOW = {"diplomacy": "84.48B", "survival": "84.48A"}


def _join(p: Proceedings, country: str, status: StatusName, power: str, clause: str, reason: str) -> None:
    """A country leaves whom it stood with for a power, and has what it controls for it from the turn's start."""
    told = "it has associated" if status == "associated" else "it has activated"
    lapse(p, country, told, associate_survivor)
    leave_former(p, country, power)
    make_peace(p, country, faction(p.s, power))  # who joins its own attacker is at peace with him (R-0425)
    change_status(p, country, status, power, clause, reason)
    hand_over_hexes(p, country, power, clause=said_of(p.s, country, "84.44"))


def associate(
    p: Proceedings, country: str, power: str, clause: str, reason: str, how: str, brp: int | None = None
) -> None:
    """The country stands with a power: its hexes from the turn's start, its BRPs, or those reported, in due course."""
    _join(p, country, "associated", power, clause, reason)
    if how == "survival":
        p.do(Happened(Happening(p.s.moment, "associated by survival", country)))
    if how in PAYS_NOW:
        pay_whole_value(p, country, power, None, PAYS_NOW[how], brp)
        return
    when = step_of_next_turn(p.s, power, "end of diplomatic phase")
    if p.s.season == calendar.WINTER and (turn := calendar.split(when)[0]) > p.s.turn:
        when = calendar.moment(turn, calendar.first_step("year start"))  # which counts the associate (35.51E)
    promise(p, association_pays, when, power, country, worth(p.s, country))


@due(
    "84.48",
    "BRPs of an associated country are received",
    averted_by="{about} being conquered or leaving before then",
    covers=("84.44", *PAYS_NOW.values()),
)
def association_pays(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    country, power, standing = due_now.about, due_now.power, p.s.countries[due_now.about]
    if not bound(p.s, country) or standing.by != power:
        return f"it is {standing.words} now"
    year_start, in_vain = p.s.place.part == "year start", counts_no_longer(p.s, power, country)
    if not year_start and not in_vain:
        pay_whole_value(p, country, power)
        return None
    if another_side_counts(p.s, country, power) and not in_vain:
        return None
    # The year start adds up the books in full, and the spring turn has nothing more to pay. What the country lost since
    # it joined is not received with it (85.491, 85.492), nor does a partner count what a result gave it (R-0443).
    wanted = {} if in_vain else {power: worth(p.s, country)}
    for it in (one for one in powers() if faction(p.s, one) == faction(p.s, power)):
        change = wanted.get(it, 0) - on_books(p.s, it, country)
        if year_start:
            enter_on_books(p, it, country, change)
        elif change:
            promise(p, minor_withdraws, end_of_diplomacy(p.s), it, country, change)
    return None


@effect("85.491", "Whoever has Rumania or Finland loses what Russia cut off, unless it is retaken in time")
def part_lost(p: Proceedings, part: str, by: str) -> None:
    if part not in PARTS or by != "russia":
        return
    whole = PARTS[part]
    for power in (it for it in powers() if it != by):
        excess = max(0, on_books(p.s, power, whole) - worth(p.s, whole))
        # Who has joined in this very turn counts what it is worth only from its power's next one (84.48).
        joining = any(it.brp > worth(p.s, whole) for it in promised(p.s, association_pays, about=whole, power=power))
        if (excess or joining) and p.s.countries[whole].status in (*BOUND, "conquered"):
            step = calendar.step_index(player_of(power), "end of combat phase")
            turn = turn_to_retake(p.s, power, by)
            promise(p, lose_part, calendar.moment(turn, step), power, part, -excess, CUT_OFF[part])


def association_brings(s: State, it: Promise[Matter]) -> int:
    """What the promise of an associate's BRPs comes to as things stand: nothing, where a part came before (R-0033)."""
    if not bound(s, it.about) or s.countries[it.about].by != it.power or another_side_counts(s, it.about, it.power):
        return 0
    _, step = calendar.split(it.due)
    in_year_start = calendar.steps()[step].part == "year start"
    return worth(s, it.about) if in_year_start else still_brings(s, it.about, it.power)


def still_brings(s: State, country: str, power: str) -> int:
    """What a power still receives for a country that associates, by what it is worth now (85.491)."""
    had, value = on_books(s, power, country), worth(s, country)
    if not had or had >= value:
        return 0 if had else value
    return {"a": 0, "b": value - had, "c": value}[reading_in_force(s, "R-0033")]


# -- who comes to the aid of a country that was attacked ---------------------------------------------------------


def usual_protector(attacker: str) -> str:
    """Japan is of the Axis too, wherever it attacks."""
    return "britain" if player_of(attacker) == "axis" else "germany"


def opposes(s: State, power: str, attacker: str) -> bool:
    """Whether a power of another faction fights an attacker and takes its victims in: none that has surrendered does.

    Association with a surrendered Britain is deferred, whoever attacked (84.21C); with others there is none (R-0443).
    """
    surrendered = out_of_the_economy(s, power) or (power == "britain" and s.powers[power].surrendered)
    return not surrendered and faction(s, power) != faction(s, attacker) and at_war(s, attacker, power)


@definition("82.82", "An opposing faction is at war with the attacker, so that there is someone to associate with")
def opposed(s: State, attacker: str) -> bool:
    return any(opposes(s, it, attacker) for it in IN_EUROPE)


@value("84.21")
def protector(s: State, country: str, attacker: str) -> str:
    """Attacked by Germany or Italy a country turns to Britain, attacked by an Ally to Germany, in Asia to Japan.

    With the usual protector at peace, it turns to the power that fights its attacker.
    """
    usual = usual_protector(attacker)
    if countries()[country].theater == "pacific":
        note("in_asia", "82.82", True, country)
        return "britain" if usual == "britain" else "japan"
    fighting = [it for it in IN_EUROPE if opposes(s, it, attacker)]
    if not fighting or (usual == "britain" and s.powers["britain"].surrendered):
        return usual
    if usual in fighting and not _refused_for_another(s, country, attacker):
        return usual
    note("fight_its_attacker", "84.22", tuple(fighting), attacker)
    # Who refused the country, or attacked it too, is passed over where another faction fights its attacker.
    return next((it for it in fighting if free_to_join(s, country, it)), fighting[0])


def _refused_for_another(s: State, country: str, attacker: str) -> bool:
    """Whether the usual protector refused a country and another faction has gone to war with its attacker (R-2411)."""
    if not declined_by_side(s, country, usual_protector(attacker)):
        return False
    attack = war_between(s, country, attacker)
    others = (it for it in IN_EUROPE if opposes(s, it, attacker) and free_to_join(s, country, it))
    wars = filter(None, (war_between(s, it, attacker) for it in others))
    # Who fought him before inherits no refusal (R-0041): only a war that breaks out can still bring it in (84.22).
    return attack is not None and any(earlier(s, attack, war) for war in wars)


@effect("84.11A", "A country that is attacked will associate if it survives the first turn", on=WarBegan)
def promise_association(p: Proceedings, began: WarBegan) -> None:
    country, attacker = country_attacked(began), began.declared_by
    if not country or not may_associate_by_survival(p.s, country, attacker):
        return
    when = next_step_of(p.s, usual_protector(attacker), "diplomatic phase")
    # A country with two attackers is promised to one power; to which, is seen when it is time.
    if not any(it.due == when for it in promised(p.s, associate_survivor, about=country)):
        promise(p, associate_survivor, when, protector(p.s, country, attacker), country, worth(p.s, country))


def may_associate_by_survival(s: State, country: str, attacker: str) -> bool:
    """Europe only, and only for a country that stands alone."""
    alone = countries()[country].theater == "europe" and s.countries[country].status in STANDS_ALONE
    return alone and attacker in powers()


@due(
    "82.81",
    averted_by="conquering {about} before then, or declining its association",
    covers=("84.11A", "84.21", "84.48A"),
)
def associate_survivor(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    """A country that survived the first turn of attack associates before diplomatic die rolls."""
    country = due_now.about
    if p.s.countries[country].status in ("conquered", "associated", "allied"):
        return f"it is {p.s.countries[country].status}"
    if power := taken_in_by(p.s, country):
        p.run(survivor_joins, country, power)
    else:
        fight_on(p, country, "82.82", "it survived, and fights on alone")
        p.do(Closed(due_now.id, "averted", why_it_waits(p.s, country)[1]), "82.81B")
    return None


@effect("84.21")
def survivors_follow(p: Proceedings) -> None:
    """Where a survivor is not expected, as in a position from the turn of the attack, it joins when it is time."""
    last = p.s.turn if p.s.player == "allied" else p.s.turn - 1
    for country in filter(p.s.countries.__contains__, attacked(p.s)):
        attackers = [it for it in attackers_of(p.s, country) if may_associate_by_survival(p.s, country, it)]
        wars = [war for it in attackers if player_of(it) != p.s.player and (war := war_between(p.s, it, country))]
        if any(war.since == last for war in wars) and (power := taken_in_by(p.s, country)):
            p.run(survivor_joins, country, power)


def why_it_waits(s: State, country: str) -> tuple[str, str]:
    """Why a country that survives will not associate as things stand, with the clause; nothing if it will."""
    if taken_in_by(s, country):
        return "", ""
    if association_declined(s, country):
        return "82.81D", "its association was declined, and nobody else takes it in"
    if any(waits_for_britain(s, it) for it in attackers_of(s, country)):
        return "82.81C", "it waits with its association until Britain re-enters the war"
    return "82.82", "nobody is at war with its attacker, or would take it in"


def fight_on(p: Proceedings, country: str, clause: str, reason: str) -> None:
    """Nobody takes the survivor in. What an earlier result gave another power stays in force (82.22, R-0211)."""
    if p.s.countries[country].status not in ("penetrated", "controlled"):
        change_status(p, country, "independent", "", clause, reason)


def fights_alone(s: State, country: str) -> bool:
    """Whether a country wages war by itself: it is independent, or was attacked while a result gave it to nobody."""
    status = s.countries[country].status
    return status == "independent" or (status in ("penetrated", "controlled") and bool(attackers_of(s, country)))


def would_bring_in(s: State, country: str) -> list[tuple[str, str]]:
    """Whose war with which attacker would bring in a country that fights alone, as things stand (84.22)."""
    if not fights_alone(s, country):
        return []
    now = taken_in_by(s, country)
    wars = [(it, foe) for foe in attackers_of(s, country) for it in IN_EUROPE if not at_war(s, it, foe)]
    possible = (it for it in wars if faction(s, it[0]) != faction(s, it[1]) and not out_of_the_economy(s, it[0]))
    return [it for it in possible if now != it[0] == taken_in_by(apply(s, WarBegan(it, it[0])), country)]


@definition("82.81")
def waits(s: State, country: str, attacker: str) -> bool:
    """Whether a survivor must wait with its association."""
    if not may_join(s, country, protector(s, country, attacker)):
        return True
    if declined_by_side(s, country, protector(s, country, attacker)):
        note("declined", "82.81D", True, country)
        return True
    if waits_for_britain(s, attacker):
        note("britain_surrendered", "82.81C", True, country)
        return True
    if not opposed(s, attacker):
        note("attacker_neutral", "82.81B", True, attacker)
        note("attacker_neutral", "84.21E", True, attacker)
        return True
    return False


def waits_for_britain(s: State, attacker: str) -> bool:
    """Whether victims wait for a Britain that surrendered: Russia's too, if nobody else fights it (84.21C)."""
    if not s.powers["britain"].surrendered or faction(s, attacker) == faction(s, "britain"):
        return False
    return faction(s, attacker) == "axis" or (at_war(s, "britain", attacker) and not opposed(s, attacker))


def _by_rank(attackers: tuple[str, ...]) -> list[str]:
    """Attackers in an order that owes nothing to who declared war first."""
    return sorted(attackers, key=SENIORITY.index)


@value("82.81", "Who takes a survivor in: the enemy of any of its attackers, whichever of them came first")
def taken_in_by(s: State, country: str) -> str:
    against = _by_rank(attackers_of(s, country))
    return next((protector(s, country, it) for it in against if not waits(s, country, it)), "")


@value("82.82", "With whom a country that fights alone would associate, and moves: none of those who attacked it")
def would_be_protector(s: State, country: str) -> str:
    found = [protector(s, country, it) for it in _by_rank(attackers_of(s, country))]
    return next((it for it in found if may_join(s, country, it)), next(iter(found), ""))


def survivors_for(s: State, power: str) -> list[str]:
    """The countries under attack that will come to a power if they survive, and that its side has not refused."""
    attacked = dict.fromkeys(it.about for it in promised(s, associate_survivor))
    return [it for it in attacked if would_associate_with(s, it) == power and not declined_by_side(s, it, power)]


def would_associate_with(s: State, country: str) -> str:
    """To whom a country under attack will come, or for whom it waits, whatever wars began since it was attacked."""
    returning = may_join(s, country, "britain") and any(waits_for_britain(s, it) for it in attackers_of(s, country))
    return taken_in_by(s, country) or ("britain" if returning else would_be_protector(s, country))


@effect("84.21")
def survivor_joins(p: Proceedings, country: str, power: str) -> None:
    """The survivor associates, and pays in the turn that follows its attacker's; so does Poland after Fall 1939."""
    clause, reason = "84.21", "it survived the first turn of attack"
    if country == "poland" and p.s.turn == FALL_1939:
        clause, reason = "82.12", "it survived Fall 1939"
        note("stands_with_britain", clause, True, country)
    associate(p, country, power, clause, reason, "survival")


FALL_1939 = calendar.turn_number(calendar.FALL, 1939)


@remembered("84.21D", "The association of a country was refused")
def association_declined(s: State, country: str) -> bool:
    return False


@remembered("84.21D", "A power has refused the association of a country")
def refused_by(s: State, country: str, power: str) -> bool:
    return False


def free_to_join(s: State, country: str, power: str) -> bool:
    """Whether neither an attack by a power's side nor its refusal keeps a country from joining it."""
    return may_join(s, country, power) and not declined_by_side(s, country, power)


def declined_by_side(s: State, country: str, power: str) -> bool:
    """Whether a power or its side refused a country: what Germany refused may still join Britain after another attack.

    Of a refusal in an older game it is not known whose it was.
    """
    if not association_declined(s, country):
        return False
    refusing = [it for it in powers() if refused_by(s, country, it)]
    return not refusing or any(faction(s, it) == faction(s, power) for it in refusing)


# -- Spain --------------------------------------------------------------------------------------------------------


@due("84.24", averted_by="a 10 for Spain in that diplomatic phase", also=("87.43", "87.53"))
def associate_spain(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    """Spain associates with Germany because of Portugal."""
    free = p.s.countries["spain"].status in STANDS_ALONE
    if not free or not takes_in(p.s, "germany", "spain"):
        return f"Spain is {p.s.countries['spain'].status}"
    p.do(Closed(due_now.id, "done"))
    associate(p, "spain", "germany", "84.24", "the Western Allies attacked Portugal", "diplomacy")
    may_stay(p, "spain", "it has joined a power")
    return None


@definition("85.216", covers=tuple(dict.fromkeys(c for c, _ in POTENTIAL_ALLIES.values())))
def may_be_allied(s: State, country: str, power: str) -> bool:
    """Which countries may activate as minor allies of a power."""
    clause, listed = POTENTIAL_ALLIES.get(power, POTENTIAL_ALLIES.get(faction(s, power), ("85.216", ())))
    note("potential_minor_allies", clause, country in listed, power)
    return country in listed


@effect("85.31", covers=("85.44",))
def activate(p: Proceedings, country: str, power: str, earlier: str, brp: int | None = None) -> None:
    """A country activates in the diplomatic phase of the die roll that activates it, with hexes, units and BRPs.

    `earlier` is the result that this one replaces, `brp` what it is reported to bring.
    """
    was = as_it_was(p.s, country, power, earlier)
    _join(p, country, "allied", power, "85.11A", "diplomatic activation")
    joins_pool(p, country, power)
    pay_whole_value(p, country, power, was, "85.49", brp)
    if countries()[country].theater == "europe":
        becomes_ally(p, power, was)


def joins_pool(p: Proceedings, country: str, power: str) -> None:
    """All ground and air units join the power's force pool, even those lost before."""
    lost = ", ".join(f"{count} {unit}" for unit, count in unbuilt(p.s, country))
    text = f"{called(country)}'s units join {called(power)}'s force pool; lost before: {lost or 'none'}"
    p.do(Reported("force pool", text), "85.47")


def as_it_was(s: State, country: str, power: str, result: str | None = None) -> Joined:
    """What a country is and brings before it joins a power, to which it may return, with what a partner has of it."""
    standing = s.countries[country]
    partners = on_books(s, standing.by, country) if standing.by and standing.by != power else 0
    return Joined(country, standing.status, standing.by, on_books(s, power, country), 0, partners, result)


def becomes_ally(p: Proceedings, power: str, was: Joined) -> None:
    """A minor ally counts for other diplomacy once the phase is over, and hangs on the declaration of war it needs."""
    p.do(Happened(Happening(p.s.moment, "activated", was.country)))
    lapse(p, was.country, "it has activated anew", activation_counts)
    promise(p, activation_counts, end_of_diplomacy(p.s), power, was.country)
    if not unimpeded(p.s, was.country, power):
        may_be_negated(p, negate_activation, power, was)


def may_be_negated(p: Proceedings, rule: Due[Promise[Joined]], power: str, was: Joined) -> None:
    """Remember what a country was and had brought, to which it returns if war is not declared in time."""
    # The BRPs a year that it pays now; what only counts from the next year start is not paid (R-0033).
    coming = sum(it.brp for it in promised(p.s, minor_pays, minor_pays_again, about=was.country, power=power))
    paid = 0 if was.had is None else coming
    promise(p, rule, next_step_of(p.s, power, "mining"), power, replace(was, paid=paid))


def awaits_declaration(s: State, country: str) -> bool:
    """Whether a country's activation still hangs on a declaration of war."""
    return bool(promised(s, negate_activation, about=country))


@remembered("85.53A", "A country's units came into a power's force pool when it switched sides")
def pooled_by_switch(s: State, country: str, power: str) -> bool:
    return False


@definition("85.47")
def force_pool_of(s: State, country: str) -> str:
    """Into whose force pool a minor ally's units go, those lost before included; an associate's after it switched."""
    standing = s.countries[country]
    if standing.status == "associated" and pooled_by_switch(s, country, standing.by):
        note("switched_sides", "85.53A", True, country)
        return standing.by
    return standing.by if standing.status == "allied" else ""


@definition("85.33", "Activation counts for other diplomacy only once the diplomatic phase is over")
def counts_for_diplomacy(s: State, country: str) -> bool:
    return s.countries[country].status == "allied" and not happened(s, "activated", country, "phase")


@due("85.33", "An activation begins to count for other diplomacy, now that the phase is over")
def activation_counts(p: Proceedings, due_now: Promise[OfArea]) -> str | None:
    if p.s.countries[due_now.about].status != "allied":
        return Lapsed("it is no minor ally any more")
    p.do(Reported("activation", f"{called(due_now.about)} is a minor ally for other diplomacy too"))
    return None


@definition("85.34", "A country at war with a power activates only for those who fight that power")
def unimpeded(s: State, country: str, power: str) -> bool:
    # Nobody can declare war on a power that has surrendered: it stands in nobody's way (R-0443).
    fighting = [it for it in powers() if wages_war(s, country, it) and not out_of_the_economy(s, it)]
    enemies = [it for it in fighting if faction(s, it) != faction(s, power)]
    if enemies and all(at_war(s, power, it) for it in enemies):
        note("already_at_war", "85.34A", enemies, power)
    return all(at_war(s, power, it) for it in enemies)


@due("85.341", averted_by="declaring war on whoever is at war with {about}", covers=("85.34B",))
def negate_activation(p: Proceedings, due_now: Promise[Joined]) -> int | str:
    """Activation is negated, because the power did not go to war with the country's enemy."""
    country, power = due_now.about, due_now.power
    if p.s.countries[country].status != "allied" or p.s.countries[country].by != power:
        return Lapsed("it is no minor ally any more")
    if unimpeded(p.s, country, power):
        note("declared", "85.34B", True, power)
        return "war was declared on its enemy"
    return _undo_joining(p, due_now, "its activation was negated")


@due("85.341", averted_by="declaring war on whoever is at war with Belgium")
def negate_following(p: Proceedings, due_now: Promise[Joined]) -> int | str:
    """Who followed a country into an activation that is negated goes back with it."""
    leader = FOLLOWS[due_now.about]
    if (p.s.countries[leader].status, p.s.countries[leader].by) == ("allied", due_now.power):
        return f"{called(leader)} is a minor ally"
    if not bound(p.s, due_now.about) or p.s.countries[due_now.about].by != due_now.power:
        return Lapsed("it has left already")
    return _undo_joining(p, due_now, f"the activation of {called(leader)} was negated")


def _undo_joining(p: Proceedings, due_now: Promise[Joined], reason: str) -> int:
    """A country is again what and whose it was before it joined; what its joining paid is given back."""
    joined, power = due_now.of, due_now.power
    country = joined.country
    change_status(p, country, joined.status, joined.by, "85.341", reason)
    if joined.result is not None:
        p.do(ResultInForce(country, joined.result), "85.341")
    if joined.status not in ("controlled", "associated", "conquered"):
        release_hexes(p, country, power)
    if joined.had is not None:
        enter_on_books(p, power, country, joined.had - on_books(p.s, power, country))
    partner = joined.by if joined.by != power else ""
    if partner and joined.status in ("controlled", "associated"):
        release_hexes(p, country, power)
        hand_over_hexes(p, country, partner, everything=joined.status == "controlled")
    if partner and joined.partners:
        settle_diplomatically(p, country, {partner: joined.partners})
    return -joined.paid


@definition("85.62", "Until Russia fights Japan Communist China fights it alone, and Russians stay out of its hexes")
def closed_to_russia(s: State) -> bool:
    return not at_war(s, "russia", "japan")
