// Put what changed into a position: the page receives that after a move, and not the position again.

import { described } from "./commands.js";

/** A list with some of its lines replaced. */
function put(old, news, key) {
  if (!news?.length) return old;
  const other = new Map(news.map((it) => [key(it), it]));
  return old.map((it) => other.get(key(it)) ?? it);
}

const offerKey = (o) => JSON.stringify([o.command, o.known]);
const stackKey = (s) => `${s.nation}|${s.place}|${s.unit}`;

function control(old, news) {
  if (!news) return old;
  return Object.fromEntries(Object.entries({ ...old, ...news }).filter(([, holder]) => holder !== null));
}

function pieces(old, news) {
  if (!news?.length) return old;
  const found = new Map(old.map((it) => [stackKey(it), it]));
  for (const it of news) found.set(stackKey(it), it);
  return [...found.values()].filter((it) => it.count);
}

function agenda(old, lines, order) {
  const found = new Map([...old, ...(lines ?? [])].map((it) => [it.id, it]));
  return (order ?? old.map((it) => it.id)).map((id) => found.get(id));
}

/** A position as it comes, with its offers told in full. */
export const whole = (position) => ({ ...position, offers: position.offers.map(described) });

/** The position after changes. What is absent among them has not changed. */
export function merged(old, news) {
  const { all_offers, agenda_order, ...other } = news;
  return {
    ...old,
    ...other,
    powers: put(old.powers, news.powers, (it) => it.power),
    countries: put(old.countries, news.countries, (it) => it.id),
    control: control(old.control, news.control),
    pieces: pieces(old.pieces, news.pieces),
    agenda: agenda(old.agenda, news.agenda, agenda_order),
    offers: all_offers
      ? (news.offers ?? []).map(described)
      : put(old.offers, news.offers?.map(described), offerKey),
  };
}
