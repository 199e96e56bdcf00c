// Light or dark, on every page.

import { $ } from "./dom.js";

$("#theme")?.addEventListener("click", () => {
  const dark = document.documentElement.dataset.theme !== "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  localStorage.setItem("warcabinet-theme", dark ? "dark" : "light");
  document.dispatchEvent(new Event("theme"));
});
