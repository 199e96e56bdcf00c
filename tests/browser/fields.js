// Watches what a page asks the API and what it reads of the answers: all of it must stand in the API's description.
(described) => {
  const faults = (globalThis.outsideTheApi = new Set());
  const { schemas } = described.components;
  const follow = (schema) => (schema?.$ref ? follow(schemas[schema.$ref.split("/").at(-1)]) : schema);
  const options = (schema) => {
    const it = follow(schema);
    return it?.anyOf || it?.oneOf ? (it.anyOf ?? it.oneOf).flatMap(options) : it ? [it] : [];
  };
  const paths = Object.entries(described.paths)
    .map(([path, made]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), path, made])
    .sort(([, a], [, b]) => a.split("{").length - b.split("{").length);

  /** An answer that notes what is read of it and stands in none of the schemas that it may have. */
  const watched = (value, kinds, where) => {
    if (value === null || typeof value !== "object" || !kinds.length) return value;
    if (Array.isArray(value)) {
      const lists = kinds.filter((it) => it.type === "array");
      return value.map((it, i) => watched(it, lists.flatMap((l) => options(l.prefixItems?.[i] ?? l.items)), where));
    }
    const objects = kinds.filter((it) => it.type === "object" || it.properties);
    const open = objects.find((it) => !it.properties);
    const named = (key) => objects.filter((it) => it.properties && key in it.properties);
    const inside = (key) =>
      named(key).length
        ? named(key).flatMap((it) => options(it.properties[key]))
        : options(open?.additionalProperties ?? objects.find((it) => typeof it.additionalProperties === "object")?.additionalProperties);
    const copy = Object.fromEntries(Object.entries(value).map(([key, it]) => [key, watched(it, inside(key), `${where}.${key}`)]));
    if (open || !objects.length) return copy;
    return new Proxy(copy, {
      get(target, key, receiver) {
        const known = typeof key === "symbol" || key in target || named(key).length || ["then", "toJSON", "length"].includes(key);
        if (!known && key !== "$$typeof") faults.add(`${where} has no ${key}`);
        return Reflect.get(target, key, receiver);
      },
      // What is set by the page itself is no longer the server's.
      set: (target, key, it) => Reflect.set(target, key, it),
    });
  };

  const real = globalThis.fetch;
  globalThis.fetch = async (address, init = {}) => {
    const url = new URL(address, location.href);
    const method = (init.method ?? "GET").toLowerCase();
    const [, path, made] = paths.find(([fits, , all]) => fits.test(url.pathname) && method in all) ?? [];
    const answer = await real(address, init);
    if (!made) {
      faults.add(`no ${method} ${url.pathname}`);
      return answer;
    }
    const told = made[method];
    const asked = new Set(told.parameters.filter((it) => it.in === "query").map((it) => it.name));
    for (const key of url.searchParams.keys()) if (!asked.has(key)) faults.add(`${method} ${path} is not asked by ${key}`);
    const body = init.body ? JSON.parse(init.body) : {};
    const bodies = options(told.requestBody?.content["application/json"].schema);
    if (bodies.length && !bodies.some((it) => !it.properties || Object.keys(body).every((key) => key in it.properties)))
      faults.add(`${method} ${path} is not told ${Object.keys(body)}`);
    const content = told.responses[answer.status]?.content["application/json"];
    if (!content) return answer;
    const json = answer.json.bind(answer);
    answer.json = async () => watched(await json(), options(content.schema), `${method} ${path}`);
    return answer;
  };
}
