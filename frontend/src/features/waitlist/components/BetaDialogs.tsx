import { useState } from "react";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { WaitlistForm } from "./WaitlistForm";

type Step = "beta" | "form" | "thanks";

const titles: Record<Step, string> = {
  beta: "IdeaVault is in private beta",
  form: "Join the waitlist",
  thanks: "Thank you!",
};

const descriptions: Record<Step, string> = {
  beta: "Accounts are given out by invitation for now, a few at a time. Leave your address, and we write to you when there is room.",
  form: "We use these details to invite you, and for nothing else.",
  thanks: "Thank you for joining our waitlist. We'll be in touch soon!",
};

interface BetaDialogsProps {
  open: boolean;
  onClose: () => void;
}

/**
 * Spec section 2, Landing page: the private beta, then the waitlist, then the thanks. One window
 * that changes, so that focus stays in it; closing starts over.
 */
export function BetaDialogs({ open, onClose }: BetaDialogsProps) {
  const [step, setStep] = useState<Step>("beta");
  const close = () => {
    onClose();
    setStep("beta");
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={titles[step]}
      description={
        <span role={step === "thanks" ? "status" : undefined}>{descriptions[step]}</span>
      }
    >
      <div className="mt-6">
        {step === "beta" && (
          <Button className="w-full" onClick={() => setStep("form")}>
            Join Waitlist
          </Button>
        )}
        {step === "form" && <WaitlistForm onJoined={() => setStep("thanks")} />}
        {step === "thanks" && (
          <Button autoFocus className="w-full" onClick={close}>
            Close
          </Button>
        )}
      </div>
    </Dialog>
  );
}
