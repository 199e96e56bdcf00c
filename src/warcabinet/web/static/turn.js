// Your turn: the page's title says it, and, as the person wishes, a sound and a notice of the browser.

import { $, debounce } from "./dom.js";
import { hall, table } from "./api.js";
import { live, store, subscribe } from "./store.js";
import { chime, notice } from "./chime.js";
import { fill, html } from "./ui.js";

const MARK = "● Your turn · ";
let wishes = { title: true, sound: false, notice: false };
let told = null;

const alone = (view) => view.seats.filter((s) => s.role === "player").every((s) => s.mine);
const mine = (view) => (alone(view) ? [] : view.waiting.filter((w) => w.mine));
/** What is decided: the same as long as it is the same player turn, question or request. */
const key = (view) => {
  const { turn, part } = view.position.clock;
  return mine(view).map((w) => (w.kind === "move" ? `${w.seat} ${turn} ${part}` : `${w.seat} ${w.kind} ${w.text}`)).join("|");
};

/** Tell the server that the table is before someone's eyes: then no e-mail is needed. */
export function looked(line = 0) {
  if (document.visibilityState === "visible") table.put("/looked", { line, move: live() ? (store.view?.head ?? 0) : 0, replay: "story" in document.body.dataset }).catch(() => {});
}

function title(view) {
  const plain = document.title.replace(MARK, "");
  document.title = mine(view).length && wishes.title ? MARK + plain : plain;
}

/** Who is waited for, when it is somebody else. */
function who(view) {
  const box = $("#whose-move");
  // Whose turn it is hears only of what keeps the game there; of several who may do it, those who sit there.
  const all = alone(view) ? [] : view.waiting.filter((w) => !w.mine && (!mine(view).length || w.kind === "duty"));
  const here = all.filter((w) => view.seats.find((s) => s.id === w.seat).people.length);
  const others = here.length ? here : all;
  box.hidden = !others.length && !mine(view).some((w) => w.kind !== "move");
  const people = (w) => {
    const seat = view.seats.find((s) => s.id === w.seat);
    return seat.people.length ? `${seat.people.join(", ")} (${seat.title})` : `${seat.title}, where nobody sits yet`;
  };
  fill(
    box,
    others.length
      ? html`The table waits for <strong>${others.map(people).join(" and ")}</strong>.`
      : mine(view).filter((w) => w.kind !== "move").map((w) => html`<span>${w.text}</span>`),
  );
}

function changed(view) {
  if (store.at !== null) return;
  title(view);
  who(view);
  const now = key(view);
  const news = told !== null && now && now !== told;
  if (now && (news || told === null)) looked();
  told = now;
  if (!news) return;
  if (wishes.sound) chime();
  if (wishes.notice && document.visibilityState === "hidden") notice(`Your turn: ${view.table.title}`, mine(view)[0].text);
}

export async function startTurn() {
  subscribe(changed);
  document.addEventListener("visibilitychange", () => looked());
  const seen = debounce(looked, 1000);
  subscribe((view, before) => {
    if (before?.head !== view.head && !alone(view)) seen();
  });
  wishes = (await hall.get("/me/notices").catch(() => ({ browser: wishes }))).browser;
  if (store.view) title(store.view);
}
