import { act, render, renderHook, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Drawing, PdfPage } from "./enginePage";
import { PagePicture } from "./PageLayers";
import { usePage } from "./usePage";

const aPage = (over: Partial<PdfPage> = {}): PdfPage => ({
  size: { width: 400, height: 600 },
  draw: async () => null,
  writeText: async () => true,
  links: async () => [],
  release: vi.fn(),
  ...over,
});

/** A page whose drawings end when the test ends them. */
function aSlowPage() {
  const drawings: { resolve: (drawing: Drawing) => void; reject: (error: Error) => void }[] = [];
  const draw = () =>
    new Promise<Drawing | null>((resolve, reject) => drawings.push({ resolve, reject }));
  return { page: aPage({ draw }), drawings };
}

test("a drawing that another one has replaced does not fail the page", async () => {
  const { page, drawings } = aSlowPage();
  const onError = vi.fn();
  const { rerender } = render(
    <PagePicture onDrawn={vi.fn()} page={page} scale={1} onError={onError} />,
  );
  rerender(<PagePicture onDrawn={vi.fn()} page={page} scale={2} onError={onError} />);
  await act(async () => drawings[0]?.reject(new Error("stalled")));
  expect(onError).not.toHaveBeenCalled();
  await act(async () => drawings[1]?.reject(new Error("broken")));
  expect(onError).toHaveBeenCalledOnce();
});

test("a drawing that arrives too late gives its memory back", async () => {
  const { page, drawings } = aSlowPage();
  const { rerender, container } = render(
    <PagePicture onDrawn={vi.fn()} page={page} scale={1} onError={vi.fn()} />,
  );
  rerender(<PagePicture onDrawn={vi.fn()} page={page} scale={2} onError={vi.fn()} />);
  const canvas = document.createElement("canvas");
  await act(async () => drawings[0]?.resolve({ canvas, lacksPicture: false }));
  expect(canvas.width).toBe(0);
  expect(container).not.toContainElement(canvas);
});

test("a page that was asked for twice is released once it is not used", async () => {
  const pages = [aPage(), aPage()];
  const waiting = [...pages];
  const file = {
    pageCount: 1,
    firstSize: { width: 400, height: 600 },
    page: async () => waiting.shift() ?? aPage(),
    pageOf: async () => 1,
  };
  const { result, unmount } = renderHook(() => usePage(file, 1, onSize, onProblem), {
    reactStrictMode: true,
  });
  await waitFor(() => expect(result.current.page).toBe(pages[1]));
  expect(pages[0]?.release).toHaveBeenCalledOnce();
  expect(pages[1]?.release).not.toHaveBeenCalled();
  unmount();
  expect(pages[1]?.release).toHaveBeenCalledOnce();
});

const onSize = vi.fn();
const onProblem = vi.fn();
