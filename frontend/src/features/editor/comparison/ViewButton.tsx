import type { ReactNode } from "react";
import { Button } from "@/ui/Button";

interface ViewButtonProps {
  isOn: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** One of several buttons that choose how something is shown. */
export function ViewButton({ isOn, onClick, children }: ViewButtonProps) {
  return (
    <Button variant={isOn ? "secondary" : "ghost"} size="sm" aria-pressed={isOn} onClick={onClick}>
      {children}
    </Button>
  );
}
