import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, vi } from "vitest";
import { aComment } from "@/features/recipient/testing/fixtures";
import { respondWith } from "@/testing/api";
import { aUser } from "@/testing/fixtures";
import { renderRoute } from "@/testing/render";
import { constants } from "./rows/constants";
import { logIn } from "./testing/accountSteps";
import {
  agreementText,
  atAgreement,
  atDocument,
  layOut,
  openDocument,
  scrollTo,
  search,
} from "./testing/sharingSteps";
import { press, serve } from "./testing/steps";
import { eachRow } from "./testing/table";

afterEach(() => vi.useRealTimers());

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const ages = [
  [0, "just now"],
  [59 * SECOND, "just now"],
  [60 * SECOND, "1 minute ago"],
  [59 * 60 * SECOND, "59 minutes ago"],
  [HOUR, "1 hour ago"],
  [23 * HOUR, "23 hours ago"],
  [24 * HOUR, "1 day ago"],
  [400 * 24 * HOUR, "400 days ago"],
] as const;

const table: Record<(typeof constants.pages)[number], () => Promise<void>> = {
  "NDA scroll-to-end tolerance: 5 px": async () => {
    layOut(1000);
    atAgreement();
    renderRoute("/nda/tok");
    const region = await agreementText();
    scrollTo(region, 694);
    expect(screen.getByRole("button", { name: "Please read the full agreement" })).toBeDisabled();
    scrollTo(region, 695);
    expect(await screen.findByRole("button", { name: "I Agree" })).toBeEnabled();
  },
  "Citation sources shown: at most 3": async () => {
    const citations = [1, 2, 3, 4, 5].map((number) => `https://${number}.example/page`);
    respondWith("post", "/api/ai-search", 200, { response: "Yes.", citations });
    await search();
    const panel = within(screen.getByRole("region", { name: "Vault Agent" }));
    await panel.findByText("Yes.");
    const hosts = panel.getAllByRole("link").map((link) => link.firstChild?.textContent);
    expect(hosts).toEqual(["1.example", "2.example", "3.example"]);
  },
  "NDA file name pattern: NDA-Agreement-Idea-{id}.txt": async () => {
    const names: string[] = [];
    URL.createObjectURL = () => "blob:agreement";
    URL.revokeObjectURL = () => undefined;
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    atAgreement();
    await press(renderRoute("/nda/tok"), "Download Agreement");
    await waitFor(() => expect(names).toEqual(["NDA-Agreement-Idea-7.txt"]));
  },
  "Cookie consent storage key: cookieConsent": async () => {
    localStorage.removeItem("cookieConsent");
    await press(renderRoute("/about"), "Accept Cookies");
    await waitFor(() => expect({ ...localStorage }).toEqual({ cookieConsent: "true" }));
  },
  "Current user storage key: currentUser": async () => {
    respondWith("post", "/api/auth/login", 200, { success: true, user: aUser() });
    await logIn();
    await waitFor(() =>
      expect(JSON.parse(localStorage.getItem("currentUser") ?? "null")).toEqual(aUser()),
    );
  },
  "Support reply time: about 24 hours": async () => {
    renderRoute("/contact");
    expect(await screen.findByText(/Support typically replies within 24 hours/)).toBeVisible();
  },
  "Data request reply: within one month, extendable by two months": async () => {
    renderRoute("/data-handling");
    expect(await screen.findByText(/within one month.*extended by two months/)).toBeVisible();
  },
  "Breach notice: within 72 hours": async () => {
    renderRoute("/data-handling");
    expect(
      await screen.findByText(/notifies the supervisory authority.*within 72 hours/),
    ).toBeVisible();
  },
  "Comment age display: under 60 s 'just now', then minutes, hours, days ago": async () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    vi.useFakeTimers({ toFake: ["Date"], now });
    atDocument();
    const comments = ages.map(([age], index) =>
      aComment({ id: `c${index}`, createdAt: new Date(now - age).toISOString() }),
    );
    respondWith("get", "/api/comments", 200, comments);
    await openDocument();
    await screen.findByText("400 days ago");
    const shown = [...document.querySelectorAll("aside time")].map((time) => time.textContent);
    expect(shown).toEqual(ages.map(([, text]) => text));
  },
};

eachRow("constants", constants.pages, table, async (check) => {
  serve();
  await check();
});
