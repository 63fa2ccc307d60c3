import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { openPdf, PdfFile } from "./engine";
import type { PdfPage } from "./enginePage";
import { PdfDocument } from "./PdfDocument";
import { SLOW_AFTER_MS } from "./stall";

const { opens, terminate } = vi.hoisted(() => ({
  opens: vi.fn<typeof openPdf>(),
  terminate: vi.fn(),
}));
vi.mock("./loadEngine", () => ({ loadEngine: async () => ({ openPdf: opens }) }));
vi.mock("./byteSource", () => ({ openByteSource: async () => ({ length: 1 }) }));
vi.mock("./worker", () => ({
  acquireWorker: () => ({
    worker: { addEventListener: vi.fn(), terminate },
    started: Promise.resolve(),
  }),
}));

const aPage = (number: number): PdfPage => ({
  size: { width: 400, height: 600 },
  draw: async () => ({ canvas: document.createElement("canvas"), lacksPicture: false }),
  writeText: async (layer) => {
    layer.textContent = `Words of page ${number}`;
    return true;
  },
  links: async () => [],
  release: vi.fn(),
});

const aFile = (over: Partial<PdfFile> = {}): PdfFile => ({
  pageCount: 40,
  firstSize: { width: 400, height: 600 },
  page: async (number) => aPage(number),
  pageOf: async () => 1,
  ...over,
});

beforeEach(() => {
  opens.mockReset();
  terminate.mockReset();
  // jsdom has no layout; in a viewer of 424 by 700 px the pages fit at 100 %.
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(424);
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(700);
});

const show = (onGone?: () => void) =>
  render(
    <PdfDocument
      fileName="kettle.pdf"
      pdfPath="/api/files/ab-12"
      openLabel="Open PDF"
      {...(onGone ? { onGone } : {})}
    />,
  );

const failure = (name: string, more: object = {}) => Object.assign(new Error(name), { name }, more);

test("renders the first pages and no distant ones", async () => {
  opens.mockResolvedValue(aFile());
  show();
  expect(await screen.findByText("Words of page 1")).toBeInTheDocument();
  expect(screen.getByRole("region", { name: "Page 1 of 40" })).toBeInTheDocument();
  expect(screen.queryByRole("region", { name: "Page 9 of 40" })).not.toBeInTheDocument();
});

test("zooms by button and by key, and fits again", async () => {
  opens.mockResolvedValue(aFile());
  const user = userEvent.setup();
  show();
  await screen.findByText("Words of page 1");
  const zoom = screen.getByRole("status", { name: "Zoom" });
  await waitFor(() => expect(zoom).toHaveTextContent("100%"));
  await user.click(screen.getByRole("button", { name: "Zoom in" }));
  await waitFor(() => expect(zoom).toHaveTextContent("110%"));
  expect(screen.getByRole("button", { name: "Fit width", pressed: false })).toBeVisible();
  screen.getByRole("region", { name: "Pages of kettle.pdf" }).focus();
  await user.keyboard("--");
  await waitFor(() => expect(zoom).toHaveTextContent("90%"));
  await user.keyboard("0");
  await waitFor(() => expect(zoom).toHaveTextContent("100%"));
});

/** Scrolls the viewer, which jsdom cannot. */
const scrollPages = (top: number) => {
  const pages = screen.getByRole("region", { name: "Pages of kettle.pdf" });
  pages.scrollTop = top;
  fireEvent.scroll(pages);
};

test("goes to one page after another by number, with the keyboard alone", async () => {
  opens.mockResolvedValue(aFile());
  const user = userEvent.setup();
  show();
  await screen.findByText("Words of page 1");
  HTMLElement.prototype.scrollTo = vi.fn(({ top }) => scrollPages(top));
  const field = screen.getByRole("textbox", { name: "Page" });
  await user.clear(field);
  await user.keyboard("12{Enter}");
  expect(await screen.findByText("Words of page 12")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Page" })).toHaveFocus());
  expect(field).toHaveValue("12");
  await user.keyboard("30{Enter}");
  expect(await screen.findByText("Words of page 30")).toBeInTheDocument();
  await waitFor(() => expect(field).toHaveValue("30"));
});

test("keeps a page number that is being typed while the pages move", async () => {
  opens.mockResolvedValue(aFile());
  const user = userEvent.setup();
  show();
  await screen.findByText("Words of page 1");
  await user.clear(screen.getByRole("textbox", { name: "Page" }));
  await user.keyboard("3");
  scrollPages(6200);
  expect(await screen.findByText("Words of page 11")).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Page" })).toHaveValue("3"));
  await user.tab();
  await waitFor(() => expect(screen.getByRole("textbox", { name: "Page" })).toHaveValue("11"));
});

test.each([
  ["corrupt", failure("InvalidPDFException"), "This PDF is damaged"],
  ["locked", failure("PasswordException"), "This PDF is protected with a password"],
])("shows what is wrong with a %s PDF and still links to the file", async (_, error, title) => {
  opens.mockRejectedValue(error);
  show();
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent(title);
  expect(screen.getByRole("link", { name: "Open PDF" })).toHaveAttribute(
    "href",
    "/api/files/ab-12",
  );
  expect(within(alert).getByRole("link", { name: "Download PDF" })).toHaveAttribute(
    "href",
    "/api/files/ab-12?download=1",
  );
});

test("offers a retry for a PDF whose reading stalled", async () => {
  opens.mockRejectedValueOnce(failure("StallError")).mockResolvedValueOnce(aFile());
  show();
  expect(await screen.findByRole("alert")).toHaveTextContent("is taking too long to open");
  await userEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Words of page 1")).toBeInTheDocument();
});

test("offers a retry while a transfer hangs", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  opens.mockReturnValueOnce(new Promise(() => undefined)).mockResolvedValueOnce(aFile());
  show();
  expect(await screen.findByText("Loading document...")).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  await act(() => vi.advanceTimersByTimeAsync(SLOW_AFTER_MS + 1_000));
  expect(screen.getByRole("status")).toHaveTextContent("longer than usual");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Words of page 1")).toBeInTheDocument();
});

test("leaves no empty frame below a failure on a phone", async () => {
  opens.mockRejectedValue(failure("InvalidPDFException"));
  show();
  expect((await screen.findByRole("alert")).parentElement).toHaveClass("max-sm:h-auto");
});

test("reports that a PDF has no pages", async () => {
  opens.mockResolvedValue(aFile({ pageCount: 0 }));
  show();
  expect(await screen.findByRole("alert")).toHaveTextContent("This PDF is empty");
});

test("removes the pages and reports when the server denies access", async () => {
  const onGone = vi.fn();
  opens.mockResolvedValue(
    aFile({
      page: async (number) => {
        if (number > 1) throw failure("ResponseException", { status: 404 });
        return aPage(number);
      },
    }),
  );
  show(onGone);
  expect(await screen.findByRole("alert")).toHaveTextContent(
    "This document is no longer open to you",
  );
  expect(screen.queryByText("Words of page 1")).not.toBeInTheDocument();
  await waitFor(() => expect(onGone).toHaveBeenCalledTimes(1));
});

test("opens the file again after a failed connection", async () => {
  opens.mockRejectedValueOnce(failure("TypeError")).mockResolvedValueOnce(aFile());
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Words of page 1")).toBeInTheDocument();
});

test("keeps the other pages when one cannot be read", async () => {
  opens.mockResolvedValue(
    aFile({
      page: async (number) => {
        if (number === 1) throw failure("UnknownErrorException");
        return aPage(number);
      },
    }),
  );
  show();
  expect(await screen.findByText("This page cannot be shown.")).toBeVisible();
  expect(await screen.findByText("Words of page 2")).toBeInTheDocument();
});

test("reports a missing image of a page that would look blank", async () => {
  const canvas = document.createElement("canvas");
  const page = async (number: number): Promise<PdfPage> => ({
    ...aPage(number),
    draw: async () => ({ canvas, lacksPicture: number === 1 }),
  });
  opens.mockResolvedValue(aFile({ page }));
  show();
  const first = await screen.findByRole("region", { name: "Page 1 of 40" });
  expect(await within(first).findByText(/A picture on this page is damaged/)).toBeVisible();
  expect(screen.getAllByText(/A picture on this page is damaged/)).toHaveLength(1);
});

test("stops the worker when the document is unmounted", async () => {
  opens.mockResolvedValue(aFile());
  const { unmount } = show();
  await screen.findByText("Words of page 1");
  unmount();
  expect(terminate).toHaveBeenCalledTimes(1);
  expect(opens.mock.calls[0]?.[2].aborted).toBe(true);
});
