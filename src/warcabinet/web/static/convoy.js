// A grant under way, beside the aid page: what is afloat, whose answer is awaited, what it would come to.

import { $ } from "./dom.js";
import { attempt } from "./api.js";
import { served } from "./served.js";
import { perform, position } from "./store.js";
import { panel, signal } from "./ui.js";

const under = signal(null);

/** Told by the aid page whenever it was fetched: the part of a page, and the operation that it is about. */
export const showConvoy = (it) => (under.value = it);

/** Dice thrown here are told with what they are for. */
document.addEventListener("click", ({ target }) => {
  const purpose = target.closest("[data-throw]")?.dataset.throw;
  if (purpose) attempt(() => perform("/do", { do: "roll", purpose }));
});

// What was shown is old as soon as nothing waits any more; the page itself comes with the next fetch.
panel($("#convoy"), () => {
  const it = position().waits.some((w) => w.id === under.value?.operation) ? under.value : null;
  document.body.toggleAttribute("data-convoy", Boolean(it));
  return it && served(it.convoy);
});
