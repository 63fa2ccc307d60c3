import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, test } from "vitest";
import { respondWith } from "@/testing/api";
import { anIdea, aUser } from "@/testing/fixtures";
import { server } from "@/testing/server";
import { openIdea, type } from "./testPage";

const CALL = "/api/ideas/7";

/** Another tab logs in or out. */
const store = (user: string | null) =>
  act(async () => {
    if (user === null) localStorage.removeItem("currentUser");
    else localStorage.setItem("currentUser", user);
    window.dispatchEvent(new StorageEvent("storage", { key: "currentUser", newValue: user }));
  });

const comeOnline = () => act(async () => window.dispatchEvent(new Event("online")));

test("saves once more by itself when the connection is back", async () => {
  const { user, editor } = await openIdea();
  let failures = 0;
  server.use(
    http.put(`*${CALL}`, () => {
      failures += 1;
      return HttpResponse.error();
    }),
  );
  await type(editor, " More.");
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  expect(await screen.findByText(/There is no connection to the server/)).toBeVisible();
  await comeOnline();
  await waitFor(() => expect(failures).toBe(2));
  await waitFor(() => expect(screen.getByRole("button", { name: "Try again" })).toBeEnabled());

  const saves = respondWith("put", CALL, 200, anIdea({ revision: 2 }));
  await comeOnline();
  await waitFor(() => expect(saves).toHaveLength(1));
  await waitFor(() =>
    expect(screen.queryByText(/There is no connection to the server/)).not.toBeInTheDocument(),
  );
  await comeOnline();
  expect(saves).toHaveLength(1);
  expect(failures).toBe(2);
});

test("saves once more when the author has signed in again in another tab", async () => {
  const { user, editor } = await openIdea();
  expect(await screen.findByText("Hi Ada")).toBeVisible();
  respondWith("put", CALL, 401, { message: "You are not signed in." });
  await type(editor, " More.");
  await user.click(screen.getByRole("button", { name: "Save Changes" }));
  expect(await screen.findByText(/Your text is kept in this browser/)).toBeVisible();
  await store(null);
  await waitFor(() => expect(screen.queryByText("Hi Ada")).not.toBeInTheDocument());

  const saves = respondWith("put", CALL, 200, anIdea({ revision: 2 }));
  await store(JSON.stringify(aUser({ id: "someone-else", name: "Grace Hopper" })));
  expect(await screen.findByText("Hi Grace")).toBeVisible();
  expect(saves).toHaveLength(0);
  await store(JSON.stringify(aUser()));
  await waitFor(() => expect(saves).toHaveLength(1));
  await waitFor(() =>
    expect(screen.queryByText(/Your text is kept in this browser/)).not.toBeInTheDocument(),
  );
});
