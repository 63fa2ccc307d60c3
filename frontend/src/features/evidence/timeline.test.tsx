import { screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { EventKind } from "@/api/generated";
import { respondWith, signedIn } from "@/testing/api";
import { anEvent, someEvidence } from "@/testing/evidence";
import { aListedIdea } from "@/testing/fixtures";
import { server } from "@/testing/server";
import { onRecord, open, serve, steps } from "./testEvidence";

beforeEach(() => {
  signedIn();
  respondWith("get", "/api/ideas", 200, [aListedIdea()]);
});

describe("the timeline", () => {
  const grace = { recipient: "r1", name: "Grace Hopper", email: "grace@example.org" };
  const told = async () =>
    (await screen.findAllByRole("button", { name: "Proof" })).map(
      (button) => button.closest("li")?.querySelector("p")?.textContent,
    );

  test("tells every kind of event, by days", async () => {
    const link = { share: "s", shareName: "Spring fair", shareType: "one-time" } as const;
    const rows = [
      ["person.erased", {}, "The personal details of a reader were erased."],
      ["comment.withdrawn", grace, "Grace Hopper withdrew a comment."],
      ["comment.changed", grace, "Grace Hopper changed a comment."],
      ["comment.added", { facts: { comment: { author: "Ada" } } }, "Ada commented."],
      ["visit.closed", grace, "Grace Hopper closed the document."],
      [
        "file.delivered",
        { ...grace, facts: { file: { name: "a.png" } } },
        "Grace Hopper received a.png.",
      ],
      [
        "file.delivered",
        { ...grace, facts: { file: { name: "a.pdf" } }, body: '{"download":true,"v":2}' },
        "Grace Hopper downloaded a.pdf.",
      ],
      ["view.started", { ...grace, revision: 2 }, "Grace Hopper opened version 2."],
      ["access.requested", grace, "Grace Hopper asked to read the document."],
      ["access.approved", grace, "You let Grace Hopper read."],
      ["access.refused", grace, "You declined the request of Grace Hopper."],
      [
        "agreement.issued",
        link,
        "You accepted the agreement of the link Spring fair towards all its readers.",
      ],
      ["agreement.declined", { recipient: "r2" }, "An erased person declined the agreement."],
      ["agreement.accepted", grace, "Grace Hopper accepted the agreement."],
      [
        "agreement.accepted",
        { ...grace, revision: 1 },
        "Grace Hopper accepted the agreement for version 1.",
      ],
      ["agreement.delivered", grace, "Grace Hopper was sent the text of the agreement."],
      ["agreement.offered", grace, "Grace Hopper was offered the agreement."],
      ["email.confirmed", grace, "Grace Hopper confirmed the address grace@example.org by a code."],
      ["share.revoked", link, "The link Spring fair was revoked."],
      ["share.created", link, "The idea was shared by the link Spring fair."],
      ["share.created", { share: "t", shareType: "email" }, "The idea was shared by a link."],
      ["share.created", { ...link, shareName: "Ltd." }, "The idea was shared by the link Ltd."],
      ["share.revoked", { share: "t", shareType: "email" }, "A link was revoked."],
      ["share.created", { email: "b@example.org" }, "The idea was shared with b@example.org."],
      ["idea.deleted", {}, "The draft was deleted."],
      ["idea.published", { revision: 3 }, "The idea was published as version 3."],
      ["revision.recorded", { revision: 1 }, "Version 1 was put on record."],
      ["something.new" as EventKind, {}, "something.new"],
    ] as const;
    const events = rows.map(([type, over], row) =>
      anEvent({
        type,
        revision: null,
        index: 40 - row,
        digest: String(row).padStart(64, "0"),
        at: `2026-11-${row < 10 ? "21" : "20"}T10:00:00.000000Z`,
        ...over,
      }),
    );
    serve({ ...onRecord, events });
    await open();
    expect(await told()).toEqual(rows.map(([, , sentence]) => sentence));
    const days = screen.getAllByRole("heading", { level: 3 }).map((day) => day.textContent);
    expect(days).toEqual(["Saturday, November 21, 2026", "Friday, November 20, 2026"]);
  });

  test("counts what happened, once all of it is there", async () => {
    const event = (index: number, type: EventKind) => anEvent({ index, type, ...grace });
    const events = [
      event(5, "view.started"),
      event(4, "agreement.accepted"),
      event(3, "agreement.delivered"),
      event(2, "revision.recorded"),
      event(1, "revision.recorded"),
    ];
    serve({ ...onRecord, events, next: "older" });
    const { user } = await open();
    const more = await screen.findByRole("button", { name: "Show more" });
    expect(screen.queryByText("versions on record")).not.toBeInTheDocument();
    expect(screen.getByText(/^Earlier events are not printed here/)).toBeInTheDocument();
    serve({ ...onRecord, events: [event(0, "share.created")], next: null });
    await user.click(more);
    const list = (await screen.findByText("versions on record")).closest("dl");
    const figures = [...(list?.children ?? [])].map((figure) => figure.textContent);
    expect(figures).toEqual(["versions on record2", "link1", "agreement1", "view1"]);
    expect(screen.queryByText(/are not printed here/)).not.toBeInTheDocument();
  });

  test("keeps what does not fit a phone behind a button, in the same order", async () => {
    const events = Array.from({ length: 14 }, (_, row) =>
      anEvent({ index: 30 - row, digest: String(row).padStart(64, "0"), revision: 14 - row }),
    );
    serve({ ...onRecord, events });
    const { user } = await open();
    const all = await screen.findByRole("button", { name: "Show all 14 events" });
    const entries = () => screen.getAllByRole("button", { name: "Proof" });
    const isHiddenOnPhones = (proof: HTMLElement) =>
      proof.closest("li")?.className.includes("max-lg:not-print:hidden");
    expect(entries().map(isHiddenOnPhones)).toEqual([
      ...Array(12).fill(false),
      ...Array(2).fill(true),
    ]);
    await user.click(all);
    expect(entries().some(isHiddenOnPhones)).toBe(false);
    expect(entries()[12]).toHaveFocus();
    expect(all).not.toBeInTheDocument();
  });

  test("has each proof one press away", async () => {
    const facts = {
      person: {
        name: "Grace Hopper",
        email: "grace@example.org",
        identity: "email-confirmed",
        salt: "secret",
      },
      origin: { address: "203.0.113.7", browser: "Firefox" },
    };
    const event = anEvent({ ...grace, type: "agreement.accepted", facts });
    serve({ ...onRecord, events: [event] });
    const { user } = await open();
    expect(screen.queryByText(event.digest)).not.toBeInTheDocument();
    await user.click(await screen.findByRole("button", { name: "Proof" }));
    expect(screen.getByText(event.digest)).toBeVisible();
    expect(screen.getByText(event.body)).toBeVisible();
    expect(screen.getByText("No. 12 of vault.example.org/log1")).toBeVisible();
    expect(screen.getByText(/its files are 12.json and 12.tlog-proof/)).toBeVisible();
    expect(screen.getByText("203.0.113.7")).toBeVisible();
    expect(screen.getByText("a code mailed to the address")).toBeVisible();
    expect(screen.queryByText("secret")).not.toBeInTheDocument();
    const write = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await user.click(screen.getByRole("button", { name: "Copy the event" }));
    expect(write).toHaveBeenCalledWith(event.body);
    await user.click(screen.getByRole("button", { name: "Proof" }));
    expect(screen.queryByText(event.digest)).not.toBeInTheDocument();
  });

  test("says that nothing has happened yet, and promises nothing", async () => {
    serve();
    await open();
    expect(await screen.findByText("Nothing has happened yet")).toBeVisible();
    expect(await screen.findByRole("heading", { name: "The current version" })).toBeVisible();
    expect(screen.queryByRole("button", { name: "Download evidence" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "What this shows" })).toBeNull();
  });

  test("loads earlier events on demand, and again after a failure", async () => {
    const first = someEvidence({ ...onRecord, events: [anEvent()], next: "older" });
    const older = anEvent({
      index: 3,
      digest: "3".repeat(64),
      type: "share.created",
      shareName: "Fair",
    });
    const cursors: (string | null)[] = [];
    server.use(
      http.get("*/api/ideas/7/evidence", ({ request }) => {
        const cursor = new URL(request.url).searchParams.get("cursor");
        cursors.push(cursor);
        if (cursor === null) return HttpResponse.json(first);
        if (cursors.length === 2) return new HttpResponse(null, { status: 500 });
        return HttpResponse.json({ ...first, events: [older], next: null });
      }),
    );
    const { user } = await open();
    await user.click(await screen.findByRole("button", { name: "Show more" }));
    expect(await screen.findByText("The earlier events could not be loaded.")).toBeVisible();
    await user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("Fair")).toBeVisible();
    expect(screen.getByText(/was put on record/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Show more" })).not.toBeInTheDocument();
    expect(cursors).toEqual([null, "older", "older"]);
  });

  test("asks again by itself until an event has its place", async () => {
    let tick: () => void = () => undefined;
    const set = globalThis.setInterval.bind(globalThis);
    vi.spyOn(globalThis, "setInterval").mockImplementation(((run: () => void, after: number) => {
      if (after !== 3000) return set(run, after);
      tick = run;
      return 0;
    }) as typeof setInterval);
    const waiting = anEvent({ index: null, log: null });
    serve({ ...onRecord, index: null, events: [waiting] });
    await open();
    expect((await screen.findAllByText("Waiting for its place in the log")).length).toBe(2);
    expect(steps()[0]?.[0]).toBe("waiting");
    serve({ ...onRecord, events: [anEvent({ digest: waiting.digest })] });
    tick();
    await waitFor(() =>
      expect(screen.queryByText("Waiting for its place in the log")).not.toBeInTheDocument(),
    );
    expect(steps()[0]?.[0]).toBe("reached");
  });
});
