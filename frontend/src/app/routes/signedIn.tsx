import { Outlet } from "react-router";
import { TooltipProvider } from "@/ui/Tooltip";

/** What the signed-in screens share and public pages do without. */
export function Component() {
  return (
    <TooltipProvider>
      <Outlet />
    </TooltipProvider>
  );
}
