// A link in a message: only the button does something, because programs open links as well.

import { hall } from "./api.js";
import { $ } from "./dom.js";
import "./hall-theme.js";

const form = $("#notice");
form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await hall.post(`/notices/${form.dataset.what}`, { secret: form.dataset.secret });
    $("#said").textContent = form.dataset.what === "stop" ? "No more e-mails come." : "Agreed. From now on you are told by e-mail.";
    form.remove();
  } catch (error) {
    const said = $(".form-error", form);
    said.textContent = error.message;
    said.hidden = false;
  }
});
