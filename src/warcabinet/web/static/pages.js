// The small pages beside the table. Only their button does something, because programs open links as well.

import { base, hall } from "./api.js";
import { $ } from "./dom.js";
import { onSubmit } from "./forms.js";
import "./hall-theme.js";

// Take the seat to which an invitation leads.
onSubmit($("#join"), async ({ dataset, elements }) => {
  location.href = (await hall.post("/join", { invitation: dataset.invitation, name: elements.name.value })).url;
});

// Be known in this browser by a link from another, or by the recovery link, which is followed by the next one.
onSubmit($("#device"), async (form) => {
  const { recovery } = await hall.post("/sign-in", { secret: form.dataset.secret });
  if (!recovery) return void (location.href = `${base}/`);
  form.hidden = true;
  $("#next").hidden = false;
  $("#next-link").value = new URL(recovery.path, location.href).href;
  $("#next-link").select();
});

// A link in a message.
onSubmit($("#notice"), async (form) => {
  const { what, secret } = form.dataset;
  await hall.post(`/notices/${what}`, { secret });
  $("#said").textContent = what === "stop" ? "No more e-mails come." : "Agreed. From now on you are told by e-mail.";
  form.remove();
});
