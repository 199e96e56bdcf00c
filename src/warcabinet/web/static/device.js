// Be known in this browser by a link from another, or by the recovery link, which is followed by the next one.

import { base, hall } from "./api.js";
import { $ } from "./dom.js";
import "./hall-theme.js";

$("#device").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  try {
    const signed = await hall.post("/sign-in", { secret: form.dataset.secret });
    if (!signed.recovery) {
      location.href = `${base}/`;
      return;
    }
    form.hidden = true;
    $("#next").hidden = false;
    $("#next-link").value = new URL(signed.recovery.path, location.href).href;
    $("#next-link").select();
  } catch (error) {
    const said = $(".form-error", form);
    said.textContent = error.message;
    said.hidden = false;
  }
});
