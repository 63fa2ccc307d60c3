// Looks up the link that the page was opened with while the application is still loading. The
// application takes this answer instead of asking itself (src/api/publicClient.ts), so that a visit
// is counted once. The build writes it into the documents of links.
(() => {
  const { pathname, search } = location;
  let token = pathname.split("/").filter(Boolean)[1];
  try {
    token = token ? decodeURIComponent(token) : new URLSearchParams(search).get("accessToken");
  } catch {
    return;
  }
  if (!token) return;
  const url = `/api/share/${encodeURIComponent(token)}`;
  const answer = fetch(url, { credentials: "include", cache: "no-store" });
  let untaken = answer;
  // Once only, and only for this link: later calls ask the server.
  window.takeEarlyVisit = (wanted) => {
    const taken = wanted === url ? untaken : undefined;
    untaken = undefined;
    return taken;
  };

  // The code of the viewer is the largest part of a page with a PDF: it loads beside the rest.
  const { pdfModules, pdfWorker } = document.currentScript?.dataset ?? {};
  if (!pdfModules || !pdfWorker) return;
  const load = async () => {
    const { idea } = await (await answer).clone().json();
    if (idea?.content?.type !== "pdf") return;
    // In the browser's cache, where the worker finds it.
    fetch(pdfWorker).catch(() => undefined);
    for (const href of pdfModules.split(" ")) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "modulepreload", crossOrigin: "", href });
      document.head.append(link);
    }
  };
  // The application reports what goes wrong.
  load().catch(() => undefined);
})();
