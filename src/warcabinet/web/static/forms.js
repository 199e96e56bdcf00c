// Forms of pages that the server has drawn: what goes wrong is said in the form itself.

import { $ } from "./dom.js";

/** Do it for a form; what the server says against it stands in the form. */
export async function inForm(form, work) {
  const said = $(".form-error", form);
  said.hidden = true;
  try {
    await work(form);
  } catch (error) {
    said.textContent = error.message;
    said.hidden = false;
  }
}

/** Do it when the form is sent; a page may be without the form. */
export const onSubmit = (form, work) =>
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    inForm(form, work);
  });
