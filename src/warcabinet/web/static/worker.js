// The page of the books is opened where there is no line to the server: as it was kept (`books.js`), and nothing else is.

const kept = async ({ request }) => {
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await caches.match(request, { ignoreSearch: request.mode === "navigate" });
    if (copy) return copy;
    throw error;
  }
};

addEventListener("fetch", (event) => {
  const { mode, url } = event.request;
  if (mode === "navigate" || url.includes("/static/")) event.respondWith(kept(event));
});
