import { act, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import { expect, test, vi } from "vitest";
import { lazyComponent } from "./lazyComponent";

const Panel = () => <p>Panel</p>;

test("waits for the connection, and leaves the page around it as it is", async () => {
  const online = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const load = vi
    .fn<() => Promise<{ Panel: typeof Panel }>>()
    .mockRejectedValueOnce(new TypeError("Failed to fetch"))
    .mockResolvedValue({ Panel });
  const Lazy = lazyComponent(load, "Panel");
  render(
    <>
      <textarea defaultValue="Text that is not saved" />
      <Suspense fallback={null}>
        <Lazy />
      </Suspense>
    </>,
  );
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce());
  await act(async () => undefined);
  expect(screen.getByRole("textbox")).toHaveValue("Text that is not saved");
  online.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  expect(await screen.findByText("Panel")).toBeVisible();
});

test("shows no fallback once it is loaded", async () => {
  const Lazy = lazyComponent(async () => ({ Panel }), "Panel");
  await Lazy.load();
  render(
    <Suspense fallback={<p>Loading</p>}>
      <Lazy />
    </Suspense>,
  );
  expect(screen.queryByText("Loading")).toBeNull();
  expect(screen.getByText("Panel")).toBeVisible();
});
