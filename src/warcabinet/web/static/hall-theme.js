// Light or dark, on every page.

import { $ } from "./dom.js";
import { signal } from "./vendor/signals.js";

export const theme = signal(document.documentElement.dataset.theme);

$("#theme")?.addEventListener("click", () => {
  theme.value = document.documentElement.dataset.theme = theme.peek() === "dark" ? "light" : "dark";
  localStorage.setItem("warcabinet-theme", theme.peek());
});
