// Talk to the server. Every answer that is not the one wanted becomes a Trouble with the server's own words.

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

async function call(method, path, body) {
  const init = { method, headers: {}, credentials: "same-origin" };
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
  const data = type.includes("json") ? await answer.json() : await answer.text();
  if (!answer.ok) throw new Trouble(answer.status, data);
  return data;
}

const marks = JSON.parse(document.body.dataset.marks ?? "{}");

export const hall = {
  get: (path) => call("GET", path),
  /** What never changes: under its mark the browser keeps it, and asks for it once. */
  kept: (path, name) => call("GET", path + (marks[name] ? `?mark=${marks[name]}` : "")),
  post: (path, body = {}) => call("POST", path, body),
};

const here = `/tables/${tableId}`;
const query = (params) => {
  const given = Object.entries(params ?? {}).filter(([, v]) => v !== undefined && v !== null && v !== "");
  return given.length ? `?${new URLSearchParams(given)}` : "";
};
export const table = {
  get: (path = "", params) => call("GET", here + path + query(params)),
  post: (path, body = {}, params) => call("POST", here + path + query(params), body),
  put: (path, body = {}) => call("PUT", here + path, body),
  events: () => new EventSource(`${API}${here}/events`),
  link: (path) => `${API}${here}${path}`,
};
