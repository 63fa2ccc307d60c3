import { Outlet } from "react-router";
import { Tooltips } from "@/ui/Tooltips";

/** Layout route of the signed-in screens, with what public pages do without. */
export function SignedInLayout() {
  return (
    <>
      <Outlet />
      <Tooltips />
    </>
  );
}
