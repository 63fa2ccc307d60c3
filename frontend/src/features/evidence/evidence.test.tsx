import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { deferResponse, neverRespond, respondWith, signedIn } from "@/testing/api";
import { anEvent, someEvidence } from "@/testing/evidence";
import { aListedIdea } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";
import { authority, calendar, onRecord, open, serve, steps } from "./testEvidence";

beforeEach(() => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea()]);
});

describe("the seal and the confirmations", () => {
  test.each([
    ["Not on record", {}, ["open", "open"]],
    ["Recorded by this server", onRecord, ["reached", "open"]],
    [
      "Confirmation under way",
      { ...onRecord, state: "submitted", anchors: [{ ...authority, state: "queued" }] },
      ["reached", "waiting"],
    ],
    [
      "Confirmed by a witness",
      { ...onRecord, state: "confirmed", anchors: [authority, { ...calendar, state: "pending" }] },
      ["reached", "reached", "waiting"],
    ],
    [
      "In the Bitcoin blockchain",
      { ...onRecord, state: "confirmed", anchors: [authority, calendar] },
      ["reached", "reached", "reached"],
    ],
    [
      "Recording has stopped",
      { ...onRecord, state: "stopped", anchors: [authority] },
      ["reached", "reached"],
    ],
  ] as const)("show '%s'", async (seal, over, states) => {
    serve({ ...over, anchors: "anchors" in over ? [...over.anchors] : [] });
    await open();
    expect(screen.getByRole("img", { name: seal })).toBeVisible();
    expect(steps().map(([state]) => state)).toEqual(states);
  });

  test("say who confirmed which time, and in which block", async () => {
    serve({ ...onRecord, state: "confirmed", anchors: [authority, calendar] });
    await open();
    expect(steps().map(([, title]) => title)).toEqual([
      "Recorded by this server",
      "Confirmed by freetsa.org at November 20, 2026, 10:15:00 UTC",
      "In Bitcoin block 871234, at most November 20, 2026, 12:00:00 UTC",
    ]);
    expect(screen.getByText("Place 12 of vault.example.org/log1")).toBeVisible();
  });

  test("say of a block that was not checked who reports it", async () => {
    const reported = { ...calendar, state: "pending", time: null } as const;
    serve({ ...onRecord, state: "submitted", anchors: [reported] });
    await open();
    expect(steps()[1]).toEqual([
      "waiting",
      "Reported to be in Bitcoin, not checked by this server",
    ]);
    expect(screen.getByText(/^calendar.example names block 871234\./)).toBeVisible();
    expect(screen.getByRole("img", { name: "Confirmation under way" })).toBeVisible();
  });

  test("say once that there is no witness, and what that means", async () => {
    serve(onRecord);
    await open();
    expect(steps()).toEqual([
      ["reached", "Recorded by this server"],
      ["open", "No outside witness is set up on this vault"],
    ]);
    expect(screen.getByText(/^Nobody but this server can say when/)).toBeVisible();
    expect(screen.getByRole("main")).not.toHaveTextContent(/blockchain|bitcoin/i);
  });

  test.each([
    ["soon after a version was recorded", onRecord, /are asked within some minutes/],
    ["before", {}, /are asked once a version is on record/],
  ])("say when witnesses are asked, %s", async (_, over, note) => {
    serve({ ...over, hasWitnesses: true });
    await open();
    expect(steps()[1]).toEqual(["open", "Not confirmed by an outside witness"]);
    expect(screen.getByText(note)).toBeVisible();
  });

  test("do not say of a calendar that is still asked that it promised anything", async () => {
    const queued = { ...calendar, state: "queued", time: null, block: null } as const;
    serve({ ...onRecord, anchors: [queued] });
    await open();
    expect(steps()[1]).toEqual(["waiting", "Not in the Bitcoin blockchain yet"]);
    expect(screen.getByText("calendar.example is being asked.")).toBeVisible();
  });

  test("say of a refused answer that it could not be used", async () => {
    serve({ ...onRecord, anchors: [{ ...authority, state: "refused", time: null }] });
    await open();
    expect(screen.getByText("freetsa.org gave no answer that could be used.")).toBeVisible();
  });

  test("say plainly that recording has stopped, and who can say why", async () => {
    serve({ ...onRecord, state: "stopped", events: [anEvent({ index: null, log: null })] });
    await open();
    expect(
      screen.getByText(/^Recording has stopped: .* The operator of this server/),
    ).toBeVisible();
    expect(await screen.findByText("Without a place: recording has stopped")).toBeVisible();
  });
});

test("before the log has begun, the page names none", async () => {
  serve({ log: null, onRecord: true, recordedAt: "2026-11-20T10:14:03.000000Z" });
  await open();
  expect(steps()[0]).toEqual(["waiting", "Recorded by this server"]);
  expect(await screen.findByText("SHA-256 fingerprint of its exact content")).toBeVisible();
  expect(screen.queryByText("Log")).toBeNull();
  expect(screen.queryByText("The log's public key")).toBeNull();
});

describe("putting a version on record", () => {
  test("a draft whose current version is not on record offers it", async () => {
    const states = [someEvidence({ revision: 4 }), someEvidence({ ...onRecord, revision: 4 })];
    server.use(
      http.get("*/api/ideas/7/evidence", () =>
        HttpResponse.json(states[Math.min(calls.length, 1)]),
      ),
    );
    const calls = respondWith("post", "/api/ideas/7/evidence/record", 200, states[1]);
    const { user } = await open();
    expect(screen.getByText(/^Version 4, the current one, is not on record/)).toBeVisible();
    await user.click(screen.getByRole("button", { name: /^Put this version on record/ }));
    expect(await screen.findByText("Version 4 is on record.")).toBeVisible();
    expect(calls).toHaveLength(1);
    await waitFor(() =>
      expect(screen.getByRole("img", { name: "Recorded by this server" })).toBeVisible(),
    );
    expect(screen.queryByRole("button", { name: /^Put this version/ })).not.toBeInTheDocument();
  });

  test("a failure says so and keeps the button", async () => {
    serve();
    respondWith("post", "/api/ideas/7/evidence/record", 500);
    const { user } = await open();
    const button = screen.getByRole("button", { name: /^Put this version on record/ });
    await user.click(button);
    expect(await screen.findByText(/could not be put on record/)).toBeVisible();
    expect(button).toBeEnabled();
  });

  test.each([
    ["a version that is on record", onRecord, aListedIdea()],
    ["a published idea", {}, aListedIdea({ status: "published" })],
  ])("%s needs none", async (_, over, idea) => {
    respondWith("get", "/api/ideas", 200, [idea]);
    serve(over);
    await open();
    expect(screen.queryByRole("button", { name: /^Put this version/ })).not.toBeInTheDocument();
  });
});

describe("the download", () => {
  const bundle = new Uint8Array([1, 2, 3]);

  test("saves the bundle by its name", async () => {
    serve(onRecord);
    server.use(
      http.get("*/api/ideas/7/evidence.zip", () =>
        HttpResponse.arrayBuffer(bundle.buffer, {
          headers: {
            "content-type": "application/zip",
            "content-disposition": 'attachment; filename="evidence-7.zip"',
          },
        }),
      ),
    );
    const names: string[] = [];
    URL.createObjectURL = () => "blob:x";
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Download evidence" }));
    expect(await screen.findByText("Evidence downloaded.")).toBeInTheDocument();
    expect(names).toEqual(["evidence-7.zip"]);
  });

  test("shows its progress, and can be cancelled", async () => {
    serve(onRecord);
    neverRespond("get", "/api/ideas/7/evidence.zip");
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Download evidence" }));
    expect(await screen.findByRole("progressbar", { name: "Download evidence" })).toBeVisible();
    expect(screen.getAllByText("Preparing the evidence…")[0]).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Cancel download" }));
    expect(screen.queryByRole("progressbar")).not.toBeInTheDocument();
  });

  test("says why it failed", async () => {
    serve(onRecord);
    respondWith("get", "/api/ideas/7/evidence.zip", 503, { message: "Please come back later." });
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Download evidence" }));
    expect(await screen.findByText("Please come back later.")).toBeVisible();
  });
});

test("an idea of somebody else, or none, leads to the dashboard", async () => {
  respondWith("get", "/api/ideas/7/evidence", 404, { message: "Not found." });
  const { path } = renderRoute("/evidence/7");
  await waitFor(() => expect(path()).toBe("/dashboard"));
  // The page that leads there says the same for a moment.
  await waitFor(() => expect(screen.getByText("Idea not found")).toBeVisible());
});

test.each(["x", "0", "1.5"])("%s is the number of no idea", async (id) => {
  const { path } = renderRoute(`/evidence/${id}`);
  await waitFor(() => expect(path()).toBe("/dashboard"));
});

test("says that the evidence is damaged, and whom to ask", async () => {
  const message = "This cannot be read: its stored data is damaged.";
  respondWith("get", "/api/ideas/7/evidence", 500, { message });
  renderRoute("/evidence/7");
  expect(await screen.findByRole("alert")).toHaveTextContent(message);
});

test("says that the details of a reader are damaged", async () => {
  const recipient = "0d3b1a52-52b7-4a4e-8a4e-33b3c1b5a111";
  const event = anEvent({ type: "agreement.accepted", recipient, isDamaged: true });
  serve({ ...onRecord, events: [event] });
  renderRoute("/evidence/7");
  expect(await screen.findByText(/details damaged: ask the operator/)).toBeVisible();
  expect(screen.queryByText(/erased/)).not.toBeInTheDocument();
});

test("a failure can be tried again", async () => {
  respondWith("get", "/api/ideas/7/evidence", 500);
  const { user } = renderRoute("/evidence/7");
  expect(await screen.findByText("The evidence could not be loaded.")).toBeVisible();
  serve(onRecord);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("img", { name: "Recorded by this server" })).toBeVisible();
});

test("a failure to load the list of ideas can be tried again", async () => {
  respondWith("get", "/api/ideas", 503, { message: "The database is away." });
  serve(onRecord);
  const { user } = renderRoute("/evidence/7");
  expect(await screen.findByText("The evidence could not be loaded.")).toBeVisible();
  respondWith("get", "/api/ideas", 200, [aListedIdea()]);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("heading", { level: 1, name: /Self-watering/ })).toBeVisible();
});

test("an idea that is newer than the list on the dashboard is no deleted draft", async () => {
  respondWith("get", "/api/ideas", 200, []);
  serve(onRecord);
  const { router } = renderRoute("/dashboard");
  await screen.findByRole("heading", { name: "Idea Portfolio" });
  const { calls, release } = deferResponse("get", "/api/ideas");
  await router.navigate("/evidence/7");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(await screen.findByText("Loading the evidence...")).toBeVisible();
  expect(screen.queryByRole("heading", { name: /a deleted draft/ })).not.toBeInTheDocument();
  release(200, [aListedIdea({ status: "published" })]);
  expect(await screen.findByRole("heading", { level: 1, name: /Self-watering/ })).toBeVisible();
  expect(screen.getByText("Published")).toBeVisible();
});

test("the evidence of a deleted draft has the title that its events tell", async () => {
  respondWith("get", "/api/ideas", 200, []);
  const facts = { content: { title: "A kettle that waits" } };
  serve({ ...onRecord, onRecord: false, events: [anEvent({ facts })] });
  renderRoute("/evidence/7");
  expect(
    await screen.findByRole("heading", { level: 1, name: /A kettle that waits/ }),
  ).toBeVisible();
  expect(screen.queryByRole("button", { name: /^Put this version/ })).not.toBeInTheDocument();
});

test("while it loads, it says so", async () => {
  neverRespond("get", "/api/ideas/7/evidence");
  renderRoute("/evidence/7");
  expect(await screen.findByText("Loading the evidence...")).toBeVisible();
});

describe("the documents", () => {
  const published = aListedIdea({ status: "published", documentId: "IV-7K3M-Q9TX-2B4N" });

  test("of a published idea are its certificate and its public record", async () => {
    respondWith("get", "/api/ideas", 200, [published]);
    serve(onRecord);
    const { user } = await open();
    const certificate = await screen.findByRole("link", { name: "Download the certificate" });
    expect(certificate).toHaveAttribute("href", "/api/ideas/7/certificate.pdf");
    expect(screen.queryByRole("link", { name: "Open the public record" })).toBeNull();
    const changes = respondWith("put", "/api/ideas/7/public-record", 200, { enabled: true });
    serve({ ...onRecord, publicRecord: true });
    await user.click(await screen.findByRole("checkbox", { name: /^Public record/ }));
    expect(await screen.findByRole("link", { name: "Open the public record" })).toHaveAttribute(
      "href",
      "/record/IV-7K3M-Q9TX-2B4N",
    );
    expect(changes.map(({ body }) => body)).toEqual([{ enabled: true }]);
    expect(screen.getByRole("checkbox", { name: /^Public record/ })).toBeChecked();
  });

  test("of a draft do not exist", async () => {
    serve(onRecord);
    await open();
    await screen.findByRole("button", { name: "Download evidence" });
    expect(screen.queryByRole("link", { name: "Download the certificate" })).toBeNull();
  });

  test("of an acceptance are its receipt", async () => {
    const recipient = "00000000-0000-4000-8000-000000000001";
    serve({
      ...onRecord,
      events: [anEvent({ type: "agreement.accepted", recipient, name: "Grace Hopper" })],
    });
    await open();
    expect(await screen.findByRole("link", { name: /^Receipt ?of Grace Hopper$/ })).toHaveAttribute(
      "href",
      `/api/recipients/${recipient}/receipt.pdf`,
    );
  });
});
