// Begins the first calls of a page while the application is still loading. The application takes
// these answers instead of asking itself (src/api/http.ts), so that a visit is counted once. The
// build writes it into the documents of links and of signed-in pages.
(() => {
  const untaken = new Map();
  const begin = (url) => {
    const answer = fetch(url, { credentials: "include", cache: "no-store" });
    // The application reports what goes wrong.
    answer.catch(() => undefined);
    untaken.set(url, answer);
    return answer;
  };
  // Each answer once: later calls ask the server.
  window.takeEarlyAnswer = (url) => {
    const answer = untaken.get(url);
    untaken.delete(url);
    return answer;
  };
  const { pathname, search } = location;
  const { opensLink, pdfModules, ...workers } = document.currentScript?.dataset ?? {};

  if (opensLink === undefined) {
    // Set by theme.js, which runs before.
    if (document.documentElement.dataset.signedIn === undefined) return;
    begin("/api/auth/me");
    const idea = /^\/editor\/(\d+)\/?$/i.exec(pathname);
    if (idea) begin(`/api/ideas/${Number(idea[1])}`);
    return;
  }

  let token = pathname.split("/").filter(Boolean)[1];
  try {
    token = token ? decodeURIComponent(token) : new URLSearchParams(search).get("accessToken");
  } catch {
    return;
  }
  if (!token) return;
  const visit = begin(`/api/share/${encodeURIComponent(token)}`);
  // The code of the viewer is the largest part of a page with a PDF: it loads beside the rest.
  if (!pdfModules) return;
  // As in src/pdf/modern.ts.
  const isModern = "getOrInsertComputed" in Map.prototype;
  const load = async () => {
    const { idea } = await (await visit).clone().json();
    if (idea?.content?.type !== "pdf") return;
    // In the browser's cache, where the worker finds it.
    fetch(isModern ? workers.pdfWorker : workers.pdfLegacyWorker).catch(() => undefined);
    for (const href of pdfModules.split(" ")) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "modulepreload", crossOrigin: "", href });
      document.head.append(link);
    }
  };
  load().catch(() => undefined);
})();
