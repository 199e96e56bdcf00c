// How a person is told that it is their turn: in the browser, by e-mail, by webhook; each with a try.

import { base, hall } from "./api.js";
import { fill, h, toast } from "./dom.js";
import { chime, mayNotice, notice } from "./chime.js";

const EVERY = [
  [10, "once in ten minutes"],
  [60, "once an hour"],
  [240, "once in four hours"],
  [1440, "once a day"],
];
const FORMS = [
  ["json", "JSON, for programs"],
  ["slack", "Slack, Mattermost, Rocket.Chat (text)"],
  ["discord", "Discord (content)"],
];

let state = null;
const places = [];

export async function startTell(box, full) {
  places.push([box, full]);
  state ??= await hall.get("/me/notices");
  draw();
}

const draw = () => places.forEach(([box, full]) => fill(box, full ? sheet() : list()));

async function wish(change) {
  try {
    state = await hall.put("/me/notices", change);
    draw();
    return true;
  } catch (error) {
    toast(error.message, true);
    draw();
    return false;
  }
}

async function tryIt(way) {
  try {
    const tried = await hall.post("/me/notices/test", { way });
    toast(tried.done ? `The test is ${tried.text}.` : `It did not arrive: ${tried.text}`, !tried.done);
    state = await hall.get("/me/notices");
    draw();
  } catch (error) {
    toast(error.message, true);
  }
}

async function tryBrowser() {
  if (state.browser.sound) chime();
  if (state.browser.notice && (await mayNotice())) notice("War Cabinet: a test", "So you are told when it is your turn.");
  document.title = state.browser.title ? "● Your turn · a test" : document.title;
  toast("So the page tells you. The title shows a mark as well.");
}

/** A switch: pressed or not. */
const toggle = (label, on, press, off) =>
  h("button", { type: "button", className: "switch", role: "switch", "aria-checked": String(on), "aria-label": label, disabled: off, onclick: press });

const browserOn = () => state.browser.sound || state.browser.notice;
async function browserWish(change) {
  const wanted = { ...state.browser, ...change };
  if (wanted.notice && !(await mayNotice())) {
    wanted.notice = false;
    toast("This browser shows no notices of this page; allow them in its settings.", true);
  }
  await wish({ browser: wanted });
}

const masked = (address) => address.replace(/^(.[^@]{0,4})[^@]*@.*/, "$1@…");
const every = (minutes) => EVERY.findLast(([n]) => n <= minutes)?.[1] ?? "at once";

function list() {
  const { mail, webhook } = state;
  const row = (name, text, on, press, more, off) =>
    h("li", {}, toggle(name, on, press, off), h("div", {}, h("strong", {}, name), h("span", { className: "quiet small" }, text)), more);
  const go = (text, where) => h("a", { href: `${base}/you#${where}` }, text);
  return h(
    "ul",
    { className: "tell" },
    row(
      "In the browser",
      "title, sound and notice",
      browserOn(),
      () => browserWish(browserOn() ? { sound: false, notice: false } : { sound: true, notice: true }),
      h("button", { type: "button", className: "link", onclick: tryBrowser }, "Try it"),
    ),
    row(
      "By e-mail",
      !state.mail_possible
        ? "this server sends none"
        : state.mail_state.trouble || (mail.address ? `${masked(mail.address)}, at most ${every(mail.every)}` : "a digest, at most once an hour"),
      mail.on,
      () => wish({ mail: { ...mail, on: !mail.on } }),
      go(mail.address ? "Change" : "Set up", "mail"),
      !mail.address || !state.mail_confirmed,
    ),
    row(
      "To a webhook",
      state.webhook_state.trouble || (webhook.address ? new URL(webhook.address).host : "JSON, or what chat services take"),
      webhook.on,
      () => wish({ webhook: { ...webhook, on: !webhook.on } }),
      go(webhook.address ? "Change" : "Set up", "webhook"),
      !webhook.address,
    ),
  );
}

const options = (found, chosen) =>
  found.map(([value, text]) => h("option", { value: String(value), selected: String(value) === String(chosen) }, text));
const field = (label, control) => h("label", {}, label, control);
const said = (how) =>
  how.trouble
    ? h("p", { className: "form-error" }, `The last message did not arrive: ${how.trouble}.`)
    : how.sent
      ? h("p", { className: "quiet" }, `Last told ${new Date(how.sent * 1000).toLocaleString()}.`)
      : null;

function browserPart() {
  const box = (name, text) =>
    h("label", { className: "pick" }, h("input", { type: "checkbox", name, checked: state.browser[name], onchange: (e) => browserWish({ [name]: e.target.checked }) }), h("span", {}, text));
  return h(
    "section",
    { id: "browser" },
    h("h3", {}, "In the browser"),
    h("p", { className: "quiet" }, "While a table’s page is open, also in the background."),
    box("title", "A mark in the page’s title"),
    box("sound", "A soft sound"),
    box("notice", "A notice of the browser, where the page is not in sight"),
    h("p", {}, h("button", { type: "button", onclick: tryBrowser }, "Try it")),
  );
}

function mailPart() {
  const { mail } = state;
  const keep = async (form, on) => wish({ mail: { address: form.elements.address.value.trim(), every: Number(form.elements.every.value), on } });
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const same = form.elements.address.value.trim() === mail.address;
    if (await keep(form, same && mail.on)) await tryIt("mail");
  };
  const least = EVERY.filter(([n]) => n >= state.mail_minutes);
  return h(
    "section",
    { id: "mail" },
    h("h3", {}, "By e-mail"),
    state.mail_possible
      ? h(
          "form",
          { onsubmit: submit },
          field("Address", h("input", { type: "email", name: "address", required: true, maxLength: 254, value: mail.address, autocomplete: "email" })),
          field("At most", h("select", { name: "every", onchange: (e) => mail.address && keep(e.target.form, mail.on) }, options(least, mail.every))),
          h("p", { className: "quiet" }, "Several turns become one message. Whoever is at the table gets none, and every message has a link that stops them."),
          said(state.mail_state),
          h(
            "p",
            { className: "row" },
            h("button", { type: "submit", className: mail.on ? "" : "main" }, "Send a test"),
            state.mail_confirmed
              ? toggle("By e-mail", mail.on, () => wish({ mail: { ...mail, on: !mail.on } }))
              : h("span", { className: "quiet" }, "Open the link in the test: then e-mails come."),
            state.mail_confirmed ? h("span", {}, mail.on ? "on" : "off") : null,
          ),
        )
      : h("p", { className: "quiet" }, "This server sends no e-mail: whoever runs it names a mail server with --smtp."),
  );
}

function webhookPart() {
  const { webhook } = state;
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target.elements;
    const wanted = { address: form.address.value.trim(), form: form.form.value, every: Number(form.every.value), on: true };
    if (await wish({ webhook: wanted })) await tryIt("webhook");
  };
  return h(
    "section",
    { id: "webhook" },
    h("h3", {}, "To a webhook"),
    h(
      "form",
      { onsubmit: submit },
      field("Address", h("input", { type: "url", name: "address", required: true, maxLength: 500, value: webhook.address, placeholder: "https://…" })),
      field("Form", h("select", { name: "form" }, options(FORMS, webhook.form))),
      field("At most", h("select", { name: "every" }, options([[0, "every digest"], ...EVERY], webhook.every))),
      said(state.webhook_state),
      h(
        "p",
        { className: "row" },
        h("button", { type: "submit", className: webhook.on ? "" : "main" }, "Keep, and send a test"),
        webhook.address ? toggle("To a webhook", webhook.on, () => wish({ webhook: { ...webhook, on: !webhook.on } })) : null,
        webhook.address ? h("span", {}, webhook.on ? "on" : "off") : null,
      ),
    ),
  );
}

const sheet = () => [browserPart(), mailPart(), webhookPart()];
