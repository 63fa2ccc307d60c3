import { MailCheck } from "lucide-react";
import { toApiError } from "@/api/baseApi";
import { useSendEmailConfirmationMutation } from "@/api/enhanced";
import type { User } from "@/api/generated";
import { rememberUser } from "@/store/currentUserSlice";
import { useAppDispatch } from "@/store/hooks";
import { Button } from "@/ui/Button";

const CONFIRMED = 409;

/** Says what needs the confirmation, and sends the email again. */
export function ConfirmAddressNotice({ user }: { user: User }) {
  const dispatch = useAppDispatch();
  const [send, { isLoading, isSuccess, error }] = useSendEmailConfirmationMutation();

  const sendAgain = async () => {
    const { error } = await send();
    // The link was opened in another tab meanwhile.
    if (error && toApiError(error).status === CONFIRMED) {
      rememberUser({ dispatch }, { ...user, emailConfirmed: true });
    }
  };

  return (
    <section
      aria-label="Confirm your email address"
      className="flex flex-col items-start gap-3 rounded-lg border border-line bg-surface p-4 text-sm sm:flex-row sm:items-center"
    >
      <MailCheck className="size-5 shrink-0 text-muted max-sm:hidden" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="break-words">
          <strong className="font-semibold">Confirm your email address.</strong> Open the link in
          our email to {user.email}. Until then, you can write ideas, but not share them.
        </p>
        <p role="status" className="text-muted empty:hidden">
          {isSuccess && "Sent. Please open the link in the newest email."}
          {error && (toApiError(error).detail ?? "The email could not be sent.")}
        </p>
      </div>
      <Button variant="secondary" size="sm" busy={isLoading} onClick={sendAgain}>
        Send the email again
      </Button>
    </section>
  );
}
