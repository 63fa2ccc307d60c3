// Begins the first calls of a page while the application is still loading. The application takes
// these answers instead of asking itself (src/api/http.ts), so that a visit is counted once. The
// build writes it into the documents of links and of signed-in pages.
(() => {
  const untaken = new Map();
  const begin = (url, range) => {
    const headers = range ? { headers: { Range: range } } : {};
    const answer = fetch(url, { credentials: "include", cache: "no-store", ...headers });
    // The application reports what goes wrong.
    answer.catch(() => undefined);
    untaken.set(`${url} ${range}`, answer);
    return answer;
  };
  // Each answer once: later calls ask the server.
  window.takeEarlyAnswer = (url, range) => {
    const call = `${url} ${range}`;
    const answer = untaken.get(call);
    untaken.delete(call);
    return answer;
  };
  const { pathname, search } = location;
  const { opensShare, pdf, pdfModules, ...workers } = document.currentScript?.dataset ?? {};

  if (opensShare === undefined) {
    // Set by theme.js, which runs before.
    if (document.documentElement.dataset.signedIn === undefined) return;
    const user = begin("/api/auth/me");
    if (/^\/dashboard\/?$/i.test(pathname)) {
      const beginLists = ({ ok }) => {
        if (!ok) return;
        for (const list of ["/api/ideas", "/api/assets", "/api/profile/storage"]) begin(list);
      };
      user.then(beginLists).catch(() => undefined);
    }
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
  if (!pdfModules) return;
  // As in src/pdf/modern.ts.
  const isModern = "getOrInsertComputed" in Map.prototype;

  // The viewer is the largest part of a page with a PDF, so it does not wait for the application. The
  // ranges of the file are those of src/pdf/byteSource.ts.
  const openPdf = async (path) => {
    const isFile = /^\/api\/files\/[\w-]+$/.test(path);
    const ends = isFile ? ["bytes=0-8191", "bytes=-16384"].map((range) => begin(path, range)) : [];
    // Not at once: the application, which is needed first, would take twice as long.
    await Promise.allSettled(ends.map(async (end) => (await end).clone().arrayBuffer()));
    // In the browser's cache, where the worker finds it.
    const worker = fetch(isModern ? workers.pdfWorker : workers.pdfLegacyWorker);
    for (const href of pdfModules.split(" ")) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "modulepreload", crossOrigin: "", href });
      document.head.append(link);
    }
    // The beginning of the file follows while the last part of the worker arrives, so that the
    // connection is idle at no time.
    const reader = (await worker).body.getReader();
    for (let left = 600000; left > 0; ) {
      const { value } = await reader.read();
      left -= value?.length ?? left;
    }
    // To its end, or it would not be cached.
    (async () => {
      while (!(await reader.read()).done);
    })().catch(() => undefined);
    const [, length] = (await ends[0])?.headers.get("content-range")?.split("/") ?? [];
    const end = Math.min(131072, length - 16384);
    if (end > 8192) begin(path, `bytes=8192-${end - 1}`);
  };
  // The server says which file it is where it may, and otherwise the link does.
  const open = async () => {
    if (pdf) return openPdf(pdf);
    const { idea } = await (await visit).clone().json();
    if (idea?.content?.type === "pdf") await openPdf(idea.content.pdfPath);
  };
  open().catch(() => undefined);
})();
