import { expect, test, vi } from "vitest";
import { layoutOf } from "./layout";

test("files belong to the newest log, or to an older one by its folder", () => {
  const unknown = [
    "anchors/x.tsr",
    "idea/a.html",
    "events/1.txt",
    "log2/events/1.json",
    "log01/log/checkpoint",
    "notes.txt",
  ];
  const paths = ["log/checkpoint", "README.txt", "log1/events/3.json", "log1/log/checkpoint"];
  const layout = layoutOf([...paths, ...unknown]);
  expect(layout.unknown).toEqual(unknown);
  expect(layout.logs.get("")).toEqual([["log/checkpoint", { kind: "fixed" }]]);
  expect(layout.logs.get("log1/")).toEqual([
    ["log1/events/3.json", { kind: "event", place: 3 }],
    ["log1/log/checkpoint", { kind: "fixed" }],
  ]);
  expect([...layout.logs.keys()]).toEqual(["log1/", ""]);
});

test("the work for each path does not grow with the number of logs", () => {
  const exec = vi.spyOn(RegExp.prototype, "exec");
  const startsWith = vi.spyOn(String.prototype, "startsWith");
  const count = (logs: number) => {
    const folders = Array.from({ length: logs }, (_, number) => `log${number}/`);
    vi.clearAllMocks();
    layoutOf(folders.flatMap((folder) => [`${folder}log/checkpoint`, `${folder}notes.txt`]));
    return exec.mock.calls.length + startsWith.mock.calls.length;
  };
  try {
    expect(count(200)).toBe(10 * count(20));
  } finally {
    vi.restoreAllMocks();
  }
});
