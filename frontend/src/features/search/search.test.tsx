import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { neverRespond, respondWith } from "@/testing/api";
import { renderRoute } from "@/testing/render";
import { server } from "@/testing/server";

async function openAgent() {
  const app = renderRoute("/");
  const panel = within(await screen.findByRole("region", { name: "Vault Agent" }));
  const field = panel.getByLabelText("Your idea");
  const search = async (idea: string) => {
    if (idea) await app.user.type(field, idea);
    await app.user.click(panel.getByRole("button", { name: "Search" }));
  };
  return { ...app, panel, field, search };
}

test("refuses an empty idea without a request", async () => {
  const calls = neverRespond("post", "/api/ai-search");
  const { search, field } = await openAgent();
  await search("   ");
  expect(await screen.findByText("Please enter an idea")).toBeVisible();
  expect(
    await screen.findByText("Describe your idea to search for similar concepts."),
  ).toBeVisible();
  await waitFor(() => expect(field).toHaveFocus());
  expect(calls).toHaveLength(0);
});

test("shows the answer without marks, and at most three sources by host name", async () => {
  const calls = respondWith("post", "/api/ai-search", 200, {
    response: "## Planters\n- **Wick** systems",
    citations: [
      "javascript:alert(1)",
      "https://one.example/a",
      "https://two.example/b",
      "http://three.example/c",
      "https://four.example/d",
    ],
  });
  const { search, panel } = await openAgent();
  await search("  a self-watering planter ");
  expect(await panel.findByText(/• Wick systems/)).toHaveTextContent("Planters • Wick systems");
  expect(calls.map(({ body }) => body)).toEqual([{ query: "a self-watering planter" }]);
  const links = panel.getAllByRole("link");
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "https://one.example/a",
    "https://two.example/b",
    "http://three.example/c",
  ]);
  expect(links[0]).toHaveTextContent("one.example");
  for (const link of links) {
    expect(link).toHaveAttribute("rel", "noopener noreferrer nofollow");
    expect(link).toHaveAttribute("target", "_blank");
  }
});

test.each([
  [
    "the server's message",
    () => HttpResponse.json({ message: "The search is not set up." }, { status: 503 }),
    "The search is not set up.",
  ],
  ["its own words", () => new HttpResponse(null, { status: 502 }), "Search failed"],
  ["word of the network", () => HttpResponse.error(), "Something went wrong"],
])("a search that failed shows %s in a box and a toast", async (_what, response, text) => {
  server.use(http.post("*/api/ai-search", response));
  const { search, panel, field } = await openAgent();
  await search("planter");
  expect(await panel.findByRole("alert")).toHaveTextContent(text);
  expect(await screen.findByText("Search Error")).toBeVisible();
  expect(field).toHaveValue("planter");
});

test("Clear removes query, result and failure", async () => {
  respondWith("post", "/api/ai-search", 502);
  const { search, panel, field, user } = await openAgent();
  await search("planter");
  await panel.findByRole("alert");
  await user.click(panel.getByRole("button", { name: "Clear" }));
  await waitFor(() => expect(field).toHaveValue(""));
  await waitFor(() => expect(panel.queryByRole("alert")).not.toBeInTheDocument());
});

test("Clear cancels a running search, without a failure", async () => {
  const calls = neverRespond("post", "/api/ai-search");
  const { search, panel, user } = await openAgent();
  await search("planter");
  expect(await panel.findByRole("button", { name: "Searching..." })).toHaveAttribute(
    "aria-busy",
    "true",
  );
  await waitFor(() => expect(calls).toHaveLength(1));
  await user.click(panel.getByRole("button", { name: "Clear" }));
  expect(await panel.findByRole("button", { name: "Search" })).not.toHaveAttribute("aria-busy");
  expect(panel.queryByRole("alert")).not.toBeInTheDocument();
  expect(screen.queryByText("Search Error")).not.toBeInTheDocument();
});
