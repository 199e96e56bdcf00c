// How a person is told that it is their turn: in the browser, by e-mail, by webhook; each with a try.

import { attempt, base, hall } from "./api.js";
import { toast } from "./dom.js";
import { chime, mayNotice, notice } from "./chime.js";
import { html, options, panel, signal } from "./ui.js";

const EVERY = [[10, "once in ten minutes"], [60, "once an hour"], [240, "once in four hours"], [1440, "once a day"]];
const FORMS = [
  ["json", "JSON, for programs"],
  ["slack", "Slack, Mattermost, Rocket.Chat (text)"],
  ["discord", "Discord (content)"],
];

/** What this person wishes, and how the last messages went. */
const wishes = signal(null);

export async function startTell(box, full) {
  wishes.value ??= await hall.get("/me/notices");
  panel(box, () => (full ? [browserPart(), mailPart(), webhookPart()] : list()));
}

async function wish(change) {
  const done = await attempt(async () => (wishes.value = await hall.put("/me/notices", change)));
  if (!done) wishes.value = { ...wishes.value };
  return done;
}

const tryIt = (way) =>
  attempt(async () => {
    const tried = await hall.post("/me/notices/test", { way });
    toast(tried.done ? `The test is ${tried.text}.` : `It did not arrive: ${tried.text}`, !tried.done);
    wishes.value = await hall.get("/me/notices");
  });

async function tryBrowser() {
  if (wishes.value.browser.sound) chime();
  if (wishes.value.browser.notice && (await mayNotice())) notice("War Cabinet: a test", "So you are told when it is your turn.");
  document.title = wishes.value.browser.title ? "● Your turn · a test" : document.title;
  toast("So the page tells you. The title shows a mark as well.");
}

/** A switch: pressed or not. */
const toggle = (label, on, press, off) => html`<button class="switch" role="switch" aria-checked=${on} aria-label=${label} disabled=${off} onclick=${press} />`;

const browserOn = () => wishes.value.browser.sound || wishes.value.browser.notice;
async function browserWish(change) {
  const wanted = { ...wishes.value.browser, ...change };
  if (wanted.notice && !(await mayNotice())) {
    wanted.notice = false;
    toast("This browser shows no notices of this page; allow them in its settings.", true);
  }
  await wish({ browser: wanted });
}

const masked = (address) => address.replace(/^(.[^@]{0,4})[^@]*@.*/, "$1@…");
const every = (minutes) => EVERY.findLast(([n]) => n <= minutes)?.[1] ?? "at once";

function list() {
  const { mail, webhook } = wishes.value;
  const row = (name, text, on, press, more, off) => html`<li>
    ${toggle(name, on, press, off)}
    <div><strong>${name}</strong><span class="quiet small">${text}</span></div>
    ${more}
  </li>`;
  const go = (text, where) => html`<a href=${`${base}/you#${where}`}>${text}</a>`;
  return html`<ul class="tell">
    ${row(
      "In the browser",
      "title, sound and notice",
      browserOn(),
      () => browserWish(browserOn() ? { sound: false, notice: false } : { sound: true, notice: true }),
      html`<button class="link" onclick=${tryBrowser}>Try it</button>`,
    )}
    ${row(
      "By e-mail",
      !wishes.value.mail_possible
        ? "this server sends none"
        : wishes.value.mail_state.trouble || (mail.address ? `${masked(mail.address)}, at most ${every(mail.every)}` : "a digest, at most once an hour"),
      mail.on,
      () => wish({ mail: { ...mail, on: !mail.on } }),
      go(mail.address ? "Change" : "Set up", "mail"),
      !mail.address || !wishes.value.mail_confirmed,
    )}
    ${row(
      "To a webhook",
      wishes.value.webhook_state.trouble || (webhook.address ? new URL(webhook.address).host : "JSON, or what chat services take"),
      webhook.on,
      () => wish({ webhook: { ...webhook, on: !webhook.on } }),
      go(webhook.address ? "Change" : "Set up", "webhook"),
      !webhook.address,
    )}
  </ul>`;
}

const field = (label, control) => html`<label>${label}${control}</label>`;
const said = (how) => how.trouble
  ? html`<p class="form-error">The last message did not arrive: ${how.trouble}.</p>`
  : how.sent ? html`<p class="quiet">Last told ${new Date(how.sent * 1000).toLocaleString()}.</p>` : null;

function browserPart() {
  const box = (name, text) => html`<label class="pick">
    <input type="checkbox" name=${name} checked=${wishes.value.browser[name]}
      onchange=${(e) => browserWish({ [name]: e.target.checked })} />
    <span>${text}</span>
  </label>`;
  return html`<section id="browser">
    <h3>In the browser</h3>
    <p class="quiet">While a table’s page is open, also in the background.</p>
    ${box("title", "A mark in the page’s title")}${box("sound", "A soft sound")}
    ${box("notice", "A notice of the browser, where the page is not in sight")}
    <p><button onclick=${tryBrowser}>Try it</button></p>
  </section>`;
}

function mailPart() {
  const { mail } = wishes.value;
  const keep = async (form, on) => wish({ mail: { address: form.elements.address.value.trim(), every: Number(form.elements.every.value), on } });
  const submit = async (event) => {
    const form = event.target;
    const same = form.elements.address.value.trim() === mail.address;
    if (await keep(form, same && mail.on)) await tryIt("mail");
  };
  const least = EVERY.filter(([n]) => n >= wishes.value.mail_minutes);
  return html`<section id="mail">
    <h3>By e-mail</h3>
    ${wishes.value.mail_possible
      ? html`<form onsubmit=${submit}>
        ${field("Address", html`<input type="email" name="address" required maxLength="254" value=${mail.address} autocomplete="email" />`)}
        ${field("At most", html`<select name="every" onchange=${(e) => mail.address && keep(e.target.form, mail.on)}>
          ${options(least, mail.every)}
        </select>`)}
        <p class="quiet">
          Several turns become one message. Whoever is at the table gets none, and every message has a link that stops them.
        </p>
        ${said(wishes.value.mail_state)}
        <p class="row">
          <button type="submit" class=${mail.on ? "" : "main"}>Send a test</button>
          ${wishes.value.mail_confirmed
            ? toggle("By e-mail", mail.on, () => wish({ mail: { ...mail, on: !mail.on } }))
            : html`<span class="quiet">Open the link in the test: then e-mails come.</span>`}
          ${wishes.value.mail_confirmed && html`<span>${mail.on ? "on" : "off"}</span>`}
        </p>
      </form>`
      : html`<p class="quiet">This server sends no e-mail: whoever runs it names a mail server with --smtp.</p>`}
  </section>`;
}

function webhookPart() {
  const { webhook } = wishes.value;
  const submit = async (event) => {
    const form = event.target.elements;
    const wanted = { address: form.address.value.trim(), form: form.form.value, every: Number(form.every.value), on: true };
    if (await wish({ webhook: wanted })) await tryIt("webhook");
  };
  return html`<section id="webhook">
    <h3>To a webhook</h3>
    <form onsubmit=${submit}>
      ${field("Address", html`<input type="url" name="address" required maxLength="500" value=${webhook.address} placeholder="https://…" />`)}
      ${field("Form", html`<select name="form">${options(FORMS, webhook.form)}</select>`)}
      ${field("At most", html`<select name="every">${options([[0, "every digest"], ...EVERY], webhook.every)}</select>`)}
      ${said(wishes.value.webhook_state)}
      <p class="row">
        <button type="submit" class=${webhook.on ? "" : "main"}>Keep, and send a test</button>
        ${webhook.address && toggle("To a webhook", webhook.on, () => wish({ webhook: { ...webhook, on: !webhook.on } }))}
        ${webhook.address && html`<span>${webhook.on ? "on" : "off"}</span>`}
      </p>
    </form>
  </section>`;
}
