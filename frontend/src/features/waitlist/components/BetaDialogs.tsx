import { useState } from "react";
import { paths } from "@/routing/paths";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { LinkButton } from "@/ui/LinkButton";
import { isRegistrationOpen } from "@/ui/registration";
import { vaultName } from "@/ui/vault";
import { WaitlistForm } from "./WaitlistForm";

type Step = "beta" | "form" | "thanks";

const titles = (): Record<Step, string> => ({
  beta: `${vaultName()} is in private beta`,
  form: "Join the waitlist",
  thanks: "Thank you!",
});

const descriptions = (isOpen: boolean): Record<Step, string> => ({
  beta: isOpen
    ? "You can create an account now and try everything. If you would rather wait, leave your address and we will write to you when the beta ends."
    : "Accounts are given out by invitation for now, a few at a time. Leave your address and we will write to you when there is room.",
  form: "We only use these details to invite you.",
  thanks: "Thank you for joining our waitlist. We'll be in touch soon!",
});

interface BetaDialogsProps {
  open: boolean;
  onClose: () => void;
}

/**
 * The private beta, then the waitlist, then the thanks. One window whose content changes, so that
 * focus stays in it; closing resets it.
 */
export function BetaDialogs({ open, onClose }: BetaDialogsProps) {
  const isOpen = isRegistrationOpen() === true;
  const [step, setStep] = useState<Step>("beta");
  const close = () => {
    onClose();
    setStep("beta");
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && close()}
      title={titles()[step]}
      description={
        <span role={step === "thanks" ? "status" : undefined}>{descriptions(isOpen)[step]}</span>
      }
    >
      <div className="mt-6">
        {step === "beta" && (
          <div className="flex flex-col gap-3">
            {isOpen && (
              <LinkButton to={paths.register} className="w-full">
                Create account
              </LinkButton>
            )}
            <Button
              variant={isOpen ? "secondary" : "primary"}
              className="w-full"
              onClick={() => setStep("form")}
            >
              Join Waitlist
            </Button>
          </div>
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
