import { Outlet } from "react-router";
import { Tooltips } from "@/ui/Tooltips";

/** What the signed-in screens share and public pages do without. */
export function Component() {
  return (
    <>
      <Outlet />
      <Tooltips />
    </>
  );
}
