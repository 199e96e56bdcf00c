// Accessibility rules that every page must keep, checked on the live page. Returns what is wrong, in words.
() => {
  const wrong = [];
  const seen = (el) => {
    const s = getComputedStyle(el);
    const r = el.getBoundingClientRect();
    return s.visibility !== "hidden" && s.display !== "none" && r.width > 0 && r.height > 0 && !el.closest("[hidden]");
  };
  const tell = (el) =>
    `${el.tagName.toLowerCase()}${el.id ? `#${el.id}` : ""}.${el.className?.baseVal ?? el.className} "${(el.textContent ?? "").trim().slice(0, 40)}"`;
  const hiddenFromReaders = (el) => el.closest("[aria-hidden=true]");
  const name = (el) =>
    (el.getAttribute("aria-label") ?? "").trim() ||
    [...(el.labels ?? [])].map((l) => l.textContent.trim()).join(" ") ||
    (el.getAttribute("aria-labelledby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" ")
      .trim() ||
    el.textContent.trim() ||
    el.title ||
    el.placeholder ||
    "";

  for (const el of document.querySelectorAll("button, a[href], input, select, textarea, [role=button], [role=option]"))
    if (seen(el) && !hiddenFromReaders(el) && !name(el)) wrong.push(`no name: ${tell(el)}`);
  for (const el of document.querySelectorAll("input:not([type=hidden]), select, textarea"))
    if (seen(el) && !el.labels?.length && !el.getAttribute("aria-label") && !el.getAttribute("aria-labelledby"))
      wrong.push(`no label: ${tell(el)}`);
  for (const el of document.querySelectorAll("canvas, svg"))
    if (seen(el) && !hiddenFromReaders(el) && !el.getAttribute("aria-label"))
      wrong.push(`a picture without words: ${tell(el)}`);
  for (const el of document.querySelectorAll("[role=dialog], dialog[open], [role=alertdialog]"))
    if (seen(el) && !name(el)) wrong.push(`a dialog without a name: ${tell(el)}`);

  const ids = [...document.querySelectorAll("[id]")].map((el) => el.id);
  for (const id of new Set(ids)) if (ids.filter((it) => it === id).length > 1) wrong.push(`id twice: ${id}`);
  for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "aria-activedescendant"]) {
    for (const el of document.querySelectorAll(`[${attribute}]`))
      if (seen(el))
        for (const id of el.getAttribute(attribute).split(" ").filter(Boolean))
          if (!document.getElementById(id)) wrong.push(`${attribute} points nowhere: ${id}`);
  }
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
  if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
  if (!document.documentElement.lang) wrong.push("no language");
  let last = 1;
  for (const el of document.querySelectorAll("h1, h2, h3, h4")) {
    if (!seen(el) && el.tagName !== "H1") continue;
    const n = Number(el.tagName[1]);
    if (n > last + 1) wrong.push(`heading skips a level: ${tell(el)}`);
    last = n;
  }
  for (const el of document.querySelectorAll("li"))
    if (!el.parentElement.matches("ul, ol, [role=list], [role=listbox]")) wrong.push(`li outside a list: ${tell(el)}`);
  for (const el of document.querySelectorAll("[tabindex]"))
    if (el.tabIndex > 0) wrong.push(`tabindex above 0: ${tell(el)}`);

  const light = (c) => {
    const v = c.map((x) => x / 255).map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
  };
  const rgb = (text) => {
    const m = /rgba?\(([^)]+)\)/.exec(text);
    if (!m) return null;
    const p = m[1].split(/[ ,/]+/).map(Number);
    return p.length > 3 && p[3] < 1 ? (p[3] === 0 ? null : "mixed") : p.slice(0, 3);
  };
  const ground = (el) => {
    for (let at = el; at; at = at.parentElement) {
      const s = getComputedStyle(at);
      if (s.backgroundImage !== "none") return "mixed";
      const c = rgb(s.backgroundColor);
      if (c) return c;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const el = walker.currentNode.parentElement;
    if (
      !walker.currentNode.textContent.trim() ||
      !seen(el) ||
      el.closest(".sr-only, :disabled, script, canvas, datalist, option, svg") ||
      getComputedStyle(el).opacity < 1
    )
      continue;
    const [ink, under] = [rgb(getComputedStyle(el).color), ground(el)];
    if (!Array.isArray(ink) || !Array.isArray(under)) continue;
    const [a, b] = [light(ink), light(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(getComputedStyle(el).fontSize);
    if (ratio < (size >= 24 || (size >= 18.66 && Number(getComputedStyle(el).fontWeight) >= 700) ? 3 : 4.5))
      wrong.push(`contrast ${ratio.toFixed(2)}: ${tell(el)}`);
    if (size < 9.5) wrong.push(`too small, ${size}px: ${tell(el)}`);
  }
  return [...new Set(wrong)];
};
