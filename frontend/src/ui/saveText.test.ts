import { afterEach, expect, test, vi } from "vitest";
import { saveText } from "./saveText";

afterEach(() => vi.useRealTimers());

test("keeps the address of a file until slow browsers have read it, and then frees it", () => {
  vi.useFakeTimers();
  URL.createObjectURL = () => "blob:codes";
  const revoked = vi.fn();
  URL.revokeObjectURL = revoked;
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  saveText("codes.txt", "1111-2222\n");
  vi.advanceTimersByTime(59_999);
  expect(revoked).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(revoked.mock.calls).toEqual([["blob:codes"]]);
});
