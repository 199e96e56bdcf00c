// Take the seat to which an invitation leads.

import { hall } from "./api.js";
import { $ } from "./dom.js";
import "./hall-theme.js";

$("#join").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = event.target;
  try {
    location.href = (
      await hall.post("/join", { invitation: form.dataset.invitation, name: form.elements.name.value })
    ).url;
  } catch (error) {
    const said = $(".form-error", form);
    said.textContent = error.message;
    said.hidden = false;
  }
});
