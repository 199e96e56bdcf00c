// Be known in this browser by a link from another.

import { base, hall } from "./api.js";
import { $ } from "./dom.js";

$("#device").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  try {
    await hall.post("/sign-in", { secret: form.dataset.secret });
    location.href = `${base}/`;
  } catch (error) {
    const said = $(".form-error", form);
    said.textContent = error.message;
    said.hidden = false;
  }
});
