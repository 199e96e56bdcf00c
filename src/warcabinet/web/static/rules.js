// The rules: a case opens on the board as a table of one's own; a clause is quoted by its link.

import { $, $$, toast } from "./dom.js";
import { Trouble, hall } from "./api.js";
import "./hall-theme.js";

async function openCase(button) {
  button.disabled = true;
  try {
    const made = await hall.post("/cases/open", { case: button.dataset.case });
    location.assign(made.url);
  } catch (error) {
    button.disabled = false;
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
  }
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
    toast(said);
  } catch {
    toast("The browser does not let pages copy here: take it from the address line.", true);
  }
}

/** The link of this page without the table from which it was opened: it is good for everybody. */
const link = () => location.origin + location.pathname;

for (const button of $$(".open-case")) button.addEventListener("click", () => openCase(button));
$("#copy-link")?.addEventListener("click", () => copy(link(), "The link is copied."));
$("#copy-cases")?.addEventListener("click", () => {
  const cases = $$(".case").map((it) => `${it.querySelector("summary").textContent.trim().replace(/\s+/g, " ")}`);
  copy([`${$("h1 .number").textContent} ${$("#gist").textContent}`, ...cases, link()].join("\n"), "Clause and cases are copied.");
});
if (matchMedia("(max-width: 899px)").matches) $("#folded-tree").open = false;
