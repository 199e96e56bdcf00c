// Talk to the server. Every answer that is not the one wanted becomes a Trouble with the server's own words.

import { toast } from "./dom.js";

export const base = document.body.dataset.base ?? "";
export const tableId = document.body.dataset.table ?? "";
const API = `${base}/api/v1`;

export class Trouble extends Error {
  constructor(status, body) {
    super(body?.error ?? `the server answered ${status}`);
    this.status = status;
    this.body = body ?? {};
  }
}

/** A name for a request: sent again under it, it is carried out once. */
export const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function call(method, path, body, key) {
  const init = { method, headers: {}, credentials: "same-origin" };
  if (key) init.headers["idempotency-key"] = key;
  if (body !== undefined) {
    init.headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  let answer;
  try {
    answer = await fetch(API + path, init);
  } catch {
    throw new Trouble(0, { error: "the server cannot be reached" });
  }
  const type = answer.headers.get("content-type") ?? "";
  let data;
  try {
    data = type.includes("json") ? await answer.json() : await answer.text();
  } catch {
    throw new Trouble(0, { error: "the answer was broken off" });
  }
  if (!answer.ok) throw new Trouble(answer.status, data);
  return data;
}

/** Do it. What the server says against it is told; whether it was done. Any other error is a fault of ours. */
export async function attempt(work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    toast(error.message, true);
    return false;
  }
}

const PAUSES = [500, 1500, 4000];
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Ask until there is an answer of the server itself: a proxy, a restart or a lost line is none. */
async function insist(method, path, body) {
  const key = newKey();
  for (const wait of [...PAUSES, null]) {
    try {
      return await call(method, path, body, key);
    } catch (error) {
      const lost = error instanceof Trouble && [0, 502, 503, 504].includes(error.status);
      if (!lost || wait === null) throw error;
      await pause(wait);
    }
  }
}

const marks = JSON.parse(document.body.dataset.marks ?? "{}");

const clauses = JSON.parse(document.body.dataset.cited ?? "{}");

/** The clause that a page cites under a name. */
export const cited = (name) => clauses[name];

const query = (params) => {
  const given = Object.entries(params ?? {}).filter(([, v]) => v !== undefined && v !== null && v !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
};

export const hall = {
  get: (path) => call("GET", path),
  /** What never changes: under its mark the browser keeps it, and asks for it once. */
  kept: (path, name, params) => call("GET", path + query({ mark: marks[name], ...params })),
  post: (path, body = {}) => call("POST", path, body),
  put: (path, body = {}) => call("PUT", path, body),
};

const here = `/tables/${tableId}`;
export const table = {
  get: (path = "", params) => call("GET", here + path + query(params)),
  post: (path, body = {}, params) => call("POST", here + path + query(params), body),
  /** What must happen once: it is sent again under the same key where no answer came. */
  once: (path, body = {}, params) => insist("POST", here + path + query(params), body),
  /** Under a key that the page keeps: sent again, even after a reload, it is carried out once. */
  keyed: (path, body, key) => call("POST", here + path, body, key),
  put: (path, body = {}) => call("PUT", here + path, body),
  drop: (path) => call("DELETE", here + path),
  events: (after) => new EventSource(`${API}${here}/events${query({ after })}`),
  link: (path) => `${API}${here}${path}`,
};
